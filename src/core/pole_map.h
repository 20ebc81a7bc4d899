/* A variable for Taylor series that two conjugate poles would stop: the plane, but for a cut that ends in them, is
 * mapped onto a disc.
 *
 *     tau = z / D,   dtau/dz = (1 - beta z^2) / D^2,   D = 1 + alpha z + beta z^2
 *
 * The map need not be exact: the last terms of a series tell how far it holds. */
#ifndef CAROM_CORE_POLE_MAP_H
#define CAROM_CORE_POLE_MAP_H

#include "core/num.h"

#define POLE_HEIGHT 1.5707963267948966 /* pi / 2 */
#define POLE_BEHIND 1.5 /* times theta^2: how much of the way to infinity to leave, where the poles are far behind */
#define POLE_MOST   0.9 /* of the way to where D may vanish */

typedef struct pole_map {
    double alpha, beta;
} pole_map;

/* For functions like tanh and sech of r tau + theta, with poles at tau = (-theta +- i pi/2) / r from here. Once the
 * poles are far behind (theta > 0), infinity must not come nearer than they are. */
static inline pole_map pole_map_of(double r, double theta)
{
    const double behind = theta > 0 ? POLE_BEHIND : 1, height2 = square(POLE_HEIGHT), theta2 = square(theta);
    pole_map map = {-r * (theta / (behind * theta2 + height2)), -square(r * (0.5 * POLE_HEIGHT / (theta2 + height2)))};
    return map;
}

/* Series in z may be used up to here. */
static inline double pole_map_reach(const pole_map *map)
{
    return POLE_MOST / (fabs(map->alpha) + sqrt(-map->beta));
}

/* Coefficient i of w = x dtau/dz from those before: D^2 w = x (1 - beta z^2). */
static inline double pole_map_rate(const pole_map *map, const double *x, const double *w, int i)
{
    double a = map->alpha, b = map->beta, sum = 0;
    if (i > 3)
        sum += b * b * w[i - 4];
    if (i > 2)
        sum += 2 * a * b * w[i - 3];
    if (i > 1)
        sum += b * x[i - 2] + (a * a + 2 * b) * w[i - 2];
    if (i > 0)
        sum += 2 * a * w[i - 1];
    return x[i] - sum;
}

#endif
