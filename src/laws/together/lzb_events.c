/* The events of lzb: where polynomials of a step fall to zero, and what changes there. */
#include "core/taylor.h"
#include "laws/together/lzb_path.h"

#define ZERO_TOL 1e-13 /* a leading coefficient below it is rounding */
#define TIE_TIME 1e-9  /* units of time: friction that would fail this close to the end of its contact does not */

enum { SAMPLES = 8, LEADING_MOST = 12 }; /* a wave reaches contact j of a chain with order 2 j */

static double *normal_series(const lzb_path *s, int j)
{
    return lzb_series(s->U, (j + 1) * s->dim - 1);
}

/* The first time up to *time at which sign * c falls to zero. A function that starts at zero is judged by its first
 * term that does not vanish: false while it rises. */
static bool falls(const double *c, double sign, double *time)
{
    double f[LZB_TERMS], t;
    int skip = 0;
    for (int i = 0; i <= LZB_ORDER; i++)
        f[i] = sign * c[i];
    while (skip < LEADING_MOST && fabs(f[skip]) <= ZERO_TOL)
        skip++;
    if (f[skip] < 0) {
        *time = 0;
        return true;
    }
    if (!(f[skip] > 0) || !taylor_falls(f + skip, LZB_ORDER - skip, *time, SAMPLES, &t))
        return false;
    *time = t;
    return true;
}

/* The event noted first wins among events at the same time: contacts are taken in order. */
static void note(lzb_event *first, carom_together_event_kind kind, int j, double time)
{
    if (first->contact >= 0 && !(time < first->time))
        return;
    first->kind = kind;
    first->contact = j;
    first->time = time;
}

static void normal_events(const lzb_path *s, int j, lzb_event *first)
{
    const lzb_contact *c = &s->contact[j];
    double t = first->time;
    if (!c->active) {
        if (falls(normal_series(s, j), 1, &t))
            note(first, CAROM_TOGETHER_EVENT_ON, j, t);
        return;
    }
    if (falls(normal_series(s, j), c->compresses ? -1 : 1, &t))
        note(first, CAROM_TOGETHER_EVENT_ZERO, j, t);
    t = first->time;
    if (!c->compresses && falls(lzb_series(s->D, j), 1, &t))
        note(first, CAROM_TOGETHER_EVENT_END, j, t);
}

/* Does the slip of this step turn at all? */
static bool is_straight(const lzb_path *s, int j)
{
    for (int a = 0; a < 2; a++)
        for (int i = 1; i <= 4; i++)
            if (fabs(lzb_series(s->Q, 2 * j + a)[i]) > ZERO_TOL)
                return false;
    return true;
}

/* A slip that turns becomes slow: from there on it is taken as straight. */
static void slow_event(const lzb_path *s, int j, lzb_event *first)
{
    double f[LZB_TERMS], t = first->time;
    const double *W = lzb_series(s->W, j);
    for (int i = 0; i < LZB_ORDER; i++)
        f[i] = W[i] / W[0];
    f[0] -= 0.25 * LZB_SLOW_SLIP * LZB_SLOW_SLIP / W[0];
    f[LZB_ORDER] = 0;
    if (taylor_falls(f, LZB_ORDER - 1, t, SAMPLES, &t))
        note(first, CAROM_TOGETHER_EVENT_COUNT, j, t);
}

/* d . u_t of a straight slip. */
static void stop_event(const lzb_path *s, int j, lzb_event *first)
{
    const lzb_contact *c = &s->contact[j];
    double f[LZB_TERMS], t = first->time, most = 0;
    if (c->departs && s->time < c->calm)
        return;
    for (int i = 0; i <= LZB_ORDER; i++) {
        f[i] = 0;
        for (int a = 0; a < s->dim - 1; a++)
            f[i] += c->direction[a] * lzb_series(s->U, j * s->dim + a)[i];
        most = max(most, fabs(f[i]));
    }
    if (most > LZB_REST_TOL && falls(f, 1, &t)) /* else others hold it at rest, and it stays on its bound */
        note(first, CAROM_TOGETHER_EVENT_STOP, j, t);
}

/* mu F - |phi| of a contact that sticks. */
static void slip_event(const lzb_path *s, int j, lzb_event *first)
{
    const lzb_contact *c = &s->contact[j];
    const double *F = lzb_series(s->F, j), *P = lzb_series(s->P, j * s->dim);
    double f[LZB_TERMS], t, unit = F[0] > 0 ? 1 / (c->mu * F[0]) : 1; /* judged against mu F */
    if (s->time < c->calm)
        return;
    if (s->dim == 2) {
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < LZB_ORDER; i++)
                f[i] = unit * (c->mu * F[i] - side * (i + 1) * P[i + 1]);
            f[LZB_ORDER] = 0;
            t = first->time;
            if (falls(f, 1, &t))
                note(first, CAROM_TOGETHER_EVENT_SLIP, j, t);
        }
        return;
    }
    const double *P2 = lzb_series(s->P, j * s->dim + 1);
    for (int i = 0; i < LZB_ORDER; i++) { /* mu^2 F^2 - |phi|^2 */
        f[i] = 0;
        for (int k = 0; k <= i; k++)
            f[i] += c->mu * c->mu * F[k] * F[i - k] -
                    (k + 1) * (i - k + 1) * (P[k + 1] * P[i - k + 1] + P2[k + 1] * P2[i - k + 1]);
        f[i] *= unit * unit;
    }
    f[LZB_ORDER] = 0;
    t = first->time;
    if (falls(f, 1, &t))
        note(first, CAROM_TOGETHER_EVENT_SLIP, j, t);
}

