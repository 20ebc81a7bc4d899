#include "core/taylor.h"

#include "core/falling.h"

#define REACH_MOST 10.0 /* log2, in units of the expansion: "as far as you like" */

/* log2 of the length at which a term of order n, and of this size at one, has fallen to tol. */
static double log2_reach(double size, int n, double tol)
{
    double most = REACH_MOST * n, x = size > DBL_MIN ? log2_below(tol) - (log2_below(size) + LOG2_ROUGH) : most;
    return (x < most ? x : most) * (1.0 / n); /* that does not wait for size */
}

double taylor_reach(const double last[2], int n, double tol)
{
    double at = log2_reach(last[1], n, tol), before = log2_reach(last[0], n - 1, tol);
    return exp2_below(at < before ? at : before);
}

typedef struct polynomial {
    const double *c;
    int n;
} polynomial;

static void polynomial_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const polynomial *p = data;
    double x[SMOOTH_TERMS] = {p->c[p->n], 0, 0, 0, 0};
    for (int i = p->n - 1; i >= 0; i--) {
        for (int k = SMOOTH_TERMS - 1; k > 0; k--)
            x[k] = x[k] * t + x[k - 1];
        x[0] = x[0] * t + p->c[i];
    }
    for (int k = 0; k < SMOOTH_TERMS; k++)
        v[k] = x[k];
}

/* Values and slopes at t[0...3] together: four independent chains cost little more than one. */
static void at_four(const double *c, int n, const double t[4], double value[4], double slope[4])
{
    for (int k = 0; k < 4; k++) {
        value[k] = c[n];
        slope[k] = 0;
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < 4; k++) {
            slope[k] = slope[k] * t[k] + value[k];
            value[k] = value[k] * t[k] + c[i];
        }
}

bool taylor_falls(const double *c, int n, double h, int samples, double *found)
{
    polynomial p = {c, n};
    smooth f = {polynomial_at, &p};
    bracket k = {0, 0, c[0], n > 0 ? c[1] : 0, 0, 0};
    *found = 0;
    if (!(c[0] > 0))
        return true;
    for (int i = 1; i <= samples; i += 4) {
        double t[4], value[4], slope[4];
        for (int j = 0; j < 4; j++)
            t[j] = h * (i + j) / samples;
        at_four(c, n, t, value, slope);
        for (int j = 0; j < 4; j++) {
            k.b = t[j];
            k.vb = value[j];
            k.db = slope[j];
            if (falls_between(f, &k, found))
                return true;
            k.a = k.b;
            k.va = k.vb;
            k.da = k.db;
        }
    }
    return false;
}
