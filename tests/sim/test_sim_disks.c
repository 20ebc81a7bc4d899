/* Disks on disks that are free to move: docs/theory/motion.md, 5. */
#include "sim/islands.h"

/* A disk slides down another without friction; that one is free on the floor. They part where
 * mu cos^3 - 3 cos + 2 cos_0 = 0, mu = m / (m + M); cos = sqrt(3) - 1 for equal masses from the top. */
typedef struct parting {
    double time, cosine;
} parting;

static bool note_parting(void *context, const carom_sim_event *event)
{
    parting *p = context;
    const carom_sim_contact *c = event->contacts;
    if (event->kind != CAROM_SIM_EVENT_LEAVE || p->time > 0 || c->a == 2 || c->b == 2)
        return true;
    p->time = event->time;
    p->cosine = fabs(c->normal.y);
    return true;
}

static double parting_cosine(double mu, double from)
{
    double low = 0, high = from;
    for (int k = 0; k < 200; k++) {
        double x = (low + high) / 2;
        if (mu * x * x * x - 3 * x + 2 * from > 0)
            low = x;
        else
            high = x;
    }
    return low;
}

static void test_disks_part(void **state)
{
    (void)state;
    assert_near(parting_cosine(0.5, 1), sqrt(3) - 1, 1e-15);
    for (int k = 0; k < 3; k++) {
        const double r = 0.3, R = 0.5, start = 0.1, m = 1.071, M = (double[]){1.071, 4.385, 0.385}[k];
        carom_scene_body bodies[3] = {disk(M, R, vec(0, R, 0)),
                                      disk(m, r, vec((R + r) * sin(start), R + (R + r) * cos(start), 0)),
                                      half_space(vec(0, 1, 0), 0)};
        carom_scene scene = planar(bodies, 3, 0);
        carom_sim *sim = sim_of(&scene);
        parting p = {0, 0};
        carom_sim_observer observer = {.after = note_parting, .context = &p};
        carom_sim_observe(sim, &observer);
        run_until(sim, 1, -1);
        assert_true(p.time > 0);
        assert_near(p.cosine, parting_cosine(m / (m + M), cos(start)), 1e-10);
        assert_near(carom_sim_energy(sim).momentum.x, 0, 1e-12);
        check_energy(sim);
        carom_sim_free(sim);
    }
}

/* With friction enough both disks roll, and no energy is lost. */
static void test_disks_roll(void **state)
{
    (void)state;
    const double r = 0.3, R = 0.5, start = 0.1;
    carom_scene_body bodies[3] = {disk(2.385, R, vec(0, R, 0)),
                                  disk(1.071, r, vec((R + r) * sin(start), R + (R + r) * cos(start), 0)),
                                  half_space(vec(0, 1, 0), 0)};
    carom_scene scene = planar(bodies, 3, 20);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 0.5, -1);
    carom_sim_state low = carom_sim_body(sim, 0), top = carom_sim_body(sim, 1);
    carom_vec3 n = carom_vec3_scale(1 / (R + r), carom_vec3_sub(top.position, low.position));
    carom_vec3 at_low = carom_vec3_add(low.velocity, carom_vec3_cross(low.omega, carom_vec3_scale(R, n)));
    carom_vec3 at_top = carom_vec3_sub(top.velocity, carom_vec3_cross(top.omega, carom_vec3_scale(r, n)));
    assert_int_equal(carom_sim_touch_count(sim), 2);
    assert_true(carom_vec3_length(top.velocity) > 0.1);
    assert_near(low.velocity.x, -R * low.omega.z, 1e-12);
    assert_near(carom_vec3_length(carom_vec3_sub(at_low, at_top)), 0, 1e-12);
    assert_near(carom_sim_energy(sim).after, carom_sim_energy(sim).before, 1e-11);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disks_part), cmocka_unit_test(test_disks_roll)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
