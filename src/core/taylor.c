#include "core/taylor.h"

enum { ROOT_STEPS = 80 };   /* bisection alone needs 60; Newton about five */
#define REACH_MAX 1e3       /* units of the expansion: "as far as you like" */
#define ROOT_TOL  (2 * EPS) /* of the root */
#define DIP_TOL   1e-9      /* of its place: the value there is then good to 1e-18 of the curvature */

double taylor_reach(const double last[2], int n, double tol)
{
    double t = REACH_MAX;
    for (int i = 0; i < 2; i++) {
        double size = fabs(last[i]);
        if (size > 0)
            t = fmin(t, pow(tol / size, 1.0 / (n - 1 + i)));
    }
    return t;
}

typedef struct bracket {
    const double *c;
    int n;
    double a, b;
} bracket;

/* Newton inside a shrinking bracket; the value is positive at a and not at b. */
static double root_in(bracket k)
{
    double t = 0.5 * (k.a + k.b);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, value = taylor_at_slope(k.c, k.n, t, &slope);
        if (value > 0)
            k.a = t;
        else
            k.b = t;
        double next = t - value / slope;
        if (fabs(next - t) <= ROOT_TOL * t)
            return next;
        if (!(next > k.a && next < k.b))
            next = 0.5 * (k.a + k.b);
        t = next;
    }
    return t;
}

/* The lowest point between a and b, where the slope rises through zero; stops early once the value is not positive. */
static double dip_in(bracket k)
{
    for (int i = 0; i < ROOT_STEPS && k.b - k.a > DIP_TOL * k.b; i++) {
        double t = 0.5 * (k.a + k.b), slope;
        if (taylor_at_slope(k.c, k.n, t, &slope) <= 0)
            return t;
        if (slope < 0)
            k.a = t;
        else
            k.b = t;
    }
    return k.b;
}

/* c[0] less all that negative terms can take away by h. */
static bool stays_positive(const double *c, int n, double h)
{
    double low = c[0], power = 1;
    for (int i = 1; i <= n; i++) {
        power *= h;
        low += c[i] < 0 ? c[i] * power : 0;
    }
    return low > 0;
}

/* A dip between two points with values v, slopes d: can it reach zero? A convex one stays above the point where the
 * tangents meet; twice the width is allowed for those that are not. */
static bool may_touch(double width, double va, double da, double vb, double db)
{
    return da < 0 && db > 0 && va * db - vb * da < -2 * da * db * width;
}

bool taylor_falls(const double *c, int n, double h, int samples, double *t)
{
    *t = 0;
    if (!(c[0] > 0))
        return true;
    if (stays_positive(c, n, h))
        return false;
    double va = c[0], da = n > 0 ? c[1] : 0;
    for (int i = 1; i <= samples; i++) {
        bracket k = {c, n, h * (i - 1) / samples, h * i / samples};
        double db, vb = taylor_at_slope(c, n, k.b, &db);
        if (vb > 0 && may_touch(k.b - k.a, va, da, vb, db)) {
            double dip = dip_in(k);
            if (taylor_at(c, n, dip) <= 0) {
                k.b = dip;
                vb = 0;
            }
        }
        if (vb <= 0) {
            *t = root_in(k);
            return true;
        }
        va = vb;
        da = db;
    }
    return false;
}
