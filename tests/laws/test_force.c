/* The contact-force laws: closed forms in one dimension, energy, symmetry, homogeneity, limits, refusals.
 *
 * CAROM_FORCE_IMPACTS=100000 in the environment sets the number of random impacts per law; `./run test-force` does so.
 */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"
#include "support/laws.h"

enum { DEFAULT_IMPACTS = 300 };

#define BALANCE_TOL  1e-12 /* of the energies that add up */
#define ONE_TOL      1e-13 /* closed forms in one dimension */
#define SYMMETRY_TOL 1e-9  /* of the impulse */

static const char *const ids[] = {"spring-dashpot",    "hunt-crossley", "hertz",         "walton",
                                  "chatterjee-spring", "split-mass",    "eigen-springs", "ivanov-potential",
                                  "mindlin",           "modal",         "thornton"};
enum { LAWS = sizeof ids / sizeof ids[0] };

static const carom_mode modes[] = {{9, 0.05, {0.3, 0.2, 0.5}, 0, 0}, {17, 0.2, {-0.2, 0.4, 0.3}, 0, 0}};
static const carom_vibration bell = {modes, 2, 0, NULL};

static int impacts(void)
{
    const char *text = getenv("CAROM_FORCE_IMPACTS");
    return text ? atoi(text) : DEFAULT_IMPACTS;
}

/* ---- random impacts ---- */

/* Coefficients at which stick, slip and damping all matter for masses and velocities about one. */
static carom_rule random_rule(dice *d, const char *id)
{
    carom_rule rule = rule_of(id);
    carom_coeffs *c = &rule.coeffs;
    c->k = dice_between(d, 50, 500);
    c->k_t = c->k_t1 = dice_between(d, 40, 400);
    c->k_t2 = dice_between(d, 0, 1) < 0.5 ? c->k_t1 : dice_between(d, 40, 400);
    c->c = dice_between(d, 0, 1) < 0.5 ? 0 : dice_between(d, 0.5, 8);
    c->c_t = dice_between(d, 0, 1) < 0.5 ? 0 : dice_between(d, 0.5, 5);
    c->e = dice_between(d, 0.05, 1);
    c->mu = dice_between(d, 0, 1) < 0.1 ? 0 : dice_between(d, 0.05, 1.5);
    c->exponent = dice_between(d, 0, 1) < 0.4 ? 1 : dice_between(d, 0, 1) < 0.5 ? 1.5 : dice_between(d, 1.2, 2.5);
    c->a = dice_between(d, 0, 1) < 0.3 ? 0 : dice_between(d, 0, 1.2);
    c->E_star = dice_between(d, 500, 5000);
    c->R = dice_between(d, 0.2, 2);
    c->annuli = 8;
    c->Y = c->E_star * dice_between(d, 0.01, 0.3); /* from deep yield to hardly any */
    c->c_1 = dice_between(d, 20, 200);
    if (strcmp(id, "modal") == 0)
        rule.vibration = &bell;
    return rule;
}

static carom_problem random_problem(dice *d, bool planar)
{
    carom_problem pb = {corpus_spread(d, 0.6), dice_cvec(d)};
    pb.u.n = -fabs(pb.u.n) - 0.2;
    if (planar)
        pb.K.t12 = pb.K.t2n = pb.K.t22 = pb.u.t2 = 0;
    return pb;
}

/* A law may refuse what its page puts out of scope. */
static bool may_refuse(carom_status status)
{
    return status == CAROM_STATUS_PAINLEVE || status == CAROM_STATUS_LOST || status == CAROM_STATUS_NOT_REGULAR ||
           status == CAROM_STATUS_OUT_OF_SCOPE;
}

static double loss_of(const carom_contact_force *f)
{
    return f->dissipated_normal + f->dissipated_friction + f->dissipated_tangential + f->residual_tangential +
           f->vibration_energy + f->dissipated_vibration;
}

