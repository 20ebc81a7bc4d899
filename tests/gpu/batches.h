/* Batches for tests of the GPU engine: rows of all distributions of the property suite, all columns, and a comparison
 * to the last bit. */
#ifndef CAROM_TESTS_GPU_BATCHES_H
#define CAROM_TESTS_GPU_BATCHES_H

#include <stdlib.h>
#include <string.h>

#include "draws.h"
#include "engine/gpu/gpu_columns.h"

/* All columns of a batch in one piece of memory. */
typedef struct table {
    carom_batch_in in;
    carom_batch_out out;
    unsigned char *memory;
    size_t bytes, in_bytes;
} table;

typedef struct table_shape {
    size_t rows;
    bool planar, own_coeffs, ledger;
} table_shape;

/* Columns from `at` on; returns where they end. */
static inline unsigned char *table_lay(table *t, table_shape s, unsigned char *at)
{
    unsigned char *some = at ? at : (unsigned char *)t;
    t->in = (carom_batch_in){.count = s.rows};
    t->out = (carom_batch_out){.count = s.rows};
    for (int k = 0; k < (s.own_coeffs ? IN_COLUMNS : 9); k++)
        *in_column(&t->in, k) = (const double *)(void *)some;
    if (s.planar)
        t->in.K_t12 = t->in.K_t22 = t->in.K_t2n = t->in.u_t2 = NULL;
    for (int k = 0; k < (s.ledger ? OUT_COLUMNS : 6); k++)
        *out_column(&t->out, k) = (double *)(void *)some;
    for (int k = 0; k < (s.ledger ? BYTE_COLUMNS : 1); k++)
        *byte_column(&t->out, k) = some;
    unsigned char *results = lay_in(&t->in, s.rows, at), *end = lay_out(&t->out, s.rows, results);
    t->in_bytes = (size_t)(results - at);
    t->bytes = (size_t)(end - at);
    return end;
}

static inline table table_make(table_shape s)
{
    table t;
    unsigned char at[1];
    (void)table_lay(&t, s, at);
    t.memory = malloc(t.bytes);
    (void)table_lay(&t, s, t.memory);
    return t;
}

static inline void table_set(table *t, size_t i, const carom_problem *pb, const carom_coeffs *c)
{
    const double row[9] = {pb->K.t11, pb->K.t12, pb->K.t22, pb->K.t1n, pb->K.t2n,
                           pb->K.nn,  pb->u.t1,  pb->u.t2,  pb->u.n};
    for (int k = 0; k < IN_COLUMNS; k++) {
        double *column = (double *)(uintptr_t)*in_column(&t->in, k);
        if (column)
            column[i] = k < 9 ? row[k] : carom_coeffs_get(c, (carom_coeff)(k - 9));
    }
}

/* Rows from `first` to `end` of every distribution in turn; one in 64 is no number, or has a coefficient out of range.
 */
static inline void table_draw(table *t, const carom_law *law, dice *d, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        carom_problem pb;
        carom_rule rule = carom_rule_default(law);
        draw_impact(d, (kind)(i % KIND_COUNT), law, &pb, &rule);
        if (dice_below(d, 64) == 0)
            *(dice_below(d, 2) ? &pb.u.t1 : &pb.K.nn) = dice_below(d, 2) ? NAN : INFINITY;
        if (dice_below(d, 64) == 0)
            *(dice_below(d, 2) ? &rule.coeffs.e : &rule.coeffs.mu) = dice_below(d, 2) ? NAN : -0.5;
        if (dice_below(d, 16) == 0)
            pb.u.n = fabs(pb.u.n);
        table_set(t, i, &pb, &rule.coeffs);
    }
}

/* The first row at which results differ by a bit; the number of rows where none does. */
static inline size_t table_differs(const table *a, const table *b)
{
    carom_batch_out x = a->out, y = b->out;
    size_t first = x.count;
    for (int k = 0; k < OUT_COLUMNS; k++)
        for (size_t i = 0; *out_column(&x, k) && i < first; i++)
            first = memcmp(*out_column(&x, k) + i, *out_column(&y, k) + i, sizeof(double)) ? i : first;
    for (int k = 0; k < BYTE_COLUMNS; k++)
        for (size_t i = 0; *byte_column(&x, k) && i < first; i++)
            first = (*byte_column(&x, k))[i] != (*byte_column(&y, k))[i] ? i : first;
    return first;
}

#endif
