/* Classes of random scenes that need more than one idea to be right, and the list of all classes. */
#ifndef CAROM_TESTS_SIM_GENERATED_CLASSES_H
#define CAROM_TESTS_SIM_GENERATED_CLASSES_H

#include "sim/generated.h"

static const double right_angle = 1.5707963267948966;

static inline void add_floor(generated *g, double z)
{
    add_body(g, half_space(vec(0, 0, 1), z));
}

/* A ball, a box or a cylinder on a disk that turns, with and against it. */
static inline void make_turntable(generated *g)
{
    double away = draw(&g->seed, 0.1, 0.6), size = draw(&g->seed, 0.05, 0.15), gap = draw_int(&g->seed, 0, 1) * 1e-3;
    carom_vec3 at = vec(away, 0, size + gap);
    switch (draw_int(&g->seed, 0, 2)) {
    case 0:
        add_body(g, ball(draw(&g->seed, 0.3, 2), size, at, vec(0, 0, 0)));
        break;
    case 1:
        add_shape(g, CAROM_SHAPE_BOX, vec(0.15, 0.2, 2 * size), at);
        break;
    default:
        add_shape(g, CAROM_SHAPE_CYLINDER, vec(0.1, 2 * size, 0), at);
    }
    g->bodies[0].def.velocity = vec(0, draw(&g->seed, -1, 1), 0);
    carom_scene_body *table = add_shape(g, CAROM_SHAPE_CYLINDER, vec(1, 0.1, 0), vec(0, 0, -0.05));
    table->def.fixed = true;
    table->def.omega = vec(0, 0, draw(&g->seed, -3, 3));
    add_floor(g, -0.8);
}

/* Round bodies on a box that is free on the floor. */
static inline void make_curved(generated *g)
{
    double r = draw(&g->seed, 0.05, 0.1), length = draw(&g->seed, 0.1, 0.2);
    carom_vec3 at = vec(draw(&g->seed, -0.1, 0.1), 0, 0.2 + r);
    add_shape(g, CAROM_SHAPE_BOX, vec(0.6, 0.3, 0.2), vec(0, 0, 0.1));
    switch (draw_int(&g->seed, 0, 3)) {
    case 0:
        add_body(g, ball(draw(&g->seed, 0.3, 2), r, at, vec(0, 0, 0)));
        break;
    case 1:
        add_shape(g, CAROM_SHAPE_CYLINDER, vec(r, length, 0), at)->def.orientation = turned(vec(1, 0, 0), right_angle);
        break;
    case 2:
        add_shape(g, CAROM_SHAPE_CAPSULE, vec(r, length, 0), at)->def.orientation = turned(vec(1, 0, 0), right_angle);
        break;
    default:
        add_shape(g, CAROM_SHAPE_ELLIPSOID, vec(0.12, 0.1, r), at);
    }
    g->bodies[1].def.velocity = vec(draw(&g->seed, -0.5, 0.5), 0, 0);
    add_floor(g, 0);
}

/* A box comes down with an edge onto the edge of a fixed one, across it. */
static inline void make_crossing(generated *g)
{
    double a = draw(&g->seed, 0.2, 0.4), b = draw(&g->seed, 0.2, 0.4), half = sqrt(0.5);
    carom_scene_body *above =
        add_shape(g, CAROM_SHAPE_BOX, vec(0.5, a, a), vec(draw(&g->seed, -0.05, 0.05), 0, half * (a + b) + 1e-3));
    above->def.orientation = turned(vec(1, 0, 0), 0.5 * right_angle);
    above->def.omega = carom_vec3_scale(0.2, random_vec(&g->seed, 1));
    add_fixed_box(g, vec(b, 0.5, b), vec(0, 0, 0))->def.orientation = turned(vec(0, 1, 0), 0.5 * right_angle);
    add_floor(g, -0.5);
}

/* Balls that resist rolling, on each other, on a box and on the floor. */
static inline void make_rolling(generated *g)
{
    g->rolling = draw(&g->seed, 1e-3, 5e-3);
    g->patch = draw_int(&g->seed, 0, 1) * 1e-3;
    add_shape(g, CAROM_SHAPE_BOX, vec(0.6, 0.3, 0.2), vec(0, 0, 0.1));
    for (int k = 0; k < 2; k++) {
        double r = draw(&g->seed, 0.05, 0.1);
        add_body(g, ball(draw(&g->seed, 0.3, 2), r, vec(k ? 0.15 : -0.15, 0, 0.2 + r), vec(0, 0, 0)))->def.velocity =
            vec(k ? -draw(&g->seed, 0.1, 1) : 0, 0, 0);
    }
    add_floor(g, 0);
}