/* The rest of a split mass may still approach when contact is lost, and so may a body that vibrates. */
static bool separates(const carom_law *law)
{
    return strcmp(law->id, "split-mass") != 0 && strcmp(law->id, "modal") != 0;
}

static void check_outcome(const carom_law *law, const carom_problem *pb, const carom_outcome *out)
{
    const carom_contact_force *f = &out->force;
    double scale = fabs(f->dissipated_normal) + f->dissipated_friction + out->energy.before;
    assert_false(out->flags & CAROM_FLAG_CREATES_ENERGY);
    assert_true(f->dissipated_friction >= -BALANCE_TOL * scale && f->dissipated_tangential >= -BALANCE_TOL * scale);
    assert_true(f->duration >= 0 && f->max_compression >= 0 && f->peak_force >= 0 && f->mode_count > 0);
    if (fabs(loss_of(f) + out->energy.change) > BALANCE_TOL * scale)
        print_error("%s %s c_t-loss %g\n", law->id, out->mode, f->dissipated_tangential);
    assert_near(loss_of(f), -out->energy.change, scale, BALANCE_TOL);
    if (separates(law))
        assert_true(out->u_after.n >= 1e-12 * pb->u.n);
    if (law->traits & CAROM_TRAIT_CONE_SAFE)
        assert_false(out->flags & CAROM_FLAG_OUTSIDE_CONE);
    if (out->phases.first) /* a split mass that is all plastic has no path */
        assert_string_equal(out->phases.first, carom_contact_mode_word((carom_contact_mode)f->modes[0]));
    else
        assert_string_equal(law->id, "split-mass");
}

static void test_energy(void **state)
{
    (void)state;
    for (int l = 0; l < LAWS; l++) {
        dice d = {31 + (uint64_t)l};
        int answered = 0;
        for (int i = 0; i < impacts(); i++) {
            carom_rule rule = random_rule(&d, ids[l]);
            bool planar = (rule.law->traits & CAROM_TRAIT_PLANAR_ONLY) || i % 2;
            carom_problem pb = random_problem(&d, planar);
            carom_outcome out;
            carom_status status = carom_solve(&pb, &rule, NULL, &out);
            bool breaks_away = strcmp(ids[l], "split-mass") == 0 && !planar; /* stiff: its page */
            if (may_refuse(status) || (breaks_away && status == CAROM_STATUS_STEP_LIMIT))
                continue;
            if (!carom_status_is_answer(status))
                print_error("%s, impact %d: %s\n", ids[l], i, carom_status_id(status));
            assert_true(carom_status_is_answer(status));
            check_outcome(rule.law, &pb, &out);
            answered++;
        }
        assert_true(answered > impacts() / 2);
    }
}

/* Turning the tangents turns the impulse. */
static void test_turned_axes(void **state)
{
    (void)state;
    dice d = {77};
    for (int i = 0; i < 20 * LAWS; i++) {
        carom_rule rule = random_rule(&d, ids[i % LAWS]);
        bool planar = rule.law->traits & CAROM_TRAIT_PLANAR_ONLY;
        carom_problem pb = random_problem(&d, planar);
        carom_direction turn = {0.6, 0.8};
        carom_problem turned = carom_problem_turned(&pb, turn);
        carom_outcome was, out;
        rule.vibration = NULL;
        if (!(rule.law->traits & CAROM_TRAIT_FRAME_FREE) || carom_solve(&pb, &rule, NULL, &was))
            continue;
        assert_int_equal(carom_solve(&turned, &rule, NULL, &out), CAROM_STATUS_OK);
        carom_cvec p = was.p;
        carom_cvec want = {0.6 * p.t1 + 0.8 * p.t2, -0.8 * p.t1 + 0.6 * p.t2, p.n};
        assert_cvec_near(out.p, want, largest(p), SYMMETRY_TOL);
    }
}

/* ---- one dimension: mass m = 1/K_nn, speed v ---- */

#define MASS  0.37
#define SPEED 2.385

