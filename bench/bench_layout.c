/* Where the arrays of a batch lie: the same impacts from memory, with the arrays at other distances from each other.
 *
 * A load waits for an earlier store whose address differs by a multiple of 4096 bytes, as if it were the same; and
 * lines at such distances share a set of the first cache. What counts is the distance between arrays modulo 4096, in
 * cache lines of 64 bytes. One line per law: nanoseconds per impact, the fastest of many rounds in turns, for each
 * distance; and whether the results were the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"

enum { ROWS = 1 << 20, LINE = 8, PAGE = 512, ARRAYS = 15, INPUTS = 9, ROUNDS = 9 }; /* in numbers */

static const int distances[] = {0, 1, 2, 5, 13, 16};
enum { DISTANCES = sizeof distances / sizeof *distances };

typedef struct layout {
    double *memory, *at[ARRAYS];
} layout;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Boxes, more or less: K is well conditioned, all slide and approach. */
static void fill(layout *x)
{
    for (int i = 0; i < ROWS; i++) {
        double a = (double)(i * 37 % 101) / 101, b = (double)(i * 53 % 97) / 97, c = (double)(i * 29 % 89) / 89;
        const double row[INPUTS] = {2 + a, 0.3 * b, 2 + c, 0.4 * c, -0.3 * a, 1 + b, 1 - 2 * a, 1 - 2 * b, -1 - c};
        for (int k = 0; k < INPUTS; k++)
            x->at[k][i] = row[k];
    }
}

static bool lay_out(layout *x, int lines)
{
    size_t room = ROWS + (size_t)(lines * LINE);
    x->memory = aligned_alloc(PAGE * sizeof(double), (ARRAYS * room + PAGE) / PAGE * PAGE * sizeof(double));
    for (size_t k = 0; x->memory && k < ARRAYS; k++)
        x->at[k] = x->memory + k * room;
    if (x->memory)
        fill(x);
    return x->memory;
}

static double solve(const layout *x, const carom_rule *rule)
{
    double *const *at = x->at;
    carom_batch_in in = {ROWS, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], {0}};
    carom_batch_out out = {ROWS, at[9], at[10], at[11], at[12], at[13], at[14], NULL, {0}};
    carom_batch_options options = {.threads = 1};
    double start = seconds();
    if (carom_batch_solve(&in, rule, &out, &options))
        abort();
    return 1e9 * (seconds() - start) / ROWS;
}

static bool same_results(const layout *x, const layout *y)
{
    bool same = true;
    for (int k = INPUTS; k < ARRAYS; k++)
        same &= memcmp(x->at[k], y->at[k], ROWS * sizeof(double)) == 0;
    return same;
}

static bool compare(layout *x, const char *id)
{
    const carom_rule rule = carom_rule_default(carom_law_find(id));
    double fastest[DISTANCES];
    bool same = true;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < DISTANCES; k++) {
            double ns = solve(&x[k], &rule);
            fastest[k] = round == 0 || ns < fastest[k] ? ns : fastest[k];
        }
    printf("%-20s", id);
    for (int k = 0; k < DISTANCES; k++) {
        printf(" %6.1f", fastest[k]);
        same &= same_results(&x[0], &x[k]);
    }
    printf("  %s\n", same ? "same results" : "OTHER RESULTS");
    return same;
}

int main(void)
{
    layout x[DISTANCES];
    for (int k = 0; k < DISTANCES; k++)
        if (!lay_out(&x[k], distances[k])) {
            fprintf(stderr, "bench_layout: no memory for %d impacts\n", ROWS);
            return 1;
        }
    printf("ns per impact from memory, arrays this many lines of 64 bytes apart, modulo 4096 bytes:\n%-20s", "");
    for (int k = 0; k < DISTANCES; k++)
        printf(" %6d", distances[k]);
    printf("\n");
    bool same = compare(x, "newton") & compare(x, "chatterjee-momentum") & compare(x, "chatterjee-velocity");
    for (int k = 0; k < DISTANCES; k++)
        free(x[k].memory);
    return same ? 0 : 1;
}
