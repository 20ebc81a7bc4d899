/* Callbacks, queries and the ways to go on: what an observer sees before and after an impact, what it may change, and
 * what happens when it leaves a number that is none. */
#include "sim/scenes.h"

/* Two balls on a line, the first one moving; they meet after 2 s. */
static carom_scene two_balls(carom_scene_body b[2], double e)
{
    b[0] = ball(1, 0.5, vec(0, 0, 0), vec(1, 0, 0));
    b[1] = ball(1, 0.5, vec(3, 0, 0), vec(0, 0, 0));
    return scene_of(b, 2, "newton", e, 0);
}

static void assert_finite(const carom_sim *sim, int bodies)
{
    for (int i = 0; i < bodies; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        double sum = s.position.x + s.position.y + s.position.z + s.velocity.x + s.velocity.y + s.velocity.z +
                     s.omega.x + s.omega.y + s.omega.z + s.orientation.w;
        assert_true(isfinite(sum));
    }
    assert_true(isfinite(carom_sim_energy(sim).after));
}

/* ---- before and after ---- */

typedef struct watch {
    carom_sim *sim;
    int before, after;
    double energy; /* before the impact */
} watch;

static void assert_same(carom_vec3 a, carom_vec3 b)
{
    assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
}

static bool look_before(void *context, carom_sim_event *event)
{
    watch *w = context;
    for (int k = 0; k < event->count; k++) {
        const carom_sim_contact *c = &event->contacts[k];
        assert_same(carom_sim_body(w->sim, c->a).velocity, c->def_a.velocity);
        assert_same(carom_sim_body(w->sim, c->a).omega, c->def_a.omega);
    }
    w->energy = carom_sim_energy(w->sim).after;
    w->before++;
    return true;
}

static bool look_after(void *context, const carom_sim_event *event)
{
    watch *w = context;
    carom_sim_ledger l = carom_sim_energy(w->sim);
    assert_true(fabs(l.residual) <= 1e-12 * l.before);
    if (event->kind != CAROM_SIM_EVENT_IMPACT)
        return true;
    for (int k = 0; k < event->count; k++) {
        const carom_sim_contact *c = &event->contacts[k];
        assert_same(carom_sim_body(w->sim, c->a).velocity, c->after_a.velocity);
        assert_same(carom_sim_body(w->sim, c->b).velocity, c->after_b.velocity);
        assert_same(carom_sim_body(w->sim, c->a).omega, c->after_a.omega);
    }
    double change = event->outcome ? event->outcome->energy.change : event->outcomes->energy.change;
    assert_near(l.after - w->energy, change, 1e-13 * l.before);
    w->after++;
    return true;
}

static void watch_run(const carom_scene *scene, long long impacts)
{
    carom_sim *sim = sim_of(scene);
    watch w = {sim, 0, 0, 0};
    carom_sim_observer o = {look_before, look_after, &w};
    carom_sim_observe(sim, &o);
    run_until(sim, 100, impacts);
    assert_true(w.after >= (int)impacts && w.before >= w.after);
    carom_sim_free(sim);
}

static void test_queries_show_before_and_after(void **state)
{
    (void)state;
    carom_scene_body b[5] = {
        carom_scene_box(0.7, vec(0.11, 0.13, 0.07)), ball(1, 0.1, vec(0.02, 0.01, 1), vec(0, 0, 0)),
        ball(1.3, 0.1, vec(1, 0, 0.6), vec(-0.4, 0, 0)), half_space(vec(0, 0, 1), 0), half_space(vec(1, 0, 0), -2)};
    b[0].def.position = vec(0, 0, 0.5);
    b[0].def.omega = vec(3, -2, 1);
    b[4].def.velocity.x = 0.2; /* a wall that moves does work */
    carom_scene scene = scene_of(b, 5, "routh-stronge", 0.8, 0.3);
    scene.gravity.z = -9.81;
    watch_run(&scene, 60);
}

