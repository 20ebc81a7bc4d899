/* routh-newton, routh-poisson, routh-stronge: published numbers, edge cases, invariances, and a random corpus.
 * Reference numbers are 200-bit results (see the vectors); none comes from this library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/body.h"
#include "carom/generalized.h"
#include "carom/solve.h"

#define EPS 0x1p-52

static const char *const laws[] = {"routh-newton", "routh-poisson", "routh-stronge"};
enum { NEWTON, POISSON, STRONGE };

static const carom_csym baber = {20, -23, 31, 4, -7, 4};

static carom_rule rule_of(int law, double e, double mu)
{
    carom_rule rule = carom_rule_default(carom_law_find(laws[law]));
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    return rule;
}

static carom_outcome solved(const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    carom_status status = carom_solve(pb, rule, NULL, &out);
    assert_true(carom_status_is_answer(status));
    return out;
}

static void close_to(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance))
        fail_msg("%.17g is not %.17g to %.1e", x, y, tolerance);
}

static void cvec_close(carom_cvec x, double t1, double t2, double n, double tolerance)
{
    close_to(x.t1, t1, tolerance);
    close_to(x.t2, t2, tolerance);
    close_to(x.n, n, tolerance);
}

static void events_are(const carom_outcome *out, const char *words)
{
    char text[256] = "";
    for (int i = 0; i < out->event_count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, carom_event_word(out->events[i].kind));
    }
    assert_string_equal(text, words);
}

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
    close_to(out.events[1].at.p.n, 14.596025101610874, 1e-12);
    close_to(out.events[3].at.p.n, 29.830599607959666, 1e-12);
    close_to(out.events[5].at.p.n, 55.980693697586091, 1e-12);
    close_to(out.phases.work_compression, -7.6748815916776367, 1e-12);
    close_to(out.phases.work_restitution, 6.2166540892588857, 1e-12);
    close_to(out.phases.work_friction, -15340.537179034458, 1e-10);
    close_to(out.energy.friction, -15340.537179034458, 1e-10);
    for (int i = 1; i < 6; i++)
        assert_true(out.events[i].at.u.n == 0);
    assert_true(out.flags & CAROM_JAM); /* Z-: friction pulled the contact in again */
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

/* Of sixteen starts around the circle exactly n = 10 ... 14 reach u_t = 0 and leave along the diverging ray. */
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
        assert_int_equal(!!(out.flags & CAROM_CREATES_ENERGY), law == NEWTON);
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
    assert_true(out.flags & CAROM_CREATES_ENERGY);
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
    assert_int_equal(carom_generalized_reduce(&mechanism, &pb), CAROM_OK);
    carom_rule rule = rule_of(STRONGE, a->e, a->mu);
    *out = solved(&pb, &rule);
    carom_generalized_apply(&mechanism, out->p, after);
}

