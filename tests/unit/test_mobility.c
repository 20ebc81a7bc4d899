/* Contacts where a mechanism cannot move: welds, hinges struck on their axis, planes turned in space.
 *
 * What cannot move has an exact zero row in K, and `immovable` along the normal; what can move keeps its row. */
#include "mechanism/mobility.h"
#include "support/linkages.h"
#include "support/trees.h"

#define STILL 1e-9 /* m/s: speeds were about one before the joints stopped them */

static rig r;
static tree t;

/* ---- bodies that joints hold together ---- */

static int random_body(dice *d, double decades)
{
    carom_body_def def = carom_body_def_default();
    def.mass = dice_decades(d, -decades / 2, decades / 2);
    def.inertia = dice_inertia(d, def.mass);
    def.position = carom_vec3_scale(2, dice_vec3(d));
    def.orientation = dice_quat(d);
    def.velocity = dice_vec3(d);
    def.omega = dice_vec3(d);
    assert_int_equal(carom_member_init(&def, &r.bodies[r.linkage.body_count]), CAROM_STATUS_OK);
    return r.linkage.body_count++;
}

static void join(dice *d, int a, int b, int linear, int angular)
{
    carom_vec3 axis = dice_unit(d);
    rig_joint(&r, a, b, (int[]){linear, angular}, (carom_vec3[]){dice_vec3(d), axis, axis});
}

/* Six equations between two bodies, in one joint or in several. */
static void hold(dice *d, int a, int b)
{
    switch (dice_below(d, 5)) {
    case 0: /* a ball, a point on a line, a point on a plane */
        join(d, a, b, 0, 3);
        join(d, a, b, 1, 3);
        join(d, a, b, 2, 3);
        break;
    case 1: /* six rods */
        for (int i = 0; i < 6; i++)
            join(d, a, b, 2, 3);
        break;
    case 2: /* a hinge, and a point on a plane */
        join(d, a, b, 0, 1);
        join(d, a, b, 2, 3);
        break;
    case 3: /* a slider, and a point on a plane */
        join(d, a, b, 1, 0);
        join(d, a, b, 2, 3);
        break;
    default:
        join(d, a, b, 0, 0);
    }
}

static carom_contact contact_at(carom_vec3 point, carom_vec3 normal, int a, int b)
{
    static const carom_member world;
    carom_contact c;
    carom_vec3 other = b < 0 ? world.body.position : r.bodies[b].body.position;
    carom_vec3 arm_a = carom_vec3_sub(point, r.bodies[a].body.position), arm_b = carom_vec3_sub(point, other);
    assert_int_equal(carom_contact_init(arm_a, arm_b, normal, &c), CAROM_STATUS_OK);
    return c;
}

/* Close and constrain; false when the random joints contradict or repeat each other to rounding. */
static bool settle(void)
{
    carom_status status = rig_init(&r);
    assert_int_equal(status, CAROM_STATUS_OK);
    return !carom_linkage_correct(&r.linkage) && !carom_linkage_constrain(&r.linkage);
}

/* A tree of bodies, each held by an earlier one or by the world. */
static bool build_rigid(dice *d, int count, double decades, bool in_world)
{
    rig_clear(&r);
    for (int i = 0; i < count; i++) {
        int body = random_body(d, decades);
        if (i > 0 || in_world)
            hold(d, body, i == 0 || (in_world && dice_below(d, 4) == 0) ? CAROM_WORLD : dice_below(d, i));
    }
    return settle();
}

static void assert_immovable(dice *d, int a, int b)
{
    carom_problem pb;
    carom_contact c = contact_at(carom_vec3_scale(2, dice_vec3(d)), dice_unit(d), a, b);
    assert_int_equal(carom_linkage_reduce(&r.linkage, a, b, &c, &pb), CAROM_STATUS_IMMOVABLE);
    assert_true(pb.K.nn == 0 && pb.K.t11 == 0 && pb.K.t22 == 0 && pb.K.t12 == 0 && pb.K.t1n == 0 && pb.K.t2n == 0);
    assert_true(largest(pb.u) < STILL);
}

static void test_held_bodies_do_not_move_against_each_other(void **state)
{
    (void)state;
    dice d = {71};
    int built = 0;
    for (int i = 0; i < 600; i++) {
        int count = 2 + dice_below(&d, 6);
        if (!build_rigid(&d, count, dice_between(&d, 0, 4), i % 2))
            continue;
        built++;
        int a = dice_below(&d, count), b = dice_below(&d, count);
        if (i % 2)
            assert_immovable(&d, a, CAROM_WORLD);
        if (a != b)
            assert_immovable(&d, a, b);
    }
    assert_true(built > 500);
}

/* ---- one freedom between two bodies: what it does not move is exactly still ---- */

static bool row_is_zero(const carom_problem *pb, int row)
{
    const carom_csym *K = &pb->K;
    const double rows[3][4] = {
        {K->t11, K->t12, K->t1n, pb->u.t1}, {K->t12, K->t22, K->t2n, pb->u.t2}, {K->t1n, K->t2n, K->nn, pb->u.n}};
    return rows[row][0] == 0 && rows[row][1] == 0 && rows[row][2] == 0 && rows[row][3] == 0;
}

/* Three axes: one along the hinge, one radial, one around it; the normal is the chosen one. */
static carom_frame frame_about(carom_vec3 axis, carom_vec3 radial, int normal)
{
    const carom_vec3 e[3] = {axis, radial, carom_vec3_cross(axis, radial)};
    carom_frame f = {e[(normal + 1) % 3], e[(normal + 2) % 3], e[normal]};
    return f;
}

enum { ALONG_AXIS, RADIAL, AROUND };

