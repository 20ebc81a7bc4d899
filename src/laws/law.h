/* What a law file starts from. A law is
 *
 *     kernel    (contact, coefficients) -> (impulse, branch), a plain function of values;
 *     modes     the words of its branches;
 *     carom_law one const descriptor, which names both and says what the law promises.
 *
 * Letters (docs/notation.md):
 *
 *     K = [ K_TT  k   ]    v_n = -u_n >= 0,   v_t = |u_t|,   tau = -u_t / v_t  (against the slip)
 *         [ k^T  K_nn ]    M = K^-1,   B = K_TT - k k^T / K_nn
 *
 * The contact has passed the gate (contact/impact.h): a kernel checks nothing. Its kernel is also compiled into the
 * loops of batches, so it selects rather than branches where that reads as well. Two impulses appear again and again:
 *
 *     P1 = (0, v_n / K_nn)    the least impulse that stops the approach,
 *     P2 = -M u               the impulse that stops all relative motion.                      */
#ifndef CAROM_LAWS_LAW_H
#define CAROM_LAWS_LAW_H

#include "carom/law.h"
#include "contact/impact.h"

enum { NO_IMPACT = 0 }; /* the first branch of every law */

/* a > b, where a law has a kink at a = b: derivatives report how near that border is, by its word. */
#if !CARRIES_PARTIALS
static inline bool beyond(const carom_impact *x, double a, double b, const char *border)
{
    (void)x, (void)border;
    return a > b;
}

/* A border at a = b without a kink: derivatives report it, too. */
static inline void passes_border(const carom_impact *x, double a, double b, const char *border)
{
    (void)x, (void)a, (void)b, (void)border;
}
#endif

static inline carom_impulse impulse_make(double p_t1, double p_t2, double p_n, int branch)
{
    carom_impulse result = {{p_t1, p_t2, p_n}, branch, {0, 0, 0}};
    return result;
}

static inline tvec tau_of(const carom_impact *x)
{
    return tvec_make(x->tau.c, x->tau.s);
}

/* k . q */
static inline double pull(const carom_impact *x, tvec q)
{
    return x->K.t1n * q.t1 + x->K.t2n * q.t2;
}

/* q K_TT q */
static inline double tangential_form(const carom_impact *x, tvec q)
{
    return x->K.t11 * square(q.t1) + 2 * x->K.t12 * q.t1 * q.t2 + x->K.t22 * square(q.t2);
}

/* K_nn q B q: what q K_TT q keeps when the normal is free to give way. Never negative. */
static inline double complement_form(const carom_impact *x, tvec q)
{
    return max(0, x->n11 * square(q.t1) + 2 * x->n12 * q.t1 * q.t2 + x->n22 * square(q.t2));
}

/* The segment from the frictionless impulse (0, a) to P, as far as it stays in the cone. Its branch is `interior`, or
 * the one after it when P lies outside. */
static inline carom_impulse cut_back(const carom_impact *x, double mu, double a, carom_cvec P, int interior)
{
    double P_t = carom_cvec_slip(P), rise = P.n - a;
    bool outside = beyond(x, P_t, mu * P.n, "cone"), acts = (a > 0) | (!outside & (P_t > 0));
    double size = a / (P_t - mu * rise), kappa = outside ? mu * size : 1;
    return impulse_make(kappa * P.t1, kappa * P.t2, outside ? size * P_t : P.n, acts ? interior + outside : NO_IMPACT);
}

#endif
