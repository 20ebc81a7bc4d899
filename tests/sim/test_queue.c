/* The queue of events against a plain search for the smallest time, number of the body. */
#include "sim/schedule/queue.h"

#include "sim/parts.h"

enum { BODIES_MOST = 700 };

typedef struct plan {
    carom_scene_body bodies[BODIES_MOST];
    double time[BODIES_MOST];
    int count;
    carom_sim *sim;
} plan;

static plan *begin(int count)
{
    plan *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->count = count;
    for (int k = 0; k < count; k++) {
        p->bodies[k] = ball(1, 0.1, vec(k, 0, 0), vec(0, 0, 0));
        p->bodies[k].def.fixed = k % 5 == 3; /* numbers of movable bodies have gaps */
        p->time[k] = INFINITY;
    }
    carom_scene scene = scene_of(p->bodies, count, "newton", 1, 0);
    p->sim = sim_of(&scene);
    for (int k = 0; k < count; k++)
        if (!p->bodies[k].def.fixed)
            queue_set(p->sim, k, INFINITY);
    return p;
}

static void end(plan *p)
{
    carom_sim_free(p->sim);
    free(p);
}

static int plain_first(const plan *p)
{
    int best = -1;
    for (int k = 0; k < p->count; k++)
        if (!p->bodies[k].def.fixed && p->time[k] < INFINITY && (best < 0 || p->time[k] < p->time[best]))
            best = k;
    return best;
}

static void set(plan *p, int k, double t)
{
    p->time[k] = t;
    queue_set(p->sim, k, t);
    assert_int_equal(queue_first(p->sim), plain_first(p));
}

static int any_movable(const plan *p, dice *d)
{
    int k;
    do
        k = dice_below(d, p->count);
    while (p->bodies[k].def.fixed);
    return k;
}

static void test_empty(void **state)
{
    (void)state;
    plan *p = begin(7);
    assert_int_equal(queue_first(p->sim), -1);
    set(p, 4, 2.5);
    set(p, 4, INFINITY);
    assert_int_equal(queue_first(p->sim), -1);
    end(p);
}

/* Bodies with one time come in the order of their numbers. */
static void test_ties(void **state)
{
    (void)state;
    for (int size = 10; size <= 640; size *= 8) {
        plan *p = begin(size);
        for (int k = size - 1; k >= 0; k--)
            if (!p->bodies[k].def.fixed)
                set(p, k, 0.75);
        for (int k = 0; k < size; k++)
            if (!p->bodies[k].def.fixed) {
                assert_int_equal(queue_first(p->sim), k);
                set(p, k, INFINITY);
            }
        assert_int_equal(queue_first(p->sim), -1);
        end(p);
    }
}

/* As a run does it: the first event happens, its body and a few others get new ones. Waits are spread over decades, as
 * when few bodies move in a crowd at rest; some have none. */
static void run(int size, double decades, int events)
{
    plan *p = begin(size);
    dice d = {(uint64_t)size * 77 + (uint64_t)(decades * 10)};
    double now = 0;
    for (int k = 0; k < events; k++) {
        int others = dice_below(&d, 4), first = queue_first(p->sim);
        if (first >= 0)
            now = fmax(now, p->time[first]);
        for (int j = 0; j <= others; j++) {
            int body = j == 0 && first >= 0 ? first : any_movable(p, &d);
            double wait = dice_decades(&d, -decades, 0);
            set(p, body, dice_below(&d, 9) == 0 ? INFINITY : dice_below(&d, 12) == 0 ? now : now + wait);
        }
    }
    end(p);
}

static void test_runs(void **state)
{
    (void)state;
    for (double decades = 0.5; decades < 13; decades += 4) {
        run(9, decades, 3000);
        run(300, decades, 6000); /* of 240 movable bodies: all in the heap */
        run(BODIES_MOST, decades, 8000);
    }
}

/* Days laid out for one rhythm serve another: all events late, all at once, before the first day. */
static void test_rhythm_changes(void **state)
{
    (void)state;
    plan *p = begin(BODIES_MOST);
    dice d = {5};
    for (int round = 0; round < 6; round++) {
        double scale = round % 2 ? 1e-9 : 1e6, from = round == 4 ? -3.5 : round;
        for (int k = 0; k < 2 * BODIES_MOST; k++)
            set(p, any_movable(p, &d), from + scale * dice_between(&d, 0, 1));
        if (round == 2)
            queue_lay_out(p->sim);
    }
    for (double last = -INFINITY; queue_first(p->sim) >= 0;) {
        int k = queue_first(p->sim);
        assert_true(p->time[k] >= last);
        last = p->time[k];
        set(p, k, INFINITY);
    }
    assert_int_equal(plain_first(p), -1);
    end(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_rhythm_changes),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
