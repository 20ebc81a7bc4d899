/* Random pieces and places, for the tests of the simulator's parts. */
#ifndef CAROM_TESTS_SIM_PARTS_H
#define CAROM_TESTS_SIM_PARTS_H

#include "core/rotate.h"
#include "sim/scenes.h"
#include "sim/shape/piece.h"
#include "support/corpus.h"

enum { PART_POINTS = 9 };

static inline carom_vec3 dice_vec(dice *d, double most)
{
    double x = dice_between(d, -most, most), y = dice_between(d, -most, most);
    return vec(x, y, dice_between(d, -most, most));
}

static inline carom_vec3 dice_unit(dice *d)
{
    carom_vec3 v = {dice_gauss(d), dice_gauss(d), dice_gauss(d)};
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

static inline carom_quat dice_turn(dice *d)
{
    carom_quat q = {dice_gauss(d), dice_gauss(d), dice_gauss(d), dice_gauss(d)};
    return quat_scale(1 / quat_norm(q), q);
}

/* A solid of each kind of shape in space, or a hull of the points given. */
static inline carom_solid dice_solid(dice *d, int kind, carom_vec3 points[PART_POINTS])
{
    double a = dice_between(d, 0.2, 1.3), b = dice_between(d, 0.2, 1.3), c = dice_between(d, 0.2, 1.3);
    carom_solid s = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {a, b, c}}};
    static const carom_shape_kind shapes[] = {CAROM_SHAPE_BOX,     CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CONE,
                                              CAROM_SHAPE_CAPSULE, CAROM_SHAPE_DISK,     CAROM_SHAPE_ELLIPSOID,
                                              CAROM_SHAPE_ROD,     CAROM_SHAPE_SPHERE};
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    if (kind < SHAPES) {
        s.shape.kind = shapes[kind];
        return s;
    }
    for (int k = 0; k < PART_POINTS; k++)
        points[k] = dice_vec(d, 0.7);
    s = (carom_solid){.kind = CAROM_SOLID_HULL, .points = points, .point_count = PART_POINTS};
    return s;
}
enum { PART_KINDS = 9, PART_HULL = 8 };

/* A piece somewhere; the piece has to stay alive. */
static inline placed place_part(const piece *p, const carom_vec3 *points, carom_vec3 center, carom_quat q)
{
    placed out = {.piece = p, .points = points, .center = center, .q = q};
    set_axes(&out);
    return out;
}

#endif
