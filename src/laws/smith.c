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

/* Slip below this share of c cannot be told from none: the impulses differ by less than that. */
#define NORMAL_TOL 1e-100
/* The search for several roots steps p_n by this factor: turning points of phi lie further apart. */
#define SEARCH_FACTOR 2.0

/* The unsafeguarded start ends here: the safeguarded iteration takes over, one step from the end. */
#define GUESS_TOL 1e-6
/* A singular K bounds no impulse: the search ends at this many times its natural size. */
#define FAR 1e3

enum { GUESS_STEPS = 8 };
enum { SEARCH_STEPS = 256 }; /* doublings: all scales a double problem can reach */
enum { TURN_STEPS = 32 };    /* halvings of an interval in which phi turns */

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
    line l = {v, fma(mu, k, K->nn), fma(-mu, k, K->nn), c * fma(mu, K->t11, k), c * fma(-mu, K->t11, k)};
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

/* The problem in principal axes of K_TT, velocities divided by |u_t|. */
typedef struct space {
    tvec u, k, kappa; /* |u| = 1 */
    double K_nn, c, mu;
} space;

/* A point of phi. */
typedef struct point {
    double N, r, phi, slope, turn; /* slope = dphi/dN, turn = dr/dN */
    tvec w;
} point;

static tvec final_slip(const space *sp, double N, double r)
{
    double q = 1 + r * r, m = sp->mu * N;
    return tvec_make((q * (sp->u.t1 + sp->k.t1 * N) - m * sp->kappa.t1 * sp->u.t1) / (q + m * r * sp->kappa.t1),
                     (q * (sp->u.t2 + sp->k.t2 * N) - m * sp->kappa.t2 * sp->u.t2) / (q + m * r * sp->kappa.t2));
}

/* r - |z(r)| and its slope. */
static double excess(const space *sp, double N, double r, double *slope)
{
    tvec z = final_slip(sp, N, r);
    double m = sp->mu * N, q = 1 + r * r, size = tvec_length(z);
    double d1 = (2 * r * (sp->u.t1 + sp->k.t1 * N) - z.t1 * (2 * r + m * sp->kappa.t1)) / (q + m * r * sp->kappa.t1);
    double d2 = (2 * r * (sp->u.t2 + sp->k.t2 * N) - z.t2 * (2 * r + m * sp->kappa.t2)) / (q + m * r * sp->kappa.t2);
    *slope = size > 0 ? 1 - (z.t1 * d1 + z.t2 * d2) / size : 1;
    return r - size;
}

/* (4): |z| for p_n = N, searched from r. */
static double inner_root(const space *sp, double N, double r)
{
    double reach = sp->mu * N * fmax(sp->kappa.t1, sp->kappa.t2) + tvec_length(sp->k) * N + 1; /* >= |z| */
    bracket b = bracket_make(0, reach * (1 + 4 * EPS));
    double x = r < b.hi ? r : b.hi;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, f = excess(sp, N, x, &slope);
        double y = f == 0 ? x : bracket_next(&b, x, f, slope);
        if (bracket_settled(&b, x, y))
            return y;
        x = y;
    }
    return x;
}

/* W = dw/dz and J = dF/dz of F = z - u - k N + mu N K_TT w(z), which vanishes at z(N). */
typedef struct tangent {
    double w11, w12, w21, w22;
    double j11, j12, j21, j22;
} tangent;

static tangent tangent_at(const space *sp, double N, tvec z, double r, tvec w)
{
    double q = 1 + r * r, m = sp->mu * N, inv = r > 0 ? 1 / r : 0;
    tangent t;
    t.w11 = (r + (inv * z.t1 - 2 * w.t1) * z.t1) / q;
    t.w12 = (inv * z.t1 - 2 * w.t1) * z.t2 / q;
    t.w21 = (inv * z.t2 - 2 * w.t2) * z.t1 / q;
    t.w22 = (r + (inv * z.t2 - 2 * w.t2) * z.t2) / q;
    t.j11 = 1 + m * sp->kappa.t1 * t.w11;
    t.j12 = m * sp->kappa.t1 * t.w12;
    t.j21 = m * sp->kappa.t2 * t.w21;
    t.j22 = 1 + m * sp->kappa.t2 * t.w22;
    return t;
}

/* J^-1 f */
static tvec tangent_solve(const tangent *t, tvec f)
{
    double det = t->j11 * t->j22 - t->j12 * t->j21;
    return tvec_make((f.t1 * t->j22 - f.t2 * t->j12) / det, (f.t2 * t->j11 - f.t1 * t->j21) / det);
}

/* k . W dz */
static double tangent_pull(const tangent *t, tvec k, tvec dz)
{
    return k.t1 * (t->w11 * dz.t1 + t->w12 * dz.t2) + k.t2 * (t->w21 * dz.t1 + t->w22 * dz.t2);
}

