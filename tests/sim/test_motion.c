/* Bodies in motion as the search for impacts sees them: snapshots and bounds against looks at many times. */
#include "sim/motion/motion.h"

#include "sim/parts.h"

#define G 9.81
enum { LOOKS = 200 };

static carom_sim *thrown(carom_scene_body *body, dice *d, int kind, carom_vec3 points[PART_POINTS])
{
    *body = (carom_scene_body){.solid = dice_solid(d, kind, points), .def = carom_body_def_default()};
    assert_int_equal(carom_solid_body(&body->solid, 3, 0, &body->def, NULL), CAROM_STATUS_OK);
    body->def.position = dice_vec(d, 2);
    body->def.orientation = dice_turn(d);
    body->def.velocity = dice_vec(d, 4);
    body->def.omega = dice_vec(d, 6);
    static carom_scene scene; /* outlives the simulation */
    scene = scene_of(body, 1, "newton", 1, 0);
    scene.gravity = vec(0.4, -0.7, -G);
    return sim_of(&scene);
}

/* No point of the body is accelerated more about its centre than the bound, nor faster at the start; places are
 * parabolas. */
static void test_bounds(void **state)
{
    (void)state;
    dice d = {341};
    const double h = 1e-4;
    for (int n = 0; n < 40; n++) {
        carom_vec3 points[PART_POINTS];
        carom_scene_body body;
        carom_sim *sim = thrown(&body, &d, n % PART_KINDS, points);
        double bound = turn_bound(sim, 0), reach = mover_of(sim, 0)->radius;
        double end = fmin(0.5, frame_of(sim, 0)->turn.until); /* of this piece of rotation */
        for (int k = 1; k < LOOKS; k++) {
            double t = h + (end - 2 * h) * k / LOOKS;
            snap now = snap_at(sim, 0, t), before = snap_at(sim, 0, t - h), after = snap_at(sim, 0, t + h);
            carom_vec3 x = carom_vec3_add(body.def.position, carom_vec3_scale(t, body.def.velocity));
            x = carom_vec3_add(x, carom_vec3_scale(0.5 * t * t, vec(0.4, -0.7, -G)));
            assert_near(carom_vec3_length(carom_vec3_sub(now.x, x)), 0, 1e-14);
            carom_vec3 r = carom_vec3_scale(0.5, dice_unit(&d)),
                       arm[3] = {quat_turn(before.q, r), quat_turn(now.q, r), quat_turn(after.q, r)};
            carom_vec3 sum = carom_vec3_add(carom_vec3_add(arm[0], arm[2]), carom_vec3_scale(-2, arm[1]));
            assert_true(carom_vec3_length(sum) / (h * h) <= 0.5 * bound * (1 + 1e-4) + 1e-6);
        }
        double speed = carom_vec3_length(body.def.velocity) + reach * carom_vec3_length(body.def.omega);
        assert_true(fastest(sim, 0, 0) >= speed * (1 - 1e-15));
        assert_true(accel_bound(sim, 0) == 0);
        carom_sim_free(sim);
    }
}

/* The numbers of a state are those of the snapshot, and so is the body that impacts are given. */
static void test_same(void **state)
{
    (void)state;
    dice d = {342};
    for (int n = 0; n < 20; n++) {
        carom_vec3 points[PART_POINTS];
        carom_scene_body body;
        double y[STATE], t = dice_between(&d, 0, 0.01);
        carom_sim *sim = thrown(&body, &d, n % PART_KINDS, points);
        snap s = snap_at(sim, 0, t);
        state_of(sim, 0, t, y);
        carom_body b = body_at(sim, 0, t);
        const double want[STATE] = {s.x.x, s.x.y, s.x.z, s.q.w, s.q.x, s.q.y, s.q.z,
                                    s.v.x, s.v.y, s.v.z, s.w.x, s.w.y, s.w.z};
        for (int i = 0; i < STATE; i++)
            assert_near(y[i], want[i], 0);
        assert_near(carom_vec3_length(carom_vec3_sub(b.omega, s.w)), 0, 0);
        carom_sym3 I = quat_turn_sym3(s.q, body.def.inertia);
        assert_near(b.inertia.xy, I.xy, 1e-14 * (I.xx + I.yy + I.zz));
        assert_near(b.inertia.zz, I.zz, 1e-14 * (I.xx + I.yy + I.zz));
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests_name("motion", tests, NULL, NULL);
}
