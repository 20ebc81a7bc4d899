/* The line of sticking, and the landmarks in the order in which a planar path meets them. */
#include "carom/geometry.h"
#include "geometry/tangent.h"

#define REACH_TOL (64 * EPS) /* of u_t: what K_TT cannot stop, explained by rounding */

/* |point_t + direction_t z|^2 <= mu^2 z^2 with z >= 0: an interval, because the cone is convex. */
static void line_in_cone(const carom_line *line, double mu, double range[2])
{
    tvec q = tangential(line->point), d = tangential(line->direction);
    double z0 = line->point.n;
    q.t1 -= z0 * d.t1;
    q.t2 -= z0 * d.t2; /* now p_t = q + d z */
    double A = (tvec_length(d) - mu) * (tvec_length(d) + mu), b = tvec_dot(q, d), C = tvec_dot(q, q);
    double D = b * b - A * C; /* A z^2 + 2 b z + C <= 0 */
    range[0] = 1;
    range[1] = 0;
    if (D < 0)
        return;
    double root = sqrt(D), larger_root = -b - copysign(root, b); /* A times the root away from cancellation */
    double z1 = larger_root != 0 ? C / larger_root : 0, z2 = A != 0 ? larger_root / A : CAROM_UNBOUNDED;
    double low = z1 < z2 ? z1 : z2, high = z1 < z2 ? z2 : z1;
    if (A > 0) {
        range[0] = max(low, 0);
        range[1] = high;
    } else { /* outside the roots; z >= 0 keeps the upper branch */
        range[0] = max(A == 0 ? z1 : high, 0);
        range[1] = CAROM_UNBOUNDED;
        if (A == 0 && b >= 0 && C > 0)
            range[0] = 1, range[1] = 0;
    }
}

carom_status carom_sticking_of(const carom_problem *problem, double mu, carom_sticking *sticking)
{
    static const carom_sticking nothing;
    *sticking = nothing;
    const carom_csym *K = &problem->K;
    if (!is_tangent_regular(K))
        return CAROM_STATUS_OUT_OF_SCOPE;
    tvec a = tangent_solve(K, coupling(K)), stop = tangent_solve(K, tangential(problem->u));
    tvec left = tangential(problem->u);
    if (K->t22 == 0 && fabs(left.t2) > REACH_TOL * fabs(left.t1))
        return CAROM_STATUS_OUT_OF_SCOPE;
    double kappa = K->nn - tvec_dot(coupling(K), a); /* du_n / dp_n along the line */
    sticking->line.point = carom_cvec_make(-stop.t1, -stop.t2, 0);
    sticking->line.direction = carom_cvec_make(-a.t1, -a.t2, 1);
    sticking->is_within_cone = tvec_length(a) <= mu;
    line_in_cone(&sticking->line, mu, sticking->cone);
    double u_n = problem->u.n - tvec_dot(coupling(K), stop);
    if (kappa <= RANK_TOL * K->nn) {
        sticking->centre = 0;
        sticking->energy[0] = -CAROM_UNBOUNDED;
        sticking->energy[1] = CAROM_UNBOUNDED;
        return CAROM_STATUS_OK;
    }
    double half = sqrt(2 * carom_problem_energy(problem) / kappa);
    sticking->centre = -u_n / kappa;
    sticking->energy[0] = sticking->centre - half;
    sticking->energy[1] = sticking->centre + half;
    return CAROM_STATUS_OK;
}

/* One straight stretch of the path: p = from + d z for 0 <= z <= length. */
typedef struct stretch {
    carom_cvec from, d;
    double length; /* INFINITY when nothing ends it */
} stretch;

static carom_cvec along(const stretch *s, double z)
{
    return carom_cvec_add(s->from, carom_cvec_scale(z, s->d));
}

/* Crossing of u_n = 0 upward, or -1. */
static double crossing(const carom_problem *pb, const stretch *s)
{
    carom_cvec Kp = carom_csym_apply(pb->K, s->from), Kd = carom_csym_apply(pb->K, s->d);
    double u_n = pb->u.n + Kp.n;
    double z = Kd.n > 0 && u_n <= 0 ? -u_n / Kd.n : -1;
    return z <= s->length ? z : -1;
}

/* Where the stretch leaves the ellipse: the larger root of E + e z + k z^2 / 2 = 0, E <= 0; or -1. */
static double leaving(const carom_problem *pb, const stretch *s)
{
    double E = carom_energy_at(pb, s->from), k = carom_cvec_dot(s->d, carom_csym_apply(pb->K, s->d));
    carom_cvec u = carom_cvec_add(pb->u, carom_csym_apply(pb->K, s->from));
    double e = carom_cvec_dot(s->d, u), root = sqrt(max(0, e * e - 2 * k * E));
    double z = e > 0 ? -2 * E / (e + root) : k > 0 ? (root - e) / k : INFINITY;
    return z <= s->length && z < INFINITY ? z : -1;
}

typedef struct marker {
    const carom_problem *problem;
    carom_mark *marks;
    int count;
    bool compressed;
} marker;

static void mark(marker *m, carom_mark_kind kind, carom_cvec p)
{
    carom_mark here = {kind, p};
    m->marks[m->count++] = here;
}

/* Landmarks on one stretch; true when the path ends there. */
static bool follow(marker *m, const stretch *s)
{
    double up = m->compressed ? -1 : crossing(m->problem, s), out = leaving(m->problem, s);
    if (up >= 0 && (out < 0 || up <= out)) {
        mark(m, CAROM_MARK_COMPRESSION, along(s, up));
        m->compressed = true;
    }
    if (out > 0)
        mark(m, CAROM_MARK_ENERGY, along(s, out));
    return out > 0;
}

/* After sticking: along the line if the cone allows it, else slip leaves on the side that the coupling pulls to. */
static stretch after_sticking(const carom_csym *K, double mu, carom_cvec from)
{
    double ratio = -K->t1n / K->t11;
    double kept = fabs(ratio) <= mu ? ratio : copysign(mu, ratio);
    stretch s = {from, {kept, 0, 1}, INFINITY};
    return s;
}

int carom_marks_along(const carom_problem *problem, double mu, carom_mark marks[CAROM_MARKS])
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u;
    marker m = {problem, marks, 0, false};
    if (K->t22 != 0 || K->t2n != 0 || u.t2 != 0 || !(u.n < 0) || !(K->t11 > 0))
        return 0;
    double sign = u.t1 > 0 ? 1 : -1, turn = K->t1n - sign * mu * K->t11; /* du_t / dp_n while sliding */
    stretch slide = {{0, 0, 0}, {-sign * mu, 0, 1}, INFINITY};
    if (u.t1 == 0)
        slide.length = 0;
    else if (sign * turn < 0)
        slide.length = -u.t1 / turn;
    if (slide.length > 0 && follow(&m, &slide))
        return m.count;
    if (slide.length < INFINITY) {
        mark(&m, CAROM_MARK_STICKING, along(&slide, slide.length));
        stretch rest = after_sticking(K, mu, along(&slide, slide.length));
        follow(&m, &rest);
    }
    return m.count;
}
