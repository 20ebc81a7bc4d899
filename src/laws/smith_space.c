#include "laws/smith_space.h"

#include <float.h>

#include "core/roots.h"

/* The search for several roots steps p_n by this factor: turning points of phi lie further apart. */
#define SEARCH_FACTOR 2.0
/* Times the largest normal impulse: where phi has not become positive here, it does not. */
#define BEYOND 0x1p60
/* Final slip below this share of the initial one is rest: w depends on its square only. */
#define REST 1e-20
/* The unsafeguarded start ends here: the safeguarded iteration takes over, one step from the end. */
#define GUESS_TOL 1e-6

enum { GUESS_STEPS = 8 };
enum { SEARCH_STEPS = 1100 }; /* doublings: all of the range of double, which little approach and much friction need */
enum { TURN_STEPS = 32 };     /* halvings of an interval in which phi turns */

static tvec final_slip(const space *sp, double N, double r)
{
    double q = 1 + r * r, m = sp->mu * N;
    return tvec_make((q * (sp->u.t1 + sp->k.t1 * N) - m * sp->kappa.t1 * sp->u.t1) / (q + m * r * sp->kappa.t1),
                     (q * (sp->u.t2 + sp->k.t2 * N) - m * sp->kappa.t2 * sp->u.t2) / (q + m * r * sp->kappa.t2));
}

/* r - |z(r)| and its slope. */
static double excess(const space *sp, double N, double r, double *slope)
{
    double m = sp->mu * N, q = 1 + r * r, m1 = m * sp->kappa.t1, m2 = m * sp->kappa.t2;
    double b1 = sp->u.t1 + sp->k.t1 * N, b2 = sp->u.t2 + sp->k.t2 * N;
    double over1 = 1 / (q + m1 * r), over2 = 1 / (q + m2 * r);
    double z1 = (q * b1 - m1 * sp->u.t1) * over1, z2 = (q * b2 - m2 * sp->u.t2) * over2;
    double d1 = (2 * r * b1 - z1 * (2 * r + m1)) * over1, d2 = (2 * r * b2 - z2 * (2 * r + m2)) * over2; /* dz/dr */
    double size = sqrt(z1 * z1 + z2 * z2);
    *slope = size > 0 ? 1 - (z1 * d1 + z2 * d2) / size : 1;
    return r - size;
}

/* (4): |z| for p_n = N, searched from r; whether it converged. */
static bool inner_root(const space *sp, double N, double *r)
{
    double reach = sp->mu * N * max(sp->kappa.t1, sp->kappa.t2) + tvec_length(sp->k) * N + 1; /* >= |z| */
    bracket b = bracket_make(0, reach * (1 + 4 * EPS));
    double x = *r < b.hi ? *r : b.hi;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, f = excess(sp, N, x, &slope);
        *r = f == 0 ? x : bracket_next(&b, x, f, slope);
        if (bracket_settled(&b, x, *r) || (*r <= REST && excess(sp, N, *r, &slope) >= -REST))
            return true;
        x = *r;
    }
    return false;
}

/* W = dw/dz and J = dF/dz of F = z - u - k N + mu N K_TT w(z), which vanishes at z(N). */
typedef struct tangent {
    double w11, w12, w21, w22;
    double j11, j12, j21, j22;
} tangent;

static tangent tangent_at(const space *sp, double N, tvec z, double r, tvec w)
{
    double over = 1 / (1 + r * r), m = sp->mu * N, inv = r > 0 ? 1 / r : 0;
    tangent t;
    double s1 = (inv * z.t1 - 2 * w.t1) * over, s2 = (inv * z.t2 - 2 * w.t2) * over;
    t.w11 = r * over + s1 * z.t1;
    t.w12 = s1 * z.t2;
    t.w21 = s2 * z.t1;
    t.w22 = r * over + s2 * z.t2;
    t.j11 = 1 + m * sp->kappa.t1 * t.w11;
    t.j12 = m * sp->kappa.t1 * t.w12;
    t.j21 = m * sp->kappa.t2 * t.w21;
    t.j22 = 1 + m * sp->kappa.t2 * t.w22;
    return t;
}

/* J^-1 f */
static tvec tangent_solve(const tangent *t, tvec f)
{
    double over = 1 / (t->j11 * t->j22 - t->j12 * t->j21);
    return tvec_make((f.t1 * t->j22 - f.t2 * t->j12) * over, (f.t2 * t->j11 - f.t1 * t->j21) * over);
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
    point at = {.N = N, .r = r};
    at.settled = inner_root(sp, N, &at.r);
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
            return at->settled ? CAROM_STATUS_OK : CAROM_STATUS_ITERATION_LIMIT;
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

/* Half of where phi < 0 is still certain: no root is smaller, unless it underflows. */
static double least_normal(const space *sp)
{
    double pull = sp->mu * tvec_length(sp->k), stiff = max(sp->kappa.t1, sp->kappa.t2);
    if (sp->c > 0)
        return max(DBL_MIN, 0.5 * sp->c / (sp->K_nn + pull));
    double drive = sp->mu * tvec_dot(sp->k, sp->u) - sp->K_nn;          /* > 0: the contact jams */
    return drive / (16 * pull * (tvec_length(sp->k) + sp->mu * stiff)); /* up to here z and w are nearly constant */
}

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

void smith_search(const space *sp, double most, found *roots)
{
    point lo = point_at(sp, least_normal(sp), 1);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        point hi = point_at(sp, SEARCH_FACTOR * lo.N, foresee(&lo, SEARCH_FACTOR * lo.N));
        if ((lo.phi < 0) != (hi.phi < 0))
            take_root(sp, &lo, &hi, roots);
        else if (is_turning(&lo, &hi))
            take_pair(sp, lo, hi, roots);
        lo = hi;
        if (lo.N > most && (lo.phi > 0 || lo.N > BEYOND * most))
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

void smith_single(const space *sp, found *roots)
{
    double least = least_normal(sp);
    double lift = sp->K_nn - sp->mu * tvec_dot(sp->k, sp->u); /* > 0 by (6) */
    point start = {.N = sp->c / lift, .r = 1};
    point guess = joint_guess(sp, start);
    if (guess.N > least && guess.N < INFINITY)
        start = guess;
    roots->at[0] = point_at(sp, start.N, start.r);
    roots->status = outer_root(sp, 1, bracket_make(least, INFINITY), &roots->at[0]);
    roots->count = 1;
}
