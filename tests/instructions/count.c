/* Runs under callgrind: one dump per law and kind of contact, of the instructions that carom_solve takes for the same
 * contacts; and for laws with a vector loop another, of carom_batch_solve with AVX2 on ROUNDS times as many: a loop
 * that no longer vectorises grows several times. */
#include <stdio.h>

#include "carom/batch.h"
#include "support/corpus.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#error "valgrind/callgrind.h is missing"
#endif

enum { CONTACTS = 64 }; /* per dump: the record holds their sum over CONTACTS */
enum { ROUNDS = 16, ROWS = CONTACTS * ROUNDS };

static const struct {
    const char *word;
    corpus_kind kind;
} kinds[] = {{"general", CORPUS_GENERIC}, {"sphere", CORPUS_SPHERE}, {"planar", CORPUS_PLANAR}};

/* The same coefficients everywhere: C library and machine have no say. */
static carom_rule rule_of(const carom_law *law)
{
    carom_rule rule = carom_rule_default(law);
    rule.coeffs.e_t = 0.25;
    rule.coeffs.ratio_1 = -0.125;
    return rule;
}

static int solve_all(const carom_problem *problems, const carom_rule *rule)
{
    int answers = 0;
    for (int i = 0; i < CONTACTS; i++) {
        carom_outcome out;
        answers += carom_status_is_answer(carom_solve(&problems[i], rule, NULL, &out));
    }
    return answers;
}

static void count_single(const carom_problem *problems, const carom_rule *rule, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%s,%s", rule->law->id, word);
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    solve_all(problems, rule);
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS_AT(name);
}

static carom_status solve_batch(const carom_problem *problems, const carom_rule *rule)
{
    static double in[9][ROWS], out[6][ROWS];
    for (int i = 0; i < ROWS; i++) {
        const carom_problem *pb = &problems[i % CONTACTS];
        const double row[9] = {pb->K.t11, pb->K.t12, pb->K.t22, pb->K.t1n, pb->K.t2n,
                               pb->K.nn,  pb->u.t1,  pb->u.t2,  pb->u.n};
        for (int j = 0; j < 9; j++)
            in[j][i] = row[j];
    }
    const carom_batch_in from = {ROWS, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], {0}};
    const carom_batch_out to = {ROWS, out[0], out[1], out[2], out[3], out[4], out[5], NULL, {0}};
    const carom_batch_options options = {1, CAROM_ISA_AVX2};
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    carom_status status = carom_batch_solve(&from, rule, &to, &options);
    CALLGRIND_TOGGLE_COLLECT;
    return status;
}

static void count_batch(const carom_problem *problems, const carom_rule *rule, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%s,%s-batch", rule->law->id, word);
    if (rule->law->kernel && carom_isa_best() >= CAROM_ISA_AVX2 && !solve_batch(problems, rule))
        CALLGRIND_DUMP_STATS_AT(name);
}

int main(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        carom_problem problems[CONTACTS];
        dice d = {2024};
        for (int i = 0; i < CONTACTS; i++)
            problems[i] = corpus_problem(&d, kinds[k].kind);
        for (int l = 0; l < carom_law_count(); l++) {
            const carom_rule rule = rule_of(carom_law_at(l));
            if (rule.law->traits & CAROM_TRAIT_CONTACT_FORCE) /* microseconds: carom bench */
                continue;
            if (solve_all(problems, &rule) < CONTACTS) /* not this law's contacts; it also warms the caches */
                continue;
            count_single(problems, &rule, kinds[k].word);
            count_batch(problems, &rule, kinds[k].word);
        }
    }
    return 0;
}
