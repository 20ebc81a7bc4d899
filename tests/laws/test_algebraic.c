/* The algebraic laws against what is printed about them: the thesis' tables, examples, limits and refusals.
 *
 * Sources: Chatterjee (1997) for tables 7.1 and 7.2; 60-digit arithmetic for the rest (docs/theory/algebraic.md). */
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"

#define TIGHT 1e-12 /* numbers that have more digits than a double, well-conditioned */

static carom_rule rule_of(const char *id)
{
    carom_rule rule = carom_rule_default(carom_law_find(id));
    assert_non_null(rule.law);
    return rule;
}

static carom_outcome solved(const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    carom_status status = carom_solve(pb, rule, NULL, &out);
    assert_true(carom_status_is_answer(status));
    return out;
}

static carom_outcome solved_with(const carom_problem *pb, const char *id, double e, double mu)
{
    carom_rule rule = rule_of(id);
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    return solved(pb, &rule);
}

/* got has the printed digits of want: they differ by at most half a unit of its last place. */
#define assert_printed(got, want, unit) assert_near(got, want, unit, 0.5 + 1e-6)

/* ---- the pendulum of thesis chapter 7: mass 1 along its rod, lambda across; theta = pi/10 ---- */

static const double tilt = 3.14159265358979323846 / 10;

static carom_problem pendulum(double lambda)
{
    const double c = cos(tilt), s = sin(tilt);
    double light = 1 / lambda; /* 0 for lambda = infinity: K has rank one */
    carom_problem pb = {{c * c + light * s * s, 0, 0, (1 - light) * c * s, 0, s * s + light * c * c}, {-c, 0, -s}};
    return pb;
}

typedef struct row71 {
    double lambda, u_n, u_t, energy;
} row71;

static void check_row71(const char *id, const row71 *row)
{
    carom_problem pb = pendulum(row->lambda);
    carom_outcome out = solved_with(&pb, id, 0.8, 0.5);
    assert_printed(out.u_after.n, row->u_n, 1e-10);
    assert_printed(out.u_after.t1, row->u_t, 1e-10);
    assert_near(out.energy.change, row->energy, fmax(1, fabs(row->energy)), 1e-9);
}

static void test_table71_kane_levinson(void **state)
{
    (void)state;
    const row71 rows[] = {
        {4, 0.2472135955, -0.06922210123, -0.3683547188},
        {20, 0.2472135955, 0, 0.05570436518},
        {100, 0.2472135955, 0, 2.266849983},
        {500, 0.2472135955, 0, 13.32257807},
    };
    for (int i = 0; i < 4; i++)
        check_row71("whittaker", &rows[i]);
}

/* lambda -> infinity: the energy created grows like 0.02763932023 lambda. */
static void test_table71_kane_levinson_limit(void **state)
{
    (void)state;
    const double lambda = 1e7;
    carom_problem pb = pendulum(lambda), twice = pendulum(2 * lambda);
    carom_outcome one = solved_with(&pb, "whittaker", 0.8, 0.5), two = solved_with(&twice, "whittaker", 0.8, 0.5);
    assert_near(one.u_after.n, 0.2472135955, 1, 1e-7);
    assert_near(one.u_after.t1, 0, 1, 1e-7);
    assert_close((two.energy.change - one.energy.change) / lambda, 0.02763932023, 1e-7);
    assert_true(one.flags & CAROM_CREATES_ENERGY);
}

static void test_table71_smith(void **state)
{
    (void)state;
    const row71 rows[] = {
        {4, 0.2472135955, -0.06922210123, -0.3683547188},
        {20, 0.2472135955, 0.4320997330, -0.2780465884},
        {100, 0.2472135955, 0.6573736127, -0.2027654916}, /* printed 0.657373: cut off, not rounded */
        {500, 0.2472135955, 0.7363391724, -0.1840369435},
        {INFINITY, 0.2472135955, 0.7608452130, -0.18}, /* K has rank one */
    };
    for (int i = 0; i < 5; i++)
        check_row71("smith", &rows[i]);
}

typedef struct row72 {
    double e_t, lambda, p_n, p_t, u_n, u_t, energy;
} row72;

