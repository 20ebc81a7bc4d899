/* Where an impulse lies in the accessible region: the inverse of the law region. */
#include "carom/elementary.h"
#include "carom/geometry.h"
#include "contact/impact.h"
#include "core/psd.h"
#include "laws/region.h"

#define BORDER_TOL 1e-12 /* how far beyond 0 or 1 rounding may take a coordinate of an impulse on the border */

static region_ray ray_along(const carom_problem *pb, tvec d)
{
    const minors m = minors_of(&pb->K);
    double N = m.n11 * square(d.t1) + 2 * m.n12 * d.t1 * d.t2 + m.n22 * square(d.t2);
    region_ray w = {-pb->u.n, pb->K.nn, tvec_dot(d, tangential(pb->u)), tvec_dot(d, coupling(&pb->K)), max(0, N)};
    return w;
}

static bool is_share(double x)
{
    return x >= -BORDER_TOL && x <= 1 + BORDER_TOL;
}

static double clamped(double x)
{
    return is_share(x) ? min(max(x, 0), 1) : x;
}

/* Where p_n lies between the end of compression and the return of energy; the two may be one point. */
static double along(const region_span *s, double p_n)
{
    if (s->spread > BORDER_TOL * s->s_C)
        return clamped((p_n - s->s_C) / s->spread);
    double off = p_n - s->s_C;
    return fabs(off) <= 2 * BORDER_TOL * s->s_C ? 0 : off < 0 ? -INFINITY : INFINITY;
}

carom_status carom_region_place_of(const carom_problem *problem, double mu, carom_cvec p, carom_region_place *place)
{
    static const carom_region_place nowhere;
    *place = nowhere;
    carom_status status = carom_problem_check(problem);
    if (status)
        return status;
    if (!(mu >= 0))
        return CAROM_STATUS_BAD_COEFFICIENT;
    if (problem->u.n > 0)
        return CAROM_STATUS_SEPARATING;
    if (!(p.n > 0) || !isfinite(p.n + p.t1 + p.t2))
        return CAROM_STATUS_OUT_OF_SCOPE;
    const double size = carom_cvec_slip(p), r = size / p.n;
    const tvec tau = region_axis(&problem->K, problem->u), d = size > 0 ? tvec_scale(1 / size, tangential(p)) : tau;
    const region_ray w = ray_along(problem, d);
    const double r_E = region_ratio(&w), most = min(mu < MU_MAX ? mu : INFINITY, r_E);
    const region_span s = region_span_at(&w, r, r_E);
    place->turn = size > 0 ? carom_atan2(tau.t1 * d.t2 - tau.t2 * d.t1, tvec_dot(tau, d)) : 0;
    place->share = size > 0 ? clamped(region_share_of(&w, r, most)) : 0;
    place->e = along(&s, p.n);
    if (size > 0 && !(place->share > 0)) /* nothing bounds the ratio, and nothing gives it a unit */
        return CAROM_STATUS_OUT_OF_SCOPE;
    bool inside = is_share(place->share) && is_share(place->e) && r < INFINITY;
    return inside ? CAROM_STATUS_OK : CAROM_STATUS_INADMISSIBLE;
}
