/* Closed contacts: blocks that rock and come to rest, a rattleback, balls in corners and on slopes. */
#include "sim/scenes.h"

static carom_scene_body solid(carom_shape shape, double mass, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    b.def = carom_shape_body(&shape, mass);
    b.def.position = position;
    return b;
}

static carom_quat about_y(double angle)
{
    carom_quat q = {cos(angle / 2), 0, sin(angle / 2), 0};
    return q;
}

typedef struct first_impact {
    int impacts;
    double before, after;
} first_impact;

static bool note_first(void *context, const carom_sim_event *event)
{
    first_impact *f = context;
    if (event->kind != CAROM_SIM_EVENT_IMPACT || f->impacts++)
        return true;
    f->before = event->contacts[0].def_a.omega.y;
    f->after = event->contacts[0].after_a.omega.y;
    return true;
}

/* A block (half-width b, half-height h) rocks about one edge; when the other lands without bounce, the rate falls to
 * 1 - 1.5 sin^2 alpha of itself. In space, two corners stand at a time. */
static void test_rocking_block(void **state)
{
    (void)state;
    static const double ratio[3] = {0.5, 0.25, 1.0 / 6}, expected[3] = {0.7, 0.911764705882353, 0.959459459459459};
    for (int k = 0; k < 3; k++) {
        double b = ratio[k], h = 1, tilt = 0.1, diagonal = sqrt(b * b + h * h), alpha = atan(b / h);
        /* it stands on the edge at the origin, turned by -tilt about y: the centre is up and to the left of it */
        carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {2 * b, 0.8, 2 * h}}, 1.3,
                                            vec(-diagonal * sin(alpha - tilt), 0, diagonal * cos(alpha - tilt))),
                                      half_space(vec(0, 0, 1), 0)};
        bodies[0].def.orientation = about_y(tilt);
        carom_scene scene = scene_of(bodies, 2, "routh-newton", 0, 5);
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        first_impact f = {0, 0, 0};
        carom_sim_observer o = {NULL, note_first, &f};
        carom_sim_observe(sim, &o);
        run_until(sim, 3, 1);
        assert_int_equal(f.impacts, 1);
        assert_near(f.after / f.before, expected[k], 1e-12);
        /* it fell from the tilt: energy gives the rate at the impact */
        double I = 4.0 / 3 * (b * b + h * h), fall = diagonal * (cos(alpha - tilt) - cos(alpha));
        assert_near(f.before, -sqrt(2 * 9.81 * fall / I), 1e-11);
        carom_sim_free(sim);
    }
}

/* It rocks to rest on its base. */
static void test_block_comes_to_rest(void **state)
{
    (void)state;
    double b = 0.5, h = 1, tilt = 0.1, diagonal = sqrt(b * b + h * h), alpha = atan(b / h);
    carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {2 * b, 0.8, 2 * h}}, 1.3,
                                        vec(-diagonal * sin(alpha - tilt), 0, diagonal * cos(alpha - tilt))),
                                  half_space(vec(0, 0, 1), 0)};
    bodies[0].def.orientation = about_y(tilt);
    carom_scene scene = scene_of(bodies, 2, "routh-newton", 0, 5);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 60, -1), CAROM_SIM_STOP_REST);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_near(s.position.z, h, 1e-10);
    assert_near(fabs(s.orientation.w), 1, 1e-12);
    assert_near(carom_sim_energy(sim).residual, 0, 1e-12);
    carom_sim_free(sim);
}

/* A box dropped flat bounces on four corners at once, stays level, and rests. */
static void test_box_on_its_face(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {0.5, 0.3, 0.7}}, 1, vec(0, 0, 1.35)),
                                  half_space(vec(0, 0, 1), 0)};
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.3);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 10, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), 1.354570922957193, 1e-9);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_near(s.position.z, 0.35, 1e-14);
    assert_near(s.orientation.w, 1, 1e-15);
    carom_sim_free(sim);
}

/* A box slides along a floor and stops after v / (mu g), having moved v^2 / (2 mu g). */
static void test_box_slides(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {0.5, 0.3, 0.1}}, 1, vec(0, 0, 0.05)),
                                  half_space(vec(0, 0, 1), 0)};
    bodies[0].def.velocity = vec(1.3, 0, 0);
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.3);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 10, -1), CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), 1.3 / (0.3 * 9.81), 1e-10);
    assert_near(carom_sim_body(sim, 0).position.x, 1.3 * 1.3 / (2 * 0.3 * 9.81), 1e-10);
    assert_near(carom_sim_energy(sim).sliding, -0.5 * 1.3 * 1.3, 1e-10);
    carom_sim_free(sim);
}

