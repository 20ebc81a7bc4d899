#include "sim/contact/crossing.h"

#include "sim/contact/closed_list.h"
#include "sim/contact/ground.h"
#include "sim/shape/feature.h"

/* What the core of a piece adds to a line that stands for it. */
static double core_radius(const piece *p)
{
    return p->kind == CORE_CYLINDER ? p->size[0] : 0;
}

/* The edge of a feature with corners that a point of its core is on, but not at its ends. */
static bool edge_through(const feature *f, carom_vec3 point, double near, ground *out)
{
    int count = f->count == 2 ? 1 : f->count;
    for (int k = 0; k < count && f->count > 1; k++) {
        ground g = ground_between(feature_point(f, k), feature_point(f, (k + 1) % f->count), 0);
        carom_vec3 d = carom_vec3_sub(point, g.at);
        double along = carom_vec3_dot(d, g.axis);
        if (carom_vec3_length(vec_across(d, g.axis)) <= near && fabs(along) <= g.half - near) {
            *out = g;
            return true;
        }
    }
    return false;
}

/* The edge of a piece, or the line that stands for it, where it is touched along n (outwards) at a point. */
static bool edge_at(const placed *here, carom_vec3 n, carom_vec3 point, ground *out)
{
    const piece *p = here->piece;
    feature f = feature_of(here, n, SAME);
    carom_vec3 along = from_piece(here, carom_vec3_make(0, 0, p->size[1]));
    switch (p->kind) {
    case CORE_CYLINDER:
        *out = ground_between(carom_vec3_sub(here->center, along), carom_vec3_add(here->center, along), 0);
        out->radius = p->size[0] + p->margin;
        return f.count == 2;
    case CORE_SEGMENT:
    case CORE_BOX:
    case CORE_HULL:
        if (!edge_through(&f, carom_vec3_sub(point, carom_vec3_scale(p->margin, n)), CARRIED_PLACE * p->reach, out))
            return false;
        out->radius = p->margin;
        return true;
    default:
        return false;
    }
}

/* A line as a foot of the body that s is of. */
static piece segment_foot(const piece *p, const ground *line, const snap *s)
{
    ground own = own_ground(line, s);
    piece foot = {.kind = CORE_SEGMENT, .size = {own.half}, .margin = own.radius, .offset = own.at, .reach = p->reach};
    foot.turn = quat_to_line(own.axis);
    return foot;
}

/* The face of a body that a corner of b touches, as a foot: its outer normal and level in body axes. */
static bool face_on_corner(const carom_sim *sim, const placed *A, const placed *B, const snap *s, const touch_place *at,
                           closed_contact *out)
{
    carom_vec3 n = at->normal, down = carom_vec3_scale(-1, n);
    feature face = feature_of(A, down, SAME), under = feature_of(B, n, SAME);
    bool straight = (A->piece->kind == CORE_BOX || A->piece->kind == CORE_HULL) && !(A->piece->margin > 0);
    carom_vec3 m;
    if (!straight || B->piece->margin > 0 || !face_normal(sim, &face, down, &m))
        return false;
    out->foot = (piece){.kind = CORE_HALF_SPACE, .reach = A->piece->reach, .turn = {1, 0, 0, 0}};
    out->foot.offset = quat_turn(quat_conjugate(s->q), m);
    out->foot.size[0] = carom_vec3_dot(m, carom_vec3_sub(face.point[0], s->x));
    for (int k = 0; k < under.count; k++) {
        out->under = (ground){.kind = GROUND_POINT, .at = feature_point(&under, k), .sharp = true};
        if (vec_distance(out->under.at, at->point) <= CARRIED_PLACE * B->piece->reach)
            return true;
    }
    return false;
}

bool crossing_of(const carom_sim *sim, const touch_place *at, int b, closed_contact *out)
{
    const piece *p = piece_at(sim, at->body, at->piece);
    ground above;
    if (b >= sim->given || !can_carry(sim, b) || frame_of(sim, at->body)->piece_count != 1)
        return false;
    snap sa = snap_at(sim, at->body, at->time), sb = snap_at(sim, b, at->time);
    placed A = place_piece(sim, p, &sa), B = place_piece(sim, piece_at(sim, b, 0), &sb);
    *out = (closed_contact){.a = at->body, .b = b, .normal = at->normal, .piece = at->piece};
    if (!mover_of(sim, b)->is_movable && face_on_corner(sim, &A, &B, &sa, at, out))
        return true;
    if (sim->scene->dim == 2 || !edge_at(&A, carom_vec3_scale(-1, at->normal), at->point, &above) ||
        !edge_at(&B, at->normal, at->point, &out->under))
        return false;
    out->foot = segment_foot(p, &above, &sa);
    return carom_vec3_length(carom_vec3_cross(above.axis, out->under.axis)) > SMALL_SHARE;
}

/* ---- where a corner passes over an edge ---- */

