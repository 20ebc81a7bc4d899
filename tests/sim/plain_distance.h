/* Distances of simple bodies by closed forms, and of polytopes by all pairs of their features. */
#ifndef CAROM_TESTS_SIM_PLAIN_DISTANCE_H
#define CAROM_TESTS_SIM_PLAIN_DISTANCE_H

#include "sim/parts.h"

static inline carom_vec3 minus(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_sub(a, b);
}

static inline double clamped(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* ---- a point and a round core: in the half-plane through the axis ---- */

static inline double to_segment(double x, double z, const double a[2], const double b[2])
{
    double ex = b[0] - a[0], ez = b[1] - a[1];
    double s = clamped(((x - a[0]) * ex + (z - a[1]) * ez) / (ex * ex + ez * ez), 0, 1);
    return hypot(x - a[0] - s * ex, z - a[1] - s * ez);
}

static inline double to_cone(const piece *p, carom_vec3 x)
{
    double r = hypot(x.x, x.y), base[2] = {0, p->size[1]}, rim[2] = {p->size[0], p->size[1]}, tip[2] = {0, p->size[2]};
    bool inside = x.z > p->size[1] && r < p->size[0] * (p->size[2] - x.z) / (p->size[2] - p->size[1]);
    return inside ? 0 : fmin(to_segment(r, x.z, base, rim), to_segment(r, x.z, rim, tip));
}

/* The nearest point of an ellipsoid is a_i^2 x_i / (a_i^2 + t), with t by halving. */
static inline double to_ellipsoid(const piece *p, carom_vec3 x)
{
    double y[3] = {x.x, x.y, x.z}, low = 0, high = 1e3, d = 0;
    for (int k = 0; k < 200; k++) {
        double t = 0.5 * (low + high), sum = 0;
        for (int i = 0; i < 3; i++)
            sum += pow(p->size[i] * y[i] / (p->size[i] * p->size[i] + t), 2);
        *(sum > 1 ? &low : &high) = t;
    }
    for (int i = 0; i < 3; i++)
        d += pow(low * y[i] / (p->size[i] * p->size[i] + low), 2);
    return low < 1e-12 ? 0 : sqrt(d);
}

static inline double from_point(const piece *p, carom_vec3 x)
{
    const double *s = p->size;
    double r = hypot(x.x, x.y);
    switch (p->kind) {
    case CORE_POINT:
        return carom_vec3_length(x);
    case CORE_SEGMENT:
        return hypot(r, fmax(fabs(x.z) - s[0], 0));
    case CORE_BOX:
        return carom_vec3_length(vec(fmax(fabs(x.x) - s[0], 0), fmax(fabs(x.y) - s[1], 0), fmax(fabs(x.z) - s[2], 0)));
    case CORE_CYLINDER:
        return hypot(fmax(r - s[0], 0), fmax(fabs(x.z) - s[1], 0));
    case CORE_DISK:
        return hypot(fmax(r - s[0], 0), x.z);
    case CORE_CONE:
        return to_cone(p, x);
    default:
        return to_ellipsoid(p, x);
    }
}

/* ---- polytopes: every corner with every triangle, every edge with every edge ---- */

static inline double point_triangle(carom_vec3 o, const carom_vec3 t[3])
{
    carom_vec3 e = minus(t[1], t[0]), f = minus(t[2], t[0]), n = carom_vec3_cross(e, f), r = minus(o, t[0]);
    double nn = carom_vec3_dot(n, n), v = carom_vec3_dot(carom_vec3_cross(r, f), n) / nn,
           w = carom_vec3_dot(carom_vec3_cross(e, r), n) / nn;
    return v >= 0 && w >= 0 && v + w <= 1 ? fabs(carom_vec3_dot(r, n)) / sqrt(nn) : INFINITY;
}

static inline double point_edge(carom_vec3 o, carom_vec3 a, carom_vec3 b)
{
    carom_vec3 e = minus(b, a);
    double s = clamped(carom_vec3_dot(minus(o, a), e) / carom_vec3_dot(e, e), 0, 1);
    return carom_vec3_length(minus(o, carom_vec3_add(a, carom_vec3_scale(s, e))));
}

static inline double edge_edge(const carom_vec3 *a, const carom_vec3 *b)
{
    carom_vec3 e = minus(a[1], a[0]), f = minus(b[1], b[0]), r = minus(b[0], a[0]), n = carom_vec3_cross(e, f);
    double least = fmin(fmin(point_edge(a[0], b[0], b[1]), point_edge(a[1], b[0], b[1])),
                        fmin(point_edge(b[0], a[0], a[1]), point_edge(b[1], a[0], a[1])));
    double nn = carom_vec3_dot(n, n), s = carom_vec3_dot(carom_vec3_cross(r, f), n) / nn,
           t = carom_vec3_dot(carom_vec3_cross(r, e), n) / nn;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fmin(least, fabs(carom_vec3_dot(r, n)) / sqrt(nn)) : least;
}

static inline double corners_to_triangles(const carom_vec3 *a, int m, const carom_vec3 *b, int n)
{
    double least = INFINITY;
    for (int o = 0; o < m; o++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++) {
                    carom_vec3 t[3] = {b[i], b[j], b[k]};
                    least = fmin(least, point_triangle(a[o], t));
                }
    return least;
}

/* Of two polytopes that are apart: any triangle of corners lies inside. */
static inline double plain_distance(const carom_vec3 *a, int m, const carom_vec3 *b, int n)
{
    double least = fmin(corners_to_triangles(a, m, b, n), corners_to_triangles(b, n, a, m));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < k; l++) {
                    carom_vec3 e[2] = {a[i], a[j]}, f[2] = {b[k], b[l]};
                    least = fmin(least, edge_edge(e, f));
                }
    return least;
}

/* The corners of a box or hull in the world. */
static inline int corners_of(const placed *p, carom_vec3 *out)
{
    const double *s = p->piece->size;
    int count = p->piece->kind == CORE_BOX ? 8 : PART_POINTS;
    for (int k = 0; k < count; k++) {
        carom_vec3 c = {k & 1 ? s[0] : -s[0], k & 2 ? s[1] : -s[1], k & 4 ? s[2] : -s[2]};
        out[k] = carom_vec3_add(p->center, from_piece(p, count == 8 ? c : p->points[k]));
    }
    return count;
}

#endif
