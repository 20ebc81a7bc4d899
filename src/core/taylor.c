#include "core/taylor.h"

enum { ROOT_STEPS = 80 };     /* bisection alone needs 60; Newton about five */
#define REACH_MAX   1e3       /* units of the expansion: "as far as you like" */
#define ROOT_TOL    (2 * EPS) /* of the root */
#define HALLEY_NEAR 1e-5      /* of the root: steps shorter than this converge as theory says */
#define DIP_TOL     1e-9      /* of its place: the value there is then good to 1e-18 of the curvature */

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

/* Two points with the values and slopes there. */
typedef struct bracket {
    const double *c;
    int n;
    double a, b, va, da, vb, db;
} bracket;

/* Where the cubic t(v) through both ends has v = 0; the middle where it has none. */
static double guess(const bracket *k)
{
    double middle = 0.5 * (k->a + k->b);
    if (!(k->da < 0 && k->db < 0))
        return middle;
    double rise = k->vb - k->va, s = -k->va / rise, r = 1 - s;
    double t = r * r * (1 + 2 * s) * k->a + s * s * (3 - 2 * s) * k->b + rise * s * r * (r / k->da - s / k->db);
    return t > k->a && t < k->b ? t : middle;
}

/* Value, slope and half the curvature at t. */
static void at_bend(const double *c, int n, double t, double v[3])
{
    double sum = c[n], d = 0, e = 0;
    for (int i = n - 1; i >= 0; i--) {
        e = e * t + d;
        d = d * t + sum;
        sum = sum * t + c[i];
    }
    v[0] = sum;
    v[1] = d;
    v[2] = e;
}

/* Halley's iteration inside a shrinking bracket; the value is positive at a and not at b. */
static double root_in(bracket k)
{
    double t = guess(&k);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double v[3];
        at_bend(k.c, k.n, t, v);
        if (v[0] > 0)
            k.a = t;
        else
            k.b = t;
        double step = v[0] * v[1] / (v[1] * v[1] - v[0] * v[2]), bend = fabs(v[2] / v[1]), next = t - step;
        if (!(next > k.a && next < k.b) && fabs(step) > ROOT_TOL * t)
            next = 0.5 * (k.a + k.b);
        else if (bend * bend * fabs(step * step * step) <= ROOT_TOL * t && fabs(step) <= HALLEY_NEAR * t)
            return next; /* the error left is of third order */
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

/* A dip inside the bracket: can it reach zero? A convex one stays above the point where the tangents meet; twice the
 * width is allowed for those that are not. */
static bool may_touch(const bracket *k)
{
    double width = k->b - k->a;
    return k->da < 0 && k->db > 0 && k->va * k->db - k->vb * k->da < -2 * k->da * k->db * width;
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

/* The root between the last point seen and this one, if there is one. */
static bool root_between(bracket *k, double *t)
{
    if (k->vb > 0 && may_touch(k)) {
        bracket dip = *k;
        dip.b = dip_in(*k);
        dip.vb = taylor_at_slope(k->c, k->n, dip.b, &dip.db);
        if (dip.vb <= 0) {
            *t = root_in(dip);
            return true;
        }
    }
    if (k->vb <= 0)
        *t = root_in(*k);
    return k->vb <= 0;
}

/* Sample [0, h] from the left, four points at a time. */
static bool scan(const double *c, int n, double h, int samples, double *found)
{
    bracket k = {c, n, 0, 0, c[0], n > 0 ? c[1] : 0, 0, 0};
    for (int i = 1; i <= samples; i += 4) {
        double t[4], value[4], slope[4];
        for (int j = 0; j < 4; j++)
            t[j] = h * (i + j) / samples;
        at_four(c, n, t, value, slope);
        for (int j = 0; j < 4; j++) {
            k.b = t[j];
            k.vb = value[j];
            k.db = slope[j];
            if (root_between(&k, found))
                return true;
            k.a = k.b;
            k.va = k.vb;
            k.da = k.db;
        }
    }
    return false;
}

bool taylor_falls(const double *c, int n, double h, int samples, double *t)
{
    *t = 0;
    return !(c[0] > 0) || scan(c, n, h, samples, t);
}
