/* Impacts per second of simulations: periodic gases of hard spheres (rho sigma^3 = 0.5, e = 1) from a thousand to a
 * million, and boxes and cylinders that fly about in a box of half-spaces. Then piles: bodies dropped into a box, until
 * they rest. bench_sim SIDE PILE: gases of up to SIDE cells along an edge, piles of up to PILE bodies (50; 500 takes
 * minutes).
 *
 * Processor time of the fastest of some rounds, since other work may use the machine; without an observer, and in turn
 * with one that looks at every impact (watched), which must leave the same energy to the bit. Beside it what shows that
 * the numbers are right: the change of energy, which e = 1 keeps, and for gases the mean free time, 0.13031 at
 * temperature 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"

static void *heap_resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double draw(unsigned long long *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Uniform between -1 and 1 times size. */
static carom_vec3 draw_vec(unsigned long long *seed, double size)
{
    double x = draw(seed), y = draw(seed), z = draw(seed);
    return carom_vec3_make(size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1));
}

enum { ROUNDS = 20, WARM_UP = 4 }; /* impacts per body before the clock starts; a quarter of one in a round */

typedef struct result {
    double rate, watched, energy, free_time;
} result;

/* An observer that looks at every impact. */
static bool watch(void *context, const carom_sim_event *event)
{
    long long *seen = context;
    *seen += event->kind == CAROM_SIM_EVENT_IMPACT && event->contacts->p.n > 0;
    return true;
}

/* The time of so many impacts more. */
static double time_impacts(carom_sim *sim, carom_sim_until *until, long long impacts, int *failed)
{
    carom_sim_stop stop;
    double start = seconds();
    until->impacts = carom_sim_impacts(sim) + impacts;
    *failed |= carom_sim_advance(sim, until, &stop) != CAROM_STATUS_OK;
    return seconds() - start;
}

/* Run a scene of movable bodies twice, alone and watched, round by round, so that both meet the same machine. */
static int measure(const carom_scene *scene, int movable, result *out)
{
    long long seen = 0, round = movable / 4 > 500 ? movable / 4 : 500;
    const carom_sim_observer observer = {.after = watch, .context = &seen};
    carom_memory memory = {heap_resize, NULL};
    carom_sim *sim[2] = {NULL, NULL};
    carom_sim_until until = carom_sim_until_default();
    int failed = 0;
    for (int k = 0; k < 2 && !failed; k++)
        failed = carom_sim_create(scene, &memory, &sim[k], NULL) != CAROM_STATUS_OK;
    if (failed)
        return 1;
    carom_sim_observe(sim[1], &observer);
    for (int k = 0; k < 2; k++)
        time_impacts(sim[k], &until, WARM_UP * movable, &failed);
    double began = carom_sim_time(sim[0]), fastest[2] = {INFINITY, INFINITY};
    for (int n = 0; n < ROUNDS && !failed; n++)
        for (int k = 0; k < 2; k++)
            fastest[k] = fmin(fastest[k], time_impacts(sim[k], &until, round, &failed));
    carom_sim_ledger e = carom_sim_energy(sim[0]), same = carom_sim_energy(sim[1]);
    double per_body = 2.0 * ROUNDS * (double)round / movable;
    out->rate = (double)round / fastest[0], out->watched = (double)round / fastest[1];
    out->energy = e.after / e.before - 1, out->free_time = (carom_sim_time(sim[0]) - began) / per_body;
    failed |= seen < carom_sim_impacts(sim[1]) || same.after != e.after;
    for (int k = 0; k < 2; k++)
        carom_sim_free(sim[k]);
    return failed;
}

/* ---- spheres ---- */

/* A face-centred lattice; the mean square of a velocity drawn from -w..w is w^2 / 3 along each axis: temperature one.
 */
static void fill_gas(carom_scene_body *b, int side, double cell)
{
    static const double at[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    unsigned long long seed = 88172645463325252u;
    for (int i = 0; i < 4 * side * side * side; i++) {
        const double *f = at[i % 4];
        int x = i / 4 % side, y = i / 4 / side % side, z = i / 4 / side / side;
        carom_scene_body body = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.5, 0, 0}}}};
        body.def = carom_shape_sphere(1, 0.5);
        body.def.position = carom_vec3_make((x + f[0]) * cell, (y + f[1]) * cell, (z + f[2]) * cell);
        body.def.velocity = draw_vec(&seed, sqrt(3));
        b[i] = body;
    }
}

