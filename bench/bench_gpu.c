/* Impacts per second on a GPU, beside what the memory of the device can move and beside the processors of the host.
 *
 *     bench_gpu [ROWS]        (default 2^26, of which laws with a path take 2^20)
 *
 * "device": arrays of the device; "host": arrays of the host, with transfers; "cpu": carom_batch_solve on all
 * processors. A row moves 120 bytes in space, 80 in a plane. Every answer is compared with the processor's, bit by bit.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"
#include "carom/gpu.h"

enum { COMPARED = 1 << 20, PATH_ROWS = 1 << 20, ROUNDS = 5 };
enum { GENERAL, SPHERE, PLANAR, KINDS };
static const char *const words[KINDS] = {"general", "sphere", "planar"};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(uint64_t *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return (double)(*s >> 11) * 0x1p-53;
}

/* Rows repeat every COMPARED: memory does not know. */
static void fill(double *columns, size_t rows, int kind)
{
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < rows; i++) {
        double L[3][3], K[3][3], row[9];
        for (int k = 0; k < 9; k++)
            L[k / 3][k % 3] = 2 * uniform(&seed) - 1;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                K[a][b] = L[a][0] * L[b][0] + L[a][1] * L[b][1] + L[a][2] * L[b][2] + 0.5 * (a == b);
        const double general[9] = {K[0][0], K[0][1], K[1][1], K[0][2], K[1][2], K[2][2]};
        const double sphere[9] = {K[0][0], 0, K[0][0], 0, 0, K[2][2]};
        memcpy(row, kind == SPHERE ? sphere : general, sizeof row);
        row[6] = 4 * uniform(&seed) - 2, row[7] = 4 * uniform(&seed) - 2, row[8] = -0.1 - 3 * uniform(&seed);
        for (int k = 0; k < 9; k++)
            columns[(size_t)k * rows + i] = row[k];
    }
}

typedef struct arrays {
    double *in, *out;
    size_t rows;
} arrays;

static carom_batch_in in_of(arrays a, size_t count, bool planar)
{
    const double *x[9];
    for (size_t k = 0; k < 9; k++)
        x[k] = a.in + k * a.rows;
    carom_batch_in in = {.count = count, .K_t11 = x[0], .K_t1n = x[3], .K_nn = x[5], .u_t1 = x[6], .u_n = x[8]};
    if (!planar)
        in.K_t12 = x[1], in.K_t22 = x[2], in.K_t2n = x[4], in.u_t2 = x[7];
    return in;
}

static carom_batch_out out_of(arrays a, size_t count, bool planar)
{
    carom_batch_out out = {.count = count, .p_t1 = a.out, .p_n = a.out + 2 * a.rows, .u_t1 = a.out + 3 * a.rows};
    out.u_n = a.out + 5 * a.rows;
    if (!planar)
        out.p_t2 = a.out + a.rows, out.u_t2 = a.out + 4 * a.rows;
    return out;
}

/* Seconds of the fastest round, or NaN. */
static double time_gpu(carom_gpu *gpu, const carom_rule *rule, arrays a, size_t count, int kind, bool device)
{
    const carom_batch_in in = in_of(a, count, kind == PLANAR);
    const carom_batch_out out = out_of(a, count, kind == PLANAR);
    const carom_gpu_call call = {.device_arrays = device};
    double best = NAN;
    for (int i = 0; i < ROUNDS; i++) {
        double begin = now();
        if (carom_gpu_solve(gpu, &in, rule, &out, &call, NULL) != CAROM_STATUS_OK) {
            fprintf(stderr, "%s: %s\n", rule->law->id, carom_gpu_problem(gpu));
            return NAN;
        }
        best = fmin(now() - begin, isnan(best) ? INFINITY : best);
    }
    return best;
}

static double time_cpu(const carom_rule *rule, arrays a, size_t count, int kind)
{
    const carom_batch_in in = in_of(a, count, kind == PLANAR);
    const carom_batch_out out = out_of(a, count, kind == PLANAR);
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        double begin = now();
        if (carom_batch_solve(&in, rule, &out, NULL) != CAROM_STATUS_OK)
            return NAN;
        best = fmin(best, now() - begin);
    }
    return best;
}

