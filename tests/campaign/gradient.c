/* Gradients of random runs against differences of the simulator: two random bodies are thrown at each other over a
 * floor, and ten columns of the gradient up to the first, second or third impact are compared.
 *
 *     gradient_campaign [RUNS]      150 by default
 *
 * Thin rods are not among the bodies: their moment about the axis is a millionth of the others, and differences of runs
 * then have too few digits to compare with. */
#include <stdint.h>
#include <stdio.h>

#include "sim/gradients.h"

#define AGREE 1e-7 /* of the largest entry of a column, at the best of three steps */

static uint64_t state = 20261116;

static double draw(double low, double high)
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

static carom_vec3 draw_vec(double most)
{
    double x = draw(-most, most), y = draw(-most, most);
    return vec(x, y, draw(-most, most));
}

static carom_scene_body draw_body(void)
{
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_BOX,     CAROM_SHAPE_CYLINDER,
                                             CAROM_SHAPE_CONE,   CAROM_SHAPE_CAPSULE, CAROM_SHAPE_ELLIPSOID,
                                             CAROM_SHAPE_DISK};
    carom_shape_kind kind = kinds[(int)draw(0, 7)];
    double a = draw(0.1, 0.4), b = draw(0.1, 0.4), c = draw(0.1, 0.4);
    bool flat = kind == CAROM_SHAPE_DISK;
    return solid(kind, vec(a, flat ? 0 : b, flat ? 0 : c), draw(0.5, 2), 3);
}

static run draw_run(int i)
{
    static const char *const laws[] = {"newton",       "whittaker", "routh-stronge",
                                       "routh-newton", "jia",       "chatterjee-rebound"};
    double e = draw(0.4, 0.9), mu = draw(0.1, 0.5);
    run r = run_of(3, laws[i % 6], e, mu);
    for (int k = 0; k < 2; k++) {
        carom_vec3 off = draw_vec(0.12), w = draw_vec(4), turn = draw_vec(2);
        r.body[k] = draw_body();
        throw(&r.body[k], vec(k ? 0.3 : -0.9, off.y, 1 + off.z), vec(k ? -1 : draw(1, 3), 0, 0), w, turn);
    }
    r.body[2] = half_space(vec(0, 0, 1), -0.3);
    r.scene.gravity = vec(0, 0, -9.81);
    r.impacts = 1 + i % 3;
    r.time = 3;
    return r;
}

/* The largest difference over ten columns, relative to the largest entry of each. */
static double disagreement(const run *r, const matrix *m, double step)
{
    static const size_t columns[] = {0, 2, 4, 6, 8, 10, 12, 15, 19, 22};
    double worst = 0;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        double d[MOST_OUTPUTS], most = 1;
        extrapolate(r, m, columns[c], step, d);
        for (size_t i = 0; i < m->outputs; i++)
            most = fmax(most, fabs(m->entry[i][columns[c]]));
        for (size_t i = 0; i < m->outputs; i++)
            worst = fmax(worst, fabs(d[i] - m->entry[i][columns[c]]) / most);
    }
    return worst;
}

int main(int argc, char **argv)
{
    static matrix m;
    static const double steps[] = {3e-4, 6e-5, 1.2e-5};
    int runs = argc > 1 ? atoi(argv[1]) : 150, compared = 0, refused = 0, failed = 0;
    for (int i = 0; i < runs; i++) {
        run r = draw_run(i);
        double least = INFINITY;
        if (differentiate(&r, false, &m)) {
            refused++;
            continue;
        }
        for (int k = 0; k < 3 && least > AGREE; k++)
            least = fmin(least, disagreement(&r, &m, steps[k]));
        compared++;
        if (!(least <= AGREE))
            printf("run %d: %s, %lld impacts, off by %.2g\n", i, r.scene.rule.law->id, r.impacts, least), failed++;
    }
    printf("%d compared, %d refused, %d failed\n", compared, refused, failed);
    return failed > 0 || compared < runs / 2;
}
