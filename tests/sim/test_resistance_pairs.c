/* Patches and rolling resistance between two movable bodies: a plank or a disk that is free on ice. */
#include "sim/scenes.h"

#define G  9.81
#define PI 3.14159265358979323846

enum { BALL = 1, PLANK, ICE };

typedef struct ride_on_ice {
    carom_scene_body bodies[3];
    carom_scene_pair ice;
    carom_scene scene;
} ride_on_ice;

/* What lies on what, and that on ice, where nothing resists. */
static void on_ice(ride_on_ice *x, carom_scene_body top, carom_scene_body below, double mu)
{
    x->bodies[0] = top;
    x->bodies[1] = below;
    x->bodies[2] = half_space(vec(0, 0, 1), 0);
    for (int i = 0; i < 3; i++)
        x->bodies[i].material = BALL + i;
    x->scene = scene_of(x->bodies, 3, "routh-stronge", 0, mu);
    x->scene.gravity = vec(0, 0, -G);
    x->ice = (carom_scene_pair){.a = PLANK, .b = ICE, .rule = x->scene.rule};
    x->ice.rule.coeffs.mu = 0;
    x->scene.pairs = &x->ice;
    x->scene.pair_count = 1;
}

static carom_scene_body plank(double mass, carom_vec3 size)
{
    carom_scene_body b = carom_scene_box(mass, size);
    b.def.position = vec(0, 0, size.z / 2);
    return b;
}

static void assert_exact(const carom_sim *sim, double energy)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_true(carom_sim_exact_until(sim) == INFINITY);
    assert_near(l.residual, 0, 1e-12 * energy);
    assert_true(l.spin <= 0 && l.sliding <= 1e-12 * energy);
}

/* Friction f at the plank and the moment rho N: f (1/m + 1/M + R^2/I) = rho N R/I, and the ball slows down against the
 * plank by f (1/m + 1/M) until both have one velocity. */
static void test_ball_rolls_on_plank(void **state)
{
    (void)state;
    const double m = 0.7, M = 1.9, R = 0.05, I = 0.4 * m * R * R, rho = 5e-4, v = 0.6;
    for (int k = 0; k < 3; k++) {
        double turn = k * 0.7;
        carom_vec3 e = vec(cos(turn), sin(turn), 0);
        ride_on_ice x;
        carom_scene_body top = ball(m, R, vec(0, 0, 0.1 + R), carom_vec3_scale(v, e));
        top.def.omega = carom_vec3_scale(v / R, carom_vec3_cross(vec(0, 0, 1), e));
        on_ice(&x, top, plank(M, vec(6, 5, 0.1)), 0.3);
        x.scene.rolling = rho;
        carom_sim *sim = sim_of(&x.scene);
        double f = rho * m * G * R / I / (1 / m + 1 / M + R * R / I), b = f * (1 / m + 1 / M), T = v / b;
        run_until(sim, T - 1e-6, -1);
        carom_vec3 d = carom_vec3_sub(carom_sim_body(sim, 0).velocity, carom_sim_body(sim, 1).velocity);
        assert_near(carom_vec3_dot(d, e), b * 1e-6, b * 1e-10);
        run_until(sim, T + 1, -1);
        for (int i = 0; i < 2; i++)
            assert_near(carom_vec3_dot(carom_sim_body(sim, i).velocity, e), m * v / (m + M), 1e-12);
        d = carom_vec3_sub(carom_sim_body(sim, 0).position, carom_sim_body(sim, 1).position);
        assert_near(carom_vec3_dot(d, e), 0.5 * v * T, 1e-10);
        assert_exact(sim, 0.5 * m * v * v);
        carom_sim_free(sim);
    }
}

/* The spins of a ball and of what it stands on meet after w / (M(0) mu N a (1/I + 1/J)), at I w / (I + J). */
static void test_spins_meet(void **state)
{
    (void)state;
    static const double M0[4] = {3 * PI / 16, 2.0 / 3, 1, 3 * PI / 16};
    const double m = 0.7, R = 0.05, mu = 0.3, w = 40, h = 0.02;
    for (int k = 0; k < 8; k++) {
        bool is_disk = k >= 4;
        carom_scene_body top = ball(m, R, vec(0, 0, 0.1 + R), vec(0, 0, 0)), below = plank(1.9, vec(2, 1, 0.1));
        double I = 0.4 * m * R * R, J = 1.9 * 5 / 12, a = is_disk ? R : 0.003;
        if (is_disk) {
            top = carom_scene_shape((carom_shape){CAROM_SHAPE_CYLINDER, {R, h, 0}}, m);
            top.def.position = vec(0, 0, 0.1 + h / 2);
            I = 0.5 * m * R * R;
        }
        top.def.omega = vec(0, 0, w);
        ride_on_ice x;
        on_ice(&x, top, below, mu);
        x.scene.patch = a;
        x.scene.rule.options.pressure = k % 4;
        carom_sim *sim = sim_of(&x.scene);
        double b = M0[k % 4] * mu * m * G * a * (1 / I + 1 / J), T = w / b;
        run_until(sim, T - 1e-6, -1);
        assert_near(carom_sim_body(sim, 0).omega.z - carom_sim_body(sim, 1).omega.z, b * 1e-6, b * 1e-9);
        run_until(sim, T + 0.3, -1);
        for (int i = 0; i < 2; i++)
            assert_near(carom_sim_body(sim, i).omega.z, I * w / (I + J), 1e-11 * w);
        assert_exact(sim, 0.5 * I * w * w);
        carom_sim_free(sim);
    }
}

