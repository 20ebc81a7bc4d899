/* What the engine hands to a law for several contacts, and the small helpers that all of them use. */
#ifndef CAROM_LAWS_TOGETHER_CALL_H
#define CAROM_LAWS_TOGETHER_CALL_H

#include <math.h>

#include "carom/together.h"
#include "core/block_memory.h"
#include "core/num.h"

enum { TOGETHER_DENSE_MOST = 48 };   /* contacts up to which K is also kept as a full matrix */
enum { TOGETHER_LCP_MOST = 512 };    /* contacts up to which normal problems are solved by pivoting */
enum { TOGETHER_OPPOSED_MOST = 64 }; /* contacts up to which opposed ones are looked for */

/* Contract of carom_together.solve: problem and rule are valid, something approaches, and no opposed contact opens.
 * The law writes p (zero on entry) and what else it knows; the engine forms u_after, energies and common flags. */
struct carom_together_call {
    const carom_contacts *x;
    const carom_together_rule *rule;
    const carom_together_tracer *tracer; /* or null */
    const bool *opposed;                 /* m, or null when no contact is */
    void *work;
};

static inline bool together_is_frictionless(const carom_contacts *x, const carom_coeffs *c)
{
    for (int i = 0; i < x->count; i++)
        if (c[i].mu > 0)
            return false;
    return true;
}

static inline double together_normal(const carom_contacts *x, const double *v, int i)
{
    return v[i * x->dim + carom_contacts_normal(x)];
}

static inline double largest_of(size_t count, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = max(most, fabs(v[i]));
    return most;
}

/* K as a full matrix of (dim m)^2 numbers. */
static inline void together_full(const carom_contacts *x, double *K)
{
    int n = x->count * x->dim, dim = x->dim;
    for (int i = 0; i < n * n; i++)
        K[i] = 0;
    for (int i = 0; i < x->count; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++)
                    K[(i * dim + a) * n + x->column[k] * dim + b] = x->K[(k * dim + a) * dim + b];
}

/* N: the normal rows and columns of K, m x m. */
static inline void together_normals(const carom_contacts *x, double *N)
{
    int m = x->count, dim = x->dim, nn = carom_contacts_normal(x) * (dim + 1);
    for (int i = 0; i < m * m; i++)
        N[i] = 0;
    for (int i = 0; i < m; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            N[i * m + x->column[k]] = x->K[k * dim * dim + nn];
}

/* y = q + K p */
static inline void together_velocity(const carom_contacts *x, const double *q, const double *p, double *y)
{
    const carom_contacts shifted = {x->count, x->dim, x->row, x->column, x->K, q};
    carom_contacts_after(&shifted, p, y);
}

#endif
