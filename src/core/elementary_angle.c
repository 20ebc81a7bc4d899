/* Angles, and the length of a vector.
 *
 *     sin, cos    x = n pi/2 + r with r as a sum of two doubles, |r| <= pi/4, and series
 *     atan2       y/x near j/32: atan(j/32) + atan(t), t = (y - x j/32) / (x + y j/32), |t| <= 1/64, and a series */
#include <stdbool.h>
#include <stdint.h>

#include "carom/elementary.h"
#include "core/elementary_parts.h"
#include "core/elementary_tables.h"
#include "core/num.h"

#define QUARTER_PI 0x1.921fb54442d18p-1
#define SPLIT_MAX  0x1p20  /* below it n times the parts of pi/2 is exact */
#define SPLIT_NEAR 0x1p-20 /* closer to a multiple of pi/2 the parts have too few digits */

/* ---- remainders ---- */

enum { WORDS = 7, LIMBS = WORDS + 2 };

/* x 2/pi without multiples of 4, as limbs of 32 bits: the lowest has the weight 2^shift. x = mantissa 2^e. */
static int times_two_by_pi(uint64_t mantissa, int e, uint32_t limbs[LIMBS])
{
    int first = e > 2 ? (e - 2) / 32 : 0;
    const uint64_t half[2] = {mantissa & 0xFFFFFFFFu, mantissa >> 32};
    for (int i = 0; i < LIMBS; i++)
        limbs[i] = 0;
    for (int h = 0; h < 2; h++) {
        uint64_t carry = 0;
        for (int i = 0; i < WORDS; i++) {
            uint64_t sum = limbs[i + h] + half[h] * TWO_BY_PI[first + WORDS - 1 - i] + carry;
            limbs[i + h] = (uint32_t)sum;
            carry = sum >> 32;
        }
        limbs[WORDS + h] += (uint32_t)carry;
    }
    return e - 32 * (first + WORDS);
}

static uint32_t bit_at(const uint32_t limbs[LIMBS], int at)
{
    return limbs[at / 32] >> (at % 32) & 1;
}

/* The limbs below a bit as a number, times 2^shift. */
static dd value_below(const uint32_t limbs[LIMBS], int top, int shift)
{
    dd sum = {0, 0};
    for (int i = LIMBS - 1; i >= 0; i--) {
        uint64_t kept = 32 * i >= top         ? 0
                        : 32 * (i + 1) <= top ? limbs[i]
                                              : limbs[i] & ((UINT64_C(1) << (top % 32)) - 1);
        sum = dd_add(sum, dd_of((double)kept * power_of_two(32 * i + shift)));
    }
    return sum;
}

/* For any size (Payne and Hanek): n modulo 4, and r. */
static int remainder_large(double x, dd *r)
{
    uint64_t bits = bits_of(fabs(x)), mantissa = (bits & 0xFFFFFFFFFFFFFu) | UINT64_C(1) << 52;
    uint32_t limbs[LIMBS];
    int shift = times_two_by_pi(mantissa, (int)(bits >> 52) - 1075, limbs), unit = -shift; /* the bit of weight 1 */
    int n = (int)(bit_at(limbs, unit) + 2 * bit_at(limbs, unit + 1));
    bool up = bit_at(limbs, unit - 1); /* the fraction is at least a half: count from above */
    for (int i = 0; up && i < LIMBS; i++)
        limbs[i] = ~limbs[i];
    dd fraction = value_below(limbs, unit, shift), angle = product(fraction.hi, HALF_PI.hi);
    angle = quick_sum(angle.hi, angle.lo + (fraction.hi * HALF_PI.lo + fraction.lo * HALF_PI.hi));
    bool minus = up != (x < 0);
    *r = minus ? (dd){-angle.hi, -angle.lo} : angle;
    n += up;
    return (x < 0 ? -n : n) & 3;
}

static int remainder_of(double x, dd *r)
{
    if (fabs(x) <= QUARTER_PI) {
        *r = dd_of(x);
        return 0;
    }
    double n = (x * 0x1.45f306dc9c883p-1 + TO_INTEGER) - TO_INTEGER;
    dd rest = two_sum(x - n * HALF_PI_1, -n * HALF_PI_2);
    *r = quick_sum(rest.hi, rest.lo - n * HALF_PI_3);
    if (fabs(x) < SPLIT_MAX && fabs(r->hi) > SPLIT_NEAR)
        return (int)n & 3;
    return remainder_large(x, r);
}

/* ---- sine and cosine ---- */

static double sine(dd r)
{
    double x = r.hi, z = x * x, last = 1.0 / 1307674368000 - z * (1.0 / 355687428096000);
    double high = 1.0 / 362880 - z * (1.0 / 39916800 - z * (1.0 / 6227020800 - z * last));
    double series = 1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040 - z * high));
    return x + (r.lo * (1 - 0.5 * z) - x * z * series);
}

