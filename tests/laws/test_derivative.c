/* Derivatives of all laws that have them, held to what must be true of every derivative:
 *
 *     p_u u = p,   p_K K = -p,   p_u (R u) + p_K : (R K + K R^T) [+ p_rho R rho] = R p
 *
 * and a directional derivative is the sum of columns. The reference vectors are in tests/vectors/derivatives.jsonl. */
#include "support/check.h"
#include "support/contacts.h"

#include "carom/derivative.h"

static int problems = 400; /* of each law; `./run derivatives` takes more */
#define CLOSED_TOL 1e-12
#define PATH_TOL   1e-9 /* a path near a border magnifies rounding */

typedef struct drawn {
    carom_problem problem;
    carom_rule rule;
} drawn;

static void draw(contacts_random *r, const carom_law *law, drawn *x)
{
    const bool planar = contacts_unit(r) < 0.3, sphere = contacts_unit(r) < 0.3;
    carom_csym K = {contacts_within(r, 1, 4),      contacts_within(r, -0.5, 0.5), contacts_within(r, 1, 4),
                    contacts_within(r, -0.8, 0.8), contacts_within(r, -0.6, 0.6), contacts_within(r, 1, 3)};
    if (sphere || strcmp(law->id, "bilinear") == 0 || strcmp(law->id, "pfeiffer-glocker") == 0) {
        K.t22 = K.t11;
        K.t12 = K.t1n = K.t2n = 0;
    }
    carom_cvec u = {contacts_within(r, -2, 2), contacts_within(r, -2, 2), contacts_within(r, -2, -0.2)};
    if (planar)
        K.t12 = K.t22 = K.t2n = u.t2 = 0;
    x->problem = (carom_problem){K, u};
    x->rule = carom_rule_default(law);
    x->rule.coeffs.e = contacts_within(r, 0.1, 0.9);
    x->rule.coeffs.e_t = contacts_within(r, -0.8, 0.8);
    x->rule.coeffs.mu = contacts_within(r, 0.05, 0.9);
    x->rule.coeffs.nu = contacts_within(r, 0.1, 0.9);
    x->rule.coeffs.ratio_1 = contacts_within(r, -0.4, 0.4);
    x->rule.coeffs.ratio_2 = planar ? 0 : contacts_within(r, -0.4, 0.4);
    x->rule.coeffs.eta = contacts_within(r, 0.7, 1.5);
}

static void add(carom_cvec *sum, double *size, double by, carom_cvec column)
{
    *sum = carom_cvec_add(*sum, carom_cvec_scale(by, column));
    *size += fabs(by) * largest(column);
}

static void check_sum(const carom_jacobian *J, const double u[3], const double K[6], carom_cvec want, double tol)
{
    carom_cvec sum = {0, 0, 0};
    double size = largest(want);
    for (int i = 0; i < 3; i++)
        add(&sum, &size, u[i], J->u[i]);
    for (int i = 0; i < 6; i++)
        add(&sum, &size, K[i], J->K[i]);
    assert_cvec_near(sum, want, size, tol);
}

static void check_identities(const drawn *x, const carom_outcome *out, const carom_derivative *d, double tol)
{
    const carom_csym *k = &x->problem.K;
    const carom_cvec v = x->problem.u, p = out->p;
    const double u[3] = {v.t1, v.t2, v.n}, K[6] = {k->t11, k->t12, k->t22, k->t1n, k->t2n, k->nn}, zero[6] = {0};
    check_sum(&d->p, u, zero, p, tol);
    check_sum(&d->p, zero, K, carom_cvec_scale(-1, p), tol);
    const bool planar = k->t22 == 0, given = x->rule.law->uses & CAROM_USES(ratio_1);
    if (planar || given || strcmp(x->rule.law->id, "bilinear") == 0 || strcmp(x->rule.law->id, "pfeiffer-glocker") == 0)
        return; /* the turned problem is no problem of the plane, or not in the scope of the law */
    const double Ru[3] = {-v.t2, v.t1, 0};
    const double RK[6] = {-2 * k->t12, k->t11 - k->t22, 2 * k->t12, -k->t2n, k->t1n, 0};
    check_sum(&d->p, Ru, RK, carom_cvec_make(-p.t2, p.t1, 0), tol);
}

