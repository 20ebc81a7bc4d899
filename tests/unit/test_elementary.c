/* The elementary functions against the long double functions of the C library, and their bits. */
#include "carom/elementary.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/check.h"

typedef struct function {
    const char *name;
    double (*ours)(double);
    long double (*exact)(long double);
    double from, to; /* a range of arguments */
    double bound;    /* units in the last place, carom/elementary.h */
} function;

static const function functions[] = {
    {"exp", carom_exp, expl, -700, 700, 0.51},        {"exp", carom_exp, expl, -1, 1, 0.51},
    {"exp2", carom_exp2, exp2l, -1000, 1000, 0.51},   {"exp2", carom_exp2, exp2l, -1, 1, 0.515},
    {"expm1", carom_expm1, expm1l, -0.02, 0.02, 0.7}, {"expm1", carom_expm1, expm1l, -2, 2, 0.7},
    {"expm1", carom_expm1, expm1l, -40, 600, 0.7},    {"log", carom_log, logl, 0.3, 3, 0.51},
    {"log", carom_log, logl, 0.999, 1.001, 0.51},     {"log", carom_log, logl, 1e-300, 1e300, 0.51},
    {"log2", carom_log2, log2l, 0.3, 3, 0.51},        {"log2", carom_log2, log2l, 0.999, 1.001, 0.51},
    {"log1p", carom_log1p, log1pl, -0.9, 5, 0.7},     {"log1p", carom_log1p, log1pl, -1e-4, 1e-4, 0.7},
    {"cbrt", carom_cbrt, cbrtl, -30, 30, 0.51},       {"acosh", carom_acosh, acoshl, 1, 20, 0.51},
    {"acosh", carom_acosh, acoshl, 1, 1.001, 0.51},   {"sin", carom_sin, sinl, -0.8, 0.8, 0.8},
    {"sin", carom_sin, sinl, -30, 30, 0.8},           {"sin", carom_sin, sinl, -1e6, 1e6, 0.8},
    {"sin", carom_sin, sinl, -1e17, 1e17, 0.8},       {"cos", carom_cos, cosl, -30, 30, 0.8},
    {"cos", carom_cos, cosl, -1e6, 1e6, 0.8},         {"cos", carom_cos, cosl, -1e17, 1e17, 0.8},
    {"atan", carom_atan, atanl, -1, 1, 0.51},         {"atan", carom_atan, atanl, -50, 50, 0.51},
    {"acos", carom_acos, acosl, -1, 1, 0.51},         {"acos", carom_acos, acosl, 0.9999, 1, 0.51},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0], DRAWS = 4000 };

static double draw(uint64_t *seed, double from, double to)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return from + (to - from) * ((double)(*seed >> 11) * 0x1p-53);
}

/* |got - want| in units of the last place of want. */
static double units(double got, long double want)
{
    int e;
    (void)frexpl(want, &e);
    return (double)(fabsl(got - want) / ldexpl(1, e - DBL_MANT_DIG));
}

static void assert_units(const char *name, double x, double got, long double want, double bound)
{
    if (!(units(got, want) <= bound)) {
        print_error("%s(%.17g) = %.17g: %.3f units\n", name, x, got, units(got, want));
        fail();
    }
}

static void accurate(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    if (LDBL_MANT_DIG < 64)
        skip();
    for (int i = 0; i < FUNCTIONS * DRAWS; i++) {
        const function *f = &functions[i / DRAWS];
        double x = draw(&seed, f->from, f->to);
        assert_units(f->name, x, f->ours(x), f->exact(x), f->bound);
    }
}

