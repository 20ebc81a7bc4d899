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
#include "contact/alone.h"
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

static inline double fused_dot(tvec a, tvec b)
{
    return fused(a.t1, b.t1, a.t2 * b.t2);
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

/* (K^+ v)_t = top / below. Left apart, because below often cancels or can wait. */
typedef struct fraction {
    tvec top;
    double below;
} fraction;

/* With r = schur_reduce_scaled(K, v), which may be known in another way. */
LANES_INLINE fraction answer_to_reduced(const carom_csym *K, const schur *s, carom_cvec v, tvec r)
{
    fraction deficient = {{0, 0}, 1}, x = {schur_adjugate(s, r), schur_divisor(s)};
    if (!s->deficient)
        return x;
    deficient.top = tangential(psd_solve_deficient(K, s, v));
    return deficient;
}

LANES_INLINE fraction answer_to(const carom_csym *K, const schur *s, carom_cvec v)
{
    return answer_to_reduced(K, s, v, schur_reduce_scaled(K, v));
}

/* A larger mu changes no impulse that leaves the cone, and its products would overflow. */
#define SLOPE_MOST 1e150

/* A segment of impulses from (0, rise / nn) to (q, (rise - drag / below) / nn), with q = top / below. */
typedef struct segment {
    double rise, nn;
    fraction q;
    double drag;
} segment;

/* As far as it stays in the friction cone: to (share top, p_n). */
typedef struct cone_cut {
    double share, p_n;
    bool outside; /* its end was */
} cone_cut;

/* It leaves the cone at rise (mu q, |q|) / (nn |q| + mu drag). Whether it does is asked of squares, which are sooner
 * there than the root. All divisions are made, so that none waits and round numbers stay round. */
LANES_INLINE cone_cut cut_to_cone(double mu, const segment *x)
{
    double qq = fused_dot(x->q.top, x->q.top), load = fused(x->rise, x->q.below, -x->drag), reach = mu * load;
    bool outside = qq * square(x->nn) > reach * fabs(reach);
    double slope = smaller(mu, SLOPE_MOST), friction = sqrt(qq);
    double inverse = 1 / x->nn, a = x->rise * inverse, lift = -x->drag * inverse, whole = 1 / x->q.below;
    double size = a / fused(-slope, lift, friction);
    cone_cut cut = {outside ? size * slope : whole, outside ? size * friction : fused(lift, whole, a), outside};
    return cut;
}

/* ---- units ---- */

/* Impulses go like u / K: what is far from one is solved in other units, by powers of two. */
typedef struct units {
    double K, u;
} units;

static inline units units_of(const carom_problem *problem)
{
    const carom_csym *K = &problem->K;
    double speed = fabs(problem->u.t1) + fabs(problem->u.t2) + fabs(problem->u.n);
    units x = {power_of_two_near(K->t11 + K->t22 + K->nn), power_of_two_near(speed)};
    return x;
}

static inline carom_problem in_units(const carom_problem *problem, units x)
{
    const carom_csym *K = &problem->K;
    double k = 1 / x.K;
    carom_problem scaled = {{k * K->t11, k * K->t12, k * K->t22, k * K->t1n, k * K->t2n, k * K->nn},
                            {problem->u.t1 / x.u, problem->u.t2 / x.u, problem->u.n / x.u}};
    return scaled;
}

static inline void from_units(units x, carom_outcome *out)
{
    double size = x.u / x.K;
    out->p = carom_cvec_scale(size, out->p);
    for (int i = 0; out->solutions > 1 && i < out->solutions && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = carom_cvec_scale(size, out->all[i]);
}

/* What a law needs beside its kernel, from its answer: one impact alone (contact/alone.h), and for the baseline
 * variant, to which the descriptor that ends a file belongs, also solve and batch. */
#define ALGEBRAIC_SOLVE(law)                                                                                           \
    LANES_INLINE carom_status regular(const carom_problem *problem, const schur *known, const carom_rule *rule,        \
                                      carom_outcome *out)                                                              \
    {                                                                                                                  \
        schur s = *known;                                                                                              \
        s.deficient = s.whole = false; /* the latter so that one form does for all */                                  \
        return answer(problem, &s, rule, out);                                                                         \
    }                                                                                                                  \
    LANES_ALONE(law##_alone, regular, false)                                                                           \
    ALGEBRAIC_BASELINE(law)

#ifdef LANES_BASELINE
#define ALGEBRAIC_BASELINE(law)                                                                                        \
    static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,        \
                              carom_outcome *out)                                                                      \
    {                                                                                                                  \
        const units unit = units_of(problem);                                                                          \
        const carom_problem pb = in_units(problem, unit);                                                              \
        schur s = schur_of(&pb.K);                                                                                     \
        s.regular = is_regular(problem);                                                                               \
        carom_status status = answer(&pb, &s, rule, out);                                                              \
        (void)tracer;                                                                                                  \
        from_units(unit, out);                                                                                         \
        return status;                                                                                                 \
    }                                                                                                                  \
    static const carom_law_batch batch = {LANES_VARIANTS(law##_lanes), LANES_VARIANTS(law##_alone)};
#else
#define ALGEBRAIC_BASELINE(law)
#endif

#endif
