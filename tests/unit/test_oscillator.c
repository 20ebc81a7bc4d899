/* Damped oscillators in closed form: underdamped, critical, overdamped, pure decay; one formula for all. */
#include "core/oscillator.h"

#include "core/pole_map.h"
#include "support/check.h"

#define TOL 2e-15

static void assert_wave(oscillator o, double t, double y, double v)
{
    const wave w = wave_at((wave){o, 0.37, -1.241}, t);
    assert_near(w.y, y, 1, TOL);
    assert_near(w.v, v, 1, 4 * TOL);
}

/* Against the textbook formula of each kind. */
static void test_values(void **state)
{
    (void)state;
    const double y = 0.37, v = -1.241;
    for (double t = 0.07; t < 9; t *= 1.7) {
        const double w = sqrt(2.385), c = cos(w * t), s = sin(w * t);
        assert_wave((oscillator){0, 2.385}, t, y * c + v * s / w, v * c - y * w * s);
        const double d = exp(-1.3 * t), k = v + 1.3 * y; /* critical: (y + k t) d */
        assert_wave((oscillator){1.3, 1.3 * 1.3}, t, (y + k * t) * d, (k - 1.3 * (y + k * t)) * d);
        const double p = exp(-0.4 * t), q = exp(-2.9 * t), A = (v + 2.9 * y) / 2.5, B = y - A; /* rates 0.4 and 2.9 */
        assert_wave((oscillator){1.65, 0.4 * 2.9}, t, A * p + B * q, -0.4 * A * p - 2.9 * B * q);
    }
}

/* Nothing happens at critical damping, and two halves are a whole. */
static void test_continuity(void **state)
{
    (void)state;
    for (double q = -0.7; q < 0.75; q += 0.1)
        for (double t = 0.3; t < 6; t += 1.1) {
            const oscillator o = {0.9, 0.81 + q}, next = {0.9, 0.81 + q + 1e-9};
            const wave start = {o, 0.37, -1.241}, near = {next, 0.37, -1.241};
            const wave whole = wave_at(start, t), halves = wave_at(wave_at(start, 0.37 * t), 0.63 * t);
            assert_near(halves.y, whole.y, 1, TOL);
            assert_near(halves.v, whole.v, 1, TOL);
            assert_near(wave_at(near, t).y, whole.y, 1, 1e-7);
            const double h = 1e-4, ahead = wave_at(whole, h).v, behind = wave_at(whole, -h).v;
            assert_near((ahead - behind) / (2 * h), wave_bend(whole), 1, 1e-7);
        }
}

/* A stiff one does not overflow and keeps its slow part. */
static void test_stiff(void **state)
{
    (void)state;
    const wave w = wave_at((wave){{5e5, 1e6}, 1, 0}, 3); /* rates 1 and 1e6, nearly */
    const double slow = 1e6 / (5e5 + sqrt(2.5e11 - 1e6)), fast = 1e6 / slow;
    assert_near(w.y, fast / (fast - slow) * exp(-3 * slow), 1, TOL);
    assert_close(oscillator_rate((oscillator){5e5, 1e6}), fast, 1e-13);
    assert_close(oscillator_rate((oscillator){0.1, 4}), 2.0, TOL);
}

/* The map of the poles: series of tau(z) and of its rate. */
static void test_pole_map(void **state)
{
    (void)state;
    const pole_map map = pole_map_of(1.7, -0.6);
    double one[20] = {1}, rate[20];
    for (int i = 0; i < 20; i++)
        rate[i] = pole_map_rate(&map, one, rate, i);
    const double z = 0.11, D = 1 + z * (map.alpha + z * map.beta);
    double sum = 0;
    for (int i = 19; i >= 0; i--)
        sum = sum * z + rate[i];
    assert_close(sum, (1 - map.beta * z * z) / (D * D), 1e-14);
    assert_true(map.beta < 0 && pole_map_reach(&map) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_continuity),
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_pole_map),
    };
    return cmocka_run_group_tests_name("oscillators", tests, NULL, NULL);
}
