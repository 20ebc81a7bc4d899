/* The gap along an axis N(s), held in the world or carried by the bodies,
 *
 *     phi(s) = N.d - h_A(-N) - h_B(N) - margin |N|,
 *
 * is the smallest of the functions f = N.(d + r_A - r_B), r fixed in the bodies, whose second derivatives are at most
 *
 *     C = N_2 (D + r_A + r_B) + 2 N_1 (V + W_A r_A + W_B r_B) + N_0 (accelerations)                            (1)
 *
 * with bounds N_k on the derivatives of N, D and V on d and its rate. Where phi is positive at both ends of a step h,
 * each f lies above the parabola through these values with the second derivative C, and phi is positive in between if
 *
 *     C h^2 / 2 <= (sqrt(phi_0) + sqrt(phi_1))^2.                                                               (2)
 *
 * Such steps need no distance, only poses and supports, and they end at the root of phi: where a face or two edges
 * carry the axis, that is the impact. docs/theory/motion.md, 3. */
#include "sim/detect/meeting.h"
#include "sim/detect/polynomial_gap.h"
#include "sim/shape/feature.h"

#define EDGES_CROSS 0.05 /* sine: edges nearer to parallel do not */

#define HOLD_SHARE 0.5 /* of the step of an axis at rest that one of a turning axis may be short of */

enum { FOLLOW_STEPS = 24 };

typedef enum carrier { CARRIER_NONE, CARRIER_A, CARRIER_B, CARRIER_EDGES, CARRIER_DRIFT } carrier;

typedef struct carried {
    carrier by;
    carom_vec3 n, rate;    /* N and its derivative at s = 0 */
    carom_vec3 in_a, in_b; /* the axis in the body that carries it; the edges in theirs */
    double t0, C;
} carried;

/* ---- the axis ---- */

static bool carry_by_edges(const meeting *m, carom_vec3 a, carom_vec3 b, carried *c)
{
    carom_vec3 cross = carom_vec3_cross(a, b);
    if (!(carom_vec3_length(cross) > EDGES_CROSS))
        return false;
    a = carom_vec3_scale(carom_vec3_dot(cross, m->n) < 0 ? -1 : 1, a);
    c->n = carom_vec3_cross(a, b);
    c->rate = carom_vec3_add(carom_vec3_cross(carom_vec3_cross(m->wa, a), b),
                             carom_vec3_cross(a, carom_vec3_cross(m->wb, b)));
    c->in_a = to_piece(&m->a, a);
    c->in_b = to_piece(&m->b, b);
    c->by = CARRIER_EDGES;
    return true;
}

/* The features that the axis stands on carry it. */
static carried carry(const meeting *m, carom_vec3 drift)
{
    carried c = {.by = CARRIER_NONE, .n = m->n};
    if (m->plane)
        return c;
    /* features that carry the axis */
    feature a = feature_of(&m->a, carom_vec3_scale(-1, m->n), VISIBLE), b = feature_of(&m->b, m->n, VISIBLE);
    if (b.edges == 2) {
        c.by = CARRIER_B;
        c.rate = carom_vec3_cross(m->wb, m->n);
        c.in_b = to_piece(&m->b, m->n);
    } else if (a.edges == 2) {
        c.by = CARRIER_A;
        c.rate = carom_vec3_cross(m->wa, m->n);
        c.in_a = to_piece(&m->a, m->n);
    } else if (a.edges != 1 || b.edges != 1 || m->margin > 0 || !carry_by_edges(m, a.edge[0], b.edge[0], &c)) {
        c.by = CARRIER_DRIFT;
        c.rate = drift;
    }
    return c;
}

static carom_vec3 axis_at(const carried *c, const placed *a, const placed *b, double t)
{
    switch (c->by) {
    case CARRIER_A:
        return from_piece(a, c->in_a);
    case CARRIER_B:
        return from_piece(b, c->in_b);
    case CARRIER_EDGES:
        return carom_vec3_cross(from_piece(a, c->in_a), from_piece(b, c->in_b));
    case CARRIER_DRIFT:
        return vec_plus(c->n, t - c->t0, c->rate);
    default:
        return c->n;
    }
}

/* (1), for a time h. */
static double curvature(const pieces_pair *p, const meeting *m, const carried *c, double h)
{
    double A = p->bound_a, B = m->plane ? 0 : p->bound_b, W_A = sqrt(A), W_B = sqrt(B), g = carom_vec3_length(m->g);
    double r_A = lever(p->a), r_B = m->plane ? 0 : lever(p->b), pull = g + m->bound - A * r_A - B * r_B;
    double V = carom_vec3_length(m->w) + pull * h, D = carom_vec3_length(m->d) + V * h, turn;
    switch (c->by) {
    case CARRIER_A:
        return A * (D + r_B) + 2 * W_A * (V + W_B * r_B) + pull + B * r_B;
    case CARRIER_B:
        return B * (D + r_A) + 2 * W_B * (V + W_A * r_A) + pull + A * r_A;
    case CARRIER_EDGES:
        return (A + B + 2 * W_A * W_B) * (D + r_A + r_B) + 2 * (W_A + W_B) * (V + W_A * r_A + W_B * r_B) + g + m->bound;
    case CARRIER_DRIFT:
        turn = carom_vec3_length(c->rate);
        return 2 * turn * (V + W_A * r_A + W_B * r_B) + (1 + turn * h) * (g + m->bound);
    default:
        return m->bound + (carom_vec3_dot(c->n, m->g) > 0 ? carom_vec3_dot(c->n, m->g) : 0);
    }
}

