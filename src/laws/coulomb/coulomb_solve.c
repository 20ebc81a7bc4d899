/* The pieces of an impact: planes and spheres have a closed form; otherwise slip turns along arcs until it
 * joins a ray, which carries it to zero or to the end. */
#include "laws/coulomb/coulomb.h"

#define LEAST_TURN 1e-40     /* of slip during an impact, in radians and as a share */
#define LAST_SHARE (EPS / 8) /* of p, of u: what slip can still change of them, when it no longer counts */

/* ---- space ---- */

void carom_slip_line_aim(const slip_walk *w, slip_line *line)
{
    const slip_field *F = &w->field;
    const double r = tvec_length(w->u_t), S = F->kinetic.S;
    const tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
    slip_rates q = carom_slip_field_line(F, c);
    line->du = (tvec){q.g * c.t1, q.g * c.t2};
    line->dp = (tvec){-S * c.t1, -S * c.t2};
    line->length = q.g < 0 && S > 0 ? -r / q.g : INFINITY;
    double terms = F->lift + sqrt(square(F->v1) + square(F->v2));      /* of h = lift - v.c, and c is rounded, too */
    bool level = isinf(line->length) && fabs(q.h) <= RANK_TOL * terms; /* K is singular */
    line->h = level ? 0 : q.h;
    line->turns = CARRIES_PARTIALS;
    line->c = c;
    line->r = r;
    line->f = q.f;
    line->f1 = q.f1;
    line->g = q.g;
    line->g_1 = -q.w_cs;
    line->h_1 = -q.v_s;
}

/* The direction of slip is a ray, or friction is absent: slip keeps its line. */
static void slip_on_line(slip_walk *w)
{
    const slip_field *F = &w->field;
    slip_line line = {.du = {F->d1, F->d2}, .h = F->lift, .length = INFINITY};
    if (F->kinetic.S > 0 || CARRIES_PARTIALS)
        carom_slip_line_aim(w, &line);
    carom_slip_walk_line(w, &line, "slip");
}

/* What is left of the slip moves neither p nor u_n: r = 0 to first order. */
static bool vanishes(slip_walk *w, const slip_rates *q, double r)
{
    if (!(q->g < 0))
        return false;
    double speed = fmax(w->sums.approach, fabs(w->u_n));
    if (!(r * fabs(q->h) < -LAST_SHARE * q->g * speed && r < -LAST_SHARE * q->g * w->q))
        return false;
    w->u_t.t1 = w->u_t.t2 = 0;
    return true;
}

/* The clock to the next stop, by the rates here; infinite where they do not lead to one. */
static double stop_ahead(const slip_walk *w, const slip_rates *q)
{
    if (w->compressing)
        return q->h > 0 ? -w->u_n / q->h : INFINITY;
    if (w->ending->by == BY_IMPULSE)
        return w->need;
    if (w->ending->by == BY_VELOCITY)
        return q->h > 0 ? (w->need - w->u_n) / q->h : INFINITY;
    return 2 * w->need / (w->u_n + sqrt(fmax(0, square(w->u_n) + 2 * q->h * w->need)));
}

/* v, turned by a constant angle onto the ray c: the partial derivatives of its own direction stay, which the turn that
 * is left still has. */
static tvec turned_onto(tvec v, tvec c)
{
    const double r = plain(tvec_length(v)), along = plain(tvec_dot(v, c)) / r;
    const double across = plain(v.t1 * c.t2 - v.t2 * c.t1) / r;
    return (tvec){along * v.t1 - across * v.t2, along * v.t2 + across * v.t1};
}

/* True when what is left of the turn to an attracting ray moves neither p nor u: slip keeps to the ray from here on. */
static bool joins_ray(slip_walk *w, const slip_rates *q, double ahead, double r, tvec c)
{
    slip_rates ray;
    const double across = fabs(q->f / q->f1) * r, left = across / q->w_ss; /* slip across the ray, and its integral */
    const double speed = fmax(w->sums.approach, fabs(w->u_n));
    const double all = w->q + fmin(ahead, q->g < 0 ? -r / q->g : INFINITY);
    bool joins = q->f1 < 0 && across < LAST_SHARE * w->speed && left < LAST_SHARE * all &&
                 left * fabs(q->v_s) < LAST_SHARE * speed;
    if (!joins || !carom_slip_field_ray(&w->field, &c, &ray))
        return false;
    w->u_t = CARRIES_PARTIALS ? turned_onto(w->u_t, c) : (tvec){r * c.t1, r * c.t2};
    return true;
}

/* From stop to stop, to the end of the arc; false when there is none. */
static bool follow_arc(slip_walk *w, slip_arc *arc)
{
    for (int i = 0; i < SLIP_STEPS; i++) {
        slip_stride stride;
        carom_slip_arc_stride(w, arc, &stride);
        carom_slip_walk_show(w, "slip", &stride, arc, carom_slip_arc_point);
        carom_slip_walk_take(w, &stride);
        if (w->done || stride.stop == STOP_PIECE || !carom_slip_arc_resume(w, arc))
            return true;
    }
    return false;
}

/* On a line the three laws agree: u_n rises to e times the approach, which is measured without works, whose products
 * would vanish. */
static double need_on_line(double e, const coulomb_sums *sums)
{
    return e * sums->approach;
}

/* True when the impact ends before slip has turned or slowed down: the approach is slow, or there is little friction.
 */