static int run_gas(int side, double *first)
{
    int count = 4 * side * side * side;
    double cell = cbrt(8.0);
    carom_scene_body *b = malloc((size_t)count * sizeof *b);
    carom_scene scene = carom_scene_default();
    result r;
    if (!b)
        return 1;
    fill_gas(b, side, cell);
    scene.bodies = b;
    scene.body_count = count;
    scene.rule.coeffs.e = 1;
    scene.period = carom_vec3_make(side * cell, side * cell, side * cell);
    int failed = measure(&scene, count, &r);
    *first = *first > 0 ? *first : r.rate * log(count);
    if (!failed)
        printf("%9d %10.0f %10.0f %8.2f %8.2f %8.2f %10.5f %9.0e\n", count, r.rate, r.watched, 1e6 / r.rate, log(count),
               *first / (r.rate * log(count)), r.free_time, fabs(r.energy));
    fflush(stdout);
    free(b);
    return failed;
}

/* ---- boxes and cylinders ---- */

enum { SIDE = 5, SOLIDS = SIDE * SIDE * SIDE };

static void fill_solids(carom_scene_body *b, double cell, const carom_shape *shapes, int kinds)
{
    unsigned long long seed = 88172645463325252u;
    for (int i = 0; i < SOLIDS; i++) {
        carom_scene_body body = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shapes[i % kinds]}};
        body.def = carom_shape_body(&body.solid.shape, 1);
        body.def.position =
            carom_vec3_make((i % SIDE + 0.5) * cell, (i / SIDE % SIDE + 0.5) * cell, (i / SIDE / SIDE + 0.5) * cell);
        body.def.velocity = draw_vec(&seed, sqrt(3));
        body.def.omega = draw_vec(&seed, 3);
        b[i] = body;
    }
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 ? -1 : 1;
        carom_scene_body wall = {.solid = {.kind = CAROM_SOLID_HALF_SPACE}};
        wall.def = carom_body_def_default();
        wall.def.fixed = true;
        wall.solid.normal = carom_vec3_make(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0);
        wall.solid.offset = k % 2 ? -SIDE * cell : 0;
        b[SOLIDS + k] = wall;
    }
}

static int run_solids(const char *name, const carom_shape *shapes, int kinds)
{
    carom_scene_body b[SOLIDS + 6];
    carom_scene scene = carom_scene_default();
    result r;
    fill_solids(b, 1.6, shapes, kinds);
    scene.bodies = b;
    scene.body_count = SOLIDS + 6;
    scene.rule.coeffs.e = 1;
    int failed = measure(&scene, SOLIDS, &r);
    if (!failed)
        printf("%-22s %10.0f %10.0f %8.2f %9.0e\n", name, r.rate, r.watched, 1e6 / r.rate, fabs(r.energy));
    fflush(stdout);
    return failed;
}

/* ---- piles ---- */

enum { PILE = 50, PILE_MOST = 500, LOOKS = 60 };
#define LOOK_TIME 0.05 /* s */

/* How many bodies stand beside each other along an edge of the box. */
static int pile_side(int count)
{
    return count > PILE ? 8 : 2;
}