static void accurate_of_two(void **state)
{
    (void)state;
    uint64_t seed = 2463534242u;
    if (LDBL_MANT_DIG < 64)
        skip();
    for (int i = 0; i < 20000; i++) {
        double x = carom_exp(draw(&seed, -60, 60)), y = draw(&seed, -9, 9), z = carom_exp(draw(&seed, -60, 60));
        assert_units("pow", x, carom_pow(x, y), powl(x, y), 0.52); /* powl itself is off by 0.01 */
        assert_units("hypot", x, carom_hypot(x, z), hypotl(x, z), 0.51);
        assert_units("atan2", x, carom_atan2(x, y < 0 ? -z : z), atan2l(x, y < 0 ? -z : z), 0.51);
    }
}

/* Arguments next to multiples of pi/2, where nearly all digits cancel; from tables of such numbers. */
static void remainders(void **state)
{
    (void)state;
    assert_true(carom_cos(6381956970095103.0 * 0x1p797) == -0x1.14ae72e6ba22fp-61);
    assert_true(carom_sin(0x1.921fb54442d18p+1) == 0x1.1a62633145c07p-53);
    assert_true(carom_cos(0x1.921fb54442d18p+0) == 0x1.1a62633145c07p-54);
    assert_true(carom_sin(1e22) == -0x1.b453ab76bf397p-1);
}

/* A number, an infinity of the same sign, or NaN; zeros have signs. */
static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Exact results and special values are those of libm. */
static void special_values(void **state)
{
    (void)state;
    static const double x[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 7; i++) {
        assert_true(is_same(carom_exp2(x[i]), exp2(x[i])) && is_same(carom_cbrt(x[i]), cbrt(x[i])));
        assert_true(is_same(carom_log(x[i]), log(x[i])) && is_same(carom_log2(x[i]), log2(x[i])));
        assert_true(is_same(carom_log1p(x[i]), log1p(x[i])) || x[i] == 1);
        assert_true(is_same(carom_atan(x[i]), atan(x[i])) && is_same(carom_acos(x[i]), acos(x[i])));
        assert_true(is_same(carom_acosh(x[i]), acosh(x[i])) && is_same(carom_hypot(x[i], 1), hypot(x[i], 1)));
        assert_true(is_same(carom_sin(x[i]), sin(x[i])) && is_same(carom_cos(x[i]), cos(x[i])));
        assert_true(fabs(x[i]) == 1 ||
                    (is_same(carom_exp(x[i]), exp(x[i])) && is_same(carom_expm1(x[i]), expm1(x[i]))));
        for (int k = 0; k < 7; k++) {
            assert_true(is_same(carom_pow(x[i], x[k]), pow(x[i], x[k])));
            assert_true(is_same(carom_atan2(x[i], x[k]), atan2(x[i], x[k])));
            assert_true(is_same(carom_hypot(x[i], x[k]), hypot(x[i], x[k])) || fabs(x[i]) == fabs(x[k]));
        }
    }
    for (int n = -1074; n <= 1023; n++)
        assert_true(carom_log2(ldexp(1, n)) == n && carom_exp2(n) == ldexp(1, n));
    assert_true(carom_cbrt(-27) == -3 && carom_hypot(0x3p700, 0x4p700) == 0x5p700 && carom_pow(-2, 3) == -8);
    assert_true(isnan(carom_pow(-2, 0.5)) && carom_pow(-1, 1e300) == 1 && carom_hypot(5e-324, 0) == 5e-324);
}

/* The bits are the same everywhere: a hash over arguments of all functions. */
static void same_bits(void **state)
{
    (void)state;
    uint64_t seed = 1, hash = 14695981039346656037u;
    for (int i = 0; i < FUNCTIONS * 500; i++) {
        const function *f = &functions[i / 500];
        double x = draw(&seed, f->from, f->to), y = draw(&seed, 0.1, 9), z = draw(&seed, -9, 9);
        double value[3] = {f->ours(x), carom_pow(y, z), carom_atan2(z, y)};
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &value[k], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    assert_true(hash == 0x6987c00d75ee0bd9u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accurate),       cmocka_unit_test(accurate_of_two), cmocka_unit_test(remainders),
        cmocka_unit_test(special_values), cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
