/* Poses and velocities: every joint against finite differences of its own motion. */
#include "support/check.h"
#include "support/trees.h"

static tree t;

/* Move q along qdot for a short time h, quaternions by the exponential. */
static void drift(double h)
{
    for (int i = 0; i < t.mechanism.count; i++) {
        const carom_link *l = &t.links[i];
        double *q = t.q + l->q_at;
        const double *v = t.qdot + l->v_at;
        bool turns = l->def.joint == CAROM_JOINT_SPHERICAL || l->def.joint == CAROM_JOINT_FREE;
        int slides = l->def.joint == CAROM_JOINT_FREE ? 3 : turns ? 0 : l->nv;
        for (int k = 0; k < slides; k++)
            q[k] += h * v[k];
        if (!turns)
            continue;
        double *w = q + slides, x = h / 2 * v[slides], y = h / 2 * v[slides + 1], z = h / 2 * v[slides + 2];
        double r[4] = {w[0] - x * w[1] - y * w[2] - z * w[3], w[1] + x * w[0] + z * w[2] - y * w[3],
                       w[2] + y * w[0] + x * w[3] - z * w[1], w[3] + z * w[0] + y * w[1] - x * w[2]};
        for (int k = 0; k < 4; k++)
            w[k] = r[k];
    }
}

static void test_velocity_is_the_rate_of_position(void **state)
{
    (void)state;
    const double h = 1e-6;
    dice d = {17};
    for (int i = 0; i < 60; i++) {
        int count = 1 + dice_below(&d, 8);
        assert_int_equal(tree_random(&d, &t, count), CAROM_STATUS_OK);
        carom_vec3 p = dice_vec3(&d), v = carom_motion_velocity(&t.motion, count - 1, p);
        drift(h);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_vec3 late = carom_motion_point(&t.motion, count - 1, p);
        drift(-2 * h);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_vec3 early = carom_motion_point(&t.motion, count - 1, p);
        carom_vec3 rate = carom_vec3_scale(0.5 / h, carom_vec3_sub(late, early));
        double scale = 1 + carom_vec3_length(v) + carom_vec3_length(late);
        assert_near(carom_vec3_length(carom_vec3_sub(rate, v)), 0, scale, 1e-6); /* h^2 q^3 and eps / h */
    }
}

/* Where each joint puts its link, by hand. */
static void test_joints_one_by_one(void **state)
{
    (void)state;
    const double s = 0.70710678118654752;
    struct {
        carom_joint_type joint;
        double q[7];
        carom_vec3 at; /* where (1, 0, 0) of the link goes, joint frame at (5, 0, 0), turned by 90 degrees about z */
    } cases[] = {
        {CAROM_JOINT_FIXED, {0}, {5, 1, 0}},
        {CAROM_JOINT_REVOLUTE, {1.5707963267948966}, {4, 0, 0}},
        {CAROM_JOINT_PRISMATIC, {2}, {5, 1, 2}},
        {CAROM_JOINT_SPHERICAL, {s, 0, s, 0}, {5, 0, -1}},
        {CAROM_JOINT_PLANAR, {3, 4, 1.5707963267948966}, {0, 3, 0}},
        {CAROM_JOINT_FREE, {3, 4, 7, 1, 0, 0, 0}, {1, 4, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        t.defs[0] = carom_link_def_default();
        t.defs[0].joint = cases[i].joint;
        t.defs[0].origin = carom_vec3_make(5, 0, 0);
        t.defs[0].rotation = (carom_quat){s, 0, 0, s};
        assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
        for (int k = 0; k < t.mechanism.nq; k++)
            t.q[k] = cases[i].q[k];
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_vec3 got = carom_motion_point(&t.motion, 0, carom_vec3_make(1, 0, 0));
        assert_near(carom_vec3_length(carom_vec3_sub(got, cases[i].at)), 0, 1, 1e-14);
    }
    carom_vec3 still = {3, 1, 4};
    assert_true(carom_motion_point(&t.motion, CAROM_WORLD, still).y == 1);
    assert_true(carom_motion_velocity(&t.motion, CAROM_WORLD, still).y == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity_is_the_rate_of_position),
        cmocka_unit_test(test_joints_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
