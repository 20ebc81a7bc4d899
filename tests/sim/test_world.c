/* What the interface promises: the same bits again, in other steps, from a snapshot and from carom_solve; observers;
 * refusals; nothing passes through; energy. */
#include <stdint.h>

#include "sim/scenes.h"

/* xorshift: the same numbers everywhere. */
static double draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

enum { BALLS = 60 };

#define GOLDEN_HASH UINT64_C(12446537077940527298) /* recorded with gcc -O3, the same with -O0 and with clang */

/* Balls of different sizes in a box of half-spaces. */
static carom_scene mixed(carom_scene_body *b, const char *law, double e, double mu)
{
    uint64_t seed = 88172645463325252u;
    int n = 0;
    for (int i = 0; i < BALLS; i++) {
        carom_vec3 at = vec(0.2 + 0.4 * (i % 4), 0.2 + 0.4 * (i / 4 % 4), 0.2 + 0.4 * (i / 16));
        double x[8];
        for (int k = 0; k < 8; k++)
            x[k] = draw(&seed);
        b[n] = ball(0.3 + x[0], 0.05 + 0.1 * x[1], at, vec(x[2] - 0.5, x[3] - 0.5, x[4] - 0.5));
        b[n++].def.omega = vec(9 * x[5], -5 * x[6], x[7]);
    }
    for (int k = 0; k < 3; k++) {
        carom_vec3 axis = vec(k == 0, k == 1, k == 2);
        b[n++] = half_space(axis, 0);
        b[n++] = half_space(carom_vec3_scale(-1, axis), -1.6);
    }
    return scene_of(b, n, law, e, mu);
}

static uint64_t hash_state(const carom_sim *sim, int count)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < count; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        double x[6] = {s.position.x, s.position.y, s.position.z, s.velocity.x, s.velocity.y, s.velocity.z};
        for (int k = 0; k < 6; k++) {
            uint64_t bits;
            memcpy(&bits, &x[k], sizeof bits);
            h = (h ^ bits) * 1099511628211u;
        }
    }
    return h;
}

/* 10,000 impacts with friction: the same bytes with every compiler and optimisation level. */
static void test_golden_hash(void **state)
{
    (void)state;
    carom_scene_body b[BALLS + 6];
    carom_scene scene = mixed(b, "chatterjee-momentum", 1, 0.05);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, INFINITY, 10000);
    assert_int_equal(carom_sim_impacts(sim), 10000);
    assert_true(hash_state(sim, BALLS) == GOLDEN_HASH);
    carom_sim_free(sim);
}

/* Watched, stepped in other pieces, or restored: the same run. */
static void test_runs_repeat(void **state)
{
    (void)state;
    carom_scene_body b[BALLS + 6];
    carom_scene scene = mixed(b, "routh-stronge", 0.9, 0.2);
    scene.gravity = vec(0, 0, -1);
    carom_sim *one = sim_of(&scene), *two = sim_of(&scene);
    run_until(one, 3.7, -1);
    for (int k = 1; k <= 370; k++)
        run_until(two, k == 370 ? 3.7 : 0.01 * k, -1);
    assert_true(hash_state(one, BALLS) == hash_state(two, BALLS));
    void *snapshot = malloc(carom_sim_snapshot_size(one));
    carom_sim_save(one, snapshot);
    run_until(one, 6.1, -1);
    uint64_t later = hash_state(one, BALLS);
    long long impacts = carom_sim_impacts(one);
    assert_int_equal(carom_sim_restore(one, snapshot), CAROM_STATUS_OK);
    assert_near(carom_sim_time(one), 3.7, 0);
    run_until(one, 6.1, -1);
    assert_true(hash_state(one, BALLS) == later);
    assert_int_equal(carom_sim_impacts(one), impacts);
    free(snapshot);
    carom_sim_free(one);
    carom_sim_free(two);
}

typedef struct checked {
    int count;
    double rise;
} checked;

