/* The list of masses: equal bodies share one entry, wherever they are and however they move. */
#include "sim/world/masses.h"

#include "sim/parts.h"

static carom_body body_of(double mass, double radius, carom_vec3 x, carom_vec3 v)
{
    carom_scene_body b = ball(mass, radius, x, v);
    carom_body out;
    memset(&out, 0, sizeof out);
    assert_int_equal(carom_body_init(&b.def, &out), CAROM_STATUS_OK);
    return out;
}

static void test_shared(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {ball(0.37, 0.1, vec(0, 0, 0), vec(1, 2, 3)),
                                  ball(0.37, 0.1, vec(5, 0, 0), vec(0, 0, 0))};
    carom_scene scene = scene_of(bodies, 2, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    size_t before = sim->cores.count;
    int first = masses_number(sim, body_of(1.3, 0.2, vec(0, 0, 0), vec(0, 0, 0)));
    assert_int_equal(masses_number(sim, body_of(1.3, 0.2, vec(7, 8, 9), vec(-1, 0, 4))), first);
    int other = masses_number(sim, body_of(1.3, 0.2000001, vec(0, 0, 0), vec(0, 0, 0)));
    assert_true(other != first && sim->cores.count == before + 2);
    assert_int_equal(masses_number(sim, body_of(1.3, 0.2, vec(0, 0, 0), vec(0, 0, 0))), first);
    assert_int_equal(frame_of(sim, 0)->core, frame_of(sim, 1)->core);
    assert_near(core_of(sim, 1)->mass, 0.37, 0);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared)};
    return cmocka_run_group_tests_name("masses", tests, NULL, NULL);
}
