#include "io/case/reader.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/trace.h"

#define SAME_POINT (16 * DBL_EPSILON) /* of the whole p_n: an event and the end of a stretch are one point */

/* ---- rows ---- */

static void add_field(carom_trace *t, const char *key, carom_trace_kind kind, int size)
{
    t->fields[t->field_count++] = (carom_trace_field){key, kind, size, false, t->width};
    t->width += size;
}

/* One for each of several contacts. */
static void add_each(carom_trace *t, const char *key, carom_trace_kind kind, int size)
{
    t->fields[t->field_count++] = (carom_trace_field){key, kind, size, true, t->width};
    t->width += size * t->contacts;
}

static bool grow(carom_trace *t)
{
    const size_t room = t->room ? 2 * (size_t)t->room : 256;
    double *numbers = realloc(t->numbers, room * (size_t)t->width * sizeof *numbers);
    t->numbers = numbers ? numbers : t->numbers;
    const char **modes = realloc(t->modes, room * sizeof *modes);
    t->modes = modes ? modes : t->modes;
    char(*events)[CAROM_TRACE_WORD] = realloc(t->events, room * sizeof *events);
    t->events = events ? events : t->events;
    t->lost |= !numbers || !modes || !events;
    t->room = t->lost ? t->room : (int)room;
    return !t->lost;
}

/* A new point before point i: its numbers, to be filled. Null when memory ends. */
static double *insert(carom_trace *t, int i, const char *mode, const char *event)
{
    if (t->lost || (t->count == t->room && !grow(t)))
        return NULL;
    const size_t after = (size_t)(t->count - i), width = (size_t)t->width;
    double *row = t->numbers + (size_t)i * width;
    memmove(row + width, row, after * width * sizeof *row);
    memmove(t->modes + i + 1, t->modes + i, after * sizeof *t->modes);
    memmove(t->events + i + 1, t->events + i, after * sizeof *t->events);
    t->modes[i] = mode;
    snprintf(t->events[i], sizeof t->events[i], "%s", event);
    t->count++;
    return row;
}

/* ---- one contact ---- */

typedef struct walk {
    carom_trace *t;
    const carom_case *c;
    double total; /* normal impulse of the whole path */
} walk;

static void start_one(carom_trace *t, const carom_case *c)
{
    const int dim = c->dim, size = patch_numbers(c);
    const unsigned traits = c->rule.law->traits;
    add_field(t, "p", CAROM_TRACE_AXES, size);
    add_field(t, "u", CAROM_TRACE_AXES, size);
    add_field(t, "work_normal", CAROM_TRACE_NUMBER, 1);
    add_field(t, "work_friction", CAROM_TRACE_NUMBER, 1);
    if (size > 3)
        add_field(t, "work_spin", CAROM_TRACE_NUMBER, 1);
    add_field(t, "mode", CAROM_TRACE_MODE, 0);
    if (traits & CAROM_TRAIT_CONTACT_FORCE) {
        add_field(t, "time", CAROM_TRACE_NUMBER, 1);
        add_field(t, "compression", CAROM_TRACE_NUMBER, 1);
        add_field(t, "force", CAROM_TRACE_AXES, dim);
    }
    if (traits & CAROM_TRAIT_SPRINGS) {
        add_field(t, "stretch", CAROM_TRACE_AXES, dim);
        add_field(t, "stored", CAROM_TRACE_AXES, dim);
    }
    if (c->source == CAROM_SOURCE_MECHANISM)
        add_field(t, "qdot", CAROM_TRACE_LIST, c->mechanism.n);
}

static double *put(double *to, double value)
{
    *to = value;
    return to + 1;
}

static double *put_vector(double *to, int dim, carom_cvec v)
{
    to = put(to, v.t1);
    if (dim == 3)
        to = put(to, v.t2);
    return put(to, v.n);
}

/* With moments or spins, where the contact has a patch. */
static double *put_all(double *to, const carom_case *c, carom_cvec v, carom_cspin spin)
{
    const double spins[3] = {spin.n, spin.t1, spin.t2};
    to = put_vector(to, c->dim, v);
    for (int i = 3; i < patch_numbers(c); i++)
        to = put(to, spins[i - 3]);
    return to;
}

/* The numbers of start_one, in its order. */
static void fill(const walk *w, double *row, const carom_state *at)
{
    const unsigned traits = w->c->rule.law->traits;
    const int dim = w->c->dim;
    if (!row)
        return;
    row = put_all(put_all(row, w->c, at->p, at->m), w->c, at->u, at->w);
    row = put(put(row, at->work_normal), at->work_friction);
    if (patch_numbers(w->c) > 3)
        row = put(row, at->work_spin);
    if (traits & CAROM_TRAIT_CONTACT_FORCE)
        row = put_vector(put(put(row, at->time), at->compression), dim, at->force);
    if (traits & CAROM_TRAIT_SPRINGS)
        row = put_vector(put_vector(row, dim, at->stretch), dim, at->stored);
    if (w->c->source == CAROM_SOURCE_MECHANISM)
        patch_speeds(w->c, at->p, at->m, row);
}

