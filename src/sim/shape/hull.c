#include "sim/shape/hull.h"

#include <math.h>

#define FLAT_TOL 1e-12 /* of the size of a hull */

hull_points hull_of(const carom_vec3 *points, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, carom_vec3_length(carom_vec3_sub(points[i], points[0])));
    return (hull_points){points, count, size, FLAT_TOL * size};
}

static double det(carom_vec3 a, carom_vec3 b, carom_vec3 c)
{
    return carom_vec3_dot(a, carom_vec3_cross(b, c));
}

static carom_vec3 unit(carom_vec3 v)
{
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

int hull_next(const hull_points *h, int c, carom_vec3 n)
{
    int best = -1;
    carom_vec3 e = {0, 0, 0};
    for (int m = 0; m < h->count; m++) {
        carom_vec3 d = carom_vec3_sub(h->at[m], h->at[c]);
        if (fabs(carom_vec3_dot(n, d)) > h->flat || !(carom_vec3_length(d) > h->flat))
            continue;
        double turn = best < 0 ? -1 : det(n, e, d), on_line = h->flat * carom_vec3_length(e);
        if (turn < -on_line || (turn <= on_line && carom_vec3_dot(d, d) > carom_vec3_dot(e, e)))
            best = m, e = d;
    }
    return best;
}

/* The half-planes through a line that hold all points between them, from a counter-clockwise to b about the line. */
typedef struct wedge {
    carom_vec3 axis, a, b; /* unit; across the axis, as far as the furthest point in each half-plane */
    bool is_empty;
} wedge;

/* A point r away from the line: false where the wedge would become half the space or more, as at no edge. */
static bool widen(wedge *w, carom_vec3 r, double flat)
{
    if (w->is_empty) {
        w->a = w->b = r;
        w->is_empty = false;
        return true;
    }
    double over_a = det(w->axis, unit(w->a), r), over_b = det(w->axis, unit(w->b), r);
    bool in_a = fabs(over_a) <= flat, in_b = fabs(over_b) <= flat;
    if ((in_a && carom_vec3_dot(r, w->a) < 0) || (in_b && carom_vec3_dot(r, w->b) < 0))
        return false;
    if (over_b > flat && !in_a) {
        w->b = r;
        return over_a > flat;
    }
    if (over_a < -flat && !in_b) {
        w->a = r;
        return over_b < -flat;
    }
    if (in_a && carom_vec3_dot(r, r) > carom_vec3_dot(w->a, w->a))
        w->a = r;
    if (in_b && carom_vec3_dot(r, r) > carom_vec3_dot(w->b, w->b))
        w->b = r;
    return true;
}

enum { LOOKED_AT = 64 };

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
    for (int k = 0; k < h->count + LOOKED_AT; k++) {
        int m = k < LOOKED_AT ? early_point(h, i, j, k) : k - LOOKED_AT;
        if (!fits_edge(h, w, carom_vec3_sub(h->at[m], h->at[i]), length))
            return false;
    }
    return !w->is_empty && det(w->axis, unit(w->a), w->b) > h->flat;
}

static bool repeats_another(const hull_points *h, int i)
{
    for (int m = 0; m < i; m++)
        if (!(carom_vec3_length(carom_vec3_sub(h->at[m], h->at[i])) > h->flat))
            return true;
    return false;
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
    int m = 0;
    while (m < h->count - 1 &&
           (m == i || m == j || fabs(carom_vec3_dot(n, carom_vec3_sub(h->at[m], h->at[i]))) > h->flat))
        m++;
    return m;
}

void hull_faces(const hull_points *h, hull_visit *visit, void *context)
{
    wedge w;
    for (int i = 0; i < h->count; i++) {
        if (repeats_another(h, i))
            continue;
        for (int j = i + 1; j < h->count; j++) {
            if (!find_edge(h, i, j, &w) || repeats_another(h, j))
                continue;
            carom_vec3 n[2] = {unit(carom_vec3_cross(w.a, w.axis)), unit(carom_vec3_cross(w.axis, w.b))};
            int first = third_point(h, i, j, n[1]) < third_point(h, i, j, n[0]);
            for (int k = 0; k < 2; k++)
                if (begins_face(h, i, j, n[first ^ k]))
                    visit(context, h, i, n[first ^ k]);
        }
    }
}
