#include "core/roots.h"

#include <stddef.h>

enum { DEGREE = 4 };

static double value_of(const double *c, int degree, double x, double *slope)
{
    double f = c[degree], df = 0;
    for (int i = degree - 1; i >= 0; i--) {
        df = df * x + f;
        f = f * x + c[i];
    }
    *slope = df;
    return f;
}

/* The root between lo and hi, where the polynomial is monotone; sign is the sign of its slope. */
static double root_between(const double *c, int degree, bracket b, double sign)
{
    double x = bracket_middle(&b);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, f = value_of(c, degree, x, &slope);
        if (f == 0)
            return x;
        double y = bracket_next(&b, x, sign * f, sign * slope);
        if (bracket_settled(&b, x, y)) /* a step may also land on an end, as round numbers do: that is no root */
            return y;
        x = y;
    }
    return x;
}

/* A polynomial and the points between which it is monotone: the roots of its derivative. */
typedef struct pieces {
    const double *c, *ends, *turn;
    int degree, turns;
} pieces;

static double value_at(const pieces *f, int i)
{
    double slope;
    if (f->ends && (i < 0 || i == f->turns))
        return f->ends[i >= 0];
    return value_of(f->c, f->degree, i < 0 ? -1 : i < f->turns ? f->turn[i] : 1, &slope);
}

static int roots_of_pieces(const pieces *f, double *root)
{
    double lo = -1, at_lo = value_at(f, -1);
    int count = 0;
    for (int i = 0; i <= f->turns; i++) {
        double hi = i < f->turns ? f->turn[i] : 1, at_hi = value_at(f, i);
        if (at_lo == 0)
            root[count++] = lo;
        else if ((at_lo < 0 && at_hi > 0) || (at_lo > 0 && at_hi < 0))
            root[count++] = root_between(f->c, f->degree, bracket_make(lo, hi), at_hi > 0 ? 1 : -1);
        lo = hi;
        at_lo = at_hi;
    }
    return count;
}

/* Both roots in (-1, 1) of c0 + c1 x + c2 x^2 where it changes its sign, ascending. */
static int quadratic_roots(const double *c, double *root)
{
    double disc = difference_of_products(c[1], c[1], 4 * c[0], c[2]);
    if (!(disc > 0))
        return 0;
    double q = -0.5 * (c[1] + copysign(sqrt(disc), c[1])), x = q / c[2], y = c[0] / q; /* no cancellation */
    double lo = fmin(x, y), hi = fmax(x, y);
    int count = 0;
    if (lo > -1 && lo < 1)
        root[count++] = lo;
    if (hi > -1 && hi < 1)
        root[count++] = hi;
    return count;
}

int polynomial_roots(const double *c, int degree, const double *ends, double *root)
{
    double derivative[DEGREE + 1][DEGREE + 1], turn[DEGREE];
    for (int i = 0; i <= degree; i++)
        derivative[degree][i] = c[i];
    for (int n = degree; n > 1; n--)
        for (int i = 0; i < n; i++)
            derivative[n - 1][i] = (i + 1) * derivative[n][i + 1];
    int turns = degree > 2 ? quadratic_roots(derivative[2], turn) : 0;
    for (int n = degree > 2 ? 3 : 1; n <= degree; n++) {
        pieces f = {derivative[n], n == degree ? ends : NULL, turn, n, turns};
        turns = roots_of_pieces(&f, root);
        for (int i = 0; i < turns; i++)
            turn[i] = root[i];
    }
    return turns;
}

/* With x = tan(t/2), (1 + x^2)^2 f is a quartic; |x| <= 1 is the half circle around t = 0. The other half is the same
 * with cos and sin reversed, so the two halves form their common end values from the same numbers. */
static int half_circle(const trig2 *f, double sign, heading *root)
{
    double a1 = sign * f->a1, b1 = sign * f->b1;
    double c[DEGREE + 1] = {f->a0 + a1 + f->a2, 2 * b1 + 4 * f->b2, 2 * f->a0 - 6 * f->a2, 2 * b1 - 4 * f->b2,
                            f->a0 - a1 + f->a2};
    double ends[2] = {4 * (f->a0 - b1 - f->a2), 4 * (f->a0 + b1 - f->a2)}, x[DEGREE];
    int count = polynomial_roots(c, DEGREE, ends, x);
    for (int i = 0; i < count; i++) {
        double norm = sign / (1 + x[i] * x[i]);
        root[i].cos = (1 - x[i]) * (1 + x[i]) * norm;
        root[i].sin = 2 * x[i] * norm;
    }
    return count;
}

int trig2_roots(const trig2 *f, heading root[TRIG2_ROOTS])
{
    int count = half_circle(f, 1, root);
    return count + half_circle(f, -1, root + count);
}
