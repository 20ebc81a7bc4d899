/* The accessible region of a planar problem, exactly.
 *
 * Along a direction d = (sin a, cos a) of the impulse, p = s d, the region reaches
 *
 *     from  s_C = -u_n / (K d)_n              the line of maximum compression                                       (1)
 *     to    s_E = -2 d.u / (d K d)            the energy ellipse, which passes through the origin                   (2)
 *
 * The directions with s_C <= s_E form one interval, because the region is convex and the line of maximum compression,
 *
 *     p = P1 + x w,   P1 = (0, v_n / K_nn),   w = (1, -k / K_nn),
 *
 * is a chord of the ellipse with ends B x^2 + 2 a x = u_n^2 / K_nn, where a = u_t - k u_n / K_nn and B = K_tt - k^2 /
 * K_nn. It always contains x = 0. Cutting the interval of directions at the cone leaves at most four edges. A singular
 * K has B = 0: the ellipse is a strip (a = 0) or a parabola, and an end of the chord may lie at infinity, in the
 * direction w. */
#include "carom/elementary.h"
#include "carom/geometry.h"
#include "core/psd.h"

#define STRIP_TOL (64 * EPS) /* of the terms of a: u lies in the range of a singular K, to rounding */

/* An end of the chord of maximum compression. */
typedef struct chord_end {
    carom_corner corner;
    double angle; /* of the impulse there */
} chord_end;

/* B and a of the chord; both are exactly zero for a strip. */
typedef struct chord {
    double B, a, c, lean; /* c = u_n^2 / K_nn, lean = -k / K_nn */
} chord;

static chord chord_of(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    const minors m = minors_of(K);
    double terms = K->nn * fabs(pb->u.t1) + fabs(K->t1n * pb->u.n);
    double a = difference_of_products(K->nn, pb->u.t1, K->t1n, pb->u.n);
    bool flat = !has_planar_rank(K, &m, RANK_TOL);
    chord c = {flat ? 0 : m.n11 / K->nn, a / K->nn, pb->u.n * pb->u.n / K->nn, -K->t1n / K->nn};
    if (flat && fabs(a) <= STRIP_TOL * terms)
        c.a = 0;
    return c;
}

/* The end of the chord with x of this sign. */
static double chord_x(const chord *c, double sign)
{
    double a = sign * c->a, D = sqrt(a * a + c->B * c->c);
    double x = a > 0 ? c->c / (a + D) : c->B > 0 ? (D - a) / c->B : INFINITY;
    return sign * x;
}

static chord_end end_of_chord(const carom_problem *pb, const chord *c, double sign)
{
    double x = chord_x(c, sign);
    chord_end end;
    if (isinf(x)) {
        double length = carom_hypot(1, c->lean);
        end.corner.p = carom_cvec_make(sign / length, 0, sign * c->lean / length);
        end.corner.at_infinity = true;
    } else {
        end.corner.p = carom_cvec_make(x, 0, -pb->u.n / pb->K.nn + x * c->lean);
        end.corner.at_infinity = false;
    }
    end.angle = carom_atan2(end.corner.p.t1, end.corner.p.n);
    if (end.corner.p.t1 == 0 && end.corner.p.n == 0) /* grazing: the limit of u_n -> 0 */
        end.angle = 0;
    return end;
}

/* Where the edge of the cone on this side meets the line of maximum compression and the ellipse. */
static carom_cvec cone_point(double p_n, double mu, double sign)
{
    return carom_cvec_make(sign * mu * p_n, 0, p_n);
}

static carom_cvec cone_at_compression(const carom_problem *pb, double mu, double sign)
{
    double rise = pb->K.nn + sign * mu * pb->K.t1n;
    return cone_point(pb->u.n < 0 ? -pb->u.n / rise : 0, mu, sign);
}

static carom_cvec cone_at_energy(const carom_problem *pb, double mu, double sign)
{
    carom_cvec d = {sign * mu, 0, 1};
    double form = carom_cvec_dot(d, carom_csym_apply(pb->K, d)), toward = carom_cvec_dot(d, pb->u);
    return cone_point(form > 0 && toward < 0 ? -2 * toward / form : 0, mu, sign);
}

/* One side of the region: where compression ends and where energy begins, a cone edge between them unless they meet. */
typedef struct side {
    bool on_cone;
    double angle;
    carom_corner low, high;
} side;

static side side_of(const carom_problem *pb, const chord *c, double mu, double sign)
{
    chord_end end = end_of_chord(pb, c, sign);
    double edge = carom_atan(mu);
    side s = {false, end.angle, end.corner, end.corner};
    if (sign * end.angle <= edge)
        return s;
    s.on_cone = true;
    s.angle = sign * edge;
    s.low.p = cone_at_compression(pb, mu, sign);
    s.high.p = cone_at_energy(pb, mu, sign);
    s.low.at_infinity = s.high.at_infinity = false;
    return s;
}

static void add_edge(carom_region *region, carom_edge_kind kind, carom_corner from, carom_corner to)
{
    carom_edge *edge = &region->edges[region->count++];
    edge->kind = kind;
    edge->is_straight = kind != CAROM_EDGE_ENERGY;
    edge->from = from;
    edge->to = to;
    region->bounded = region->bounded && !from.at_infinity && !to.at_infinity;
}

