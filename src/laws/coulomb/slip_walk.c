/* The walk through an impact: phases, events and sums, the same for all pieces; and the lines every walk ends with. */
#include "laws/coulomb/coulomb.h"

#define VISIBLE (8 * EPS) /* of the velocities: their rounding explains less */

/* ---- events ---- */

static carom_state state_of(const slip_walk *w)
{
    carom_state x = {.p = {w->p_t.t1, w->p_t.t2, w->p_n}, .u = {w->u_t.t1, w->u_t.t2, w->u_n}};
    x.work_normal = w->work;
    x.work_friction = w->friction;
    return x;
}

void carom_slip_walk_event(slip_walk *w, carom_event_kind kind)
{
    const carom_state x = state_of(w);
    carom_coulomb_event(&w->sink, kind, &x);
}

/* ---- strides ---- */

/* Across a weak direction of M a large impulse hides what p_t does along the strong one; the velocities show it. Where
 * u = u_0 + K p is off by more than rounding of the velocities: one step of steepest descent, which is all for an M of
 * rank one. */
static void refine(slip_walk *w)
{
    const slip_field *F = &w->field;
    const tvec p = w->p_t;
    const double b1 = F->b1 * w->p_n, b2 = F->b2 * w->p_n, seen = w->speed + tvec_length(w->u_t) + fabs(b1) + fabs(b2);
    const tvec off = {w->u_t.t1 - w->before.t1 - (F->m11 * p.t1 + F->m12 * p.t2 + b1),
                      w->u_t.t2 - w->before.t2 - (F->m12 * p.t1 + F->m22 * p.t2 + b2)};
    if (tvec_length(off) > VISIBLE * seen) {
        w->p_t.t1 += off.t1 / (F->m11 + F->m22);
        w->p_t.t2 += off.t2 / (F->m11 + F->m22);
    }
}

static void finish(slip_walk *w)
{
    w->done = true;
    refine(w);
    carom_slip_walk_event(w, CAROM_EVENT_END);
}

/* Nothing is restored, but the partial derivatives of what is: by work it grows with e, not with e^2. */
static void restore_partials(slip_walk *w)
{
    const slip_origin o = carom_slip_field_origin(&w->field);
    const double r = tvec_length(w->u_t), e = w->rule->coeffs.e;
    const tvec c = {r > 0 ? w->u_t.t1 / r : 0, r > 0 ? w->u_t.t2 / r : 0};
    const double S = w->field.kinetic.S, h = r > 0 ? carom_slip_field_rates(&w->field, c).h : o.h;
    const coulomb_measure by = w->ending->by;
    const double d = by == BY_VELOCITY ? w->need / h : by == BY_IMPULSE ? w->need : e * sqrt(-2 * w->sums.W_c / h);
    w->p_t.t1 -= d * (r > 0 ? S * c.t1 : o.a.t1);
    w->p_t.t2 -= d * (r > 0 ? S * c.t2 : o.a.t2);
    w->p_n += w->clock * d;
}

/* A compression ends. */
static void pass_up(slip_walk *w)
{
    if (w->phases == 1)
        w->sums.W_first = w->sums.W_c;
    w->compressing = false;
    bool first = w->rule->options.phases == CAROM_OPTION_PHASES_FIRST;
    coulomb_need *need = first ? w->ending->need_of_first : w->ending->need;
    w->need = need(w->rule->coeffs.e, &w->sums);
    carom_slip_walk_event(w, CAROM_EVENT_UP);
    if (!(w->need > 0) && CARRIES_PARTIALS)
        restore_partials(w);
    if (!(w->need > 0))
        finish(w);
    else if (w->resliding)
        carom_slip_walk_event(w, CAROM_EVENT_SLIDE);
}

static void pass_down(slip_walk *w)
{
    w->compressing = true;
    w->phases++;
    w->sink.out->flags |= CAROM_FLAG_JAM;
    carom_slip_walk_event(w, CAROM_EVENT_DOWN);
    if (w->resliding)
        carom_slip_walk_event(w, CAROM_EVENT_SLIDE);
}

static void move(slip_walk *w, const slip_stride *x)
{
    w->u_t = x->u_t;
    w->u_n = x->u_n;
    w->p_t.t1 += x->p_t.t1;
    w->p_t.t2 += x->p_t.t2;
    w->q += x->q;
    w->p_n += w->clock * x->q;
    w->work += w->clock * x->work;
    w->friction += x->friction;
}

