/* A ball strikes bodies that stand: from all sides, and in rows. */
#include "sim/islands.h"

static const double right_angle = 1.5707963267948966;

static carom_scene_body upright(carom_shape_kind kind, double height)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {kind, {0.05, 0.3, 0}}}};
    b.def = carom_body_def_default();
    b.def.mass = 1.5;
    assert_int_equal(carom_solid_body(&b.solid, 3, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.position = vec(0, 0, height);
    return b;
}

/* Cylinders and cones stand on four points of their rim, and tip in any direction: they do not sink between these. */
static void test_round_feet(void **state)
{
    (void)state;
    for (int k = 0; k < 28; k++) {
        bool cone = k % 2;
        double angle = k / 4 * right_angle / 7 + 0.05, z = k % 4 < 2 ? 0.05 : 0.2;
        carom_vec3 way = vec(cos(angle), sin(angle), 0);
        carom_scene_body bodies[3] = {upright(cone ? CAROM_SHAPE_CONE : CAROM_SHAPE_CYLINDER, cone ? 0.075 : 0.15),
                                      ball(0.5, 0.02, vec(-0.3 * way.x, -0.3 * way.y, z), carom_vec3_scale(3, way)),
                                      half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.2, 0.4);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        for (int n = 1; n <= 50; n++) {
            run_until(sim, 0.01 * n, -1);
            assert_true(carom_sim_distance(sim, 0, 2) > -1e-5);
        }
        carom_sim_free(sim);
    }
}

/* A row of boxes sleeps, one beside the other, on ice: a ball that strikes its end moves all of them. Momentum is kept.
 */
static void test_row(void **state)
{
    (void)state;
    enum { BOXES = 8 };
    for (int k = 0; k < 4; k++) {
        double speed = 0.5 + k, momentum = 0;
        carom_scene_body bodies[BOXES + 2];
        for (int n = 0; n < BOXES; n++)
            bodies[n] = block(1, vec(0.1, 0.1, 0.1), vec(0.1 * n, 0, 0.05));
        bodies[BOXES] = ball(2, 0.05, vec(-0.1 - 0.2 * speed, 0, 0.05), vec(speed, 0, 0));
        bodies[BOXES + 1] = half_space(vec(0, 0, 1), 0);
        carom_scene scene = scene_of(bodies, BOXES + 2, "routh-stronge", 0.2, 0);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.4, -1);
        for (int n = 0; n <= BOXES; n++)
            momentum += bodies[n].def.mass * carom_sim_body(sim, n).velocity.x;
        assert_near(momentum, 2 * speed, 1e-9);
        carom_sim_free(sim);
    }
}

/* The bottom box of a pyramid is struck: the pyramid gives way. */
static void test_pyramid(void **state)
{
    (void)state;
    carom_scene_body bodies[12];
    int count = 0;
    for (int row = 0; row < 4; row++)
        for (int n = 0; n < 4 - row; n++)
            bodies[count++] = block(1, vec(0.1, 0.1, 0.1), vec(0.1 * n + 0.05 * row - 0.15, 0, 0.05 + 0.1 * row));
    bodies[count++] = ball(2, 0.08, vec(-0.6, 0.02, 0.15), vec(4, 0, 0));
    bodies[count++] = half_space(vec(0, 0, 1), 0);
    carom_scene scene = scene_of(bodies, count, "routh-stronge", 0.2, 0.4);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 0.5, -1);
    assert_true(carom_sim_body(sim, 0).position.x > -0.15 + 0.02);
    assert_true(carom_sim_body(sim, 3).position.x > 0.15 + 0.005);
    carom_sim_free(sim);
}

/* Pistons strike stacks that stand a little apart, and these strike one another within the same step: whichever of the
 * fixed bodies moves, none passes into the next. */
static void test_pistons(void **state)
{
    (void)state;
    enum { STACKS = 3, HIGH = 5, FIXED = 3, COUNT = STACKS * HIGH + FIXED };
    const double edge = 0.1, apart = 0.0008, far = 0.5 * (STACKS + 1) * edge + apart;
    for (int moves = 1; moves < FIXED; moves++) {
        carom_scene_body bodies[COUNT];
        carom_drive swing = {.amplitude = vec(moves == 1 ? 0.1 : -0.1, 0, 0), .frequency = 8, .phase = -right_angle};
        double depth = 0;
        for (int n = 0; n < STACKS * HIGH; n++)
            bodies[n] =
                block(1, vec(edge, edge, edge), vec((n / HIGH - 1) * (edge + apart), 0, edge * (n % HIGH + 0.5)));
        bodies[COUNT - FIXED] = half_space(vec(0, 0, 1), 0);
        for (int n = 1; n < FIXED; n++) { /* the one that does not move is out of the way */
            carom_scene_body *piston = &bodies[COUNT - FIXED + n];
            *piston = block(1, vec(edge, 1, 1), vec((2 * n - 3) * far * (n == moves ? 1 : 4), 0, 0.6));
            piston->def.fixed = true;
        }
        bodies[COUNT - FIXED + moves].drive = &swing;
        carom_scene scene = scene_of(bodies, COUNT, "routh-stronge", 0.2, 0.4);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        for (int k = 1; k <= 40; k++) {
            run_until(sim, 0.001 * k, -1);
            for (int i = 0; i < STACKS * HIGH; i++)
                for (int j = i + 1; j < COUNT; j++)
                    depth = fmax(depth, -carom_sim_distance(sim, i, j));
        }
        assert_true(depth <= 2e-6 * edge);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_feet),
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_pyramid),
        cmocka_unit_test(test_pistons),
    };
    return cmocka_run_group_tests_name("sim_struck", tests, NULL, NULL);
}
