#include "sim/detect/polynomial_gap.h"

#include "core/num.h"
#include "sim/world/tolerance.h"

static double value(const double *c, int degree, double s)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        sum = sum * s + c[k];
    return sum;
}

/* Cauchy's bound: no root is larger. */
static double root_bound(const double *c, int degree)
{
    double most = 0;
    for (int k = 0; k < degree; k++)
        most = fmax(most, fabs(c[k] / c[degree]));
    return 1 + most;
}

/* The root between a and b, where the signs differ: false position with halving (Illinois), to the last bit. */
static double root_between(const double *c, int degree, double a, double b)
{
    double fa = value(c, degree, a), fb = value(c, degree, b);
    int side = 0;
    for (int i = 0; i < HALVINGS && fabs(b - a) > EPS * fabs(b) && fa != fb; i++) {
        double m = i % 3 == 2 ? 0.5 * (a + b) : b - fb * ((b - a) / (fb - fa)), fm;
        if (!(m > min(a, b) && m < max(a, b)))
            m = 0.5 * (a + b);
        fm = value(c, degree, m);
        if ((fm > 0) == (fb > 0)) {
            b = m, fb = fm;
            fa = side == 1 ? 0.5 * fa : fa;
            side = 1;
        } else {
            a = m, fa = fm;
            fb = side == -1 ? 0.5 * fb : fb;
            side = -1;
        }
    }
    return fabs(fa) < fabs(fb) ? a : b;
}

/* All roots in (0, end) where the sign changes, ascending: between the extremes, which are roots of the derivative. */
static int roots_within(const double *c, int degree, double end, double *root)
{
    if (degree == 1) {
        double s = c[1] != 0 ? -c[0] / c[1] : -1;
        root[0] = s;
        return s > 0 && s < end;
    }
    double slope[FALL_DEGREE], turn[FALL_DEGREE + 1];
    for (int k = 0; k < degree; k++)
        slope[k] = (k + 1) * c[k + 1];
    int turns = roots_within(slope, degree - 1, end, turn), found = 0;
    double a = 0;
    for (int i = 0; i <= turns; i++) {
        double b = i < turns ? turn[i] : end;
        if ((value(c, degree, a) > 0) != (value(c, degree, b) > 0))
            root[found++] = root_between(c, degree, a, b);
        a = b;
    }
    return found;
}

double fall_polynomial(const double *c, int degree)
{
    double root[FALL_DEGREE + 1], p[FALL_DEGREE + 1] = {0};
    double largest = 0;
    for (int k = 0; k <= degree; k++)
        largest = fmax(largest, fabs(c[k]));
    while (degree > 0 && fabs(c[degree]) <= EPS * EPS * largest)
        degree--;
    for (int k = 0; k <= degree; k++)
        p[k] = c[k];
    if (degree == 0)
        return p[0] > 0 ? INFINITY : 0;
    p[0] = p[0] > 0 ? p[0] : 0;
    for (int k = 1; p[0] == 0 && k <= degree; k++) { /* at zero: the first derivative that is not decides */
        if (p[k] < 0)
            return 0;
        if (p[k] > 0) { /* divide by s: the other roots */
            double q[FALL_DEGREE + 1];
            for (int j = k; j <= degree; j++)
                q[j - k] = p[j];
            return fall_polynomial(q, degree - k);
        }
    }
    if (degree <= 2)
        return fall_quadratic(p[0], p[1], degree == 2 ? 2 * p[2] : 0);
    int found = roots_within(p, degree, root_bound(p, degree), root);
    return found ? root[0] : INFINITY;
}
