/* Flight through the air against closed forms, with drags from far below any effect to strong. */
#include "sim/parts.h"

#define G 9.81

/* (1 - exp(-x)) / x and (x - 1 + exp(-x)) / x^2, by their series where x is small. */
static double phi_1(double x)
{
    return x > 0 ? -expm1(-x) / x : 1;
}

static double phi_2(double x)
{
    double sum = 0, term = 0.5;
    if (x > 0.1)
        return (x + expm1(-x)) / (x * x);
    for (int k = 3; k < 20; k++, term *= -x / (k - 1))
        sum += term;
    return sum;
}

/* x = v_0 t phi_1(c t / m), z = z_0 - g t^2 phi_2(c t / m): a drag of 1e-15 is as good as none. */
static void test_linear_drag(void **state)
{
    (void)state;
    for (double c = 1e-18; c < 50; c *= 31) {
        for (int k = 0; k < 3; k++) {
            double T = k == 0 ? 1 : k == 1 ? 0.01 : 20, speed = k == 1 ? 300 : 3;
            carom_fields air = {.drag_linear = c};
            carom_scene_body body = ball(1.3, 0.1, vec(0, 0, 100), vec(speed, 0, 0));
            carom_scene scene = scene_of(&body, 1, "newton", 1, 0);
            scene.gravity = vec(0, 0, -G);
            scene.fields = &air;
            carom_sim *sim = sim_of(&scene);
            assert_int_equal(carom_sim_to_time(sim, T), CAROM_STATUS_OK);
            carom_sim_state s = carom_sim_body(sim, 0);
            carom_sim_ledger energy = carom_sim_energy(sim);
            double x = c * T / 1.3;
            assert_near(s.position.x, speed * T * phi_1(x), 2e-13 * speed * T);
            assert_near(s.position.z, 100 - G * T * T * phi_2(x), 2e-13 * (100 + G * T * T));
            assert_near(s.velocity.x, speed * exp(-x), 2e-13 * speed);
            assert_near(s.velocity.z, -G * T * phi_1(x), 2e-13 * (speed + G * T));
            assert_near(energy.residual, 0, 1e-12 * 1.3 * (G * (100 + G * T * T) + speed * speed));
            carom_sim_free(sim);
        }
    }
}

/* From rest, straight down: v = v_e tanh(g t / v_e), z = z_0 - v_e^2 / g ln cosh. */
static void test_quadratic_drag(void **state)
{
    (void)state;
    for (double c = 1e-14; c < 10; c *= 47) {
        carom_fields air = {.drag_quadratic = c};
        carom_scene_body body = ball(0.7, 0.1, vec(0, 0, 10), vec(0, 0, 0));
        carom_scene scene = scene_of(&body, 1, "newton", 1, 0);
        scene.gravity = vec(0, 0, -G);
        scene.fields = &air;
        carom_sim *sim = sim_of(&scene);
        double T = 1.7, end = sqrt(0.7 * G / c), x = G * T / end;
        assert_int_equal(carom_sim_to_time(sim, T), CAROM_STATUS_OK);
        double fallen = end * end / G * (x < 1e-3 ? 0.5 * x * x * (1 - x * x / 6) : x + log1p(0.5 * expm1(-2 * x)));
        assert_near(carom_sim_body(sim, 0).velocity.z, -end * tanh(x), 1e-12 * G * T);
        assert_near(carom_sim_body(sim, 0).position.z, 10 - fallen, 1e-12 * (10 + G * T * T));
        carom_sim_free(sim);
    }
}

/* Spin decays by itself, and the Magnus force turns a velocity without changing it: circles in the plane across omega.
 */
static void test_spin_and_magnus(void **state)
{
    (void)state;
    carom_fields air = {.magnus = 0.4};
    carom_scene_body body = ball(0.5, 0.1, vec(0, 0, 0), vec(2, 0, 0));
    body.def.omega = vec(0, 0, 3);
    carom_scene scene = scene_of(&body, 1, "newton", 1, 0);
    scene.fields = &air;
    carom_sim *sim = sim_of(&scene);
    double rate = 0.4 * 3 / 0.5, T = 2.3;
    assert_int_equal(carom_sim_to_time(sim, T), CAROM_STATUS_OK);
    assert_near(carom_sim_body(sim, 0).velocity.x, 2 * cos(rate * T), 1e-12);
    assert_near(carom_sim_body(sim, 0).position.y, 2 / rate * (1 - cos(rate * T)), 1e-12);
    carom_sim_free(sim);
    air = (carom_fields){.drag_angular = 1e-3};
    sim = sim_of(&scene);
    assert_int_equal(carom_sim_to_time(sim, T), CAROM_STATUS_OK);
    assert_near(carom_sim_body(sim, 0).omega.z, 3 * exp(-T * 1e-3 / (0.4 * 0.5 * 0.01)), 1e-12);
    carom_sim_free(sim);
}

/* A body at rest without gravity stays there, and one that moves slows down, whatever the drag. */
static void test_no_gravity(void **state)
{
    (void)state;
    for (double c = 1e-18; c < 50; c *= 31) {
        carom_fields air = {.drag_linear = c};
        carom_scene_body bodies[] = {ball(1.3, 0.1, vec(0, 0, 0), vec(0, 0, 0)),
                                     ball(1.3, 0.1, vec(0, 5, 0), vec(2.385, 0, 0))};
        carom_scene scene = scene_of(bodies, 2, "newton", 1, 0);
        scene.fields = &air;
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(carom_sim_to_time(sim, 1), CAROM_STATUS_OK);
        assert_near(carom_sim_body(sim, 0).position.x, 0, 0);
        assert_near(carom_sim_body(sim, 1).position.x, 2.385 * phi_1(c / 1.3), 5e-13);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_drag),
        cmocka_unit_test(test_quadratic_drag),
        cmocka_unit_test(test_no_gravity),
        cmocka_unit_test(test_spin_and_magnus),
    };
    return cmocka_run_group_tests_name("air_flight", tests, NULL, NULL);
}
