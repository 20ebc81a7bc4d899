/* Convex parts of a closed mesh. The box whose hull has most free volume is cut in two, where that takes most off the
 * hulls of what lies in it: the corners of mesh and box within, and where one cuts the other. So the parts cover the
 * mesh and do not overlap, and the sum of their volumes tells how far they are from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"

enum { CUTS = 4, POLYGON = 16 };
#define GAIN_TOL 1e-9  /* of the volume: cuts that take off less are not made */
#define THIN     1e-3  /* of the box: no cut is made this close to a side */
#define AREA_TOL 1e-12 /* of the area of a triangle: smaller parts in a box do not count */
#define INWARDS  1e-7  /* of the box: a corner of it is inside if a point this far from it, in the box, is */

typedef struct box {
    double low[3], high[3];
} box;

/* A box with the hull of what lies in it, and its best cut. */
typedef struct cell {
    box at;
    carom_vec3 *corners;
    int count;
    double volume, empty; /* of the hull; of what the mesh leaves free of it */
    double gain, where;
    int axis;
} cell;

typedef struct cloud {
    carom_vec3 *p;
    int count, room;
    bool failed;
} cloud;

static void keep(cloud *c, carom_vec3 x)
{
    if (c->count == c->room) {
        int room = c->room ? 2 * c->room : 256;
        carom_vec3 *more = realloc(c->p, (size_t)room * sizeof *more);
        c->failed |= !more;
        if (!more)
            return;
        c->p = more, c->room = room;
    }
    c->p[c->count++] = x;
}

static double along(carom_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* A polygon cut by the plane sign (x_axis - level) <= 0; in and out have POLYGON corners at most. */
static int cut_polygon(const carom_vec3 *in, int count, int axis, double sign, double level, carom_vec3 *out)
{
    int n = 0;
    for (int k = 0; k < count; k++) {
        carom_vec3 p = in[k], q = in[(k + 1) % count];
        double a = sign * (along(p, axis) - level), b = sign * (along(q, axis) - level);
        if (a <= 0)
            out[n++] = p;
        if ((a < 0 && b > 0) || (a > 0 && b < 0))
            out[n++] = carom_vec3_add(p, carom_vec3_scale(a / (a - b), carom_vec3_sub(q, p)));
    }
    return n;
}

/* Does a triangle with this normal only touch the box from outside, in one of its sides? */
static bool only_touches(const carom_vec3 *p, int count, carom_vec3 n, const box *at)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            double level = side ? at->high[axis] : at->low[axis];
            bool in_side = true;
            for (int k = 0; k < count; k++)
                in_side &= along(p[k], axis) == level;
            if (in_side && (side ? along(n, axis) < 0 : along(n, axis) > 0))
                return true;
        }
    return false;
}

static carom_vec3 area_of(const carom_vec3 *p, int count)
{
    carom_vec3 sum = {0, 0, 0};
    for (int k = 2; k < count; k++)
        sum = carom_vec3_add(sum, carom_vec3_cross(carom_vec3_sub(p[k - 1], p[0]), carom_vec3_sub(p[k], p[0])));
    return sum;
}

static int cut_to_box(const carom_vec3 corner[3], const box *at, carom_vec3 *p)
{
    carom_vec3 q[POLYGON];
    int count = 3;
    memcpy(p, corner, 3 * sizeof *p);
    for (int axis = 0; axis < 3 && count; axis++) {
        count = cut_polygon(p, count, axis, 1, at->high[axis], q);
        count = cut_polygon(q, count, axis, -1, at->low[axis], p);
    }
    return count;
}

/* The part of a triangle in the box; an edge or a side in common does not count. */
static void keep_triangle(cloud *c, const carom_vec3 corner[3], const box *at)
{
    carom_vec3 p[POLYGON], n = area_of(corner, 3);
    int count = cut_to_box(corner, at, p);
    if (!(carom_vec3_length(area_of(p, count)) > AREA_TOL * carom_vec3_length(n)) || only_touches(p, count, n, at))
        return;
    for (int k = 0; k < count; k++)
        keep(c, p[k]);
}

/* The integral of (x - from) n_x over a triangle cut to a box. */
static double flux(const carom_vec3 corner[3], const box *at, double from, bool weighted)
{
    carom_vec3 p[POLYGON];
    int count = cut_to_box(corner, at, p);
    double sum = 0;
    for (int k = 2; k < count && !only_touches(p, count, area_of(corner, 3), at); k++) {
        carom_vec3 three[3] = {p[0], p[k - 1], p[k]};
        double mean = (p[0].x + p[k - 1].x + p[k].x) / 3 - from;
        sum += 0.5 * area_of(three, 3).x * (weighted ? mean : 1);
    }
    return sum;
}

