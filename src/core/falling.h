/* Where a smooth function, positive at first, falls to zero between two points. All inline, so that the search is
 * compiled together with its function. */
#ifndef CAROM_CORE_FALLING_H
#define CAROM_CORE_FALLING_H

#include <stdbool.h>

#include "core/num.h"

enum { FALLING_STEPS = 80 };  /* bisection alone needs 60; the expansion two or three */
#define FALLING_TOL (2 * EPS) /* of the root */
#define DIP_TOL     1e-9      /* of its place: the value there is then good to 1e-18 of the curvature */

/* Its first Taylor coefficients at t: value, slope, half the curvature. */
enum { SMOOTH_TERMS = 3 };

typedef struct smooth {
    void (*at)(const void *data, double t, double v[SMOOTH_TERMS]);
    const void *data;
} smooth;

/* Two points with the values and slopes there; the value at a is positive. */
typedef struct bracket {
    double a, b, va, da, vb, db;
} bracket;

/* Where the cubic t(v) through both ends has v = 0; the middle where it has none. */
static inline double root_guess(const bracket *k)
{
    double middle = 0.5 * (k->a + k->b);
    if (!(k->da < 0 && k->db < 0))
        return middle;
    double rise = k->vb - k->va, s = -k->va / rise, r = 1 - s, per_a = 1 / k->da, per_b = 1 / k->db;
    double t = r * r * (1 + 2 * s) * k->a + s * s * (3 - 2 * s) * k->b + rise * s * r * (r * per_a - s * per_b);
    return t > k->a && t < k->b ? t : middle;
}

/* The step to the root of v[0] + v[1] t + v[2] t^2, by the inverse series in the Newton step r:
 *
 *     t = r - a r^2 + 2 a^2 r^3 - ...,   a = v_2 / v_1
 *
 * left bounds the terms left out, for functions that are smooth over the width of their bracket. */
static inline double step_to_root(const double v[SMOOTH_TERMS], double width, double *left)
{
    double r = -v[0] / v[1], ar = r * (v[2] / v[1]);
    *left = fabs(r) * (2 * square(ar) + square(r / width));
    return r - r * ar;
}

/* The root t of f, with its partial derivatives where there are some. */
static inline double root_with_partials(smooth f, double t)
{
    double v[SMOOTH_TERMS];
    if (!CARRIES_PARTIALS)
        return t;
    f.at(f.data, plain(t), v);
    return implicit_root(t, v[0], v[1]);
}

/* Such steps inside a shrinking bracket; the value is positive at a and not at b. */
static inline double root_in(smooth f, const bracket *k)
{
    double t = root_guess(k), a = k->a, b = k->b;
    for (int i = 0; i < FALLING_STEPS; i++) {
        double v[SMOOTH_TERMS], left;
        f.at(f.data, t, v);
        if (v[0] > 0)
            a = t;
        else
            b = t;
        double step = step_to_root(v, k->b - k->a, &left), next = t + step;
        if (!(next > a && next < b) && !(fabs(step) <= FALLING_TOL * t))
            next = 0.5 * (a + b);
        else if (left <= FALLING_TOL * t)
            return root_with_partials(f, next);
        t = next;
    }
    return root_with_partials(f, t);
}

/* The lowest point in the bracket, where the slope rises through zero, or the first point found that is not positive;
 * it ends the bracket. */
static COLD void cut_at_dip(smooth f, bracket *k)
{
    double a = k->a, v[SMOOTH_TERMS];
    for (int i = 0; i < FALLING_STEPS && k->b - a > DIP_TOL * k->b && k->vb > 0; i++) {
        double t = 0.5 * (a + k->b);
        f.at(f.data, t, v);
        if (v[0] > 0 && v[1] < 0) {
            a = t;
            continue;
        }
        k->b = t;
        k->vb = v[0];
        k->db = v[1];
    }
}

/* Can the dip inside the bracket reach zero? A convex one stays above the point where the tangents meet; twice the
 * width is allowed for those that are not. */
static inline bool may_touch(const bracket *k)
{
    return k->da < 0 && k->db > 0 && k->va * k->db - k->vb * k->da < -2 * k->da * k->db * (k->b - k->a);
}

/* The first root in the bracket. When the value at b is positive too, the dip between is looked at, so a pair of roots
 * is seen. True when there is one. */
static inline bool falls_between(smooth f, const bracket *k, double *t)
{
    bracket inside = *k;
    if (k->vb > 0 && may_touch(k))
        cut_at_dip(f, &inside);
    if (inside.vb > 0)
        return false;
    *t = root_in(f, &inside);
    return true;
}

#endif
