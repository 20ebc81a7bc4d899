/* What Chatterjee's laws II and III share: both walk along a segment from the frictionless impulse (0, a),
 * a = (1 + e) v_n / K_nn, and stop at the friction cone. */
#ifndef CAROM_LAWS_CHATTERJEE_H
#define CAROM_LAWS_CHATTERJEE_H

#include "laws/law.h"

/* (by_t v_t, by_n v_n) */
static inline carom_cvec scale_parts(carom_cvec v, double by_t, double by_n)
{
    return carom_cvec_make(by_t * v.t1, by_t * v.t2, by_n * v.n);
}

#endif