static bool ends_first(slip_walk *w, const slip_rates *q, double ahead, double r)
{
    static const coulomb_ending on_line = {BY_VELOCITY, need_on_line, need_on_line};
    double turn = ahead * (fabs(q->f) + fabs(q->g)) / r;
    bool first = w->compressing && w->phases == 1 && turn < LEAST_TURN && turn * fabs(q->v_s) < EPS * EPS * q->h;
    if (first)
        w->ending = &on_line;
    return first;
}

static carom_status slip_through_space(slip_walk *w)
{
    slip_arc arc;
    const slip_field *F = &w->field;
    for (int i = 0; i < SLIP_STEPS; i++) {
        double r = tvec_length(w->u_t);
        tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
        slip_rates q = carom_slip_field_rates(F, c);
        double ahead = stop_ahead(w, &q);
        if (i == 0)
            w->sink.out->flags |= q.h < 0 ? CAROM_FLAG_JAM : 0;
        bool slides_free = F->kinetic.S == 0 && !CARRIES_PARTIALS; /* the partials by mu need the path */
        if (slides_free || fabs(q.f) <= RAY_TOL * (F->w11 + F->w22 + F->pull) || ends_first(w, &q, ahead, r) ||
            joins_ray(w, &q, ahead, r, c)) {
            slip_on_line(w);
            return CAROM_STATUS_OK;
        }
        if (vanishes(w, &q, r))
            return CAROM_STATUS_OK;
        if (!carom_slip_arc_begin(w, c, &q, w->compressing ? 2 * ahead : ahead, &arc) || /* restitution is ahead, too */
            !follow_arc(w, &arc))
            return CAROM_STATUS_STEP_LIMIT;
        if (w->done)
            return CAROM_STATUS_OK;
    }
    return CAROM_STATUS_STEP_LIMIT;
}

static carom_status walk_space(slip_walk *w)
{
    bool slipped = tvec_length(w->u_t) > SLIP_LEAST;
    if (slipped) {
        w->resliding = w->field.kinetic.S > 0;
        w->sink.out->mode = carom_coulomb_modes[COULOMB_SLIDING];
        carom_slip_walk_event(w, CAROM_EVENT_SLIDE);
        carom_status status = slip_through_space(w);
        if (status != CAROM_STATUS_OK || w->done)
            return status;
    }
    w->u_t.t1 = w->u_t.t2 = 0;
    carom_slip_walk_from_origin(w, slipped);
    return w->done ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

static void report(const slip_walk *w)
{
    carom_outcome *out = w->sink.out;
    carom_phases *ph = &out->phases;
    out->p = carom_cvec_make(w->p_t.t1, w->p_t.t2, w->p_n);
    out->u_after = carom_cvec_make(w->u_t.t1, w->u_t.t2, w->u_n);
    ph->phases = w->phases;
    ph->p_compression = w->clock * w->sums.p_c;
    ph->p_restitution = w->clock * w->sums.p_r;
    ph->work_compression = w->clock * w->sums.W_c;
    ph->work_decompression = w->clock * w->sums.W_r;
    ph->work_friction = w->friction;
}

/* As plane_borders. */
static void space_borders(const slip_walk *w, bool stopped)
{
    if (stopped)
        beyond(w->x, w->p_n, w->p_stop, STOPS_AT_END);
    else
        beyond(w->x, tvec_length(w->u_t), 0, STOPS_AT_END);
}

static carom_status solve_space(const carom_impact *x, const carom_rule *rule, const coulomb_sink *sink,
                                const coulomb_ending *ending)
{
    const carom_cvec u = x->u;
    slip_walk w = {
        .field = carom_slip_field(&x->K, &rule->coeffs), .x = x, .ending = ending, .rule = rule, .sink = *sink};
    w.before = u;
    w.u_t = tangential(u);
    w.u_n = u.n;
    w.clock = w.field.kinetic.C;
    w.sums.approach = -u.n;
    w.speed = fabs(u.t1) + fabs(u.t2) + fabs(u.n);
    w.compressing = true;
    w.phases = 1;
    carom_status status = walk_space(&w);
    if (CARRIES_PARTIALS)
        space_borders(&w, w.sink.out->mode != carom_coulomb_modes[COULOMB_SLIDING]);
    report(&w);
    return w.endless ? CAROM_STATUS_UNBOUNDED : status;
}

/* ---- the law ---- */

/* A grazing contact: nothing happens unless friction pulls it in, h < 0. */
static bool stays_out(const carom_problem *pb, double mu)
{
    const friction x = friction_of(mu);
    return x.C * pb->K.nn * carom_cvec_slip(pb->u) >= x.S * (pb->K.t1n * pb->u.t1 + pb->K.t2n * pb->u.t2);
}

carom_status carom_coulomb_solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                 carom_outcome *out, const coulomb_ending *ending)
{
    const coulomb_sink sink = {out, tracer};
    const carom_problem pb = {x->K, x->u};
    plane_path path;
    out->p = carom_cvec_make(0, 0, 0);
    out->u_after = x->u;
    if (x->u.n == 0 && stays_out(&pb, rule->coeffs.mu))
        return CAROM_STATUS_OK;
    const bool flat = problem_lies_flat(&pb);
    if (!flat && x->kind != CAROM_KIND_SPHERE)
        return solve_space(x, rule, &sink, ending);
    path.P = coulomb_plane_of(&pb, &rule->coeffs, flat);
    plane_follow(&path, ending, rule->coeffs.e);
    carom_coulomb_plane_block(&path, ending, rule->coeffs.e);
    if (path.endless)
        return CAROM_STATUS_UNBOUNDED;
    carom_coulomb_plane_report(&path, &sink);
    return CAROM_STATUS_OK;
}
