/* A thousand boxes land on a corner: on a GPU where there is one, on the processors where there is none. The bits are
 * the same, and so is what this program prints. */
#include <stdio.h>

#include "carom/carom.h"

enum { BOXES = 1000 };

int main(void)
{
    static double K[6][BOXES], u[3][BOXES], p[3][BOXES], v[3][BOXES];
    for (int i = 0; i < BOXES; i++) {
        const double row[6] = {2.25, 0.125, 1.75 + 0.0005 * i, -0.5, 0.375, 1.5};
        for (int k = 0; k < 6; k++)
            K[k][i] = row[k];
        u[0][i] = 0.875 - 0.001 * i;
        u[1][i] = -0.25;
        u[2][i] = -1.25;
    }
    carom_batch_in in = {.count = BOXES,
                         .K_t11 = K[0],
                         .K_t12 = K[1],
                         .K_t22 = K[2],
                         .K_t1n = K[3],
                         .K_t2n = K[4],
                         .K_nn = K[5],
                         .u_t1 = u[0],
                         .u_t2 = u[1],
                         .u_n = u[2]};
    carom_batch_out out = {
        .count = BOXES, .p_t1 = p[0], .p_t2 = p[1], .p_n = p[2], .u_t1 = v[0], .u_t2 = v[1], .u_n = v[2]};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    carom_gpu gpu;
    carom_gpu_call call = {.or_cpu = true};
    if (carom_gpu_open(&gpu, NULL) != CAROM_STATUS_OK)
        fprintf(stderr, "on the processors: %s\n", carom_gpu_problem(&gpu));
    carom_status status = carom_gpu_solve(&gpu, &in, &rule, &out, &call, NULL);
    carom_gpu_close(&gpu);
    if (status != CAROM_STATUS_OK)
        return 1;
    for (int i = 0; i < BOXES; i += 333)
        printf("%3d   p = (%.17g, %.17g, %.17g)\n", i, p[0][i], p[1][i], p[2][i]);
    return 0;
}
