/* The walk through an impact: phases, events and sums, and which piece comes next. */
#include "laws/family_incremental.h"

#define RAY_SHARE (4 * EPS)  /* |f| below this of mu s.Ms: the direction is a ray to rounding, slip cannot turn */
#define REST_TOL  (64 * EPS) /* of the speeds: u_n where sticking leaves no freedom */
#define SOON 0.4             /* tau (|g| + |f1|) to the next stop, by the slopes here: a little below TAIL_SHORT */
#define LAST_SHARE (EPS / 8) /* slip too small to change p or u_n any more: taken to zero to first order */

/* ---- events ---- */

static carom_state state_of(const slip_walk *w)
{
    double work = w->size_u * w->size_p;
    carom_state s = {0};
    s.p = carom_cvec_make(w->size_p * w->p_t.t1, w->size_p * w->p_t.t2, w->size_p * w->p_n);
    s.u = carom_cvec_make(w->size_u * w->u_t.t1, w->size_u * w->u_t.t2, w->size_u * w->u_n);
    s.work_normal = work * w->work;
    s.work_friction = work * w->friction;
    return s;
}

void walk_event(slip_walk *w, carom_event_kind kind)
{
    carom_event event = {kind, state_of(w)};
    if (w->out->event_count < CAROM_EVENTS_KEPT)
        w->out->events[w->out->event_count] = event;
    w->out->event_count++;
    if (w->tracer && w->tracer->event)
        w->tracer->event(w->tracer->context, &event);
}

/* ---- strides ---- */

static void finish(slip_walk *w)
{
    w->done = true;
    walk_event(w, CAROM_EVENT_END);
}

/* A compression ends. */
static void pass_up(slip_walk *w)
{
    if (w->phases == 1)
        w->sums.W_first = w->sums.W_c;
    w->compressing = false;
    w->need = w->ending->need(w->rule, &w->sums);
    walk_event(w, CAROM_EVENT_UP);
    if (!(w->need > 0))
        finish(w);
    else if (w->resliding)
        walk_event(w, CAROM_EVENT_SLIDE);
}

static void pass_down(slip_walk *w)
{
    w->compressing = true;
    w->phases++;
    w->out->flags |= CAROM_JAM;
    walk_event(w, CAROM_EVENT_DOWN);
    if (w->resliding)
        walk_event(w, CAROM_EVENT_SLIDE);
}

void walk_take(slip_walk *w, const slip_stride *x)
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
        w->out->flags |= CAROM_JAM;
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
    *state = state_of(&w);
}

void walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece, slip_point *point)
{
    if (!w->tracer || !w->tracer->piece)
        return;
    shown data = {w, piece, point};
    carom_piece show = {mode, w->compressing, {w->size_p * w->p_n, w->size_p * (w->p_n + stride->p_n)}, shown_at, &data};
    w->tracer->piece(w->tracer->context, &show);
}

/* ---- lines ---- */

/* Follow a line to u_t = 0 or to the end. The number of stops is bounded: up, down, up, end. */
static void follow_line(slip_walk *w, slip_line *line, const char *mode)
{
    for (int i = 0; i < SLIP_STEPS && !w->done; i++) {
        slip_stride stride;
        line->u_t = w->u_t;
        line->u_n = w->u_n;
        line_stride(w, line, &stride);
        walk_show(w, mode, &stride, line, line_point);
        walk_take(w, &stride);
        line->length -= stride.p_n;
        if (stride.stop == STOP_ORIGIN)
            return;
    }
}

static const char *word_of(bool slipped, bool compressing, bool sticks)
{
    if (!slipped)
        return sticks ? "sticking" : "slip_from_rest";
    if (compressing)
        return sticks ? "C-sticking" : "C-reversal";
    return sticks ? "R-sticking" : "R-reversal";
}

/* From u_t = 0 to the end. */
static void leave_origin(slip_walk *w, const slip_origin *o, bool slipped, carom_event_kind ray)
{
    slip_line line = {.h = o->h, .length = INFINITY};
    line.du.t1 = o->g * o->c.t1;
    line.du.t2 = o->g * o->c.t2;
    line.dp.t1 = -o->a.t1;
    line.dp.t2 = -o->a.t2;
    w->resliding = false;
    w->out->mode = word_of(slipped, w->compressing, o->sticks);
    walk_event(w, o->sticks ? CAROM_EVENT_STICK : ray);
    if (o->sticks && o->h <= RANK_TOL * w->field.k) { /* u_t = 0 leaves u_n no freedom: the contact has jammed */
        if (fabs(w->u_n) <= REST_TOL * w->sums.approach || fabs(w->u_n) <= REST_TOL)
            w->u_n = 0;
        w->out->flags |= CAROM_JAM;
        finish(w);
        return;
    }
    follow_line(w, &line, o->sticks ? "stick" : "slip");
}