static void ten_double_pendulums(void **state)
{
    (void)state;
    static const pendulum table[] = {
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
    for (int i = 0; i < 10; i++) {
        const pendulum *a = &table[i];
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
    assert_true(out.flags & CAROM_JAM);
    assert_true(out.u_after.t1 == 0 && out.u_after.n == 0);
    assert_true(out.phases.work_restitution <= 1e-30);
}

/* ---- edges ---- */

static void grazing_is_the_limit(void **state)
{
    (void)state;
    double b = sqrt(65);
    carom_problem pb = {baber, {400 / b, -700 / b, 0}};
    carom_rule rule = rule_of(STRONGE, 0.5, 0.5);
    carom_outcome out = solved(&pb, &rule);
    assert_int_equal(out.status, CAROM_GRAZING);
    assert_true(out.flags & CAROM_JAM);
    close_to(out.p.n, 4.2539488266, 1e-10);
    cvec_close(out.u_after, 5.61329, -37.51598, 0.108978, 1e-5);
    pb.u.n = -1e-13;
    cvec_close(solved(&pb, &rule).u_after, out.u_after.t1, out.u_after.t2, out.u_after.n, 1e-10);
    pb.u = carom_cvec_make(-400 / b, 700 / b, 0); /* the other way friction lifts: nothing happens */
    out = solved(&pb, &rule);
    assert_int_equal(out.status, CAROM_GRAZING);
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
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_BAD_COEFFICIENT);
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

/* ---- invariances ---- */

static uint64_t seed;

static double uniform(double a, double b)
{
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return a + (b - a) * ((double)(z >> 11) * 0x1p-53);
}

static double sign(void)
{
    return uniform(0, 1) < 0.5 ? -1 : 1;
}

static double log_uniform(double a, double b)
{
    return pow(10, uniform(a, b));
}

/* K = sum of l v v^T over three random directions, with l down to 10^-span: cond K up to about 10^span. */
static carom_csym random_K(double span)
{
    carom_csym K = {0};
    for (int i = 0; i < 3; i++) {
        double a = uniform(-1, 1), b = uniform(-1, 1), c = uniform(-1, 1), l = i ? log_uniform(-span, 0) : 1;
        K.t11 += l * a * a;
        K.t12 += l * a * b;
        K.t22 += l * b * b;
        K.t1n += l * a * c;
        K.t2n += l * b * c;
        K.nn += l * c * c;
    }
    return K;
}

/* The same plus a mass: cond K of bodies, at most about 15, so that rounding of turned axes stays rounding. */
static carom_csym sturdy_K(void)
{
    carom_csym K = random_K(1);
    K.t11 += 0.25;
    K.t22 += 0.25;
    K.nn += 0.25;
    return K;
}

/* mu at which u_t = 0 is on the border between sticking and leaving: |M^-1 b|. */
static double stick_threshold(const carom_csym *K)
{
    double det = K->t11 * K->t22 - K->t12 * K->t12;
    return hypot(K->t22 * K->t1n - K->t12 * K->t2n, K->t11 * K->t2n - K->t12 * K->t1n) / det;
}

static void frame_independence(void **state)
{
    (void)state;
    seed = 41;
    for (int i = 0; i < 300; i++) {
        carom_problem pb = {sturdy_K(), {uniform(-3, 3), uniform(-3, 3), -log_uniform(-2, 1)}};
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 2));
        double x = uniform(0, 6.25);
        carom_direction d = {cos(x), sin(x)};
        carom_problem turned = carom_problem_turned(&pb, d);
        carom_outcome a = solved(&pb, &rule), b = solved(&turned, &rule);
        double speed = 3 + fabs(pb.u.n) + fabs(a.u_after.n), size = fabs(a.p.n) * (1 + rule.coeffs.mu);
        cvec_close(a.p, d.c * b.p.t1 - d.s * b.p.t2, d.s * b.p.t1 + d.c * b.p.t2, b.p.n, 1e-13 * size);
        cvec_close(a.u_after, d.c * b.u_after.t1 - d.s * b.u_after.t2, d.s * b.u_after.t1 + d.c * b.u_after.t2,
                   b.u_after.n, 1e-13 * speed);
    }
}

static carom_vec3 random_vec3(void)
{
    return carom_vec3_make(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
}

/* The impact of two bodies; arms and normal in arms. */
static carom_outcome seen_from(const carom_body_def *a, const carom_body_def *b, const carom_vec3 *arms,
                               const carom_rule *rule)
{
    carom_body A, B;
    carom_contact contact;
    carom_problem pb;
    assert_int_equal(carom_body_init(a, &A), CAROM_OK);
    assert_int_equal(carom_body_init(b, &B), CAROM_OK);
    assert_int_equal(carom_contact_init(arms[0], arms[1], arms[2], &contact), CAROM_OK);
    assert_int_equal(carom_bodies_reduce(&A, &B, &contact, &pb), CAROM_OK);
    return solved(&pb, rule);
}

static carom_vec3 turned_vec3(const carom_vec3 *axis, carom_vec3 v)
{
    return carom_vec3_make(carom_vec3_dot(axis[0], v), carom_vec3_dot(axis[1], v), carom_vec3_dot(axis[2], v));
}

static void turn_body(const carom_vec3 *axis, carom_body_def *d)
{
    const carom_sym3 I = d->inertia;
    carom_vec3 x = turned_vec3(axis, carom_sym3_apply(I, axis[0])), y = turned_vec3(axis, carom_sym3_apply(I, axis[1]));
    carom_vec3 z = turned_vec3(axis, carom_sym3_apply(I, axis[2]));
    d->inertia = (carom_sym3){x.x, x.y, x.z, y.y, y.z, z.z};
    d->velocity = turned_vec3(axis, d->velocity);
    d->omega = turned_vec3(axis, d->omega);
}

static carom_body_def random_body(void)
{
    carom_body_def d = carom_body_def_default();
    d.mass = uniform(0.5, 2);
    d.inertia = (carom_sym3){uniform(0.3, 0.5), 0.05, -0.02, uniform(0.3, 0.5), 0.03, uniform(0.3, 0.5)};
    d.velocity = random_vec3();
    d.omega = random_vec3();
    return d;
}

static void world_axes(void **state)
{
    (void)state;
    seed = 61;
    for (int i = 0; i < 200; i++) {
        carom_frame old, frame;
        carom_vec3 normal = random_vec3(), turn = random_vec3();
        normal = carom_vec3_scale(1 / carom_vec3_length(normal), normal);
        assert_int_equal(carom_frame_init(carom_vec3_scale(1 / carom_vec3_length(turn), turn), &frame), CAROM_OK);
        assert_int_equal(carom_frame_init(normal, &old), CAROM_OK);
        const carom_vec3 axis[] = {frame.t1, frame.t2, frame.n}, arms[] = {random_vec3(), random_vec3(), normal};
        carom_body_def a = random_body(), b = random_body();
        a.velocity = carom_vec3_sub(a.velocity, carom_vec3_scale(4, normal));
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 1.5));
        carom_outcome here = seen_from(&a, &b, arms, &rule);
        carom_vec3 far[3], p = turned_vec3(axis, carom_frame_to_world(old, here.p));
        for (int k = 0; k < 3; k++)
            far[k] = turned_vec3(axis, arms[k]);
        turn_body(axis, &a);
        turn_body(axis, &b);
        carom_outcome there = seen_from(&a, &b, far, &rule);
        assert_int_equal(carom_frame_init(far[2], &frame), CAROM_OK);
        carom_vec3 q = carom_frame_to_world(frame, there.p);
        close_to(carom_vec3_length(carom_vec3_sub(p, q)), 0, 1e-13 * carom_vec3_length(p));
        close_to(here.energy.change, there.energy.change, 1e-13 * (1 + fabs(here.energy.change)));
    }
}

