/* Piles: bodies dropped into a box come to rest in one another's way. Energy does not rise, nothing overlaps by more
 * than the bound of docs/theory/motion.md, and the ledger closes. */
#include "sim/motion/piece_energy.h"
#include "sim/parts.h"
#include "sim/step/step_midpoint.h"

enum { BODIES = 12, BALLS = 72, WALLS = 5, LOOKS = 50 };
#define LOOK_TIME  0.05 /* s */
#define SIZE       0.09 /* m: the longest edge */
#define DEPTH_TOL  2e-6 /* of the size */
#define RISE_TOL   1e-12
#define PILE_DEPTH 3e-4 /* of the size: what the sweeps of a step leave, and a hop below a sleeper (6e-5) */
#define PILE_RISE  1e-8 /* of the energy: what balls that have left a pile may swing by within their steps */

static void drop(carom_shape shape, int count, unsigned seed)
{
    carom_scene_body bodies[BALLS + WALLS];
    dice d = {seed};
    const double width = 0.31;
    for (int k = 0; k < count; k++) {
        carom_scene_body b = carom_scene_shape(shape, dice_between(&d, 0.2, 0.5));
        double x = dice_between(&d, 0.075, 0.085), y = dice_between(&d, 0.075, 0.085);
        b.def.position = vec(x + 0.15 * (k & 1), y + 0.15 * (k >> 1 & 1), 0.1 + 0.13 * (k >> 2));
        carom_vec3 axis = dice_vec(&d, 1);
        double size = carom_vec3_length(axis), half = dice_between(&d, 0, 3), s = sin(half) / size;
        b.def.orientation = (carom_quat){cos(half), s * axis.x, s * axis.y, s * axis.z};
        bodies[k] = b;
    }
    bodies[count] = half_space(vec(0, 0, 1), 0);
    bodies[count + 1] = half_space(vec(1, 0, 0), 0);
    bodies[count + 2] = half_space(vec(0, 1, 0), 0);
    bodies[count + 3] = half_space(vec(-1, 0, 0), -width);
    bodies[count + 4] = half_space(vec(0, -1, 0), -width);
    carom_scene scene = scene_of(bodies, count + WALLS, "routh-stronge", 0.3, 0.4);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    double least = carom_sim_energy(sim).after, scale = least;
    for (int n = 1; n <= LOOKS; n++) {
        assert_int_equal(carom_sim_to_time(sim, LOOK_TIME * n), CAROM_STATUS_OK);
        carom_sim_ledger l = carom_sim_energy(sim);
        double swing = step_swing(sim, &scene);
        assert_true(l.after - swing - least <= RISE_TOL * scale);
        assert_true(fabs(l.residual) <= RISE_TOL * scale);
        least = fmin(least, l.after + swing);
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count + WALLS; j++)
                assert_near(fmin(carom_sim_distance(sim, i, j), 0), 0, DEPTH_TOL * SIZE);
    }
    assert_true(least < 0.5 * scale);
    carom_sim_free(sim);
}

static void test_boxes(void **state)
{
    (void)state;
    drop((carom_shape){CAROM_SHAPE_BOX, {SIZE, 0.07, 0.05}}, BODIES, 2385);
}

static void test_cylinders(void **state)
{
    (void)state;
    drop((carom_shape){CAROM_SHAPE_CYLINDER, {0.035, SIZE}}, BODIES, 2386);
}

/* ---- looked at every ms ---- */

enum { SOME = 16, MILLISECONDS = 1500, DRAWS = 4 };
#define WIDTH 0.1 /* m: of half of the box */

static carom_shape some_shape(int k)
{
    switch (k % 4) {
    case 0:
        return (carom_shape){CAROM_SHAPE_BOX, {SIZE, 0.08, 0.07}};
    case 1:
        return (carom_shape){CAROM_SHAPE_CYLINDER, {0.035, 0.07}};
    case 2:
        return (carom_shape){CAROM_SHAPE_CAPSULE, {0.03, 0.04}};
    default:
        return (carom_shape){CAROM_SHAPE_CYLINDER, {0.045, 0.03}}; /* a disk */
    }
}

static carom_quat any_turn(dice *d)
{
    carom_vec3 axis = dice_vec(d, 1);
    double half = dice_between(d, 0, 3), s = sin(half) / carom_vec3_length(axis);
    return (carom_quat){cos(half), s * axis.x, s * axis.y, s * axis.z};
}

/* The energy that the bodies have where their pieces of motion end: within steps it swings. */
static double energy_of_steps(const carom_sim *sim, int count)
{
    double sum = carom_sim_energy(sim).after;
    for (int i = 0; i < count; i++)
        if (is_stepped(sim, i))
            sum += energy_of(sim, i, frame_of(sim, i)->until) - energy_of(sim, i, sim->time);
    return sum;
}

