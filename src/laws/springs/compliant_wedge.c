/* Compliant impact with a singular K: springs that hold each other for ever.
 *
 * A force inside the cone that moves nothing is one about which the contact swings for ever. The swing would die out,
 * so the impact ends at rest: p = -K^+ u0, the least impulse that stops all motion, and as much of the holding force as
 * brings p into the cone. A velocity that no impulse changes loads such springs without end. */
#include "laws/springs/springs.h"

#define SINGULAR_TOL (64 * EPS) /* of the largest eigenvalue of a singular K: below it a direction does not move */
#define RANGE_TOL    1e-10      /* of u: a velocity this close to the range of a singular K belongs to it */

/* The eigenvalues and axes of K; the number of directions that do not move. */
static int find_axes(const compliant *c, double value[3], carom_cvec axis[3])
{
    int still = 0;
    csym_eigen(&c->K, value, axis);
    while (c->singular && still < 2 && value[still] <= SINGULAR_TOL * value[2])
        still++;
    return still;
}

bool compliant_singular(const compliant *c)
{
    double value[3];
    carom_cvec axis[3];
    return find_axes(c, value, axis) > (c->K.t22 == 0); /* a direction that a plane lacks does not count */
}

bool compliant_unstoppable(const compliant *c)
{
    double value[3], speed = fabs(c->u0.t1) + fabs(c->u0.t2) + fabs(c->u0.n), most = 0;
    carom_cvec axis[3];
    int still = find_axes(c, value, axis);
    for (int i = 0; i < still; i++)
        most = max(most, fabs(carom_cvec_dot(axis[i], c->u0)));
    return most > RANGE_TOL * speed;
}

/* The least part x of the force h that brings p into the cone: the first positive root of
 * |p_t + x h_t| = mu (p_n + x h_n). False when there is none. */
static bool into_cone(double per_mu, carom_cvec p, carom_cvec h, double *x)
{
    double per2 = square(per_mu), outside = per2 * (square(p.t1) + square(p.t2)) - square(p.n);
    *x = 0;
    if (outside <= 0 && p.n >= 0)
        return true;
    double inside = square(h.n) - per2 * (square(h.t1) + square(h.t2));
    double half = p.n * h.n - per2 * (p.t1 * h.t1 + p.t2 * h.t2), root = sqrt(square(half) + inside * outside);
    *x = inside > 0 ? (root - half) / inside : outside / (half + root);
    return *x > 0 && *x < INFINITY && p.n + *x * h.n >= 0;
}

/* What rounding has left outside the cone. */
static carom_cvec cut_to_cone(double per_mu, carom_cvec p)
{
    double most = p.n / per_mu, size = carom_cvec_slip(p), share = size > most ? most / size : 1;
    return carom_cvec_make(share * p.t1, share * p.t2, p.n);
}

ending compliant_wedge(compliant *c)
{
    spot *a = &c->now;
    double value[3], part;
    const carom_cvec zero = {0, 0, 0}, x = carom_cvec_make(a->F.t1, a->F.t2, a->F.n / c->k);
    carom_cvec axis[3], p = zero, hold = zero;
    if (!compliant_singular(c))
        return ENDS_NOT;
    if (compliant_unstoppable(c))
        return ENDS_UNBOUNDED;
    int still = find_axes(c, value, axis);
    for (int i = 0; i < still; i++)
        hold = carom_cvec_add(hold, carom_cvec_scale(carom_cvec_dot(axis[i], x), axis[i])); /* x . v keeps still */
    for (int i = still; i < 3; i++)
        p = carom_cvec_sub(p, carom_cvec_scale(carom_cvec_dot(axis[i], c->u0) / value[i], axis[i]));
    hold = hold.n < 0 ? carom_cvec_scale(-1, hold) : hold;
    if (!into_cone(c->per_mu, p, hold, &part))
        return ENDS_NOT;
    a->p = cut_to_cone(c->per_mu, carom_cvec_add(p, carom_cvec_scale(part, hold)));
    a->u = a->F = zero;
    c->out->flags |= CAROM_FLAG_JAM;
    return ENDS_IMPACT;
}
