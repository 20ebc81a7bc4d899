/* Conformance: every law of the manifest, over a seeded corpus, held to the traits its descriptor claims.
 *
 * CAROM_CORPUS=1000000 in the environment sets the number of contacts per law; the default keeps the suite short. */
#include <string.h>

#include <stdlib.h>

#include "support/check.h"
#include "support/corpus.h"

enum { DEFAULT_CONTACTS = 26000 };

#define SYMMETRY_TOL 1e-9  /* of the impulse, where a 1e-13 change of the input moves it less than this */
#define NUDGE        1e-13 /* relative change of u that tells sensitive cases from others */
#define SPLIT_TOL    1e-10 /* of the works: normal and friction work add up to the change of energy */
#define ROUNDING_TOL 1e-12 /* of the terms a law adds up */

static const carom_law *law; /* the law under test */

static int contacts(void)
{
    const char *text = getenv("CAROM_CORPUS");
    return text ? atoi(text) : DEFAULT_CONTACTS;
}

/* Springs may meet their bound on events where stiffnesses of many decades swing against each other: in K, or in the
 * normal spring, which is stiffer by 1/e^2 in restitution. */
static bool has_far_stiffnesses(const carom_rule *rule, corpus_kind kind)
{
    return (law->uses & CAROM_USES(eta)) && (kind == CORPUS_ILL || rule->coeffs.e < 1e-3);
}

/* A law may refuse what its traits put out of scope, and impulses it calls inadmissible; nothing else. */
static bool may_refuse(carom_status status, const carom_rule *rule, corpus_kind kind)
{
    if (status == CAROM_STATUS_EVENT_LIMIT || status == CAROM_STATUS_STEP_LIMIT)
        return has_far_stiffnesses(rule, kind);
    if (status == CAROM_STATUS_NOT_PLANAR)
        return law->traits & CAROM_TRAIT_PLANAR_ONLY;
    if (status == CAROM_STATUS_OUT_OF_SCOPE)
        return law->traits & CAROM_TRAIT_PRINCIPAL_ONLY;
    return status == CAROM_STATUS_INADMISSIBLE && (law->uses & CAROM_USES(ratio_1));
}

static bool is_singular(corpus_kind kind)
{
    return kind == CORPUS_RANK_TWO || kind == CORPUS_RANK_ONE;
}

static bool has_numbers(const carom_outcome *out)
{
    const carom_energy *e = &out->energy;
    const carom_restitution *r = &out->restitution;
    double sum = largest(out->p) + largest(out->u_after) + e->before + e->after + e->change + e->normal + e->friction;
    sum += r->newton + r->poisson + r->stronge + r->ivanov;
    sum += out->margins.normal + out->margins.energy + out->margins.cone + out->friction_ratio;
    return isfinite(sum);
}

static void describe(const carom_problem *pb, const carom_rule *rule, const char *what)
{
    const carom_csym *K = &pb->K;
    const carom_coeffs *c = &rule->coeffs;
    print_error("%s: %s\n K = [%.17g %.17g %.17g; . %.17g %.17g; . . %.17g]\n u = [%.17g %.17g %.17g]\n", law->id, what,
                K->t11, K->t12, K->t1n, K->t22, K->t2n, K->nn, pb->u.t1, pb->u.t2, pb->u.n);
    print_error(" e %.17g e_t %.17g mu %.17g nu %.17g s_1 %.17g s_2 %.17g ratio %.17g %.17g eta %.17g\n", c->e, c->e_t,
                c->mu, c->nu, c->s_1, c->s_2, c->ratio_1, c->ratio_2, c->eta);
}

#define require(condition, pb, rule)                                                                                   \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            describe(pb, rule, #condition);                                                                            \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* The promises of the traits, on one contact. */
static void check_promises(const carom_problem *pb, const carom_rule *rule, const carom_outcome *out)
{
    unsigned traits = law->traits;
    require(has_numbers(out), pb, rule);
    require(out->p.n >= 0, pb, rule);
    require(out->solutions >= 1, pb, rule);
    if (traits & CAROM_TRAIT_NO_PENETRATION)
        require(!(out->flags & CAROM_FLAG_PENETRATES), pb, rule);
    if (traits & CAROM_TRAIT_ENERGY_SAFE)
        require(!(out->flags & CAROM_FLAG_CREATES_ENERGY), pb, rule);
    if (traits & CAROM_TRAIT_CONE_SAFE)
        require(!(out->flags & CAROM_FLAG_OUTSIDE_CONE), pb, rule);
    if (traits & CAROM_TRAIT_UNIQUE)
        require(out->solutions == 1, pb, rule);
    if (traits & CAROM_TRAIT_NEWTON_E) {
        const carom_csym *K = &pb->K;
        double terms = fabs(K->t1n * out->p.t1) + fabs(K->t2n * out->p.t2) + K->nn * out->p.n - pb->u.n;
        require(fabs(out->u_after.n + rule->coeffs.e * pb->u.n) <= ROUNDING_TOL * terms, pb, rule);
    }
    double split = out->energy.normal + out->energy.friction - out->energy.change;
    double terms = fabs(out->energy.normal) + fabs(out->energy.friction) + out->energy.before;
    double kick = (pb->K.t11 + pb->K.t22 + pb->K.nn) * carom_cvec_dot(out->p, out->p); /* what p K p cancels from */
    require(fabs(split) <= SPLIT_TOL * terms + 0x1p-48 * kick, pb, rule);
}

