/* Bodies on joints, and ground that is driven into them. */
#include "sim/parts.h"
#include "sim/world/world.h"

#define TURN 6.283185307179586

/* A ball on an arm, held by a joint at the origin; a box that swings along an axis towards it. */
typedef struct driven_arm {
    carom_scene_body bodies[2];
    carom_drive drive;
    carom_joint_def joint;
    carom_scene scene;
} driven_arm;

static void make_arm(driven_arm *a, carom_vec3 arm, carom_vec3 way, double amplitude, double e)
{
    const double half = 0.5, radius = 0.1, gap = 0.4;
    a->bodies[0] = ball(1, radius, arm, vec(0, 0, 0));
    a->bodies[1] = carom_scene_box(1, vec(1, 1, 1));
    a->bodies[1].def.fixed = true;
    a->bodies[1].def.position = carom_vec3_sub(arm, carom_vec3_scale(half + radius + gap, way));
    a->drive = (carom_drive){.amplitude = carom_vec3_scale(amplitude, way), .frequency = 1, .axis = {0, 0, 1}};
    a->bodies[1].drive = &a->drive;
    a->joint = carom_joint_def_default();
    a->joint.point_a = carom_vec3_scale(-1, arm);
    a->scene = scene_of(a->bodies, 2, "routh-stronge", e, 0);
    a->scene.joints = &a->joint;
    a->scene.joint_count = 1;
}

/* Along the arm no impulse moves the ball: the run ends there, and names the two. It never goes through. */
static void test_driven_along_the_arm(void **state)
{
    (void)state;
    const carom_vec3 ways[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
    for (int k = 0; k < 8; k++) {
        driven_arm a;
        double amplitude = 0.5 + 0.3 * (k % 3);
        make_arm(&a, carom_vec3_scale(-1.2, ways[k % 4]), ways[k % 4], amplitude, 0.5);
        a.scene.gravity = carom_vec3_scale(k < 4 ? -9.81 : 0, ways[k % 4]);
        carom_sim *sim = sim_of(&a.scene);
        assert_int_equal(carom_sim_to_time(sim, 2), CAROM_STATUS_IMMOVABLE);
        assert_near(carom_sim_time(sim), asin(0.4 / amplitude) / TURN, 1e-14);
        carom_sim_error blame = carom_sim_blame(sim);
        assert_true(blame.body + blame.other == 1);
        carom_sim_free(sim);
    }
}

/* Sums of p . v of the ground over all impacts. */
typedef struct pushes {
    double work;
    int count;
} pushes;

static bool add_push(void *context, const carom_sim_event *event)
{
    pushes *sum = context;
    for (int k = 0; k < event->count && event->kind == CAROM_SIM_EVENT_IMPACT; k++) {
        const carom_sim_contact *c = &event->contacts[k];
        carom_frame f;
        assert_int_equal(carom_frame_init(c->normal, &f), CAROM_STATUS_OK);
        sum->work += c->p.t1 * carom_vec3_dot(f.t1, c->def_b.velocity) +
                     c->p.t2 * carom_vec3_dot(f.t2, c->def_b.velocity) +
                     c->p.n * carom_vec3_dot(f.n, c->def_b.velocity);
        sum->count++;
    }
    return true;
}

/* Across the arm: the ball is thrown round the joint as a flail of inertia I + m L^2, with the restitution of the law.
 */
static void test_driven_across_the_arm(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        driven_arm a;
        double L = 0.5 + 0.2 * k, e = 0.15 * k, hits = asin(0.4) / TURN, v = TURN * cos(TURN * hits);
        make_arm(&a, vec(-L, 0, 0), vec(0, 0, 1), 1, e);
        carom_sim *sim = sim_of(&a.scene);
        assert_int_equal(carom_sim_to_impacts(sim, 1), CAROM_STATUS_OK);
        assert_near(carom_sim_time(sim), hits, 1e-14);
        assert_near(carom_sim_body(sim, 0).omega.y, (1 + e) * v / L, 1e-12); /* z of a point at -L rises */
        double p = (1 + e) * v * (0.004 + L * L) / (L * L);
        assert_near(carom_sim_energy(sim).driven, p * v, 1e-11);
        carom_sim_free(sim);
    }
}

