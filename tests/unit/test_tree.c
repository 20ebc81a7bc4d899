/* The model: joint words, and refusals that name the link. */
#include "support/check.h"
#include "support/trees.h"

static tree t;

static void test_joint_types(void **state)
{
    (void)state;
    assert_string_equal(carom_joint_type_word(CAROM_JOINT_PLANAR), "planar");
    assert_int_equal(carom_joint_type_coordinates(CAROM_JOINT_FREE), 7);
    assert_int_equal(carom_joint_type_speeds(CAROM_JOINT_FREE), 6);
    assert_int_equal(carom_joint_type_speeds(CAROM_JOINT_SPHERICAL), 3);
    assert_string_equal(carom_joint_type_word((carom_joint_type)77), "unknown");
    assert_string_equal(carom_joint_type_meaning((carom_joint_type)77), "unknown");
    assert_int_equal(carom_joint_type_coordinates((carom_joint_type)77), 0);
    assert_int_equal(carom_joint_type_speeds((carom_joint_type)77), 0);
    assert_true(carom_joint_type_meaning(CAROM_JOINT_FREE)[0] != 0);
}

static void test_counts(void **state)
{
    (void)state;
    for (int i = 0; i < CAROM_JOINT_TYPE_COUNT; i++) {
        t.defs[i] = carom_link_def_default();
        t.defs[i].parent = i - 1;
        t.defs[i].joint = (carom_joint_type)i;
    }
    assert_int_equal(tree_init(&t, CAROM_JOINT_TYPE_COUNT), CAROM_STATUS_OK);
    assert_int_equal(t.mechanism.nq, 0 + 1 + 1 + 4 + 3 + 7);
    assert_int_equal(t.mechanism.nv, 0 + 1 + 1 + 3 + 3 + 6);
    assert_int_equal(t.links[5].q_at, 9);
    assert_int_equal(t.links[5].v_at, 8);
    assert_int_equal(t.mechanism.culprit, -1);
}

/* The table of docs/guide/mechanisms.md: axis, x, y. */
static void test_directions_of_a_planar_joint(void **state)
{
    (void)state;
    static const carom_vec3 table[][3] = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                                          {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                                          {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
                                          {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        t.defs[0] = carom_link_def_default();
        t.defs[0].joint = CAROM_JOINT_PLANAR;
        t.defs[0].axis = table[i][0];
        assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
        assert_true(carom_vec3_length(carom_vec3_sub(t.links[0].t1, table[i][1])) == 0);
        assert_true(carom_vec3_length(carom_vec3_sub(t.links[0].t2, table[i][2])) == 0);
    }
}

static void refused(int link, carom_status status)
{
    assert_int_equal(tree_init(&t, 3), status);
    assert_int_equal(t.mechanism.culprit, link);
    assert_int_equal(t.mechanism.count, 0);
    for (int i = 0; i < 3; i++)
        t.defs[i] = bar(i - 1, 1.7, 0.6, 0.6);
}

static void test_refusals_name_the_link(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        t.defs[i] = bar(i - 1, 1.7, 0.6, 0.6);
    assert_int_equal(tree_init(&t, 3), CAROM_STATUS_OK);
    t.defs[1].parent = 1; /* its own parent */
    refused(1, CAROM_STATUS_BAD_LINK);
    t.defs[1].parent = 2; /* a cycle */
    refused(1, CAROM_STATUS_BAD_LINK);
    t.defs[2].parent = -2;
    refused(2, CAROM_STATUS_BAD_LINK);
    t.defs[0].joint = (carom_joint_type)99;
    refused(0, CAROM_STATUS_BAD_JOINT);
    t.defs[2].axis = carom_vec3_make(0, 1, 1);
    refused(2, CAROM_STATUS_BAD_AXIS);
    t.defs[1].rotation.w = 1.1;
    refused(1, CAROM_STATUS_BAD_ORIENTATION);
    t.defs[1].mass = -1;
    refused(1, CAROM_STATUS_BAD_MASS);
    t.defs[1].inertia.xy = 3;
    refused(1, CAROM_STATUS_BAD_INERTIA);
    t.defs[1].inertia.xx = 10; /* triangle */
    refused(1, CAROM_STATUS_BAD_INERTIA);
    t.defs[2].com.y = NAN;
    refused(2, CAROM_STATUS_NOT_FINITE);
    t.defs[2].mass = 0; /* a leaf */
    refused(2, CAROM_STATUS_MASSLESS);
    t.defs[1].mass = 0; /* not a leaf: fine */
    assert_int_equal(tree_init(&t, 3), CAROM_STATUS_OK);
    assert_int_equal(tree_init(&t, 0), CAROM_STATUS_BAD_SIZE);
}

/* A bar on a ball joint can spin about itself without resistance: nothing says how fast. */
static void test_freedom_without_inertia_is_named(void **state)
{
    (void)state;
    t.defs[0] = bar(CAROM_WORLD, 1.7, 0.6, 0);
    t.defs[1] = bar(0, 1.7, 0.6, 0.6);
    t.defs[1].joint = CAROM_JOINT_SPHERICAL;
    assert_int_equal(tree_init(&t, 2), CAROM_STATUS_OK);
    t.q[0] = 0.3;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_MASSLESS);
    assert_int_equal(t.motion.culprit, 1);
}

static void test_bad_coordinates_name_the_link(void **state)
{
    (void)state;
    dice d = {7};
    assert_int_equal(tree_random(&d, &t, 9), CAROM_STATUS_OK);
    t.qdot[t.links[5].v_at + t.links[5].nv - 1] = INFINITY;
    int blamed = 5;
    while (t.links[blamed].nv == 0)
        blamed--;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_NOT_FINITE);
    t.defs[0].joint = CAROM_JOINT_SPHERICAL;
    t.defs[0].parent = CAROM_WORLD;
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    t.q[0] = 0.9;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_BAD_ORIENTATION);
    assert_int_equal(t.motion.culprit, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_types),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_directions_of_a_planar_joint),
        cmocka_unit_test(test_refusals_name_the_link),
        cmocka_unit_test(test_freedom_without_inertia_is_named),
        cmocka_unit_test(test_bad_coordinates_name_the_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