/* Edge k of a feature, from a point on it: at an end, inside, or not on it. */
typedef struct edge_from {
    ground line;
    bool on, ends, of_face;
    carom_vec3 along,
        out; /* from the end that the point is; across the edge, out of the face or where the corner goes */
} edge_from;

/* u: the velocity of what passes over it. */
static edge_from edge_seen(const feature *f, int k, const touch_place *at, double near, carom_vec3 u)
{
    carom_vec3 n = at->normal, point = at->point;
    edge_from e = {.line = ground_between(feature_point(f, k), feature_point(f, (k + 1) % f->count), 0)};
    carom_vec3 d = carom_vec3_sub(point, e.line.at);
    double along = carom_vec3_dot(d, e.line.axis);
    e.on = carom_vec3_length(vec_across(d, e.line.axis)) <= near && fabs(along) <= e.line.half + near;
    e.ends = e.on && fabs(along) >= e.line.half - near;
    e.of_face = f->count > 2;
    e.along = carom_vec3_scale(along > 0 ? -1 : 1, e.line.axis);
    e.out = carom_vec3_cross(e.line.axis, n);
    if (carom_vec3_dot(e.out, e.of_face ? carom_vec3_sub(e.line.at, feature_mean(f)) : u) < 0)
        e.out = carom_vec3_scale(-1, e.out);
    return e;
}

/* The corner has gone out over the other edge, and its own edge leads back. u: the velocity of a against b. */
static bool comes_to_cross(const edge_from *a, const edge_from *b, carom_vec3 u)
{
    if (!a->on || !b->on || a->ends == b->ends || !(a->of_face || b->of_face))
        return false;
    if ((a->ends ? carom_vec3_dot(u, b->out) : -carom_vec3_dot(u, a->out)) < -SAME * carom_vec3_length(u))
        return false; /* it comes in */
    return carom_vec3_dot(a->ends ? a->along : b->along, a->ends ? b->out : a->out) < -SMALL_SHARE;
}

int crossings_at_corner(const carom_sim *sim, const touch_place *at, int b, carom_vec3 u,
                        closed_contact out[CORNER_EDGES])
{
    const piece *p = piece_at(sim, at->body, at->piece);
    int count = 0;
    if (b >= sim->given || !can_carry(sim, b) || frame_of(sim, at->body)->piece_count != 1 || sim->scene->dim == 2)
        return 0;
    snap sa = snap_at(sim, at->body, at->time), sb = snap_at(sim, b, at->time);
    placed A = place_piece(sim, p, &sa), B = place_piece(sim, piece_at(sim, b, 0), &sb);
    feature above = feature_of(&A, carom_vec3_scale(-1, at->normal), SAME), below = feature_of(&B, at->normal, SAME);
    bool side = p->kind == CORE_CYLINDER || p->kind == CORE_SEGMENT;
    bool corners = ((p->margin == 0 && (p->kind == CORE_BOX || p->kind == CORE_HULL)) || side) &&
                   B.piece->margin == 0 && (B.piece->kind == CORE_BOX || B.piece->kind == CORE_HULL);
    carom_vec3 none = {0, 0, 0}; /* a side rolls: its places move otherwise than its points */
    touch_place core = *at;
    core.point = vec_plus(at->point, p->margin, at->normal);
    for (int i = 0; corners && i < above.count && above.count > 1; i++)
        for (int j = 0; j < below.count && below.count > 1 && count < CORNER_EDGES; j++) {
            edge_from x = edge_seen(&above, i, &core, CARRIED_PLACE * p->reach, carom_vec3_scale(-1, u));
            edge_from y = edge_seen(&below, j, at, CARRIED_PLACE * B.piece->reach, u);
            if (!comes_to_cross(&x, &y, side ? none : u))
                continue;
            out[count] = (closed_contact){.a = at->body, .b = b, .normal = at->normal, .piece = at->piece};
            if (p->kind == CORE_CYLINDER)
                edge_at(&A, carom_vec3_scale(-1, at->normal), at->point, &x.line);
            x.line.radius = max(x.line.radius, p->margin);
            out[count].under = mover_of(sim, b)->is_movable ? own_ground(&y.line, &sb) : y.line;
            out[count++].foot = segment_foot(p, &x.line, &sa);
        }
    return count;
}

/* ---- how it stands ---- */

static carom_vec3 cross(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_cross(a, b);
}

static double dot(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_dot(a, b);
}

static carom_vec3 add(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_add(a, b);
}

static carom_vec3 times(double s, carom_vec3 a)
{
    return carom_vec3_scale(s, a);
}

/* Lines x_a + p + s a and q + t b are nearest where s = (d x b).m / m.m with m = a x b, d = q - x_a - p; the normal is
 * m over its length. */
