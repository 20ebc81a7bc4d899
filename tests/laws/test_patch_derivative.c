/* Derivatives of contacts with a patch or rolling resistance, held to what must be true of every derivative:
 *
 *     p_u u = p,   p_K : K = -p,   p_u (R u) + p_K : (R K + K R^T) = R p
 *     lengths: with angular velocities in other units, -u, -K, +patch and +rho move moments alone
 *
 * to differences of the solver, and to numbers of tests/vectors/patch_derivative_vectors.py. */
#include "support/check.h"
#include "support/contacts.h"

#include "carom/patch_derivative.h"

static int problems = 400; /* of each law; `./run derivatives` takes more */
#define END_TOL  1e-11
#define PATH_TOL 1e-8 /* a path near a border magnifies rounding */

static const char *const laws[] = {"whittaker", "routh-newton", "routh-poisson", "routh-stronge"};

typedef struct drawn {
    carom_patch_problem problem;
    carom_rule rule;
} drawn;

static double unit_of(int row, double a)
{
    return row < 3 ? 1 : a;
}

/* Angular rows are in units of the radius. */
static void draw(contacts_random *r, const char *law, int size, drawn *x)
{
    const double a = pow(10, contacts_within(r, -2, 0));
    double A[6][6], K[36], u[6];
    for (int i = 0; i < size * size; i++)
        A[i / size][i % size] = contacts_within(r, -1, 1);
    for (int i = 0; i < size; i++) {
        u[i] = contacts_within(r, i == 2 ? 0.2 : -2, 2) / (i == 2 ? -1 : unit_of(i, a));
        for (int j = 0; j < size; j++) {
            double sum = i == j ? 0.3 : 0;
            for (int k = 0; k < size; k++)
                sum += A[i][k] * A[j][k];
            K[i * size + j] = sum / (unit_of(i, a) * unit_of(j, a));
        }
    }
    assert_int_equal(carom_patch_load(size, K, u, &x->problem), CAROM_STATUS_OK);
    x->rule = carom_rule_default(carom_law_find(law));
    x->rule.coeffs.e = contacts_within(r, 0.1, 0.9);
    x->rule.coeffs.mu = contacts_within(r, 0.05, 0.9);
    x->rule.coeffs.patch = a;
    x->rule.coeffs.rho = size == 6 ? a * contacts_within(r, 0.1, 1) : 0;
    x->rule.options.pressure = (int)contacts_within(r, 0, 4);
}

/* ---- identities ---- */

/* A direction of the inputs, and what it must do to p. */
typedef struct direction {
    double u[6], K[6][6], patch, rho, want[6];
} direction;

static void check_direction(const drawn *x, const carom_patch_derivative *d, const direction *by, double tol)
{
    const int n = x->problem.size;
    const double a = x->rule.coeffs.patch;
    for (int i = 0; i < n; i++) {
        double sum = by->patch * d->p.coeffs[CAROM_COEFF_patch][i] + by->rho * d->p.coeffs[CAROM_COEFF_rho][i],
               size = fabs(by->want[i]) + fabs(sum) + 1e-3 * unit_of(i, a);
        for (int j = 0, at = 0; j < n; j++) {
            sum += by->u[j] * d->p.u[j][i];
            size += fabs(by->u[j] * d->p.u[j][i]);
            for (int k = 0; k <= j; k++, at++) {
                sum += by->K[k][j] * d->p.K[at][i];
                size += fabs(by->K[k][j] * d->p.K[at][i]);
            }
        }
        assert_near(sum, by->want[i], size, tol);
    }
}

static void turn(int n, const double *x, double *turned)
{
    for (int i = 0; i < n; i++)
        turned[i] = i == 0 ? -x[1] : i == 1 ? x[0] : i == 4 ? -x[5] : i == 5 ? x[4] : 0;
}

