/* Balls, cylinders and capsules that roll over edges, corners and round bodies, and leave them; boxes that overhang an
 * edge. */
#include "core/vectors.h"
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
    run_until(sim, 2, 1);
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

/* A ball, a cylinder or a capsule of this radius, which lies along y, and k of its moment about y, k m r^2. */
enum { ROLLING = 3 };
static carom_scene_body rolling(int kind, carom_vec3 position, double speed)
{
    static const carom_shape shapes[ROLLING] = {
        {CAROM_SHAPE_SPHERE, {0.1}}, {CAROM_SHAPE_CYLINDER, {0.1, 0.3}}, {CAROM_SHAPE_CAPSULE, {0.1, 0.3}}};
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shapes[kind]}};
    b.def = carom_shape_body(&shapes[kind], 1);
    b.def.position = position;
    b.def.velocity = vec(speed, 0, 0);
    b.def.omega = vec(0, speed / 0.1, 0);
    if (kind)
        b.def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    return b;
}

/* A body of radius 0.1 rolls at 0.3 m/s from a table 1 m high. It turns about the edge, slips when friction no longer
 * holds it, and leaves when nothing presses. References: theta'' = g/R sin theta / (1 + k) while it rolls; with
 * E = theta'^2, dE/dtheta = 2 (g/R)(sin theta - mu cos theta) + 2 mu E while it slips, which has a closed form; time by
 * quadrature with 30 digits. */
static void test_bodies_roll_off_a_table(void **state)
{
    (void)state;
    static const struct {
        int kind;
        double mu;
        journey j;
    } cases[] = {
        {0, 0.5, {.slides = 0.501423210579768017, .leaves = 0.528097369457093949, .lands = 0.913766570417156139}},
        {0, INFINITY, {.leaves = 0.531086115527402242, .lands = 0.916150320704588866}},
        {1, 0.2, {.slides = 0.455902568872022214, .leaves = 0.526804107067478883, .lands = 0.912983701605498715}},
        {1, 0.5, {.slides = 0.500344768575283159, .leaves = 0.532253843478325153, .lands = 0.917595522079623124}},
        {1, INFINITY, {.leaves = 0.536576098157658416}}, /* no floor: impacts of lines need a finite one */
        {2, 0.2, {.slides = 0.457949642260480674, .leaves = 0.526049246702847694, .lands = 0.912273330229040021}},
        {2, 0.5, {.slides = 0.500673138142840586, .leaves = 0.531021871359930233, .lands = 0.916456659405651071}},
        {2, INFINITY, {.leaves = 0.534918496528223403}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_scene_body bodies[3] = {rolling(cases[k].kind, vec(-0.1, 0, 0.1), 0.3),
                                      fixed_shape((carom_shape){CAROM_SHAPE_BOX, {2, 2, 0.2}}, vec(-1, 0, -0.1)),
                                      half_space(vec(0, 0, 1), -1)};
        carom_scene scene = scene_of(bodies, cases[k].j.lands > 0 ? 3 : 2, "routh-stronge", 0.5, cases[k].mu);
        scene.gravity = vec(0, 0, -9.81);
        journey j = travel(&scene);
        assert_int_equal(j.left, 1);
        assert_near(j.slides, cases[k].j.slides, 1e-11);
        assert_near(j.leaves, cases[k].j.leaves, 1e-11);
        assert_near(j.lands, cases[k].j.lands, 1e-11);
    }
}

/* Over a ridge from a level face to a slope of 0.1: round its edge as above, then with g sin / (1 + k). */
static void test_bodies_roll_over_a_ridge(void **state)
{
    (void)state;
    static const double way[ROLLING] = {0.20089836785678537, 0.196169830482672519, 0.197556179239119265},
                        speed[ROLLING] = {0.614879672425699712, 0.593883198643838788, 0.600039167699287673}, tilt = 0.1;
    for (int kind = 0; kind < ROLLING; kind++) {
        carom_vec3 points[10];
        const double x[5] = {-2, 0, 2, 2, -2}, z[5] = {0, 0, -2 * tan(tilt), -1, -1};
        for (int k = 0; k < 10; k++)
            points[k] = vec(x[k / 2], k % 2 ? 1 : -1, z[k / 2]);
        carom_scene_body ridge = {.solid = {.kind = CAROM_SOLID_HULL, .points = points, .point_count = 10}};
        ridge.def = carom_body_def_default();
        assert_int_equal(carom_solid_body(&ridge.solid, 3, 1, &ridge.def, &ridge.def.position), CAROM_STATUS_OK);
        ridge.def.fixed = true;
        carom_scene_body bodies[2] = {rolling(kind, vec(-0.1, 0, 0.1), 0.3), ridge};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 1);
        scene.gravity = vec(0, 0, -9.81);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.8, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_int_equal(s.road, CAROM_SIM_ROAD_EXACT);
        assert_near(s.position.x, way[kind] * cos(tilt) + 0.1 * sin(tilt), 1e-11);
        assert_near(s.position.z, -way[kind] * sin(tilt) + 0.1 * cos(tilt), 1e-11);
        assert_near(carom_vec3_length(s.velocity), speed[kind], 1e-11);
        carom_sim_free(sim);
    }
}

