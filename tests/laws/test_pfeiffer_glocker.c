/* Pfeiffer and Glocker's law, written once more from the equations of its page, in long double and without shortcuts.
 */
#include "support/corpus.h"
#include "support/laws.h"

#define SAME 1e-13 /* of the impulse; K is well conditioned */

typedef struct plane {
    long double K_tt, k, K_nn, u_t, v_n; /* v_n = -u_n */
    long double e, e_t, nu, mu;
} plane;

typedef struct impulse {
    long double t, n;
} impulse;

/* (1): whittaker with e = 0. */
static impulse compression(const plane *x)
{
    long double a = x->u_t + x->k * x->v_n / x->K_nn, B = x->K_tt - x->k * x->k / x->K_nn, d = a > 0 ? 1 : -1;
    impulse stick = {-a / B, (x->v_n + x->k * a / B) / x->K_nn};
    if (fabsl(stick.t) <= x->mu * stick.n)
        return stick;
    long double n = x->v_n / (x->K_nn - x->mu * x->k * d);
    impulse slip = {-x->mu * n * d, n};
    return slip;
}

static long double clip(long double x, long double low, long double high)
{
    return x < low ? low : x > high ? high : x;
}

/* (2) to (4). */
static impulse whole(const plane *x)
{
    impulse C = compression(x);
    long double P_En = x->e * C.n, u_C = x->u_t + x->K_tt * C.t + x->k * C.n;
    long double sigma = C.t > 0 ? 1 : C.t < 0 ? -1 : 0;
    long double alpha = C.t != 0 ? clip((x->nu + x->e_t * fabsl(C.t) / (x->mu * C.n)) / 2, 0, 1) : 0; /* (4) */
    long double low = x->mu * P_En * (sigma * alpha - (1 - alpha));                                   /* (3) */
    long double high = x->mu * P_En * (sigma * alpha + (1 - alpha));
    long double P_Et = clip(-(u_C + x->k * P_En) / x->K_tt, low, high); /* (2) */
    impulse P = {C.t + P_Et, C.n + P_En};
    return P;
}

static void test_equations(void **state)
{
    (void)state;
    dice d = {20261116};
    int stored = 0;
    for (int i = 0; i < 20000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
        carom_rule rule = rule_of("pfeiffer-glocker");
        carom_coeffs *c = &rule.coeffs;
        c->e = dice_between(&d, 0.1, 1);
        c->e_t = dice_between(&d, 0, 1);
        c->nu = dice_between(&d, 0, 1);
        c->mu = dice_between(&d, 0.05, 2);
        plane x = {pb.K.t11, pb.K.t1n, pb.K.nn, pb.u.t1, -pb.u.n, c->e, c->e_t, c->nu, c->mu};
        impulse want = whole(&x), C = compression(&x);
        carom_outcome out = solved(&pb, &rule);
        double scale = largest(out.p);
        assert_near(out.p.t1, (double)want.t, scale, SAME);
        assert_near(out.p.n, (double)want.n, scale, SAME);
        stored += fabsl(C.t) < 0.9L * x.mu * C.n; /* stuck in compression: (4) depends on P_Ct itself */
    }
    assert_true(stored > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_equations)};
    return cmocka_run_group_tests_name("pfeiffer-glocker", tests, NULL, NULL);
}