/* Impacts at one instant that share a body are one event; those that do not are two. */
static void test_queries_at_one_instant(void **state)
{
    (void)state;
    carom_scene_body b[6];
    for (int k = 0; k < 6; k++)
        b[k] = ball(1 + 0.1 * k, 0.5, vec(0, 0, 0), vec(0, 0, 0));
    for (int k = 0; k < 3; k++)
        b[k].def.position.x = 2.0 * k, b[k].def.velocity.x = 1.0 - k;
    for (int k = 3; k < 6; k++)
        b[k].def.position = vec(1.5 * (k - 4), 10, 0), b[k].def.velocity.x = 0.5 * (4 - k);
    b[2].def.position.x = 20;
    carom_scene scene = scene_of(b, 6, "newton", 0.5, 0);
    watch_run(&scene, 2);
}

/* ---- changing the impact ---- */

static bool veto_first(void *context, carom_sim_event *event)
{
    (void)event;
    return ++*(int *)context > 1;
}

/* The ball passes through the other one and hits it on the way back from the wall. */
static void test_veto(void **state)
{
    (void)state;
    carom_scene_body b[3];
    carom_scene scene = two_balls(b, 1);
    b[2] = half_space(vec(-1, 0, 0), -10);
    b[1].def.velocity.y = 0;
    scene.body_count = 3;
    int asked = 0;
    carom_sim_observer o = {veto_first, NULL, &asked};
    carom_sim *sim = sim_of(&scene);
    carom_sim_observe(sim, &o);
    assert_int_equal(carom_sim_to_impacts(sim, 2), CAROM_STATUS_OK);
    assert_int_equal(asked, 3);
    assert_near(carom_sim_time(sim), 9.5 + (9.5 - 4), 1e-13); /* wall at 9.5, then back to 4 */
    assert_near(carom_sim_body(sim, 1).velocity.x, -1, 1e-15);
    carom_sim_free(sim);
}

static bool change_law(void *context, carom_sim_event *event)
{
    (void)context;
    event->contacts[0].rule = carom_rule_default(carom_law_find("routh-poisson"));
    event->contacts[0].rule.coeffs.e = 0.25;
    event->contacts[0].rule.coeffs.mu = 0;
    return true;
}

static void test_rule_of_the_observer(void **state)
{
    (void)state;
    carom_scene_body b[2];
    carom_scene scene = two_balls(b, 1);
    carom_sim_observer o = {.before = change_law};
    carom_sim *sim = sim_of(&scene);
    carom_sim_observe(sim, &o);
    assert_int_equal(carom_sim_to_time(sim, 9), CAROM_STATUS_OK);
    assert_near(carom_sim_body(sim, 0).velocity.x, 0.375, 1e-15);
    assert_near(carom_sim_body(sim, 1).velocity.x, 0.625, 1e-15);
    carom_sim_free(sim);
}

typedef struct counted {
    size_t most;
} counted;

static void *counting_resize(void *context, void *block, size_t bytes)
{
    counted *c = context;
    c->most = bytes > c->most ? bytes : c->most;
    return carom_heap_resize(NULL, block, bytes);
}

/* The rules of an observer last for one impact: memory does not grow with their number. */
static void test_rules_of_the_observer_take_no_memory(void **state)
{
    (void)state;
    carom_scene_body b[3] = {ball(1, 0.5, vec(0, 0, 0), vec(1, 0, 0)), half_space(vec(1, 0, 0), -1),
                             half_space(vec(-1, 0, 0), -1)};
    carom_scene scene = scene_of(b, 3, "newton", 0.5, 0);
    counted c = {0};
    carom_memory memory = {counting_resize, &c};
    carom_sim_observer o = {.before = change_law};
    carom_sim *sim;
    assert_int_equal(carom_sim_create(&scene, &memory, &sim, NULL), CAROM_STATUS_OK);
    carom_sim_observe(sim, &o);
    scene.rule.coeffs.e = 0.5;
    for (int k = 1; k <= 20; k++)
        assert_int_equal(carom_sim_to_impacts(sim, k), CAROM_STATUS_OK);
    size_t most = c.most;
    assert_int_equal(carom_sim_to_impacts(sim, 60), CAROM_STATUS_OK);
    assert_int_equal(c.most, most);
    carom_sim_free(sim);
}

/* ---- numbers that are none ---- */

static carom_impulse nan_kernel(const carom_impact *x, const carom_coeffs *c)
{
    (void)x, (void)c;
    carom_impulse r = {{0, 0, NAN}, 1, {0, 0, 0}};
    return r;
}

