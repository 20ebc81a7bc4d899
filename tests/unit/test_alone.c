/* One impact alone: the quick way of carom_solve says the same as the long one, to the last bit, under every law and
 * instruction set. */
#include <string.h>

#include "contact/lanes.h"
#include "support/check.h"
#include "support/corpus.h"

enum { PROBLEMS = 2600 };

#define assert_bits(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void assert_same_outcome(const carom_outcome *a, const carom_outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->flags, b->flags);
    assert_string_equal(a->mode, b->mode);
    assert_bits(a->p, b->p);
    assert_bits(a->u_after, b->u_after);
    assert_bits(a->energy, b->energy);
    assert_int_equal(a->restitution.defined, b->restitution.defined);
    assert_bits(a->restitution.newton, b->restitution.newton);
    assert_bits(a->restitution.poisson, b->restitution.poisson);
    assert_bits(a->restitution.stronge, b->restitution.stronge);
    assert_bits(a->restitution.ivanov, b->restitution.ivanov);
    assert_bits(a->margins, b->margins);
    assert_bits(a->friction_ratio, b->friction_ratio);
    assert_int_equal(a->phases.phases, b->phases.phases);
    assert_bits(a->phases.work_friction, b->phases.work_friction);
    assert_int_equal(a->solutions, b->solutions);
    assert_int_equal(a->event_count, b->event_count);
    for (int i = 0; i < a->event_count && i < CAROM_EVENTS_KEPT; i++) {
        assert_int_equal(a->events[i].kind, b->events[i].kind);
        assert_bits(a->events[i].at, b->events[i].at);
    }
}

/* A tracer that watches nothing: who has one is told the long way. */
static const carom_tracer idle;

/* The number of instruction sets that had an answer. */
static int compare(const carom_problem *problem, const carom_rule *rule)
{
    carom_outcome slow, quick;
    int answers = 0;
    carom_status status = carom_solve(problem, rule, &idle, &slow);
    for (carom_isa isa = CAROM_ISA_BASELINE; isa <= carom_isa_best(); isa++) {
        memset(&quick, 0x55, sizeof quick); /* all of it is to be written */
        if (!rule->law->batch->alone.at[isa](problem, rule, &quick))
            continue;
        assert_int_equal(status, CAROM_STATUS_OK);
        assert_same_outcome(&quick, &slow);
        answers++;
    }
    assert_true(answers == 0 || answers == (int)carom_isa_best() - CAROM_ISA_BASELINE + 1);
    return answers;
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int l = 0; l < carom_law_count(); l++) {
        const carom_law *law = carom_law_at(l);
        dice d = {7};
        int told = 0;
        for (int i = 0; law->batch && i < PROBLEMS; i++) {
            const carom_problem pb = corpus_problem(&d, (corpus_kind)(i % CORPUS_KIND_COUNT));
            const carom_rule rule = corpus_rule(&d, law);
            told += compare(&pb, &rule) > 0;
        }
        assert_true(!law->batch || told > PROBLEMS / 8);
    }
}

/* Around the sizes of numbers up to which a case is common, and those up to which it is comfortable: 2^64 and 1e20. */
static void test_sizes(void **state)
{
    (void)state;
    dice d = {11};
    int told = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        const carom_law *law = carom_law_find(i % 2 ? "chatterjee-mix" : "ivanov");
        const carom_rule rule = corpus_rule(&d, law);
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        double k = ldexp(1, (dice_below(&d, 2) ? 1 : -1) * (60 + dice_below(&d, 9)));
        double v = ldexp(1, (dice_below(&d, 2) ? 1 : -1) * (60 + dice_below(&d, 9)));
        carom_csym *K = &pb.K;
        *K = (carom_csym){k * K->t11, k * K->t12, k * K->t22, k * K->t1n, k * K->t2n, k * K->nn};
        pb.u = carom_cvec_scale(v, pb.u);
        told += compare(&pb, &rule) > 0;
    }
    assert_true(told > PROBLEMS / 8 && told < PROBLEMS);
}

/* What is not common is left alone. */
static void test_leaves_the_rest(void **state)
{
    (void)state;
    const carom_problem good = {{3, 0.2, 2, 0.1, -0.3, 1}, {1, 0.5, -2}};
    carom_problem apart = good, grazing = good, singular = {{1, 0, 1, 1, 0, 1}, {1, 0, -1}}, nan = good;
    carom_rule rule = carom_rule_default(carom_law_find("newton")), bad = rule;
    apart.u.n = 1;
    grazing.u.n = 0;
    nan.K.t12 = NAN;
    bad.coeffs.e = 2;
    for (carom_isa isa = CAROM_ISA_BASELINE; isa <= carom_isa_best(); isa++) {
        lanes_alone *alone = rule.law->batch->alone.at[isa];
        carom_outcome out;
        assert_true(alone(&good, &rule, &out));
        assert_false(alone(&apart, &rule, &out));
        assert_false(alone(&grazing, &rule, &out));
        assert_false(alone(&singular, &rule, &out));
        assert_false(alone(&nan, &rule, &out));
        assert_false(alone(&good, &bad, &out));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_leaves_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
