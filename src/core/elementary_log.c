/* Exponentials and logarithms.
 *
 *     e^x   = 2^k 2^(j/64) e^r,    |r| < 0.0055: table and series
 *     ln x  = k ln 2 - ln c + ln(1 + r),    x = 2^k m,  r = m c - 1,  |r| < 0.0085: table and series
 *     x^y   = e^(y ln x), the logarithm as a sum of two doubles */
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/elementary_parts.h"
#include "core/elementary_tables.h"
#include "core/num.h"

#define EXP_MAX 709.79 /* beyond it e^x is infinite, below EXP_MIN it is zero */
#define EXP_MIN (-745.14)
#define TINY    0x1p-54 /* x below it: 1 + x is 1 */

/* ---- exponentials ---- */

/* e^x = 2^k (T + T (r + q)), T = 2^(j/64), q = e^r - 1 - r. */
typedef struct power {
    dd T, r;
    double q;
    int n, k; /* n = 64 k + j */
} power;

static power power_of(double n, dd rest)
{
    int whole = (int)n, j = whole & 63;
    double r = rest.hi, q = r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720)))));
    return (power){POWERS[j], rest, q, whole, (whole - j) / 64};
}

static power exp_power(dd x)
{
    double n = (x.hi * (64 * INVERSE_LN2.hi) + TO_INTEGER) - TO_INTEGER;
    dd r = two_sum(x.hi - n * LN2_64_1, -n * LN2_64_2);
    return power_of(n, quick_sum(r.hi, r.lo + x.lo));
}

/* x 2^k, also where 2^k is no double or the result is subnormal. */
static double scaled(double x, int k)
{
    if (k >= -1021 && k <= 1022)
        return x * power_of_two(k);
    return k > 0 ? x * 0x1p1000 * power_of_two(k - 1000) : x * power_of_two(k + 1000) * 0x1p-1000;
}

static double power_value(power p)
{
    return scaled(p.T.hi + (p.T.lo + p.T.hi * (p.r.hi + (p.r.lo + p.q))), p.k);
}

static double exp_of_sum(dd x)
{
    if (!(x.hi < EXP_MAX))
        return x.hi * INFINITY; /* or NaN */
    return x.hi > EXP_MIN ? power_value(exp_power(x)) : 0;
}

double carom_exp(double x)
{
    return exp_of_sum(dd_of(x));
}

double carom_exp2(double x)
{
    if (!(x < 1024))
        return x * INFINITY;
    if (!(x > -1076))
        return isnan(x) ? x : 0;
    double n = (x * 64 + TO_INTEGER) - TO_INTEGER, rest = x - n / 64;
    return power_value(power_of(n, (dd){rest * LN2.hi, rest * LN2.lo}));
}

double carom_expm1(double x)
{
    if (!(x < EXP_MAX))
        return x * INFINITY;
    if (x < -40 || fabs(x) < TINY)
        return x < -40 ? -1 : x;
    power p = exp_power(dd_of(x));
    if (p.n == 0)
        return x + p.q;
    dd rise = product(p.T.hi, p.r.hi);
    double low = p.T.lo + rise.lo + p.T.hi * (p.r.lo + p.q);
    if (p.k > 60) /* the one is lost */
        return scaled(p.T.hi + (rise.hi + low), p.k);
    double unit = power_of_two(-p.k);
    dd high = two_sum(p.T.hi, -unit), sum = two_sum(high.hi, rise.hi);
    return scaled(sum.hi + (sum.lo + high.lo + low), p.k);
}

/* ---- logarithms ---- */

/* ln(1 + r). The terms of r and r^2 are exact. */
static dd log_series(dd r)
{
    double x = r.hi, cube = x * x * x;
    dd square = product(x, x), sum = quick_sum(x, -0.5 * square.hi);
    double low = 1.0 / 5 - x * (1.0 / 6 - x * (1.0 / 7 - x * (1.0 / 8 - x * (1.0 / 9 - x * (1.0 / 10)))));
    double rest = cube * (1.0 / 3 - x * (1.0 / 4 - x * low));
    return quick_sum(sum.hi, sum.lo + (r.lo - x * r.lo - 0.5 * square.lo + rest));
}

