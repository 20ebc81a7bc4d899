/* Which pieces an impact is made of: planes and spheres take lines; otherwise slip flows until it meets a ray, and the
 * tail along the ray carries it to zero or to the end. */
#include "core/isa.h"
#include "laws/coulomb/family_incremental.h"

#define RAY_SHARE  (4 * EPS)  /* |f| below this of mu s.Ms: the direction is a ray to rounding, slip cannot turn */
#define SOON       0.4        /* tau (|g| + |f1|) to the next stop, by the slopes here: a little below TAIL_SHORT */
#define FEW_STEPS  30.0       /* tau (mu |M| + |b|) up to which arcs to the stop are cheaper, and as good */
#define FLAT_TOL   (64 * EPS) /* slip across the image of a singular M: rounding of turned axes */
#define SLIP_LEAST 1e-140     /* of the largest speed: squares of less lose digits, and outcomes are continuous there */
#define LAST_SHARE (EPS / 8)  /* slip too small to change p or u_n any more: taken to zero to first order */

/* ---- space ---- */

/* The direction of slip is a ray, or friction is absent: slip keeps its line. */
static void slip_on_line(slip_walk *w, tvec c)
{
    const slip_field *F = &w->field;
    slip_line line = {.du = {F->b1, F->b2}, .h = F->k, .length = INFINITY};
    if (F->mu > 0) {
        slip_rates q = slip_field_line(F, c);
        double r = tvec_length(w->u_t);
        line.du.t1 = q.g * c.t1;
        line.du.t2 = q.g * c.t2;
        line.dp.t1 = -F->mu * c.t1;
        line.dp.t2 = -F->mu * c.t2;
        line.h = q.h;
        line.length = q.g < 0 ? -r / q.g : INFINITY;
    }
    slip_walk_line(w, &line, "slip");
}

