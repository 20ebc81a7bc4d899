/* Paths of fixed bodies: places, velocities and accelerations are derivatives of each other, and bounds hold. */
#include "sim/motion/driven_path.h"

#include "sim/parts.h"

#define TURN 6.283185307179586

static carom_sim *driven_sim(carom_scene_body *body, const carom_drive *drive)
{
    *body = carom_scene_box(1, vec(0.3, 0.4, 0.5));
    body->def.fixed = true;
    body->def.position = vec(0.7, -0.2, 0.1);
    body->def.orientation = (carom_quat){0.5, -0.5, 0.5, 0.5};
    body->drive = drive;
    static carom_scene scene; /* outlives the simulation */
    scene = scene_of(body, 1, "newton", 1, 0);
    return sim_of(&scene);
}

static carom_vec3 minus(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_sub(a, b);
}

/* Differences over h of places, velocities and turns around t, which is no point of the path. */
static void check_rates(const driven *d, double t)
{
    const double h = 1e-5;
    carom_vec3 v = carom_vec3_scale(0.5 / h, minus(driven_position(d, t + h), driven_position(d, t - h)));
    carom_vec3 a = carom_vec3_scale(0.5 / h, minus(driven_velocity(d, t + h), driven_velocity(d, t - h)));
    carom_quat turn = quat_multiply(driven_turn(d, t + h), quat_conjugate(driven_turn(d, t - h)));
    carom_vec3 w = carom_vec3_scale((turn.w < 0 ? -1 : 1) / h, vec(turn.x, turn.y, turn.z));
    assert_near(carom_vec3_length(minus(v, driven_velocity(d, t))), 0, 1e-6);
    assert_near(carom_vec3_length(minus(a, driven_accel(d, t))), 0, 1e-5);
    assert_near(carom_vec3_length(minus(w, driven_omega(d, t))), 0, 1e-6);
    assert_near(quat_norm(driven_turn(d, t)), 1, 1e-15);
    assert_true(carom_vec3_length(driven_accel(d, t)) <= d->track.accel * (1 + 1e-12));
    assert_true(carom_vec3_dot(w, w) <= d->track.turn * (1 + 1e-4));
    assert_true(carom_vec3_length(minus(driven_position(d, t), d->home)) <= d->reach * (1 + 1e-12));
}

static void test_swing(void **state)
{
    (void)state;
    const carom_drive drive = {
        .amplitude = {0.3, -0.1, 0.2}, .frequency = 1.7, .phase = 0.4, .angle = 0.8, .axis = {0.36, 0.48, 0.8}};
    carom_scene_body body;
    carom_sim *sim = driven_sim(&body, &drive);
    const driven *d = driven_of(sim, 0);
    for (double t = 0; t < 30; t += 0.237) {
        double s = sin(TURN * 1.7 * t + 0.4);
        carom_vec3 x = carom_vec3_add(body.def.position, carom_vec3_scale(s, drive.amplitude));
        carom_quat q = quat_multiply(quat_about(drive.axis, 0.8 * s), body.def.orientation);
        carom_quat got = driven_turn(d, t);
        assert_near(carom_vec3_length(minus(driven_position(d, t), x)), 0, 4e-15 * (1 + t));
        assert_near(fabs(got.w * q.w + got.x * q.x + got.y * q.y + got.z * q.z), 1, 1e-15 * (1 + t));
        check_rates(d, t);
    }
    assert_true(driven_next(d, 3) == INFINITY && driven_turns(d));
    carom_sim_free(sim);
}

static const carom_waypoint points[] = {
    {0, {0.1, 0.2, 0.3}, {1, 0, -1}, 0.2, 0.5},
    {0.4, {0.7, 0.1, 0.3}, {0.5, 0.5, 0}, 1.1, -2},
    {1.1, {0.2, 0.9, -0.4}, {0, -0.3, 0.8}, 0.3, 0},
    {1.7, {0.1, 0.2, 0.3}, {1, 0, -1}, 0.2 - TURN, 0.5},
};

/* At each point the path is where it says, as fast as it says; after the last it moves on, or begins again. */
static void check_points(bool repeats)
{
    const carom_drive drive = {.point_count = 4, .points = points, .repeats = repeats, .axis = {0, 0.6, 0.8}};
    carom_scene_body body;
    carom_sim *sim = driven_sim(&body, &drive);
    const driven *d = driven_of(sim, 0);
    for (int k = 0; k < 4; k++) {
        assert_near(carom_vec3_length(minus(driven_position(d, points[k].time), points[k].position)), 0, 1e-15);
        assert_near(carom_vec3_length(minus(driven_velocity(d, points[k].time), points[k].velocity)), 0, 1e-14);
        assert_near(carom_vec3_dot(driven_omega(d, points[k].time), drive.axis), points[k].rate, 1e-14);
        if (k < 3)
            assert_near(driven_next(d, points[k].time), points[k + 1].time, 0);
    }
    for (double t = 0.0137; t < 6; t += 0.0937)
        if (repeats || t < 1.7)
            check_rates(d, t);
    carom_vec3 later = driven_position(d, 1.7 + 0.25), again = driven_position(d, 0.25);
    carom_vec3 on = carom_vec3_add(points[3].position, carom_vec3_scale(0.25, points[3].velocity));
    assert_near(carom_vec3_length(minus(later, repeats ? again : on)), 0, 4e-15);
    if (repeats)
        assert_near(driven_next(d, 1.8), 1.7 + 0.4, 1e-15);
    if (!repeats) {
        assert_true(driven_next(d, 1.8) == INFINITY);
        assert_true(carom_vec3_length(driven_accel(d, 2)) == 0);
        assert_true(d->reach == INFINITY);
    }
    carom_sim_free(sim);
}

static void test_points(void **state)
{
    (void)state;
    check_points(false);
    check_points(true);
}

static void test_refused(void **state)
{
    (void)state;
    const carom_waypoint backwards[2] = {points[1], points[0]}, open[2] = {points[0], {.time = 1}};
    const carom_drive bad[] = {
        {.frequency = -1},
        {.frequency = NAN},
        {.point_count = 1, .points = points},
        {.point_count = 2, .points = backwards},
        {.point_count = 2, .points = open, .repeats = true},
        {.amplitude = {1, 0, 0}, .frequency = 1e60},
    };
    const carom_status want[] = {CAROM_STATUS_OUT_OF_RANGE, CAROM_STATUS_NOT_FINITE,   CAROM_STATUS_BAD_SIZE,
                                 CAROM_STATUS_BAD_TIME,     CAROM_STATUS_OUT_OF_RANGE, CAROM_STATUS_OUT_OF_RANGE};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        carom_scene_body body = carom_scene_box(1, vec(1, 1, 1));
        carom_sim *sim;
        carom_sim_error error;
        body.def.fixed = true;
        body.drive = &bad[k];
        carom_scene scene = scene_of(&body, 1, "newton", 1, 0);
        assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, &error), want[k]);
        assert_true(!sim && error.body == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swing),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("driven_path", tests, NULL, NULL);
}
