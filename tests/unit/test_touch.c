/* Contacts of links: K in O(n) against J M^-1 J^T, impulses against energy, and mechanisms small enough for a formula.
 */
#include "support/check.h"
#include "support/trees.h"

#define ROUTES_TOL 1e-11 /* O(n) and dense K, of the largest entry */
#define WORK_TOL   1e-12 /* work of the impulse and change of energy, of the energy that moves */

static tree t, other;
static double M[6 * TREE_LINKS * 6 * TREE_LINKS], J[18 * TREE_LINKS], work[CAROM_GENERALIZED_WORK(6 * TREE_LINKS)];

static double size_of(carom_csym K)
{
    return fmax(K.t11, fmax(K.t22, K.nn));
}

static void assert_same_K(carom_csym a, carom_csym b, double tol)
{
    double scale = size_of(b);
    assert_near(a.t11, b.t11, scale, tol);
    assert_near(a.t12, b.t12, scale, tol);
    assert_near(a.t22, b.t22, scale, tol);
    assert_near(a.t1n, b.t1n, scale, tol);
    assert_near(a.t2n, b.t2n, scale, tol);
    assert_near(a.nn, b.nn, scale, tol);
}

/* The dense route for a contact within one mechanism. */
static carom_status dense(const carom_touch *touch, carom_problem *problem, carom_generalized *g)
{
    carom_generalized made = {touch->a->mechanism->nv, 3, M, J, touch->a->qdot, work};
    carom_motion_mass_matrix(touch->a, M);
    carom_touch_jacobian(touch, touch->a, J);
    *g = made;
    return carom_generalized_reduce(g, problem);
}

static void test_double_pendulum_closed_form(void **state)
{
    (void)state;
    dice d = {11};
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    for (int i = 0; i < 200; i++) {
        tree_shake(&d, &t);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        double q1 = t.q[0], q2 = t.q[1], q12 = q1 + q2;
        carom_motion_mass_matrix(&t.motion, M);
        assert_near(M[0], 5.0 / 3 + cos(q2), 1, 1e-14);
        assert_near(M[1], 1.0 / 3 + cos(q2) / 2, 1, 1e-14);
        assert_near(M[3], 1.0 / 3, 1, 1e-14);
        carom_touch touch;
        carom_vec3 tip = {1, 0, 0}, up = {0, 1, 0};
        assert_int_equal(carom_touch_init(&t.motion, 1, tip, up, &touch), CAROM_STATUS_OK);
        carom_touch_jacobian(&touch, &t.motion, J);
        double want[6] = {-sin(q1) - sin(q12), -sin(q12), 0, 0, cos(q1) + cos(q12), cos(q12)};
        for (int k = 0; k < 6; k++)
            assert_near(J[k], want[k], 1, 1e-14);
        carom_problem pb, same;
        carom_generalized g = {2, 3, M, want, t.qdot, work};
        assert_int_equal(carom_touch_reduce(&touch, &pb), CAROM_STATUS_OK);
        assert_int_equal(carom_generalized_reduce(&g, &same), CAROM_STATUS_OK);
        assert_same_K(pb.K, same.K, 2e-15 / fabs(sin(q2)));
        assert_cvec_near(pb.u, same.u, 1, 1e-14);
        assert_true(pb.K.t22 == 0 && pb.K.t12 == 0 && pb.K.t2n == 0 && pb.u.t2 == 0); /* confined to a plane, exactly */
    }
}

static carom_touch random_touch(dice *d, tree *a, tree *b)
{
    carom_touch touch;
    int link = dice_below(d, a->mechanism.count);
    assert_int_equal(carom_touch_init(&a->motion, link, dice_vec3(d), dice_unit(d), &touch), CAROM_STATUS_OK);
    if (b) {
        touch.b = &b->motion;
        touch.link_b = dice_below(d, b->mechanism.count);
    }
    return touch;
}