/* Along (u, K) = (u, -K) and without the coefficients: 2 p. */
static void check_direction(const drawn *x, const carom_outcome *out, double tol)
{
    const carom_csym *k = &x->problem.K;
    carom_variation v = {.K = {-k->t11, -k->t12, -k->t22, -k->t1n, -k->t2n, -k->nn}, .u = x->problem.u};
    carom_change change;
    assert_int_equal(carom_derivative_along(&x->problem, &x->rule, &v, NULL, &change), out->status);
    assert_cvec_near(change.p, carom_cvec_scale(2, out->p), 10 * largest(out->p), tol);
}

static void identities_hold(void **state)
{
    (void)state;
    contacts_random r = {20260};
    int laws = 0;
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        const double tol = law->traits & CAROM_TRAIT_CLOSED_FORM ? CLOSED_TOL : PATH_TOL;
        if (!carom_law_has_derivatives(law))
            continue;
        int passed = 0;
        for (int n = 0; n < problems; n++) {
            drawn x;
            carom_outcome out;
            carom_derivative d;
            draw(&r, law, &x);
            carom_status status = carom_derivative_solve(&x.problem, &x.rule, &out, &d);
            assert_int_equal(status, out.status == CAROM_STATUS_OK ? status : out.status);
            if (status || d.nonsmooth)
                continue;
            check_identities(&x, &out, &d, tol);
            check_direction(&x, &out, tol);
            passed++;
        }
        if (passed < problems * 9 / 10)
            print_message("%s: %d of %d problems have derivatives\n", law->id, passed, problems);
        assert_true(passed >= problems / 2);
        laws++;
    }
    assert_int_equal(laws, 15);
}

static void separating_keeps_its_velocity(void **state)
{
    (void)state;
    const carom_problem pb = {{2.1, 0.1, 1.7, 0.2, -0.3, 1.3}, {0.7, -0.4, 0.9}};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    carom_derivative d;
    assert_int_equal(carom_derivative_solve(&pb, &rule, NULL, &d), CAROM_STATUS_SEPARATING);
    assert_cvec_near(d.u_after.u[1], carom_cvec_make(0, 1, 0), 1, 0);
    assert_cvec_near(d.p.u[1], carom_cvec_make(0, 0, 0), 1, 0);
}

static void laws_without_derivatives_refuse(void **state)
{
    (void)state;
    const carom_problem pb = {{2.1, 0.1, 1.7, 0.2, -0.3, 1.3}, {0.7, -0.4, -0.9}};
    carom_rule rule = carom_rule_default(carom_law_find("hertz"));
    carom_derivative d;
    assert_int_equal(carom_derivative_solve(&pb, &rule, NULL, &d), CAROM_STATUS_NO_DERIVATIVE);
}

static void grazing_has_the_limit(void **state)
{
    (void)state;
    const carom_problem pb = {{2.1, 0.1, 1.7, 0.2, -0.3, 1.3}, {0.7, -0.4, 0}};
    carom_problem near = pb;
    near.u.n = -1e-9;
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    carom_derivative at, beside;
    assert_int_equal(carom_derivative_solve(&pb, &rule, NULL, &at), CAROM_STATUS_GRAZING);
    assert_int_equal(carom_derivative_solve(&near, &rule, NULL, &beside), CAROM_STATUS_OK);
    assert_true(at.nonsmooth);
    assert_cvec_near(at.p.u[2], beside.p.u[2], largest(beside.p.u[2]), 1e-7);
}