/* ln m for x = 2^k m, m in about 0.707...1.414; x positive and finite. */
static dd log_of_part(dd x, int *k)
{
    static const uint64_t root_half = 0x3FE6A09E00000000u;
    bool small = x.hi < DBL_MIN;
    double hi = small ? x.hi * 0x1p54 : x.hi;
    uint64_t bits = bits_of(hi);
    int shift = (int)((int64_t)(bits - root_half) >> 52);
    *k = shift - (small ? 54 : 0);
    double m, low = x.lo == 0 ? 0 : scaled(x.lo, -shift);
    bits -= (uint64_t)shift << 52;
    memcpy(&m, &bits, sizeof m);
    int j = (int)(m * 128 + 0.5) - 90;
    double c = LOG_STEP[j];
    dd part = halves(m), r = two_sum(part.hi * c - 1, part.lo * c);
    r.lo += low * c;
    dd series = log_series(r);
    if (c == 1)
        return series;
    dd sum = two_sum(LOGS[j].hi, series.hi);
    return quick_sum(sum.hi, sum.lo + (LOGS[j].lo + series.lo));
}

static dd log_of_sum(dd x)
{
    int k;
    dd part = log_of_part(x, &k);
    if (k == 0)
        return part;
    dd sum = two_sum(k * LN2_1, part.hi);
    return quick_sum(sum.hi, sum.lo + (k * LN2_2 + part.lo));
}

/* Zero, negative, infinite, NaN: what has no logarithm of its own. */
static bool is_plain(double x)
{
    return x > 0 && x < INFINITY;
}

static double log_of_other(double x)
{
    return x == 0 ? -INFINITY : x < 0 ? NAN : x;
}

double carom_log(double x)
{
    return is_plain(x) ? dd_value(log_of_sum(dd_of(x))) : log_of_other(x);
}

double carom_log2(double x)
{
    if (!is_plain(x))
        return log_of_other(x);
    int k;
    dd part = log_of_part(dd_of(x), &k), scaled_part = product(part.hi, INVERSE_LN2.hi);
    dd sum = two_sum(k, scaled_part.hi);
    return sum.hi + (sum.lo + (scaled_part.lo + part.lo * INVERSE_LN2.hi + part.hi * INVERSE_LN2.lo));
}

double carom_log1p(double x)
{
    if (fabs(x) < TINY)
        return x;
    return x > -1 && x < INFINITY ? dd_value(log_of_sum(two_sum(1, x))) : log_of_other(1 + x);
}

double carom_acosh(double x)
{
    if (!(x >= 1) || x == INFINITY)
        return x < 1 ? NAN : x;
    if (x > 0x1p30) { /* the one under the root is lost */
        dd log = log_of_sum(dd_of(x));
        return dd_value(dd_add(log, LN2));
    }
    dd above = two_sum(x, 1), below = two_sum(x, -1), square = product(below.hi, above.hi);
    square.lo += below.hi * above.lo + below.lo * above.hi;
    return dd_value(log_of_sum(dd_add(dd_of(x), root_of(quick_sum(square.hi, square.lo)))));
}

/* ---- powers ---- */

/* x^y for x > 0 finite and y finite. */
static double power_plain(double x, double y)
{
    dd log = log_of_sum(dd_of(x));
    double guess = y * log.hi;
    if (log.hi == 0)
        return 1;
    if (!(fabs(guess) < 800)) /* y may be too large for product() */
        return guess > 0 ? INFINITY : 0;
    if (fabs(y) < 0x1p-64)
        return 1;
    dd sum = product(y, log.hi);
    return exp_of_sum(quick_sum(sum.hi, sum.lo + y * log.lo));
}

static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && floor(y) == y && floor(y / 2) != y / 2;
}

/* |x|^y where x is zero or infinite, or y is. */
static double power_limit(double x, double y)
{
    if (isinf(y))
        return x == 1 ? 1 : (x > 1) == (y > 0) ? INFINITY : 0;
    return (x == 0) == (y > 0) ? 0 : INFINITY;
}

double carom_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return x + y;
    double size = fabs(x);
    bool negative = signbit(x) && is_odd(y);
    if (x < 0 && size < INFINITY && isfinite(y) && floor(y) != y)
        return NAN;
    double value = is_plain(size) && isfinite(y) ? power_plain(size, y) : power_limit(size, y);
    return negative ? -value : value;
}

double carom_cbrt(double x)
{
    double size = fabs(x);
    if (!is_plain(size))
        return x;
    dd log = log_of_sum(dd_of(size));
    double third = log.hi / 3;
    dd thrice = product(third, 3), exponent = {third, ((log.hi - thrice.hi) - thrice.lo + log.lo) / 3};
    return copysign(exp_of_sum(exponent), x);
}
