/* Coulomb and Contensou's friction of bodies that slide, spin, roll and rest, against closed forms and integrations
 * outside (tests/vectors/spin_vectors.py). */
#include "sim/scenes.h"

#define G 9.81

static void assert_balanced(const carom_sim *sim)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-12 * (1 + fabs(l.before)));
    assert_true(l.spin <= 0 && l.sliding <= 1e-15);
}

static carom_scene patched(carom_scene_body *bodies, double mu, double patch, int pressure)
{
    carom_scene s = scene_of(bodies, 2, "routh-stronge", 0, mu);
    s.gravity = vec(0, 0, -G);
    s.patch = patch;
    s.rule.options.pressure = pressure;
    return s;
}

static carom_scene_body floor_at_zero(void)
{
    return half_space(vec(0, 0, 1), 0);
}

static const double R = 0.028575; /* of a billiard ball */

static carom_scene_body billiard_ball(double v, double w)
{
    carom_scene_body b = ball(0.21, R, vec(0, 0, R), vec(v, 0, 0));
    b.def.omega = vec(0, 0, w);
    return b;
}

/* Spin in place ends after I w / (M(0) mu m g a), and all its energy is work of the patch. */
static void test_spins_in_place(void **state)
{
    (void)state;
    static const double T[4] = {14.1303306997937, 12.4851777522936, 8.32345183486239, 14.1303306997937};
    for (int p = 0; p < 4; p++) {
        carom_scene_body bodies[2] = {billiard_ball(0, 50), floor_at_zero()};
        carom_scene scene = patched(bodies, 0.2, 1e-3, p);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), T[p], 1e-12);
        assert_true(carom_sim_body(sim, 0).resting);
        assert_near(carom_sim_energy(sim).spin, -0.2 * 0.21 * R * R * 2500, 1e-15);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* ---- disks that lie flat ---- */

typedef struct stop {
    int pressure;
    double W, time, path;
} stop;

/* Solid disks with mu g = 1 and v = 1. */
static const stop stops[] = {
    {CAROM_OPTION_PRESSURE_UNIFORM, 2, 1.90322012681, 0.983497900679},
    {0, 2, 2.05995346871, 0.970548686344},
    {CAROM_OPTION_PRESSURE_ELLIPSE, 2, 1.99084190401, 0.859020168538},
    {CAROM_OPTION_PRESSURE_UNIFORM, 0.5, 1.12168528545, 0.532356267511},
    {0, 0.5, 1.15708786397, 0.532450696784},
    {CAROM_OPTION_PRESSURE_ELLIPSE, 0.5, 1.09726220194, 0.530164668944},
    {CAROM_OPTION_PRESSURE_RING, 2, 1.61367691372, 0.982041561800},
};

static carom_scene_body flat_disk(double a, carom_vec3 v, double w)
{
    double h = 1e-6; /* so thin that friction does not tilt its load */
    carom_scene_body b = carom_scene_shape((carom_shape){CAROM_SHAPE_CYLINDER, {a, h, 0}}, 0.3);
    b.def.position = vec(0, 0, h / 2);
    b.def.velocity = v;
    b.def.omega = vec(0, 0, w);
    return b;
}

/* Slip and spin end at one instant; the table of the reference, by the library's own roads and units. */
static void test_disk_stops(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        const stop *x = &stops[i];
        double a = 0.2, mu = 0.25;
        carom_scene_body bodies[2] = {flat_disk(a, vec(0.6, -0.8, 0), x->W / a), floor_at_zero()};
        carom_scene scene = patched(bodies, mu, a, x->pressure);
        scene.gravity = vec(0, 0, -1 / mu);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(carom_sim_time(sim), x->time, 2e-11);
        assert_near(s.position.x, 0.6 * x->path, 2e-12);
        assert_near(s.position.y, -0.8 * x->path, 2e-12);
        assert_int_equal(s.road, CAROM_SIM_ROAD_EXACT);
        assert_true(s.resting);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A coin that lies and spins: 3 a w / (4 mu g), on half-spaces and on boxes, thick or thin. */
static void test_coin_spins_flat(void **state)
{
    (void)state;
    double a = 0.0115, w = 70, mu = 0.15;
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[2] = {flat_disk(a, vec(0, 0, 0), w), floor_at_zero()};
        if (k) {
            bodies[0] = carom_scene_shape((carom_shape){CAROM_SHAPE_CYLINDER, {a, 0.0022, 0}}, 0.0075);
            bodies[0].def.position = vec(0.03, -0.02, 0.0011);
            bodies[0].def.omega = vec(0, 0, w);
            bodies[1] = carom_scene_box(1, vec(1, 1, 0.2));
            bodies[1].def.position = vec(0, 0, -0.1);
            bodies[1].def.fixed = true;
        }
        carom_scene scene = patched(bodies, mu, a, CAROM_OPTION_PRESSURE_UNIFORM);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), 0.75 * a * w / (mu * G), 1e-11);
        assert_near(carom_sim_body(sim, 0).position.x, 0.03 * k, 1e-15);
        assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* Cylinders, boxes and balls at random, level or on a slope that holds them: slip and spin end, on the exact road, and
 * neither work is positive. */
