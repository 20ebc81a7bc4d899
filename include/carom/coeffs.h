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
#include <stdbool.h>
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

/* How e or mu depends on the speed of approach v = -u.n. The coefficient itself, c, is its value at v = speed. v is
 * held between from and to: beyond what was measured the value stays. e is held in 0...1, mu at 0 or above. */
typedef enum carom_speed_form {
    CAROM_SPEED_CONSTANT,
    CAROM_SPEED_LINEAR,       /* c (1 - q (v / speed - 1)) */
    CAROM_SPEED_POWER,        /* c (v / speed)^-q; q > 0 needs from > 0 */
    CAROM_SPEED_VISCOELASTIC, /* 1 - (1 - c) (v / speed)^q: of e */
    CAROM_SPEED_COUNT
} carom_speed_form;

typedef struct carom_of_speed {
    double form;               /* a carom_speed_form; a double like all members of carom_coeffs */
    double q, speed, from, to; /* from may be 0, to infinite */
} carom_of_speed;

enum { CAROM_OF_SPEED_SLOTS = 2 * 5 };

typedef struct carom_coeffs {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) double name;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    carom_of_speed e_of_speed, mu_of_speed;
    double room[CAROM_COEFF_SLOTS - (int)CAROM_COEFF_COUNT - (int)CAROM_OF_SPEED_SLOTS];
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

/* Read or set coefficient i by its position: for tables, sliders and files. Code that knows the name uses the field.
 * What is set no longer depends on the speed. */
CAROM_API double carom_coeffs_get(const carom_coeffs *coeffs, carom_coeff i);
CAROM_API void carom_coeffs_set(carom_coeffs *coeffs, carom_coeff i, double value);

/* Coefficient i as another set has it, with how it depends on the speed. */
CAROM_API void carom_coeffs_take(carom_coeffs *coeffs, carom_coeff i, const carom_coeffs *from);

/* CAROM_STATUS_OK, CAROM_STATUS_NOT_FINITE or CAROM_STATUS_BAD_COEFFICIENT; *culprit (may be null) then says which one.
 * e is allowed down to -1 here; laws without the trait signed-e need 0...1, and carom_solve checks it. */
CAROM_API CAROM_MUST_USE carom_status carom_coeffs_check(const carom_coeffs *coeffs, carom_coeff *culprit);

/* Does e or mu depend on the speed? carom_solve and carom_sim then take their values at the speed of each impact.
 * Batches and laws of several contacts need numbers (CAROM_STATUS_OUT_OF_SCOPE), and so do derivatives
 * (CAROM_STATUS_NO_DERIVATIVE). */
static inline bool carom_coeffs_vary(const carom_coeffs *coeffs)
{
    return coeffs->e_of_speed.form > 0 || coeffs->mu_of_speed.form > 0;
}

/* The same with e and mu as numbers: their values at this speed of approach. mu_s is raised to mu where it must be. */
CAROM_API carom_coeffs carom_coeffs_at_speed(const carom_coeffs *coeffs, double v);

/* The word of a form ("power"), and its equation in c, q and v/V. */
CAROM_API const char *carom_speed_word(carom_speed_form form);
CAROM_API const char *carom_speed_equation(carom_speed_form form);

/* c at the speed v, before it is held in its range; and how that changes with c and q (slopes may be null). */
CAROM_API double carom_of_speed_value(const carom_of_speed *f, double c, double v, double slopes[2]);

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
