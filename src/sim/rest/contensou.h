/* Friction of a patch on closed contacts (Coulomb and Contensou): docs/theory/patch.md.
 *
 * With slip v and W = a w, the spin about the normal times the radius of the patch, friction is -mu N grad Phi(v, W):
 * one wrench, smooth while anything slips or spins. */
#ifndef CAROM_SIM_CONTENSOU_H
#define CAROM_SIM_CONTENSOU_H

#include "sim/rest/ride_equations.h"

static inline bool has_patch(const ride_contact *c)
{
    return c->patch.radius > 0;
}

/* Slip at the centre of a patch, and the spin times its radius; as a velocity, or as its rate. */
typedef struct glide {
    carom_vec3 v;
    double W;
} glide;

glide glide_of(const ride *r, int k, const double *y);

/* |v| and |W|, whichever is larger. */
double glide_size(const glide *x);

/* All contacts are known: which of them have a patch of their own, share one, or are points. */
void patch_assign(ride *r);

/* The mode in which contact k, which was open, is pressed again: that of its face. */
ride_mode patch_mode(const ride *r, int k);

/* Stick, or slip with the friction of the state y. slow: velocities below this are rest. */
void patch_first(ride *r, int k, const double *y, double slow);

/* The rows of contact k; returns how many. */
int patch_rows(const ride *r, int k, const double *y, row *rows);

/* How far contact k is from the end of its mode: where it sticks, by how much what it holds is below its bound, N;
 * where it slips, the share of the slip that is left, 1 at the start of the piece. */
double patch_margin(const ride *r, int k, const double *y);

/* The force along the ground that contact k, which pivots, would need; zero of others. */
double patch_needs(const ride *r, int k);

/* Where one needs more than this, pivots slip: true when something has changed. */
bool patch_creep(ride *r, double least);

/* Begin to slip and spin where friction cannot hold contact k, against what held it. */
void patch_yield(ride *r, int k);

/* Slips and spins that begin go where they are accelerated to: true while their friction changes. */
bool patch_follow(ride *r, const double *y, const double *f, const carom_vec3 *a);

/* The power of friction against spin in the state y, whose forces are known. */
double patch_power(const ride *r, const double *y);

/* How long the friction of the start stays what it is, for a slip without spin or a spin without slip; zero: it does
 * not. f, a: the rates with that friction. */
double patch_steady(const ride *r, int k, const double *y, const double *f, carom_vec3 a);

/* When slip and spin of the first patch end if all go on as they do now, s, infinite: they do not; and by how much that
 * may be wrong, s. */
typedef struct patch_end {
    double left, error;
} patch_end;

patch_end patch_ends(ride *r, const double *y);

#endif
