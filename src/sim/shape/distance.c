#include "sim/shape/distance.h"

#include "core/num.h"
#include "sim/world/tolerance.h"

/* Corners of A - B, the newest last. */
typedef struct simplex {
    carom_vec3 y[4];
    int count;
} simplex;

static carom_vec3 minus(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_sub(a, b);
}

static double dot(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_dot(a, b);
}

/* Weights of the point of a feature nearest to the origin; false when it lies outside, or the feature is flat. */
static bool nearest_on(const carom_vec3 *p, int count, double *w)
{
    if (count == 1) {
        w[0] = 1;
        return true;
    }
    carom_vec3 e = minus(p[1], p[0]);
    if (count == 2) {
        double length = dot(e, e), t = -dot(p[0], e) / length;
        w[0] = 1 - t, w[1] = t;
        return length > 0 && t > 0 && t < 1;
    }
    carom_vec3 f = minus(p[2], p[0]);
    if (count == 3) {
        carom_vec3 N = carom_vec3_cross(e, f);
        double nn = dot(N, N);
        if (!(nn > 0))
            return false;
        w[0] = dot(carom_vec3_cross(p[1], p[2]), N) / nn;
        w[1] = dot(carom_vec3_cross(p[2], p[0]), N) / nn;
        w[2] = dot(carom_vec3_cross(p[0], p[1]), N) / nn;
        return w[0] > 0 && w[1] > 0 && w[2] > 0;
    }
    carom_vec3 g = minus(p[3], p[0]), o = carom_vec3_scale(-1, p[0]);
    double D = dot(e, carom_vec3_cross(f, g));
    if (D == 0)
        return false;
    w[1] = dot(o, carom_vec3_cross(f, g)) / D;
    w[2] = dot(e, carom_vec3_cross(o, g)) / D;
    w[3] = dot(e, carom_vec3_cross(f, o)) / D;
    w[0] = 1 - w[1] - w[2] - w[3];
    return w[0] > 0 && w[1] > 0 && w[2] > 0 && w[3] > 0;
}

static carom_vec3 weighted(const carom_vec3 *p, const double *w, int count)
{
    carom_vec3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++)
        sum = vec_plus(sum, w[i], p[i]);
    return sum;
}

/* Keep the corners of a mask; false when the point of that feature nearest to the origin, which is at, lies outside. */
static bool keep(simplex *s, int mask, carom_vec3 *at)
{
    carom_vec3 p[4] = {{0, 0, 0}};
    double w[4];
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (mask >> i & 1)
            p[count++] = s->y[i];
    if (!nearest_on(p, count, w))
        return false;
    *at = count == 4 ? carom_vec3_make(0, 0, 0) : weighted(p, w, count);
    for (int i = 0; i < count; i++)
        s->y[i] = p[i];
    s->count = count;
    return true;
}

/* The feature of the simplex that is nearest to the origin, of all features. */
static carom_vec3 reduce_thoroughly(simplex *s)
{
    simplex best = *s;
    carom_vec3 at = s->y[0], here;
    double least = INFINITY;
    for (int mask = 1; mask < 1 << s->count; mask++) {
        simplex part = *s;
        if (!keep(&part, mask, &here))
            continue;
        double d = dot(here, here);
        if (d < least)
            least = d, best = part, at = here;
    }
    *s = best;
    return at;
}

/* The corners (bits) of the feature of an edge, or of a triangle, that is nearest to the origin: the regions of
 * Voronoi, by products of lengths along the sides. */
static int nearest_of_edge(carom_vec3 a, carom_vec3 b)
{
    carom_vec3 e = minus(b, a);
    return dot(a, e) >= 0 ? 1 : dot(b, e) <= 0 ? 2 : 3;
}

