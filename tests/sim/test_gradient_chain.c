/* Gradients through runs against differences of the simulator, for every kind of contact. */
#include "sim/gradients.h"

static void test_spheres(void **state)
{
    (void)state;
    static const char *const laws[] = {"newton", "whittaker", "routh-stronge", "routh-poisson", "jia"};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        run r = run_of(4, laws[k], 0.8, 0.23);
        r.body[0] = ball(1.3, 0.3, vec(-1.5, 0.1, 1.2), vec(3.1, 0.2, 0.4));
        r.body[1] = ball(0.7, 0.4, vec(0.2, 0.25, 1.35), vec(-0.4, -0.3, 0.9));
        r.body[2] = half_space(vec(0, 0, 1), 0.03);
        r.body[3] = half_space(vec(-1, 0, 0), -1.9);
        r.body[0].def.omega = vec(3, -2, 1);
        r.body[1].def.omega = vec(-1, 0.7, 2);
        r.body[2].material = 1;
        r.scene.gravity = vec(0.1, -0.2, -9.81);
        r.scene.pair_count = 1;
        r.pair = (carom_scene_pair){.a = 0, .b = 1, .rule = r.scene.rule};
        r.pair.rule.coeffs.e = 0.65;
        r.pair.rule.coeffs.mu = 0.31;
        r.time = 1;
        static matrix m;
        assert_int_equal(differentiate(&r, false, &m), CAROM_STATUS_OK);
        assert_true(m.about.impacts >= 3);
        compare_differences(&r, &m, STEP / 4);
    }
}

/* A corner, rims, an ellipsoid, a capsule: each lands on a floor, tumbling. */
static void test_tumbling(void **state)
{
    (void)state;
    static const struct {
        carom_shape_kind kind;
        carom_vec3 size;
        long long impacts;
        double time;
    } cases[] = {{CAROM_SHAPE_BOX, {0.5, 0.3, 0.2}, 2, 0},       {CAROM_SHAPE_CYLINDER, {0.2, 0.5, 0}, 2, 0},
                 {CAROM_SHAPE_CONE, {0.3, 0.5, 0}, 2, 0},        {CAROM_SHAPE_CAPSULE, {0.15, 0.5, 0}, 2, 0},
                 {CAROM_SHAPE_ELLIPSOID, {0.3, 0.2, 0.1}, 2, 0}, {CAROM_SHAPE_DISK, {0.3, 0.02, 0}, 2, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        run r = run_of(2, "routh-stronge", 0.6, 0.4);
        carom_scene_body b = solid(cases[k].kind, cases[k].size, 1.4, 3);
        throw(&b, vec(0.1, 0.2, 1), vec(0.5, -0.3, 0.2), vec(2.1, 1.3, -1.7), vec(0.4, 0.9, 0.3));
        floor_run(&r, b, 0);
        r.impacts = cases[k].impacts;
        check_run(&r, cases[k].impacts, STEP / 8);
    }
}

/* Corner on face, edge on edge, rim on corner and so on: two bodies in the air. */
static void test_pairs_of_solids(void **state)
{
    (void)state;
    static const carom_shape_kind kind[][2] = {{CAROM_SHAPE_BOX, CAROM_SHAPE_BOX},
                                               {CAROM_SHAPE_BOX, CAROM_SHAPE_SPHERE},
                                               {CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CYLINDER},
                                               {CAROM_SHAPE_CAPSULE, CAROM_SHAPE_CAPSULE},
                                               {CAROM_SHAPE_CYLINDER, CAROM_SHAPE_CYLINDER},
                                               {CAROM_SHAPE_CONE, CAROM_SHAPE_ELLIPSOID}};
    static const carom_vec3 size[] = {[CAROM_SHAPE_BOX] = {0.5, 0.4, 0.3},       [CAROM_SHAPE_SPHERE] = {0.3, 0, 0},
                                      [CAROM_SHAPE_ELLIPSOID] = {0.4, 0.3, 0.2}, [CAROM_SHAPE_CYLINDER] = {0.2, 0.6, 0},
                                      [CAROM_SHAPE_CAPSULE] = {0.15, 0.6, 0},    [CAROM_SHAPE_CONE] = {0.3, 0.5, 0}};
    static const carom_vec3 turns[] = {{0.5, 0.2, 0.7}, {1.1, -0.6, 0.2}, {-0.3, 1.4, 0.9}};
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++)
        for (int way = 0; way < 3; way++) {
            run r = run_of(2, "routh-newton", 0.7, 0.3);
            r.body[0] = solid(kind[k][0], size[kind[k][0]], 1.1, 3);
            r.body[1] = solid(kind[k][1], size[kind[k][1]], 2.3, 3);
            throw(&r.body[0], vec(-1, 0.05, 0.02), vec(2, 0.1, 0), vec(0.7, -0.4, 1.2), turns[way]);
            throw(&r.body[1], vec(0.4, 0, 0), vec(-0.5, 0.02, 0.1), vec(-0.2, 0.9, 0.3), turns[(way + 1) % 3]);
            r.impacts = 1;
            check_run(&r, 1, STEP / 8);
        }
}

