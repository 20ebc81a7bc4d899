/* The kernels of the contact-force laws against each other, light dashpots, nonuniqueness, bounds and bad input. */
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"
#include "support/laws.h"

#define SAME_TOL 1e-12 /* closed form against series */

static const char *const linear_laws[] = {"spring-dashpot", "walton", "chatterjee-spring", "hunt-crossley"};
enum { LINEAR_LAWS = sizeof linear_laws / sizeof linear_laws[0], ROUNDS = 3000 };

static carom_rule random_rule(dice *d, const char *id)
{
    carom_rule rule = rule_of(id);
    carom_coeffs *c = &rule.coeffs;
    c->k = dice_between(d, 50, 500);
    c->k_t = dice_between(d, 40, 400);
    c->c = dice_between(d, 0, 1) < 0.5 ? 0 : dice_between(d, 0.5, 40);
    c->c_t = dice_between(d, 0, 1) < 0.5 ? 0 : dice_between(d, 0.5, 10);
    c->e = dice_between(d, 0, 1) < 0.05 ? 0 : dice_between(d, 0.05, 1);
    c->mu = dice_between(d, 0, 1) < 0.1 ? 0 : dice_between(d, 0.05, 1.5);
    return rule;
}

static carom_problem random_ball(dice *d)
{
    carom_problem pb = {{dice_between(d, 0.6, 5), 0, 0, 0, 0, dice_between(d, 0.5, 1.1)},
                        {dice_between(d, -3, 3), 0, -dice_between(d, 0.2, 2)}};
    pb.u.t1 = dice_between(d, 0, 1) < 0.06 ? 0 : pb.u.t1;
    return pb;
}

static void assert_same(const carom_outcome *a, const carom_outcome *b)
{
    const carom_contact_force *f = &a->force, *g = &b->force;
    const double E = a->energy.before;
    assert_cvec_near(a->p, b->p, largest(b->p), SAME_TOL);
    assert_near(f->duration, g->duration, g->duration, SAME_TOL);
    assert_near(f->max_compression, g->max_compression, g->max_compression, SAME_TOL);
    assert_near(f->peak_force, g->peak_force, g->peak_force, SAME_TOL);
    assert_near(f->dissipated_normal, g->dissipated_normal, E, SAME_TOL);
    assert_near(f->dissipated_friction, g->dissipated_friction, E, SAME_TOL);
    assert_near(f->dissipated_tangential, g->dissipated_tangential, E, SAME_TOL);
    assert_near(f->residual_tangential, g->residual_tangential, E, SAME_TOL);
}

/* A coupling of 1e-290 takes the road of the series and changes nothing. A slip of no length at the very end may be a
 * mode for one and not for the other. */
static void test_closed_form_is_series(void **state)
{
    (void)state;
    dice d = {8};
    for (int i = 0; i < ROUNDS; i++) {
        const carom_rule rule = random_rule(&d, linear_laws[i % LINEAR_LAWS]);
        carom_problem pb = random_ball(&d), coupled = pb;
        coupled.K.t1n = 1e-290;
        const carom_outcome a = solved(&pb, &rule), b = solved(&coupled, &rule);
        assert_same(&a, &b);
        assert_int_equal(a.force.modes[0], b.force.modes[0]);
        assert_in_range(b.force.mode_count - a.force.mode_count + 1, 0, 2);
    }
}

typedef struct path_end {
    carom_cvec p;
    double time, gap; /* largest distance between the end of a piece and the beginning of the next */
    int pieces;
} path_end;

static void follow(void *context, const carom_piece *piece)
{
    path_end *path = context;
    carom_state first, last;
    piece->at(piece, 0, &first);
    piece->at(piece, 1, &last);
    if (path->pieces++ > 0)
        path->gap = fmax(path->gap, largest(carom_cvec_sub(first.p, path->p)) + fabs(first.time - path->time));
    path->p = last.p;
    path->time = last.time;
}

/* The pieces of a trace join, and end where the answer does. */
static void test_trace_of_closed_form(void **state)
{
    (void)state;
    dice d = {9};
    for (int i = 0; i < 200; i++) {
        const carom_rule rule = random_rule(&d, linear_laws[i % LINEAR_LAWS]);
        const carom_problem pb = random_ball(&d);
        path_end path = {{0, 0, 0}, 0, 0, 0};
        const carom_tracer tracer = {NULL, follow, &path};
        carom_outcome out;
        assert_int_equal(carom_solve(&pb, &rule, &tracer, &out), CAROM_STATUS_OK);
        assert_true(path.gap < 1e-13);
        assert_cvec_near(path.p, out.p, largest(out.p), 1e-13);
        assert_near(path.time, out.force.duration, out.force.duration, 1e-13);
    }
}

/* ---- light dashpots ---- */

static carom_cvec with_dashpots(carom_rule rule, const carom_problem *pb, double c, double c_t)
{
    carom_outcome out;
    rule.coeffs.c = c;
    rule.coeffs.c_t = c_t;
    carom_status status = carom_solve(pb, &rule, NULL, &out);
    if (status)
        print_error("%s, c %g, c_t %g: %s\n", rule.law->id, c, c_t, carom_status_id(status));
    assert_int_equal(status, CAROM_STATUS_OK);
    return out.p;
}