/* The volume of the mesh in a box, by the divergence of (x - low, 0, 0): what flows out through the mesh, and through
 * the side x = high, as much of which is inside as the mesh beyond it lets through. */
static double content(const carom_mesh *m, const box *at)
{
    box beyond = *at;
    double sum = 0;
    beyond.low[0] = at->high[0];
    beyond.high[0] = INFINITY;
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * (size_t)i;
        carom_vec3 corner[3] = {m->points[t[0]], m->points[t[1]], m->points[t[2]]};
        sum += flux(corner, at, at->low[0], true);
        sum += (at->high[0] - at->low[0]) * flux(corner, &beyond, 0, false);
    }
    return sum;
}

/* Is a point inside? A ray in a direction that no edge of a drawing has crosses the surface an odd number of times. */
static bool is_inside(const carom_mesh *m, carom_vec3 x)
{
    const carom_vec3 d = {0.5773817641, 0.6131905273, 0.5390124871};
    bool inside = false;
    for (int i = 0; i < m->triangle_count; i++) {
        const int *t = m->triangles + 3 * (size_t)i;
        carom_vec3 a = carom_vec3_sub(m->points[t[0]], x), b = carom_vec3_sub(m->points[t[1]], x),
                   c = carom_vec3_sub(m->points[t[2]], x);
        double u = carom_vec3_dot(d, carom_vec3_cross(a, b)), v = carom_vec3_dot(d, carom_vec3_cross(b, c)),
               w = carom_vec3_dot(d, carom_vec3_cross(c, a)), V = carom_vec3_dot(a, carom_vec3_cross(b, c));
        bool through = (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
        inside ^= through && (V > 0) == (u > 0) && V != 0;
    }
    return inside;
}

static bool is_near(const carom_vec3 corner[3], const box *at)
{
    for (int axis = 0; axis < 3; axis++) {
        double a = along(corner[0], axis), b = along(corner[1], axis), c = along(corner[2], axis);
        if (fmin(a, fmin(b, c)) > at->high[axis] || fmax(a, fmax(b, c)) < at->low[axis])
            return false;
    }
    return true;
}

/* The hull of the mesh within a box. Nothing there: no corners, no volume. */
static bool fill(const carom_mesh *m, cell *c)
{
    cloud inside = {NULL, 0, 0, false};
    for (int i = 0; i < m->triangle_count && !inside.failed; i++) {
        const int *t = m->triangles + 3 * (size_t)i;
        carom_vec3 corner[3] = {m->points[t[0]], m->points[t[1]], m->points[t[2]]};
        if (is_near(corner, &c->at))
            keep_triangle(&inside, corner, &c->at);
    }
    carom_vec3 middle = {0.5 * (c->at.low[0] + c->at.high[0]), 0.5 * (c->at.low[1] + c->at.high[1]),
                         0.5 * (c->at.low[2] + c->at.high[2])};
    for (int k = 0; k < 8; k++) {
        carom_vec3 x = {k & 1 ? c->at.high[0] : c->at.low[0], k & 2 ? c->at.high[1] : c->at.low[1],
                        k & 4 ? c->at.high[2] : c->at.low[2]};
        if (is_inside(m, carom_vec3_add(x, carom_vec3_scale(INWARDS, carom_vec3_sub(middle, x)))))
            keep(&inside, x);
    }
    c->corners = carom_mesh_hull(inside.p, inside.count, &c->count, &c->volume);
    free(inside.p);
    return !inside.failed;
}

/* ---- cuts ---- */

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Where to try a cut: the middle, and where the points of the mesh lie. */
static int places(const carom_mesh *m, const box *at, int axis, double *out)
{
    double low = at->low[axis], high = at->high[axis], edge = THIN * (high - low);
    double *x = malloc((size_t)m->point_count * sizeof *x);
    int count = 0, n = 0;
    out[n++] = 0.5 * (low + high);
    for (int i = 0; x && i < m->point_count; i++) {
        double v = along(m->points[i], axis);
        if (v > low + edge && v < high - edge)
            x[count++] = v;
    }
    if (x && count) {
        qsort(x, (size_t)count, sizeof *x, by_size);
        for (int k = 1; k < CUTS; k++)
            out[n++] = x[(size_t)count * (size_t)k / CUTS];
    }
    free(x);
    return n;
}

static bool halve(const carom_mesh *m, const cell *c, int axis, double where, cell half[2])
{
    half[0] = half[1] = (cell){.at = c->at};
    half[0].at.high[axis] = half[1].at.low[axis] = where;
    if (fill(m, &half[0]) && fill(m, &half[1]))
        return true;
    free(half[0].corners);
    free(half[1].corners);
    return false;
}

/* The best cut, or, where none takes anything off, one in the middle of the longest side. */
static bool find_cut(const carom_mesh *m, cell *c)
{
    double side = 0;
    c->gain = 0;
    c->empty = c->corners ? fmax(0, c->volume - content(m, &c->at)) : 0;
    for (int axis = 0; axis < 3; axis++)
        if (c->at.high[axis] - c->at.low[axis] > side) {
            side = c->at.high[axis] - c->at.low[axis];
            c->axis = axis, c->where = 0.5 * (c->at.low[axis] + c->at.high[axis]);
        }
    for (int axis = 0; axis < 3; axis++) {
        double where[CUTS + 1];
        int count = places(m, &c->at, axis, where);
        for (int k = 0; k < count; k++) {
            cell half[2];
            if (!halve(m, c, axis, where[k], half))
                return false;
            double gain = c->volume - half[0].volume - half[1].volume;
            if (gain > c->gain + GAIN_TOL * c->volume)
                c->gain = gain, c->axis = axis, c->where = where[k];
            free(half[0].corners);
            free(half[1].corners);
        }
    }
    return true;
}

/* ---- the whole ---- */

typedef struct division {
    cell *cells;
    int count;
    double sum;
} division;

static int emptiest(const division *d)
{
    int best = 0;
    for (int k = 1; k < d->count; k++)
        best = d->cells[k].empty > d->cells[best].empty ? k : best;
    return best;
}

static bool cut_best(const carom_mesh *m, division *d)
{
    cell half[2], *c = &d->cells[emptiest(d)];
    if (!halve(m, c, c->axis, c->where, half))
        return false;
    d->sum += half[0].volume + half[1].volume - c->volume;
    free(c->corners);
    *c = half[0];
    d->cells[d->count++] = half[1];
    return find_cut(m, c) && find_cut(m, &d->cells[d->count - 1]);
}

static bool divide(const carom_mesh *m, const carom_mesh_measure *w, double error, int most, division *d)
{
    cell all = {.at = {{w->low.x, w->low.y, w->low.z}, {w->high.x, w->high.y, w->high.z}}};
    if (!fill(m, &all))
        return false;
    d->cells[0] = all;
    d->count = 1;
    d->sum = all.volume;
    if (!all.corners || !find_cut(m, &d->cells[0]))
        return false;
    while (d->count < most && d->sum > (1 + error) * w->volume && d->cells[emptiest(d)].empty > GAIN_TOL * w->volume)
        if (!cut_best(m, d))
            return false;
    return true;
}

static bool take_parts(const division *d, double volume, carom_mesh_parts *out)
{
    out->parts = calloc((size_t)d->count, sizeof *out->parts);
    if (!out->parts)
        return false;
    out->error = d->sum / volume - 1;
    for (int k = 0; k < d->count; k++) {
        carom_part *p = &out->parts[out->part_count];
        carom_body_def def = carom_body_def_default();
        p->solid =
            (carom_solid){.kind = CAROM_SOLID_HULL, .points = d->cells[k].corners, .point_count = d->cells[k].count};
        p->orientation = (carom_quat){1, 0, 0, 0};
        p->density = 1;
        if (d->cells[k].corners && !carom_solid_body(&p->solid, 3, 1, &def, &p->position))
            out->part_count++;
        else
            free(d->cells[k].corners); /* a sliver */
    }
    return true;
}

bool carom_mesh_decompose(const carom_mesh *mesh, double error, int most, carom_mesh_parts *out)
{
    static const carom_mesh_parts none;
    carom_mesh_measure w = carom_mesh_measure_of(mesh);
    division d = {calloc((size_t)(most > 0 ? most : 1), sizeof *d.cells), 0, 0};
    *out = none;
    bool fine = d.cells && w.volume > 0 && divide(mesh, &w, error, most, &d) && take_parts(&d, w.volume, out);
    for (int k = 0; !fine && k < d.count; k++)
        free(d.cells[k].corners);
    free(d.cells);
    return fine;
}

void carom_mesh_parts_free(carom_mesh_parts *parts)
{
    for (int k = 0; k < parts->part_count; k++)
        free((void *)(size_t)parts->parts[k].solid.points);
    free(parts->parts);
    parts->parts = NULL;
    parts->part_count = 0;
}
