/* Ground made of several fixed boxes whose faces lie in one plane is the same as a half-space. */
#include "sim/scenes.h"

enum { TILES = 6, RUNS = 24 };

static const carom_shape sliders[4] = {{CAROM_SHAPE_BOX, {0.5, 0.3, 0.2}},
                                       {CAROM_SHAPE_SPHERE, {0.1, 0, 0}},
                                       {CAROM_SHAPE_CYLINDER, {0.15, 0.2, 0}},
                                       {CAROM_SHAPE_CONE, {0.2, 0.4, 0}}};
static uint64_t seed = 20261116;

static carom_scene_body fixed_box(double x, double y, double width, double depth)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {width, depth, 1}}}};
    b.def = carom_body_def_default();
    b.def.fixed = true;
    b.def.position = vec(x, y, -0.5);
    return b;
}

/* Columns of boxes, each cut into boxes at heights of its own: seams that end at other seams. */
static int lay_tiles(carom_scene_body *tiles)
{
    int count = 0;
    double x = -3;
    for (int i = 0; i < TILES; i++) {
        double right = i + 1 == TILES ? 3 : x + random_between(&seed, 0.6, 1.1), y = -3;
        for (int k = 0; k < TILES; k++) {
            double top = k + 1 == TILES ? 3 : y + random_between(&seed, 0.6, 1.1);
            tiles[count++] = fixed_box(0.5 * (x + right), 0.5 * (y + top), right - x, top - y);
            y = top;
        }
        x = right;
    }
    return count;
}

static carom_sim_state end_of(carom_scene_body *bodies, int count)
{
    carom_scene scene = scene_of(bodies, count, "routh-stronge", 0.5, 0.25);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 1, -1);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_int_equal(carom_sim_impacts(sim), 0);
    assert_near(carom_sim_energy(sim).residual, 0, 1e-12);
    carom_sim_free(sim);
    return s;
}

static void test_tiles_are_a_floor(void **state)
{
    (void)state;
    for (int run = 0; run < draws(RUNS); run++) {
        carom_scene_body tiled[1 + TILES * TILES],
            plain[2] = {sliding_body(&seed, sliders[run % 4]), half_space(vec(0, 0, 1), 0)};
        tiled[0] = plain[0];
        int count = lay_tiles(tiled + 1);
        carom_sim_state a = end_of(plain, 2), b = end_of(tiled, 1 + count);
        assert_near(carom_vec3_length(carom_vec3_sub(a.position, b.position)), 0, 1e-12);
        assert_near(carom_vec3_length(carom_vec3_sub(a.velocity, b.velocity)), 0, 1e-11);
        assert_near(carom_vec3_length(carom_vec3_sub(a.omega, b.omega)), 0, 1e-10);
    }
}

/* A body that begins with its edge on a seam, or on the border of what it stands on, stands on it exactly. */
static void test_edge_on_seam(void **state)
{
    (void)state;
    const carom_shape cube = {CAROM_SHAPE_BOX, {1, 1, 1}};
    for (int tiles = 1; tiles <= 2; tiles++) {
        carom_scene_body bodies[3] = {
            {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = cube}}, fixed_box(0, 0, 1, 1), fixed_box(1, 0, 1, 1)};
        double v = tiles == 2 ? 1 : 0;
        bodies[0].def = carom_shape_body(&cube, 1);
        bodies[0].def.position = vec(0, 0, 0.5);
        bodies[0].def.velocity = vec(v, 0, 0);
        carom_scene scene = scene_of(bodies, 1 + tiles, "routh-stronge", 0.5, 0.3);
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 2, -1), CAROM_SIM_STOP_REST);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.x, v * v / (2 * 0.3 * 9.81), 1e-12);
        assert_near(s.position.z, 0.5, 1e-15);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles_are_a_floor), cmocka_unit_test(test_edge_on_seam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