/* The problem has no t2 and approaches or grazes. */
static void outline(carom_region *region)
{
    const carom_problem *pb = &region->problem;
    chord c = chord_of(pb);
    side minus = side_of(pb, &c, region->mu, -1), plus = side_of(pb, &c, region->mu, 1);
    region->angle[0] = minus.angle;
    region->angle[1] = plus.angle;
    region->bounded = true;
    add_edge(region, CAROM_EDGE_COMPRESSION, minus.low, plus.low);
    if (plus.on_cone)
        add_edge(region, CAROM_EDGE_CONE_PLUS, plus.low, plus.high);
    add_edge(region, CAROM_EDGE_ENERGY, plus.high, minus.high);
    region->edges[region->count - 1].is_straight = c.B == 0 && c.a == 0;
    if (minus.on_cone)
        add_edge(region, CAROM_EDGE_CONE_MINUS, minus.high, minus.low);
}

carom_status carom_region_slice(const carom_problem *problem, double mu, carom_direction d, carom_region *region)
{
    static const carom_region nothing;
    *region = nothing;
    carom_status status = carom_problem_check(problem);
    if (status)
        return status;
    if (!(mu >= 0 && mu < INFINITY))
        return CAROM_STATUS_BAD_COEFFICIENT;
    carom_problem turned = carom_problem_turned(problem, d);
    turned.K.t12 = turned.K.t22 = turned.K.t2n = turned.u.t2 = 0;
    region->problem = turned;
    region->mu = mu;
    if (turned.u.n > 0)
        return CAROM_STATUS_SEPARATING;
    outline(region);
    return CAROM_STATUS_OK;
}

carom_status carom_region_of(const carom_problem *problem, double mu, carom_region *region)
{
    static const carom_region nothing;
    carom_direction plane = {1, 0};
    *region = nothing;
    bool as_given = problem->K.t12 == 0 && problem->K.t22 == 0 && problem->K.t2n == 0 && problem->u.t2 == 0;
    carom_status status = as_given ? CAROM_STATUS_OK : carom_problem_plane(problem, &plane);
    return status ? status : carom_region_slice(problem, mu, plane, region);
}

/* Equation (2) along the direction d, of any length. */
static carom_cvec energy_point(const carom_problem *pb, carom_cvec d)
{
    double form = carom_cvec_dot(d, carom_csym_apply(pb->K, d));
    return carom_cvec_scale(form > 0 ? -2 * carom_cvec_dot(d, pb->u) / form : 0, d);
}

bool carom_region_contains(const carom_region *region, carom_cvec p)
{
    const carom_problem *pb = &region->problem;
    carom_cvec change = carom_csym_apply(pb->K, p);
    double angle = carom_atan2(p.t1, p.n), rise = change.n,
           gain = carom_cvec_dot(p, pb->u) + 0.5 * carom_cvec_dot(p, change);
    if (region->count == 0 || (p.t1 == 0 && p.n == 0))
        return p.t1 == 0 && p.n == 0 && pb->u.n >= 0;
    bool above = rise > 0 ? -pb->u.n <= rise : rise == 0 && pb->u.n == 0, below = gain <= 0; /* (1), (2) */
    return angle >= region->angle[0] && angle <= region->angle[1] && above && below;
}

static carom_cvec mix(carom_cvec a, carom_cvec b, double s)
{
    return carom_cvec_add(carom_cvec_scale(1 - s, a), carom_cvec_scale(s, b));
}

static carom_cvec on_segment(const carom_edge *edge, double s)
{
    if (edge->to.at_infinity)
        return carom_cvec_add(edge->from.p, carom_cvec_scale(s / (1 - s), edge->to.p));
    if (edge->from.at_infinity)
        return carom_cvec_add(edge->to.p, carom_cvec_scale((1 - s) / s, edge->from.p));
    return mix(edge->from.p, edge->to.p, s);
}

/* Directions are spread evenly where the ellipse is a circle: q_n = p_n + k p_t / K_nn, q_t = p_t sqrt(B / K_nn). */
static carom_cvec on_arc(const carom_region *region, const carom_edge *edge, double s)
{
    const carom_problem *pb = &region->problem;
    chord c = chord_of(pb);
    double stretch = c.B > 0 ? sqrt(c.B / pb->K.nn) : 1, from = region->angle[1], to = region->angle[0];
    double start = carom_atan2(stretch * carom_sin(from), carom_cos(from) - c.lean * carom_sin(from));
    double stop = carom_atan2(stretch * carom_sin(to), carom_cos(to) - c.lean * carom_sin(to));
    if (s == 0 && !edge->from.at_infinity)
        return edge->from.p;
    if (s == 1 && !edge->to.at_infinity)
        return edge->to.p;
    double phi = start + s * (stop - start), d_t = carom_sin(phi) / stretch;
    return energy_point(pb, carom_cvec_make(d_t, 0, carom_cos(phi) + c.lean * d_t));
}

carom_cvec carom_edge_at(const carom_region *region, const carom_edge *edge, double s)
{
    return edge->is_straight ? on_segment(edge, s) : on_arc(region, edge, s);
}
