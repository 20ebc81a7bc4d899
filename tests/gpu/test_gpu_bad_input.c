/* What src/engine/gpu refuses, and what it does when the driver fails, against the driver that stands in. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>

#include "engine/gpu/gpu_state.h"
#include "gpu/pairs.h"

static carom_status solve(carom_gpu *gpu, const table *t, const carom_rule *rule, carom_gpu_call call)
{
    return carom_gpu_solve(gpu, &t->in, rule, &t->out, &call, NULL);
}

/* ---- arrays ---- */

static const table_shape all_columns = {100, false, true, true};

/* An array of the table by its number: columns that go in, that come out, and bytes. */
enum { ARRAYS = IN_COLUMNS + OUT_COLUMNS + BYTE_COLUMNS };

static void *array_of(table *t, int k)
{
    return k < IN_COLUMNS                 ? (void *)in_column(&t->in, k)
           : k < IN_COLUMNS + OUT_COLUMNS ? (void *)out_column(&t->out, k - IN_COLUMNS)
                                          : (void *)byte_column(&t->out, k - IN_COLUMNS - OUT_COLUMNS);
}

static void set_array(table *t, int k, const void *array)
{
    memcpy(array_of(t, k), &array, sizeof array);
}

static char *array_at(table *t, int k)
{
    char *array;
    memcpy(&array, array_of(t, k), sizeof array);
    return array;
}

/* One array at a time is not of the device, ends too early, or is not aligned: nothing is read or written. */
static void bad_addresses(void **state)
{
    (void)state;
    const carom_gpu_call call = {.device_arrays = true, .or_cpu = true};
    device_memory m = device_memory_open();
    pair p = pair_make(carom_law_find("newton"), all_columns, 6);
    static double foreign[100];
    carom_gpu gpu;
    uint64_t address, end;
    open_or_fail(&gpu, 0);
    assert_int_equal(m.alloc(&address, p.got.bytes), 0);
    assert_int_equal(m.alloc(&end, 100 * sizeof(double)), 0);
    memcpy((void *)(uintptr_t)address, p.got.memory, p.got.bytes);
    for (int k = 0; k < ARRAYS; k++)
        for (int wrong = 0; wrong < 3; wrong++) {
            const bool bytes = k >= IN_COLUMNS + OUT_COLUMNS;
            table t = p.got;
            (void)table_lay(&t, all_columns, (unsigned char *)(uintptr_t)address);
            set_array(&t, k,
                      wrong == 0   ? (const char *)foreign
                      : wrong == 1 ? (const char *)(uintptr_t)end + (bytes ? 701 : 8)
                                   : array_at(&t, k) + 4);
            const bool fine = wrong == 2 && bytes; /* bytes may begin anywhere; the last of them ends too late */
            const carom_status status = solve(&gpu, &t, &p.rule, call);
            if (status != CAROM_STATUS_BAD_ADDRESS && !(fine && status == CAROM_STATUS_OK))
                fail_msg("array %d, %d: %s", k, wrong, carom_status_id(status));
            if (status == CAROM_STATUS_BAD_ADDRESS)
                assert_non_null(strstr(carom_gpu_problem(&gpu), "not in the memory of the device"));
        }
    m.free(end);
    m.free(address);
    carom_gpu_close(&gpu);
    pair_free(&p);
    dlclose(m.library);
}

/* Inputs that are missing one by one; no output at all; counts of zero, of two sizes, and beyond any memory. */
static void missing_arrays_and_counts(void **state)
{
    (void)state;
    pair p = pair_make(carom_law_find("newton"), all_columns, 6);
    carom_gpu gpu;
    open_or_fail(&gpu, 0);
    for (int on_device = 0; on_device < 2; on_device++) {
        const carom_gpu_call call = {.device_arrays = on_device};
        for (int k = 0; k < 9; k++) {
            table t = p.got;
            set_array(&t, k, NULL);
            assert_int_equal(solve(&gpu, &t, &p.rule, call), CAROM_STATUS_MISSING_ARRAY);
        }
        table t = p.got;
        for (int k = IN_COLUMNS; k < ARRAYS; k++)
            set_array(&t, k, NULL);
        assert_int_equal(solve(&gpu, &t, &p.rule, call), CAROM_STATUS_MISSING_ARRAY);
        for (int k = 0; k < ARRAYS; k++)
            set_array(&t, k, NULL);
        t.in.count = t.out.count = 0;
        assert_int_equal(solve(&gpu, &t, &p.rule, call), CAROM_STATUS_OK);
        t.out.count = 1;
        assert_int_equal(solve(&gpu, &t, &p.rule, call), CAROM_STATUS_BAD_SIZE);
    }
    const size_t beyond[] = {101, 100000, SIZE_MAX / 8, SIZE_MAX / 2, SIZE_MAX};
    device_memory m = device_memory_open();
    uint64_t address;
    assert_int_equal(m.alloc(&address, p.got.bytes), 0);
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        table t = p.got;
        (void)table_lay(&t, all_columns, (unsigned char *)(uintptr_t)address);
        t.in.count = t.out.count = beyond[i];
        assert_int_equal(solve(&gpu, &t, &p.rule, (carom_gpu_call){.device_arrays = true}), CAROM_STATUS_BAD_ADDRESS);
    }
    m.free(address);
    dlclose(m.library);
    carom_gpu_close(&gpu);
    pair_free(&p);
}

