#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static bool is_blank(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n')
            return false;
    return true;
}

/* One raw line into line_bytes; its length, or 0 at the end. */
static size_t read_line(input *in)
{
    ssize_t length = getline(&in->line_bytes, &in->line_room, in->file);
    if (length <= 0)
        return 0;
    in->line++;
    in->done += (double)length;
    return (size_t)length;
}

static bool append_head(input *in, const char *bytes, size_t length)
{
    if (in->head_length + length > in->head_room) {
        size_t room = 2 * in->head_room + length;
        char *larger = realloc(in->head, room);
        if (!larger)
            return false;
        in->head = larger;
        in->head_room = room;
    }
    memcpy(in->head + in->head_length, bytes, length);
    in->head_length += length;
    return true;
}

/* Read raw lines into the head until one that is not blank; false at the end of the file. */
static bool look_ahead(input *in)
{
    for (size_t length; (length = read_line(in)) > 0;) {
        size_t start = in->head_length;
        if (!append_head(in, in->line_bytes, length))
            return false;
        if (is_blank(in->line_bytes, length))
            continue;
        int i = in->pending_count++;
        in->pending[i] = start;
        in->pending_length[i] = length;
        in->pending_line[i] = in->line;
        return true;
    }
    return false;
}

static bool is_whole(const input *in, int i)
{
    json_t *value = json_loadb(in->head + in->pending[i], in->pending_length[i], JSON_DECODE_INT_AS_REAL, NULL);
    json_decref(value);
    return value != NULL;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

/* Look at the first two lines that are not blank; a document is then read to its end. */
static bool find_kind(input *in)
{
    bool by_name = ends_in(in->name, ".jsonl") || ends_in(in->name, ".ndjson");
    if (!look_ahead(in)) {
        complain("%s: %s", in->name, ferror(in->file) ? strerror(errno) : "empty file");
        return false;
    }
    if (by_name || (look_ahead(in) && (is_whole(in, 0) || is_whole(in, 1)))) {
        in->is_lines = true;
        return true;
    }
    for (size_t length; (length = read_line(in)) > 0;)
        if (!append_head(in, in->line_bytes, length)) {
            complain("%s: out of memory", in->name);
            return false;
        }
    return true;
}

static bool open_file(input *in, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) {
        in->name = "stdin";
        in->file = stdin;
        return true;
    }
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        complain("%s: is a directory", path);
        return false;
    }
    in->file = fopen(path, "r");
    if (!in->file) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        in->size = (double)info.st_size;
    return true;
}

bool input_open(input *in, const char *path)
{
    static const input nothing;
    *in = nothing;
    in->name = path;
    return open_file(in, path) && find_kind(in);
}

static void hand_out(input *in, const char *bytes, size_t length, carom_text *text)
{
    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r'))
        length--;
    carom_text here = {in->name, in->line, bytes, length};
    *text = here;
}

static bool next_line(input *in, carom_text *text)
{
    if (in->pending_next < in->pending_count) {
        int i = in->pending_next++;
        hand_out(in, in->head + in->pending[i], in->pending_length[i], text);
        text->line = in->pending_line[i];
        return true;
    }
    for (size_t length; (length = read_line(in)) > 0;)
        if (!is_blank(in->line_bytes, length)) {
            hand_out(in, in->line_bytes, length, text);
            return true;
        }
    return false;
}

bool input_next(input *in, carom_text *text)
{
    if (in->is_lines)
        return next_line(in, text);
    if (in->pending_next > 0)
        return false;
    in->pending_next = 1;
    hand_out(in, in->head, in->head_length, text);
    text->line = 1;
    return true;
}

double input_share(const input *in)
{
    return in->size > 0 ? in->done / in->size : -1;
}

void input_close(input *in)
{
    if (in->file && in->file != stdin)
        fclose(in->file);
    free(in->line_bytes);
    free(in->head);
    in->file = NULL;
    in->line_bytes = in->head = NULL;
}

int input_one_case(const char *command, const char *path, int (*use)(carom_case *c, void *context), void *context)
{
    input in;
    carom_text text;
    carom_case c = {0};
    carom_case_error error;
    int status = BAD_INPUT;
    if (input_open(&in, path) && input_next(&in, &text)) {
        if (in.is_lines)
            complain("%s: %s takes one case, and this is JSON Lines", in.name, command);
        else if (!carom_case_read(&text, &c, &error))
            fprintf(stderr, "%s\n", error.message);
        else
            status = use(&c, context);
    }
    carom_case_free(&c);
    input_close(&in);
    return status;
}
