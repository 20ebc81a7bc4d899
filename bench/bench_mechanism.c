/* The cost of an impact of a chain against its length: all of it, and per link. A linear algorithm has a flat last
 * column.
 *
 *     place    poses, velocities, articulated inertias
 *     K        the reduction to (K, u) at the tip
 *     apply    the impulse on every speed
 *     dense    K from M and J, for comparison */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 1024, LARGEST_DENSE = 256 };

static carom_link_def defs[LARGEST];
static carom_link links[LARGEST];
static carom_link_state states[LARGEST];
static carom_freedom freedoms[LARGEST];
static double q[LARGEST], qdot[LARGEST];
static double M[LARGEST_DENSE * LARGEST_DENSE], J[3 * LARGEST_DENSE], work[CAROM_GENERALIZED_WORK(LARGEST_DENSE)];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Hinges about turning axes, so that nothing is planar. */
static carom_status build(int n, carom_mechanism *chain)
{
    for (int i = 0; i < n; i++) {
        defs[i] = carom_link_def_default();
        defs[i].parent = i - 1;
        defs[i].origin.x = 0.1;
        defs[i].axis = carom_vec3_make(0, sin(0.7 * i), cos(0.7 * i));
        defs[i].com.x = 0.05;
        defs[i].inertia = (carom_sym3){0.001, 0, 0, 0.002, 0, 0.002};
        q[i] = 0.3 * sin(1.3 * i);
        qdot[i] = cos(2.1 * i);
    }
    return carom_mechanism_init(defs, n, links, chain);
}

typedef struct bench {
    carom_motion motion;
    carom_touch touch;
    carom_problem problem;
} bench;

static void run_place(bench *b)
{
    if (carom_motion_place(&b->motion))
        exit(1);
}

static void run_reduce(bench *b)
{
    if (carom_touch_reduce(&b->touch, &b->problem))
        exit(1);
}

static void run_apply(bench *b)
{
    carom_touch_apply(&b->touch, carom_cvec_make(1e-9, 0, 1e-9));
}

static void run_dense(bench *b)
{
    carom_generalized g = {b->motion.mechanism->nv, 3, M, J, qdot, work};
    carom_motion_mass_matrix(&b->motion, M);
    carom_touch_jacobian(&b->touch, &b->motion, J);
    if (carom_generalized_reduce(&g, &b->problem))
        exit(1);
}

/* Nanoseconds per call: the best of several rounds of some milliseconds. */
static double time_of(void (*run)(bench *), bench *b, int n)
{
    double best = 1e30;
    int calls = 1 + 20000 / n;
    for (int round = 0; round < 7; round++) {
        double start = now();
        for (int i = 0; i < calls; i++)
            run(b);
        best = fmin(best, (now() - start) / calls * 1e9);
    }
    return best;
}

int main(void)
{
    printf("links   place ns     K ns  apply ns   total us   ns/link   dense us   K differs by\n");
    for (int n = 2; n <= LARGEST; n *= 2) {
        carom_mechanism chain;
        if (build(n, &chain))
            return 1;
        bench b = {.motion = {&chain, q, qdot, states, freedoms, -1}};
        carom_vec3 tip = {0.1, 0, 0}, up = {0, 0, 1};
        run_place(&b);
        if (carom_touch_init(&b.motion, n - 1, tip, up, &b.touch))
            return 1;
        double place = time_of(run_place, &b, n), reduce = time_of(run_reduce, &b, n),
               apply = time_of(run_apply, &b, n);
        double total = place + reduce + apply, K = b.problem.K.nn;
        printf("%5d %10.0f %8.0f %9.0f %10.2f %9.1f", n, place, reduce, apply, total / 1000, total / n);
        if (n <= LARGEST_DENSE) {
            double dense = n <= 64 ? time_of(run_dense, &b, n * n) : time_of(run_dense, &b, 20000);
            printf(" %10.1f   %.1e", dense / 1000, fabs(b.problem.K.nn / K - 1));
        }
        printf("\n");
    }
    return 0;
}
