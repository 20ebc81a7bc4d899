/* exp and expm1 for vector loops: the same bits from every instruction set, and from one number as from eight. */
#ifndef CAROM_CORE_EXPONENTIAL_H
#define CAROM_CORE_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

#include "core/num.h"

/* log2 x of a positive number to 0.09, and 2^x to 6 %, from the bits of a double alone: for guesses. */
static inline real rough_log2(real x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (real)bits * 0x1p-52 - 1023;
}

static inline real rough_exp2(real x)
{
    const int64_t bits = (int64_t)((x + 1023) * 0x1p52);
    real y;
    memcpy(&y, &bits, sizeof bits);
    return y;
}

/* e^x = power (1 + rest) for |x| < 700, to an ulp or two: 2^n, and a series. */
typedef struct exponential {
    real power, rest;
} exponential;

static inline exponential exponential_of(real x)
{
    static const real to_integer = 0x1.8p52, log2_e = 0x1.71547652b82fep0;
    static const real ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
    real shifted = x * log2_e + to_integer, n = shifted - to_integer;
    real y = (x - n * ln2_high) - n * ln2_low, y2 = y * y, y4 = y2 * y2;
    real low = (1.0 / 2 + y * (1.0 / 6)) + y2 * (1.0 / 24 + y * (1.0 / 120));
    real middle = (1.0 / 720 + y * (1.0 / 5040)) + y2 * (1.0 / 40320 + y * (1.0 / 362880));
    real high = (1.0 / 3628800 + y * (1.0 / 39916800)) + y2 * (1.0 / 479001600 + y * (1.0 / 6227020800));
    exponential e = {0, y + y2 * (low + y4 * (middle + y4 * high))};
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&e.power, &bits, sizeof bits);
    return e;
}

static inline real exp_of(real x)
{
    exponential e = exponential_of(x);
    return e.power + e.power * e.rest;
}

static inline real expm1_of(real x)
{
    exponential e = exponential_of(x);
    return (e.power - 1) + e.power * e.rest;
}

#endif
