/* src/engine/gpu against the driver that stands in (stand_in.c): chunks, lists, statuses. Bad input:
 * test_gpu_bad_input.c. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <pthread.h>

#include "gpu/pairs.h"

/* Every law with kernels, all distributions, all columns: planar or not, coefficients of rows or of all. */
static void every_answer_is_that_of_the_processor(void **state)
{
    (void)state;
    int laws = 0;
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (!carom_gpu_has_law(law))
            continue;
        laws++;
        for (int shape = 0; shape < 8; shape++) {
            carom_gpu gpu;
            table_shape s = {1999, shape & 1, shape >> 1 & 1, shape >> 2 & 1};
            pair p = pair_make(law, s, 77 + (uint64_t)shape);
            carom_gpu_report report;
            open_or_fail(&gpu, 300);
            carom_status status = carom_gpu_solve(&gpu, &p.got.in, &p.rule, &p.got.out, NULL, &report);
            assert_int_equal(status, CAROM_STATUS_OK);
            assert_int_equal(report.done, s.rows);
            assert_true(report.on_host > 0 && report.on_host < s.rows);
            assert_same(&p, "arrays of the host");
            pair_free(&p);
            carom_gpu_close(&gpu);
        }
    }
    assert_int_equal(laws, 16);
}

/* ---- arrays of the device ---- */

static void arrays_of_the_device(void **state)
{
    (void)state;
    const char *const laws[] = {"newton", "routh-poisson", "jia"};
    device_memory m = device_memory_open();
    carom_gpu gpu;
    open_or_fail(&gpu, 1000);
    for (int i = 0; i < 3; i++) {
        table_shape s = {3001, false, true, true};
        pair p = pair_make(carom_law_find(laws[i]), s, 5);
        table there = p.got;
        uint64_t address;
        assert_int_equal(m.alloc(&address, p.got.bytes), 0);
        memcpy((void *)(uintptr_t)address, p.got.memory, p.got.bytes);
        (void)table_lay(&there, s, (unsigned char *)(uintptr_t)address);
        carom_gpu_call call = {.device_arrays = true};
        assert_int_equal(carom_gpu_solve(&gpu, &there.in, &p.rule, &there.out, &call, NULL), CAROM_STATUS_OK);
        memcpy(p.got.memory, (void *)(uintptr_t)address, p.got.bytes);
        assert_same(&p, "arrays of the device");
        m.free(address);
        pair_free(&p);
    }
    carom_gpu_close(&gpu);
    dlclose(m.library);
}

/* One sentence each, and a gpu that is not open is harmless. */
static void machines_without_a_device(void **state)
{
    (void)state;
    static const struct {
        const char *variable, *value, *sentence;
    } machines[] = {
        {"CAROM_STAND_IN_DEVICES", "0", "does not work here"},
        {"CAROM_STAND_IN_VERSION", "8000", "too old: it knows CUDA 8, and 9 is needed"},
        {"CAROM_STAND_IN_MAJOR", "6", "compute capability is 6, and 7.0 is needed"},
        {"CAROM_STAND_IN_BYTES", "16", "when memory was taken"},
    };
    table_shape s = {64, false, false, false};
    pair p = pair_make(carom_law_find("newton"), s, 9);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        carom_gpu gpu;
        carom_gpu_call call = {.or_cpu = true};
        carom_gpu_report report;
        setenv(machines[i].variable, machines[i].value, 1);
        assert_int_equal(carom_gpu_open(&gpu, NULL), CAROM_STATUS_NO_DEVICE);
        unsetenv(machines[i].variable);
        if (!strstr(carom_gpu_problem(&gpu), machines[i].sentence))
            fail_msg("\"%s\" instead of \"%s\"", carom_gpu_problem(&gpu), machines[i].sentence);
        assert_int_equal(carom_gpu_load(&gpu, p.rule.law), CAROM_STATUS_NO_DEVICE);
        assert_int_equal(carom_gpu_solve(&gpu, &p.got.in, &p.rule, &p.got.out, NULL, &report), CAROM_STATUS_NO_DEVICE);
        assert_int_equal(report.done, 0);
        assert_int_equal(carom_gpu_solve(&gpu, &p.got.in, &p.rule, &p.got.out, &call, &report), CAROM_STATUS_OK);
        assert_int_equal(report.on_host, s.rows);
        assert_same(&p, "processors instead");
        carom_gpu_close(&gpu);
    }
    carom_gpu gpu;
    carom_gpu_options second = {.device = 1};
    assert_int_equal(carom_gpu_open(&gpu, &second), CAROM_STATUS_NO_DEVICE);
    assert_string_equal(carom_gpu_problem(&gpu), "there is no device 1 on this machine");
    carom_gpu_close(&gpu);
    pair_free(&p);
}

