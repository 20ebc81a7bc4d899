/* A step of a path that is being tried: patch_step.c chooses its length, patch_settle.c finds its slips. */
#ifndef CAROM_LAWS_PATCH_STEP_H
#define CAROM_LAWS_PATCH_STEP_H

#include "laws/patch/patch_path.h"

/* The slopes of all numbers of the state at all points, but for the work. */
typedef struct patch_slopes_at {
    double d[PATCH_NUMBERS][POINTS];
} patch_slopes_at;

/* How tau runs along a step, 0 <= x <= 1. Where |v| = |W| the centre of rotation crosses the rim of the patch, and
 * friction has a term with a root or a logarithm of the distance: steps end there, and slow down next to it. */
typedef enum patch_pace {
    PACE_EVEN,     /* length * x */
    PACE_FROM_RIM, /* length * x^2 */
    PACE_TO_RIM    /* length * (1 - (1 - x)^2) */
} patch_pace;

typedef struct patch_trial {
    const carom_patch_contact *x;
    const patch_state *start;
    double length; /* in tau */
    double failed; /* length of a step to the rim: none longer will do */
    patch_pace pace;
    double per_x[POINTS];     /* d tau / dx over the length */
    double size[PATCH_SLIPS]; /* of the slips: of v, and of W with the terms of its change */
    double rate;              /* of the fastest slip, an upper bound */
    double U[PATCH_SLIPS][POINTS];
    patch_slopes_at slopes;
} patch_trial;

void carom_patch_slopes_at_points(patch_trial *t);

/* The slips and slopes at the points, from a first guess; false when they do not settle. */
bool carom_patch_settle(patch_trial *t);

#endif
