/* Tables 7.1 and 7.2 of Chatterjee (1997) through the library: laws whittaker, smith and chatterjee-rebound. */
#include "support/laws.h"

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
    assert_true(one.flags & CAROM_FLAG_CREATES_ENERGY);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table71_kane_levinson), cmocka_unit_test(test_table71_kane_levinson_limit),
        cmocka_unit_test(test_table71_smith),         cmocka_unit_test(test_table72),
        cmocka_unit_test(test_table72_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
