/* Carom: impact cases, the one file format (JSON). Library carom-io; not part of carom/carom.h.
 *
 *     carom_text text = {"ball.json", 1, bytes, length};
 *     carom_case c;
 *     carom_case_error error;
 *     if (!carom_case_read(&text, &c, &error))        strict: a wrong case never becomes a problem
 *         puts(error.message);                        one line: file, line, key, rule
 *     carom_result result = {0};
 *     carom_case_solve(&c, &result);                  reduce happened on reading; this solves and applies
 *     carom_json *answer = carom_case_answer(&c, &result);
 *     carom_json_print(stdout, answer, false);
 *     carom_json_free(answer);
 *
 * The keys of a case and of an answer are listed in docs/guide/case-format.md. Reading allocates (JSON trees do);
 * everything a case owns is freed by carom_case_free. */
#ifndef CAROM_CASE_H
#define CAROM_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/body.h"
#include "carom/convert.h"
#include "carom/export.h"
#include "carom/generalized.h"
#include "carom/json.h"
#include "carom/law.h"
#include "carom/outcome.h"
#include "carom/patch.h"
#include "carom/path.h"
#include "carom/problem.h"
#include "carom/saltation.h"
#include "carom/stroke.h"
#include "carom/together.h"

CAROM_BEGIN

/* The bounds on one case. Reading refuses more, in one line that names the bound. */
enum {
    CAROM_CASE_BYTES = 1 << 26, /* of its text, 64 MiB; depth and number of values: carom/json.h */
    CAROM_CASE_SPEEDS = 2000,   /* generalized speeds of a mechanism */
    CAROM_CASE_LINKS = 600,     /* links of a mechanism, ... */
    CAROM_CASE_LINK_NAME = 64   /* ... and the bytes of the name of one */
};

/* The text of one case and where it comes from. Borrowed: it must outlive the case that is read from it. A text that
 * could not be kept has null bytes; its length tells carom_case_read why. */
typedef struct carom_text {
    const char *file; /* for messages */
    long line;        /* of the first byte, from 1 */
    const char *bytes;
    size_t length;
} carom_text;

/* The three ways to describe an impact. */
typedef enum carom_source { CAROM_SOURCE_BODIES, CAROM_SOURCE_REDUCED, CAROM_SOURCE_MECHANISM } carom_source;

enum { CAROM_SALTATION_COORDINATES = 200 }; /* of a mechanism whose saltation matrix is computed */

/* "saltation" of a case: how a mechanism changes with its coordinates, or the surfaces of two bodies. */
typedef struct carom_case_saltation {
    double *M_q, *J_q, *qddot_before, *qddot_after;
    carom_curvature curvature[2];
    carom_vec3 gravity;
} carom_case_saltation;

/* A case that has been read, checked and reduced. Its contacts are a list, often of one. One contact, "contact" or a K
 * and a u, has problem and rule. Contacts that are given as an array, and a stroke, are solved together: they have
 * contacts and together_rule. */
typedef struct carom_case {
    carom_text text;
    carom_json *document; /* the whole case; owns name, names, tags, expect */
    const char *name;     /* or null */
    carom_source source;
    int dim;   /* 3, or 2 for planar cases */
    int count; /* contacts */
    bool together;
    bool of_speed;                     /* e or mu was given as a function: the numbers are those at the speed of u */
    carom_rule rule;                   /* rule.law is null when the case names no law, or when it is solved together */
    carom_problem problem;             /* (K, u) of one contact */
    carom_together_rule together_rule; /* together: its law is null when the case names none; its coeffs are coeffs */
    carom_coeffs *coeffs;              /* together: one per contact */
    carom_contacts contacts;           /* together: (K, u) of all */
    int body_count;                    /* source bodies; of one contact "a" and "b" */
    const char **names;
    carom_body *bodies;
    carom_pair *pairs;               /* one per contact; zeros where the source has no frame */
    carom_elastic_body elastic[2];   /* one contact: "material" of a and b; E = 0 when it is not given */
    carom_generalized mechanism;     /* source mechanism; J has dim rows per contact */
    double *numbers;                 /* of the mechanism: M, J, qdot, work; of links also rows */
    unsigned warnings;               /* further ones that the caller raises, CAROM_WARNS_LAW | ... */
    void *vibration;                 /* what rule.vibration points into */
    void *memory, *reduced;          /* where these arrays live, and the arrays of contacts */
    carom_case_saltation *saltation; /* or null */
    carom_patch_problem patch;       /* K and u of 4 or 6 numbers, where they are given; problem is their first three */
    double *rows;                    /* links: of each contact t1, t2, n, w_n, w_t1, w_t2, from which J is taken */
} carom_case;

