/* routh-newton, routh-poisson, routh-stronge: published numbers and edge cases. Reference numbers are 200-bit results
 * (see the vectors); none comes from this library. */
#include "support/incremental.h"

static const carom_csym baber = {20, -23, 31, 4, -7, 4};

/* ---- published numbers ---- */

static const carom_problem baber_start = {{20, -23, 31, 4, -7, 4}, {630, -780, -0.22}};

static void baber_four_rules(void **state)
{
    (void)state;
    static const struct {
        int law, first, phases;
        carom_cvec u, p;
    } row[] = {
        {STRONGE,
         0,
         2,
         {-18.304994337473403, -63.756583948322735, 3.1913459907895345},
         {-15.097023558772428, 25.635247711744007, 60.811543552021824}},
        {STRONGE,
         1,
         2,
         {-19.745733551960061, -62.177668612779918, 3.621840266361807},
         {-15.046322259997345, 25.802901103647773, 61.1618592579714}},
        {POISSON,
         0,
         1,
         {319.02037092842477, -439.05251813617537, 0.018219122674483283},
         {-8.4887456451386996, 10.962369867001907, 27.73244769306066}},
        {NEWTON,
         0,
         2,
         {8.5094733586847706, -93.977444095829355, 0.198},
         {-15.289090455862052, 23.58019245922015, 56.658927259497311}},
    };
    for (int i = 0; i < 4; i++) {
        carom_rule rule = rule_of(row[i].law, 0.9, 0.5);
        rule.options.phases = row[i].first;
        carom_outcome out = solved(&baber_start, &rule);
        assert_int_equal(out.phases.phases, row[i].phases);
        cvec_close(out.u_after, row[i].u.t1, row[i].u.t2, row[i].u.n, 1e-14 * 780);
        cvec_close(out.p, row[i].p.t1, row[i].p.t2, row[i].p.n, 1e-13 * 61);
    }
}

static void baber_path(void **state)
{
    (void)state;
    carom_rule rule = rule_of(STRONGE, 0.9, 0.5);
    carom_outcome out = solved(&baber_start, &rule);
    events_are(&out, "slide Z+ slide Z- slide Z+ slide end");
    close_to(seen_events[1].at.p.n, 14.596025101610874, 1e-12);
    close_to(seen_events[3].at.p.n, 29.830599607959666, 1e-12);
    close_to(seen_events[5].at.p.n, 55.980693697586091, 1e-12);
    close_to(out.phases.work_compression, -7.6748815916776367, 1e-12);
    close_to(out.phases.work_decompression, 6.2166540892588857, 1e-12);
    close_to(out.phases.work_friction, -15340.537179034458, 1e-10);
    close_to(out.energy.friction, -15340.537179034458, 1e-10);
    for (int i = 1; i < 6; i++)
        assert_true(seen_events[i].at.u.n == 0);
    assert_true(out.flags & CAROM_FLAG_JAM); /* Z-: friction pulled the contact in again */
}

/* Stronge's outcome jumps where the second compression is reached: a property of the model. */
static void baber_jump(void **state)
{
    (void)state;
    const double e = 0.51324758677720916, width = 1e-12;
    for (int first = 0; first < 2; first++) {
        carom_rule rule = rule_of(STRONGE, e - width, 0.5);
        rule.options.phases = first;
        carom_outcome out = solved(&baber_start, &rule);
        close_to(out.p.n, 29.8306, 1e-4);
        close_to(out.u_after.n, 0, 1e-5);
        assert_int_equal(out.phases.phases, 1);
        rule.coeffs.e = e + width;
        out = solved(&baber_start, &rule);
        close_to(out.p.n, first ? 60.9425 : 58.9105, 1e-4);
        close_to(out.u_after.n, first ? 3.3489 : 1.36556, 1e-4);
        assert_int_equal(out.phases.phases, 2);
    }
    carom_rule rule = rule_of(STRONGE, 1, 0.5);
    for (rule.options.phases = 0; rule.options.phases < 2; rule.options.phases++) {
        carom_outcome out = solved(&baber_start, &rule);
        close_to(out.p.n, 61.23429077, 1e-8);
        close_to(out.u_after.n, 3.714393824, 1e-9);
    }
}

