/* smith: friction along a mean of the slip before and after, weighted by speed.
 *
 * Hypothesis   Newton's restitution along the normal; p_t = -mu p_n w, where w lies between the two slip directions.
 *              Always dissipative; tangential velocity can reverse. Not unique in space (docs/theory/algebraic.md).
 * Equations    w(z) = (|u_t| u_t + |z| z) / (|u_t|^2 + |z|^2),   z = u_t after                                    (1)
 *              planar, s = sgn u_t, v = |u_t|, c = (1 + e) v_n:
 *                forward   p_n = c / beta,  beta = K_nn - mu s k,  if beta > 0 and s z >= 0                       (2)
 *                reverse   z = -s v y,  w = s omega,  omega = (1 - y^2) / (1 + y^2),  y > 0 the root of           (3)
 *                          h = v (1 + y) + c (s k - mu omega K_tt) / (K_nn - mu omega s k),
 *                          which increases wherever p_n = c / (K_nn - mu omega s k) > 0
 *              space: for given p_n = N the tangential problem has one solution p_t(N), since w is monotone;      (4)
 *                in principal axes of K_TT, with r = |z| and |u_t| = 1,
 *                z_i = ((1 + r^2)(u_i + k_i N) - mu N kappa_i u_i) / (1 + r^2 + mu N r kappa_i),  |z| = r.
 *                N is a root of  phi(N) = K_nn N + k . p_t(N) - c                                                 (5)
 *                and the only one if  mu |k| / K_nn < 2 sqrt(det B) / tr B                                        (6)
 *              u_t = 0: w has no direction; the law is whittaker                                                  (7)
 *              u_n = 0: p = 0 if mu k . u_t <= K_nn |u_t|; else the root N > 0 (jam)                              (8)
 * Choice       the smallest p_n
 * Page         docs/laws/smith.md
 * Reference    Smith (1991), J. Appl. Mech. 58, 754-758; Chatterjee (1997), section 5.1.3 */
#include "core/roots.h"
#include "laws/smith_space.h"

/* Slip below this share of c cannot be told from none: the impulses differ by less than that. */
#define NORMAL_TOL 1e-100

/* A singular K bounds no impulse: the search ends at this many times its natural size. */
#define FAR 1e3

enum {
    FORWARD = 1,
    REVERSE,
    REVERSE_JAM,
    SPATIAL,
    SPATIAL_JAM,
    NORMAL_SLIP,
    NORMAL_STICK,
    SMITH_UNBOUNDED,
    MODE_COUNT
};

static const char *const smith_modes[MODE_COUNT] = {"no_impact", "forward",     "reverse",      "reverse_jam", "smith",
                                                    "smith_jam", "normal_slip", "normal_stick", "unbounded"};

/* ---- planar ---- */

/* The planar problem, k measured along the slip. */
typedef struct line {
    double v, k, K_tt, K_nn, det, c, mu;
    bool near; /* y <= 2 */
} line;

/* A candidate for the reversal, and the derivatives by the variable that holds it: y beyond 2, else t of
 * y = (1 - t) / (1 + t), whose small values keep the digits of omega that a large mu needs. */
typedef struct reversal {
    double reach, omega, d_reach, d_omega; /* reach = 1 + y */
} reversal;

static reversal reversal_at(const line *l, double x)
{
    double q = 1 + x * x, over = 1 / (1 + x);
    if (l->near)
        return (reversal){2 * over, 2 * x / q, -2 * over * over, 2 * (1 - x) * (1 + x) / (q * q)};
    return (reversal){1 + x, (1 - x) * (1 + x) / q, 1, -4 * x / (q * q)};
}

static double lift_at(const line *l, double omega)
{
    return difference_of_products(l->K_nn, 1, l->mu * omega, l->k);
}