static void assert_routes_agree(const carom_touch *touch)
{
    carom_problem fast, slow;
    carom_generalized g;
    carom_status status = carom_touch_reduce(touch, &fast);
    if (touch->b == touch->a && touch->link_a == touch->link_b) {
        assert_int_equal(status, CAROM_STATUS_IMMOVABLE);
        return;
    }
    assert_int_equal(dense(touch, &slow, &g), status);
    if (status)
        return;
    assert_same_K(fast.K, slow.K, ROUTES_TOL);
    assert_cvec_near(fast.u, slow.u, 1 + largest(slow.u), ROUTES_TOL);
}

/* 2 to 60 links with every kind of joint, touching the world or another link. */
static void test_random_trees(void **state)
{
    (void)state;
    dice d = {2024};
    for (int i = 0; i < 150; i++) {
        int count = 2 + dice_below(&d, 59);
        assert_int_equal(tree_random(&d, &t, count), CAROM_STATUS_OK);
        carom_touch world = random_touch(&d, &t, NULL), self = random_touch(&d, &t, &t);
        assert_routes_agree(&world);
        assert_routes_agree(&self);
    }
}

static double kinetic(const carom_touch *touch)
{
    double e = carom_motion_kinetic(&t.motion);
    return touch->b && touch->b != touch->a ? e + carom_motion_kinetic(touch->b) : e;
}

/* T' - T = p (u + u') / 2, u' = u + K p, and the velocities kept in step with qdot. */
static void assert_impulse(const carom_touch *touch, carom_cvec p)
{
    carom_problem before, after;
    if (carom_touch_reduce(touch, &before))
        return;
    double T = kinetic(touch);
    carom_touch_apply(touch, p);
    assert_int_equal(carom_touch_reduce(touch, &after), CAROM_STATUS_OK);
    double scale = T + size_of(before.K) * carom_cvec_dot(p, p);
    carom_cvec expected = carom_cvec_add(before.u, carom_csym_apply(before.K, p));
    assert_cvec_near(after.u, expected, 1 + largest(expected), ROUTES_TOL);
    assert_near(kinetic(touch) - T, 0.5 * carom_cvec_dot(p, carom_cvec_add(before.u, after.u)), scale, WORK_TOL);
    double moved = kinetic(touch);
    assert_int_equal(carom_motion_place(touch->a), CAROM_STATUS_OK);
    if (touch->b)
        assert_int_equal(carom_motion_place(touch->b), CAROM_STATUS_OK);
    assert_near(kinetic(touch), moved, scale, WORK_TOL);
}

static void test_work_of_impulse_is_change_of_energy(void **state)
{
    (void)state;
    dice d = {99};
    for (int i = 0; i < 150; i++) {
        assert_int_equal(tree_random(&d, &t, 2 + dice_below(&d, 59)), CAROM_STATUS_OK);
        assert_int_equal(tree_random(&d, &other, 1 + dice_below(&d, 20)), CAROM_STATUS_OK);
        carom_touch world = random_touch(&d, &t, NULL), self = random_touch(&d, &t, &t);
        carom_touch two = random_touch(&d, &t, &other);
        assert_impulse(&world, dice_cvec(&d));
        assert_impulse(&self, dice_cvec(&d));
        assert_impulse(&two, dice_cvec(&d));
    }
}

/* All speeds, not only the contact's, as M^-1 J^T p says. */
static void test_impulse_on_all_speeds(void **state)
{
    (void)state;
    dice d = {5};
    static double after[6 * TREE_LINKS];
    for (int i = 0; i < 40; i++) {
        assert_int_equal(tree_random(&d, &t, 2 + dice_below(&d, 30)), CAROM_STATUS_OK);
        carom_touch touch = random_touch(&d, &t, &t);
        carom_problem pb;
        carom_generalized g;
        carom_cvec p = dice_cvec(&d);
        if (touch.link_a == touch.link_b || dense(&touch, &pb, &g))
            continue;
        carom_generalized_apply(&g, p, after);
        carom_touch_apply(&touch, p);
        double scale = 1;
        for (int k = 0; k < t.mechanism.nv; k++)
            scale = fmax(scale, fabs(after[k]));
        for (int k = 0; k < t.mechanism.nv; k++)
            assert_near(t.qdot[k], after[k], scale, ROUTES_TOL);
    }
}

