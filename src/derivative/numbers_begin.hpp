// What every *_numbers.cpp starts from: the laws, word for word, with number for double. Everything they include lies
// in a namespace without a name, so that nothing of it meets the same names of the C library.
//
// PARTIALS is the number of partial derivatives; CMake compiles the files once for each number that is wanted.
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

#define JOINED(a, b)        a##b
#define WITH_PARTIALS(a, b) JOINED(a, b)
#define PASS_NAME(family)   WITH_PARTIALS(carom_##family##_, PARTIALS)

// The border nearest to the branch taken: see borders in numbers.hpp.
#define double number