/* Row of the frame that the axis e became. */
static int row_of(int e, int normal)
{
    return (e - normal + 5) % 3;
}

static carom_vec3 across(dice *d, carom_vec3 axis)
{
    carom_vec3 v = carom_vec3_cross(axis, dice_unit(d));
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

/* A hinge or a slider lets the contact move around the axis or along it, and no other way. */
static void assert_one_freedom(const carom_problem *pb, carom_status status, int mobile, int normal)
{
    assert_int_equal(status, normal == mobile ? CAROM_STATUS_OK : CAROM_STATUS_IMMOVABLE);
    for (int e = 0; e < 3; e++)
        assert_int_equal(row_is_zero(pb, row_of(e, normal)), e != mobile);
}

static void test_hinged_bodies(void **state)
{
    (void)state;
    dice d = {5};
    for (int i = 0; i < 600; i++) {
        rig_clear(&r);
        int a = random_body(&d, 4), b = i % 3 ? random_body(&d, 4) : CAROM_WORLD, slides = dice_below(&d, 2);
        carom_vec3 axis = dice_unit(&d), pin = dice_vec3(&d), radial = across(&d, axis);
        rig_joint(&r, a, b, slides ? (int[]){1, 0} : (int[]){0, 1}, (carom_vec3[]){pin, axis, axis});
        assert_true(settle());
        carom_vec3 along = carom_vec3_scale(dice_gauss(&d), axis);
        carom_vec3 point = carom_vec3_add(carom_vec3_add(pin, along), carom_vec3_scale(0.7, radial));
        int normal = dice_below(&d, 3);
        carom_contact c = contact_at(point, axis, a, b);
        carom_problem pb;
        c.frame = frame_about(axis, radial, normal);
        carom_status solved = carom_linkage_reduce(&r.linkage, a, b, &c, &pb);
        assert_one_freedom(&pb, solved, slides ? ALONG_AXIS : AROUND, normal);
    }
}

/* ---- trees ---- */

/* Link 1 of a random trunk carries a hinge; the contact is between the two sides of it. */
static void test_hinged_links(void **state)
{
    (void)state;
    dice d = {19};
    for (int i = 0; i < 600; i++) {
        int count = 2 + dice_below(&d, 8), link = count - 1, slides = dice_below(&d, 2);
        for (int k = 0; k < count; k++)
            t.defs[k] = dice_link(&d, k);
        t.defs[link].joint = slides ? CAROM_JOINT_PRISMATIC : CAROM_JOINT_REVOLUTE;
        assert_int_equal(tree_init(&t, count), CAROM_STATUS_OK);
        tree_shake(&d, &t);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_vec3 pin = t.states[link].origin;
        carom_vec3 tip = carom_motion_point(&t.motion, link, t.links[link].def.axis);
        carom_vec3 axis = carom_vec3_sub(tip, pin), radial;
        axis = carom_vec3_scale(1 / carom_vec3_length(axis), axis);
        radial = across(&d, axis);
        int normal = dice_below(&d, 3);
        carom_touch touch = {&t.motion, &t.motion, link, t.defs[link].parent, pin, frame_about(axis, radial, normal)};
        touch.point = carom_vec3_add(pin, carom_vec3_add(carom_vec3_scale(dice_gauss(&d), axis), radial));
        carom_problem pb;
        carom_status status = carom_touch_reduce(&touch, &pb);
        assert_one_freedom(&pb, status, slides ? ALONG_AXIS : AROUND, normal);
        touch.point = carom_vec3_add(pin, carom_vec3_scale(dice_gauss(&d), axis)); /* on the axis nothing moves */
        status = slides ? CAROM_STATUS_IMMOVABLE : carom_touch_reduce(&touch, &pb);
        assert_int_equal(status, CAROM_STATUS_IMMOVABLE);
    }
}

/* A chain of bars about parallel axes, the whole turned in space and moved away. */
static void build_plane(dice *d, int count, double far)
{
    for (int i = 0; i < count; i++)
        t.defs[i] = bar(i - 1, dice_decades(d, -1, 1), 1, i > 0);
    t.defs[0].rotation = dice_quat(d);
    t.defs[0].origin = carom_vec3_scale(far, dice_vec3(d));
    assert_int_equal(tree_init(&t, count), CAROM_STATUS_OK);
    tree_shake(d, &t);
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
}

static void test_plane_turned_in_space(void **state)
{
    (void)state;
    dice d = {23};
    for (int i = 0; i < 400; i++) {
        int count = i % 20 ? 1 + dice_below(&d, 12) : TREE_LINKS;
        build_plane(&d, count, i % 3 ? 0 : 1000);
        carom_vec3 axis = t.freedoms[0].S.w, radial = across(&d, axis);
        int normal = dice_below(&d, 3);
        carom_touch touch;
        assert_int_equal(carom_touch_init(&t.motion, count - 1, carom_vec3_make(1, 0, 0), axis, &touch), 0);
        touch.frame = frame_about(axis, radial, normal);
        carom_problem pb;
        carom_status status = carom_touch_reduce(&touch, &pb);
        assert_int_equal(status, normal == ALONG_AXIS ? CAROM_STATUS_IMMOVABLE : CAROM_STATUS_OK);
        assert_true(row_is_zero(&pb, row_of(ALONG_AXIS, normal)));
        assert_false(row_is_zero(&pb, row_of(RADIAL, normal)));
        assert_false(row_is_zero(&pb, row_of(AROUND, normal)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_bodies_do_not_move_against_each_other),
        cmocka_unit_test(test_hinged_bodies),
        cmocka_unit_test(test_hinged_links),
        cmocka_unit_test(test_plane_turned_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
