/* Pieces of motion from rates at Gauss nodes: the nodes are those of Legendre, and polynomials come back. */
#include "sim/motion/track.h"

#include "core/num.h"
#include "sim/parts.h"

#define SUM_TOL 1e-13 /* coefficients up to 500 that cancel */

/* P_7 of Legendre on [0, 1], by its recurrence. */
static double legendre(double x)
{
    double z = 2 * x - 1, before = 1, here = z;
    for (int n = 1; n < GAUSS_NODES; n++) {
        double next = ((2 * n + 1) * z * here - n * before) / (n + 1);
        before = here, here = next;
    }
    return here;
}

static void test_nodes(void **state)
{
    (void)state;
    for (int j = 0; j < GAUSS_NODES; j++) {
        assert_near(legendre(gauss_node[j]), 0, 2e-15);
        assert_near(gauss_node[j] + gauss_node[GAUSS_NODES - 1 - j], 1, EPS);
    }
}

/* x^n with n up to 13 over the whole step, up to 6 over any part of it. */
static void test_weights(void **state)
{
    (void)state;
    const double h = 0.37;
    for (double x = 0.1; x < 1.05; x += 0.3) {
        double weight[GAUSS_NODES];
        track_weights(h, x, weight);
        for (int n = 0; n <= (x == 1 ? 13 : 6); n++) {
            double sum = 0;
            for (int j = 0; j < GAUSS_NODES; j++)
                sum += weight[j] * pow(gauss_node[j], n);
            assert_near(sum, h * pow(x, n + 1) / (n + 1), SUM_TOL * h);
        }
    }
    double whole[GAUSS_NODES];
    track_weights(1, 1, whole);
    for (int n = 0; n <= 13; n++) {
        double sum = 0;
        for (int j = 0; j < GAUSS_NODES; j++)
            sum += whole[j] * pow(gauss_node[j], n);
        assert_near(sum, 1.0 / (n + 1), SUM_TOL);
    }
}

/* Number i of the state moves as a polynomial of degree 7 of its own. */
static double moved(double c[STATE][GAUSS_NODES + 1], int i, double s, bool rate)
{
    double sum = 0;
    for (int k = rate; k <= GAUSS_NODES; k++)
        sum += c[i][k] * (rate ? k * pow(s, k - 1) : pow(s, k));
    return sum;
}

static void test_polynomials(void **state)
{
    (void)state;
    dice d = {61};
    const double t0 = 3.7, h = 0.25;
    double c[STATE][GAUSS_NODES + 1], y[STATE], f[GAUSS_NODES][STATE];
    for (int i = 0; i < STATE; i++)
        for (int k = 0; k <= GAUSS_NODES; k++)
            c[i][k] = dice_between(&d, -1, 1);
    for (int i = 0; i < STATE; i++) {
        y[i] = c[i][0];
        for (int j = 0; j < GAUSS_NODES; j++)
            f[j][i] = moved(c, i, gauss_node[j] * h, true);
    }
    track k = {.end = 5};
    track_make(y, t0, h, f, &k);
    assert_true(k.end == 5 && k.t0 == t0 && k.h == h && !k.driven);
    double accel = 0, turn = 0;
    for (double s = 0; s <= h; s += h / 64) {
        for (int i = 0; i < STATE; i++)
            assert_near(track_value(&k, i, t0 + s), moved(c, i, s, false), SUM_TOL);
        double a = 0, w = 0, dw = 0;
        for (int i = 0; i < 3; i++) {
            a += pow(moved(c, 7 + i, s, true), 2), w += pow(moved(c, 10 + i, s, false), 2);
            dw += pow(moved(c, 10 + i, s, true), 2);
        }
        accel = fmax(accel, sqrt(a)), turn = fmax(turn, w + sqrt(dw));
    }
    assert_true(k.accel >= accel && k.turn >= turn); /* they are bounds */
    assert_near(quat_norm(track_turn(&k, t0 + 0.1)), 1, 4e-16);
    assert_near(track_velocity(&k, t0 + 0.1).y, moved(c, 8, 0.1, false), SUM_TOL);
    assert_near(track_omega(&k, t0 + 0.1).z, moved(c, 12, 0.1, false), SUM_TOL);
}

/* Works are integrals: exp has its own at the end to the order of the nodes. */
static void test_integral(void **state)
{
    (void)state;
    const double h = 0.8;
    double f[GAUSS_NODES], c[GAUSS_NODES + 1];
    for (int j = 0; j < GAUSS_NODES; j++)
        f[j] = exp(gauss_node[j] * h);
    track_integrate(h, f, c);
    assert_near(track_sum(c, 0), 0, 0);
    assert_near(track_sum(c, 1), expm1(h), SUM_TOL);
    assert_near(track_sum(c, 0.3), expm1(0.3 * h), 1e-9);
}

/* y'' = -w^2 y with rates that know the time: the state at the end is that of the closed form, to order 14. */
static bool swings(void *context, double s, const double *y, double *f)
{
    double w = *(const double *)context;
    f[0] = y[1];
    f[1] = -w * w * y[0];
    f[2] = cos(s);
    return s < 1; /* later there are none */
}

static void test_settles(void **state)
{
    (void)state;
    double w = 2.385, h = 0.3, y[3] = {0.7, -1.1, 0.2}, one[3] = {1, 1, 1}, here[3], out[3], room[2 * GAUSS_NODES][3];
    node_search x = {swings, &w, 3, h, y, one, here, {NULL}, 4 * EPS, 1e-13, 12};
    node_rates f;
    for (int j = 0; j < GAUSS_NODES; j++) {
        f[j] = room[j], x.next[j] = room[GAUSS_NODES + j];
        swings(&w, 0, y, f[j]);
    }
    assert_true(nodes_settle(&x, f));
    nodes_state(&x, 1, f, out);
    assert_near(out[0], y[0] * cos(w * h) + y[1] / w * sin(w * h), SUM_TOL);
    assert_near(out[1], y[1] * cos(w * h) - y[0] * w * sin(w * h), SUM_TOL);
    assert_near(out[2], y[2] + sin(h), SUM_TOL);
    x.h = 1.2;
    assert_false(nodes_settle(&x, f));
    x.h = 0.9, w = 1e3; /* a piece so long that rounds do not contract */
    assert_false(nodes_settle(&x, f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),    cmocka_unit_test(test_weights), cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_integral), cmocka_unit_test(test_settles),
    };
    return cmocka_run_group_tests_name("track", tests, NULL, NULL);
}