static carom_outcome law_three(double lambda, double e_t)
{
    carom_problem pb = pendulum(lambda);
    carom_rule rule = rule_of("chatterjee-rebound");
    rule.coeffs.e = 0.8;
    rule.coeffs.e_t = e_t;
    rule.coeffs.mu = 0.5;
    return solved(&pb, &rule);
}

/* Every printed digit: the thesis prints six. K itself, rounded, carries 16 - log10(lambda). */
static void test_table72(void **state)
{
    (void)state;
    const row72 rows[] = {
        {0.6, 10, 1.748086167, 0.8740430837, 0.2472135955, 0.3102439195, -0.3340677424},
        {0.8, 10, 1.748086167, 0.8740430837, 0.2472135955, 0.3102439195, -0.3340677424},
        {0.9, 10, 1.748086167, 0.8740430837, 0.2472135955, 0.3102439195, -0.3340677424},
        {0.6, 1e3, 28.94058173, -8.019633963, 0.1261852751, 0.2912687578, 0},
        {0.6, 1e5, 300.9030962, -96.68287830, 0.01329269070, 0.03068302151, 0},
        {0.6, 1e7, 3007.798139, -976.2378933, 0.001329998824, 0.003069986613, 0},
        {0.8, 1e3, 2.287175827, 1.143587913, 0.2472135955, 0.7549495976, -0.1828103709},
        {0.8, 1e5, 2.294251033, 1.147125516, 0.2472135955, 0.7607860745, -0.1800282953},
        {0.8, 1e7, 2.294322006, 1.147161003, 0.2472135955, 0.7608446216, -0.1800002830},
        {0.8, INFINITY, 2.294322723, 1.147161361, 0.2472135955, 0.7608452130, -0.18},
        {0.9, 1e3, 2.257636877, 1.128818439, 0.2400298596, 0.7329164739, -0.2009942008},
        {0.9, 1e5, 2.283677088, 1.141838544, 0.2446499914, 0.7528963850, -0.1866301629},
        {0.9, 1e7, 2.293139549, 1.146569775, 0.2469269232, 0.7599623352, -0.1807420050},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row72 *row = &rows[i];
        carom_outcome out = law_three(row->lambda, row->e_t);
        double tol = row->lambda < 1e6 || row->e_t == 0.8 ? 1e-9 : 1e-8;
        assert_close(out.p.n, row->p_n, tol);
        assert_close(out.p.t1, row->p_t, tol);
        assert_close(out.u_after.n, row->u_n, row->e_t == 0.6 ? 1e-7 : tol);
        assert_close(out.u_after.t1, row->u_t, row->e_t == 0.6 ? 1e-7 : tol);
        assert_near(out.energy.change, row->energy, 1, 1e-9);
    }
}

/* f(lambda) = f0 + f1 lambda^-1/2 + f2 / lambda + ... at lambda, 4 lambda, 16 lambda: f0. */
static double limit_of(const double f[3])
{
    double once = 2 * f[1] - f[0], again = 2 * f[2] - f[1];
    return (4 * again - once) / 3;
}

/* The rows lambda = infinity of e_t = 0.6 (scaled by sqrt lambda) and e_t = 0.9 are limits. For e_t = 0.6 the
 * velocities are checked against the limit itself: gamma -> (e - e_t) sin theta cos theta sqrt(lambda). */
static void test_table72_limits(void **state)
{
    (void)state;
    const double start = 4e6;
    double p_n[3], p_t[3], u_n[3], u_t[3], q_n[3], q_t[3], w_n[3], w_t[3], energy[3];
    for (int i = 0; i < 3; i++) {
        double lambda = start * pow(4, i), root = sqrt(lambda);
        carom_outcome six = law_three(lambda, 0.6), nine = law_three(lambda, 0.9);
        assert_near(six.energy.change, 0, 1, 1e-9);
        p_n[i] = six.p.n / root;
        p_t[i] = six.p.t1 / root;
        u_n[i] = six.u_after.n * root;
        u_t[i] = six.u_after.t1 * root;
        q_n[i] = nine.p.n;
        q_t[i] = nine.p.t1;
        w_n[i] = nine.u_after.n;
        w_t[i] = nine.u_after.t1;
        energy[i] = nine.energy.change;
    }
    assert_printed(limit_of(p_n), 0.951057, 1e-6);
    assert_printed(limit_of(p_t), -0.309017, 1e-6);
    assert_close(limit_of(u_n), 0.8 / (0.2 * cos(tilt)), 1e-6); /* e / ((e - e_t) cos theta) */
    assert_close(limit_of(u_t), 0.6 / (0.2 * sin(tilt)), 1e-6);
    assert_printed(limit_of(q_n), 2.29432, 1e-5);
    assert_printed(limit_of(q_t), 1.14716, 1e-5);
    assert_printed(limit_of(w_n), 0.247214, 1e-6);
    assert_printed(limit_of(w_t), 0.760845, 1e-6);
    assert_printed(limit_of(energy), -0.18, 1e-6);
}