static void fill_pile(carom_scene_body *b, int count, carom_shape shape)
{
    int side = pile_side(count);
    double middle = 0.5 * (side - 1), wide = 0.208 + 0.08 * (side - 2);
    unsigned long long seed = 88172645463325252u;
    for (int i = 0; i < count; i++) {
        carom_scene_body body = carom_scene_shape(shape, 0.5);
        carom_vec3 axis = draw_vec(&seed, 1), by = draw_vec(&seed, 0.01);
        double angle = 3 * draw(&seed), s = sin(angle) / carom_vec3_length(axis);
        int x = i % side, y = i / side % side, z = i / side / side;
        body.def.position = carom_vec3_make(0.16 * (x - middle), 0.16 * (y - middle), 0.15 + 0.16 * z);
        body.def.position = carom_vec3_add(body.def.position, by);
        body.def.orientation = (carom_quat){cos(angle), s * axis.x, s * axis.y, s * axis.z};
        b[i] = body;
    }
    for (int k = 0; k < 5; k++) {
        carom_scene_body wall = {.solid = {.kind = CAROM_SOLID_HALF_SPACE, .offset = k ? -wide : 0}};
        wall.def = carom_body_def_default();
        wall.def.fixed = true;
        double sign = k % 2 ? -1 : 1;
        wall.solid.normal = carom_vec3_make(k == 1 || k == 2 ? sign : 0, k > 2 ? sign : 0, k == 0);
        b[count + k] = wall;
    }
}

/* Until rest, or three seconds: the time, the deepest overlap and the largest rise of energy. */
static int run_pile(const char *name, int count, carom_shape shape)
{
    static carom_scene_body b[PILE_MOST + 5];
    carom_scene scene = carom_scene_default();
    fill_pile(b, count, shape);
    scene.bodies = b;
    scene.body_count = count + 5;
    scene.gravity = carom_vec3_make(0, 0, -9.81);
    scene.rule.law = carom_law_find("routh-stronge");
    scene.rule.coeffs.e = 0.3;
    scene.rule.coeffs.mu = 0.4;
    carom_sim *sim = NULL;
    carom_memory memory = {heap_resize, NULL};
    if (carom_sim_create(&scene, &memory, &sim, NULL))
        return 1;
    double took = 0, depth = 0, rise = 0, first = carom_sim_energy(sim).after, last = first;
    int failed = 0;
    for (int n = 1; n <= LOOKS && !failed; n++) {
        double start = seconds();
        failed = carom_sim_to_rest(sim, LOOK_TIME * n) != CAROM_STATUS_OK;
        took += seconds() - start;
        double now = carom_sim_energy(sim).after;
        rise = fmax(rise, now - last);
        last = now;
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count + 5; j++)
                depth = fmax(depth, -carom_sim_distance(sim, i, j));
    }
    printf("%5d %-16s %10.2f %8.2f %9.0e %9.0e\n", count, name, took, carom_sim_time(sim), depth, rise / first);
    fflush(stdout);
    carom_sim_free(sim);
    return failed;
}

int main(int count, char **arguments)
{
    static const int sides[] = {6, 14, 29, 63};
    static const carom_shape shapes[] = {{CAROM_SHAPE_BOX, {0.9, 0.7, 0.5}}, {CAROM_SHAPE_CYLINDER, {0.35, 0.8, 0}}};
    static const int piles[] = {20, PILE, PILE_MOST};
    int most = count > 1 ? atoi(arguments[1]) : 63, pile = count > 2 ? atoi(arguments[2]) : PILE, failed = 0;
    double first = 0;
    printf("%9s %10s %10s %8s %8s %8s %10s %9s\n", "spheres", "impacts/s", "watched", "us", "log N", "/ log N",
           "free time", "energy");
    for (size_t k = 0; k < sizeof sides / sizeof sides[0] && sides[k] <= most; k++)
        failed |= run_gas(sides[k], &first);
    puts("   DynamO     ~75000 events/s for millions of spheres on \"an old laptop\" (dynamomd.org, Features)");
    printf("%-22s %10s %10s %8s %9s\n", "solids", "impacts/s", "watched", "us", "energy");
    failed |= run_solids("boxes", &shapes[0], 1) | run_solids("cylinders", &shapes[1], 1);
    failed |= run_solids("boxes and cylinders", shapes, 2);
    static const carom_shape box = {CAROM_SHAPE_BOX, {0.09, 0.08, 0.07}}, log = {CAROM_SHAPE_CYLINDER, {0.04, 0.07, 0}};
    printf("%-22s %10s %8s %9s %9s\n", "piles", "s", "until", "overlap", "rise");
    for (size_t k = 0; k < sizeof piles / sizeof piles[0] && piles[k] <= pile; k++)
        failed |= run_pile("boxes", piles[k], box) | run_pile("cylinders", piles[k], log);
    return failed;
}
