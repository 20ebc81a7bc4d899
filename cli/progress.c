#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 1.0 /* seconds before the bar appears */
#define REFRESH  0.1 /* seconds between two pictures of it */

enum { BETWEEN_LOOKS = 4, BAR = 30, NOTE = 38 }; /* cases between two looks at the clock; widths */

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

/* Once there was time for patience, and not too often. */
static bool is_time(progress *p)
{
    double time = now();
    if (!p->watched || time - p->start < PATIENCE || time - p->last < REFRESH)
        return false;
    p->last = time;
    p->shown = true;
    return true;
}

static void show_rate(const progress *p, double share)
{
    double rate = (double)p->steps / (p->last - p->start);
    if (share < 0) {
        fprintf(stderr, "\r%10ld cases, %.0f per second ", p->steps, rate);
        return;
    }
    draw_bar(share);
    fprintf(stderr, "%ld cases, %.0f per second ", p->steps, rate);
}

bool progress_is_due(progress *p)
{
    p->steps++;
    return p->watched && p->steps % BETWEEN_LOOKS == 0 && is_time(p);
}

void progress_step(progress *p, double share)
{
    if (progress_is_due(p))
        show_rate(p, share);
}

void progress_steps(progress *p, double share, long steps)
{
    p->steps += steps;
    if (is_time(p))
        show_rate(p, share);
}

void progress_note(progress *p, double share, const char *note)
{
    (void)p;
    draw_bar(share);
    fprintf(stderr, "%-*s", NOTE, note);
}

void progress_say(progress *p, double share, const char *what)
{
    if (!p->watched)
        return;
    progress_note(p, share, what);
    p->shown = true;
}

void progress_end(progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%*s\r", BAR + NOTE + 10, "");
    p->shown = false;
}