/* True when the tail carried slip to zero or the impact to its end; otherwise an arc is due. */
static bool follow_tail(slip_walk *w, slip_tail *tail)
{
    for (int i = 0; i < SLIP_STEPS && !w->done; i++) {
        slip_stride stride;
        if (!slip_tail_stride(w, tail, &stride))
            return false;
        slip_walk_show(w, "slip", &stride, tail, slip_tail_point);
        slip_walk_take(w, &stride);
        if (stride.stop == STOP_ORIGIN || w->done)
            return true;
        slip_tail_resume(w, tail);
    }
    return w->done;
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

/* The impulse to the next stop, by the rates here; infinite where they do not lead to one. */
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

/* True when that is so near that a tail, if there is one, would not pay, or be turned down. */
static bool stops_soon(const slip_walk *w, const slip_rates *q, double p, double r)
{
    const slip_field *F = &w->field;
    return p * (fabs(q->g) + fabs(q->f1)) < SOON * r || p * (F->w11 + F->w22 + F->pull) < FEW_STEPS * r;
}

/* From stop to stop, to the end of the arc; false when there is none. */
static bool follow_arc(slip_walk *w, const slip_arc_steps *step, slip_arc *arc)
{
    for (int i = 0; i < SLIP_STEPS; i++) {
        slip_stride stride;
        step->stride(w, arc, &stride);
        slip_walk_show(w, "slip", &stride, arc, step->point);
        slip_walk_take(w, &stride);
        if (w->done || stride.stop == STOP_PIECE || !step->resume(w, arc))
            return true;
    }
    return false;
}

static carom_status slip_through_space(slip_walk *w)
{
    slip_tail tail;
    slip_arc arc;
    const slip_arc_steps *step = slip_arc_at(isa_best());
    for (int i = 0; i < SLIP_STEPS; i++) {
        double r = tvec_length(w->u_t);
        tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
        slip_rates q = slip_field_rates(&w->field, c);
        if (i == 0)
            w->out->flags |= q.h < 0 ? CAROM_FLAG_JAM : 0;
        if (w->field.mu == 0 || fabs(q.f) <= RAY_SHARE * q.w_ss) {
            slip_on_line(w, c);
            return CAROM_STATUS_OK;
        }
        double ahead = stop_ahead(w, &q);
        if (!stops_soon(w, &q, ahead, r) && slip_tail_enter(w, c, &q, &tail)) {
            int before = w->out->event_count;
            if (follow_tail(w, &tail))
                return CAROM_STATUS_OK;
            if (w->out->event_count != before)
                continue;
        }
        if (vanishes(w, &q, r))
            return CAROM_STATUS_OK;
        if (!step->begin(w, c, &q, w->compressing ? 2 * ahead : ahead, &arc) || /* restitution is ahead, too */
            !follow_arc(w, step, &arc))
            return CAROM_STATUS_STEP_LIMIT;
        if (w->done)
            return CAROM_STATUS_OK;
    }
    return CAROM_STATUS_STEP_LIMIT;
}

static carom_status walk_space(slip_walk *w)
{
    bool slipped = tvec_length(w->u_t) > SLIP_LEAST;
    if (!slipped)
        w->u_t.t1 = w->u_t.t2 = 0;
    if (slipped) {
        w->resliding = w->field.mu > 0;
        w->out->mode = "sliding";
        slip_walk_event(w, CAROM_EVENT_SLIDE);
        carom_status status = slip_through_space(w);
        if (status != CAROM_STATUS_OK || w->done)
            return status;
    }
    slip_origin o = slip_field_origin(&w->field);
    slip_walk_from_origin(w, &o, slipped, CAROM_EVENT_RAY);
    return w->done ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

/* ---- the law ---- */

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
    out->p = carom_cvec_make(w->size_p * w->p_t.t1, w->size_p * w->p_t.t2, w->size_p * w->p_n);
    out->u_after = carom_cvec_make(w->size_u * w->u_t.t1, w->size_u * w->u_t.t2, w->size_u * w->u_n);
    ph->phases = w->phases;
    ph->p_compression = w->size_p * w->sums.p_c;
    ph->p_restitution = w->size_p * w->sums.p_r;
    ph->work_compression = work * w->sums.W_c;
    ph->work_restitution = work * w->sums.W_r;
    ph->work_friction = work * w->friction;
}

/* Grazing: nothing happens unless friction pulls the contact in, h < 0. */
static bool only_grazes(const carom_problem *pb, double mu)
{
    if (pb->u.n != 0)
        return false;
    double r = carom_cvec_slip(pb->u);
    return pb->K.nn * r >= mu * (pb->K.t1n * pb->u.t1 + pb->K.t2n * pb->u.t2);
}

static void begin(slip_walk *w, carom_cvec u)
{
    w->u_t = tangential(u);
    w->u_n = u.n;
    w->sums.approach = -u.n;
    w->speed = fabs(u.t1) + fabs(u.t2) + fabs(u.n);
    w->compressing = true;
    w->phases = 1;
}

/* The plane an impact keeps to, if it is known beforehand: that of a planar problem, that of the slip of a sphere, and
 * that of an M of rank one (a planar problem in turned axes) when slip lies in its image. False otherwise. */
static bool find_plane(const carom_problem *pb, bool planar, slip_plane *P)
{
    const carom_csym *K = &pb->K;
    tvec u = tangential(pb->u), e = {1, 0};
    double r = planar ? 0 : tvec_length(u);
    *P = (slip_plane){.e = e, .m = K->t11, .b = K->t1n};
    if (planar)
        return true;
    if (csym_is_sphere(K)) {
        if (r > 0)
            P->e = (tvec){u.t1 / r, u.t2 / r};
        P->b = 0;
        return true;
    }
    if (K->t11 > 0 && K->t22 - K->t12 * (K->t12 / K->t11) > RANK_TOL * K->t22)
        return false;
    e = K->t11 >= K->t22 ? (tvec){K->t11, K->t12} : (tvec){K->t12, K->t22};
    double length = tvec_length(e);
    P->e = (tvec){e.t1 / length, e.t2 / length};
    P->m = K->t11 + K->t22;
    P->b = tvec_dot(coupling(K), P->e);
    return fabs(P->e.t1 * u.t2 - P->e.t2 * u.t1) <= FLAT_TOL * r;
}

static void solve_plane(slip_walk *w, const carom_problem *pb, slip_plane *P)
{
    const carom_coeffs *c = &w->rule->coeffs;
    w->field.k = P->k = pb->K.nn;
    w->field.mu = P->mu = c->mu;
    w->field.mu_s = P->mu_s = c->mu_s == CAROM_SAME_AS_MU ? c->mu : c->mu_s;
    begin(w, pb->u);
    slip_walk_plane(w, P);
}

static carom_status solve_space(slip_walk *w, const carom_problem *problem)
{
    carom_problem pb = *problem;
    scale(w, &pb);
    w->field = slip_field_of(&pb.K, &w->rule->coeffs);
    begin(w, pb.u);
    return walk_space(w);
}

carom_status slip_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                        carom_outcome *out, const slip_ending *ending)
{
    out->u_after = problem->u;
    if (only_grazes(problem, rule->coeffs.mu))
        return CAROM_STATUS_OK;
    slip_walk w = {.ending = ending, .rule = rule, .tracer = tracer, .out = out, .size_u = 1, .size_p = 1};
    carom_status status = CAROM_STATUS_OK;
    slip_plane plane;
    w.planar = problem_is_planar(problem);
    if (find_plane(problem, w.planar, &plane))
        solve_plane(&w, problem, &plane);
    else
        status = solve_space(&w, problem);
    report(&w);
    return status;
}