/* -dF/dN */
static tvec push(const space *sp, tvec w)
{
    return tvec_make(sp->k.t1 - sp->mu * sp->kappa.t1 * w.t1, sp->k.t2 - sp->mu * sp->kappa.t2 * w.t2);
}

/* phi and its slope, by the implicit function theorem on F. */
static point point_at(const space *sp, double N, double r)
{
    point at = {.N = N, .r = inner_root(sp, N, r)};
    tvec z = final_slip(sp, N, at.r), k = sp->k;
    double q = 1 + at.r * at.r, m = sp->mu * N * at.r;
    at.w.t1 = (sp->u.t1 + at.r * (sp->u.t1 + k.t1 * N)) / (q + m * sp->kappa.t1); /* (1), with z from (4) */
    at.w.t2 = (sp->u.t2 + at.r * (sp->u.t2 + k.t2 * N)) / (q + m * sp->kappa.t2);
    at.phi = N * (sp->K_nn - sp->mu * tvec_dot(k, at.w)) - sp->c; /* (5) */

    tangent t = tangent_at(sp, N, z, at.r, at.w);
    tvec dz = tangent_solve(&t, push(sp, at.w));
    at.slope = sp->K_nn - sp->mu * (tvec_dot(k, at.w) + N * tangent_pull(&t, k, dz));
    at.turn = at.r > 0 ? tvec_dot(z, dz) / at.r : 0;
    return at;
}

/* |z| at N, foreseen from a point nearby. */
static double foresee(const point *at, double N)
{
    return clamp(at->r + at->turn * (N - at->N), 0.25 * at->r, 4 * at->r + at->turn * (N - at->N));
}

/* The root of sign phi between two points where that goes from negative to positive. */
static carom_status outer_root(const space *sp, double sign, bracket b, point *at)
{
    for (int i = 0; i < ROOT_STEPS; i++) {
        double N = at->phi == 0 ? at->N : bracket_next(&b, at->N, sign * at->phi, sign * at->slope);
        bool settled = bracket_settled(&b, at->N, N);
        *at = point_at(sp, N, foresee(at, N));
        if (settled)
            return CAROM_OK;
    }
    return CAROM_ITERATION_LIMIT;
}

/* Half of where phi < 0 is still certain: no root is smaller. */
static double least_normal(const space *sp)
{
    double pull = sp->mu * tvec_length(sp->k), stiff = fmax(sp->kappa.t1, sp->kappa.t2);
    if (sp->c > 0)
        return 0.5 * sp->c / (sp->K_nn + pull);
    double drive = sp->mu * tvec_dot(sp->k, sp->u) - sp->K_nn;          /* > 0: the contact jams */
    return drive / (16 * pull * (tvec_length(sp->k) + sp->mu * stiff)); /* z, and w, have hardly moved */
}

/* The roots of phi in the order of N. */
typedef struct found {
    int count;
    point at[CAROM_SOLUTIONS_KEPT];
    carom_status status;
} found;

static void take_root(const space *sp, const point *lo, const point *hi, found *roots)
{
    double sign = hi->phi >= 0 ? 1 : -1;
    point at = fabs(lo->phi) < fabs(hi->phi) ? *lo : *hi;
    carom_status status = outer_root(sp, sign, bracket_make(lo->N, hi->N), &at);
    if (status)
        roots->status = status;
    if (roots->count < CAROM_SOLUTIONS_KEPT)
        roots->at[roots->count] = at;
    roots->count++;
}

/* phi turns between lo and hi without changing its sign at them: follow the turning point, and take both roots if it
 * crosses zero. */
static void take_pair(const space *sp, point lo, point hi, found *roots)
{
    double sign = hi.phi > 0 ? 1 : -1;
    for (int i = 0; i < TURN_STEPS; i++) {
        point mid = point_at(sp, sqrt(lo.N) * sqrt(hi.N), lo.r);
        if (sign * mid.phi <= 0) {
            take_root(sp, &lo, &mid, roots);
            take_root(sp, &mid, &hi, roots);
            return;
        }
        if (sign * mid.slope < 0)
            lo = mid;
        else
            hi = mid;
    }
}

static bool is_turning(const point *lo, const point *hi)
{
    return (lo->phi > 0 && lo->slope < 0 && hi->slope > 0) || (lo->phi < 0 && lo->slope > 0 && hi->slope < 0);
}

/* Every root in [least, most]. */
static void search(const space *sp, point lo, double most, found *roots)
{
    for (int i = 0; i < SEARCH_STEPS; i++) {
        point hi = point_at(sp, SEARCH_FACTOR * lo.N, foresee(&lo, SEARCH_FACTOR * lo.N));
        if ((lo.phi < 0) != (hi.phi < 0))
            take_root(sp, &lo, &hi, roots);
        else if (is_turning(&lo, &hi))
            take_pair(sp, lo, hi, roots);
        lo = hi;
        if (lo.N > most && lo.phi > 0)
            return;
    }
}

