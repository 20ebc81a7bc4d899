// What every *_numbers.cpp starts from: the laws, word for word, with number for double. Everything they include lies
// in a namespace without a name, so that nothing of it meets the same names of the C library.
//
// PARTIALS is the number of partial derivatives, PASS the word for it; CMake compiles the files once for each.
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/export.h"
#include "derivative/number.hpp"
#include "derivative/pass.h"

#undef CAROM_BEGIN
#undef CAROM_END
#undef CAROM_API
#define CAROM_BEGIN
#define CAROM_END
#define CAROM_API __attribute__((unused))
#define restrict __restrict
#define _Alignas alignas

// carom_<family>_<pass>: PASS is one, all, or all_avx2.
#define JOINED(a, b)      a##b
#define WITH_PASS(a, b)   JOINED(a, b)
#define PASS_NAME(family) WITH_PASS(carom_##family##_, PASS)

// Constants are reals: those of float.h cast to double.
#undef DBL_EPSILON
#undef DBL_MAX
#undef DBL_MIN
#define DBL_EPSILON 0x1p-52
#define DBL_MAX     0x1.fffffffffffffp1023
#define DBL_MIN     0x1p-1022

#define double number