/* Bars on ball joints fall onto the floor and lie there. */
static inline void make_joints(generated *g)
{
    int count = draw_int(&g->seed, 1, 3);
    double length = draw(&g->seed, 0.2, 0.4);
    bool hung = draw_int(&g->seed, 0, 1);
    for (int k = 0; k < count; k++)
        add_shape(g, CAROM_SHAPE_BOX, vec(length, 0.05, 0.05), vec(length * (k + 0.5), 0, 0.2));
    for (int k = 0; k < count; k++) {
        carom_joint_def j = carom_joint_def_default();
        if (k == 0 && !hung)
            continue;
        j.a = k, j.b = k ? k - 1 : CAROM_WORLD;
        j.point_a = vec(-0.5 * length, 0, 0), j.point_b = k ? vec(0.5 * length, 0, 0) : vec(0, 0, 0.2);
        g->joints[g->joint_count++] = j;
    }
    add_floor(g, 0);
}

/* A ball between three planes that lean against each other. */
static inline void make_three_planes(generated *g)
{
    double r = draw(&g->seed, 0.05, 0.15);
    add_body(g, ball(draw(&g->seed, 0.3, 2), r, vec(0, 0, 0.6), random_vec(&g->seed, 0.5)))->def.omega =
        random_vec(&g->seed, 10);
    for (int k = 0; k < 3; k++) {
        double lean = draw(&g->seed, 0.3, 1), angle = 4 * right_angle * k / 3 + draw(&g->seed, -0.3, 0.3);
        add_body(g, half_space(vec(sin(lean) * cos(angle), sin(lean) * sin(angle), cos(lean)), 0));
    }
}

/* One or two thin rods thrown onto a floor. */
static inline void make_rods(generated *g)
{
    int count = draw_int(&g->seed, 1, 2);
    for (int k = 0; k < count; k++) {
        carom_scene_body *b =
            add_shape(g, CAROM_SHAPE_ROD, vec(draw(&g->seed, 0.2, 0.5), 0, 0), vec(0.1 * k, 0, 0.4 + 0.5 * k));
        b->def.orientation = random_turn(&g->seed);
        b->def.velocity = random_vec(&g->seed, 1);
        b->def.omega = random_vec(&g->seed, 5);
    }
    add_floor(g, 0);
}

/* A box on a slope that is a little too steep for it: it tips over its edge, and slips on both ends of it or not. */
static inline void make_tipping(generated *g)
{
    double w = draw(&g->seed, 0.1, 0.3), h = draw(&g->seed, 0.2, 0.4),
           angle = atan(w / h) * (1 + draw(&g->seed, 0.001, 0.1));
    carom_vec3 n = vec(sin(angle), 0, cos(angle));
    add_shape(g, CAROM_SHAPE_BOX, vec(w, 0.2, h), carom_vec3_scale(0.5 * h, n))->def.orientation =
        turned(vec(0, 1, 0), angle);
    add_body(g, half_space(n, 0));
    g->mu = draw(&g->seed, 0.8, 4);
    g->e = 0;
}

/* In the plane, a box comes down with a corner on the corner of another, exactly. */
static inline void make_corner_on_corner(generated *g)
{
    double a = draw(&g->seed, 0.2, 0.4), b = draw(&g->seed, 0.2, 0.4), half = sqrt(0.5);
    carom_quat turn = turned(vec(0, 0, 1), 0.5 * right_angle);
    g->dim = 2;
    add_shape(g, CAROM_SHAPE_BOX, vec(a, a, 1), vec(0, half * (a + b) + 0.01, 0))->def.orientation = turn;
    add_fixed_box(g, vec(b, b, 1), vec(0, 0, 0))->def.orientation = turn;
    add_body(g, half_space(vec(0, 1, 0), -0.5));
}

