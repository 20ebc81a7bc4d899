#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

static carom_problem reduced(const carom_realization *r)
{
    carom_body a, b;
    carom_contact contact;
    carom_problem back;
    if (r->planar) {
        assert_int_equal(carom_body_init_planar(&r->a, &a), CAROM_STATUS_OK);
        assert_int_equal(carom_body_init_planar(&r->b, &b), CAROM_STATUS_OK);
        assert_int_equal(carom_frame_init_planar(r->normal.x, r->normal.y, &contact.frame), CAROM_STATUS_OK);
    } else {
        assert_int_equal(carom_body_init(&r->a, &a), CAROM_STATUS_OK);
        assert_int_equal(carom_body_init(&r->b, &b), CAROM_STATUS_OK);
        assert_int_equal(carom_frame_init_t1(r->normal, r->t1, &contact.frame), CAROM_STATUS_OK);
    }
    contact.arm_a = r->arm_a;
    contact.arm_b = r->arm_b;
    contact.planar = r->planar;
    assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &back), CAROM_STATUS_OK);
    return back;
}

static double difference(const carom_csym *A, const carom_csym *B)
{
    double worst = fabs(A->t11 - B->t11);
    worst = fmax(worst, fmax(fabs(A->t12 - B->t12), fabs(A->t22 - B->t22)));
    worst = fmax(worst, fmax(fabs(A->t1n - B->t1n), fabs(A->t2n - B->t2n)));
    return fmax(worst, fabs(A->nn - B->nn)) / (A->t11 + A->t22 + A->nn);
}

static void test_two_bodies_have_the_given_K(void **state)
{
    (void)state;
    static const corpus_kind kinds[] = {CORPUS_GENERIC, CORPUS_SPHERE,  CORPUS_ROD,
                                        CORPUS_PLANAR,  CORPUS_CENTRAL, CORPUS_ILL};
    dice d = {101};
    double worst = 0;
    for (int i = 0; i < 6000; i++) {
        carom_problem pb = corpus_problem(&d, kinds[i % 6]);
        carom_realization r;
        assert_int_equal(carom_realize(&pb, &r), CAROM_STATUS_OK);
        carom_problem back = reduced(&r);
        worst = fmax(worst, difference(&pb.K, &back.K));
        assert_cvec_near(back.u, pb.u, largest(pb.u), 1e-15);
    }
    print_message("worst difference %.2g of the trace\n", worst);
    assert_true(worst < 1e-14);
}

/* The case that no single body can do: the same in all directions. */
static void test_a_point_mass_takes_two_bodies(void **state)
{
    (void)state;
    carom_problem pb = {{2, 0, 2, 0, 0, 2}, {1, 0, -1}};
    carom_realization r;
    assert_int_equal(carom_realize(&pb, &r), CAROM_STATUS_OK);
    carom_problem back = reduced(&r);
    assert_true(difference(&pb.K, &back.K) < 1e-15);
}

static void test_singular_K_is_refused(void **state)
{
    (void)state;
    carom_problem pendulum = {{1, 0, 0, 1, 0, 1}, {1, 0, -1}}, flat = {{1, 0, 0, 0, 0, 1}, {1, 1, -1}};
    carom_realization r;
    assert_int_equal(carom_realize(&pendulum, &r), CAROM_STATUS_BAD_MATRIX);
    assert_int_equal(carom_realize(&flat, &r), CAROM_STATUS_BAD_MATRIX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_bodies_have_the_given_K),
        cmocka_unit_test(test_a_point_mass_takes_two_bodies),
        cmocka_unit_test(test_singular_K_is_refused),
    };
    return cmocka_run_group_tests_name("realize", tests, NULL, NULL);
}
