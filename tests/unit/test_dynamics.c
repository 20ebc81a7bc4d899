/* Three algorithms that must agree: M from composite bodies, h from Newton-Euler, qddot from articulated bodies. */
#include "support/check.h"
#include "support/trees.h"

static tree t;
static double M[6 * 60 * 6 * 60], h[6 * 60], qddot[6 * 60], tau[6 * 60];

/* M is symmetric, and qdot M qdot / 2 is the energy of the links. */
static void test_mass_matrix_gives_kinetic_energy(void **state)
{
    (void)state;
    dice d = {41};
    for (int i = 0; i < 60; i++) {
        assert_int_equal(tree_random(&d, &t, 1 + dice_below(&d, 60)), CAROM_STATUS_OK);
        int n = t.mechanism.nv;
        carom_motion_mass_matrix(&t.motion, M);
        carom_generalized g = {n, 3, M, NULL, t.qdot, NULL};
        double T = carom_motion_kinetic(&t.motion);
        assert_near(carom_generalized_energy(&g, t.qdot), T, T, 1e-12);
    }
}

static void test_forward_dynamics_inverts_inverse_dynamics(void **state)
{
    (void)state;
    dice d = {43};
    for (int i = 0; i < 60; i++) {
        assert_int_equal(tree_random(&d, &t, 1 + dice_below(&d, 60)), CAROM_STATUS_OK);
        t.mechanism.gravity = carom_vec3_make(0.7, -9.1, 2.3);
        int n = t.mechanism.nv;
        for (int k = 0; k < n; k++)
            tau[k] = dice_gauss(&d);
        carom_motion_mass_matrix(&t.motion, M);
        carom_motion_bias(&t.motion, h);
        carom_motion_accelerate(&t.motion, tau, qddot);
        for (int j = 0; j < n; j++) {
            double sum = h[j], scale = fabs(h[j]) + fabs(tau[j]);
            for (int k = 0; k < n; k++) {
                sum += M[j * n + k] * qddot[k];
                scale += fabs(M[j * n + k] * qddot[k]);
            }
            assert_near(sum, tau[j], scale, 1e-11);
        }
    }
}

/* Power: dT/dt = qdot (tau - gravity part of h). With gravity only, T + V is constant: checked here by its rate, along
 * the flight in test_flight.c. */
static void test_bias_does_no_work_but_gravity(void **state)
{
    (void)state;
    dice d = {47};
    for (int i = 0; i < 40; i++) {
        assert_int_equal(tree_random(&d, &t, 1 + dice_below(&d, 20)), CAROM_STATUS_OK);
        int n = t.mechanism.nv;
        carom_vec3 g = {1.3, -2.9, 4.7};
        t.mechanism.gravity = g;
        carom_motion_bias(&t.motion, h);
        t.mechanism.gravity = carom_vec3_make(0, 0, 0);
        carom_motion_bias(&t.motion, tau);
        double power = 0, fall = 0, scale = 1;
        for (int k = 0; k < n; k++)
            power += (h[k] - tau[k]) * t.qdot[k];
        for (int k = 0; k < t.mechanism.count; k++) {
            carom_vec3 v = carom_motion_velocity(&t.motion, k, t.links[k].def.com);
            fall -= t.links[k].def.mass * carom_vec3_dot(g, v);
            scale += fabs(t.links[k].def.mass * carom_vec3_dot(g, v));
        }
        assert_near(power, fall, scale, 1e-12);
    }
}

/* The double pendulum: h of the Lagrangian, m = r = 1, gravity along -y. */
static void test_double_pendulum_bias(void **state)
{
    (void)state;
    dice d = {53};
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    t.mechanism.gravity = carom_vec3_make(0, -9.81, 0);
    for (int i = 0; i < 100; i++) {
        tree_shake(&d, &t);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_motion_bias(&t.motion, h);
        double q1 = t.q[0], q2 = t.q[1], w1 = t.qdot[0], w2 = t.qdot[1];
        double h1 = -0.5 * sin(q2) * (2 * w1 * w2 + w2 * w2) + 9.81 * (1.5 * cos(q1) + 0.5 * cos(q1 + q2));
        double h2 = 0.5 * sin(q2) * w1 * w1 + 9.81 * 0.5 * cos(q1 + q2);
        assert_near(h[0], h1, 10, 1e-14);
        assert_near(h[1], h2, 10, 1e-14);
    }
}

/* A top that spins freely: Euler's equations in link axes. */
static void test_free_body_obeys_euler(void **state)
{
    (void)state;
    t.defs[0] = carom_link_def_default();
    t.defs[0].joint = CAROM_JOINT_FREE;
    t.defs[0].inertia = (carom_sym3){1.1, 0, 0, 1.7, 0, 2.3};
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    double speeds[6] = {0.3, 0.2, 0.1, 1.5, -0.7, 0.9};
    for (int k = 0; k < 6; k++)
        t.qdot[k] = speeds[k];
    t.q[3] = 0.6;
    t.q[5] = 0.8;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    carom_motion_accelerate(&t.motion, NULL, qddot);
    assert_near(qddot[3], (1.7 - 2.3) * -0.7 * 0.9 / 1.1, 1, 1e-14);
    assert_near(qddot[4], (2.3 - 1.1) * 0.9 * 1.5 / 1.7, 1, 1e-14);
    assert_near(qddot[5], (1.1 - 1.7) * 1.5 * -0.7 / 2.3, 1, 1e-14);
    assert_near(qddot[0], 0, 1, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_matrix_gives_kinetic_energy),
        cmocka_unit_test(test_forward_dynamics_inverts_inverse_dynamics),
        cmocka_unit_test(test_bias_does_no_work_but_gravity),
        cmocka_unit_test(test_double_pendulum_bias),
        cmocka_unit_test(test_free_body_obeys_euler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