/* Nearly elastic, from so low that it comes to its end. */
static inline void make_lively(generated *g)
{
    double r = draw(&g->seed, 0.05, 0.15), gap = draw_int(&g->seed, 1, 9) * 1e-8;
    g->e = 0.999;
    if (draw_int(&g->seed, 0, 1))
        add_body(g, ball(draw(&g->seed, 0.3, 2), r, vec(0, 0, r + gap), vec(0, 0, 0)));
    else
        add_shape(g, CAROM_SHAPE_BOX, vec(0.2, 0.3, 2 * r), vec(0, 0, r + gap));
    add_floor(g, 0);
}

/* Ten balls and boxes in a tray: more than rest on each other exactly. */
static inline void make_pile(generated *g)
{
    for (int k = 0; k < 10; k++) {
        carom_vec3 at = vec(draw(&g->seed, -0.1, 0.1), draw(&g->seed, -0.1, 0.1), 0.15 + 0.25 * k);
        carom_scene_body *b =
            k % 2 ? add_body(g, ball(draw(&g->seed, 0.3, 1), draw(&g->seed, 0.05, 0.1), at, vec(0, 0, 0)))
                  : add_shape(g, CAROM_SHAPE_BOX, vec(0.15, 0.12, 0.1), at);
        b->def.orientation = random_turn(&g->seed);
    }
    add_fixed_box(g, vec(1, 1, 0.1), vec(0, 0, -0.05));
    for (int k = 0; k < 4; k++) {
        double s = k % 2 ? 0.3 : -0.3;
        add_fixed_box(g, k < 2 ? vec(0.1, 1, 6) : vec(1, 0.1, 6), k < 2 ? vec(s, 0, 3) : vec(0, s, 3));
    }
}

typedef struct scene_class {
    const char *name;
    void (*make)(generated *g);
    int quick; /* scenes of the quick share */
} scene_class;

static const scene_class scene_classes[] = {
    {"stack", make_stack, 2},
    {"planar stack", make_planar_stack, 4},
    {"pair on slope", make_pair_on_slope, 2},
    {"throw", make_throw, 1},
    {"planar throw", make_planar_throw, 4},
    {"corner", make_corner, 2},
    {"tray", make_tray, 1},
    {"slide off", make_slide_off, 1},
    {"plank", make_plank, 4},
    {"dominoes", make_dominoes, 1},
    {"groove", make_groove, 2},
    {"turntable", make_turntable, 2},
    {"curved", make_curved, 2},
    {"crossing", make_crossing, 2},
    {"rolling", make_rolling, 2},
    {"joints", make_joints, 2},
    {"three planes", make_three_planes, 2},
    {"rods", make_rods, 2},
    {"tipping", make_tipping, 3},
    {"corner on corner", make_corner_on_corner, 2},
    {"lively", make_lively, 2},
    {"pile", make_pile, 0},
};
enum { SCENE_CLASSES = sizeof scene_classes / sizeof scene_classes[0], SEEDS_APART = 11 };

/* Scene number of a class. */
static inline carom_scene generate(generated *g, int class, int number)
{
    *g = (generated){.seed = 0x9E3779B97F4A7C15u * (uint64_t)(1 + number * SEEDS_APART + class), .dim = 3};
    for (int k = 0; k < 8; k++)
        draw(&g->seed, 0, 1);
    g->e = draw(&g->seed, 0, 0.6);
    g->mu = draw(&g->seed, 0.1, 0.8);
    scene_classes[class].make(g);
    carom_scene scene = scene_of(g->bodies, g->count, "routh-stronge", g->e, g->mu);
    scene.dim = g->dim;
    scene.gravity = g->dim == 2 ? vec(0, -GRAVITY, 0) : vec(0, 0, -GRAVITY);
    scene.rolling = g->rolling;
    scene.patch = g->patch;
    scene.joints = g->joints;
    scene.joint_count = g->joint_count;
    return scene;
}

/* Violations on record: KNOWN("class", "check", "reason"). Each line goes away with its cause. */
typedef struct known_violation {
    const char *class, *check, *reason;
} known_violation;

static const known_violation known_violations[] = {
#define KNOWN(class, check, reason) {class, check, reason},
#include "sim/generated_known.def"
#undef KNOWN
    {NULL, NULL, NULL},
};

static inline const known_violation *known(int class, const char *check)
{
    for (const known_violation *k = known_violations; k->class; k++)
        if (strcmp(k->class, scene_classes[class].name) == 0 && strcmp(k->check, check) == 0)
            return k;
    return NULL;
}

#endif
