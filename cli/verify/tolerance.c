/* The tolerance of a case. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define HALF_ULP       (DBL_EPSILON / 2) /* u = 2^-53 */
#define ULPS           16                /* of slack, for error_bound and for rounding */
#define ASSEMBLY_SHARE 1e-16             /* of cond(K): rounding in K = J M^-1 J^T */
#define ASSEMBLY_MOST  1e-10             /* however ill-conditioned K is */
#define INTEGRATED     1e-10             /* laws that are followed in time */
#define ANNULI         1e-8              /* those with hundreds of events on the way */
#define PATH_LEAST     1e-11             /* contacts together: laws with a path, and sequences that never end */
#define ZERO_EIGEN     1e-11             /* of the largest eigenvalue */

enum { CONDITION_MOST = 32, SWEEPS = 30 }; /* contacts whose K has its condition computed; bound on Jacobi's sweeps */

/* One Jacobi rotation that clears A_pq. */
static void rotate(int n, double *A, int p, int q)
{
    double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(1 + theta * theta)), c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        double a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
    }
    for (int k = 0; k < n; k++) {
        double a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
    }
}

static void diagonalise(int n, double *A)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(A[p * n + q]) > DBL_EPSILON * sqrt(fabs(A[p * n + p] * A[q * n + q])))
                    rotate(n, A, p, q);
}

/* K with all of its entries. */
static void fill(const carom_case *c, int n, double *A)
{
    const carom_csym *K = &c->problem.K;
    const double spatial[9] = {K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n, K->nn};
    const double planar[4] = {K->t11, K->t1n, K->t1n, K->nn};
    const carom_contacts *x = &c->contacts;
    if (!c->together)
        memcpy(A, c->dim == 3 ? spatial : planar, (size_t)(n * n) * sizeof *A);
    for (int i = 0; c->together && i < x->count; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < x->dim; a++)
                for (int b = 0; b < x->dim; b++)
                    A[(i * x->dim + a) * n + x->column[k] * x->dim + b] = x->K[(k * x->dim + a) * x->dim + b];
}

/* Largest eigenvalue of K over the smallest. Contacts together may be redundant: their zeros do not count. */
static double condition(const carom_case *c)
{
    const int n = c->count * c->dim;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), most = 0, least = INFINITY;
    if (!A)
        return 1;
    fill(c, n, A);
    diagonalise(n, A);
    for (int i = 0; i < n; i++)
        most = fmax(most, A[i * (n + 1)]);
    for (int i = 0; i < n; i++)
        if (!c->together || A[i * (n + 1)] > ZERO_EIGEN * most)
            least = fmin(least, A[i * (n + 1)]);
    free(A);
    return least > 0 ? most / least : INFINITY;
}

static bool has_tag(const carom_case *c, const char *tag)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(c->document, "tags"), i, value)
    {
        if (json_is_string(value) && strcmp(json_string_value(value), tag) == 0)
            return true;
    }
    return false;
}

double check_tolerance(const carom_case *c, double least)
{
    const double bound = json_number_value(json_object_get(c->document, "error_bound"));
    const unsigned traits = carom_case_traits(c);
    double tolerance = fmax(least, ULPS * bound + ULPS * HALF_ULP);
    if (c->together && (traits & CAROM_TRAIT_HAS_PATH || has_tag(c, "geometric")))
        tolerance = fmax(tolerance, PATH_LEAST);
    if (!c->together && traits & CAROM_TRAIT_CONTACT_FORCE)
        tolerance = fmax(tolerance, c->rule.law->uses & CAROM_USES(annuli) ? ANNULI : INTEGRATED);
    if (c->source != CAROM_SOURCE_REDUCED && c->count <= CONDITION_MOST)
        tolerance += fmin(ASSEMBLY_SHARE * condition(c), ASSEMBLY_MOST);
    return tolerance;
}