static carom_vec3 about_z(double yaw, carom_vec3 v)
{
    return vec(v.x * cos(yaw) - v.y * sin(yaw), v.x * sin(yaw) + v.y * cos(yaw), v.z);
}

/* A cylinder rolls off a table askew: one rim comes over the edge, then its side crosses the edge, and when its middle
 * has passed that it tips. Reference: rolling on one point of an edge, integrated outside (Runge-Kutta, the rate of the
 * arm by complex steps) to 1e-13. */
static void test_cylinder_rolls_off_askew(void **state)
{
    (void)state;
    const double yaw = 0.3, r = 0.1, speed = 0.3, tips = 1 / cos(yaw);
    carom_scene_body bodies[2] = {rolling(1, vec(-0.3, 0, r), speed),
                                  fixed_shape((carom_shape){CAROM_SHAPE_BOX, {2, 2, 0.2}}, vec(-1, 0, -0.1))};
    carom_body_def *d = &bodies[0].def;
    d->orientation = (carom_quat){cos(yaw / 2) * sqrt(0.5), cos(yaw / 2) * sqrt(0.5), sin(yaw / 2) * sqrt(0.5),
                                  sin(yaw / 2) * sqrt(0.5)};
    d->velocity = about_z(yaw, d->velocity);
    d->omega = about_z(yaw, d->omega);
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.5);
    scene.gravity = vec(0, 0, -9.81);
    journey j = {0};
    carom_sim *sim = sim_of(&scene);
    carom_sim_observer o = {NULL, note_journey, &j};
    carom_sim_observe(sim, &o);
    run_until(sim, 1, -1);
    assert_near(j.leaves, (0.3 - 0.15 * sin(yaw)) / (speed * cos(yaw)), 1e-11);
    run_until(sim, 1.2, -1);
    assert_int_equal(j.left, 2);
    assert_near(j.leaves, tips, 1e-11);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_int_equal(s.road, CAROM_SIM_ROAD_EXACT);
    assert_near(vec_distance(s.position, vec(0.0514491561547765, 0.0933968836464671, 0.0857808404071662)), 0, 1e-11);
    assert_near(vec_distance(s.velocity, vec(0.42978911065222, -0.06512888061186, -0.26302627963117)), 0, 1e-11);
    assert_near(vec_distance(s.omega, vec(0.91267805364064, 4.98969588698715, 0.25581391094225)), 0, 1e-11);
    carom_sim_free(sim);
}

/* From rest at the angle start, a body leaves a fixed round one, or an edge, at cos = 2 cos(start) / (3 + k) when it
 * rolls, and with k = 0 when it slides: 10/17, 4/7 and 2/3 from the top, of balls and cylinders. */
