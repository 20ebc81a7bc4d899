/* The outcome of an impact whose way is known: words, events, sums. All of it is expanded where the kind of contact is
 * known, and most of it falls away there. */
#ifndef CAROM_LAWS_SLIP_REPORT_H
#define CAROM_LAWS_SLIP_REPORT_H

#include <string.h>

#include "contact/alone.h"
#include "laws/coulomb/slip_way.h"

/* Show a tracer the events of an outcome and the lines between them. */
void slip_report_show(const carom_tracer *tracer, const carom_outcome *out);

/* The word for an impact in which slip stopped, or had not begun. */
static inline const char *slip_mode(bool slipped, bool compressing, bool sticks)
{
    static const char *const words[3][2] = {
        {"slip_from_rest", "sticking"}, {"R-reversal", "R-sticking"}, {"C-reversal", "C-sticking"}};
    return words[slipped ? 1 + compressing : 0][sticks];
}

LANES_INLINE carom_event_kind slip_slide_kind(bool planar, bool plus)
{
    return !planar ? CAROM_EVENT_SLIDE : plus ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

/* Everything about a mark but the springs, which these laws have not. Values go from registers to wherever they are
 * wanted: a copy of what was just stored would wait for it. */
typedef struct slip_state {
    carom_cvec p, u;
    double work_normal, work_friction;
} slip_state;

LANES_INLINE slip_state slip_state_at(const slip_way *w, const slip_mark *at)
{
    const carom_cvec p = slip_way_impulse(w, at);
    slip_state x = {p, slip_way_velocity(w, at, p), at->work, slip_way_friction(w, at)};
    return x;
}

LANES_INLINE void slip_put(carom_event *event, carom_event_kind kind, const slip_state *x)
{
    event->kind = kind;
    event->at.p = x->p;
    event->at.u = x->u;
    event->at.work_normal = x->work_normal;
    event->at.work_friction = x->work_friction;
    memset(&event->at.stretch, 0, sizeof event->at.stretch); /* as zeros, not as copies of one that was just stored */
    memset(&event->at.stored, 0, sizeof event->at.stored);
}

/* Slip begins at once: nothing has happened yet. */
LANES_INLINE void slip_put_start(carom_event *event, const slip_way *w)
{
    const slip_state x = {{0, 0, 0}, w->u, 0, 0};
    slip_put(event, slip_slide_kind(w->planar, w->slip > 0), &x);
}

LANES_INLINE void slip_put_origin(carom_event *event, const slip_way *w)
{
    const slip_state x = slip_state_at(w, &w->origin);
    carom_event_kind leaves = w->planar ? slip_slide_kind(true, w->P.b > 0) : CAROM_EVENT_RAY;
    slip_put(event, w->sticks ? CAROM_EVENT_STICK : leaves, &x);
}

/* The events in their order, but for the end: where that goes. */
LANES_INLINE carom_event *slip_put_events(carom_event *event, const slip_way *w)
{
    if (w->slip != 0)
        slip_put_start(event++, w);
    if (!w->up_first)
        slip_put_origin(event++, w);
    const slip_state up = slip_state_at(w, &w->up);
    slip_put(event++, CAROM_EVENT_UP, &up);
    if (w->up_first && !w->rests && !w->planar && w->P.mu > 0)
        slip_put(event++, CAROM_EVENT_SLIDE, &up);
    if (w->up_first && !w->end.slides)
        slip_put_origin(event++, w);
    return event;
}

LANES_INLINE void slip_put_words(carom_outcome *out, const slip_way *w)
{
    bool slips = w->slip != 0;
    out->mode = w->end.slides ? "sliding" : slip_mode(slips, !w->up_first, w->sticks);
    if (w->planar)
        out->phases.path = !slips || w->end.slides ? "a-c-e" : w->up_first ? "a-c-d-e" : "a-b-e";
}

LANES_INLINE void slip_report(const slip_way *w, const carom_tracer *tracer, carom_outcome *out)
{
    carom_phases *ph = &out->phases;
    carom_event *last = slip_put_events(out->events, w);
    const slip_state end = slip_state_at(w, &w->end);
    slip_put(last, CAROM_EVENT_END, &end);
    out->event_count = (int)(last - out->events) + 1;
    slip_put_words(out, w);
    out->p = end.p;
    out->u_after = end.u;
    ph->phases = 1;
    ph->p_compression = w->sums.p_c;
    ph->p_restitution = w->sums.p_r;
    ph->work_compression = w->sums.W_c;
    ph->work_restitution = w->sums.W_r;
    ph->work_friction = end.work_friction;
    if (tracer)
        slip_report_show(tracer, out);
}

/* What a law of the family needs beside its kernel: solve, by its way in a plane, else by the walk; one impact alone
 * (contact/alone.h) from it; and in the baseline variant batch. need_of_first is need_of for all but the law that minds
 * the option. */
#define SLIP_SOLVE(law, by, need_of, need_of_first)                                                                    \
    static const slip_ending ending = {by, need_of, need_of_first};                                                    \
    LANES_INLINE bool solve_in_plane(const carom_problem *problem, const carom_coeffs *c, const carom_tracer *tracer,  \
                                     carom_outcome *out, bool flat)                                                    \
    {                                                                                                                  \
        slip_way w;                                                                                                    \
        slip_way_begin(&w, problem, c, flat);                                                                          \
        if (!w.ended)                                                                                                  \
            return false;                                                                                              \
        slip_way_end(&w, by, need_of, c->e);                                                                           \
        slip_report(&w, tracer, out);                                                                                  \
        return true;                                                                                                   \
    }                                                                                                                  \
    LANES_INLINE carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,  \
                                    carom_outcome *out)                                                                \
    {                                                                                                                  \
        const carom_coeffs *c = &rule->coeffs;                                                                         \
        if (problem_lies_flat(problem)                                                                                 \
                ? solve_in_plane(problem, c, tracer, out, true)                                                        \
                : csym_is_sphere(&problem->K) && solve_in_plane(problem, c, tracer, out, false))                       \
            return CAROM_STATUS_OK;                                                                                    \
        return slip_solve(problem, rule, tracer, out, &ending);                                                        \
    }                                                                                                                  \
    LANES_ALONE_SOLVE(law##_alone, solve, true)                                                                        \
    SLIP_BATCH(law)

#ifdef LANES_BASELINE
#define SLIP_BATCH(law) static const carom_law_batch batch = {LANES_VARIANTS(law##_lanes), LANES_VARIANTS(law##_alone)};
#else
#define SLIP_BATCH(law)
#endif

#endif
