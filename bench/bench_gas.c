/* Impacts per second of a gas of hard spheres (rho sigma^3 = 0.5, periodic, e = 1), for growing numbers of spheres.
 *
 * One line per size: processor time, not the clock on the wall; two collisions per sphere after two to warm up. */
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

static void fill(carom_scene_body *b, int side, double cell)
{
    static const double at[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    unsigned long long seed = 88172645463325252u;
    for (int i = 0; i < 4 * side * side * side; i++) {
        const double *f = at[i % 4];
        int x = i / 4 % side, y = i / 4 / side % side, z = i / 4 / side / side;
        carom_scene_body body = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.5, 0, 0}}}};
        body.def = carom_shape_sphere(1, 0.5);
        body.def.position = carom_vec3_make((x + f[0]) * cell, (y + f[1]) * cell, (z + f[2]) * cell);
        body.def.velocity.x = draw(&seed) - 0.5;
        body.def.velocity.y = draw(&seed) - 0.5;
        body.def.velocity.z = draw(&seed) - 0.5;
        b[i] = body;
    }
}

static int run(int side)
{
    int count = 4 * side * side * side;
    double cell = cbrt(8.0);
    carom_scene_body *b = malloc((size_t)count * sizeof *b);
    carom_memory memory = {heap_resize, NULL};
    carom_scene scene = carom_scene_default();
    carom_sim *sim;
    carom_sim_stop stop;
    carom_sim_until until = carom_sim_until_default();
    if (!b)
        return 1;
    fill(b, side, cell);
    scene.bodies = b;
    scene.body_count = count;
    scene.rule.coeffs.e = 1;
    scene.period = carom_vec3_make(side * cell, side * cell, side * cell);
    if (carom_sim_create(&scene, &memory, &sim, NULL))
        return 1;
    until.impacts = count;
    if (carom_sim_advance(sim, &until, &stop))
        return 1;
    double start = seconds();
    until.impacts = 2LL * count;
    if (carom_sim_advance(sim, &until, &stop))
        return 1;
    printf("%9d %12.0f\n", count, count / (seconds() - start));
    carom_sim_free(sim);
    free(b);
    return 0;
}

int main(void)
{
    static const int sides[] = {6, 14, 29};
    printf("%9s %12s\n", "spheres", "impacts/s");
    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++)
        if (run(sides[k]))
            return 1;
    return 0;
}