static carom_status nan_solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                              carom_outcome *outcome)
{
    (void)x, (void)rule, (void)tracer;
    outcome->p = carom_cvec_make(NAN, 0, INFINITY);
    outcome->mode = "broken";
    return CAROM_STATUS_OK;
}

static const char *const words[] = {"no_impact", "hit"};
static const carom_law nan_law = {.id = "nan", CAROM_MODES(words), .kernel = nan_kernel};
static const carom_law nan_path = {.id = "nan-path", .solve = nan_solve};

typedef enum damage { NAN_E, INFINITE_MU, NO_LAW, NAN_LAW, NAN_PATH, NAN_VELOCITY, DAMAGES } damage;

static bool do_damage(void *context, carom_sim_event *event)
{
    carom_sim_contact *c = &event->contacts[0];
    switch (*(const damage *)context) {
    case NAN_E:
        c->rule.coeffs.e = NAN;
        break;
    case INFINITE_MU:
        c->rule.coeffs.mu = -INFINITY;
        break;
    case NO_LAW:
        c->rule.law = NULL;
        break;
    case NAN_LAW:
        c->rule.law = &nan_law;
        break;
    case NAN_PATH:
        c->rule.law = &nan_path;
        break;
    default:
        c->def_a.velocity.x = c->problem.u.n = c->normal.x = NAN;
        break; /* of a report: nobody reads it */
    }
    return true;
}

/* One error that names the bodies, no NaN in the state, and the impact is still to come. */
static void test_numbers_that_are_none(void **state)
{
    (void)state;
    static const carom_status expected[DAMAGES] = {CAROM_STATUS_NOT_FINITE,   CAROM_STATUS_NOT_FINITE,
                                                   CAROM_STATUS_NO_LAW,       CAROM_STATUS_OUT_OF_RANGE,
                                                   CAROM_STATUS_OUT_OF_RANGE, CAROM_STATUS_OK};
    for (int k = 0; k < DAMAGES; k++) {
        carom_scene_body b[2];
        carom_scene scene = two_balls(b, 1);
        damage d = (damage)k;
        carom_sim_observer o = {do_damage, NULL, &d};
        carom_sim *sim = sim_of(&scene);
        carom_sim_observe(sim, &o);
        carom_status status = carom_sim_to_time(sim, 5);
        assert_int_equal(status, expected[k]);
        assert_finite(sim, 2);
        if (status) {
            assert_int_equal(carom_sim_blame(sim).body, 0);
            assert_int_equal(carom_sim_blame(sim).other, 1);
            assert_near(carom_sim_time(sim), 2, 1e-15);
            assert_int_equal(carom_sim_impacts(sim), 0);
            assert_int_equal(carom_sim_to_time(sim, 5), expected[k]);
        }
        carom_sim_observe(sim, NULL);
        assert_int_equal(carom_sim_to_time(sim, 6), CAROM_STATUS_OK);
        assert_int_equal(carom_sim_impacts(sim), 1);
        assert_near(carom_sim_body(sim, 0).position.x, 2, 1e-15);
        assert_near(carom_sim_body(sim, 1).position.x, 7, 1e-15);
        assert_near(carom_sim_energy(sim).residual, 0, 1e-15);
        carom_sim_free(sim);
    }
}

/* ---- in a callback ---- */

typedef struct intruder {
    carom_sim *sim;
    void *snapshot;
    const void *older;
} intruder;

static bool intrude(void *context, const carom_sim_event *event)
{
    intruder *x = context;
    carom_sim_meeting next;
    assert_int_equal(carom_sim_to_time(x->sim, event->time + 1), CAROM_STATUS_BUSY);
    assert_int_equal(carom_sim_restore(x->sim, x->older), CAROM_STATUS_BUSY);
    assert_int_equal(carom_sim_next_impact(x->sim, 9, &next), CAROM_STATUS_BUSY);
    x->snapshot = realloc(x->snapshot, carom_sim_snapshot_size(x->sim));
    carom_sim_save(x->sim, x->snapshot);
    return false;
}