static carom_outcome head_on(carom_rule rule)
{
    carom_problem pb = {{2.5 / MASS, 0, 2.5 / MASS, 0, 0, 1 / MASS}, {0, 0, -SPEED}};
    return solved(&pb, &rule);
}

static void check_head_on(carom_rule rule, double e, double time, double depth)
{
    carom_outcome out = head_on(rule);
    assert_close(out.u_after.n, e * SPEED, ONE_TOL);
    assert_close(out.force.duration, time, ONE_TOL);
    assert_close(out.force.max_compression, depth, ONE_TOL);
}

static void test_one_dimension(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, k = 731, e = 0.62, w = sqrt(k / MASS);
    carom_rule rule = rule_of("spring-dashpot");
    rule.coeffs.k = k;
    for (int i = 0; i < 4; i++) {
        double zeta = (double[]){0.05, 0.6, 1, 2.3}[i], e_zeta = carom_e_from_zeta(zeta);
        rule.coeffs.c = 2 * zeta * sqrt(k * MASS);
        check_head_on(rule, e_zeta, carom_spring_dashpot_phase(zeta) / w, SPEED / w * sqrt(e_zeta));
    }
    rule.coeffs.c = CAROM_NOT_GIVEN;
    rule.coeffs.e = e;
    assert_close(head_on(rule).u_after.n, e * SPEED, ONE_TOL);
    rule = rule_of("walton");
    rule.coeffs.k = k;
    rule.coeffs.e = e;
    check_head_on(rule, e, pi / 2 * (1 + e) / w, SPEED / w);
    rule.law = carom_law_find("chatterjee-spring");
    check_head_on(rule, e, pi / 2 * (1 + 1 / e) / w, SPEED / w);
    rule.law = carom_law_find("split-mass");
    check_head_on(rule, e, pi * sqrt(e) / w, SPEED * sqrt(e) / w);
}

/* Thesis, section 8.2, and its generalization to every exponent. */
static void test_one_dimension_powers(void **state)
{
    (void)state;
    const double k = 731;
    carom_rule rule = rule_of("hunt-crossley");
    rule.coeffs.k = k;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++) {
            double A = (double[]){0.1, 0.5, 1, 5, 30}[i], m = (double[]){1, 1.5, 2.2}[j];
            rule.coeffs.exponent = m;
            rule.coeffs.a = A / SPEED;
            carom_outcome out = head_on(rule);
            double x = pow((m + 1) * MASS * SPEED * SPEED * (1 - log1p(A) / A) / (k * A), 1 / (m + 1));
            assert_close(out.u_after.n, carom_e_from_hunt_crossley(A) * SPEED, 1e-12);
            assert_close(out.force.max_compression, x, 1e-12);
        }
    rule = rule_of("hertz");
    rule.coeffs.E_star = 9e3;
    rule.coeffs.R = 0.3;
    double stiff = 4.0 / 3 * 9e3 * sqrt(0.3), x = pow(5 * MASS * SPEED * SPEED / (4 * stiff), 0.4);
    check_head_on(rule, 1, 2.94327518432470466 * x / SPEED, x);
}

/* Table of the reference: e(A) to 17 digits. */
static void test_hunt_crossley_closed_form(void **state)
{
    (void)state;
    static const double table[][2] = {{0.1, 0.93747557994990506},
                                      {0.5, 0.74843493159743416},
                                      {1, 0.59362426004004009},
                                      {5, 0.19698024528051888},
                                      {10, 0.099981624752943887}};
    for (int i = 0; i < 5; i++) {
        assert_close(carom_e_from_hunt_crossley(table[i][0]), table[i][1], 4e-16);
        assert_close(carom_hunt_crossley_from_e(table[i][1]), table[i][0], 1e-13);
    }
}

/* ---- homogeneity, section 3 and 8 of the thesis ---- */

#define GROSS_SLIP 0.01 /* mu with which only impacts that slip throughout count */

