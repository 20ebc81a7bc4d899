/* Chatterjee's three algebraic laws (thesis 6.5) and what they share.
 *
 * Each law is a kernel; chatterjee-mix takes all three. The equations are in the file of each law. All know the same
 * coefficients and start from the same complement s of K. One impact alone skips what it does not need; a lane, which
 * always approaches, computes everything and selects, but for the scaling of law III: see LANES_TWO_KERNELS. Laws II
 * and III both walk along a segment from the frictionless impulse (0, a), a = (1 + e) v_n / K_nn, and stop at the
 * friction cone. */
#ifndef CAROM_LAWS_FAMILY_CHATTERJEE_H
#define CAROM_LAWS_FAMILY_CHATTERJEE_H

#include "laws/family_algebraic.h"

/* The branches of each law, in their order in the enums below; the other arguments are handed through. */
#define VELOCITY_MODES(X)      X("no_impact") X("rt-a") X("rt-b") X("rt-c") X("mu-a") X("mu-b") X("mu-c")
#define MOMENTUM_MODES(X, one) X(one, "no_impact") X(one, "interior") X(one, "cone")
#define REBOUND_MODES(X, one, two)                                                                                     \
    X(one, two, "no_impact")                                                                                           \
    X(one, two, "interior") X(one, two, "cone") X(one, two, "scaled-interior") X(one, two, "scaled-cone")

enum { VELOCITY_RT_A = 1, VELOCITY_RT_B, VELOCITY_RT_C, VELOCITY_MU_A, VELOCITY_MU_B, VELOCITY_MU_C, VELOCITY_COUNT };
enum { MOMENTUM_INTERIOR = 1, MOMENTUM_CONE, MOMENTUM_COUNT };
enum { REBOUND_INTERIOR = 1, REBOUND_CONE, REBOUND_SCALED_INTERIOR, REBOUND_SCALED_CONE, REBOUND_COUNT };

/* Where divisions can be merged: all of them, so that none waits and round numbers stay round, or one, where there are
 * many others. */
typedef enum divisions { ALL_DIVISIONS, ONE_DIVISION } divisions;

/* What a law says, with the tangential impulse left in factors: p = (share t, p_n). */
typedef struct factored {
    tvec t;
    double share, p_n;
    int branch;
} factored;

LANES_INLINE verdict multiplied(factored x)
{
    verdict result = {impulse(x.p_n, tvec_scale(x.share, x.t)), x.branch};
    return result;
}

/* A gain of energy above this share of its terms is trimmed: well inside what the ledger would flag. */
#define TRIM_TOL (8 * EPS)

/* The share x of the tangential impulse q that may stay when the normal velocity changes by D_n, so that no energy is
 * gained. The laws see to that; but an ill-conditioned or singular K magnifies their rounding. r = u_t - k u_n / K_nn:
 *
 *     2 K_nn dE = N + 2 R x + Q x^2,   N = D_n (2 u_n + D_n) <= 0,   R = K_nn q . r,   Q = K_nn q B q    */
LANES_INLINE double energy_share(const carom_problem *problem, const schur *s, double D_n, tvec q)
{
    const carom_csym *K = &problem->K;
    tvec r = schur_reduce_scaled(K, problem->u);
    double N = -larger(0, -D_n * (2 * problem->u.n + D_n)), R = tvec_dot(q, r), Q = complement_form(s, q);
    double noise = TRIM_TOL * (fabs(q.t1 * r.t1) + fabs(q.t2 * r.t2) + fabs(D_n * problem->u.n));
    double root = sqrt(R * R - Q * N), top = R > 0 ? -N : root - R, below = R > 0 ? R + root : Q;
    return N + 2 * R + Q > noise ? clamp(top / below, 0, 1) : 1;
}

/* ---- law I: chatterjee-velocity ---- */

/* A slip whose square is smaller counts as none: where the largest numbers are between 1e-20 and 1e20, its products
 * would leave the range of double. */
