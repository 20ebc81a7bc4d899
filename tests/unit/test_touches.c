/* Several contacts of trees and linkages, held to the dense formulas K = J M^-1 J^T and qdot + M^-1 J^T p. */
#include <stdlib.h>

#include "carom/touches.h"
#include "support/linkages.h"
#include "support/trees.h"

#define SAME 1e-10 /* of the largest entry: two routes through the same mechanism */

enum { TOUCHES = 5, CASES = 200 };

static tree t, other;
static rig r;

static void random_touch(dice *d, carom_touch *touch)
{
    int link = dice_below(d, t.mechanism.count), against = dice_below(d, t.mechanism.count);
    carom_vec3 point = dice_vec3(d), normal = dice_unit(d);
    assert_int_equal(carom_touch_init(&t.motion, link, point, normal, touch), CAROM_STATUS_OK);
    if (dice_below(d, 3) == 0 && against != link) {
        touch->b = &t.motion;
        touch->link_b = against;
    } else if (dice_below(d, 3) == 0) {
        touch->b = &other.motion;
        touch->link_b = dice_below(d, other.mechanism.count);
    }
}

/* J of all touches with respect to both mechanisms, and M of both, as one dense problem. */
static void compare_dense(const carom_touches *set, const carom_contacts *problem)
{
    int na = t.mechanism.nv, nb = other.mechanism.nv, n = na + nb, rows = 3 * set->count;
    double *M = calloc((size_t)(n * n), sizeof *M), *J = calloc((size_t)(rows * n), sizeof *J);
    double *Ma = calloc((size_t)(na * na), sizeof *Ma), *Mb = calloc((size_t)(nb * nb), sizeof *Mb);
    double *one = calloc((size_t)(3 * n), sizeof *one), *qdot = calloc((size_t)n, sizeof *qdot);
    double p[3 * TOUCHES], largest = 0;
    assert_true(M && J && Ma && Mb && one && qdot);
    carom_motion_mass_matrix(&t.motion, Ma);
    carom_motion_mass_matrix(&other.motion, Mb);
    for (int i = 0; i < n; i++) {
        qdot[i] = i < na ? t.qdot[i] : other.qdot[i - na];
        for (int j = 0; j < n; j++)
            M[i * n + j] = i < na && j < na ? Ma[i * na + j] : i >= na && j >= na ? Mb[(i - na) * nb + j - na] : 0;
    }
    for (int i = 0; i < set->count; i++)
        for (int side = 0; side < 2; side++) {
            const carom_motion *motion = side ? &other.motion : &t.motion;
            int width = side ? nb : na;
            if (motion != set->touches[i].a && motion != set->touches[i].b)
                continue;
            carom_touch_jacobian(&set->touches[i], motion, one);
            for (int a = 0; a < 3; a++)
                for (int v = 0; v < width; v++)
                    J[(3 * i + a) * n + (side ? na : 0) + v] = one[a * width + v];
        }
    carom_generalized_contacts dense = {n, set->count, 3, M, J, qdot};
    void *memory = malloc(carom_generalized_contacts_size(&dense));
    carom_contacts want;
    assert_non_null(memory);
    assert_int_equal(carom_generalized_contacts_reduce(&dense, memory, &want), CAROM_STATUS_OK);
    for (int i = 0; i < set->count; i++)
        for (int j = 0; j < set->count; j++) {
            const double *K = carom_contacts_block(problem, i, j), *W = carom_contacts_block(&want, i, j);
            const double *Ki = carom_contacts_block(problem, i, i), *Kj = carom_contacts_block(problem, j, j);
            double size = sqrt((Ki[0] + Ki[4] + Ki[8]) * (Kj[0] + Kj[4] + Kj[8]));
            for (int k = 0; k < 9; k++)
                assert_true(fabs((K ? K[k] : 0) - (W ? W[k] : 0)) <= SAME * size);
        }
    for (int i = 0; i < rows; i++) {
        p[i] = 0.37 * (i % 7) - 1;
        largest = fmax(largest, fabs(problem->u[i]));
    }
    for (int i = 0; i < rows; i++)
        assert_true(fabs(problem->u[i] - want.u[i]) <= SAME * largest);
    carom_generalized_contacts_apply(&dense, memory, p, qdot);
    carom_touches_apply(set, p);
    largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(qdot[i]));
    for (int i = 0; i < n; i++)
        assert_true(fabs((i < na ? t.qdot[i] : other.qdot[i - na]) - qdot[i]) <= 1e-8 * largest);
    for (int i = 0; i < set->count; i++) { /* the velocities of the links moved along */
        carom_problem after;
        double u[3 * TOUCHES];
        carom_contacts_after(problem, p, u);
        assert_int_equal(carom_touch_reduce(&set->touches[i], &after), CAROM_STATUS_OK);
        assert_true(fabs(after.u.n - u[3 * i + 2]) <= 1e-8 * largest);
    }
    free(M), free(J), free(Ma), free(Mb), free(one), free(qdot), free(memory);
}

