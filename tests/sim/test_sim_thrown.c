/* Random throws: nothing passes through, nothing becomes NaN, energy does not rise, and no run ends early. */
#include <stdint.h>

#include "sim/scenes.h"

enum { PAIRS = 400, THROWS = 60, EDGES = 40, LOOKS = 20 };
#define DEPTH_TOL    1e-9  /* m */
#define STEP_DEPTH   1e-7  /* m: what a step may leave of an overlap where boxes press each other without gravity */
#define STEPPED_MOST 0.001 /* of the looks at such boxes */
#define RISE_TOL     1e-12 /* of the energy */
#define EDGE_RISE    1e-12 /* J: from the end of one step to the next; the energies are about 1 J */

static double draw(uint64_t *seed, double low, double high)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

static carom_scene_body shaped(carom_shape_kind kind, carom_vec3 size, int dim)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {kind, {size.x, size.y, size.z}}}};
    b.def = carom_body_def_default();
    b.def.mass = 1;
    assert_int_equal(carom_solid_body(&b.solid, dim, 0, &b.def, NULL), CAROM_STATUS_OK);
    return b;
}

static bool is_finite(carom_sim_state s)
{
    double sum = s.position.x + s.position.y + s.position.z + s.velocity.x + s.velocity.y + s.velocity.z;
    sum += s.omega.x + s.omega.y + s.omega.z;
    return sum - sum == 0;
}

/* True when the time was reached; otherwise the run has ended with a status. */
static bool advance(carom_sim *sim, double time)
{
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = time;
    until.rest = true;
    return carom_sim_advance(sim, &until, &stop) == CAROM_STATUS_OK;
}

/* Two boxes in the plane fly at each other, turning or not. */
static void test_boxes_in_the_plane(void **state)
{
    (void)state;
    uint64_t seed = 20261116;
    int early = 0, deep = 0;
    for (int i = 0; i < draws(PAIRS); i++) {
        carom_scene_body b[2];
        for (int k = 0; k < 2; k++) {
            double side = k ? 1 : -1, angle = draw(&seed, 0, 7);
            b[k] = shaped(CAROM_SHAPE_BOX, vec(draw(&seed, 0.1, 3), draw(&seed, 0.1, 3), 1), 2);
            b[k].def.position = vec(side * 4, draw(&seed, -1, 1), 0);
            b[k].def.orientation = (carom_quat){cos(angle / 2), 0, 0, sin(angle / 2)};
            b[k].def.velocity = vec(-side * draw(&seed, 1, 9), draw(&seed, -0.3, 0.3), 0);
            b[k].def.omega = vec(0, 0, i % 2 ? draw(&seed, -3, 3) : 0);
        }
        carom_scene scene = scene_of(b, 2, "routh-stronge", 0.5, 0.3);
        scene.dim = 2;
        carom_sim *sim = sim_of(&scene);
        bool goes_on = true;
        for (int k = 1; k <= LOOKS && goes_on; k++) {
            goes_on = advance(sim, 0.15 * k);
            deep += carom_sim_distance(sim, 0, 1) < -DEPTH_TOL;
            assert_true(carom_sim_distance(sim, 0, 1) > -STEP_DEPTH);
        }
        assert_true(carom_sim_energy(sim).after <= carom_sim_energy(sim).before * (1 + RISE_TOL));
        early += !goes_on;
        carom_sim_free(sim);
    }
    assert_int_equal(early, 0);
    assert_true(deep <= STEPPED_MOST * draws(PAIRS) * LOOKS);
}