static void test_random_stops(void **state)
{
    (void)state;
    uint64_t seed = 2385;
    for (int k = 0; k < draws(40); k++) {
        double size = random_between(&seed, 0.02, 0.3), mu = random_between(&seed, 0.05, 0.6),
               slope = random_between(&seed, 0, k % 2 ? 0.5 * mu : 0);
        carom_shape shapes[3] = {{CAROM_SHAPE_CYLINDER, {size, 0.2 * size, 0}},
                                 {CAROM_SHAPE_BOX, {2 * size, 1.3 * size, 0.2 * size}},
                                 {CAROM_SHAPE_SPHERE, {size, 0, 0}}};
        bool is_ball = k % 3 == 2;
        carom_scene_body bodies[2] = {carom_scene_shape(shapes[k % 3], random_between(&seed, 0.1, 5)), floor_at_zero()};
        bodies[0].def.position = vec(0, 0, is_ball ? size : 0.1 * size);
        bodies[0].def.velocity = vec(random_between(&seed, -2, 2), random_between(&seed, -2, 2), 0);
        bodies[0].def.omega = vec(0, 0, random_between(&seed, -3, 3) / size);
        carom_scene scene = patched(bodies, mu, size * random_between(&seed, 0.02, 1), k % 4);
        scene.rolling = is_ball ? size * (slope + 0.01) : 0;
        scene.gravity = vec(G * sin(slope), 0, -G * cos(slope));
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 1000, -1), CAROM_SIM_STOP_REST);
        assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
        assert_int_equal(carom_sim_impacts(sim), 0);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* Lengths that are none are refused. */
static void test_bad_patch(void **state)
{
    (void)state;
    const double bad[3] = {-1e-3, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        carom_scene_body bodies[2] = {billiard_ball(0, 50), floor_at_zero()};
        carom_scene scene = patched(bodies, 0.2, bad[k], 0);
        carom_sim *sim;
        assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, NULL), CAROM_STATUS_OUT_OF_RANGE);
        assert_null(sim);
    }
}

/* Without spin a patch is a point: v^2 / (2 mu g), for a disk, and the same for a ball. */
static void test_without_spin(void **state)
{
    (void)state;
    double v = 1.3, mu = 0.2;
    carom_scene_body disk[2] = {flat_disk(0.04, vec(v, 0, 0), 0), floor_at_zero()};
    carom_scene scene = patched(disk, mu, 0.04, CAROM_OPTION_PRESSURE_UNIFORM);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), v / (mu * G), 1e-11);
    assert_near(carom_sim_body(sim, 0).position.x, v * v / (2 * mu * G), 1e-11);
    assert_near(carom_sim_energy(sim).spin, 0, 1e-18);
    carom_sim_free(sim);
    double x[2];
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[2] = {billiard_ball(v, 0), floor_at_zero()};
        scene = patched(bodies, mu, k * 3e-3, 0);
        sim = sim_of(&scene);
        run_until(sim, 2, -1);
        x[k] = carom_sim_body(sim, 0).position.x;
        carom_sim_free(sim);
    }
    assert_near(x[1], x[0], 1e-14);
}

/* On a slope of 0.2, below the angle of friction: a disk at rest stays, one that spins slides down until it stops. On
 * one of 0.4 it slides with g (sin - mu cos). */
static void test_disk_on_slope(void **state)
{
    (void)state;
    double a = 0.05, mu = 0.3;
    for (int k = 0; k < 3; k++) {
        double slope = k == 2 ? 0.4 : 0.2;
        carom_scene_body bodies[2] = {flat_disk(a, vec(0, 0, 0), k == 1 ? 40 : 0), floor_at_zero()};
        carom_scene scene = patched(bodies, mu, a, CAROM_OPTION_PRESSURE_UNIFORM);
        scene.gravity = vec(G * sin(slope), 0, -G * cos(slope));
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 3, -1);
        double x = carom_sim_body(sim, 0).position.x;
        assert_near(x, k == 0 ? 0 : k == 1 ? 0.275315231681 : 4.5 * G * (sin(slope) - mu * cos(slope)), 2e-10);
        assert_near(k == 1 ? carom_sim_time(sim) : 1.017501488895, 1.017501488895, 1e-9);
        assert_true(k == 2 || carom_sim_body(sim, 0).resting);
        carom_sim_free(sim);
    }
}

