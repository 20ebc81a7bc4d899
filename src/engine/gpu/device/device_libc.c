/* The few functions of the C library that the laws call, for a GPU. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t bits_from(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_from(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double frexp(double x, int *exponent)
{
    const uint64_t bits = bits_from(x), mask = 0x7ffull << 52;
    const int raw = (int)(bits >> 52 & 0x7ff);
    if (raw == 0 && x != 0) { /* subnormal */
        const double y = frexp(x * 0x1p64, exponent);
        *exponent -= 64;
        return y;
    }
    *exponent = raw == 0x7ff || x == 0 ? 0 : raw - 1022;
    return raw == 0x7ff || x == 0 ? x : double_from((bits & ~mask) | 1022ull << 52);
}

/* In steps that round once: the last one. */
double ldexp(double x, int n)
{
    for (int i = 0; i < 2 && n > 1023; i++, n -= 1023)
        x *= 0x1p1023;
    for (int i = 0; i < 2 && n < -1022; i++, n += 969)
        x *= 0x1p-969;
    n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
    return x * double_from((uint64_t)(n + 1023) << 52);
}

void *memset(void *to, int value, size_t count)
{
    char *p = to;
    for (size_t i = 0; i < count; i++)
        p[i] = (char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    char *p = to;
    const char *q = from;
    for (size_t i = 0; i < count; i++)
        p[i] = q[i];
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    char *p = to;
    const char *q = from;
    for (size_t i = 0; i < count; i++) {
        size_t k = p < q ? i : count - 1 - i;
        p[k] = q[k];
    }
    return to;
}
