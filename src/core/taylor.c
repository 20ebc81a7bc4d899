#include "core/taylor.h"

#include "core/falling.h"
#include "core/quad.h"

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

/* Values and slopes at four points. */
typedef struct sampled {
    quad value, slope;
} sampled;

static inline void horner_step(double c, quad t, sampled *s)
{
    s->slope = quad_step(s->slope, t, s->value);
    s->value = quad_step(s->value, t, quad_of(c));
}

/* By c(t) = low(t) + t^m high(t): one half does not wait for the other. */
static sampled at_four(const double *c, int n, quad t)
{
    const int m = n / 2;
    const quad zero = quad_of(0);
    sampled low = {zero, zero}, high = {quad_of(c[n]), zero};
    quad power = quad_of(1), before = zero; /* t^m, t^(m-1) */
    if (n % 2)
        horner_step(c[n - 1], t, &high);
    for (int i = m - 1; i >= 0; i--) {
        horner_step(c[m + i], t, &high);
        horner_step(c[i], t, &low);
        before = power;
        power = quad_times(power, t);
    }
    low.slope = quad_step(quad_times(quad_of(m), before), high.value, low.slope);
    low.slope = quad_step(power, high.slope, low.slope);
    low.value = quad_step(power, high.value, low.value);
    return low;
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
        const double step = h / samples;
        const quad t = QUAD(step * i, step * (i + 1), step * (i + 2), step * (i + 3));
        const sampled s = at_four(c, n, t);
        for (int j = 0; j < 4; j++) {
            k.b = quad_at(&t, j);
            k.vb = quad_at(&s.value, j);
            k.db = quad_at(&s.slope, j);
            if (falls_between(f, &k, found))
                return true;
            k.a = k.b;
            k.va = k.vb;
            k.da = k.db;
        }
    }
    return false;
}
