/* What an impact costs on ground made of triangles, and with bodies of many corners.
 *
 *     build/bench/bench_ground
 *
 * A ball bounces without losses over waves of 1e3 to 1e5 triangles, processor time per impact; then hulls of 1,000
 * corners fall onto a half-space and onto each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "carom/carom.h"
#include "carom/heap.h"

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static carom_scene_body waves(int n, double size)
{
    carom_vec3 *points = malloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *points);
    int *triangles = malloc((size_t)n * (size_t)n * 6 * sizeof *triangles), at = 0;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            double x = (i - 0.5 * n) * size / n, y = (j - 0.5 * n) * size / n;
            points[j * (n + 1) + i] = carom_vec3_make(x, y, 0.2 * sin(1.3 * x) * cos(0.9 * y) + 0.02 * (x * x + y * y));
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int a = j * (n + 1) + i, two[6] = {a, a + 1, a + n + 2, a, a + n + 2, a + n + 1};
            for (int k = 0; k < 6; k++)
                triangles[at++] = two[k];
        }
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_MESH, .points = points, .triangles = triangles}};
    b.solid.point_count = (n + 1) * (n + 1);
    b.solid.triangle_count = 2 * n * n;
    b.def = carom_body_def_default();
    b.def.fixed = true;
    return b;
}

static carom_sim *begin(const carom_scene *scene)
{
    const carom_memory heap = carom_heap();
    carom_sim *sim = NULL;
    carom_sim_error error;
    if (carom_sim_create(scene, &heap, &sim, &error))
        exit(1);
    return sim;
}

static void bounce(int n)
{
    carom_scene_body b[2] = {carom_scene_sphere(0.4, 0.03), waves(n, 20)};
    carom_scene scene = carom_scene_default();
    b[0].def.position = carom_vec3_make(0.3, -0.2, 1.1);
    scene.bodies = b, scene.body_count = 2;
    scene.gravity.z = -9.81;
    scene.rule.coeffs.e = 1;
    double start = seconds();
    carom_sim *sim = begin(&scene);
    double made = seconds();
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.impacts = 400;
    until.time = 400;
    if (carom_sim_advance(sim, &until, &stop))
        exit(1);
    double done = seconds();
    printf("%9d %14.2f %16.1f %10lld\n", 2 * n * n, made - start, 1e6 * (done - made) / (double)carom_sim_impacts(sim),
           carom_sim_impacts(sim));
    carom_sim_free(sim);
    free((void *)(size_t)b[1].solid.points);
    free((void *)(size_t)b[1].solid.triangles);
}

/* Points of a spiral over an ellipsoid: each is a corner of their hull. */
static void drop(int bodies, int corners)
{
    carom_vec3 *points = malloc((size_t)corners * sizeof *points);
    carom_scene_body *b = calloc((size_t)bodies + 1, sizeof *b);
    for (int k = 0; k < corners; k++) {
        double z = (2 * k + 1.0) / corners - 1, r = sqrt(1 - z * z), a = 2.399963229728653 * k;
        points[k] = carom_vec3_make(0.1 * r * cos(a), 0.08 * r * sin(a), 0.07 * z);
    }
    for (int i = 0; i < bodies; i++) {
        b[i] = b[0];
        b[i].solid = (carom_solid){.kind = CAROM_SOLID_HULL, .points = points, .point_count = corners};
        b[i].def = i ? b[0].def : carom_body_def_default();
        b[i].def.mass = 1;
        if (i == 0 && carom_solid_body(&b[i].solid, 3, 0, &b[i].def, NULL))
            exit(1);
        b[i].def.position = carom_vec3_make(0.25 * (i % 10), 0.25 * (i / 10 % 10), 0.3 + 0.011 * (i % 7));
        b[i].def.omega = carom_vec3_make(3 + i % 3, 1 - i % 5, 2);
    }
    b[bodies] = carom_scene_half_space(carom_vec3_make(0, 0, 1), 0);
    carom_scene scene = carom_scene_default();
    scene.bodies = b, scene.body_count = bodies + 1;
    scene.gravity.z = -9.81;
    scene.rule.coeffs.e = 0.6;
    double start = seconds();
    carom_sim *sim = begin(&scene);
    double made = seconds();
    if (carom_sim_to_impacts(sim, 3LL * bodies))
        exit(1);
    printf("%9d %9d %14.2f %16.1f\n", bodies, corners, made - start,
           1e6 * (seconds() - made) / (double)carom_sim_impacts(sim));
    carom_sim_free(sim);
    free(b);
    free(points);
}

int main(void)
{
    printf("%9s %14s %16s %10s\n", "triangles", "made in, s", "per impact, us", "impacts");
    for (int k = 0; k < 3; k++)
        bounce((int[]){22, 71, 224}[k]);
    printf("\n%9s %9s %14s %16s\n", "bodies", "corners", "made in, s", "per impact, us");
    drop(1, 1000);
    drop(100, 100);
    drop(100, 1000);
    return 0;
}
