/* Bodies on joints, and ground that is driven into them. */
#include "sim/parts.h"

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
 * that nearly locks, 16 kJ on a ball of 1 kg. K_nn - mu K_nt is 0.0036 there; the impulse is Routh's. */
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
    assert_true(sum.count >= 3);
    assert_near(energy.driven, sum.work, 1e-11 * sum.work);
    assert_near(energy.residual, 0, 1e-13 * energy.driven);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven_along_the_arm),
        cmocka_unit_test(test_driven_across_the_arm),
        cmocka_unit_test(test_nearly_locked),
        cmocka_unit_test(test_weld_at_rest),
    };
    return cmocka_run_group_tests_name("sim_linkage", tests, NULL, NULL);
}
