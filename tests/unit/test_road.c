/* engine/road.c: every instruction set gives the same outcome, to the last bit, for every law; its mode is one of those
 * that the descriptor of the law lists. */
#include <string.h>

#include "engine/engine.h"
#include "support/check.h"
#include "support/corpus.h"

static bool has_mode(const carom_law *law, const char *mode)
{
    bool found = strcmp(mode, "no_impact") == 0;
    for (int i = 0; i < law->mode_count; i++)
        found |= strcmp(law->modes[i], mode) == 0;
    return found;
}

static carom_outcome outcome_of(const engine *e, int law, const carom_problem *pb, const carom_rule *rule)
{
    carom_rule own = *rule;
    carom_outcome out;
    memset(&out, 0, sizeof out);
    own.law = e->laws[law];
    carom_status status = e->solve(pb, &own, NULL, &out);
    assert_int_equal(status, out.status);
    assert_true(has_mode(own.law, out.mode));
    return out;
}

/* Words are strings of each engine's own. */
static void assert_same(carom_outcome a, carom_outcome b)
{
    assert_string_equal(a.mode, b.mode);
    a.mode = b.mode = NULL;
    a.phases.path = b.phases.path = a.phases.first = b.phases.first = NULL;
    assert_memory_equal(&a, &b, sizeof a);
}

enum { IMPACTS = 200 * CORPUS_KIND_COUNT };      /* per law */
enum { FORCE_IMPACTS = 20 * CORPUS_KIND_COUNT }; /* laws that integrate over time: up to 0.1 s an impact */

/* One impact by every engine. */
static void check_impact(int law, const carom_problem *pb, const carom_rule *rule)
{
    const carom_outcome baseline = outcome_of(&carom_engine_baseline, law, pb, rule);
    for (carom_isa isa = CAROM_ISA_AVX2; isa <= carom_isa_best(); isa++)
        assert_same(baseline, outcome_of(engine_at_most(isa), law, pb, rule));
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int law = 0; law < carom_engine_baseline.law_count; law++) {
        const carom_law *which = carom_engine_baseline.laws[law];
        dice d = {(uint64_t)law + 7};
        for (int i = 0; i < (which->traits & CAROM_TRAIT_CONTACT_FORCE ? FORCE_IMPACTS : IMPACTS); i++) {
            const carom_problem pb = corpus_problem(&d, (corpus_kind)(i % CORPUS_KIND_COUNT));
            const carom_rule rule = corpus_rule(&d, which);
            check_impact(law, &pb, &rule);
        }
    }
}

/* The same laws in the same order, and their loops. */
static void test_engines_are_alike(void **state)
{
    (void)state;
    const engine *a = &carom_engine_baseline, *b = engine_best();
    assert_int_equal(a->law_count, b->law_count);
    assert_int_equal(a->loop_count, b->loop_count);
    for (int i = 0; i < a->law_count; i++)
        assert_string_equal(a->laws[i]->id, b->laws[i]->id);
    for (int i = 0; i < a->loop_count; i++)
        assert_string_equal(a->loops[i].law->id, b->loops[i].law->id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_engines_are_alike),
    };
    return cmocka_run_group_tests_name("road", tests, NULL, NULL);
}