/* Every impact again, from the description that an event file would hold. */
static bool solve_again(void *context, const carom_sim_event *event)
{
    checked *k = context;
    if (event->kind != CAROM_SIM_EVENT_IMPACT || !event->outcome)
        return true;
    const carom_sim_contact *c = &event->contacts[0];
    carom_body a, b;
    carom_contact contact;
    carom_problem problem;
    carom_outcome out;
    assert_int_equal(carom_body_init(&c->def_a, &a), CAROM_STATUS_OK);
    assert_int_equal(carom_body_init(&c->def_b, &b), CAROM_STATUS_OK);
    assert_int_equal(carom_contact_init(c->arm_a, c->arm_b, c->normal, &contact), CAROM_STATUS_OK);
    assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &problem), CAROM_STATUS_OK);
    assert_false(carom_status_is_error(carom_solve(&problem, &c->rule, NULL, &out)));
    carom_bodies_apply(&contact, out.p, &a, &b);
    assert_memory_equal(&out.p, &c->p, sizeof out.p);
    assert_memory_equal(&a.velocity, &c->after_a.velocity, sizeof a.velocity);
    assert_memory_equal(&b.omega, &c->after_b.omega, sizeof b.omega);
    k->rise = fmax(k->rise, out.energy.change);
    k->count++;
    return true;
}

static void test_impacts_have_the_bits_of_solve(void **state)
{
    (void)state;
    carom_scene_body b[BALLS + 6];
    carom_scene scene = mixed(b, "routh-poisson", 0.8, 0.3);
    for (int i = 0; i < BALLS; i += 3) { /* some boxes among them */
        carom_shape box = {CAROM_SHAPE_BOX, {0.11, 0.13, 0.07}};
        carom_body_def old = b[i].def;
        b[i].solid.shape = box;
        b[i].def = carom_shape_body(&box, 0.7);
        b[i].def.position = old.position;
        b[i].def.velocity = old.velocity;
        b[i].def.omega = old.omega;
    }
    carom_sim *sim = sim_of(&scene);
    checked k = {0, 0};
    carom_sim_observer o = {NULL, solve_again, &k};
    carom_sim_observe(sim, &o);
    run_until(sim, INFINITY, 600);
    assert_true(k.count > 500);
    assert_true(k.rise <= 1e-15);
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-12 * l.before);
    carom_sim_free(sim);
}

/* e = 1 without friction: energy after many impacts. */
static void test_elastic_energy(void **state)
{
    (void)state;
    carom_scene_body b[BALLS + 6];
    carom_scene scene = mixed(b, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, INFINITY, 100000);
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.after / l.before, 1, 1e-10);
    carom_sim_free(sim);
}

/* Fast bodies of all shapes at a thin wall: none is ever on the other side. */
static void test_nothing_passes_thin_walls(void **state)
{
    (void)state;
    uint64_t seed = 424242424242u;
    static const carom_shape shapes[6] = {
        {CAROM_SHAPE_SPHERE, {0.02, 0, 0}},      {CAROM_SHAPE_BOX, {0.05, 0.02, 0.03}},
        {CAROM_SHAPE_CYLINDER, {0.02, 0.05, 0}}, {CAROM_SHAPE_CONE, {0.02, 0.05, 0}},
        {CAROM_SHAPE_CAPSULE, {0.01, 0.05, 0}},  {CAROM_SHAPE_ELLIPSOID, {0.01, 0.02, 0.04}}};
    for (int n = 0; n < 10000; n++) {
        carom_shape wall = {CAROM_SHAPE_BOX, {0.001, 40, 40}};
        carom_scene_body b[2] = {{.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shapes[n % 6]}},
                                 {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = wall}}};
        b[0].def = carom_shape_body(&shapes[n % 6], 1);
        double x[10];
        for (int k = 0; k < 10; k++)
            x[k] = draw(&seed);
        b[0].def.position = vec(-1 - x[0], x[1], x[2]);
        b[0].def.velocity = vec(50 + 900 * x[3], 10 * x[4], 10 * x[5]);
        b[0].def.omega = vec(300 * x[6], 300 * x[7], -300 * x[8]);
        b[1].def = carom_body_def_default();
        b[1].def.fixed = true;
        carom_scene scene = scene_of(b, 2, "newton", x[9], 0);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.05, 1);
        assert_true(carom_sim_impacts(sim) >= 1);
        assert_true(carom_sim_body(sim, 0).position.x < 0);
        assert_true(carom_sim_distance(sim, 0, 1) > -1e-12);
        carom_sim_free(sim);
    }
}

static bool veto(void *context, carom_sim_event *event)
{
    (void)event;
    ++*(int *)context;
    return false;
}

