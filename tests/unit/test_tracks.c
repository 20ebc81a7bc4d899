/* Tracks to velocities, against formulas. */
#include "support/check.h"

#include "carom/tracks.h"
#include "support/contacts.h"

enum { COUNT = 5 };

#define DT    0.1136
#define SIGMA 0.00023

static void make(carom_track_frame *frames, double vx, double vy, double omega)
{
    for (int i = 0; i < COUNT; i++) {
        double t = 2.385 + i * DT;
        carom_track_frame f = {t, 0.37 + vx * t, -1.21 + vy * t, 0.4 + omega * t};
        frames[i] = f;
    }
}

/* Equal steps: the variance of a slope is 12 sigma^2 / (dt^2 n (n^2 - 1)). */
static void test_lines(void **state)
{
    (void)state;
    carom_track_frame frames[COUNT];
    carom_track_errors errors = {SIGMA, 3 * SIGMA, false, false};
    carom_track_state s;
    make(frames, 0.413, -0.528, 1.7);
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_OK);
    assert_close(s.vx, 0.413, 1e-12);
    assert_close(s.vy, -0.528, 1e-12);
    assert_close(s.omega, 1.7, 1e-12);
    double variance = 12 * SIGMA * SIGMA / (DT * DT * COUNT * (COUNT * COUNT - 1));
    assert_close(s.covariance[0], variance, 1e-12);
    assert_close(s.covariance[4], variance, 1e-12);
    assert_close(s.covariance[8], 9 * variance, 1e-12);
    assert_true(s.rms < 1e-9);
    frames[2].x += 3 * SIGMA; /* the middle frame does not turn the line; its residual is 3 (1 - 1/n) */
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_OK);
    assert_close(s.vx, 0.413, 1e-12);
    assert_close(s.rms, sqrt(9 * (1 - 1.0 / COUNT) / (3 * (COUNT - 2))), 1e-9);
}

/* Thesis, 11.1: |df| <= h sum |df/dq|, h two pixels, two coordinates per difference; half of it is the deviation. */
static void test_two_frames(void **state)
{
    (void)state;
    carom_track_frame frames[COUNT];
    carom_track_errors errors = {SIGMA, 3 * SIGMA, true, true};
    carom_track_state s;
    make(frames, 0.413, -0.528, 1.7);
    frames[1].x += 0.001;
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_OK);
    assert_close(s.vx, 0.413 + 0.001 / DT, 1e-9);
    assert_close(s.bound[0], 4 * SIGMA / DT, 1e-9);
    assert_close(s.covariance[0], pow(2 * SIGMA / DT, 2), 1e-9);
    errors.first = false;
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_OK);
    assert_close(s.vx, 0.413, 1e-9);
}

/* A disk on the floor: u_t = vx + omega r, u_n = vy, and their variances. */
static void test_contact(void **state)
{
    (void)state;
    const double r = 0.0491, normal[2] = {0, 1}, arm[2] = {0, -r}, turned[2] = {0.6, 0.8};
    carom_track_state s = {.vx = 0.413, .vy = -0.528, .omega = 1.7, .covariance = {4e-6, 0, 0, 0, 9e-6, 0, 0, 0, 2e-3}};
    double u[2], S[4];
    assert_int_equal(carom_track_contact(&s, normal, arm, u, S), CAROM_STATUS_OK);
    assert_close(u[0], 0.413 + 1.7 * r, 1e-14);
    assert_close(u[1], -0.528, 1e-14);
    assert_close(S[0], 4e-6 + 2e-3 * r * r, 1e-14);
    assert_close(S[3], 9e-6, 1e-14);
    assert_true(S[1] == 0 && S[2] == 0);
    assert_int_equal(carom_track_contact(&s, turned, arm, u, S), CAROM_STATUS_OK);
    assert_close(u[0], 0.8 * (0.413 + 1.7 * r) + 0.6 * 0.528, 1e-14);
    assert_near(S[1], (4e-6 + 2e-3 * r * r) * 0.48 - 9e-6 * 0.48, 1e-6, 1e-12);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_track_frame frames[COUNT];
    carom_track_errors errors = {SIGMA, SIGMA, false, false};
    carom_track_state s;
    const double normal[2] = {0, 2}, arm[2] = {0, -1};
    double u[2], S[4];
    make(frames, 1, 1, 1);
    assert_int_equal(carom_track_motion(1, frames, &errors, &s), CAROM_STATUS_BAD_SIZE);
    assert_int_equal(carom_track_contact(&s, normal, arm, u, S), CAROM_STATUS_BAD_NORMAL);
    frames[1].t = frames[0].t;
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_BAD_TIME);
    frames[1].x = NAN;
    assert_int_equal(carom_track_motion(COUNT, frames, &errors, &s), CAROM_STATUS_NOT_FINITE);
}

/* Frames over all orders of magnitude: what is not refused is finite, with variances above zero. */
static void test_range(void **state)
{
    (void)state;
    contacts_random rng = {11};
    const double normal[2] = {0.6, 0.8}, arm[2] = {-0.03, -0.04};
    int refused = 0, answered = 0;
    for (int n = 0; n < 20000; n++) {
        carom_track_errors errors = {SIGMA, 3 * SIGMA, n % 2 == 0, n % 4 < 2};
        carom_track_frame frames[COUNT];
        carom_track_state s;
        double t = 0, u[2], S[4], step = contacts_within(&rng, -200, 200), size = contacts_within(&rng, -300, 305);
        for (int i = 0; i < COUNT; i++) {
            double *q[3] = {&frames[i].x, &frames[i].y, &frames[i].angle};
            frames[i].t = t += pow(10, step + contacts_within(&rng, -3, 3));
            for (int k = 0; k < 3; k++)
                *q[k] = contacts_within(&rng, -1, 1) * pow(10, size + contacts_within(&rng, -3, 3));
        }
        carom_status status = carom_track_motion(COUNT, frames, &errors, &s);
        if (status == CAROM_STATUS_OK)
            status = carom_track_contact(&s, normal, arm, u, S);
        assert_true(status == CAROM_STATUS_OK || status == CAROM_STATUS_OUT_OF_RANGE ||
                    status == CAROM_STATUS_BAD_TIME);
        answered += status == CAROM_STATUS_OK;
        refused += status == CAROM_STATUS_OUT_OF_RANGE;
        if (status == CAROM_STATUS_OK)
            assert_true(isfinite(u[0] + u[1] + S[1] + S[2] + s.rms) && S[0] > 0 && S[3] > 0);
    }
    assert_true(answered > 1000 && refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_two_frames),
                                       cmocka_unit_test(test_contact), cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_range)};
    return cmocka_run_group_tests_name("tracks", tests, NULL, NULL);
}
