/* What a law can reach: the image of a square of coefficients in the plane of impulses, traced along its border. */
#include <stddef.h>

#include "carom/assert.h"
#include "carom/geometry.h"
#include "carom/solve.h"
#include "core/num.h"

#define INSIDE_TOL 1e-9 /* of the size of the image: how far outside the traced polygon a point counts as outside */

carom_sweep2 carom_sweep2_of(const carom_rule *rule)
{
    bool signed_e = rule->law->traits & CAROM_TRAIT_SIGNED_E;
    double mu = rule->coeffs.mu;
    carom_sweep2 s = {{CAROM_COEFF_e, CAROM_COEFF_COUNT}, {signed_e ? -1 : 0, 0}, {1, 0}};
    const carom_sweep2 others[] = {
        {{CAROM_COEFF_e, CAROM_COEFF_e_t}, {s.from[0], -1}, {1, 1}},
        {{CAROM_COEFF_e, CAROM_COEFF_ratio_1}, {s.from[0], -mu}, {1, mu}},
        {{CAROM_COEFF_e, CAROM_COEFF_nu}, {s.from[0], 0}, {1, 1}},
        {{CAROM_COEFF_e, CAROM_COEFF_turn}, {s.from[0], 0}, {1, 3.141592653589793}},
        {{CAROM_COEFF_e, CAROM_COEFF_mu}, {s.from[0], 0}, {1, mu}},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (rule->law->uses >> others[i].coeff[1] & 1)
            return others[i];
    return s;
}

/* The impulse at (x, y) of the unit square; false when the law refuses. */
static bool impulse_at(const carom_problem *problem, const carom_rule *rule, const carom_sweep2 *sweep,
                       const double at[2], carom_cvec *p)
{
    carom_rule here = *rule;
    carom_outcome out;
    for (int i = 0; i < 2; i++)
        if (sweep->coeff[i] < CAROM_COEFF_COUNT)
            carom_coeffs_set(&here.coeffs, sweep->coeff[i], (1 - at[i]) * sweep->from[i] + at[i] * sweep->to[i]);
    if (here.coeffs.mu_s >= 0)
        here.coeffs.mu_s = max(here.coeffs.mu_s, here.coeffs.mu);
    carom_status status = carom_solve(problem, &here, NULL, &out);
    *p = out.p;
    return carom_status_is_answer(status);
}

/* The border of the unit square, once round, at 4 times arc length. */
static void border_at(double s, double at[2])
{
    int side = s < 1 ? 0 : s < 2 ? 1 : s < 3 ? 2 : 3;
    double x = s - side, corner[4][2] = {{x, 0}, {1, x}, {1 - x, 1}, {0, 1 - x}};
    at[0] = corner[side][0];
    at[1] = corner[side][1];
}

/* Distance from q to the segment a, b. */
static double segment_distance(carom_cvec q, carom_cvec a, carom_cvec b)
{
    carom_cvec d = carom_cvec_sub(b, a), v = carom_cvec_sub(q, a);
    double length = carom_cvec_dot(d, d), s = length > 0 ? clamp(carom_cvec_dot(v, d) / length, 0, 1) : 0;
    carom_cvec gap = carom_cvec_sub(v, carom_cvec_scale(s, d));
    return sqrt(carom_cvec_dot(gap, gap));
}

/* Inside the closed polygon by crossing number, or nearer to it than tol. */
static bool is_held(const carom_cvec *points, int count, carom_cvec q, double tol)
{
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        carom_cvec a = points[i], b = points[j];
        if (segment_distance(q, a, b) <= tol)
            return true;
        bool crosses = (a.n > q.n) != (b.n > q.n);
        if (crosses && q.t1 < a.t1 + (b.t1 - a.t1) * (q.n - a.n) / (b.n - a.n))
            inside = !inside;
    }
    return inside;
}

/* The longest step of the polygon: an arc between two points bulges by less. */
static double tolerance(const carom_cvec *points, int count)
{
    double size = 0, step = 0;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        carom_cvec d = carom_cvec_sub(points[i], points[j]);
        size = max(size, sqrt(carom_cvec_dot(points[i], points[i])));
        step = max(step, sqrt(carom_cvec_dot(d, d)));
    }
    return max(INSIDE_TOL * size, 0.5 * step);
}

carom_status carom_reach_trace(const carom_problem *problem, const carom_rule *rule, const carom_sweep2 *sweep, int n,
                               carom_cvec *points, carom_reach *reach)
{
    CAROM_ASSERT(problem && rule && sweep && points && reach && n > 0);
    reach->count = reach->outside = 0;
    carom_status status = carom_rule_check(rule, NULL);
    if (status)
        return status;
    double at[2];
    for (int i = 0; i < 4 * n; i++) {
        border_at((double)i / n, at);
        reach->count += impulse_at(problem, rule, sweep, at, &points[reach->count]);
    }
    double tol = tolerance(points, reach->count);
    for (int i = 0; i < n * n && reach->count > 0; i++) {
        carom_cvec p;
        at[0] = (i % n + 0.5) / n;
        at[1] = (i / n + 0.5) / n;
        if (impulse_at(problem, rule, sweep, at, &p))
            reach->outside += !is_held(points, reach->count, p, tol);
    }
    return reach->count > 0 ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_SCOPE;
}
