/* What a caller can ask: energies and momenta against plain sums, distances, what comes next. */
#include "sim/plain_distance.h"

#define G 9.81

/* One body of each kind of shape, a hull, and a body with own mass and inertia, apart from each other. */
enum { BODIES = PART_KINDS + 1 };
typedef struct zoo {
    carom_scene_body bodies[BODIES];
    carom_vec3 points[BODIES][PART_POINTS];
    carom_scene scene;
} zoo;

static carom_sim *make_zoo(zoo *z, dice *d)
{
    for (int k = 0; k < BODIES; k++) {
        carom_scene_body b = {.solid = dice_solid(d, k % PART_KINDS, z->points[k]), .def = carom_body_def_default()};
        b.def.mass = dice_between(d, 0.2, 3);
        assert_int_equal(carom_solid_body(&b.solid, 3, 0, &b.def, NULL), CAROM_STATUS_OK);
        if (k == PART_KINDS)
            b.def.inertia = (carom_sym3){0.3, 0.02, -0.01, 0.4, 0.03, 0.5};
        b.def.position = carom_vec3_add(vec(5 * k, 0, 0), dice_vec(d, 1));
        b.def.orientation = dice_turn(d);
        b.def.velocity = dice_vec(d, 2);
        b.def.omega = dice_vec(d, 5);
        z->bodies[k] = b;
    }
    z->scene = scene_of(z->bodies, BODIES, "newton", 1, 0);
    z->scene.gravity = vec(0.3, 0, -G);
    return sim_of(&z->scene);
}

/* m v^2 / 2 + w . I w / 2 - m g . x of all, with the inertia of each turned by its matrix. Thin rods count: they have a
 * millionth of their moments about their own axis. */
static void test_sums(void **state)
{
    (void)state;
    dice d = {331};
    for (int n = 0; n < 20; n++) {
        zoo z;
        carom_sim *sim = make_zoo(&z, &d);
        for (double t = 0; t < 0.3; t += 0.1) {
            double energy = 0;
            carom_vec3 momentum = {0, 0, 0}, angular = {0, 0, 0};
            assert_int_equal(carom_sim_to_time(sim, t), CAROM_STATUS_OK);
            for (int k = 0; k < BODIES; k++) {
                const carom_body_def *b = &z.bodies[k].def;
                carom_sim_state s = carom_sim_body(sim, k);
                carom_vec3 own = quat_turn(quat_conjugate(s.orientation), s.omega);
                carom_vec3 L = quat_turn(s.orientation, carom_sym3_apply(b->inertia, own));
                carom_vec3 p = carom_vec3_scale(b->mass, s.velocity);
                energy += 0.5 * carom_vec3_dot(p, s.velocity) + 0.5 * carom_vec3_dot(L, s.omega) -
                          b->mass * carom_vec3_dot(z.scene.gravity, s.position);
                momentum = carom_vec3_add(momentum, p);
                angular = carom_vec3_add(angular, carom_vec3_add(L, carom_vec3_cross(s.position, p)));
            }
            carom_sim_ledger ledger = carom_sim_energy(sim);
            assert_near(ledger.after, energy, 1e-13 * (fabs(energy) + 300));
            assert_near(carom_vec3_length(carom_vec3_sub(ledger.momentum, momentum)), 0, 1e-13 * 50);
            assert_near(carom_vec3_length(carom_vec3_sub(ledger.angular, angular)), 0, 1e-13 * 2000);
            assert_near(ledger.residual, 0, 1e-12 * 300);
        }
        carom_sim_free(sim);
    }
}

/* Distances of a ball from the others are those of closed forms. */
static void test_distance(void **state)
{
    (void)state;
    dice d = {332};
    for (int n = 0; n < 200; n++) {
        carom_vec3 points[PART_POINTS], x = dice_vec(&d, 3);
        piece p;
        carom_scene_body bodies[2] = {ball(1, 0.05, x, vec(0, 0, 0)), {.def = carom_body_def_default()}};
        bodies[1].solid = dice_solid(&d, n % PART_HULL, points);
        bodies[1].def.orientation = dice_turn(&d);
        assert_int_equal(carom_solid_body(&bodies[1].solid, 3, 0, &bodies[1].def, NULL), CAROM_STATUS_OK);
        assert_true(piece_of(&bodies[1].solid, 3, &p));
        double want = from_point(&p, quat_turn(quat_conjugate(bodies[1].def.orientation), x)) - 0.05 - p.margin;
        if (want < 1e-3)
            continue;
        carom_scene scene = scene_of(bodies, 2, "newton", 1, 0);
        carom_sim *sim = sim_of(&scene);
        assert_near(carom_sim_distance(sim, 0, 1), want, 1e-14);
        assert_near(carom_sim_distance(sim, 1, 0), want, 1e-14);
        carom_sim_free(sim);
    }
}

/* The next impact is foreseen, looking changes nothing, and the run then finds it there. */
static void test_next_impact(void **state)
{
    (void)state;
    carom_scene_body bodies[3] = {ball(1, 0.1, vec(0, 0, 1.1), vec(0, 0, 0)), ball(2, 0.2, vec(3, 0, 5), vec(0, 0, 0)),
                                  half_space(vec(0, 0, 1), 0)};
    carom_scene scene = scene_of(bodies, 3, "newton", 0.5, 0);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    carom_sim_meeting next;
    assert_int_equal(carom_sim_next_impact(sim, 10, &next), CAROM_STATUS_OK);
    assert_near(next.time, sqrt(2 / G), 1e-15);
    assert_true(next.a == 0 && next.b == 2 && carom_sim_time(sim) == 0 && carom_sim_impacts(sim) == 0);
    assert_near(carom_sim_next(sim), sqrt(2 / G), 1e-15);
    assert_int_equal(carom_sim_next_impact(sim, 0.1, &next), CAROM_STATUS_OK);
    assert_true(next.time == INFINITY);
    assert_int_equal(carom_sim_to_impacts(sim, 1), CAROM_STATUS_OK);
    assert_near(carom_sim_time(sim), sqrt(2 / G), 1e-15);
    assert_true(carom_sim_impacts(sim) == 1 && carom_sim_events(sim) == 1);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_next_impact),
    };
    return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