/* Slip relaxes in a time c_t/k_t, however short; the answer tends to that without dashpots, in proportion. */
static void test_light_dashpots(void **state)
{
    (void)state;
    static const char *const ids[] = {"eigen-springs", "spring-dashpot", "walton", "chatterjee-spring"};
    dice d = {10};
    for (int i = 0; i < 400; i++) {
        carom_rule rule = random_rule(&d, ids[i % 4]);
        carom_problem pb = random_ball(&d);
        if (i % 4 == 0 || i % 8 < 4) /* with coupling, and in closed form */
            pb.K.t1n = dice_between(&d, -0.2, 0.2);
        rule.coeffs.mu = dice_between(&d, 0.05, 0.5);
        rule.coeffs.e = dice_between(&d, 0.3, 1);
        const carom_cvec none = with_dashpots(rule, &pb, 0, 0);
        for (double light = 1e-3; light > 1e-11; light /= 10) {
            carom_cvec p = with_dashpots(rule, &pb, light, 2 * light);
            assert_true(largest(carom_cvec_sub(p, none)) < 100 * light * largest(none));
        }
    }
}

/* One dashpot alone along an axis of K that is tilted: in slip F_n is zero at first touch and rises. */
static void test_one_dashpot(void **state)
{
    (void)state;
    dice d = {11};
    for (int i = 0; i < 1000; i++) {
        carom_rule rule = random_rule(&d, "eigen-springs");
        carom_problem pb = random_ball(&d);
        carom_outcome out, near;
        pb.K.t1n = dice_between(&d, -0.3, 0.3);
        rule.coeffs.c = 0;
        rule.coeffs.c_t = dice_between(&d, 0.5, 5);
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        if (status == CAROM_STATUS_NOT_REGULAR)
            continue;
        assert_int_equal(status, CAROM_STATUS_OK);
        assert_true(out.u_after.n > 0 && out.force.peak_force > 0);
        rule.coeffs.c = 1e-9;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &near), CAROM_STATUS_OK);
        assert_cvec_near(near.p, out.p, largest(out.p), 1e-7);
    }
}

/* A vibrating body pulls while F_n fades: what is left of the impulse is not known from v_n. Every impact ends. */
static void test_vibrating_slip(void **state)
{
    (void)state;
    static const carom_mode modes[] = {{9, 0.05, {0.3, 0.2, 0.5}, 0, 0}, {17, 0.2, {-0.2, 0.4, 0.3}, 0, 0}};
    static const carom_vibration bell = {modes, 2, 0, NULL};
    dice d = {12};
    for (int i = 0; i < 1500; i++) {
        carom_rule rule = random_rule(&d, "modal");
        const carom_problem pb = {corpus_spread(&d, 0.6), {dice_between(&d, -2, 2), 0.2, -dice_between(&d, 0.2, 2)}};
        rule.coeffs.c_t = 0;
        rule.coeffs.exponent = dice_between(&d, 1.6, 2.4);
        rule.coeffs.a = dice_between(&d, 0, 1.2);
        rule.vibration = &bell;
        (void)solved(&pb, &rule);
    }
}

/* ---- section 8.5.1 ---- */

typedef struct contact_point {
    double C_tt, C_nt, mu, F_t, F_n; /* the forces at w = 0 */
} contact_point;

static double slip_divisor(const contact_point *x, double sigma)
{
    return x->C_tt + x->mu * sigma * x->C_nt;
}

/* w = -u of the thesis: F_N = 1 - u/2, F_T = 5 - 3u/2, mu = 6. Stick, u = 0, has F_T = 5 < 6; slip, u = 2/3, has F_N =
 * 2/3 and F_T = 4 = 6 F_N. The divisor of (3) is negative there: with a small mass at the point this slip is unstable,
 * and the rule (5) of the law excludes it. */
static void test_nonuniqueness_numbers(void **state)
{
    (void)state;
    const double half = 0.5; /* cos^2 = sin^2 = cos sin at pi/4 */
    const contact_point x = {2 * half + 1 * half, 2 * half - 1 * half, 6, 5, 1};
    assert_true(fabs(x.F_t) < x.mu * x.F_n);
    const double w = -(x.F_t - x.mu * x.F_n) / slip_divisor(&x, -1);
    assert_close(w, -2.0 / 3, 1e-15);
    assert_close(x.F_n + x.C_nt * w, 2.0 / 3, 1e-15);
    assert_close(x.F_t + x.C_tt * w, 4.0, 1e-15);
    assert_true(slip_divisor(&x, -1) < 0);
    assert_true(slip_divisor(&x, 1) > 0 &&
                -(x.F_t + x.mu * x.F_n) / slip_divisor(&x, 1) < 0); /* u < 0: w has no sigma */
}

