/* Traits that say how a law scales, what of the motion it looks at, and what it reports: held in both directions, so
 * that a law that lacks a trait is seen to lack it. */
#include "support/check.h"
#include "support/corpus.h"

#include "carom/body.h"
#include "carom/together.h"

enum { DRAWS = 240 };

#define SCALE_TOL 1e-9 /* of the impulse: laws that scale do so to rounding */
#define SEEN      1e-3 /* of the impulse: what a law that does not scale must show somewhere */

/* Every coefficient of the manifest that a law may use, with a unit or without. */
static carom_rule draw_rule(dice *d, const carom_law *law)
{
    carom_rule rule = carom_rule_default(law);
    carom_coeffs *c = &rule.coeffs;
    c->e = dice_between(d, 0.2, 0.9);
    c->e_t = dice_between(d, -0.3, 0.7);
    c->mu = dice_between(d, 0.1, 0.7);
    c->nu = dice_between(d, 0, 1);
    c->eta = dice_between(d, 0.7, 1.7);
    c->k = dice_between(d, 2e4, 4e4);
    c->k_t = dice_between(d, 2e4, 4e4);
    c->k_t1 = dice_between(d, 2e4, 4e4);
    c->c = dice_between(d, 40, 80);
    c->c_t = dice_between(d, 20, 40);
    c->a = dice_between(d, 0.2, 0.4);
    c->exponent = dice_between(d, 1.2, 1.8);
    c->share = dice_between(d, 0.1, 0.9);
    c->turn = dice_between(d, -2, 2);
    return rule;
}

static carom_problem draw_problem(dice *d, const carom_law *law, bool planar)
{
    bool plain = law->traits & (CAROM_TRAIT_PRINCIPAL_ONLY | CAROM_TRAIT_PLANAR_ONLY);
    carom_problem pb = {{dice_between(d, 1, 3), 0, dice_between(d, 1, 3), dice_between(d, -0.5, 0.5),
                         dice_between(d, -0.3, 0.3), dice_between(d, 1, 2)},
                        {dice_between(d, -1, 1), dice_between(d, -1, 1), dice_between(d, -1.3, -0.3)}};
    if (planar)
        pb.K.t22 = pb.K.t2n = pb.u.t2 = 0;
    else if (plain) {
        pb.K.t22 = pb.K.t11;
        pb.K.t1n = pb.K.t2n = 0;
    }
    return pb;
}

static carom_problem scaled(const carom_problem *pb, double speed, double mass)
{
    const carom_csym *K = &pb->K;
    carom_problem out = {{K->t11 / mass, K->t12 / mass, K->t22 / mass, K->t1n / mass, K->t2n / mass, K->nn / mass},
                         carom_cvec_scale(speed, pb->u)};
    return out;
}

/* The largest change of the impulse, in its own size, when velocities and masses are scaled. */
static double worst_change(const carom_law *law, double speed, double mass)
{
    dice d = {2385};
    double worst = 0;
    int answered = 0;
    for (int i = 0; i < DRAWS; i++) {
        carom_rule rule = draw_rule(&d, law);
        carom_problem pb = draw_problem(&d, law, i % 2), other = scaled(&pb, speed, mass);
        carom_outcome one, two;
        if (carom_solve(&pb, &rule, NULL, &one) || carom_solve(&other, &rule, NULL, &two))
            continue;
        carom_cvec off = carom_cvec_sub(carom_cvec_scale(1 / (speed * mass), two.p), one.p);
        worst = fmax(worst, largest(off) / largest(one.p));
        answered++;
    }
    assert_true(answered >= DRAWS / 4);
    return worst;
}

static void require_scaling(const carom_law *law, unsigned trait, double change)
{
    bool claims = law->traits & trait;
    if (claims ? change > SCALE_TOL : change < SEEN)
        fail_msg("%s %s its trait: the impulse changes by %g", law->id, claims ? "breaks" : "keeps what it lacks in",
                 change);
}