/* ---- several solutions ---- */

/* The example that answers the thesis' open question: Smith's law is not unique in space. */
static const carom_problem three_ways = {{1.5, -0.45, 0.35, 0.95, 0, 1}, {-0.4, 0.9, -0.3}};

static void test_smith_three_solutions(void **state)
{
    (void)state;
    const carom_cvec want[3] = {{0.11709312784014, -0.69043132454416, 0.18876152855187},
                                {-2.1834065255723, -5.1406715103766, 2.3742361992937},
                                {-19.526696165519, -28.241350078507, 18.850361357243}};
    carom_outcome out = solved_with(&three_ways, "smith", 0, 4);
    assert_int_equal(out.solutions, 3);
    assert_true(out.flags & CAROM_NOT_UNIQUE);
    for (int i = 0; i < 3; i++)
        assert_cvec_near(out.all[i], want[i], largest(want[i]), TIGHT);
    assert_cvec_near(out.p, want[0], largest(want[0]), TIGHT); /* the smallest p_n */
    assert_close(out.energy.change, -0.5559559592, 1e-9);
}

/* w of equation (1): z = u_t after, and p_t + mu p_n w(z) must vanish. */
static double smith_residual(const carom_problem *pb, carom_cvec p, double mu)
{
    carom_cvec z = carom_cvec_add(pb->u, carom_csym_apply(pb->K, p));
    double v = carom_cvec_slip(pb->u), r = carom_cvec_slip(z), q = v * v + r * r;
    double w1 = (v * pb->u.t1 + r * z.t1) / q, w2 = (v * pb->u.t2 + r * z.t2) / q;
    return hypot(p.t1 + mu * p.n * w1, p.t2 + mu * p.n * w2) / (mu * p.n);
}

/* Near grazing: three solutions for both laws, p_n = 0.0147871075, 0.1404913270, 0.8657537355 for Smith. */
static void test_near_grazing_three_solutions(void **state)
{
    (void)state;
    const double want[3] = {0.0147871075, 0.1404913270, 0.8657537355};
    const carom_problem pb = {{1, 0, 1, 0.9, 0, 1}, {0.513, 0.858, -0.001}};
    carom_outcome smith = solved_with(&pb, "smith", 0, 2);
    assert_int_equal(smith.solutions, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(smith.all[i].n, want[i], 1, 0.5e-10);
        assert_true(smith_residual(&pb, smith.all[i], 2) < 1e-12);
    }
    carom_rule rule = rule_of("whittaker");
    rule.coeffs.e = 0;
    rule.coeffs.mu = 2;
    carom_outcome stick = solved(&pb, &rule);
    assert_int_equal(stick.solutions, 3);
    assert_string_equal(stick.mode, "stick");
    assert_near(carom_cvec_slip(stick.u_after), 0, 1, 1e-14);
    rule.options.select = CAROM_SELECT_FIRST;
    carom_outcome first = solved(&pb, &rule);
    assert_string_equal(first.mode, "slip");
    assert_true(first.p.n < stick.p.n);
    assert_cvec_near(first.p, stick.all[0], largest(first.p), TIGHT);
}

/* Every solution that Smith's law lists solves it, and no energy is gained by any. */
static void test_smith_solutions_solve(void **state)
{
    (void)state;
    dice d = {43};
    int several = 0;
    for (int i = 0; i < 40000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_GENERIC : CORPUS_GRAZING);
        double mu = dice_between(&d, 0.01, 6), e = dice_between(&d, 0, 1);
        carom_outcome out = solved_with(&pb, "smith", e, mu);
        assert_true(smith_residual(&pb, out.p, mu) < 1e-10);
        assert_int_equal(out.solutions % 2, 1); /* phi goes from below zero to above */
        several += out.solutions > 1;
        for (int k = 0; k < out.solutions && out.solutions > 1 && k < CAROM_SOLUTIONS_KEPT; k++) {
            carom_cvec p = out.all[k], after = carom_cvec_add(pb.u, carom_csym_apply(pb.K, p));
            assert_true(smith_residual(&pb, p, mu) < 1e-8);
            assert_true(carom_cvec_dot(p, carom_cvec_add(pb.u, after)) <= 1e-10 * fabs(carom_cvec_dot(p, pb.u)));
        }
    }
    assert_true(several > 5);
}