static double turn_rate(const pieces_pair *p, const carried *c)
{
    double W_A = sqrt(p->bound_a), W_B = sqrt(p->bound_b);
    switch (c->by) {
    case CARRIER_A:
        return W_A;
    case CARRIER_B:
        return W_B;
    case CARRIER_EDGES:
        return W_A + W_B;
    case CARRIER_DRIFT:
        return carom_vec3_length(c->rate);
    default:
        return 0;
    }
}

/* ---- the gap along it ---- */

static double phi_of(const pieces_pair *p, const carried *c, const meeting *m, double t, carom_vec3 *n)
{
    *n = axis_at(c, &m->a, &m->b, t);
    carom_vec3 low = support(&m->a, carom_vec3_scale(-1, *n)), high = m->plane ? m->xb : support(&m->b, *n);
    double margin = p->a->margin + (m->plane ? p->b->size[0] : p->b->margin);
    double size = c->by == CARRIER_DRIFT || c->by == CARRIER_EDGES ? carom_vec3_length(*n) : 1;
    return carom_vec3_dot(*n, carom_vec3_sub(low, high)) - margin * size;
}

static double phi_at(const pieces_pair *p, const carried *c, double t, carom_vec3 *n)
{
    meeting m;
    snap a = place_at(p->sim, p->i, t);
    m.plane = p->b->kind == CORE_HALF_SPACE;
    m.a = place_piece(p->sim, p->a, &a);
    if (p->points)
        m.a.points = p->points;
    if (m.plane) {
        m.xb = mover_position(mover_of(p->sim, p->j), t);
    } else {
        snap b = place_at(p->sim, p->j, t);
        m.b = place_piece(p->sim, p->b, &b);
    }
    return phi_of(p, c, &m, t, n);
}

/* Its derivative at the meeting. */
static double phi_rate(const meeting *m, const carried *c)
{
    carom_vec3 back = carom_vec3_scale(-1, c->n), none = {0, 0, 0};
    carom_vec3 ra = carom_vec3_sub(support(&m->a, back), m->xa);
    carom_vec3 rb = m->plane ? none : carom_vec3_sub(support(&m->b, c->n), m->xb);
    carom_vec3 v = carom_vec3_add(m->w, carom_vec3_sub(carom_vec3_cross(m->wa, ra), carom_vec3_cross(m->wb, rb)));
    return carom_vec3_dot(c->n, v) + carom_vec3_dot(c->rate, carom_vec3_add(m->d, carom_vec3_sub(ra, rb)));
}

/* The root of phi that its values let expect. */
typedef struct outset {
    double phi, slope, pull; /* here: the last is that of constant accelerations, or zero */
    double to_hi, phi_hi;    /* a place further on where phi is negative, or infinite */
} outset;

/* The next step to try; none with an infinite one. */
static double step_to_try(const outset *o, double C)
{
    if (o->to_hi < INFINITY)
        return o->to_hi * (o->phi / (o->phi - o->phi_hi));
    double to_root = fall_quadratic(o->phi, o->slope, o->pull), safe = sqrt(2 * o->phi / C);
    return to_root <= safe ? to_root : min(to_root, 2 * safe);
}

/* How far an axis is followed. */
static double horizon(const pieces_pair *p, const carried *c, double cap)
{
    double turn = turn_rate(p, c);
    return turn > 0 ? min(cap, AXIS_TURN / turn) : cap;
}

/* A turning axis that promises much less than one at rest is held. */
static void hold_if_better(const pieces_pair *p, const meeting *m, double cap, carried *c)
{
    carried held = {.by = CARRIER_NONE, .n = m->n};
    double h = horizon(p, c, cap), slope = phi_rate(m, &held);
    double turning = min(h, fall_quadratic(m->gap, phi_rate(m, c), -curvature(p, m, c, h)));
    double still = min(cap, fall_quadratic(m->gap, slope, -curvature(p, m, &held, cap)));
    if (turning < HOLD_SHARE * still)
        *c = held;
}

/* From a place where phi is positive towards its root, at most as far as h: how far it is positive for certain. */
static double follow(const pieces_pair *p, const carried *c, outset o, double h, carom_vec3 *n)
{
    double s = 0, t = c->t0, rounding = 4 * EPS * p->a->reach;
    carom_vec3 there;
    for (int k = 0; k < FOLLOW_STEPS && s < h && o.phi > rounding; k++) {
        double step = min(step_to_try(&o, c->C), h - s);
        if (!(t + s + step > t + s && step < INFINITY))
            break;
        double next = phi_at(p, c, t + s + step, &there);
        if (!(next >= 0)) {
            o.to_hi = step, o.phi_hi = next;
            continue;
        }
        if (!(0.5 * c->C * step * step <= square(sqrt(o.phi) + sqrt(next)))) { /* (2) */
            o.slope = -sqrt(0.5 * o.phi * c->C);
            o.to_hi = INFINITY;
            continue;
        }
        o.slope = (next - o.phi) / step;
        o.pull = 0;
        o.phi_hi *= 0.5; /* Illinois */
        o.to_hi -= step;
        o.phi = next;
        s += step;
        *n = there;
    }
    return s;
}

double follow_axis(const pieces_pair *p, const meeting *m, double t, double cap, carom_vec3 *n)
{
    carried c = carry(m, *n);
    if (c.by == CARRIER_DRIFT)
        hold_if_better(p, m, cap, &c);
    double h = horizon(p, &c, cap);
    c.t0 = t;
    c.C = curvature(p, m, &c, h);
    outset o = {.slope = phi_rate(m, &c), .pull = carom_vec3_dot(c.n, m->g), .to_hi = INFINITY};
    o.phi = phi_of(p, &c, m, t, n);
    double s = follow(p, &c, o, h, n);
    *n = carom_vec3_scale(1 / carom_vec3_length(*n), *n);
    return s;
}
