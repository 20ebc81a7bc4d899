/* Gases of hard spheres in a periodic box, rho sigma^3 = 0.5: mean free time, and cooling with e = 0.9 (Haff). */
#include <stdint.h>

#include "sim/scenes.h"

enum { SIDE = 9, COUNT = 4 * SIDE * SIDE * SIDE };

static double normal_draw(uint64_t *seed)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        sum += (double)(*seed >> 11) * 0x1p-53;
    }
    return sum;
}

/* A face-centred lattice with velocities of temperature one and no momentum. */
static carom_scene_body *make_gas(double length)
{
    static const double at[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    carom_scene_body *b = malloc(COUNT * sizeof *b);
    uint64_t seed = 88172645463325252u;
    double cell = length / SIDE, T = 0;
    carom_vec3 mean = {0, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        const double *f = at[i % 4];
        int x = i / 4 % SIDE, y = i / 4 / SIDE % SIDE, z = i / 4 / SIDE / SIDE;
        double v[3];
        for (int k = 0; k < 3; k++)
            v[k] = normal_draw(&seed);
        b[i] = ball(1, 0.5, vec((x + f[0] + 0.2) * cell, (y + f[1] + 0.2) * cell, (z + f[2] + 0.2) * cell),
                    vec(v[0], v[1], v[2]));
        mean = carom_vec3_add(mean, carom_vec3_scale(1.0 / COUNT, b[i].def.velocity));
    }
    for (int i = 0; i < COUNT; i++) {
        b[i].def.velocity = carom_vec3_sub(b[i].def.velocity, mean);
        T += carom_vec3_dot(b[i].def.velocity, b[i].def.velocity) / (3.0 * COUNT);
    }
    for (int i = 0; i < COUNT; i++)
        b[i].def.velocity = carom_vec3_scale(1 / sqrt(T), b[i].def.velocity);
    return b;
}

static void test_gas(void **state)
{
    (void)state;
    double length = cbrt(COUNT / 0.5);
    carom_scene_body *b = make_gas(length);
    carom_scene scene = scene_of(b, COUNT, "newton", 1, 0);
    scene.period = vec(length, length, length);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, INFINITY, 8LL * COUNT);
    double start = carom_sim_time(sim);
    run_until(sim, INFINITY, 18LL * COUNT);
    double per_particle = 2 * 10;
    assert_near((carom_sim_time(sim) - start) / per_particle, 0.13031, 0.01 * 0.13031);
    assert_near(carom_sim_energy(sim).after / carom_sim_energy(sim).before, 1, 1e-12);
    for (int i = 0; i < COUNT; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        b[i].def.position = s.position;
        b[i].def.velocity = s.velocity;
    }
    carom_sim_free(sim);
    scene.rule.coeffs.e = 0.9;
    sim = sim_of(&scene);
    run_until(sim, INFINITY, 2LL * COUNT); /* four collisions per particle */
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(log(l.after / l.before) / 4, -0.0633, 0.03 * 0.0633);
    assert_near(l.residual, 0, 1e-9 * l.before);
    carom_sim_free(sim);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
