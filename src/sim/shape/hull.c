#include "sim/shape/hull.h"

#include "sim/world/tolerance.h"

#include <math.h>

static carom_vec3 unit(carom_vec3 v)
{
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

/* ---- witnesses: points that soon show that most pairs are no edge of a large hull ---- */

enum { LARGE = 64, NEAR_MOST = 1024 };

static carom_vec3 direction_of(int cell)
{
    int side = cell / (HULL_CELLS * HULL_CELLS), u = cell / HULL_CELLS % HULL_CELLS, v = cell % HULL_CELLS;
    double sign = side % 2 ? -1 : 1, x = (2 * u + 1.0) / HULL_CELLS - 1, y = (2 * v + 1.0) / HULL_CELLS - 1;
    return side / 2 == 0   ? carom_vec3_make(sign, x, y)
           : side / 2 == 1 ? carom_vec3_make(y, sign, x)
                           : carom_vec3_make(x, y, sign);
}

static void find_witnesses(hull_points *h)
{
    h->middle = (carom_vec3){0, 0, 0};
    for (int i = 0; i < h->count; i++)
        h->middle = vec_plus(h->middle, 1.0 / h->count, h->at[i]);
    for (int cell = 0; cell < HULL_WITNESSES; cell++) {
        carom_vec3 d = direction_of(cell);
        int best = 0;
        for (int i = 1; i < h->count; i++)
            best = carom_vec3_dot(d, h->at[i]) > carom_vec3_dot(d, h->at[best]) ? i : best;
        h->witness[cell] = best;
    }
}

/* The adjugate of the second moments: a flat hull has none that serves. */
static void find_moments(hull_points *h)
{
    carom_sym3 s = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < h->count; i++) {
        carom_vec3 r = carom_vec3_scale(1 / h->size, carom_vec3_sub(h->at[i], h->middle));
        s.xx += r.x * r.x, s.xy += r.x * r.y, s.xz += r.x * r.z;
        s.yy += r.y * r.y, s.yz += r.y * r.z, s.zz += r.z * r.z;
    }
    h->inverse = (carom_sym3){s.yy * s.zz - s.yz * s.yz, s.xz * s.yz - s.xy * s.zz, s.xy * s.yz - s.xz * s.yy,
                              s.xx * s.zz - s.xz * s.xz, s.xy * s.xz - s.xx * s.yz, s.xx * s.yy - s.xy * s.xy};
}

hull_points hull_of(const carom_vec3 *points, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, vec_distance(points[i], points[0]));
    hull_points h = {.at = points, .count = count, .size = size, .flat = ROUND_PLACE * size, .is_large = count > LARGE};
    if (h.is_large) {
        find_witnesses(&h);
        find_moments(&h);
    }
    return h;
}

/* ---- faces ---- */

/* The first of the points that are where point i is. */
static int first_there(const hull_points *h, int i)
{
    int m = 0;
    while (m < i && vec_distance(h->at[m], h->at[i]) > h->flat)
        m++;
    return m;
}

int hull_next(const hull_points *h, int c, carom_vec3 n)
{
    int best = -1;
    carom_vec3 e = {0, 0, 0};
    for (int k = 0; k < hull_looks(h); k++) {
        int m = hull_look(h, k);
        carom_vec3 d = carom_vec3_sub(h->at[m], h->at[c]);
        if (!hull_in_plane(h, n, d) || !(carom_vec3_length(d) > h->flat))
            continue;
        double turn = best < 0 ? -1 : vec_det(n, e, d), on_line = h->flat * carom_vec3_length(e);
        if (turn < -on_line || (turn <= on_line && carom_vec3_dot(d, d) > carom_vec3_dot(e, e)))
            best = m, e = d;
    }
    return best < 0 ? -1 : first_there(h, best);
}

/* The half-planes through a line that hold all points between them, from a counter-clockwise to b about the line. */
typedef struct wedge {
    carom_vec3 axis, a, b;     /* unit; across the axis, as far as the furthest point in each half-plane */
    carom_vec3 unit_a, unit_b; /* along a and b */
    bool is_empty;
} wedge;

