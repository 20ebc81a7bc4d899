/* The command line as a function: words and a text in, two texts and the exit status out. */
#include "program.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "memory_files.h"

enum { WORDS = 64 };

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

static text written[2];
static const char *input;
static size_t input_left;

int carom_main(int argc, char **argv);

void program_begin(const char *bytes, size_t length)
{
    written[0].length = written[1].length = 0;
    memory_files_forget();
    input = bytes;
    input_left = length;
}

size_t program_read(char *bytes, size_t room)
{
    size_t length = input_left < room ? input_left : room;
    memcpy(bytes, input, length);
    input += length;
    input_left -= length;
    return length;
}

void program_write(int file, const char *bytes, size_t length)
{
    text *t = &written[file == 2];
    if (t->length + length > t->room) {
        size_t room = 2 * (t->length + length);
        char *larger = realloc(t->bytes, room);
        if (!larger)
            __builtin_trap(); /* the caller starts a new program */
        t->bytes = larger;
        t->room = room;
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
}

/* ---- what the package calls ---- */

EXPORT(carom_js_room) void *carom_js_room(size_t bytes)
{
    return malloc(bytes);
}

EXPORT(carom_js_free) void carom_js_free(void *block)
{
    free(block);
}

/* words: the arguments, each ended by a zero byte; the exit status, or -1 when there are too many. */
EXPORT(carom_js_run) int carom_js_run(char *words, size_t words_length, const char *bytes, size_t length)
{
    char *argv[WORDS + 2] = {"carom"};
    int argc = 1;
    for (char *word = words; word < words + words_length; word += strlen(word) + 1) {
        if (argc > WORDS)
            return -1;
        argv[argc++] = word;
    }
    program_begin(bytes, length);
    optind = 0;  /* getopt starts anew */
    arena_end(); /* a command that refuses its options ends without it */
    int status = carom_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    return status;
}

/* What the last command wrote: 1 to standard output, 2 to standard error. */
EXPORT(carom_js_written) const char *carom_js_written(int file)
{
    return written[file == 2].bytes;
}

EXPORT(carom_js_written_length) size_t carom_js_written_length(int file)
{
    return written[file == 2].length;
}

/* What it wrote to a file, or null; and its length. */
EXPORT(carom_js_file) const char *carom_js_file(const char *path)
{
    size_t length;
    return memory_file_text(path, &length);
}

EXPORT(carom_js_file_length) size_t carom_js_file_length(const char *path)
{
    size_t length = 0;
    memory_file_text(path, &length);
    return length;
}
