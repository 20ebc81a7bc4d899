/* thornton in one dimension; its vectors are tests/vectors/thornton.jsonl, its energy is that of all contact forces. */
#include <math.h>

#include "carom/convert.h"
#include "support/check.h"
#include "support/laws.h"

#define PI    3.141592653589793
#define MASS  0.37
#define SPEED 2.385

static carom_outcome head_on(carom_rule rule)
{
    carom_problem pb = {{2.5 / MASS, 0, 2.5 / MASS, 0, 0, 1 / MASS}, {0, 0, -SPEED}};
    return solved(&pb, &rule);
}

/* Thornton's formula for e, and the depth from the energy below his two lines; without yield it is hertz. */
static void test_thornton_closed_form(void **state)
{
    (void)state;
    const double E = 9e3, R = 0.3, k = 4.0 / 3 * E * sqrt(R);
    carom_rule rule = rule_of("thornton"), elastic = rule_of("hertz");
    rule.coeffs.E_star = elastic.coeffs.E_star = E;
    rule.coeffs.R = elastic.coeffs.R = R;
    for (int i = 0; i < 6; i++) {
        const double Y = (double[]){11.3, 57, 211, 640, 1530, 1e5}[i], p = CAROM_YIELD_PRESSURE * Y;
        const double v_y = carom_yield_speed(E, R, MASS, p), a_y = PI * R * p / (2 * E), x_y = a_y * a_y / R;
        const double rise = PI * p * R, F_y = k * pow(x_y, 1.5);
        const double left = 0.5 * MASS * (SPEED * SPEED - v_y * v_y);
        const double X = x_y + (sqrt(F_y * F_y + 2 * rise * left) - F_y) / rise;
        rule.coeffs.Y = Y;
        carom_outcome out = head_on(rule);
        assert_close(out.u_after.n, carom_e_from_yield(SPEED, v_y) * SPEED, 1e-13);
        if (SPEED > v_y)
            assert_close(out.force.max_compression, X, 1e-13);
        else
            assert_true(out.p.n == head_on(elastic).p.n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thornton_closed_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