static void test_plane(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        run r = run_of(3, "routh-poisson", 0.7, 0.25);
        r.scene.dim = 2;
        r.body[0] =
            k == 1 ? solid(CAROM_SHAPE_DISK, vec(0.2, 0, 0), 1.2, 2) : solid(CAROM_SHAPE_BOX, vec(0.4, 0.3, 1), 1.2, 2);
        r.body[1] = k == 2 ? solid(CAROM_SHAPE_BOX, vec(0.5, 0.2, 1), 0.8, 2)
                           : solid(CAROM_SHAPE_DISK, vec(0.25, 0, 0), 0.8, 2);
        r.body[2] = half_space(vec(0, 1, 0), 0);
        throw(&r.body[0], vec(-0.6, 1, 0), vec(2, 0.4, 0), vec(0, 0, 1.3), vec(0, 0, 0.4));
        throw(&r.body[1], vec(0.5, 1.1, 0), vec(-0.5, 0.3, 0), vec(0, 0, -2), vec(0, 0, 0.9));
        r.scene.gravity = vec(0.1, -9.81, 0);
        r.impacts = 3;
        check_run(&r, 3, STEP / 8);
    }
}

/* A wall that moves and a table that turns: fixed bodies with velocities. */
static void test_moving_fixed(void **state)
{
    (void)state;
    run r = run_of(2, "whittaker", 0.7, 0.3);
    r.body[0] = ball(1.1, 0.2, vec(0.3, 0.1, 1.2), vec(0.4, 0, 0));
    r.body[1] = solid(CAROM_SHAPE_ELLIPSOID, vec(0.9, 0.8, 0.6), 1, 3);
    throw(&r.body[1], vec(0, 0, 0), vec(0.1, 0, 0.7), vec(0.3, 0.5, 0.2), vec(0.2, 0.1, 0.3));
    r.body[1].def.fixed = true;
    r.scene.gravity = vec(0, 0, -9.81);
    r.time = 0.5;
    check_run(&r, 1, STEP / 2);
}

/* Parts of a compound: the piece that is hit is found. */
static void test_compound(void **state)
{
    (void)state;
    carom_part parts[2] = {
        {{.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.2, 0, 0}}}, {-0.4, 0, 0}, {1, 0, 0, 0}, 800},
        {{.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {0.6, 0.2, 0.2}}}, {0, 0, 0}, {1, 0, 0, 0}, 500}};
    run r = run_of(2, "routh-stronge", 0.5, 0.3);
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = 2}};
    b.def = carom_body_def_default();
    assert_int_equal(carom_solid_body(&b.solid, 3, 1, &b.def, NULL), CAROM_STATUS_OK);
    throw(&b, vec(0, 0, 1), vec(0.4, 0.1, 0), vec(1.1, 0.7, -0.4), vec(0.2, -0.3, 0.1));
    floor_run(&r, b, 0);
    r.impacts = 2;
    check_run(&r, 2, STEP / 8);
}

/* Long flights of turning bodies: spheres, tops and three moments. */
static void test_rotation(void **state)
{
    (void)state;
    static const carom_vec3 size[] = {{0.3, 0.3, 0.3}, {0.5, 0.5, 0.2}, {0.5, 0.3, 0.2}, {0.2, 0.5, 0.5}};
    for (size_t k = 0; k < sizeof size / sizeof size[0]; k++) {
        run r = run_of(1, "newton", 0.5, 0);
        r.body[0] = solid(CAROM_SHAPE_BOX, size[k], 1.3, 3);
        throw(&r.body[0], vec(0, 0, 0), vec(1, 2, 3), vec(2.1, -1.3, 3.7), vec(0.3, 0.8, -0.5));
        r.time = 4;
        check_run(&r, 0, STEP / 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres),         cmocka_unit_test(test_tumbling),
                                       cmocka_unit_test(test_pairs_of_solids), cmocka_unit_test(test_plane),
                                       cmocka_unit_test(test_moving_fixed),    cmocka_unit_test(test_compound),
                                       cmocka_unit_test(test_rotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
