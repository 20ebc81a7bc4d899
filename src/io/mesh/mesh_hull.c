/* The convex hull of points, one point after the other: the faces that a point sees go, and it is joined to the border
 * of the hole they leave. */
#include <math.h>
#include <stdlib.h>

#include "io/mesh/mesh_build.h"

#define FLAT_TOL 1e-12 /* of the size: points this close to a face lie in it */

typedef struct face {
    int v[3];
    carom_vec3 n; /* unit, outwards */
    double level;
} face;

typedef struct edge {
    int from, to;
} edge;

typedef struct hull {
    const carom_vec3 *p;
    int count;
    double flat;
    face *faces;
    int face_count, face_room;
    edge *border;
    int border_count, border_room;
    bool failed;
} hull;

static void add_face(hull *h, int a, int b, int c)
{
    if (h->face_count == h->face_room) {
        int room = h->face_room ? 2 * h->face_room : 64;
        face *more = realloc(h->faces, (size_t)room * sizeof *more);
        h->failed |= !more;
        if (!more)
            return;
        h->faces = more, h->face_room = room;
    }
    carom_vec3 n = carom_vec3_cross(carom_vec3_sub(h->p[b], h->p[a]), carom_vec3_sub(h->p[c], h->p[a]));
    double length = carom_vec3_length(n);
    n = carom_vec3_scale(length > 0 ? 1 / length : 0, n);
    h->faces[h->face_count++] = (face){{a, b, c}, n, carom_vec3_dot(n, h->p[a])};
}

/* An edge of a face that goes: an edge of the border unless the face beside it goes, too. */
static void add_edge(hull *h, int from, int to)
{
    for (int k = 0; k < h->border_count; k++)
        if (h->border[k].from == to && h->border[k].to == from) {
            h->border[k] = h->border[--h->border_count];
            return;
        }
    if (h->border_count == h->border_room) {
        int room = h->border_room ? 2 * h->border_room : 64;
        edge *more = realloc(h->border, (size_t)room * sizeof *more);
        h->failed |= !more;
        if (!more)
            return;
        h->border = more, h->border_room = room;
    }
    h->border[h->border_count++] = (edge){from, to};
}

static void add_point(hull *h, int i)
{
    h->border_count = 0;
    for (int k = 0; k < h->face_count;) {
        face f = h->faces[k];
        if (carom_vec3_dot(f.n, h->p[i]) - f.level <= h->flat) {
            k++;
            continue;
        }
        h->faces[k] = h->faces[--h->face_count];
        for (int m = 0; m < 3; m++)
            add_edge(h, f.v[m], f.v[(m + 1) % 3]);
    }
    for (int k = 0; k < h->border_count; k++)
        add_face(h, h->border[k].from, h->border[k].to, i);
}

/* The point furthest from a point, a line or a plane: the largest of |x - p|, |e x (x - p)|, |n.(x - p)|. */
static int furthest(const hull *h, int p, carom_vec3 e, carom_vec3 n, double *most)
{
    int best = p;
    *most = 0;
    for (int i = 0; i < h->count; i++) {
        carom_vec3 d = carom_vec3_sub(h->p[i], h->p[p]);
        double away = carom_vec3_length(n) > 0   ? fabs(carom_vec3_dot(n, d))
                      : carom_vec3_length(e) > 0 ? carom_vec3_length(carom_vec3_cross(e, d))
                                                 : carom_vec3_length(d);
        if (away > *most)
            *most = away, best = i;
    }
    return best;
}

static carom_vec3 unit(carom_vec3 v)
{
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

/* A tetrahedron to begin with; false: the points lie in a plane. */
static bool begin(hull *h)
{
    const carom_vec3 none = {0, 0, 0};
    double size, away;
    int a = furthest(h, 0, none, none, &size), b = furthest(h, a, none, none, &size);
    h->flat = FLAT_TOL * size;
    if (!(size > 0))
        return false;
    carom_vec3 e = unit(carom_vec3_sub(h->p[b], h->p[a]));
    int c = furthest(h, a, e, none, &away);
    if (!(away > h->flat))
        return false;
    carom_vec3 n = unit(carom_vec3_cross(e, carom_vec3_sub(h->p[c], h->p[a])));
    int d = furthest(h, a, e, n, &away);
    if (!(away > h->flat))
        return false;
    if (carom_vec3_dot(n, carom_vec3_sub(h->p[d], h->p[a])) > 0) {
        int kept = b;
        b = c, c = kept;
    }
    add_face(h, a, b, c), add_face(h, a, d, b), add_face(h, b, d, c), add_face(h, c, d, a);
    return true;
}

/* The points that faces use, and the volume under the faces. */
static carom_vec3 *corners_of(const hull *h, int *corners, double *volume)
{
    char *used = calloc((size_t)h->count, 1);
    carom_vec3 *out = malloc((size_t)h->count * sizeof *out);
    *volume = 0, *corners = 0;
    for (int k = 0; used && out && k < h->face_count; k++) {
        carom_vec3 v[3];
        for (int m = 0; m < 3; m++) {
            used[h->faces[k].v[m]] = 1;
            v[m] = carom_vec3_sub(h->p[h->faces[k].v[m]], h->p[0]);
        }
        *volume += carom_vec3_dot(v[0], carom_vec3_cross(v[1], v[2])) / 6;
    }
    for (int i = 0; used && out && i < h->count; i++)
        if (used[i])
            out[(*corners)++] = h->p[i];
    if (!used || !*corners) {
        free(out);
        out = NULL;
    }
    free(used);
    return out;
}

static bool build(hull *h)
{
    bool begun = h->count >= 4 && begin(h);
    for (int i = 0; begun && i < h->count && !h->failed; i++)
        add_point(h, i);
    return begun && !h->failed;
}

static void free_hull(hull *h)
{
    free(h->faces);
    free(h->border);
}

carom_vec3 *carom_mesh_hull(const carom_vec3 *points, int count, int *corners, double *volume)
{
    hull h = {.p = points, .count = count};
    *corners = 0;
    *volume = 0;
    carom_vec3 *out = build(&h) ? corners_of(&h, corners, volume) : NULL;
    free_hull(&h);
    return out;
}

int *mesh_hull_triangles(const carom_vec3 *points, int count, int *triangles)
{
    hull h = {.p = points, .count = count};
    int *out = build(&h) ? malloc((size_t)h.face_count * 3 * sizeof *out) : NULL;
    *triangles = out ? h.face_count : 0;
    for (int k = 0; k < *triangles; k++)
        for (int m = 0; m < 3; m++)
            out[3 * k + m] = h.faces[k].v[m];
    free_hull(&h);
    return out;
}
