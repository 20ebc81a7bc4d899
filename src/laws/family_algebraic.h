/* What the algebraic laws share.
 *
 *     K = [ K_TT  k   ]    v_n = -u_n >= 0,   v_t = |u_t|,   tau = -u_t / v_t  (against the slip)
 *         [ k^T  K_nn ]    c = (1 + e) v_n    the change of normal velocity that Newton's restitution asks for
 *
 * An algebraic law has no path: it says p at once. Two impulses appear again and again (thesis 6.5):
 *
 *     P1 = (0, v_n / K_nn)    the least impulse that stops the approach,
 *     P2 = -K^+ u             the impulse that stops all relative motion.                      */
#ifndef CAROM_LAWS_FAMILY_ALGEBRAIC_H
#define CAROM_LAWS_FAMILY_ALGEBRAIC_H

#include "carom/law.h"
#include "core/lanes.h"
#include "core/num.h"
#include "core/psd.h"

/* What a kernel says: the impulse, and the branch that gave it (0 is always "no_impact"). */
typedef struct verdict {
    carom_cvec p;
    int branch;
} verdict;

enum { NO_IMPACT = 0 };

/* A kernel that has an answer for every problem. */
static inline bool covers_all(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)problem;
    (void)s;
    (void)c;
    return true;
}

static inline carom_cvec impulse(double p_n, tvec p_t)
{
    return carom_cvec_make(p_t.t1, p_t.t2, p_n);
}

static inline tvec tvec_make(double t1, double t2)
{
    tvec t = {t1, t2};
    return t;
}

static inline tvec tvec_scale(double s, tvec a)
{
    return tvec_make(s * a.t1, s * a.t2);
}

/* c = (1 + e) v_n. */
static inline double rebound(const carom_problem *problem, double e)
{
    return -(1 + e) * problem->u.n;
}

/* K_nn d B d: what d K_TT d keeps when the normal is free to give way. Never negative. */
static inline double complement_form(const schur *s, tvec d)
{
    return larger(0, tvec_dot(d, schur_apply_scaled(s, d)));
}

/* P2 - P1 = (q, -k.q / K_nn): it moves the slip and leaves the normal velocity alone. Returned is q. */
static inline tvec stopping_part(const carom_problem *problem, const schur *s)
{
    carom_cvec stop = psd_solve_with(&problem->K, s, problem->u);
    return tvec_make(-stop.t1, -stop.t2);
}

/* A larger mu changes no impulse that leaves the cone, and its products would overflow. */
#define SLOPE_MOST 1e150

/* The segment from (0, a) to (q, a + lift), as far as it stays in the friction cone: to (share q, p_n). */
typedef struct cone_cut {
    double share, p_n;
    bool outside; /* its end was */
} cone_cut;

/* It leaves the cone at (mu a q, a |q|) / (|q| - mu lift). */
static inline cone_cut cut_to_cone(double mu, double a, tvec q, double lift)
{
    double slope = mu < SLOPE_MOST ? mu : SLOPE_MOST, friction = tvec_length(q), size = a / (friction - slope * lift);
    bool outside = friction > mu * (a + lift);
    cone_cut cut = {outside ? size * slope : 1, outside ? size * friction : a + lift, outside};
    return cut;
}

/* The solve and the batch of a law from its answer, which is made twice: for any K, and for one known to have its rank.
 * The last part of a file, from answer on, is for the baseline variant only: see core/lanes.h. */
#define ALGEBRAIC_SOLVE(law)                                                                                           \
    static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,        \
                              carom_outcome *out)                                                                      \
    {                                                                                                                  \
        const schur s = schur_of(&problem->K);                                                                         \
        (void)tracer;                                                                                                  \
        return answer(problem, &s, rule, out);                                                                         \
    }                                                                                                                  \
    static carom_status regular(const carom_problem *problem, const schur *known, const carom_rule *rule,              \
                                carom_outcome *out)                                                                    \
    {                                                                                                                  \
        schur s = *known;                                                                                              \
        s.deficient = false;                                                                                           \
        return answer(problem, &s, rule, out);                                                                         \
    }                                                                                                                  \
    static const carom_law_batch batch = {LANES_VARIANTS(law##_lanes), regular};

#endif
