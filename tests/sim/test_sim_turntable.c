/* Bodies on ground that turns about its normal: a cylinder or a box, at a constant rate or on a path. */
#include "sim/islands.h"

#define MU 0.5

static carom_scene_body table_of(int round, double rate)
{
    carom_scene_body b = block(1, vec(4, 4, 0.1), vec(0, 0, -0.05));
    if (round)
        b.solid.shape = (carom_shape){CAROM_SHAPE_CYLINDER, {2, 0.1, 0}};
    b.def.fixed = true;
    b.def.omega = vec(0, 0, rate);
    return b;
}

static carom_scene scene_on(carom_scene_body *bodies, double mu)
{
    carom_scene s = scene_of(bodies, 2, "routh-stronge", 0, mu);
    s.gravity = vec(0, 0, -G);
    return s;
}

static void check_exact(carom_sim *sim)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
    assert_true(carom_sim_exact_until(sim) == INFINITY);
    assert_near(l.residual, 0, 1e-13);
}

/* A ball that rolls obeys v' = 2/7 W x v: a circle, wherever it is on the table. */
static void test_ball(void **state)
{
    (void)state;
    const double W = 1.3, R = 0.05, T = 2, a = 2 * W / 7, s = sin(a * T), c = cos(a * T);
    const carom_vec3 x = {0.3, 0.1, R}, v = {0.1, 0.2, 0};
    const double u[2] = {v.x + W * x.y, v.y - W * x.x}; /* against the table */
    for (int round = 0; round < 2; round++) {
        carom_scene_body bodies[2] = {ball(0.4, R, x, v), table_of(round, W)};
        bodies[0].def.omega = vec(-u[1] / R, u[0] / R, 0);
        carom_scene scene = scene_on(bodies, MU);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, T, -1);
        carom_sim_state end = carom_sim_body(sim, 0);
        assert_near(end.position.x, x.x + (s * v.x - (1 - c) * v.y) / a, 1e-12);
        assert_near(end.position.y, x.y + ((1 - c) * v.x + s * v.y) / a, 1e-12);
        assert_near(end.velocity.x, c * v.x - s * v.y, 1e-12);
        check_exact(sim);
        carom_sim_free(sim);
    }
}

/* A box that sticks goes round with the table, at a constant rate or as it swings. */
static void test_box(void **state)
{
    (void)state;
    const double R = 0.4, T = 2;
    for (int k = 0; k < 4; k++) {
        const double W = -1.7, angle = 0.3, f = 0.7, phase = -acos(0); /* the swing begins at rest */
        carom_scene_body bodies[2] = {block(0.4, vec(0.1, 0.12, 0.08), vec(R, 0, 0.04)),
                                      table_of(k % 2, k < 2 ? W : 0)};
        const carom_drive swing = {.frequency = f, .phase = phase, .angle = angle, .axis = vec(0, 0, 1)};
        double at = W * T;
        if (k < 2) {
            bodies[0].def.velocity = vec(0, W * R, 0);
            bodies[0].def.omega = vec(0, 0, W);
        } else {
            bodies[1].drive = &swing;
            at = angle * (sin(2 * acos(-1) * f * T + phase) - sin(phase));
        }
        carom_scene scene = scene_on(bodies, MU);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, T, -1);
        carom_sim_state end = carom_sim_body(sim, 0);
        assert_near(end.position.x, R * cos(at), 1e-11);
        assert_near(end.position.y, R * sin(at), 1e-11);
        assert_near(end.position.z, 0.04, 1e-14);
        check_exact(sim);
        carom_sim_free(sim);
    }
}

/* A point that slips: x'' = -mu g u / |u|, u = x' - W x x. */
static void slip_rates(const double y[4], double W, double mu, double f[4])
{
    double u = y[2] + W * y[1], v = y[3] - W * y[0], size = sqrt(u * u + v * v);
    f[0] = y[2], f[1] = y[3], f[2] = -mu * G * u / size, f[3] = -mu * G * v / size;
}

static void runge_kutta(double y[4], double W, double mu, double h)
{
    double k[4][4], z[4];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++)
            z[i] = y[i] + (s == 0 ? 0 : (s == 3 ? h : 0.5 * h) * k[s - 1][i]);
        slip_rates(z, W, mu, k[s]);
    }
    for (int i = 0; i < 4; i++)
        y[i] += h * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
}

