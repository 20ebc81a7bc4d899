/* jia at the ends of its ranges: much friction, shallow approach, any eta and e, singular K. Each test searches a class
 * of impacts, not one example. */
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"

enum { RUNS = 400 };

static carom_rule jia(double e, double mu, double eta)
{
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    rule.coeffs.eta = eta;
    return rule;
}

/* K of a rank, as a sum of that many squares. */
static carom_csym random_K(dice *d, int rank)
{
    double value[3] = {0, 0, 0};
    carom_cvec v[3];
    dice_axes(d, v);
    for (int i = 0; i < rank; i++)
        value[i] = dice_decades(d, -1, 0.5);
    return csym_from(value, v);
}

static carom_problem random_problem(dice *d)
{
    carom_problem pb = {random_K(d, 3), dice_cvec(d)};
    pb.u.n = -fabs(pb.u.n);
    return pb;
}

static carom_rule random_rule(dice *d)
{
    return jia(dice_between(d, 0, 1), dice_between(d, 0, 2), dice_decades(d, -0.7, 0.7));
}

/* ---- much friction ---- */

/* The state of a spot that never slips: a second method, in long double, with steps of Taylor's series. */
typedef struct stuck {
    long double F[3], u[3], p[3];
} stuck;

static void advance(const carom_csym *K, long double k, long double h, stuck *x)
{
    const long double M[3][3] = {{K->t11, K->t12, K->t1n}, {K->t12, K->t22, K->t2n}, {K->t1n, K->t2n, K->nn}};
    stuck term = *x;
    for (int n = 1; n <= 24; n++) {
        stuck next = {{0}, {0}, {0}};
        for (int i = 0; i < 3; i++) {
            next.F[i] = -(i == 2 ? k : 1) * term.u[i] * h / n;
            next.p[i] = n == 1 ? x->F[i] * h : term.F[i] * h / n;
            for (int j = 0; j < 3; j++)
                next.u[i] += M[i][j] * term.F[j] * h / n;
        }
        term = next;
        for (int i = 0; i < 3; i++) {
            x->F[i] += term.F[i];
            x->u[i] += term.u[i];
            x->p[i] += term.p[i];
        }
    }
}

/* Go on until u_n rises to zero (k = eta^2), or until f falls to zero. */
static void stick_on(const carom_csym *K, long double k, bool compression, stuck *x)
{
    long double h = 0.2L / sqrtl(K->t11 + K->t22 + k * K->nn);
    for (int i = 0; i < 100000 && h > 1e-22L; i++) {
        stuck next = *x;
        advance(K, k, h, &next);
        bool beyond = compression ? next.u[2] >= 0 : next.F[2] <= 0;
        if (beyond)
            h /= 2;
        else
            *x = next;
    }
}

static carom_cvec never_slips(const carom_problem *pb, double e, double eta)
{
    stuck x = {{0, 0, 0}, {pb->u.t1, pb->u.t2, pb->u.n}, {0, 0, 0}};
    long double k = (long double)eta * eta;
    stick_on(&pb->K, k, true, &x);
    stick_on(&pb->K, k / ((long double)e * e), false, &x);
    return carom_cvec_make((double)x.p[0], (double)x.p[1], (double)x.p[2]);
}

/* The impulse tends to that of a spot which never slips, like 1 / mu, without losing digits on the way. */
static void much_friction(void **state)
{
    (void)state;
    static const double mus[] = {1e17, 1e20, 1e30, 1e60, 1e100, 1e300, (double)INFINITY};
    dice d = {20261117};
    for (int i = 0; i < RUNS / 4; i++) {
        carom_problem pb = random_problem(&d);
        carom_rule rule = random_rule(&d);
        rule.coeffs.e = dice_between(&d, 0.05, 1);
        rule.options.phases = CAROM_OPTION_PHASES_FIRST; /* as never_slips does */
        carom_cvec limit = never_slips(&pb, rule.coeffs.e, rule.coeffs.eta), slope[2];
        double size = largest(limit);
        for (int j = 0; j < 7; j++) {
            rule.coeffs.mu = mus[j];
            carom_outcome out = solved(&pb, &rule);
            assert_cvec_near(out.p, limit, size, 1e-13);
            assert_true(out.energy.change <= 0 && out.flags == 0);
        }
        for (int j = 0; j < 2; j++) {
            rule.coeffs.mu = j ? 1e8 : 1e7;
            slope[j] = carom_cvec_scale(rule.coeffs.mu, carom_cvec_sub(solved(&pb, &rule).p, limit));
        }
        assert_cvec_near(slope[1], slope[0], largest(slope[0]) + size, 1e-4);
    }
}