static void test_trees(void **state)
{
    (void)state;
    dice d = {41};
    for (int k = 0; k < CASES; k++) {
        carom_touch touches[TOUCHES];
        carom_contacts problem;
        int count = 1 + dice_below(&d, TOUCHES);
        assert_int_equal(tree_random(&d, &t, 1 + dice_below(&d, 7)), CAROM_STATUS_OK);
        assert_int_equal(tree_random(&d, &other, 1 + dice_below(&d, 4)), CAROM_STATUS_OK);
        for (int i = 0; i < count; i++)
            random_touch(&d, &touches[i]);
        carom_touches set = {count, touches, 3};
        void *memory = malloc(carom_touches_size(&set));
        assert_non_null(memory);
        carom_status status = carom_touches_reduce(&set, memory, &problem);
        carom_problem alone;
        bool movable = true;
        for (int i = 0; i < count; i++)
            movable &= carom_touch_reduce(&touches[i], &alone) == CAROM_STATUS_OK;
        assert_int_equal(status, movable ? CAROM_STATUS_OK : CAROM_STATUS_IMMOVABLE);
        if (movable) {
            carom_problem first = carom_contacts_alone(&problem, 0);
            assert_int_equal(carom_touch_reduce(&touches[0], &alone), CAROM_STATUS_OK);
            assert_true(fabs(first.K.nn - alone.K.nn) <= 1e-14 * alone.K.nn && first.u.n == alone.u.n);
            compare_dense(&set, &problem);
        }
        free(memory);
    }
}

/* A body on two legs in the plane of x and y: two rows per foot, and the same answer with three. */
static void walker(void)
{
    t.defs[0] = carom_link_def_default();
    t.defs[0].joint = CAROM_JOINT_PLANAR;
    t.defs[0].mass = 10;
    for (int i = 1; i < 3; i++) {
        t.defs[i] = bar(0, 2, 1, 0);
        t.defs[i].com = carom_vec3_make(0, -0.5, 0);
        t.defs[i].inertia = (carom_sym3){0.17, 0, 0, 0.01, 0, 0.17};
    }
    assert_int_equal(tree_init(&t, 3), CAROM_STATUS_OK);
    const double q[5] = {0.1, 0.98, 0.05, 0.2, -0.25}, qdot[5] = {0.4, -1.2, 0.1, 0.5, -0.3};
    for (int i = 0; i < 5; i++) {
        t.q[i] = q[i];
        t.qdot[i] = qdot[i];
    }
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
}

static void test_planar(void **state)
{
    (void)state;
    carom_touch feet[2];
    carom_contacts planar, spatial;
    carom_vec3 up = {0, 1, 0}, foot = {0, -1, 0};
    walker();
    for (int i = 0; i < 2; i++)
        assert_int_equal(carom_touch_init(&t.motion, 1 + i, foot, up, &feet[i]), CAROM_STATUS_OK);
    for (int i = 0; i < 2; i++) /* t1 along x, t2 across the plane */
        assert_int_equal(carom_frame_init_t1(up, carom_vec3_make(1, 0, 0), &feet[i].frame), CAROM_STATUS_OK);
    carom_touches set = {2, feet, 2}, whole = {2, feet, 3};
    void *memory = malloc(carom_touches_size(&set)), *more = malloc(carom_touches_size(&whole));
    assert_true(memory && more);
    assert_int_equal(carom_touches_reduce(&set, memory, &planar), CAROM_STATUS_OK);
    assert_int_equal(carom_touches_reduce(&whole, more, &spatial), CAROM_STATUS_OK);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const double *K = carom_contacts_block(&planar, i, j), *W = carom_contacts_block(&spatial, i, j);
            assert_true(K && W && K[0] == W[0] && K[1] == W[2] && K[3] == W[8] && W[4] == 0);
        }
    free(memory), free(more);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_touch feet[2];
    carom_contacts problem;
    carom_vec3 up = {0, 1, 0}, foot = {0, -1, 0};
    walker();
    for (int i = 0; i < 2; i++)
        assert_int_equal(carom_touch_init(&t.motion, 1 + i, foot, up, &feet[i]), CAROM_STATUS_OK);
    carom_touches set = {2, feet, 3};
    void *memory = malloc(carom_touches_size(&set));
    assert_non_null(memory);
    feet[1].link_a = 3;
    assert_int_equal(carom_touches_reduce(&set, memory, &problem), CAROM_STATUS_BAD_LINK);
    feet[1].link_a = 2;
    feet[1].b = &t.motion;
    feet[1].link_b = 2;
    assert_int_equal(carom_touches_reduce(&set, memory, &problem), CAROM_STATUS_BAD_PAIR);
    feet[1].b = NULL;
    feet[1].link_b = CAROM_WORLD;
    set.dim = 4;
    assert_int_equal(carom_touches_reduce(&set, memory, &problem), CAROM_STATUS_BAD_SIZE);
    assert_int_equal(carom_touches_size(&set), 0);
    set.dim = 2; /* nothing may move along t2, and here t2 lies in the plane */
    for (int i = 0; i < 2; i++)
        assert_int_equal(carom_frame_init_t1(up, carom_vec3_make(0, 0, 1), &feet[i].frame), CAROM_STATUS_OK);
    assert_int_equal(carom_touches_reduce(&set, memory, &problem), CAROM_STATUS_NOT_PLANAR);
    feet[1] = feet[0]; /* the same contact twice: accepted, redundant */
    set.dim = 3;
    assert_int_equal(carom_touches_reduce(&set, memory, &problem), CAROM_STATUS_OK);
    free(memory);
}

