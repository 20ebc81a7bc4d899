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

/* Aim the next arc; false where slip is over: it keeps a line, or vanishes. */
static bool aim_arc(slip_walk *w, bool first, slip_arc *arc)
{
    const slip_field *F = &w->field;
    double r = tvec_length(w->u_t);
    tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
    slip_rates q = carom_slip_field_rates(F, c);
    double ahead = stop_ahead(w, &q);
    if (first)
        w->sink.out->flags |= q.h < 0 ? CAROM_FLAG_JAM : 0;
    bool slides_free = F->kinetic.S == 0 && !CARRIES_PARTIALS; /* the partials by mu need the path */
    if (slides_free || fabs(q.f) <= RAY_TOL * (F->w11 + F->w22 + F->pull) || ends_first(w, &q, ahead, r) ||
        joins_ray(w, &q, ahead, r, c)) {
        slip_on_line(w);
        return false;
    }
    if (vanishes(w, &q, r))
        return false;
    carom_slip_arc_begin(w, c, &q, w->compressing ? 2 * ahead : ahead, arc); /* restitution is ahead, too */
    return true;
}

static void give_up(coulomb_course *s)
{
    s->status = CAROM_STATUS_STEP_LIMIT;
    s->next = NEXT_END;
}

void carom_coulomb_aim(coulomb_course *s)
{
    if (s->next != NEXT_ARC)
        return;
    if (s->arcs == SLIP_STEPS)
        give_up(s);
    else
        s->next = aim_arc(&s->walk, s->arcs++ == 0, &s->arc) ? NEXT_LENGTH : NEXT_END;
}

void carom_coulomb_fit(coulomb_course *s)
{
    if (s->next != NEXT_LENGTH)
        return;
    s->strides = 0;
    if (carom_slip_arc_fit(&s->arc))
        s->next = NEXT_STRIDE;
    else if (s->arc.tries > ARC_TRIES)
        give_up(s);
}

void carom_coulomb_stride(coulomb_course *s)
{
    slip_walk *w = &s->walk;
    slip_stride stride;
    if (s->next != NEXT_STRIDE)
        return;
    carom_slip_arc_stride(w, &s->arc, &stride);
    carom_slip_walk_show(w, "slip", &stride, &s->arc, carom_slip_arc_point);
    carom_slip_walk_take(w, &stride);
    if (w->done)
        s->next = NEXT_END;
    else if (stride.stop == STOP_PIECE || !carom_slip_arc_resume(w, &s->arc))
        s->next = NEXT_ARC;
    else if (++s->strides == SLIP_STEPS)
        give_up(s);
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

static void begin_space(const carom_impact *x, const carom_rule *rule, const coulomb_sink *sink,
                        const coulomb_ending *ending, coulomb_course *s)
{
    const carom_cvec u = x->u;
    slip_walk *w = &s->walk;
    *w = (slip_walk){
        .field = carom_slip_field(&x->K, &rule->coeffs), .x = x, .ending = ending, .rule = rule, .sink = *sink};
    w->before = u;
    w->u_t = tangential(u);
    w->u_n = u.n;
    w->clock = w->field.kinetic.C;
    w->sums.approach = -u.n;
    w->speed = fabs(u.t1) + fabs(u.t2) + fabs(u.n);
    w->compressing = true;
    w->phases = 1;
    s->in_space = true;
    if (tvec_length(w->u_t) > SLIP_LEAST) {
        s->next = NEXT_ARC;
        w->resliding = w->field.kinetic.S > 0;
        w->sink.out->mode = carom_coulomb_modes[COULOMB_SLIDING];
        carom_slip_walk_event(w, CAROM_EVENT_SLIDE);
    }
}

/* Slip is over: what is left of the impact. */
static carom_status end_space(coulomb_course *s, bool slipped)
{
    slip_walk *w = &s->walk;
    if (s->status == CAROM_STATUS_OK && !w->done) {
        w->u_t.t1 = w->u_t.t2 = 0;
        carom_slip_walk_from_origin(w, slipped);
        s->status = w->done ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
    }
    if (CARRIES_PARTIALS)
        space_borders(w, w->sink.out->mode != carom_coulomb_modes[COULOMB_SLIDING]);
    report(w);
    return w->endless ? CAROM_STATUS_UNBOUNDED : s->status;
}

/* ---- the law ---- */

/* A grazing contact: nothing happens unless friction pulls it in, h < 0. */
static bool stays_out(const carom_problem *pb, double mu)
{
    const friction x = friction_of(mu);
    return x.C * pb->K.nn * carom_cvec_slip(pb->u) >= x.S * (pb->K.t1n * pb->u.t1 + pb->K.t2n * pb->u.t2);
}

static carom_status solve_plane(const carom_problem *pb, bool flat, const carom_rule *rule, const coulomb_sink *sink,
                                const coulomb_ending *ending)
{
    plane_path path;
    path.P = coulomb_plane_of(pb, &rule->coeffs, flat);
    plane_follow(&path, ending, rule->coeffs.e);
    carom_coulomb_plane_block(&path, ending, rule->coeffs.e);
    if (path.endless)
        return CAROM_STATUS_UNBOUNDED;
    carom_coulomb_plane_report(&path, sink);
    return CAROM_STATUS_OK;
}

void carom_coulomb_begin(const carom_impact *x, const carom_rule *rule, const coulomb_sink *sink,
                         const coulomb_ending *ending, coulomb_course *s)
{
    const carom_problem pb = {x->K, x->u};
    sink->out->p = carom_cvec_make(0, 0, 0);
    sink->out->u_after = x->u;
    s->arcs = 0;
    s->next = NEXT_END;
    s->in_space = false;
    s->status = CAROM_STATUS_OK;
    if (x->u.n == 0 && stays_out(&pb, rule->coeffs.mu))
        return;
    const bool flat = problem_lies_flat(&pb);
    if (!flat && x->kind != CAROM_KIND_SPHERE)
        begin_space(x, rule, sink, ending, s);
    else
        s->status = solve_plane(&pb, flat, rule, sink, ending);
}

carom_status carom_coulomb_end(coulomb_course *s)
{
    return s->in_space ? end_space(s, s->arcs > 0) : s->status;
}

carom_status carom_coulomb_solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                 carom_outcome *out, const coulomb_ending *ending)
{
    const coulomb_sink sink = {out, tracer};
    coulomb_course s;
    carom_coulomb_begin(x, rule, &sink, ending, &s);
    while (s.next != NEXT_END) { /* the numbers of arcs, lengths and strides are bounded */
        carom_coulomb_aim(&s);
        carom_coulomb_fit(&s);
        carom_coulomb_stride(&s);
    }
    return carom_coulomb_end(&s);
}