/* ---- laws ---- */

/* A law without kernels is named, a law of the caller with the id of ours too; a rule that is no rule is refused. */
static void laws_without_kernels(void **state)
{
    (void)state;
    table_shape s = {64, false, false, false};
    carom_gpu gpu;
    char want[64];
    open_or_fail(&gpu, 0);
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (carom_gpu_has_law(law))
            continue;
        pair p = pair_make(law, s, 8);
        snprintf(want, sizeof want, "%s has no kernels for a GPU", law->id);
        assert_int_equal(carom_gpu_load(&gpu, law), CAROM_STATUS_NO_DEVICE_LAW);
        assert_string_equal(carom_gpu_problem(&gpu), want);
        assert_int_equal(solve(&gpu, &p.got, &p.rule, (carom_gpu_call){0}), CAROM_STATUS_NO_DEVICE_LAW);
        assert_string_equal(carom_gpu_problem(&gpu), want);
        assert_int_equal(solve(&gpu, &p.got, &p.rule, (carom_gpu_call){.or_cpu = true}), CAROM_STATUS_OK);
        assert_same(&p, "a law for processors");
        pair_free(&p);
    }
    pair p = pair_make(carom_law_find("newton"), s, 8);
    carom_law own = *p.rule.law;
    p.rule.law = &own;
    assert_int_equal(solve(&gpu, &p.got, &p.rule, (carom_gpu_call){0}), CAROM_STATUS_NO_DEVICE_LAW);
    p.rule.coeffs.e = 1.25;
    assert_int_equal(solve(&gpu, &p.got, &p.rule, (carom_gpu_call){.or_cpu = true}), CAROM_STATUS_BAD_COEFFICIENT);
    p.rule.law = NULL;
    assert_int_equal(solve(&gpu, &p.got, &p.rule, (carom_gpu_call){.or_cpu = true}), CAROM_STATUS_NO_LAW);
    assert_int_equal(carom_gpu_load(&gpu, NULL), CAROM_STATUS_NO_DEVICE_LAW);
    carom_gpu_close(&gpu);
    pair_free(&p);
}

/* ---- a driver that fails ---- */

static void limit(const char *variable, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    setenv(variable, text, 1);
}

/* Open, solve with this limit of the stand-in, close. True once the limit was not felt. */
static bool solve_within(const char *variable, long long value, pair *p, bool or_cpu)
{
    const carom_gpu_options options = {.rows = 40};
    const carom_gpu_call call = {.or_cpu = or_cpu};
    carom_gpu_report report = {0};
    carom_gpu gpu;
    memset(p->got.memory + p->got.in_bytes, 0xab, p->got.bytes - p->got.in_bytes);
    limit(variable, value);
    const carom_status opened = carom_gpu_open(&gpu, &options);
    const carom_status status = carom_gpu_solve(&gpu, &p->got.in, &p->rule, &p->got.out, &call, &report);
    const size_t right = table_differs(&p->want, &p->got);
    const bool said = carom_gpu_problem(&gpu)[0] != 0;
    carom_gpu_close(&gpu);
    unsetenv(variable);
    assert_true(opened == CAROM_STATUS_OK || opened == CAROM_STATUS_NO_DEVICE);
    assert_true(right >= report.done);
    if (status == CAROM_STATUS_OK) {
        assert_int_equal(report.done, p->want.in.count);
        return !said;
    }
    const bool memory = strcmp(variable, "CAROM_STAND_IN_BYTES") == 0;
    assert_true(!or_cpu && said &&
                (status == CAROM_STATUS_NO_DEVICE || (!memory && status == CAROM_STATUS_DEVICE_LOST)));
    return false;
}

