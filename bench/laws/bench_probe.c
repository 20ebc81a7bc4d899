#include "bench_probe.h"

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_WIDE 1
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { BLOCK = 64 }; /* rows moved at a time; also how far ahead they are prefetched */

typedef void run_of(void *context);

typedef struct move {
    const double *in[CONTACT_ARRAYS];
    double *out[CONTACT_OUTPUTS];
    size_t count;
    bool streams; /* stores go around the caches */
} move;

static void store(double *to, const double *from, bool streams)
{
#if defined(__SSE2__)
    if (streams) {
        for (int i = 0; i < BLOCK; i += 2)
            _mm_stream_pd(to + i, _mm_load_pd(from + i));
        return;
    }
#endif
    (void)streams;
    for (int i = 0; i < BLOCK; i++)
        to[i] = from[i];
}

/* The same arithmetic in three instruction sets: six sums of nine numbers, less than any law does. */
#define SUMS                                                                                                           \
    for (int i = 0; i < BLOCK; i++) {                                                                                  \
        double a = in[0][i] + in[1][i] + in[2][i], b = in[3][i] + in[4][i] + in[5][i];                                 \
        double c = in[6][i] + in[7][i] + in[8][i];                                                                     \
        sum[0][i] = a;                                                                                                 \
        sum[1][i] = b;                                                                                                 \
        sum[2][i] = c;                                                                                                 \
        sum[3][i] = a + b;                                                                                             \
        sum[4][i] = b + c;                                                                                             \
        sum[5][i] = a + c;                                                                                             \
    }

typedef void sums_of(const double *const *in, double sum[CONTACT_OUTPUTS][BLOCK]);