/* ---- the plane ---- */

static carom_event_kind planar_slide(double sign)
{
    return sign > 0 ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

/* Equations of docs/theory/slip-flow.md with c = sign: one line to u_t = 0, one from there. */
static void walk_plane(slip_walk *w)
{
    const slip_field *F = &w->field;
    bool slipped = w->u_t.t1 != 0, met = false;
    w->out->phases.path = "a-c-e";
    if (slipped) {
        double sign = w->u_t.t1 > 0 ? 1 : -1, push = -F->mu * sign;
        slip_line line = {.du = {fma(push, F->m11, F->b1), 0}, .dp = {push, 0}, .h = fma(push, F->b1, F->k)};
        line.length = sign * line.du.t1 < 0 ? -w->u_t.t1 / line.du.t1 : INFINITY;
        walk_event(w, planar_slide(sign));
        w->out->mode = "sliding";
        w->out->flags |= line.h < 0 ? CAROM_JAM : 0;
        follow_line(w, &line, "slip");
        met = !w->done;
        if (met)
            w->out->phases.path = w->compressing ? "a-b-e" : "a-c-d-e";
    }
    if (w->done)
        return;
    slip_origin o = {.sticks = fabs(F->b1) <= F->mu_s * F->m11};
    double sign = F->b1 > 0 ? 1 : -1, push = -F->mu * sign;
    if (o.sticks) {
        o.a.t1 = F->m11 > 0 ? F->b1 / F->m11 : 0;
        o.h = F->m11 > 0 ? diff_of_products(F->m11, F->k, F->b1, F->b1) / F->m11 : F->k;
    } else {
        o.c.t1 = 1;
        o.g = fma(push, F->m11, F->b1);
        o.a.t1 = -push;
        o.h = fma(push, F->b1, F->k);
    }
    leave_origin(w, &o, slipped, planar_slide(sign));
}

/* ---- space ---- */

/* The direction of slip is a ray, or friction is absent: slip keeps its line. */
static void slip_on_line(slip_walk *w, tvec c)
{
    const slip_field *F = &w->field;
    slip_line line = {.du = {F->b1, F->b2}, .h = F->k, .length = INFINITY};
    if (F->mu > 0) {
        slip_rates q = field_line(F, c);
        double r = tvec_length(w->u_t);
        line.du.t1 = q.g * c.t1;
        line.du.t2 = q.g * c.t2;
        line.dp.t1 = -F->mu * c.t1;
        line.dp.t2 = -F->mu * c.t2;
        line.h = q.h;
        line.length = q.g < 0 ? -r / q.g : INFINITY;
    }
    follow_line(w, &line, "slip");
}

/* True when the tail carried slip to zero or the impact to its end; otherwise a Taylor step is due. */
static bool follow_tail(slip_walk *w, slip_tail *tail)
{
    for (int i = 0; i < SLIP_STEPS && !w->done; i++) {
        slip_stride stride;
        if (!tail_stride(w, tail, &stride))
            return false;
        walk_show(w, "slip", &stride, tail, tail_point);
        walk_take(w, &stride);
        if (stride.stop == STOP_ORIGIN)
            return true;
        tail_resume(w, tail);
    }
    return true;
}

/* What is left of the slip moves neither p nor u_n: r = 0 to first order. */
static bool vanishes(slip_walk *w, const slip_rates *q, double r)
{
    if (!(q->g < 0))
        return false;
    double speed = fmax(w->sums.approach, fabs(w->u_n));
    if (!(r * fabs(q->h) < -LAST_SHARE * q->g * speed && r < -LAST_SHARE * q->g * w->p_n))
        return false;
    w->u_t.t1 = w->u_t.t2 = 0;
    return true;
}

/* True when the next stop is so near that a tail, if there is one, would be turned down. */
static bool stops_soon(const slip_walk *w, const slip_rates *q, double r)
{
    double p = w->need;
    if (w->compressing)
        p = q->h > 0 ? -w->u_n / q->h : INFINITY;
    else if (w->ending->by == BY_VELOCITY)
        p = q->h > 0 ? (w->need - w->u_n) / q->h : INFINITY;
    else if (w->ending->by == BY_WORK)
        p = 2 * w->need / (w->u_n + sqrt(fmax(0, square(w->u_n) + 2 * q->h * w->need)));
    return p * (fabs(q->g) + fabs(q->f1)) < SOON * r;
}

static carom_status slip_through_space(slip_walk *w)
{
    slip_tail tail;
    slip_flow flow;
    for (int i = 0; i < SLIP_STEPS; i++) {
        double r = tvec_length(w->u_t);
        tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
        slip_rates q = field_rates(&w->field, c);
        if (i == 0)
            w->out->flags |= q.h < 0 ? CAROM_JAM : 0;
        if (w->field.mu == 0 || fabs(q.f) <= RAY_SHARE * q.w_ss) {
            slip_on_line(w, c);
            return CAROM_OK;
        }
        if (!stops_soon(w, &q, r) && tail_enter(w, &q, &tail)) {
            int before = w->out->event_count;
            if (follow_tail(w, &tail))
                return CAROM_OK;
            if (w->out->event_count != before)
                continue;
        }
        if (vanishes(w, &q, r))
            return CAROM_OK;
        slip_stride stride;
        flow_expand(w, &flow);
        flow_stride(w, &flow, &stride);
        walk_show(w, "slip", &stride, &flow, flow_point);
        walk_take(w, &stride);
        if (w->done)
            return CAROM_OK;
    }
    return CAROM_STEP_LIMIT;
}

static carom_status walk_space(slip_walk *w)
{
    bool slipped = w->u_t.t1 != 0 || w->u_t.t2 != 0;
    if (slipped) {
        w->resliding = w->field.mu > 0;
        w->out->mode = "sliding";
        walk_event(w, CAROM_EVENT_SLIDE);
        carom_status status = slip_through_space(w);
        if (status != CAROM_OK || w->done)
            return status;
    }
    slip_origin o = field_origin(&w->field);
    leave_origin(w, &o, slipped, CAROM_EVENT_RAY);
    return w->done ? CAROM_OK : CAROM_STEP_LIMIT;
}

/* ---- the law ---- */

static bool is_plane(const carom_problem *pb)
{
    return pb->K.t22 == 0 && pb->u.t2 == 0;
}

static double power_of_two_near(double x)
{
    int exponent;
    frexp(x, &exponent);
    return x > 0 ? ldexp(1, exponent) : 1;
}

/* Speeds of order one, and mu |M| + |b| of order one: then so are the coefficients of the series. */
static void scale(slip_walk *w, carom_problem *pb)
{
    carom_csym *K = &pb->K;
    double rate = w->rule->coeffs.mu * (K->t11 + K->t22) + sqrt(square(K->t1n) + square(K->t2n));
    double size_u = power_of_two_near(fmax(fabs(pb->u.n), fmax(fabs(pb->u.t1), fabs(pb->u.t2))));
    double size_K = power_of_two_near(rate), shrink = 1 / size_K;
    w->size_u = size_u;
    w->size_p = size_u / size_K;
    K->t11 *= shrink;
    K->t12 *= shrink;
    K->t22 *= shrink;
    K->t1n *= shrink;
    K->t2n *= shrink;
    K->nn *= shrink;
    pb->u = carom_cvec_scale(1 / size_u, pb->u);
}

static void report(const slip_walk *w)
{
    carom_outcome *out = w->out;
    carom_phases *ph = &out->phases;
    double work = w->size_u * w->size_p;
    carom_state end = state_of(w);
    out->p = end.p;
    out->u_after = end.u;
    ph->phases = w->phases;
    ph->p_compression = w->size_p * w->sums.p_c;
    ph->p_restitution = w->size_p * w->sums.p_r;
    ph->work_compression = work * w->sums.W_c;
    ph->work_restitution = work * w->sums.W_r;
    ph->work_friction = end.work_friction;
}

/* Grazing: nothing happens unless friction pulls the contact in. */
static bool grazes(const carom_problem *pb, const slip_field *F)
{
    double r = carom_cvec_slip(pb->u);
    tvec c = {pb->u.t1 / r, pb->u.t2 / r};
    return pb->u.n == 0 && field_rates(F, c).h >= 0;
}

carom_status slip_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                        carom_outcome *out, const slip_ending *ending)
{
    carom_problem pb = *problem;
    slip_walk w = {.ending = ending, .rule = rule, .tracer = tracer, .out = out, .size_u = 1, .size_p = 1};
    w.planar = is_plane(problem);
    if (!w.planar)
        scale(&w, &pb);
    w.field = field_of(&pb.K, &rule->coeffs);
    out->u_after = problem->u;
    if (grazes(&pb, &w.field))
        return CAROM_OK;
    w.u_t = tangential(pb.u);
    w.u_n = pb.u.n;
    w.sums.approach = -pb.u.n;
    w.compressing = true;
    w.phases = 1;
    carom_status status = CAROM_OK;
    if (w.planar)
        walk_plane(&w);
    else
        status = walk_space(&w);
    report(&w);
    return status;
}