/* Blocks of the device that nobody has given back; the library is open all the time, so that it knows. */
static long long blocks_taken(void *library)
{
    void *address = dlsym(library, "carom_stand_in_blocks");
    long long (*blocks)(void);
    memcpy(&blocks, &address, sizeof address);
    return blocks();
}

/* The device is lost at the first call of the driver, the second, ... until none is left: no crash, finished rows are
 * right and counted, the processors can take the others, and no memory of the device is kept. */
static void every_call_of_the_driver_fails(void **state)
{
    (void)state;
    const char *const laws[] = {"newton", "routh-poisson"};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (int i = 0; i < 2; i++)
        for (int or_cpu = 0; or_cpu < 2; or_cpu++) {
            pair p = pair_make(carom_law_find(laws[i]), all_columns, 10);
            long long calls = 0;
            while (!solve_within("CAROM_STAND_IN_CALLS", calls, &p, or_cpu))
                calls++;
            assert_true(calls > 60);
            assert_int_equal(blocks_taken(library), 0);
            pair_free(&p);
        }
    dlclose(library);
}

/* The memory of the device ends at any of the blocks that are taken. */
static void memory_ends(void **state)
{
    (void)state;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (int or_cpu = 0; or_cpu < 2; or_cpu++) {
        pair p = pair_make(carom_law_find("newton"), all_columns, 10);
        long long bytes = 1;
        while (!solve_within("CAROM_STAND_IN_BYTES", bytes, &p, or_cpu))
            bytes += bytes / 4 + 1;
        assert_true(bytes > 1 << 26);
        assert_int_equal(blocks_taken(library), 0);
        pair_free(&p);
    }
    carom_gpu gpu;
    open_or_fail(&gpu, 0);
    assert_null(carom_gpu_take(&gpu, SIZE_MAX / 2));
    assert_non_null(strstr(carom_gpu_problem(&gpu), "when memory was taken"));
    carom_gpu_give_back(&gpu, NULL);
    carom_gpu_close(&gpu);
    assert_null(carom_gpu_take(&gpu, 8));
    dlclose(library);
}

/* ---- threads ---- */

/* One gpu for two threads: each call is done, or refused as busy and without effect. */
static void *solve_with_shared(void *argument)
{
    struct {
        carom_gpu *gpu;
        pair *p;
        int done;
    } *x = argument;
    for (int i = 0; i < 40; i++) {
        carom_status status = solve(x->gpu, &x->p->got, &x->p->rule, (carom_gpu_call){0});
        x->done += status == CAROM_STATUS_OK;
        if (status != CAROM_STATUS_OK && status != CAROM_STATUS_DEVICE_BUSY)
            x->p->got.out.status[0] = 255;
    }
    return NULL;
}

static void one_gpu_for_two_threads(void **state)
{
    (void)state;
    carom_gpu gpu;
    pair p[2] = {pair_make(carom_law_find("newton"), all_columns, 11),
                 pair_make(carom_law_find("brach"), all_columns, 12)};
    struct {
        carom_gpu *gpu;
        pair *p;
        int done;
    } shares[2] = {{&gpu, &p[0], 0}, {&gpu, &p[1], 0}};
    pthread_t threads[2];
    open_or_fail(&gpu, 40);
    (void)atomic_flag_test_and_set(&state_of(&gpu)->used); /* as if another thread were at it */
    assert_int_equal(solve(&gpu, &p[0].got, &p[0].rule, (carom_gpu_call){.or_cpu = true}), CAROM_STATUS_DEVICE_BUSY);
    atomic_flag_clear(&state_of(&gpu)->used);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, solve_with_shared, &shares[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (shares[i].done > 0)
            assert_same(&p[i], "one gpu for two threads");
        pair_free(&p[i]);
    }
    assert_true(shares[0].done + shares[1].done > 0);
    carom_gpu_close(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_addresses),        cmocka_unit_test(missing_arrays_and_counts),
        cmocka_unit_test(laws_without_kernels), cmocka_unit_test(every_call_of_the_driver_fails),
        cmocka_unit_test(memory_ends),          cmocka_unit_test(one_gpu_for_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
