/* Carom: the laws.
 *
 * A law is one const descriptor at the end of one file in src/laws, listed once in carom/laws.def. Find it by its
 * permanent id:
 *
 *     const carom_law *law = carom_law_find("chatterjee-momentum");
 */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "carom/coeffs.h"
#include "carom/export.h"
#include "carom/outcome.h"
#include "carom/path.h"
#include "carom/problem.h"
#include "carom/status.h"

CAROM_BEGIN

typedef enum carom_trait {
#define CAROM_TRAIT(name, word, meaning) CAROM_TRAIT_BIT_##name,
#include "carom/traits.def"
#undef CAROM_TRAIT
    CAROM_TRAIT_COUNT
} carom_trait;

enum {
#define CAROM_TRAIT(name, word, meaning) CAROM_TRAIT_##name = 1u << CAROM_TRAIT_BIT_##name,
#include "carom/traits.def"
#undef CAROM_TRAIT
};

typedef struct carom_law carom_law;

/* Which law, with which coefficients and options: everything about an impact that is not K and u. */
typedef struct carom_rule {
    const carom_law *law;
    carom_coeffs coeffs;
    carom_options options;
} carom_rule;

/* The raw solver of a law. Contract: the problem and the coefficients are valid, u.n <= 0 and u is not zero. It writes
 * into the outcome: p, mode, and where they apply solutions, all, flags, phases, events (and u_after, if its traits say
 * so); all of these are zero on entry. It checks nothing else: call carom_solve instead. tracer may be null. */
typedef carom_status carom_law_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                                     carom_outcome *outcome);

/* What makes a law fast, per instruction set: vector kernels, and one impact alone; private to the library. */
typedef struct carom_law_batch carom_law_batch;

struct carom_law {
    const char *id;        /* permanent, "kebab-case" */
    const char *name;      /* for people */
    const char *family;    /* "algebraic", "incremental", "compliant" */
    const char *summary;   /* one sentence */
    const char *reference; /* key in docs/references.bib */
    uint64_t uses;         /* CAROM_USES(e) | CAROM_USES(mu) ... */
    unsigned traits;       /* CAROM_TRAIT_ENERGY_SAFE | ... */
    carom_law_solve *solve;
    const carom_law_batch *batch; /* of laws that come with Carom; null in your own, or solve is not asked */
};

/* The laws in the order of the manifest. */
CAROM_API int carom_law_count(void);
CAROM_API const carom_law *carom_law_at(int i);

/* The law with this id, or null. */
CAROM_API const carom_law *carom_law_find(const char *id);

/* The word of trait i, 0 <= i < CAROM_TRAIT_COUNT, and its meaning. */
CAROM_API const char *carom_trait_word(carom_trait i);
CAROM_API const char *carom_trait_meaning(carom_trait i);

CAROM_END

#endif