#define SLIDE_LEAST 1e-220

/* u_t = -tau v_t is used as it is, without the root and the division that make tau of it; vv = v_t^2. */
typedef struct slide {
    tvec u;
    double v_t, vv;
    bool slides; /* v_t counts */
} slide;

LANES_INLINE slide slide_of(carom_cvec u)
{
    slide x = {.u = tangential(u)};
    x.vv = fused_dot(x.u, x.u);
    x.v_t = sqrt(x.vv);
    x.slides = x.vv >= SLIDE_LEAST;
    return x;
}

/* The diagonal of M = K^+, of the normal and along tau, the latter times v_t^2; up to a common factor. */
typedef struct masses {
    double nn, tt;
} masses;

/* Of a singular K the limit of a regular one: directions in which K does not move have a mass out of all proportion. */
static inline masses masses_of_singular(const carom_csym *K, const slide *x)
{
    masses M = {0, 0};
    double value[3];
    carom_cvec vector[3];
    csym_eigen(K, value, vector);
    for (int i = 0; i < 3; i++) {
        double inertia = 1 / larger(value[i], RANK_TOL * value[2]);
        M.nn += square(vector[i].n) * inertia;
        M.tt += x->slides ? square(tvec_dot(x->u, tangential(vector[i]))) * inertia : 0;
    }
    return M;
}

/* u_t N u_t, never negative, and u_t adj(N) u_t of N = K_nn B. If this has its rank, rounding is smaller than either.
 */
typedef struct forms {
    double plain, turned;
} forms;

LANES_INLINE forms forms_of(const schur *s, const slide *x)
{
    double one = square(x->u.t1), two = square(x->u.t2), cross = 2 * s->n12 * (x->u.t1 * x->u.t2);
    forms f = {fused(s->n11, one, fused(s->n22, two, cross)), fused(s->n22, one, fused(s->n11, two, -cross))};
    if (s->deficient)
        f.plain = larger(0, f.plain);
    return f;
}

/* Of a regular one det K_TT and tau adj(N) tau, with a zero row those of the plane that is left. */
LANES_INLINE masses masses_of(const carom_csym *K, const schur *s, const slide *x, double turned)
{
    if (s->deficient)
        return masses_of_singular(K, x);
    bool first = s->n11 > 0, second = s->n22 > 0, both = s->whole || (first & second);
    double block = minor_of(K->t11, K->t22, K->t12);
    double flat = K->nn * ((first ? square(x->u.t1) : 0) + (second ? square(x->u.t2) : 0));
    masses M = {both ? block : first ? K->t11 : second ? K->t22 : 1, both ? turned : flat};
    return M;
}

/* Q = (q tau v_t, n), of any length. */
typedef struct direction {
    double q, n;
    bool cone; /* mu decided */
} direction;

/* u_n is not out of all proportion to u_t: products of numbers like it stay in the range of double. */
LANES_INLINE bool is_steep(double u_n, const slide *x)
{
    return u_n < -COMFORT_LEAST * x->v_t;
}

/* Of a steep impact in a regular problem: without a branch, for which part of (1) decides is a toss-up; and without a
 * division by vv, for a power of two near it keeps the length of Q in bounds as well. */
LANES_INLINE direction direction_of(masses M, double bounce, const slide *x, const carom_coeffs *c)
{
    double share = x->slides ? power_of_two_against(x->vv) : 0, n = M.nn * bounce;
    double q = M.tt * (1 + c->e_t) * share;
    double most = c->mu * n * (x->v_t * share); /* inf 0 is no number, of which smaller says q */
    direction Q = {smaller(most, q), x->slides ? n * (x->vv * share) : n, most < q};
    return Q;
}

/* A larger mu is not told from this one: (5) would overflow. */
#define GRAZING_MU_MOST 1e60

