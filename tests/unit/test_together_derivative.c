/* Derivatives of impacts at several contacts, held to what must be true of every derivative,
 *
 *     p_u u = p,   p_K : K = -p,
 *
 * to differences of two answers, and to numbers of an independent program with 50 digits. */
#include "support/check.h"
#include "support/contacts.h"

#include "carom/derivative.h"

enum { PROBLEMS = 60 };

#define IDENTITY_TOL   1e-9
#define DIFFERENCE     1e-6 /* of the inputs */
#define DIFFERENCE_TOL 1e-6

typedef struct drawn {
    contacts_case x;
    carom_together_rule rule;
    double dp[CONTACTS_ROWS], du_after[CONTACTS_ROWS];
    carom_together_changes changes;
    carom_status status;
} drawn;

static void differentiate(drawn *d, const carom_together_variation *v)
{
    void *work = malloc(carom_together_derivative_work(&d->x.problem, &d->rule));
    d->x.out = (carom_together_outcome){.p = d->x.p, .u_after = d->x.u_after};
    d->changes = (carom_together_changes){.p = d->dp, .u_after = d->du_after};
    d->status = carom_together_differentiate(&d->x.problem, &d->rule, v, 1, work, &d->x.out, &d->changes);
    free(work);
}

static double largest_in(int n, const double *v)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* p_u u = p, and p_K : K = -p. True when the point is smooth. */
static bool holds(drawn *d, bool by_K, double tol)
{
    const carom_together_variation v = {by_K ? NULL : d->x.problem.u, by_K ? d->x.problem.K : NULL, NULL};
    differentiate(d, &v);
    if (d->status || d->changes.nonsmooth)
        return false;
    const double size = largest_in(d->x.n, d->x.p), speed = largest_in(d->x.n, d->x.problem.u);
    for (int i = 0; i < d->x.n; i++) {
        assert_near(d->dp[i], by_K ? -d->x.p[i] : d->x.p[i], size, tol);
        assert_near(d->du_after[i], by_K ? 0 : d->x.u_after[i], speed, tol);
    }
    return true;
}

/* The problem, moved along v by h. */
static void solve_moved(const drawn *d, const carom_together_variation *v, double h, double *p)
{
    drawn moved = *d;
    double u[CONTACTS_ROWS], K[CONTACTS_ROWS * CONTACTS_ROWS], u_after[CONTACTS_ROWS];
    carom_coeffs coeffs[CONTACTS_MOST];
    const int n = d->x.n, blocks = d->x.problem.row[d->x.m] * d->x.dim * d->x.dim;
    for (int i = 0; i < n; i++)
        u[i] = d->x.problem.u[i] + h * v->u[i];
    for (int i = 0; i < blocks; i++)
        K[i] = d->x.problem.K[i] + h * v->K[i];
    for (int i = 0; i < d->x.m; i++) {
        coeffs[i] = d->rule.coeffs[i];
        coeffs[i].e += h * v->coeffs[i].e;
        coeffs[i].mu += h * v->coeffs[i].mu;
        coeffs[i].e_t += h * v->coeffs[i].e_t;
        coeffs[i].stiffness += h * v->coeffs[i].stiffness;
        coeffs[i].exponent += h * v->coeffs[i].exponent;
    }
    moved.x.problem.u = u;
    moved.x.problem.K = K;
    moved.rule.coeffs = coeffs;
    void *work = malloc(carom_together_work(&moved.x.problem, &moved.rule));
    carom_together_outcome out = {.p = p, .u_after = u_after};
    assert_false(carom_status_is_error(carom_together_solve(&moved.x.problem, &moved.rule, NULL, work, &out)));
    free(work);
}

