#include "mechanism/envelope.h"

#include <math.h>

/* Pivots below this of their diagonal have lost half their digits, or are what rounding leaves of zero. */
#define SMALL_PIVOT 1e-8

static double dot(const double *a, const double *b, int from, int to)
{
    double sum = 0;
    for (int k = from; k < to; k++)
        sum += a[k] * b[k];
    return sum;
}

int carom_envelope_factor(int n, const carom_joint_row *rows, double *L, int start)
{
    for (int i = start; i < n; i++) {
        double *row = envelope_row(&rows[i], L), diagonal = row[i];
        for (int j = rows[i].first; j < i; j++) {
            const double *other = envelope_row(&rows[j], L);
            int from = rows[i].first > rows[j].first ? rows[i].first : rows[j].first;
            row[j] = (row[j] - dot(row, other, from, j)) / other[j];
        }
        double pivot = diagonal - dot(row, row, rows[i].first, i);
        if (!(pivot > SMALL_PIVOT * diagonal))
            return i;
        row[i] = sqrt(pivot);
    }
    return -1;
}

void carom_envelope_combination(int i, const carom_joint_row *rows, double *L, double *t)
{
    const double *row = envelope_row(&rows[i], L);
    for (int k = 0; k < i; k++)
        t[k] = k < rows[i].first ? 0 : -row[k];
    carom_envelope_backward(i, rows, L, t);
    t[i] = 1;
}

double carom_envelope_least_pivot(int n, const carom_joint_row *rows, double *L)
{
    double least = 1;
    for (int i = 0; i < n; i++) {
        const double *row = envelope_row(&rows[i], L);
        least = fmin(least, row[i] * row[i] / dot(row, row, rows[i].first, i + 1));
    }
    return least;
}

void carom_envelope_forward(int n, const carom_joint_row *rows, double *L, double *y)
{
    for (int i = 0; i < n; i++) {
        const double *row = envelope_row(&rows[i], L);
        y[i] = (y[i] - dot(row, y, rows[i].first, i)) / row[i];
    }
}

void carom_envelope_backward(int n, const carom_joint_row *rows, double *L, double *y)
{
    for (int i = n - 1; i >= 0; i--) {
        const double *row = envelope_row(&rows[i], L);
        y[i] /= row[i];
        for (int j = rows[i].first; j < i; j++)
            y[j] -= row[j] * y[i];
    }
}
