/* Several contacts of a mechanism given by M, J and qdot: Y = L^-1 J^T with M = L L^T, so that K = Y^T Y. */
#include <math.h>

#include "carom/assert.h"
#include "carom/contacts.h"
#include "core/block_memory.h"
#include "core/cholesky.h"
#include "core/dense.h"
#include "core/num.h"

#define PIVOT_TOL (8 * EPS) /* a pivot this small against its diagonal means M is not positive definite */

typedef struct layout {
    int n, rows;
    double *L, *Y, *K, *u, *change; /* n x n, rows x n, rows x rows, rows, n */
    void *rest;
} layout;

static layout layout_of(const carom_generalized_contacts *g, void *memory)
{
    block_memory block = {memory};
    size_t n = (size_t)g->n, rows = (size_t)(g->count * g->dim);
    layout l = {g->n, (int)rows, take_doubles(&block, n * n), take_doubles(&block, rows * n), NULL, NULL, NULL, NULL};
    l.K = take_doubles(&block, rows * rows);
    l.u = take_doubles(&block, rows);
    l.change = take_doubles(&block, n);
    l.rest = block.at;
    return l;
}

size_t carom_generalized_contacts_size(const carom_generalized_contacts *g)
{
    size_t n = (size_t)g->n, rows = (size_t)(g->count * g->dim);
    return block_doubles(n * n + rows * n + rows * rows + rows + n) + carom_contacts_size(g->count, g->dim);
}

carom_status carom_generalized_contacts_reduce(const carom_generalized_contacts *g, void *memory,
                                               carom_contacts *problem)
{
    static const carom_contacts nothing;
    CAROM_ASSERT(g && memory && problem);
    *problem = nothing;
    if (g->n < 1 || g->count < 1 || g->count > CAROM_CONTACTS_MOST || carom_contacts_size(1, g->dim) == 0)
        return CAROM_STATUS_BAD_SIZE;
    layout l = layout_of(g, memory);
    size_t n = (size_t)g->n;
    if (!dense_finite(g->M, n * n) || !dense_finite(g->J, n * (size_t)l.rows) || !dense_finite(g->qdot, n))
        return CAROM_STATUS_NOT_FINITE;
    if (!dense_symmetric(g->n, g->M) || !cholesky_factor(g->n, g->M, PIVOT_TOL, l.L))
        return CAROM_STATUS_BAD_MASS_MATRIX;
    for (int i = 0; i < l.rows; i++) {
        double *y = l.Y + i * g->n;
        cholesky_forward(g->n, l.L, g->J + i * g->n, y);
        l.u[i] = cholesky_dot(g->n, g->J + i * g->n, g->qdot);
        for (int j = 0; j <= i; j++)
            l.K[i * l.rows + j] = l.K[j * l.rows + i] = cholesky_dot(g->n, y, l.Y + j * g->n);
    }
    return carom_contacts_from_K(g->count, g->dim, l.K, l.u, l.rest, problem);
}

void carom_generalized_contacts_apply(const carom_generalized_contacts *g, void *memory, const double *p,
                                      double *qdot_after)
{
    layout l = layout_of(g, memory);
    int n = g->n;
    double *change = l.change; /* L^T change = Y p, solved from the last row up */
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < l.rows; i++)
            sum += p[i] * l.Y[i * n + k];
        change[k] = sum;
    }
    cholesky_backward(n, l.L, change);
    for (int k = 0; k < n; k++)
        qdot_after[k] = g->qdot[k] + change[k];
}
