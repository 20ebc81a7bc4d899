/* Cases from files: one JSON document, or JSON Lines read line by line in constant memory.
 *
 *     input in;
 *     if (input_open(&in, path))
 *         while (input_next(&in, &text)) ...
 *     input_close(&in);
 *
 * A file is JSON Lines when its name ends in .jsonl or .ndjson, or when it has several lines and the first or the
 * second of them is a whole JSON value. Blank lines are skipped. */
#ifndef CAROM_CLI_INPUT_H
#define CAROM_CLI_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "carom/case.h"

typedef struct input {
    const char *name; /* for messages: "stdin" for - */
    FILE *file;
    bool is_lines;
    double size;             /* bytes, or 0 when unknown */
    double done;             /* bytes read */
    long line;               /* lines read */
    char *line_bytes, *head; /* the line at hand; what was read to find out the kind */
    size_t line_room, head_length, head_room;
    size_t pending[2], pending_length[2]; /* lines of the head not handed out yet */
    long pending_line[2];
    int pending_count, pending_next;
} input;

/* Open and look at the beginning. Complains and returns false for what cannot be read or is empty. */
bool input_open(input *in, const char *path);

/* The next case; valid until the next call. */
bool input_next(input *in, carom_text *text);

/* The part of the file read so far, or -1 when its size is not known. */
double input_share(const input *in);

void input_close(input *in);

/* For commands that take one case: read it from path and hand it to use, whose exit status is returned. What cannot be
 * read, is no case, or is JSON Lines, is complained about in the name of the command. */
int input_one_case(const char *command, const char *path, int (*use)(carom_case *c, void *context), void *context);

#endif
