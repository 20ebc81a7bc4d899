/* Memory that ends: whichever request of a run is refused, the call says so, nothing is lost or written beyond, and
 * what is shown stays finite. */
#include <stdio.h>

#include "carom/scene_file.h"
#include "scenes.h"

/* An allocator that refuses from one request on, and knows what is still held. */
typedef struct purse {
    long long asked, refuses_from; /* negative: never */
    long long held;
} purse;

static void *purse_resize(void *context, void *block, size_t bytes)
{
    purse *p = context;
    if (bytes == 0) {
        p->held -= block != NULL;
        return carom_heap_resize(NULL, block, 0);
    }
    if (p->refuses_from >= 0 && p->asked++ >= p->refuses_from)
        return NULL;
    p->asked += p->refuses_from < 0;
    p->held += block == NULL;
    return carom_heap_resize(NULL, block, bytes);
}

static carom_scene_file read_scene(const char *name)
{
    static char bytes[1 << 18];
    char path[512];
    carom_case_error error;
    carom_scene_file file;
    snprintf(path, sizeof path, "%s/../../scenes/%s.json", CAROM_TEST_DATA, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t length = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    carom_text text = {name, 1, bytes, length};
    if (!carom_scene_read(&text, &file, &error))
        fail_msg("%s: %s", name, error.message);
    return file;
}

static void check_finite(const carom_sim *sim, int count)
{
    carom_sim_ledger e = carom_sim_energy(sim);
    assert_true(isfinite(e.after) && isfinite(e.residual));
    for (int i = 0; i < count; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        assert_true(isfinite(carom_vec3_length(s.position)) && isfinite(carom_vec3_length(s.velocity)));
    }
}

/* A run with memory that ends at a request: what comes out, and how many requests there were. */
static carom_status run_with(const carom_scene_file *file, double time, purse *p)
{
    carom_memory memory = {purse_resize, p};
    carom_sim *sim;
    carom_status status = carom_sim_create(&file->scene, &memory, &sim, NULL);
    assert_true((status == CAROM_STATUS_OK) == (sim != NULL));
    if (sim) {
        carom_sim_until until = carom_sim_until_default();
        until.time = time;
        until.impacts = 400;
        status = carom_sim_advance(sim, &until, NULL);
        check_finite(sim, file->scene.body_count);
    }
    carom_sim_free(sim);
    assert_int_equal(p->held, 0);
    return status;
}

static const struct {
    const char *name;
    double time;
} runs[] = {
    {"bouncing-ball", 20},  {"dice", 3},        {"box", 1},
    {"cradle", 2},          {"chain", 0.3},     {"dominoes", 1},
    {"double-pendulum", 1}, {"carom", 4},       {"free-kick", 2},
    {"rattleback", 0.5},    {"gas", 1},         {"vibrating-table", 1},
    {"stones", 0.5},        {"coin", 1},        {"rod", 1},
    {"hopper", 0.1},        {"thousand", 0.04}, {"curling-stone", 2},
    {"tippe-top", 0.2},
};

static void test_memory_ends(void **state)
{
    (void)state;
    enum { TRIES = 8 };
    long refused = 0;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        carom_scene_file file = read_scene(runs[k].name);
        purse whole = {.refuses_from = -1};
        carom_status fine = run_with(&file, runs[k].time, &whole);
        assert_int_equal(fine, CAROM_STATUS_OK);
        for (int n = 0; n < TRIES; n++) {
            purse p = {.refuses_from = whole.asked <= TRIES ? n : n * (whole.asked - 1) / (TRIES - 1)};
            if (p.refuses_from >= whole.asked)
                break;
            carom_status status = run_with(&file, runs[k].time, &p);
            if (status != CAROM_STATUS_NO_MEMORY)
                print_error("%s: request %lld of %lld refused, status %d\n", runs[k].name, p.refuses_from, whole.asked,
                            (int)status);
            assert_int_equal(status, CAROM_STATUS_NO_MEMORY);
            refused++;
        }
        carom_scene_free(&file);
    }
    print_message("%ld runs without memory\n", refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