static void check_identities(const drawn *x, const carom_outcome *out, const carom_patch_derivative *d, double tol)
{
    const carom_patch_problem *pb = &x->problem;
    const int n = pb->size;
    const carom_cspin m = out->turning.m;
    const double p[6] = {out->p.t1, out->p.t2, out->p.n, m.n, m.t1, m.t2};
    direction scale = {.patch = 0}, stiffer = {.patch = 0}, turned = {.patch = 0},
              lengths = {.patch = x->rule.coeffs.patch, .rho = x->rule.coeffs.rho};
    turn(n, pb->u, turned.u);
    turn(n, p, turned.want);
    for (int i = 0; i < n; i++) {
        scale.u[i] = pb->u[i];
        scale.want[i] = p[i];
        stiffer.want[i] = -p[i];
        lengths.u[i] = i < 3 ? 0 : -pb->u[i];
        lengths.want[i] = i < 3 ? 0 : p[i];
        double row[6];
        turn(n, pb->K + (size_t)i * (size_t)n, row); /* K R^T, by rows */
        for (int j = 0; j < n; j++) {
            stiffer.K[i][j] = pb->K[i * n + j];
            lengths.K[i][j] = -pb->K[i * n + j] * ((i >= 3) + (j >= 3));
            turned.K[i][j] += row[j];
            turned.K[j][i] += row[j];
        }
    }
    check_direction(x, d, &scale, tol);
    check_direction(x, d, &stiffer, tol);
    check_direction(x, d, &turned, tol);
    check_direction(x, d, &lengths, tol);
}

static void identities(void **unused)
{
    (void)unused;
    contacts_random r = {20331};
    int refused = 0;
    for (int i = 0; i < 4 * problems; i++) {
        const int law = i % 4;
        drawn x;
        carom_outcome out;
        carom_patch_derivative d;
        draw(&r, laws[law], law == 0 && i % 8 ? 6 : 4, &x);
        const carom_status status = carom_patch_derivative_solve(&x.problem, &x.rule, &out, &d);
        refused += status == CAROM_STATUS_NO_DERIVATIVE;
        if (status != CAROM_STATUS_NO_DERIVATIVE)
            check_identities(&x, &out, &d, law == 0 ? END_TOL : PATH_TOL);
    }
    assert_true(refused <= problems / 50);
}

/* ---- differences ---- */

/* The input of a column, moved by a share of its size. */
static double move(drawn *x, int column, double share)
{
    carom_patch_problem *pb = &x->problem;
    double *coeffs[] = {&x->rule.coeffs.e, &x->rule.coeffs.mu, &x->rule.coeffs.patch, &x->rule.coeffs.rho};
    const int n = pb->size;
    if (column < n) {
        const double by = share * unit_of(column, 1 / x->rule.coeffs.patch);
        pb->u[column] += by;
        return by;
    }
    for (int j = 0, at = n; j < n; j++)
        for (int i = 0; i <= j; i++, at++)
            if (at == column) {
                const double by = share * sqrt(pb->K[i * n + i] * pb->K[j * n + j]);
                pb->K[i * n + j] += by;
                pb->K[j * n + i] += i == j ? 0 : by;
                return by;
            }
    double *coeff = coeffs[column - n - n * (n + 1) / 2];
    const double by = share * *coeff;
    *coeff += by;
    return by;
}

static void solve_at(const drawn *x, int column, double share, double y[6], double *by)
{
    drawn moved = *x;
    carom_outcome out;
    *by = move(&moved, column, share);
    assert_true(carom_status_is_answer(carom_patch_solve(&moved.problem, &moved.rule, NULL, &out)));
    const double p[6] = {out.p.t1, out.p.t2, out.p.n, out.turning.m.n, out.turning.m.t1, out.turning.m.t2};
    memcpy(y, p, sizeof p);
}

