/* Random impacts of all distributions of the property suite on a GPU, all columns, against the processors bit by bit:
 *
 *     gpu_campaign ROWS [SEED [LAW...]]      rows per law
 *
 * On a machine without a GPU it says so and ends with status 2. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "carom/gpu.h"
#include "gpu/batches.h"

enum { PIECE = 1 << 20, DRAWERS = 64 };

typedef struct share {
    table *t;
    const carom_law *law;
    uint64_t seed;
    size_t first, end;
} share;

static void *draw(void *argument)
{
    const share *s = argument;
    dice d = {s->seed};
    table_draw(s->t, s->law, &d, s->first, s->end);
    return NULL;
}

/* A thread per share of the rows. */
static void draw_all(table *t, const carom_law *law, uint64_t seed)
{
    pthread_t threads[DRAWERS];
    share shares[DRAWERS];
    size_t count = t->in.count, width = (count + DRAWERS - 1) / DRAWERS;
    int started[DRAWERS];
    for (size_t i = 0; i < DRAWERS; i++) {
        size_t first = i * width < count ? i * width : count, end = first + width < count ? first + width : count;
        shares[i] = (share){t, law, seed * 1000003 + i, first, end};
        started[i] = pthread_create(&threads[i], NULL, draw, &shares[i]) == 0;
        if (!started[i])
            draw(&shares[i]);
    }
    for (int i = 0; i < DRAWERS; i++)
        if (started[i])
            pthread_join(threads[i], NULL);
}

/* Rows that differ in a piece. */
static size_t compare(const table *a, const table *b)
{
    if (memcmp(a->memory + a->in_bytes, b->memory + b->in_bytes, a->bytes - a->in_bytes) == 0)
        return 0;
    size_t row = table_differs(a, b);
    printf("    row %zu differs\n", row);
    return 1;
}

static int run_law(carom_gpu *gpu, const carom_law *law, size_t rows, uint64_t seed)
{
    size_t done = 0, on_host = 0, bad = 0;
    for (uint64_t piece = 0; done < rows; piece++, done += PIECE) {
        table_shape s = {PIECE, piece % 8 == 7, piece % 4 != 3, piece % 2};
        table want = table_make(s), got = table_make(s);
        carom_rule rule = carom_rule_default(law);
        carom_gpu_report report;
        rule.coeffs.e = 0.4, rule.coeffs.mu = 0.45;
        draw_all(&want, law, seed + piece);
        memcpy(got.memory, want.memory, want.bytes);
        memset(got.memory + got.in_bytes, 0xab, got.bytes - got.in_bytes);
        carom_status gpu_says = carom_gpu_solve(gpu, &got.in, &rule, &got.out, NULL, &report);
        carom_status says = carom_batch_solve(&want.in, &rule, &want.out, NULL);
        if (gpu_says || says)
            printf("    %s: %s\n", carom_status_id(gpu_says), carom_gpu_problem(gpu));
        bad += gpu_says || says ? 1 : compare(&want, &got);
        on_host += report.on_host;
        free(want.memory);
        free(got.memory);
    }
    printf("%-20s %zu rows, %.1f %% of them solved by the host, %zu pieces differ\n", law->id, done,
           100.0 * (double)on_host / (double)done, bad);
    fflush(stdout);
    return bad > 0;
}

static bool is_asked_for(const carom_law *law, int argc, char **argv)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], law->id) == 0)
            return true;
    return argc < 4;
}

int main(int argc, char **argv)
{
    carom_gpu gpu;
    const size_t rows = argc > 1 ? (size_t)atof(argv[1]) : PIECE;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int failed = 0;
    if (carom_gpu_open(&gpu, NULL) != CAROM_STATUS_OK) {
        fprintf(stderr, "gpu_campaign: %s\n", carom_gpu_problem(&gpu));
        return 2;
    }
    for (int i = 0; i < carom_law_count(); i++)
        if (carom_gpu_has_law(carom_law_at(i)) && is_asked_for(carom_law_at(i), argc, argv))
            failed |= run_law(&gpu, carom_law_at(i), rows, seed);
    carom_gpu_close(&gpu);
    return failed;
}
