#include "sim/contact/ground.h"

#include "sim/motion/driven_path.h"
#include "sim/shape/feature.h"

static placed placed_at(const carom_sim *sim, int b, const snap *s)
{
    return place_piece(sim, piece_at(sim, b, 0), s);
}

/* The face of a body that is furthest along n; no edges when there is none. */
static feature ground_face(const carom_sim *sim, int b, carom_vec3 n, const placed *here)
{
    feature none = {.count = 0};
    if (frame_of(sim, b)->piece_count != 1)
        return none;
    feature f = feature_of(here, n, SAME);
    return f.edges == 2 && here->piece->kind != CORE_CYLINDER && here->piece->kind != CORE_CONE ? f : none;
}

/* In the plane an edge of a polygon is its face. */
static bool has_face(const carom_sim *sim, int b, carom_vec3 n, const snap *s)
{
    placed here = placed_at(sim, b, s);
    if (sim->scene->dim == 3)
        return ground_face(sim, b, n, &here).edges == 2;
    return frame_of(sim, b)->piece_count == 1 && feature_of(&here, n, SAME).edges == 1;
}

/* The round end of a cylinder, or a disk. */
static bool is_round_face(const carom_sim *sim, int b, carom_vec3 n, const snap *s)
{
    if (!has_round_face(sim, b))
        return false;
    placed here = placed_at(sim, b, s);
    return carom_vec3_length(carom_vec3_cross(quat_turn(here.q, carom_vec3_make(0, 0, 1)), n)) <= SAME;
}

bool has_round_face(const carom_sim *sim, int b)
{
    core_kind kind = piece_at(sim, b, 0)->kind;
    return sim->scene->dim == 3 && frame_of(sim, b)->piece_count == 1 && !mover_of(sim, b)->is_movable &&
           (kind == CORE_CYLINDER || kind == CORE_DISK);
}

/* A turntable keeps its faces where they are: it does not turn, or about the normal. */
static bool keeps_face(const carom_sim *sim, int b, carom_vec3 n)
{
    const driven *d = driven_of(sim, b);
    carom_vec3 w = frame_of(sim, b)->turn.w, none = {0, 0, 0};
    if (d)
        w = driven_turns(d) ? d->axis : none;
    return carom_vec3_length(carom_vec3_cross(w, n)) <= SAME * carom_vec3_length(w);
}

bool is_ground(const carom_sim *sim, int b, carom_vec3 n)
{
    if (is_plane(sim, b))
        return true;
    if (mover_of(sim, b)->is_movable || mover_of(sim, b)->is_sphere || !keeps_face(sim, b, n))
        return false;
    snap s = snap_at(sim, b, sim->time);
    return is_round_face(sim, b, n, &s) || has_face(sim, b, n, &s);
}

/* How far inside a round face. */
static double inside_round(const carom_sim *sim, int b, touch_point place)
{
    placed here = placed_at(sim, b, &place.ground);
    carom_vec3 d = carom_vec3_sub(place.point, here.center);
    d = vec_across(d, place.normal);
    return here.piece->size[0] + here.piece->margin - carom_vec3_length(d);
}

/* How far inside the face of b a point above it is, along the face; infinite for a half-space. */
static double inside_face(const carom_sim *sim, int b, touch_point place)
{
    carom_vec3 n = place.normal, point = place.point;
    double least = INFINITY;
    if (is_plane(sim, b))
        return least;
    if (is_round_face(sim, b, n, &place.ground))
        return inside_round(sim, b, place);
    placed here = placed_at(sim, b, &place.ground);
    feature f = ground_face(sim, b, n, &here);
    if (sim->scene->dim == 2) {
        f = feature_of(&here, n, SAME);
        carom_vec3 e = f.edge[0];
        double at = carom_vec3_dot(e, carom_vec3_sub(point, f.point[0]));
        double end = carom_vec3_dot(e, carom_vec3_sub(f.point[1], f.point[0]));
        return end > 0 ? min(at, end - at) : min(-at, at - end);
    }
    carom_vec3 middle = feature_mean(&f);
    for (int i = 0; i < f.count; i++) {
        carom_vec3 p = feature_point(&f, i), e = carom_vec3_sub(feature_point(&f, (i + 1) % f.count), p);
        carom_vec3 m = carom_vec3_cross(n, e);
        double side = carom_vec3_dot(m, carom_vec3_sub(middle, p)) < 0 ? -1 : 1;
        least = min(least, side * carom_vec3_dot(m, carom_vec3_sub(point, p)) / carom_vec3_length(m));
    }
    return least;
}

/* ---- grounds of balls ---- */

bool can_carry(const carom_sim *sim, int b)
{
    const mover *m = mover_of(sim, b);
    carom_vec3 w = frame_of(sim, b)->turn.w;
    bool rests = !m->track && !is_plane(sim, b) && carom_vec3_length(m->v) == 0 && carom_vec3_length(w) == 0;
    return (m->is_movable || rests) && frame_of(sim, b)->piece_count == 1;
}

static placed placed_ground(const carom_sim *sim, int b)
{
    snap s = snap_at(sim, b, sim->time);
    return placed_at(sim, b, &s);
}

ground ground_between(carom_vec3 p, carom_vec3 q, double radius)
{
    carom_vec3 half = carom_vec3_scale(0.5, carom_vec3_sub(q, p));
    double length = carom_vec3_length(half);
    ground g = {
        .kind = length > 0 ? GROUND_LINE : GROUND_POINT, .half = length, .radius = radius, .sharp = radius == 0};
    g.at = carom_vec3_add(p, half);
    g.axis = carom_vec3_scale(length > 0 ? 1 / length : 0, half);
    return g;
}

