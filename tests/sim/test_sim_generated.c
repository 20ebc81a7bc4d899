/* Random ordinary scenes: energy does not rise, nothing overlaps, the ledger closes, and no run ends early.
 *
 * CAROM_GENERATED=N runs N scenes of each class instead of a few, and prints the worst numbers of each class;
 * CAROM_GENERATED_CLASS=K only class K, CAROM_GENERATED_FIRST=M from scene M on. */
#include <stdio.h>
#include <time.h>

#include "sim/generated_classes.h"

enum { LOOKS = 300 };
#define LOOK_TIME 0.01  /* s */
#define RISE_TOL  1e-12 /* of the energy scale */
#define CLOSE_TOL 1e-12 /* of the energy scale: what the ledger leaves */
#define DEPTH_TOL 2e-6  /* of the largest size */

typedef struct worst {
    double rise, depth, residual, seconds;
    int ended, at_rest, runs;
    const char *status;
} worst;

/* Weight times size and motion: what rises are measured against. */
static double energy_scale(const carom_scene *scene)
{
    double sum = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const carom_body_def *d = &scene->bodies[k].def;
        sum += d->fixed ? 0 : d->mass * (GRAVITY * 0.2 + 0.5 * carom_vec3_dot(d->velocity, d->velocity));
    }
    return sum;
}

/* Bodies of one joint do not touch. */
static bool are_joined(const carom_scene *scene, int i, int j)
{
    for (int k = 0; k < scene->joint_count; k++)
        if ((scene->joints[k].a == i && scene->joints[k].b == j) ||
            (scene->joints[k].a == j && scene->joints[k].b == i))
            return true;
    return false;
}

static double deepest(const carom_sim *sim, const carom_scene *scene)
{
    double depth = 0;
    for (int i = 0; i < scene->body_count; i++)
        for (int j = i + 1; j < scene->body_count; j++)
            if ((!scene->bodies[i].def.fixed || !scene->bodies[j].def.fixed) && !are_joined(scene, i, j))
                depth = fmax(depth, -carom_sim_distance(sim, i, j));
    return depth;
}

static void look(const carom_sim *sim, const carom_scene *scene, double *least, worst *w)
{
    double scale = energy_scale(scene);
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_true(l.after - l.after == 0);
    double own = l.after - l.driven - l.fields; /* what nothing drives may not rise */
    double swing = step_swing(sim, scene);
    w->rise = fmax(w->rise, (own - swing - *least) / scale);
    w->residual = fmax(w->residual, fabs(l.residual) / scale);
    w->depth = fmax(w->depth, deepest(sim, scene) / 0.3);
    *least = fmin(*least, own + swing);
}

static void run_scene(const carom_scene *scene, worst *w)
{
    carom_sim *sim = sim_of(scene);
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop = CAROM_SIM_STOP_TIME;
    carom_status status = CAROM_STATUS_OK;
    double least = carom_sim_energy(sim).before;
    until.events = 1;
    until.rest = true;
    for (int k = 1; k <= LOOKS && !status && stop != CAROM_SIM_STOP_REST;) {
        until.time = LOOK_TIME * k;
        status = carom_sim_advance(sim, &until, &stop);
        look(sim, scene, &least, w);
        k += stop != CAROM_SIM_STOP_EVENTS;
    }
    w->runs++;
    w->at_rest += stop == CAROM_SIM_STOP_REST;
    w->ended += status != CAROM_STATUS_OK;
    w->status = status ? carom_status_id(status) : w->status;
    carom_sim_free(sim);
}

static int setting(const char *name, int usual)
{
    const char *text = getenv(name);
    return text ? (int)strtol(text, NULL, 10) : usual;
}

static void tell(const char *name, int number, const worst *w)
{
    printf("%-14s %4d  rise %8.1e  depth %8.1e  residual %8.1e  rest %3d of %3d  ended %d %s  %.2f s\n", name, number,
           w->rise, w->depth, w->residual, w->at_rest, w->runs, w->ended, w->status ? w->status : "", w->seconds);
}

/* The violations of a class that are not on record. */
static int violations(int class, const worst *w)
{
    const struct {
        const char *check;
        bool bad;
    } checks[] = {{"energy", !(w->rise <= RISE_TOL)},
                  {"overlap", !(w->depth <= DEPTH_TOL)},
                  {"ledger", !(w->residual <= CLOSE_TOL)},
                  {"end", w->ended > 0}};
    int count = 0;
    for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++)
        count += checks[k].bad && !known(class, checks[k].check);
    return count;
}

static worst run_class(int class, int count, int first)
{
    worst all = {0};
    for (int k = first; k < first + count; k++) {
        generated g;
        worst one = {0};
        clock_t start = clock();
        carom_scene scene = generate(&g, class, k);
        run_scene(&scene, &one);
        one.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (violations(class, &one))
            tell(scene_classes[class].name, k, &one);
        all.rise = fmax(all.rise, one.rise);
        all.depth = fmax(all.depth, one.depth);
        all.residual = fmax(all.residual, one.residual);
        all.seconds += one.seconds;
        all.at_rest += one.at_rest;
        all.ended += one.ended;
        all.runs++;
    }
    return all;
}

static void test_generated(void **state)
{
    (void)state;
    int count = setting("CAROM_GENERATED", 0), only = setting("CAROM_GENERATED_CLASS", -1), bad = 0;
    for (int c = 0; c < SCENE_CLASSES; c++) {
        if (only >= 0 && c != only)
            continue;
        worst w = run_class(c, count ? count : draws(scene_classes[c].quick), setting("CAROM_GENERATED_FIRST", 0));
        bad += violations(c, &w);
        if (count)
            tell(scene_classes[c].name, -1, &w);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