/* The law sticks where it may, and says that this was a choice. */
static void test_nonuniqueness_rule(void **state)
{
    (void)state;
    const carom_problem pb = {{1.5, 0, 0, 0.5, 0, 1.5}, {-1, 0, -1}}, faster = {pb.K, {-3, 0, -1}};
    carom_rule rule = rule_of("eigen-springs");
    carom_outcome out;
    rule.coeffs.k = rule.coeffs.k_t = 100;
    rule.coeffs.c = 1;
    rule.coeffs.c_t = 2;
    rule.coeffs.mu = 6;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
    assert_true(out.flags & CAROM_FLAG_NOT_UNIQUE);
    assert_int_equal(out.force.modes[0], CAROM_CONTACT_MODE_STICK);
    assert_int_equal(carom_solve(&faster, &rule, NULL, &out),
                     CAROM_STATUS_NOT_REGULAR); /* stick ends, slip would jam */
    rule.coeffs.mu = 2.9;                       /* C_tt = 1.5 > mu C_nt = 1.45 */
    assert_false(solved(&pb, &rule).flags & CAROM_FLAG_NOT_UNIQUE);
}

/* ---- bounds and bad input ---- */

static carom_status status_of(const carom_rule *rule)
{
    const carom_problem pb = {{2, 0, 0, 0.3, 0, 1}, {0.4, 0, -1}};
    carom_outcome out;
    return carom_solve(&pb, rule, NULL, &out);
}

static void test_bad_coefficients(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        size_t field;
        double value;
    } bad[] = {
        {"spring-dashpot", offsetof(carom_coeffs, k), -1},
        {"spring-dashpot", offsetof(carom_coeffs, k), 0},
        {"spring-dashpot", offsetof(carom_coeffs, c), -0.1},
        {"spring-dashpot", offsetof(carom_coeffs, k_t), -2},
        {"spring-dashpot", offsetof(carom_coeffs, c_t), -3},
        {"spring-dashpot", offsetof(carom_coeffs, mu), -0.2},
        {"hunt-crossley", offsetof(carom_coeffs, exponent), 0.9},
        {"hunt-crossley", offsetof(carom_coeffs, a), -1},
        {"hertz", offsetof(carom_coeffs, R), -0.01},
        {"hertz", offsetof(carom_coeffs, E_star), 0},
        {"walton", offsetof(carom_coeffs, e), 1.1},
        {"chatterjee-spring", offsetof(carom_coeffs, e), -0.1},
        {"split-mass", offsetof(carom_coeffs, k_t1), -1},
        {"split-mass", offsetof(carom_coeffs, k_t2), -1},
        {"mindlin", offsetof(carom_coeffs, annuli), 0},
        {"mindlin", offsetof(carom_coeffs, annuli), 4097},
        {"mindlin", offsetof(carom_coeffs, annuli), 2.5},
        {"mindlin", offsetof(carom_coeffs, kappa), -1},
        {"thornton", offsetof(carom_coeffs, Y), 0},
        {"ivanov-potential", offsetof(carom_coeffs, c_1), -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        carom_rule rule = rule_of(bad[i].law);
        memcpy((char *)&rule.coeffs + bad[i].field, &bad[i].value, sizeof bad[i].value);
        assert_int_equal(status_of(&rule), CAROM_STATUS_BAD_COEFFICIENT);
    }
}

static void test_bad_modes(void **state)
{
    (void)state;
    static const carom_mode bad[] = {{-1, 0, {0, 0, 1}, 0, 0},
                                     {1, -0.1, {0, 0, 1}, 0, 0},
                                     {1, 0, {0, NAN, 1}, 0, 0},
                                     {INFINITY, 0, {0, 0, 1}, 0, 0},
                                     {1, 0, {0, 0, 1}, NAN, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        carom_rule rule = rule_of("modal");
        const carom_vibration one = {&bad[i], 1, 0, NULL};
        rule.vibration = &one;
        assert_int_equal(status_of(&rule), CAROM_STATUS_BAD_MODE);
    }
}

/* Every bound has its own status: steps, time. */
static void test_bounds(void **state)
{
    (void)state;
    carom_rule rule = rule_of("spring-dashpot");
    rule.coeffs.k = 100;
    rule.coeffs.k_t = 1e14;
    rule.coeffs.c = 0;
    rule.coeffs.mu = 50;
    assert_int_equal(status_of(&rule), CAROM_STATUS_STEP_LIMIT);
    static const carom_mode drifts = {
        0, 0, {0, 0, 0.3}, 0, 0}; /* a free part: whether it comes back cannot be excluded */
    static const carom_vibration free_part = {&drifts, 1, 1, NULL};
    rule = rule_of("modal");
    rule.vibration = &free_part;
    assert_int_equal(status_of(&rule), CAROM_STATUS_ENDLESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form_is_series),
        cmocka_unit_test(test_trace_of_closed_form),
        cmocka_unit_test(test_light_dashpots),
        cmocka_unit_test(test_one_dashpot),
        cmocka_unit_test(test_vibrating_slip),
        cmocka_unit_test(test_nonuniqueness_numbers),
        cmocka_unit_test(test_nonuniqueness_rule),
        cmocka_unit_test(test_bad_coefficients),
        cmocka_unit_test(test_bad_modes),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests_name("kernels of the contact-force laws", tests, NULL, NULL);
}