/* Points of a stretch in proportion to its share of p_n; the beginning only where the path begins. */
static void take_piece(void *context, const carom_piece *piece)
{
    walk *w = context;
    double share = w->total > 0 ? (piece->p_n[1] - piece->p_n[0]) / w->total : 0;
    int steps = (int)ceil(share * w->t->wanted);
    steps = steps < 1 ? 1 : steps > w->t->wanted ? w->t->wanted : steps;
    for (int k = w->t->count > 0; k <= steps; k++) {
        carom_state at;
        piece->at(piece, (double)k / steps, &at);
        fill(w, insert(w->t, w->t->count, piece->mode, ""), &at);
    }
}

static double normal_impulse(const carom_trace *t, int i)
{
    return t->numbers[i * t->width + t->dim - 1]; /* p is the first field */
}

/* Put an event on the point where it happens, or between two points. Events come in order, so the search goes on from
 * the last one. */
static int place_event(walk *w, const carom_event *event, int from)
{
    carom_trace *t = w->t;
    const char *word = carom_event_word(event->kind);
    const double p_n = event->at.p.n, near = SAME_POINT * w->total;
    int i = from;
    while (i < t->count && normal_impulse(t, i) < p_n && fabs(normal_impulse(t, i) - p_n) > near)
        i++;
    if (i < t->count && fabs(normal_impulse(t, i) - p_n) <= near && !t->events[i][0]) {
        snprintf(t->events[i], sizeof t->events[i], "%s", word);
        return i + 1;
    }
    const char *mode = i < t->count ? t->modes[i] : i > 0 ? t->modes[i - 1] : "";
    fill(w, insert(t, i, mode, word), &event->at);
    return i + 1;
}

static void take_one(carom_trace *t, const carom_case *c, const carom_result *result)
{
    walk w = {t, c, result->outcome.p.n};
    carom_outcome out;
    carom_tracer tracer = {NULL, take_piece, &w};
    start_one(t, c);
    (void)!solve_contact(c, &c->rule, &tracer, &out); /* the same path again: its status is known */
    int at = 0;
    for (int i = 0; i < result->event_count && !t->lost; i++)
        at = place_event(&w, &result->events[i], at);
}

/* ---- several contacts ---- */

enum { SPRING = 4, MODE }; /* fields of take_together that only some laws have */

static void keep(carom_trace *t, const carom_together_state *at, const char *event)
{
    const size_t m = (size_t)t->contacts, n = m * (size_t)t->dim;
    double *row = insert(t, t->count, "", event);
    if (!row)
        return;
    row[0] = at->time;
    memcpy(row + 1, at->p, n * sizeof *row);
    memcpy(row + 1 + n, at->u, n * sizeof *row);
    memcpy(row + 1 + 2 * n, at->compression, m * sizeof *row);
    if (t->field_count <= SPRING) /* the law has no tangential springs */
        return;
    double *spring = row + t->fields[SPRING].at, *mode = row + t->fields[MODE].at;
    for (size_t i = 0; i < n - m; i++)
        spring[i] = at->spring ? at->spring[i] : 0;
    for (size_t i = 0; i < m; i++)
        mode[i] = at->modes ? at->modes[i] : CAROM_TOGETHER_MODE_CLOSED;
}

static void keep_step(void *context, const carom_together_state *at)
{
    keep(context, at, "");
}

static void keep_event(void *context, const carom_together_event *event)
{
    char word[CAROM_TRACE_WORD];
    snprintf(word, sizeof word, "%s%d", carom_together_event_word(event->kind), event->contact + 1);
    keep(context, &event->at, word);
}

static void take_together(carom_trace *t, const carom_case *c)
{
    const size_t n = (size_t)(t->contacts * t->dim);
    add_field(t, "time", CAROM_TRACE_NUMBER, 1);
    add_each(t, "p", CAROM_TRACE_AXES, t->dim);
    add_each(t, "u", CAROM_TRACE_AXES, t->dim);
    add_each(t, "compression", CAROM_TRACE_NUMBER, 1);
    if (c->together_rule.law->uses & CAROM_USES(eta)) {
        add_each(t, "spring", CAROM_TRACE_AXES, t->dim - 1);
        add_each(t, "mode", CAROM_TRACE_CONTACT_MODE, 1);
    }
    double *arrays = malloc(2 * n * sizeof *arrays);
    void *work = malloc(carom_together_work(&c->contacts, &c->together_rule));
    carom_together_outcome out = {.p = arrays, .u_after = arrays ? arrays + n : NULL};
    carom_together_tracer tracer = {keep_event, keep_step, NULL, t};
    t->lost = !arrays || !work;
    if (!t->lost)
        (void)!carom_together_solve(&c->contacts, &c->together_rule, &tracer, work, &out); /* as above */
    free(arrays);
    free(work);
}

/* ---- both ---- */

bool carom_trace_take(carom_trace *t, const carom_case *c, carom_case_error *error)
{
    carom_result result = {0};
    t->dim = c->dim;
    t->together = c->together;
    t->contacts = c->count;
    t->status = carom_case_solve(c, &result);
    const bool solved = !carom_status_is_refusal(t->status);
    if (solved && t->together)
        take_together(t, c);
    else if (solved)
        take_one(t, c, &result);
    t->answer = solved ? carom_case_answer(c, &result) : NULL;
    t->lost |= result.lost || (solved && !t->answer);
    carom_result_free(&result);
    if (!solved)
        return carom_case_refuse(c, t->status, error);
    return !t->lost || carom_case_blame(c, "", "out of memory", error);
}

void carom_trace_free(carom_trace *t)
{
    free(t->numbers);
    free(t->modes);
    free(t->events);
    carom_json_free(t->answer);
    *t = (carom_trace){0};
}
