/* Random ordinary scenes in which bodies lean, stand and slide on each other: what a reader would try first. */
#ifndef CAROM_TESTS_SIM_GENERATED_H
#define CAROM_TESTS_SIM_GENERATED_H

#include <stdint.h>

#include "sim/scenes.h"

enum { SCENE_BODIES = 16, HULL_POINTS = 8, SCENE_JOINTS = 8 };
#define GRAVITY 9.81

/* A scene with its bodies. seed is the state of the random numbers. */
typedef struct generated {
    uint64_t seed;
    int dim, count, joint_count;
    double e, mu, rolling, patch;
    carom_scene_body bodies[SCENE_BODIES];
    carom_vec3 points[SCENE_BODIES][HULL_POINTS];
    carom_joint_def joints[SCENE_JOINTS];
} generated;

static inline double draw(uint64_t *seed, double low, double high)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

static inline int draw_int(uint64_t *seed, int low, int high)
{
    return low + (int)draw(seed, 0, high - low + 1);
}

static inline carom_scene_body *add_body(generated *g, carom_scene_body b)
{
    assert_true(g->count < SCENE_BODIES);
    g->bodies[g->count] = b;
    return &g->bodies[g->count++];
}

static inline carom_scene_body *add_shape(generated *g, carom_shape_kind kind, carom_vec3 size, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {kind, {size.x, size.y, size.z}}}};
    b.def = carom_body_def_default();
    b.def.mass = draw(&g->seed, 0.3, 2);
    b.def.position = position;
    assert_int_equal(carom_solid_body(&b.solid, g->dim, 0, &b.def, NULL), CAROM_STATUS_OK);
    return add_body(g, b);
}

static inline carom_scene_body *add_fixed_box(generated *g, carom_vec3 size, carom_vec3 position)
{
    carom_scene_body *b = add_shape(g, CAROM_SHAPE_BOX, size, position);
    b->def.fixed = true;
    return b;
}

/* Eight random points near the corners of a box. */
static inline carom_scene_body *add_hull(generated *g, carom_vec3 half, carom_vec3 position)
{
    carom_vec3 *p = g->points[g->count];
    for (int k = 0; k < HULL_POINTS; k++) {
        double s = draw(&g->seed, 0.7, 1.1), x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, z = k & 4 ? 1 : -1;
        p[k] = vec(s * x * half.x, draw(&g->seed, 0.7, 1.1) * y * half.y, draw(&g->seed, 0.7, 1.1) * z * half.z);
    }
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_HULL, .points = p, .point_count = HULL_POINTS}};
    b.def = carom_body_def_default();
    b.def.mass = draw(&g->seed, 0.3, 2);
    b.def.position = position;
    assert_int_equal(carom_solid_body(&b.solid, g->dim, 0, &b.def, NULL), CAROM_STATUS_OK);
    return add_body(g, b);
}

