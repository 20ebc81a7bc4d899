/* The incremental laws at the ends of their ranges: infinite and vanishing friction, an approach far below the slip,
 * numbers near the ends of double. Every answer is compared with a closed form, a limit, or the same impact in other
 * units. */
#include <string.h>

#include "support/corpus.h"
#include "support/incremental.h"

#define TOL 1e-12 /* of the impulse; K has a condition number up to 1e3 */

static carom_outcome solve_raw(const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    assert_int_equal(carom_solve(pb, rule, NULL, &out), CAROM_STATUS_OK);
    return out;
}

/* In space, in a plane, or a sphere. */
static carom_problem any_problem(dice *d, int kind)
{
    carom_cvec v[3];
    dice_axes(d, v);
    const double size[3] = {1, dice_decades(d, -1.5, 0), dice_decades(d, -1.5, 0)};
    carom_problem pb = {csym_from(size, v), dice_cvec(d)};
    pb.u.n = -dice_decades(d, -1, 1);
    if (kind == 1)
        pb.K.t12 = pb.K.t22 = pb.K.t2n = pb.u.t2 = 0;
    if (kind == 2)
        pb.K = (carom_csym){pb.K.t11, 0, pb.K.t11, 0, 0, pb.K.nn};
    return pb;
}

static void assert_same_impulse(carom_cvec p, carom_cvec q, double tol)
{
    assert_true(largest(carom_cvec_sub(p, q)) <= tol * largest(q));
}

/* Slip stops before p_n has grown: p_t = -M^-1 u_t, u_n = u_n - a.u_t; then it sticks, u_n' = kappa. */
static carom_cvec stuck(const carom_problem *pb, int law, double e)
{
    const carom_csym *K = &pb->K;
    const carom_cvec u = pb->u;
    bool one = K->t22 == 0;
    double det = one ? K->t11 : K->t11 * K->t22 - K->t12 * K->t12, m11 = one ? 1 : K->t22, m22 = one ? 0 : K->t11;
    double a1 = (m11 * K->t1n - K->t12 * K->t2n) / det, a2 = (m22 * K->t2n - K->t12 * K->t1n) / det;
    double kappa = K->nn - a1 * K->t1n - a2 * K->t2n, u_1 = u.n - a1 * u.t1 - a2 * u.t2;
    double p_n = (law == NEWTON ? -e * u.n - u_1 : -(1 + e) * u_1) / kappa;
    return carom_cvec_make((K->t12 * u.t2 - m11 * u.t1) / det - a1 * p_n, (K->t12 * u.t1 - m22 * u.t2) / det - a2 * p_n,
                           p_n);
}

static void infinite_friction_stops_slip_at_once(void **state)
{
    (void)state;
    int sticks = 0;
    dice d = {71};
    for (int i = 0; i < 6000; i++) {
        const int law = i % 3;
        const carom_problem pb = any_problem(&d, i / 3 % 3);
        carom_rule rule = rule_of(law, dice_between(&d, 0, 1), INFINITY);
        const carom_outcome out = solve_raw(&pb, &rule);
        if (strcmp(out.mode, "C-sticking") == 0) {
            assert_same_impulse(out.p, stuck(&pb, law, rule.coeffs.e), TOL);
            sticks++;
        }
        for (double mu = 1e20; mu < 1e305; mu *= 1e40) {
            rule.coeffs.mu = mu;
            const carom_outcome near = solve_raw(&pb, &rule);
            assert_string_equal(near.mode, out.mode);
            assert_same_impulse(near.p, out.p, TOL);
        }
    }
    assert_in_range(sticks, 3000, 6000);
}

/* mu times K leaves the range of double; the answer does not. */
static void mu_times_K_may_overflow(void **state)
{
    (void)state;
    const double size = 0x1p60;
    dice d = {73};
    for (int i = 0; i < 600; i++) {
        const carom_problem pb = any_problem(&d, i / 3 % 3);
        const carom_rule rule = rule_of(i % 3, 0.5, 1.7e308);
        carom_problem heavy = pb;
        const carom_csym *K = &pb.K;
        heavy.K = (carom_csym){size * K->t11, size * K->t12, size * K->t22, size * K->t1n, size * K->t2n, size * K->nn};
        const carom_outcome one = solved(&pb, &rule), two = solved(&heavy, &rule);
        assert_same_impulse(carom_cvec_scale(size, two.p), one.p, 4 * EPS);
        assert_true(one.p.n > 0 || one.u_after.n > 0);
    }
}

/* An approach far below the slip: with h > 0 slip does not change and all laws agree; with h < 0 it is a jam, and the
 * answer that of grazing. */
