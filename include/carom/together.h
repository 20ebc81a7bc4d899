/* Carom: laws for several contacts at once.
 *
 *     carom_coeffs coeffs[2];                                             one per contact
 *     carom_together_rule rule = carom_together_rule_default(carom_together_find("moreau"), coeffs);
 *     void *work = malloc(carom_together_work(&problem, &rule));
 *     carom_together_outcome out = {.p = p, .u_after = u_after};           arrays of dim m numbers
 *     carom_status status = carom_together_solve(&problem, &rule, NULL, work, &out);
 *
 * No law is right in general: an infinitesimal gap can change the order of the impacts and the outcome.
 * docs/theory/several-contacts.md states what each law guarantees. */
#ifndef CAROM_TOGETHER_H
#define CAROM_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/contacts.h"
#include "carom/export.h"
#include "carom/law.h"
#include "carom/outcome.h"

CAROM_BEGIN

typedef enum carom_together_event_kind {
#define CAROM_TOGETHER_EVENT(name, word, meaning) CAROM_TOGETHER_EVENT_##name,
#include "carom/together_words.def"
#undef CAROM_TOGETHER_EVENT
    CAROM_TOGETHER_EVENT_COUNT
} carom_together_event_kind;

typedef enum carom_together_mode {
#define CAROM_TOGETHER_MODE(name, word, meaning) CAROM_TOGETHER_MODE_##name,
#include "carom/together_words.def"
#undef CAROM_TOGETHER_MODE
    CAROM_TOGETHER_MODE_COUNT
} carom_together_mode;

CAROM_API const char *carom_together_event_word(carom_together_event_kind kind);
CAROM_API const char *carom_together_mode_word(carom_together_mode mode);

/* A point inside the impact. The arrays have dim m (p, u) and m numbers; valid only during the call. */
typedef struct carom_together_state {
    double time;                      /* sequential, reflections: the number of the step; lzb: fictitious time */
    const double *p, *u;              /* impulse so far, velocities here */
    const double *compression;        /* lzb; compliant: force over k; else null */
    const double *spring;             /* compliant: tangential springs, dim - 1 numbers per contact; else null */
    const carom_together_mode *modes; /* compliant: how each contact holds on; else null */
} carom_together_state;

typedef struct carom_together_event {
    carom_together_event_kind kind;
    int contact; /* from 0 */
    carom_together_state at;
} carom_together_event;

/* What a caller may watch; any function may be null. */
typedef struct carom_together_tracer {
    void (*event)(void *context, const carom_together_event *event);
    void (*step)(void *context, const carom_together_state *state);          /* lzb, compliant: points of the path */
    void (*solution)(void *context, const double *p, const double *u_after); /* every admissible solution found */
    void *context;
} carom_together_tracer;

typedef struct carom_together carom_together;

/* The law and its coefficients. Zero tolerance and iterations mean the defaults of the law. */
typedef struct carom_together_rule {
    const carom_together *law;
    const carom_coeffs *coeffs; /* one per contact */
    const carom_law *base;      /* sequential: the law of one contact; null is newton */
    carom_options options;      /* order, cone */
    const int *sequence;        /* sequential: an order of the contacts to sweep in, or null */
    double tolerance;           /* iterative solvers: residual, relative to the largest impulse; 0 is 1e-8 */
    int iterations;             /* their bound; 0 is 2000 sweeps */
} carom_together_rule;

/* What comes out. The caller owns the arrays; p and u_after are required, the others may be null. */
typedef struct carom_together_outcome {
    double *p, *u_after;        /* dim m */
    double *p_compression;      /* poisson-lcp: dim m */
    carom_together_mode *modes; /* moreau: m */
    double *losses;             /* compliant: 2 m, the energy lost at each contact by restitution and by friction */
    carom_status status;
    unsigned flags;
    carom_energy energy; /* change, normal, friction; before and after are the caller's: see carom_together_energy */
    double spin, roll;   /* moreau with spins: their shares of the change */
    double residual;     /* of the law's complementarity conditions, relative to the largest impulse */
    int iterations;      /* impacts, reflections, sweeps or steps */
    int solutions;       /* admissible solutions found */
    bool examined;       /* all of them were looked for */
    bool endless;        /* sequential: the sequence has no last impact; its limit is given */
} carom_together_outcome;

/* How the engine calls a law; private to the library. */
typedef struct carom_together_call carom_together_call;

struct carom_together {
    const char *id, *name, *summary;
    const char *reference; /* key in docs/references.bib */
    uint64_t uses;         /* CAROM_USES(e) | ... */
    unsigned traits;       /* what it promises with friction, for any coefficients */
    unsigned frictionless; /* what it promises besides when every mu is zero */
    int most;              /* contacts */
    size_t (*work)(const carom_contacts *problem, const carom_together_rule *rule); /* bytes */
    carom_status (*solve)(const carom_together_call *call, carom_together_outcome *outcome);
};

CAROM_API int carom_together_count(void);
CAROM_API const carom_together *carom_together_at(int i);
CAROM_API const carom_together *carom_together_find(const char *id);

CAROM_API carom_together_rule carom_together_rule_default(const carom_together *law, const carom_coeffs *coeffs);

/* CAROM_STATUS_OK if carom_together_solve accepts the rule for this many contacts; otherwise the status, the contact
 * and the coefficient to blame. */
CAROM_API CAROM_MUST_USE carom_status carom_together_check(const carom_together_rule *rule, int count, int *contact,
                                                           carom_coeff *culprit);

/* Bytes of workspace that the solver needs. In space, in kB:
 *
 *     contacts      2     8    48    64    512   3,000
 *     sequential  0.3     3    79   138     12      72
 *     moreau      3.6    27   690   300  6,800   2,800
 *     poisson-lcp 3.9    30   750   400 13,000
 *     reflections 0.6     6   160   270  8,400
 *     lzb         9.9    63 1,300 1,400
 *     compliant
 *
 * Up to 48 contacts K is also kept as a full matrix, up to 64 opposed contacts are looked for, up to 512 the normal
 * problem is solved by pivoting. Times are in docs/benchmarks.md. */
CAROM_API size_t carom_together_work(const carom_contacts *problem, const carom_together_rule *rule);

/* Resolve one impact. tracer may be null. The outcome is defined on every status and holds no NaN. */
CAROM_API CAROM_MUST_USE carom_status carom_together_solve(const carom_contacts *problem,
                                                           const carom_together_rule *rule,
                                                           const carom_together_tracer *tracer, void *work,
                                                           carom_together_outcome *outcome);

/* Half of u K^+ u: the kinetic energy that impulses at these contacts can reach. work has carom_together_energy_work
 * bytes. */
CAROM_API size_t carom_together_energy_work(const carom_contacts *problem);
CAROM_API double carom_together_energy(const carom_contacts *problem, void *work);

CAROM_END

#endif