/* ---- balls ---- */

/* A ball that slips and spins: the way ahead of the rolling line, and the end of its side spin. */
static void test_side_spin(void **state)
{
    (void)state;
    static const struct {
        int pressure;
        double shift, end;
    } want[2] = {{0, 0.100705091583, 28.4414345493}, {CAROM_OPTION_PRESSURE_UNIFORM, 0.105474749287, 25.1441233305}};
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[2] = {billiard_ball(2, 300), floor_at_zero()};
        carom_scene scene = patched(bodies, 0.2, 3e-3, want[k].pressure);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 10, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.x - 10 * 10 / 7.0, want[k].shift, 1e-11);
        assert_near(s.velocity.x, 10 / 7.0, 1e-12);
        assert_near(s.velocity.y, 0, 1e-14);
        double rate = s.omega.z;
        run_until(sim, 20, -1);
        rate = (carom_sim_body(sim, 0).omega.z - rate) / 10;
        assert_near(20 - carom_sim_body(sim, 0).omega.z / rate, want[k].end, 1e-9);
        run_until(sim, 30, -1);
        assert_near(carom_sim_body(sim, 0).omega.z, 0, 0);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A ball with a patch that rolls against resistance creeps while it spins, and stops where the spin does not matter any
 * more: its deceleration is that of the point, and all energy goes. */
static void test_rolls_and_spins(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {billiard_ball(1, 20), floor_at_zero()};
    carom_scene scene = patched(bodies, 0.2, 2.5e-3, 0);
    scene.rolling = 3e-4;
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_energy(sim).spin, -0.2 * 0.21 * R * R * 400, 1e-12);
    assert_near(carom_sim_energy(sim).after, 0.21 * G * R, 1e-14);
    assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A ball that rolls against resistance creeps while it spins, and goes on to roll where its spin ends, however slow
 * that is: exactly, to rest. */
static void test_spin_ends_first(void **state)
{
    (void)state;
    static const double spins[4] = {1e-6, 1e-3, 0.3, 15};
    uint64_t seed = 977;
    for (int k = 0; k < draws(40); k++) {
        double v = random_between(&seed, -1, 1), u = random_between(&seed, -1, 1),
               f = k % 3 ? 1 : random_between(&seed, 0, 2);
        carom_scene_body bodies[2] = {billiard_ball(v, 0), floor_at_zero()};
        bodies[0].def.velocity.y = u;
        bodies[0].def.omega = vec(-f * u / R, f * v / R, spins[k % 4] * random_between(&seed, -1, 1));
        carom_scene scene = patched(bodies, 0.2, 2.5e-3, k % 4);
        scene.rolling = random_between(&seed, 1e-5, 1e-3);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 900, -1), CAROM_SIM_STOP_REST);
        assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
        assert_true(carom_sim_exact_until(sim) == INFINITY);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* ---- Leine and Glocker's tippe top ---- */

static double inclination(const carom_sim *sim)
{
    carom_quat q = carom_sim_body(sim, 0).orientation;
    return acos(1 - 2 * (q.x * q.x + q.y * q.y));
}

static void test_tippe_top(void **state)
{
    (void)state;
    static const double times[2][5] = {{0.470487514, 0.730704901, 0.928928820, 1.141750040, 1.370809293},
                                       {0.434922811, 0.692165858, 0.925898287, 1.138710578, 1.371043251}};
    static const double angle[5] = {0.5, 1, 1.5, 2, 2.448432746};
    carom_shape big = {CAROM_SHAPE_SPHERE, {0.015, 0, 0}}, stem = {CAROM_SHAPE_SPHERE, {0.005, 0, 0}};
    const carom_part parts[2] = {
        {{.kind = CAROM_SOLID_SHAPE, .shape = big}, {0, 0, 3e-3}, {1, 0, 0, 0}, 1},
        {{.kind = CAROM_SOLID_SHAPE, .shape = stem}, {0, 0, 1.6e-2}, {1, 0, 0, 0}, 1},
    };
    for (int p = 0; p < 2; p++) {
        carom_scene_body top = {.solid = {.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = 2},
                                .own_com = true};
        top.def = carom_body_def_default();
        top.def.mass = 6e-3;
        top.def.inertia = (carom_sym3){.xx = 8e-7, .yy = 8e-7, .zz = 7e-7};
        top.def.position = vec(0, 0, 0.015 - 3e-3 * cos(0.1));
        top.def.orientation = (carom_quat){cos(0.05), sin(0.05), 0, 0};
        top.def.omega = vec(0, -180 * sin(0.1), 180 * cos(0.1));
        carom_scene_body bodies[2] = {top, floor_at_zero()};
        carom_scene scene = patched(bodies, 0.3, 5e-4, p ? CAROM_OPTION_PRESSURE_ELLIPSE : 0);
        carom_sim *sim = sim_of(&scene);
        for (int k = 0; k < 5; k++) {
            run_until(sim, times[p][k], 1);
            assert_near(inclination(sim), angle[k], 6e-9);
        }
        carom_sim_ledger l = carom_sim_energy(sim);
        if (p == 0) {
            assert_near(l.spin, -2.825110415e-4, 1e-12);
            assert_near(l.sliding, -5.786937819e-3, 1e-11);
            assert_near(carom_sim_body(sim, 0).omega.z, 115.699624, 1e-6);
        }
        assert_near(l.residual, 0, 1e-14);
        run_until(sim, 2, 1);
        assert_near(carom_sim_time(sim), times[p][4], 1e-9);
        carom_sim_free(sim);
    }
}

