/* Contacts with a patch: microseconds of carom_patch_solve on random impacts, the median of short rounds. Their digits
 * are those of `carom verify tests/vectors/torsion.jsonl`.
 *
 *     ball      a solid ball, patch 0.1 of its radius, on a plane
 *     general   K = A A^T + 0.05 with angular rows in units of the patch */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"

enum { PROBLEMS = 200, ROUNDS = 15 };

static unsigned long long state = 88172645463325252u;

static double uniform(double low, double high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void draw_ball(double a, double K[16], double u[4])
{
    for (int i = 0; i < 16; i++)
        K[i] = 0;
    K[0] = K[5] = 3.5;
    K[10] = 1;
    K[15] = 2.5;
    for (int i = 0; i < 4; i++)
        u[i] = uniform(-2, 2) / (i < 3 ? 1 : a);
}

static void draw_general(double a, double K[16], double u[4])
{
    double A[4][4];
    for (int i = 0; i < 16; i++)
        A[i / 4][i % 4] = uniform(-1, 1);
    for (int i = 0; i < 4; i++) {
        u[i] = uniform(-2, 2) / (i < 3 ? 1 : a);
        for (int j = 0; j < 4; j++) {
            double sum = i == j ? 0.05 : 0;
            for (int k = 0; k < 4; k++)
                sum += A[i][k] * A[j][k];
            K[4 * i + j] = sum / ((i < 3 ? 1 : a) * (j < 3 ? 1 : a));
        }
    }
}

static carom_patch_problem draw(bool ball, double a)
{
    carom_patch_problem pb;
    double K[16], u[4];
    (ball ? draw_ball : draw_general)(a, K, u);
    u[2] = -(u[2] < 0 ? -u[2] : u[2]) - 0.01;
    if (carom_patch_load(4, K, u, &pb))
        exit(1);
    return pb;
}

static double median_time(const carom_patch_problem *pb, const carom_rule *rules, int *solved)
{
    double times[ROUNDS];
    carom_outcome out;
    for (int r = 0; r < ROUNDS; r++) {
        const double from = seconds();
        *solved = 0;
        for (int i = 0; i < PROBLEMS; i++)
            *solved += carom_patch_solve(&pb[i], &rules[i], NULL, &out) == CAROM_STATUS_OK;
        times[r] = (seconds() - from) / PROBLEMS;
    }
    qsort(times, ROUNDS, sizeof times[0], compare_doubles);
    return times[ROUNDS / 2];
}

static void measure(const char *law, int pressure, bool ball)
{
    static const char *const words[] = {"hertz", "uniform", "ring", "ellipse"};
    carom_patch_problem pb[PROBLEMS];
    carom_rule rules[PROBLEMS];
    int solved = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        rules[i] = carom_rule_default(carom_law_find(law));
        rules[i].coeffs.e = uniform(0, 1);
        rules[i].coeffs.mu = uniform(0.05, 0.8);
        rules[i].coeffs.patch = 0.1;
        rules[i].options.pressure = pressure;
        pb[i] = draw(ball, 0.1);
    }
    const double time = median_time(pb, rules, &solved);
    printf("%-14s %-8s %-8s %9.2f us  %d of %d\n", law, words[pressure], ball ? "ball" : "general", 1e6 * time, solved,
           PROBLEMS);
}

int main(void)
{
    static const char *const laws[] = {"whittaker", "routh-newton", "routh-poisson", "routh-stronge"};
    for (int l = 0; l < 4; l++)
        for (int pressure = 0; pressure < 4; pressure++)
            for (int ball = 1; ball >= 0; ball--)
                measure(laws[l], pressure, ball);
    return 0;
}
