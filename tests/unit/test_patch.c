/* core/patch.h: the closed forms against printed digits (docs/theory/patch.md) and against quadrature of the
 * definition; the Hessian against differences; the dual norm against a search. */
#include "core/patch.h"

#include "support/check.h"

enum {
    HERTZ,
    UNIFORM = CAROM_OPTION_PRESSURE_UNIFORM,
    RING = CAROM_OPTION_PRESSURE_RING,
    ELLIPSE = CAROM_OPTION_PRESSURE_ELLIPSE
};

#define PI 3.141592653589793

/* F and M at s. */
static void F_and_M(int pressure, double s, double *F, double *M)
{
    const patch_slope x = patch_slope_at(pressure, s * s, 1);
    *F = x.alpha * s / x.L;
    *M = x.beta / x.L;
}

static void printed_digits(void **state)
{
    (void)state;
    static const struct {
        double s, F[3], M[3];
    } rows[] = {
        {0.3,
         {0.34547701712445257519, 0.29658591923292484934, 0.15174727953091178936},
         {0.53782348170974828324, 0.62243582610065402055, 0.97710533106158494883}},
        {0.7,
         {0.72364623280032393627, 0.65397897046087588883, 0.37683997721653725046},
         {0.35345126285219729256, 0.44602892550957204760, 0.86304068353539511826}},
        {1, {9 * PI / 32, 8 / (3 * PI), 2 / PI}, {9 * PI / 128, 8 / (9 * PI), 2 / PI}},
        {1.7,
         {0.96397129610247726580, 0.95463667714428957034, 0.90687611426390055997},
         {0.12084594330641508282, 0.15178465675616061003, 0.30886994203090223267}},
        {5,
         {0.99598266357629819208, 0.99497468191362816596, 0.98992372194766787582},
         {0.04011544622100677193, 0.05016857356983561594, 0.10050766018455487462}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int p = HERTZ; p <= RING; p++) {
            double F, M;
            F_and_M(p, rows[i].s, &F, &M);
            assert_close(F, rows[i].F[p], rows[i].s == 1 ? 1e-14 : 4e-15);
            assert_close(M, rows[i].M[p], 1e-14);
        }
}

/* Phi by its definition: the mean of |v + w n x x| over the disc, v = (s, 0), a w = 1, with the midpoint rule around
 * and Gauss' rule along the radius r = sin(t), which takes the root of Hertz away. */
static double radial_weight(int pressure, double t)
{
    return pressure == HERTZ ? 3 * square(cos(t)) * sin(t) : 2 * sin(t) * cos(t);
}

static double mean_speed(int pressure, double s)
{
    enum { AROUND = 4096, ALONG = 4000 };
    double sum = 0;
    const int rings = pressure == RING ? 1 : ALONG;
    for (int i = 0; i < rings; i++) {
        const double t = pressure == RING ? PI / 2 : (i + 0.5) * (PI / 2) / ALONG, r = sin(t);
        double ring = 0;
        for (int k = 0; k < AROUND; k++)
            ring += sqrt(s * s + r * r - 2 * s * r * cos((k + 0.5) * 2 * PI / AROUND));
        sum += ring / AROUND * (pressure == RING ? 1 : radial_weight(pressure, t) * (PI / 2) / ALONG);
    }
    return sum;
}

static void definition_by_quadrature(void **state)
{
    (void)state;
    static const double s[] = {0.23, 0.81, 1.37, 2.9};
    for (int p = HERTZ; p <= RING; p++)
        for (size_t i = 0; i < sizeof s / sizeof s[0]; i++) {
            const patch_slope x = patch_slope_at(p, s[i] * s[i], 1);
            assert_near(patch_norm(&x, s[i] * s[i], 1), mean_speed(p, s[i]), 1, 3e-7); /* the midpoint rule's own */
        }
}

/* F' = eta (inside) or eta / s^3, M' = -s F'. */
static void slopes_by_differences(void **state)
{
    (void)state;
    static const double s[] = {0.01, 0.23, 0.81, 0.97, 1.04, 1.37, 1.99, 2.01, 2.9, 31};
    for (int p = HERTZ; p <= ELLIPSE; p++)
        for (size_t i = 0; i < sizeof s / sizeof s[0]; i++) {
            double F[2], M[2], d = 1e-5 * s[i];
            F_and_M(p, s[i] - d, &F[0], &M[0]);
            F_and_M(p, s[i] + d, &F[1], &M[1]);
            const patch_slope x = patch_slope_at(p, s[i] * s[i], 1);
            const double slope = x.eta / (x.L * x.L * x.L), far = 1e-9 + 1e-9 * (s[i] > 0.9 && s[i] < 1.1);
            assert_near((F[1] - F[0]) / (2 * d), slope, 1 + slope, far * (1 + 1 / s[i]));
            assert_near((M[1] - M[0]) / (2 * d), -s[i] * slope, 1 + slope, far * (1 + 1 / s[i]));
        }
}

/* No step where the series of Hertz ends, at the rim, or where spin or slip vanishes. */
static void continuous(void **state)
{
    (void)state;
    static const double s[] = {1, 2, 1e8, 1e-8};
    for (int p = HERTZ; p <= ELLIPSE; p++)
        for (size_t i = 0; i < sizeof s / sizeof s[0]; i++) {
            double F[2], M[2];
            F_and_M(p, s[i] * (1 - 1e-15), &F[0], &M[0]);
            F_and_M(p, s[i] * (1 + 1e-15), &F[1], &M[1]);
            assert_close(F[1], F[0], 6e-14); /* the slope of the ring has a logarithm */
            assert_close(M[1], M[0], 6e-14);
        }
    double F, M;
    F_and_M(HERTZ, 1e9, &F, &M);
    assert_close(M * 1e9, 0.2, 1e-14);
    assert_close(F, 1.0, 1e-15);
}

/* The largest (f v + m W) / Phi over all directions. */
static double dual_by_search(int pressure, double f, double m)
{
    double best = 0;
    for (int i = 0; i <= 200000; i++) {
        const double angle = i * (PI / 2) / 200000, v = sin(angle), W = cos(angle);
        const patch_slope x = patch_slope_at(pressure, v * v, W * W);
        best = fmax(best, (f * v + m * W) / patch_norm(&x, v * v, W * W));
    }
    return best;
}

static void dual_norm(void **state)
{
    (void)state;
    for (int p = HERTZ; p <= ELLIPSE; p++) {
        assert_close(patch_dual(p, 0.31, 0.17), dual_by_search(p, 0.31, 0.17), 1e-9);
        assert_close(patch_dual(p, 0.05, 0.41), dual_by_search(p, 0.05, 0.41), 1e-9);
        assert_close(patch_dual(p, 2.385, 0.0021), dual_by_search(p, 2.385, 0.0021), 1e-9);
        assert_close(patch_dual(p, 0.7, 0), 0.7, 1e-15);
        assert_close(patch_dual(p, 0, 0.7), 0.7 / patch_spin(p), 1e-15);
        assert_true(patch_dual(p, 0, 0) == 0);
        double F, M;
        F_and_M(p, 0.77, &F, &M);
        assert_close(patch_dual(p, F, M), 1.0, 4e-15);
        F_and_M(p, 3.1, &F, &M);
        assert_close(patch_dual(p, 2.385 * F, 2.385 * M), 2.385, 4e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(printed_digits), cmocka_unit_test(definition_by_quadrature),
                                       cmocka_unit_test(slopes_by_differences), cmocka_unit_test(continuous),
                                       cmocka_unit_test(dual_norm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