/* The closed form of an isotropic block, and the general flow of one that is off by 1e-11, agree to as much. */
static void isotropic_block_is_a_limit(void **state)
{
    (void)state;
    seed = 43;
    for (int i = 0; i < 300; i++) {
        double m = log_uniform(-1, 1), k = log_uniform(-1, 1), b = sqrt(m * k) * uniform(0, 0.9), x = uniform(0, 6.25);
        carom_problem pb = {{m, 0, m, b * cos(x), b * sin(x), k},
                            {uniform(-2, 2), uniform(-2, 2), -log_uniform(-1, 1)}};
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 1.5));
        carom_outcome round = solved(&pb, &rule);
        pb.K.t22 *= 1 + 1e-11;
        carom_outcome flow = solved(&pb, &rule);
        if (round.phases.phases != flow.phases.phases)
            continue; /* at a jump of the model */
        double size = round.p.n * (1 + rule.coeffs.mu);
        cvec_close(round.p, flow.p.t1, flow.p.t2, flow.p.n, 1e-9 * size);
        close_to(round.phases.work_friction, flow.phases.work_friction, 1e-9 * size * (2 + fabs(pb.u.n)));
    }
}

static void continuous_at_the_stick_threshold(void **state)
{
    (void)state;
    const double steps[] = {1e-14, 1e-11, 1e-8, 1e-5};
    seed = 47;
    for (int i = 0; i < 200; i++) {
        carom_problem pb = {sturdy_K(), {0, 0, -log_uniform(-1, 1)}};
        double mu = stick_threshold(&pb.K), slip = i % 2 ? log_uniform(-6, -1) : 0, x = uniform(0, 6.25);
        if (!(mu < 3))
            continue;
        pb.u.t1 = slip * cos(x);
        pb.u.t2 = slip * sin(x);
        carom_rule rule = rule_of(i % 3, 0.7, mu);
        carom_outcome at = solved(&pb, &rule);
        for (int k = 0; k < 8; k++) {
            double step = steps[k / 2];
            rule.coeffs.mu = mu * (1 + (k % 2 ? step : -step));
            carom_outcome near = solved(&pb, &rule);
            double loose = 300 * step + 1e-12;
            cvec_close(near.p, at.p.t1, at.p.t2, at.p.n, loose * (1 + mu) * at.p.n);
        }
    }
}

/* ---- the path ---- */

typedef struct watch {
    carom_problem pb;
    carom_state last, reached[64];
    carom_event_kind kind[64];
    int pieces, events;
    double mu;
} watch;