/* ---- rims ---- */

static carom_scene_body upright_coin(double a, double v)
{
    carom_scene_body b = carom_scene_shape((carom_shape){CAROM_SHAPE_CYLINDER, {a, a / 10, 0}}, 0.006);
    b.def.position = vec(0, 0, a);
    b.def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    b.def.velocity = vec(v, 0, 0);
    b.def.omega = vec(0, v / a, 0);
    return b;
}

/* It rolls v^2 / (2 b) with b = rho g / (a + I/(m a)), and stands. */
static void test_coin_on_edge(void **state)
{
    (void)state;
    double a = 0.0115, v = 0.4, rho = 2e-4, b = rho * G / (1.5 * a);
    carom_scene_body bodies[2] = {upright_coin(a, v), floor_at_zero()};
    carom_scene scene = patched(bodies, 0.4, 0, 0);
    scene.rolling = rho;
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), v / b, 1e-9);
    assert_near(carom_sim_body(sim, 0).position.x, v * v / (2 * b), 1e-11);
    assert_near(carom_sim_body(sim, 0).position.z, a, 1e-13);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* Heights of the centre by an integration outside; and the adiabatic law within a few per cent. */
static void test_euler_disk(void **state)
{
    (void)state;
    static const double z[3] = {0.0031065756428965063, 0.001990637550555059, 0.0011169826185780936};
    double a = 0.0375, alpha = 0.1, rho = 1e-4, w = sqrt(4 * G / (a * sin(alpha))) * sin(alpha);
    carom_scene_body disk = carom_scene_shape((carom_shape){CAROM_SHAPE_CYLINDER, {a, 1e-9, 0}}, 0.4);
    disk.def.inertia = (carom_sym3){.xx = 0.1 * a * a, .yy = 0.1 * a * a, .zz = 0.2 * a * a};
    disk.solid.shape.kind = CAROM_SHAPE_DISK;
    disk.def.position = vec(0, 0, a * sin(alpha));
    disk.def.orientation = (carom_quat){cos(alpha / 2), sin(alpha / 2), 0, 0};
    disk.def.omega = vec(0, w * cos(alpha), w * sin(alpha));
    carom_scene_body bodies[2] = {disk, floor_at_zero()};
    carom_scene scene = patched(bodies, 0.5, 0, 0);
    scene.rolling = rho;
    carom_sim *sim = sim_of(&scene);
    for (int k = 0; k < 3; k++) {
        double t = 2 * k + 1, left = 1 - t / (1.5 * a / rho * sqrt(a * alpha / G));
        run_until(sim, t, -1);
        assert_near(carom_sim_body(sim, 0).position.z, z[k], 1e-9);
        assert_near(z[k] / a, alpha * left * left, 0.03 * alpha * left * left);
    }
    assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spins_in_place),  cmocka_unit_test(test_disk_stops),
        cmocka_unit_test(test_without_spin),    cmocka_unit_test(test_disk_on_slope),
        cmocka_unit_test(test_side_spin),       cmocka_unit_test(test_rolls_and_spins),
        cmocka_unit_test(test_tippe_top),       cmocka_unit_test(test_coin_on_edge),
        cmocka_unit_test(test_euler_disk),      cmocka_unit_test(test_coin_spins_flat),
        cmocka_unit_test(test_bad_patch),       cmocka_unit_test(test_random_stops),
        cmocka_unit_test(test_spin_ends_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