/* Whittaker's answer is Coulomb's law at the end: inside the cone and at rest, or on it and against the slip. */
static void test_whittaker_is_coulomb(void **state)
{
    (void)state;
    dice d = {47};
    int sticks = 0;
    for (int i = 0; i < 40000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_GENERIC : CORPUS_ROD);
        double mu = dice_between(&d, 0.01, 4);
        carom_outcome out = solved_with(&pb, "whittaker", dice_between(&d, 0, 1), mu);
        double friction = carom_cvec_slip(out.p), slip = carom_cvec_slip(out.u_after), speed = largest(pb.u);
        if (strcmp(out.mode, "stick") == 0) {
            sticks++;
            assert_near(slip, 0, speed + largest(carom_csym_apply(pb.K, out.p)), 1e-12);
            assert_true(friction <= mu * out.p.n * (1 + 1e-12));
        } else {
            double dot = out.p.t1 * out.u_after.t1 + out.p.t2 * out.u_after.t2;
            assert_close(friction, mu * out.p.n, 1e-12);
            assert_near(dot, -friction * slip, friction * speed, 1e-9);
        }
    }
    assert_true(sticks > 5000 && sticks < 35000);
}

/* ---- energy ---- */

/* The compact counter-example: e = 1, mu = 2 gains one and a half times the energy that came in. */
static void test_whittaker_creates_energy(void **state)
{
    (void)state;
    const carom_problem pb = {{1, 0, 0, 0.8, 0, 1}, {-1, 0, -1}};
    carom_outcome out = solved_with(&pb, "whittaker", 1, 2);
    assert_true(out.flags & CAROM_CREATES_ENERGY);
    assert_close(out.energy.change / out.energy.before, 1.5, TIGHT);
    carom_outcome plastic = solved_with(&pb, "whittaker", 0, 2);
    assert_false(plastic.flags & CAROM_CREATES_ENERGY); /* never with e = 0 */
    carom_outcome smith = solved_with(&pb, "smith", 1, 2);
    assert_false(smith.flags & CAROM_CREATES_ENERGY);
}

/* A ratio that pushes along the slip. */
static void test_brach_creates_energy(void **state)
{
    (void)state;
    const carom_problem pb = {{3.5, 0, 3.5, 0, 0, 1}, {2.385, 0, -1.17}};
    carom_rule rule = rule_of("brach");
    rule.coeffs.e = 1;
    rule.coeffs.ratio_1 = 0.4;
    rule.coeffs.mu = 0.3;
    carom_outcome out = solved(&pb, &rule);
    assert_true(out.flags & CAROM_CREATES_ENERGY);
    assert_true(out.flags & CAROM_OUTSIDE_CONE);
    assert_close(out.p.n, 2.34, TIGHT); /* 2 v_n / K_nn */
    assert_close(out.p.t1, 0.936, TIGHT);
}

/* Ivanov's parabola: 2 dE = -(1 - eta^2) (p.u)^2 / (p K p), and the ledger measures eta back. */
static void test_ivanov_parabola(void **state)
{
    (void)state;
    dice d = {53};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        carom_rule rule = rule_of("ivanov");
        rule.coeffs.e = dice_between(&d, -1, 1);
        rule.coeffs.ratio_1 = dice_between(&d, -0.5, 0.5);
        rule.coeffs.ratio_2 = dice_between(&d, -0.5, 0.5);
        carom_cvec p = {rule.coeffs.ratio_1, rule.coeffs.ratio_2, 1};
        carom_outcome out;
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        double toward = carom_cvec_dot(p, pb.u), stiff = carom_cvec_dot(p, carom_csym_apply(pb.K, p));
        assert_int_equal(status, toward < 0 ? CAROM_OK : CAROM_INADMISSIBLE);
        if (status)
            continue;
        double full = toward * toward / stiff;
        assert_near(2 * out.energy.change, -(1 - rule.coeffs.e * rule.coeffs.e) * full, full, 1e-10);
        assert_near(out.restitution.ivanov, rule.coeffs.e, 1, 1e-9);
    }
}