static int nearest_of_triangle(const carom_vec3 *p)
{
    carom_vec3 e = minus(p[1], p[0]), f = minus(p[2], p[0]);
    double e0 = -dot(e, p[0]), f0 = -dot(f, p[0]), e1 = -dot(e, p[1]), f1 = -dot(f, p[1]), e2 = -dot(e, p[2]),
           f2 = -dot(f, p[2]);
    if (e0 <= 0 && f0 <= 0)
        return 1;
    if (e1 >= 0 && f1 <= e1)
        return 2;
    if (f2 >= 0 && e2 <= f2)
        return 4;
    if (e0 >= 0 && e1 <= 0 && e0 * f1 - e1 * f0 <= 0)
        return 3;
    if (f0 >= 0 && f2 <= 0 && e2 * f0 - e0 * f2 <= 0)
        return 5;
    if (f1 - e1 >= 0 && e2 - f2 >= 0 && e1 * f2 - e2 * f1 <= 0)
        return 6;
    return 7;
}

/* A tetrahedron: the nearest feature of the faces that the origin is outside of; all four corners when it is inside. */
static int nearest_of_tetrahedron(const carom_vec3 *p)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    int best = 15;
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        const int *c = face[k];
        carom_vec3 q[3] = {p[c[0]], p[c[1]], p[c[2]]}, N = carom_vec3_cross(minus(q[1], q[0]), minus(q[2], q[0]));
        double here = dot(N, q[0]), w[4];
        if ((dot(N, p[c[3]]) - here) * here < 0)
            continue;
        int part = nearest_of_triangle(q), mask = 0, count = 0;
        carom_vec3 r[3];
        for (int i = 0; i < 3; i++)
            if (part >> i & 1)
                mask |= 1 << c[i], r[count++] = q[i];
        if (!nearest_on(r, count, w))
            continue;
        carom_vec3 at = weighted(r, w, count);
        double d = dot(at, at);
        if (d < least)
            least = d, best = mask;
    }
    return best;
}

/* Keep the feature of the simplex that is nearest to the origin; its nearest point. Where rounding decides, or the
 * point found is no nearer than upper, all features are tried. */
static carom_vec3 reduce(simplex *s, double upper)
{
    carom_vec3 at;
    int mask = s->count == 1   ? 1
               : s->count == 2 ? nearest_of_edge(s->y[0], s->y[1])
               : s->count == 3 ? nearest_of_triangle(s->y)
                               : nearest_of_tetrahedron(s->y);
    simplex quick = *s;
    if (mask == 15 || !keep(&quick, mask, &at) || !(carom_vec3_length(at) < upper))
        return reduce_thoroughly(s);
    *s = quick;
    return at;
}

/* The point of A - B furthest against u. */
static carom_vec3 support_of(const placed *a, const placed *b, carom_vec3 u)
{
    return minus(support(a, carom_vec3_scale(-1, u)), support(b, u));
}

static bool is_known(const simplex *s, carom_vec3 y)
{
    for (int i = 0; i < s->count; i++)
        if (vec_same(s->y[i], y))
            return true;
    return false;
}

nearness distance_of(const placed *a, const placed *b, carom_vec3 guess, looseness loose)
{
    simplex s = {.count = 0};
    nearness best = {0, {0, 0, 0}}, none = best;
    carom_vec3 w = vec_is_zero(guess) ? minus(a->center, b->center) : guess;
    double lower = -INFINITY, upper = INFINITY, margins = a->piece->margin + b->piece->margin;
    if (vec_is_zero(w))
        w = carom_vec3_make(1, 0, 0);
    double length = carom_vec3_length(w);
    for (int step = 0; step < ITERATIONS; step++) {
        if (!(length > 0))
            return none;
        carom_vec3 u = carom_vec3_scale(1 / length, w), y = support_of(a, b, u);
        double gap = dot(u, y);
        if (gap > lower)
            lower = gap, best.axis = u;
        if ((step &&
             /* rounding of the distance */
             length - lower <= max(max(4 * EPS * length, loose.share * (length - margins)), loose.length)) ||
            is_known(&s, y))
            break;
        s.y[s.count++] = y;
        w = reduce(&s, upper);
        if (s.count == 4)
            return none;
        length = carom_vec3_length(w);
        if (!(length < upper)) /* no progress: rounding */
            break;
        upper = length;
    }
    best.distance = lower > 0 ? lower : 0;
    return best;
}