static carom_scene_body block_on_slope(double angle, carom_vec3 size)
{
    carom_vec3 n = vec(sin(angle), 0, cos(angle));
    carom_scene_body b =
        solid((carom_shape){CAROM_SHAPE_BOX, {size.x, size.y, size.z}}, 1, carom_vec3_scale(size.z / 2, n));
    b.def.orientation = about_y(angle);
    return b;
}

/* A block on a slope slides from rest with g (sin - mu cos) when mu is below the tangent of the slope, and stays where
 * it is when mu is above; four corners carry it. */
static void test_block_on_slope(void **state)
{
    (void)state;
    const double angle = 0.43, g = 9.81, below = 0.8 * tan(angle), time = 0.9;
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[2] = {block_on_slope(angle, vec(0.31, 0.23, 0.17)),
                                      half_space(vec(sin(angle), 0, cos(angle)), 0)};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, k ? 1.01 * tan(angle) : below);
        scene.gravity = vec(0, 0, -g);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, time, -1), k ? CAROM_SIM_STOP_REST : CAROM_SIM_STOP_TIME);
        carom_vec3 moved = carom_vec3_sub(carom_sim_body(sim, 0).position, bodies[0].def.position);
        double way = k ? 0 : 0.5 * g * (sin(angle) - below * cos(angle)) * time * time;
        assert_near(carom_vec3_dot(moved, vec(cos(angle), 0, -sin(angle))), way, 1e-12);
        assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-13);
        carom_sim_free(sim);
    }
}

/* Two blocks on each other slide down together, in steps; slow at first, they do not fall asleep. */
static void test_pair_on_slope(void **state)
{
    (void)state;
    const double angle = 0.3, g = 9.81, mu = 0.8 * tan(angle);
    carom_scene_body bodies[3] = {block_on_slope(angle, vec(0.3, 0.25, 0.1)),
                                  block_on_slope(angle, vec(0.3, 0.25, 0.12)),
                                  half_space(vec(sin(angle), 0, cos(angle)), 0)};
    bodies[1].def.position = carom_vec3_scale(0.16, vec(sin(angle), 0, cos(angle)));
    carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.3, mu);
    scene.gravity = vec(0, 0, -g);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, 1, -1), CAROM_SIM_STOP_TIME);
    for (int k = 0; k < 2; k++) {
        carom_vec3 moved = carom_vec3_sub(carom_sim_body(sim, k).position, bodies[k].def.position);
        double way = 0.5 * g * (sin(angle) - mu * cos(angle));
        assert_near(carom_vec3_dot(moved, vec(cos(angle), 0, -sin(angle))), way, 2e-5 * way);
    }
    carom_sim_free(sim);
}

/* A box that slides and spins flat on the floor does not lift, loses energy all the time, and its slip and spin end at
 * the same instant. */
static void test_box_slides_and_spins(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {0.5, 0.3, 0.1}}, 1, vec(0, 0, 0.05)),
                                  half_space(vec(0, 0, 1), 0)};
    bodies[0].def.velocity = vec(1.3, 0.2, 0);
    bodies[0].def.omega = vec(0, 0, 4);
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.3);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    double energy = carom_sim_energy(sim).before;
    carom_sim_stop stop = CAROM_SIM_STOP_TIME;
    for (int k = 1; stop != CAROM_SIM_STOP_REST; k++) {
        carom_sim_state before = carom_sim_body(sim, 0);
        stop = run_until(sim, 1e-3 * k, -1);
        assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-13);
        assert_true(carom_sim_energy(sim).after <= energy);
        energy = carom_sim_energy(sim).after;
        if (stop == CAROM_SIM_STOP_REST) /* at most what friction takes in a step */
            assert_true(carom_vec3_length(before.velocity) < 4e-3 && fabs(before.omega.z) < 4e-2);
        assert_true(k < 1000);
    }
    assert_near(carom_sim_energy(sim).residual, 0, 1e-13);
    carom_sim_free(sim);
}

/* A slide that spins is over when friction would end it within the resting time: it stops by no more than that time
 * over mu sooner, not further from its place than it would slide then, and the energy it had left is booked. */