/* A particle at rest is dragged outwards, until it leaves a table of 2 m at its rim and falls. */
static void test_particle_slips(void **state)
{
    (void)state;
    enum { STEPS = 4000 };
    const double W = 2.5, mu = 0.1, T = 0.8;
    double y[4] = {0.9, 0, 0, 0};
    carom_scene_body bodies[2] = {{.solid = {.kind = CAROM_SOLID_PARTICLE}}, table_of(1, W)};
    bodies[0].def = carom_body_def_default();
    bodies[0].def.mass = 0.3;
    bodies[0].def.position = vec(0.9, 0, 0);
    carom_scene scene = scene_on(bodies, mu);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, T, -1);
    for (int k = 0; k < STEPS; k++)
        runge_kutta(y, W, mu, T / STEPS);
    carom_sim_state end = carom_sim_body(sim, 0);
    assert_near(end.position.x, y[0], 1e-10);
    assert_near(end.position.y, y[1], 1e-10);
    assert_near(end.velocity.y, y[3], 1e-10);
    check_exact(sim);
    run_until(sim, 4, -1);
    end = carom_sim_body(sim, 0);
    assert_true(end.position.z < -0.5 && hypot(end.position.x, end.position.y) > 2);
    check_exact(sim);
    carom_sim_free(sim);
}

/* A box that bounces on a table, slips and goes round with it: a round table carries all of its corners, as a square
 * one does. */
static void test_box_lands(void **state)
{
    (void)state;
    carom_sim_state end[2];
    for (int round = 0; round < 2; round++) {
        carom_scene_body bodies[2] = {block(0.4, vec(0.9, 0.8, 0.2), vec(-0.5, 0.9, 0.3)), table_of(round, -1.2)};
        bodies[0].def.velocity = vec(-0.1, 0.5, 0);
        carom_scene scene = scene_on(bodies, MU);
        scene.rule.coeffs.e = 0.3;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.6, -1);
        assert_true(carom_sim_impacts(sim) < 40);
        check_exact(sim);
        end[round] = carom_sim_body(sim, 0);
        carom_sim_free(sim);
    }
    assert_near(carom_vec3_length(carom_vec3_sub(end[0].position, end[1].position)), 0, 1e-10);
    assert_near(carom_vec3_length(carom_vec3_sub(end[0].velocity, end[1].velocity)), 0, 1e-10);
}

/* A box that slides over the rim is stepped there, tips and falls: it overlaps nothing and gains no energy. */
static void test_box_over_rim(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {block(0.4, vec(0.2, 0.12, 0.08), vec(1.5, 0, 0.04)), table_of(1, 0)};
    bodies[0].def.velocity = vec(1.6, 0.1, 0);
    carom_scene scene = scene_on(bodies, 0.2);
    carom_sim *sim = sim_of(&scene);
    double before = carom_sim_energy(sim).after;
    for (double t = 0.01; t < 1.2; t += 0.01) {
        run_until(sim, t, -1);
        double energy = carom_sim_energy(sim).after;
        assert_true(energy <= before + 1e-12);
        assert_true(carom_sim_distance(sim, 0, 1) > -2e-6 * 0.13);
        before = energy;
    }
    assert_true(carom_sim_exact_until(sim) < 1 && carom_sim_body(sim, 0).position.z < -0.2);
    carom_sim_free(sim);
}

/* Tall cylinders that slip, tip and roll on their rim, by steps: within a step, too, nothing but the table gives them
 * energy. The table has given a share of its work by then, and not all of it. */
static void test_work_within_steps(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int stepped = 0;
    for (int k = 0; k < 8; k++) {
        carom_scene_body bodies[2] = {block(0.4, vec(0.1, 0.1, 0.1), vec(random_between(&seed, 0.5, 0.7), 0, 0)),
                                      table_of(k % 2, random_between(&seed, 1, 3))};
        carom_shape shape = {CAROM_SHAPE_CYLINDER, {0.1, random_between(&seed, 0.26, 0.3), 0}};
        carom_vec3 at = bodies[0].def.position;
        bodies[0].solid.shape = shape;
        bodies[0].def = carom_shape_body(&shape, 0.4);
        bodies[0].def.position = vec(at.x, 0, 0.5 * shape.size[1]);
        bodies[0].def.velocity = vec(0, -random_between(&seed, 0.1, 0.5), 0);
        carom_scene scene = scene_on(bodies, 0.7);
        scene.rule.coeffs.e = 0.2;
        carom_sim *sim = sim_of(&scene);
        double least = carom_sim_energy(sim).before;
        for (int n = 1; n <= 4000; n++) {
            run_until(sim, 1e-4 * n, -1);
            carom_sim_ledger l = carom_sim_energy(sim);
            double own = l.after - l.driven;
            double swing = 4 * step_swing(sim, &scene); /* N is up to four weights in short steps */
            assert_true(own <= least + swing + 1e-13);
            assert_near(l.residual, 0, 1e-12);
            least = fmin(least, own + swing);
            stepped += carom_sim_body(sim, 0).road != CAROM_SIM_ROAD_EXACT;
        }
        carom_sim_free(sim);
    }
    assert_true(stepped > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball),           cmocka_unit_test(test_box),
                                       cmocka_unit_test(test_particle_slips), cmocka_unit_test(test_box_lands),
                                       cmocka_unit_test(test_box_over_rim),   cmocka_unit_test(test_work_within_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