static inline carom_quat turned(carom_vec3 axis, double angle)
{
    double s = sin(angle / 2) / carom_vec3_length(axis);
    carom_quat q = {cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
    return q;
}

static inline carom_quat random_turn(uint64_t *seed)
{
    carom_vec3 axis = vec(draw(seed, -1, 1), draw(seed, -1, 1), draw(seed, 0.1, 1));
    return turned(axis, draw(seed, -3, 3));
}

static inline carom_vec3 random_vec(uint64_t *seed, double most)
{
    return vec(draw(seed, -most, most), draw(seed, -most, most), draw(seed, -most, most));
}

/* ---- the classes; z is up in space, y in the plane ---- */

/* Two to five boxes or cylinders on each other, nearly aligned, set down from a little above. */
static inline void make_stack(generated *g)
{
    double top = 0;
    bool table = draw(&g->seed, 0, 1) < 0.5;
    int count = draw_int(&g->seed, 2, 5);
    for (int k = 0; k < count; k++) {
        double height = draw(&g->seed, 0.1, 0.2), gap = draw(&g->seed, 0, 1) < 0.5 ? 0 : 1e-3;
        carom_vec3 at = vec(draw(&g->seed, -0.02, 0.02), draw(&g->seed, -0.02, 0.02), top + gap + 0.5 * height);
        if (draw(&g->seed, 0, 1) < 0.6)
            add_shape(g, CAROM_SHAPE_BOX, vec(draw(&g->seed, 0.2, 0.3), draw(&g->seed, 0.2, 0.3), height), at)
                ->def.orientation = turned(vec(0, 0, 1), draw(&g->seed, -0.5, 0.5));
        else
            add_shape(g, CAROM_SHAPE_CYLINDER, vec(draw(&g->seed, 0.1, 0.15), height, 0), at);
        top += gap + height;
    }
    if (table)
        add_fixed_box(g, vec(1, 1, 0.1), vec(0, 0, -0.05));
    else
        add_body(g, half_space(vec(0, 0, 1), 0));
}

static inline void make_planar_stack(generated *g)
{
    double top = 0;
    int count = draw_int(&g->seed, 2, 5);
    g->dim = 2;
    for (int k = 0; k < count; k++) {
        double height = draw(&g->seed, 0.1, 0.2), gap = draw(&g->seed, 0, 1) < 0.5 ? 0 : 1e-3;
        carom_vec3 at = vec(draw(&g->seed, -0.05, 0.05), top + gap + 0.5 * height, 0);
        add_shape(g, CAROM_SHAPE_BOX, vec(draw(&g->seed, 0.2, 0.3), height, 1), at);
        top += gap + height;
    }
    add_body(g, half_space(vec(0, 1, 0), 0));
}

/* A box on a box on a slope, either of which may slide or topple. */
static inline void make_pair_on_slope(generated *g)
{
    double angle = draw(&g->seed, 0.1, 0.6), low = draw(&g->seed, 0.1, 0.2), high = draw(&g->seed, 0.1, 0.2);
    carom_vec3 n = vec(sin(angle), 0, cos(angle));
    carom_vec3 at[2] = {carom_vec3_scale(0.5 * low, n), carom_vec3_scale(low + 0.5 * high, n)};
    for (int k = 0; k < 2; k++)
        add_shape(g, CAROM_SHAPE_BOX, vec(draw(&g->seed, 0.2, 0.4), draw(&g->seed, 0.2, 0.4), k ? high : low), at[k])
            ->def.orientation = turned(vec(0, 1, 0), angle);
    add_body(g, half_space(n, 0));
    g->mu = draw(&g->seed, 0.5, 1.5) * tan(angle);
}

static inline carom_scene_body *add_any(generated *g, carom_vec3 at)
{
    carom_vec3 s = vec(draw(&g->seed, 0.1, 0.3), draw(&g->seed, 0.1, 0.3), draw(&g->seed, 0.1, 0.3));
    switch (draw_int(&g->seed, 0, 3)) {
    case 0:
        return add_shape(g, CAROM_SHAPE_BOX, s, at);
    case 1:
        return add_shape(g, CAROM_SHAPE_CAPSULE, vec(0.3 * s.x, s.y, 0), at);
    case 2:
        return add_shape(g, CAROM_SHAPE_CYLINDER, vec(0.5 * s.x, s.y, 0), at);
    default:
        return add_hull(g, carom_vec3_scale(0.5, s), at);
    }
}

/* One or two bodies thrown onto a table that they may leave. */
static inline void make_throw(generated *g)
{
    int count = draw_int(&g->seed, 1, 2);
    for (int k = 0; k < count; k++) {
        carom_scene_body *b =
            add_any(g, vec(draw(&g->seed, -0.4, 0.4), draw(&g->seed, -0.4, 0.4), draw(&g->seed, 0.3, 0.4) + 0.5 * k));
        b->def.orientation = random_turn(&g->seed);
        b->def.velocity = random_vec(&g->seed, 1);
        b->def.omega = random_vec(&g->seed, 6);
    }
    add_fixed_box(g, vec(1, 1, 0.1), vec(0, 0, -0.05));
    add_body(g, half_space(vec(0, 0, 1), -0.8));
}

static inline void make_planar_throw(generated *g)
{
    int count = draw_int(&g->seed, 1, 3);
    g->dim = 2;
    for (int k = 0; k < count; k++) {
        carom_scene_body *b = add_shape(g, CAROM_SHAPE_BOX, vec(draw(&g->seed, 0.1, 0.4), draw(&g->seed, 0.1, 0.3), 1),
                                        vec(draw(&g->seed, -0.4, 0.4), 0.4 + 0.5 * k, 0));
        b->def.orientation = turned(vec(0, 0, 1), draw(&g->seed, -3, 3));
        b->def.velocity = vec(draw(&g->seed, -1, 1), draw(&g->seed, -1, 1), 0);
        b->def.omega = vec(0, 0, draw(&g->seed, -6, 6));
    }
    add_fixed_box(g, vec(1, 0.1, 1), vec(0, -0.05, 0));
    add_body(g, half_space(vec(0, 1, 0), -0.8));
}

/* Two bodies fall into the corner of a room. */
static inline void make_corner(generated *g)
{
    for (int k = 0; k < 2; k++) {
        carom_scene_body *b = add_any(g, vec(draw(&g->seed, 0.3, 0.4), draw(&g->seed, 0.3, 0.4), 0.4 + 0.5 * k));
        b->def.orientation = random_turn(&g->seed);
        b->def.velocity = vec(draw(&g->seed, -2, 0), draw(&g->seed, -2, 0), draw(&g->seed, -1, 0));
    }
    add_body(g, half_space(vec(1, 0, 0), 0));
    add_body(g, half_space(vec(0, 1, 0), 0));
    add_body(g, half_space(vec(0, 0, 1), 0));
}

/* Balls and boxes fall into a tray with four walls. */
static inline void make_tray(generated *g)
{
    int count = draw_int(&g->seed, 2, 5);
    for (int k = 0; k < count; k++) {
        carom_vec3 at = vec(draw(&g->seed, -0.1, 0.1), draw(&g->seed, -0.1, 0.1), 0.2 + 0.3 * k);
        carom_scene_body *b =
            draw(&g->seed, 0, 1) < 0.5
                ? add_body(g, ball(draw(&g->seed, 0.3, 1), draw(&g->seed, 0.05, 0.1), at, vec(0, 0, 0)))
                : add_shape(g, CAROM_SHAPE_BOX,
                            vec(draw(&g->seed, 0.1, 0.2), draw(&g->seed, 0.1, 0.2), draw(&g->seed, 0.1, 0.2)), at);
        b->def.orientation = random_turn(&g->seed);
        b->def.velocity = vec(draw(&g->seed, -1, 1), draw(&g->seed, -1, 1), 0);
    }
    add_fixed_box(g, vec(1, 1, 0.1), vec(0, 0, -0.05));
    for (int k = 0; k < 4; k++) {
        double s = k % 2 ? 0.45 : -0.45;
        add_fixed_box(g, k < 2 ? vec(0.1, 1, 4) : vec(1, 0.1, 4), k < 2 ? vec(s, 0, 2) : vec(0, s, 2));
    }
}

/* A box slides over the edge of a table and falls. */
static inline void make_slide_off(generated *g)
{
    carom_vec3 s = vec(draw(&g->seed, 0.1, 0.3), draw(&g->seed, 0.1, 0.3), draw(&g->seed, 0.05, 0.2));
    carom_scene_body *b = add_shape(g, CAROM_SHAPE_BOX, s, vec(0.2, draw(&g->seed, -0.1, 0.1), 0.5 * s.z));
    b->def.orientation = turned(vec(0, 0, 1), draw(&g->seed, -1, 1));
    b->def.velocity = vec(draw(&g->seed, 1, 2), draw(&g->seed, -0.3, 0.3), 0);
    add_fixed_box(g, vec(1, 1, 0.1), vec(0, 0, -0.05));
    add_body(g, half_space(vec(0, 0, 1), -0.8));
    g->mu = draw(&g->seed, 0.05, 0.3);
}

/* A plank on two supports, fixed boxes or cylinders that may roll, and a box on it. */
static inline void make_plank(generated *g)
{
    bool rolls = draw(&g->seed, 0, 1) < 0.5;
    double thick = draw(&g->seed, 0.03, 0.08), high = draw(&g->seed, 0.1, 0.2);
    add_shape(g, CAROM_SHAPE_BOX, vec(1, 0.2, thick), vec(draw(&g->seed, -0.1, 0.1), 0, 0.1 + 0.5 * thick));
    add_shape(g, CAROM_SHAPE_BOX, vec(0.1, 0.1, high), vec(draw(&g->seed, -0.3, 0.3), 0, 0.1 + thick + 0.5 * high));
    for (int k = 0; k < 2; k++) {
        carom_vec3 at = vec(k ? 0.3 : -0.3, 0, 0.05);
        if (rolls)
            add_shape(g, CAROM_SHAPE_CYLINDER, vec(0.05, 0.3, 0), at)->def.orientation = turned(vec(1, 0, 0), acos(0));
        else
            add_fixed_box(g, vec(0.1, 0.3, 0.1), at);
    }
    add_body(g, half_space(vec(0, 0, 1), 0));
}

/* Dominoes in a row, the first of which is pushed. */
static inline void make_dominoes(generated *g)
{
    int count = draw_int(&g->seed, 3, 6);
    double apart = draw(&g->seed, 0.03, 0.06), thick = draw(&g->seed, 0.01, 0.02);
    g->dim = draw(&g->seed, 0, 1) < 0.5 ? 2 : 3;
    carom_vec3 up = g->dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
    for (int k = 0; k < count; k++) {
        carom_vec3 size = g->dim == 2 ? vec(thick, 0.12, 1) : vec(thick, 0.06, 0.12);
        carom_vec3 at = carom_vec3_add(vec((apart + thick) * k, 0, 0), carom_vec3_scale(0.06, up));
        carom_scene_body *b = add_shape(g, CAROM_SHAPE_BOX, size, at);
        if (k == 0)
            b->def.velocity = vec(draw(&g->seed, 0.3, 0.6), 0, 0);
        if (k == 0)
            b->def.omega = carom_vec3_scale(draw(&g->seed, 4, 8), g->dim == 2 ? vec(0, 0, -1) : vec(0, 1, 0));
    }
    add_body(g, half_space(up, 0));
}

/* Balls on balls in a groove, held by two end walls. */
static inline void make_groove(generated *g)
{
    int count = draw_int(&g->seed, 3, 6);
    g->dim = draw(&g->seed, 0, 1) < 0.5 ? 2 : 3;
    carom_vec3 up = g->dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
    for (int k = 0; k < count; k++) {
        double r = draw(&g->seed, 0.05, 0.1), y = g->dim == 2 ? 0 : draw(&g->seed, -0.02, 0.02);
        carom_vec3 at = carom_vec3_add(vec(draw(&g->seed, -0.05, 0.05), y, 0), carom_vec3_scale(0.2 + 0.25 * k, up));
        carom_scene_body *b = add_body(g, ball(draw(&g->seed, 0.3, 2), r, at, vec(0, 0, 0)));
        if (g->dim == 2)
            assert_int_equal(carom_solid_body(&b->solid, 2, 0, &b->def, NULL), CAROM_STATUS_OK);
    }
    for (int k = 0; k < 2; k++) {
        double a = draw(&g->seed, 0.5, 0.9);
        add_body(g, half_space(carom_vec3_add(vec(k ? -sin(a) : sin(a), 0, 0), carom_vec3_scale(cos(a), up)), 0));
    }
    for (int k = 0; k < 2 && g->dim == 3; k++)
        add_body(g, half_space(vec(0, k ? -1 : 1, 0), -0.12));
}

#endif