/* Among sixteen starts around the circle exactly n = 10 ... 14 reach u_t = 0 and leave along the diverging ray. */
static void figure4_starts(void **state)
{
    (void)state;
    const double turn = acos(-1) / 8, ray = 86.668939286850 * acos(-1) / 180;
    carom_rule rule = rule_of(STRONGE, 0.5, 0.7);
    for (int n = 0; n < 16; n++) {
        carom_problem pb = {{20, 0, 4, 1, 6, 10}, {cos(n * turn), sin(n * turn), n % 2 ? -40 : -3}};
        carom_outcome out = solved(&pb, &rule);
        bool leaves = n >= 10 && n <= 14;
        events_are(&out, leaves ? "slide ray Z+ end" : "slide Z+ slide end");
        assert_string_equal(out.mode, leaves ? "C-reversal" : "sliding");
        if (leaves)
            close_to(atan2(out.u_after.t2, out.u_after.t1), ray, 1e-13);
    }
}

/* The smallest example of energy created by Newton's ending, and what the other two make of it. */
static void smallest_energy_gain(void **state)
{
    (void)state;
    const carom_problem pb = {{5, 0, 0, -2, 0, 1}, {2, 0, -1}};
    const double u_n[] = {1, 1.0 / 5, 1.0 / 3}, change[] = {2, -2.0 / 5, -2.0 / 9};
    for (int law = NEWTON; law <= STRONGE; law++) {
        carom_rule rule = rule_of(law, 1, 0.5);
        carom_outcome out = solved(&pb, &rule);
        assert_true(out.u_after.t1 == 0);
        close_to(out.u_after.n, u_n[law], 2 * EPS);
        close_to(out.energy.change, change[law], 8 * EPS);
        assert_int_equal(!!(out.flags & CAROM_FLAG_CREATES_ENERGY), law == NEWTON);
        assert_string_equal(out.phases.path, "a-b-e");
    }
    carom_rule rule = rule_of(NEWTON, 1, 0.5);
    carom_outcome out = solved(&pb, &rule);
    cvec_close(out.p, 2, 0, 6, 8 * EPS);
    assert_string_equal(out.mode, "C-sticking");
}

static void three_dimensional_energy_gain(void **state)
{
    (void)state;
    const carom_problem pb = {{117.10364139612481, -44.69764788838942, 249.08923535597572, -73.5114597549086,
                               -132.551399455375, 178.3441669477096},
                              {0.47866911666835316, 0.422283144870275, -1}};
    carom_rule rule = rule_of(NEWTON, 0.9754361627779673, 1.2916860960187315);
    carom_outcome out = solved(&pb, &rule);
    assert_true(out.u_after.t1 == 0 && out.u_after.t2 == 0 && out.u_after.n == 0.9754361627779673);
    close_to(out.energy.change / out.energy.before, 5.21, 5e-3);
    assert_true(out.flags & CAROM_FLAG_CREATES_ENERGY);
}

/* ---- the double pendulum: two bars, q1 absolute, q2 relative, the tip touches ---- */

typedef struct pendulum {
    double q1, q2, speed[2], mu, e;
    const char *path;
    double after[2], p[2], normal, friction;
} pendulum;

static void pendulum_impact(const pendulum *a, carom_outcome *out, double *after)
{
    double c = cos(a->q2), q12 = a->q1 + a->q2;
    const double M[] = {5.0 / 3 + c, 1.0 / 3 + c / 2, 1.0 / 3 + c / 2, 1.0 / 3};
    const double J[] = {-sin(a->q1) - sin(q12), -sin(q12), cos(a->q1) + cos(q12), cos(q12)};
    double work[CAROM_GENERALIZED_WORK(2)];
    carom_generalized mechanism = {2, 2, M, J, a->speed, work};
    carom_problem pb;
    assert_int_equal(carom_generalized_reduce(&mechanism, &pb), CAROM_STATUS_OK);
    carom_rule rule = rule_of(STRONGE, a->e, a->mu);
    *out = solved(&pb, &rule);
    carom_generalized_apply(&mechanism, out->p, after);
}

