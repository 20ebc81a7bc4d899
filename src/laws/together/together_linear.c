#include "laws/together/together_linear.h"

#include "core/block_memory.h"
#include "core/lu.h"
#include "core/num.h"

#define REGULAR_TOL    1e-11 /* smallest pivot over largest of a regular system */
#define CONSISTENT_TOL 1e-10 /* of the largest entry of b: what a singular but solvable system may leave */
#define RANK_TOL       1e-12 /* of the largest diagonal entry: a pivot of K that counts as zero */

enum { REFINEMENTS = 6 };

size_t linear_work(size_t n)
{
    return block_doubles(n * n + 2 * n) + block_ints(n);
}

typedef struct linear_space {
    double *F, *r, *best;
    int *pivot;
} linear_space;

static linear_space space_of(size_t n, void *work)
{
    block_memory block = {(char *)work};
    linear_space s = {take_doubles(&block, n * n), take_doubles(&block, n), take_doubles(&block, n), NULL};
    s.pivot = take_ints(&block, n);
    return s;
}

static double factor_shifted(int n, const double *A, double shift, const linear_space *s)
{
    for (int i = 0; i < n * n; i++)
        s->F[i] = A[i];
    for (int i = 0; i < n; i++)
        s->F[i * (n + 1)] += shift;
    return lu_factor(n, s->F, s->pivot);
}

/* r = b - A x, and its largest entry. */
static double residual(int n, const double *A, const double *b, const double *x, double *r)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        double sum = b[i];
        for (int j = 0; j < n; j++)
            sum -= A[i * n + j] * x[j];
        r[i] = sum;
        most = max(most, fabs(sum));
    }
    return most;
}

/* x += F^-1 (b - A x) until the residual no longer falls; returns it. */
static double refine(int n, const double *A, const double *b, double *x, const linear_space *s)
{
    double left = residual(n, A, b, x, s->r);
    for (int k = 0; k < REFINEMENTS && left > 0; k++) {
        for (int i = 0; i < n; i++)
            s->best[i] = x[i];
        lu_solve(n, s->F, s->pivot, s->r);
        for (int i = 0; i < n; i++)
            x[i] += s->r[i];
        double now = residual(n, A, b, x, s->r);
        if (!(now < 0.5 * left)) {
            for (int i = 0; i < n && !(now < left); i++)
                x[i] = s->best[i];
            return now < left ? now : left;
        }
        left = now;
    }
    return left;
}

static double diagonal_scale(int n, const double *A)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = max(most, fabs(A[i * (n + 1)]));
    return most;
}

static double largest_entry(int n, const double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = max(most, fabs(b[i]));
    return most;
}

/* Two unknowns without memory for factors; false where linear_limit must look closer. */
static bool solve_two(const double *A, const double *b, double *x)
{
    int head = fabs(A[2]) > fabs(A[0]), other = 1 - head;
    double factor = A[2 * other] / A[2 * head], pivot = A[2 * other + 1] - factor * A[2 * head + 1];
    double first = fabs(A[2 * head]), second = fabs(pivot);
    if (!(min(first, second) > REGULAR_TOL * max(first, second)))
        return false;
    x[1] = (b[other] - factor * b[head]) / pivot;
    x[0] = (b[head] - A[2 * head + 1] * x[1]) / A[2 * head];
    return true;
}

linear_end linear_limit(int n, const double *A, const double *b, double *x, void *work)
{
    linear_space s = space_of((size_t)n, work);
    if (n == 0 || (n == 2 && solve_two(A, b, x)))
        return LINEAR_REGULAR;
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    if (factor_shifted(n, A, 0, &s) > REGULAR_TOL) {
        lu_solve(n, s.F, s.pivot, x);
        return LINEAR_REGULAR;
    }
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    if (!(factor_shifted(n, A, LIMIT_EPS * diagonal_scale(n, A), &s) > 0))
        return LINEAR_INCONSISTENT;
    lu_solve(n, s.F, s.pivot, x);
    double left = refine(n, A, b, x, &s);
    return left <= CONSISTENT_TOL * largest_entry(n, b) ? LINEAR_LIMIT : LINEAR_INCONSISTENT;
}

bool linear_is_singular(int n, const double *A, void *work)
{
    linear_space s = space_of((size_t)n, work);
    int rank = 0;
    for (int i = 0; i < n * n; i++)
        s.F[i] = A[i];
    return !psd_rank(n, s.F, RANK_TOL, &rank) || rank < n;
}
