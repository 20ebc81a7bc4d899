#include "sim/distance.h"

#include "core/num.h"

enum { GJK_STEPS = 100 };
#define DUALITY_TOL (4 * EPS) /* of the distance */

/* A corner of the simplex: a point of A - B, and the points it is the difference of. */
typedef struct corner {
    carom_vec3 y, a, b;
} corner;

typedef struct simplex {
    corner c[4];
    double weight[4];
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
        sum = carom_vec3_add(sum, carom_vec3_scale(w[i], p[i]));
    return sum;
}

/* Keep the feature of the simplex that is nearest to the origin; its nearest point. */
static carom_vec3 reduce(simplex *s)
{
    simplex best = *s;
    carom_vec3 at = s->c[0].y;
    double least = INFINITY;
    for (int mask = 1; mask < 1 << s->count; mask++) {
        carom_vec3 p[4];
        simplex part = {.count = 0};
        for (int i = 0; i < s->count; i++)
            if (mask >> i & 1) {
                part.c[part.count] = s->c[i];
                p[part.count++] = s->c[i].y;
            }
        if (!nearest_on(p, part.count, part.weight))
            continue;
        carom_vec3 here = part.count == 4 ? carom_vec3_make(0, 0, 0) : weighted(p, part.weight, part.count);
        double d = dot(here, here);
        if (d < least)
            least = d, best = part, at = here;
    }
    *s = best;
    return at;
}

static corner support_of(const placed *a, const placed *b, carom_vec3 u)
{
    corner c;
    c.a = support(a, carom_vec3_scale(-1, u));
    c.b = support(b, u);
    c.y = minus(c.a, c.b);
    return c;
}

static void witness(const simplex *s, nearness *out)
{
    carom_vec3 a[4], b[4];
    for (int i = 0; i < s->count; i++)
        a[i] = s->c[i].a, b[i] = s->c[i].b;
    out->on_a = weighted(a, s->weight, s->count);
    out->on_b = weighted(b, s->weight, s->count);
}

static bool is_known(const simplex *s, const corner *c)
{
    for (int i = 0; i < s->count; i++)
        if (s->c[i].y.x == c->y.x && s->c[i].y.y == c->y.y && s->c[i].y.z == c->y.z)
            return true;
    return false;
}

static bool is_zero_vec(carom_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

nearness distance_of(const placed *a, const placed *b, carom_vec3 guess)
{
    simplex s = {.count = 0}, kept = s;
    nearness best = {0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, none = best;
    carom_vec3 w = is_zero_vec(guess) ? minus(a->center, b->center) : guess;
    double lower = -INFINITY, upper = INFINITY;
    if (is_zero_vec(w))
        w = carom_vec3_make(1, 0, 0);
    for (int step = 0; step < GJK_STEPS; step++) {
        double length = carom_vec3_length(w);
        if (!(length > 0))
            return none;
        carom_vec3 u = carom_vec3_scale(1 / length, w);
        corner c = support_of(a, b, u);
        double gap = dot(u, c.y);
        if (gap > lower)
            lower = gap, best.axis = u;
        if ((step && length - lower <= DUALITY_TOL * length) || is_known(&s, &c))
            break;
        s.c[s.count++] = c;
        w = reduce(&s);
        if (s.count == 4)
            return none;
        if (!(carom_vec3_length(w) < upper)) /* no progress: rounding */
            break;
        upper = carom_vec3_length(w);
        kept = s;
    }
    witness(kept.count ? &kept : &s, &best);
    best.distance = lower > 0 ? lower : 0;
    return best;
}
