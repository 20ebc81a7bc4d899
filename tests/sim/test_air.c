/* Drag, wind and the Magnus force: flights against closed forms, impacts at their times, and the energy they take. */
#include "sim/scenes.h"

#define G 9.81

static const double mass = 0.37, radius = 0.11;

/* ---- one ball above a floor ---- */

typedef struct drop {
    carom_scene_body bodies[2];
    carom_scene scene;
    carom_fields fields;
} drop;

static void make_drop(drop *d, carom_vec3 at, carom_vec3 velocity, double e)
{
    memset(d, 0, sizeof *d);
    d->bodies[0] = ball(mass, radius, at, velocity);
    d->bodies[1] = half_space(vec(0, 0, 1), 0);
    d->scene = scene_of(d->bodies, 2, "newton", e, 0);
    d->scene.gravity = vec(0, 0, -G);
    d->bodies[0].fields = &d->fields;
}

static void assert_vec_near(carom_vec3 got, carom_vec3 expected, double tolerance)
{
    assert_near(got.x, expected.x, tolerance);
    assert_near(got.y, expected.y, tolerance);
    assert_near(got.z, expected.z, tolerance);
}

static void assert_balanced(const carom_sim *sim)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-11 * (1 + fabs(l.before)));
}

/* v' = g - (v - w)/tau: v = w + g tau + (v_0 - w - g tau) exp(-t/tau). */
static void test_linear_drag_in_wind(void **state)
{
    (void)state;
    drop d;
    carom_vec3 v0 = vec(13.2, -2.7, 9.3), wind = vec(-3.1, 1.7, 0.2), x0 = vec(0.3, 0.4, 150.5);
    make_drop(&d, x0, v0, 1);
    d.fields.drag_linear = 0.21;
    d.fields.wind = wind;
    carom_sim *sim = sim_of(&d.scene);
    double tau = mass / 0.21;
    carom_vec3 end = carom_vec3_add(wind, vec(0, 0, -G * tau)), off = carom_vec3_sub(v0, end);
    for (double t = 0.37; t < 9; t += 1.93) {
        run_until(sim, t, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        double fade = exp(-t / tau), way = -tau * expm1(-t / tau);
        assert_vec_near(s.velocity, carom_vec3_add(end, carom_vec3_scale(fade, off)), 1e-12);
        carom_vec3 x = carom_vec3_add(carom_vec3_scale(t, end), carom_vec3_scale(way, off));
        assert_vec_near(s.position, carom_vec3_add(x0, x), 1e-11);
        assert_balanced(sim);
    }
    carom_sim_free(sim);
}

/* It ends at the terminal velocity m g / c. */
static void test_terminal_velocity(void **state)
{
    (void)state;
    drop d;
    make_drop(&d, vec(0, 0, 1e4), vec(0, 0, 0), 1);
    d.fields.drag_quadratic = 0.013;
    carom_sim *sim = sim_of(&d.scene);
    run_until(sim, 60, -1);
    assert_near(carom_sim_body(sim, 0).velocity.z, -sqrt(mass * G / 0.013), 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

typedef struct times {
    int count;
    double t[32];
} times;

static bool note_time(void *context, const carom_sim_event *event)
{
    times *x = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && x->count < 32)
        x->t[x->count++] = event->time;
    return true;
}

/* Falls and rises under quadratic drag, v_t the terminal velocity: a fall from rest over h takes
 * v_t/g acosh exp(g h / v_t^2) and ends at v_t sqrt(1 - exp(-2 g h / v_t^2)); a rise with v takes v_t/g atan(v / v_t)
 * and reaches v_t^2/(2 g) ln(1 + v^2 / v_t^2). */
static void test_quadratic_bounces(void **state)
{
    (void)state;
    drop d;
    double e = 0.83, c = 0.29, v_t = sqrt(mass * G / c), h = 7.3, t = 0;
    make_drop(&d, vec(0, 0, h + radius), vec(0, 0, 0), e);
    d.fields.drag_quadratic = c;
    carom_sim *sim = sim_of(&d.scene);
    times x = {0, {0}};
    carom_sim_observer o = {NULL, note_time, &x};
    carom_sim_observe(sim, &o);
    run_until(sim, INFINITY, 8);
    for (int k = 0; k < 8; k++) {
        double a = G * h / (v_t * v_t), y = expm1(a), speed = v_t * sqrt(-expm1(-2 * a));
        t += v_t / G * log1p(y + sqrt(y * (2 + y)));
        assert_near(x.t[k], t, 1e-12);
        speed *= e;
        t += v_t / G * atan(speed / v_t);
        h = 0.5 * v_t * v_t / G * log1p(speed * speed / (v_t * v_t));
    }
    assert_balanced(sim);
    assert_true(carom_sim_energy(sim).fields < 0);
    carom_sim_free(sim);
}

/* It comes to rest as without air, at a finite time, and the ledger closes. */
static void test_bounces_end(void **state)
{
    (void)state;
    drop d;
    make_drop(&d, vec(0, 0, 1 + radius), vec(0, 0, 0), 0.7);
    d.fields.drag_quadratic = 0.11;
    d.fields.drag_linear = 0.03;
    carom_sim *sim = sim_of(&d.scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_true(carom_sim_impacts(sim) > 40);
    assert_near(carom_sim_body(sim, 0).position.z, radius, 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* v' = g + k w x v with w constant: for w along y and g along -z a circle of the rate W = k w about a drift. */
static void test_magnus_circles(void **state)
{
    (void)state;
    drop d;
    double S = 0.023, w = 57.0, W = S * w / mass, vx = 4.3, vz = 11.9;
    make_drop(&d, vec(0, 0, 40), vec(vx, 0.7, vz), 1);
    d.bodies[0].def.omega = vec(0, w, 0);
    d.fields.magnus = S;
    carom_sim *sim = sim_of(&d.scene);
    for (double t = 0.21; t < 6; t += 1.17) {
        run_until(sim, t, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        /* w x v = w (v_z, 0, -v_x): with u = v_x + g / W, u' = W v_z, v_z' = -W u */
        double u = vx + G / W, c = cos(W * t), n = sin(W * t);
        assert_vec_near(s.velocity, vec(u * c + vz * n - G / W, 0.7, vz * c - u * n), 1e-11);
        assert_vec_near(s.position,
                        vec((u * n + vz * (1 - c)) / W - G / W * t, 0.7 * t, 40 + (vz * n - u * (1 - c)) / W), 1e-11);
        assert_balanced(sim);
        assert_near(carom_sim_energy(sim).fields, 0, 1e-11);
    }
    carom_sim_free(sim);
}

/* w' = -c w / I: the spin of a ball fades, and its angle is the integral. */
static void test_spin_fades(void **state)
{
    (void)state;
    drop d;
    double c = 0.0031, w = 23.7, I = 0.4 * mass * radius * radius, k = c / I, t = 2.9;
    make_drop(&d, vec(0, 0, 300), vec(0, 0, 0), 1);
    d.bodies[0].def.omega = vec(0, 0, w);
    d.fields.drag_angular = c;
    carom_sim *sim = sim_of(&d.scene);
    run_until(sim, t, -1);
    carom_sim_state s = carom_sim_body(sim, 0);
    double angle = -w / k * expm1(-k * t);
    assert_near(s.omega.z, w * exp(-k * t), 1e-11);
    assert_near(fabs(s.orientation.w * cos(angle / 2) + s.orientation.z * sin(angle / 2)), 1, 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A box in the air turns as it would without, while its centre obeys the linear law. */
static void test_box_in_air(void **state)
{
    (void)state;
    carom_quat turn[2];
    for (int k = 0; k < 2; k++) {
        carom_shape shape = {CAROM_SHAPE_BOX, {0.3, 0.2, 0.11}};
        carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
        carom_fields air = {.drag_linear = k * 0.4};
        b.def = carom_shape_body(&shape, mass);
        b.def.omega = vec(0.3, 4.1, 0.2);
        b.def.velocity = vec(3, 1, 2);
        b.fields = &air;
        carom_scene scene = scene_of(&b, 1, "newton", 1, 0);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 3.7, -1);
        turn[k] = carom_sim_body(sim, 0).orientation;
        if (k)
            assert_near(carom_sim_body(sim, 0).velocity.x, 3 * exp(-0.4 * 3.7 / mass), 1e-12);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
    assert_near(fabs(turn[0].w * turn[1].w + turn[0].x * turn[1].x + turn[0].y * turn[1].y + turn[0].z * turn[1].z), 1,
                1e-12);
}

/* Gravity of its own: an exact parabola. */
static void test_own_gravity(void **state)
{
    (void)state;
    drop d;
    make_drop(&d, vec(0, 0, 3 + radius), vec(0, 0, 0), 0.5);
    d.fields.own_gravity = true;
    d.fields.gravity = vec(0, 0, -1.62);
    carom_sim *sim = sim_of(&d.scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), 3 * sqrt(6 / 1.62), 1e-8);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* Two balls thrown at each other through the same air meet in the middle when each has come half of the way. */
static void test_balls_meet(void **state)
{
    (void)state;
    double v = 5.3, gap = 2.9, c = 0.17, tau = mass / c;
    carom_fields air = {.drag_linear = c};
    carom_scene_body bodies[2] = {ball(mass, radius, vec(0, 0, 0), vec(v, 0, 0)),
                                  ball(mass, radius, vec(2 * radius + gap, 0, 0), vec(-v, 0, 0))};
    carom_scene scene = scene_of(bodies, 2, "newton", 1, 0);
    scene.fields = &air;
    carom_sim *sim = sim_of(&scene);
    times x = {0, {0}};
    carom_sim_observer o = {NULL, note_time, &x};
    carom_sim_observe(sim, &o);
    run_until(sim, 5, -1);
    assert_int_equal(x.count, 1);
    assert_near(x.t[0], -tau * log1p(-0.5 * gap / (v * tau)), 1e-13);
    assert_near(carom_sim_body(sim, 0).velocity.x, -v * exp(-5 / tau), 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A rolling ball in air: 7/5 m v' = -c v. Without friction: m v' = -c v. */
static void test_rolls_in_air(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        drop d;
        double v = 2.3, c = 0.31, t = 1.9, inert = k ? 1.4 : 1;
        make_drop(&d, vec(0, 0, radius), vec(v, 0, 0), 0);
        d.scene.rule = carom_rule_default(carom_law_find("routh-stronge"));
        d.scene.rule.coeffs.e = 0;
        d.scene.rule.coeffs.mu = k ? 5 : 0;
        d.bodies[0].def.omega = vec(0, k * v / radius, 0);
        d.fields.drag_linear = c;
        carom_sim *sim = sim_of(&d.scene);
        run_until(sim, t, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        double rate = c / (inert * mass);
        assert_near(s.velocity.x, v * exp(-rate * t), 1e-11);
        assert_near(s.position.x, -v / rate * expm1(-rate * t), 1e-11);
        assert_near(carom_sim_energy(sim).sliding, 0, 1e-11);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A bar on a hinge at its end, in air at rest: I_0 w' = -c (L/2)^2 w - c_3 w. */
static void test_hinged_bar(void **state)
{
    (void)state;
    double L = 0.9, c = 0.37, c_3 = 0.011, w = 3.3, I_0, t = 2.1;
    carom_shape shape = {CAROM_SHAPE_BOX, {L, 0.05, 0.04}};
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    carom_fields air = {.drag_linear = c, .drag_angular = c_3};
    b.def = carom_shape_body(&shape, mass);
    b.def.position = vec(L / 2, 0, 0);
    b.def.velocity = vec(0, w * L / 2, 0);
    b.def.omega = vec(0, 0, w);
    b.fields = &air;
    carom_joint_def hinge = carom_joint_def_default();
    hinge.angular = 1;
    hinge.point_a = vec(-L / 2, 0, 0);
    hinge.axis_a = hinge.axis_b = vec(0, 0, 1);
    carom_scene scene = scene_of(&b, 1, "newton", 1, 0);
    scene.joints = &hinge;
    scene.joint_count = 1;
    carom_sim *sim = sim_of(&scene);
    run_until(sim, t, -1);
    I_0 = b.def.inertia.zz + mass * L * L / 4;
    assert_near(carom_sim_body(sim, 0).omega.z, w * exp(-(c * L * L / 4 + c_3) / I_0 * t), 1e-11);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A scene and its mirror image have mirrored answers, bit for bit. */
static void test_mirrored(void **state)
{
    (void)state;
    carom_sim_state s[2];
    for (int k = 0; k < 2; k++) {
        drop d;
        double sign = k ? -1 : 1;
        make_drop(&d, vec(sign * 0.3, 0.4, 2), vec(sign * 3.1, 1.2, 0.7), 0.8);
        d.scene.rule = carom_rule_default(carom_law_find("routh-stronge"));
        d.bodies[0].def.omega = vec(11, sign * 40, sign * -7);
        d.fields = (carom_fields){.drag_quadratic = 0.05, .magnus = 0.01, .wind = vec(sign * -2, 0.5, 0)};
        carom_sim *sim = sim_of(&d.scene);
        run_until(sim, 3, -1);
        s[k] = carom_sim_body(sim, 0);
        carom_sim_free(sim);
    }
    assert_true(s[0].position.x == -s[1].position.x && s[0].position.y == s[1].position.y);
    assert_true(s[0].position.z == s[1].position.z && s[0].velocity.x == -s[1].velocity.x);
    assert_true(s[0].omega.x == s[1].omega.x && s[0].omega.y == -s[1].omega.y);
}

/* Many balls in air within walls (a grid finds neighbours): none passes through another or a wall. */
enum { CROWD = 64 };
static void test_crowd(void **state)
{
    (void)state;
    carom_fields air = {.drag_quadratic = 0.02, .wind = vec(0.4, 0, 0)};
    carom_scene_body bodies[CROWD + 6];
    for (int k = 0; k < CROWD; k++) {
        carom_vec3 at = vec(0.15 + 0.25 * (k % 4), 0.15 + 0.25 * (k / 4 % 4), 0.15 + 0.25 * (k / 16));
        bodies[k] = ball(0.02, 0.03, at, vec(sin(3.1 * k), cos(5.3 * k), sin(1 + 7.7 * k)));
    }
    for (int k = 0; k < 6; k++) {
        double side = k % 2 ? -1 : 1;
        carom_vec3 n = vec(k / 2 == 0 ? side : 0, k / 2 == 1 ? side : 0, k / 2 == 2 ? side : 0);
        bodies[CROWD + k] = half_space(n, k % 2 ? -1.1 : 0);
    }
    carom_scene scene = scene_of(bodies, CROWD + 6, "newton", 0.95, 0);
    scene.gravity = vec(0, 0, -2);
    scene.fields = &air;
    carom_sim *sim = sim_of(&scene);
    for (int n = 1; n <= 8; n++) {
        run_until(sim, 0.125 * n, -1);
        for (int i = 0; i < CROWD; i++)
            for (int j = i + 1; j < CROWD + 6; j++)
                assert_true(carom_sim_distance(sim, i, j) > -1e-12);
    }
    assert_true(carom_sim_impacts(sim) > 100);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A particle has no size that lengths could be compared with. */
static void test_particle(void **state)
{
    (void)state;
    drop d;
    double c = 0.29, v_t = sqrt(mass * G / c), y = expm1(G * 2 / (v_t * v_t));
    make_drop(&d, vec(0, 0, 2), vec(0, 0, 0), 0.5);
    d.bodies[0].solid = (carom_solid){.kind = CAROM_SOLID_PARTICLE};
    d.fields.drag_quadratic = c;
    carom_sim *sim = sim_of(&d.scene);
    run_until(sim, INFINITY, 1);
    assert_near(carom_sim_time(sim), v_t / G * log1p(y + sqrt(y * (2 + y))), 1e-13);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    assert_balanced(sim);
    carom_sim_free(sim);
}

static void test_refusals(void **state)
{
    (void)state;
    drop d;
    carom_sim *sim;
    carom_sim_error error;
    make_drop(&d, vec(0, 0, 2), vec(0, 0, 0), 0.5);
    d.fields.drag_linear = -1;
    assert_int_equal(carom_sim_create(&d.scene, &heap_memory, &sim, &error), CAROM_STATUS_OUT_OF_RANGE);
    assert_int_equal(error.body, 0);
    d.fields.drag_linear = NAN;
    assert_int_equal(carom_sim_create(&d.scene, &heap_memory, &sim, &error), CAROM_STATUS_NOT_FINITE);
}

/* A snapshot in the middle of a flight goes on bit for bit. */
static void test_snapshot(void **state)
{
    (void)state;
    drop d;
    make_drop(&d, vec(0, 0, 2), vec(1, 0, 0), 0.8);
    d.fields.drag_quadratic = 0.1;
    carom_sim *sim = sim_of(&d.scene);
    run_until(sim, 0.5, -1);
    void *kept = malloc(carom_sim_snapshot_size(sim));
    carom_sim_save(sim, kept);
    run_until(sim, 2, -1);
    carom_sim_state first = carom_sim_body(sim, 0);
    assert_int_equal(carom_sim_restore(sim, kept), CAROM_STATUS_OK);
    run_until(sim, 2, -1);
    carom_sim_state second = carom_sim_body(sim, 0);
    assert_memory_equal(&first.position, &second.position, sizeof first.position);
    assert_memory_equal(&first.velocity, &second.velocity, sizeof first.velocity);
    free(kept);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_drag_in_wind),
        cmocka_unit_test(test_terminal_velocity),
        cmocka_unit_test(test_quadratic_bounces),
        cmocka_unit_test(test_bounces_end),
        cmocka_unit_test(test_magnus_circles),
        cmocka_unit_test(test_spin_fades),
        cmocka_unit_test(test_box_in_air),
        cmocka_unit_test(test_own_gravity),
        cmocka_unit_test(test_balls_meet),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_particle),
        cmocka_unit_test(test_rolls_in_air),
        cmocka_unit_test(test_hinged_bar),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
