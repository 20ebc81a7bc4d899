/* An axis made exact by the features of the two pieces that it is nearly perpendicular to. */
#ifndef CAROM_SIM_EXACT_AXIS_H
#define CAROM_SIM_EXACT_AXIS_H

#include <math.h>

#include "sim/shape/feature.h"

static inline carom_vec3 unit_or(carom_vec3 v, carom_vec3 otherwise)
{
    double length = carom_vec3_length(v);
    return length > 0 ? carom_vec3_scale(1 / length, v) : otherwise;
}

static inline bool is_round(const placed *p)
{
    core_kind k = p->piece->kind;
    return k == CORE_ELLIPSOID || k == CORE_CYLINDER || k == CORE_CONE || k == CORE_DISK;
}

static inline carom_vec3 half_edge(const feature *f)
{
    return carom_vec3_scale(f->edges ? 0.5 : 0, carom_vec3_sub(f->point[f->edges ? 1 : 0], f->point[0]));
}

/* Do two edges, or an edge and a point, cross when seen along n? */
bool do_cross(const feature *f, const feature *g, carom_vec3 n, double tol);

/* n, made exact: a face gives its normal, two edges their cross product, one edge takes out the part along it. Sines
 * below flat count as zero. */
carom_vec3 refine_within(const placed *a, const placed *b, carom_vec3 n, double flat);

static inline carom_vec3 refine_axis(const placed *a, const placed *b, carom_vec3 n)
{
    return refine_within(a, b, n, VISIBLE);
}

#endif
