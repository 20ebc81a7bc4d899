/* Triangles that cut each other: an edge of one goes through the inside of the other. Triangles are sorted along x, and
 * those whose boxes meet are compared; neighbours, which share a point, are not. */
#include <stdlib.h>

#include "io/mesh/mesh_build.h"

typedef struct slab {
    double low[3], high[3];
    int triangle;
} slab;

static carom_vec3 corner(const carom_mesh *m, int triangle, int k)
{
    return m->points[m->triangles[3 * (size_t)triangle + (size_t)k]];
}

static slab slab_of(const carom_mesh *m, int i)
{
    slab s = {.triangle = i};
    for (int k = 0; k < 3; k++) {
        carom_vec3 p = corner(m, i, k);
        double v[3] = {p.x, p.y, p.z};
        for (int axis = 0; axis < 3; axis++) {
            s.low[axis] = k == 0 || v[axis] < s.low[axis] ? v[axis] : s.low[axis];
            s.high[axis] = k == 0 || v[axis] > s.high[axis] ? v[axis] : s.high[axis];
        }
    }
    return s;
}

static int by_low(const void *x, const void *y)
{
    const slab *a = x, *b = y;
    return (a->low[0] > b->low[0]) - (a->low[0] < b->low[0]);
}

static double side(carom_vec3 a, carom_vec3 b, carom_vec3 c, carom_vec3 p)
{
    return carom_vec3_dot(carom_vec3_cross(carom_vec3_sub(b, a), carom_vec3_sub(c, a)), carom_vec3_sub(p, a));
}

/* Does the segment pq go through the inside of triangle i? Points in its plane do not. */
static bool goes_through(const carom_mesh *m, int i, carom_vec3 p, carom_vec3 q)
{
    carom_vec3 a = corner(m, i, 0), b = corner(m, i, 1), c = corner(m, i, 2);
    double from = side(a, b, c, p), to = side(a, b, c, q);
    if (!((from > 0 && to < 0) || (from < 0 && to > 0)))
        return false;
    double u = side(p, q, a, b), v = side(p, q, b, c), w = side(p, q, c, a);
    return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

static bool share_point(const carom_mesh *m, int i, int j)
{
    for (int k = 0; k < 9; k++)
        if (m->triangles[3 * (size_t)i + (size_t)k / 3] == m->triangles[3 * (size_t)j + (size_t)k % 3])
            return true;
    return false;
}

static bool cut(const carom_mesh *m, int i, int j)
{
    for (int k = 0; k < 3; k++)
        if (goes_through(m, i, corner(m, j, k), corner(m, j, (k + 1) % 3)) ||
            goes_through(m, j, corner(m, i, k), corner(m, i, (k + 1) % 3)))
            return true;
    return false;
}

long mesh_crossings(const carom_mesh *m)
{
    size_t count = (size_t)m->triangle_count;
    slab *s = malloc(count * sizeof *s);
    long found = 0;
    if (!s)
        return -1;
    for (size_t i = 0; i < count; i++)
        s[i] = slab_of(m, (int)i);
    qsort(s, count, sizeof *s, by_low);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && s[j].low[0] <= s[i].high[0]; j++) {
            bool apart = s[j].low[1] > s[i].high[1] || s[i].low[1] > s[j].high[1] || s[j].low[2] > s[i].high[2] ||
                         s[i].low[2] > s[j].high[2];
            found += !apart && !share_point(m, s[i].triangle, s[j].triangle) && cut(m, s[i].triangle, s[j].triangle);
        }
    free(s);
    return found;
}