static size_t differences(arrays want, arrays got, size_t count, int kind)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        bool differs = false;
        for (size_t k = 0; k < 6; k++)
            if (kind != PLANAR || k % 3 != 1)
                differs |= memcmp(&want.out[k * want.rows + i], &got.out[k * got.rows + i], sizeof(double)) != 0;
        rows += differs;
    }
    return rows;
}

typedef struct bench {
    carom_gpu gpu;
    arrays host, want, device;
} bench;

static void time_law(bench *b, const carom_law *law, int kind)
{
    carom_rule rule = carom_rule_default(law);
    rule.coeffs.e = 0.7, rule.coeffs.mu = 0.3, rule.coeffs.e_t = 0.2;
    const bool slow = (law->traits & CAROM_TRAIT_HAS_PATH && (kind == GENERAL || !law->kernel));
    const size_t count = slow ? PATH_ROWS : b->device.rows;
    double on_device = time_gpu(&b->gpu, &rule, b->device, count, kind, true);
    double from_host = time_gpu(&b->gpu, &rule, b->host, COMPARED, kind, false);
    double cpu = time_cpu(&rule, b->want, COMPARED, kind);
    const double bytes = kind == PLANAR ? 72 : 120;
    printf("%-20s %-8s %9.4f %7.2f %9.4f %9.4f   %zu\n", law->id, words[kind], (double)count / on_device / 1e9,
           (double)count * bytes / on_device / 1e12, COMPARED / from_host / 1e9, COMPARED / cpu / 1e9,
           differences(b->want, b->host, COMPARED, kind));
    fflush(stdout);
}

static bool take(bench *b, size_t rows)
{
    const size_t in = 9 * rows * sizeof(double), out = 6 * rows * sizeof(double);
    b->device = (arrays){carom_gpu_take(&b->gpu, in), carom_gpu_take(&b->gpu, out), rows};
    b->host = (arrays){malloc(9 * COMPARED * sizeof(double)), malloc(6 * COMPARED * sizeof(double)), COMPARED};
    b->want = (arrays){b->host.in, malloc(6 * COMPARED * sizeof(double)), COMPARED};
    return b->device.in && b->device.out && b->host.in && b->host.out && b->want.out;
}

static bool send(bench *b)
{
    bool good = true;
    for (size_t k = 0; k < 9; k++)
        for (size_t i = 0; i < b->device.rows; i += COMPARED)
            good &= carom_gpu_send(&b->gpu, b->device.in + k * b->device.rows + i, b->host.in + k * COMPARED,
                                   COMPARED * sizeof(double)) == CAROM_STATUS_OK;
    return good;
}

int main(int argc, char **argv)
{
    static bench b;
    const size_t asked = argc > 1 ? strtoull(argv[1], NULL, 10) : 1u << 26,
                 rows = (asked + COMPARED - 1) / COMPARED * COMPARED;
    if (carom_gpu_open(&b.gpu, NULL) != CAROM_STATUS_OK || !take(&b, rows)) {
        fprintf(stderr, "bench_gpu: %s\n", carom_gpu_problem(&b.gpu));
        return 1;
    }
    printf("%s; %d threads of the host; G impacts/s, TB/s of the device's memory\n\n", carom_gpu_name(&b.gpu),
           carom_batch_threads());
    for (int i = 0; i < carom_law_count(); i++) {
        double begin = now();
        if (carom_gpu_has_law(carom_law_at(i)) && carom_gpu_load(&b.gpu, carom_law_at(i)) == CAROM_STATUS_OK)
            printf("%-20s loaded in %.2f s\n", carom_law_at(i)->id, now() - begin);
    }
    printf("\nlaw                  contacts    device    TB/s      host       cpu   rows that differ of %d\n",
           COMPARED);
    for (int kind = 0; kind < KINDS; kind++) {
        fill(b.host.in, COMPARED, kind);
        for (int i = 0; send(&b) && i < carom_law_count(); i++)
            if (carom_gpu_has_law(carom_law_at(i)))
                time_law(&b, carom_law_at(i), kind);
    }
    carom_gpu_close(&b.gpu);
    return 0;
}
