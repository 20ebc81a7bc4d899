/* The walk through a compliant impact: which mode, which phase, what is recorded on the way. */
#include <stddef.h>

#include "contact/plane.h"
#include "laws/springs/family_compliant.h"

#define FRICTIONLESS (EPS * EPS) /* below it friction is rounding of nothing: mu counts as zero */
#define PLASTIC      1e-100      /* below it e counts as zero; the spring of restitution would overflow */
enum { WEDGE_SWITCHES = 256 };
#define BORDER_NUDGE (64 * EPS) /* of the slip: how far beside the border between the modes a start on it is taken */
#define FALLS_EQUAL  (8 * EPS)  /* of K_nn: a grazing contact does not jam below it */

/* ---- from scaled units to the problem's ---- */

static carom_cvec turn_back(const compliant *c, double unit, carom_cvec v)
{
    carom_direction d = c->turned;
    return carom_cvec_make(unit * (d.c * v.t1 - d.s * v.t2), unit * (d.s * v.t1 + d.c * v.t2), unit * v.n);
}

carom_state compliant_state(const compliant *c, const spot *a)
{
    double x_n = -a->F.n / c->k, held = -0.5 * a->F.n * x_n, energy = c->energy;
    carom_cvec x = turn_back(c, c->length, carom_cvec_make(-a->F.t1, -a->F.t2, x_n));
    double work = 0.5 * carom_cvec_dot(a->p, carom_cvec_add(a->u, c->u0)); /* of all forces: u - u0 = K p */
    carom_state state;
    state.p = turn_back(c, c->impulse, a->p);
    state.u = turn_back(c, c->unit_u, a->u);
    state.work_normal = -energy * (held + c->loss);
    state.work_friction = energy * work - state.work_normal;
    state.stretch = x;
    state.stored = carom_cvec_make(0.5 * square(x.t1), 0.5 * square(x.t2), energy * held);
    return state;
}

/* ---- recording ---- */

static void record(compliant *c, carom_event_kind kind)
{
    carom_outcome *out = c->out;
    bool watched = c->tracer && c->tracer->event, kept = out->event_count < CAROM_EVENTS_KEPT;
    carom_event *event = kept ? &out->events[out->event_count] : &c->beyond;
    if (kept || watched || kind == CAROM_EVENT_END) {
        event->kind = kind;
        event->at = compliant_state(c, &c->now);
        c->last = &event->at;
    }
    if (watched)
        c->tracer->event(c->tracer->context, event);
    out->event_count++;
}

/* u = u(0) + K (p - p(0)) in every mode, so only the other rows are summed. */
spot series_at(const series *x, double t)
{
    static const int rows[] = {ROW_P1, ROW_P2, ROW_PN, ROW_X1, ROW_X2, ROW_X3};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const double(*r)[SERIES_ORDER + 2] = x->row;
    double v[ROWS] = {0};
    for (int i = x->order; i > 0; i--)
        for (int k = 0; k < ROWS; k++)
            v[k] = (v[k] + r[rows[k]][i]) * t;
    spot a = {{r[ROW_P1][0], r[ROW_P2][0], r[ROW_PN][0]},
              {r[ROW_U1][0], r[ROW_U2][0], r[ROW_UN][0]},
              {0, 0, 0},
              {0, 0},
              0},
         b = a;
    double x1 = v[3] + r[ROW_X1][0], x2 = v[4] + r[ROW_X2][0], x3 = v[5] + r[ROW_X3][0];
    spot_move(x->c, &a, carom_cvec_make(v[0], v[1], v[2]), &b);
    if (x->c->slipping)
        spot_aim(x->c, x1, x2, x3, &b);
    else
        b.F = carom_cvec_make(x1, x2, x3);
    return b;
}

static void piece_at(const carom_piece *piece, double s, carom_state *state)
{
    const series *x = piece->data;
    spot a = series_at(x, s * x->length);
    *state = compliant_state(x->c, &a);
}

void compliant_show_piece(const compliant *c, double p_n, piece_function *at, const void *data)
{
    if (!c->tracer || !c->tracer->piece)
        return;
    carom_piece piece = {c->slipping ? "slip" : "stick", !c->restitution, {0, c->impulse * p_n}, at, data};
    piece.p_n[0] = c->impulse * c->now.p.n;
    c->tracer->piece(c->tracer->context, &piece);
}

void compliant_show(const series *x)
{
    if (x->c->tracer)
        compliant_show_piece(x->c, taylor_at(x->row[ROW_PN], x->order, x->length), piece_at, x);
}

/* ---- the walk ---- */

