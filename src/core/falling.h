/* Where a smooth function, positive at first, falls to zero between two points. */
#ifndef CAROM_CORE_FALLING_H
#define CAROM_CORE_FALLING_H

#include <stdbool.h>

/* Its first Taylor coefficients at t: value, slope, half the curvature, ... */
enum { SMOOTH_TERMS = 5 };

typedef struct smooth {
    void (*at)(const void *data, double t, double v[SMOOTH_TERMS]);
    const void *data;
} smooth;

/* Two points with the values and slopes there; the value at a is positive. */
typedef struct bracket {
    double a, b, va, da, vb, db;
} bracket;

/* The first root in the bracket. When the value at b is positive too, the dip between is looked at, so a pair of roots
 * is seen. True when there is one. */
bool falls_between(smooth f, const bracket *k, double *t);

#endif
