/* Rolling resistance of balls, and spin that a patch brakes, against closed forms. A ball of radius R has 1 + I/(m R^2)
 * = 1.4, a disk in the plane 1.5; rho is the length of the resistance. */
#include "sim/parts.h"

#define G  9.81
#define PI 3.14159265358979323846

static const double R = 0.031, mass = 0.21, rho = 0.0007;

static void assert_balanced(const carom_sim *sim)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-12 * (1 + fabs(l.before)));
}

static carom_scene_body on_floor(carom_vec3 velocity, carom_vec3 omega)
{
    carom_scene_body b = ball(mass, R, vec(0, 0, R), velocity);
    b.def.omega = omega;
    return b;
}

static carom_scene resisted(carom_scene_body *bodies, double mu)
{
    carom_scene s = scene_of(bodies, 2, "routh-stronge", 0, mu);
    s.gravity = vec(0, 0, -G);
    s.rolling = rho;
    return s;
}

/* It rolls v^2 / (2 a) in v / a with a = rho g / (1.4 R), and loses 0.7 m v^2: on a half-space, and on a box, where the
 * motion is integrated. */
static void test_rolls_to_a_stop(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double v = 0.3, a = rho * G / (1.4 * R);
        carom_shape slab = {CAROM_SHAPE_BOX, {9, 9, 1}};
        carom_scene_body bodies[2] = {on_floor(vec(v, 0, 0), vec(0, v / R, 0)), half_space(vec(0, 0, 1), 0)};
        if (k) {
            bodies[1] = (carom_scene_body){.solid = {.kind = CAROM_SOLID_SHAPE, .shape = slab}};
            bodies[1].def = carom_shape_body(&slab, 1);
            bodies[1].def.fixed = true;
            bodies[1].def.position = vec(0, 0, -0.5);
        }
        carom_scene scene = resisted(bodies, 0.3);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(carom_sim_time(sim), v / a, k ? 1e-9 : 1e-12);
        assert_near(s.position.x, v * v / (2 * a), 1e-12);
        assert_near(s.position.z, R, 1e-13);
        assert_near(carom_sim_energy(sim).sliding, -0.7 * mass * v * v, 1e-12);
        assert_true(s.resting);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A patch with the moment length times N against a spin in place: length = M(0) mu a. */
static double patch_of(double length, double mu)
{
    return length * 16 / (3 * PI * mu);
}

/* Spin about the normal ends after I w / (length m g). */
static void test_spins_to_a_stop(void **state)
{
    (void)state;
    double w = 47, length = 0.0004;
    carom_scene_body bodies[2] = {on_floor(vec(0, 0, 0), vec(0, 0, w)), half_space(vec(0, 0, 1), 0)};
    carom_scene scene = resisted(bodies, 0.3);
    scene.rolling = 0;
    scene.patch = patch_of(length, 0.3);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), 0.4 * R * R * w / (length * G), 1e-12);
    assert_near(carom_sim_body(sim, 0).position.x, 0, 1e-15);
    assert_near(carom_sim_energy(sim).spin, -0.2 * mass * R * R * w * w, 1e-13);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* On a slope it stays where tan(theta) < rho / R, and begins to roll with (g sin - rho g cos / R) / 1.4 where not. */