static void laws_scale_as_they_say(void **state)
{
    (void)state;
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        require_scaling(law, CAROM_TRAIT_VELOCITY_SCALES, worst_change(law, 2.385, 1));
        require_scaling(law, CAROM_TRAIT_MASS_SCALES, worst_change(law, 1, 3.71));
    }
}

/* ---- local ---- */

static carom_vec3 draw_vector(dice *d)
{
    return (carom_vec3){dice_between(d, -1, 1), dice_between(d, -1, 1), dice_between(d, -1, 1)};
}

static carom_body draw_body(dice *d)
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    def.mass = dice_between(d, 0.5, 2);
    def.inertia =
        (carom_sym3){dice_between(d, 0.5, 0.8), 0, 0, dice_between(d, 0.5, 0.8), 0, dice_between(d, 0.5, 0.8)};
    def.velocity = draw_vector(d);
    def.omega = draw_vector(d);
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_OK);
    return body;
}

/* Turn a body about its contact point: its own motion changes, that of the point does not. */
static void turn_about(carom_body *body, carom_vec3 arm, carom_vec3 spin)
{
    body->omega = carom_vec3_add(body->omega, spin);
    body->velocity = carom_vec3_sub(body->velocity, carom_vec3_cross(spin, arm));
}

static bool impulse_of(const carom_body *a, const carom_body *b, const carom_contact *contact, const carom_rule *rule,
                       carom_cvec *p)
{
    carom_problem pb;
    carom_outcome out;
    assert_int_equal(carom_bodies_reduce(a, b, contact, &pb), CAROM_STATUS_OK);
    bool answered = pb.u.n < -0.1 && carom_solve(&pb, rule, NULL, &out) == CAROM_STATUS_OK;
    *p = out.p;
    return answered;
}

static void local_laws_look_at_contact_points(void **state)
{
    (void)state;
    dice d = {31};
    int compared = 0;
    for (int i = 0; i < carom_law_count() * DRAWS; i++) {
        const carom_law *law = carom_law_at(i % carom_law_count());
        carom_rule rule = draw_rule(&d, law);
        carom_body a = draw_body(&d), b = draw_body(&d);
        carom_vec3 normal = {0, 0, 1}, arm_a = draw_vector(&d), arm_b = draw_vector(&d), drift = draw_vector(&d);
        carom_contact contact;
        carom_cvec before, after;
        assert_int_equal(carom_contact_init(arm_a, arm_b, normal, &contact), CAROM_STATUS_OK);
        assert_true(law->traits & CAROM_TRAIT_LOCAL);
        if (!impulse_of(&a, &b, &contact, &rule, &before))
            continue;
        turn_about(&a, arm_a, draw_vector(&d));
        turn_about(&b, arm_b, draw_vector(&d));
        a.velocity = carom_vec3_add(a.velocity, drift);
        b.velocity = carom_vec3_add(b.velocity, drift);
        if (!impulse_of(&a, &b, &contact, &rule, &after))
            continue;
        assert_cvec_near(after, before, largest(before), SCALE_TOL);
        compared++;
    }
    assert_true(compared > 20 * carom_law_count());
}

/* ---- what a law reports ---- */

static void keep_stretch(void *context, const carom_event *event)
{
    double *most = context;
    *most = fmax(*most, largest(event->at.stretch));
}

static void springs_are_stretched(void **state)
{
    (void)state;
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (law->traits & CAROM_TRAIT_CONTACT_FORCE) /* their springs are in time: carom_outcome.force */
            continue;
        dice d = {5};
        double most = 0;
        carom_tracer tracer = {keep_stretch, NULL, &most};
        for (int k = 0; k < DRAWS; k++) {
            carom_rule rule = draw_rule(&d, law);
            carom_problem pb = draw_problem(&d, law, k % 2);
            carom_outcome out;
            (void)!carom_solve(&pb, &rule, &tracer, &out);
        }
        assert_int_equal(most > 0, (law->traits & CAROM_TRAIT_SPRINGS) != 0);
    }
}