/* Why a case was refused. */
typedef struct carom_case_error {
    carom_status status; /* what the library said, or CAROM_STATUS_OK when the file itself is at fault */
    char key[128];       /* path of the key to blame, "bodies.a.mass"; empty when there is none */
    long line, column;   /* in the text, from 1; 0: not known, or the text is not to blame */
    char rule[256];      /* what it breaks */
    char message[640];   /* "file:line: key: rule" */
} carom_case_error;

/* Read one case. On failure the case is empty except for document and name, if the text was JSON at all; the caller
 * frees it either way. A case without "law" is accepted here and refused by carom_case_check. */
CAROM_API CAROM_MUST_USE bool carom_case_read(const carom_text *text, carom_case *c, carom_case_error *error);

/* The same from an object of JSON, which the case shares: it must not change while the case lives. Messages name the
 * file. */
CAROM_API CAROM_MUST_USE bool carom_case_read_tree(const char *file, carom_json *tree, carom_case *c,
                                                   carom_case_error *error);

/* The rule of the case: a law is named and every coefficient is in its range. Call it after changing c->rule. */
CAROM_API CAROM_MUST_USE bool carom_case_check(const carom_case *c, carom_case_error *error);

/* The coefficients alone, in the range that some law allows: for a case that is to be solved with several laws. */
CAROM_API CAROM_MUST_USE bool carom_case_check_coeffs(const carom_case *c, carom_case_error *error);

CAROM_API void carom_case_free(carom_case *c);

/* Blame a key of the case; rule is text for people. Always returns false. */
CAROM_API bool carom_case_blame(const carom_case *c, const char *key, const char *rule, carom_case_error *error);

/* What a status of carom_solve means for the author of the case: which key, which rule. Always returns false. */
CAROM_API bool carom_case_refuse(const carom_case *c, carom_status status, carom_case_error *error);

/* ---- warnings: legal, but perhaps not meant ---- */

typedef enum carom_warning {
#define CAROM_WARNING(name, bit, word, meaning) CAROM_WARNING_##name = bit,
#include "carom/warnings.def"
#undef CAROM_WARNING
    CAROM_WARNING_COUNT
} carom_warning;

enum {
#define CAROM_WARNING(name, bit, word, meaning) CAROM_WARNS_##name = 1u << bit,
#include "carom/warnings.def"
#undef CAROM_WARNING
};

/* Word and meaning of warning i, 0 <= i < CAROM_WARNING_COUNT. */
CAROM_API const char *carom_warning_word(carom_warning i);
CAROM_API const char *carom_warning_meaning(carom_warning i);

/* What to warn of in a case that has been read, as bits; "warnings" in its answer. */
CAROM_API unsigned carom_case_warnings(const carom_case *c);

/* One of them as a message that names the key. Always returns false. */
CAROM_API bool carom_case_warn(const carom_case *c, carom_warning i, carom_case_error *error);

/* Does this option say anything to this law? */
CAROM_API bool carom_option_is_for(carom_option i, const carom_law *law);

/* Does the law of the case, of one contact or of several, use this coefficient, or have this option? True when the case
 * names no law. mu counts as used, since the ledger's cone margin needs it, unless the law calls newton because the
 * case names no "base". */
CAROM_API bool carom_case_uses(const carom_case *c, carom_coeff i);
CAROM_API bool carom_case_has_option(const carom_case *c, carom_option i);

enum { CAROM_MODES_KEPT = 64 }; /* stretches of a compliant path that an answer lists */

/* An event at a contact of those that are solved together. */
typedef struct carom_contact_event {
    carom_together_event_kind kind;
    int contact; /* from 0 */
    double time;
} carom_contact_event;

/* The outcome and what it did to bodies or mechanism. Start from {0}, use it for any number of cases, free it once. */
typedef struct carom_result {
    carom_outcome outcome;           /* of one contact; together: status, flags, solutions and energy of all */
    carom_together_outcome together; /* its arrays live in memory */
    carom_energy energy;             /* of the whole bodies or mechanism; of the contacts for a reduced case */
    carom_body *bodies;              /* afterwards; at least two, zeros where the case has none */
    double *qdot_after;
    carom_event *events; /* one contact: every event of the path */
    int event_count, event_room;
    carom_contact_event *contact_events; /* together */
    int contact_event_count, contact_event_room;
    double *solutions; /* together: p and u_after of every solution found, 2 dim m numbers each */
    int solution_count, solution_room;
    void *memory, *workspace; /* where arrays live; lent to laws that need one */
    size_t memory_room, workspace_room;
    int mode_count;
    const char *modes[CAROM_MODES_KEPT]; /* "slip", "stick" along a compliant path ... */
    bool compressing[CAROM_MODES_KEPT];  /* ... and in which half */
    bool lost;                           /* memory ended: events or speeds are missing */
    double *saltation;                   /* the matrix of a case with "saltation", by rows */
    int saltation_size;                  /* its rows, 0 without one */
} carom_result;

