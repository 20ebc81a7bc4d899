/* A pendulum returns after 4 sqrt((1 + I/(m L^2)) L/g) K(sin(theta/2)), whatever the inertia I of its bob. */
#include "sim/scenes.h"

#define G 9.81

/* K by the arithmetic-geometric mean. */
static double quarter(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int n = 0; n < 40 && a != b; n++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 1.5707963267948966 / a;
}

static void test_period(void **state)
{
    (void)state;
    static const double inertias[5] = {0.1, 1e-3, 1e-5, 1e-7, 1e-9}, swings[3] = {0.1, 1.5, 2.5};
    for (int n = 0; n < 15; n++) {
        double I = inertias[n % 5], swing = swings[n / 5];
        carom_scene_body bob = ball(1, 1e-3, vec(sin(swing), -cos(swing), 0), vec(0, 0, 0));
        bob.def.inertia = (carom_sym3){.xx = I, .yy = I, .zz = I};
        carom_joint_def hinge = carom_joint_def_default();
        hinge.point_a = vec(-sin(swing), cos(swing), 0);
        carom_scene scene = scene_of(&bob, 1, "newton", 1, 0);
        scene.gravity = vec(0, -G, 0);
        scene.joints = &hinge;
        scene.joint_count = 1;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 4 * sqrt((1 + I) / G) * quarter(sin(swing / 2)), -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.x, sin(swing), 1e-12);
        assert_near(s.position.y, -cos(swing), 1e-12);
        assert_near(carom_vec3_length(s.velocity), 0, 4e-12);
        carom_sim_free(sim);
    }
}

/* A point with inertia, held at its centre or nearly so, keeps its spin but for the moment of its weight. */
static void test_held_at_the_centre(void **state)
{
    (void)state;
    static const double offsets[6] = {0, 1e-200, 1e-17, 1e-12, 1e-8, 1e-5};
    const double I = 0.02, spin = 3;
    for (int n = 0; n < 6; n++) {
        carom_scene_body bob = ball(1, 1e-3, vec(0, 0, 0), vec(0, 0, 0));
        bob.solid.kind = CAROM_SOLID_PARTICLE;
        bob.def.inertia = (carom_sym3){.xx = I, .yy = I, .zz = I};
        bob.def.omega = vec(0, 0, spin);
        bob.def.velocity = vec(0, spin * offsets[n], 0);
        bob.def.position = vec(offsets[n], 0, 0);
        carom_joint_def held = carom_joint_def_default();
        held.point_a = vec(-offsets[n], 0, 0);
        carom_scene scene = scene_of(&bob, 1, "newton", 1, 0);
        scene.gravity = vec(0, -G, 0);
        scene.joints = &held;
        scene.joint_count = 1;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 1, -1);
        assert_near(carom_sim_body(sim, 0).omega.z, spin, G * offsets[n] / I + 1e-12);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_period), cmocka_unit_test(test_held_at_the_centre)};
    return cmocka_run_group_tests_name("sim_linkage_flight", tests, NULL, NULL);
}