static double change_of_outcome(const char *id, double mu, double speed, double mass)
{
    dice d = {5};
    double worst = 0;
    for (int i = 0; i < 6; i++) {
        carom_rule rule = random_rule(&d, id);
        carom_problem pb = random_problem(&d, true), other = pb;
        const carom_csym K = pb.K;
        carom_outcome was, now;
        rule.coeffs.c = 2;
        rule.coeffs.c_t = 0;
        rule.coeffs.a = strcmp(id, "modal") == 0 ? 0 : 0.4;
        rule.coeffs.exponent = 1;
        rule.coeffs.mu = mu;
        other.u = carom_cvec_scale(speed, pb.u);
        other.K = (carom_csym){K.t11 / mass, 0, 0, K.t1n / mass, 0, K.nn / mass};
        if (carom_solve(&pb, &rule, NULL, &was) || carom_solve(&other, &rule, NULL, &now))
            continue;
        if (mu == GROSS_SLIP && (strcmp(was.mode, "slip") != 0 || strcmp(now.mode, "slip") != 0))
            continue;
        carom_cvec want = carom_cvec_scale(speed, was.u_after);
        worst = fmax(worst, largest(carom_cvec_sub(now.u_after, want)) / largest(want));
    }
    return worst;
}

/* What the thesis claims, and what follows where it is silent: of degree one in velocity, of degree zero in mass. */
static void test_homogeneity(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double mu;
        bool velocity, mass;
    } claims[] = {{"walton", 0.15, true, true},
                  {"chatterjee-spring", 0.15, true, true},
                  {"split-mass", 0.15, true, true},
                  {"ivanov-potential", 0.15, true, true},
                  {"mindlin", 0.15, true, true},
                  {"spring-dashpot", 0.15, true, false},
                  {"eigen-springs", 0.15, true, false},
                  {"hunt-crossley", 0.15, false, true}, /* m = 1; else a constant k_t sets a scale */
                  {"hertz", 0.15, false, false},        /* its constant k_t sets a scale */
                  {"hertz", GROSS_SLIP, true, true},    /* then k_t does not matter */
                  {"modal", 0.15, true, false}};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        double velocity = change_of_outcome(claims[i].id, claims[i].mu, 2.5, 1);
        double mass = change_of_outcome(claims[i].id, claims[i].mu, 1, 3);
        if (claims[i].velocity != (velocity < 1e-12) || claims[i].mass != (mass < 1e-12))
            print_error("%s, mu %g: %g in velocity, %g in mass\n", claims[i].id, claims[i].mu, velocity, mass);
        assert_int_equal(claims[i].velocity, velocity < 1e-12);
        assert_int_equal(claims[i].mass, mass < 1e-12);
    }
}

/* ---- limits ---- */

/* k_t = k / eta^2: the same model in time and in impulse. */
static void test_walton_is_jia(void **state)
{
    (void)state;
    dice d = {2013};
    for (int i = 0; i < 1000; i++) {
        carom_problem pb = random_problem(&d, i % 3 == 0);
        carom_rule jia = rule_of("jia"), walton = rule_of("walton");
        jia.coeffs.e = walton.coeffs.e = dice_between(&d, 0.1, 1);
        jia.coeffs.mu = walton.coeffs.mu = dice_between(&d, 0.05, 1.5);
        jia.coeffs.eta = dice_between(&d, 0.6, 2);
        jia.options.phases = CAROM_OPTION_PHASES_PEAK;
        walton.coeffs.k = dice_between(&d, 50, 500);
        walton.coeffs.k_t = walton.coeffs.k / (jia.coeffs.eta * jia.coeffs.eta);
        carom_outcome a = solved(&pb, &jia), b = solved(&pb, &walton);
        assert_cvec_near(b.p, a.p, largest(a.p), 1e-12);
    }
}

typedef struct stored_check {
    double scale;
    int seen;
} stored_check;

