/* The stack of a call: below what include/carom/sim.h says, whatever the scene. */
#include <pthread.h>
#include <stdint.h>

#include "sim/islands.h"
#include "support/corpus.h"

enum { ROOM = 1 << 18, PAINT = 0xa5, STACK_MOST = 40 * 1024 };

typedef struct task {
    const carom_scene *scene;
    double time;
} task;

static void *run(void *context)
{
    const task *x = context;
    carom_sim *sim;
    carom_sim_until until = carom_sim_until_default();
    until.time = x->time;
    until.rest = true;
    if (carom_sim_create(x->scene, &heap_memory, &sim, NULL))
        return NULL;
    carom_status status = carom_sim_advance(sim, &until, NULL);
    carom_sim_free(sim);
    return status ? NULL : context;
}

/* Bytes of a painted stack that a run has written. */
static size_t stack_of(const carom_scene *scene, double time)
{
    static _Alignas(4096) unsigned char stack[ROOM];
    static bool warm;
    task x = {scene, time};
    pthread_attr_t attributes;
    pthread_t thread;
    void *done;
    size_t used = ROOM;
    memset(stack, PAINT, sizeof stack);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run, &x), 0);
    assert_int_equal(pthread_join(thread, &done), 0);
    assert_non_null(done);
    while (used > 0 && stack[ROOM - used] == PAINT)
        used--;
    pthread_attr_destroy(&attributes);
    if (!warm) { /* the first run binds the functions of the C library */
        warm = true;
        return stack_of(scene, time);
    }
    return used;
}

/* What the thread itself needs: its descriptor and the local storage of the C library. */
static size_t thread_alone(void)
{
    carom_scene_body none[1] = {half_space(vec(0, 0, 1), 0)};
    carom_scene s = scene_of(none, 1, "newton", 0, 0);
    return stack_of(&s, 0);
}

static void check(const char *name, carom_scene *s, double time)
{
    s->gravity = s->dim == 2 ? vec(0, -G, 0) : vec(0, 0, -G);
    size_t used = stack_of(s, time) - thread_alone();
    print_message("%s: %zu bytes\n", name, used);
    assert_true(used < STACK_MOST);
}

static void test_stack(void **state)
{
    (void)state;
    dice d = {77};
    carom_scene_body b[9];
    b[0] = half_space(vec(0, 0, 1), 0);
    for (int k = 1; k < 9; k++) {
        b[k] = block(1 + k, vec(0.4, 0.5, 0.2), vec(0.03 * k, 0, 0.2 * k + 0.003 * k));
        b[k].def.omega = vec(dice_between(&d, -0.5, 0.5), dice_between(&d, -0.5, 0.5), 1);
    }
    carom_scene one = scene_of(b, 2, "routh-stronge", 0.3, 0.4), four = scene_of(b, 5, "routh-stronge", 0.3, 0.4);
    carom_scene eight = scene_of(b, 9, "jia", 0.3, 0.4), hertz = scene_of(b, 3, "spring-dashpot", 0.3, 0.4);
    check("one block", &one, 1);
    check("four blocks", &four, 0.5);
    check("eight blocks", &eight, 0.3);
    check("contact forces", &hertz, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack)};
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
