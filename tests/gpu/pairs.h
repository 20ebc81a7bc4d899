/* A batch solved by the processors and one to be solved by a GPU, for tests against the driver that stands in. */
#ifndef CAROM_TESTS_GPU_PAIRS_H
#define CAROM_TESTS_GPU_PAIRS_H

#include <dlfcn.h>

#include "carom/gpu.h"
#include "gpu/batches.h"
#include "support/check.h"

static inline void open_or_fail(carom_gpu *gpu, int rows)
{
    carom_gpu_options options = {.rows = rows};
    if (carom_gpu_open(gpu, &options) != CAROM_STATUS_OK)
        fail_msg("%s", carom_gpu_problem(gpu));
    assert_string_equal(carom_gpu_name(gpu), "stand-in");
}

/* Two tables with the same rows, one of them solved by the processors. */
typedef struct pair {
    table want, got;
    carom_rule rule;
} pair;

static inline pair pair_make(const carom_law *law, table_shape s, uint64_t seed)
{
    pair p = {table_make(s), table_make(s), carom_rule_default(law)};
    dice d = {seed};
    p.rule.coeffs.e = 0.37;
    p.rule.coeffs.mu = 0.83;
    table_draw(&p.want, law, &d, 0, s.rows);
    memcpy(p.got.memory, p.want.memory, p.want.in_bytes);
    memset(p.got.memory + p.got.in_bytes, 0xab, p.got.bytes - p.got.in_bytes);
    assert_int_equal(carom_batch_solve(&p.want.in, &p.rule, &p.want.out, NULL), CAROM_STATUS_OK);
    return p;
}

static inline void pair_free(pair *p)
{
    free(p->want.memory);
    free(p->got.memory);
}

static inline void assert_same(const pair *p, const char *what)
{
    size_t at = table_differs(&p->want, &p->got);
    if (at < p->want.out.count)
        fail_msg("%s, %s: row %zu differs", p->rule.law->id, what, at);
}

/* Memory that another library has taken on the device. */
typedef struct device_memory {
    void *library;
    int (*alloc)(uint64_t *, size_t), (*free)(uint64_t);
} device_memory;

static inline device_memory device_memory_open(void)
{
    device_memory m = {.library = dlopen("libcuda.so.1", RTLD_NOW)};
    assert_non_null(m.library);
    void *alloc = dlsym(m.library, "cuMemAlloc_v2"), *release = dlsym(m.library, "cuMemFree_v2");
    memcpy(&m.alloc, &alloc, sizeof alloc);
    memcpy(&m.free, &release, sizeof release);
    return m;
}

#endif
