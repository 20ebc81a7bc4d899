/* A contact without coupling, K_tn = 0 (spheres, disks), on linear elements: normal and tangential motion are two
 * damped oscillators, and the path is exact from event to event.
 *
 *     normal   z = x - rest,  z'' = -F_n,  F_n = slope z + c z'                                                  (1)
 *              linear: x' = 0 at T/2, F_n = 0 at T;  two slopes: a quarter of a period each                     (2)
 *     stick    s'' = -K_tt (k_t s + c_t s')                                                                      (3)
 *     slip     v_t = u_t + K_tt p_t, dp_t = -mu d dp_n;  c_t = 0: s = mu d F_n / k_t                             (4)
 *              c_t > 0: s = alpha z + beta z' + gamma e^(-t k_t/c_t)                                             (5)
 *     stick ends where mu F_n - |F_t|, slip where |w| falls to zero: constants plus two waves, whose first root is
 *     sought between samples less than a radian apart                                                           (6)
 *     losses follow from energies at both ends of a piece, but for the loss of the dashpot in (5)                (7)
 *
 * K_nn = 1, u_n = -1, and slope = 1 in compression. */
#ifndef CAROM_LAWS_FORCE_UNCOUPLED_H
#define CAROM_LAWS_FORCE_UNCOUPLED_H

#include "laws/force/force.h"

/* Whether the problem and its elements, dimensionless, are of this kind. */
bool force_is_uncoupled(const carom_problem *scaled, const force_units *units, const force_normal *normal,
                        const force_tangent *tangent);

/* report has its units. */
carom_status force_uncoupled_walk(const carom_problem *scaled, const force_normal *normal, const force_tangent *tangent,
                                  force_report *report);

#endif
