/* Real roots: a safeguarded Newton iteration for one unknown, and what is built on it.
 *
 * A bracket holds a root of an increasing function between lo and hi. Each step narrows it and proposes the next point:
 * Newton's, when that falls inside and converges, otherwise a middle. Callers write the loop, its bound and the
 * function; the bracket makes sure that the loop ends with a root. */
#ifndef CAROM_CORE_ROOTS_H
#define CAROM_CORE_ROOTS_H

#include <stdbool.h>

#include "core/num.h"

/* Two iterates closer than this are the same root: the last step was already below rounding. */
#define ROOT_TOL (2 * EPS)
/* So are two Newton iterates closer than this that converge faster than by QUADRATIC: the next step is their square. */
#define NEWTON_TOL 0x1p-28
#define QUADRATIC  0x1p-10

enum { ROOT_STEPS = 128 }; /* Newton needs about six; halving alone, in the worst scale, needs this */

typedef struct bracket {
    real lo, hi;    /* f(lo) <= 0 <= f(hi); for positive brackets lo may be 0 and hi infinite */
    real last_step; /* of the last proposal */
    bool quadratic; /* that was Newton's, and far smaller than the one before */
} bracket;

static inline bracket bracket_make(real lo, real hi)
{
    bracket b = {lo, hi, INFINITY, false};
    return b;
}

/* The middle of a bracket: geometric where it spans scales, so that no scale is far away. */
static inline real bracket_middle(const bracket *b)
{
    const real reach = 64; /* open ends are approached by this factor */
    if (b->lo == 0 && b->hi > 0)
        return b->hi / reach;
    if (b->lo > 0 && isinf(b->hi))
        return b->lo * reach;
    if (b->lo > 0 && b->hi > 4 * b->lo)
        return sqrt(b->lo) * sqrt(b->hi);
    return 0.5 * b->lo + 0.5 * b->hi;
}

/* f and its slope at x become the next x. */
static inline real bracket_next(bracket *b, real x, real f, real slope)
{
    if (f < 0)
        b->lo = x;
    else
        b->hi = x;
    real step = f / slope, y = x - step;
    bool inside = y >= b->lo && y <= b->hi, shrinks = fabs(step) <= 0.5 * b->last_step;
    if (inside && (shrinks || b->last_step == INFINITY)) {
        b->quadratic = fabs(step) <= QUADRATIC * b->last_step && b->last_step < INFINITY;
        b->last_step = fabs(step);
        return y;
    }
    y = bracket_middle(b);
    b->quadratic = false;
    b->last_step = fabs(y - x);
    return y;
}

/* The step from x to y was the last that is needed. */
static inline bool bracket_settled(const bracket *b, real x, real y)
{
    return fabs(y - x) <= (b->quadratic ? NEWTON_TOL : ROOT_TOL) * fabs(y);
}

#if CARRIES_PARTIALS /* a root is found by values */
static inline bracket bracket_make(const double &lo, const double &hi)
{
    return bracket_make(real_of(lo), real_of(hi));
}

static inline real bracket_next(bracket *b, const double &x, const double &f, const double &slope)
{
    return bracket_next(b, real_of(x), real_of(f), real_of(slope));
}

static inline bool bracket_settled(const bracket *b, const double &x, const double &y)
{
    return bracket_settled(b, real_of(x), real_of(y));
}
#endif

/* Directions (cos t, sin t) on the circle. */
typedef struct heading {
    double cos, sin;
} heading;

/* a0 + a1 cos t + b1 sin t + a2 cos 2t + b2 sin 2t */
typedef struct trig2 {
    double a0, a1, b1, a2, b2;
} trig2;

enum { TRIG2_ROOTS = 8 }; /* four; rounding may split a double root where the half circles meet into three */

/* The roots where f changes its sign, at most four; returns how many. */
int trig2_roots(const trig2 *f, heading root[TRIG2_ROOTS]);

/* The roots of c[0] + c[1] x + ... + c[degree] x^degree in [-1, 1) where it changes its sign, ascending; degree <= 4.
 * ends are its values at -1 and 1 where the caller knows them better than c does, or null. */
int polynomial_roots(const double *c, int degree, const double *ends, double *root);

#endif
