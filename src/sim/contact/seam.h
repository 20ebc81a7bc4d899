/* Coplanar faces of fixed bodies act as one surface: there is no impact at their joint. */
#ifndef CAROM_SIM_SEAM_H
#define CAROM_SIM_SEAM_H

#include "sim/contact/ground.h"

/* A walk over the facets at a point of a body of this size. */
static inline facet_walk facets_at(const carom_sim *sim, carom_vec3 point, double size)
{
    return facet_walk_make(&sim->facets, box_around(point, VISIBLE * size)); /* facets this near may hold the point */
}

/* Is j what contact c stands on, or a fixed body with a face in its plane that moves with it? */
bool stands_on(const carom_sim *sim, const closed_contact *c, int j);

/* A contact that moves with velocity u has come to the border of its face: it goes on over a face beside it, in the
 * same plane. False: there is none. */
bool crosses_seam(const carom_sim *sim, closed_contact *c, carom_vec3 point, carom_vec3 u);

#endif
