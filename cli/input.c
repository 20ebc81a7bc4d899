#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"

enum { CHUNK = 1 << 16, KEPT = 1 << 20 }; /* bytes read at once; room kept after a long line */

/* ---- bytes ---- */

/* More bytes into the chunk; false at the end of the file, when reading fails, and when a signal asks to stop. */
static bool refill(input *in)
{
    if (in->at_end || !output_wait(in->file))
        return false;
    ssize_t count;
    do
        count = read(in->file, in->chunk, CHUNK);
    while (count < 0 && errno == EINTR);
    in->trouble = count < 0 ? errno : 0;
    in->at_end = count <= 0;
    in->chunk_next = 0;
    in->chunk_end = count > 0 ? (size_t)count : 0;
    return count > 0;
}

/* Add bytes to a line. What exceeds the bound or the memory is counted and not kept. */
static void append(input_line *line, const char *bytes, size_t length)
{
    size_t total = line->length + length;
    bool kept = line->bytes || line->length == 0;
    if (kept && total > line->room) {
        size_t room = 2 * total < CHUNK ? CHUNK : 2 * total;
        char *larger = total > CAROM_CASE_BYTES ? NULL : realloc(line->bytes, room);
        if (!larger)
            free(line->bytes);
        line->bytes = larger;
        line->room = larger ? room : 0;
        kept = larger != NULL;
    }
    if (kept)
        memcpy(line->bytes + line->length, bytes, length);
    line->length = total;
}

/* One raw line after those already in it; false at the end of the file. */
static bool append_line(input *in, input_line *line)
{
    bool any = false, ended = false;
    while (!ended && (in->chunk_next < in->chunk_end || refill(in))) {
        const char *from = in->chunk + in->chunk_next;
        size_t rest = in->chunk_end - in->chunk_next;
        const char *end = memchr(from, '\n', rest);
        size_t length = end ? (size_t)(end - from) + 1 : rest;
        append(line, from, length);
        in->chunk_next += length;
        in->done += (double)length;
        any = true;
        ended = end != NULL;
    }
    in->line += any;
    return any && !in->trouble;
}

static bool is_blank(const input_line *line)
{
    for (size_t i = 0; line->bytes && i < line->length; i++)
        if (!memchr(" \t\r\n", line->bytes[i], 4))
            return false;
    return line->bytes != NULL;
}

/* The next line that is not blank. A line that reading failed in is not handed out. */
static bool next_line(input *in, input_line *line)
{
    do {
        if (line->room > KEPT) {
            free(line->bytes);
            line->bytes = NULL;
            line->room = 0;
        }
        line->length = 0;
        if (!append_line(in, line))
            return false;
    } while (is_blank(line));
    line->number = in->line;
    return true;
}

/* ---- lines or a document ---- */