static void set_a(wedge *w, carom_vec3 r)
{
    w->a = r;
    w->unit_a = unit(r);
}

static void set_b(wedge *w, carom_vec3 r)
{
    w->b = r;
    w->unit_b = unit(r);
}

/* A point r away from the line: false where the wedge would become half the space or more, as at no edge. */
static bool widen(wedge *w, carom_vec3 r, double flat)
{
    if (w->is_empty) {
        set_a(w, r);
        set_b(w, r);
        w->is_empty = false;
        return true;
    }
    double over_a = vec_det(w->axis, w->unit_a, r), over_b = vec_det(w->axis, w->unit_b, r);
    bool in_a = fabs(over_a) <= flat, in_b = fabs(over_b) <= flat;
    if ((in_a && carom_vec3_dot(r, w->a) < 0) || (in_b && carom_vec3_dot(r, w->b) < 0))
        return false;
    if (over_b > flat && !in_a) {
        set_b(w, r);
        return over_a > flat;
    }
    if (over_a < -flat && !in_b) {
        set_a(w, r);
        return over_b < -flat;
    }
    if (in_a && carom_vec3_dot(r, r) > carom_vec3_dot(w->a, w->a))
        set_a(w, r);
    if (in_b && carom_vec3_dot(r, r) > carom_vec3_dot(w->b, w->b))
        set_b(w, r);
    return true;
}

/* Points to ask first whether i and j are an edge: their neighbours in the list, which are often neighbours in space,
 * and others far from each other in it. */
static int early_point(const hull_points *h, int i, int j, int k)
{
    const int beside[4] = {i + 1, i + h->count - 1, j + 1, j + h->count - 1};
    return (int)((k < 4 ? beside[k] : i + (long long)(0.618 * h->count) * k) % h->count);
}

static bool fits_edge(const hull_points *h, wedge *w, carom_vec3 d, double length)
{
    double along = carom_vec3_dot(d, w->axis);
    carom_vec3 r = carom_vec3_sub(d, carom_vec3_scale(along, w->axis));
    if (carom_vec3_length(r) > h->flat)
        return widen(w, r, h->flat);
    return along >= -h->flat && along <= length + h->flat;
}

/* Is the segment from point i to point j an edge of the hull? */
static bool find_edge(const hull_points *h, int i, int j, wedge *w)
{
    carom_vec3 whole = carom_vec3_sub(h->at[j], h->at[i]);
    double length = carom_vec3_length(whole);
    if (!(length > h->flat))
        return false;
    *w = (wedge){.axis = unit(whole), .is_empty = true};
    for (int k = 0; k < hull_looks(h) + LARGE; k++) {
        int m = k < LARGE ? early_point(h, i, j, k) : hull_look(h, k - LARGE);
        if (!fits_edge(h, w, carom_vec3_sub(h->at[m], h->at[i]), length))
            return false;
    }
    return !w->is_empty && vec_det(w->axis, unit(w->a), w->b) > h->flat;
}

/* Is corner i the first of its face in the list? j is one of its neighbours there, and the other one comes later. */
static bool begins_face(const hull_points *h, int i, int j, carom_vec3 n)
{
    int ahead = hull_next(h, i, n), back = hull_next(h, i, carom_vec3_scale(-1, n));
    int other = ahead == j ? back : ahead;
    if (other < j || (ahead != j && back != j))
        return false;
    for (int c = ahead, guard = 0; c != i && guard < h->count; guard++) {
        if (c < i) /* or none */
            return false;
        c = hull_next(h, c, n);
    }
    return true;
}

/* The first point of a face besides i and j. */
static int third_point(const hull_points *h, int i, int j, carom_vec3 n)
{
    int k = 0, m = hull_look(h, 0);
    while (k < hull_looks(h) - 1 && (m == i || m == j || !hull_in_plane(h, n, carom_vec3_sub(h->at[m], h->at[i]))))
        m = hull_look(h, ++k);
    return m;
}

