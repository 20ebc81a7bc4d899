#include "mechanism/envelope.h"

#include <math.h>

/* A pivot this small against its diagonal is what rounding leaves of zero. Chains of hundreds lose two digits, loops
 * near a dead centre a few more. */
#define PIVOT_TOL 1e-11

static double dot(const double *a, const double *b, int from, int to)
{
    double sum = 0;
    for (int k = from; k < to; k++)
        sum += a[k] * b[k];
    return sum;
}

int envelope_factor(int n, const carom_joint_row *rows, double *L)
{
    for (int i = 0; i < n; i++) {
        double *row = envelope_row(&rows[i], L), diagonal = row[i];
        for (int j = rows[i].first; j < i; j++) {
            const double *other = envelope_row(&rows[j], L);
            int from = rows[i].first > rows[j].first ? rows[i].first : rows[j].first;
            row[j] = (row[j] - dot(row, other, from, j)) / other[j];
        }
        double pivot = diagonal - dot(row, row, rows[i].first, i);
        if (!(pivot > PIVOT_TOL * diagonal))
            return i;
        row[i] = sqrt(pivot);
    }
    return -1;
}

double envelope_least_pivot(int n, const carom_joint_row *rows, double *L)
{
    double least = 1;
    for (int i = 0; i < n; i++) {
        const double *row = envelope_row(&rows[i], L);
        least = fmin(least, row[i] * row[i] / dot(row, row, rows[i].first, i + 1));
    }
    return least;
}

void envelope_forward(int n, const carom_joint_row *rows, double *L, double *y)
{
    for (int i = 0; i < n; i++) {
        const double *row = envelope_row(&rows[i], L);
        y[i] = (y[i] - dot(row, y, rows[i].first, i)) / row[i];
    }
}

void envelope_backward(int n, const carom_joint_row *rows, double *L, double *y)
{
    for (int i = n - 1; i >= 0; i--) {
        const double *row = envelope_row(&rows[i], L);
        y[i] /= row[i];
        for (int j = rows[i].first; j < i; j++)
            y[j] -= row[j] * y[i];
    }
}
