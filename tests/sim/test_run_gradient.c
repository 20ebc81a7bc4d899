/* Gradients through runs with a closed form, and runs that have none. */
#include "sim/gradients.h"

/* ---- closed forms ---- */

/* h 1, g 9.81, e 0.8, T 0.8: z 0.6392035620208291, dz/dh 0.5892017810104148, dz/de 1.5435575344560164. */
static void test_one_bounce(void **state)
{
    (void)state;
    static matrix m;
    run r = run_of(2, "newton", 0.8, 0);
    r.body[0] = ball(1, 0.1, vec(0, 0, 1.1), vec(0, 0, 0));
    r.body[1] = half_space(vec(0, 0, 1), 0);
    r.scene.gravity = vec(0, 0, -9.81);
    r.time = 0.8;
    assert_int_equal(differentiate(&r, false, &m), CAROM_STATUS_OK);
    const size_t e = 2 * STATE + 4 + CAROM_COEFF_e;
    assert_near(m.end[0].position.z - 0.1, 0.6392035620208291, 1e-14);
    assert_near(m.entry[2][2], 0.5892017810104148, 1e-14);
    assert_near(m.entry[2][e], 1.5435575344560164, 1e-14);
    assert_near(m.entry[2][STATE + 2], 1 - 0.5892017810104148, 1e-14); /* lifting both lifts the whole run */
}

/* n bounces from h: at T the height is z = v e^n s - g s^2 / 2, v = sqrt(2 g h), s = T - (v/g) (1 + 2 e + ... + 2
 * e^(n-1)). */
static void test_many_bounces(void **state)
{
    (void)state;
    const double h = 1.37, g = 9.81, e = 0.83, T = 2.9, v = sqrt(2 * g * h);
    double sum = 1, slope = 0, power = 1;
    int n = 1;
    while ((v / g) * (sum + 2 * power * e) < T) {
        slope += 2 * n * power; /* d/de of 2 e^n */
        power *= e;
        sum += 2 * power;
        n++;
    }
    double en = power * e, s = T - v / g * sum, v_h = g / v, s_h = -v_h / g * sum, s_e = -v / g * slope;
    double up = v * en - g * s;
    static matrix m;
    run r = run_of(2, "newton", e, 0);
    r.body[0] = ball(0.3, 0.07, vec(0.2, 0.1, h + 0.07), vec(0.3, 0, 0));
    r.body[1] = half_space(vec(0, 0, 1), 0);
    r.scene.gravity = vec(0, 0, -g);
    r.time = T;
    assert_int_equal(differentiate(&r, false, &m), CAROM_STATUS_OK);
    assert_int_equal(m.about.impacts, n);
    assert_true(n >= 4);
    assert_near(m.entry[2][2], v_h * en * s + up * s_h, 1e-12);
    assert_near(m.entry[2][2 * STATE + 4 + CAROM_COEFF_e], v * n * power * s + up * s_e, 1e-12);
    assert_near(m.entry[2][2 * STATE + 3], up, 1e-12); /* by the time */
    assert_near(m.entry[0][6], T, 1e-12);
}

/* Equal balls exchange their motions: the second one by (x_1, x_2, v_1, v_2) is (1, 0, 1, 0). */
static void test_two_balls(void **state)
{
    (void)state;
    static matrix m;
    run r = run_of(2, "newton", 1, 0);
    r.body[0] = ball(1, 1, vec(0, 0, 0), vec(2, 0, 0));
    r.body[1] = ball(1, 1, vec(2.5, 0, 0), vec(0, 0, 0));
    r.time = 1;
    assert_int_equal(differentiate(&r, false, &m), CAROM_STATUS_OK);
    const double *x_2 = m.entry[STATE];
    assert_near(x_2[0], 1, 1e-15);
    assert_near(x_2[STATE], 0, 1e-15);
    assert_near(x_2[6], 1, 1e-15);
    assert_near(x_2[STATE + 6], 0, 1e-15);
}

