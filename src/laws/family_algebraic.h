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

/* Is (q, a + lift) outside the friction cone? */
static inline bool is_outside_cone(double mu, double a, tvec q, double lift)
{
    return tvec_length(q) > mu * (a + lift);
}

/* Where the segment from (0, a) to (q, a + lift), which ends outside the cone, leaves it. With mu = tan:
 *
 *     (mu a q, a |q|) / (|q| - mu lift)
 *
 * Both sides are divided by 1 + mu, so that no mu is too large. */
static inline carom_cvec cut_to_cone(double mu, double a, tvec q, double lift)
{
    double steep = 1 / (1 + mu), slope = mu * steep, friction = tvec_length(q);
    double size = a / (steep * friction - slope * lift);
    return impulse(size * steep * friction, tvec_scale(size * slope, q));
}

/* The loops of a law from its kernel, and its solve and batch from its single. The last part of a file, from solve on,
 * is for the baseline variant only: see core/lanes.h. */
#define ALGEBRAIC_SOLVE(law)                                                                                           \
    static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,        \
                              carom_outcome *out)                                                                      \
    {                                                                                                                  \
        const schur s = schur_of(&problem->K);                                                                         \
        (void)tracer;                                                                                                  \
        return single(problem, &s, rule, out);                                                                         \
    }                                                                                                                  \
    static const carom_law_batch batch = {LANES_VARIANTS(law##_lanes), single};

#endif