/* A random direction: differences of two answers say the same. False where a mode may change in between. */
static bool differs_alike(contacts_random *r, drawn *d)
{
    double u[CONTACTS_ROWS], K[CONTACTS_ROWS * CONTACTS_ROWS], more[CONTACTS_ROWS], less[CONTACTS_ROWS];
    carom_coeffs c[CONTACTS_MOST];
    const int n = d->x.n, dim = d->x.dim;
    const carom_contacts *x = &d->x.problem;
    memset(c, 0, sizeof c);
    for (int i = 0; i < n; i++)
        u[i] = contacts_within(r, -1, 1);
    for (int j = 0; j < d->x.m; j++)
        c[j] = (carom_coeffs){.e = contacts_within(r, -1, 1),
                              .mu = contacts_within(r, -1, 1),
                              .e_t = contacts_within(r, -1, 1),
                              .stiffness = contacts_within(r, -1, 1)};
    for (int i = 0; i < x->count; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++) {
                    int row = i * dim + a, column = x->column[k] * dim + b;
                    K[(k * dim + a) * dim + b] = 0.1 * cos(row + column) + 0.1 * sin(row * column);
                }
    const carom_together_variation v = {u, K, c};
    differentiate(d, &v);
    if (d->status || d->changes.distance < 1e-3)
        return false;
    solve_moved(d, &v, DIFFERENCE, more);
    solve_moved(d, &v, -DIFFERENCE, less);
    const double size = fmax(largest_in(n, d->dp), largest_in(n, d->x.p));
    for (int i = 0; i < n; i++)
        assert_near(d->dp[i], (more[i] - less[i]) / (2 * DIFFERENCE), size, DIFFERENCE_TOL);
    return true;
}

static void draw(contacts_random *r, const carom_together *law, drawn *d)
{
    const int m = 1 + (int)(3 * contacts_unit(r)), dim = contacts_unit(r) < 0.5 ? 2 : 3;
    memset(d, 0, sizeof *d);
    contacts_fill(r, &d->x, m, dim);
    for (int j = 0; j < m; j++) {
        d->x.coeffs[j].mu = contacts_within(r, 0.1, 0.7);
        d->x.coeffs[j].e = contacts_within(r, 0.2, 0.9);
        d->x.coeffs[j].e_t = 0;
        d->x.coeffs[j].stiffness = contacts_within(r, 0.5, 2);
        d->x.coeffs[j].exponent = 1;
        if (d->x.u[(j + 1) * dim - 1] == 0)
            d->x.u[(j + 1) * dim - 1] = -0.3;
    }
    d->x.memory = malloc(carom_contacts_size(m, dim));
    assert_int_equal(carom_contacts_from_K(m, dim, d->x.K, d->x.u, d->x.memory, &d->x.problem), CAROM_STATUS_OK);
    d->rule = carom_together_rule_default(law, d->x.coeffs);
}

static void check_law(const char *id, int dims)
{
    contacts_random r = {318};
    int smooth = 0, compared = 0, seen = 0;
    for (int n = 0; n < PROBLEMS; n++) {
        drawn d;
        draw(&r, carom_together_find(id), &d);
        if (d.x.dim <= dims) {
            seen++;
            smooth += holds(&d, false, IDENTITY_TOL) && holds(&d, true, IDENTITY_TOL);
            compared += differs_alike(&r, &d);
        }
        free(d.x.memory);
    }
    assert_true(smooth >= seen / 2);
    assert_true(compared >= seen / 4);
}

static void moreau_obeys(void **state)
{
    (void)state;
    check_law("moreau", 3);
}

static void lzb_obeys(void **state)
{
    (void)state;
    check_law("lzb", 3);
}

/* Two contacts in space, the first slips and the second sticks: Newton's method with 50 digits on what the modes ask,
 * and central differences of 1e-15. */