/* The n-th impact: its time, and the speed after it. */
static void test_to_an_impact(void **state)
{
    (void)state;
    const double h = 1.21, g = 9.81, e = 0.7, v = sqrt(2 * g * h);
    static matrix m;
    run r = run_of(2, "newton", e, 0);
    r.body[0] = ball(1, 0.1, vec(0, 0, h + 0.1), vec(0, 0, 0));
    r.body[1] = half_space(vec(0, 0, 1), 0);
    r.scene.gravity = vec(0, 0, -g);
    r.impacts = 3;
    assert_int_equal(differentiate(&r, false, &m), CAROM_STATUS_OK);
    const size_t by_e = 2 * STATE + 4 + CAROM_COEFF_e, time = 2 * STATE;
    assert_near(m.entry[time][2], (1 + 2 * e + 2 * e * e) / v, 1e-13);
    assert_near(m.entry[time][by_e], v / g * (2 + 4 * e), 1e-13);
    assert_near(m.entry[time][2 * STATE + 2], v / (g * g) * (0.5 + e + e * e), 1e-13); /* g_z = -g */
    assert_near(m.entry[2][2], 0, 1e-13);                                              /* z is that of the floor */
    assert_near(m.entry[8][2], e * e * e * g / v, 1e-12);
    assert_near(m.entry[8][by_e], 3 * e * e * v, 1e-12);
    check_run(&r, 3, STEP);
}

/* ---- refusals ---- */

static carom_gradient_reason refused(run *r)
{
    static matrix m;
    assert_int_equal(differentiate(r, false, &m), CAROM_STATUS_NO_DERIVATIVE);
    return m.reason;
}

static void test_refusals(void **state)
{
    (void)state;
    run r = run_of(2, "newton", 0.5, 0.3);
    floor_run(&r, ball(1, 0.1, vec(0, 0, 1.1), vec(0, 0, 0)), 5);
    carom_gradient_reason why = refused(&r);
    assert_int_equal(why.refusal, CAROM_GRADIENT_CONTACT); /* it comes to rest */
    assert_int_equal(why.event, CAROM_SIM_EVENT_REST);
    assert_true(why.time > 1.3 && why.time < 1.4);

    r = run_of(2, "newton", 0.5, 0.3); /* a face that lands flat */
    floor_run(&r, solid(CAROM_SHAPE_BOX, vec(0.2, 0.2, 0.2), 1, 3), 0.5);
    r.body[0].def.position = vec(0, 0, 1);
    why = refused(&r);
    assert_int_equal(why.refusal, CAROM_GRADIENT_SEVERAL);

    r = run_of(2, "routh-stronge", 0.5, 0.3); /* straight down: friction has no direction */
    floor_run(&r, ball(1, 0.1, vec(0, 0, 1.1), vec(0, 0, 0)), 0.6);
    r.scene.gravity = vec(0, 0, -9.81);
    why = refused(&r);
    assert_int_equal(why.refusal, CAROM_GRADIENT_KINK);
    assert_string_equal(why.border, "u_t = 0");
    static matrix m;
    assert_int_equal(differentiate(&r, true, &m), CAROM_STATUS_OK);
    assert_int_equal(m.about.kinks, 1);

    r = run_of(3, "newton", 1, 0); /* a cradle: the second ball passes its motion on at once */
    r.body[0] = ball(1, 1, vec(-3, 0, 0), vec(1, 0, 0));
    r.body[1] = ball(1, 1, vec(0, 0, 0), vec(0, 0, 0));
    r.body[2] = ball(1, 1, vec(2, 0, 0), vec(0, 0, 0));
    r.time = 3;
    why = refused(&r);
    assert_int_equal(why.refusal, CAROM_GRADIENT_SEVERAL);
    assert_near(why.time, 1, 1e-12);

    r = run_of(2, "hertz", 0.5, 0.3); /* a law without derivatives */
    r.body[0] = ball(1, 1, vec(-3, 0.2, 0), vec(1, 0, 0));
    r.body[1] = ball(1, 1, vec(0, 0, 0), vec(0, 0, 0));
    r.time = 3;
    why = refused(&r);
    assert_int_equal(why.refusal, CAROM_GRADIENT_LAW);
    assert_true(why.body == 0 && why.other == 1);

    r = run_of(2, "newton", 0.5, 0.3); /* the end falls on an impact */
    r.body[0] = ball(1, 1, vec(-3, 0, 0), vec(1, 0, 0));
    r.body[1] = ball(1, 1, vec(0, 0, 0), vec(0, 0, 0));
    r.time = 1;
    assert_int_equal(refused(&r).refusal, CAROM_GRADIENT_END);
    assert_string_equal(carom_gradient_refusal_word(CAROM_GRADIENT_KINK), "kink");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_bounce), cmocka_unit_test(test_many_bounces),
                                       cmocka_unit_test(test_two_balls), cmocka_unit_test(test_to_an_impact),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
