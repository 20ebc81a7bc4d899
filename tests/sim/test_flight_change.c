/* How the end of a rotation changes with its beginning, against differences of rotations. */
#include "gradient/flight_change.h"

#include "sim/parts.h"

/* A free rotation from q, w over the time T. */
static pose rotated(const moments *m, carom_quat q, carom_vec3 w, double T)
{
    double series[SPIN_TERMS][SPIN_ROWS];
    spin s = {.series = series};
    spin_start(&s, m, 0, q, w);
    while (s.until < T)
        spin_renew(&s);
    return spin_at(&s, T);
}

static flight_end end_of(carom_sym3 I, carom_sym3 inv, pose p, double t)
{
    return (flight_end){t, {.q = p.q, .w = p.w}, quat_turn_sym3(p.q, I), quat_turn_sym3(p.q, inv)};
}

static void check(const double I[3], dice *d)
{
    const double h = 1e-5, T = 0.9;
    carom_sym3 inertia = {I[0], 0, 0, I[1], 0, I[2]}, inv = {1 / I[0], 0, 0, 1 / I[1], 0, 1 / I[2]};
    moments m = moments_of(inertia);
    pose from = {dice_turn(d), dice_vec(d, 3)}, to = rotated(&m, from.q, from.w, T);
    flight_end a = end_of(inertia, inv, from, 0), b = end_of(inertia, inv, to, T);
    flight_change c;
    assert_true(flight_change_of(&m, &a, &b, &c));
    for (int k = 0; k < TURN; k++) {
        carom_vec3 e = vec(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        pose end[2];
        for (int side = 0; side < 2; side++) {
            double by = side ? h : -h;
            carom_quat q = k < 3 ? quat_multiply(quat_exp(carom_vec3_scale(by, e)), from.q) : from.q;
            end[side] = rotated(&m, q, k < 3 ? from.w : carom_vec3_add(from.w, carom_vec3_scale(by, e)), T);
        }
        carom_quat turn = quat_multiply(end[1].q, quat_conjugate(end[0].q));
        carom_vec3 phi = carom_vec3_scale((turn.w < 0 ? -1 : 1) / h, vec(turn.x, turn.y, turn.z));
        carom_vec3 dw = carom_vec3_scale(0.5 / h, carom_vec3_sub(end[1].w, end[0].w));
        const double want[TURN] = {phi.x, phi.y, phi.z, dw.x, dw.y, dw.z};
        for (int i = 0; i < TURN; i++)
            assert_near(c.turn[i * TURN + k], want[i], 1e-7);
    }
}

static void test_differences(void **state)
{
    (void)state;
    dice d = {411};
    for (int n = 0; n < 20; n++) {
        double a = dice_between(&d, 0.5, 1), b = dice_between(&d, 0.5, 1), c = dice_between(&d, 0.6, 1);
        const double one[3] = {a, a, a}, two[3] = {a, a, c}, three[3] = {a, b, c};
        check(one, &d);
        check(two, &d);
        check(three, &d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differences)};
    return cmocka_run_group_tests_name("flight_change", tests, NULL, NULL);
}