/* An object from its first bracket to its last, by strings and brackets alone. */
static bool is_whole(const input_line *line)
{
    const char *b = line->bytes;
    size_t at = 0, length = line->length;
    long depth = 0;
    if (!b)
        return false;
    while (length > 0 && memchr(" \t\r\n", b[length - 1], 4))
        length--;
    while (at < length && memchr(" \t", b[at], 2))
        at++;
    if (at == length || b[at] != '{')
        return false;
    for (; at < length; at++) {
        if (b[at] == '"')
            for (at++; at < length && b[at] != '"'; at++)
                at += b[at] == '\\';
        else
            depth += at < length ? (b[at] == '{' || b[at] == '[') - (b[at] == '}' || b[at] == ']') : 0;
        if (depth == 0 && at < length)
            return at + 1 == length;
    }
    return false;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

/* A document is read to its end. Blank lines before it were skipped: their line breaks keep line numbers right. */
static void read_document(input *in)
{
    input_line *whole = &in->current;
    for (int i = 0; i < in->first_count; i++) {
        long skipped = in->first[i].number - 1 - (i > 0 ? in->first[i - 1].number : 0);
        for (long k = 0; k < skipped && whole->length <= CAROM_CASE_BYTES; k++)
            append(whole, "\n", 1);
        if (in->first[i].bytes)
            append(whole, in->first[i].bytes, in->first[i].length);
        else
            whole->length += in->first[i].length;
    }
    while (whole->length <= CAROM_CASE_BYTES && append_line(in, whole))
        continue;
    if (whole->length > CAROM_CASE_BYTES) {
        free(whole->bytes);
        whole->bytes = NULL;
    }
}

/* Look at the first two lines that are not blank. */
static bool find_kind(input *in)
{
    bool by_name = ends_in(in->name, ".jsonl") || ends_in(in->name, ".ndjson");
    int wanted = by_name ? 1 : 2;
    while (in->first_count < wanted && next_line(in, &in->first[in->first_count]))
        in->first_count++;
    if (in->first_count == 0) {
        if (!in->trouble && !output_is_stopped())
            complain("%s: empty file", in->name);
        return false;
    }
    in->is_lines = by_name || (in->first_count == 2 && (is_whole(&in->first[0]) || is_whole(&in->first[1])));
    if (!in->is_lines)
        read_document(in);
    return !in->trouble;
}

/* ---- the interface ---- */

static bool open_file(input *in, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) {
        in->name = "stdin";
        in->file = STDIN_FILENO;
        return true;
    }
    in->file = open(path, O_RDONLY | O_CLOEXEC);
    in->is_open = in->file >= 0;
    if (!in->is_open || fstat(in->file, &info) != 0) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        complain("%s: is a directory", path);
        return false;
    }
    in->size = S_ISREG(info.st_mode) ? (double)info.st_size : 0;
    return true;
}

bool input_open(input *in, const char *path)
{
    static const input nothing;
    *in = nothing;
    in->name = path;
    if (!open_file(in, path))
        return false;
    in->chunk = malloc(CHUNK);
    if (!in->chunk) {
        complain("%s: out of memory", in->name);
        return false;
    }
    return find_kind(in);
}

static void hand_out(const input *in, const input_line *line, carom_text *text)
{
    size_t length = line->length;
    while (line->bytes && length > 0 && (line->bytes[length - 1] == '\n' || line->bytes[length - 1] == '\r'))
        length--;
    carom_text here = {in->name, line->number, line->bytes, length};
    *text = here;
}

bool input_next(input *in, carom_text *text)
{
    if (output_is_stopped())
        return false;
    bool from_first = in->first_next < in->first_count;
    input_line *line = in->is_lines && from_first ? &in->first[in->first_next++] : &in->current;
    if (!in->is_lines) {
        if (!from_first)
            return false;
        in->first_next = in->first_count;
        line->number = 1;
    } else if (!from_first && !next_line(in, line))
        return false;
    hand_out(in, line, text);
    return true;
}

double input_share(const input *in)
{
    return in->size > 0 ? in->done / in->size : -1;
}

bool input_close(input *in)
{
    if (in->trouble && in->line > 0)
        complain("%s:%ld: cannot be read further: %s", in->name, in->line + 1, strerror(in->trouble));
    else if (in->trouble)
        complain("%s: %s", in->name, strerror(in->trouble));
    if (in->is_open)
        close(in->file);
    free(in->chunk);
    free(in->first[0].bytes);
    free(in->first[1].bytes);
    free(in->current.bytes);
    bool whole = !in->trouble;
    static const input nothing;
    *in = nothing;
    return whole;
}

/* Commands that know cases with several contacts; the others would answer for none of them. */
static bool takes_many(const char *command)
{
    static const char *const known[] = {"invert", "compare", "trace", "plot", "sweep"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(command, known[i]) == 0)
            return true;
    return false;
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
        else if (c.together && !takes_many(command))
            complain("%s: %s takes one contact, and this case has several", in.name, command);
        else
            status = use(&c, context);
    }
    carom_case_free(&c);
    return input_close(&in) ? status : BAD_INPUT;
}