/* Central differences of two steps, extrapolated; false where they do not agree: a border lies between. */
static bool differ(const drawn *x, int column, double got[6])
{
    double D[3][6], least = 0, most = 0;
    for (int step = 0; step < 3; step++) {
        double high[6], low[6], by[2];
        solve_at(x, column, 1e-3 / (1 << step), high, &by[0]);
        solve_at(x, column, -1e-3 / (1 << step), low, &by[1]);
        for (int i = 0; i < 6; i++)
            D[step][i] = (high[i] - low[i]) / (by[0] - by[1]);
    }
    for (int i = 0; i < 6; i++) {
        const double first = (4 * D[1][i] - D[0][i]) / 3, second = (4 * D[2][i] - D[1][i]) / 3;
        got[i] = (16 * second - first) / 15;
        least = fmax(least, fabs(got[i] - second) / unit_of(i, x->rule.coeffs.patch));
        most = fmax(most, fabs(got[i]) / unit_of(i, x->rule.coeffs.patch));
    }
    return least <= 1e-8 * most;
}

static const double *column_of(const carom_patch_derivative *d, int column)
{
    static const carom_coeff coeffs[] = {CAROM_COEFF_e, CAROM_COEFF_mu, CAROM_COEFF_patch, CAROM_COEFF_rho};
    const int n = d->size, entries = n * (n + 1) / 2;
    return column < n             ? d->p.u[column]
           : column < n + entries ? d->p.K[column - n]
                                  : d->p.coeffs[coeffs[column - n - entries]];
}

static void differences(void **unused)
{
    (void)unused;
    contacts_random r = {771};
    int compared = 0, all = 0;
    for (int i = 0; i < problems / 4; i++) {
        const int law = i % 4, size = law == 0 && i % 8 ? 6 : 4,
                  columns = size + size * (size + 1) / 2 + (size == 6 ? 4 : 3);
        drawn x;
        carom_patch_derivative d;
        draw(&r, laws[law], size, &x);
        if (carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d) == CAROM_STATUS_NO_DERIVATIVE)
            continue;
        for (int c = 0; c < columns; c++) {
            double want[6], most = 1e-3;
            const bool smooth = differ(&x, c, want);
            all++;
            compared += smooth;
            for (int k = 0; k < size; k++)
                most = fmax(most, fabs(want[k]) / unit_of(k, x.rule.coeffs.patch));
            for (int k = 0; k < size && smooth; k++)
                assert_near(column_of(&d, c)[k], want[k], most * unit_of(k, x.rule.coeffs.patch), 1e-7);
        }
    }
    assert_true(compared > 0.9 * all);
}

/* ---- numbers from outside ---- */

/* A ball, u = (1.6, 0, -1, 10), e = 1/2, mu = 1/4, a = 0.1: p_t1 and m_n by u_t1, w_n, mu and patch. */
static const struct {
    const char *law;
    int pressure;
    double columns[4][2];
} published[] = {
    {"whittaker",
     0,
     {{-0.14399456048087, 0.0097373762724889},
      {0.0097373762724889, -0.00065847276699473},
      {-0.5263153450943, -0.090861467405366},
      {0.96705764472399, -0.2025984796047}}},
    {"whittaker",
     CAROM_OPTION_PRESSURE_UNIFORM,
     {{-0.14421244963131, 0.010411761751014},
      {0.010411761751014, -0.0007517019718965},
      {-0.50032471834129, -0.10163404979005},
      {1.0327079179001, -0.23722594481258}}},
    {"whittaker",
     CAROM_OPTION_PRESSURE_RING,
     {{-0.15442910354333, 0.014047121979443},
      {0.014047121979443, -0.0012777490212523},
      {-0.36974340846067, -0.14952716874422},
      {1.3852682509041, -0.40284512144919}}},
    {"routh-poisson",
     0,
     {{-0.11870452650624, 0.0096097725005344},
      {0.008823508470498, -0.00079637527671667},
      {-0.84135863453988, -0.067682483681071},
      {0.87996169905024, -0.17454817745357}}},
    {"routh-poisson",
     CAROM_OPTION_PRESSURE_UNIFORM,
     {{-0.12686810096198, 0.010938953598036},
      {0.010021178454328, -0.00095118882761664},
      {-0.79154785168512, -0.078711725251308},
      {0.99885925927479, -0.211738181866}}},
    {"routh-poisson",
     CAROM_OPTION_PRESSURE_RING,
     {{-0.16043813943003, 0.016695660203574},
      {0.015305472162357, -0.0016791640576253},
      {-0.58967982323742, -0.12771574406804},
      {1.5217761742467, -0.38715968438327}}},
};