/* Of any: (5) too. */
LANES_INLINE direction direction_closely(masses M, double bounce, const slide *x, const carom_coeffs *c)
{
    double n = M.nn * bounce, qvv = M.tt * (1 + c->e_t), q = qvv * (x->slides ? 1 / x->vv : 0);
    bool inside = (n > 0) & (q * qvv <= square(c->mu * n));
    direction Q = {inside ? q : smaller(c->mu, GRAZING_MU_MOST), inside ? n : x->v_t, !inside};
    return Q;
}

/* Case (a) by no more than rounding is (b): both ask for the same where e = 1 and Q has no tangential part. */
#define TIE (1 + 8 * EPS)

LANES_INLINE factored chatterjee_velocity(const carom_problem *problem, const schur *s, const carom_coeffs *c,
                                          bool alone)
{
    const carom_csym *K = &problem->K;
    const slide x = slide_of(problem->u);
    double u_n = problem->u.n, bounce = rebound(problem, c->e);
    const forms f = forms_of(s, &x);
    const masses M = masses_of(K, s, &x, f.turned);
    bool closely = alone && !(s->regular && is_steep(u_n, &x));
    direction Q = closely ? direction_closely(M, bounce, &x, c) : direction_of(M, bounce, &x, c);

    double lift = fused(K->nn, Q.n, -(fused_dot(coupling(K), x.u) * Q.q));   /* (K Q)_n */
    double stiff = fused(lift, lift, square(Q.q) * f.plain);                 /* K_nn Q K Q */
    double drive = 2 * fused(-Q.n, u_n, Q.q * x.vv) * K->nn;                 /* (2): drive / stiff */
    bool acts = !alone || u_n < 0 || (c->e_t > -1 && c->mu > 0 && x.vv > 0); /* else no jam from grazing */
    bool live = (stiff > 0) & acts, strong = live & (drive * lift > TIE * bounce * stiff);
    double top = strong ? bounce : drive, below = strong ? lift : alone && !live ? 1 : stiff;
    double size = live ? top / below : 0; /* (3) */
    double missing = -fused(size, lift, u_n);
    bool weak = !strong & (missing > 0);
    double extra = weak ? 2 * missing * (1 / K->nn) : 0; /* (4) */
    int branch = (Q.cone ? VELOCITY_MU_B : VELOCITY_RT_B) + (strong ? -1 : weak ? 1 : 0);
    factored result = {x.u, -(size * Q.q), fused(size, Q.n, extra),
                       u_n == 0 && (strong || !(size > 0)) ? NO_IMPACT : branch};
    return result;
}

/* What a lane may do of it. */
LANES_INLINE bool steep(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const slide x = slide_of(problem->u);
    (void)s;
    (void)c;
    return is_steep(problem->u.n, &x);
}

/* ---- laws II and III: along a segment to the cone ---- */

/* schur_reduce_scaled of v = -(by_t u_T, by_n u_n), the change that laws II and III ask for, with by_t = 1 + e_t; they
 * walk to (K^+ v)_t. The products serve for both; this is of one of them, or of both side by side. */