/* A body tumbles onto a floor. */
static void test_tumbling_bodies(void **state)
{
    (void)state;
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_BOX,      CAROM_SHAPE_ROD,  CAROM_SHAPE_CAPSULE,
                                             CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CONE, CAROM_SHAPE_DISK,
                                             CAROM_SHAPE_ELLIPSOID};
    uint64_t seed = 4711;
    int early = 0;
    for (int i = 0; i < draws(THROWS); i++) {
        carom_vec3 size = vec(draw(&seed, 0.1, 0.4), draw(&seed, 0.1, 0.4), draw(&seed, 0.1, 0.4));
        carom_scene_body b[2] = {shaped(kinds[i % 7], size, 3), half_space(vec(0, 0, 1), 0)};
        double q[4], length = 0;
        for (int k = 0; k < 4; k++)
            q[k] = draw(&seed, -1, 1), length += q[k] * q[k];
        length = sqrt(length);
        b[0].def.orientation = (carom_quat){q[0] / length, q[1] / length, q[2] / length, q[3] / length};
        b[0].def.position = vec(0, 0, 0.9);
        b[0].def.velocity = vec(draw(&seed, -1, 1), draw(&seed, -1, 1), draw(&seed, -1, 0));
        b[0].def.omega = vec(draw(&seed, -9, 9), draw(&seed, -9, 9), draw(&seed, -9, 9));
        carom_scene scene = scene_of(b, 2, "routh-stronge", draw(&seed, 0, 0.7), draw(&seed, 0.05, 0.8));
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        bool goes_on = true;
        for (int k = 1; k <= LOOKS && goes_on; k++) {
            goes_on = advance(sim, 0.1 * k);
            assert_true(is_finite(carom_sim_body(sim, 0)));
            assert_true(carom_sim_energy(sim).after <= carom_sim_energy(sim).before * (1 + RISE_TOL));
            assert_true(carom_sim_distance(sim, 0, 1) > -DEPTH_TOL);
        }
        early += !goes_on;
        carom_sim_free(sim);
    }
    assert_int_equal(early, 0);
}

/* A capsule or a cylinder that spins on the edge of a bar, at first across it, and slides off. */
static carom_scene_body on_edge(uint64_t *seed, carom_shape_kind kind)
{
    double radius = kind == CAROM_SHAPE_CAPSULE ? 0.07 : 0.1, length = kind == CAROM_SHAPE_CAPSULE ? 0.2 : 0.3;
    carom_scene_body b = shaped(kind, vec(radius, length, 0), 3);
    double yaw = draw(seed, -1.2, 1.2), c = sqrt(0.5) * cos(yaw / 2), s = sqrt(0.5) * sin(yaw / 2);
    b.def.orientation = (carom_quat){c, c, s, s};
    b.def.position = vec(0, draw(seed, -0.04, 0.04), 0.1 * sqrt(2) + radius + 1e-3);
    b.def.velocity = vec(draw(seed, -0.3, 0.3), draw(seed, -0.3, 0.3), 0);
    b.def.omega = vec(draw(seed, -1, 1), draw(seed, -1, 1), draw(seed, -9, 9));
    return b;
}

/* They are moved by steps, which push overlaps apart. */
static void test_bodies_on_an_edge(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int run = 0; run < draws(EDGES); run++) {
        carom_scene_body bar = shaped(CAROM_SHAPE_BOX, vec(2, 0.2, 0.2), 3);
        bar.def.fixed = true;
        bar.def.orientation = (carom_quat){cos(0.39269908169872414), sin(0.39269908169872414), 0, 0};
        carom_scene_body b[2] = {on_edge(&seed, run % 2 ? CAROM_SHAPE_CYLINDER : CAROM_SHAPE_CAPSULE), bar};
        carom_scene scene = scene_of(b, 2, "routh-stronge", 0, draw(&seed, 0, 0.3));
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        double least = carom_sim_energy(sim).after;
        for (double end = 0; end < 0.4; end = carom_sim_next(sim)) { /* the end of each step, before the next begins */
            assert_true(advance(sim, end) && advance(sim, nextafter(fmin(carom_sim_next(sim), 0.4), 0)));
            double energy = carom_sim_energy(sim).after;
            assert_true(energy <= least + EDGE_RISE);
            least = fmin(least, energy);
        }
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boxes_in_the_plane),
                                       cmocka_unit_test(test_tumbling_bodies),
                                       cmocka_unit_test(test_bodies_on_an_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
