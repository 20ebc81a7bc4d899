/* Spheres and planes: published numbers (the reference page names each), counted and measured. */
#include "sim/scenes.h"

/* A ball from 1 m, until it rests: T = sqrt(2 h / g) (1 + e) / (1 - e). */
static void test_bouncing_ball_rests(void **state)
{
    (void)state;
    static const double e[3] = {0.5, 0.8, 0.9}, T[3] = {1.354570922957193, 4.063712768871579, 8.578949178728887};
    for (int k = 0; k < 3; k++) {
        carom_scene_body bodies[2] = {ball(0.17, 0.03, vec(0, 0, 1.03), vec(0, 0, 0)), half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", e[k], 0.3);
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, INFINITY, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), T[k], CAROM_RESTING_TIME);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_true(s.resting);
        assert_near(s.position.z, 0.03, 1e-15);
        carom_sim_ledger l = carom_sim_energy(sim);
        assert_near(l.residual, 0, 1e-14);
        assert_true(l.rest <= 0 && l.rest > -1e-18);
        assert_int_equal(carom_sim_touch_count(sim), 1);
        carom_sim_free(sim);
    }
}

/* Galperin: the collisions of a mass 100^N with a unit mass and a wall count the digits of pi. */
static void galperin(double radius)
{
    static const long long count[] = {3, 31, 314, 3141, 31415, 314159};
    double mass = 1;
    for (int N = 0; N < 6; N++, mass *= 100) {
        carom_scene_body bodies[3] = {ball(1, 0.1, vec(1, 0, 0), vec(0, 0, 0)),
                                      ball(mass, 0.1, vec(2, 0, 0), vec(-1, 0, 0)), half_space(vec(1, 0, 0), 0)};
        if (radius == 0)
            for (int i = 0; i < 2; i++)
                bodies[i].solid.kind = CAROM_SOLID_PARTICLE;
        carom_scene scene = scene_of(bodies, 3, "newton", 1, 0);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, INFINITY, -1), CAROM_SIM_STOP_IDLE);
        assert_int_equal(carom_sim_impacts(sim), count[N]);
        carom_sim_free(sim);
    }
}

static void test_galperin(void **state)
{
    (void)state;
    galperin(0.1);
    galperin(0);
}

/* Five balls with small gaps, one after the other. */
static void test_cradle(void **state)
{
    (void)state;
    static const double v9[5] = {0.043525082031, 0.045372964844, 0.047296640625, 0.0492990625, 0.81450625};
    static const double e[3] = {0.9, 0.5, 1}, last[3] = {0.81450625, 0.31640625, 1};
    static const long long count[3] = {10, 10, 4};
    for (int k = 0; k < 3; k++) {
        carom_scene_body bodies[5];
        for (int i = 0; i < 5; i++)
            bodies[i] = ball(1, 0.5, vec(1.0001 * i, 0, 0), vec(i == 0, 0, 0));
        carom_scene scene = scene_of(bodies, 5, "newton", e[k], 0);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, INFINITY, -1), k == 2 ? CAROM_SIM_STOP_IDLE : CAROM_SIM_STOP_IDLE);
        assert_int_equal(carom_sim_impacts(sim), count[k]);
        assert_near(carom_sim_body(sim, 4).velocity.x, last[k], 1e-13);
        for (int i = 0; i < 5 && k == 0; i++)
            assert_near(carom_sim_body(sim, i).velocity.x, v9[i], 1e-12);
        carom_sim_free(sim);
    }
}

/* The same balls touching: one impact by the law for several contacts. Reflections send the last one away. */
static void test_cradle_together(void **state)
{
    (void)state;
    static const char *const law[3] = {"reflections", "sequential", "moreau"};
    static const double first[3] = {0, 0, 1 - 8.0 / 5}, last[3] = {1, 1, 2.0 / 5};
    for (int k = 0; k < 3; k++) {
        carom_scene_body bodies[5];
        for (int i = 0; i < 5; i++)
            bodies[i] = ball(1, 0.5, vec(i == 0 ? -0.7 : 1.0 * i, 0, 0), vec(i == 0, 0, 0));
        carom_scene scene = scene_of(bodies, 5, "newton", 1, 0);
        scene.together = carom_together_rule_default(carom_together_find(law[k]), NULL);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 3, -1);
        assert_int_equal(carom_sim_impacts(sim), 1);
        assert_near(carom_sim_body(sim, 0).velocity.x, first[k], 1e-13);
        assert_near(carom_sim_body(sim, 4).velocity.x, last[k], 1e-13);
        carom_sim_free(sim);
    }
}

