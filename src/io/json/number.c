/* Numbers of ordinary size go by exact products (decimal.h), the others by printf and strtod, which follow the locale
 * of the program; JSON does not. Whatever a locale puts between the digits of a number is taken for its point; what
 * strtod reads back has none. */
#include "io/json/number.h"

#include "io/json/decimal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_INTEGER 1e15 /* below it every integer prints with at most 15 digits */

enum { RAW = 48 }; /* printf's text, with a decimal point of several bytes */

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

const char *carom_internal_number_fixed(char text[CAROM_NUMBER_SIZE], double value, int decimals)
{
    char raw[RAW];
    snprintf(raw, sizeof raw, "%.*f", decimals, value);
    return with_a_point(raw, text);
}

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
    decimal all, d;
    if (decimal_shortest(value, &d))
        return d;
    all = digits_of(value, MOST);
    for (int digits = value < DBL_MIN ? 1 : FEWEST; digits < MOST; digits++)
        if (rounded(all, MOST - digits, value, &d))
            return d;
    return all;
}

/* The digits of n, and the end of the text; how many. */
static int put_whole(char *text, uint64_t n)
{
    char back[24];
    int count = 0;
    do
        back[count++] = (char)('0' + n % 10);
    while (n /= 10);
    for (int i = 0; i < count; i++)
        text[i] = back[count - 1 - i];
    text[count] = 0;
    return count;
}

static bool is_short_integer(double value)
{
    return fabs(value) < EXACT_INTEGER && value == floor(value);
}

static int put_integer(char *text, double value)
{
    const int sign = signbit(value) != 0;
    text[0] = '-';
    return sign + put_whole(text + sign, (uint64_t)fabs(value));
}

/* As %g writes what is no integer: with an exponent below 1e-4 and from 1e15 on. */
static int write_decimal(char *text, decimal d)
{
    while (d.n % 10 == 0) {
        d.n /= 10;
        d.power++;
    }
    char digits[24];
    const int count = put_whole(digits, d.n), exponent = d.power + count - 1;
    if (exponent < -4 || exponent >= FEWEST)
        return snprintf(text, CAROM_NUMBER_SIZE - 1, "%.1s%s%se%+03d", digits, count > 1 ? "." : "", digits + 1,
                        exponent);
    const int whole = exponent < 0 ? 0 : exponent + 1, zeros = exponent < 0 ? -exponent - 1 : 0;
    char *at = text;
    memcpy(at, exponent < 0 ? "0" : digits, (size_t)(whole ? whole : 1));
    at += whole ? whole : 1;
    *at++ = '.';
    memset(at, '0', (size_t)zeros);
    memcpy(at + zeros, digits + whole, (size_t)(count - whole + 1));
    return (int)(at - text) + zeros + count - whole;
}

int carom_number_print(char text[CAROM_NUMBER_SIZE], double value)
{
    if (!isfinite(value))
        return snprintf(text, CAROM_NUMBER_SIZE, "null"); /* JSON has no word for it */
    if (is_short_integer(value))
        return put_integer(text, value + 0.0); /* + 0.0: zero has no sign */
    int sign = value < 0;
    text[0] = '-';
    return sign + write_decimal(text + sign, shortest(fabs(value)));
}

/* Every digit of a number that %g writes without an exponent. */
static bool put_all_digits(char *text, double value)
{
    const int sign = value < 0;
    decimal d;
    if (is_short_integer(value))
        return put_integer(text, value) > 0;
    if (!(fabs(value) >= 1e-4) || !decimal_of(fabs(value), &d))
        return false;
    text[0] = '-';
    return write_decimal(text + sign, d) > 0;
}

const char *carom_internal_number_rounded(char text[CAROM_NUMBER_SIZE], double value, int digits)
{
    char raw[RAW];
    if (digits == MOST && put_all_digits(text, value))
        return text;
    snprintf(raw, sizeof raw, "%.*g", digits, value);
    return with_a_point(raw, text);
}

/* ---- reading ---- */

enum { DIGITS = 800 };  /* 767 digits and the knowledge that more follow decide the rounding of every double */
enum { POWER = 99999 }; /* beyond the doubles */

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

static bool is_ordinary(const digits *d, double *value)
{
    uint64_t n = 0;
    if (d->count > MOST + 1)
        return false;
    for (int i = 0; i < d->count; i++)
        n = 10 * n + (uint64_t)(d->text[i] - '0');
    return decimal_value((decimal){n, d->power}, value);
}

double carom_internal_number_read(const char *text, size_t length)
{
    bool minus = length > 0 && text[0] == '-';
    digits d = collect(text + minus, text + length);
    double value = 0;
    if (!is_ordinary(&d, &value)) { /* an integer and an exponent: strtod needs no point, whatever the locale */
        if (d.more) {
            d.text[d.count++] = '1';
            d.power--;
        }
        snprintf(d.text + d.count, sizeof d.text - (size_t)d.count, "e%d", d.power);
        value = strtod(d.text, NULL);
    }
    return minus ? -value : value;
}
