/* The friction of a contact patch (Coulomb and Contensou): one norm on slip space.
 *
 * A patch of radius a slips with v and spins with w. In the coordinates (v, W), W = a w, which are all velocities,
 *
 *     Phi(v, W) = mean over the pressure of |v + w n x x|                                                       (1)
 *     force and moment over a, per mu N:  -grad Phi = -(alpha v, beta W) / L                                    (2)
 *     Phi = (alpha v.v + beta W^2) / L                                                                          (3)
 *     Hessian = (alpha / L) (1 - v^ v^T) + (eta / L^3) z z^T,   z = (W v^, -|v|)                                (4)
 *
 * L is the larger of |v| and |W|, and alpha, beta, eta are functions of the square x of the smaller over the larger; of
 * the ellipse L = Phi, and they are constant. With s = |v|/|W|, F and M of docs/theory/patch.md:
 *
 *     s <= 1   alpha = F/s   beta = M     eta = F'            s >= 1   alpha = F   beta = s M   eta = s^3 F'
 *
 * The pressures are the words of the option `pressure`. */
#ifndef CAROM_CORE_PATCH_H
#define CAROM_CORE_PATCH_H

#include "carom/coeffs.h"
#include "core/num.h"

typedef struct patch_slope {
    double alpha, beta, eta, L;
} patch_slope;

/* At |v|^2 = vv and W^2 = WW, which are not both zero. */
patch_slope patch_slope_at(int pressure, double vv, double WW);

static inline double patch_norm(const patch_slope *x, double vv, double WW)
{
    return (x->alpha * vv + x->beta * WW) / x->L;
}

/* The dual norm of a force f >= 0 and a moment over the radius m >= 0: the patch holds both up to mu N. */
double patch_dual(int pressure, double f, double m);

/* The same, and the slip whose friction points that way: (v, W) with v, W >= 0 and the larger of them 1. */
double patch_dual_slip(int pressure, double f, double m, double *v, double *W);

/* M at v = 0: the moment that holds a pure spin, over mu N a. */
double patch_spin(int pressure);

/* Are F and M smooth where the centre of rotation crosses the rim, s = 1? */
bool patch_is_smooth(int pressure);

#endif