lzb_event lzb_next_event(lzb_path *s, double h)
{
    lzb_event first = {CAROM_TOGETHER_EVENT_ON, -1, h};
    for (int j = 0; j < s->m; j++)
        normal_events(s, j, &first);
    double until = first.time;
    for (int j = 0; j < s->m; j++) {
        const lzb_contact *c = &s->contact[j];
        if (!c->active || c->mu == 0)
            continue;
        if (first.time == until && first.contact == j && first.kind == CAROM_TOGETHER_EVENT_END &&
            c->grip == LZB_STICKS) {
            lzb_event slip = {CAROM_TOGETHER_EVENT_ON, -1, until - TIE_TIME};
            if (until > TIE_TIME)
                slip_event(s, j, &slip);
            if (slip.contact >= 0)
                first = slip;
            continue;
        }
        if (c->grip == LZB_SLIPS || (c->grip == LZB_TURNS && is_straight(s, j)))
            stop_event(s, j, &first);
        else if (c->grip == LZB_TURNS)
            slow_event(s, j, &first);
        else if (c->grip == LZB_STICKS && !c->newborn)
            slip_event(s, j, &first);
    }
    return first;
}

carom_together_state lzb_state(const lzb_path *s)
{
    double *p = s->shown, *u = p + s->n, *delta = u + s->n;
    for (int i = 0; i < s->n; i++) {
        p[i] = s->speed * s->p[i];
        u[i] = s->speed * s->u[i];
    }
    for (int i = 0; i < s->m; i++)
        delta[i] = s->speed * s->delta[i];
    return (carom_together_state){s->time, p, u, delta, NULL, NULL};
}

void lzb_report(lzb_path *s, carom_together_event_kind kind, int j)
{
    const carom_together_tracer *t = s->tracer;
    if (!t || !t->event)
        return;
    const carom_together_event event = {kind, j, lzb_state(s)};
    t->event(t->context, &event);
}

/* A contact begins to press. */
static void turn_on(lzb_path *s, int j)
{
    lzb_contact *c = &s->contact[j];
    c->active = c->compresses = true;
    c->grip = LZB_SLIPS;
    c->moves = lzb_slip(s, j) > LZB_REST_TOL;
    s->delta[j] = 0;
    lzb_report(s, CAROM_TOGETHER_EVENT_ON, j);
}

void lzb_turn_off(lzb_path *s, int j)
{
    s->contact[j].active = false;
    s->delta[j] = 0;
    lzb_report(s, CAROM_TOGETHER_EVENT_END, j);
}

void lzb_begin(lzb_path *s)
{
    for (int j = 0; j < s->m; j++)
        if (s->u[(j + 1) * s->dim - 1] < 0)
            turn_on(s, j);
    lzb_decide_grip(s, false);
}

void lzb_apply_event(lzb_path *s, const lzb_event *event)
{
    int j = event->contact;
    lzb_contact *c = &s->contact[j];
    double *u_n = &s->u[(j + 1) * s->dim - 1];
    switch (event->kind) {
    case CAROM_TOGETHER_EVENT_COUNT: /* slow slip: no event of the law */
        return;
    case CAROM_TOGETHER_EVENT_ON:
        *u_n = CARRIES_PARTIALS ? *u_n - max(0, plain(*u_n)) : min(*u_n, 0); /* partials as of one that approaches */
        turn_on(s, j);
        break;
    case CAROM_TOGETHER_EVENT_ZERO:
        *u_n = 0;
        c->compresses = !c->compresses;
        lzb_report(s, CAROM_TOGETHER_EVENT_ZERO, j);
        if (!c->compresses && c->e == 0)
            lzb_turn_off(s, j);
        break;
    case CAROM_TOGETHER_EVENT_END:
        lzb_turn_off(s, j);
        break;
    case CAROM_TOGETHER_EVENT_STOP:
        for (int a = 0; a < s->dim - 1; a++)
            s->u[j * s->dim + a] = 0;
        s->stopped |= s->dim == 3;
        c->moves = true;
        c->stops = s->time > c->stopped + TIE_TIME ? 1 : c->stops + 1;
        c->stopped = s->time;
        break;
    default: /* slip: decided below */
        break;
    }
    lzb_decide_grip(s, event->kind != CAROM_TOGETHER_EVENT_STOP);
    if (event->kind != CAROM_TOGETHER_EVENT_SLIP || c->grip != LZB_STICKS)
        return;
    if (!(s->dim == 3 && s->redundant && lzb_share(s))) /* a tie: a moment later the contact sticks */
        c->calm = s->time + TIE_TIME;
}
