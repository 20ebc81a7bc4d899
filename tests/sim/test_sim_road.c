/* The road of each body: exact, stepped or pile, since when, and with what error; nothing far away changes it. */
#include "sim/islands.h"

/* Boxes one on the other, at rest on a slope that is too steep for them or tilted by tan less than mu: gravity turns,
 * the floor stays. */
static void stack_up(carom_scene_body *bodies, int count, carom_vec3 at)
{
    for (int k = 0; k < count; k++)
        bodies[k] = block(1, vec(0.2, 0.2, 0.1), vec(at.x, at.y, 0.05 + 0.1 * k));
}

static carom_scene slope(carom_scene_body *bodies, int count, double mu)
{
    carom_scene s = scene_of(bodies, count, "routh-stronge", 0, mu);
    s.gravity = vec(G * 0.28, 0, -G * 0.96);
    return s;
}

static void test_exact(void **state)
{
    (void)state;
    carom_scene_body bodies[] = {half_space(vec(0, 0, 1), 0), ball(0.17, 0.03, vec(0, 0, 1), vec(0, 0, 0))};
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.2);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 10, -1);
    carom_sim_state s = carom_sim_body(sim, 1);
    assert_true(s.resting);
    assert_int_equal(s.road, CAROM_SIM_ROAD_EXACT);
    assert_true(s.since == 0 && s.error == 0 && carom_sim_exact_until(sim) == INFINITY);
    assert_string_equal(carom_sim_road_word(s.road), "exact");
    assert_string_equal(carom_sim_road_word((carom_sim_road)99), "");
    carom_sim_free(sim);
}

/* Five boxes are more than an exact island holds. They slide down together on the floor with g (sin - mu cos); what the
 * steps make of that is off by no more than the estimate and by rounding. */
static void test_error(void **state)
{
    (void)state;
    enum { HIGH = 5 };
    carom_scene_body bodies[HIGH + 1] = {half_space(vec(0, 0, 1), 0)};
    stack_up(bodies + 1, HIGH, vec(0, 0, 0));
    for (int k = 1; k <= HIGH; k++)
        bodies[k].material = 1;
    frictions f = friction_table(0.1, 0.1, 0.6);
    carom_scene scene = slope(bodies, HIGH + 1, 0.1);
    use(&scene, &f);
    carom_sim *sim = sim_of(&scene);
    const double T = 0.25, way = 0.5 * G * (0.28 - 0.1 * 0.96) * T * T;
    run_until(sim, T, -1);
    assert_true(carom_sim_exact_until(sim) < 1e-6);
    for (int k = 1; k <= HIGH; k++) {
        carom_sim_state s = carom_sim_body(sim, k);
        assert_int_equal(s.road, CAROM_SIM_ROAD_STEPPED);
        assert_true(s.since == carom_sim_exact_until(sim) && s.error < 1e-2 * way);
        assert_near(s.position.x, way, s.error + 1e-9);
    }
    carom_sim_free(sim);
}

static void test_strict(void **state)
{
    (void)state;
    carom_scene_body bodies[6] = {half_space(vec(0, 0, 1), 0)};
    stack_up(bodies + 1, 5, vec(0, 0, 0));
    bodies[5].def.position.z += 0.5; /* far enough from the others to be no part of a pile */
    carom_scene scene = scene_of(bodies, 6, "routh-stronge", 0, 0.5);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = 1;
    until.exact = true;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    assert_int_equal(stop, CAROM_SIM_STOP_INEXACT);
    assert_near(carom_sim_time(sim), sqrt(2 * 0.5 / G), 1e-9);
    assert_true(carom_sim_exact_until(sim) == carom_sim_time(sim));
    assert_int_equal(carom_sim_body(sim, 5).road, CAROM_SIM_ROAD_STEPPED);
    carom_sim_free(sim);
}

/* Two blocks (exact) and five (stepped) on a slope go on to the same bits when stacks that are stepped, too, and a pile
 * of more than 256 bodies lie far away. */
static void test_far_away(void **state)
{
    (void)state;
    enum { OWN = 7, FAR = 24, PILE = 258 };
    static carom_scene_body bodies[1 + OWN + FAR + PILE];
    carom_sim_state end[2][OWN];
    for (int many = 0; many < 2; many++) {
        bodies[0] = half_space(vec(0, 0, 1), 0);
        stack_up(bodies + 1, 2, vec(0, 0, 0));
        stack_up(bodies + 3, 5, vec(0, 3, 0));
        for (int k = 0; k < FAR; k += 6)
            stack_up(bodies + 1 + OWN + k, 6, vec(90 + 0.1 * k, 0, 0));
        for (int k = 0; k < PILE; k++) /* a row whose members press each other, downhill against the first */
            bodies[1 + OWN + FAR + k] = block(1, vec(0.2, 0.2, 0.1), vec(-60 - 0.2 * k, 50, 0.05));
        frictions f = friction_table(0.15, 0.15, 0.4);
        carom_scene scene = slope(bodies, many ? 1 + OWN + FAR + PILE : 1 + OWN, 0.15);
        use(&scene, &f);
        for (int k = 1; k < scene.body_count; k++)
            bodies[k].material = 1;
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.02, -1);
        for (int k = 0; k < OWN; k++)
            end[many][k] = carom_sim_body(sim, 1 + k);
        if (many)
            assert_int_equal(carom_sim_body(sim, OWN + FAR + PILE).road, CAROM_SIM_ROAD_PILE);
        carom_sim_free(sim);
    }
    assert_true(end[0][0].position.x > 1e-4);
    assert_int_equal(end[0][0].road, CAROM_SIM_ROAD_EXACT);
    assert_int_equal(end[0][2].road, CAROM_SIM_ROAD_STEPPED);
    for (int k = 0; k < OWN; k++) {
        assert_memory_equal(&end[0][k].position, &end[1][k].position, sizeof end[0][k].position);
        assert_memory_equal(&end[0][k].velocity, &end[1][k].velocity, sizeof end[0][k].velocity);
        assert_int_equal(end[0][k].road, end[1][k].road);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_error),
                                       cmocka_unit_test(test_strict), cmocka_unit_test(test_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