/* h of (3), and its slope. */
static double h_at(const line *l, const reversal *at, double *slope)
{
    double lift = lift_at(l, at->omega),
           ratio = l->c * difference_of_products(l->k, 1, l->mu * at->omega, l->K_tt) / lift;
    *slope = l->v * at->d_reach - l->c * l->mu * l->det * at->d_omega / (lift * lift);
    return l->v * at->reach + ratio;
}

static bool is_near(const line *l)
{
    const reversal two = {3, -0.6, 0, 0};
    double slope;
    return !(lift_at(l, two.omega) > 0) || h_at(l, &two, &slope) >= 0;
}

/* Where lift > 0, in the variable of the chart. */
static bracket reversal_bracket(const line *l)
{
    double pull = l->mu * l->k, edge = fabs(pull) > l->K_nn ? l->K_nn / pull : 0, root = sqrt((1 - edge) * (1 + edge));
    if (l->near)
        return bracket_make(edge < 0 ? max(-1.0 / 3, edge / (1 + root)) : -1.0 / 3, edge > 0 ? edge / (1 + root) : 1);
    return bracket_make(2, edge < 0 ? (1 - edge) / root : INFINITY);
}

/* (3): h increases with y, so it decreases with t. */
static carom_status find_reversal(const line *l, reversal *at)
{
    bracket b = reversal_bracket(l);
    double sign = l->near ? -1 : 1, x = b.lo < 0 && 0 < b.hi ? 0 : bracket_middle(&b);
    for (int i = 0; i < ROOT_STEPS; i++) {
        *at = reversal_at(l, x);
        double slope, h = h_at(l, at, &slope), next = h == 0 ? x : bracket_next(&b, x, sign * h, sign * slope);
        bool settled = bracket_settled(&b, x, next);
        x = next;
        if (settled) {
            *at = reversal_at(l, x);
            return CAROM_STATUS_OK;
        }
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

/* (8): the jam in the plane. */
static carom_impulse planar_jam(const carom_csym *K, double u, double mu)
{
    double det = minor_of(K->nn, K->t11, K->t1n), share = K->nn / (mu * fabs(K->t1n)); /* of w */
    double z = -sqrt((1 - share) / (1 + share)) * u, p_n = (u - z) * K->t1n / det;
    return impulse_make(-K->nn / K->t1n * p_n, 0, p_n, REVERSE_JAM);
}

/* The impulse of a reversal by (3), or from K p = u_after - u, whichever keeps more digits: the first loses them near a
 * jam, the second to a nearly singular K. Where the normal part is no better than what the normal velocity says, that
 * decides. */
static carom_cvec reversal_impulse(const line *l, const reversal *at)
{
    double g = l->v * at->reach, lift = lift_at(l, at->omega), load = l->c * l->K_tt + l->k * g;
    double doubt = lift > 0 ? (l->K_nn + l->mu * fabs(l->k * at->omega)) / lift : INFINITY;
    double doubt_load = (l->c * l->K_tt + fabs(l->k) * g) / fabs(load) * l->K_nn * l->K_tt / l->det;
    double p_n = l->c / lift, p_t = l->mu * at->omega * p_n; /* p_t against the slip */
    if (l->det > RANK_TOL * l->K_nn * l->K_tt && doubt_load < doubt) {
        p_t = (l->c * l->k + l->K_nn * g) / l->det;
        p_n = load / l->det;
        doubt = doubt_load;
    }
    double rest = l->c + l->k * p_t, doubt_rest = (l->c + fabs(l->k * p_t)) / fabs(rest);
    bool better = doubt_rest <= doubt && fabs(p_t) * l->K_nn <= l->mu * rest;
    return carom_cvec_make(-p_t, 0, better ? rest / l->K_nn : p_n);
}

/* A singular K: h is linear, K_nn h = K_nn v (1 + y) + c k. There may be no reversal that lifts. A slip that belongs to
 * the range of K stops together with the approach: y = 0 but for rounding. */
static bool singular_reversal(const line *l, reversal *at)
{
    double rest = -1 - l->c * l->k / (l->K_nn * l->v), y = max(0, rest);
    *at = (reversal){1 + y, (1 - y) * (1 + y) / (1 + y * y), 1, 0};
    return rest >= -RANGE_TOL && lift_at(l, at->omega) > 0;
}

static carom_status planar(const carom_csym *K, double u, final_state want, carom_impulse *result)
{
    double s = u < 0 ? -1 : 1, k = s * K->t1n, det = minor_of(K->nn, K->t11, k);
    line l = {fabs(u), k, K->t11, K->nn, det, want.c, want.mu, false};
    double beta = lift_at(&l, 1), slip = l.v * beta + l.c * difference_of_products(k, 1, l.mu, K->t11);
    if (beta > 0 && slip >= 0) { /* (2) */
        *result = impulse_make(-l.mu * s * (l.c / beta), 0, l.c / beta, FORWARD);
        return CAROM_STATUS_OK;
    }
    reversal at;
    *result = impulse_make(0, 0, l.c / K->nn, SMITH_UNBOUNDED);
    if (!(det > RANK_TOL * K->t11 * K->nn)) {
        if (!singular_reversal(&l, &at))
            return CAROM_STATUS_OK;
    } else {
        l.near = is_near(&l);
        carom_status status = find_reversal(&l, &at);
        if (status)
            return status;
    }
    carom_cvec p = reversal_impulse(&l, &at);
    if (p.n > 0)
        *result = impulse_make(s * p.t1, 0, p.n, REVERSE);
    return CAROM_STATUS_OK;
}

static carom_status planar_grazing(const carom_impact *x, double mu, carom_impulse *result)
{
    const carom_csym *K = &x->K;
    bool jams = mu * K->t1n * x->u.t1 > K->nn * x->v_t;
    *result = impulse_make(0, 0, 0, NO_IMPACT);
    if (!jams)
        return CAROM_STATUS_OK;
    *result = x->kind == CAROM_KIND_SINGULAR ? impulse_make(0, 0, 0, SMITH_UNBOUNDED) : planar_jam(K, x->u.t1, mu);
    return CAROM_STATUS_OK;
}

/* ---- in space ---- */

/* No impulse of a dissipative law has a larger normal part: half the chord of the energy ellipsoid, and its centre. A
 * singular K bounds none, but far beyond the frictionless impulse nothing new happens. */
static double most_normal(const carom_impact *x)
{
    if (x->kind == CAROM_KIND_SINGULAR)
        return FAR * (x->v_t + x->v_n) / x->K.nn;
    carom_cvec n = {0, 0, 1}, stop = impact_solve(x, x->u);
    return -stop.n + sqrt(impact_solve(x, n).n * max(0, carom_cvec_dot(stop, x->u)));
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

static space space_of(const carom_impact *x, carom_direction d, final_state want)
{
    const carom_problem here = {x->K, x->u}, turned = carom_problem_turned(&here, d);
    double v = x->v_t;
    space sp = {.u = {turned.u.t1 / v, turned.u.t2 / v},
                .k = {turned.K.t1n, turned.K.t2n},
                .kappa = {turned.K.t11, max(0, turned.K.t22)},
                .K_nn = x->K.nn,
                .c = want.c / v,
                .mu = want.mu};
    return sp;
}

#define WELL_INSIDE (1 - 1e-9) /* of the cone: friction that rounding cannot bring to its rim */

/* The impulse of a root, in the axes of the problem. As in the plane, the normal velocity decides about p_n where phi
 * knows it no better; else what is left of it is a small part of the friction, which gives it up inside the cone. */
static carom_cvec impulse_at(const carom_impact *x, const space *sp, carom_direction d, const point *at)
{
    const carom_csym *K = &x->K;
    double v = x->v_t, N = v * at->N, f1 = -sp->mu * N * at->w.t1, f2 = -sp->mu * N * at->w.t2;
    carom_cvec p = {d.c * f1 - d.s * f2, d.s * f1 + d.c * f2, N};
    double pull1 = K->t1n * p.t1, pull2 = K->t2n * p.t2, pull = fabs(pull1) + fabs(pull2), c = v * sp->c;
    double rest = c - (pull1 + pull2);
    if ((c + pull) * c <= (K->nn * N + pull) * rest && sp->mu > 0) {
        p.n = max(rest / K->nn, N * tvec_length(at->w));
    } else if (pull > K->nn * N + c && tvec_length(at->w) < WELL_INSIDE) {
        double left = (rest - K->nn * N) / (square(K->t1n) + square(K->t2n));
        p.t1 += left * K->t1n;
        p.t2 += left * K->t2n;
    }
    p.n = normal_without_approach(x, c, p);
    return p;
}

/* The law itself, in any axes: R(p) = (p_t + mu p_n w(z), k . p_t + K_nn p_n - c) = 0 with z = u_t + K_TT p_t + k p_n.
 * One Newton step from a root gives its partial derivatives; dw/dz = ((r + z z^T/r) - 2 w z^T) / (v^2 + r^2), r = |z|.
 */
static carom_cvec root_with_partials(const carom_impact *x, final_state want, carom_cvec root)
{
    const carom_csym *K = &x->K;
    const carom_cvec p = {plain(root.t1), plain(root.t2), plain(root.n)};
    const tvec u = tangential(x->u), z = tangential(carom_cvec_add(x->u, carom_csym_apply(*K, p))), k = coupling(K);
    const double v = x->v_t, r = tvec_length(z), over = 1 / (v * v + r * r), m = want.mu * p.n, inv = r > 0 ? 1 / r : 0;
    const tvec w = {over * (v * u.t1 + r * z.t1), over * (v * u.t2 + r * z.t2)};
    const double w11 = over * (r + (inv * z.t1 - 2 * w.t1) * z.t1), w12 = over * (inv * z.t1 - 2 * w.t1) * z.t2;
    const double w21 = over * (inv * z.t2 - 2 * w.t2) * z.t1, w22 = over * (r + (inv * z.t2 - 2 * w.t2) * z.t2);
    const carom_vec3 R = {p.t1 + m * w.t1, p.t2 + m * w.t2, pull(x, tangential(p)) + K->nn * p.n - want.c};
    const carom_vec3 a = {1 + m * (w11 * K->t11 + w12 * K->t12), m * (w21 * K->t11 + w22 * K->t12), k.t1};
    const carom_vec3 b = {m * (w11 * K->t12 + w12 * K->t22), 1 + m * (w21 * K->t12 + w22 * K->t22), k.t2};
    const carom_vec3 c = {want.mu * w.t1 + m * (w11 * k.t1 + w12 * k.t2),
                          want.mu * w.t2 + m * (w21 * k.t1 + w22 * k.t2), K->nn};
    const carom_vec3 bc = carom_vec3_cross(b, c), ca = carom_vec3_cross(c, a), ab = carom_vec3_cross(a, b);
    const double det = carom_vec3_dot(a, bc);
    return carom_cvec_make(implicit_root(p.t1, carom_vec3_dot(R, bc), det),
                           implicit_root(p.t2, carom_vec3_dot(R, ca), det),
                           implicit_root(p.n, carom_vec3_dot(R, ab), det));
}

static carom_status spatial(const carom_impact *x, final_state want, carom_outcome *out)
{
    carom_direction d = principal_axis(&x->K);
    space sp = space_of(x, d, want);
    if (want.c == 0 && sp.mu * tvec_dot(sp.k, sp.u) <= sp.K_nn) /* (8) */
        return CAROM_STATUS_OK;
    found roots = {.count = 0, .status = CAROM_STATUS_OK};
    if (has_one_end(x, want.mu)) /* (6) */
        smith_single(&sp, &roots);
    else
        smith_search(&sp, most_normal(x) / x->v_t, &roots);
    if (roots.count == 0) {
        out->p = carom_cvec_make(0, 0, want.c / x->K.nn);
        out->mode = smith_modes[SMITH_UNBOUNDED];
        return x->kind == CAROM_KIND_SINGULAR ? CAROM_STATUS_UNBOUNDED : CAROM_STATUS_ITERATION_LIMIT;
    }
    out->p = impulse_at(x, &sp, d, &roots.at[0]);
    out->mode = smith_modes[want.c > 0 ? SPATIAL : SPATIAL_JAM];
    out->flags |= want.c > 0 ? 0 : CAROM_FLAG_JAM;
    out->solutions = roots.count;
    for (int i = 0; roots.count > 1 && i < roots.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = impulse_at(x, &sp, d, &roots.at[i]);
    if (CARRIES_PARTIALS)
        out->p = root_with_partials(x, want, out->p);
    return roots.status;
}

/* (7) */
static carom_status normal(const carom_impact *x, final_state want, bool absent, carom_impulse *result)
{
    if (absent) {
        const planar_end end = whittaker_planar(x, &x->K, x->u, want);
        *result = impulse_make(end.p_t, 0, end.p_n, end.branch);
    } else {
        const endings list = whittaker_spatial(x, want);
        *result = list.at[0];
    }
    result->branch = result->branch == END_STICK ? NORMAL_STICK : result->branch == END_SLIP ? NORMAL_SLIP : NO_IMPACT;
    return isnan(result->p.n) ? CAROM_STATUS_UNBOUNDED : CAROM_STATUS_OK;
}

/* In the plane of t1, or in the plane of the slip of a sphere. */
static carom_status in_plane(const carom_impact *x, final_state want, carom_impulse *result)
{
    if (x->kind != CAROM_KIND_SPHERE)
        return planar(&x->K, x->u.t1, want, result);
    const slip_plane_view view = into_slip_plane(x);
    carom_status status = planar(&view.K, view.u.t1, want, result);
    *result = from_slip_plane(x, result->p.t1, result->p.n, result->branch);
    return status;
}

static carom_status smith(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    (void)tracer;
    const final_state want = {(1 + rule->coeffs.e) * x->v_n, rule->coeffs.mu};
    const bool absent = x->K.t22 == 0 && x->u.t2 == 0; /* no t2: the problem is planar */
    const bool stays = x->kind == CAROM_KIND_SPHERE || (x->kind == CAROM_KIND_FLAT && has_one_end(x, want.mu));
    carom_impulse result;
    carom_status status;
    if (x->v_t <= NORMAL_TOL * want.c)
        status = normal(x, want, absent, &result);
    else if (absent && want.c == 0)
        status = planar_grazing(x, want.mu, &result);
    else if (absent || (stays && want.c > 0))
        status = in_plane(x, want, &result);
    else
        return spatial(x, want, out);
    if (CARRIES_PARTIALS && result.branch == REVERSE)
        result.p = root_with_partials(x, want, result.p);
    out->p = result.p;
    out->mode = smith_modes[stays && result.branch < SPATIAL ? SPATIAL : result.branch];
    out->flags |= result.branch == REVERSE_JAM ? CAROM_FLAG_JAM : 0;
    return result.branch == SMITH_UNBOUNDED ? CAROM_STATUS_UNBOUNDED : status;
}

const carom_law carom_law_smith = {
    .id = "smith",
    .name = "Smith",
    .family = "algebraic",
    .summary = "Friction along a mean of the slip before and after, weighted by speed; always dissipative.",
    .reference = "smith1991",
    .uses = CAROM_USES(e) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES |
              CAROM_TRAIT_LOCAL,
    CAROM_MODES(smith_modes),
    .solve = smith,
};
