/* Carom: the laws.
 *
 * A law is a kernel, (contact, coefficients) -> (impulse, branch), and data: one const descriptor at the end of one
 * file in src/laws, listed once in src/laws/laws.def. Find it by its permanent id:
 *
 *     const carom_law *law = carom_law_find("chatterjee-momentum");
 *
 * A law of your own works like a law of the library, in single calls and in batches: examples/own_law.c. */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include <math.h>
#include <stdint.h>

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

/* ---- what a law sees ---- */

/* The kind of a contact, judged once, before any law sees it. Rank is judged against the whole of K. */
typedef enum carom_kind {
    CAROM_KIND_SPATIAL,  /* K has rank three */
    CAROM_KIND_FLAT,     /* that, and nothing leaves the plane of t1 and n: K.t12, K.t2n and u.t2 are zero */
    CAROM_KIND_SPHERE,   /* that, and K = diag(m, m, k) to rounding: slip cannot turn */
    CAROM_KIND_PLANAR,   /* rank two without t2: its row of K and u.t2 are zero */
    CAROM_KIND_SINGULAR, /* rank lost in another way */
    CAROM_KIND_COUNT
} carom_kind;

/* A contact that has passed the gate: K and u are finite, K is positive semi-definite with K.nn > 0, u.n <= 0, u is not
 * zero, and all numbers are of a size whose products stay in the range of double. */
typedef struct carom_impact {
    carom_kind kind;
    carom_csym K;
    carom_cvec u;
    double v_n, v_t;           /* -u.n and |u_t|: both >= 0 */
    carom_direction tau;       /* -u_t / v_t, against the slip; zero where v_t is */
    double n11, n12, n22, det; /* K_nn B and its determinant, B = K_TT - k k^T / K_nn */
    const void *spectrum;      /* of a singular K; for the library */
} carom_impact;

/* What a kernel returns. */
typedef struct carom_impulse {
    carom_cvec p;
    int branch;         /* index into the modes of the law; 0 is no impact */
    carom_cvec u_after; /* laws with the trait gives-rebound only */
} carom_impulse;

/* ---- a law ---- */

typedef struct carom_law carom_law;

/* The law, its coefficients and its options: everything about an impact that is not K and u. */
typedef struct carom_rule {
    const carom_law *law;
    carom_coeffs coeffs;
    carom_options options;
    const carom_vibration *vibration; /* of `modal`, or null */
    const carom_workspace *workspace; /* or null: see carom/force.h */
} carom_rule;

/* The kernel of a law: contact and coefficients to impulse and branch, a plain function of values. A kernel that has no
 * answer returns CAROM_NO_IMPULSE, and the caller gets the refusal of the law. */
typedef carom_impulse carom_law_kernel(const carom_impact *x, const carom_coeffs *c);

#define CAROM_NO_IMPULSE ((carom_impulse){{NAN, NAN, NAN}, 0, {0, 0, 0}})

/* What does not fit a kernel: laws with a path, with several solutions, or with options. Contract: the contact and the
 * coefficients have passed the gate. It writes into the outcome: p, mode, and where they apply solutions, all, flags,
 * phases, events (and u_after, if its traits say so); all of these are zero on entry. tracer may be null. */
typedef carom_status carom_law_solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                     carom_outcome *outcome);

/* A contact with a patch, for the laws of the library that have torsion (laws/patch/patch_contact.h). */
typedef struct carom_patch_contact carom_patch_contact;
typedef carom_status carom_law_patch(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                                     carom_outcome *outcome);

/* A law of your own is one of these, filled by name; members that you leave out are zero. It needs an id, modes and a
 * kernel, or a solve. */
struct carom_law {
    const char *id;           /* permanent, "kebab-case" */
    const char *name;         /* for people */
    const char *family;       /* "algebraic", "incremental", "compliant" */
    const char *summary;      /* one sentence */
    const char *reference;    /* key in docs/references.bib */
    uint64_t uses;            /* CAROM_USES(e) | CAROM_USES(mu) ... */
    unsigned traits;          /* CAROM_TRAIT_ENERGY_SAFE | ... */
    const char *const *modes; /* the words of the branches */
    int mode_count;
    unsigned kinds; /* CAROM_KINDS(PLANAR) | ...: contacts for the kernel; the others are for solve. 0: all */
    uint64_t jams;  /* branches in which friction jams, as bits; later branches than 63 cannot */
    carom_law_kernel *kernel;
    carom_law_solve *solve;
    carom_status refusal;   /* when the kernel has no answer; 0 stands for CAROM_STATUS_OUT_OF_RANGE */
    carom_law_patch *patch; /* for the library: null in your own laws */
    const void *room[3];    /* zero */
};

/* The friction of a rule: mu, or 0 where its law knows no friction. */
static inline double carom_rule_friction(const carom_rule *rule)
{
    return rule->law->uses & CAROM_USES(mu) ? rule->coeffs.mu : 0;
}

/* .modes and .mode_count of an array of words. */
#define CAROM_MODES(words) .modes = words, .mode_count = sizeof words / sizeof words[0]

/* A set of kinds, as bits; CAROM_KINDS(PLANAR) is the bit of planar contacts. */
#define CAROM_KINDS(name) (1u << CAROM_KIND_##name)

/* CAROM_STATUS_OK if a law can be solved with: an id, and a kernel with modes or a solve. Otherwise
 * CAROM_STATUS_BAD_LAW. */
CAROM_API CAROM_MUST_USE carom_status carom_law_check(const carom_law *law);

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