/* A superball under a table: floor, table, floor. */
static void test_superball(void **state)
{
    (void)state;
    carom_scene_body bodies[3] = {ball(0.06, 0.02, vec(0, 0, 0.3), vec(1.7, 0, -1.1)), half_space(vec(0, 0, 1), 0),
                                  half_space(vec(0, 0, -1), -0.7)};
    carom_scene scene = scene_of(bodies, 3, "bilinear", 1, 1e9);
    scene.rule.coeffs.e_t = 1;
    carom_sim *sim = sim_of(&scene);
    run_until(sim, INFINITY, 1);
    assert_near(carom_sim_body(sim, 0).velocity.x / 1.7, 3.0 / 7, 1e-13);
    assert_near(carom_sim_body(sim, 0).omega.y * 0.02 / 1.7, 10.0 / 7, 1e-13);
    run_until(sim, INFINITY, 3);
    assert_near(carom_sim_body(sim, 0).velocity.x / 1.7, -333.0 / 343, 1e-13);
    assert_near(carom_sim_body(sim, 0).omega.y * 0.02 / 1.7, -130.0 / 343, 1e-13);
    carom_sim_free(sim);
}

/* A ball that slides begins to roll after 2 v / (7 mu g). */
static void test_sliding_ball_rolls(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {ball(0.17, 0.03, vec(0, 0, 0.03), vec(2, 0, 0)), half_space(vec(0, 0, 1), 0)};
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.2);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = 1;
    until.events = 2; /* rest, roll */
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    assert_int_equal(stop, CAROM_SIM_STOP_EVENTS);
    assert_near(carom_sim_time(sim), 0.291247997670016, 1e-15);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_near(s.velocity.x, 10.0 / 7, 1e-14);
    assert_near(s.omega.y, 10.0 / 7 / 0.03, 1e-12);
    assert_near(s.position.x, 0.499282281720027, 1e-14);
    run_until(sim, 1, -1);
    assert_near(carom_sim_body(sim, 0).velocity.x, 10.0 / 7, 1e-14);
    assert_near(carom_sim_energy(sim).sliding, -0.17 / 7 * 4, 1e-14); /* m v^2 / 7 is lost */
    carom_sim_free(sim);
}

/* A ball on a slope: 5/7 g sin where friction holds it, g (sin - mu cos) where not. */
static void test_slope(void **state)
{
    (void)state;
    static const double mu[2] = {0.5, 0.1};
    double angle = 0.4, g = 9.81, expected[2] = {5.0 / 7 * g * sin(angle), g * (sin(angle) - 0.1 * cos(angle))};
    for (int k = 0; k < 2; k++) {
        carom_vec3 n = vec(-sin(angle), 0, cos(angle)), down = vec(-cos(angle), 0, -sin(angle));
        carom_scene_body bodies[2] = {ball(0.17, 0.03, carom_vec3_scale(0.03, n), vec(0, 0, 0)), half_space(n, 0)};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, mu[k]);
        scene.gravity = vec(0, 0, -g);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 1.3, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(carom_vec3_dot(s.velocity, down), 1.3 * expected[k], 1e-12);
        assert_near(carom_vec3_dot(s.position, down), 0.5 * 1.3 * 1.3 * expected[k], 1e-12);
        assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-14);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball_rests),
        cmocka_unit_test(test_galperin),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_cradle_together),
        cmocka_unit_test(test_superball),
        cmocka_unit_test(test_sliding_ball_rolls),
        cmocka_unit_test(test_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
