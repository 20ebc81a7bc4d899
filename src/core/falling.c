#include "core/falling.h"

#include "core/num.h"

enum { ROOT_STEPS = 80 };  /* bisection alone needs 60; the expansion one or two */
#define ROOT_TOL (2 * EPS) /* of the root */
#define DIP_TOL  1e-9      /* of its place: the value there is then good to 1e-18 of the curvature */

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

/* The step to the root of v[0] + v[1] t + ..., by the inverse series in the Newton step r:
 *
 *     t = r - a_2 r^2 + (2 a_2^2 - a_3) r^3 + (5 a_2 a_3 - 5 a_2^3 - a_4) r^4 + ...,   a_i = v_i / v_1
 *
 * left is about the size of the next term, with a^2 for a_2^2 and |a_3|: 14 a^4 r^5. */
static double step_to_root(const double v[SMOOTH_TERMS], double *left)
{
    double per = 1 / v[1], r = -v[0] * per, a2 = v[2] * per, a3 = v[3] * per, a4 = v[4] * per;
    double r2 = r * r, a22 = a2 * a2;
    *left = 14 * square((a22 + fabs(a3)) * r2) * fabs(r);
    return r + r2 * ((r * (2 * a22 - a3) - a2) + r2 * (5 * a2 * (a3 - a22) - a4));
}

/* Such steps inside a shrinking bracket; the value is positive at a and not at b. */
static double root_in(smooth f, const bracket *k)
{
    double t = guess(k), a = k->a, b = k->b;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double v[SMOOTH_TERMS], left;
        f.at(f.data, t, v);
        if (v[0] > 0)
            a = t;
        else
            b = t;
        double step = step_to_root(v, &left), next = t + step;
        if (!(next > a && next < b) && !(fabs(step) <= ROOT_TOL * t))
            next = 0.5 * (a + b);
        else if (left <= ROOT_TOL * t)
            return next;
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
        double t = 0.5 * (a + b), v[SMOOTH_TERMS];
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
    if (!(k->vb > 0)) {
        *t = root_in(f, k);
        return true;
    }
    if (!may_touch(k))
        return false;
    bracket inside = *k;
    double v[SMOOTH_TERMS];
    inside.b = dip_in(f, k);
    f.at(f.data, inside.b, v);
    inside.vb = v[0];
    inside.db = v[1];
    if (inside.vb > 0)
        return false;
    *t = root_in(f, &inside);
    return true;
}