/* The impact of the report: the limit is p = (0.2848464171, 0.4416576136, 0.3457670773). */
static void the_reported_limit(void **state)
{
    (void)state;
    carom_problem pb = {{2.4, -0.26, 0.61, -0.73, 0.5, 3.7}, {-0.5, -0.8, -0.86}};
    carom_cvec want = {0.2848464171, 0.4416576136, 0.3457670773};
    for (double mu = 1e12; mu < 1e300; mu *= 1e9) {
        carom_rule rule = jia(0.5, mu, carom_rule_default(NULL).coeffs.eta);
        assert_cvec_near(solved(&pb, &rule).p, want, 1, 1e-10);
    }
}

/* ---- shallow approach ---- */

static carom_outcome filled_with(int byte, const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    memset(&out, byte, sizeof out);
    carom_status status = carom_solve(pb, rule, NULL, &out);
    assert_true(carom_status_is_answer(status));
    return out;
}

/* Down to the least number: every answer is written, none has a negative impulse, and Newton's restitution is e where
 * slip does not pull the contact together. */
static void shallow_approach(void **state)
{
    (void)state;
    dice d = {20261118};
    for (int i = 0; i < 10 * RUNS; i++) {
        carom_problem pb = random_problem(&d);
        carom_rule rule = random_rule(&d);
        pb.u.n *= pow(10, -i % 330);
        pb.u.n = pb.u.n < 0 ? pb.u.n : -4.9406564584124654e-324;
        carom_outcome out = filled_with(0, &pb, &rule), other = filled_with(0x41, &pb, &rule);
        assert_memory_equal(&out.p, &other.p, sizeof out.p);
        assert_memory_equal(&out.u_after, &other.u_after, sizeof out.u_after);
        assert_memory_equal(&out.energy, &other.energy, sizeof out.energy);
        assert_true(out.p.n >= 0 && out.energy.change <= 0);
        double H = pb.K.nn - rule.coeffs.mu * (pb.K.t1n * pb.u.t1 + pb.K.t2n * pb.u.t2) / carom_cvec_slip(pb.u);
        if (H > 0.01 && pb.u.n > -1e-20 && out.status == CAROM_STATUS_OK)
            assert_close(out.u_after.n, -rule.coeffs.e * pb.u.n, 1e-13);
    }
}

/* ---- eta and e ---- */

/* Any eta and e in range is answered, or refused at a limit. */
static void every_eta_and_e(void **state)
{
    (void)state;
    dice d = {20261119};
    for (int i = 0; i < RUNS; i++) {
        carom_problem pb = random_problem(&d);
        carom_rule rule = random_rule(&d);
        carom_outcome out;
        rule.coeffs.eta = i % 2 ? dice_decades(&d, -300, 300) : rule.coeffs.eta;
        rule.coeffs.e = i % 2 ? rule.coeffs.e : dice_decades(&d, -320, 0);
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        assert_true(status == CAROM_STATUS_OK || status == CAROM_STATUS_STEP_LIMIT ||
                    status == CAROM_STATUS_EVENT_LIMIT);
        assert_true(out.energy.change <= 1e-14 * out.energy.before);
    }
}