/* A table that is driven on into a linkage near its dead point does as much work as its impulses say: with friction
 * that nearly locks, 16.7 kJ on a ball of 1 kg. K_nn - mu K_nt is 0.0036 there; the impulse is Routh's. References: the
 * arm as one angle, with the distance of a disk from a square and Routh's path at each impact, in 30 digits (mpmath).
 */
static void test_nearly_locked(void **state)
{
    (void)state;
    driven_arm a;
    pushes sum = {0, 0};
    const carom_sim_observer observer = {.after = add_push, .context = &sum};
    make_arm(&a, vec(-0.5, 0, 0), vec(0, 0, 1), 1, 0.5);
    a.scene.rule.coeffs.mu = 0.3;
    carom_sim *sim = sim_of(&a.scene);
    carom_sim_observe(sim, &observer);
    assert_int_equal(carom_sim_to_time(sim, 2), CAROM_STATUS_OK);
    carom_sim_ledger energy = carom_sim_energy(sim);
    assert_int_equal(sum.count, 6);
    assert_near(energy.driven, sum.work, 1e-11 * sum.work);
    assert_near(energy.residual, 0, 1e-13 * energy.driven);
    assert_near(energy.driven, 16714.0684697426620, 1e-10 * energy.driven);
    assert_near(energy.normal, -4563.11751976461248, 1e-10 * energy.driven);
    assert_near(energy.friction, -12143.8522808393550, 1e-10 * energy.driven);
    assert_near(carom_sim_body(sim, 0).omega.y, -7.47629805372587832, 1e-10);
    carom_sim_free(sim);
}

/* Bodies welded together that do not move, and hardly move: nothing is there to integrate. */
static void test_weld_at_rest(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        double speed = k ? pow(10, -3.0 * k) : 0;
        carom_scene_body bodies[3] = {ball(1, 0.02, vec(1, 0, 0), vec(0, 0, 0)),
                                      ball(1, 0.02, vec(0, 0, 0), vec(0, 0, speed)),
                                      carom_scene_shape((carom_shape){CAROM_SHAPE_CONE, {1, 2}}, 1)};
        bodies[0].def.position = vec(3, 0, 0);
        bodies[0].def.omega = vec(0, 0, 1);
        bodies[2].def.velocity = vec(0, 0, speed);
        carom_joint_def weld = carom_joint_def_default();
        weld.a = 2, weld.b = 1, weld.linear = weld.angular = 0;
        weld.turn = (carom_quat){1, 0, 0, 0};
        carom_scene scene = scene_of(bodies, 3, "newton", 1, 0);
        scene.joints = &weld;
        scene.joint_count = 1;
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(carom_sim_to_time(sim, 1), CAROM_STATUS_OK);
        for (int i = 1; i < 3; i++) {
            carom_sim_state s = carom_sim_body(sim, i);
            assert_near(s.position.z, speed, 1e-15);
            assert_near(carom_vec3_length(s.velocity), speed, 1e-15);
            assert_near(s.orientation.w, 1, 1e-15);
        }
        carom_sim_free(sim);
    }
}

/* ---- joints that rest ---- */

static const double gravity = 9.81;

/* It has come to rest, exactly, at this time. */
static void rests_at(carom_sim *sim, double time, double tolerance)
{
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = 10 * time + 1;
    until.rest = true;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    assert_int_equal(stop, CAROM_SIM_STOP_REST);
    assert_near(carom_sim_time(sim), time, tolerance);
    assert_int_equal(carom_sim_body(sim, 0).road, CAROM_SIM_ROAD_EXACT);
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-12 * (1 + fabs(l.before)));
}

