/* Many impacts at once on arrays that the package has placed in memory. */
#include <stddef.h>

#include "carom/carom.h"
#include "js.h"

/* Order of in: K_t11, K_t12, K_t22, K_t1n, K_t2n, K_nn, u_t1, u_t2, u_n; those of t2 null in a planar batch. */
enum { IN = 9, OUT = 6 };

typedef struct rows {
    size_t count;
    const double *in[IN];
    double *out[OUT]; /* p_t1, p_t2, p_n, u_t1, u_t2, u_n; null: not wanted */
    unsigned char *status, *flags;
    double *ledger;                          /* columns in the order of ledger.def, or null */
    const double *values[CAROM_COEFF_COUNT]; /* columns, or null: the shared value */
    double shared[CAROM_COEFF_COUNT];
    int options[CAROM_OPTION_COUNT];
} rows;

static carom_batch_in input_of(const rows *r)
{
    const double *const *x = r->in;
    carom_batch_in in = {r->count, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], {0}};
    const double **column = (const double **)&in.coeffs;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        column[i] = r->values[i];
    return in;
}

static carom_batch_out output_of(const rows *r)
{
    double *const *x = r->out;
    carom_batch_out out = {r->count, x[0], x[1], x[2], x[3], x[4], x[5], r->status, {0}};
    double *next = r->ledger;
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    out.ledger.name = next;                                                                                            \
    next = next ? next + r->count : NULL;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    out.ledger.flags = r->flags;
    return out;
}

/* The size of rows, for the package to check its own idea of it. */
EXPORT(carom_js_rows_size) size_t carom_js_rows_size(void)
{
    return sizeof(rows);
}

EXPORT(carom_js_rows_shared) size_t carom_js_rows_shared(void)
{
    return offsetof(rows, shared);
}

/* A carom_status about the whole; -1: no such law. */
EXPORT(carom_js_batch) int carom_js_batch(const char *law, const rows *r)
{
    const carom_law *found = carom_law_find(law);
    if (!found)
        return -1;
    carom_rule rule = carom_rule_default(found);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        carom_coeffs_set(&rule.coeffs, (carom_coeff)i, r->shared[i]);
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        carom_options_set(&rule.options, (carom_option)i, r->options[i]);
    carom_batch_in in = input_of(r);
    carom_batch_out out = output_of(r);
    return (int)carom_batch_solve(&in, &rule, &out, NULL);
}

/* The default values of the coefficients, for the package to change. */
EXPORT(carom_js_defaults) void carom_js_defaults(double values[CAROM_COEFF_COUNT])
{
    carom_coeffs coeffs = carom_coeffs_default();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        values[i] = carom_coeffs_get(&coeffs, (carom_coeff)i);
}
