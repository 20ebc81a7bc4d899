/* Painleve's rod: a thin rod of mass 1 and length 2 l leans at the angle theta, and its tip skids over a floor. With
 * s = sin theta and c = cos theta, tip velocities change by K p, K_tt = 1 + 3 s^2, K_nn = 1 + 3 c^2, K_tn = -3 s c.
 * Skidding away from its middle, the normal response to a load with its friction is k = K_nn - 3 mu s c, and without
 * contact the tip accelerates by b = -g + l omega^2 s. */
#include "sim/scenes.h"

#define G 9.81
static const double l = 0.5;

typedef struct rod_case {
    double theta, mu, e, slip, omega;
} rod_case;

typedef struct rod_log {
    int impacts, leaves;
    double t;
    carom_cvec u, u_after;
} rod_log;

static bool note(void *context, const carom_sim_event *event)
{
    rod_log *log = context;
    log->leaves += event->kind == CAROM_SIM_EVENT_LEAVE;
    bool is_rounding = event->kind == CAROM_SIM_EVENT_IMPACT && event->contacts[0].p.n < 1e-12; /* of the start */
    if (event->kind != CAROM_SIM_EVENT_IMPACT || is_rounding || log->impacts++)
        return true;
    log->t = event->time;
    log->u = event->contacts[0].problem.u;
    log->u_after = event->outcome->u_after;
    return true;
}

/* The tip begins at the origin with velocity (-slip, 0). */
static carom_scene_body skidding_rod(const rod_case *x)
{
    const carom_shape rod = {CAROM_SHAPE_ROD, {2 * l, 0, 0}};
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = rod}};
    double s = sin(x->theta), c = cos(x->theta);
    carom_quat along_x = {sqrt(0.5), 0, sqrt(0.5), 0}, turned = {cos(x->theta / 2), 0, 0, sin(x->theta / 2)};
    b.def = carom_shape_body(&rod, 1);
    b.def.position = vec(l * c, l * s, 0);
    b.def.orientation =
        (carom_quat){turned.w * along_x.w, -turned.z * along_x.y, turned.w * along_x.y, turned.z * along_x.w};
    b.def.velocity = vec(-x->slip - l * s * x->omega, l * c * x->omega, 0);
    b.def.omega = vec(0, 0, x->omega);
    return b;
}

static rod_log skid(const rod_case *x, double time)
{
    rod_log log = {0};
    carom_scene_body bodies[2] = {skidding_rod(x), half_space(vec(0, 1, 0), 0)};
    carom_scene scene = scene_of(bodies, 2, "routh-poisson", x->e, x->mu);
    scene.gravity = vec(0, -G, 0);
    carom_sim *sim = sim_of(&scene);
    carom_sim_observer o = {NULL, note, &log};
    carom_sim_observe(sim, &o);
    run_until(sim, time, -1);
    assert_near(carom_sim_energy(sim).residual, 0, 1e-13);
    carom_sim_free(sim);
    return log;
}

static uint64_t seed = 1895;

static rod_case draw_case(void)
{
    rod_case x = {random_between(&seed, 0.8, 1.35), random_between(&seed, 1.4, 3), random_between(&seed, 0, 1),
                  random_between(&seed, 0.1, 4), random_between(&seed, -5, 8)};
    return x;
}

static double response(const rod_case *x)
{
    double s = sin(x->theta), c = cos(x->theta);
    return 1 + 3 * c * c - 3 * x->mu * s * c;
}

static double fall(const rod_case *x)
{
    return -G + l * x->omega * x->omega * sin(x->theta);
}

/* k < 0, b < 0: no force stops the tip. The impulse skids until the slip is over, sticks until compression ends, and
 * rebounds by Poisson's rule. */
static void test_jams(void **state)
{
    (void)state;
    for (int n = 0; n < 200;) {
        rod_case x = draw_case();
        double s = sin(x.theta), c = cos(x.theta), k = response(&x);
        if (k > -0.01 || fall(&x) > -0.1)
            continue;
        n++;
        double skids = x.slip / (x.mu * (1 + 3 * s * s) - 3 * s * c);
        double sticks = 1 + 3 * c * c - 9 * s * s * c * c / (1 + 3 * s * s), pressed = skids - k * skids / sticks;
        rod_log log = skid(&x, 1e-3);
        assert_int_equal(log.impacts, 1);
        assert_near(log.t, 0, 1e-14);
        assert_near(log.u.n, 0, 1e-13);
        assert_near(log.u_after.t1, 0, 1e-12);
        assert_near(log.u_after.n, x.e * pressed * sticks, 2e-13 * x.slip);
    }
}

/* k < 0, b > 0: the tip may leave, and does. */
static void test_lifts(void **state)
{
    (void)state;
    for (int n = 0; n < 50;) {
        rod_case x = draw_case();
        if (response(&x) > -0.01 || fall(&x) < 0.1)
            continue;
        n++;
        assert_int_equal(skid(&x, 1e-3).impacts, 0);
    }
}

/* k > 0, b < 0: friction and load have their values, b / k, and nothing jumps. */
static void test_skids(void **state)
{
    (void)state;
    for (int n = 0; n < 50;) {
        rod_case x = draw_case();
        if (response(&x) < 0.1 || fall(&x) > -0.1)
            continue;
        n++;
        rod_log log = skid(&x, 1e-4);
        assert_int_equal(log.impacts + log.leaves, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jams), cmocka_unit_test(test_lifts),
                                       cmocka_unit_test(test_skids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