/* Newton on F = 0 and phi = 0 together, without a safeguard: a good start, most of the time. */
static point joint_guess(const space *sp, point at)
{
    tvec z = final_slip(sp, at.N, at.r);
    for (int i = 0; i < GUESS_STEPS; i++) {
        double r = tvec_length(z), q = 1 + r * r, m = sp->mu * at.N;
        tvec w = {(sp->u.t1 + r * z.t1) / q, (sp->u.t2 + r * z.t2) / q};
        tvec F = {z.t1 - sp->u.t1 - sp->k.t1 * at.N + m * sp->kappa.t1 * w.t1,
                  z.t2 - sp->u.t2 - sp->k.t2 * at.N + m * sp->kappa.t2 * w.t2};
        tangent t = tangent_at(sp, at.N, z, r, w);
        tvec fixed = tangent_solve(&t, F), moved = tangent_solve(&t, push(sp, w)); /* dz = -fixed + moved dN */
        double lift = sp->K_nn - sp->mu * tvec_dot(sp->k, w), phi = at.N * lift - sp->c;
        double dN = -(phi + m * tangent_pull(&t, sp->k, fixed)) / (lift - m * tangent_pull(&t, sp->k, moved));
        z = tvec_make(z.t1 - fixed.t1 + moved.t1 * dN, z.t2 - fixed.t2 + moved.t2 * dN);
        at.N += dN;
        at.r = tvec_length(z);
        if (!(at.N > 0) || fabs(dN) <= GUESS_TOL * at.N)
            break;
    }
    return at;
}

/* The only root: from the forward guess, in an open bracket. */
static void single(const space *sp, double least, found *roots)
{
    double lift = sp->K_nn - sp->mu * tvec_dot(sp->k, sp->u); /* > 0 by (6) */
    point start = {.N = sp->c / lift, .r = 1};
    point guess = joint_guess(sp, start);
    if (guess.N > least && guess.N < INFINITY)
        start = guess;
    roots->at[0] = point_at(sp, start.N, start.r);
    roots->status = outer_root(sp, 1, bracket_make(least, INFINITY), &roots->at[0]);
    roots->count = 1;
}

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
    return -stop.n + sqrt(M_nn * fmax(0, carom_cvec_dot(stop, problem->u)));
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
                .kappa = {turned.K.t11, fmax(0, turned.K.t22)},
                .K_nn = problem->K.nn,
                .c = want.c / v,
                .mu = want.mu};
    return sp;
}

/* The impulse of a root. As in the plane, the normal velocity decides about p_n where phi knows it no better. */
static carom_cvec impulse_at(const space *sp, carom_direction d, const point *at, double v)
{
    double N = at->N, f1 = -sp->mu * N * at->w.t1, f2 = -sp->mu * N * at->w.t2;
    double pull = fabs(sp->k.t1 * f1) + fabs(sp->k.t2 * f2), rest = sp->c - sp->k.t1 * f1 - sp->k.t2 * f2;
    bool better = (sp->c + pull) * sp->c <= (sp->K_nn * N + pull) * rest;
    if (better && square(f1) + square(f2) <= square(sp->mu * rest / sp->K_nn))
        N = rest / sp->K_nn;
    return carom_cvec_make(v * (d.c * f1 - d.s * f2), v * (d.s * f1 + d.c * f2), v * N);
}

static carom_status spatial(const carom_problem *problem, ending want, carom_outcome *out)
{
    const carom_csym *K = &problem->K;
    carom_direction d = principal_axis(K);
    space sp = space_of(problem, d, want);
    if (want.c == 0 && sp.mu * tvec_dot(sp.k, sp.u) <= sp.K_nn) /* (8) */
        return CAROM_OK;
    schur s = schur_of(K);
    double v = carom_cvec_slip(problem->u), least = least_normal(&sp);
    found roots = {.count = 0, .status = CAROM_OK};
    if (is_sole_ending(K, &s, want.mu)) /* (6) */
        single(&sp, least, &roots);
    else
        search(&sp, point_at(&sp, least, 1), most_normal(problem, &s) / v, &roots);
    if (roots.count == 0) {
        out->p = carom_cvec_make(0, 0, want.c / K->nn);
        out->mode = modes[SINGULAR];
        return s.deficient ? CAROM_OK : CAROM_ITERATION_LIMIT;
    }
    out->p = impulse_at(&sp, d, &roots.at[0], v);
    out->mode = modes[want.c > 0 ? SPATIAL : SPATIAL_JAM];
    out->flags |= want.c > 0 ? 0 : CAROM_JAM;
    out->solutions = roots.count;
    for (int i = 0; roots.count > 1 && i < roots.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = impulse_at(&sp, d, &roots.at[i], v);
    return roots.status;
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
    out->p = result.p;
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
