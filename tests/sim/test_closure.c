/* When bounces are over, (5.1) of docs/theory/motion.md, against the sums of what would be left of them. */
#include "sim/rest/closure.h"

#include "sim/parts.h"

#define G 9.81

/* The time of all bounces that follow, each e times as fast as the last; and the height of the next. */
static double time_left(double u, double a, double e)
{
    double sum = 0;
    for (int k = 0; k < 100000 && u > 1e-300; k++, u *= e)
        sum += 2 * u / a;
    return sum;
}

static void test_series(void **state)
{
    (void)state;
    dice d = {311};
    int over = 0;
    for (int n = 0; n < 4000; n++) {
        carom_scene scene = carom_scene_default();
        scene.resting_time = dice_decades(&d, -10, -6);
        scene.resting_length = dice_decades(&d, -16, -8);
        double e = dice_between(&d, 0.05, 0.99), a = dice_decades(&d, -1, 2), u = dice_decades(&d, -11, -5);
        rebound r = {.u_before = -u / e, .u_n = u, .a_n = -a, .speed = u};
        double left = time_left(u, a, e), height = u * u / (2 * a);
        if (fabs(left / scene.resting_time - 1) < 1e-9 || fabs(height / scene.resting_length - 1) < 1e-9)
            continue;
        bool want = left < scene.resting_time && height < scene.resting_length;
        over += want;
        assert_int_equal(is_over(&scene, &r), want);
    }
    assert_true(over > 400 && over < 3600);
}

/* What is accelerated away never closes; what an impact has stopped does, whatever its speed along the ground. */
static void test_borders(void **state)
{
    (void)state;
    const carom_scene scene = carom_scene_default();
    const rebound lifts = {-1, 1e-14, 1e-9, 1, 0}, floats = {-1, 0, 0, 1, 0}, plastic = {-3, 1e-13, -G, 3, 0};
    const rebound elastic = {-1e-12, 1e-12, -G, 1e-12, 0}, fast = {-1, 0.5, -G, 1, 0};
    assert_false(is_over(&scene, &lifts));
    assert_false(is_over(&scene, &floats));
    assert_true(is_over(&scene, &plastic));
    assert_false(is_over(&scene, &elastic)); /* e = 1: it bounces for ever */
    assert_false(is_over(&scene, &fast));
}

/* A ball on a floor rests after 2 v / (g (1 - e)) and no impact earlier than the resting time allows. */
static void test_ball(void **state)
{
    (void)state;
    for (double e = 0.1; e < 0.95; e += 0.21) {
        carom_scene_body bodies[2] = {ball(1, 0.1, vec(0, 0, 0.1), vec(0, 0, 1.3)), half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 2, "newton", e, 0);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 100, -1), CAROM_SIM_STOP_REST);
        double whole = 2 * 1.3 / (G * (1 - e)); /* of all bounces; those below the resting time are left out */
        assert_true(carom_sim_time(sim) <= whole && carom_sim_time(sim) >= whole - scene.resting_time);
        assert_near(carom_sim_body(sim, 0).position.z, 0.1, 1e-15);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_ball),
    };
    return cmocka_run_group_tests_name("closure", tests, NULL, NULL);
}
