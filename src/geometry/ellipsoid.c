/* The energy ellipsoid, the friction cone and the plane of maximum compression: values and distances.
 *
 * In the axes of K the change of energy is a sum, f(p) = sum u_i p_i + k_i p_i^2 / 2, and the point q of the surface
 * nearest to p obeys p - q = lambda grad f(q), hence
 *
 *     r_i := u_i + k_i q_i = (u_i + k_i p_i) / (1 + lambda k_i),     f(q(lambda)) = 0.                              (1)
 *
 * With t = 1 + lambda k_max the left side of (1) falls and is convex for t > 0: Newton from the left cannot overshoot.
 */
#include "carom/elementary.h"
#include "carom/geometry.h"
#include "core/psd.h"

#define IN_RANGE_TOL (64 * EPS) /* of |u|: a part along a direction that K does not move, explained by rounding */
#define FOOT_TOL     (4 * EPS)  /* of t: Newton has converged */

enum { FOOT_STEPS = 200 }; /* far outside, every step brings t closer by a third at least */

double carom_energy_at(const carom_problem *problem, carom_cvec p)
{
    carom_cvec mid = carom_cvec_add(problem->u, carom_cvec_scale(0.5, carom_csym_apply(problem->K, p)));
    return carom_cvec_dot(p, mid);
}

carom_status carom_ivanov_eta(const carom_problem *problem, carom_cvec p, double *eta)
{
    double toward = carom_cvec_dot(p, problem->u);
    *eta = 0;
    if (!(toward < 0))
        return CAROM_STATUS_OUT_OF_SCOPE;
    *eta = -carom_cvec_dot(p, carom_csym_apply(problem->K, p)) / toward - 1;
    return CAROM_STATUS_OK;
}

carom_status carom_ellipsoid_of(const carom_problem *problem, carom_ellipsoid *ellipsoid)
{
    static const carom_ellipsoid nothing;
    double k[3], twice_energy = 0, size = sqrt(carom_cvec_dot(problem->u, problem->u));
    carom_cvec axis[3];
    bool reachable = true;
    *ellipsoid = nothing;
    csym_eigen(&problem->K, k, axis);
    for (int i = 0; i < 3; i++) {
        double part = carom_cvec_dot(axis[i], problem->u);
        if (k[i] > RANK_TOL * k[2])
            twice_energy += part * part / k[i];
        else
            reachable = reachable && fabs(part) <= IN_RANGE_TOL * size;
    }
    if (!reachable || !(k[2] > 0))
        return CAROM_STATUS_OUT_OF_SCOPE;
    for (int i = 0; i < 3; i++) {
        int from = 2 - i; /* the largest k has the smallest radius */
        bool moves = k[from] > RANK_TOL * k[2];
        ellipsoid->axis[i] = axis[from];
        ellipsoid->radius[i] = moves ? sqrt(twice_energy / k[from]) : CAROM_UNBOUNDED;
        ellipsoid->rank += moves;
    }
    ellipsoid->centre = carom_cvec_scale(-1, psd_solve(&problem->K, problem->u));
    return CAROM_STATUS_OK;
}

/* The problem and a point in the axes of K. */
typedef struct axes_view {
    double k[3], u[3], p[3];
} axes_view;

static axes_view view_along_axes(const carom_problem *problem, carom_cvec p)
{
    axes_view v;
    carom_cvec axis[3];
    csym_eigen(&problem->K, v.k, axis);
    for (int i = 0; i < 3; i++) {
        v.k[i] = v.k[i] > RANK_TOL * v.k[2] ? v.k[i] : 0;
        v.u[i] = carom_cvec_dot(axis[i], problem->u);
        v.p[i] = carom_cvec_dot(axis[i], p);
    }
    return v;
}

/* f(q(t)), its slope, and |r(t)|. A vanishing r_i stays zero even where its denominator vanishes. */
static double foot_value(const axes_view *v, double t, double *slope, double *length)
{
    double value = 0, top = v->k[2], squares = 0;
    *slope = 0;
    for (int i = 0; i < 3; i++) {
        double share = v->k[i] / top, tau = (1 - share) + t * share, grad = v->u[i] + v->k[i] * v->p[i];
        double r = grad == 0 ? 0 : grad / tau;
        if (v->k[i] > 0)
            value += 0.5 * (r - v->u[i]) * (r + v->u[i]) / v->k[i];
        else
            value += v->u[i] * (v->p[i] - (t - 1) / top * v->u[i]);
        *slope -= grad == 0 ? 0 : r * r / (tau * top);
        squares += r * r;
    }
    *length = sqrt(squares);
    return value;
}

/* A t with f >= 0, left of the root: there the term of k_max alone balances all that is negative. */
static double foot_start(const axes_view *v)
{
    double depth = 0, grad = v->u[2] + v->k[2] * v->p[2];
    for (int i = 0; i < 3; i++)
        depth += v->k[i] > 0 ? 0.5 * v->u[i] * v->u[i] / v->k[i] : -v->u[i] * v->p[i];
    return depth > 0 ? fabs(grad) / sqrt(2 * v->k[2] * depth) : 1;
}

/* Distance to the surface of the ellipsoid, positive inside. */
static carom_status energy_distance(const carom_problem *problem, carom_cvec p, double *distance)
{
    axes_view v = view_along_axes(problem, p);
    double slope, length, here = foot_value(&v, 1, &slope, &length);
    double t = here > 0 ? 1 : foot_start(&v), value = foot_value(&v, t, &slope, &length);
    if (v.u[0] == 0 && v.u[1] == 0 && v.u[2] == 0) { /* nothing moves: the ellipsoid is the origin */
        *distance = -sqrt(carom_cvec_dot(p, p));
        return CAROM_STATUS_OK;
    }
    if (t == 0 && value <= 0) { /* p lies on the long axes: the foot point is off them, as far as f = 0 requires */
        *distance = carom_hypot(length / v.k[2], sqrt(-2 * value / v.k[2]));
        return CAROM_STATUS_OK;
    }
    carom_status status = CAROM_STATUS_ITERATION_LIMIT;
    for (int i = 0; i < FOOT_STEPS && status; i++) {
        double step = slope < 0 ? -value / slope : 0;
        status = step <= FOOT_TOL * t ? CAROM_STATUS_OK : status;
        t += step;
        value = foot_value(&v, t, &slope, &length);
    }
    *distance = (1 - t) / v.k[2] * length;
    return status;
}

/* |p_t| = mu p_n, positive inside; behind the apex the nearest point is the apex. */
static double cone_distance(double mu, carom_cvec p)
{
    double r = carom_cvec_slip(p), along = p.n + mu * r;
    return along >= 0 ? (mu * p.n - r) / sqrt(1 + mu * mu) : -carom_hypot(r, p.n);
}

carom_status carom_distances_at(const carom_problem *problem, double mu, carom_cvec p, carom_distances *distances)
{
    const carom_csym *K = &problem->K;
    carom_cvec normal = {K->t1n, K->t2n, K->nn};
    distances->compression = (problem->u.n + carom_cvec_dot(normal, p)) / sqrt(carom_cvec_dot(normal, normal));
    distances->cone = cone_distance(mu, p);
    return energy_distance(problem, p, &distances->energy);
}