static void states_agree(const carom_state *a, const carom_state *b, const watch *w)
{
    double speed = fabs(w->pb.u.t1) + fabs(w->pb.u.t2) + fabs(w->pb.u.n), size = fabs(a->p.n) * (1 + w->mu);
    speed += size * (w->pb.K.t11 + w->pb.K.t22 + w->pb.K.nn);
    cvec_close(a->p, b->p.t1, b->p.t2, b->p.n, 1e-13 * size);
    cvec_close(a->u, b->u.t1, b->u.t2, b->u.n, 1e-13 * speed);
    close_to(a->work_normal, b->work_normal, 1e-13 * size * speed);
    close_to(a->work_friction, b->work_friction, 1e-13 * size * speed);
}

static void see_event(void *context, const carom_event *event)
{
    watch *w = context;
    states_agree(&event->at, &w->last, w); /* events lie at the ends of pieces */
    w->kind[w->events] = event->kind;
    w->reached[w->events++] = event->at;
}

static void see_piece(void *context, const carom_piece *piece)
{
    watch *w = context;
    carom_state s, before;
    piece->at(piece, 0, &s);
    states_agree(&s, &w->last, w);
    close_to(piece->p_n[0], s.p.n, 1e-14 * s.p.n);
    for (int i = 1; i <= 8; i++) {
        before = s;
        piece->at(piece, i / 8.0, &s);
        carom_cvec u = carom_cvec_add(w->pb.u, carom_csym_apply(w->pb.K, s.p)); /* u = u_0 + K p all the way */
        carom_state same = s;
        same.u = u;
        states_agree(&s, &same, w);
        assert_true(s.p.n >= before.p.n && s.work_friction <= before.work_friction);
        double mid = 0.5 * (s.u.n + before.u.n) * (s.p.n - before.p.n);
        if (strcmp(piece->mode, "stick") == 0) /* there u_n is linear in p_n */
            close_to(s.work_normal - before.work_normal, mid, 1e-12 * fabs(s.work_normal) + 1e-300);
    }
    close_to(piece->p_n[1], s.p.n, 1e-14 * s.p.n);
    w->last = s;
    w->pieces++;
}

static void tracer_sees_the_whole_path(void **state)
{
    (void)state;
    seed = 53;
    for (int i = 0; i < 400; i++) {
        watch w = {.mu = uniform(0.05, 2)};
        double u_n = -log_uniform(-2, 1);
        w.pb.K = random_K(2);
        w.pb.u = carom_cvec_make(uniform(-1, 1), uniform(-1, 1), u_n);
        if (i == 0)
            w.pb = baber_start;
        if (i % 7 == 6)
            w.pb.K.t12 = w.pb.K.t22 = w.pb.K.t2n = w.pb.u.t2 = 0;
        w.last.u = w.pb.u;
        carom_rule rule = rule_of(i % 3, uniform(0, 1), w.mu);
        carom_tracer tracer = {see_event, see_piece, &w};
        carom_outcome out;
        assert_int_equal(carom_solve(&w.pb, &rule, &tracer, &out), CAROM_OK);
        assert_int_equal(w.events, out.event_count);
        for (int k = 0; k < w.events && k < CAROM_EVENTS_KEPT; k++)
            assert_int_equal(w.kind[k], out.events[k].kind);
        assert_int_equal(w.kind[w.events - 1], CAROM_EVENT_END);
        assert_memory_equal(&w.reached[w.events - 1].p, &out.p, sizeof out.p);
        assert_memory_equal(&w.reached[w.events - 1].u, &out.u_after, sizeof out.u_after);
    }
}

/* ---- the corpus ---- */

static void count_piece(void *context, const carom_piece *piece)
{
    (void)piece;
    ++*(int *)context;
}

/* The direction of a ray of K near the direction x, by Newton. */
static double ray_near(const carom_csym *K, double mu, double x)
{
    for (int i = 0; i < 40; i++) {
        double c = cos(x), s = sin(x), m1 = K->t11 * c + K->t12 * s, m2 = K->t12 * c + K->t22 * s;
        double cc = c * m1 + s * m2, cs = c * m2 - s * m1, ss = K->t11 + K->t22 - cc;
        double f = K->t2n * c - K->t1n * s - mu * cs, f1 = -(K->t1n * c + K->t2n * s - mu * cc) - mu * ss;
        double step = f / f1;
        x -= fabs(step) < 0.3 ? step : copysign(0.3, step);
    }
    return x;
}