/* Bodies in a chain of joints: each contact as alone, pairs by superposition. */
static void test_linkages(void **state)
{
    (void)state;
    dice d = {43};
    for (int k = 0; k < CASES; k++) {
        carom_pair pairs[3];
        carom_contacts problem;
        rig_clear(&r);
        for (int i = 0; i < 4; i++) {
            carom_vec3 at = {i, 0.2 * dice_gauss(&d), 0}, side = {0.9, 0.3, 0.2};
            int body = rig_body(&r, dice_between(&d, 0.5, 2), at, side);
            carom_vec3 axis = dice_unit(&d), joint = {i - 0.5, 0, 0};
            rig_joint(&r, body, body - 1, (int[]){0, dice_below(&d, 2) ? 1 : 3}, (carom_vec3[]){joint, axis, axis});
        }
        assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
        for (int i = 0; i < 4; i++) {
            r.bodies[i].body.velocity = dice_vec3(&d);
            r.bodies[i].body.omega = dice_vec3(&d);
        }
        assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
        for (int i = 0; i < 3; i++) {
            pairs[i].a = 3 - i;
            pairs[i].b = i == 1 ? 0 : CAROM_WORLD;
            assert_int_equal(carom_contact_init(dice_vec3(&d), dice_vec3(&d), dice_unit(&d), &pairs[i].contact),
                             CAROM_STATUS_OK);
        }
        carom_linkage_contacts set = {&r.linkage, 3, pairs, 3};
        void *memory = malloc(carom_linkage_contacts_size(&set));
        assert_non_null(memory);
        assert_int_equal(carom_linkage_contacts_reduce(&set, memory, &problem), CAROM_STATUS_OK);
        double p[9], u[9];
        for (int i = 0; i < 9; i++)
            p[i] = dice_gauss(&d);
        carom_contacts_after(&problem, p, u);
        for (int i = 0; i < 3; i++) {
            carom_problem alone, one = carom_contacts_alone(&problem, i);
            assert_int_equal(carom_linkage_reduce(&r.linkage, pairs[i].a, pairs[i].b, &pairs[i].contact, &alone),
                             CAROM_STATUS_OK);
            assert_true(fabs(one.K.t12 - alone.K.t12) <= 1e-14 * (alone.K.t11 + alone.K.t22));
            assert_true(one.K.nn == alone.K.nn && one.u.t1 == alone.u.t1);
        }
        carom_linkage_contacts_apply(&set, memory, p);
        for (int i = 0; i < 3; i++) { /* what the bodies do afterwards is u + K p at every contact */
            carom_problem after;
            assert_int_equal(carom_linkage_reduce(&r.linkage, pairs[i].a, pairs[i].b, &pairs[i].contact, &after),
                             CAROM_STATUS_OK);
            double size = 1 + fabs(u[3 * i]) + fabs(u[3 * i + 1]) + fabs(u[3 * i + 2]);
            assert_true(fabs(after.u.t1 - u[3 * i]) <= SAME * size && fabs(after.u.n - u[3 * i + 2]) <= SAME * size);
        }
        pairs[2].a = 4;
        assert_int_equal(carom_linkage_contacts_reduce(&set, memory, &problem), CAROM_STATUS_BAD_PAIR);
        free(memory);
    }
    rig_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_linkages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
