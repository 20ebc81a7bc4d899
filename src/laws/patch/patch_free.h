/* A contact with some of its slips held at zero: Newton's method for the free ones.
 *
 * The impulses of the held slips h follow from those of the free ones a; what is left is a contact of fewer slips:
 *
 *     P_h = -Y_U - Y_a P_a - Y_n p,   (Y_U, Y_a, Y_n) = K_hh^-1 (U_h, K_ha, k_h)                                  (1)
 *     S = K_aa - K_ah Y_a,   k' = k_a - K_ah Y_n,   U' = U_a - K_ah Y_U                                           (2)
 *     K_nn' = K_nn - k_h.Y_n,   c' = c + k_h.Y_U                                                                  (3)
 *     V = U' + p (k' - S g),   g the friction at V                                                                (4)
 *     p given, or K_nn' p + k'.P_a = c':  p = c' / (K_nn' - k'.g)                                                 (5)
 */
#ifndef CAROM_LAWS_PATCH_FREE_H
#define CAROM_LAWS_PATCH_FREE_H

#include "laws/patch/patch_contact.h"

/* Groups of slips that are free. */
enum { FREE_FRICTION = 1, FREE_ROLLING = 2 };

typedef struct patch_free {
    const carom_patch_contact *x;
    int count, at[SLIPS], held_count, held[SLIPS];
    double S[SLIPS][SLIPS], k[SLIPS], U[SLIPS], K_nn, c;
    double Y[SLIPS][SLIPS], Y_n[SLIPS], Y_U[SLIPS]; /* by the held slip, and by the free one */
} patch_free;

/* From the slips U, to the change c of the normal velocity. False when the held slips are no independent ones. */
bool carom_patch_free_make(const carom_patch_contact *x, int groups, const double *U, double c, patch_free *f);

/* With p given, from V: one solution, as V minimises a convex function. False where Newton's method does not settle. */
bool carom_patch_free_resolve(const patch_free *f, patch_solution *s);

/* (5), from V: false also where steps do not come nearer. */
bool carom_patch_free_end(const patch_free *f, patch_solution *s);

#endif
