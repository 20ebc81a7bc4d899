/* What vectors of the world need beyond the public carom/vec.h. */
#ifndef CAROM_CORE_VECTORS_H
#define CAROM_CORE_VECTORS_H

#include <stdbool.h>

#include "carom/vec.h"

/* v + s a */
static inline carom_vec3 vec_plus(carom_vec3 v, double s, carom_vec3 a)
{
    return carom_vec3_make(v.x + s * a.x, v.y + s * a.y, v.z + s * a.z);
}

/* The part of v across the unit vector n. */
static inline carom_vec3 vec_across(carom_vec3 v, carom_vec3 n)
{
    return vec_plus(v, -carom_vec3_dot(v, n), n);
}

/* Of the matrix with these columns. */
static inline double vec_det(carom_vec3 a, carom_vec3 b, carom_vec3 c)
{
    return carom_vec3_dot(a, carom_vec3_cross(b, c));
}

static inline double vec_distance(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_length(carom_vec3_sub(a, b));
}

static inline bool vec_is_zero(carom_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static inline bool vec_same(carom_vec3 a, carom_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool vec_is_finite(carom_vec3 v)
{
    return 0 * v.x + 0 * v.y + 0 * v.z == 0;
}

#endif
