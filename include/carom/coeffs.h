/* Carom: coefficients and options of the laws.
 *
 * One flat struct serves every law; a law reads the fields its descriptor names and ignores the rest. Start from
 * carom_coeffs_default() and set what you know:
 *
 *     carom_coeffs c = carom_coeffs_default();
 *     c.e = 0.8;
 *     c.mu = 0.25;
 */
#ifndef CAROM_COEFFS_H
#define CAROM_COEFFS_H

#include <math.h>
#include <stdint.h>

#include "carom/export.h"
#include "carom/status.h"

CAROM_BEGIN

#define CAROM_UNBOUNDED  1.7976931348623157e308  /* largest double: "no bound" */
#define CAROM_INFINITE   INFINITY                /* infinite friction: the contact never slips */
#define CAROM_POSITIVE   2.2250738585072014e-308 /* smallest normal double: "> 0" */
#define CAROM_SAME_AS_MU (-1.0)                  /* mu_s not given: it equals mu */
#define CAROM_NOT_GIVEN  CAROM_UNBOUNDED         /* c, k_t, k_t1, k_t2: the law derives them */

/* The position of each coefficient in the manifest, for descriptors and tables. */
typedef enum carom_coeff {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) CAROM_COEFF_##name,
#include "carom/coeffs.def"
#undef CAROM_COEFF
    CAROM_COEFF_COUNT
} carom_coeff;

/* Structs that may grow have room for that: a program that was compiled with an older header runs with a newer library.
 * Start from the default functions, or from zero, and leave the room as it is. */
enum { CAROM_COEFF_SLOTS = 64, CAROM_OPTION_SLOTS = 16 };

enum { CAROM_OPTION_WORDS = 4 }; /* readings of an option, at most */

typedef struct carom_coeffs {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) double name;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    double room[CAROM_COEFF_SLOTS - (int)CAROM_COEFF_COUNT];
} carom_coeffs;

/* A set of coefficients, as bits; CAROM_USES(mu) is the bit of mu. */
#define CAROM_USES(name) (UINT64_C(1) << CAROM_COEFF_##name)

/* One line of the manifest. */
typedef struct carom_coeff_info {
    const char *name, *unit, *range, *meaning;
    double min, max, value; /* value is the default */
} carom_coeff_info;

enum {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning)              CAROM_OPTION_##NAME##_##OTHER = 1,
#define CAROM_OPTION_THIRD(name, NAME, word, other, third, THIRD, meaning) CAROM_OPTION_##NAME##_##THIRD = 2,
#define CAROM_OPTION_FOURTH(name, NAME, fourth, FOURTH, meaning)           CAROM_OPTION_##NAME##_##FOURTH = 3,
#include "carom/options.def"
#undef CAROM_OPTION
};

/* The position of each option in the manifest. */
typedef enum carom_option {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) CAROM_OPTION_##name,
#include "carom/options.def"
#undef CAROM_OPTION
    CAROM_OPTION_COUNT
} carom_option;

/* Readings of a law: zero is the default one. */
typedef struct carom_options {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) int name;
#include "carom/options.def"
#undef CAROM_OPTION
    int room[CAROM_OPTION_SLOTS - (int)CAROM_OPTION_COUNT];
} carom_options;

typedef struct carom_option_info {
    const char *name, *words[CAROM_OPTION_WORDS], *meaning; /* words beyond the readings are null */
} carom_option_info;

/* Every coefficient at its default. */
CAROM_API carom_coeffs carom_coeffs_default(void);

/* Line i of the manifest, 0 <= i < CAROM_COEFF_COUNT. */
CAROM_API const carom_coeff_info *carom_coeff_at(carom_coeff i);

/* The coefficient called name, or CAROM_COEFF_COUNT. */
CAROM_API carom_coeff carom_coeff_find(const char *name);

/* Read or set coefficient i by its position: for tables, sliders and files. Code that knows the name uses the field. */
CAROM_API double carom_coeffs_get(const carom_coeffs *coeffs, carom_coeff i);
CAROM_API void carom_coeffs_set(carom_coeffs *coeffs, carom_coeff i, double value);

/* CAROM_STATUS_OK, CAROM_STATUS_NOT_FINITE or CAROM_STATUS_BAD_COEFFICIENT; *culprit (may be null) then says which one.
 * e is allowed down to -1 here; laws without the trait signed-e need 0...1, and carom_solve checks it. */
CAROM_API CAROM_MUST_USE carom_status carom_coeffs_check(const carom_coeffs *coeffs, carom_coeff *culprit);

/* Line i of the option manifest, the option called name (or CAROM_OPTION_COUNT), and access by position. */
CAROM_API const carom_option_info *carom_option_at(carom_option i);
CAROM_API carom_option carom_option_find(const char *name);

/* The reading that a word names, or -1; and the rule that the word has broken then: must be "all", "first" or "peak".
 */
CAROM_API int carom_option_choice(carom_option i, const char *word);
CAROM_API const char *carom_option_rule(carom_option i);

CAROM_API int carom_options_get(const carom_options *options, carom_option i);
CAROM_API void carom_options_set(carom_options *options, carom_option i, int value);

CAROM_END

#endif
