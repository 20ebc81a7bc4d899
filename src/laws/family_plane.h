/* The restitution plane: impulses that leave with a given normal velocity, u_n after = u_n + c.
 *
 *     p_n = (c - k . p_t) / K_nn,   u_t after = a + B p_t,   a = u_t + k c / K_nn,   B = K_TT - k k^T / K_nn
 *
 * Newton's restitution is c = (1 + e) v_n; compression alone is c = v_n. On this plane Coulomb's law for the end of the
 * impact (Whittaker, Kane and Levinson) is solved here for whoever needs it. */
#ifndef CAROM_LAWS_FAMILY_PLANE_H
#define CAROM_LAWS_FAMILY_PLANE_H

#include "contact/plane.h"
#include "laws/family_algebraic.h"

/* The branches of Coulomb's law at the end of the impact; a jam starts from u_n = 0. A singular K may have no solution:
 * that of a K next to it is unbounded. The impulse is then the frictionless one, or as near to sticking as it goes. */
enum { END_SLIP = 1, END_STICK, END_SLIP_JAM, END_STICK_JAM, END_SINGULAR, END_COUNT };

enum { END_SOLUTIONS = 6 }; /* one that sticks, four that slip, one spare */

typedef struct endings {
    int count;
    verdict at[END_SOLUTIONS]; /* by p_n */
} endings;

/* What is asked of the end of the impact. */
typedef struct ending {
    double c, mu;
} ending;

/* One that lies flat, as a planar problem. */
static inline carom_problem flat_of(const carom_problem *problem)
{
    const carom_csym *K = &problem->K;
    carom_problem flat = {{K->t11, 0, 0, K->t1n, 0, K->nn}, {problem->u.t1, 0, problem->u.n}};
    return flat;
}

/* The impact of a sphere keeps to the plane of its slip: as a planar problem, with the direction of slip. */
typedef struct rolled {
    carom_problem problem;
    tvec d;
} rolled;

LANES_INLINE rolled roll(const carom_problem *problem)
{
    carom_cvec u = problem->u;
    double v = carom_cvec_slip(u), per = 1 / (v > 0 ? v : 1);
    rolled x = {{{problem->K.t11, 0, 0, 0, 0, problem->K.nn}, {v, 0, u.n}}, {u.t1 * per, u.t2 * per}};
    return x;
}

/* An impulse in that plane, seen from outside. */
LANES_INLINE carom_cvec unroll(const rolled *x, carom_cvec p)
{
    return impulse(p.n, tvec_scale(p.t1, x->d));
}

/* The same of a sphere. A coupling that rounding left in its K may pull the bodies together: p_n outdoes it. */
LANES_INLINE carom_cvec unroll_sphere(const carom_problem *problem, const rolled *x, carom_cvec p)
{
    carom_cvec q = unroll(x, p);
    double pull = problem->K.t1n * q.t1 + problem->K.t2n * q.t2;
    q.n -= smaller(0, pull) * (1 / problem->K.nn); /* a quotient that waits for nothing */
    return q;
}

/* What vector loops take of laws that are simple in a plane: whole tiles of spheres, others of planar problems. */
LANES_INLINE bool covers_plane(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)c;
    return s->whole ? csym_is_sphere(&problem->K) : problem_is_planar(problem);
}

/* K_nn a, a = u_t + k c / K_nn: the slip that a frictionless impact leaves. */
static inline tvec plane_slip(const carom_problem *problem, double c)
{
    return schur_reduce_scaled(&problem->K, carom_cvec_make(problem->u.t1, problem->u.t2, -c));
}

/* A sufficient condition, for whittaker and smith: mu |k| / K_nn < 2 sqrt(det B) / tr B. */
static inline bool is_sole_ending(const carom_csym *K, const schur *s, double mu)
{
    double pull = mu * tvec_length(coupling(K)) * (s->n11 + s->n22);
    return !s->deficient && square(pull) < 4 * s->det * square(K->nn);
}

/* Slip left by the best stick of a singular K, against its terms, that rounding of K explains. */
#define STICK_TOL 1e-10

/* What of a branch arithmetic depends on. (In lanes as truth values: integers would halve the width of the loop.) */
typedef struct flat_end {
    verdict end;
    bool acts, sticks;
} flat_end;

/* In the plane of t1 and n: always one solution. Equations of whittaker.c. */
LANES_INLINE flat_end whittaker_planar(const carom_problem *problem, ending want)
{
    const carom_csym *K = &problem->K;
    double u = problem->u.t1, k = K->t1n, c = want.c, mu = want.mu;
    double slip = K->nn * u + k * c, load = K->t11 * c + k * u; /* det K times (2) */
    double det = minor_of(K->nn, K->t11, k), drag = mu * k, lift = slip < 0 ? K->nn + drag : K->nn - drag;
    bool outside = fabs(slip) > mu * load, slips = outside & (lift > 0);
    bool full = det > RANK_TOL * K->nn * (K->t11 + K->t22), stops = fabs(slip) <= STICK_TOL * K->nn * fabs(u);
    bool none = outside & (c == 0); /* (7) */
    double below = slips ? lift : full ? det : K->nn, top = none ? 0 : slips ? c : full ? load : c;
    double share = 1 / below, p_n = top * share, stick = full & !none ? -slip * share : 0;
    double p_t = slips ? (slip < 0 ? mu : -mu) * p_n : stick; /* (2)...(4) */
    int sticks = c > 0 ? END_STICK : END_STICK_JAM, singular = stops ? END_STICK : END_SINGULAR;
    flat_end result = {{{p_t, 0, p_n},
                        none    ? NO_IMPACT
                        : slips ? END_SLIP
                        : full  ? sticks
                                : singular},
                       !none,
                       (!(none | slips)) & (full | stops)};
    return result;
}

/* In space: every solution. s is the complement of K. */
endings LANES_VARIANT(whittaker_spatial)(const carom_problem *problem, const schur *s, ending want);

#endif
