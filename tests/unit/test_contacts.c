/* Several contacts: K by bodies equals K by J M^-1 J^T, blocks are where bodies are shared, bad pairs are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "carom/carom.h"

enum { BODIES = 3, PAIRS = 3, N = 9 };

static void make(carom_body *bodies, carom_pair *pairs)
{
    for (int i = 0; i < BODIES; i++) {
        carom_body_def def = carom_body_def_default();
        def.mass = 1.3 + i;
        def.inertia.zz = 0.7 + 0.3 * i;
        def.velocity = carom_vec3_make(0.4 - i, 0.3 * i, 0);
        def.omega.z = 0.2 * i - 0.1;
        assert_int_equal(carom_body_init_planar(&def, &bodies[i]), CAROM_STATUS_OK);
    }
    const carom_pair made[PAIRS] = {
        {1, 0, {.arm_a = {-0.9, 0.2, 0}, .arm_b = {1.1, 0.1, 0}, .planar = true}},
        {2, 1, {.arm_a = {-0.4, 0.5, 0}, .arm_b = {0.8, -0.3, 0}, .planar = true}},
        {0, CAROM_WORLD, {.arm_a = {0.1, -1.2, 0}, .planar = true}},
    };
    static const double normals[PAIRS][2] = {{1, 0}, {0.6, 0.8}, {0, 1}};
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = made[i];
        assert_int_equal(carom_frame_init_planar(normals[i][0], normals[i][1], &pairs[i].contact.frame),
                         CAROM_STATUS_OK);
    }
}

/* Row of the Jacobian: the velocity along an axis of contact i for the three speeds of every body. */
static void jacobian_row(const carom_pair *pair, carom_vec3 axis, double *row)
{
    for (int k = 0; k < N; k++)
        row[k] = 0;
    for (int side = 0; side < 2; side++) {
        int body = side ? pair->b : pair->a;
        carom_vec3 arm = side ? pair->contact.arm_b : pair->contact.arm_a;
        double sign = side ? -1 : 1;
        if (body < 0)
            continue;
        row[3 * body] = sign * axis.x;
        row[3 * body + 1] = sign * axis.y;
        row[3 * body + 2] = sign * carom_vec3_cross(arm, axis).z;
    }
}

static void test_bodies_equal_jacobians(void **state)
{
    (void)state;
    carom_body bodies[BODIES], after[BODIES];
    carom_pair pairs[PAIRS];
    make(bodies, pairs);
    carom_bodies set = {BODIES, bodies, PAIRS, pairs, 2};
    double M[N * N] = {0}, J[2 * PAIRS * N], qdot[N], qdot_after[N], p[2 * PAIRS];
    for (int i = 0; i < BODIES; i++) {
        M[(3 * i) * (N + 1)] = M[(3 * i + 1) * (N + 1)] = bodies[i].mass;
        M[(3 * i + 2) * (N + 1)] = bodies[i].inertia.zz;
        qdot[3 * i] = bodies[i].velocity.x;
        qdot[3 * i + 1] = bodies[i].velocity.y;
        qdot[3 * i + 2] = bodies[i].omega.z;
    }
    for (int i = 0; i < PAIRS; i++) {
        jacobian_row(&pairs[i], pairs[i].contact.frame.t1, J + 2 * i * N);
        jacobian_row(&pairs[i], pairs[i].contact.frame.n, J + (2 * i + 1) * N);
    }
    carom_generalized_contacts g = {N, PAIRS, 2, M, J, qdot};
    carom_contacts one, other;
    void *first = malloc(carom_bodies_size(&set)), *second = malloc(carom_generalized_contacts_size(&g));
    assert_int_equal(carom_bodies_contacts(&set, first, &one), CAROM_STATUS_OK);
    assert_int_equal(carom_generalized_contacts_reduce(&g, second, &other), CAROM_STATUS_OK);
    assert_null(carom_contacts_block(&one, 1, 2)); /* they share no body */
    for (int i = 0; i < PAIRS; i++)
        for (int j = 0; j < PAIRS; j++) {
            const double *a = carom_contacts_block(&one, i, j), *b = carom_contacts_block(&other, i, j);
            for (int k = 0; k < 4 && (a || b); k++) {
                double left = a ? a[k] : 0, right = b ? b[k] : 0;
                assert_true(fabs(left - right) < 1e-14);
            }
        }
    for (int i = 0; i < 2 * PAIRS; i++) {
        assert_true(fabs(one.u[i] - other.u[i]) < 1e-14);
        p[i] = 0.3 * i - 0.7;
    }
    carom_bodies_push(&set, p, after);
    carom_generalized_contacts_apply(&g, second, p, qdot_after);
    for (int i = 0; i < BODIES; i++) {
        assert_true(fabs(after[i].velocity.x - qdot_after[3 * i]) < 1e-14);
        assert_true(fabs(after[i].velocity.y - qdot_after[3 * i + 1]) < 1e-14);
        assert_true(fabs(after[i].omega.z - qdot_after[3 * i + 2]) < 1e-14);
    }
    free(first);
    free(second);
}

static void test_bad_pairs(void **state)
{
    (void)state;
    carom_body bodies[BODIES];
    carom_pair pairs[PAIRS];
    carom_contacts problem;
    make(bodies, pairs);
    carom_bodies set = {BODIES, bodies, PAIRS, pairs, 2};
    void *memory = malloc(carom_bodies_size(&set));
    pairs[1].b = 2;
    assert_int_equal(carom_bodies_contacts(&set, memory, &problem), CAROM_STATUS_BAD_PAIR);
    pairs[1].b = 7;
    assert_int_equal(carom_bodies_contacts(&set, memory, &problem), CAROM_STATUS_BAD_PAIR);
    pairs[1].b = 1;
    bodies[0].inv_mass = 0;
    assert_int_equal(carom_bodies_contacts(&set, memory, &problem), CAROM_STATUS_IMMOVABLE);
    set.count = 0;
    assert_int_equal(carom_bodies_contacts(&set, memory, &problem), CAROM_STATUS_BAD_SIZE);
    free(memory);
}

static void test_bad_matrices(void **state)
{
    (void)state;
    carom_contacts problem;
    double K[16] = {2, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 1, 0, 2}, u[4] = {0, -1, 0, -1};
    void *memory = malloc(carom_contacts_size(2, 2));
    assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_OK);
    K[7] = 1.5;
    assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_BAD_MATRIX);
    K[7] = K[13] = 3;
    assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_BAD_MATRIX);
    K[7] = K[13] = 0;
    K[15] = 0;
    assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_IMMOVABLE);
    u[2] = NAN;
    assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_NOT_FINITE);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_equal_jacobians),
        cmocka_unit_test(test_bad_pairs),
        cmocka_unit_test(test_bad_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