static double cosine(dd r)
{
    double x = r.hi, z = x * x, half = 0.5 * z, w = 1 - half;
    double high = 1.0 / 3628800 - z * (1.0 / 479001600 - z * (1.0 / 87178291200 - z * (1.0 / 20922789888000)));
    double series = 1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320 - z * high));
    dd square = product(x, x); /* its rounding error matters where cos is near 0.7 */
    return w + (((1 - w) - half) + (z * z * series - x * r.lo - 0.5 * square.lo));
}

static double turned(int n, dd r)
{
    double value = n & 1 ? cosine(r) : sine(r);
    return n & 2 ? -value : value;
}

double carom_sin(double x)
{
    dd r;
    if (!isfinite(x) || fabs(x) < 0x1p-27)
        return isfinite(x) ? x : NAN;
    int n = remainder_of(x, &r);
    return turned(n, r);
}

double carom_cos(double x)
{
    dd r;
    if (!isfinite(x))
        return NAN;
    int n = remainder_of(x, &r);
    return turned(n + 1, r);
}

/* ---- arcs ---- */

/* atan(y / x) for x in about 1...2 and 0 <= y <= x. */
static dd arc(dd y, dd x)
{
    int j = (int)(y.hi / x.hi * 32 + 0.5);
    double c = j / 32.0;
    dd cx = product(c, x.hi), cy = product(c, y.hi);
    dd over = two_sum(y.hi, -cx.hi), under = two_sum(x.hi, cy.hi);
    over = quick_sum(over.hi, over.lo + (y.lo - cx.lo - c * x.lo));
    under = quick_sum(under.hi, under.lo + (x.lo + cy.lo + c * y.lo));
    double t = over.hi / under.hi, z = t * t;
    dd back = product(t, under.hi);
    double low = ((over.hi - back.hi) - back.lo + over.lo - t * under.lo) / under.hi;
    low -= t * z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9 - z * (1.0 / 11)))));
    dd sum = two_sum(ANGLES[j].hi, t);
    return quick_sum(sum.hi, sum.lo + (ANGLES[j].lo + low));
}

/* The angle of (x, y), 0...pi, for y >= 0, both scaled so that the larger size is in 1...2. */
static double angle_of(dd y, dd x)
{
    bool left = x.hi < 0;
    if (left)
        x = (dd){-x.hi, -x.lo};
    if (y.hi > x.hi) {
        dd beyond = arc(x, y);
        return dd_value(left ? dd_add(HALF_PI, beyond) : dd_sub(HALF_PI, beyond));
    }
    dd below = arc(y, x);
    return dd_value(left ? dd_sub(PI_, below) : below);
}

double carom_atan2(double y, double x)
{
    double a = fabs(x), b = fabs(y), large = max(a, b), size;
    if (isnan(x) || isnan(y))
        return x + y;
    if (large == INFINITY)
        size = a < INFINITY ? HALF_PI.hi : b < INFINITY ? (x > 0 ? 0 : PI_.hi) : (x > 0 ? QUARTER_PI : 3 * QUARTER_PI);
    else if (b == 0 || (x > 0 && b / a < 0x1p-54))
        size = b == 0 ? (signbit(x) ? PI_.hi : 0) : b / a;
    else {
        double unit = power_of_two(-exponent_of(large) / 2),
               more = power_of_two(1 - exponent_of(large) + exponent_of(large) / 2);
        size = angle_of(dd_of(b * unit * more), dd_of(x * unit * more));
    }
    return copysign(size, y);
}

double carom_atan(double x)
{
    return carom_atan2(x, 1);
}

double carom_acos(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    dd below = two_sum(1, -x), above = two_sum(1, x), square = product(below.hi, above.hi);
    square.lo += below.hi * above.lo + below.lo * above.hi;
    dd s = root_of(quick_sum(square.hi, square.lo));
    return s.hi == 0 ? (x > 0 ? 0 : PI_.hi) : angle_of(s, dd_of(x));
}

/* ---- length ---- */

static dd square_of(double x)
{
    return product(x, x);
}

double carom_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y), large = max(a, b), small = min(a, b);
    if (a == INFINITY || b == INFINITY)
        return INFINITY;
    if (isnan(x) || isnan(y))
        return x + y;
    if (small <= large * 0x1p-54)
        return large;
    int n = exponent_of(large), half = n / 2;
    double unit = power_of_two(-half), more = power_of_two(half - n);
    dd s = square_of(large * unit * more), t = square_of(small * unit * more), sum = two_sum(s.hi, t.hi);
    dd root = root_of(quick_sum(sum.hi, sum.lo + (s.lo + t.lo)));
    return dd_value(root) * power_of_two(half) * power_of_two(n - half);
}