/* Give K the coupling b that makes the direction x a nearly double ray. */
static void make_double_ray(carom_csym *K, double mu, double x)
{
    double c = cos(x), s = sin(x), m1 = K->t11 * c + K->t12 * s, m2 = K->t12 * c + K->t22 * s;
    double cc = c * m1 + s * m2, cs = c * m2 - s * m1, ss = K->t11 + K->t22 - cc;
    double b_c = mu * (cc - ss * (1 + sign() * log_uniform(-14, -1))),
           b_s = mu * cs * (1 + sign() * log_uniform(-15, -1));
    K->t1n = b_c * c - b_s * s;
    K->t2n = b_c * s + b_s * c;
    double det = K->t11 * K->t22 - K->t12 * K->t12;
    double bound = (K->t22 * K->t1n * K->t1n - 2 * K->t12 * K->t1n * K->t2n + K->t11 * K->t2n * K->t2n) / det;
    K->nn = bound * (1 + log_uniform(-3, 1)) + 1e-6;
}

/* One of seven families: plain, ill-conditioned, grazing, tiny slip, near a ray, near the threshold, near-double ray.
 */
static carom_problem random_problem(int family, carom_coeffs *c)
{
    carom_problem pb = {random_K(family == 1 ? 8 : 2), {0, 0, -log_uniform(-1, 1)}};
    double r = log_uniform(-1.5, 1.5), x = uniform(0, 6.25);
    c->e = uniform(0, 1);
    c->mu = uniform(0, 1) < 0.6 ? uniform(0, 1.5) : uniform(0, 10);
    if (family == 2)
        pb.u.n = -r * log_uniform(-8, -2);
    if (family == 3)
        r *= log_uniform(-12, -2);
    if (family == 4)
        x = ray_near(&pb.K, c->mu, x) + sign() * log_uniform(-15, -1);
    if (family == 5)
        c->mu = fmin(50, stick_threshold(&pb.K) * (1 + sign() * log_uniform(-15, -2)));
    if (family == 6) {
        make_double_ray(&pb.K, c->mu, x);
        x += sign() * log_uniform(-6, 0.5);
    }
    pb.u.t1 = r * cos(x);
    pb.u.t2 = r * sin(x);
    return pb;
}

static double ending_error(int law, const carom_outcome *out, double e, double u_n)
{
    const carom_phases *ph = &out->phases;
    if (law == NEWTON)
        return fabs(out->u_after.n + e * u_n) / -u_n;
    if (law == POISSON)
        return fabs(ph->p_restitution - e * ph->p_compression) / ph->p_compression;
    return fabs(ph->work_restitution + e * e * ph->work_compression) / -ph->work_compression;
}

static void random_corpus(void **state)
{
    (void)state;
    enum { IMPACTS = 21000, STEPS = 64 };
    seed = 59;
    for (int i = 0; i < IMPACTS; i++) {
        int law = i % 3, pieces = 0;
        carom_rule rule = rule_of(law, 0, 0);
        carom_problem pb = random_problem(i / 3 % 7, &rule.coeffs);
        if (carom_problem_check(&pb) != CAROM_OK)
            continue; /* ill-conditioned beyond rounding */
        carom_tracer tracer = {NULL, count_piece, &pieces};
        carom_outcome out;
        assert_int_equal(carom_solve(&pb, &rule, &tracer, &out), CAROM_OK);
        assert_in_range(pieces, 1, STEPS);
        assert_in_range(out.phases.phases, 1, 2);
        assert_false(out.flags & (CAROM_PENETRATES | CAROM_OUTSIDE_CONE));
        assert_false(law != NEWTON && (out.flags & CAROM_CREATES_ENERGY));
        if (!(out.flags & CAROM_JAM))
            close_to(ending_error(law, &out, rule.coeffs.e, pb.u.n), 0, 1e-13);
        double size = out.p.n * (1 + rule.coeffs.mu), speed = fabs(pb.u.t1) + fabs(pb.u.t2) + fabs(pb.u.n);
        carom_cvec u = carom_cvec_add(pb.u, carom_csym_apply(pb.K, out.p));
        double all = speed + size * (pb.K.t11 + pb.K.t22 + pb.K.nn);
        cvec_close(out.u_after, u.t1, u.t2, u.n, 1e-14 * all);
        close_to(out.energy.change, out.energy.normal + out.energy.friction, 1e-12 * size * all);
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
        cmocka_unit_test(frame_independence),
        cmocka_unit_test(world_axes),
        cmocka_unit_test(isotropic_block_is_a_limit),
        cmocka_unit_test(continuous_at_the_stick_threshold),
        cmocka_unit_test(tracer_sees_the_whole_path),
        cmocka_unit_test(random_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