/* Coefficients that are coordinates: the same contact, with friction turned by as much as is asked, wherever that is
 * admissible. */
static void any_outcome_follows_its_coordinates(void **state)
{
    (void)state;
    dice d = {19};
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        double spread = 0;
        for (int k = 0; k < DRAWS; k++) {
            carom_rule rule = draw_rule(&d, law);
            carom_problem pb = {{2.1, 0, 2.1, 0, 0, 1.2}, {0.6, 0, -1}};
            carom_outcome out;
            rule.coeffs.share = 0.3;
            if (!carom_solve(&pb, &rule, NULL, &out) && out.p.n > 0)
                spread = fmax(spread, fabs(out.p.t2) / out.p.n); /* across the slip */
        }
        bool free = law->traits & CAROM_TRAIT_ANY_OUTCOME, told = law->uses & CAROM_USES(ratio_2);
        assert_true(free ? spread > SEEN : told || spread < SCALE_TOL);
    }
}

typedef struct seen {
    int hits, reflections, others;
} seen;

static void count_event(void *context, const carom_together_event *event)
{
    seen *s = context;
    s->hits += event->kind == CAROM_TOGETHER_EVENT_HIT;
    s->reflections += event->kind == CAROM_TOGETHER_EVENT_REFLECT;
    s->others += event->kind != CAROM_TOGETHER_EVENT_HIT && event->kind != CAROM_TOGETHER_EVENT_REFLECT;
}

/* Two planar contacts under one body, both approaching. */
static void several_contacts_report_as_they_say(void **state)
{
    (void)state;
    const double K[16] = {2.3, 0.1, 0.4, 0.2, 0.1, 1.9, -0.2, 0.6, 0.4, -0.2, 2.1, 0.3, 0.2, 0.6, 0.3, 1.7};
    const double u[4] = {0.37, -1.1, 0.21, -0.83};
    for (int i = 0; i < carom_together_count(); i++) {
        const carom_together *law = carom_together_at(i);
        carom_coeffs coeffs[2] = {carom_coeffs_default(), carom_coeffs_default()};
        carom_together_rule rule = carom_together_rule_default(law, coeffs);
        static double memory[4096], work[1 << 16];
        double p[4], after[4], compression[4];
        carom_together_mode modes[2] = {CAROM_TOGETHER_MODE_OPEN, CAROM_TOGETHER_MODE_OPEN};
        carom_together_outcome out = {.p = p, .u_after = after, .p_compression = compression, .modes = modes};
        carom_contacts problem;
        seen s = {0, 0, 0};
        carom_together_tracer tracer = {count_event, NULL, NULL, &s};
        assert_true(carom_contacts_size(2, 2) <= sizeof memory);
        assert_int_equal(carom_contacts_from_K(2, 2, K, u, memory, &problem), CAROM_STATUS_OK);
        assert_true(carom_together_work(&problem, &rule) <= sizeof work);
        assert_int_equal(carom_together_solve(&problem, &rule, &tracer, work, &out), CAROM_STATUS_OK);
        assert_int_equal(s.hits > 0, (law->traits & CAROM_TRAIT_ONE_BY_ONE) != 0);
        assert_int_equal(s.reflections > 0, (law->traits & CAROM_TRAIT_REFLECTS) != 0);
        assert_int_equal(s.others > 0, (law->traits & CAROM_TRAIT_HAS_PATH) != 0);
        bool ends = modes[0] != CAROM_TOGETHER_MODE_OPEN || modes[1] != CAROM_TOGETHER_MODE_OPEN;
        assert_int_equal(ends, (law->traits & CAROM_TRAIT_CONTACT_MODES) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_scale_as_they_say),
        cmocka_unit_test(local_laws_look_at_contact_points),
        cmocka_unit_test(springs_are_stretched),
        cmocka_unit_test(any_outcome_follows_its_coordinates),
        cmocka_unit_test(several_contacts_report_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
