/* math.h for a machine without a C library: what the laws use of it. Each rounds as IEEE 754 says. */
#ifndef CAROM_GPU_DEVICE_MATH_H
#define CAROM_GPU_DEVICE_MATH_H

#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define isnan(x)    __builtin_isnan(x)
#define isinf(x)    __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x)  __builtin_signbit(x)

#define sqrt(x)        __builtin_sqrt(x)
#define fabs(x)        __builtin_fabs(x)
#define fma(a, b, c)   __builtin_fma(a, b, c)
#define copysign(a, b) __builtin_copysign(a, b)
#define floor(x)       __builtin_floor(x)
#define ceil(x)        __builtin_ceil(x)
#define trunc(x)       __builtin_trunc(x)
#define rint(x)        __builtin_rint(x)
#define nearbyint(x)   __builtin_nearbyint(x)

static inline double fmin(double a, double b)
{
    return a < b || b != b ? a : b;
}

static inline double fmax(double a, double b)
{
    return a > b || b != b ? a : b;
}

double frexp(double x, int *exponent);
double ldexp(double x, int n);

#endif
