#include "tally.h"

#include <stdarg.h>
#include <string.h>

static const char *const words[] = {
#define PROPERTY(name, word, meaning) word,
#include "properties.def"
#undef PROPERTY
};

/* Defects that are being repaired. A null word matches everything. */
static const struct {
    const char *law, *property, *kind;
} known[] = {
#define KNOWN(law, property, kind, defect) {law, property, kind},
#include "known.def"
#undef KNOWN
    {"", "", ""},
};

const char *property_word(property p)
{
    return words[p];
}

void tally_check(tally *t, const trial *x, property p, bool holds, const char *detail, ...)
{
    t->checked[x->law][p]++;
    if (holds || t->violated[x->law][p][x->kind]++ > 0)
        return;
    example *first = &t->first[x->law][p][x->kind];
    first->pb = x->pb;
    first->patch = x->patch;
    first->rule = x->rule;
    va_list arguments;
    va_start(arguments, detail);
    vsnprintf(first->detail, sizeof first->detail, detail, arguments);
    va_end(arguments);
}

void tally_add(tally *sum, const tally *part)
{
    sum->undecided += part->undecided;
    for (int l = 0; l < LAWS_MOST; l++) {
        sum->problems[l] += part->problems[l];
        sum->solved[l] += part->solved[l];
        sum->partial[l] += part->partial[l];
        for (int p = 0; p < PROPERTY_COUNT; p++) {
            sum->checked[l][p] += part->checked[l][p];
            for (int k = 0; k < KIND_COUNT; k++) {
                if (part->violated[l][p][k] > 0 && sum->violated[l][p][k] == 0)
                    sum->first[l][p][k] = part->first[l][p][k];
                sum->violated[l][p][k] += part->violated[l][p][k];
            }
        }
    }
}

static uint64_t over_laws(const uint64_t *count)
{
    uint64_t sum = 0;
    for (int l = 0; l < LAWS_MOST; l++)
        sum += count[l];
    return sum;
}

uint64_t tally_problems(const tally *t)
{
    return over_laws(t->problems);
}

uint64_t tally_solved(const tally *t)
{
    return over_laws(t->solved);
}

static bool matches(const char *pattern, const char *word)
{
    return !pattern || strcmp(pattern, word) == 0;
}

static bool is_known(int law, int p, int k)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (matches(known[i].law, carom_law_at(law)->id) && matches(known[i].property, words[p]) &&
            matches(known[i].kind, kind_word((kind)k)))
            return true;
    return false;
}

uint64_t tally_unknown(const tally *t)
{
    uint64_t sum = 0;
    for (int l = 0; l < carom_law_count(); l++)
        for (int p = 0; p < PROPERTY_COUNT; p++)
            for (int k = 0; k < KIND_COUNT; k++)
                sum += is_known(l, p, k) ? 0 : t->violated[l][p][k];
    return sum;
}

static void print_coefficients(const carom_rule *rule, FILE *file)
{
    const char *comma = "";
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        double value = carom_coeffs_get(&rule->coeffs, (carom_coeff)i);
        if (!(rule->law->uses >> i & 1) || (i == CAROM_COEFF_mu_s && value == CAROM_SAME_AS_MU))
            continue;
        fprintf(file, isinf(value) ? "%s\"%s\":\"infinite\"" : "%s\"%s\":%.17g", comma,
                carom_coeff_at((carom_coeff)i)->name, value);
        comma = ",";
    }
}

static void print_pressure(const carom_rule *rule, FILE *file)
{
    if (rule->options.pressure > 0)
        fprintf(file, "\"pressure\":\"%s\",", carom_option_at(CAROM_OPTION_pressure)->words[rule->options.pressure]);
}

/* K and u by rows. */
static void print_reduced(int size, const double *K, const double *u, FILE *file)
{
    fprintf(file, "\"reduced\":{\"K\":[");
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            fprintf(file, "%s%.17g%s", j == 0 ? "[" : "", K[i * size + j],
                    j + 1 < size   ? ","
                    : i + 1 < size ? "],"
                                   : "]],");
    for (int i = 0; i < size; i++)
        fprintf(file, "%s%.17g%s", i == 0 ? "\"u\":[" : "", u[i], i + 1 < size ? "," : "]}}\n");
}

/* A case that `carom solve` takes. */
static void print_case(const example *x, property p, kind k, uint64_t count, FILE *file)
{
    const carom_csym *K = &x->pb.K;
    const double point[9] = {K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n, K->nn};
    const double u[3] = {x->pb.u.t1, x->pb.u.t2, x->pb.u.n};
    fprintf(file, "{\"name\":\"%s on %s, %llu times: %s\",\"law\":\"%s\",", words[p], kind_word(k),
            (unsigned long long)count, x->detail, x->rule.law->id);
    print_pressure(&x->rule, file);
    fprintf(file, "\"coefficients\":{");
    print_coefficients(&x->rule, file);
    fprintf(file, "},");
    if (kind_has_patch(k))
        print_reduced(x->patch.size, x->patch.K, x->patch.u, file);
    else
        print_reduced(3, point, u, file);
}

static uint64_t violations(const tally *t, int law, int p)
{
    uint64_t sum = 0;
    for (int k = 0; k < KIND_COUNT; k++)
        sum += t->violated[law][p][k];
    return sum;
}

static void print_laws(const tally *t, FILE *file)
{
    fprintf(file, "%-20s %12s %14s %10s %14s  violated\n", "law", "problems", "solved", "partial", "checks");
    for (int l = 0; l < carom_law_count(); l++) {
        uint64_t checks = 0, bad = 0;
        for (int p = 0; p < PROPERTY_COUNT; p++)
            checks += t->checked[l][p];
        fprintf(file, "%-20s %12llu %14llu %10llu %14llu ", carom_law_at(l)->id, (unsigned long long)t->problems[l],
                (unsigned long long)t->solved[l], (unsigned long long)t->partial[l], (unsigned long long)checks);
        for (int p = 0; p < PROPERTY_COUNT; p++) {
            uint64_t n = violations(t, l, p);
            bad += n;
            if (n > 0)
                fprintf(file, " %s %llu", words[p], (unsigned long long)n);
        }
        fprintf(file, bad ? "\n" : " none\n");
    }
}

static void print_properties(const tally *t, FILE *file)
{
    fprintf(file, "%-20s %14s  violated\n", "property", "checks");
    for (int p = 0; p < PROPERTY_COUNT; p++) {
        uint64_t checks = 0, bad = 0;
        for (int l = 0; l < carom_law_count(); l++) {
            checks += t->checked[l][p];
            bad += violations(t, l, p);
        }
        fprintf(file, "%-20s %14llu  %llu\n", words[p], (unsigned long long)checks, (unsigned long long)bad);
    }
}

void tally_print(const tally *t, FILE *file)
{
    print_laws(t, file);
    print_properties(t, file);
    for (int l = 0; l < carom_law_count(); l++)
        for (int p = 0; p < PROPERTY_COUNT; p++)
            for (int k = 0; k < KIND_COUNT; k++)
                if (t->violated[l][p][k] > 0)
                    print_case(&t->first[l][p][k], (property)p, (kind)k, t->violated[l][p][k], file);
    fprintf(file, "%llu problems, %llu impacts solved, %llu comparisons undecided, %llu violations not in known.def\n",
            (unsigned long long)tally_problems(t), (unsigned long long)tally_solved(t),
            (unsigned long long)t->undecided, (unsigned long long)tally_unknown(t));
}
