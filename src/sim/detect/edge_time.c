#include "sim/contact/foot.h"
#include "sim/contact/seam.h"
#include "sim/detect/meeting.h"
#include "sim/detect/touching_pair.h"
#include "sim/motion/motion.h"
#include "sim/shape/feature.h"

/* The edge from p to q of a face of body j, as a piece of j. */
static piece edge_piece(const carom_sim *sim, int j, const piece *from, carom_vec3 p, carom_vec3 q)
{
    snap s = snap_at(sim, j, sim->time);
    carom_quat back = quat_conjugate(s.q);
    carom_vec3 middle = carom_vec3_scale(0.5, carom_vec3_add(p, q)), half = carom_vec3_scale(0.5, carom_vec3_sub(q, p));
    double length = carom_vec3_length(half);
    piece out = {.kind = length > 0 ? CORE_SEGMENT : CORE_POINT, .size = {length}, .margin = from->margin};
    carom_vec3 d = length > 0 ? quat_turn(back, carom_vec3_scale(1 / length, half)) : carom_vec3_make(0, 0, 1);
    out.turn = quat_to_line(d);
    out.offset = quat_turn(back, carom_vec3_sub(middle, s.x));
    out.reach = carom_vec3_length(out.offset) + length + from->margin;
    out.is_flat = from->is_flat;
    return out;
}

static double to_segment(carom_vec3 x, carom_vec3 p, carom_vec3 q)
{
    carom_vec3 a = carom_vec3_sub(x, p), e = carom_vec3_sub(q, p);
    double square = carom_vec3_dot(e, e), s = square > 0 ? carom_vec3_dot(a, e) / square : 0;
    return vec_distance(a, carom_vec3_scale(max(0, min(1, s)), e));
}

/* Is a foot of body i about to pass over the edge? */
static bool is_at_foot(const carom_sim *sim, int i, carom_vec3 p, carom_vec3 q)
{
    const closed_contact *c = sim->closed.data;
    snap s = snap_at(sim, i, sim->time);
    for (size_t k = 0; k < sim->closed.count; k++) {
        carom_vec3 arm =
            carom_vec3_sub(quat_turn(s.q, c[k].foot.offset), carom_vec3_scale(c[k].foot.margin, c[k].normal));
        /* a foot on its way over the edge */
        if (c[k].a == i && to_segment(carom_vec3_add(s.x, arm), p, q) <= VISIBLE * mover_of(sim, i)->radius)
            return true;
    }
    return false;
}

/* Is a point above the face of j, which contact c stands on as well? */
static bool is_over(const carom_sim *sim, const closed_contact *c, int j, carom_vec3 point)
{
    const ground flat = {.kind = GROUND_FLAT};
    touch_point at = {point, c->normal, snap_at(sim, j, sim->time)};
    return stands_on(sim, c, j) && inside_ground(sim, j, &flat, at) > 0;
}

/* Does the ground of contact c go on beyond a point at the border of j? */
static bool goes_on(const carom_sim *sim, const closed_contact *c, int j, carom_vec3 beyond)
{
    const int *fixed = store_ints(&sim->fixed);
    for (size_t k = 0; k < sim->fixed.count; k++)
        if (fixed[k] != j && is_over(sim, c, fixed[k], beyond))
            return true;
    facet_walk w = facets_at(sim, beyond, mover_of(sim, c->a)->radius);
    for (int k; (k = facet_next(&w)) >= 0;)
        if (sim->given + k != j && is_over(sim, c, sim->given + k, beyond))
            return true;
    return false;
}

static carom_vec3 beyond_edge(const feature *f, int k, double by)
{
    carom_vec3 edge = carom_vec3_add(feature_point(f, k), feature_point(f, (k + 1) % f->count));
    edge = f->count == 2 ? f->point[k] : carom_vec3_scale(0.5, edge);
    carom_vec3 out = carom_vec3_sub(edge, feature_mean(f));
    return vec_plus(edge, by / carom_vec3_length(out), out);
}

/* A foot of i on j with a face under it, which has edges; or null. */
static const closed_contact *foot_on_face(const carom_sim *sim, int i, int j, const placed *here, feature *f)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++) {
        if (c[k].a != i || c[k].under.kind != GROUND_FLAT || !stands_on(sim, &c[k], j))
            continue;
        *f = feature_of(here, c[k].normal, ROUND_PLACE);
        bool straight = here->piece->kind == CORE_BOX || here->piece->kind == CORE_HULL;
        return straight && f->edges == (sim->scene->dim == 2 ? 1 : 2) ? &c[k] : NULL;
    }
    return NULL;
}

double edges_time(const pieces_pair *full, search *range)
{
    const carom_sim *sim = full->sim;
    feature f;
    snap s = snap_at(sim, full->j, sim->time);
    placed here = place_piece(sim, piece_at(sim, full->j, 0), &s);
    const closed_contact *c = foot_on_face(sim, full->i, full->j, &here, &f);
    double first = INFINITY;
    bool flush = c && are_flush(sim, full->i, full->j); /* then no edge comes out of the plane */
    for (int k = 0; c && !flush && k < f.count; k++) {
        carom_vec3 p = feature_point(&f, k), q = f.count == 2 ? p : feature_point(&f, (k + 1) % f.count);
        if (is_at_foot(sim, full->i, p, q) ||
            goes_on(sim, c, full->j, beyond_edge(&f, k, VISIBLE * mover_of(sim, full->i)->radius)))
            continue;
        piece edge = edge_piece(sim, full->j, full->b, p, q);
        pieces_pair pair = *full;
        pair.b = &edge;
        first = min(first, pieces_time(&pair, range));
        range->end = min(range->end, first);
    }
    return first;
}