/* A ball that slides and spins on a free plank, by an integration outside (tests/vectors/plank_spin.py): spin,
 * velocities and way after 0.5 s. */
static void test_ball_slides_and_spins(void **state)
{
    (void)state;
    const double m = 0.7, M = 1.9, R = 0.05, I = 0.4 * m * R * R;
    ride_on_ice x;
    carom_scene_body top = ball(m, R, vec(0, 0, 0.1 + R), vec(0.8, 0, 0));
    top.def.omega = vec(0, 0, 90);
    on_ice(&x, top, plank(M, vec(2, 1, 0.1)), 0.3);
    x.scene.patch = 0.01;
    carom_sim *sim = sim_of(&x.scene);
    run_until(sim, 0.5, -1);
    carom_sim_state a = carom_sim_body(sim, 0), b = carom_sim_body(sim, 1);
    assert_near(a.omega.z - b.omega.z, 81.76756607330405 - 0.007206673601957832, 1e-9);
    assert_near(a.velocity.x, 0.5932920221944256, 1e-11);
    assert_near(b.velocity.x, 0.07615557077047076, 1e-11);
    assert_near(a.position.x, 0.3113664006716606, 1e-11);
    assert_near(carom_sim_energy(sim).angular.z, I * 90, 1e-13);
    assert_exact(sim, 0.5 * m * 0.64 + 0.5 * I * 8100);
    carom_sim_free(sim);
}

/* A ball, a disk or a box that slides, spins and rolls on a plank, which slides on a rough floor, at random; lengths in
 * units of L. */
static carom_sim *random_pair(ride_on_ice *x, uint64_t *seed, int k, double L)
{
    double s = L * random_between(seed, 0.03, 0.08);
    const carom_shape shapes[3] = {{CAROM_SHAPE_SPHERE, {s, 0, 0}},
                                   {CAROM_SHAPE_CYLINDER, {s, 0.3 * s, 0}},
                                   {CAROM_SHAPE_BOX, {2 * s, 1.5 * s, 0.4 * s}}};
    const double height[3] = {s, 0.15 * s, 0.2 * s};
    carom_scene_body top = carom_scene_shape(shapes[k % 3], random_between(seed, 0.2, 1));
    top.def.position = vec(0, 0, L * 0.1 + height[k % 3]);
    top.def.velocity = carom_vec3_scale(L, vec(random_between(seed, -0.5, 0.5), random_between(seed, -0.5, 0.5), 0));
    top.def.omega = vec(0, 0, random_between(seed, -20, 20));
    carom_scene_body below = plank(random_between(seed, 1, 4), carom_vec3_scale(L, vec(3, 3, 0.1)));
    on_ice(x, top, below, random_between(seed, 0.1, 0.5));
    x->scene.gravity = carom_vec3_scale(L, x->scene.gravity);
    x->ice.rule.coeffs.mu = k % 2 ? 0 : random_between(seed, 0.02, 0.3);
    x->scene.patch = k % 3 ? s : L * random_between(seed, 1e-4, 3e-3);
    x->scene.rolling = L * random_between(seed, 1e-4, 1e-3);
    x->scene.rule.options.pressure = k % 4;
    return sim_of(&x->scene);
}

/* The ledger closes, and no friction gives energy. */
static void test_random_pairs(void **state)
{
    (void)state;
    uint64_t seed = 53;
    for (int k = 0; k < draws(30); k++) {
        ride_on_ice x;
        carom_sim *sim = random_pair(&x, &seed, k, 1);
        run_until(sim, 1.5, -1);
        carom_sim_ledger l = carom_sim_energy(sim);
        assert_near(l.residual, 0, 1e-11 * (1 + l.before));
        assert_true(l.spin <= 1e-13 && l.sliding <= 1e-12);
        carom_sim_free(sim);
    }
}

/* A unit of length changes nothing. */
static void test_units_of_length(void **state)
{
    (void)state;
    static const int powers[4] = {-30, -13, 13, 30};
    uint64_t seed = 59;
    for (int k = 0; k < draws(6); k++) {
        uint64_t first = seed;
        ride_on_ice x;
        carom_sim *sim = random_pair(&x, &seed, k, 1);
        run_until(sim, 0.5, -1);
        for (int n = 0; n < 4; n++) {
            double L = ldexp(1, powers[n]);
            uint64_t again = first;
            ride_on_ice small;
            carom_sim *scaled = random_pair(&small, &again, k, L);
            run_until(scaled, 0.5, -1);
            for (int i = 0; i < 2; i++) {
                carom_sim_state a = carom_sim_body(sim, i), b = carom_sim_body(scaled, i);
                assert_near(carom_vec3_length(carom_vec3_sub(a.position, carom_vec3_scale(1 / L, b.position))), 0,
                            1e-11);
                assert_near(carom_vec3_length(carom_vec3_sub(a.velocity, carom_vec3_scale(1 / L, b.velocity))), 0,
                            1e-11);
                assert_near(carom_vec3_length(carom_vec3_sub(a.omega, b.omega)), 0, 1e-9);
            }
            carom_sim_free(scaled);
        }
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_rolls_on_plank),   cmocka_unit_test(test_spins_meet),
        cmocka_unit_test(test_ball_slides_and_spins), cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_units_of_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
