/* Runs under callgrind: one dump per law and kind of contact, of the instructions that carom_solve takes for the same
 * contacts. */
#include <stdio.h>

#include "support/corpus.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#error "valgrind/callgrind.h is missing"
#endif

enum { CONTACTS = 64 }; /* per dump: the record holds their sum over CONTACTS */

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

int main(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        carom_problem problems[CONTACTS];
        dice d = {2024};
        for (int i = 0; i < CONTACTS; i++)
            problems[i] = corpus_problem(&d, kinds[k].kind);
        for (int l = 0; l < carom_law_count(); l++) {
            const carom_rule rule = rule_of(carom_law_at(l));
            char name[64];
            snprintf(name, sizeof name, "%s,%s", rule.law->id, kinds[k].word);
            if (solve_all(problems, &rule) < CONTACTS) /* not this law's contacts; it also warms the caches */
                continue;
            CALLGRIND_ZERO_STATS;
            CALLGRIND_TOGGLE_COLLECT;
            solve_all(problems, &rule);
            CALLGRIND_TOGGLE_COLLECT;
            CALLGRIND_DUMP_STATS_AT(name);
        }
    }
    return 0;
}
