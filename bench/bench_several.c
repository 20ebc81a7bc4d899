/* Several contacts at once: microseconds of carom_together_solve on prepared problems, the residual that it reports
 * and how many problems it solves; then piles of spheres. The problems are those of bench/several_problems.c, which
 * ./run bench-peers also gives to Siconos.
 *
 * usage: bench_several [SPHERES]   (default 1000; 0 leaves the piles out) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "several_problems.h"

enum { PROBLEMS = 32, ROUNDS = 21 };
#define ROUND_SECONDS 2e-3

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct session {
    several_problem problem;
    carom_together_rule rule;
    carom_together_outcome out;
    void *work;
} session;

static session session_of(const char *law, several_problem problem)
{
    size_t n = (size_t)(problem.contacts.count * problem.contacts.dim);
    session s = {problem, carom_together_rule_default(carom_together_find(law), problem.coeffs), {0}, NULL};
    s.out.p = malloc(n * sizeof(double));
    s.out.u_after = malloc(n * sizeof(double));
    s.work = malloc(carom_together_work(&s.problem.contacts, &s.rule));
    if (!s.out.p || !s.out.u_after || !s.work)
        abort();
    return s;
}

static carom_status solve(session *s)
{
    return carom_together_solve(&s->problem.contacts, &s->rule, NULL, s->work, &s->out);
}

static void close_session(session *s)
{
    free(s->out.p);
    free(s->out.u_after);
    free(s->work);
    several_free_problem(&s->problem);
}

/* Microseconds per call over all problems, the median of many rounds. */
static double time_calls(session *s, int count, double *fastest)
{
    double us[ROUNDS];
    int turns = 0;
    for (double start = seconds(); seconds() - start < ROUND_SECONDS; turns++)
        for (int k = 0; k < count; k++)
            (void)solve(&s[k]);
    for (int r = 0; r < ROUNDS; r++) {
        double start = seconds();
        for (int t = 0; t < turns; t++)
            for (int k = 0; k < count; k++)
                (void)solve(&s[k]);
        us[r] = 1e6 * (seconds() - start) / turns / count;
    }
    qsort(us, ROUNDS, sizeof *us, compare_doubles);
    *fastest = us[0];
    return us[ROUNDS / 2];
}

static void report(const char *law, const char *what, session *s, int count)
{
    double fastest, residual = 0, median;
    int solved = 0;
    for (int k = 0; k < count; k++) {
        solved += solve(&s[k]) == CAROM_STATUS_OK;
        residual = fmax(residual, s[k].out.residual);
    }
    median = time_calls(s, count, &fastest);
    printf("%-12s %-28s %10.2f %10.2f %10.1e %4d of %d\n", law, what, fastest, median, residual, solved, count);
    for (int k = 0; k < count; k++)
        close_session(&s[k]);
}

static void random_line(const char *law, int m, int dim, bool friction)
{
    session s[PROBLEMS];
    char what[64];
    for (unsigned k = 0; k < PROBLEMS; k++) {
        s[k] = session_of(law, several_random(m, dim, k + 1));
        for (int i = 0; !friction && i < m; i++)
            s[k].problem.coeffs[i].mu = 0;
    }
    snprintf(what, sizeof what, "m = %d %s%s", m, dim == 2 ? "planar" : "spatial", friction ? "" : ", no friction");
    report(law, what, s, PROBLEMS);
}

static void pile_line(int spheres, bool rests, double tolerance, int sweeps)
{
    session s = session_of("moreau", several_pile(spheres, rests, 1));
    s.rule.tolerance = tolerance;
    s.rule.iterations = sweeps;
    double start = seconds();
    carom_status status = solve(&s);
    printf("%-7s %6d contacts  goal %.0e  %9.1f ms  residual %.1e  %5d sweeps  %s\n", rests ? "rests" : "falls",
           s.problem.contacts.count, tolerance, 1e3 * (seconds() - start), s.out.residual, s.out.iterations,
           carom_status_id(status));
    close_session(&s);
}

int main(int count, char **words)
{
    int spheres = count > 1 ? atoi(words[1]) : 1000;
    printf("%-12s %-28s %10s %10s %10s %s\n", "law", "problem", "fastest us", "median us", "residual", "solved");
    random_line("moreau", 2, 2, true);
    random_line("moreau", 4, 2, true);
    random_line("moreau", 8, 2, true);
    random_line("moreau", 2, 3, true);
    random_line("moreau", 8, 3, true);
    random_line("moreau", 16, 3, true);
    random_line("moreau", 8, 3, false);
    random_line("poisson-lcp", 2, 2, true);
    random_line("reflections", 8, 3, false);
    random_line("sequential", 8, 3, false);
    random_line("lzb", 2, 2, true);
    random_line("lzb", 8, 2, true);
    session cradle = session_of("lzb", several_cradle());
    report("lzb", "cradle of three", &cradle, 1);
    random_line("compliant", 2, 2, true);
    random_line("compliant", 8, 2, true);
    random_line("compliant", 2, 3, true);
    cradle = session_of("compliant", several_cradle());
    report("compliant", "cradle of three", &cradle, 1);
    static const double goals[] = {1e-3, 1e-4, 1e-5};
    if (spheres > 0)
        printf("\npile of %d spheres in a box, moreau, mu = 0.3\n", spheres);
    for (int rests = 0; spheres > 0 && rests < 2; rests++)
        for (int k = 0; k < 3; k++)
            pile_line(spheres, rests, goals[k], 2000);
    return 0;
}