/* ---- limits ---- */

static carom_rule chatterjee(const char *id, dice *d)
{
    carom_rule rule = rule_of(id);
    rule.coeffs.e = dice_between(d, 0, 1);
    rule.coeffs.e_t = dice_between(d, -1, 1);
    rule.coeffs.mu = dice_between(d, 0, 2);
    rule.coeffs.s_1 = dice_between(d, 0, 1);
    rule.coeffs.s_2 = (1 - rule.coeffs.s_1) * dice_between(d, 0, 1);
    return rule;
}

static const char *const three_laws[] = {"chatterjee-velocity", "chatterjee-momentum", "chatterjee-rebound"};

/* For spheres laws I, II, III, and any mix of them, are the bilinear law. */
static void test_spheres_are_bilinear(void **state)
{
    (void)state;
    dice d = {59};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_SPHERE);
        carom_rule rule = chatterjee("bilinear", &d);
        carom_cvec want = solved(&pb, &rule).p;
        for (int k = 0; k < 4; k++) {
            rule.law = carom_law_find(k < 3 ? three_laws[k] : "chatterjee-mix");
            assert_cvec_near(solved(&pb, &rule).p, want, largest(want), TIGHT);
        }
    }
}

static void test_mix_is_the_weighted_mean(void **state)
{
    (void)state;
    dice d = {61};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        carom_rule rule = chatterjee("chatterjee-mix", &d);
        double weight[3] = {rule.coeffs.s_1, rule.coeffs.s_2, 1 - rule.coeffs.s_1 - rule.coeffs.s_2};
        carom_outcome mix = solved(&pb, &rule);
        carom_cvec want = {0, 0, 0};
        const char *modes[3];
        for (int k = 0; k < 3; k++) {
            rule.law = carom_law_find(three_laws[k]);
            carom_outcome one = solved(&pb, &rule);
            want = carom_cvec_add(want, carom_cvec_scale(weight[k], one.p));
            modes[k] = one.mode;
        }
        assert_cvec_near(mix.p, want, largest(want), TIGHT);
        char words[80];
        snprintf(words, sizeof words, "I:%s|II:%s|III:%s", modes[0], modes[1], modes[2]);
        assert_string_equal(mix.mode, words);
    }
}

/* Law II is the slides' law with kappa's denominator |P2_t| - mu (P2_n - P1_n); with the printed sign it leaves the
 * cone. */
static void test_momentum_is_the_corrected_slide(void **state)
{
    (void)state;
    const carom_problem pb = {{1, 0, 0, 0.4, 0, 1}, {-2.385, 0, -1}};
    carom_rule rule = rule_of("chatterjee-momentum");
    rule.coeffs.e = 0.5;
    rule.coeffs.e_t = 1;
    rule.coeffs.mu = 0.3;
    carom_outcome out = solved(&pb, &rule);
    /* det K = 0.84, P2 = -K^-1 u = (1.985, 0.046) / 0.84, P1_n = 1 */
    double a = 1.5, t = 1.985 / 0.84, lift = 0.046 / 0.84 - 1;
    double right = 0.3 * a / (t - 0.3 * lift), printed = 0.3 * a / (t + 0.3 * lift);
    assert_string_equal(out.mode, "cone");
    assert_close(out.p.t1, right * t, TIGHT);
    assert_close(out.p.n, a + right * lift, TIGHT);
    assert_close(out.friction_ratio, 0.3, TIGHT);
    assert_true(printed * t > 0.3 * (a + printed * lift) * 1.05);
}

/* Without stored impulse Pfeiffer and Glocker expand as Coulomb: e = 0 is whittaker with e = 0. */
static void test_pfeiffer_glocker_compression(void **state)
{
    (void)state;
    dice d = {67};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
        carom_rule rule = rule_of("pfeiffer-glocker");
        rule.coeffs.e = 0;
        rule.coeffs.mu = dice_between(&d, 0, 3);
        rule.coeffs.nu = dice_between(&d, 0, 1);
        carom_cvec want = solved_with(&pb, "whittaker", 0, rule.coeffs.mu).p;
        assert_cvec_near(solved(&pb, &rule).p, want, largest(want), TIGHT);
    }
}

