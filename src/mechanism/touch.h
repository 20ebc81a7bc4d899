/* What several touches share with one. */
#ifndef CAROM_MECHANISM_TOUCH_H
#define CAROM_MECHANISM_TOUCH_H

#include "carom/mechanism.h"

/* carom_touch_reduce, with the vectors whose products make K: 3 x nv by rows for the mechanism of A, and for that of B
 * where it is another; K = g_a g_a^T + g_b g_b^T. Entries that the touch does not reach are left alone; either may be
 * null. */
carom_status carom_touch_rows(const carom_touch *touch, double *g_a, double *g_b, carom_problem *problem);

/* Loads on the links of a mechanism: none; those of an impulse p added; what they do to its speeds and velocities. */
void carom_touch_clear(carom_motion *motion);
void carom_touch_load(const carom_touch *touch, carom_cvec p, carom_motion *motion);
void carom_touch_move(carom_motion *motion);

#endif
