#include "sim/rest/least_norm.h"

#include <math.h>
#include <string.h>

#include "core/num.h"
#include "sim/world/tolerance.h"

static void swap_numbers(double *a, double *b, int n)
{
    for (int j = 0; j < n; j++) {
        double swap = a[j];
        a[j] = b[j], b[j] = swap;
    }
}

void eliminate(matrix *A, double *x)
{
    int n = A->rows;
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(row_of(A, i)[p]) > fabs(row_of(A, best)[p]))
                best = i;
        double *own = row_of(A, p);
        if (best != p) {
            swap_numbers(own, row_of(A, best), n);
            swap_numbers(x + p, x + best, 1);
        }
        if (own[p] == 0)
            continue;
        for (int i = p + 1; i < n; i++) {
            double *row = row_of(A, i), f = row[p] / own[p];
            for (int j = p; j < n; j++)
                row[j] -= f * own[j];
            x[i] -= f * x[p];
        }
    }
    for (int p = n - 1; p >= 0; p--) {
        const double *own = row_of(A, p);
        for (int j = p + 1; j < n; j++)
            x[p] -= own[j] * x[j];
        x[p] = own[p] != 0 ? x[p] / own[p] : 0;
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Take the part along the unit row q, whose right side is c, out of a row. */
static void take_out(double *row, double *right, const double *q, double c, int n)
{
    double along = dot(row, q, n);
    for (int j = 0; j < n; j++)
        row[j] -= along * q[j];
    *right -= along * c;
}

size_t least_norm_room(int rows, int columns)
{
    size_t n = (size_t)rows, w = (size_t)columns;
    return (n * w + w * w + 3 * n + 2 * w) * sizeof(double) + 256;
}

/* The longest row from p on. */
static int longest_row(const matrix *M, int p)
{
    int best = p, n = M->columns;
    double most = dot(row_of(M, p), row_of(M, p), n);
    for (int i = p + 1; i < M->rows; i++) {
        double length = dot(row_of(M, i), row_of(M, i), n);
        if (length > most * (1 + ROUND_PLACE)) /* equal rows: the first comes first */
            best = i, most = length;
    }
    return best;
}

/* Rows are made orthogonal one after the other, the longest that is left first; what is left of a row that repeats
 * others is rounding, and is dropped. Orthogonal rows give the smallest solution. */
void solve_rows(arena *a, const matrix *A, const double *b, double *x, row_basis *basis)
{
    int rows = A->rows, n = A->columns, most = rows < n ? rows : n;
    basis->rank = 0;
    basis->pivot = TAKE(a, int, most + 1);
    basis->q = (matrix){most, n, TAKE(a, double, most *n)};
    arena_mark mark = arena_now(a);
    matrix M = {rows, n, TAKE(a, double, rows *n)};
    double *c = TAKE(a, double, rows), longest = 0;
    int *from = TAKE(a, int, rows);
    memcpy(M.at, A->at, (size_t)rows * (size_t)n * sizeof *M.at);
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = 0; i < rows; i++) {
        c[i] = b[i];
        from[i] = i;
        longest = max(longest, dot(row_of(&M, i), row_of(&M, i), n));
    }
    for (int p = 0; p < most; p++) {
        int best = longest_row(&M, p);
        double *q = row_of(&basis->q, p), length = sqrt(dot(row_of(&M, best), row_of(&M, best), n)), right = c[best];
        if (!(length > SOLVED * sqrt(longest)))
            break;
        memcpy(q, row_of(&M, best), (size_t)n * sizeof *q);
        memcpy(row_of(&M, best), row_of(&M, p), (size_t)n * sizeof *q);
        c[best] = c[p];
        for (int j = 0; j < n; j++)
            q[j] /= length;
        right /= length;
        basis->pivot[basis->rank++] = from[best];
        from[best] = from[p];
        for (int j = 0; j < n; j++)
            x[j] += right * q[j];
        for (int twice = 0; twice < 2; twice++)
            for (int i = p + 1; i < rows; i++)
                take_out(row_of(&M, i), &c[i], q, right, n);
    }
    arena_back(a, mark);
}

/* A row at a pivot is a sum of the rows of the basis up to its own. */
void solve_again(const matrix *A, const row_basis *basis, const double *b, double *x)
{
    int n = A->columns;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k < basis->rank; k++) {
        const double *row = row_of(A, basis->pivot[k]), *q = row_of(&basis->q, k);
        double y = (b[basis->pivot[k]] - dot(row, x, n)) / dot(row, q, n);
        for (int j = 0; j < n; j++)
            x[j] += y * q[j];
    }
}

static double dot_columns(const matrix *A, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < A->rows; k++)
        sum += row_of(A, k)[i] * row_of(A, k)[j];
    return sum;
}

int span_columns(matrix *A)
{
    int kept = 0;
    for (int j = 0; j < A->columns; j++) {
        double before = sqrt(dot_columns(A, j, j));
        for (int k = 0; k < A->rows; k++)
            row_of(A, k)[kept] = row_of(A, k)[j];
        for (int twice = 0; twice < 2; twice++)
            for (int i = 0; i < kept; i++) {
                double along = dot_columns(A, i, kept);
                for (int k = 0; k < A->rows; k++)
                    row_of(A, k)[kept] -= along * row_of(A, k)[i];
            }
        double length = sqrt(dot_columns(A, kept, kept));
        if (!(length > SOLVED * before))
            continue;
        for (int k = 0; k < A->rows; k++)
            row_of(A, k)[kept] /= length;
        kept++;
    }
    return kept;
}
