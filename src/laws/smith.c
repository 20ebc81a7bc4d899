/* smith: friction along a mean of the slip before and after, weighted by speed.
 *
 * Hypothesis   Newton's restitution along the normal; p_t = -mu p_n w, where w lies between the two slip directions.
 *              Always dissipative; tangential velocity can reverse. Not unique in space (docs/theory/algebraic.md).
 * Equations    w(z) = (|u_t| u_t + |z| z) / (|u_t|^2 + |z|^2),   z = u_t after                                    (1)
 *              planar, s = sgn u_t, v = |u_t|, c = (1 + e) v_n:
 *                forward   p_n = c / beta,  beta = K_nn - mu s k,  if beta > 0 and s z >= 0                       (2)
 *                reverse   z = -s v y,  y > 0 the root of the increasing function                                 (3)
 *                          h = v (1 + y) + (gamma y^2 + delta) / (alpha y^2 + beta)   where alpha y^2 + beta > 0,
 *                          alpha = K_nn + mu s k,  gamma, delta = c (s k +- mu K_tt),
 *                          p_n = c (1 + y^2) / (alpha y^2 + beta),  p_t = -mu s p_n (1 - y^2) / (1 + y^2)
 *              space: for given p_n = N the tangential problem has one solution p_t(N), since w is monotone;      (4)
 *                in principal axes of K_TT, with r = |z| and |u_t| = 1,
 *                z_i = ((1 + r^2)(u_i + k_i N) - mu N kappa_i u_i) / (1 + r^2 + mu N r kappa_i),  |z| = r.
 *                N is a root of  phi(N) = K_nn N + k . p_t(N) - c                                                 (5)
 *                and the only one if  mu |k| / K_nn < 2 sqrt(det B) / tr B                                        (6)
 *              u_t = 0: w has no direction; the law is that of whittaker                                          (7)
 *              u_n = 0: p = 0 if mu k . u_t <= K_nn |u_t|; else the root N > 0 (jam)                              (8)
 * Choice       the smallest p_n
 * Page         docs/laws/smith.md
 * Reference    Smith (1991), J. Appl. Mech. 58, 754-758; Chatterjee (1997), section 5.1.3 */
#include "core/roots.h"
#include "laws/family_plane.h"
#include "laws/smith_space.h"

/* Slip below this share of c cannot be told from none: the impulses differ by less than that. */
#define NORMAL_TOL 1e-100

/* A singular K bounds no impulse: the search ends at this many times its natural size. */
#define FAR 1e3

enum { FORWARD = 1, REVERSE, REVERSE_JAM, SPATIAL, SPATIAL_JAM, NORMAL_SLIP, NORMAL_STICK, SINGULAR, MODE_COUNT };

static const char *const modes[MODE_COUNT] = {"no_impact", "forward",     "reverse",      "reverse_jam", "smith",
                                              "smith_jam", "normal_slip", "normal_stick", "singular"};

/* ---- planar ---- */

/* The terms of h in (3). */
typedef struct line {
    double v, alpha, beta, gamma, delta;
} line;

static double reversal(const line *l, double y, double *slope)
{
    double q = y * y, below = l->alpha * q + l->beta, ratio = (l->gamma * q + l->delta) / below;
    *slope = l->v + 2 * y * (l->gamma - ratio * l->alpha) / below;
    return l->v * (1 + y) + ratio;
}

/* The root of h; it lies where alpha y^2 + beta > 0. */
static carom_status reversal_root(const line *l, double *y)
{
    double edge = sqrt(fabs(l->beta / l->alpha));
    bracket b = bracket_make(l->beta > 0 ? 0 : edge, l->alpha > 0 ? INFINITY : edge);
    double x = b.lo < 1 && 1 < b.hi ? 1 : bracket_middle(&b);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, f = reversal(l, x, &slope);
        *y = f == 0 ? x : bracket_next(&b, x, f, slope);
        if (bracket_settled(&b, x, *y))
            return CAROM_OK;
        x = *y;
    }
    return CAROM_ITERATION_LIMIT;
}

/* (8): the jam in the plane; det is that of K. */
static verdict planar_jam(const carom_problem *problem, double mu, double det)
{
    const carom_csym *K = &problem->K;
    double u = problem->u.t1, share = K->nn / (mu * fabs(K->t1n)); /* of w */
    double z = -sqrt((1 - share) / (1 + share)) * u, p_n = (u - z) * K->t1n / det;
    verdict result = {{-K->nn / K->t1n * p_n, 0, p_n}, REVERSE_JAM};
    return result;
}

/* The impulse of a reversal by (3), or from K p = u_after - u, whichever keeps more digits: the first loses them to a
 * large mu, the second to a nearly singular K. Where the normal part is no better than what the normal velocity says,
 * that decides. */
