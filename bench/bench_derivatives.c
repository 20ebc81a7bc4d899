/* What derivatives cost: all columns of p and u_after against one solve of the same impacts, per law. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "carom/carom.h"

enum { IMPACTS = 64, LEAST_ROUNDS = 4 };
#define LEAST_SECONDS 0.05

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned long long state = 2385;

static double within(double low, double high)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

/* General contacts in space; laws of principal directions get spheres, planar laws planes. */
static carom_problem draw(const carom_law *law)
{
    carom_problem x = {
        {within(1, 4), within(-0.5, 0.5), within(1, 4), within(-0.6, 0.6), within(-0.6, 0.6), within(1, 3)},
        {within(-2, 2), within(-2, 2), within(-2, -0.2)}};
    if (law->traits & CAROM_TRAIT_PRINCIPAL_ONLY) {
        x.K.t22 = x.K.t11;
        x.K.t12 = x.K.t1n = x.K.t2n = 0;
    }
    if (law->traits & CAROM_TRAIT_PLANAR_ONLY)
        x.K.t12 = x.K.t22 = x.K.t2n = x.u.t2 = 0;
    return x;
}

static volatile double sink;

/* Nanoseconds of one impact, the fastest round. */
static double time_of(const carom_problem *x, const carom_rule *rule, bool derivatives)
{
    double best = INFINITY, begin = seconds();
    for (int round = 0; round < LEAST_ROUNDS || seconds() - begin < LEAST_SECONDS; round++) {
        double start = seconds(), sum = 0;
        for (int i = 0; i < IMPACTS; i++) {
            carom_outcome out;
            carom_derivative d;
            carom_status status =
                derivatives ? carom_derivative_solve(&x[i], rule, &out, &d) : carom_solve(&x[i], rule, NULL, &out);
            sum += out.p.n + (double)status;
        }
        sink = sum;
        best = fmin(best, (seconds() - start) / IMPACTS * 1e9);
    }
    return best;
}

int main(void)
{
    printf("all derivatives against one solve, general contacts\n%-20s %10s %14s %8s\n", "law", "solve, ns",
           "derivatives, ns", "ratio");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (!carom_law_has_derivatives(law))
            continue;
        carom_problem x[IMPACTS];
        const carom_rule rule = carom_rule_default(law);
        for (int k = 0; k < IMPACTS; k++)
            x[k] = draw(law);
        double solve = time_of(x, &rule, false), both = time_of(x, &rule, true);
        printf("%-20s %10.0f %14.0f %8.1f\n", law->id, solve, both, both / solve);
    }
    return 0;
}
