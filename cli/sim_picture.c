/* A run as pictures in files. */
#include <stdio.h>
#include <string.h>

#include "carom/plot_motion.h"
#include "cli.h"
#include "sim_record.h"

enum { PATH_ROOM = 4096 };

bool sim_picture_is_known(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0))
        return true;
    complain("%s: unknown ending; known are .svg, .png and .pdf", path);
    return false;
}

/* Write a picture, or complain; it is freed. */
static bool write_picture(carom_picture *picture, const char *path, char *why, size_t room)
{
    bool fine = picture && carom_picture_write(picture, path, why, room);
    carom_picture_free(picture);
    if (!fine)
        complain("%s: %s", path, why);
    return fine;
}

bool sim_picture_write(const char *path, const sim_record *r, const sim_run *run)
{
    char why[256];
    return write_picture(carom_run_picture(r, run, why, sizeof why), path, why, sizeof why);
}

bool sim_stills_write(const char *path, int count, const sim_record *r, const sim_run *run)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < count; i++) {
        char still[PATH_ROOM], why[256];
        if (snprintf(still, sizeof still, "%.*s-%d%s", (int)(dot - path), path, i + 1, dot) >= PATH_ROOM) {
            complain("%s: the name is too long", path);
            return false;
        }
        if (!write_picture(carom_run_still(r, run, i, count, why, sizeof why), still, why, sizeof why))
            return false;
    }
    return true;
}