/* The worked cases of the reference, from 200-bit arithmetic. */
static const pendulum pendulums[] = {
    {-0.6,
     1.3,
     {-2.7, -3.3},
     1.01,
     0.79,
     "a-b-e",
     {2.8758252572548431, -0.35522838685385216},
     {3.7342625582499829, 7.8338256017921966},
     -4.5426044020877825,
     -0.94213183378577992},
    {-1.9,
     -1.1,
     {0.1, 4},
     0.83,
     0.35,
     "a-b-e",
     {0.22076937942133582, -1.7011695436310679},
     {-0.56220035601203588, 1.7711299977252748},
     -2.3182698863871134,
     -0.25941753379581806},
    {-0.9,
     -1.2,
     {-0.9, 4},
     0.22,
     0.53,
     "a-b-e",
     {0.61151775473556536, -1.7417009045004601},
     {-0.081279728998196341, 2.1116227838340063},
     -0.98267138177939073,
     -0.31653554097457826},
    {-2.4,
     0.1,
     {2.7, 2},
     0.16,
     0.61,
     "a-b-e",
     {5.0249747652013284, -14.480976913774544},
     {0.0032254714042159196, 5.3497240364107235},
     -4.8366112100978693,
     -1.921507802409113},
    {-1.2,
     -0.6,
     {0.6, 0.9},
     0.72,
     0.33,
     "a-c-e",
     {0.72996053099448521, 0.25501567568779543},
     {-0.091549179721077997, 0.12715163850149722},
     -0.0052558312788352794,
     -0.16751501321599424},
    {-2.6,
     -0.7,
     {1.9, -2.7},
     0.26,
     0.75,
     "a-c-e",
     {1.9549325170451937, -4.2878798535453821},
     {-0.13459917088278192, 0.5176891187799304},
     -0.05423471792098794,
     -0.16699934174642986},
    {-0.9, 0.9, {0, -0.8}, 0.41, 0.23, "a-c-e", {0, 0.184}, {0.13014238824614, 0.328}, -0.101024, 0},
    {-1.2,
     1.2,
     {0, -3.8},
     0.12,
     0.29,
     "a-c-e",
     {-0.091435112772456986, 1.2265673349170059},
     {0.19541735555710901, 1.6284779629759085},
     -2.1968167720545004,
     -0.0083268408956521985},
    {-1.7,
     -0.3,
     {1.3, 4},
     1.14,
     0.64,
     "a-c-d-e",
     {3.2025920175367384, -6.6952861705534046},
     {-1.460478181653339, 1.6678757313550325},
     -0.69087213382890433,
     -4.8807543712533166},
    {-0.5,
     0.8,
     {0.4, -2.8},
     0.56,
     0.22,
     "a-c-d-e",
     {0.078358891369468109, 0.22216722367304484},
     {-0.28246729209086296, 0.73759960807071601},
     -0.54655523790292815,
     -0.15834280412303406},
};

static void ten_double_pendulums(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        const pendulum *a = &pendulums[i];
        carom_outcome out;
        double after[2], size = fmax(1, fabs(a->after[1]));
        pendulum_impact(a, &out, after);
        assert_string_equal(out.phases.path, a->path);
        close_to(after[0], a->after[0], 4e-14 * size);
        close_to(after[1], a->after[1], 4e-14 * size);
        close_to(out.p.t1, a->p[0], 4e-14 * a->p[1]);
        close_to(out.p.n, a->p[1], 4e-14 * a->p[1]);
        close_to(out.energy.normal, a->normal, 4e-14 * fabs(a->normal));
        close_to(out.energy.friction, a->friction, 4e-14 * fmax(fabs(a->normal), fabs(a->friction)));
    }
}

/* q2 = 0: K has rank one, and sticking leaves u_n no freedom. */
static void straight_pendulum_jams(void **state)
{
    (void)state;
    const pendulum straight = {-0.9, 0, {-1.1, -0.7}, 3, 0.7, NULL, {0}, {0}, 0, 0};
    carom_outcome out;
    double after[2];
    pendulum_impact(&straight, &out, after);
    assert_true(out.flags & CAROM_FLAG_JAM);
    assert_true(out.u_after.t1 == 0 && out.u_after.n == 0);
    assert_true(out.phases.work_decompression <= 1e-30);
}

/* ---- edges ---- */