static void test_slide_is_over(void **state)
{
    (void)state;
    const double resting[2] = {1e-9, 1e-5}, g = 9.81, mu = 0.3;
    carom_sim_state end[2];
    double time[2];
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[2] = {solid((carom_shape){CAROM_SHAPE_BOX, {0.5, 0.3, 0.1}}, 1, vec(0, 0, 0.05)),
                                      half_space(vec(0, 0, 1), 0)};
        bodies[0].def.velocity = vec(1.3, 0.2, 0);
        bodies[0].def.omega = vec(0, 0, 4);
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, mu);
        scene.gravity = vec(0, 0, -g);
        scene.resting_time = resting[k];
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 10, -1), CAROM_SIM_STOP_REST);
        end[k] = carom_sim_body(sim, 0);
        time[k] = carom_sim_time(sim);
        carom_sim_ledger energy = carom_sim_energy(sim);
        assert_near(energy.residual, 0, 1e-13);
        assert_true(energy.rest <= 0 && energy.rest > -g * g * resting[k] * resting[k]);
        carom_sim_free(sim);
    }
    double sooner = time[0] - time[1], nearer = carom_vec3_length(carom_vec3_sub(end[0].position, end[1].position));
    assert_true(sooner > 1e-8 && sooner < 2 * resting[1] / mu);
    assert_true(nearer > 0 && nearer < g * resting[1] * resting[1] / mu);
}

/* Slip across the slope turns: the ball is followed by the integrator, and rolls in the end; energy by friction equals
 * the change of kinetic and potential energy, and the motion of the slip obeys u' = g_t - mu g_n k u/|u|. */
static void test_ball_slides_across_slope(void **state)
{
    (void)state;
    double angle = 0.3, g = 9.81, mu = 0.35, h = 1e-4;
    carom_vec3 n = vec(-sin(angle), 0, cos(angle)), down = vec(-cos(angle), 0, -sin(angle));
    carom_scene_body bodies[2] = {ball(0.17, 0.03, carom_vec3_scale(0.03, n), vec(0, 1.5, 0)), half_space(n, 0)};
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, mu);
    scene.gravity = vec(0, 0, -g);
    carom_sim *sim = sim_of(&scene);
    /* the slip by itself, with a fourth-order step of its own: (down, across) */
    double u[2] = {0, 1.5}, t = 0, T = 0.1;
    for (; t < T - h / 2; t += h) {
        double k[4][2], y[2];
        for (int s = 0; s < 4; s++) {
            double w = s == 0 ? 0 : s == 3 ? h : h / 2;
            for (int i = 0; i < 2; i++)
                y[i] = u[i] + (s ? w * k[s - 1][i] : 0);
            double size = hypot(y[0], y[1]);
            k[s][0] = g * sin(angle) - 3.5 * mu * g * cos(angle) * y[0] / size;
            k[s][1] = -3.5 * mu * g * cos(angle) * y[1] / size;
        }
        for (int i = 0; i < 2; i++)
            u[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    run_until(sim, T, -1);
    carom_sim_state s = carom_sim_body(sim, 0);
    carom_vec3 slip = carom_vec3_add(s.velocity, carom_vec3_cross(s.omega, carom_vec3_scale(-0.03, n)));
    assert_near(carom_vec3_dot(slip, down), u[0], 1e-9);
    assert_near(slip.y, u[1], 1e-9);
    run_until(sim, 2, -1);
    s = carom_sim_body(sim, 0);
    slip = carom_vec3_add(s.velocity, carom_vec3_cross(s.omega, carom_vec3_scale(-0.03, n)));
    assert_near(carom_vec3_length(slip), 0, 1e-10);
    carom_sim_free(sim);
}

static carom_vec3 rotated(carom_quat q, carom_vec3 v)
{
    carom_vec3 u = vec(q.x, q.y, q.z), t = carom_vec3_scale(2, carom_vec3_cross(u, v));
    return carom_vec3_add(carom_vec3_add(v, carom_vec3_scale(q.w, t)), carom_vec3_cross(u, t));
}

/* The rotation that carries the unit vector from to z. */
static carom_quat onto_z(carom_vec3 from)
{
    carom_vec3 axis = carom_vec3_cross(from, vec(0, 0, 1));
    carom_quat q = {1 + from.z, axis.x, axis.y, axis.z};
    double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w /= norm, q.x /= norm, q.y /= norm, q.z /= norm;
    return q;
}

/* Kane and Levinson's rattleback, rolling without loss: an ellipsoid whose centre lies 0.01 m above the centre of mass.
 * The second part of the compound, small and heavy, puts it there. The spin begins at -5 along the axis of
 * the body; its vertical part first changes its sign at 2.68464 s. */
static void test_rattleback(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846, s = sin(0.5 * pi / 180), c = cos(0.5 * pi / 180), h = 0.01;
    carom_part parts[2] = {{.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_ELLIPSOID, {0.2, 0.03, 0.02}}},
                            .position = {0, 0, h},
                            .orientation = {1, 0, 0, 0},
                            .density = 1e-12},
                           {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.001, 0, 0}}},
                            .orientation = {1, 0, 0, 0},
                            .density = 1e9}};
    carom_vec3 up = vec(-s, s * c, c * c);
    carom_scene_body bodies[2] = {{.solid = {.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = 2}},
                                  half_space(vec(0, 0, 1), 0)};
    double reach = sqrt(0.04 * up.x * up.x + 0.0009 * up.y * up.y + 0.0004 * up.z * up.z);
    bodies[0].def = carom_body_def_default();
    bodies[0].def.inertia = (carom_sym3){2e-4, -2e-5, 0, 1.6e-3, 0, 1.7e-3};
    bodies[0].def.orientation = onto_z(up);
    bodies[0].def.position = vec(0, 0, reach - h * up.z);
    bodies[0].def.omega = rotated(bodies[0].def.orientation, vec(0, 0, -5)); /* along the axis of the body */
    /* the contact point in the axes of the world, from the centre of mass: the body does not slip there */
    carom_vec3 r = vec(-0.04 * up.x / reach, -0.0009 * up.y / reach, h - 0.0004 * up.z / reach);
    r = rotated(bodies[0].def.orientation, r);
    bodies[0].def.velocity = carom_vec3_scale(-1, carom_vec3_cross(bodies[0].def.omega, r));
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 1e6);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    double last = -5, reversal = 0;
    for (int k = 0; k <= 10000 && reversal == 0; k++) {
        double time = 2.6 + 1e-5 * k;
        run_until(sim, time, -1);
        double spin = carom_sim_body(sim, 0).omega.z;
        if (spin > 0)
            reversal = time - 1e-5 * spin / (spin - last);
        last = spin;
    }
    assert_near(reversal, 2.68464, 5e-5);
    assert_near(carom_sim_energy(sim).sliding, 0, 1e-10); /* nothing is lost */
    carom_sim_free(sim);
}

