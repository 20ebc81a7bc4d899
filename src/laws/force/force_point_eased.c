/* Planar slip on a light dashpot, (5) of force_point.h: the spring relaxes at the rate k_t/c_t, and then follows F_n.
 */
#include "laws/force/force_point.h"

#define EASED_RATE 1e3       /* k_t/c_t, per unit of time, above which the spring may follow */
#define EASED_TOL  (8 * EPS) /* what may be left of the fast motion, against the scale of s */

/* (11) from the highest order down: each order costs a factor c_t/k_t. rate is s'. */
static void follow(const force_point *P, force_series s, force_series rate)
{
    const double *F = P->core.F[0], per_k = 1 / P->tangent.k;
    rate[FORCE_ORDER] = 0;
    for (int k = FORCE_ORDER; k >= 0; k--) {
        s[k] = -(F[k] + P->tangent.c * rate[k]) * per_k;
        if (k > 0)
            rate[k - 1] = k * s[k];
    }
}

void force_point_ease_slip(force_point *P)
{
    force_series s, rate;
    if (P->branch != BRANCH_DAMPED || !P->core.planar || P->clock != FORCE_CLOCK_TIME ||
        !(P->tangent.k > EASED_RATE * P->tangent.c))
        return;
    follow(P, s, rate);
    if (!(fabs(P->s[0][0] - s[0]) <= EASED_TOL * P->speed))
        return;
    P->branch = BRANCH_EASED;
    force_point_expand(P);
}

/* |w| = -side (v_t - s'): side is the sign of F_st, which opposes w. */
void force_point_eased_test(force_point *P)
{
    force_core *c = &P->core;
    force_series rate;
    follow(P, P->s[0], rate);
    for (int k = 0; k <= FORCE_ORDER; k++)
        P->test[k] = P->side * (rate[k] - c->v[0][k]);
    for (int k = 0; k < FORCE_ORDER; k++) {
        c->loss_friction[k + 1] = P->tangent.mu * series_product(c->F[2], P->test, k) / (k + 1);
        c->loss_tangential[k + 1] = P->tangent.c * series_product(rate, rate, k) / (k + 1);
    }
}