/* A disk with nu = e_t = 1 gets its whole tangential impulse back while it sticks: u_t reverses, scaled by e. */
static void test_pfeiffer_glocker_returns(void **state)
{
    (void)state;
    const carom_problem pb = {{3, 0, 0, 0, 0, 1}, {0.2385, 0, -1.17}};
    carom_rule rule = rule_of("pfeiffer-glocker");
    rule.coeffs.e = 0.7;
    rule.coeffs.e_t = rule.coeffs.nu = 1;
    rule.coeffs.mu = 0.5;
    carom_outcome out = solved(&pb, &rule);
    assert_close(out.u_after.n, 0.7 * 1.17, TIGHT);
    assert_close(out.u_after.t1, -0.7 * 0.2385, TIGHT);
    assert_string_equal(out.mode, "stick/slip-");
}

/* A plane hidden in 3D gives the planar answer, turned. */
static void test_hidden_planes(void **state)
{
    (void)state;
    static const char *const ids[] = {"whittaker", "smith", "pfeiffer-glocker", "chatterjee-velocity"};
    dice d = {71};
    for (int i = 0; i < 4000; i++) {
        carom_problem flat = corpus_problem(&d, CORPUS_PLANAR), deep = flat;
        deep.K.t22 = dice_decades(&d, -1, 1);
        double turn = dice_between(&d, 0, 6.283185307179586);
        carom_direction axis = {cos(turn), sin(turn)};
        carom_problem hidden = carom_problem_turned(&deep, axis);
        carom_rule rule = chatterjee(ids[i % 4], &d);
        carom_cvec p = solved(&flat, &rule).p;
        carom_cvec want = {axis.c * p.t1, -axis.s * p.t1, p.n};
        assert_cvec_near(solved(&hidden, &rule).p, want, largest(want), 1e-9);
    }
}

/* ---- grazing, normal, extreme coefficients ---- */

/* v_n -> 0 leads to the answer at v_n = 0, jammed or not. */
static void test_grazing_is_the_limit(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "whittaker", "smith", "pfeiffer-glocker", "chatterjee-velocity", "chatterjee-momentum", "chatterjee-rebound"};
    dice d = {73};
    int jams = 0;
    for (int i = 0; i < 6000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_PLANAR), near = pb;
        carom_rule rule = chatterjee(ids[i % 6], &d);
        rule.coeffs.mu = dice_between(&d, 0, 8);
        pb.u.n = 0;
        near.u.n = -1e-9;
        carom_outcome graze = solved(&pb, &rule), limit = solved(&near, &rule);
        assert_int_equal(graze.status, CAROM_GRAZING);
        double jam = largest(graze.p);
        jams += jam > 0;
        if (fabs(1 - rule.coeffs.mu * fabs(pb.K.t1n) / pb.K.nn) > 1e-3) /* away from the edge of jamming */
            assert_cvec_near(graze.p, limit.p, jam + 1, 1e-4);
    }
    assert_true(jams > 100);
}

static void test_grazing_jam_by_hand(void **state)
{
    (void)state;
    const carom_problem pb = {{2, 0, 0, 0.9, 0, 1}, {0.7, 0, 0}};
    carom_outcome stick = solved_with(&pb, "whittaker", 0.5, 1.5); /* -K^-1 u */
    assert_string_equal(stick.mode, "stick_jam");
    assert_true(stick.flags & CAROM_JAM);
    assert_close(stick.p.n, 0.9 * 0.7 / 1.19, TIGHT);
    assert_close(stick.p.t1, -0.7 / 1.19, TIGHT);
    carom_outcome smith = solved_with(&pb, "smith", 0.5, 1.5);
    double omega = 1 / (1.5 * 0.9), z = -sqrt((1 - omega) / (1 + omega)) * 0.7;
    assert_string_equal(smith.mode, "reverse_jam");
    assert_close(smith.u_after.t1, z, 1e-11);
    assert_close(smith.p.n, (0.7 - z) * 0.9 / 1.19, TIGHT);
    assert_near(largest(solved_with(&pb, "whittaker", 0.5, 1.1).p), 0, 1, 0); /* mu k < K_nn: nothing */
}

