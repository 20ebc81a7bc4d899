/* Triangles: the R of a QR factorisation built row by row with Givens rotations, and the smallest singular value of a
 * small matrix by one-sided Jacobi rotations. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { SWEEPS = 60 }; /* of Jacobi's method; it needs fewer than ten */

#define ORTHOGONAL 1e-15 /* cosine of two columns that count as orthogonal */

void triangle_clear(int n, double *R)
{
    memset(R, 0, (size_t)n * (size_t)n * sizeof *R);
}

void triangle_add(int n, double *R, double *row, int first)
{
    for (int j = first; j < n; j++) {
        if (row[j] == 0)
            continue;
        double *pivot = R + j * n, length = length_of(pivot[j], row[j]), c = pivot[j] / length, s = row[j] / length;
        for (int k = j; k < n; k++) {
            double above = pivot[k], below = row[k];
            pivot[k] = c * above + s * below;
            row[k] = c * below - s * above;
        }
    }
}

void triangle_solve(int n, int k, const double *R, int b, double *x)
{
    for (int i = k - 1; i >= 0; i--) {
        double rest = R[i * n + b];
        for (int j = i + 1; j < k; j++)
            rest -= R[i * n + j] * x[j];
        x[i] = R[i * n + i] != 0 ? rest / R[i * n + i] : 0;
    }
}

void triangle_inverse(int n, int k, const double *R, double *inverse)
{
    for (int column = 0; column < k; column++)
        for (int i = k - 1; i >= 0; i--) {
            double rest = i == column;
            for (int j = i + 1; j < k; j++)
                rest -= R[i * n + j] * inverse[j * k + column];
            inverse[i * k + column] = i > column || R[i * n + i] == 0 ? 0 : rest / R[i * n + i];
        }
}

/* Rotate columns a and b of A and V until the columns of A are orthogonal. True when they were. */
static bool rotate_columns(int k, double *A, double *V, int a, int b)
{
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < k; i++) {
        aa += square(A[i * k + a]);
        bb += square(A[i * k + b]);
        ab += A[i * k + a] * A[i * k + b];
    }
    if (fabs(ab) <= ORTHOGONAL * sqrt(aa * bb))
        return true;
    double zeta = (bb - aa) / (2 * ab), t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t), s = c * t;
    for (int i = 0; i < 2 * k; i++) {
        double *row = i < k ? A + i * k : V + (i - k) * k, x = row[a], y = row[b];
        row[a] = c * x - s * y;
        row[b] = s * x + c * y;
    }
    return false;
}

double smallest_singular(int k, double *A, double *vector)
{
    double V[CAROM_FIT_PARAMETERS * CAROM_FIT_PARAMETERS] = {0}, least = INFINITY;
    for (int i = 0; i < k; i++)
        V[i * k + i] = 1;
    bool done = false;
    for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
        done = true;
        for (int a = 0; a < k; a++)
            for (int b = a + 1; b < k; b++)
                done &= rotate_columns(k, A, V, a, b);
    }
    for (int j = 0; j < k; j++) {
        double norm = 0;
        for (int i = 0; i < k; i++)
            norm = carom_hypot(norm, A[i * k + j]);
        if (norm < least) {
            least = norm;
            for (int i = 0; i < k; i++)
                vector[i] = V[i * k + j];
        }
    }
    return least;
}
