/* Standard output and files that are complete or not there.
 *
 * Lines of standard output are whole, whatever happens: SIGINT and SIGTERM end a stream between two cases, and a disk
 * that fills up in the middle of a line loses that line. A second signal ends the program at once. Files are written
 * under another name and renamed when they are complete. */
#ifndef CAROM_CLI_OUTPUT_H
#define CAROM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* At the start of the program. */
void output_start(void);

/* From here on signals are remembered until the command looks (output_is_stopped) and ends by itself. */
void output_hold_signals(void);

/* A signal asked to stop, or standard output cannot be written to any more: end the work at hand. */
bool output_is_stopped(void);

/* Wait until there is something to read; false when a signal comes first. */
bool output_wait(int file);

/* Everything printed so far is whole lines: write it out. */
void output_commit(void);

/* At the end: the exit status, after a complaint when standard output did not take everything. Does not return when a
 * signal asked to stop: the program ends by that signal. */
int output_finish(int status);

/* A file to write: a new one beside path, or path itself where that is a device or a pipe. */
typedef struct output_file {
    FILE *file; /* null when it could not be opened: complained about */
    char *path, *part;
    bool keep; /* a file of lines: what was written before a signal or a full disk stays, up to the last whole line */
    bool whole_when_stopped; /* a file that is complete although a signal came */
} output_file;

output_file output_open(const char *path);

/* Put the file in its place, or remove it when whole is false, writing failed or a signal came. False, after a
 * complaint, when there is no complete file. */
bool output_close(output_file *f, bool whole);

#endif
