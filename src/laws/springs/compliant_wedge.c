/* Compliant impact with a singular K: springs that hold each other for ever.
 *
 * A force inside the cone that moves nothing is one about which the contact swings for ever. The swing would die out,
 * so the impact ends at rest: p = -K^+ u0, the least impulse that stops all motion, and as much of the holding force as
 * brings p into the cone. */
#include "laws/springs/compliant.h"

#define SINGULAR_TOL (64 * EPS) /* of the largest eigenvalue of K: below it a direction does not move */

bool compliant_singular(const compliant *c)
{
    double value[3];
    carom_cvec axis[3];
    csym_eigen(&c->K, value, axis);
    return value[c->K.t22 > 0 ? 0 : 1] <= SINGULAR_TOL * value[2];
}

/* The part x of the force h that p needs to come into the cone: |p_t + x h_t| = mu (p_n + x h_n), its positive root. */
static double into_cone(double per_mu, carom_cvec p, carom_cvec h)
{
    double per2 = square(per_mu), outside = per2 * (square(p.t1) + square(p.t2)) - square(p.n);
    if (outside <= 0 && p.n >= 0)
        return 0;
    double inside = square(h.n) - per2 * (square(h.t1) + square(h.t2));
    double half = p.n * h.n - per2 * (p.t1 * h.t1 + p.t2 * h.t2);
    return inside > 0 && h.n > 0 ? (sqrt(larger(0, square(half) + inside * outside)) - half) / inside : 0;
}

void compliant_wedge(compliant *c)
{
    spot *a = &c->now;
    double value[3];
    carom_cvec axis[3], p = {0, 0, 0}, hold = p, x = carom_cvec_make(a->F.t1, a->F.t2, a->F.n / c->k);
    csym_eigen(&c->K, value, axis);
    for (int i = 0; i < 3; i++) {
        carom_cvec v = axis[i];
        if (value[i] > SINGULAR_TOL * value[2])
            p = carom_cvec_sub(p, carom_cvec_scale(carom_cvec_dot(v, c->u0) / value[i], v));
        else
            hold = carom_cvec_add(hold, carom_cvec_scale(carom_cvec_dot(v, x), v)); /* x . v keeps still */
    }
    a->p = carom_cvec_add(p, carom_cvec_scale(into_cone(c->per_mu, p, hold), hold));
    a->u = carom_cvec_add(c->u0, carom_csym_apply(c->K, a->p));
    a->F = carom_cvec_make(0, 0, 0);
    c->out->flags |= CAROM_FLAG_JAM;
}
