/* A bar on standard error for work that lasts longer than a second, when someone is looking. */
#ifndef CAROM_CLI_PROGRESS_H
#define CAROM_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool watched, shown;
    double start, last; /* seconds */
    long steps;
} progress;

/* printing: the work prints as it goes, so that on a terminal its output is progress enough. */
progress progress_start(bool printing);

/* One case done; share is the part of the whole done so far, or negative when the whole is not known. */
void progress_step(progress *p, double share);

/* For work that has more to say than a number of cases: is it time for a new picture? Then draw it with a note. */
bool progress_is_due(progress *p);
void progress_note(progress *p, double share, const char *note);

/* Many cases at once. */
void progress_steps(progress *p, double share, long steps);

/* Before a step that takes long: what is done now, at once. */
void progress_say(progress *p, double share, const char *what);

void progress_end(progress *p);

#endif