/* The time in which a bar that turns with (w')^2 = 2 c (sin a - sin x) falls from a to 0: x = a - s^2. */
static double falling_time(double a, double c)
{
    enum { PARTS = 2000 };
    double sum = 0, end = sqrt(a);
    for (int k = 0; k <= PARTS; k++) { /* Simpson */
        double s = end * k / PARTS, x = a - s * s, weight = k % PARTS == 0 ? 1 : k % 2 ? 4 : 2;
        double part = k == 0 ? 2 / sqrt(2 * c * cos(a)) : 2 * s / sqrt(2 * c * (sin(a) - sin(x)));
        sum += weight * part;
    }
    return sum * end / (3 * PARTS);
}

/* A bar on a joint beyond its end, half its thickness above the floor, falls and lies there. */
static void test_bar_lies_down(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        double length = 0.5 + 0.1 * k, thick = 0.04, a = 0.2 + 0.2 * k, mass = 0.7 + k, reach = 0.5 * length + 0.05;
        carom_scene_body bodies[2] = {carom_scene_box(mass, vec(length, 0.1, thick)), half_space(vec(0, 0, 1), 0)};
        carom_vec3 pivot = vec(0.3, -0.2, 0.5 * thick), out = vec(cos(a), 0, sin(a));
        bodies[0].def.position = carom_vec3_add(pivot, carom_vec3_scale(reach, out));
        bodies[0].def.orientation = (carom_quat){cos(0.5 * a), 0, -sin(0.5 * a), 0};
        carom_joint_def joint = carom_joint_def_default();
        joint.point_a = vec(-reach, 0, 0);
        joint.point_b = pivot;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 0.1 * k);
        scene.gravity = vec(0, 0, -gravity);
        scene.joints = &joint;
        scene.joint_count = 1;
        double moment = (length * length + thick * thick) / 12 + reach * reach;
        carom_sim *sim = sim_of(&scene);
        rests_at(sim, falling_time(a, gravity * reach / moment), 1e-9);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.z, 0.5 * thick, 1e-12);
        assert_near(s.orientation.y, 0, 1e-12);
        carom_sim_free(sim);
    }
}

/* A ball on an arm that a pin on the floor holds slides in a circle: w' = -mu m g arm / (I + m arm^2). The pin lets it
 * move up and down, so that the floor bears all of its weight. */
static void test_ball_on_a_pin_stops(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        double r = 0.05 + 0.02 * k, arm = 0.3 + 0.1 * k, mu = 0.1 + 0.1 * k, w = 1 + 0.5 * k, start = 0.4 * k;
        carom_vec3 out = vec(cos(start), sin(start), 0);
        carom_scene_body bodies[2] = {
            ball(1.3, r, vec(arm * out.x, arm * out.y, r), vec(-w * arm * out.y, w * arm * out.x, 0)),
            half_space(vec(0, 0, 1), 0)};
        bodies[0].def.omega = vec(0, 0, w);
        carom_joint_def joint = carom_joint_def_default();
        joint.linear = joint.angular = 1;
        joint.point_a = carom_vec3_scale(-arm, out);
        joint.point_b = vec(0, 0, r);
        joint.direction = joint.axis_a = joint.axis_b = vec(0, 0, 1);
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, mu);
        scene.gravity = vec(0, 0, -gravity);
        scene.joints = &joint;
        scene.joint_count = 1;
        double slower = mu * gravity * arm / (0.4 * r * r + arm * arm), angle = start + 0.5 * w * w / slower;
        carom_sim *sim = sim_of(&scene);
        rests_at(sim, w / slower, 1e-9);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(s.position.x, arm * cos(angle), 1e-11);
        assert_near(s.position.y, arm * sin(angle), 1e-11);
        carom_sim_free(sim);
    }
}

