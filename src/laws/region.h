/* The accessible region along one direction d of friction: impulses p = s (r d, 1) with r, s >= 0.
 *
 *     lift(r) = K_nn + kappa r,   a = d . u_t,   kappa = k . d,   N = K_nn d B d
 *     s_C = v_n / lift                                    compression ends
 *     s_E = 2 K_nn (v_n - a r) / (lift^2 + N r^2)         energy is back
 *     s_E - s_C = K_nn f / (lift (lift^2 + N r^2)),   f(r) = v_n K_nn - 2 b r - A r^2,   b = K_nn a,
 *     A = v_n (N + kappa^2) / K_nn + 2 a kappa,   D = (b + v_n kappa)^2 + v_n^2 N = b^2 + A v_n K_nn >= 0
 *
 * f falls through zero at r_E = v_n K_nn / (b + sqrt D), or nowhere; lift is positive before. The law and its inverse
 * share this. */
#ifndef CAROM_LAWS_REGION_H
#define CAROM_LAWS_REGION_H

#include "core/psd.h"

typedef struct region_ray {
    double v_n, K_nn, a, kappa, N;
} region_ray;

#define SINGULAR_TOL (64 * EPS) /* of its terms: N and b + v_n kappa of a K that is singular along d are rounding */

/* sqrt D */
static inline double region_root(const region_ray *w)
{
    double b = w->K_nn * w->a, turn = w->v_n * w->kappa;
    bool singular = w->N <= SINGULAR_TOL * square(w->kappa),
         level = fabs(b + turn) <= SINGULAR_TOL * (fabs(b) + fabs(turn));
    return sqrt((singular && level ? 0 : square(b + turn)) + (singular ? 0 : square(w->v_n) * w->N));
}

static inline double region_bend(const region_ray *w)
{
    return w->v_n * (w->N + square(w->kappa)) / w->K_nn + 2 * w->a * w->kappa;
}

/* The largest ratio |p_t|/p_n that energy allows; infinite where it allows all. */
static inline double region_ratio(const region_ray *w)
{
    double b = w->K_nn * w->a, root = region_root(w), A = region_bend(w);
    if (b < 0)
        return A > 0 ? (root - b) / A : INFINITY;
    return b + root > 0 ? w->v_n * w->K_nn / (b + root) : w->v_n > 0 ? INFINITY : 0;
}

/* Where nothing bounds the ratio (mu is infinite, too), K_nn/kappa is its unit: share 1/2. A direction that nothing
 * moves along has none. */
static inline double region_unit(const region_ray *w)
{
    return w->kappa > 0 ? w->K_nn / w->kappa : INFINITY;
}

#define TANGENTIAL 0x1p60 /* ratios beyond this, in units, mean a tangential impulse alone */

/* The ratio that is this share of the largest. */
static inline double region_ratio_at(const region_ray *w, double share, double most)
{
    if (most < INFINITY)
        return share * most;
    return share > 0 ? region_unit(w) * (share / max(1 - share, 1 / TANGENTIAL)) : 0;
}

/* The inverse. */
static inline double region_share_of(const region_ray *w, double r, double most)
{
    return most < INFINITY ? r / most : r / (r + region_unit(w));
}

/* f(r), with the factor r_E - r taken out where there is one. */
static inline double region_slack(const region_ray *w, double r, double r_E)
{
    double b = w->K_nn * w->a, root = region_root(w), A = region_bend(w);
    if (!(r_E < INFINITY))
        return w->v_n * w->K_nn - 2 * b * r - A * square(r);
    double first = b < 0 ? A * (w->v_n * w->K_nn / (root - b)) : b + root;
    return (r_E - r) * (A * r + first);
}

#define LIFT_TOL (64 * EPS) /* of K_nn: a direction that no impulse can end compression along, to rounding */

/* From the end of compression to the return of all energy, as normal impulses; how much of lift cancels. */
typedef struct region_span {
    double s_C, s_E, spread, cancels;
} region_span;

static inline region_span region_span_at(const region_ray *w, double r, double r_E)
{
    double lift = w->K_nn + w->kappa * r, form = square(lift) + w->N * square(r), f = region_slack(w, r, r_E);
    bool lifts = lift > LIFT_TOL * w->K_nn;
    region_span s;
    s.s_E = form > square(LIFT_TOL * w->K_nn) ? 2 * w->K_nn * (w->v_n - w->a * r) / form : INFINITY;
    s.s_C = lifts ? min(w->v_n / lift, s.s_E) : s.s_E;
    s.spread = lifts && f > 0 ? w->K_nn * f / (lift * form) : 0;
    s.cancels = max(1, w->K_nn / max(lift, LIFT_TOL * w->K_nn));
    return s;
}

/* The normal impulse at e, from the end that loses fewer digits. */
static inline double region_normal(const region_ray *w, const region_span *s, double e)
{
    double from_C = s->s_C + e * s->spread, lost_C = s->cancels * from_C;
    double lost_E = s->s_E + (1 - e) * s->spread * s->cancels;
    return (w->a < 0) & (lost_E < lost_C) ? s->s_E - (1 - e) * s->spread : from_C;
}

/* The tangent from which the direction of friction is measured: against the slip; without slip, against the slip that
 * a normal impulse would cause; zero when there is none either. */
static inline tvec region_axis(const carom_csym *K, carom_cvec u)
{
    tvec slip = tangential(u), k = coupling(K);
    double v_t = tvec_length(slip), size = tvec_length(k);
    if (v_t > 0)
        return tvec_scale(-1 / v_t, slip);
    return size > 0 ? tvec_scale(-1 / size, k) : tvec_make(0, 0);
}

#endif