static void grazing_is_the_limit(void **state)
{
    (void)state;
    double b = sqrt(65);
    carom_problem pb = {baber, {400 / b, -700 / b, 0}};
    carom_rule rule = rule_of(STRONGE, 0.5, 0.5);
    carom_outcome out = solved(&pb, &rule);
    assert_int_equal(out.status, CAROM_STATUS_GRAZING);
    assert_true(out.flags & CAROM_FLAG_JAM);
    close_to(out.p.n, 4.2539488266, 1e-10);
    cvec_close(out.u_after, 5.61329, -37.51598, 0.108978, 1e-5);
    pb.u.n = -1e-13;
    cvec_close(solved(&pb, &rule).u_after, out.u_after.t1, out.u_after.t2, out.u_after.n, 1e-10);
    pb.u = carom_cvec_make(-400 / b, 700 / b, 0); /* the other way friction lifts: nothing happens */
    out = solved(&pb, &rule);
    assert_int_equal(out.status, CAROM_STATUS_GRAZING);
    assert_true(out.p.n == 0 && out.event_count == 0 && out.phases.phases == 0);
    assert_string_equal(out.mode, "no_impact");
}

static void static_friction_bounds_sticking_only(void **state)
{
    (void)state;
    const carom_problem pb = {{2, 0, 0, 1, 0, 3}, {-0.1, 0, -1}}; /* |b|/m = 1/2 */
    carom_rule rule = rule_of(STRONGE, 0.5, 0.3);
    assert_string_equal(solved(&pb, &rule).mode, "C-reversal");
    rule.coeffs.mu_s = 0.6;
    carom_outcome out = solved(&pb, &rule);
    assert_string_equal(out.mode, "C-sticking");
    assert_true(out.u_after.t1 == 0);
    carom_problem space = {{2, 0, 1.5, 1, 0, 3}, {-0.1, 0, -1}};
    carom_outcome same = solved(&space, &rule);
    cvec_close(same.p, out.p.t1, 0, out.p.n, 4 * EPS);
    rule.coeffs.mu_s = 0.2;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_BAD_COEFFICIENT);
}

static void without_friction_all_are_newton(void **state)
{
    (void)state;
    const carom_problem pb = {{20, 0, 4, 1, 6, 10}, {1, 2, -1}};
    for (int law = NEWTON; law <= STRONGE; law++) {
        carom_rule rule = rule_of(law, 0.8, 0);
        carom_outcome out = solved(&pb, &rule);
        cvec_close(out.p, 0, 0, 0.18, 2 * EPS);
        cvec_close(out.u_after, 1.18, 3.08, 0.8, 8 * EPS);
        events_are(&out, "slide Z+ end");
    }
}

/* However large mu: slip stops at once, and friction takes u_t^2 / (2 K_tt) while it lasts; no square of mu is formed.
 */
static void huge_friction_stops_slip_at_once(void **state)
{
    (void)state;
    const carom_problem pb = {{3, 0, 0, 1, 0, 1}, {1, 0, -1}};
    for (int law = NEWTON; law <= STRONGE; law++)
        for (double mu = 1e10; mu < 1e300; mu *= 1e10) {
            carom_rule rule = rule_of(law, 0.5, mu);
            carom_outcome out = solved(&pb, &rule);
            assert_string_equal(out.mode, "C-sticking");
            close_to(out.energy.friction, -1.0 / 6, 1e-9);
            close_to(seen_events[0].at.work_friction, 0, 0);
            close_to(out.energy.change, out.energy.normal + out.energy.friction, 8 * EPS);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baber_four_rules),
        cmocka_unit_test(baber_path),
        cmocka_unit_test(baber_jump),
        cmocka_unit_test(figure4_starts),
        cmocka_unit_test(smallest_energy_gain),
        cmocka_unit_test(three_dimensional_energy_gain),
        cmocka_unit_test(ten_double_pendulums),
        cmocka_unit_test(straight_pendulum_jams),
        cmocka_unit_test(grazing_is_the_limit),
        cmocka_unit_test(static_friction_bounds_sticking_only),
        cmocka_unit_test(without_friction_all_are_newton),
        cmocka_unit_test(huge_friction_stops_slip_at_once),
    };
    return cmocka_run_group_tests_name("incremental", tests, NULL, NULL);
}