static void moreau_has_the_numbers_of_50_digits(void **state)
{
    (void)state;
    static const double K[36] = {1.91,  0.36, -0.31, 0.83, 0.76,  0.96, 0.36, 1.93,  0.52, -0.52, 0.8,  -0.02,
                                 -0.31, 0.52, 1.59,  0.4,  -0.27, 0.5,  0.83, -0.52, 0.4,  2.25,  0.5,  0.12,
                                 0.76,  0.8,  -0.27, 0.5,  1.91,  0.67, 0.96, -0.02, 0.5,  0.12,  0.67, 2.48};
    static const double u[6] = {1.5, -0.8, -1.2, 0.15, 0.1, -0.9};
    static const double p[6] = {-0.3161803584465472,  0.051034898940740459, 1.0675755501617187,
                                -0.17352477615390503, 0.11010941347128637,  0.394280537548124};
    static const double dp[6] = {-1.2356468376950985, 0.68783829392677308,  -2.6856232565551231,
                                 1.298438445966033,   -0.98394018526620583, 1.4832973330035967};
    static const double du[6] = {1, 0, 0, 0, 0, 0};
    const carom_coeffs dc[2] = {{.e = 1, .mu = 2}, {.e_t = -1, .mu = 1}};
    double dK[36] = {0};
    drawn d;
    memset(&d, 0, sizeof d);
    dK[8] = 3;     /* K_nn of the first contact; blocks are 3 x 3 by rows */
    dK[9 + 2] = 2; /* t1 of the first with n of the second */
    dK[2 * 9 + 6] = 2;
    d.x.m = 2;
    d.x.dim = 3;
    d.x.n = 6;
    for (int j = 0; j < 2; j++)
        d.x.coeffs[j] = carom_coeffs_default();
    d.x.coeffs[0].e = 0.6;
    d.x.coeffs[0].e_t = 0.1;
    d.x.coeffs[0].mu = 0.3;
    d.x.coeffs[1].e = 0.4;
    d.x.coeffs[1].mu = 0.9;
    d.x.memory = malloc(carom_contacts_size(2, 3));
    assert_int_equal(carom_contacts_from_K(2, 3, K, u, d.x.memory, &d.x.problem), CAROM_STATUS_OK);
    d.rule = carom_together_rule_default(carom_together_find("moreau"), d.x.coeffs);
    differentiate(&d, &(carom_together_variation){du, dK, dc});
    assert_int_equal(d.status, CAROM_STATUS_OK);
    for (int i = 0; i < 6; i++) {
        assert_near(d.x.p[i], p[i], 1, 1e-13);
        assert_near(d.dp[i], dp[i], 3, 1e-12);
    }
    free(d.x.memory);
}

/* One contact: lzb is routh-stronge, moreau is whittaker. Returns whether both have a derivative. */
static bool agrees_alone(contacts_random *r, const char *together, const char *alone, int dim)
{
    drawn d;
    carom_derivative one;
    draw(r, carom_together_find(together), &d);
    while (d.x.m != 1 || d.x.dim != dim) {
        free(d.x.memory);
        draw(r, carom_together_find(together), &d);
    }
    carom_rule rule = carom_rule_default(carom_law_find(alone));
    const carom_problem pb = carom_contacts_alone(&d.x.problem, 0);
    rule.coeffs.e = d.x.coeffs[0].e;
    rule.coeffs.mu = d.x.coeffs[0].mu;
    const carom_coeffs dc = {.mu = 1};
    differentiate(&d, &(carom_together_variation){d.x.problem.u, NULL, &dc});
    bool both = !d.status && !carom_derivative_solve(&pb, &rule, NULL, &one);
    const carom_cvec by_mu = one.p.coeffs[CAROM_COEFF_mu];
    const double want[3] = {by_mu.t1, dim == 2 ? by_mu.n : by_mu.t2, by_mu.n};
    for (int i = 0; both && i < dim; i++)
        assert_near(d.dp[i] - d.x.p[i], want[i], fmax(1, largest(by_mu)), 1e-9);
    free(d.x.memory);
    return both;
}

static void one_contact_has_the_derivatives_of_its_law(void **state)
{
    (void)state;
    contacts_random r = {77};
    int agreed = 0;
    for (int i = 0; i < 20; i++) {
        agreed += agrees_alone(&r, "moreau", "whittaker", 2) + agrees_alone(&r, "moreau", "whittaker", 3);
        agreed += agrees_alone(&r, "lzb", "routh-stronge", 2) + agrees_alone(&r, "lzb", "routh-stronge", 3);
    }
    assert_true(agreed >= 60);
}

static void what_has_no_derivative_is_refused(void **state)
{
    (void)state;
    contacts_random r = {5};
    drawn d;
    draw(&r, carom_together_find("reflections"), &d);
    for (int j = 0; j < d.x.m; j++)
        d.x.coeffs[j].e = 0.5;
    assert_false(carom_together_has_derivatives(d.rule.law));
    differentiate(&d, &(carom_together_variation){d.x.problem.u, NULL, NULL});
    assert_int_equal(d.status, CAROM_STATUS_NO_DERIVATIVE);
    for (int i = 0; i < d.x.n; i++)
        assert_near(d.dp[i], 0, 1, 0);
    free(d.x.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau_obeys),
        cmocka_unit_test(lzb_obeys),
        cmocka_unit_test(moreau_has_the_numbers_of_50_digits),
        cmocka_unit_test(one_contact_has_the_derivatives_of_its_law),
        cmocka_unit_test(what_has_no_derivative_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