static carom_cvec reverse_impulse(const carom_csym *K, ending want, double s, const line *l, double y)
{
    double k = s * K->t1n, q = y * y, g = l->v * (1 + y), c = want.c, mu = want.mu;
    double below = l->alpha * q + l->beta, load = c * K->t11 + k * g, det = diff_of_products(K->nn, K->t11, k, k);
    double doubt = (K->nn + mu * fabs(k)) * (1 + q) / below + fmin(mu, q / fabs(1 - q));
    double doubt_load = (c * K->t11 + fabs(k) * g) / fabs(load) * K->nn * K->t11 / det;
    double p_t = mu * (c * (1 - q) / below), p_n = c * (1 + q) / below; /* p_t against s */
    if (det > RANK_TOL * K->nn * K->t11 && doubt_load < doubt) {
        p_t = (c * k + K->nn * g) / det;
        p_n = load / det;
        doubt = doubt_load;
    }
    double rest = c + k * p_t, doubt_rest = (c + fabs(k * p_t)) / fabs(rest);
    bool better = doubt_rest <= doubt && fabs(p_t) * K->nn <= mu * rest;
    return carom_cvec_make(-s * p_t, 0, better ? rest / K->nn : p_n);
}

static carom_status planar(const carom_problem *problem, ending want, verdict *result)
{
    const carom_csym *K = &problem->K;
    double s = problem->u.t1 < 0 ? -1 : 1, v = fabs(problem->u.t1), k = s * K->t1n, c = want.c, mu = want.mu;
    double det = diff_of_products(K->nn, K->t11, k, k), y;
    bool singular = !(det > RANK_TOL * K->nn * K->t11);
    line l = {.v = v,
              .alpha = diff_of_products(K->nn, 1, -mu, k),
              .beta = diff_of_products(K->nn, 1, mu, k),
              .gamma = c * diff_of_products(k, 1, -mu, K->t11),
              .delta = c * diff_of_products(k, 1, mu, K->t11)};
    verdict forward = {{-mu * s * (c / l.beta), 0, c / l.beta}, FORWARD}, none = {{0, 0, c / K->nn}, SINGULAR};
    *result = forward;
    if (l.beta > 0 && v * l.beta + l.delta >= 0) /* (2) */
        return CAROM_OK;
    *result = none;
    carom_status status = CAROM_OK;
    if (singular)
        y = -1 - (l.alpha > 0 ? l.gamma / l.alpha : l.delta / l.beta) / v; /* h is linear */
    else
        status = reversal_root(&l, &y);
    verdict reverse = {{0, 0, 0}, REVERSE};
    if (!(y >= 0 && l.alpha * y * y + l.beta > 0))
        return status;
    reverse.p = reverse_impulse(K, want, s, &l, y);
    *result = reverse;
    return status;
}

static verdict planar_grazing(const carom_problem *problem, double mu)
{
    const carom_csym *K = &problem->K;
    double det = diff_of_products(K->nn, K->t11, K->t1n, K->t1n);
    bool jams = mu * K->t1n * problem->u.t1 > K->nn * fabs(problem->u.t1);
    bool singular = !(det > RANK_TOL * K->nn * K->t11);
    verdict none = {{0, 0, 0}, jams ? SINGULAR : NO_IMPACT};
    return jams && !singular ? planar_jam(problem, mu, det) : none;
}

/* ---- in space ---- */

/* No impulse of a dissipative law has a larger normal part: half the chord of the energy ellipsoid, and its centre. */
static double most_normal(const carom_problem *problem, const schur *s)
{
    const carom_csym *K = &problem->K;
    tvec k = coupling(K);
    carom_cvec stop = psd_solve_with(K, s, problem->u);
    if (s->deficient) /* then there is no such bound; far beyond the impulse that stops all motion nothing new happens
                       */
        return FAR * (fabs(stop.n) + (carom_cvec_slip(problem->u) - problem->u.n) / K->nn);
    double M_nn = (1 + tvec_dot(k, schur_solve(s, k)) / K->nn) / K->nn;
    return -stop.n + sqrt(M_nn * larger(0, carom_cvec_dot(stop, problem->u)));
}

/* An eigenvector of K_TT. */
static carom_direction principal_axis(const carom_csym *K)
{
    double half = 0.5 * (K->t11 - K->t22), radius = sqrt(square(half) + square(K->t12));
    carom_direction d = {1, 0};
    if (radius == 0)
        return d;
    double c = half >= 0 ? half + radius : fabs(K->t12), s = half >= 0 ? K->t12 : copysign(radius - half, K->t12);
    double length = sqrt(c * c + s * s);
    d.c = c / length;
    d.s = s / length;
    return d;
}

static space space_of(const carom_problem *problem, carom_direction d, ending want)
{
    const carom_problem turned = carom_problem_turned(problem, d);
    double v = carom_cvec_slip(problem->u);
    space sp = {.u = {turned.u.t1 / v, turned.u.t2 / v},
                .k = {turned.K.t1n, turned.K.t2n},
                .kappa = {turned.K.t11, larger(0, turned.K.t22)},
                .K_nn = problem->K.nn,
                .c = want.c / v,
                .mu = want.mu};
    return sp;
}

