/* Coulomb's law at the end of the impact (Whittaker, Kane and Levinson), for whoever needs it: whittaker.c, smith.c and
 * pfeiffer_glocker.c. Equations: see whittaker.c. The impact ends with a given normal velocity u_n + c:
 *
 *     p_n = (c - k . p_t) / K_nn,   u_t after = a + B p_t,   a = u_t + k c / K_nn,   B = K_TT - k k^T / K_nn  */
#ifndef CAROM_LAWS_WHITTAKER_H
#define CAROM_LAWS_WHITTAKER_H

#include "laws/law.h"

/* A jam starts from u_n = 0. A singular K may leave no finite impulse. */
enum { END_SLIP = 1, END_STICK, END_SLIP_JAM, END_STICK_JAM, END_UNBOUNDED, END_COUNT };

/* Slip left by the best stick of a singular K, against its terms, that rounding of K explains. */
#define STICK_TOL 1e-10

/* The conditions at the end of the impact: the change c of the normal velocity, and friction. */
typedef struct final_state {
    double c, mu;
} final_state;

typedef struct planar_end {
    double p_t, p_n;
    int branch;
    bool acts, sticks; /* what arithmetic needs of the branch */
} planar_end;

/* In the plane of t1 and n: always one solution when K is regular. A singular K may allow the stop with more than one
 * impulse; then p is that of the regular K next to it, whose stick (2) tends to the shortest of them, (-u_t, c) / tr K,
 * and whose slip tends to that along u_t. The normal part of the stick comes from (2), or from the normal velocity
 * where that has less rounding: a nearly singular K leaves (2) few digits, and energy would be made of the others. */
static inline planar_end whittaker_planar(const carom_impact *x, const carom_csym *K, carom_cvec u, final_state want)
{
    double k = K->t1n, c = want.c, mu = want.mu;
    double slip = K->nn * u.t1 + k * c, load = K->t11 * c + k * u.t1, det = minor_of(K->nn, K->t11, k); /* det K (2) */
    bool full = det > RANK_TOL * K->t11 * K->nn, stops = fabs(slip) <= STICK_TOL * K->nn * fabs(u.t1);
    bool limit = !full & stops, may_stick = full | limit;
    slip = limit ? u.t1 : slip;
    load = limit ? c : load;
    double divisor = limit ? K->t11 + K->nn : full ? det : K->nn;
    double stick_t = (may_stick ? -slip : 0) / divisor, stick_n = (may_stick ? load : c) / divisor;
    bool steadier = full & (K->nn * (K->t11 * c + fabs(k * u.t1)) > det * (c + fabs(k * stick_t)));
    stick_n = steadier ? (c - k * stick_t) / K->nn : stick_n;

    double lift = slip < 0 ? K->nn + mu * k : K->nn - mu * k;
    double drag = fabs(may_stick ? stick_t : slip), most = mu * (may_stick ? stick_n : load);
    bool outside = beyond(x, drag, most, "stick/slip"), slips = outside & (lift > 0);
    bool none = outside & (c == 0); /* (7) */
    double p_n = (none ? 0 : slips ? c : stick_n) / (slips ? lift : 1);
    double p_t = slips ? (slip < 0 ? mu : -mu) * p_n : none ? 0 : stick_t; /* (2)...(4) */
    bool singular = !(none | slips | full | stops);
    planar_end end = {p_t, p_n,
                      none       ? NO_IMPACT
                      : slips    ? END_SLIP
                      : singular ? END_UNBOUNDED
                      : c > 0    ? END_STICK
                                 : END_STICK_JAM,
                      !none, !(none | slips | singular)};
    return end;
}

/* The impact of a sphere keeps to the plane of its slip: K and u there, with the slip along t1. */
typedef struct slip_plane_view {
    carom_csym K;
    carom_cvec u;
} slip_plane_view;

static inline slip_plane_view into_slip_plane(const carom_impact *x)
{
    slip_plane_view v = {{x->K.t11, 0, 0, 0, 0, x->K.nn}, {x->v_t, 0, x->u.n}};
    return v;
}

/* An impulse in that plane, seen from outside. A coupling that rounding left in K may pull the bodies together: p_n
 * makes up for it. */
static inline carom_impulse from_slip_plane(const carom_impact *x, double p_t, double p_n, int branch)
{
    tvec q = {-p_t * x->tau.c, -p_t * x->tau.s};
    return impulse_make(q.t1, q.t2, p_n - min(0, pull(x, q)) / x->K.nn, branch);
}

/* Friction is rounded in proportion to its length. Where that would leave the bodies approaching, the normal velocity
 * decides about p_n, by (1), which then is larger: p stays inside the cone. */
static inline double normal_without_approach(const carom_impact *x, double c, carom_cvec p)
{
    double k_p = pull(x, tangential(p));
    return x->u.n + k_p + x->K.nn * p.n < 0 ? max(p.n, (c - k_p) / x->K.nn) : p.n;
}

/* A sufficient condition for a single solution, for whittaker and smith: mu |k| / K_nn < 2 sqrt(det B) / tr B. */
static inline bool has_one_end(const carom_impact *x, double mu)
{
    double reach = mu * tvec_length(coupling(&x->K)) * (x->n11 + x->n22);
    return x->kind != CAROM_KIND_SINGULAR && square(reach) < 4 * x->det * square(x->K.nn);
}

enum { END_SOLUTIONS = 6 }; /* one that sticks, four that slip, one spare */

/* In space: every solution, by p_n. None where a singular K has no finite one. */
typedef struct endings {
    int count;
    carom_impulse at[END_SOLUTIONS];
} endings;

endings whittaker_spatial(const carom_impact *x, final_state want);

#endif