/* Purely normal: Smith's w has no direction, the law is whittaker's. */
static void test_smith_normal_is_whittaker(void **state)
{
    (void)state;
    dice d = {79};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_NORMAL : CORPUS_PLANAR);
        pb.u.t1 = 0;
        double mu = dice_between(&d, 0, 2), e = dice_between(&d, 0, 1);
        carom_outcome smith = solved_with(&pb, "smith", e, mu), end = solved_with(&pb, "whittaker", e, mu);
        assert_cvec_near(smith.p, end.p, largest(end.p), TIGHT);
        assert_int_equal(smith.solutions, 1);
        pb.u.t1 = 1e-11 * pb.u.n; /* and it is continuous there */
        assert_cvec_near(solved_with(&pb, "smith", e, mu).p, end.p, largest(end.p), 1e-4);
    }
}

/* No mu is too large. */
static void test_large_mu(void **state)
{
    (void)state;
    dice d = {83};
    for (int i = 0; i < carom_law_count() * 2000; i++) {
        const carom_law *law = carom_law_at(i % carom_law_count());
        if (strcmp(law->family, "algebraic") != 0)
            continue;
        carom_problem pb = corpus_problem(&d, (corpus_kind)(i / 7 % CORPUS_KIND_COUNT));
        carom_rule rule = chatterjee(law->id, &d);
        rule.coeffs.mu = i % 3 ? 1e12 : 1e6;
        carom_outcome out;
        carom_status status = carom_solve(&pb, &rule, NULL, &out);
        assert_true(status == CAROM_NOT_PLANAR || status == CAROM_OUT_OF_SCOPE || status == CAROM_INADMISSIBLE ||
                    carom_status_is_answer(status));
        assert_true(isfinite(largest(out.p)) && out.p.n >= 0);
        if (law->traits & CAROM_TRAIT_ENERGY_SAFE)
            assert_false(out.flags & CAROM_CREATES_ENERGY);
    }
}

/* ---- refusals ---- */

static void test_refusals(void **state)
{
    (void)state;
    carom_problem pb = {{1.3, 0.1, 1.7, 0.6, -0.2, 0.9}, {0.31, -0.74, -1.17}};
    carom_outcome out;
    carom_rule rule = rule_of("brach");
    rule.coeffs.ratio_1 = -1.6; /* K_nn + k.rho < 0 */
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_INADMISSIBLE);
    assert_near(largest(out.p), 0, 1, 0);
    rule = rule_of("ivanov");
    rule.coeffs.ratio_1 = 9.9; /* p.u > 0 */
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_INADMISSIBLE);
    rule = rule_of("pfeiffer-glocker");
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_NOT_PLANAR);
    rule = rule_of("bilinear");
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_OUT_OF_SCOPE);
    rule = rule_of("chatterjee-mix");
    rule.coeffs.s_1 = 0.7;
    rule.coeffs.s_2 = 0.4;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_BAD_COEFFICIENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table71_kane_levinson),
        cmocka_unit_test(test_table71_kane_levinson_limit),
        cmocka_unit_test(test_table71_smith),
        cmocka_unit_test(test_table72),
        cmocka_unit_test(test_table72_limits),
        cmocka_unit_test(test_smith_three_solutions),
        cmocka_unit_test(test_near_grazing_three_solutions),
        cmocka_unit_test(test_smith_solutions_solve),
        cmocka_unit_test(test_whittaker_is_coulomb),
        cmocka_unit_test(test_whittaker_creates_energy),
        cmocka_unit_test(test_brach_creates_energy),
        cmocka_unit_test(test_ivanov_parabola),
        cmocka_unit_test(test_spheres_are_bilinear),
        cmocka_unit_test(test_mix_is_the_weighted_mean),
        cmocka_unit_test(test_momentum_is_the_corrected_slide),
        cmocka_unit_test(test_pfeiffer_glocker_compression),
        cmocka_unit_test(test_pfeiffer_glocker_returns),
        cmocka_unit_test(test_hidden_planes),
        cmocka_unit_test(test_grazing_is_the_limit),
        cmocka_unit_test(test_grazing_jam_by_hand),
        cmocka_unit_test(test_smith_normal_is_whittaker),
        cmocka_unit_test(test_large_mu),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
