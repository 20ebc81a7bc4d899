/* Root finders: roots put in, roots taken out. */
#include "core/roots.h"
#include "support/check.h"
#include "support/corpus.h"

#define ROOT_ERROR 1e-13 /* of roots that are well apart */

/* c <- c (x - r) for a polynomial of this degree. */
static void multiply(double *c, int degree, double r)
{
    c[degree + 1] = c[degree];
    for (int i = degree; i > 0; i--)
        c[i] = c[i - 1] - r * c[i];
    c[0] *= -r;
}

static void test_polynomial_finds_its_roots(void **state)
{
    (void)state;
    const double given[4] = {-0.8413, -0.2385, 0.1179, 0.7734};
    double c[5] = {1.7, 0, 0, 0, 0}, root[4];
    for (int degree = 1; degree <= 4; degree++) {
        multiply(c, degree - 1, given[degree - 1]);
        assert_int_equal(polynomial_roots(c, degree, NULL, root), degree);
        for (int i = 0; i < degree; i++)
            assert_near(root[i], given[i], 1, ROOT_ERROR);
    }
}

static void test_polynomial_ignores_roots_elsewhere(void **state)
{
    (void)state;
    double c[5] = {-2.385, 0, 0, 0, 0}, root[4];
    multiply(c, 0, 1.2);
    multiply(c, 1, -3.1);
    multiply(c, 2, 0.4173);
    multiply(c, 3, 77.7);
    assert_int_equal(polynomial_roots(c, 4, NULL, root), 1);
    assert_near(root[0], 0.4173, 1, ROOT_ERROR);
}

static void test_polynomial_of_lower_degree(void **state)
{
    (void)state;
    const double c[5] = {0.3, -0.75, 0, 0, 0};
    double root[4];
    assert_int_equal(polynomial_roots(c, 4, NULL, root), 1);
    assert_near(root[0], 0.4, 1, ROOT_ERROR);
}

static void test_polynomial_without_roots(void **state)
{
    (void)state;
    const double c[5] = {0.61, 0.02, 0.37, -0.01, 0.19};
    double root[4];
    assert_int_equal(polynomial_roots(c, 4, NULL, root), 0);
}

static double trig_at(const trig2 *f, double t)
{
    return f->a0 + f->a1 * cos(t) + f->b1 * sin(t) + f->a2 * cos(2 * t) + f->b2 * sin(2 * t);
}

/* Signs on a fine grid, and halving: slow and sure. */
static int count_by_grid(const trig2 *f, double root[8])
{
    enum { GRID = 20000 };
    const double step = 2 * 3.14159265358979323846 / GRID;
    int count = 0;
    for (int i = 0; i < GRID; i++) {
        double lo = i * step, hi = lo + step;
        bool rises = trig_at(f, lo) < 0;
        if (rises == (trig_at(f, hi) < 0))
            continue;
        for (int halving = 0; halving < 60; halving++) {
            double mid = 0.5 * (lo + hi);
            if ((trig_at(f, mid) < 0) == rises)
                lo = mid;
            else
                hi = mid;
        }
        if (count < 8)
            root[count++] = lo;
    }
    return count;
}

static bool holds(const heading *root, int count, double t)
{
    for (int i = 0; i < count; i++)
        if (hypot(root[i].cos - cos(t), root[i].sin - sin(t)) < 1e-10)
            return true;
    return false;
}

static void test_trigonometric_finds_all(void **state)
{
    (void)state;
    dice d = {31};
    int seen[5] = {0};
    for (int i = 0; i < 2000; i++) {
        double weight = dice_decades(&d, -2, 2);
        trig2 f = {dice_gauss(&d), dice_gauss(&d), dice_gauss(&d), weight * dice_gauss(&d), weight * dice_gauss(&d)};
        heading root[TRIG2_ROOTS];
        double want[8];
        int count = trig2_roots(&f, root), grid = count_by_grid(&f, want);
        if (count != grid) { /* the grid steps over a close pair */
            assert_int_equal(count, grid + 2);
            continue;
        }
        seen[count]++;
        for (int j = 0; j < grid; j++)
            assert_true(holds(root, count, want[j]));
    }
    assert_true(seen[0] > 50 && seen[2] > 50 && seen[4] > 50);
}