static void vectors(void **unused)
{
    (void)unused;
    static const double K[16] = {3.5, 0, 0, 0, 0, 3.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2.5}, u[4] = {1.6, 0, -1, 10};
    for (int i = 0; i < (int)(sizeof published / sizeof published[0]); i++) {
        carom_rule rule = carom_rule_default(carom_law_find(published[i].law));
        carom_patch_problem pb;
        carom_patch_derivative d;
        rule.coeffs.e = 0.5;
        rule.coeffs.mu = 0.25;
        rule.coeffs.patch = 0.1;
        rule.options.pressure = published[i].pressure;
        assert_int_equal(carom_patch_load(4, K, u, &pb), CAROM_STATUS_OK);
        assert_int_equal(carom_patch_derivative_solve(&pb, &rule, NULL, &d), CAROM_STATUS_OK);
        const double *got[4] = {d.p.u[0], d.p.u[3], d.p.coeffs[CAROM_COEFF_mu], d.p.coeffs[CAROM_COEFF_patch]};
        for (int c = 0; c < 4; c++) {
            assert_near(got[c][0], published[i].columns[c][0], 1, 1e-11);
            assert_near(got[c][3], published[i].columns[c][1], 1, 1e-11);
        }
    }
}

/* ---- borders ---- */

static void borders(void **unused)
{
    (void)unused;
    contacts_random r = {5};
    drawn x;
    carom_patch_derivative d;
    carom_derivative point;
    draw(&r, "routh-poisson", 4, &x);
    x.problem.u[2] = 0.5;
    assert_int_equal(carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d), CAROM_STATUS_SEPARATING);
    assert_true(d.u_after.u[3][3] == 1 && d.u_after.u[3][0] == 0 && d.p.u[2][2] == 0);
    x.problem.u[2] = -1e-9; /* next to u_n = 0 derivatives have their limit */
    const carom_status status = carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d);
    assert_int_equal(status, CAROM_STATUS_OK);
    const double close = d.p.u[2][2];
    x.problem.u[2] = 0;
    assert_int_equal(carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d), CAROM_STATUS_GRAZING);
    assert_true(d.nonsmooth);
    assert_near(d.p.u[2][2], close, fabs(close), 1e-6);
    x.problem.u[2] = -1;
    x.rule.coeffs.patch = 0; /* the point contact, with spins carried along */
    const carom_problem three = carom_patch_point(&x.problem);
    assert_int_equal(carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d), CAROM_STATUS_OK);
    assert_int_equal(carom_derivative_solve(&three, &x.rule, NULL, &point), CAROM_STATUS_OK);
    assert_true(d.p.u[0][2] == point.p.u[0].n && d.p.K[4][1] == point.p.K[4].t2 && d.p.u[3][0] == 0);
    x.rule = carom_rule_default(carom_law_find("newton"));
    x.rule.coeffs.patch = 0.1;
    assert_int_equal(carom_patch_derivative_solve(&x.problem, &x.rule, NULL, &d), CAROM_STATUS_OUT_OF_SCOPE);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(identities), cmocka_unit_test(differences),
                                       cmocka_unit_test(vectors), cmocka_unit_test(borders)};
    problems = count > 1 ? atoi(words[1]) : problems;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