#define REDUCE_SCALED(name, vector, number)                                                                            \
    LANES_INLINE vector name(const carom_csym *K, carom_cvec u, double by_t, number by_n)                              \
    {                                                                                                                  \
        vector r = {number##_fused(by_n, number##_of(K->t1n * u.n), number##_of(-(by_t * (K->nn * u.t1)))),            \
                    number##_fused(by_n, number##_of(K->t2n * u.n), number##_of(-(by_t * (K->nn * u.t2))))};           \
        return r;                                                                                                      \
    }
REDUCE_SCALED(reduce_scaled, tvec, double)
REDUCE_SCALED(reduce_scaled_pair, tvec_pair, pair)

/* Two segments that differ in q and in drag. */
typedef struct segment_pair {
    double rise, nn;
    struct {
        tvec_pair top;
        double below;
    } q;
    pair drag;
} segment_pair;

typedef struct cone_cut_pair {
    pair share, p_n;
    pair_mask outside;
} cone_cut_pair;

/* cut_to_cone with one division and no branch: which side of the cone is a toss-up. (On the cone itself it may name the
 * other side than cut_to_cone, which compares squares.) */
#define CUT_AT_ONCE(name, segment, cone_cut, number)                                                                   \
    LANES_INLINE cone_cut name(double mu, const segment *x)                                                            \
    {                                                                                                                  \
        number qq = number##_fused(x->q.top.t1, x->q.top.t1, x->q.top.t2 * x->q.top.t2), friction = number##_root(qq); \
        number load = number##_fused(number##_of(x->rise), number##_of(x->q.below), -x->drag),                         \
               push = x->nn * friction;                                                                                \
        number##_mask outside = push > mu * load;                                                                      \
        double slope = smaller(mu, SLOPE_MOST);                                                                        \
        number leaves = number##_fused(number##_of(slope), x->drag, push), ends = number##_of(x->nn * x->q.below);     \
        number size =                                                                                                  \
            number##_pick(outside, number##_of(x->rise), number##_of(1)) / number##_pick(outside, leaves, ends);       \
        cone_cut cut = {size * number##_pick(outside, number##_of(slope), number##_of(x->nn)),                         \
                        number##_pick(outside, size * friction, size * load), outside};                                \
        return cut;                                                                                                    \
    }
CUT_AT_ONCE(cut_at_once, segment, cone_cut, double)
CUT_AT_ONCE(cut_at_once_pair, segment_pair, cone_cut_pair, pair)

/* The end of the segment, cut back to the cone where it lies outside. */
LANES_INLINE factored cut_back(double mu, const segment *x, divisions make, int inside)
{
    const cone_cut cut = make == ONE_DIVISION ? cut_at_once(mu, x) : cut_to_cone(mu, x);
    bool acts = x->rise > 0 || (!cut.outside && (x->q.top.t1 != 0 || x->q.top.t2 != 0));
    factored result = {x->q.top, cut.share, cut.p_n, acts ? inside + cut.outside : NO_IMPACT};
    return result;
}

/* ---- law II: chatterjee-momentum ---- */

LANES_INLINE factored chatterjee_momentum(const carom_problem *problem, const schur *s, const carom_coeffs *c,
                                          divisions make)
{
    const carom_csym *K = &problem->K;
    double D_n = rebound(problem, c->e), by = 1 + c->e_t;
    segment x = {.rise = D_n, .nn = K->nn}; /* (1 + e) P1_n */
    x.q = answer_to_reduced(K, s, carom_cvec_scale(-by, problem->u), reduce_scaled(K, problem->u, by, by)); /* (2) */
    if (s->deficient)
        x.q.top = tvec_scale(energy_share(problem, s, D_n, x.q.top), x.q.top);
    x.drag = fused_dot(coupling(K), x.q.top);
    return cut_back(c->mu, &x, make, MOMENTUM_INTERIOR); /* (1), (3) */
}

/* ---- law III: chatterjee-rebound ---- */

/* (by_t u_t, by_n u_n). */
LANES_INLINE carom_cvec scaled(carom_cvec u, double by_t, double by_n)
{
    return carom_cvec_make(by_t * u.t1, by_t * u.t2, by_n * u.n);
}

/* a + x b. */
LANES_INLINE tvec blend(tvec a, double x, tvec b)
{
    return tvec_make(a.t1 + x * b.t1, a.t2 + x * b.t2);
}

/* The work on v of the impulse with the tangential part q that changes the normal velocity by D_n; times q.below. */
LANES_INLINE double work_on(const carom_csym *K, fraction q, double D_n, carom_cvec v)
{
    double p_n = (D_n * q.below - tvec_dot(coupling(K), q.top)) * (1 / K->nn);
    return tvec_dot(q.top, tangential(v)) + p_n * v.n;
}

/* What is asked for, and the tangential impulse that would do it. */
typedef struct increment {
    carom_cvec A;
    fraction q;    /* of M A, then of P */
    double gain;   /* of energy, tentatively: see tentative_gain */
    double excess; /* D_n - A_n */
} increment;

/* K_nn A M C, times q.below, from q = (M A)_t, which leaves (M A)_n to say. C is (2). */
LANES_INLINE double tentative_gain(const carom_problem *problem, const carom_coeffs *c, double A_n, fraction q)
{
    const carom_csym *K = &problem->K;
    double load = fused(A_n, q.below, -fused_dot(coupling(K), q.top));
    return fused((1 - c->e) * problem->u.n, load, (1 - c->e_t) * K->nn * fused_dot(tangential(problem->u), q.top));
}

LANES_INLINE increment tentative(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u;
    double by_t = 1 + c->e_t, by_n = 1 + c->e;
    increment x = {.A = scaled(u, -by_t, -by_n)}; /* (1) */
    x.q = answer_to_reduced(K, s, x.A, reduce_scaled(K, u, by_t, by_n));
    x.gain = tentative_gain(problem, c, x.A.n, x.q);
    return x;
}

/* (3) to (6). M D is solved for again: it may be far smaller than M A and M u. */
LANES_INLINE bool scale_back(const carom_problem *problem, const schur *s, const carom_coeffs *c, increment *x)
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u;
    fraction y = answer_to(K, s, u);
    double motion = square(u.n) * y.below + tvec_dot(schur_reduce_scaled(K, u), y.top); /* K_nn u M u y.below */
    bool shrinks = (x->gain > 0) & (motion > 0);
    double g = shrinks ? x->gain / motion : 0, gamma = sqrt(1 + g), share = 1 / (gamma * (1 + gamma));
    double by = (1 + gamma) * share, delta = g * gamma * share;
    double d_t = by * (1 + c->e_t + delta), d_n = by * (1 + c->e + delta);
    carom_cvec D = scaled(u, -d_t, -d_n); /* (4) */
    carom_cvec C = scaled(u, by * (1 - c->e_t + delta), by * (1 - c->e + delta));
    fraction q = answer_to_reduced(K, s, D, reduce_scaled(K, u, d_t, d_n)); /* (5) */
    if (s->deficient)
        q.top = tvec_scale(energy_share(problem, s, D.n, q.top), q.top);
    fraction q_C = {s->deficient ? answer_to(K, s, C).top : blend(q.top, 2, y.top), q.below}; /* C = D + 2 u */
    double size = work_on(K, q_C, C.n, C), slack = work_on(K, q, D.n, C) / size;
    x->q.top = blend(q.top, shrinks & (size > 0) ? clamp(-slack, -1, 1) : 0, q_C.top); /* (6) */
    x->excess = by * delta * c->e * u.n;
    return shrinks;
}

/* When (3) to (6) are computed. */
typedef enum scaling { SCALE_NEVER, SCALE_IF_NEEDED, SCALE_ALWAYS } scaling;

LANES_INLINE factored chatterjee_rebound(const carom_problem *problem, const schur *s, const carom_coeffs *c,
                                         divisions make, scaling when)
{
    const carom_csym *K = &problem->K;
    increment x = tentative(problem, s, c);
    bool shrinks = false;
    if (when == SCALE_ALWAYS || (when == SCALE_IF_NEEDED && (s->deficient || x.gain > 0)))
        shrinks = scale_back(problem, s, c, &x);
    double drag = fused_dot(coupling(K), x.q.top);
    const segment P = {x.A.n, K->nn, x.q, when == SCALE_NEVER ? drag : drag - x.excess * x.q.below};
    return cut_back(c->mu, &P, make, shrinks ? REBOUND_SCALED_INTERIOR : REBOUND_INTERIOR);
}

/* Law III as it is tried first has no more energy than came in. */
LANES_INLINE bool keeps_energy(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return !(tentative(problem, s, c).gain > 0);
}

#endif
