/* Invariant rays: Baber's Figure 4, and random contacts against a dense scan. */
#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

#define DEGREE 0.017453292519943295

static const carom_csym figure4 = {20, 0, 4, 1, 6, 10}; /* Baber, Figure 4; mu = 0.7 */

/* Angles from 200-bit arithmetic. */
static void test_rays_of_figure_4(void **state)
{
    (void)state;
    static const double angle[] = {86.668939286850, 209.081674736515, 281.352223993617, 322.897161983019};
    static const double g[] = {3.210154373481, -15.144, -8.9197, -12.746};
    carom_hodograph h;
    assert_int_equal(carom_hodograph_of(&figure4, 0.7, &h), CAROM_STATUS_OK);
    assert_int_equal(h.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(h.rays[i].angle / DEGREE, angle[i], 1, 1e-9);
        assert_near(h.rays[i].g, g[i], fabs(g[i]), i == 0 ? 1e-12 : 5e-5);
        assert_int_equal(h.rays[i].kind, i == 0 ? CAROM_RAY_DIVERGING : CAROM_RAY_CONVERGING);
        assert_true(h.rays[i].attracting == (i % 2 == 0));
        assert_true(h.rays[i].repelling == (i % 2 == 1));
    }
    assert_false(h.sticks);
}

static void test_five_of_sixteen_starts_come_to_rest(void **state)
{
    (void)state;
    carom_hodograph h;
    assert_int_equal(carom_hodograph_of(&figure4, 0.7, &h), CAROM_STATUS_OK);
    for (int n = 0; n < 16; n++) {
        carom_direction start = {cos(22.5 * n * DEGREE), sin(22.5 * n * DEGREE)};
        assert_true(carom_hodograph_reaches(&h, start) == (n >= 10 && n <= 14));
    }
    carom_arc arcs[CAROM_RAYS];
    assert_int_equal(carom_hodograph_basin(&h, arcs), 1);
    assert_near(arcs[0].from / DEGREE, 209.081674736515, 1, 1e-9);
    assert_near(arcs[0].to / DEGREE, 322.897161983019, 1, 1e-9);
}

/* Every sign change of f on a fine grid lies next to a ray, rays are zeros of f, and the theorems hold. */
static void check_rays(const carom_csym *K, double mu)
{
    enum { GRID = 2000 };
    carom_hodograph h;
    assert_int_equal(carom_hodograph_of(K, mu, &h), CAROM_STATUS_OK);
    double scale = mu * (K->t11 + K->t22) + hypot(K->t1n, K->t2n);
    assert_true(h.every || (h.count >= 2 && h.count <= 4));
    int diverging = 0, changes = 0;
    for (int i = 0; i < h.count; i++) {
        carom_slip_rates r = carom_slip_rates_at(K, mu, h.rays[i].direction);
        assert_near(r.f, 0, scale, 1e-14);
        diverging += h.rays[i].kind == CAROM_RAY_DIVERGING;
        if (h.rays[i].kind == CAROM_RAY_DIVERGING)
            assert_true(h.rays[i].attracting);
        if (h.rays[i].repelling)
            assert_int_equal(h.rays[i].kind, CAROM_RAY_CONVERGING);
        assert_true(i == 0 || h.rays[i].angle > h.rays[i - 1].angle);
    }
    assert_true(diverging <= 1);
    if (diverging == 1)
        assert_false(h.sticks); /* slip leaves rest along it */
    double last = carom_slip_rates_at(K, mu, (carom_direction){1, 0}).f;
    for (int i = 1; i <= GRID; i++) {
        double angle = 6.283185307179586 * i / GRID;
        double f = carom_slip_rates_at(K, mu, (carom_direction){cos(angle), sin(angle)}).f;
        changes += (f > 0) != (last > 0) && fabs(f) > 1e-14 * scale && fabs(last) > 1e-14 * scale;
        last = f;
    }
    assert_true(h.every || changes <= h.count);
}

static void test_random_contacts(void **state)
{
    (void)state;
    dice d = {91};
    for (int i = 0; i < 6000; i++) {
        carom_csym K = corpus_K(&d, (corpus_kind)(i % CORPUS_KIND_COUNT));
        check_rays(&K, i % 9 == 0 ? 0 : dice_decades(&d, -3, 1));
    }
}

/* The flow itself, by small steps in tau (dp = r dtau), ends where the basin says. */
static bool comes_to_rest(const carom_csym *K, double mu, double angle)
{
    double x = cos(angle), y = sin(angle), scale = mu * (K->t11 + K->t22) + hypot(K->t1n, K->t2n), dt = 0.02 / scale;
    for (int i = 0; i < 400000; i++) {
        double r = hypot(x, y);
        if (r < 1e-8 || r > 1e8)
            return r < 1;
        double mx = x, my = y, vx = 0, vy = 0;
        for (int half = 0; half < 2; half++) { /* midpoint rule */
            double rm = hypot(mx, my);
            vx = K->t1n * rm - mu * (K->t11 * mx + K->t12 * my);
            vy = K->t2n * rm - mu * (K->t12 * mx + K->t22 * my);
            mx = x + 0.5 * dt * vx;
            my = y + 0.5 * dt * vy;
        }
        x += dt * vx;
        y += dt * vy;
    }
    return false;
}