/* kind: of all bodies, or -1. Bodies that hit others within a step, that tip over a place between the corners of their
 * faces and whose rims roll keep out of one another at any time, not only where steps end. */
static void look_within(int count, int kind, unsigned seed)
{
    carom_scene_body bodies[SOME + WALLS];
    dice d = {seed};
    for (int k = 0; k < count; k++) {
        carom_scene_body b = carom_scene_shape(some_shape(kind < 0 ? k : kind), 0.5);
        carom_vec3 at = {(k & 1 ? 0.8 : -0.8) * WIDTH, (k & 2 ? 0.8 : -0.8) * WIDTH, 0.15 + 0.16 * (k >> 2)};
        b.def.position = carom_vec3_add(at, dice_vec(&d, 0.01));
        b.def.orientation = any_turn(&d);
        bodies[k] = b;
    }
    const carom_vec3 normals[WALLS] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int k = 0; k < WALLS; k++)
        bodies[count + k] = half_space(normals[k], k ? -2 * WIDTH : 0);
    carom_scene scene = scene_of(bodies, count + WALLS, "routh-stronge", 0.3, 0.4);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    double least = carom_sim_energy(sim).after, scale = least;
    for (int n = 1; n <= MILLISECONDS; n++) {
        assert_int_equal(carom_sim_to_time(sim, 1e-3 * n), CAROM_STATUS_OK);
        double now = energy_of_steps(sim, count);
        assert_true(now - least <= RISE_TOL * scale);
        least = fmin(least, now);
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count + WALLS; j++)
                assert_near(fmin(carom_sim_distance(sim, i, j), 0), 0, 1e-6 * SIZE);
    }
    carom_sim_free(sim);
}

static void test_cylinders_within_steps(void **state)
{
    (void)state;
    for (unsigned n = 0; n < DRAWS; n++)
        look_within(SOME - 2 * (int)n, 1, 2392 + n);
}

static void test_mixed_within_steps(void **state)
{
    (void)state;
    for (unsigned n = 0; n < DRAWS; n++)
        look_within(SOME - 2 * (int)n, -1, 2396 + n);
}

/* One island of 72 bodies, eighteen layers high. */
static void test_balls(void **state)
{
    (void)state;
    drop((carom_shape){CAROM_SHAPE_SPHERE, {0.5 * SIZE}}, BALLS, 2387);
}

/* More than 256 balls at once are a pile, whose steps are simpler: docs/theory/motion.md, 6. */
static void drop_many(unsigned seed)
{
    enum { SIDE = 7, LAYERS = 7, COUNT = SIDE * SIDE * LAYERS };
    static carom_scene_body bodies[COUNT + WALLS];
    dice d = {seed};
    const double radius = 0.01, width = 2.4 * radius * SIDE;
    for (int k = 0; k < COUNT; k++) {
        carom_vec3 at = {k % SIDE + 0.5, k / SIDE % SIDE + 0.5, k / SIDE / SIDE + 0.5};
        bodies[k] = ball(0.01, radius, carom_vec3_add(carom_vec3_scale(2.4 * radius, at), dice_vec(&d, 0.001)),
                         dice_vec(&d, 0.3));
    }
    const carom_vec3 normals[WALLS] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (int k = 0; k < WALLS; k++)
        bodies[COUNT + k] = half_space(normals[k], k > 2 ? -width : 0);
    carom_scene scene = scene_of(bodies, COUNT + WALLS, "routh-stronge", 0.3, 0.3);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    double least = carom_sim_energy(sim).after, scale = least, depth = 0;
    bool piled = false;
    for (int n = 1; n <= 240; n++) {
        assert_int_equal(carom_sim_to_time(sim, 0.005 * n), CAROM_STATUS_OK);
        double energy = carom_sim_energy(sim).after;
        assert_true(energy - least <= PILE_RISE * scale);
        least = fmin(least, energy);
        for (int i = 0; i < COUNT; i++)
            piled |= carom_sim_body(sim, i).road == CAROM_SIM_ROAD_PILE;
        for (int i = 0; i < COUNT && n % 4 == 0; i++)
            for (int j = i + 1; j < COUNT + WALLS; j++)
                depth = fmax(depth, -carom_sim_distance(sim, i, j));
    }
    assert_true(piled);
    assert_true(depth <= PILE_DEPTH * 2 * radius);
    carom_sim_free(sim);
}

static void test_large_piles(void **state)
{
    (void)state;
    for (unsigned seed = 2388; seed < 2392; seed++)
        drop_many(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boxes),
                                       cmocka_unit_test(test_cylinders),
                                       cmocka_unit_test(test_balls),
                                       cmocka_unit_test(test_large_piles),
                                       cmocka_unit_test(test_cylinders_within_steps),
                                       cmocka_unit_test(test_mixed_within_steps)};
    return cmocka_run_group_tests_name("piles", tests, NULL, NULL);
}
