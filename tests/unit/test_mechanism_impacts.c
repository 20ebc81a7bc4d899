/* Published impacts of mechanisms, from coordinates and speeds alone. */
#include "support/check.h"
#include "support/trees.h"

static tree t;

typedef struct worked {
    const char *path;
    double q[2], qdot[2], mu, e;
    double after[2], p_t, p_n, E_n, E_f;
} worked;

/* Two equal bars, m = r = 1, the tip strikes the floor: 200-bit answers (Morgan's paths). */
static const worked cases[] = {
    {"a-b-e",
     {-0.6, 1.3},
     {-2.7, -3.3},
     1.01,
     0.79,
     {2.8758252572548431, -0.35522838685385216},
     3.7342625582499829,
     7.8338256017921966,
     -4.5426044020877825,
     -0.94213183378577992},
    {"a-b-e",
     {-1.9, -1.1},
     {0.1, 4},
     0.83,
     0.35,
     {0.22076937942133582, -1.7011695436310679},
     -0.56220035601203588,
     1.7711299977252748,
     -2.3182698863871134,
     -0.25941753379581806},
    {"a-b-e",
     {-0.9, -1.2},
     {-0.9, 4},
     0.22,
     0.53,
     {0.61151775473556536, -1.7417009045004601},
     -0.081279728998196341,
     2.1116227838340063,
     -0.98267138177939073,
     -0.31653554097457826},
    {"a-b-e",
     {-2.4, 0.1},
     {2.7, 2},
     0.16,
     0.61,
     {5.0249747652013284, -14.480976913774544},
     0.0032254714042159196,
     5.3497240364107235,
     -4.8366112100978693,
     -1.921507802409113},
    {"a-c-e",
     {-1.2, -0.6},
     {0.6, 0.9},
     0.72,
     0.33,
     {0.72996053099448521, 0.25501567568779543},
     -0.091549179721077997,
     0.12715163850149722,
     -0.0052558312788352794,
     -0.16751501321599424},
    {"a-c-e",
     {-2.6, -0.7},
     {1.9, -2.7},
     0.26,
     0.75,
     {1.9549325170451937, -4.2878798535453821},
     -0.13459917088278192,
     0.5176891187799304,
     -0.05423471792098794,
     -0.16699934174642986},
    {"a-c-e", {-0.9, 0.9}, {0, -0.8}, 0.41, 0.23, {0, 0.184}, 0.13014238824614, 0.328, -0.101024, 0},
    {"a-c-e",
     {-1.2, 1.2},
     {0, -3.8},
     0.12,
     0.29,
     {-0.091435112772456986, 1.2265673349170059},
     0.19541735555710901,
     1.6284779629759085,
     -2.1968167720545004,
     -0.0083268408956521985},
    {"a-c-d-e",
     {-1.7, -0.3},
     {1.3, 4},
     1.14,
     0.64,
     {3.2025920175367384, -6.6952861705534046},
     -1.460478181653339,
     1.6678757313550325,
     -0.69087213382890433,
     -4.8807543712533166},
    {"a-c-d-e",
     {-0.5, 0.8},
     {0.4, -2.8},
     0.56,
     0.22,
     {0.078358891369468109, 0.22216722367304484},
     -0.28246729209086296,
     0.73759960807071601,
     -0.54655523790292815,
     -0.15834280412303406},
};

#define WORKED_TOL 1e-13 /* of the largest speed, impulse or work */

static void strike(const worked *w, carom_touch *touch, carom_outcome *out)
{
    carom_vec3 tip = {1, 0, 0}, up = {0, 1, 0};
    carom_problem pb;
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    for (int k = 0; k < 2; k++) {
        t.q[k] = w->q[k];
        t.qdot[k] = w->qdot[k];
    }
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_init(&t.motion, 1, tip, up, touch), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_reduce(touch, &pb), CAROM_STATUS_OK);
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.mu = w->mu;
    rule.coeffs.e = w->e;
    assert_int_equal(carom_solve(&pb, &rule, NULL, out), CAROM_STATUS_OK);
}

static void test_ten_double_pendulum_impacts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const worked *w = &cases[i];
        carom_touch touch;
        carom_outcome out;
        strike(w, &touch, &out);
        double T = carom_motion_kinetic(&t.motion);
        carom_touch_apply(&touch, out.p);
        double speed = fmax(fmax(fabs(w->after[0]), fabs(w->after[1])), fmax(fabs(w->qdot[0]), fabs(w->qdot[1])));
        double work = fmax(fabs(w->E_n), fabs(w->E_f));
        assert_near(t.qdot[0], w->after[0], speed, WORKED_TOL);
        assert_near(t.qdot[1], w->after[1], speed, WORKED_TOL);
        assert_near(out.p.t1, w->p_t, w->p_n, WORKED_TOL);
        assert_near(out.p.n, w->p_n, w->p_n, WORKED_TOL);
        assert_true(out.p.t2 == 0);
        assert_near(out.energy.normal, w->E_n, work, WORKED_TOL);
        assert_near(out.energy.friction, w->E_f, work, WORKED_TOL);
        assert_string_equal(out.phases.path, w->path);
        assert_near(carom_motion_kinetic(&t.motion) - T, w->E_n + w->E_f, T, 10 * WORKED_TOL);
    }
}

/* Thesis, section 7.5, in the limit of a pin: a one-link mechanism whose tip can move in one direction only. u = (cos,
 * -sin) of pi/10 along (t, n). */
static carom_problem pinned(carom_touch *touch)
{
    const double theta = 3.14159265358979323846 / 10;
    t.defs[0] = carom_link_def_default();
    t.defs[0].com = carom_vec3_make(1, 0, 0);
    t.defs[0].inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    t.q[0] = -3.14159265358979323846 / 2 - theta;
    t.qdot[0] = 1;
    carom_problem pb;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_init(&t.motion, 0, carom_vec3_make(1, 0, 0), carom_vec3_make(0, 1, 0), touch),
                     CAROM_STATUS_OK);
    assert_int_equal(carom_touch_reduce(touch, &pb), CAROM_STATUS_OK);
    assert_near(pb.u.n, -sin(theta), 1, 1e-15);
    assert_near(pb.u.t1, cos(theta), 1, 1e-15);
    return pb;
}

static void test_pinned_pendulum(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double
            after; /* of its one speed: 0 stops, -0.8 returns; 1: the limit of a heavy pendulum has no finite impulse */
    } rows[] = {
        {"newton", -0.8},        {"brach", -0.8},
        {"whittaker", 1},        {"smith", -0.8},
        {"ivanov", -0.8},        {"chatterjee-velocity", -0.8},
        {"chatterjee-mix", 1},   {"chatterjee-momentum", -0.8},
        {"routh-newton", 0},     {"chatterjee-rebound", 1},
        {"routh-poisson", 0},    {"routh-stronge", 0},
        {"pfeiffer-glocker", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_touch touch;
        carom_problem pb = pinned(&touch);
        carom_rule rule = carom_rule_default(carom_law_find(rows[i].law));
        carom_outcome out;
        rule.coeffs.e = 0.8;
        rule.coeffs.mu = 0.5;
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        assert_int_equal(status, rows[i].after == 1 ? CAROM_STATUS_UNBOUNDED : CAROM_STATUS_OK);
        carom_touch_apply(&touch, out.p);
        assert_near(t.qdot[0], rows[i].after, 1, 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ten_double_pendulum_impacts),
        cmocka_unit_test(test_pinned_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
