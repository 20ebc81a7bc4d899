/* A Hertz contact that yields (Thornton 1997), in units in which it has F_n = x^(3/2) at first:
 *
 *     yielding   F_n = slope (x - dent),  slope = (3/2) sqrt(y),  dent = y/3, the tangent at the yield y            (1)
 *     turning at X, where F_n is F:  F_n = gain (x - dent)^(3/2),  gain = sqrt(X^(3/2)/F),  dent = X - F/sqrt(X) (2)
 *     loading again follows (2) up to X, and then (1)
 *
 * (2) is Hertz with the radius R X^(3/2)/F of the flattened contact, whose area at X is the area before. */
#include "carom/elementary.h"
#include "laws/force/force_point.h"

void force_yield_begin(force_point *P)
{
    P->yielding = true;
    P->unloading = false;
    P->slope = 1.5 * sqrt(P->normal.yield);
    P->dent[0] = P->normal.yield / 3;
}

void force_yield_unload(force_point *P)
{
    const double X = P->core.x[0], F = P->core.F[2][0], depth = F / sqrt(X);
    P->yielding = false;
    P->unloading = true;
    P->gain = sqrt(X * sqrt(X) / F);
    P->dent[0] = X - depth;
    P->y[0] = sqrt(depth);
}

/* While it yields: what (2) would give back from here. */
double force_yield_stored(const force_point *P, double x)
{
    if (P->yielding)
        return 0.4 * square(P->slope * (x - P->dent[0])) / sqrt(x);
    const double depth = fmax(x - P->dent[0], 0);
    return 0.4 * P->gain * depth * depth * sqrt(depth);
}
