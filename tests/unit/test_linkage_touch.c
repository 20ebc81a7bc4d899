/* Impacts of jointed bodies against the same mechanism with articulated bodies. */
#include "support/linkages.h"
#include "support/trees.h"

#define ROUTES_TOL 1e-9 /* of the largest entry of K, or speed */

static rig r;
static tree t;

/* The freedoms of the joints that both routes know. */
static const struct {
    carom_joint_type type;
    int linear, angular;
} kinds[] = {
    {CAROM_JOINT_REVOLUTE, 0, 1}, {CAROM_JOINT_PRISMATIC, 1, 0}, {CAROM_JOINT_SPHERICAL, 0, 3},
    {CAROM_JOINT_PLANAR, 2, 1},   {CAROM_JOINT_FIXED, 0, 0},     {CAROM_JOINT_FREE, 3, 3},
};

static carom_joint_def joint_of(const carom_link *link, int i, const int freedoms[2])
{
    carom_joint_def def = carom_joint_def_default();
    const carom_link_state *self = &t.states[i];
    carom_vec3 axis = carom_vec3_make(0, 0, 1), tip = link->def.axis;
    def.a = i;
    def.b = link->def.parent;
    def.linear = freedoms[0];
    def.angular = freedoms[1];
    if (link->nv == 1 || link->nv == 3)
        axis = carom_vec3_sub(carom_motion_point(&t.motion, i, tip), self->origin); /* the axis in the world */
    carom_joint_at(r.bodies, self->origin, axis, axis, &def);
    return def;
}

/* The links of the tree as free bodies, its joints as joints. */
static void build_twin(void)
{
    rig_clear(&r);
    for (int i = 0; i < t.mechanism.count; i++) {
        const carom_link *link = &t.links[i];
        carom_body_def def = carom_body_def_default();
        def.mass = link->def.mass;
        def.inertia = link->def.inertia;
        def.orientation = t.states[i].turn;
        def.position = carom_motion_point(&t.motion, i, link->def.com);
        def.velocity = carom_motion_velocity(&t.motion, i, link->def.com);
        def.omega = t.states[i].velocity.w;
        assert_int_equal(carom_member_init(&def, &r.bodies[i]), CAROM_STATUS_OK);
        r.linkage.body_count++;
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (kinds[k].type == link->def.joint)
                r.defs[i] = joint_of(link, i, (int[]){kinds[k].linear, kinds[k].angular});
        r.linkage.joint_count++;
    }
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_check(&r.linkage), CAROM_STATUS_OK);
}

static carom_contact contact_of(const carom_touch *touch)
{
    carom_contact c = {{0, 0, 0}, {0, 0, 0}, touch->frame, false};
    c.arm_a = carom_vec3_sub(touch->point, r.bodies[touch->link_a].body.position);
    if (touch->b)
        c.arm_b = carom_vec3_sub(touch->point, r.bodies[touch->link_b].body.position);
    else
        c.arm_b = touch->point;
    return c;
}

static void assert_same(carom_csym got, carom_csym want)
{
    double scale = fmax(want.t11, fmax(want.t22, want.nn));
    assert_near(got.t11, want.t11, scale, ROUTES_TOL);
    assert_near(got.t12, want.t12, scale, ROUTES_TOL);
    assert_near(got.t22, want.t22, scale, ROUTES_TOL);
    assert_near(got.t1n, want.t1n, scale, ROUTES_TOL);
    assert_near(got.t2n, want.t2n, scale, ROUTES_TOL);
    assert_near(got.nn, want.nn, scale, ROUTES_TOL);
}

/* After the same impulse every body of one moves as the link of the other. */
static void assert_same_motion(void)
{
    double scale = 1;
    for (int i = 0; i < t.mechanism.count; i++)
        scale = fmax(scale, carom_vec3_length(t.states[i].velocity.w) + carom_vec3_length(t.states[i].velocity.v));
    for (int i = 0; i < t.mechanism.count; i++) {
        carom_vec3 v = carom_motion_velocity(&t.motion, i, t.links[i].def.com);
        carom_vec3 off = carom_vec3_sub(r.bodies[i].body.velocity, v);
        carom_vec3 turn = carom_vec3_sub(r.bodies[i].body.omega, t.states[i].velocity.w);
        assert_near(carom_vec3_length(off) + carom_vec3_length(turn), 0, scale, ROUTES_TOL);
    }
}

static void test_same_as_articulated(void **state)
{
    (void)state;
    dice d = {314};
    for (int i = 0; i < 80; i++) {
        int count = 1 + dice_below(&d, 20);
        assert_int_equal(tree_random(&d, &t, count), CAROM_STATUS_OK);
        build_twin();
        carom_touch touch;
        int link = dice_below(&d, count), other = dice_below(&d, count);
        assert_int_equal(carom_touch_init(&t.motion, link, dice_vec3(&d), dice_unit(&d), &touch), CAROM_STATUS_OK);
        if (i % 2 && other != link) {
            touch.b = &t.motion;
            touch.link_b = other;
        }
        carom_problem want, got;
        carom_contact contact = contact_of(&touch);
        if (carom_touch_reduce(&touch, &want))
            continue;
        assert_int_equal(carom_linkage_reduce(&r.linkage, touch.link_a, touch.link_b, &contact, &got), CAROM_STATUS_OK);
        assert_same(got.K, want.K);
        assert_cvec_near(got.u, want.u, 1 + largest(want.u), ROUTES_TOL);
        carom_cvec p = dice_cvec(&d);
        carom_touch_apply(&touch, p);
        carom_linkage_apply(&r.linkage, p);
        assert_same_motion();
    }
    rig_clear(&r);
}

