/* Doubles as decimals and back by exact products, for numbers of ordinary size, with which programs spend their time.
 * A double times a power of ten up to 10^22 is a sum of two doubles (core/elementary_parts.h), so that its digits are
 * known exactly. Where a function returns false, printf or strtod is to decide. */
#ifndef CAROM_IO_DECIMAL_H
#define CAROM_IO_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/elementary_parts.h"
#include "core/num.h"

enum { FEWEST = 15, MOST = 17 };   /* 15 digits survive text -> double -> text, 17 survive double -> text -> double */
enum { EXACT_POWER = 22 };         /* 10^22 is a double, 10^23 is not */
#define EXACT_MANTISSA 0x1p53      /* integers up to this are doubles */
#define DECIMAL_SURE   0x1p-30     /* of half a unit: rounding that is closer to a tie is left to the C library */
#define LEAST_OF_17    1e16        /* numbers of 17 digits are between this */
#define MOST_OF_17     1e17        /* and this */
#define DIGITS_PER_BIT 0.301029996 /* log10 2, from below */

static const double powers_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number that is not negative as n x 10^power. */
typedef struct decimal {
    uint64_t n;
    int power;
} decimal;

/* value x 10^shift, exactly, with 17 digits before its point. */
typedef struct shifted {
    dd x;
    int shift;
} shifted;

static inline bool decimal_shift(double value, shifted *s)
{
    if (!(value >= 1e-6 && value < 1e15))
        return false;
    const int shift = MOST - 1 - (int)floor((exponent_of(value) - 1) * DIGITS_PER_BIT); /* or one less */
    s->shift = shift < EXACT_POWER ? shift : EXACT_POWER;
    s->x = product(value, powers_of_ten[s->shift]);
    if (s->x.hi >= MOST_OF_17)
        s->x = product(value, powers_of_ten[--s->shift]);
    return s->x.hi >= LEAST_OF_17 && s->x.hi < MOST_OF_17;
}

/* Rounded to all 17 digits, a tie to the even one: x.hi is even. */
static inline uint64_t shifted_digits(const shifted *s)
{
    const double lower = (s->x.lo + TO_INTEGER) - TO_INTEGER;
    return (uint64_t)((int64_t)s->x.hi + (int64_t)lower);
}

/* The multiple of unit nearest to the number; false at a tie. */
static inline bool shifted_round(const shifted *s, uint64_t all, uint64_t unit, uint64_t *n)
{
    const uint64_t over = all % unit;
    const double rest = s->x.lo - (double)((int64_t)all - (int64_t)s->x.hi); /* of the number over all its digits */
    *n = all / unit + (over > unit / 2 || (over == unit / 2 && rest > 0));
    return over != unit / 2 || rest != 0;
}

typedef enum reading { READS_BACK, READS_OTHERWISE, TOO_CLOSE } reading;

/* What n reads back as: value, where it is nearer than half a unit of the last bit. Below a power of two units are half
 * as large. */
static inline reading shifted_reading(const shifted *s, double value, uint64_t n)
{
    const double off = fabs((double)((int64_t)n - (int64_t)s->x.hi) - s->x.lo);
    const double half = power_of_two(exponent_of(value) - 54) * powers_of_ten[s->shift];
    const bool is_power = bits_of(value) << 12 == 0;
    if (off < (is_power ? 0.5 : 1) * (1 - DECIMAL_SURE) * half)
        return READS_BACK;
    return off > (1 + DECIMAL_SURE) * half ? READS_OTHERWISE : TOO_CLOSE;
}

/* 17 digits of value > 0, rounded once. */
static inline bool decimal_of(double value, decimal *d)
{
    shifted s;
    if (!decimal_shift(value, &s))
        return false;
    *d = (decimal){shifted_digits(&s), -s.shift};
    return true;
}

/* The fewest digits, at least 15, that read back as value > 0. */
static inline bool decimal_shortest(double value, decimal *d)
{
    shifted s;
    if (!decimal_shift(value, &s))
        return false;
    const uint64_t all = shifted_digits(&s);
    *d = (decimal){all, -s.shift};
    for (int drop = MOST - FEWEST; drop > 0; drop--) {
        const uint64_t unit = drop == 2 ? 100 : 10;
        uint64_t n;
        const reading r = shifted_round(&s, all, unit, &n) ? shifted_reading(&s, value, n * unit) : TOO_CLOSE;
        if (r == READS_BACK)
            *d = (decimal){n, drop - s.shift};
        if (r != READS_OTHERWISE)
            return r == READS_BACK;
    }
    return true;
}

/* The double nearest to d. */
static inline bool decimal_value(decimal d, double *value)
{
    if (d.power > EXACT_POWER || d.power < -EXACT_POWER || d.n > (uint64_t)1e18)
        return false;
    const double high = (double)d.n, low = (double)((int64_t)d.n - (int64_t)high);
    if (high < EXACT_MANTISSA) { /* one operation on exact numbers */
        *value = d.power < 0 ? high / powers_of_ten[-d.power] : high * powers_of_ten[d.power];
        return true;
    }
    if (d.power >= 0)
        return false;
    const double ten = powers_of_ten[-d.power], q = high / ten;
    const dd back = product(q, ten), sum = two_sum(q, (((high - back.hi) - back.lo) + low) / ten);
    const double half = power_of_two(exponent_of(sum.hi) - 54);
    *value = sum.hi;
    return bits_of(sum.hi) << 12 != 0 && fabs(sum.lo) < (1 - DECIMAL_SURE) * half;
}

#endif