/* ---- faces of many points ---- */

static void keep_broad(hull_points *h, int corner, carom_vec3 n)
{
    int count = 0;
    for (int k = 0; h->is_large && k < hull_looks(h); k++)
        count += hull_in_plane(h, n, carom_vec3_sub(h->at[hull_look(h, k)], h->at[corner]));
    if (count > LARGE && h->broad_count < (int)(sizeof h->broad / sizeof *h->broad))
        h->broad[h->broad_count++] = (broad_face){.corner = corner, .normal = n};
}

static bool is_between(const hull_points *h, const broad_face *f, int i)
{
    for (int m = 0; m < h->count; m++) {
        carom_vec3 d = carom_vec3_sub(h->at[m], h->at[i]);
        if (hull_in_plane(h, f->normal, d) &&
            (vec_det(f->normal, f->ahead, d) < -h->flat * carom_vec3_length(f->ahead) ||
             vec_det(f->normal, d, f->back) < -h->flat * carom_vec3_length(f->back)))
            return false;
    }
    return vec_det(f->normal, f->ahead, f->back) > h->flat * carom_vec3_length(f->ahead);
}

/* Point i in the broad faces. False: it lies in one and is no corner of it, so it has no edges. */
static bool enter_broad(hull_points *h, int i)
{
    for (int k = 0; k < h->broad_count; k++) {
        broad_face *f = &h->broad[k];
        f->holds = hull_in_plane(h, f->normal, carom_vec3_sub(h->at[i], h->at[f->corner]));
        if (!f->holds)
            continue;
        int ahead = hull_next(h, i, f->normal), back = hull_next(h, i, carom_vec3_scale(-1, f->normal));
        if (ahead < 0 || back < 0)
            return false;
        f->ahead = carom_vec3_sub(h->at[ahead], h->at[i]);
        f->back = carom_vec3_sub(h->at[back], h->at[i]);
        if (!is_between(h, f, i))
            return false;
    }
    return true;
}

/* Has the face of an edge that reaches to r from it been visited? */
static bool is_broad(const hull_points *h, carom_vec3 edge, carom_vec3 r)
{
    for (int k = 0; k < h->broad_count; k++) {
        const broad_face *f = &h->broad[k];
        if (f->holds && hull_in_plane(h, f->normal, edge) && hull_in_plane(h, f->normal, r))
            return true;
    }
    return false;
}

/* The faces that begin with the edge from i to j. */
static void visit_faces(hull_points *h, int i, int j, hull_visit *visit, void *context)
{
    wedge w;
    if (!find_edge(h, i, j, &w) || first_there(h, j) < j)
        return;
    carom_vec3 n[2] = {unit(carom_vec3_cross(w.a, w.axis)), unit(carom_vec3_cross(w.axis, w.b))};
    carom_vec3 edge = carom_vec3_sub(h->at[j], h->at[i]);
    bool is_known[2] = {is_broad(h, edge, w.a), is_broad(h, edge, w.b)};
    int first = third_point(h, i, j, n[1]) < third_point(h, i, j, n[0]);
    for (int k = 0; k < 2; k++)
        if (!is_known[first ^ k] && begins_face(h, i, j, n[first ^ k])) {
            visit(context, h, i, n[first ^ k]);
            keep_broad(h, i, n[first ^ k]);
        }
}

void hull_faces(const hull_points *h, hull_visit *visit, void *context)
{
    int near[NEAR_MOST];
    hull_points seen = *h;
    for (int i = 0; i < h->count; i++) {
        seen.some = NULL;
        if (first_there(h, i) < i || !enter_broad(&seen, i))
            continue;
        int count = h->is_large ? hull_near(&seen, i, near, NEAR_MOST) : -1;
        seen.some = count >= 0 ? near : NULL;
        seen.some_count = count;
        for (int k = 0; k < hull_looks(&seen); k++)
            if (hull_look(&seen, k) > i)
                visit_faces(&seen, i, hull_look(&seen, k), visit, context);
    }
}