void carom_slip_walk_take(slip_walk *w, const slip_stride *x)
{
    move(w, x);
    if (w->compressing) {
        w->sums.p_c += x->q;
        w->sums.W_c += x->work;
    } else {
        w->sums.p_r += x->q;
        w->sums.W_r += x->work;
        if (w->ending->by != BY_VELOCITY)
            w->need -= w->ending->by == BY_IMPULSE ? x->q : x->work;
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
    case STOP_NEVER: /* no impulse ends the compression, or brings the rebound that is asked for */
        w->endless = true;
        w->sink.out->flags |= CAROM_FLAG_JAM;
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
    const shown *data = (const shown *)piece->data;
    slip_walk w = *data->w;
    slip_stride x = {STOP_PIECE};
    data->point(data->piece, s, &x);
    move(&w, &x);
    *state = state_of(&w);
}

void carom_slip_walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece,
                          slip_point *point)
{
    const carom_tracer *tracer = w->sink.tracer;
    if (!tracer || !tracer->piece)
        return;
    shown data = {w, piece, point};
    carom_piece show = {mode, w->compressing, {w->p_n, w->p_n + w->clock * stride->q}, shown_at, &data};
    tracer->piece(tracer->context, &show);
}

/* ---- lines ---- */

static void line_at(const slip_line *line, double d, slip_stride *x)
{
    x->q = d;
    x->p_t = (tvec){line->dp.t1 * d, line->dp.t2 * d};
    x->u_t = (tvec){line->u_t.t1 + line->du.t1 * d, line->u_t.t2 + line->du.t2 * d};
    x->u_n = line->u_n + line->h * d;
    x->work = d * (line->u_n + 0.5 * line->h * d);
    tvec mid = {line->u_t.t1 + 0.5 * (line->du.t1 * d), line->u_t.t2 + 0.5 * (line->du.t2 * d)};
    x->friction = tvec_dot(mid, x->p_t);
}

static void line_point(const void *piece, double s, slip_stride *x)
{
    const slip_line *line = (const slip_line *)piece;
    line_at(line, s * line->end, x);
}

/* u_n = 0 is met on the line, from below or from above. */
static bool turns_on(const slip_line *line, bool compressing)
{
    double h = line->h, change = h * line->length;
    return compressing ? h > 0 && -line->u_n <= change : h < 0 && line->u_n < -change;
}

/* The clock at which restitution ends on a line that starts at u_n and rises by h, infinite when it never gets there.
 * Energetic end: the positive root of u_n d + h d^2 / 2 = need, written without cancellation. */
static double line_end(const slip_walk *w, const slip_line *line)
{
    double u_n = line->u_n, h = line->h, need = w->need;
    if (w->ending->by == BY_IMPULSE)
        return need;
    if (w->ending->by == BY_VELOCITY)
        return u_n >= need ? 0 : h > 0 ? (need - u_n) / h : INFINITY;
    double square_u = square(u_n) + 2 * h * need;
    return need <= 0 ? 0 : square_u >= 0 ? 2 * need / (u_n + sqrt(square_u)) : INFINITY;
}

static void line_stride(const slip_walk *w, slip_line *line, slip_stride *stride)
{
    bool turns = turns_on(line, w->compressing);
    double d = turns ? -line->u_n / line->h : line->length, end = w->compressing ? INFINITY : line_end(w, line);
    bool ends = end <= d && end < INFINITY, never = isinf(d) && !ends;
    line->end = ends ? end : never ? 0 : d;
    line_at(line, line->end, stride);
    stride->stop = ends ? STOP_DONE : turns ? (w->compressing ? STOP_UP : STOP_DOWN) : never ? STOP_NEVER : STOP_ORIGIN;
    if (CARRIES_PARTIALS && line->turns && !never) {
        line->end += carom_slip_turn_delay(w, line, stride);
        line_at(line, line->end, stride);
        carom_slip_turn_add(w, line, line->end, stride);
    }
    if (stride->stop == STOP_UP || stride->stop == STOP_DOWN)
        stride->u_n = 0;
    if (stride->stop == STOP_ORIGIN)
        stride->u_t.t1 = stride->u_t.t2 = 0;
}