/* Two boxes on one weld slide as one, and stop after v^2 / (2 mu g). */
static void test_welded_boxes_stop(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        double mu = 0.2 + 0.1 * k, v = 0.5 + 0.4 * k, apart = 0.35;
        carom_scene_body bodies[3] = {carom_scene_box(1, vec(0.2, 0.2, 0.1)),
                                      carom_scene_box(1 + 0.5 * k, vec(0.1, 0.2, 0.1)), half_space(vec(0, 0, 1), 0)};
        for (int i = 0; i < 2; i++) {
            bodies[i].def.position = vec(i * apart, 0, 0.05);
            bodies[i].def.velocity = vec(v, 0, 0);
        }
        carom_joint_def weld = carom_joint_def_default();
        weld.a = 0, weld.b = 1, weld.linear = weld.angular = 0;
        weld.point_a = vec(0.5 * apart, 0, 0), weld.point_b = vec(-0.5 * apart, 0, 0);
        weld.turn = (carom_quat){1, 0, 0, 0};
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0, mu);
        scene.gravity = vec(0, 0, -gravity);
        scene.joints = &weld;
        scene.joint_count = 1;
        carom_sim *sim = sim_of(&scene);
        rests_at(sim, v / (mu * gravity), 1e-9);
        assert_near(carom_sim_body(sim, 0).position.x, 0.5 * v * v / (mu * gravity), 1e-11);
        carom_sim_free(sim);
    }
}

/* A bar on a joint lies on the edge of a table that moves up and down: it follows the edge. With the joint at distance
 * x from it and z above it, the lower face of the bar is half its thickness below the joint. */
static void test_bar_follows_an_edge(void **state)
{
    (void)state;
    dice d = {411};
    for (int k = 0; k < 24; k++) {
        const double length = 0.6, thick = 0.05, edge = 0.5, high = 0.2, table = 0.1, end = 2;
        double most = dice_between(&d, 0.02, 0.04), often = dice_between(&d, 0.3, 1.7);
        carom_drive drive = {.amplitude = vec(0, 0, most), .frequency = often, .axis = {0, 0, 1}};
        carom_scene_body bodies[2] = {carom_scene_box(1, vec(length, 0.1, thick)),
                                      carom_scene_box(1, vec(2 * edge, 1, table))};
        bodies[0].def.position = vec(0.5 * length, 0, high);
        bodies[1].def.fixed = true;
        bodies[1].drive = &drive;
        carom_joint_def joint = carom_joint_def_default();
        joint.point_a = vec(-0.5 * length, 0, 0);
        joint.point_b = vec(0, 0, high);
        joint.angular = 1, joint.axis_a = joint.axis_b = vec(0, 1, 0);
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.1 * (k % 3), k % 3 ? 0.1 * (k % 7) : 0);
        scene.gravity = vec(0, 0, -gravity);
        scene.joints = &joint;
        scene.joint_count = 1;
        carom_sim *sim = sim_of(&scene);
        for (int n = 1; n <= 10; n++) {
            double t = 1 + 0.1 * n * (end - 1), down = high - 0.5 * table - most * sin(TURN * often * t);
            assert_int_equal(carom_sim_to_time(sim, t), CAROM_STATUS_OK);
            carom_quat q = carom_sim_body(sim, 0).orientation;
            double angle = atan2(down, edge) - asin(0.5 * thick / hypot(down, edge));
            assert_near(2 * atan2(q.y, q.w), angle, 5e-4); /* a step late: 1 ms at up to 0.4 rad/s */
        }
        carom_sim_ledger l = carom_sim_energy(sim);
        assert_near(l.residual, 0, 1e-12);
        assert_true(fabs(l.driven) < 1);
        carom_sim_free(sim);
    }
}

/* Points of body 0 and body 1 that are held together. */
static carom_joint_def joint_between(carom_vec3 a, carom_vec3 b, int angular)
{
    carom_joint_def joint = carom_joint_def_default();
    joint.a = 0, joint.b = 1, joint.angular = angular;
    joint.point_a = a, joint.point_b = b;
    return joint;
}

static carom_scene scene_with_joint(carom_scene_body *bodies, int count, double e, const carom_joint_def *joint)
{
    carom_scene scene = scene_of(bodies, count, "routh-stronge", e, 0.3);
    scene.gravity = vec(0, 0, -gravity);
    scene.joints = joint;
    scene.joint_count = 1;
    return scene;
}

/* Boxes are thrown onto two that a joint holds together, and all fall: those that step for an instant have time go on,
 * momentum is kept, and energy does not rise. */
