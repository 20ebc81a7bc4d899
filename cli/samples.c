#include "samples.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_POINT (16 * DBL_EPSILON) /* of the whole p_n: an event and the end of a stretch are one point */

static sample *insert(samples *s, int at, const sample *one)
{
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 256;
        sample *larger = realloc(s->list, (size_t)room * sizeof *larger);
        s->lost |= !larger;
        if (!larger)
            return NULL;
        s->list = larger;
        s->room = room;
    }
    memmove(s->list + at + 1, s->list + at, (size_t)(s->count - at) * sizeof *s->list);
    s->list[at] = *one;
    s->count++;
    return &s->list[at];
}

static bool is_same(const samples *s, double p_n, double other)
{
    return fabs(p_n - other) <= SAME_POINT * s->total;
}

/* Points of a stretch in proportion to its share of p_n; the beginning only where the path begins. */
static void take_piece(void *context, const carom_piece *piece)
{
    samples *s = context;
    double share = s->total > 0 ? (piece->p_n[1] - piece->p_n[0]) / s->total : 0;
    int steps = (int)ceil(share * s->wanted);
    steps = steps < 1 ? 1 : steps > s->wanted ? s->wanted : steps;
    for (int k = s->count > 0; k <= steps; k++) {
        sample one = {.mode = piece->mode, .event = ""};
        piece->at(piece, (double)k / steps, &one.at);
        insert(s, s->count, &one);
    }
}

/* Put an event on the point where it happens, or between two points. Events come in order, so the search goes on from
 * the last one. */
static int place_event(samples *s, const carom_event *event, int from)
{
    int i = from;
    const char *word = carom_event_word(event->kind);
    while (i < s->count && s->list[i].at.p.n < event->at.p.n && !is_same(s, s->list[i].at.p.n, event->at.p.n))
        i++;
    if (i < s->count && is_same(s, s->list[i].at.p.n, event->at.p.n) && !s->list[i].event[0]) {
        s->list[i].event = word;
        return i + 1;
    }
    const char *mode = i < s->count ? s->list[i].mode : i > 0 ? s->list[i - 1].mode : "";
    sample one = {event->at, mode, word};
    insert(s, i, &one);
    return i + 1;
}

bool samples_take(samples *s, const carom_case *c, const carom_result *result)
{
    carom_outcome out;
    carom_tracer tracer = {NULL, take_piece, s};
    s->total = result->outcome.p.n;
    (void)!carom_solve(&c->problem, &c->rule, &tracer, &out); /* the same path again: its status is known */
    int at = 0;
    for (int i = 0; i < result->event_count; i++)
        at = place_event(s, &result->events[i], at);
    return !s->lost;
}

void samples_free(samples *s)
{
    free(s->list);
    s->list = NULL;
    s->count = s->room = 0;
}
