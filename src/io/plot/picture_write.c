#define _POSIX_C_SOURCE 200809L /* getpid */

/* A file appears complete or not at all: written beside its place under another name, then renamed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/plot/picture.h"

static const char *const endings[] = {".svg", ".png", ".pdf", NULL};

const char *const *carom_picture_endings(void)
{
    return endings;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static const char *ending_of(const char *path)
{
    for (int i = 0; endings[i]; i++)
        if (ends_in(path, endings[i]))
            return endings[i];
    return NULL;
}

static bool write_as(const picture *p, const char *ending, const char *path)
{
    if (p->lost) {
        errno = ENOMEM;
        return false;
    }
    FILE *trial = fopen(path, "wb"); /* cairo does not report why a file cannot be opened; fopen does */
    if (!trial)
        return false;
    fclose(trial);
    if (strcmp(ending, ".svg") == 0)
        return picture_write_svg(p, path);
    return picture_write_cairo(p, path, strcmp(ending, ".pdf") == 0);
}

static bool blame(char *why, size_t room, const char *path)
{
    snprintf(why, room, "%s: %s", path, strerror(errno));
    return false;
}

bool carom_picture_write(const carom_picture *p, const char *path, char *why, size_t room)
{
    const char *ending = ending_of(path);
    if (!ending) {
        snprintf(why, room, "%s: unknown ending; known are .svg, .png and .pdf", path);
        return false;
    }
    size_t length = strlen(path) + 32;
    char *beside = malloc(length);
    if (!beside)
        return blame(why, room, path);
    snprintf(beside, length, "%s.%ld.part", path, (long)getpid());
    errno = 0;
    bool fine = write_as(p, ending, beside) && rename(beside, path) == 0;
    if (!fine) {
        int number = errno;
        remove(beside);
        errno = number;
        blame(why, room, path);
    }
    free(beside);
    return fine;
}