/* True if carom_solve of problem and rule is the whole impact, so that it may be a row of a batch: one contact without
 * patch, vibration, saltation matrix and functions of the speed. */
CAROM_API bool carom_case_is_plain(const carom_case *c);

/* What carom_case_solve does once the contact is solved: the outcome of carom_solve for a plain case, whose events it
 * has not. */
CAROM_API carom_status carom_case_finish(const carom_case *c, const carom_outcome *outcome, carom_result *result);

/* Contact i, from 0: its coefficients, u, impulse, u_after, and what turns: moment of impulse and spins afterwards. */
CAROM_API const carom_coeffs *carom_case_coeffs(const carom_case *c, int i);
CAROM_API carom_cvec carom_case_u(const carom_case *c, int i);
CAROM_API carom_cvec carom_result_p(const carom_case *c, const carom_result *result, int i);
CAROM_API carom_cvec carom_result_u_after(const carom_case *c, const carom_result *result, int i);
CAROM_API carom_cspin carom_result_m(const carom_case *c, const carom_result *result, int i);
CAROM_API carom_cspin carom_result_w_after(const carom_case *c, const carom_result *result, int i);

/* What the law of the case promises (carom/traits.def), and the coefficients it uses; zero without a law. */
CAROM_API unsigned carom_case_traits(const carom_case *c);
CAROM_API uint64_t carom_case_law_uses(const carom_case *c);

/* What players ask of a stroke. */
typedef struct carom_stroke_result {
    double squirt; /* angle from the direction of the cue to the direction of the ball, seen from above, rad */
    bool miscue;   /* the tip slips from its first instant; laws with a path only */
    carom_slide slide;
} carom_stroke_result;

/* What became of the stroke of a solved case; false when the case has none. */
CAROM_API bool carom_case_stroke(const carom_case *c, const carom_result *result, carom_stroke_result *stroke);

/* The id of the law of a case, or "" when it names none. */
CAROM_API const char *carom_case_law(const carom_case *c);

/* Set a coefficient or an option of a case, at every contact; take a coefficient from a set of them. */
CAROM_API void carom_case_take_coefficient(carom_case *c, carom_coeff i, const carom_coeffs *from);
CAROM_API void carom_case_set_coefficient(carom_case *c, carom_coeff i, double value);
CAROM_API void carom_case_set_option(carom_case *c, carom_option i, int choice);

/* Solve with c->rule and apply the impulse. Returns outcome.status; the result is defined on every status. */
CAROM_API carom_status carom_case_solve(const carom_case *c, carom_result *result);

CAROM_API void carom_result_free(carom_result *result);

/* The answer as a new JSON object: keys as in the case format, only those that apply. */
CAROM_API carom_json *carom_case_answer(const carom_case *c, const carom_result *result);

/* Every admissible solution that was kept, as an array of {p, u_after, energy_change}: the answer's "all". */
CAROM_API carom_json *carom_case_solutions(const carom_case *c, const carom_result *result);

/* The derivatives of the outcome as an object: the answer's "derivatives". Null, and a status that is no answer, when
 * there are none. */
CAROM_API carom_json *carom_case_derivatives(const carom_case *c, carom_status *status);

/* The shapes of an impact at one contact: eigenvalues of K, ellipsoid, cone, region, rays, and where the impulse of the
 * case's law lies. */
CAROM_API carom_json *carom_case_geometry(const carom_case *c);

/* The document of the case with two finite bodies in place of what it has, whose K and u are the same. Null, with the
 * error, when K is singular. */
CAROM_API carom_json *carom_case_realize(const carom_case *c, carom_case_error *error);

/* The answer to a case that was refused: {name, status, message}. */
CAROM_API carom_json *carom_case_error_answer(const carom_case *c, const carom_case_error *error);

/* ---- hints ---- */

/* The word of a list (ended by null) nearest to this one by edit distance, or null when none is near enough to be
 * what was meant. */
CAROM_API const char *carom_nearest(const char *word, const char *const *words);

/* The coefficient that this word may mean ("friction": "mu"), or null. */
CAROM_API const char *carom_nearest_coefficient(const char *word);

/* The id of the law nearest to this word, or null. */
CAROM_API const char *carom_nearest_law(const char *word);

CAROM_END

#endif