static void test_promises(void **state)
{
    (void)state;
    dice d = {20261115};
    int solved = 0, runaways = 0, count = contacts();
    for (int i = 0; i < count; i++) {
        corpus_kind kind = (corpus_kind)(i % CORPUS_KIND_COUNT);
        carom_problem pb = corpus_problem(&d, kind);
        carom_rule rule = corpus_rule(&d, law);
        carom_outcome out;
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        if (carom_status_is_answer(status)) {
            check_promises(&pb, &rule, &out);
            solved++;
        } else if (!may_refuse(status, &rule, kind)) {
            require(status == CAROM_STATUS_UNBOUNDED && is_singular(kind), &pb, &rule);
            runaways++;
        }
    }
    assert_true(solved > count / 20);
    bool may_run_away =
        !(law->traits & CAROM_TRAIT_CLOSED_FORM) || strstr(law->id, "rebound") || strstr(law->id, "mix");
    assert_true(runaways == 0 || may_run_away); /* these ask for velocities that a singular K cannot give */
}

/* Solve, or say that this contact does not count here. */
static bool answered(const carom_problem *pb, const carom_rule *rule, carom_outcome *out)
{
    return carom_status_is_answer(carom_solve(pb, rule, NULL, out));
}

/* True when a change of u and K far below the tolerance does not move the answer more than the tolerance. */
static bool is_steady(const carom_problem *pb, const carom_rule *rule, const carom_outcome *out)
{
    static const double nudges[4][3] = {{1, -1, 1}, {-1, 1, 1}, {1, 1, -1}, {-1, -1, 1}};
    for (int i = 0; i < 4; i++) {
        carom_problem near = *pb;
        near.u.t1 *= 1 + NUDGE * nudges[i][0];
        near.u.t2 *= 1 + NUDGE * nudges[i][1];
        near.K.nn *= 1 + NUDGE * nudges[i][2];
        carom_outcome moved;
        if (!answered(&near, rule, &moved))
            return false;
        double change = largest(carom_cvec_sub(moved.p, out->p));
        if (change > 0.1 * SYMMETRY_TOL * largest(out->p) || moved.solutions != out->solutions)
            return false;
    }
    return true;
}

typedef struct draw {
    carom_problem pb;
    carom_rule rule;
    carom_outcome out;
} draw;

/* The next tame and steady contact that the law answers. */
static void next_draw(dice *d, int i, draw *next)
{
    for (int tries = 0; tries < 1000; tries++) {
        corpus_kind kind = (corpus_kind)((i + tries) % (CORPUS_OBLIQUE + 1));
        next->pb = corpus_problem(d, kind);
        next->rule = corpus_rule(d, law);
        if (answered(&next->pb, &next->rule, &next->out) && is_steady(&next->pb, &next->rule, &next->out))
            return;
    }
    fail_msg("%s answers almost nothing", law->id);
}

static int symmetry_draws(void)
{
    int n = contacts() / 10;
    return n < 200000 ? n : 200000;
}

static void require_impulse(const draw *was, const carom_problem *pb, const carom_rule *rule, carom_cvec want)
{
    carom_outcome out;
    require(answered(pb, rule, &out), &was->pb, &was->rule);
    require(largest(carom_cvec_sub(out.p, want)) <= SYMMETRY_TOL * largest(want), &was->pb, &was->rule);
}

/* Turning the tangents turns the impulse (and the ratios, where a law has them). */
static void test_turned_frame(void **state)
{
    (void)state;
    dice d = {7};
    for (int i = 0; i < symmetry_draws(); i++) {
        draw was;
        next_draw(&d, i, &was);
        double angle = dice_between(&d, 0, 6.283185307179586);
        carom_direction turn = {cos(angle), sin(angle)};
        carom_problem pb = carom_problem_turned(&was.pb, turn);
        carom_rule rule = was.rule;
        rule.coeffs.ratio_1 = turn.c * was.rule.coeffs.ratio_1 + turn.s * was.rule.coeffs.ratio_2;
        rule.coeffs.ratio_2 = -turn.s * was.rule.coeffs.ratio_1 + turn.c * was.rule.coeffs.ratio_2;
        carom_cvec p = was.out.p;
        require_impulse(&was, &pb, &rule,
                        carom_cvec_make(turn.c * p.t1 + turn.s * p.t2, -turn.s * p.t1 + turn.c * p.t2, p.n));
    }
}