/* The same solved: a pendulum of six bars on ball joints struck at the end, with friction. */
static void test_impact_goes_through_the_joints(void **state)
{
    (void)state;
    dice d = {2718};
    for (int i = 0; i < 6; i++) {
        t.defs[i] = dice_link(&d, i);
        t.defs[i].parent = i - 1;
        t.defs[i].joint = CAROM_JOINT_SPHERICAL;
    }
    assert_int_equal(tree_init(&t, 6), CAROM_STATUS_OK);
    tree_shake(&d, &t);
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    build_twin();
    carom_touch touch;
    carom_problem want, got;
    carom_outcome out;
    carom_vec3 tip = {0.3, 0.2, 0.1}, v = carom_motion_velocity(&t.motion, 5, tip);
    carom_vec3 normal = carom_vec3_scale(-1 / carom_vec3_length(v), v);
    assert_int_equal(carom_touch_init(&t.motion, 5, tip, normal, &touch), CAROM_STATUS_OK);
    carom_contact contact = contact_of(&touch);
    assert_int_equal(carom_touch_reduce(&touch, &want), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_reduce(&r.linkage, 5, CAROM_WORLD, &contact, &got), CAROM_STATUS_OK);
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    assert_int_equal(carom_solve(&want, &rule, NULL, &out), CAROM_STATUS_OK);
    carom_touch_apply(&touch, out.p);
    double T = carom_linkage_kinetic(&r.linkage);
    assert_int_equal(carom_solve(&got, &rule, NULL, &out), CAROM_STATUS_OK);
    carom_linkage_apply(&r.linkage, out.p);
    assert_same_motion();
    assert_near(carom_linkage_kinetic(&r.linkage) - T, out.energy.change, T, 1e-12);
    T = carom_linkage_kinetic(&r.linkage);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK); /* nothing is left for the joints to do */
    assert_near(carom_linkage_kinetic(&r.linkage), T, T, 1e-12);
    rig_clear(&r);
}

/* A slider-crank has one freedom, so K along the piston is u^2 / 2T, whatever the loop does inside. */
static void test_closed_loop(void **state)
{
    (void)state;
    static const carom_vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};
    const double c = 0.3 * cos(0.8), s = 0.3 * sin(0.8), reach = sqrt(0.81 - s * s);
    rig_clear(&r);
    int crank = rig_body(&r, 1.1, carom_vec3_make(c / 2, s / 2, 0), carom_vec3_make(0.2, 0.1, 0.05));
    int rod = rig_body(&r, 0.7, carom_vec3_make(c + reach / 2, s / 2, 0), carom_vec3_make(0.9, 0.05, 0.06));
    int piston = rig_body(&r, 0.9, carom_vec3_make(c + reach, 0, 0), carom_vec3_make(0.2, 0.2, 0.2));
    rig_joint(&r, crank, CAROM_WORLD, (int[]){0, 1}, (carom_vec3[]){{0, 0, 0}, Z, Z});
    rig_joint(&r, rod, crank, (int[]){0, 3}, (carom_vec3[]){{c, s, 0}, Z, Z});
    rig_joint(&r, rod, piston, (int[]){0, 2}, (carom_vec3[]){{c + reach, 0, 0}, Y, Z});
    rig_joint(&r, piston, CAROM_WORLD, (int[]){1, 0}, (carom_vec3[]){{c + reach, 0, 0}, X, X});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    r.bodies[crank].body.omega.z = -7.1;
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    carom_contact contact;
    carom_problem pb;
    assert_int_equal(carom_contact_init(carom_vec3_make(0.1, 0, 0), carom_vec3_make(9, 0, 0), X, &contact),
                     CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_reduce(&r.linkage, piston, CAROM_WORLD, &contact, &pb), CAROM_STATUS_OK);
    double T = carom_linkage_kinetic(&r.linkage), w = r.bodies[crank].body.omega.z;
    assert_near(pb.u.n, -w * (s + s * c / reach), 10, 1e-13); /* piston = c + sqrt(b^2 - s^2) */
    assert_near(pb.K.nn, pb.u.n * pb.u.n / (2 * T), pb.K.nn, 1e-12);
    assert_true(pb.K.t11 < 1e-25 && pb.K.t22 < 1e-25);
    carom_linkage_apply(&r.linkage, carom_cvec_make(0, 0, -pb.u.n / pb.K.nn));
    assert_near(carom_linkage_kinetic(&r.linkage), 0, T, 1e-25); /* all of it stops */
    rig_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_articulated),
        cmocka_unit_test(test_impact_goes_through_the_joints),
        cmocka_unit_test(test_closed_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