/* |u_t| = mu eta^2 |u_n|: jia slips or sticks at the start, and its derivative is the same on both sides. */
static void jia_has_a_border_without_a_kink(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.mu = 0.5;
    rule.coeffs.eta = 1;
    rule.coeffs.e = 0.6;
    const carom_problem near = {{2.1, 0.1, 1.7, 0.2, -0.3, 1.3}, {0.3, 0.4000004, -1}}, on = {near.K, {0.3, 0.4, -1}};
    carom_derivative d;
    assert_int_equal(carom_derivative_solve(&near, &rule, NULL, &d), CAROM_STATUS_OK);
    assert_string_equal(d.border, "slip or stick at the start");
    assert_true(d.distance < 1e-6 && d.distance > 1e-8 && !d.nonsmooth);
    assert_int_equal(carom_derivative_solve(&on, &rule, NULL, &d), CAROM_STATUS_OK);
    assert_true(d.distance < 1e-15 && !d.nonsmooth);
}

/* Poisson's impulse has a kink where slip stops as compression ends, in space, too: where p by u_n jumps. */
static void poisson_has_a_border_at_maximum_compression(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("routh-poisson"));
    carom_problem pb = {{2.1, 0.1, 1.7, 0.4, -0.3, 1.3}, {0.2, 0.1, -1}};
    carom_derivative d;
    rule.coeffs.mu = 0.6;
    double less = 0.01, more = 1; /* of u_n: slip stops in restitution, in compression */
    for (int i = 0; i < 60; i++) {
        carom_outcome out;
        pb.u.n = -0.5 * (less + more);
        assert_int_equal(carom_derivative_solve(&pb, &rule, &out, &d), CAROM_STATUS_OK);
        *(out.mode[0] == 'C' ? &more : &less) = -pb.u.n;
    }
    assert_string_equal(d.border, "slip stops at maximum compression");
    assert_true(d.distance < 1e-12);
}

static void batch_has_the_same_rows(void **state)
{
    (void)state;
    const double k11[2] = {2.1, 1.9}, k1n[2] = {0.3, -0.2}, knn[2] = {1.3, 1.1}, u1[2] = {0.7, -0.5},
                 un[2] = {-1.1, -0.8};
    enum { USES = 4 }; /* e, mu, patch, rho */
    double p_u[8], p_coeffs[2 * 2 * USES];
    unsigned char status[2];
    carom_rule rule = carom_rule_default(carom_law_find("whittaker"));
    carom_batch_in in = {.count = 2, .K_t11 = k11, .K_t1n = k1n, .K_nn = knn, .u_t1 = u1, .u_n = un};
    carom_batch_derivatives out = {.count = 2, .p_u = p_u, .p_coeffs = p_coeffs, .status = status};
    assert_int_equal(carom_batch_differentiate(&in, &rule, &out, NULL), CAROM_STATUS_OK);
    for (int i = 0; i < 2; i++) {
        const carom_problem pb = {{k11[i], 0, 0, k1n[i], 0, knn[i]}, {u1[i], 0, un[i]}};
        carom_derivative d;
        assert_int_equal(carom_derivative_solve(&pb, &rule, NULL, &d), status[i]);
        assert_near(p_u[4 * i + 1], d.p.u[2].t1, 1, 0);
        assert_near(p_u[4 * i + 2], d.p.u[0].n, 1, 0);
        assert_near(p_coeffs[2 * USES * i + 1], d.p.coeffs[CAROM_COEFF_mu].t1, 1, 0);
    }
    in.K_nn = NULL;
    assert_int_equal(carom_batch_differentiate(&in, &rule, &out, NULL), CAROM_STATUS_MISSING_ARRAY);
}

/* Every row, on any number of threads, has the bits of a single call: each law with derivatives, rows of all kinds,
 * among them separating ones and some without an answer, with coefficients of their own. */
enum { MANY = 700, MOST_USED = 8 };

