/* Points of a hull that may share a face or an edge with one of them: all but those that clearly lie inside the cone of
 * directions from it to others.
 *
 * Seen from point i, along a direction w into the hull, every other point has the place u = (d.t1, d.t2) / (d.w) in a
 * plane, d its distance vector. Neighbours on edges are corners of the convex hull of these places, and other points of
 * the faces at i lie on its sides. A polygon of places of some points is inside that hull, and so is what is inside the
 * polygon: most points, known by one comparison with a circle. */
#include "sim/shape/hull.h"

#include "carom/elementary.h"
#include "sim/world/tolerance.h"

#include <math.h>

enum { SIDES = 16, SOME = 5 }; /* every fifth witness is enough to begin with */

typedef struct place2 {
    double x, y;
} place2;

/* How points look from point i, and a polygon of some of them, counter-clockwise. */
typedef struct view {
    const hull_points *h;
    carom_vec3 from, w, t1, t2;
    double deep;
    place2 corner[SIDES];
    double most[SIDES];
    place2 middle;
    double inside; /* square of the radius of a circle within the polygon; 0: there is none */
} view;

static double cross2(place2 a, place2 b, place2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool see(const view *v, int m, place2 *u)
{
    carom_vec3 d = carom_vec3_sub(v->h->at[m], v->from);
    double depth = carom_vec3_dot(d, v->w);
    *u = (place2){carom_vec3_dot(d, v->t1) / depth, carom_vec3_dot(d, v->t2) / depth};
    return depth > v->deep;
}

/* The direction from i into an ellipsoid with the moments of the points. */
static bool look(const hull_points *h, int i, view *v)
{
    carom_vec3 r = carom_vec3_sub(h->middle, h->at[i]);
    carom_sym3 s = h->inverse;
    carom_vec3 w = {s.xx * r.x + s.xy * r.y + s.xz * r.z, s.xy * r.x + s.yy * r.y + s.yz * r.z,
                    s.xz * r.x + s.yz * r.y + s.zz * r.z};
    double length = carom_vec3_length(w);
    if (!(length > 0 && length < INFINITY))
        return false;
    *v = (view){.h = h,
                .from = h->at[i],
                .w = carom_vec3_scale(1 / length, w),
                /* what is less deep below point i keeps its place: rounding could make it part of a face */
                .deep = 0.01 * SMALL_SHARE * h->size};
    double x = fabs(v->w.x), y = fabs(v->w.y), z = fabs(v->w.z);
    carom_vec3 e = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    v->t1 = carom_vec3_cross(v->w, e);
    v->t1 = carom_vec3_scale(1 / carom_vec3_length(v->t1), v->t1);
    v->t2 = carom_vec3_cross(v->w, v->t1);
    return true;
}

static const double turns[SIDES][2] = {
    {1, 0},  {0.92, 0.38},   {0.71, 0.71},   {0.38, 0.92},   {0, 1},  {-0.38, 0.92}, {-0.71, 0.71}, {-0.92, 0.38},
    {-1, 0}, {-0.92, -0.38}, {-0.71, -0.71}, {-0.38, -0.92}, {0, -1}, {0.38, -0.92}, {0.71, -0.71}, {0.92, -0.38}};

static void widen_polygon(view *v, int m)
{
    place2 u;
    if (!see(v, m, &u))
        return;
    for (int k = 0; k < SIDES; k++) {
        double along = turns[k][0] * u.x + turns[k][1] * u.y;
        if (along > v->most[k])
            v->most[k] = along, v->corner[k] = u;
    }
}

static void clear_polygon(view *v)
{
    for (int k = 0; k < SIDES; k++)
        v->most[k] = -INFINITY;
}

/* A circle about the mean of the corners, within all sides. */
static void close_polygon(view *v)
{
    double least = INFINITY;
    v->inside = 0;
    v->middle = (place2){0, 0};
    for (int k = 0; k < SIDES; k++) {
        if (!(v->most[k] > -INFINITY))
            return;
        v->middle.x += v->corner[k].x / SIDES, v->middle.y += v->corner[k].y / SIDES;
    }
    for (int k = 0; k < SIDES; k++) {
        place2 a = v->corner[k], b = v->corner[(k + 1) % SIDES];
        double length = carom_hypot(b.x - a.x, b.y - a.y);
        if (length > 0)
            least = fmin(least, cross2(a, b, v->middle) / length);
    }
    double clear = VISIBLE * (1 + carom_hypot(v->middle.x, v->middle.y));
    if (least > 2 * clear && least < INFINITY)
        v->inside = (least - 2 * clear) * (least - 2 * clear) * (1 - VISIBLE);
}

/* Clearly inside the polygon, whose sides turn left. */
static bool is_inside(const view *v, place2 u)
{
    for (int k = 0; k < SIDES; k++) {
        place2 a = v->corner[k], b = v->corner[(k + 1) % SIDES];
        double length = fabs(b.x - a.x) + fabs(b.y - a.y);
        double clear = VISIBLE * length * (1 + fabs(a.x) + fabs(a.y) + fabs(u.x) + fabs(u.y));
        if (length > 0 && !(cross2(a, b, u) > clear))
            return false;
    }
    return v->inside > 0;
}

/* Most points are inside the circle, which needs no division. */
static bool may_touch(const view *v, int m)
{
    carom_vec3 d = carom_vec3_sub(v->h->at[m], v->from);
    double depth = carom_vec3_dot(d, v->w), x = carom_vec3_dot(d, v->t1) - v->middle.x * depth,
           y = carom_vec3_dot(d, v->t2) - v->middle.y * depth;
    place2 u;
    if (depth > v->deep && x * x + y * y < v->inside * depth * depth)
        return false;
    return !see(v, m, &u) || !is_inside(v, u);
}

/* In a broad face, between the neighbours of point i there. */
static bool is_hidden(const hull_points *h, int i, int m)
{
    carom_vec3 d = carom_vec3_sub(h->at[m], h->at[i]);
    for (int k = 0; k < h->broad_count; k++) {
        const broad_face *f = &h->broad[k];
        if (f->holds && hull_in_plane(h, f->normal, d) &&
            vec_det(f->normal, f->ahead, d) > h->flat * carom_vec3_length(f->ahead) &&
            vec_det(f->normal, d, f->back) > h->flat * carom_vec3_length(f->back))
            return true;
    }
    return false;
}

int hull_near(const hull_points *h, int i, int *near, int most)
{
    view v;
    int count = 0, kept = 0;
    if (!look(h, i, &v))
        return -1;
    clear_polygon(&v);
    for (int k = 0; k < HULL_WITNESSES; k += SOME)
        widen_polygon(&v, h->witness[k]);
    close_polygon(&v);
    for (int m = 0; m < h->count; m++)
        if (may_touch(&v, m) && !is_hidden(h, i, m)) {
            if (count == most)
                return -1;
            near[count++] = m;
        }
    clear_polygon(&v);
    for (int k = 0; k < count; k++)
        widen_polygon(&v, near[k]);
    close_polygon(&v);
    for (int k = 0; k < count; k++)
        if (may_touch(&v, near[k]))
            near[kept++] = near[k];
    return kept;
}