/* The impulse of a root, in the axes of the problem. As in the plane, the normal velocity decides about p_n where phi
 * knows it no better. */
static carom_cvec impulse_at(const carom_problem *problem, const space *sp, carom_direction d, const point *at)
{
    const carom_csym *K = &problem->K;
    double v = carom_cvec_slip(problem->u), N = v * at->N, f1 = -sp->mu * N * at->w.t1, f2 = -sp->mu * N * at->w.t2;
    carom_cvec p = {d.c * f1 - d.s * f2, d.s * f1 + d.c * f2, N};
    double pull1 = K->t1n * p.t1, pull2 = K->t2n * p.t2, pull = fabs(pull1) + fabs(pull2), c = v * sp->c;
    double rest = c - (pull1 + pull2);
    if ((c + pull) * c <= (K->nn * N + pull) * rest && sp->mu > 0)
        p.n = larger(rest / K->nn, carom_cvec_slip(p) / sp->mu);
    return p;
}

static carom_status spatial(const carom_problem *problem, ending want, carom_outcome *out)
{
    const carom_csym *K = &problem->K;
    carom_direction d = principal_axis(K);
    space sp = space_of(problem, d, want);
    if (want.c == 0 && sp.mu * tvec_dot(sp.k, sp.u) <= sp.K_nn) /* (8) */
        return CAROM_OK;
    schur s = schur_of(K);
    found roots = {.count = 0, .status = CAROM_OK};
    if (is_sole_ending(K, &s, want.mu)) /* (6) */
        smith_single(&sp, &roots);
    else
        smith_search(&sp, most_normal(problem, &s) / carom_cvec_slip(problem->u), &roots);
    if (roots.count == 0) {
        out->p = carom_cvec_make(0, 0, want.c / K->nn);
        out->mode = modes[SINGULAR];
        return s.deficient ? CAROM_OK : CAROM_ITERATION_LIMIT;
    }
    out->p = impulse_at(problem, &sp, d, &roots.at[0]);
    out->mode = modes[want.c > 0 ? SPATIAL : SPATIAL_JAM];
    out->flags |= want.c > 0 ? 0 : CAROM_JAM;
    out->solutions = roots.count;
    for (int i = 0; roots.count > 1 && i < roots.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = impulse_at(problem, &sp, d, &roots.at[i]);
    return roots.status;
}

/* Is this a planar problem whose plane is not that of t1? Then K_TT has rank one. */
static bool is_turned_flat(const carom_problem *problem, carom_direction *d)
{
    const carom_csym *K = &problem->K;
    if (is_flat(problem) || diff_of_products(K->t11, K->t22, K->t12, K->t12) > RANK_TOL * K->t11 * K->t22)
        return false;
    carom_direction plane;
    if (carom_problem_plane(problem, &plane))
        return false;
    carom_csym T = carom_problem_turned(problem, plane).K;
    if (T.t22 > RANK_TOL * T.t11)
        return false;
    *d = plane;
    return true;
}

/* (7) */
static verdict normal(const carom_problem *problem, ending want)
{
    verdict result = is_flat(problem) ? whittaker_planar(problem, want) : whittaker_spatial(problem, want).at[0];
    result.branch = result.branch == END_STICK      ? NORMAL_STICK
                    : result.branch == END_SLIP     ? NORMAL_SLIP
                    : result.branch == END_SINGULAR ? SINGULAR
                                                    : NO_IMPACT;
    return result;
}

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    carom_direction d = {1, 0};
    carom_problem turned;
    if (is_turned_flat(problem, &d)) {
        turned = carom_problem_turned(problem, d);
        turned.K.t22 = turned.u.t2 = 0; /* rounding, which a large mu would make much of */
        problem = &turned;
    }
    ending want = {rebound(problem, rule->coeffs.e), rule->coeffs.mu};
    carom_status status = CAROM_OK;
    verdict result;
    if (carom_cvec_slip(problem->u) <= NORMAL_TOL * want.c)
        result = normal(problem, want);
    else if (!is_flat(problem))
        return spatial(problem, want, out);
    else if (want.c == 0)
        result = planar_grazing(problem, want.mu);
    else
        status = planar(problem, want, &result);
    out->p = carom_cvec_make(d.c * result.p.t1 - d.s * result.p.t2, d.s * result.p.t1 + d.c * result.p.t2, result.p.n);
    out->mode = modes[result.branch];
    out->flags |= result.branch == REVERSE_JAM ? CAROM_JAM : 0;
    return status;
}

const carom_law carom_law_smith = {
    .id = "smith",
    .name = "Smith",
    .family = "algebraic",
    .summary = "Friction along a mean of the slip before and after, weighted by speed; always dissipative.",
    .reference = "smith1991",
    .uses = CAROM_USES(e) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};
