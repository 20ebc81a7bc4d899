#include "sim/shape/exact_axis.h"

bool do_cross(const feature *f, const feature *g, carom_vec3 n, double tol)
{
    carom_vec3 r = vec_across(carom_vec3_sub(feature_middle(g), feature_middle(f)), n), e = half_edge(f),
               h = half_edge(g);
    double ee = carom_vec3_dot(e, e), eh = carom_vec3_dot(e, h), hh = carom_vec3_dot(h, h), er = carom_vec3_dot(e, r),
           hr = carom_vec3_dot(h, r), det = ee * hh - eh * eh, s = 0, t = 0;
    if (f->edges && g->edges) { /* s e - t h = r */
        if (!(det > VISIBLE * ee * hh))
            return false;
        s = (hh * er - eh * hr) / det, t = (eh * er - ee * hr) / det;
    } else if (f->edges) {
        s = er / ee;
    } else if (g->edges) {
        t = -hr / hh;
    }
    r = vec_plus(vec_plus(r, -s, e), t, h);
    return fabs(s) <= 1 && fabs(t) <= 1 && carom_vec3_length(r) <= tol;
}

static carom_vec3 unit_like(carom_vec3 v, carom_vec3 n)
{
    double length = carom_vec3_length(v);
    if (!(length > SAME))
        return n;
    return carom_vec3_scale((carom_vec3_dot(v, n) < 0 ? -1 : 1) / length, v);
}

static carom_vec3 normal_of_face(const feature *f, carom_vec3 n)
{
    return unit_like(carom_vec3_cross(f->edge[0], f->edge[1]), n);
}

static void take_wider(const placed *a, const placed *b, carom_vec3 axis, double *gap, carom_vec3 *n)
{
    double found = gap_along(a, b, axis);
    if (found > *gap + TOUCH_TOL * (a->piece->reach + b->piece->reach))
        *gap = found, *n = axis;
}

/* Side k of a face, an edge itself, or the axis of a cylinder whose side it is. */
static feature side_of(const feature *f, int k)
{
    feature side = {.count = 2, .edges = 1, .point = {feature_point(f, k), feature_point(f, (k + 1) % f->count)}};
    const placed *p = f->of;
    if (p->piece->kind == CORE_CYLINDER)
        for (int m = 0; m < 2; m++)
            side.point[m] = vec_plus(p->center, (m ? 1 : -1) * p->piece->size[1], p->axis[2]);
    side.edge[0] = unit_or(carom_vec3_sub(side.point[1], side.point[0]), f->edge[0]);
    return side;
}

static int side_count(const feature *f)
{
    bool side = f->edges == 1 && f->of->piece->kind == CORE_CYLINDER;
    return is_round(f->of) && !side ? 0 : f->edges == 1 ? 1 : f->count;
}

/* The axis across two sides: of parallel ones from one to the other. */
static carom_vec3 axis_across(const feature *e, const feature *f, carom_vec3 n)
{
    carom_vec3 cross = carom_vec3_cross(e->edge[0], f->edge[0]);
    if (carom_vec3_length(cross) > VISIBLE)
        return do_cross(e, f, n, INFINITY) ? unit_like(cross, n) : n;
    return unit_like(vec_across(carom_vec3_sub(feature_middle(e), feature_middle(f)), f->edge[0]), n);
}

/* A face and a face or an edge that are nearly parallel: where they lie over each other the lowest place is a corner of
 * one over the face of the other, or a crossing of their sides. No axis is wider than the lowest place is high. */
static carom_vec3 axis_of_faces(const placed *a, const placed *b, const feature *fa, const feature *fb, carom_vec3 n)
{
    double gap = -INFINITY;
    carom_vec3 best = n;
    if (fb->edges == 2) {
        carom_vec3 normal = normal_of_face(fb, n);
        take_wider(a, b, normal, &gap, &best);
        if (face_holds(fb, normal, support(a, carom_vec3_scale(-1, normal))))
            return best;
    }
    if (fa->edges == 2) {
        carom_vec3 normal = normal_of_face(fa, n);
        take_wider(a, b, normal, &gap, &best);
        if (face_holds(fa, normal, support(b, normal)))
            return best;
    }
    take_wider(a, b, n, &gap, &best); /* found before */
    for (int i = 0; i < side_count(fa); i++) {
        feature e = side_of(fa, i);
        for (int k = 0; k < side_count(fb); k++) {
            feature f = side_of(fb, k);
            carom_vec3 across = axis_across(&e, &f, n);
            if (vec_distance(across, n) > 0) /* they cross */
                take_wider(a, b, across, &gap, &best);
        }
    }
    return best;
}

carom_vec3 refine_within(const placed *a, const placed *b, carom_vec3 n, double flat)
{
    feature fa = feature_of(a, carom_vec3_scale(-1, n), flat), fb = feature_of(b, n, flat);
    if (flat <= VISIBLE && fb.edges && fa.edges && fb.edges + fa.edges > 2)
        return axis_of_faces(a, b, &fa, &fb, n);
    if (fb.edges == 2)
        return normal_of_face(&fb, n);
    if (fa.edges == 2)
        return normal_of_face(&fa, n);
    if (fa.edges && fb.edges && !a->piece->is_flat) {
        carom_vec3 cross = carom_vec3_cross(fa.edge[0], fb.edge[0]);
        if (carom_vec3_length(cross) > VISIBLE)
            return unit_like(cross, n);
    }
    if (fa.edges || fb.edges) {
        carom_vec3 e = fa.edges ? fa.edge[0] : fb.edge[0];
        return unit_like(vec_plus(n, -carom_vec3_dot(n, e), e), n);
    }
    return n;
}
