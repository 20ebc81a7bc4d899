/* The walk through an impact: phases, events and sums, and which piece comes next. */
#include "laws/family_incremental.h"

#define ROUND_TOL  (4 * EPS)  /* entries of K that rounding in rotated axes may leave */
#define RAY_SHARE  (4 * EPS)  /* |f| below this of mu s.Ms: the direction is a ray to rounding, slip cannot turn */
#define REST_TOL   (64 * EPS) /* of the speeds: u_n where sticking leaves no freedom */
#define SOON       0.4        /* tau (|g| + |f1|) to the next stop, by the slopes here: a little below TAIL_SHORT */
#define LAST_SHARE (EPS / 8)  /* slip too small to change p or u_n any more: taken to zero to first order */

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

void walk_event(slip_walk *w, carom_event_kind kind)
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
    write_state(&w, state);
}

void walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece, slip_point *point)
{
    if (!w->tracer || !w->tracer->piece)
        return;
    shown data = {w, piece, point};
    carom_piece show = {
        mode, w->compressing, {w->size_p * w->p_n, w->size_p * (w->p_n + stride->p_n)}, shown_at, &data};
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
        if (fabs(w->u_n) <= REST_TOL * w->speed)
            w->u_n = 0;
        w->out->flags |= CAROM_JAM;
        finish(w);
        return;
    }
    follow_line(w, &line, o->sticks ? "stick" : "slip");
}

/* ---- the plane ---- */

/* The plane of a unit vector e and n: m = e.Me, b = b.e. One line to u_t = 0, one from there. */
typedef struct slip_plane {
    tvec e;
    double m, b;
} slip_plane;

static carom_event_kind planar_slide(const slip_walk *w, double sign)
{
    if (!w->planar)
        return w->u_t.t1 == 0 && w->u_t.t2 == 0 ? CAROM_EVENT_RAY : CAROM_EVENT_SLIDE;
    return sign > 0 ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

/* Slip along sign e, as slopes of a line. */
static slip_line planar_line(const slip_walk *w, const slip_plane *P, double sign)
{
    double push = -w->field.mu * sign, du = fma(push, P->m, P->b); /* g = b.c - mu c.Mc */
    slip_line line = {.h = fma(push, P->b, w->field.k), .length = INFINITY};
    line.du.t1 = du * P->e.t1;
    line.du.t2 = du * P->e.t2;
    line.dp.t1 = push * P->e.t1;
    line.dp.t2 = push * P->e.t2;
    double slip = tvec_dot(w->u_t, P->e);
    if (slip * du < 0)
        line.length = -slip / du;
    return line;
}

static slip_origin planar_origin(const slip_walk *w, const slip_plane *P, double sign)
{
    slip_origin o = {.sticks = fabs(P->b) <= w->field.mu_s * P->m, .c = P->e, .h = w->field.k};
    double share = o.sticks && P->m > 0 ? P->b / P->m : 0;
    if (o.sticks && P->m > 0)
        o.h = diff_of_products(P->m, w->field.k, P->b, P->b) / P->m;
    if (!o.sticks) {
        share = w->field.mu * sign;
        o.g = fma(-share, P->m, P->b);
        o.h = fma(-share, P->b, w->field.k);
    }
    o.a.t1 = share * P->e.t1;
    o.a.t2 = share * P->e.t2;
    return o;
}

static void walk_plane(slip_walk *w, const slip_plane *P)
{
    double slip = tvec_dot(w->u_t, P->e);
    if (w->planar)
        w->out->phases.path = "a-c-e";
    if (slip != 0) {
        double sign = slip > 0 ? 1 : -1;
        slip_line line = planar_line(w, P, sign);
        w->resliding = !w->planar && w->field.mu > 0;
        w->out->mode = "sliding";
        w->out->flags |= line.h < 0 ? CAROM_JAM : 0;
        walk_event(w, planar_slide(w, sign));
        follow_line(w, &line, "slip");
        if (w->done)
            return;
        if (w->planar)
            w->out->phases.path = w->compressing ? "a-b-e" : "a-c-d-e";
    }
    double sign = P->b > 0 ? 1 : -1;
    slip_origin o = planar_origin(w, P, sign);
    leave_origin(w, &o, slip != 0, planar_slide(w, sign));
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
        if (!stops_soon(w, &q, r) && tail_enter(w, c, &q, &tail)) {
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

/* K = diag(m, m, k) to rounding: spheres. Slip cannot turn, whatever its direction. */
static bool is_sphere(const carom_csym *K)
{
    double bound = ROUND_TOL * K->t11;
    if (!(fabs(K->t12) <= bound && fabs(K->t11 - K->t22) <= bound))
        return false;
    bound *= ROUND_TOL * K->nn;
    return square(K->t1n) <= bound && square(K->t2n) <= bound;
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

static void solve_plane(slip_walk *w, const carom_problem *pb)
{
    const carom_coeffs *c = &w->rule->coeffs;
    slip_plane P = {.e = {1, 0}, .m = pb->K.t11, .b = w->planar ? pb->K.t1n : 0};
    w->field.k = pb->K.nn;
    w->field.mu = c->mu;
    w->field.mu_s = c->mu_s == CAROM_SAME_AS_MU ? c->mu : c->mu_s;
    double r = w->planar ? 0 : carom_cvec_slip(pb->u);
    if (r > 0) {
        P.e.t1 = pb->u.t1 / r;
        P.e.t2 = pb->u.t2 / r;
    }
    begin(w, pb->u);
    walk_plane(w, &P);
}

static carom_status solve_space(slip_walk *w, const carom_problem *problem)
{
    carom_problem pb = *problem;
    scale(w, &pb);
    w->field = field_of(&pb.K, &w->rule->coeffs);
    begin(w, pb.u);
    return walk_space(w);
}

carom_status slip_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                        carom_outcome *out, const slip_ending *ending)
{
    out->u_after = problem->u;
    if (only_grazes(problem, rule->coeffs.mu))
        return CAROM_OK;
    slip_walk w = {.ending = ending, .rule = rule, .tracer = tracer, .out = out, .size_u = 1, .size_p = 1};
    carom_status status = CAROM_OK;
    w.planar = is_plane(problem);
    if (w.planar || is_sphere(&problem->K))
        solve_plane(&w, problem);
    else
        status = solve_space(&w, problem);
    report(&w);
    return status;
}