static crossing edges_cross(const piece *foot, const ground *under, const crossing_bodies *x, carom_vec3 towards)
{
    const snap *A = &x->at_a, *B = &x->at_b;
    carom_vec3 p = quat_turn(A->q, foot->offset), b = under->axis;
    carom_vec3 a = quat_turn(quat_multiply(A->q, foot->turn), carom_vec3_make(0, 0, 1));
    carom_vec3 a_rate = cross(A->w, a), b_rate = cross(B->w, b), m = cross(a, b);
    carom_vec3 m_rate = add(cross(a_rate, b), cross(a, b_rate)), d = carom_vec3_sub(under->at, add(A->x, p));
    carom_vec3 p_rate = cross(A->w, p), q_rate = add(B->v, cross(B->w, carom_vec3_sub(under->at, B->x)));
    carom_vec3 d_rate = carom_vec3_sub(q_rate, add(A->v, p_rate));
    double D = dot(m, m), size = sqrt(D), sign = dot(m, towards) < 0 ? -1 : 1, s = dot(cross(d, b), m) / D;
    double N_rate = dot(add(cross(d_rate, b), cross(d, b_rate)), m) + dot(cross(d, b), m_rate);
    double s_rate = (N_rate - 2 * s * dot(m, m_rate)) / D;
    crossing c = {.n = times(sign / size, m), .arm = add(p, times(s, a)), .along = s};
    c.n_rate = times(sign / size, carom_vec3_sub(m_rate, times(dot(m, m_rate) / D, m)));
    c.arm_rate = add(p_rate, add(times(s_rate, a), times(s, a_rate)));
    return c;
}

/* The face turns with a, and is touched by the corner, or as close to it as the face comes. */
static crossing face_stands(const piece *foot, const ground *under, const crossing_bodies *x)
{
    const snap *A = &x->at_a;
    carom_vec3 out = quat_turn(A->q, foot->offset), out_rate = cross(A->w, out);
    carom_vec3 d = carom_vec3_sub(under->at, A->x), d_rate = times(-1, A->v);
    double e = dot(out, d) - foot->size[0], e_rate = dot(out_rate, d) + dot(out, d_rate);
    crossing c = {.n = times(-1, out), .n_rate = times(-1, out_rate), .arm = carom_vec3_sub(d, times(e, out))};
    c.arm_rate = carom_vec3_sub(d_rate, add(times(e_rate, out), times(e, out_rate)));
    return c;
}

crossing crossing_at(const piece *foot, const ground *under, const crossing_bodies *x, carom_vec3 towards)
{
    return foot->kind == CORE_SEGMENT ? edges_cross(foot, under, x, towards) : face_stands(foot, under, x);
}

/* How far a piece comes over the plane through a point of its own core, along n. */
static double beyond(const carom_sim *sim, const piece *p, const snap *s, carom_vec3 n, carom_vec3 point)
{
    placed here = place_piece(sim, p, s);
    return dot(n, carom_vec3_sub(support(&here, n), point)) - core_radius(p);
}

/* Do the two bodies of a crossing also stand on each other with feet on a face? Then they lie flat. */
static bool lies_flat(const carom_sim *sim, const closed_contact *c)
{
    const closed_contact *other = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (other[k].under.kind == GROUND_FLAT && connects(&other[k], c->a, c->b))
            return true;
    return false;
}

double under_plane(const carom_sim *sim, const closed_contact *c, const ground *under, const crossing_bodies *x)
{
    const piece *A = piece_at(sim, c->a, c->piece), *B = piece_at(sim, c->b, 0);
    crossing now = crossing_at(&c->foot, under, x, c->normal);
    if (lies_flat(sim, c))
        return INFINITY;
    /* less beyond the plane does not touch yet: places here are new, and good to a digit more */
    double below = 0.1 * ROUND_PLACE * B->reach - beyond(sim, B, &x->at_b, now.n, under->at);
    if (c->foot.kind == CORE_HALF_SPACE)
        return below;
    return min(below, /* likewise */
               0.1 * ROUND_PLACE * A->reach - beyond(sim, A, &x->at_a, times(-1, now.n), add(x->at_a.x, now.arm)));
}

double inside_crossing(const carom_sim *sim, const closed_contact *c, const ground *under, const crossing_bodies *x)
{
    crossing now = crossing_at(&c->foot, under, x, c->normal);
    carom_vec3 place = add(x->at_a.x, now.arm);
    if (c->foot.kind == CORE_HALF_SPACE) {
        const ground flat = {.kind = GROUND_FLAT};
        touch_point at = {place, times(-1, now.n), x->at_a};
        return inside_ground(sim, c->a, &flat, at);
    }
    double along = dot(under->axis, carom_vec3_sub(place, under->at));
    return min(c->foot.size[0] - fabs(now.along), under->half - fabs(along));
}

bool have_crossing(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if ((is_crossing(&c[k].foot) || is_side(sim, &c[k])) && connects(&c[k], i, j))
            return true;
    return false;
}
