/* The literature suite: every published number that Carom can compute, with a verdict.
 *
 * Numbers come in three groups, counted apart:
 *
 *     printed   the document shows this string; Carom's number must round to it
 *     derived   a formula of the document, evaluated here for one example
 *     own       found by this project, and confirmed by a second method
 *
 * Where the equations of a document do not give what it prints, the number is an erratum: it is listed with the
 * evidence (errata.def) and, where it can be computed, with the value that the evidence leads to. No tolerance is ever
 * loosened. */
#ifndef CAROM_LITERATURE_H
#define CAROM_LITERATURE_H

#include <stdbool.h>

#include "carom/carom.h"

typedef enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_ERRATUM, VERDICT_COUNT } verdict;
typedef enum group { GROUP_PRINTED, GROUP_DERIVED, GROUP_OWN, GROUP_COUNT } group;

/* Why a printed number is not what its equations give. */
typedef enum erratum_key {
    NO_ERRATUM,
#define ERRATUM(key, source, text) ERRATUM_##key,
#include "errata.def"
#undef ERRATUM
    ERRATUM_COUNT
} erratum_key;

typedef struct erratum {
    const char *key, *source, *text;
} erratum;

const erratum *erratum_at(erratum_key key);

typedef enum document_key {
#define DOCUMENT(key, name, reference) DOCUMENT_##key,
#include "documents.def"
#undef DOCUMENT
    DOCUMENT_COUNT
} document_key;

typedef struct document {
    const char *name, *reference;
} document;

const document *document_at(document_key key);

/* Where a number stands. */
typedef struct place {
    group group;
    document_key document;
    const char *section;
} place;

typedef struct finding {
    const place *place;
    char what[64];
    char published[24]; /* as printed; a formula's value for derived numbers */
    double got;         /* NaN when the law refuses */
    double range[2];    /* for words instead of digits ("two"): pass inside; both zero: by digits */
    erratum_key erratum;
    double explained; /* what the evidence gives instead; NaN when it was not computed */
    verdict verdict;
    int digits; /* printed digits that agree */
} finding;

typedef struct literature {
    finding *list;
    int count, room;
    int counts[GROUP_COUNT][VERDICT_COUNT];
    bool lost; /* memory ended */
} literature;

/* Add one number and judge it; what is a format. */
finding *literature_add(literature *l, const place *at, const char *published, double got, const char *what, ...);

/* The same for words: passes when low <= got <= high. */
void literature_add_word(literature *l, const place *at, const char *published, const double got_low_high[3],
                         const char *what);

/* The same for a formula of the document, evaluated here: eleven digits must agree. */
void literature_add_formula(literature *l, const place *at, double formula, double got, const char *what);

/* Mark the last one as an erratum, with what the evidence gives (or NAN), and judge it again. */
void literature_blame(literature *l, erratum_key key, double explained);

/* The documents. */
void literature_thesis(literature *l);
void literature_thesis_chapters(literature *l);
void literature_thesis_forces(literature *l);
void literature_baber(literature *l);
void literature_jia(literature *l);
void literature_jia_bounces(literature *l);
void literature_jia_studies(literature *l);
void literature_morgan(literature *l);
void literature_lecture(literature *l);
void literature_own(literature *l);
void literature_maw(literature *l);

/* All of them. */
literature literature_run(void);
void literature_free(literature *l);
int literature_failures(const literature *l);

const char *verdict_word(verdict v);
const char *group_word(group g);

/* Jia's ball after one bounce; V_x and w_y before, and the coefficients. False when the law is missing. */
bool jia_ball(double V_x, double w_y, const carom_coeffs *coeffs, double after[2]);

/* Restitution of hunt-crossley, followed in time, for the damping a v = A. */
double hunt_crossley_restitution(double A);

/* A solid sphere of Poisson's ratio 0.3: chi, and psi_2 under a law with stiffness ratio kappa and e = 1. */
double maw_chi(void);
double maw_reflection(const char *law, int annuli, double psi_1);

/* The pendulum of the thesis at 1/lambda: V_fN, V_fT, dKE. */
bool thesis_pendulum(const char *law, double e_t, double inverse, double after[3]);

/* What the command line asks for. */
typedef struct literature_options {
    bool verbose, quiet, json;
    const char *folder; /* of the report, or null */
} literature_options;

/* A Markdown report with figures in a folder; complains and returns false when it cannot be written. */
bool literature_report(const literature *l, const char *folder);

#endif
