/* From two prepared bodies to the ledger: reduction, checks, law, ledger, for every closed-form law.
 *
 * One line per law: nanoseconds of carom_bodies_reduce and carom_solve together, the fastest and the median of many
 * short rounds, and the largest deviation of u_after from the relative velocity of the bodies once the impulse is
 * applied to them: the same calls, checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"

enum { ROUNDS = 41, CALLS = 4000 };

typedef struct scene {
    carom_body a, b;
    carom_contact contact;
    carom_rule rule;
} scene;

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

/* A box that lands on a corner; the floor is fixed. */
static bool set_scene(const carom_law *law, scene *s)
{
    carom_body_def box = carom_body_def_default(), floor = carom_body_def_default();
    box.inertia = (carom_sym3){0.5, 0.1, 0.05, 0.6, 0.02, 0.7};
    box.velocity = carom_vec3_make(1, 0.3, -5);
    box.omega = carom_vec3_make(0.2, 2, 0.4);
    floor.fixed = true;
    carom_vec3 arm = {0.3, 0.2, -1}, here = {0, 0, 0}, up = {0, 0, 1};
    s->rule = carom_rule_default(law);
    return !carom_body_init(&box, &s->a) && !carom_body_init(&floor, &s->b) &&
           !carom_contact_init(arm, here, up, &s->contact);
}

/* One impact, a little different each time; zero when the law does not take it. */
static bool impact(scene *s, int i, carom_problem *problem, carom_outcome *out)
{
    s->a.velocity.x = 1 + 1e-6 * i;
    return carom_bodies_reduce(&s->a, &s->b, &s->contact, problem) == CAROM_STATUS_OK &&
           carom_solve(problem, &s->rule, NULL, out) == CAROM_STATUS_OK;
}

static double deviation(scene *s)
{
    carom_problem problem, after;
    carom_outcome out;
    if (!impact(s, 0, &problem, &out))
        return -1;
    carom_body a = s->a, b = s->b;
    carom_bodies_apply(&s->contact, out.p, &a, &b);
    if (carom_bodies_reduce(&a, &b, &s->contact, &after))
        return -1;
    carom_cvec d = carom_cvec_sub(after.u, out.u_after);
    return fmax(fabs(d.t1), fmax(fabs(d.t2), fabs(d.n))) / fabs(problem.u.n);
}

static volatile double sink;

static double round_of(scene *s)
{
    carom_problem problem;
    carom_outcome out;
    double sum = 0, start = seconds();
    for (int i = 0; i < CALLS; i++)
        sum += impact(s, i, &problem, &out) ? out.p.n : 0;
    sink = sum;
    return 1e9 * (seconds() - start) / CALLS;
}

int main(void)
{
    printf("%-22s %10s %10s %12s\n", "from two bodies", "fastest ns", "median ns", "deviation");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        scene s;
        if (!(law->traits & CAROM_TRAIT_CLOSED_FORM) || !set_scene(law, &s) || deviation(&s) < 0)
            continue;
        double ns[ROUNDS];
        for (int k = 0; k < ROUNDS; k++)
            ns[k] = round_of(&s);
        qsort(ns, ROUNDS, sizeof *ns, compare_doubles);
        printf("%-22s %10.0f %10.0f %12.1e\n", law->id, ns[0], ns[ROUNDS / 2], deviation(&s));
    }
    return 0;
}