/* The speeds that an impulse would make, without making them. */
static void test_speeds_before_they_are_made(void **state)
{
    (void)state;
    dice d = {6};
    static double of_a[6 * TREE_LINKS], of_b[6 * TREE_LINKS];
    for (int i = 0; i < 60; i++) {
        assert_int_equal(tree_random(&d, &t, 2 + dice_below(&d, 20)), CAROM_STATUS_OK);
        assert_int_equal(tree_random(&d, &other, 1 + dice_below(&d, 20)), CAROM_STATUS_OK);
        carom_touch touch = random_touch(&d, &t, i % 3 == 0 ? NULL : i % 3 == 1 ? &t : &other);
        carom_cvec p = dice_cvec(&d);
        double energy = carom_motion_kinetic(&t.motion), first = t.qdot[0];
        carom_touch_speeds(&touch, p, &t.motion, of_a);
        if (touch.b == &other.motion)
            carom_touch_speeds(&touch, p, &other.motion, of_b);
        assert_true(carom_motion_kinetic(&t.motion) == energy && t.qdot[0] == first);
        carom_touch_apply(&touch, p);
        for (int k = 0; k < t.mechanism.nv; k++)
            assert_true(t.qdot[k] == of_a[k]);
        for (int k = 0; touch.b == &other.motion && k < other.mechanism.nv; k++)
            assert_true(other.qdot[k] == of_b[k]);
    }
}

/* Two free links are two bodies. */
static void test_two_free_links_are_two_bodies(void **state)
{
    (void)state;
    dice d = {31};
    for (int i = 0; i < 50; i++) {
        carom_body body[2];
        tree *trees[2] = {&t, &other};
        carom_vec3 point = dice_vec3(&d), normal = dice_unit(&d);
        for (int k = 0; k < 2; k++) {
            carom_link_def *def = &trees[k]->defs[0];
            *def = dice_link(&d, 0);
            def->joint = CAROM_JOINT_FREE;
            def->rotation = (carom_quat){1, 0, 0, 0};
            def->origin = carom_vec3_make(0, 0, 0);
            assert_int_equal(tree_init(trees[k], 1), CAROM_STATUS_OK);
            tree_shake(&d, trees[k]);
            assert_int_equal(carom_motion_place(&trees[k]->motion), CAROM_STATUS_OK);
            const double *q = trees[k]->q;
            carom_body_def b = carom_body_def_default();
            b.mass = def->mass;
            b.inertia = def->inertia;
            b.orientation = (carom_quat){q[3], q[4], q[5], q[6]};
            b.position = carom_motion_point(&trees[k]->motion, 0, def->com);
            b.velocity = carom_motion_velocity(&trees[k]->motion, 0, def->com);
            b.omega = trees[k]->states[0].velocity.w;
            assert_int_equal(carom_body_init(&b, &body[k]), CAROM_STATUS_OK);
        }
        carom_contact contact;
        carom_problem want, got;
        carom_vec3 arm_a = carom_vec3_sub(point, body[0].position), arm_b = carom_vec3_sub(point, body[1].position);
        assert_int_equal(carom_contact_init(arm_a, arm_b, normal, &contact), CAROM_STATUS_OK);
        assert_int_equal(carom_bodies_reduce(&body[0], &body[1], &contact, &want), CAROM_STATUS_OK);
        carom_touch touch = {&t.motion, &other.motion, 0, 0, point, contact.frame};
        assert_int_equal(carom_touch_reduce(&touch, &got), CAROM_STATUS_OK);
        assert_same_K(got.K, want.K, 1e-12);
        assert_cvec_near(got.u, want.u, 1 + largest(want.u), 1e-13);
        carom_cvec p = dice_cvec(&d);
        carom_bodies_apply(&contact, p, &body[0], &body[1]);
        carom_touch_apply(&touch, p);
        assert_near(carom_motion_kinetic(&t.motion), carom_body_energy(&body[0]), 1 + carom_body_energy(&body[0]),
                    1e-12);
        assert_near(other.states[0].velocity.w.y, body[1].omega.y, 1 + carom_vec3_length(body[1].omega), 1e-12);
    }
}

