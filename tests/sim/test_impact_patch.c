/* Impacts of bodies with a patch: friction brakes their spin while they collide. */
#include "carom/patch.h"
#include "sim/scenes.h"

#define M0 (3 * 3.14159265358979323846 / 16) /* of hertz */

static const char *const laws[] = {"whittaker", "routh-newton", "routh-poisson", "routh-stronge"};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* A ball that spins about the normal and does not slip loses M(0) mu a p_n of its spin in each impact. */
static void test_dropped_spin(void **state)
{
    (void)state;
    const double R = 0.031, h = 0.7, g = 9.81, mu = 0.23, e = 0.6, a = 0.0045, w = 87.5;
    for (int k = 0; k < LAWS; k++) {
        carom_scene_body bodies[2] = {ball(0.23, R, vec(0, 0, R + h), vec(0, 0, 0)), half_space(vec(0, 0, 1), 0)};
        bodies[0].def.omega = vec(0, 0, w);
        carom_scene scene = scene_of(bodies, 2, laws[k], e, mu);
        scene.gravity = vec(0, 0, -g);
        scene.patch = a;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 10, 1);
        double lost = M0 * mu * a * (1 + e) * sqrt(2 * g * h) / (0.4 * R * R);
        assert_near(carom_sim_body(sim, 0).omega.z, w - lost, 1e-12 * w);
        carom_sim_ledger l = carom_sim_energy(sim);
        assert_near(l.spin, -0.2 * 0.23 * R * R * lost * (2 * w - lost), 1e-14);
        assert_near(l.residual, 0, 1e-14);
        carom_sim_free(sim);
    }
}

/* Two balls that meet along their line: its component of the angular momentum stays, their spins approach. */
static void test_balls_meet(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        carom_scene_body bodies[2] = {ball(0.2, 0.03, vec(-0.1, 0, 0), vec(1.3, 0, 0)),
                                      ball(0.5, 0.05, vec(0.1, 0, 0), vec(-0.4, 0, 0))};
        bodies[0].def.omega = vec(60, 0, 0);
        carom_scene scene = scene_of(bodies, 2, laws[k], 0.8, 0.3);
        scene.patch = 0.006;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 1, 1);
        double I[2] = {0.4 * 0.2 * 0.03 * 0.03, 0.4 * 0.5 * 0.05 * 0.05}, p = 1.8 * 1.7 / (1 / 0.2 + 1 / 0.5);
        double m = M0 * 0.3 * 0.006 * p;
        assert_near(carom_sim_body(sim, 0).omega.x, 60 - m / I[0], 1e-12 * 60);
        assert_near(carom_sim_body(sim, 1).omega.x, m / I[1], 1e-12 * 60);
        carom_sim_free(sim);
    }
}

/* What an event reports, solved again by the public functions, has the bits of the run. */
static bool solve_again(void *context, const carom_sim_event *event)
{
    int *seen = context;
    const carom_sim_contact *c = event->contacts;
    carom_contact contact;
    carom_body a, b;
    carom_patch_problem problem;
    carom_outcome out;
    if (event->kind != CAROM_SIM_EVENT_IMPACT || event->count > 1)
        return true;
    assert_int_equal(carom_body_init(&c->def_a, &a), CAROM_STATUS_OK);
    assert_int_equal(carom_body_init(&c->def_b, &b), CAROM_STATUS_OK);
    assert_int_equal(carom_contact_init(c->arm_a, c->arm_b, c->normal, &contact), CAROM_STATUS_OK);
    assert_int_equal(carom_patch_reduce_bodies(&a, &b, &contact, carom_patch_size(&c->rule.coeffs), &problem),
                     CAROM_STATUS_OK);
    assert_false(carom_status_is_error(carom_patch_solve(&problem, &c->rule, NULL, &out)));
    carom_patch_apply_bodies(&contact, out.p, out.turning.m, &a, &b);
    assert_true(out.p.t1 == c->p.t1 && out.p.t2 == c->p.t2 && out.p.n == c->p.n);
    assert_true(out.turning.m.n == c->m.n && out.turning.m.t1 == c->m.t1 && out.turning.m.t2 == c->m.t2);
    assert_true(a.omega.x == c->after_a.omega.x && a.omega.y == c->after_a.omega.y && a.omega.z == c->after_a.omega.z);
    ++*seen;
    return true;
}

static carom_scene_body thrown(uint64_t *seed, int kind)
{
    double s = random_between(seed, 0.03, 0.09);
    const carom_shape shapes[5] = {{CAROM_SHAPE_SPHERE, {s, 0, 0}},
                                   {CAROM_SHAPE_CAPSULE, {0.4 * s, 1.3 * s, 0}},
                                   {CAROM_SHAPE_BOX, {1.4 * s, s, 0.6 * s}},
                                   {CAROM_SHAPE_CYLINDER, {s, 0.7 * s, 0}},
                                   {CAROM_SHAPE_CONE, {0.8 * s, s, 0}}};
    carom_scene_body b = carom_scene_shape(shapes[kind], random_between(seed, 0.1, 2));
    b.def.position = vec(0, 0, 0.4);
    b.def.velocity = vec(random_between(seed, -2, 2), random_between(seed, -2, 2), random_between(seed, -1, 0));
    b.def.omega = vec(random_between(seed, -9, 9), random_between(seed, -9, 9), random_between(seed, -60, 60));
    return b;
}

/* Bodies of five shapes thrown onto a floor, under every law and pressure: each impact is repeated bit for bit, the
 * ledger closes, and no column gains energy by friction. Several corners at once are solved by moreau. */
static void test_thrown(void **state)
{
    (void)state;
    uint64_t seed = 2385;
    for (int k = 0; k < 40; k++) {
        carom_scene_body bodies[2] = {thrown(&seed, k % 5), half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 2, laws[k / 5 % LAWS], k % 3 ? 0.4 : 0, random_between(&seed, 0.05, 0.7));
        scene.gravity = vec(0, 0, -9.81);
        scene.patch = random_between(&seed, 1e-4, 1e-2);
        scene.rolling = k % 2 ? random_between(&seed, 1e-5, 1e-3) : 0;
        scene.rule.options.pressure = k % 4;
        carom_sim *sim = sim_of(&scene);
        int seen = 0;
        carom_sim_observer observer = {NULL, solve_again, &seen};
        carom_sim_observe(sim, &observer);
        run_until(sim, 0.6, -1);
        carom_sim_ledger l = carom_sim_energy(sim);
        assert_near(l.residual, 0, 1e-11 * (1 + l.before));
        assert_true(seen > 0);
        carom_sim_free(sim);
    }
}

/* A particle has no spin: its impacts are those of points. */
static void test_particle(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        carom_scene_body bodies[2] = {ball(0.2, 0.03, vec(0, 0, 0.5), vec(1, 0, 0)), half_space(vec(0, 0, 1), 0)};
        bodies[0].solid = (carom_solid){.kind = CAROM_SOLID_PARTICLE};
        carom_scene scene = scene_of(bodies, 2, laws[k], 0.5, 0.2);
        scene.gravity = vec(0, 0, -9.81);
        scene.patch = 0.01;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 10, 1);
        assert_near(carom_sim_body(sim, 0).velocity.x, 1 - 0.2 * 1.5 * sqrt(2 * 9.81 * 0.5), 1e-14);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dropped_spin),
        cmocka_unit_test(test_balls_meet),
        cmocka_unit_test(test_thrown),
        cmocka_unit_test(test_particle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
