/* Descriptions of joints: refusals that name the joint, and layouts. */
#include "support/linkages.h"

static rig r;
static const int ball[2] = {0, 3}, hinge[2] = {0, 1}, universal[2] = {0, 2};
static const carom_vec3 X = {1, 0, 0}, Z = {0, 0, 1};

static void three_boxes(void)
{
    rig_clear(&r);
    for (int i = 0; i < 3; i++) {
        rig_body(&r, 1.3 + i, carom_vec3_make(i, 0, 0), carom_vec3_make(1, 0.4, 0.2));
        rig_joint(&r, i, i - 1, ball, (carom_vec3[]){{i - 0.5, 0, 0}, Z, Z});
    }
}

static void refused(int joint, carom_status status)
{
    assert_int_equal(carom_linkage_init(&r.linkage, r.defs), status);
    assert_int_equal(r.linkage.culprit, joint);
    three_boxes();
}

static void test_refusals_name_the_joint(void **state)
{
    (void)state;
    three_boxes();
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(r.linkage.row_count, 9);
    three_boxes();
    r.defs[1].a = 3;
    refused(1, CAROM_STATUS_BAD_JOINT);
    r.defs[2].b = -2;
    refused(2, CAROM_STATUS_BAD_JOINT);
    r.defs[2].b = 2; /* with itself */
    refused(2, CAROM_STATUS_BAD_JOINT);
    r.defs[0].linear = 4;
    refused(0, CAROM_STATUS_BAD_JOINT);
    r.defs[0].angular = -1;
    refused(0, CAROM_STATUS_BAD_JOINT);
    r.defs[1].point_b.z = NAN;
    refused(1, CAROM_STATUS_NOT_FINITE);
    r.defs[1].linear = 1;
    r.defs[1].direction.z = 2;
    refused(1, CAROM_STATUS_BAD_AXIS);
    r.defs[1].angular = 1;
    r.defs[1].axis_a = carom_vec3_make(0, 0, 0);
    refused(1, CAROM_STATUS_BAD_AXIS);
    r.defs[1].angular = 0;
    r.defs[1].turn.w = 3;
    refused(1, CAROM_STATUS_BAD_ORIENTATION);
    r.defs[1].angular = 2;
    r.defs[1].angle = 0; /* aligned axes have no angle to keep */
    refused(1, CAROM_STATUS_JOINT_SINGULAR);
    r.linkage.body_count = 0;
    refused(-1, CAROM_STATUS_BAD_SIZE);
    rig_clear(&r);
}

/* Both bodies immovable, or the world with an immovable one. */
static void test_nothing_to_move_is_singular(void **state)
{
    (void)state;
    three_boxes();
    carom_body_def rock = carom_body_def_default();
    rock.fixed = true;
    rock.position = carom_vec3_make(1, 0, 0);
    assert_int_equal(carom_member_init(&rock, &r.bodies[1]), CAROM_STATUS_OK);
    rock.position = carom_vec3_make(2, 0, 0);
    assert_int_equal(carom_member_init(&rock, &r.bodies[2]), CAROM_STATUS_OK);
    r.defs[1] = r.defs[2]; /* 0 with the world, 2 with 1 */
    r.linkage.joint_count = 2;
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_JOINT_SINGULAR);
    assert_int_equal(r.linkage.culprit, 1);
    assert_true(r.bodies[0].body.velocity.x == 0);
    rig_clear(&r);
}

/* Axes that have become aligned: the universal joint has no axis to push about. */
static void test_aligned_axes_are_singular(void **state)
{
    (void)state;
    three_boxes();
    r.linkage.joint_count = 1;
    rig_joint(&r, 1, 0, universal, (carom_vec3[]){{0.5, 0, 0}, X, Z});
    r.defs[1].axis_a = Z;
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_JOINT_SINGULAR);
    assert_int_equal(r.linkage.culprit, 1);
    assert_int_equal(carom_linkage_correct(&r.linkage), CAROM_STATUS_JOINT_SINGULAR);
    assert_true(isfinite(r.bodies[1].body.position.x));
    rig_clear(&r);
}

/* A door on two hinges: the second repeats what the first holds. */
static void test_over_constrained(void **state)
{
    (void)state;
    three_boxes();
    r.linkage.joint_count = 0;
    rig_joint(&r, 0, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, 1}, Z, Z});
    rig_joint(&r, 0, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, -1}, Z, Z});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OVER_CONSTRAINED);
    assert_int_equal(r.linkage.culprit, 1);
    carom_problem pb;
    carom_contact contact;
    assert_int_equal(carom_contact_init(X, X, X, &contact), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_reduce(&r.linkage, 0, CAROM_WORLD, &contact, &pb), CAROM_STATUS_OVER_CONSTRAINED);
    rig_clear(&r);
}