/* Round coefficients, as people write them: Newton's steps land exactly on the ends of a bracket, which are no roots.
 * Roots that the grid sees are held to its digits. */
static void test_trigonometric_of_integers(void **state)
{
    (void)state;
    dice d = {32};
    for (int i = 0; i < 4000; i++) {
        double c[5], want[8];
        for (int j = 0; j < 5; j++)
            c[j] = (dice_below(&d, 33) - 16) / 4.0;
        trig2 f = {c[0], c[1], c[2], c[3], c[4]};
        heading root[TRIG2_ROOTS];
        int count = trig2_roots(&f, root), grid = count_by_grid(&f, want);
        for (int j = 0; j < grid; j++) {
            double t = want[j], slope = c[2] * cos(t) - c[1] * sin(t) + 2 * (c[4] * cos(2 * t) - c[3] * sin(2 * t));
            if (fabs(slope) > 0.1)
                assert_true(holds(root, count, t));
        }
    }
}

/* Roots exactly where the two half circles meet are found once. */
static void test_trigonometric_seam(void **state)
{
    (void)state;
    const trig2 cosine = {0, 2.385, 0, 0, 0};
    heading root[TRIG2_ROOTS];
    assert_int_equal(trig2_roots(&cosine, root), 2);
    assert_near(root[0].cos, 0, 1, ROOT_ERROR);
    assert_near(root[0].sin * root[1].sin, -1, 1, ROOT_ERROR);
}

/* A double root where the half circles meet, which rounding splits, hides no other: (1 - sin t)(a cos t + b sin t) in
 * any units. */
static void test_trigonometric_double_seam(void **state)
{
    (void)state;
    dice d = {33};
    for (int i = 0; i < 10000; i++) {
        double s = dice_decades(&d, -6, 6), a = dice_between(&d, -3, 3), b = dice_between(&d, -3, 3);
        const trig2 f = {0.5 * s * -b, s * a, s * b, 0.5 * s * b, -0.5 * s * a};
        heading root[TRIG2_ROOTS];
        int count = trig2_roots(&f, root);
        assert_true(count <= TRIG2_ROOTS);
        if (fabs(a) > 0.01 && fabs(b) > 0.01) { /* a cos t + b sin t = 0, away from the double root */
            assert_true(holds(root, count, atan2(-a, b)));
            assert_true(holds(root, count, atan2(a, -b)));
        }
    }
}

/* x^3 = a over 360 decades of a, from an open bracket. */
static void test_bracket_spans_scales(void **state)
{
    (void)state;
    for (int decade = -60; decade <= 60; decade += 3) {
        double want = 2.385 * pow(10, decade), a = want * want * want, x = 1;
        bracket b = bracket_make(0, INFINITY);
        int steps = 0;
        for (; steps < ROOT_STEPS; steps++) {
            double y = bracket_next(&b, x, x * x * x - a, 3 * x * x);
            bool settled = bracket_settled(&b, x, y);
            x = y;
            if (settled)
                break;
        }
        assert_true(steps < ROOT_STEPS);
        assert_close(x, want, 1e-14);
    }
}

/* A slope that lies does not stop it. */
static void test_bracket_survives_bad_slopes(void **state)
{
    (void)state;
    const double lies[4] = {0, -3, 1e-300, NAN};
    for (int i = 0; i < 4; i++) {
        bracket b = bracket_make(0.1, 90);
        double x = 2;
        for (int step = 0; step < ROOT_STEPS; step++)
            x = bracket_next(&b, x, x - 7.31, lies[i]);
        assert_close(x, 7.31, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomial_finds_its_roots),  cmocka_unit_test(test_polynomial_ignores_roots_elsewhere),
        cmocka_unit_test(test_polynomial_of_lower_degree),  cmocka_unit_test(test_polynomial_without_roots),
        cmocka_unit_test(test_trigonometric_finds_all),     cmocka_unit_test(test_trigonometric_of_integers),
        cmocka_unit_test(test_trigonometric_seam),          cmocka_unit_test(test_bracket_spans_scales),
        cmocka_unit_test(test_bracket_survives_bad_slopes), cmocka_unit_test(test_trigonometric_double_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
