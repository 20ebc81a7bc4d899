/* Speed of every law, with its accuracy beside it, on the reference vectors:
 *
 *     bench_solve tests/vectors/algebraic.jsonl ...
 *
 * One line per law: cases, nanoseconds of one carom_solve (validation, law and ledger) as the median and the spread
 * over rounds, and the digits the same calls got right. Then the whole way from two prepared bodies. Times are of this
 * machine and this minute; compare them within one run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "carom/case.h"

enum { LAWS_MAX = 64, ROUNDS = 15, DIGITS_MOST = 17 };

#define ROUND_SECONDS 0.02 /* long enough for the clock, short enough for a quiet moment */

typedef struct sample {
    carom_problem problem;
    carom_rule rule;
    carom_cvec want;
    double slack; /* relative accuracy the case itself allows */
} sample;

typedef struct group {
    sample *samples;
    int count, room;
} group;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int law_index(const carom_law *law)
{
    for (int i = 0; i < carom_law_count(); i++)
        if (carom_law_at(i) == law)
            return i;
    return 0;
}

/* The expected impulse of a case, if it has one in contact axes. */
static bool expected_impulse(const carom_case *c, carom_cvec *p)
{
    const json_t *want = json_object_get(json_object_get(c->document, "expect"), "p");
    if (!want)
        return false;
    *p = carom_cvec_make(json_number_value(json_array_get(want, 0)),
                         c->dim == 3 ? json_number_value(json_array_get(want, 1)) : 0,
                         json_number_value(json_array_get(want, (size_t)c->dim - 1)));
    return true;
}

static void keep(group *g, const carom_case *c, carom_cvec want)
{
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->samples = realloc(g->samples, (size_t)g->room * sizeof *g->samples);
        if (!g->samples)
            exit(1);
    }
    double bound = json_number_value(json_object_get(c->document, "error_bound"));
    sample s = {c->problem, c->rule, want, fmax(1e-12, 16 * bound)};
    g->samples[g->count++] = s;
}

static void load(const char *file, group *groups)
{
    FILE *in = fopen(file, "r");
    char *line = NULL;
    size_t room = 0;
    if (!in) {
        fprintf(stderr, "bench_solve: cannot read %s\n", file);
        exit(2);
    }
    for (long number = 1; getline(&line, &room, in) > 0; number++) {
        carom_text text = {file, number, line, strlen(line)};
        carom_case c;
        carom_case_error error;
        carom_cvec want;
        if (carom_case_read(&text, &c, &error) && c.rule.law && c.problem.u.n < 0 && expected_impulse(&c, &want))
            keep(&groups[law_index(c.rule.law)], &c, want);
        carom_case_free(&c);
    }
    free(line);
    fclose(in);
}

static double largest(carom_cvec v)
{
    return fmax(fabs(v.t1), fmax(fabs(v.t2), fabs(v.n)));
}

/* Median digits, and the worst error against what the case allows. */
static void accuracy(const group *g, double *digits, double *worst)
{
    double *all = malloc((size_t)g->count * sizeof *all);
    *worst = 0;
    for (int i = 0; all && i < g->count; i++) {
        carom_outcome out;
        carom_status status = carom_solve(&g->samples[i].problem, &g->samples[i].rule, NULL, &out);
        double error = largest(carom_cvec_sub(out.p, g->samples[i].want)) / fmax(largest(g->samples[i].want), 1e-300);
        all[i] = status == CAROM_OK ? fmin(DIGITS_MOST, -log10(error + 1e-18)) : 0;
        *worst = fmax(*worst, error / g->samples[i].slack);
    }
    if (all)
        qsort(all, (size_t)g->count, sizeof *all, compare_doubles);
    *digits = all ? all[g->count / 2] : 0;
    free(all);
}

static volatile double sink;

/* Nanoseconds per call over all samples, for one round. */
static double round_of(const group *g)
{
    long calls = 0;
    double sum = 0, start = seconds(), now = start;
    while (now - start < ROUND_SECONDS) {
        for (int i = 0; i < g->count; i++) {
            carom_outcome out;
            if (!carom_status_is_answer(carom_solve(&g->samples[i].problem, &g->samples[i].rule, NULL, &out)))
                continue;
            sum += out.p.n;
        }
        calls += g->count;
        now = seconds();
    }
    sink = sum;
    return 1e9 * (now - start) / (double)calls;
}

static void report(const carom_law *law, const group *g)
{
    double ns[ROUNDS], digits, worst;
    for (int i = 0; i < ROUNDS; i++)
        ns[i] = round_of(g);
    qsort(ns, ROUNDS, sizeof *ns, compare_doubles);
    accuracy(g, &digits, &worst);
    printf("%-22s %6d %10.0f %8.0f ... %-8.0f %8.1f %12.2g\n", law->id, g->count, ns[ROUNDS / 2], ns[0], ns[ROUNDS - 1],
           digits, worst);
}

/* Two prepared bodies to the ledger: reduce, solve. */
static void report_bodies(void)
{
    carom_body_def def = carom_body_def_default(), floor = carom_body_def_default();
    def.inertia = (carom_sym3){0.5, 0.1, 0.05, 0.6, 0.02, 0.7};
    def.velocity = carom_vec3_make(1, 0.3, -5);
    def.omega = carom_vec3_make(0.2, 2, 0.4);
    floor.fixed = true;
    carom_body a, b;
    carom_contact contact;
    carom_vec3 arm = {0.3, 0.2, -1}, here = {0, 0, 0}, up = {0, 0, 1};
    if (carom_body_init(&def, &a) || carom_body_init(&floor, &b) || carom_contact_init(arm, here, up, &contact))
        return;
    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    double ns[ROUNDS], sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        long calls = 0;
        double start = seconds(), now = start;
        for (; now - start < ROUND_SECONDS; now = seconds())
            for (int j = 0; j < 1000; j++, calls++) {
                carom_problem problem;
                carom_outcome out;
                a.velocity.x = 1 + 1e-6 * j;
                if (carom_bodies_reduce(&a, &b, &contact, &problem) || carom_solve(&problem, &rule, NULL, &out))
                    return;
                sum += out.p.n;
            }
        ns[i] = 1e9 * (now - start) / (double)calls;
    }
    sink = sum;
    qsort(ns, ROUNDS, sizeof *ns, compare_doubles);
    printf("\nfrom two bodies, chatterjee-momentum: reduce, solve and ledger %.0f ns (%.0f ... %.0f)\n", ns[ROUNDS / 2],
           ns[0], ns[ROUNDS - 1]);
}

int main(int argc, char **argv)
{
    static group groups[LAWS_MAX];
    if (argc < 2 || carom_law_count() > LAWS_MAX) {
        fprintf(stderr, "usage: bench_solve VECTORS.jsonl...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        load(argv[i], groups);
    printf("%-22s %6s %10s %21s %8s %12s\n", "law", "cases", "ns/solve", "fastest ... slowest", "digits",
           "worst/allowed");
    for (int i = 0; i < carom_law_count(); i++)
        if (groups[i].count)
            report(carom_law_at(i), &groups[i]);
    report_bodies();
    for (int i = 0; i < LAWS_MAX; i++)
        free(groups[i].samples);
    return 0;
}