static void test_bodies_leave_round_ones(void **state)
{
    (void)state;
    static const carom_shape shapes[4] = {{CAROM_SHAPE_SPHERE, {0.3, 0, 0}},
                                          {CAROM_SHAPE_CYLINDER, {0.3, 2, 0}},
                                          {CAROM_SHAPE_CAPSULE, {0.3, 2, 0}},
                                          {CAROM_SHAPE_BOX, {1, 2, 1}}};
    static const double start = 0.2, m_c = 0.003, m_s = 0.004 / 3; /* parts of a capsule */
    const double k[ROLLING] = {0.4, 0.5, (0.5 * m_c + 0.4 * m_s) / (m_c + m_s)};
    for (int i = 0; i < 24; i++) {
        int kind = i / 2 % ROLLING, under = i / 6;
        double R = under == 3 ? 0.1 : 0.4, edge = under == 3 ? 0.5 : 0;
        if (kind && !under) /* a line on a ball */
            continue;
        carom_scene_body bodies[2] = {rolling(kind, vec(edge + R * sin(start), 0, edge + R * cos(start)), 0),
                                      fixed_shape(shapes[under], vec(0, 0, 0))};
        if (under < 3)
            bodies[1].def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, i % 2 ? 0 : INFINITY);
        scene.gravity = vec(0, 0, -9.81);
        journey j = travel(&scene);
        assert_int_equal(j.left, 1);
        assert_near((j.place.z - edge) / R, 2 * cos(start) / (3 + (i % 2 ? 0 : k[kind])), 1e-10);
        assert_near(hypot(j.place.x - edge, j.place.z - edge), R, 1e-13);
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

/* Boxes that slide off a table askew: their corners and edges pass over its edge one after the other, and no step is
 * made until they hit the floor. A mirrored run is the mirror of the run. */
static void test_box_slides_off_askew(void **state)
{
    (void)state;
    for (int k = 1; k < 12; k++) {
        const carom_shape shape = {CAROM_SHAPE_BOX, {0.3, 0.12 + 0.01 * k, 0.1}};
        carom_sim_state s[2];
        for (int side = 0; side < 2; side++) {
            double yaw = (side ? -1 : 1) * (0.1 + 0.06 * k);
            carom_scene_body box = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
            box.def = carom_shape_body(&shape, 1);
            box.def.position = vec(0.2, 0, 0.05);
            box.def.velocity = vec(1.3 + 0.05 * k, side ? -0.1 : 0.1, 0);
            box.def.orientation = (carom_quat){cos(yaw / 2), 0, 0, sin(yaw / 2)};
            carom_scene_body bodies[2] = {box,
                                          fixed_shape((carom_shape){CAROM_SHAPE_BOX, {1, 1, 0.1}}, vec(0, 0, -0.05))};
            carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.15);
            scene.gravity = vec(0, 0, -9.81);
            carom_sim *sim = sim_of(&scene);
            run_until(sim, 0.6, -1);
            s[side] = carom_sim_body(sim, 0);
            assert_int_equal(s[side].road, CAROM_SIM_ROAD_EXACT);
            assert_true(s[side].position.z < -0.05);
            carom_sim_free(sim);
        }
        assert_near(vec_distance(s[0].position, vec(s[1].position.x, -s[1].position.y, s[1].position.z)), 0, 1e-10);
        assert_near(vec_distance(s[0].omega, vec(-s[1].omega.x, s[1].omega.y, -s[1].omega.z)), 0, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_roll_off_a_table),  cmocka_unit_test(test_bodies_roll_over_a_ridge),
        cmocka_unit_test(test_cylinder_rolls_off_askew), cmocka_unit_test(test_bodies_leave_round_ones),
        cmocka_unit_test(test_ball_leaves_a_corner),     cmocka_unit_test(test_box_overhangs),
        cmocka_unit_test(test_box_slides_off_askew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