static void test_thrown_onto_a_pair(void **state)
{
    (void)state;
    dice d = {37};
    for (int k = 0; k < 60; k++) {
        carom_scene_body bodies[5];
        double mass = 0, speed = 1.5, momentum = 0;
        for (int i = 0; i < 5; i++) {
            bool held = i < 2;
            bodies[i] = carom_scene_box(dice_between(&d, 0.2, 2), held ? vec(0.18, 0.06, 0.06) : vec(0.08, 0.08, 0.08));
            bodies[i].def.position = vec(i == 0 ? -0.09 : 0.09, 0, 0);
            if (!held) {
                bodies[i].def.position = vec(dice_between(&d, -0.1, 0.1), dice_between(&d, -0.02, 0.02), 0.1 * (i - 1));
                bodies[i].def.velocity = vec(0, 0, -speed);
            }
            mass += bodies[i].def.mass;
            momentum += bodies[i].def.mass * bodies[i].def.velocity.z;
        }
        carom_joint_def joint = joint_between(vec(0.09, 0, 0), vec(-0.09, 0, 0), k % 2 ? 0 : 3);
        carom_scene scene = scene_with_joint(bodies, 5, 0, &joint);
        carom_sim *sim = sim_of(&scene);
        double last = carom_sim_energy(sim).before;
        for (int n = 1; n <= 20; n++) {
            double t = 0.01 * n;
            assert_int_equal(carom_sim_to_time(sim, t), CAROM_STATUS_OK);
            carom_sim_ledger l = carom_sim_energy(sim);
            assert_near(l.momentum.x, 0, 1e-8);
            assert_near(l.momentum.y, 0, 1e-8);
            assert_near(l.momentum.z, momentum - mass * gravity * t, 1e-8);
            assert_true(l.after <= last + 1e-12);
            assert_near(l.residual, 0, 1e-12);
            last = l.after;
        }
        carom_sim_free(sim);
    }
}

/* A box and a ball on one weld, on a table that shakes: where contacts begin to slip and stop again without end, time
 * goes on all the same. */
static void test_welded_on_a_shaker(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        carom_drive drive = {.amplitude = vec(0, 0, 0.01), .frequency = 2 + k, .axis = {0, 0, 1}};
        carom_scene_body bodies[3] = {carom_scene_box(1, vec(0.2, 0.2, 0.2)),
                                      ball(1, 0.1, vec(0.25, 0, 0.11), vec(0, 0, 0)),
                                      carom_scene_box(1, vec(1, 1, 0.1))};
        bodies[0].def.position = vec(0, 0, 0.11);
        bodies[2].def.position = vec(0, 0, -0.05);
        bodies[2].def.fixed = true;
        bodies[2].drive = &drive;
        carom_joint_def weld = joint_between(vec(0.125, 0, 0), vec(-0.125, 0, 0), 0);
        carom_scene scene = scene_with_joint(bodies, 3, 0.3, &weld);
        carom_sim *sim = sim_of(&scene);
        carom_sim_until until = carom_sim_until_default();
        carom_sim_stop stop = CAROM_SIM_STOP_INSTANTS;
        until.time = 0.25;
        until.instants = 1;
        while (stop == CAROM_SIM_STOP_INSTANTS) {
            long long pieces = (long long)mover_of(sim, 0)->version;
            assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
            assert_true((long long)mover_of(sim, 0)->version - pieces <= 40);
        }
        assert_int_equal(stop, CAROM_SIM_STOP_TIME);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven_along_the_arm), cmocka_unit_test(test_driven_across_the_arm),
        cmocka_unit_test(test_nearly_locked),        cmocka_unit_test(test_weld_at_rest),
        cmocka_unit_test(test_bar_lies_down),        cmocka_unit_test(test_ball_on_a_pin_stops),
        cmocka_unit_test(test_welded_boxes_stop),    cmocka_unit_test(test_bar_follows_an_edge),
        cmocka_unit_test(test_thrown_onto_a_pair),   cmocka_unit_test(test_welded_on_a_shaker),
    };
    return cmocka_run_group_tests_name("sim_linkage", tests, NULL, NULL);
}