typedef struct matrices {
    double p_u[MANY][3][3], u_after_u[MANY][3][3], p_K[MANY][3][6], u_after_K[MANY][3][6];
    double p_coeffs[MANY * 3 * MOST_USED], u_after_coeffs[MANY * 3 * MOST_USED], p[MANY][3], u_after[MANY][3];
    unsigned char status[MANY], nonsmooth[MANY];
} matrices;

static carom_batch_derivatives all_of(matrices *m)
{
    memset(m, 0x5a, sizeof *m);
    return (carom_batch_derivatives){
        MANY,    m->p_u[0][0],  m->u_after_u[0][0], m->p_K[0][0], m->u_after_K[0][0], m->p_coeffs, m->u_after_coeffs,
        m->p[0], m->u_after[0], m->status,          m->nonsmooth};
}

static void assert_row(const matrices *m, int i, const carom_problem *pb, const carom_rule *rule)
{
    carom_derivative d;
    carom_outcome out;
    assert_int_equal(m->status[i], carom_derivative_solve(pb, rule, &out, &d));
    assert_int_equal(m->nonsmooth[i], d.nonsmooth);
    for (int j = 0; j < 3; j++)
        assert_true(m->p_u[i][0][j] == d.p.u[j].t1 && m->u_after_u[i][2][j] == d.u_after.u[j].n);
    for (int j = 0; j < 6; j++)
        assert_true(m->p_K[i][1][j] == d.p.K[j].t2 && m->u_after_K[i][0][j] == d.u_after.K[j].t1);
    assert_true(m->p[i][2] == out.p.n && m->u_after[i][1] == out.u_after.t2);
}

/* The columns of random rows; one in nine separates, one in fifty has a K that is none. */
static void draw_columns(const carom_law *law, double columns[9][MANY], double *e)
{
    contacts_random r = {77};
    for (int i = 0; i < MANY; i++) {
        drawn x;
        draw(&r, law, &x);
        const carom_csym *K = &x.problem.K;
        const carom_cvec u = x.problem.u;
        const double row[9] = {
            K->t11, K->t12, K->t22, K->t1n, K->t2n, i % 50 == 49 ? -K->nn : K->nn, u.t1, u.t2, i % 9 ? u.n : -u.n};
        for (int k = 0; k < 9; k++)
            columns[k][i] = row[k];
        e[i] = x.rule.coeffs.e;
    }
}

static void batch_on_threads_has_the_bits_of_one(void **state)
{
    (void)state;
    static double c[9][MANY], e[MANY];
    static matrices one, many;
    for (int l = 0; l < carom_law_count(); l++) {
        carom_rule rule = carom_rule_default(carom_law_at(l));
        if (!carom_law_has_derivatives(rule.law))
            continue;
        rule.coeffs.mu = 0.45;
        draw_columns(rule.law, c, e);
        const carom_batch_in in = {MANY, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], {.e = e}};
        const carom_batch_derivatives alone = all_of(&one), shared = all_of(&many);
        assert_int_equal(carom_batch_differentiate(&in, &rule, &alone, &(carom_batch_options){.threads = 1}), 0);
        assert_int_equal(carom_batch_differentiate(&in, &rule, &shared, &(carom_batch_options){.threads = 3}), 0);
        assert_memory_equal(&one, &many, sizeof one);
        for (int i = 0; i < MANY; i += 7) {
            const carom_problem pb = {{c[0][i], c[1][i], c[2][i], c[3][i], c[4][i], c[5][i]},
                                      {c[6][i], c[7][i], c[8][i]}};
            rule.coeffs.e = e[i];
            assert_row(&many, i, &pb, &rule);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        problems = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identities_hold),
        cmocka_unit_test(separating_keeps_its_velocity),
        cmocka_unit_test(laws_without_derivatives_refuse),
        cmocka_unit_test(grazing_has_the_limit),
        cmocka_unit_test(jia_has_a_border_without_a_kink),
        cmocka_unit_test(poisson_has_a_border_at_maximum_compression),
        cmocka_unit_test(batch_has_the_same_rows),
        cmocka_unit_test(batch_on_threads_has_the_bits_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
