/* What the algebraic laws share.
 *
 *     K = [ K_TT  k   ]    v_n = -u_n >= 0,   v_t = |u_t|,   tau = -u_t / v_t  (against the slip)
 *         [ k^T  K_nn ]
 *
 * An algebraic law has no path: it says p at once. Two impulses appear again and again (thesis 6.5):
 *
 *     P1 = (0, v_n / K_nn)    the least impulse that stops the approach,
 *     P2 = -K^+ u             the impulse that stops all relative motion.                      */
#ifndef CAROM_LAWS_FAMILY_ALGEBRAIC_H
#define CAROM_LAWS_FAMILY_ALGEBRAIC_H

#include "carom/law.h"
#include "core/num.h"
#include "core/psd.h"

static inline carom_cvec impulse(double p_n, tvec p_t)
{
    return carom_cvec_make(p_t.t1, p_t.t2, p_n);
}

/* P2 - P1 = (q, -k.q / K_nn): it moves the slip and leaves the normal velocity alone. Returned is q. */
static inline tvec stopping_part(const carom_problem *problem, const schur *s)
{
    carom_cvec stop = psd_solve_with(&problem->K, s, problem->u);
    tvec q = {-stop.t1, -stop.t2};
    return q;
}

#endif