bool round_ground(const carom_sim *sim, int b, carom_vec3 n, ground *out)
{
    if (!can_carry(sim, b))
        return false;
    placed here = placed_ground(sim, b);
    const piece *p = here.piece;
    feature f = feature_of(&here, n, SAME);
    carom_vec3 along = quat_turn(here.q, carom_vec3_make(0, 0, p->size[1]));
    switch (p->kind) {
    case CORE_POINT:
        *out = ground_between(here.center, here.center, p->margin);
        return true;
    case CORE_CYLINDER: /* its side */
        *out = ground_between(carom_vec3_sub(here.center, along), carom_vec3_add(here.center, along), p->size[0]);
        return f.count == 2;
    case CORE_SEGMENT:
    case CORE_BOX:
    case CORE_HULL:
        *out = ground_between(f.point[0], f.point[f.count == 2], p->margin);
        return f.count <= 2;
    default:
        return false;
    }
}

bool lies_along(const carom_sim *sim, int a, const ground *line)
{
    snap s = snap_at(sim, a, sim->time);
    placed here = placed_at(sim, a, &s);
    const piece *p = here.piece;
    if (line->kind != GROUND_LINE || frame_of(sim, a)->piece_count != 1 ||
        !(p->kind == CORE_CYLINDER || (p->kind == CORE_SEGMENT && p->margin > 0)))
        return false;
    double half = p->size[p->kind == CORE_CYLINDER];
    double away = fabs(carom_vec3_dot(carom_vec3_sub(here.center, line->at), line->axis));
    return carom_vec3_length(carom_vec3_cross(here.axis[2], line->axis)) <= SAME &&
           (away <= SAME * p->reach || away + half <= line->half);
}

bool border_ground(const carom_sim *sim, int b, carom_vec3 n, carom_vec3 point, ground *out)
{
    if (!can_carry(sim, b) || has_round_face(sim, b))
        return false;
    placed here = placed_ground(sim, b);
    feature f = feature_of(&here, n, SAME);
    double nearest = INFINITY;
    if (sim->scene->dim == 2) { /* the face is an edge, and ends at a corner */
        double low = vec_distance(point, f.point[0]);
        int end = f.count == 2 && vec_distance(point, f.point[1]) < low;
        *out = ground_between(f.point[end], f.point[end], 0);
        return f.count == 2;
    }
    for (int i = 0; i < f.count && f.count > 2; i++) {
        carom_vec3 p = feature_point(&f, i), q = feature_point(&f, (i + 1) % f.count);
        ground g = ground_between(p, q, 0);
        double away = carom_vec3_length(carom_vec3_cross(g.axis, carom_vec3_sub(point, p)));
        if (away < nearest)
            nearest = away, *out = g;
    }
    return nearest < INFINITY;
}

bool face_normal(const carom_sim *sim, const feature *f, carom_vec3 n, carom_vec3 *normal)
{
    carom_vec3 up = {0, 0, 1}, m = sim->scene->dim == 2 ? up : f->edge[1];
    if (f->edges != (sim->scene->dim == 2 ? 1 : 2))
        return false;
    m = carom_vec3_cross(f->edge[0], m);
    *normal = carom_vec3_scale((carom_vec3_dot(m, n) < 0 ? -1 : 1) / carom_vec3_length(m), m);
    return true;
}

bool face_ground(const carom_sim *sim, int b, carom_vec3 n, carom_vec3 *normal)
{
    placed here = placed_ground(sim, b);
    feature f = feature_of(&here, n, 0.1 * VISIBLE); /* beyond the edge, and on the face */
    return !(here.piece->margin > 0) && face_normal(sim, &f, n, normal);
}

bool moving_face(const carom_sim *sim, int b, const snap *s, carom_vec3 *n, double *level)
{
    if (!mover_of(sim, b)->is_movable || !has_face(sim, b, *n, s))
        return false;
    placed here = placed_at(sim, b, s);
    feature f = feature_of(&here, *n, SAME);
    if (here.piece->margin > 0 || !face_normal(sim, &f, *n, n))
        return false;
    *level = carom_vec3_dot(*n, carom_vec3_sub(f.point[0], s->x));
    return true;
}

double inside_ground(const carom_sim *sim, int b, const ground *g, touch_point at)
{
    carom_vec3 n = at.normal, point = at.point;
    if (g->kind == GROUND_FLAT)
        return inside_face(sim, b, at);
    carom_vec3 d = carom_vec3_sub(point, g->at);
    double end = g->kind == GROUND_LINE ? g->half - fabs(carom_vec3_dot(d, g->axis)) : INFINITY;
    if (!g->sharp)
        return end;
    placed here = placed_at(sim, b, &at.ground);
    double beyond = carom_vec3_dot(n, carom_vec3_sub(support(&here, n), g->at));
    return min(end, SAME * here.piece->reach - beyond); /* such a normal still belongs to the edge */
}

bool stays_inside(const carom_sim *sim, int b, touch_point at, carom_vec3 u, double size)
{
    const ground flat = {.kind = GROUND_FLAT};
    double inside = inside_ground(sim, b, &flat, at), speed = carom_vec3_length(u);
    if (fabs(inside) > CARRIED_PLACE * size)
        return inside > 0;
    if (speed > VISIBLE * size) /* a little later */
        at.point = vec_plus(at.point, VISIBLE * size / speed, u);
    return inside_ground(sim, b, &flat, at) >= -CARRIED_PLACE * size;
}

ground own_ground(const ground *g, const snap *s)
{
    ground own = *g;
    carom_quat back = quat_conjugate(s->q);
    own.at = quat_turn(back, carom_vec3_sub(g->at, s->x));
    own.axis = quat_turn(back, g->axis);
    return own;
}