static void test_slope(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double theta = atan(rho / R) * (k ? 2.5 : 0.9), c = cos(theta), s = sin(theta), t = 3;
        carom_vec3 n = vec(s, 0, c);
        carom_scene_body bodies[2] = {ball(mass, R, carom_vec3_scale(R, n), vec(0, 0, 0)), half_space(n, 0)};
        carom_scene scene = resisted(bodies, 0.5);
        carom_sim *sim = sim_of(&scene);
        carom_sim_until until = carom_sim_until_default();
        carom_sim_stop stop;
        until.time = t;
        assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
        double a = k ? (G * s - rho * G * c / R) / 1.4 : 0;
        carom_vec3 x = carom_sim_body(sim, 0).position;
        assert_near(x.x * c - x.z * s, 0.5 * a * t * t, 1e-12);
        assert_true(k || carom_sim_body(sim, 0).resting);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A ball that rolls up a slope, which lies in any direction, comes back with what resists it: up with (g sin + rho g
 * cos / R) / 1.4, and down with the difference. */
static void test_up_a_slope(void **state)
{
    (void)state;
    dice d = {401};
    for (int k = 0; k < 40; k++) {
        double r = dice_between(&d, 0.02, 0.2), low = atan(rho / r), theta = dice_between(&d, 1.2 * low, 0.6);
        double v = dice_between(&d, 0.3, 2), pull = G * sin(theta) / 1.4, brake = rho * G * cos(theta) / r / 1.4;
        double up = v / (pull + brake), back = dice_between(&d, 0.2, 1);
        carom_quat q = dice_turn(&d);
        carom_vec3 n = quat_turn(q, vec(0, 0, 1)), down = quat_turn(q, vec(1, 0, 0));
        carom_scene_body bodies[2] = {ball(mass, r, carom_vec3_scale(r, n), carom_vec3_scale(-v, down)),
                                      half_space(n, 0)};
        bodies[0].def.omega = carom_vec3_scale(-v / r, carom_vec3_cross(n, down));
        carom_scene scene = resisted(bodies, 0.9);
        scene.gravity = quat_turn(q, vec(G * sin(theta), 0, -G * cos(theta)));
        carom_sim *sim = sim_of(&scene);
        run_until(sim, up + back, -1);
        carom_vec3 x = carom_vec3_sub(carom_sim_body(sim, 0).position, carom_vec3_scale(r, n));
        assert_near(carom_vec3_dot(x, down), 0.5 * ((pull - brake) * back * back - v * up), 1e-11);
        assert_near(carom_vec3_length(carom_vec3_cross(x, down)), 0, 1e-11);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A ball that slides without spin: resistance slows the growth of its rotation, it rolls when the slip has ended, and
 * stops. */
static void test_slides_then_rolls(void **state)
{
    (void)state;
    double v = 1.1, mu = 0.2, gain = (mu * R - rho) * G / (0.4 * R * R), t1 = v / (mu * G + gain * R);
    double v1 = v - mu * G * t1, a = rho * G / (1.4 * R);
    carom_scene_body bodies[2] = {on_floor(vec(0.6 * v, 0.8 * v, 0), vec(0, 0, 0)), half_space(vec(0, 0, 1), 0)};
    carom_scene scene = resisted(bodies, mu);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    double way = v * t1 - 0.5 * mu * G * t1 * t1 + v1 * v1 / (2 * a);
    assert_near(carom_sim_time(sim), t1 + v1 / a, 1e-11);
    assert_near(carom_sim_body(sim, 0).position.x, 0.6 * way, 1e-11);
    assert_near(carom_sim_body(sim, 0).position.y, 0.8 * way, 1e-11);
    assert_balanced(sim);
    carom_sim_free(sim);
}

static void test_disk_in_the_plane(void **state)
{
    (void)state;
    double v = 0.5, a = rho * G / (1.5 * R);
    carom_shape shape = {CAROM_SHAPE_DISK, {R, 0, 0}};
    carom_scene_body bodies[2] = {{.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}}, half_space(vec(0, 1, 0), 0)};
    bodies[0].def = carom_body_def_default();
    bodies[0].def.mass = mass;
    assert_int_equal(carom_solid_body(&bodies[0].solid, 2, 0, &bodies[0].def, NULL), CAROM_STATUS_OK);
    bodies[0].def.position = vec(0, R, 0);
    bodies[0].def.velocity = vec(v, 0, 0);
    bodies[0].def.omega = vec(0, 0, -v / R);
    carom_scene scene = resisted(bodies, 0.4);
    scene.dim = 2;
    scene.gravity = vec(0, -G, 0);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), v / a, 1e-12);
    assert_near(carom_sim_body(sim, 0).position.x, v * v / (2 * a), 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* Across a slope its path bends: rolling straight on is not possible, and energy is lost at rho N |w| all the way. */
static void test_bends_on_a_slope(void **state)
{
    (void)state;
    double theta = 0.1;
    carom_vec3 n = vec(sin(theta), 0, cos(theta));
    carom_scene_body bodies[2] = {ball(mass, R, carom_vec3_scale(R, n), vec(0, 0.4, 0)), half_space(n, 0)};
    bodies[0].def.omega = carom_vec3_scale(1 / R, carom_vec3_cross(n, vec(0, 0.4, 0)));
    carom_scene scene = resisted(bodies, 0.5);
    carom_sim *sim = sim_of(&scene);
    double lost = 0;
    for (int k = 1; k <= 20; k++) {
        run_until(sim, 0.02 * k, -1);
        assert_true(carom_sim_energy(sim).sliding < lost);
        lost = carom_sim_energy(sim).sliding;
    }
    carom_sim_state s = carom_sim_body(sim, 0);
    carom_vec3 slip = carom_vec3_sub(s.velocity, carom_vec3_scale(R, carom_vec3_cross(s.omega, n)));
    assert_near(carom_vec3_length(slip), 0, 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* Pairs have their own lengths, and lengths below zero are refused. */
static void test_pairs(void **state)
{
    (void)state;
    double v = 0.3, own = 0.003, a = own * G / (1.4 * R);
    carom_scene_body bodies[2] = {on_floor(vec(v, 0, 0), vec(0, v / R, 0)), half_space(vec(0, 0, 1), 0)};
    carom_scene scene = resisted(bodies, 0.3);
    carom_scene_pair pair = {.a = 0, .b = 1, .rule = scene.rule, .rolling = own};
    bodies[1].material = 1;
    scene.pairs = &pair;
    scene.pair_count = 1;
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 60, -1);
    assert_near(carom_sim_body(sim, 0).position.x, v * v / (2 * a), 1e-12);
    carom_sim_free(sim);
    pair.rolling = -1;
    assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, NULL), CAROM_STATUS_OUT_OF_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls_to_a_stop),
        cmocka_unit_test(test_spins_to_a_stop),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_up_a_slope),
        cmocka_unit_test(test_slides_then_rolls),
        cmocka_unit_test(test_disk_in_the_plane),
        cmocka_unit_test(test_bends_on_a_slope),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