/* Free asymmetric top: after its period the angular velocity in body axes is back. */
static void test_asymmetric_top(void **state)
{
    (void)state;
    carom_scene_body b = ball(1, 0.1, vec(0, 0, 0), vec(0, 0, 0));
    b.def.inertia = (carom_sym3){1, 0, 0, 2, 0, 3};
    b.def.omega = vec(0.01, 1, 0.01);
    carom_scene scene = scene_of(&b, 1, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    const double period = 39.10573419728771;
    for (int k = 1; k <= 100; k += 33) {
        run_until(sim, k * period, -1);
        carom_sim_state at = carom_sim_body(sim, 0);
        carom_quat q = at.orientation;
        carom_vec3 u = {-q.x, -q.y, -q.z}, cross = carom_vec3_scale(2, carom_vec3_cross(u, at.omega));
        carom_vec3 w =
            carom_vec3_add(carom_vec3_add(at.omega, carom_vec3_scale(q.w, cross)), carom_vec3_cross(u, cross));
        assert_near(w.x, 0.01, 1e-10);
        assert_near(w.y, 1, 1e-10);
        assert_near(w.z, 0.01, 1e-10);
    }
    assert_near(carom_sim_energy(sim).residual, 0, 1e-12);
    carom_sim_free(sim);
}

static bool count_contacts(void *context, const carom_sim_event *event)
{
    if (event->kind == CAROM_SIM_EVENT_IMPACT)
        *(int *)context = event->count;
    return true;
}

/* A row of boxes that touch without pressing each other takes part in the impact of the one that hits the first. */
static void test_row_takes_part(void **state)
{
    (void)state;
    const carom_shape cube = {CAROM_SHAPE_BOX, {1, 1, 1}};
    carom_scene_body bodies[4];
    int contacts = 0;
    for (int k = 0; k < 4; k++) {
        bodies[k] = (carom_scene_body){.solid = {.kind = CAROM_SOLID_SHAPE, .shape = cube}};
        bodies[k].def = carom_shape_body(&cube, 1);
        bodies[k].def.position = vec(k ? k : -1, 0, 0);
    }
    bodies[0].def.velocity = vec(1, 0, 0);
    carom_scene scene = scene_of(bodies, 4, "newton", 0.5, 0);
    carom_sim *sim = sim_of(&scene);
    carom_sim_observer o = {NULL, count_contacts, &contacts};
    carom_sim_observe(sim, &o);
    run_until(sim, 3, 1);
    assert_int_equal(contacts, 12); /* four corners of three faces */
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rocking_block),
                                       cmocka_unit_test(test_block_comes_to_rest),
                                       cmocka_unit_test(test_box_on_its_face),
                                       cmocka_unit_test(test_box_slides),
                                       cmocka_unit_test(test_block_on_slope),
                                       cmocka_unit_test(test_pair_on_slope),
                                       cmocka_unit_test(test_box_slides_and_spins),
                                       cmocka_unit_test(test_slide_is_over),
                                       cmocka_unit_test(test_ball_slides_across_slope),
                                       cmocka_unit_test(test_asymmetric_top),
                                       cmocka_unit_test(test_row_takes_part),
                                       cmocka_unit_test(test_rattleback)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