/* u = 2^a u', K = 4^b K'. */
static inline carom_problem scale(const carom_problem *pb, compliant *c)
{
    int a = exponent_of(larger(larger(fabs(pb->u.t1), fabs(pb->u.t2)), fabs(pb->u.n)));
    int b = exponent_of(larger(pb->K.nn, larger(pb->K.t11, pb->K.t22))) & ~1;
    c->unit_u = power_of_two(a);
    c->unit_K = power_of_two(b);
    double r = power_of_two(-b);
    c->impulse = c->unit_u * r;
    c->length = c->unit_u * power_of_two(-b / 2);
    c->energy = c->unit_u * c->impulse;
    carom_problem scaled = {{r * pb->K.t11, r * pb->K.t12, r * pb->K.t22, r * pb->K.t1n, r * pb->K.t2n, r * pb->K.nn},
                            carom_cvec_scale(power_of_two(-a), pb->u)};
    return scaled;
}

/* In a plane the slip direction cannot turn: t1 lies in it, and what is left of the rest is rounding. */
static inline void find_plane(const carom_problem *pb, compliant *c)
{
    carom_problem turned;
    carom_direction plane, whole = {1, 0};
    c->planar = problem_plane(pb, &plane, &turned);
    bool turns = c->planar && plane.s != 0;
    c->turned = turns ? plane : whole;
    c->K = turns ? turned.K : pb->K;
    c->u0 = turns ? turned.u : pb->u;
    if (c->planar)
        c->K.t12 = c->K.t2n = c->u0.t2 = 0;
}

/* d sigma / dp_n of (3) as slip begins along u_t = slip s. */
static double sliding_grows(const compliant *c, double slip)
{
    const carom_csym *K = &c->K;
    tvec s = {c->u0.t1 / slip, c->u0.t2 / slip};
    tvec drag = {K->t11 * s.t1 + K->t12 * s.t2, K->t12 * s.t1 + K->t22 * s.t2};
    double pull = tvec_dot(coupling(K), s);
    return pull - c->mu * tvec_dot(s, drag) + c->mu * c->k * (K->nn - c->mu * pull);
}

/* On the border of (5) the spot neither lags nor slides: to first order both modes are the same motion. It takes the
 * side that sigma takes, as a start BORDER_NUDGE beside it does; the outcome is continuous there. */
static void leave_border(compliant *c, double slip)
{
    double border = c->mu * c->k * fabs(c->u0.n);
    if (border == 0 || fabs(slip - border) > BORDER_NUDGE * border)
        return;
    double side = sliding_grows(c, slip) >= 0 ? 1 + BORDER_NUDGE : 1 - BORDER_NUDGE;
    c->u0.t1 *= side * border / slip;
    c->u0.t2 *= side * border / slip;
}

/* The unit vector along (x, y), which is not zero; in a plane without a root to wait for. */
static tvec direction_of(const compliant *c, double x, double y)
{
    tvec s = {copysign(1, x), 0};
    if (!c->planar) {
        double size = sqrt(square(x) + square(y));
        s.t1 = x / size;
        s.t2 = y / size;
    }
    return s;
}

static double slip_of(const compliant *c)
{
    return c->planar ? fabs(c->u0.t1) : carom_cvec_slip(c->u0);
}

/* Proposition 1: it slips at once when the tangential spring would have to be faster than friction can drive it. */
static void begin(compliant *c)
{
    leave_border(c, slip_of(c));
    double slip = slip_of(c);
    static const spot rest;
    static const tvec along = {1, 0};
    c->now = rest;
    c->now.u = c->u0;
    c->slipping = slip >= c->mu * c->k * fabs(c->u0.n); /* (5) */
    c->now.s = c->slipping && slip > 0 ? direction_of(c, c->u0.t1, c->u0.t2) : along;
    c->fresh = 1;
    c->out->phases.phases = 1;
    c->out->phases.first = c->slipping ? "slip" : "stick";
}

static void to_stick(compliant *c)
{
    record(c, CAROM_EVENT_SLIP_TO_STICK);
    c->slipping = false;
    c->fresh = 2;
}

static void to_slip(compliant *c)
{
    spot *a = &c->now;
    record(c, CAROM_EVENT_STICK_TO_SLIP);
    c->slipping = true;
    a->s = direction_of(c, -a->F.t1, -a->F.t2);
    a->y = square(a->F.n);
}

/* The normal spring loses 1 - e^2 of its energy: same force, stiffer by 1/e^2, shorter by e^2. */
static void to_restitution(compliant *c)
{
    carom_phases *ph = &c->out->phases;
    double held = 0.5 * square(c->now.F.n) / c->k;
    c->now.u.n = 0;
    record(c, CAROM_EVENT_COMPRESSION_END);
    ph->p_compression = c->impulse * c->now.p.n;
    ph->work_compression = -c->energy * held;
    c->loss = (1 - c->e) * (1 + c->e) * held;
    c->k /= square(c->e);
    c->d /= c->e;
    c->restitution = true;
}

static void close_ledger(compliant *c, bool ended)
{
    carom_phases *ph = &c->out->phases;
    if (!ended) {
        c->beyond.at = compliant_state(c, &c->now);
        c->last = &c->beyond.at;
    }
    const carom_state *last = c->last;
    c->out->p = last->p;
    c->out->u_after = last->u;
    if (!c->restitution && ph->p_compression == 0) {
        ph->p_compression = last->p.n;
        ph->work_compression = last->work_normal;
    }
    ph->p_restitution = last->p.n - ph->p_compression;
    double back = square(c->e) * -ph->work_compression - last->stored.n;
    ph->work_restitution = c->restitution ? back : 0;
    ph->work_friction = last->work_friction;
}