/* Bodies thrown about, then closed again; and a gap that cannot close. */
static void test_correction_closes_from_far(void **state)
{
    (void)state;
    three_boxes();
    rig_joint(&r, 2, 1, universal, (carom_vec3[]){{1.5, 0, 0}, X, Z});
    r.linkage.joint_count--;
    r.defs[2] = r.defs[3];
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    for (int i = 0; i < 3; i++) {
        r.bodies[i].body.position.y += 0.2 * (i + 1);
        r.bodies[i].body.position.z -= 0.1;
        r.bodies[i].orientation = (carom_quat){0.8, 0.36, 0.48 * (i - 1), 0.6};
        double norm = 1 / sqrt(1 + 0.1296 + 0.2304 * (i - 1) * (i - 1));
        carom_quat *q = &r.bodies[i].orientation;
        *q = (carom_quat){q->w * norm, q->x * norm, q->y * norm, q->z * norm};
        r.bodies[i].body.omega.y = 0.4;
    }
    assert_int_equal(carom_linkage_correct(&r.linkage), CAROM_STATUS_OK);
    assert_true(r.linkage.linear_error <= 1e-10 && r.linkage.angular_error <= 1e-10);
    assert_true(r.bodies[1].body.omega.y == 0.4); /* velocities are not the corrections' business */
    rig_joint(&r, 2, CAROM_WORLD, ball, (carom_vec3[]){{9, 0, 0}, Z, Z});
    r.defs[3].point_a = carom_vec3_make(0.5, 0, 0); /* the world is out of reach */
    free(r.linkage.rows);
    free(r.linkage.work);
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    carom_status status = carom_linkage_correct(&r.linkage);
    assert_true(status == CAROM_STATUS_ITERATION_LIMIT || status == CAROM_STATUS_OVER_CONSTRAINED);
    assert_true(r.linkage.culprit >= 0 && isfinite(r.bodies[2].body.position.x));
    rig_clear(&r);
}

/* Every pair of freedoms: what constrain leaves is what the joint allows. */
static void test_every_pair_combines(void **state)
{
    (void)state;
    for (int linear = 0; linear <= 3; linear++)
        for (int angular = 0; angular <= 3; angular++) {
            three_boxes();
            r.linkage.joint_count = 0;
            rig_joint(&r, 1, 0, (int[]){linear, angular}, (carom_vec3[]){{0.6, 0.1, 0.2}, X, Z});
            if (angular == 1)
                r.defs[0].axis_a = Z;
            assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
            assert_int_equal(r.linkage.row_count, 6 - linear - angular);
            r.bodies[0].body.velocity = carom_vec3_make(0.3, -0.7, 0.2);
            r.bodies[0].body.omega = carom_vec3_make(1.3, 0.9, -0.4);
            r.bodies[1].body.omega = carom_vec3_make(-0.6, 2.2, 0.8);
            assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
            r.linkage.step_tolerance = 1e-11;
            double T = carom_linkage_kinetic(&r.linkage);
            assert_int_equal(carom_linkage_advance(&r.linkage, 0.4), CAROM_STATUS_OK);
            assert_int_equal(carom_linkage_check(&r.linkage), CAROM_STATUS_OK);
            assert_true(r.linkage.linear_error < 1e-10 && r.linkage.angular_error < 1e-10);
            assert_near(carom_linkage_kinetic(&r.linkage), T, T, 1e-8);
        }
    rig_clear(&r);
}

static void test_bad_member(void **state)
{
    (void)state;
    carom_body_def def = carom_body_def_default();
    carom_member m;
    def.mass = 0;
    assert_int_equal(carom_member_init(&def, &m), CAROM_STATUS_BAD_MASS);
    def = carom_body_def_default();
    def.fixed = true;
    def.orientation.w = 2;
    assert_int_equal(carom_member_init(&def, &m), CAROM_STATUS_BAD_ORIENTATION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals_name_the_joint),
        cmocka_unit_test(test_nothing_to_move_is_singular),
        cmocka_unit_test(test_aligned_axes_are_singular),
        cmocka_unit_test(test_over_constrained),
        cmocka_unit_test(test_correction_closes_from_far),
        cmocka_unit_test(test_every_pair_combines),
        cmocka_unit_test(test_bad_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
