/* JSON as text: numbers as short as they can be, arrays of numbers on one line. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"

/* ---- numbers ---- */

#define EXACT_INTEGER 1e15 /* below it every integer prints with at most 15 digits */

enum { FEWEST = 15, MOST = 17 }; /* 15 digits survive text -> double -> text, 17 survive double -> text -> double */

static int print_slowly(char *text, double value)
{
    int length = 0;
    for (int digits = FEWEST; digits <= MOST; digits++) {
        length = snprintf(text, CAROM_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return length;
}

/* The digits of an integer, without leading zeros; returns how many. */
static int write_integer(char *text, uint64_t n)
{
    char reversed[20];
    int count = 0;
    do
        reversed[count++] = (char)('0' + n % 10);
    while (n /= 10);
    for (int i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    return count;
}

/* 0.d1d2d3... x 10^(exponent + 1) the way %g writes it. */
static int write_decimal(char *text, const char *digits, int count, int exponent)
{
    char *at = text;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (exponent < -4 || exponent >= FEWEST) {
        *at++ = digits[0];
        if (count > 1)
            *at++ = '.';
        memcpy(at, digits + 1, (size_t)count - 1);
        at += count - 1;
        return (int)(at - text) + snprintf(at, 8, "e%+03d", exponent);
    }
    int whole = exponent + 1; /* digits before the point; the value is no integer, so some follow it */
    for (int i = whole; i <= 0; i++) {
        *at++ = '0';
        if (i == whole)
            *at++ = '.';
    }
    for (int i = 0; i < count || i < whole; i++) {
        if (i > 0 && i == whole)
            *at++ = '.';
        *at++ = i < count ? digits[i] : '0';
    }
    *at = 0;
    return (int)(at - text);
}

#if LDBL_MANT_DIG >= 64
/* With 64 bits of mantissa, 10^k is exact up to 10^27 and a scaled double is right to 2^-64: enough to see the digits
 * and, a hundredth of an ulp away from a tie, to know that they read back as the same double. */
#define TIE_GUARD 0.01L

enum { EXACT_POWER = 27 };

static long double power_of_ten(int k)
{
    static const long double powers[EXACT_POWER + 1] = {
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
        1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    return powers[k];
}

static long double scaled(long double value, int k)
{
    return k >= 0 ? value * power_of_ten(k) : value / power_of_ten(-k);
}

/* value > 0 as count digits: returns the length, 0 if they do not read back as value, -1 if that is too close to say.
 */
static int try_digits(char *text, double value, int count, int exponent)
{
    int k = count - 1 - exponent;
    if (abs(k) > EXACT_POWER)
        return -1;
    uint64_t n = (uint64_t)(scaled(value, k) + 0.5L);
    long double miss = scaled((long double)n, -k) - (long double)value;
    double neighbour = nextafter(value, miss > 0 ? INFINITY : 0);
    miss /= (long double)(neighbour - value); /* as a share of the way there */
    if (fabsl(miss - 0.5L) < TIE_GUARD)
        return -1;
    if (miss > 0.5L)
        return 0;
    char digits[20];
    int written = write_integer(digits, n);
    return write_decimal(text, digits, written, exponent + written - count);
}

static int print_quickly(char *text, double value)
{
    int exponent = (int)floor(log10(value)), length = 0; /* off by one is seen by the number of digits */
    for (int count = FEWEST; count <= MOST && length == 0; count++)
        length = try_digits(text, value, count, exponent);
    return length;
}
#else
static int print_quickly(char *text, double value)
{
    (void)text, (void)value;
    return 0;
}
#endif

int carom_number_print(char text[CAROM_NUMBER_SIZE], double value)
{
    if (!isfinite(value))
        return snprintf(text, CAROM_NUMBER_SIZE, "null"); /* JSON has no word for it */
    int sign = value < 0;
    text[0] = '-';
    if (fabs(value) < EXACT_INTEGER && value == floor(value)) {
        int length = sign + write_integer(text + sign, (uint64_t)fabs(value));
        text[length] = 0;
        return length;
    }
    int length = print_quickly(text + sign, fabs(value));
    return length > 0 ? sign + length : print_slowly(text, value);
}

/* ---- trees ---- */

enum { INDENT = 2, SINK = 4096 };

typedef struct sink {
    FILE *out;
    bool compact;
    size_t used;
    char bytes[SINK];
} sink;

static void flush(sink *s)
{
    fwrite(s->bytes, 1, s->used, s->out);
    s->used = 0;
}

static void put(sink *s, const char *text, size_t length)
{
    if (length > SINK - s->used)
        flush(s);
    if (length > SINK) {
        fwrite(text, 1, length, s->out);
        return;
    }
    memcpy(s->bytes + s->used, text, length);
    s->used += length;
}

static void put_line(sink *s, int depth)
{
    if (s->compact)
        return;
    put(s, "\n", 1);
    for (int i = 0; i < depth * INDENT; i++)
        put(s, " ", 1);
}

static void put_separator(sink *s, bool on_one_line, int depth)
{
    put(s, ",", 1);
    if (on_one_line)
        put(s, " ", !s->compact);
    else
        put_line(s, depth);
}

/* A character that JSON does not take as it is. */
static void put_escaped(sink *s, unsigned char c)
{
    static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr";
    char text[8] = {'\\'};
    const char *at = c ? strchr(from, c) : NULL;
    if (at)
        text[1] = to[at - from];
    else
        snprintf(text, sizeof text, "\\u%04x", c);
    put(s, text, strlen(text));
}

static bool is_plain(char c)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

static void put_string(sink *s, const char *text, size_t length)
{
    put(s, "\"", 1);
    for (size_t i = 0; i < length;) {
        size_t run = i;
        while (run < length && is_plain(text[run]))
            run++;
        put(s, text + i, run - i);
        if (run < length)
            put_escaped(s, (unsigned char)text[run++]);
        i = run;
    }
    put(s, "\"", 1);
}

static void put_number(sink *s, const json_t *value)
{
    char text[CAROM_NUMBER_SIZE];
    put(s, text, (size_t)carom_number_print(text, json_number_value(value)));
}

/* An array goes on one line when nothing in it needs more than a word. */
static bool is_short(const json_t *array)
{
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)array, i, entry)
    {
        if (json_is_object(entry) || json_is_array(entry))
            return false;
    }
    return true;
}

static void put_value(sink *s, const json_t *value, int depth);

static void put_array(sink *s, const json_t *array, int depth)
{
    bool on_one_line = is_short(array);
    size_t i;
    json_t *entry;
    put(s, "[", 1);
    json_array_foreach((json_t *)array, i, entry)
    {
        if (i > 0)
            put_separator(s, on_one_line, depth + 1);
        else if (!on_one_line)
            put_line(s, depth + 1);
        put_value(s, entry, depth + 1);
    }
    if (!on_one_line)
        put_line(s, depth);
    put(s, "]", 1);
}

static void put_object(sink *s, const json_t *object, int depth)
{
    const char *key;
    json_t *member;
    bool first = true;
    put(s, "{", 1);
    json_object_foreach((json_t *)object, key, member)
    {
        if (first)
            put_line(s, depth + 1);
        else
            put_separator(s, false, depth + 1);
        first = false;
        put_string(s, key, strlen(key));
        put(s, ": ", s->compact ? 1 : 2);
        put_value(s, member, depth + 1);
    }
    if (!first)
        put_line(s, depth);
    put(s, "}", 1);
}

static void put_value(sink *s, const json_t *value, int depth)
{
    if (json_is_object(value))
        put_object(s, value, depth);
    else if (json_is_array(value))
        put_array(s, value, depth);
    else if (json_is_number(value))
        put_number(s, value);
    else if (json_is_string(value))
        put_string(s, json_string_value(value), json_string_length(value));
    else if (json_is_boolean(value))
        put(s, json_is_true(value) ? "true" : "false", json_is_true(value) ? 4 : 5);
    else
        put(s, "null", 4);
}

void carom_json_print(FILE *out, const json_t *value, bool compact)
{
    sink s;
    s.out = out;
    s.compact = compact;
    s.used = 0;
    put_value(&s, value, 0);
    put(&s, "\n", 1);
    flush(&s);
}
