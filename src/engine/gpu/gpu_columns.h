/* The arrays of a batch as numbered columns, and columns side by side in one piece of memory. */
#ifndef CAROM_ENGINE_GPU_COLUMNS_H
#define CAROM_ENGINE_GPU_COLUMNS_H

#include <stddef.h>

#include "carom/batch.h"

enum {
    LEDGER_COLUMNS = 0
#define CAROM_LEDGER(name, member, meaning) +1
#include "carom/ledger.def"
#undef CAROM_LEDGER
    ,
    IN_COLUMNS = 9 + CAROM_COEFF_COUNT,
    OUT_COLUMNS = 6 + LEDGER_COLUMNS,
    BYTE_COLUMNS = 4
};

/* Members of one type follow each other in these structs. */
static inline const double **in_column(carom_batch_in *in, int k)
{
    return k < 9 ? &in->K_t11 + k : (const double **)&in->coeffs + (k - 9);
}

static inline double **out_column(carom_batch_out *out, int k)
{
    return k < 6 ? &out->p_t1 + k : (double **)&out->ledger + (k - 6);
}

static inline unsigned char **byte_column(carom_batch_out *out, int k)
{
    return k == 0 ? &out->status : &out->ledger.flags + (k - 1);
}

static inline size_t in_columns(const carom_batch_in *in)
{
    carom_batch_in x = *in;
    size_t count = 0;
    for (int k = 0; k < IN_COLUMNS; k++)
        count += *in_column(&x, k) != NULL;
    return count;
}

static inline size_t out_columns(const carom_batch_out *out)
{
    carom_batch_out x = *out;
    size_t count = 0;
    for (int k = 0; k < OUT_COLUMNS; k++)
        count += *out_column(&x, k) != NULL;
    return count;
}

/* Rows from `first` on. */
static inline void shift_in(carom_batch_in *in, size_t first, size_t count)
{
    in->count = count;
    for (int k = 0; k < IN_COLUMNS; k++)
        if (*in_column(in, k))
            *in_column(in, k) += first;
}

static inline void shift_out(carom_batch_out *out, size_t first, size_t count)
{
    out->count = count;
    for (int k = 0; k < OUT_COLUMNS; k++)
        if (*out_column(out, k))
            *out_column(out, k) += first;
    for (int k = 0; k < BYTE_COLUMNS; k++)
        if (*byte_column(out, k))
            *byte_column(out, k) += first;
}

/* The columns that are there, laid out in one piece of memory from `at` on; returns where they end. */
static inline unsigned char *lay_in(carom_batch_in *in, size_t rows, unsigned char *at)
{
    for (int k = 0; k < IN_COLUMNS; k++)
        if (*in_column(in, k)) {
            *in_column(in, k) = (const double *)(void *)at;
            at += rows * sizeof(double);
        }
    return at;
}

static inline unsigned char *lay_out(carom_batch_out *out, size_t rows, unsigned char *at)
{
    for (int k = 0; k < OUT_COLUMNS; k++)
        if (*out_column(out, k)) {
            *out_column(out, k) = (double *)(void *)at;
            at += rows * sizeof(double);
        }
    for (int k = 0; k < BYTE_COLUMNS; k++)
        if (*byte_column(out, k)) {
            *byte_column(out, k) = at;
            at += rows;
        }
    return at;
}

#endif