static bool make_plastic(void *context, carom_sim_event *event)
{
    (void)context;
    event->contacts[0].rule.coeffs.e = 0;
    return true;
}

static bool break_rule(void *context, carom_sim_event *event)
{
    (void)context;
    event->contacts[0].rule.coeffs.e = NAN;
    return true;
}

static void test_observers(void **state)
{
    (void)state;
    carom_scene_body b[2] = {ball(1, 0.5, vec(0, 0, 0), vec(1, 0, 0)), ball(1, 0.5, vec(3, 0, 0), vec(0, 0, 0))};
    carom_scene scene = scene_of(b, 2, "newton", 1, 0);
    int asked = 0;
    carom_sim_observer pass = {veto, NULL, &asked}, plastic = {make_plastic, NULL, NULL},
                       bad = {break_rule, NULL, NULL};
    carom_sim *sim = sim_of(&scene);
    carom_sim_observe(sim, &pass);
    run_until(sim, 9, -1);
    assert_int_equal(asked, 1);
    assert_near(carom_sim_body(sim, 0).position.x, 9, 1e-14);
    carom_sim_free(sim);
    sim = sim_of(&scene);
    carom_sim_observe(sim, &plastic);
    run_until(sim, 9, -1);
    assert_near(carom_sim_body(sim, 0).velocity.x, 0.5, 1e-15);
    carom_sim_free(sim);
    sim = sim_of(&scene);
    carom_sim_observe(sim, &bad);
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_NOT_FINITE);
    assert_int_equal(stop, CAROM_SIM_STOP_ERROR);
    assert_int_equal(carom_sim_blame(sim).body, 0);
    assert_int_equal(carom_sim_blame(sim).other, 1);
    carom_sim_free(sim);
}

static void refused(const carom_scene *scene, carom_status status, int body, int other)
{
    carom_sim *sim;
    carom_sim_error error;
    assert_int_equal(carom_sim_create(scene, &heap_memory, &sim, &error), status);
    assert_null(sim);
    assert_int_equal(error.body, body);
    assert_int_equal(error.other, other);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_scene_body b[2] = {ball(1, 0.5, vec(0, 0, 0), vec(1, 0, 0)), ball(1, 0.5, vec(0.9, 0, 0), vec(0, 0, 0))};
    carom_scene scene = scene_of(b, 2, "newton", 1, 0);
    carom_sim_error error;
    carom_sim *sim;
    refused(&scene, CAROM_STATUS_OVERLAP, 0, 1);
    assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, &error), CAROM_STATUS_OVERLAP);
    assert_near(error.amount, 0.1, 1e-15);
    b[1].def.position.x = 3;
    b[1].def.mass = 0;
    refused(&scene, CAROM_STATUS_BAD_MASS, 1, -1);
    b[1].def.mass = 1;
    b[1].def.velocity.z = NAN;
    refused(&scene, CAROM_STATUS_NOT_FINITE, 1, -1);
    b[1].def.velocity.z = 0;
    b[1].solid.shape.size[0] = 0;
    refused(&scene, CAROM_STATUS_BAD_SHAPE, 1, -1);
    static const carom_vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
    b[1].solid = (carom_solid){.kind = CAROM_SOLID_HULL, .points = flat, .point_count = 5};
    refused(&scene, CAROM_STATUS_BAD_SHAPE, 1, -1);
    b[1] = half_space(vec(0, 0, 1), -2);
    b[1].def.fixed = false;
    refused(&scene, CAROM_STATUS_BAD_SHAPE, 1, -1);
    b[1].def.fixed = true;
    scene.rule.coeffs.e = 7;
    refused(&scene, CAROM_STATUS_BAD_COEFFICIENT, -1, -1);
    carom_body_def def = carom_body_def_default();
    assert_int_equal(carom_solid_body(&b[0].solid, 3, -1, (def.mass = 0, &def), NULL), CAROM_STATUS_BAD_MASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_hash),
        cmocka_unit_test(test_runs_repeat),
        cmocka_unit_test(test_impacts_have_the_bits_of_solve),
        cmocka_unit_test(test_elastic_energy),
        cmocka_unit_test(test_nothing_passes_thin_walls),
        cmocka_unit_test(test_observers),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
