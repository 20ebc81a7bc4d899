/* Carom: bodies from shapes.
 *
 *     carom_body_def ball = carom_shape_sphere(0.17, 0.03);     mass and radius: mass and inertia are filled in,
 *     ball.velocity = carom_vec3_make(0, 0, -2);                the rest is the default
 *
 * Inertias are exact. Shapes are homogeneous, centred at their centre of mass, with their axis along z. A mass or size
 * that is not positive and finite gives a description that carom_body_init refuses (CAROM_STATUS_NOT_FINITE). */
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "carom/body.h"
#include "carom/export.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

CAROM_API carom_body_def carom_shape_sphere(double mass, double radius);
CAROM_API carom_body_def carom_shape_hollow_sphere(double mass, double radius, double inner); /* inner <= radius */
CAROM_API carom_body_def carom_shape_box(double mass, carom_vec3 size);                       /* full lengths */
CAROM_API carom_body_def carom_shape_cylinder(double mass, double radius, double length);
CAROM_API carom_body_def carom_shape_cone(double mass, double radius, double height);
CAROM_API carom_body_def carom_shape_capsule(double mass, double radius, double length); /* of the straight part */
CAROM_API carom_body_def carom_shape_disk(double mass, double radius);
CAROM_API carom_body_def carom_shape_ellipsoid(double mass, carom_vec3 semi_axes);

/* A thin rod has no inertia about its own axis, and impulses on the axis cannot feel any; 1e-6 of the other moments
 * stands for it, because carom_body_init requires a positive definite inertia. */
CAROM_API carom_body_def carom_shape_rod(double mass, double length);

/* ---- any of them ---- */

typedef enum carom_shape_kind {
#define CAROM_SHAPE(name, function, word, keys, meaning) CAROM_SHAPE_##name,
#include "carom/shapes.def"
#undef CAROM_SHAPE
    CAROM_SHAPE_COUNT
} carom_shape_kind;

/* Sizes in the order of the manifest: radius and length, or three numbers. */
typedef struct carom_shape {
    carom_shape_kind kind;
    double size[3];
} carom_shape;

/* Mass and inertia of a shape; the functions above by another name. */
CAROM_API carom_body_def carom_shape_body(const carom_shape *shape, double mass);

/* Volume, m^3; zero for rods, disks and shells, which have none. */
CAROM_API double carom_shape_volume(const carom_shape *shape);

/* Where a shape, turned by an orientation, touches a plane that lies in the direction d (a unit vector in world axes):
 * the arm from its centre of mass to the touching point. CAROM_STATUS_OUT_OF_SCOPE when it touches along an edge or a
 * face, with the middle of that edge or face. */
CAROM_API CAROM_MUST_USE carom_status carom_shape_touch(const carom_shape *shape, carom_quat orientation, carom_vec3 d,
                                                        carom_vec3 *arm);

CAROM_END

#endif
