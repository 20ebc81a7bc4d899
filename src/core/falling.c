#include "core/falling.h"

#include "core/num.h"

enum { ROOT_STEPS = 80 };     /* bisection alone needs 60; Halley about three */
#define ROOT_TOL    (2 * EPS) /* of the root */
#define HALLEY_NEAR 1e-5      /* of the root: steps shorter than this converge as theory says */
#define DIP_TOL     1e-9      /* of its place: the value there is then good to 1e-18 of the curvature */

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

/* Halley's iteration inside a shrinking bracket; the value is positive at a and not at b. */
static double root_in(smooth f, const bracket *k)
{
    double t = guess(k), a = k->a, b = k->b;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double v[3];
        f.at(f.data, t, v);
        if (v[0] > 0)
            a = t;
        else
            b = t;
        double step = v[0] * v[1] / (v[1] * v[1] - v[0] * v[2]), bend = fabs(v[2] / v[1]), next = t - step;
        if (!(next > a && next < b) && fabs(step) > ROOT_TOL * t)
            next = 0.5 * (a + b);
        else if (bend * bend * fabs(step * step * step) <= ROOT_TOL * t && fabs(step) <= HALLEY_NEAR * t)
            return next; /* the error left is of third order */
        t = next;
    }
    return t;
}

/* The lowest point in the bracket, where the slope rises through zero, or the first point found that is not positive.
 */
static double dip_in(smooth f, const bracket *k)
{
    double a = k->a, b = k->b;
    for (int i = 0; i < ROOT_STEPS && b - a > DIP_TOL * b; i++) {
        double t = 0.5 * (a + b), v[3];
        f.at(f.data, t, v);
        if (v[0] <= 0)
            return t;
        if (v[1] < 0)
            a = t;
        else
            b = t;
    }
    return b;
}

/* Can the dip inside the bracket reach zero? A convex one stays above the point where the tangents meet; twice the
 * width is allowed for those that are not. */
static bool may_touch(const bracket *k)
{
    return k->da < 0 && k->db > 0 && k->va * k->db - k->vb * k->da < -2 * k->da * k->db * (k->b - k->a);
}

bool falls_between(smooth f, const bracket *k, double *t)
{
    bracket inside = *k;
    if (k->vb > 0) {
        if (!may_touch(k))
            return false;
        double v[3];
        inside.b = dip_in(f, k);
        f.at(f.data, inside.b, v);
        inside.vb = v[0];
        inside.db = v[1];
        if (inside.vb > 0)
            return false;
    }
    *t = root_in(f, &inside);
    return true;
}
