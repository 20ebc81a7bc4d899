/* Balls that roll over edges, corners and round bodies, and leave them; boxes that overhang an edge. */
#include "sim/scenes.h"

/* What a ball did: when it first slid, left and struck the floor, and where it left. */
typedef struct journey {
    double slides, leaves, lands;
    int left;
    carom_vec3 place;
} journey;

static bool note_journey(void *context, const carom_sim_event *event)
{
    journey *j = context;
    if (event->kind == CAROM_SIM_EVENT_SLIDE)
        j->slides = event->time;
    if (event->kind == CAROM_SIM_EVENT_LEAVE) {
        j->left++;
        j->leaves = event->time;
        j->place = event->contacts[0].def_a.position;
    }
    if (event->kind == CAROM_SIM_EVENT_IMPACT)
        j->lands = event->time;
    return true;
}

/* Until the first impact. */
static journey travel(carom_scene *scene)
{
    journey j = {0};
    carom_sim *sim = sim_of(scene);
    carom_sim_observer o = {NULL, note_journey, &j};
    carom_sim_observe(sim, &o);
    run_until(sim, 10, 1);
    assert_near(carom_sim_energy(sim).residual, 0, 1e-12);
    carom_sim_free(sim);
    return j;
}

static carom_scene_body fixed_shape(carom_shape shape, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    b.def = carom_body_def_default();
    b.def.fixed = true;
    b.def.position = position;
    return b;
}

/* A ball of radius 0.1 rolls at 0.3 m/s from a table 1 m high. It turns about the edge, slips when friction no longer
 * holds it, and leaves when nothing presses. References: theta'' = 5/7 g/R sin theta while it rolls; with E = theta'^2,
 * dE/dtheta = 2 (g/R)(sin theta - mu cos theta) + 2 mu E while it slips, which has a closed form; time by quadrature
 * with 30 digits. */
static void test_ball_rolls_off_a_table(void **state)
{
    (void)state;
    static const double mu[2] = {0.5, INFINITY};
    static const journey expected[2] = {
        {.slides = 0.501423210579768017, .leaves = 0.528097369457093949, .lands = 0.913766570417156139},
        {.leaves = 0.531086115527402242, .lands = 0.916150320704588866}};
    for (int k = 0; k < 2; k++) {
        carom_scene_body bodies[3] = {ball(1, 0.1, vec(-0.1, 0, 0.1), vec(0.3, 0, 0)),
                                      fixed_shape((carom_shape){CAROM_SHAPE_BOX, {2, 2, 0.2}}, vec(-1, 0, -0.1)),
                                      half_space(vec(0, 0, 1), -1)};
        bodies[0].def.omega = vec(0, 3, 0);
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.5, mu[k]);
        scene.gravity = vec(0, 0, -9.81);
        journey j = travel(&scene);
        assert_int_equal(j.left, 1);
        assert_near(j.slides, expected[k].slides, 1e-11);
        assert_near(j.leaves, expected[k].leaves, 1e-11);
        assert_near(j.lands, expected[k].lands, 1e-11);
    }
}

/* From rest at the angle start, a ball leaves a fixed round body at cos = 2 cos(start) / (3 + k), k = 2/5 when it rolls
 * and 0 when it slides: 10/17 and 2/3 from the top. */
static void test_ball_leaves_a_round_body(void **state)
{
    (void)state;
    static const carom_shape shapes[3] = {
        {CAROM_SHAPE_SPHERE, {0.3, 0, 0}}, {CAROM_SHAPE_CYLINDER, {0.3, 2, 0}}, {CAROM_SHAPE_CAPSULE, {0.3, 2, 0}}};
    static const double mu[2] = {INFINITY, 0}, k[2] = {0.4, 0}, start = 0.2, R = 0.4;
    for (int i = 0; i < 6; i++) {
        carom_scene_body bodies[3] = {ball(1, 0.1, vec(R * sin(start), 0, R * cos(start)), vec(0, 0, 0)),
                                      fixed_shape(shapes[i / 2], vec(0, 0, 0)), half_space(vec(0, 0, 1), -3)};
        bodies[1].def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0};
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.5, mu[i % 2]);
        scene.gravity = vec(0, 0, -9.81);
        journey j = travel(&scene);
        assert_near(j.place.z / R, 2 * cos(start) / (3 + k[i % 2]), 1e-10);
        assert_near(hypot(j.place.x, j.place.z), R, 1e-13);
    }
}

/* A ball starts from rest above the corner of a box, in space: it turns about the corner as a pendulum upside down, in
 * the plane in which it began. */
static void test_ball_leaves_a_corner(void **state)
{
    (void)state;
    double start = 0.2, r = 0.1, way = 0.5;
    carom_vec3 out = vec(sin(start) * cos(way), sin(start) * sin(way), cos(start));
    carom_scene_body bodies[3] = {ball(1, r, vec(0.5 + r * out.x, 0.5 + r * out.y, 0.5 + r * out.z), vec(0, 0, 0)),
                                  fixed_shape((carom_shape){CAROM_SHAPE_BOX, {1, 1, 1}}, vec(0, 0, 0)),
                                  half_space(vec(0, 0, 1), -3)};
    carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.5, INFINITY);
    scene.gravity = vec(0, 0, -9.81);
    journey j = travel(&scene);
    assert_int_equal(j.left, 1);
    assert_near((j.place.z - 0.5) / r, 10.0 / 17 * cos(start), 1e-10);
    assert_near(atan2(j.place.y - 0.5, j.place.x - 0.5), way, 1e-12);
}

/* A box slides over the edge of a table and stops with its middle still above it: it stays. Its contacts with the edge
 * are stepped, which is of first order in the step of 1 ms. */
static void test_box_overhangs(void **state)
{
    (void)state;
    static const double start[5] = {0.38, 0.41, 0.45, 0.45, 0.47}, speed[5] = {0.6, 0.5, 0.1, 0.3, 0.2};
    for (int k = 0; k < 5; k++) {
        const carom_shape cube = {CAROM_SHAPE_BOX, {0.2, 0.2, 0.2}};
        carom_scene_body box = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = cube}};
        box.def = carom_shape_body(&cube, 1);
        box.def.position = vec(start[k], 0, 0.1);
        box.def.velocity = vec(speed[k], 0, 0);
        carom_scene_body bodies[3] = {box, fixed_shape((carom_shape){CAROM_SHAPE_BOX, {1, 1, 0.1}}, vec(0, 0, -0.05)),
                                      half_space(vec(0, 0, 1), -1)};
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.3, 0.2);
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 5, -1), CAROM_SIM_STOP_REST);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.x, start[k] + speed[k] * speed[k] / (2 * 0.2 * 9.81), 1e-3 * speed[k]);
        assert_near(s.position.z, 0.1, 1e-9);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_rolls_off_a_table),
        cmocka_unit_test(test_ball_leaves_a_round_body),
        cmocka_unit_test(test_ball_leaves_a_corner),
        cmocka_unit_test(test_box_overhangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