/* Mirror t1: the same as exchanging A and B, seen from the other side. */
static void test_mirror_and_swap(void **state)
{
    (void)state;
    dice d = {11};
    for (int i = 0; i < symmetry_draws(); i++) {
        draw was;
        next_draw(&d, i, &was);
        carom_problem pb = was.pb;
        carom_rule rule = was.rule;
        pb.u.t1 *= -1;
        pb.K.t12 *= -1;
        pb.K.t1n *= -1;
        rule.coeffs.ratio_1 *= -1;
        rule.coeffs.turn *= -1;
        require_impulse(&was, &pb, &rule, carom_cvec_make(-was.out.p.t1, was.out.p.t2, was.out.p.n));
    }
}

/* Velocities times a: impulse times a. Masses times b (K over b): impulse times b. */
static void test_homogeneity(void **state)
{
    (void)state;
    dice d = {13};
    for (int i = 0; i < symmetry_draws(); i++) {
        draw was;
        next_draw(&d, i, &was);
        double a = dice_decades(&d, -3, 3), b = dice_decades(&d, -3, 3);
        carom_problem pb = was.pb;
        pb.u = carom_cvec_scale(a, pb.u);
        pb.K = (carom_csym){pb.K.t11 / b, pb.K.t12 / b, pb.K.t22 / b, pb.K.t1n / b, pb.K.t2n / b, pb.K.nn / b};
        require_impulse(&was, &pb, &was.rule, carom_cvec_scale(a * b, was.out.p));
    }
}

/* Without friction and without prescribed ratios every law is Newton's, if e means the same to it. */
static void test_frictionless_limit(void **state)
{
    (void)state;
    dice d = {17};
    for (int i = 0; i < symmetry_draws(); i++) {
        draw was;
        next_draw(&d, i, &was);
        carom_rule rule = was.rule;
        rule.coeffs.mu = rule.coeffs.ratio_1 = rule.coeffs.ratio_2 = 0;
        carom_cvec newton = carom_cvec_make(0, 0, -(1 + rule.coeffs.e) * was.pb.u.n / was.pb.K.nn);
        require_impulse(&was, &was.pb, &rule, newton);
    }
}

/* A central impact (nothing slips, nothing couples) is the same for every law. */
static void test_central_limit(void **state)
{
    (void)state;
    dice d = {19};
    for (int i = 0; i < symmetry_draws(); i++) {
        draw was;
        was.pb = corpus_problem(&d, CORPUS_CENTRAL);
        was.rule = corpus_rule(&d, law);
        was.rule.coeffs.ratio_1 = was.rule.coeffs.ratio_2 = 0;
        carom_cvec newton = carom_cvec_make(0, 0, -(1 + was.rule.coeffs.e) * was.pb.u.n / was.pb.K.nn);
        require_impulse(&was, &was.pb, &was.rule, newton);
    }
}

/* Not approaching, at rest, or told to ignore grazing: nothing happens, and it is no error. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    dice d = {23};
    for (int i = 0; i < 1000; i++) {
        carom_problem pb = corpus_problem(&d, (corpus_kind)(i % CORPUS_KIND_COUNT));
        carom_rule rule = corpus_rule(&d, law);
        carom_outcome out;
        pb.u.n = fabs(pb.u.n) + 0.1;
        require(carom_solve(&pb, &rule, NULL, &out) == CAROM_STATUS_SEPARATING && largest(out.p) == 0, &pb, &rule);
        pb.u = carom_cvec_make(0, 0, 0);
        require(carom_solve(&pb, &rule, NULL, &out) == CAROM_STATUS_SEPARATING && largest(out.p) == 0, &pb, &rule);
        pb.u = carom_cvec_make(1, pb.K.t22 > 0, 0);
        rule.options.grazing = CAROM_OPTION_GRAZING_IGNORE;
        require(carom_solve(&pb, &rule, NULL, &out) == CAROM_STATUS_GRAZING && largest(out.p) == 0, &pb, &rule);
    }
}

int main(void)
{
    int failures = 0;
    for (int i = 0; i < carom_law_count(); i++) {
        law = carom_law_at(i);
        if (law->traits & CAROM_TRAIT_CONTACT_FORCE) /* these have tests of their own: test_force.c */
            continue;
        const struct CMUnitTest tests[] = {
            cmocka_unit_test(test_promises),           cmocka_unit_test(test_turned_frame),
            cmocka_unit_test(test_mirror_and_swap),    cmocka_unit_test(test_homogeneity),
            cmocka_unit_test(test_frictionless_limit), cmocka_unit_test(test_central_limit),
            cmocka_unit_test(test_nothing_to_do),
        };
        failures += cmocka_run_group_tests_name(law->id, tests, NULL, NULL);
    }
    return failures;
}
