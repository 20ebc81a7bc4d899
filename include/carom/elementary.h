/* Carom: elementary functions with the same bits everywhere.
 *
 * The C libraries of two systems differ in the last bit of sin, exp or pow. These functions do not: they are made of
 * the operations of IEEE 754 alone. The library calls no others, and so its results are the same on every machine, with
 * every compiler, and in WebAssembly (docs/numerics.md).
 *
 * Errors stay below 0.8 units in the last place for sin and cos, 0.7 for expm1 and log1p, and 0.51 for the others,
 * above the smallest normal number. Special values follow C, annex F; errno is left alone. */
#ifndef CAROM_ELEMENTARY_H
#define CAROM_ELEMENTARY_H

#include "carom/export.h"

/* Their values depend on nothing but their arguments. */
#if defined(__GNUC__)
#define CAROM_CONST __attribute__((const))
#else
#define CAROM_CONST
#endif

CAROM_BEGIN

CAROM_API CAROM_CONST double carom_exp(double x);
CAROM_API CAROM_CONST double carom_exp2(double x);
CAROM_API CAROM_CONST double carom_expm1(double x);
CAROM_API CAROM_CONST double carom_log(double x);
CAROM_API CAROM_CONST double carom_log2(double x);
CAROM_API CAROM_CONST double carom_log1p(double x);
CAROM_API CAROM_CONST double carom_pow(double x, double y);
CAROM_API CAROM_CONST double carom_cbrt(double x);
CAROM_API CAROM_CONST double carom_acosh(double x);

CAROM_API CAROM_CONST double carom_sin(double x);
CAROM_API CAROM_CONST double carom_cos(double x);
CAROM_API CAROM_CONST double carom_atan(double x);
CAROM_API CAROM_CONST double carom_atan2(double y, double x);
CAROM_API CAROM_CONST double carom_acos(double x);
CAROM_API CAROM_CONST double carom_hypot(double x, double y);

CAROM_END

#endif
