#include "core/taylor.h"

#include "carom/elementary.h"
#include "core/exponential.h"
#include "core/falling.h"

#define REACH_MOST 1024.0 /* in units of the expansion: "as far as you like" */

/* The length at which a term of order n, and of this size at one, has fallen to tol. */
static double reach_of(double size, int n, double tol)
{
    double most = REACH_MOST;
    return size > 0 ? fmin(carom_exp2(carom_log2(tol / size) / n), most) : size == 0 ? most : 0;
}

/* About log2 of it, to tell which of two is shorter. */
static real rough_reach(real size, int n, real tol)
{
    return size > 0 ? rough_log2(tol / size) / n : size == 0 ? INFINITY : -INFINITY;
}

double taylor_reach(const double last[2], int n, double tol)
{
    const real low = rough_reach(real_of(last[0]), n - 1, real_of(tol));
    const int which = low < rough_reach(real_of(last[1]), n, real_of(tol)) ? 0 : 1;
    return reach_of(last[which], n - 1 + which, tol);
}

typedef struct polynomial {
    const double *c;
    int n;
} polynomial;

static void polynomial_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const polynomial *p = (const polynomial *)data;
    double x[SMOOTH_TERMS] = {p->c[p->n], 0, 0};
    for (int i = p->n - 1; i >= 0; i--) {
        for (int k = SMOOTH_TERMS - 1; k > 0; k--)
            x[k] = x[k] * t + x[k - 1];
        x[0] = x[0] * t + p->c[i];
    }
    for (int k = 0; k < SMOOTH_TERMS; k++)
        v[k] = x[k];
}

/* c[0] outweighs all other terms up to h. */
static bool stays_positive(const double *c, int n, double h)
{
    double rest = 0;
    for (int i = n; i > 0; i--)
        rest = (rest + fabs(c[i])) * h;
    return c[0] > rest;
}

bool taylor_falls(const double *c, int n, double h, int samples, double *found)
{
    polynomial p = {c, n};
    smooth f = {polynomial_at, &p};
    bracket k = {.vb = c[0], .db = n > 0 ? c[1] : 0};
    *found = 0;
    if (!(c[0] > 0))
        return true;
    if (stays_positive(c, n, h))
        return false;
    for (int i = 1; i <= samples; i++) {
        k.a = k.b;
        k.va = k.vb;
        k.da = k.db;
        k.b = h * i / samples;
        k.vb = taylor_at_slope(c, n, k.b, &k.db);
        if (falls_between(f, &k, found))
            return true;
    }
    return false;
}
