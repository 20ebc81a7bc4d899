/* Meshes as ground: every triangle becomes a fixed body of its own, a facet, behind the bodies of the scene. */
#ifndef CAROM_SIM_GROUND_MESH_H
#define CAROM_SIM_GROUND_MESH_H

#include "sim/world/world.h"

/* sim->scene becomes the scene, or, where it has meshes, a copy with their facets as bodies, and a tree over them.
 * CAROM_STATUS_BAD_SHAPE: a mesh that moves, without triangles, or whose triangles name points that it has not;
 * CAROM_STATUS_NO_MEMORY. */
carom_status ground_mesh_make(carom_sim *sim, const carom_scene *scene);

#endif