/* The number of stops is bounded: up, down, up, end. */
void carom_slip_walk_line(slip_walk *w, slip_line *line, const char *mode)
{
    for (int i = 0; i < SLIP_STEPS && !w->done; i++) {
        slip_stride stride;
        if (CARRIES_PARTIALS && line->turns)
            carom_slip_line_aim(w, line);
        line->u_t = w->u_t;
        line->u_n = w->u_n;
        line_stride(w, line, &stride);
        if (stride.q > 0)
            carom_slip_walk_show(w, mode, &stride, line, line_point);
        carom_slip_walk_take(w, &stride);
        line->length -= stride.q;
        if (stride.stop == STOP_ORIGIN)
            return;
    }
}

/* ---- from u_t = 0 on ---- */

/* u_t = 0 leaves u_n no freedom when kappa = 0. A consistent u has then u_n = a.u_t = 0 and stays there; no impulse
 * ends another approach. Rounding of K leaves a kappa that is small against k; where u_n rests, against its terms. */
static bool is_blocked(slip_walk *w, const slip_origin *o)
{
    bool rests = fabs(w->u_n) <= REST_TOL * w->speed * (1 + tvec_length(o->a));
    if (o->h > RANK_TOL * (rests ? o->terms : w->field.k))
        return false;
    if (rests)
        w->u_n = 0;
    w->endless = w->u_n < 0;
    w->sink.out->flags |= CAROM_FLAG_JAM;
    return true;
}

/* The clock of sticking is p_n. */
static void reset_clock(slip_walk *w)
{
    coulomb_sums *s = &w->sums;
    s->p_c *= w->clock;
    s->p_r *= w->clock;
    s->W_c *= w->clock;
    s->W_r *= w->clock;
    s->W_first *= w->clock;
    if (w->ending->by != BY_VELOCITY)
        w->need *= w->clock;
    w->clock = 1;
}

/* At rest compression and restitution by impulse go on and move nothing: carom_coulomb_rest. By work and by velocity
 * there is no such limit, and the impact ends. The clock of sticking is p_n. */
static void restore_at_rest(slip_walk *w, slip_line *line)
{
    const tvec a = {-line->dp.t1, -line->dp.t2};
    slip_stride stride = {STOP_PIECE};
    if (w->ending->by != BY_IMPULSE || w->u_n != 0) {
        finish(w);
        return;
    }
    line->h = 0;
    line->end = carom_coulomb_rest(a, w->p_t, w->p_n);
    if (!w->compressing && line->end > 0 && w->sums.p_r > REST_TOL * w->sums.p_c)
        pass_down(w);
    w->compressing |=
        line->end > 0; /* u_t and u_n vanish together: rounding may have put the end of compression first */
    if (w->compressing) {
        line_at(line, line->end, &stride);
        stride.stop = STOP_UP;
        if (stride.q > 0)
            carom_slip_walk_show(w, "stick", &stride, line, line_point);
        carom_slip_walk_take(w, &stride);
    }
    if (!w->done)
        carom_slip_walk_line(w, line, "stick");
}

void carom_slip_walk_from_origin(slip_walk *w, bool slipped)
{
    const slip_origin o = carom_slip_field_origin(&w->field);
    slip_line line = {.du = {o.g * o.c.t1, o.g * o.c.t2}, .dp = {-o.a.t1, -o.a.t2}, .h = o.h, .length = INFINITY};
    w->resliding = false;
    w->p_stop = w->p_n;
    if (CARRIES_PARTIALS)
        beyond(w->x, w->field.stat.C * o.grip, w->field.stat.S, STICKS_OR_NOT);
    if (CARRIES_PARTIALS && slipped && w->ending->by == BY_IMPULSE && (w->field.b1 != 0 || w->field.b2 != 0))
        beyond(w->x, w->u_n, 0, STOPS_AT_MAX);
    w->sink.out->mode = carom_coulomb_mode(slipped, w->compressing, o.sticks);
    if (o.sticks)
        reset_clock(w);
    carom_slip_walk_event(w, o.sticks ? CAROM_EVENT_STICK : CAROM_EVENT_RAY);
    if (o.sticks && is_blocked(w, &o)) {
        restore_at_rest(w, &line);
        return;
    }
    carom_slip_walk_line(w, &line, o.sticks ? "stick" : "slip");
}
