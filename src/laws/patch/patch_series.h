/* A step of a path as polynomials of its clock: see patch_series.c. */
#ifndef CAROM_LAWS_PATCH_SERIES_H
#define CAROM_LAWS_PATCH_SERIES_H

#include "laws/patch/patch_path.h"

/* From the state of the walk, as far as its polynomials reach. False where they hardly reach anywhere. */
bool carom_patch_series_begin(const patch_walk *w, patch_series *s);

/* The state at the clock t of the step. */
void carom_patch_series_at(const patch_series *s, double t, patch_state *state);

/* The first stop on it from where the walk is, and its clock; STOP_PIECE at the end. */
slip_stop carom_patch_series_stop(const patch_walk *w, const patch_series *s, double from, double *t);

#endif
