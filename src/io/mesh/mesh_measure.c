/* Volume, centre and inertia of what a mesh encloses, and what is wrong with it. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "io/mesh/mesh_build.h"

enum { CROSSINGS_MOST = 50000 }; /* triangles */
#define EMPTY_TOL 1e-14          /* of the square of the longest side */

static carom_vec3 corner(const carom_mesh *m, int triangle, int k)
{
    return m->points[m->triangles[3 * (size_t)triangle + (size_t)k]];
}

/* ---- moments ---- */

typedef struct moments {
    double volume;
    carom_vec3 first;
    carom_sym3 second;
} moments;

/* The tetrahedron of a triangle and the origin: int x x^T = V / 20 (sum p p^T + s s^T), s = sum p. */
static void add_tetrahedron(moments *sum, carom_vec3 a, carom_vec3 b, carom_vec3 c)
{
    double V = carom_vec3_dot(a, carom_vec3_cross(b, c)) / 6;
    carom_vec3 s = carom_vec3_add(a, carom_vec3_add(b, c)), p[4] = {a, b, c, s};
    sum->volume += V;
    sum->first = carom_vec3_add(sum->first, carom_vec3_scale(V / 4, s));
    for (int k = 0; k < 4; k++) {
        carom_vec3 v = p[k];
        double f = V / 20;
        sum->second.xx += f * v.x * v.x, sum->second.xy += f * v.x * v.y, sum->second.xz += f * v.x * v.z;
        sum->second.yy += f * v.y * v.y, sum->second.yz += f * v.y * v.z, sum->second.zz += f * v.z * v.z;
    }
}

/* Moments about the middle of the box, where they do not cancel; then about the centre of mass. */
static void weigh(const carom_mesh *m, carom_mesh_measure *out)
{
    carom_vec3 base = carom_vec3_scale(0.5, carom_vec3_add(out->low, out->high));
    moments sum = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < m->triangle_count; i++)
        add_tetrahedron(&sum, carom_vec3_sub(corner(m, i, 0), base), carom_vec3_sub(corner(m, i, 1), base),
                        carom_vec3_sub(corner(m, i, 2), base));
    out->inside_out = sum.volume < 0;
    if (sum.volume == 0)
        return;
    double sign = sum.volume < 0 ? -1 : 1, V = sum.volume;
    carom_vec3 c = carom_vec3_scale(1 / V, sum.first);
    carom_sym3 s = sum.second;
    double xx = s.xx - V * c.x * c.x, yy = s.yy - V * c.y * c.y, zz = s.zz - V * c.z * c.z;
    out->volume = sign * V;
    out->centre = carom_vec3_add(base, c);
    out->inertia = (carom_sym3){sign * (yy + zz), -sign * (s.xy - V * c.x * c.y), -sign * (s.xz - V * c.x * c.z),
                                sign * (xx + zz), -sign * (s.yz - V * c.y * c.z), sign * (xx + yy)};
}

/* ---- the surface ---- */

static void span(const carom_mesh *m, carom_mesh_measure *out)
{
    out->low = out->high = corner(m, 0, 0);
    for (int i = 0; i < m->triangle_count; i++) {
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            carom_vec3 p = corner(m, i, k), side = carom_vec3_sub(corner(m, i, (k + 1) % 3), p);
            out->low = carom_vec3_make(fmin(out->low.x, p.x), fmin(out->low.y, p.y), fmin(out->low.z, p.z));
            out->high = carom_vec3_make(fmax(out->high.x, p.x), fmax(out->high.y, p.y), fmax(out->high.z, p.z));
            longest = fmax(longest, carom_vec3_dot(side, side));
        }
        double area = 0.5 * carom_vec3_length(carom_vec3_cross(carom_vec3_sub(corner(m, i, 1), corner(m, i, 0)),
                                                               carom_vec3_sub(corner(m, i, 2), corner(m, i, 0))));
        out->area += area;
        out->empty += !(area > EMPTY_TOL * longest);
    }
}

/* ---- edges ---- */

typedef struct edge {
    int low, high;
    int way; /* 1: from low to high */
} edge;

static int by_ends(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->low != b->low ? (a->low < b->low ? -1 : 1) : (a->high > b->high) - (a->high < b->high);
}

static void judge_edge(const edge *e, size_t count, carom_mesh_measure *out)
{
    out->open_edges += count == 1;
    out->crowded_edges += count > 2;
    out->flipped_edges += count == 2 && e[0].way == e[1].way;
}

static bool judge_edges(const carom_mesh *m, carom_mesh_measure *out)
{
    size_t count = 3 * (size_t)m->triangle_count;
    edge *edges = malloc(count * sizeof *edges);
    if (!edges)
        return false;
    for (size_t k = 0; k < count; k++) {
        int a = m->triangles[k], b = m->triangles[k % 3 == 2 ? k - 2 : k + 1];
        edges[k] = (edge){a < b ? a : b, a < b ? b : a, a < b};
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t k = 0, n; k < count; k += n) {
        for (n = 1; k + n < count && by_ends(&edges[k], &edges[k + n]) == 0;)
            n++;
        judge_edge(&edges[k], n, out);
    }
    free(edges);
    return true;
}

carom_mesh_measure carom_mesh_measure_of(const carom_mesh *mesh)
{
    carom_mesh_measure out = {.crossings = -1};
    span(mesh, &out);
    weigh(mesh, &out);
    out.out_of_memory = !judge_edges(mesh, &out);
    if (mesh->triangle_count <= CROSSINGS_MOST)
        out.crossings = mesh_crossings(mesh);
    return out;
}

bool carom_mesh_is_closed(const carom_mesh_measure *m)
{
    return !m->out_of_memory && m->volume > 0 && !m->open_edges && !m->flipped_edges && !m->crowded_edges;
}
