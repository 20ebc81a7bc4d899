/* printf and strtod follow the locale of the program, JSON does not. Whatever a locale puts between the digits of a
 * number is taken for its point; what strtod reads back has none. */
#include "io/json/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_INTEGER 1e15 /* below it every integer prints with at most 15 digits */

enum { FEWEST = 15, MOST = 17 }; /* 15 digits survive text -> double -> text, 17 survive double -> text -> double */
enum { RAW = 48 };               /* printf's text, with a decimal point of several bytes */

/* What is neither letter, digit nor sign is the point. */
static const char *with_a_point(const char *raw, char text[CAROM_NUMBER_SIZE])
{
    static const char plain[] = "0123456789+-einfa";
    size_t used = 0;
    bool pointed = false;
    for (; *raw && used + 1 < CAROM_NUMBER_SIZE; raw++) {
        bool is_plain = strchr(plain, *raw) != NULL;
        if (is_plain || !pointed)
            text[used++] = is_plain ? *raw : '.';
        pointed |= !is_plain;
    }
    text[used] = 0;
    return text;
}

const char *carom_internal_number_rounded(char text[CAROM_NUMBER_SIZE], double value, int digits)
{
    char raw[RAW];
    snprintf(raw, sizeof raw, "%.*g", digits, value);
    return with_a_point(raw, text);
}

const char *carom_internal_number_fixed(char text[CAROM_NUMBER_SIZE], double value, int decimals)
{
    char raw[RAW];
    snprintf(raw, sizeof raw, "%.*f", decimals, value);
    return with_a_point(raw, text);
}

/* A positive number as n x 10^power. */
typedef struct decimal {
    uint64_t n;
    int power;
} decimal;

/* So many digits of value > 0, rounded once. */
static decimal digits_of(double value, int digits)
{
    char raw[RAW], *at = raw;
    decimal d = {0, 0};
    snprintf(raw, sizeof raw, "%.*e", digits - 1, value);
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9')
            d.n = 10 * d.n + (uint64_t)(*at - '0');
    d.power = atoi(at + 1) - (digits - 1);
    return d;
}

static bool reads_back(decimal d, double value)
{
    char text[RAW];
    snprintf(text, sizeof text, "%" PRIu64 "e%d", d.n, d.power);
    return strtod(text, NULL) == value;
}

/* The last digits rounded away. Where exactly one half is dropped, printf may have rounded to that half: value itself
 * then says which neighbour is closer, and the other one is tried after it. */
static bool rounded(decimal all, int drop, double value, decimal *d)
{
    uint64_t unit = 1;
    for (int i = 0; i < drop; i++)
        unit *= 10;
    decimal up = {(all.n + unit / 2) / unit, all.power + drop};
    bool is_half = all.n % unit == unit / 2;
    *d = is_half ? digits_of(value, MOST - drop) : up;
    if (reads_back(*d, value))
        return true;
    *d = (decimal){up.n - (d->n == up.n && d->power == up.power), up.power};
    return is_half && reads_back(*d, value);
}

/* The fewest digits that read back as value. Below DBL_MIN a double has fewer than 15. */
static decimal shortest(double value)
{
    decimal all = digits_of(value, MOST), d;
    for (int digits = value < DBL_MIN ? 1 : FEWEST; digits < MOST; digits++)
        if (rounded(all, MOST - digits, value, &d))
            return d;
    return all;
}

/* As %g writes it: with an exponent below 1e-4 and from 1e15 on. */
static int write_decimal(char *text, decimal d)
{
    while (d.n % 10 == 0) {
        d.n /= 10;
        d.power++;
    }
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, d.n), exponent = d.power + count - 1;
    if (exponent < -4 || exponent >= FEWEST)
        return snprintf(text, CAROM_NUMBER_SIZE - 1, "%.1s%s%se%+03d", digits, count > 1 ? "." : "", digits + 1,
                        exponent);
    if (exponent < 0)
        return snprintf(text, CAROM_NUMBER_SIZE - 1, "0.%.*s%s", -exponent - 1, "000", digits);
    return snprintf(text, CAROM_NUMBER_SIZE - 1, "%.*s.%s", exponent + 1, digits, digits + exponent + 1);
}

int carom_number_print(char text[CAROM_NUMBER_SIZE], double value)
{
    if (!isfinite(value))
        return snprintf(text, CAROM_NUMBER_SIZE, "null"); /* JSON has no word for it */
    if (fabs(value) < EXACT_INTEGER && value == floor(value))
        return snprintf(text, CAROM_NUMBER_SIZE, "%.0f", value + 0.0); /* + 0.0: zero has no sign */
    int sign = value < 0;
    text[0] = '-';
    return sign + write_decimal(text + sign, shortest(fabs(value)));
}

/* ---- reading ---- */

enum { DIGITS = 800 };     /* 767 digits and the knowledge that more follow decide the rounding of every double */
enum { POWER = 99999 };    /* beyond the doubles */
enum { EXACT_POWER = 22 }; /* 10^22 is a double, 10^23 is not */
#define EXACT_MANTISSA 0x1p53

/* The digits of a number as an integer, and its power of ten. */
typedef struct digits {
    char text[DIGITS + 16];
    int count, power;
    bool more; /* digits other than 0 were dropped */
} digits;

static void add_digit(digits *d, char digit, bool fraction)
{
    bool kept = d->count < DIGITS, leading = d->count == 0 && digit == '0';
    if (kept && !leading)
        d->text[d->count++] = digit;
    d->more |= !kept && digit != '0';
    d->power += !kept;
    d->power -= fraction;
}

static digits collect(const char *text, const char *end)
{
    digits d;
    bool fraction = false;
    long exponent = 0;
    d.count = d.power = 0;
    d.more = false;
    for (; text < end && *text != 'e' && *text != 'E'; text++)
        if (*text == '.')
            fraction = true;
        else
            add_digit(&d, *text, fraction);
    bool minus = text + 1 < end && text[1] == '-';
    for (text += minus + 1; text < end; text++)
        if (*text != '+' && exponent < POWER)
            exponent = 10 * exponent + (*text - '0');
    d.power += (int)(minus ? -exponent : exponent);
    return d;
}

/* 10^0 ... 10^22 are exact, and so is one product or quotient of exact numbers to half a unit. */
static bool is_exact(const digits *d, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t n = 0;
    if (d->count > MOST + 1 || d->power > EXACT_POWER || d->power < -EXACT_POWER)
        return false;
    for (int i = 0; i < d->count; i++)
        n = 10 * n + (uint64_t)(d->text[i] - '0');
    *value = d->power < 0 ? (double)n / ten[-d->power] : (double)n * ten[d->power];
    return (double)n < EXACT_MANTISSA;
}

double carom_internal_number_read(const char *text, size_t length)
{
    bool minus = length > 0 && text[0] == '-';
    digits d = collect(text + minus, text + length);
    double value = 0;
    if (!is_exact(&d, &value)) { /* an integer and an exponent: strtod needs no point, whatever the locale */
        if (d.more) {
            d.text[d.count++] = '1';
            d.power--;
        }
        snprintf(d.text + d.count, sizeof d.text - (size_t)d.count, "e%d", d.power);
        value = strtod(d.text, NULL);
    }
    return minus ? -value : value;
}