/* The rows of finished chunks are kept, and said; or the processors take the others. */
static void a_device_is_lost(void **state)
{
    (void)state;
    for (int or_cpu = 0; or_cpu < 2; or_cpu++) {
        table_shape s = {1000, false, false, false};
        pair p = pair_make(carom_law_find("newton"), s, 10);
        carom_gpu_call call = {.or_cpu = or_cpu};
        carom_gpu_report report;
        carom_gpu gpu;
        setenv("CAROM_STAND_IN_LAUNCHES", "13", 1);
        open_or_fail(&gpu, 100);
        carom_status status = carom_gpu_solve(&gpu, &p.got.in, &p.rule, &p.got.out, &call, &report);
        unsetenv("CAROM_STAND_IN_LAUNCHES");
        assert_int_equal(status, or_cpu ? CAROM_STATUS_OK : CAROM_STATUS_DEVICE_LOST);
        assert_non_null(strstr(carom_gpu_problem(&gpu), "CUDA error 719"));
        assert_true(or_cpu ? report.done == s.rows : report.done > 0 && report.done % 100 == 0 && report.done < s.rows);
        size_t same = table_differs(&p.want, &p.got);
        assert_true(same >= report.done);
        carom_gpu_close(&gpu);
        pair_free(&p);
    }
}

/* ---- threads ---- */

static void *solve_many(void *argument)
{
    pair *p = argument;
    carom_gpu gpu;
    open_or_fail(&gpu, 64);
    for (int i = 0; i < 4; i++)
        if (carom_gpu_solve(&gpu, &p->got.in, &p->rule, &p->got.out, NULL, NULL) != CAROM_STATUS_OK)
            p->got.out.status[0] = 255;
    carom_gpu_close(&gpu);
    return NULL;
}

static void two_threads_with_one_device(void **state)
{
    (void)state;
    table_shape s = {500, false, false, true};
    pair p[2] = {pair_make(carom_law_find("chatterjee-momentum"), s, 11),
                 pair_make(carom_law_find("routh-newton"), s, 12)};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, solve_many, &p[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert_same(&p[i], "two threads");
        pair_free(&p[i]);
    }
}

/* The velocities after may be written over those before. */
static void in_place(void **state)
{
    (void)state;
    table_shape s = {777, false, false, false};
    pair p = pair_make(carom_law_find("chatterjee-rebound"), s, 13);
    carom_gpu gpu;
    carom_batch_out over = p.got.out;
    over.u_t1 = (double *)(uintptr_t)p.got.in.u_t1;
    over.u_t2 = (double *)(uintptr_t)p.got.in.u_t2;
    over.u_n = (double *)(uintptr_t)p.got.in.u_n;
    open_or_fail(&gpu, 100);
    assert_int_equal(carom_gpu_solve(&gpu, &p.got.in, &p.rule, &over, NULL, NULL), CAROM_STATUS_OK);
    memcpy(p.got.out.u_t1, over.u_t1, 3 * s.rows * sizeof(double));
    assert_same(&p, "in place");
    carom_gpu_close(&gpu);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_the_processor),
        cmocka_unit_test(arrays_of_the_device),
        cmocka_unit_test(machines_without_a_device),
        cmocka_unit_test(a_device_is_lost),
        cmocka_unit_test(two_threads_with_one_device),
        cmocka_unit_test(in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