static void sums_baseline(const double *const *in, double sum[CONTACT_OUTPUTS][BLOCK])
{
    SUMS
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void sums_avx2(const double *const *in, double sum[CONTACT_OUTPUTS][BLOCK])
{
    SUMS
}

static sums_of *best_sums(void)
{
    return __builtin_cpu_supports("avx2") ? sums_avx2 : sums_baseline;
}
#else
static sums_of *best_sums(void)
{
    return sums_baseline;
}
#endif

static void run_move(void *context)
{
    const move *m = context;
    sums_of *sums = best_sums();
    _Alignas(64) double sum[CONTACT_OUTPUTS][BLOCK];
    for (size_t first = 0; first + BLOCK <= m->count; first += BLOCK) {
        const double *in[CONTACT_ARRAYS];
        for (int j = 0; j < CONTACT_ARRAYS; j++)
            in[j] = m->in[j] + first;
        sums(in, sum);
        for (int j = 0; j < CONTACT_OUTPUTS; j++)
            store(m->out[j] + first, sum[j], m->streams);
    }
}

/* The same with the widest loads and stores there are: what moves most on a machine of today. */
#ifdef HAS_WIDE
#define MOVE_LINES(vector, width, load, add, write)                                                                    \
    for (size_t i = 0; i + width <= m->count; i += width) {                                                            \
        vector x[CONTACT_ARRAYS];                                                                                      \
        for (int j = 0; j < CONTACT_ARRAYS; j++) {                                                                     \
            _mm_prefetch((const char *)(m->in[j] + (i + BLOCK < m->count ? i + BLOCK : i)), _MM_HINT_T0);              \
            x[j] = load(m->in[j] + i);                                                                                 \
        }                                                                                                              \
        vector a = add(add(x[0], x[1]), x[2]), b = add(add(x[3], x[4]), x[5]), c = add(add(x[6], x[7]), x[8]);         \
        write(m->out[0] + i, a);                                                                                       \
        write(m->out[1] + i, b);                                                                                       \
        write(m->out[2] + i, c);                                                                                       \
        write(m->out[3] + i, add(a, b));                                                                               \
        write(m->out[4] + i, add(b, c));                                                                               \
        write(m->out[5] + i, add(a, c));                                                                               \
    }

/* By ordinary stores, and around the caches. */
#define LINES(isa, feature, vector, width, load, add, store, stream)                                                   \
    __attribute__((target(feature))) static void run_lines_##isa(void *context)                                        \
    {                                                                                                                  \
        const move *m = context;                                                                                       \
        if (m->streams)                                                                                                \
            MOVE_LINES(vector, width, load, add, stream)                                                               \
        else                                                                                                           \
            MOVE_LINES(vector, width, load, add, store)                                                                \
    }

LINES(avx2, "avx2", __m256d, 4, _mm256_loadu_pd, _mm256_add_pd, _mm256_storeu_pd, _mm256_stream_pd)
LINES(avx512, "avx512f", __m512d, 8, _mm512_loadu_pd, _mm512_add_pd, _mm512_storeu_pd, _mm512_stream_pd)

static run_of *best_lines(void)
{
    return __builtin_cpu_supports("avx512f") ? run_lines_avx512
           : __builtin_cpu_supports("avx2")  ? run_lines_avx2
                                             : run_move;
}
#else
static run_of *best_lines(void)
{
    return run_move;
}
#endif

static move move_of(const contacts *c, bool streams)
{
    const carom_batch_in *in = &c->in;
    const carom_batch_out *out = &c->out;
    move m = {{in->K_t11, in->K_t12, in->K_t22, in->K_t1n, in->K_t2n, in->K_nn, in->u_t1, in->u_t2, in->u_n},
              {out->p_t1, out->p_t2, out->p_n, out->u_t1, out->u_t2, out->u_n},
              c->count,
              streams};
    return m;
}

static bench_work work_of(run_of *run, move *m)
{
    bench_work w = {run, m, (double)(m->count - m->count % BLOCK)};
    return w;
}

/* Block by block and line by line, with ordinary stores and then around the caches. */
enum { MOVES = 4 };
_Static_assert((int)BENCH_WORKS > (int)MOVES, "room for them and a batch");

bench_timing bench_beside_memory(const bench_clock *clock, contacts *memory, bench_work batch, bench_moves *limit)
{
    move plain = move_of(memory, false), streams = move_of(memory, true);
    const bench_work works[MOVES + 1] = {work_of(run_move, &plain), work_of(best_lines(), &plain),
                                         work_of(run_move, &streams), work_of(best_lines(), &streams), batch};
    bench_timing times[MOVES + 1] = {0};
    bench_time_in_turns(clock, works, batch.run ? MOVES + 1 : MOVES, times);
    limit->ordinary = fmin(times[0].least, times[1].least);
    limit->fastest = fmin(limit->ordinary, fmin(times[2].least, times[3].least));
    return times[MOVES];
}

typedef struct quotients {
    double x[BLOCK * 8], y[BLOCK * 8];
} quotients;

#define QUOTIENTS                                                                                                      \
    for (int i = 0; i < BLOCK * 8; i++)                                                                                \
        q->x[i] = q->y[i] / q->x[i];

static void divide_baseline(quotients *q)
{
    QUOTIENTS
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void divide_avx2(quotients *q)
{
    QUOTIENTS
}
#endif

static void run_divide(void *context)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        divide_avx2(context);
        return;
    }
#endif
    divide_baseline(context);
}

bench_limits bench_probe(const bench_clock *clock, contacts *cached, contacts *memory)
{
    bench_limits l = {.bytes = (CONTACT_ARRAYS + CONTACT_OUTPUTS) * sizeof(double)};
    quotients q;
    for (int i = 0; i < BLOCK * 8; i++)
        q.x[i] = q.y[i] = 1 + i * 1e-3;
    move in_cache = move_of(cached, false);
    const bench_work blocks_and_lines[] = {work_of(run_move, &in_cache), work_of(best_lines(), &in_cache)};
    bench_timing times[2];
    bench_time_in_turns(clock, blocks_and_lines, 2, times);
    l.cache = fmin(times[0].least, times[1].least);
    (void)bench_beside_memory(clock, memory, (bench_work){0}, &l.memory);
    l.divide = bench_time(clock, (bench_work){run_divide, &q, BLOCK * 8}).least;
    return l;
}