static void slow_approach(void **state)
{
    (void)state;
    int jams = 0;
    dice d = {79};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = any_problem(&d, i / 3 % 3);
        const double e = dice_between(&d, 0.1, 1), mu = dice_between(&d, 0.05, 3), slip = hypot(pb.u.t1, pb.u.t2);
        const double share = dice_decades(&d, -99, -60), c1 = pb.u.t1 / slip, c2 = pb.u.t2 / slip;
        const double h = pb.K.nn - mu * (c1 * pb.K.t1n + c2 * pb.K.t2n);
        const carom_rule rule = rule_of(i % 3, e, mu);
        pb.u.n = -slip * share;
        const carom_outcome out = solved(&pb, &rule);
        if (h > 1e-3) {
            const double p_n = (1 + e) * slip * share / h;
            assert_same_impulse(out.p, carom_cvec_make(-mu * p_n * c1, -mu * p_n * c2, p_n), 1e-12);
        } else if (h < -1e-3) {
            pb.u.n = 0;
            assert_same_impulse(out.p, solved(&pb, &rule).p, 1e-12);
            jams++;
        }
    }
    assert_true(jams > 100);
}

/* Friction that cannot turn or stop the slip: p_t opposes it. */
static void little_friction(void **state)
{
    (void)state;
    dice d = {83};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = any_problem(&d, i / 3 % 3);
        pb.K.t1n = pb.K.t2n = 0;
        const double mu = dice_decades(&d, -300, -30), slip = hypot(pb.u.t1, pb.u.t2);
        const carom_rule rule = rule_of(i % 3, 0.5, mu);
        const carom_outcome out = solved(&pb, &rule);
        const double p_n = -1.5 * pb.u.n / pb.K.nn;
        assert_near(out.p.n, p_n, p_n, 4 * EPS);
        assert_near(out.p.t1, -mu * p_n * pb.u.t1 / slip, mu * p_n, 1e-14);
        assert_near(out.p.t2, -mu * p_n * pb.u.t2 / slip, mu * p_n, 1e-14);
        assert_near(out.restitution.stronge, 0.5, 1, 1e-14);
    }
}

/* The same impact in other units of mass, length and time: the same digits. */
static void units(void **state)
{
    (void)state;
    dice d = {89};
    for (int i = 0; i < 3000; i++) {
        const carom_problem pb = any_problem(&d, i / 3 % 3);
        const carom_rule rule = rule_of(i % 3, dice_between(&d, 0, 1), dice_between(&d, 0.05, 2));
        const double u = ldexp(1, dice_below(&d, 601) - 300), k = ldexp(1, dice_below(&d, 301) - 150);
        const carom_csym *K = &pb.K;
        const carom_problem other = {{k * K->t11, k * K->t12, k * K->t22, k * K->t1n, k * K->t2n, k * K->nn},
                                     carom_cvec_scale(u, pb.u)};
        const carom_outcome one = solve_raw(&pb, &rule), two = solve_raw(&other, &rule);
        const carom_cvec p = carom_cvec_scale(k / u, two.p), v = carom_cvec_scale(1 / u, two.u_after);
        assert_memory_equal(&p, &one.p, sizeof p);
        assert_memory_equal(&v, &one.u_after, sizeof v);
    }
}

/* Denormal speeds: no NaN anywhere. */
static void denormal_speeds(void **state)
{
    (void)state;
    dice d = {97};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = any_problem(&d, i / 3 % 3);
        const carom_rule rule = rule_of(i % 3, dice_between(&d, 0, 1), dice_between(&d, 0, 2));
        pb.u = carom_cvec_make(i % 5 ? pb.u.t1 * 1e-321 : 0, i / 3 % 3 == 1 ? 0 : pb.u.t2 * 1e-320, -5e-324);
        const carom_outcome out = solve_raw(&pb, &rule);
        const carom_phases *ph = &out.phases;
        const double sum = out.p.t1 + out.p.t2 + out.p.n + out.u_after.t1 + out.u_after.t2 + out.u_after.n;
        const double works = ph->work_compression + ph->work_decompression + ph->work_friction + ph->p_compression;
        assert_true(isfinite(sum) && isfinite(works) && isfinite(ph->p_restitution));
        assert_true(out.p.n >= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infinite_friction_stops_slip_at_once),
        cmocka_unit_test(mu_times_K_may_overflow),
        cmocka_unit_test(slow_approach),
        cmocka_unit_test(little_friction),
        cmocka_unit_test(units),
        cmocka_unit_test(denormal_speeds),
    };
    return cmocka_run_group_tests_name("coulomb-limits", tests, NULL, NULL);
}
