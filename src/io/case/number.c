/* printf and strtod follow the locale of the program, JSON does not. Whatever a locale puts between the digits of a
 * number is taken for its point; what strtod reads back has none. */
#include "io/case/number.h"

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