static ending stretch(compliant *c)
{
    if (c->planar || c->mu == 0)
        return c->slipping ? straight_slip(c) : planar_stick(c);
    return c->slipping ? spatial_slip(c) : spatial_stick(c);
}

/* The part of the force h that p needs to come into the friction cone: the positive root of |p_t + x h_t| = mu (p_n + x
 * h_n). */
static double into_cone(double mu, carom_cvec p, carom_cvec h)
{
    double outside = square(p.t1) + square(p.t2) - square(mu * p.n);
    if (outside <= 0 && p.n >= 0)
        return 0;
    double inside = square(mu * h.n) - square(h.t1) - square(h.t2);
    double half = mu * mu * p.n * h.n - p.t1 * h.t1 - p.t2 * h.t2;
    return inside > 0 && h.n > 0 ? (sqrt(fmax(0, square(half) + inside * outside)) - half) / inside : 0;
}

/* A singular K lets the springs hold each other: a force inside the cone that moves nothing, about which the contact
 * swings for ever. The swing would die out, so the impact ends at rest: p = -K^+ u0, the least impulse that stops all
 * motion, and as much of the holding force as brings it into the cone. */
static void wedge(compliant *c)
{
    spot *a = &c->now;
    double value[3];
    carom_cvec axis[3], p = {0, 0, 0}, hold = {0, 0, 0}, zero = {0, 0, 0};
    carom_cvec x = carom_cvec_make(a->F.t1, a->F.t2, a->F.n / c->k);
    csym_eigen(&c->K, value, axis);
    for (int i = 0; i < 3; i++) {
        carom_cvec v = axis[i];
        if (value[i] > SINGULAR_TOL * value[2])
            p = carom_cvec_sub(p, carom_cvec_scale(carom_cvec_dot(v, c->u0) / value[i], v));
        else
            hold = carom_cvec_add(hold, carom_cvec_scale(carom_cvec_dot(v, x), v)); /* x . v keeps still */
    }
    a->p = carom_cvec_add(p, carom_cvec_scale(into_cone(c->mu, p, hold), hold));
    a->u = carom_cvec_add(c->u0, carom_csym_apply(c->K, a->p));
    a->F = zero;
    c->out->flags |= CAROM_FLAG_JAM;
    record(c, CAROM_EVENT_END);
}

/* More changes of mode than any impact that ends has when K is singular. */
static bool is_wedged(const compliant *c)
{
    return c->switches == WEDGE_SWITCHES && c->restitution && compliant_singular(&c->K);
}

static carom_status walk(compliant *c)
{
    for (int i = 0; i < COMPLIANT_EVENTS; i++) {
        ending how = is_wedged(c) ? ENDS_WEDGED : stretch(c);
        if (how == ENDS_NOT)
            return CAROM_STATUS_STEP_LIMIT;
        if (how == ENDS_WEDGED) {
            wedge(c);
            return CAROM_STATUS_OK;
        }
        c->switches += how == ENDS_SWITCH;
        if (how == ENDS_SWITCH && c->slipping)
            to_stick(c);
        else if (how == ENDS_SWITCH)
            to_slip(c);
        else if (how == ENDS_COMPRESSION)
            to_restitution(c);
        if (how == ENDS_IMPACT || (how == ENDS_COMPRESSION && c->e == 0)) {
            record(c, CAROM_EVENT_END);
            return CAROM_STATUS_OK;
        }
    }
    return CAROM_STATUS_EVENT_LIMIT;
}

/* u_n = 0: without jam the limit is no impulse at all. */
static bool stays_grazing(const compliant *c)
{
    if (c->u0.n != 0)
        return false;
    double pull = (c->K.t1n * c->u0.t1 + c->K.t2n * c->u0.t2) / carom_cvec_slip(c->u0);
    return c->K.nn - c->mu * pull >= -FALLS_EQUAL * c->K.nn;
}

carom_status compliant_walk(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                            carom_outcome *out, int *switches)
{
    compliant c;
    c.mu = rule->coeffs.mu > FRICTIONLESS ? rule->coeffs.mu : 0;
    c.e = rule->coeffs.e > PLASTIC ? rule->coeffs.e : 0;
    c.d = rule->coeffs.eta;
    c.k = square(c.d); /* (6) */
    c.restitution = false;
    c.loss = 0;
    c.steps = c.switches = *switches = 0;
    c.tracer = tracer;
    c.out = out;
    carom_problem scaled = scale(problem, &c);
    find_plane(&scaled, &c);
    out->u_after = problem->u;
    if (stays_grazing(&c))
        return CAROM_STATUS_OK;
    begin(&c);
    carom_status status = walk(&c);
    close_ledger(&c, status == CAROM_STATUS_OK);
    *switches = c.switches;
    return status;
}
