/* Coins, cylinders and disks that fall over from their rims: they land flat, or rock. */
#include "core/rotate.h"
#include "core/vectors.h"
#include "sim/scenes.h"

static const double right_angle = 1.5707963267948966;

/* On the lowest point of its rim, its plane so far from upright, falling towards a side; the body is turned by own
 * about its axis. */
static carom_scene_body leaning(double length, double lean, double side, double own)
{
    const carom_shape shape = {length > 0 ? CAROM_SHAPE_CYLINDER : CAROM_SHAPE_DISK, {0.1, length}};
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    double h = 0.5 * length, x = 0.1 * sin(lean) - h * cos(lean);
    carom_quat down = quat_about(vec(0, 1, 0), lean - right_angle), turn = quat_about(vec(0, 0, 1), own);
    b.def = carom_shape_body(&shape, 1);
    b.def.orientation = quat_multiply(quat_about(vec(0, 0, 1), side), quat_multiply(down, turn));
    b.def.position = vec(x * cos(side), x * sin(side), 0.1 * cos(lean) + h * sin(lean));
    return b;
}

static bool note_time(void *context, const carom_sim_event *event)
{
    double *t = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && *t == 0)
        *t = event->time;
    return true;
}

/* From rest, about the point of the rim that holds, or with the middle straight down on ice. References: the integral
 * of dphi/omega, with omega from the energy, by quadrature with 30 digits. e = 0: it lies there. */
static void test_falls_flat(void **state)
{
    (void)state;
    static const struct {
        double length, lean, mu, time;
    } cases[] = {{0.02, 0.2, 0, 0.232475854213549848},  {0, 0.2, 0, 0.207156327020395481},
                 {0.02, 0.9, 10, 0.148383074475042873}, {0.02, 0.9, 0, 0.129173423915785482},
                 {0.15, 0.9, 10, 0.253408140365164022}, {0.15, 0.9, 0, 0.155445385648808232},
                 {0, 0.9, 10, 0.142805231914483287},    {0, 0.9, 0, 0.129514752226366559},
                 {0.02, 1.2, 10, 0.10191833959083647},  {0.15, 1.2, 10, 0.14495417013601312},
                 {0.15, 1.2, 0, 0.10483236132404711},   {0, 1.2, 10, 0.0997387421981589797}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (int way = 0; way < 4; way++) {
            double lands = 0, length = cases[k].length;
            carom_scene_body bodies[2] = {leaning(length, cases[k].lean, 0.7 * way, way % 2 ? 0.3 * way : 0),
                                          half_space(vec(0, 0, 1), 0)};
            carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, cases[k].mu);
            scene.gravity = vec(0, 0, -9.81);
            carom_sim *sim = sim_of(&scene);
            carom_sim_observer o = {NULL, note_time, &lands};
            carom_sim_observe(sim, &o);
            run_until(sim, 0.5, -1);
            carom_sim_state s = carom_sim_body(sim, 0);
            assert_near(lands, cases[k].time, 1e-9);
            assert_true(s.road == CAROM_SIM_ROAD_EXACT ||
                        (way % 2 && s.since >= lands)); /* it rocks on beside its feet */
            assert_near(s.position.z, 0.5 * length, 1e-9);
            assert_near(carom_sim_energy(sim).residual, 0, 1e-13);
            carom_sim_free(sim);
        }
}

/* A cylinder that rocks on its rim, from one side to the other, until it stands: turned about the vertical alike. */
static void test_rocks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    double rests[2] = {0, 0};
    for (int n = 0; n < draws(20); n++)
        for (int way = 0; way < 2; way++) {
            const carom_shape shape = {CAROM_SHAPE_CYLINDER, {0.05, 0.3}};
            carom_scene_body bodies[2] = {{.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}},
                                          half_space(vec(0, 0, 1), 0)};
            carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 0.6);
            scene.gravity = vec(0, 0, -9.81);
            carom_body_def *b = &bodies[0].def;
            *b = carom_shape_body(&shape, 1);
            carom_quat turn = quat_about(vec(0, 0, 1), way ? random_between(&seed, 0, 6) : 0);
            b->orientation = turn;
            b->position = vec(0, 0, 0.15);
            b->omega = quat_turn(turn, vec(0, 0.8, 0));
            b->velocity = quat_turn(turn, vec(0.12, 0, 0));
            carom_sim *sim = sim_of(&scene);
            run_until(sim, 2, -1);
            carom_sim_state s = carom_sim_body(sim, 0);
            assert_true(s.road == CAROM_SIM_ROAD_EXACT && s.since == 0);
            assert_near(s.position.z, 0.15, 1e-12);
            assert_near(carom_vec3_length(s.velocity), 0, 0);
            rests[way] = hypot(s.position.x, s.position.y);
            if (way)
                assert_near(rests[1], rests[0], 1e-11);
            carom_sim_free(sim);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_falls_flat), cmocka_unit_test(test_rocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
