/* Carom: many impacts at once.
 *
 * A batch is one array per number (struct of arrays). Row i of the arrays is impact i; every row gets exactly what
 * carom_solve gives for it, bit for bit, whatever the instruction set and the number of threads:
 *
 *     carom_batch_in in = {.count = n, .K_t11 = k11, ..., .u_n = un};
 *     carom_batch_out out = {.count = n, .p_t1 = p1, .p_t2 = p2, .p_n = pn, .status = status};
 *     carom_status status = carom_batch_solve(&in, &rule, &out, NULL);
 *
 * Laws with a closed form run in vector registers; for every other law, and for the rare row that is out of the
 * ordinary (a singular K, grazing), a batch is a loop over carom_solve. Nothing is allocated. */
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include <stddef.h>

#include "carom/coeffs.h"
#include "carom/export.h"
#include "carom/law.h"
#include "carom/status.h"

CAROM_BEGIN

/* Coefficients that differ from impact to impact. A null array: all impacts share the value of the rule. */
typedef struct carom_batch_coeffs {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) const double *name;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    const double *room[CAROM_COEFF_SLOTS - (int)CAROM_COEFF_COUNT];
} carom_batch_coeffs;

/* What comes in. In a planar batch the four arrays of t2 (K_t12, K_t22, K_t2n, u_t2) are null, all of them. */
typedef struct carom_batch_in {
    size_t count; /* entries of every array */
    const double *K_t11, *K_t12, *K_t22, *K_t1n, *K_t2n, *K_nn;
    const double *u_t1, *u_t2, *u_n;
    carom_batch_coeffs coeffs;
} carom_batch_in;

/* The ledger, number by number; a null array is not written. */
typedef struct carom_batch_ledger {
#define CAROM_LEDGER(name, member, meaning) double *name;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    unsigned char *flags;   /* CAROM_FLAG_PENETRATES | ... */
    unsigned char *defined; /* CAROM_HAS_NEWTON | ... */
    unsigned char *mode;    /* carom_batch_mode has its word; with it every row takes the road of a single call */
    double *room[3];
} carom_batch_ledger;

/* What comes out. Any array may be null and is then not written, but not all of them. No array may overlap another,
 * except that the velocities after may be written over those before, row by row. */
typedef struct carom_batch_out {
    size_t count; /* the same as of the input */
    double *p_t1, *p_t2, *p_n;
    double *u_t1, *u_t2, *u_n; /* after the impact */
    unsigned char *status;     /* a carom_status per row */
    carom_batch_ledger ledger;
} carom_batch_out;

/* Instruction sets a batch may use. */
typedef enum carom_isa {
    CAROM_ISA_BEST,
    CAROM_ISA_BASELINE,
    CAROM_ISA_AVX2,
    CAROM_ISA_AVX512,
    CAROM_ISA_COUNT
} carom_isa;

/* How to run. Zero (or a null pointer) means: all processors, the best instruction set. */
typedef struct carom_batch_options {
    int threads;       /* at most this many, 0: as many as there are processors; never more than that or than useful */
    carom_isa at_most; /* not beyond this instruction set */
} carom_batch_options;

/* Resolve every impact of a batch. The answer is about the batch: CAROM_STATUS_OK when every row was looked at (each
 * row's own status tells the rest: a refused row has zero outputs and disturbs no other), CAROM_STATUS_BAD_SIZE when
 * the counts of in and out differ, CAROM_STATUS_MISSING_ARRAY when an array is null that must not be; or what
 * carom_rule_check says about the rule. In these cases nothing is written. Thread-safe, allocates nothing. */
CAROM_API CAROM_MUST_USE carom_status carom_batch_solve(const carom_batch_in *in, const carom_rule *rule,
                                                        const carom_batch_out *out, const carom_batch_options *options);

/* The word of a mode that a batch has written with this law, e.g. "stick"; "" for one that the law does not list. */
CAROM_API const char *carom_batch_mode(const carom_law *law, unsigned char mode);

/* The best instruction set of both this machine and this build. */
CAROM_API carom_isa carom_isa_best(void);

/* Its word: "baseline", "avx2", "avx512". */
CAROM_API const char *carom_isa_word(carom_isa isa);

/* The number of threads a batch can use: processors, or 1 when the library was built without threads. */
CAROM_API int carom_batch_threads(void);

CAROM_END

#endif
