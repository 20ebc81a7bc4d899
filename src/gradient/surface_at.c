#include "gradient/surface_at.h"

#include <math.h>

#include "sim/shape/feature.h"

static const surface corner = {{0, 0, 0}, {1, 0, 1}}, face = {{1, 0, 1}, {0, 0, 0}};

/* x += s v v^T, v along the tangents. */
static void add_square(double x[3], double s, const double v[2])
{
    x[0] += s * v[0] * v[0];
    x[1] += s * v[0] * v[1];
    x[2] += s * v[1] * v[1];
}

/* The parts of a direction along the tangents, at unit length. */
static void along_tangents(const carom_frame *f, carom_vec3 e, double v[2])
{
    double a = carom_vec3_dot(f->t1, e), b = carom_vec3_dot(f->t2, e), size = sqrt(a * a + b * b);
    v[0] = size > 0 ? a / size : 1;
    v[1] = size > 0 ? b / size : 0;
}

/* An edge along e whose normal curvature is kappa; a side is smooth across it, with its own curvature. */
static surface edge_surface(const carom_frame *f, carom_vec3 e, double kappa)
{
    surface s = {{0, 0, 0}, {0, 0, 0}};
    double a[2];
    along_tangents(f, e, a);
    const double c[2] = {-a[1], a[0]};
    add_square(s.P, 1, a);
    add_square(s.Q, kappa, a);
    add_square(s.Q, 1, c);
    return s;
}

static surface side_surface(const carom_frame *f, carom_vec3 e, double across)
{
    surface s = face;
    double a[2];
    along_tangents(f, e, a);
    const double c[2] = {-a[1], a[0]};
    add_square(s.Q, across, c);
    return s;
}

/* An ellipsoid: s = H m. */
static surface ellipsoid_surface(const placed *p, const surface_place *w, carom_vec3 d)
{
    carom_quat back = quat_conjugate(p->q);
    const carom_vec3 *t[2] = {&w->frame->t1, &w->frame->t2};
    double H[2][2];
    for (int j = 0; j < 2; j++) {
        carom_vec3 moved = quat_turn(p->q, core_support_rate(p->piece, d, quat_turn(back, *t[j])));
        for (int i = 0; i < 2; i++)
            H[i][j] = carom_vec3_dot(*t[i], moved);
    }
    surface s = {{H[0][0], 0.5 * (H[0][1] + H[1][0]), H[1][1]}, {1, 0, 1}};
    return s;
}

/* Cylinder, cone, disk: a rim has the curvature of its circle, as far as that lies along the normal; the side of a
 * cylinder or a cone that of the circle through the point. */
static surface round_surface(const placed *p, const surface_place *w, carom_vec3 d)
{
    feature f = feature_of(p, w->outward, ROUND_PLACE);
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (f.edges == 2)
        return face;
    if (p->piece->kind == CORE_CONE && f.count == 1 && d.z > 0 &&
        vec_distance(f.point[0], p->center) < p->piece->size[2] * (1 + ROUND_PLACE) &&
        d.z * (p->piece->size[2] - p->piece->size[1]) > p->piece->size[0] * across)
        return corner;
    if (f.edges == 1) {
        carom_vec3 arm = quat_turn(quat_conjugate(p->q), carom_vec3_sub(w->point, p->center));
        double radius = sqrt(arm.x * arm.x + arm.y * arm.y);
        return side_surface(w->frame, f.edge[0], across / radius);
    }
    carom_vec3 tangent = quat_turn(p->q, carom_vec3_make(-d.y, d.x, 0));
    return edge_surface(w->frame, tangent, across / p->piece->size[0]);
}

static surface core_surface(const placed *p, const surface_place *w)
{
    carom_vec3 d = quat_turn(quat_conjugate(p->q), w->outward);
    switch (p->piece->kind) {
    case CORE_HALF_SPACE:
        return face;
    case CORE_ELLIPSOID:
        return ellipsoid_surface(p, w, d);
    case CORE_CYLINDER:
    case CORE_CONE:
    case CORE_DISK:
        return round_surface(p, w, d);
    default: {
        feature f = feature_of(p, w->outward, ROUND_PLACE);
        return f.edges == 0 ? corner : f.edges == 1 ? edge_surface(w->frame, f.edge[0], 0) : face;
    }
    }
}

/* A margin r around a core: the contact moves by r m more, (P + r Q) m = Q s. */
static void add_margin(surface *s, double r)
{
    for (int i = 0; i < 3; i++)
        s->P[i] += r * s->Q[i];
}

/* ---- which piece ---- */

/* How far a point is from a segment, and from the ball around a face. */
static double feature_distance(const feature *f, carom_vec3 x)
{
    carom_vec3 a = carom_vec3_sub(x, f->point[0]), e = carom_vec3_sub(f->point[1], f->point[0]);
    if (f->count == 1)
        return carom_vec3_length(a);
    if (f->count == 2) {
        double s = carom_vec3_dot(a, e) / carom_vec3_dot(e, e);
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        return vec_distance(a, carom_vec3_scale(s, e));
    }
    carom_vec3 middle = feature_mean(f);
    double size = vec_distance(f->point[0], middle);
    return fmax(vec_distance(x, middle) - size, 0);
}

/* Infinite when the plane through the point is not the support plane of the piece. */
static double piece_distance(const placed *p, const surface_place *w)
{
    double gap = carom_vec3_dot(w->outward, carom_vec3_sub(support(p, w->outward), w->point)) + p->piece->margin;
    if (!(fabs(gap) <= SAME * (p->piece->reach + carom_vec3_length(w->point))))
        return INFINITY;
    feature f = feature_of(p, w->outward, ROUND_PLACE);
    return feature_distance(&f, carom_vec3_sub(w->point, carom_vec3_scale(p->piece->margin, w->outward)));
}

bool surface_at(const carom_sim *sim, const surface_place *w, surface *out)
{
    const frame_of_body *frame = frame_of(sim, w->body);
    const piece *pieces = (const piece *)sim->pieces.data + frame->first_piece, *best = pieces;
    double least = INFINITY;
    if (pieces->kind == CORE_HALF_SPACE) {
        *out = face;
        return true;
    }
    for (int k = 0; k < frame->piece_count && frame->piece_count > 1; k++) {
        placed p = place_piece(sim, &pieces[k], &w->at);
        double distance = piece_distance(&p, w);
        best = distance < least ? &pieces[k] : best;
        least = fmin(distance, least);
    }
    if (frame->piece_count > 1 && least == INFINITY)
        return false;
    placed p = place_piece(sim, best, &w->at);
    *out = core_surface(&p, w);
    add_margin(out, best->margin);
    return true;
}