/* Without losses the springs hold, when compression ends, what the bodies have given. */
static void check_stored(void *context, const carom_event *event)
{
    stored_check *check = context;
    const carom_state *x = &event->at;
    if (event->kind != CAROM_EVENT_COMPRESSION_END)
        return;
    assert_near(x->stored.t1 + x->stored.t2 + x->stored.n, -(x->work_normal + x->work_friction), check->scale, 1e-12);
    check->seen++;
}

static void test_springs_hold_the_energy(void **state)
{
    (void)state;
    dice d = {8081};
    for (int i = 0; i < 50; i++) {
        carom_problem pb = random_problem(&d, i % 2);
        carom_rule rule = random_rule(&d, "spring-dashpot");
        carom_outcome out;
        stored_check check = {0.5 * carom_cvec_dot(pb.u, pb.u) / pb.K.nn, 0};
        rule.coeffs.c = rule.coeffs.c_t = 0;
        rule.coeffs.mu = 1e3; /* it sticks until the force is almost zero again */
        const carom_tracer tracer = {.event = check_stored, .context = &check};
        assert_true(carom_status_is_answer(carom_solve(&pb, &rule, &tracer, &out)));
        assert_true(check.seen >= 1);
    }
}

/* k_t that is not given is the secant stiffness at the largest compression of an impact without friction and damping,
 * over eta^2; modal without modes is hunt-crossley. */
static void test_tangential_stiffness_not_given(void **state)
{
    (void)state;
    dice d = {3019};
    for (int i = 0; i < 200; i++) {
        carom_problem pb = random_problem(&d, i % 2);
        carom_rule given = random_rule(&d, "hunt-crossley"), not_given = given;
        const double m = given.coeffs.exponent, k = given.coeffs.k, v = -pb.u.n;
        const double depth = pow((m + 1) * v * v / (2 * pb.K.nn * k), 1 / (m + 1));
        given.coeffs.eta = not_given.coeffs.eta = dice_between(&d, 0.6, 2);
        given.coeffs.k_t = k * pow(depth, m - 1) / (given.coeffs.eta * given.coeffs.eta);
        not_given.coeffs.k_t = CAROM_NOT_GIVEN;
        carom_outcome want = solved(&pb, &given), got = solved(&pb, &not_given);
        assert_cvec_near(got.p, want.p, largest(want.p), 1e-11);
        not_given.law = carom_law_find("modal");
        got = solved(&pb, &not_given);
        assert_cvec_near(got.p, want.p, largest(want.p), 1e-11);
    }
}

/* Solid sphere, Poisson's ratio 0.3: psi_2 against psi_1 (reference table; N = 100 is within 2e-5, N = 25 within 4e-4).
 */
static void test_maw_barber_fawcett(void **state)
{
    (void)state;
    static const double table[][2] = {{0.02, 0.00453}, {0.25, 0.04161},  {0.5, 0.04783}, {0.75, 0.01415},
                                      {1, -0.05970},   {1.5, -0.42802},  {2, -0.83721},  {2.5, -1.16229},
                                      {3, -1.379684},  {3.5, -1.477327}, {4, -1.436512}, {4.5, -1.217617}};
    const double kappa = 14.0 / 17, mu = 0.3, chi = kappa * 3.5 / 2;
    carom_rule rule = rule_of("mindlin");
    rule.coeffs.mu = mu;
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 14; i++) {
            double psi = i < 12 ? table[i][0] : i == 12 ? 4 * chi - 1 : 6, want = i < 12 ? table[i][1] : psi - 4 * chi;
            carom_problem pb = {{3.5, 0, 0, 0, 0, 1}, {psi * mu / kappa, 0, -1}};
            rule.coeffs.annuli = n ? 100 : 25;
            assert_near(kappa * solved(&pb, &rule).u_after.t1 / mu, want, 1, i < 12 ? (n ? 2e-5 : 4e-4) : 1e-12);
        }
}

/* ---- refusals ---- */

static carom_status status_of(const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    carom_status status = carom_solve(pb, rule, NULL, &out);
    assert_true(out.p.n == 0 || !carom_status_is_refusal(status));
    return status;
}

