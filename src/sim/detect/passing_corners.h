/* Two vertices that graze do not collide. */
#ifndef CAROM_SIM_CORNER_H
#define CAROM_SIM_CORNER_H

#include "sim/shape/feature.h"

/* Two pieces that touch: centres of their bodies, the velocity of A against B there, and rates of rotation. */
typedef struct corner {
    const placed *a, *b;
    carom_vec3 xa, xb, w, wa, wb;
} corner;

/* Where corners touch, several axes separate the pieces. One along which they do not approach proves that they pass
 * each other: if they approach along n, and there is such an axis, n becomes it. margin: of both. */
bool passes_corner(const corner *c, double margin, carom_vec3 *n);

#endif
