/* The walk through an impact: phases, events and sums, the same for all pieces; and the lines every walk ends with. */
#include "laws/coulomb/family_incremental.h"

#define REST_TOL (64 * EPS) /* of the speeds that make u_n = a.u_t: where sticking leaves no freedom */

/* ---- events ---- */

static void write_state(const slip_walk *w, carom_state *s)
{
    double work = w->size_u * w->size_p;
    s->p = carom_cvec_make(w->size_p * w->p_t.t1, w->size_p * w->p_t.t2, w->size_p * w->p_n);
    s->u = carom_cvec_make(w->size_u * w->u_t.t1, w->size_u * w->u_t.t2, w->size_u * w->u_n);
    s->work_normal = work * w->work;
    s->work_friction = work * w->friction;
    s->stretch = s->stored = carom_cvec_make(0, 0, 0);
}

void slip_walk_event(slip_walk *w, carom_event_kind kind)
{
    carom_event extra; /* a tracer sees also those the outcome has no room for */
    bool kept = w->out->event_count < CAROM_EVENTS_KEPT;
    carom_event *event = kept ? &w->out->events[w->out->event_count] : &extra;
    event->kind = kind;
    write_state(w, &event->at);
    w->out->event_count++;
    if (w->tracer && w->tracer->event)
        w->tracer->event(w->tracer->context, event);
}

/* ---- strides ---- */

static void finish(slip_walk *w)
{
    w->done = true;
    slip_walk_event(w, CAROM_EVENT_END);
}

/* A compression ends. */
static void pass_up(slip_walk *w)
{
    if (w->phases == 1)
        w->sums.W_first = w->sums.W_c;
    w->compressing = false;
    bool first = w->rule->options.phases == CAROM_OPTION_PHASES_FIRST;
    slip_need *need = first ? w->ending->need_of_first : w->ending->need;
    w->need = need(w->rule->coeffs.e, &w->sums);
    slip_walk_event(w, CAROM_EVENT_UP);
    if (!(w->need > 0))
        finish(w);
    else if (w->resliding)
        slip_walk_event(w, CAROM_EVENT_SLIDE);
}

static void pass_down(slip_walk *w)
{
    w->compressing = true;
    w->phases++;
    w->out->flags |= CAROM_FLAG_JAM;
    slip_walk_event(w, CAROM_EVENT_DOWN);
    if (w->resliding)
        slip_walk_event(w, CAROM_EVENT_SLIDE);
}

void slip_walk_take(slip_walk *w, const slip_stride *x)
{
    w->u_t = x->u_t;
    w->u_n = x->u_n;
    w->p_t.t1 += x->p_t.t1;
    w->p_t.t2 += x->p_t.t2;
    w->p_n += x->p_n;
    w->work += x->work;
    w->friction += x->friction;
    if (w->compressing) {
        w->sums.p_c += x->p_n;
        w->sums.W_c += x->work;
    } else {
        w->sums.p_r += x->p_n;
        w->sums.W_r += x->work;
        if (w->ending->by != BY_VELOCITY)
            w->need -= w->ending->by == BY_IMPULSE ? x->p_n : x->work;
    }
    switch (x->stop) {
    case STOP_UP:
        pass_up(w);
        break;
    case STOP_DOWN:
        pass_down(w);
        break;
    case STOP_DONE:
        if (w->ending->by == BY_VELOCITY)
            w->u_n = w->need;
        finish(w);
        break;
    case STOP_NEVER:
        w->out->flags |= CAROM_FLAG_JAM;
        finish(w);
        break;
    default:
        break;
    }
}

/* ---- tracing ---- */

typedef struct shown {
    const slip_walk *w;
    const void *piece;
    slip_point *point;
} shown;

static void shown_at(const carom_piece *piece, double s, carom_state *state)
{
    const shown *data = piece->data;
    slip_walk w = *data->w;
    slip_stride x = {0};
    data->point(data->piece, s, &x);
    w.u_t = x.u_t;
    w.u_n = x.u_n;
    w.p_t.t1 += x.p_t.t1;
    w.p_t.t2 += x.p_t.t2;
    w.p_n += x.p_n;
    w.work += x.work;
    w.friction += x.friction;
    write_state(&w, state);
}

void slip_walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece,
                    slip_point *point)
{
    if (!w->tracer || !w->tracer->piece)
        return;
    shown data = {w, piece, point};
    carom_piece show = {
        mode, w->compressing, {w->size_p * w->p_n, w->size_p * (w->p_n + stride->p_n)}, shown_at, &data};
    w->tracer->piece(w->tracer->context, &show);
}

/* ---- lines ---- */

/* The number of stops is bounded: up, down, up, end. */
void slip_walk_line(slip_walk *w, slip_line *line, const char *mode)
{
    for (int i = 0; i < SLIP_STEPS && !w->done; i++) {
        slip_stride stride;
        line->u_t = w->u_t;
        line->u_n = w->u_n;
        slip_line_stride(w, line, &stride);
        slip_walk_show(w, mode, &stride, line, slip_line_point);
        slip_walk_take(w, &stride);
        line->length -= stride.p_n;
        if (stride.stop == STOP_ORIGIN)
            return;
    }
}

/* u_t = 0 leaves u_n no freedom when kappa = 0: a consistent u has then u_n = a.u_t = 0, to rounding, and stays there.
 * A kappa no larger than rounding of K is told from a small one by whether u_n is at rest too. */
static bool jams(slip_walk *w, const slip_origin *o)
{
    bool rests = fabs(w->u_n) <= REST_TOL * w->speed * (1 + tvec_length(o->a));
    if (o->h > (rests ? RANK_TOL * o->terms : 0))
        return false;
    if (rests)
        w->u_n = 0;
    w->out->flags |= CAROM_FLAG_JAM;
    return true;
}

void slip_walk_from_origin(slip_walk *w, const slip_origin *o, bool slipped, carom_event_kind ray)
{
    slip_line line = slip_origin_line(o);
    w->resliding = false;
    w->out->mode = slip_mode(slipped, w->compressing, o->sticks);
    slip_walk_event(w, o->sticks ? CAROM_EVENT_STICK : ray);
    if (o->sticks && jams(w, o)) {
        finish(w);
        return;
    }
    slip_walk_line(w, &line, o->sticks ? "stick" : "slip");
}
