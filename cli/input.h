/* Cases from files: one JSON document, or JSON Lines read line by line in constant memory.
 *
 *     input in;
 *     if (input_open(&in, path))
 *         while (input_next(&in, &text)) ...
 *     if (!input_close(&in)) ...                      the file could not be read to its end
 *
 * A file is JSON Lines when its name ends in .jsonl or .ndjson, or when it has several lines and the first or the
 * second of them is a whole object. Blank lines are skipped. A line that is too long (CAROM_CASE_BYTES), or too long
 * for the memory at hand, is skipped over; its text has null bytes, and carom_case_read refuses it like any other bad
 * line. SIGINT and SIGTERM end the input between two cases (see output.h). */
#ifndef CAROM_CLI_INPUT_H
#define CAROM_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/case.h"

/* A raw line with its line break, or of a document the whole. */
typedef struct input_line {
    char *bytes; /* null when it could not be kept */
    size_t length, room;
    long number; /* from 1 */
} input_line;

typedef struct input {
    const char *name; /* for messages: "stdin" for - */
    int file;
    bool is_lines, is_open, at_end;
    int trouble; /* errno of a failed read, or 0 */
    double size; /* bytes, or 0 when unknown */
    double done; /* bytes read */
    long line;   /* lines read */
    char *chunk; /* bytes read ahead: */
    size_t chunk_next, chunk_end;
    input_line first[2], current; /* lines read to find out the kind; the line or document at hand */
    int first_count, first_next;
} input;

/* Open and look at the beginning. Complains and returns false for what cannot be read or is empty. */
bool input_open(input *in, const char *path);

/* The next case; valid until the next call. */
bool input_next(input *in, carom_text *text);

/* The part of the file read so far, or -1 when its size is not known. */
double input_share(const input *in);

/* False, after a complaint, when reading failed before the end of the file. */
CAROM_MUST_USE bool input_close(input *in);

/* For commands that take one case: read it from path and hand it to use, whose exit status is returned. What cannot be
 * read, is no case, or is JSON Lines, is complained about in the name of the command. */
int input_one_case(const char *command, const char *path, int (*use)(carom_case *c, void *context), void *context);

/* A file as one text, up to 256 MiB, handed to a reader; its message is printed. */
typedef bool input_reader(void *context, const carom_text *text, carom_case_error *error);
bool input_whole(const char *path, input_reader *read, void *context);

#endif