/* eta -> 0: rigid Coulomb friction, to rounding, wherever there is an answer. */
static void nearly_rigid(void **state)
{
    (void)state;
    dice d = {20261123};
    int answers = 0;
    for (int i = 0; i < RUNS; i++) {
        carom_problem pb = random_problem(&d);
        carom_rule rule = random_rule(&d), rigid = rule;
        rule.coeffs.eta = dice_decades(&d, -300, -7);
        rigid.law = carom_law_find("routh-stronge");
        carom_outcome out;
        if (carom_solve(&pb, &rule, NULL, &out) != CAROM_STATUS_OK)
            continue;
        carom_cvec want = solved(&pb, &rigid).p;
        assert_cvec_near(out.p, want, largest(want), 1e-13);
        answers++;
    }
    assert_true(answers > RUNS / 2);
}

/* eta -> infinity: tangential springs too soft to matter. */
static void soft_tangential_springs(void **state)
{
    (void)state;
    dice d = {20261120};
    for (int i = 0; i < RUNS; i++) {
        carom_problem pb = random_problem(&d);
        carom_rule rule = random_rule(&d);
        rule.coeffs.eta = dice_decades(&d, 10, 300);
        carom_outcome out = solved(&pb, &rule);
        carom_cvec want = {0, 0, -(1 + rule.coeffs.e) * pb.u.n / pb.K.nn};
        if (rule.coeffs.mu > 1e-6)
            assert_cvec_near(out.p, want, want.n, 1e-13);
    }
}

/* e -> 0: like e, down to the least number, where the tangential springs do not load the contact again. */
static void nearly_plastic(void **state)
{
    (void)state;
    const carom_problem pb = {{2.85, 0.21, 2.43, -1.62, 0.33, 1.94}, {-2.31, 0.87, -1.74}};
    carom_rule rule = jia(0, 0.37, 0.83);
    carom_cvec plastic = solved(&pb, &rule).p;
    for (double e = 0.1; e > 0; e /= 8) {
        rule.coeffs.e = e;
        assert_cvec_near(solved(&pb, &rule).p, plastic, plastic.n, 2 * e + 1e-15);
    }
}

/* ---- singular K ---- */

/* A problem of rank one or two; every fourth has a velocity that no impulse can make. */
static carom_problem singular_problem(dice *d, int i)
{
    carom_problem pb = {random_K(d, 1 + i % 2), dice_cvec(d)};
    if (i % 4 < 3)
        pb.u = carom_csym_apply(pb.K, pb.u);
    return pb.u.n > 0 ? (carom_problem){pb.K, carom_cvec_scale(-1, pb.u)} : pb;
}

/* No energy, no penetration, and the same answer in turned tangents. */
static void singular(void **state)
{
    (void)state;
    dice d = {20261121};
    int compared = 0;
    for (int i = 0; i < 4 * RUNS; i++) {
        carom_problem pb = singular_problem(&d, i);
        carom_rule rule = random_rule(&d);
        double angle = dice_between(&d, 0, 6.28);
        carom_direction turn = {cos(angle), sin(angle)};
        carom_problem turned = carom_problem_turned(&pb, turn);
        carom_outcome out, other;
        carom_status status = carom_solve(&pb, &rule, NULL, &out), second = carom_solve(&turned, &rule, NULL, &other);
        if (!carom_status_is_answer(status) || !carom_status_is_answer(second))
            continue;
        assert_false(out.flags & ~(unsigned)CAROM_FLAG_JAM);
        if (i % 4 == 3)
            continue;
        carom_cvec p = {turn.c * out.p.t1 + turn.s * out.p.t2, -turn.s * out.p.t1 + turn.c * out.p.t2, out.p.n};
        assert_cvec_near(other.p, p, largest(p), 1e-7);
        assert_cvec_near(carom_csym_apply(pb.K, out.p), carom_cvec_sub(out.u_after, pb.u), largest(pb.u), 1e-11);
        compared++;
    }
    assert_true(compared > 2.9 * RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_friction),    cmocka_unit_test(the_reported_limit),
        cmocka_unit_test(shallow_approach), cmocka_unit_test(every_eta_and_e),
        cmocka_unit_test(nearly_rigid),     cmocka_unit_test(soft_tangential_springs),
        cmocka_unit_test(nearly_plastic),   cmocka_unit_test(singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
