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

/* ---- freedoms without inertia ---- */

/* A slender bar along a random direction, about its centre of mass, which is anywhere. thickness: of its inertia, what
 * resists a spin about itself. */
static carom_link_def dice_bar(dice *d, int parent, double thickness)
{
    carom_link_def def = dice_link(d, 1);
    carom_vec3 e = dice_unit(d);
    double I = def.mass * dice_decades(d, -2, 1), off = thickness - 1;
    def.parent = parent;
    def.inertia = (carom_sym3){I * (1 + off * e.x * e.x), I * off * e.x * e.y, I * off * e.x * e.z,
                               I * (1 + off * e.y * e.y), I * off * e.y * e.z, I * (1 + off * e.z * e.z)};
    return def;
}

static carom_status place_random(dice *d, int count)
{
    assert_int_equal(tree_init(&t, count), CAROM_STATUS_OK);
    tree_shake(d, &t);
    return carom_motion_place(&t.motion);
}

/* At the end of a random tree, on a joint that lets it spin. */
static void test_bar_that_spins_freely_is_refused(void **state)
{
    (void)state;
    dice d = {4};
    for (int i = 0; i < 20000; i++) {
        int count = 1 + dice_below(&d, 4), last = count - 1;
        for (int k = 0; k < last; k++)
            t.defs[k] = dice_link(&d, k);
        t.defs[last] = dice_bar(&d, last - 1, 0);
        t.defs[last].joint = i % 2 ? CAROM_JOINT_FREE : CAROM_JOINT_SPHERICAL;
        if (t.defs[last].joint == CAROM_JOINT_SPHERICAL) /* the bar passes through its joint */
            t.defs[last].com = carom_vec3_make(0, 0, 0);
        assert_int_equal(place_random(&d, count), CAROM_STATUS_MASSLESS);
        assert_int_equal(t.motion.culprit, last);
    }
}

/* A massless link between two hinges about one line; a mass on the axis of its hinge. */
static void test_freedom_lost_over_two_joints_is_refused(void **state)
{
    (void)state;
    dice d = {40};
    for (int i = 0; i < 5000; i++) {
        t.defs[0] = dice_link(&d, 0);
        t.defs[1] = dice_link(&d, 1);
        t.defs[2] = dice_link(&d, 2);
        t.defs[1].parent = 0;
        t.defs[2].parent = 1;
        t.defs[1].joint = t.defs[2].joint = CAROM_JOINT_REVOLUTE;
        t.defs[1].mass = 0;
        t.defs[1].inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
        t.defs[2].rotation = (carom_quat){1, 0, 0, 0};
        t.defs[2].axis = t.defs[1].axis;
        t.defs[2].origin = carom_vec3_scale(dice_gauss(&d), t.defs[1].axis);
        if (i % 2)
            t.defs[2].inertia = t.defs[1].inertia; /* a point */
        assert_int_equal(place_random(&d, 3), CAROM_STATUS_MASSLESS);
        assert_int_equal(t.motion.culprit, 1);
        t.defs[2].com = carom_vec3_scale(dice_gauss(&d), t.defs[2].axis);
        t.defs[2].inertia = t.defs[1].inertia;
        assert_int_equal(place_random(&d, 3), CAROM_STATUS_MASSLESS);
        assert_int_equal(t.motion.culprit, 2);
    }
}

/* Bars of aspect down to 1 : 1e6, and heavy ends on light links, are mechanisms. */
static void test_thin_and_light_links_are_accepted(void **state)
{
    (void)state;
    dice d = {41};
    for (int i = 0; i < 5000; i++) {
        int count = 1 + dice_below(&d, 6);
        for (int k = 0; k < count; k++) {
            t.defs[k] = i % 2 ? dice_bar(&d, k - 1, dice_decades(&d, -12, 0)) : dice_link(&d, k);
            double factor = i % 2 ? 1 : dice_decades(&d, -6, 6);
            t.defs[k].mass *= factor;
            t.defs[k].inertia = (carom_sym3){factor * t.defs[k].inertia.xx, factor * t.defs[k].inertia.xy,
                                             factor * t.defs[k].inertia.xz, factor * t.defs[k].inertia.yy,
                                             factor * t.defs[k].inertia.yz, factor * t.defs[k].inertia.zz};
        }
        assert_int_equal(place_random(&d, count), CAROM_STATUS_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity_is_the_rate_of_position),
        cmocka_unit_test(test_joints_one_by_one),
        cmocka_unit_test(test_bar_that_spins_freely_is_refused),
        cmocka_unit_test(test_freedom_lost_over_two_joints_is_refused),
        cmocka_unit_test(test_thin_and_light_links_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