/* A pin at the origin with mass at 1: only one direction moves. Newton returns -e u along it. */
static void test_one_link_pendulum_has_rank_one(void **state)
{
    (void)state;
    const double theta = 3.14159265358979323846 / 10; /* thesis, section 7.5 */
    t.defs[0] = carom_link_def_default();
    t.defs[0].mass = 1;
    t.defs[0].com = carom_vec3_make(1, 0, 0);
    t.defs[0].inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    t.q[0] = -1.2;
    t.qdot[0] = -1;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    carom_vec3 tip = {1, 0, 0}, v = carom_motion_velocity(&t.motion, 0, tip);
    carom_vec3 normal = {-sin(theta) * v.x + cos(theta) * v.y, -cos(theta) * v.x - sin(theta) * v.y, 0};
    carom_touch touch;
    carom_problem pb;
    assert_int_equal(carom_touch_init(&t.motion, 0, tip, normal, &touch), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_reduce(&touch, &pb), CAROM_STATUS_OK);
    assert_near(pb.K.t11 * pb.K.nn - pb.K.t1n * pb.K.t1n, 0, 1, 1e-16);
    assert_near(pb.K.nn, sin(theta) * sin(theta), 1, 1e-15);
    assert_near(pb.u.n, -sin(theta), 1, 1e-15);
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_outcome out;
    rule.coeffs.e = 0.8;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
    carom_touch_apply(&touch, out.p);
    assert_near(t.qdot[0], 0.8, 1, 1e-14);
}

static void test_bad_contacts(void **state)
{
    (void)state;
    carom_touch touch;
    carom_problem pb;
    carom_vec3 tip = {1, 0, 0}, up = {0, 1, 0}, side = {0, 0, 1}, wrong = {NAN, 0, 0};
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_init(&t.motion, 2, tip, up, &touch), CAROM_STATUS_BAD_LINK);
    assert_int_equal(carom_touch_init(&t.motion, -1, tip, up, &touch), CAROM_STATUS_BAD_LINK);
    assert_int_equal(carom_touch_init(&t.motion, 1, wrong, up, &touch), CAROM_STATUS_NOT_FINITE);
    assert_int_equal(carom_touch_init(&t.motion, 1, tip, carom_vec3_make(0, 2, 0), &touch), CAROM_STATUS_BAD_NORMAL);
    assert_int_equal(carom_touch_init(&t.motion, 1, tip, side, &touch), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_reduce(&touch, &pb), CAROM_STATUS_IMMOVABLE); /* nothing moves out of the plane */
}

/* 256 joints in a row. */
static void test_long_chain(void **state)
{
    (void)state;
    dice d = {8};
    for (int i = 0; i < TREE_LINKS; i++) {
        t.defs[i] = dice_link(&d, i);
        t.defs[i].parent = i - 1;
        t.defs[i].joint = CAROM_JOINT_REVOLUTE;
    }
    assert_int_equal(tree_init(&t, TREE_LINKS), CAROM_STATUS_OK);
    tree_shake(&d, &t);
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    carom_touch touch;
    assert_int_equal(carom_touch_init(&t.motion, TREE_LINKS - 1, dice_vec3(&d), dice_unit(&d), &touch),
                     CAROM_STATUS_OK);
    assert_routes_agree(&touch);
    assert_impulse(&touch, dice_cvec(&d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum_closed_form),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_work_of_impulse_is_change_of_energy),
        cmocka_unit_test(test_impulse_on_all_speeds),
        cmocka_unit_test(test_speeds_before_they_are_made),
        cmocka_unit_test(test_two_free_links_are_two_bodies),
        cmocka_unit_test(test_one_link_pendulum_has_rank_one),
        cmocka_unit_test(test_bad_contacts),
        cmocka_unit_test(test_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
