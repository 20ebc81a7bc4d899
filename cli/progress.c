#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 1.0 /* seconds before the bar appears */
#define REFRESH  0.1 /* seconds between two pictures of it */

enum { BETWEEN_LOOKS = 64, BAR = 30, NOTE = 38 }; /* cases between two looks at the clock; widths */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_start(bool printing)
{
    bool crowded = printing && isatty(STDOUT_FILENO);
    progress p = {isatty(STDERR_FILENO) && !crowded, false, now(), 0, 0};
    return p;
}

static void draw_bar(double share)
{
    int full = (int)(share * BAR + 0.5);
    fputs("\r[", stderr);
    for (int i = 0; i < BAR; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  ", 100 * share);
}

bool progress_is_due(progress *p)
{
    p->steps++;
    if (!p->watched || p->steps % BETWEEN_LOOKS != 0)
        return false;
    double time = now();
    if (time - p->start < PATIENCE || time - p->last < REFRESH)
        return false;
    p->last = time;
    p->shown = true;
    return true;
}

void progress_step(progress *p, double share)
{
    if (!progress_is_due(p))
        return;
    double rate = (double)p->steps / (p->last - p->start);
    if (share < 0) {
        fprintf(stderr, "\r%10ld cases, %.0f per second ", p->steps, rate);
        return;
    }
    draw_bar(share);
    fprintf(stderr, "%ld cases, %.0f per second ", p->steps, rate);
}

void progress_note(progress *p, double share, const char *note)
{
    (void)p;
    draw_bar(share);
    fprintf(stderr, "%-*s", NOTE, note);
}

void progress_end(progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%*s\r", BAR + NOTE + 10, "");
    p->shown = false;
}
