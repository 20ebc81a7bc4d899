/* A tile: some rows of a batch, whose temporaries stay in the first-level cache. Loops take a line of rows at a time, a
 * cache line of every array. */
#ifndef CAROM_ENGINE_TILE_H
#define CAROM_ENGINE_TILE_H

#include <stdbool.h>

#include "carom/batch.h"

enum { TILE = 128 };
enum { LINE = 8 };   /* doubles per cache line */
enum { AHEAD = 64 }; /* rows from what is computed to what is fetched from memory */

typedef double lane[TILE];

/* The rows of the caller that a tile reads. */
typedef struct tile_rows {
    const double *K11, *K12, *K22, *K1n, *K2n, *Knn, *u1, *u2, *un;
    carom_batch_coeffs c; /* every array that the law reads is there */
} tile_rows;

/* The results of a row: impulse, and velocity after. */
enum { P1, P2, PN, V1, V2, VN, RESULTS };

typedef struct tile {
    int count; /* rows: whole lines, at most TILE */
    tile_rows in;
    double *out[RESULTS]; /* scratch memory, or rows of the caller */
    bool prefetch;        /* the rows ahead come from memory */
    bool stream;          /* results bypass the caches: rows begin with a line and are not read again */
    bool signed_e;        /* the law takes e < 0 */
    bool any_left;
    _Alignas(64) lane left; /* DONE, SEPARATES or LEFTOVER */
    lane bad_coeffs;        /* LEFTOVER where a row has a coefficient out of range, else 0 */
#define CAROM_LEDGER(name, member, meaning) lane name;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    lane flags, defined, mode;
} tile;

/* Row i as the values that laws work on. */
static inline carom_problem tile_problem(const tile_rows *in, int i)
{
    carom_problem pb = {{in->K11[i], in->K12[i], in->K22[i], in->K1n[i], in->K2n[i], in->Knn[i]},
                        {in->u1[i], in->u2[i], in->un[i]}};
    return pb;
}

static inline carom_coeffs tile_coeffs(const tile_rows *in, int i)
{
    carom_coeffs c;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) c.name = in->c.name[i];
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return c;
}

#endif