static void test_a_callback_cannot_go_on(void **state)
{
    (void)state;
    carom_scene_body b[2];
    carom_scene scene = two_balls(b, 1);
    carom_sim *sim = sim_of(&scene);
    void *start = malloc(carom_sim_snapshot_size(sim));
    carom_sim_save(sim, start);
    intruder x = {sim, NULL, start};
    carom_sim_observer o = {.after = intrude, .context = &x};
    carom_sim_observe(sim, &o);
    assert_int_equal(run_until(sim, 9, -1), CAROM_SIM_STOP_OBSERVER);
    assert_int_equal(carom_sim_impacts(sim), 1);
    assert_int_equal(carom_sim_restore(sim, x.snapshot), CAROM_STATUS_BUSY);
    assert_int_equal(carom_sim_restore(sim, start), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 0, 0);
    free(start);
    free(x.snapshot);
    carom_sim_free(sim);
}

/* ---- going on, and looking ahead ---- */

/* A ball on a floor: impacts at (2 k + 1) sqrt(2 h / g) with e = 1. */
static carom_scene bouncing(carom_scene_body b[2], double e)
{
    b[0] = ball(1, 0.25, vec(0, 0, 2.25), vec(0, 0, 0));
    b[1] = half_space(vec(0, 0, 1), 0);
    carom_scene scene = scene_of(b, 2, "newton", e, 0);
    scene.gravity.z = -4; /* the first impact comes after 1 s */
    return scene;
}

static void test_ways_to_go_on(void **state)
{
    (void)state;
    carom_scene_body b[2];
    carom_scene scene = bouncing(b, 1);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(carom_sim_to_event(sim), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 1, 1e-15);
    assert_near(carom_sim_body(sim, 0).velocity.z, 4, 1e-15);
    assert_int_equal(carom_sim_to_time(sim, 2.5), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 2.5, 0);
    assert_near(carom_sim_body(sim, 0).velocity.z, -2, 1e-14);
    assert_int_equal(carom_sim_to_impacts(sim, 4), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 7, 1e-14);
    assert_int_equal(carom_sim_to_impacts(sim, 4), CAROM_STATUS_OK); /* they have been */
    assert_near(carom_sim_time(sim), 7, 1e-14);
    assert_int_equal(carom_sim_to_time(sim, 6), CAROM_STATUS_BAD_TIME);
    assert_int_equal(carom_sim_to_time(sim, NAN), CAROM_STATUS_BAD_TIME);
    carom_sim_free(sim);
    scene.rule.coeffs.e = 0.5;
    sim = sim_of(&scene);
    assert_int_equal(carom_sim_to_rest(sim, 2.5), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 2.5, 0);
    assert_int_equal(carom_sim_to_rest(sim, 10), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), 3, 1e-9); /* (1 + e) / (1 - e) times the first fall */
    assert_true(carom_sim_body(sim, 0).resting);
    carom_sim_free(sim);
}

static void test_next_impact_and_distance(void **state)
{
    (void)state;
    carom_scene_body b[3];
    carom_scene scene = two_balls(b, 1);
    b[2] = half_space(vec(-1, 0, 0), -5);
    b[2].def.velocity = vec(-0.25, 0, 0);
    scene.body_count = 3;
    carom_sim *sim = sim_of(&scene);
    carom_sim_meeting next;
    assert_near(carom_sim_distance(sim, 0, 1), 2, 1e-15);
    assert_near(carom_sim_distance(sim, 0, 2), 4.5, 1e-15);
    assert_int_equal(carom_sim_next_impact(sim, 1.5, &next), CAROM_STATUS_OK);
    assert_true(next.time == INFINITY && next.a == -1 && next.b == -1);
    assert_int_equal(carom_sim_next_impact(sim, 100, &next), CAROM_STATUS_OK);
    assert_near(next.time, 2, 1e-15);
    assert_true(next.a + next.b == 1);
    assert_near(carom_sim_time(sim), 0, 0); /* nothing has changed */
    assert_int_equal(carom_sim_impacts(sim), 0);
    assert_int_equal(carom_sim_to_time(sim, 1), CAROM_STATUS_OK);
    assert_near(carom_sim_distance(sim, 1, 0), 1, 1e-15);
    assert_near(carom_sim_next(sim), 2, 1e-15);
    assert_int_equal(carom_sim_to_event(sim), CAROM_STATUS_OK);
    assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-15);
    assert_int_equal(carom_sim_next_impact(sim, INFINITY, &next), CAROM_STATUS_OK);
    assert_near(next.time, 2 + (5 - 0.5 - 3 - 0.25 * 2) / 1.25, 1e-14);
    assert_true(next.a == 1 && next.b == 2);
    carom_sim_free(sim);
}

