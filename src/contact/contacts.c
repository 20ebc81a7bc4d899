#include "carom/contacts.h"

#include "carom/assert.h"
#include "core/block_memory.h"
#include "core/dense.h"
#include "core/lu.h"

#define DEFINITE_TOL 1e-9 /* of the largest diagonal entry: how far K may be from semi-definite (rounded text) */

static bool sizes_fit(int m, int dim)
{
    return m >= 1 && m <= CAROM_CONTACTS_MOST && (dim == 2 || dim == 3 || dim == 4 || dim == 6);
}

size_t carom_contacts_size(int m, int dim)
{
    size_t count = (size_t)m, rows = count * (size_t)dim;
    return sizes_fit(m, dim) ? block_doubles(2 * rows * rows + rows) + block_ints(count + 1) + block_ints(count * count)
                             : 0;
}

const double *carom_contacts_block(const carom_contacts *x, int i, int j)
{
    int low = x->row[i], high = x->row[i + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (x->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->row[i + 1] && x->column[low] == j ? x->K + low * x->dim * x->dim : NULL;
}

void carom_contacts_after(const carom_contacts *x, const double *p, double *u_after)
{
    int dim = x->dim;
    for (int i = 0; i < x->count; i++)
        for (int a = 0; a < dim; a++) {
            double sum = x->u[i * dim + a];
            for (int k = x->row[i]; k < x->row[i + 1]; k++)
                for (int b = 0; b < dim; b++)
                    sum += x->K[(k * dim + a) * dim + b] * p[x->column[k] * dim + b];
            u_after[i * dim + a] = sum;
        }
}

carom_problem carom_contacts_alone(const carom_contacts *x, int i)
{
    const double *K = carom_contacts_block(x, i, i), *u = x->u + i * x->dim;
    const int n = carom_contacts_normal(x);
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {u[0], 0, u[n]}};
    pb.K.t11 = K[0];
    pb.K.t1n = K[n];
    pb.K.nn = K[n * (x->dim + 1)];
    if (n == 2) {
        pb.K.t12 = K[1];
        pb.K.t22 = K[x->dim + 1];
        pb.K.t2n = K[x->dim + 2];
        pb.u.t2 = u[1];
    }
    return pb;
}

/* Are rows and columns of contact j in the full K, before blocks of zeros are left out? */
static bool is_zero_block(int n, int dim, const double *K, int i, int j)
{
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < dim; b++)
            if (K[(i * dim + a) * n + j * dim + b] != 0)
                return false;
    return true;
}

static double mean_entry(int n, const double *K, int i, int j)
{
    double a = K[i * n + j], b = K[j * n + i];
    return a == b ? a : 0.5 * a + 0.5 * b;
}

/* Blocks that are not zero; the diagonal always stays. */
static void cut_blocks(int m, int dim, const double *full, block_memory *memory, carom_contacts *x)
{
    int n = m * dim, count = 0;
    int *row = take_ints(memory, (size_t)m + 1), *column = take_ints(memory, (size_t)m * (size_t)m);
    double *K = take_doubles(memory, (size_t)n * (size_t)n);
    for (int i = 0; i < m; i++) {
        row[i] = count;
        for (int j = 0; j < m; j++) {
            if (i != j && is_zero_block(n, dim, full, i, j) && is_zero_block(n, dim, full, j, i))
                continue;
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++)
                    K[(count * dim + a) * dim + b] = mean_entry(n, full, i * dim + a, j * dim + b);
            column[count++] = j;
        }
    }
    row[m] = count;
    x->row = row;
    x->column = column;
    x->K = K;
}

static carom_status judge_matrix(int m, int dim, const double *K, double *copy)
{
    int n = m * dim, rank;
    if (!dense_symmetric(n, K))
        return CAROM_STATUS_BAD_MATRIX;
    for (int i = 0; i < n * n; i++)
        copy[i] = K[i];
    for (int i = 0; i < m; i++)
        if (K[(i * dim + (dim == 2 ? 1 : 2)) * (n + 1)] == 0)
            return CAROM_STATUS_IMMOVABLE;
    return psd_rank(n, copy, DEFINITE_TOL, &rank) ? CAROM_STATUS_OK : CAROM_STATUS_BAD_MATRIX;
}

carom_status carom_contacts_from_K(int m, int dim, const double *K, const double *u, void *memory,
                                   carom_contacts *problem)
{
    static const carom_contacts nothing;
    CAROM_ASSERT(K && u && memory && problem);
    *problem = nothing;
    if (!sizes_fit(m, dim))
        return CAROM_STATUS_BAD_SIZE;
    size_t n = (size_t)(m * dim);
    if (!dense_finite(K, n * n) || !dense_finite(u, n))
        return CAROM_STATUS_NOT_FINITE;
    block_memory block = {memory};
    double *copy = take_doubles(&block, n * n), *speeds = take_doubles(&block, n);
    carom_status status = judge_matrix(m, dim, K, copy);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        speeds[i] = u[i];
    problem->count = m;
    problem->dim = dim;
    problem->u = speeds;
    cut_blocks(m, dim, K, &block, problem);
    return CAROM_STATUS_OK;
}