static void test_refusals(void **state)
{
    (void)state;
    const carom_problem spatial = {{2, 0.1, 1.5, 0.3, 0.2, 1}, {1, 0.4, -1}},
                        coupled = {{2, 0, 0, 0.9, 0, 1}, {1, 0, -1}};
    carom_rule rule = rule_of("mindlin");
    assert_int_equal(status_of(&spatial, &rule), CAROM_STATUS_NOT_PLANAR);
    rule.coeffs.annuli = 2.5;
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_BAD_COEFFICIENT);
    rule.coeffs.annuli = 5000;
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_BAD_COEFFICIENT);
    rule.coeffs.annuli = 4096;
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_NO_WORKSPACE);
    rule = rule_of("eigen-springs");
    assert_int_equal(status_of(&spatial, &rule), CAROM_STATUS_NOT_PLANAR);
    rule = rule_of("split-mass");
    rule.coeffs.mu = 1.2; /* mu K_tn = 1.08 > K_nn */
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_PAINLEVE);
    rule = rule_of("spring-dashpot");
    rule.coeffs.e = 0; /* no damping is enough */
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_INADMISSIBLE);
    rule.coeffs.c = 3;
    assert_true(carom_status_is_answer(status_of(&coupled, &rule)));
    rule.coeffs.k = -1;
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_BAD_COEFFICIENT);
    rule = rule_of("modal");
    carom_mode wrong = {-1, 0, {0, 0, 1}, 0, 0};
    carom_vibration one = {&wrong, 1, 0, NULL};
    rule.vibration = &one;
    assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_BAD_MODE);
    static const double lopsided[] = {1, 0.3, 0.2, 1}, negative[] = {1, 2, 2, 1}; /* not symmetric; not positive */
    for (int i = 0; i < 2; i++) {
        carom_vibration both = {modes, 2, 0, i ? negative : lopsided};
        rule.vibration = &both;
        assert_int_equal(status_of(&coupled, &rule), CAROM_STATUS_BAD_MODE);
    }
}

/* More modes and annuli than fit inside: the caller lends memory, and it makes no difference. */
static void test_workspace(void **state)
{
    (void)state;
    static double memory[200000];
    static carom_mode many[12];
    const carom_problem pb = {{2, 0, 0, 0.3, 0, 1}, {1, 0, -1}};
    const carom_workspace lent = {memory, sizeof memory};
    carom_rule rule = rule_of("mindlin");
    rule.coeffs.annuli = 200;
    rule.workspace = &lent;
    assert_true(carom_workspace_for_annuli(200) > 0 && carom_workspace_for_annuli(25) == 0);
    carom_outcome fine = solved(&pb, &rule);
    rule.coeffs.annuli = 100;
    assert_cvec_near(solved(&pb, &rule).p, fine.p, largest(fine.p), 1e-3);
    for (int i = 0; i < 12; i++)
        many[i] = i < 2 ? modes[i] : (carom_mode){5.0 + i, 0, {0, 0, 0}, 0, 0};
    carom_vibration v = {many, 12, 0, NULL}, few = {modes, 2, 0, NULL};
    rule = rule_of("modal");
    rule.coeffs.k = 300;
    rule.workspace = &lent;
    rule.vibration = &v;
    carom_outcome a = solved(&pb, &rule);
    rule.vibration = &few;
    assert_cvec_near(solved(&pb, &rule).p, a.p, largest(a.p), 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_turned_axes),
        cmocka_unit_test(test_one_dimension),
        cmocka_unit_test(test_one_dimension_powers),
        cmocka_unit_test(test_hunt_crossley_closed_form),
        cmocka_unit_test(test_homogeneity),
        cmocka_unit_test(test_walton_is_jia),
        cmocka_unit_test(test_tangential_stiffness_not_given),
        cmocka_unit_test(test_springs_hold_the_energy),
        cmocka_unit_test(test_maw_barber_fawcett),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_workspace),
    };
    return cmocka_run_group_tests_name("contact-force laws", tests, NULL, NULL);
}
