#include "laws/springs/compliant_slip.h"

#include <string.h>

#include "support/check.h"

/* The beginning of an impact in slip: f = 0, and the springs point along the slip. */
static compliant beginning(series *x)
{
    compliant c;
    memset(&c, 0, sizeof c);
    memset(x, 0, sizeof *x);
    c.K = (carom_csym){2.617, -0.413, 3.129, 0.718, -0.537, 1.942};
    c.mu = 0.437;
    c.k = 1.291;
    c.slipping = true;
    c.now.u = carom_cvec_make(0.616, 0.462, -0.813);
    x->order = SLOW_ORDER;
    x->row[ROW_U1][0] = c.now.u.t1;
    x->row[ROW_U2][0] = c.now.u.t2;
    x->row[ROW_UN][0] = c.now.u.n;
    x->row[ROW_X1][0] = 0.8;
    x->row[ROW_X2][0] = 0.6;
    return c;
}

/* The rows satisfy (7). */
static void solves_the_equations(void **state)
{
    (void)state;
    const double unit = 0.5, t = 0.19;
    double omega[SLOW_ORDER + 1] = {0}, v[SERIES_ROWS], d[SERIES_ROWS];
    series x;
    compliant c = beginning(&x);
    slow_sweep_baseline(&c, unit, omega, &x);
    for (int i = 0; i < SERIES_ROWS; i++)
        v[i] = taylor_at_slope(x.row[i], SLOW_ORDER, t, &d[i]);
    double s1 = v[ROW_X1], s2 = v[ROW_X2], turn = s1 * v[ROW_U2] - s2 * v[ROW_U1];
    carom_cvec dp = carom_cvec_make(-c.mu * s1 * unit, -c.mu * s2 * unit, unit), du = carom_csym_apply(c.K, dp);
    const double want[SERIES_ROWS] = {dp.t1, dp.t2, dp.n, du.t1, du.t2, du.n, 0, 0, -2 * c.k * unit * v[ROW_UN]};
    for (int i = 0; i < SERIES_ROWS; i++)
        if (i != ROW_X1 && i != ROW_X2)
            assert_near(d[i], want[i], 1, 1e-14);
    assert_near(c.mu * v[ROW_X3] * d[ROW_X1], -s2 * turn * unit, 1, 1e-14);
    assert_near(c.mu * v[ROW_X3] * d[ROW_X2], s1 * turn * unit, 1, 1e-14);
    assert_near(s1 * s1 + s2 * s2, 1, 1, 1e-14);
}

static void sets_agree_to_the_bit(void **state)
{
    (void)state;
    double omega[2][SLOW_ORDER + 1] = {{0}, {0}};
    series x[2];
    compliant c = beginning(&x[0]);
    (void)beginning(&x[1]);
    slow_sweep_baseline(&c, 0.71, omega[0], &x[0]);
    slip_series_best()->sweep(&c, 0.71, omega[1], &x[1]);
    assert_memory_equal(x[0].row, x[1].row, sizeof x[0].row);
    assert_memory_equal(omega[0], omega[1], sizeof omega[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_equations),
        cmocka_unit_test(sets_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