/* Snapshots in the midst of a run, one of them with a closed contact: back and forth, the same bits each time. */
static void test_snapshots_in_a_run(void **state)
{
    (void)state;
    carom_scene_body b[2];
    carom_scene scene = bouncing(b, 0.5);
    scene.rule = carom_rule_default(carom_law_find("routh-stronge"));
    b[0].def.velocity.x = 3;
    void *saved[3];
    carom_sim *sim = sim_of(&scene);
    double times[3] = {0.5, 1.5, 3.2}, x[3];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(carom_sim_to_time(sim, times[k]), CAROM_STATUS_OK);
        saved[k] = malloc(carom_sim_snapshot_size(sim));
        carom_sim_save(sim, saved[k]);
    }
    for (int round = 0; round < 2; round++)
        for (int k = 2; k >= 0; k--) {
            assert_int_equal(carom_sim_restore(sim, saved[k]), CAROM_STATUS_OK);
            assert_near(carom_sim_time(sim), times[k], 0);
            assert_int_equal(carom_sim_to_time(sim, 4.5), CAROM_STATUS_OK);
            double now = carom_sim_body(sim, 0).position.x;
            x[k] = round == 0 ? now : x[k];
            assert_true(now == x[k] && now == x[2]);
        }
    for (int k = 0; k < 3; k++)
        free(saved[k]);
    carom_sim_free(sim);
}

/* A run in slices of so many instants is the run; a slice ends where nothing has happened, too. */
static void test_slices_of_instants(void **state)
{
    (void)state;
    for (int slice = 1; slice < 6; slice++) {
        carom_scene_body b[2];
        carom_scene scene = bouncing(b, 0.5);
        scene.rule = carom_rule_default(carom_law_find("routh-stronge"));
        b[0].def.velocity.x = 3;
        carom_sim *whole = sim_of(&scene), *sliced = sim_of(&scene);
        assert_int_equal(carom_sim_to_time(whole, 4.5), CAROM_STATUS_OK);
        carom_sim_until until = carom_sim_until_default();
        carom_sim_stop stop = CAROM_SIM_STOP_INSTANTS;
        until.time = 4.5;
        until.instants = 0;
        assert_int_equal(carom_sim_advance(sliced, &until, &stop), CAROM_STATUS_OK);
        assert_int_equal(stop, CAROM_SIM_STOP_INSTANTS);
        assert_true(carom_sim_time(sliced) == 0);
        until.instants = slice;
        long long slices = 0;
        for (; stop == CAROM_SIM_STOP_INSTANTS; slices++) {
            assert_int_equal(carom_sim_advance(sliced, &until, &stop), CAROM_STATUS_OK);
            assert_true(carom_sim_time(sliced) < 4.5 || stop == CAROM_SIM_STOP_TIME);
        }
        assert_true(slices > 1);
        assert_true(carom_sim_events(sliced) == carom_sim_events(whole));
        carom_vec3 x = carom_sim_body(whole, 0).position, y = carom_sim_body(sliced, 0).position;
        assert_memory_equal(&x, &y, sizeof x);
        carom_sim_free(whole);
        carom_sim_free(sliced);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries_show_before_and_after),
        cmocka_unit_test(test_queries_at_one_instant),
        cmocka_unit_test(test_veto),
        cmocka_unit_test(test_rule_of_the_observer),
        cmocka_unit_test(test_rules_of_the_observer_take_no_memory),
        cmocka_unit_test(test_numbers_that_are_none),
        cmocka_unit_test(test_a_callback_cannot_go_on),
        cmocka_unit_test(test_ways_to_go_on),
        cmocka_unit_test(test_next_impact_and_distance),
        cmocka_unit_test(test_snapshots_in_a_run),
        cmocka_unit_test(test_slices_of_instants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
