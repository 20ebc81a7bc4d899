#include "fit_input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "input.h"

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

static bool look(fit_file *file, const char *path)
{
    file->path = path;
    file->is_regular = stat(path, &file->state) == 0 && S_ISREG(file->state.st_mode);
    return true;
}

bool fit_input_unchanged(const fit_file *file)
{
    struct stat now;
    if (!file->is_regular)
        return true;
    bool same = stat(file->path, &now) == 0 && now.st_size == file->state.st_size &&
                now.st_mtim.tv_sec == file->state.st_mtim.tv_sec && now.st_mtim.tv_nsec == file->state.st_mtim.tv_nsec;
    if (!same)
        complain("%s: the file changed during the run; what was read is not what is there now", file->path);
    return same;
}

/* ---- tables ---- */

static bool add_table(void *data, const carom_text *text, carom_case_error *error)
{
    return carom_fit_data_add_csv(data, text, error);
}

static bool read_table(const char *path, carom_fit_data *data)
{
    return input_whole(path, add_table, data);
}

/* ---- JSON Lines ---- */

static bool read_lines(const char *path, carom_fit_data *data)
{
    input in;
    carom_text text;
    carom_case_error error;
    bool fine = input_open(&in, path);
    while (fine && input_next(&in, &text))
        if (!carom_fit_data_add(data, &text, &error)) {
            fprintf(stderr, "%s\n", error.message);
            fine = false;
        }
    return input_close(&in) && fine;
}

/* A file that does not begin with a bracket is a table, whatever its name. */
static bool is_table(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    int c = file ? getc(file) : EOF;
    while (file && c != EOF && isspace(c))
        c = getc(file);
    if (file)
        fclose(file);
    return ends_in(path, ".csv") || (c != EOF && c != '{' && c != '[' && !ends_in(path, ".json") &&
                                     !ends_in(path, ".jsonl") && !ends_in(path, ".ndjson"));
}

bool fit_input_read(const char *path, fit_file *file, carom_fit_data *data)
{
    look(file, path);
    bool fine = is_table(path) ? read_table(path, data) : read_lines(path, data);
    if (fine && data->count == 0) {
        complain("%s: no impacts in it", path);
        fine = false;
    }
    return fine && fit_input_unchanged(file);
}