static void test_basin_agrees_with_the_flow(void **state)
{
    (void)state;
    dice d = {92};
    int rest = 0, asked = 0;
    for (int i = 0; i < 150; i++) {
        carom_csym K = corpus_K(&d, CORPUS_GENERIC);
        double mu = dice_between(&d, 0.2, 1.2), angle = dice_between(&d, 0, 6.28);
        carom_hodograph h;
        assert_int_equal(carom_hodograph_of(&K, mu, &h), CAROM_STATUS_OK);
        bool slow = false; /* a ray that hardly moves, or a start close to a border of the basin */
        for (int j = 0; j < h.count; j++)
            slow = slow || fabs(h.rays[j].g) < 0.02 || fabs(sin(0.5 * (angle - h.rays[j].angle))) < 0.02;
        if (slow)
            continue;
        bool claimed = carom_hodograph_reaches(&h, (carom_direction){cos(angle), sin(angle)});
        assert_true(claimed == comes_to_rest(&K, mu, angle));
        carom_arc arcs[CAROM_RAYS];
        bool in_arc = false;
        for (int j = 0, count = carom_hodograph_basin(&h, arcs); j < count; j++)
            for (int turn = -1; turn <= 1; turn++)
                in_arc = in_arc || (angle + 6.283185307179586 * turn >= arcs[j].from &&
                                    angle + 6.283185307179586 * turn <= arcs[j].to);
        assert_true(in_arc == claimed);
        rest += claimed;
        asked++;
    }
    assert_true(rest > 20 && asked - rest > 5);
}

static void test_degenerate_planes(void **state)
{
    (void)state;
    carom_hodograph h;
    carom_arc arcs[CAROM_RAYS];
    carom_csym sphere = {3.5, 0, 3.5, 0, 0, 1};
    assert_int_equal(carom_hodograph_of(&sphere, 0.4, &h), CAROM_STATUS_OK);
    assert_true(h.every && h.sticks && h.count == 0);
    assert_true(carom_hodograph_reaches(&h, (carom_direction){0.6, -0.8}));
    assert_int_equal(carom_hodograph_basin(&h, arcs), 1);
    assert_int_equal(carom_hodograph_of(&sphere, 0, &h), CAROM_STATUS_OK); /* nothing slows the slip */
    assert_false(carom_hodograph_reaches(&h, (carom_direction){0.6, -0.8}));
    assert_int_equal(carom_hodograph_basin(&h, arcs), 0);
    carom_csym coupled = {2, 0, 2, 1, 0, 1};
    assert_int_equal(carom_hodograph_of(&coupled, 0.5, &h), CAROM_STATUS_OK); /* mu K_tt = k exactly: stationary */
    assert_int_equal(h.count, 2);
    assert_near(h.rays[0].angle, 0, 1, 1e-300);
    assert_int_equal(h.rays[0].kind, CAROM_RAY_STATIONARY);
    assert_near(h.rays[1].angle, 180 * DEGREE, 1, 1e-15);
    assert_true(h.sticks);
    assert_int_equal(carom_hodograph_of(&coupled, -1, &h), CAROM_STATUS_BAD_COEFFICIENT);
    coupled.nn = NAN;
    assert_int_equal(carom_hodograph_of(&coupled, 1, &h), CAROM_STATUS_NOT_FINITE);
}

/* sin theta (mu K11 cos theta - b): a triple zero at theta = 0 when b = mu K11. */
static void test_triple_ray(void **state)
{
    (void)state;
    carom_hodograph h;
    carom_csym planar = {1.7, 0, 0, 1.7 * 0.3, 0, 1};
    assert_int_equal(carom_hodograph_of(&planar, 0.3, &h), CAROM_STATUS_OK);
    assert_int_equal(h.count, 2);
    assert_near(fmin(h.rays[0].angle, 360 * DEGREE - h.rays[0].angle), 0, 1, 1e-4);
    assert_true(h.rays[0].attracting && h.rays[1].repelling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays_of_figure_4),  cmocka_unit_test(test_five_of_sixteen_starts_come_to_rest),
        cmocka_unit_test(test_random_contacts),   cmocka_unit_test(test_basin_agrees_with_the_flow),
        cmocka_unit_test(test_degenerate_planes), cmocka_unit_test(test_triple_ray),
    };
    return cmocka_run_group_tests_name("hodograph", tests, NULL, NULL);
}
