#include "sim/resolve/standing.h"

#include "sim/contact/crossing.h"
#include "sim/contact/ground.h"
#include "sim/contact/island.h"
#include "sim/contact/seam.h"
#include "sim/detect/cells.h"
#include "sim/detect/near.h"

#define CROWD_REACH 1.1 /* of the radii: bodies whose middles are this close may touch soon */

/* The corner of a face may stand on the border of another; what is round stands inside. */
static bool is_on_face(const carom_sim *sim, const closed_contact *c, const snap *below, double t)
{
    snap s = snap_at(sim, c->a, t);
    double R = mover_of(sim, c->a)->radius;
    const piece *p = piece_at(sim, c->a, c->piece);
    carom_vec3 point = carom_vec3_add(s.x, quat_turn(s.q, c->foot.offset));
    if (is_ball(&c->foot))
        return true;
    if (c->foot.kind != CORE_POINT) {
        carom_vec3 down = carom_vec3_scale(-1, c->normal);
        placed here = place_piece(sim, &c->foot, &s);
        point = carom_vec3_add(support(&here, down), carom_vec3_scale(c->foot.margin, down));
    }
    bool corner = p->kind == CORE_BOX || p->kind == CORE_HULL || p->kind == CORE_SEGMENT;
    double inside = inside_ground(sim, c->b, &c->under, (touch_point){point, c->normal, *below});
    return inside > (corner ? -CARRIED_PLACE : CARRIED_PLACE) * R;
}

/* A ball on a line, a point or what is round; or a side along a line. */
static bool stands_on_line(const carom_sim *sim, const touch_place *at, int b, piece *foot, ground *under)
{
    const piece *p = piece_at(sim, at->body, at->piece);
    if (!round_ground(sim, b, at->normal, under))
        return false;
    if (p->kind == CORE_POINT)
        return is_ball(p);
    *foot = side_foot(p);
    return lies_along(sim, at->body, under);
}

static bool stands_on_body(const carom_sim *sim, const touch_place *at, int b, closed_contact *out)
{
    snap below = snap_at(sim, b, at->time);
    *out = (closed_contact){.a = at->body, .b = b, .normal = at->normal, .piece = at->piece};
    if (!foot_of(sim, at, &out->foot) || !foot_at_corner(sim, at->body, at->piece, &out->foot))
        return false;
    if (moving_face(sim, b, &below, &out->normal, &out->level)) {
        out->own_normal = quat_turn(quat_conjugate(below.q), out->normal);
        return is_on_face(sim, out, &below, at->time);
    }
    ground under;
    if (frame_of(sim, at->body)->piece_count != 1 || !stands_on_line(sim, at, b, &out->foot, &under))
        return false;
    out->under = own_ground(&under, &below);
    return true;
}

/* Bodies that are close to each other, one by one. */
typedef struct crowd {
    island bodies;
    bool is_full;
} crowd;

static void join_crowd(carom_sim *sim, int i, int j, void *context)
{
    crowd *x = context;
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    carom_vec3 d = carom_vec3_sub(mover_position(a, sim->time), mover_position(b, sim->time));
    if (b->is_movable && !x->is_full && carom_vec3_length(d) <= CROWD_REACH * (a->radius + b->radius))
        x->is_full = !island_add(&x->bodies, j);
}

/* Are two bodies among more than an island holds, all close to each other? Then they are a pile, which is stepped. */
static bool are_crowded(carom_sim *sim, int a, int b)
{
    crowd x = {{2, {a, b}}, false};
    for (int k = 0; k < x.bodies.count && !x.is_full; k++)
        visit_near(sim, x.bodies.body[k], join_crowd, &x);
    return x.is_full;
}

/* A foot of the first body on the second, or the other way round; or edges of both that cross. */
static bool stand_together(carom_sim *sim, const touch_place *at, int b, closed_contact *out)
{
    int a = at->body;
    if (frame_of(sim, a)->stepped || frame_of(sim, b)->stepped || sim->repeats || are_crowded(sim, a, b))
        return false;
    if (stands_on_body(sim, at, b, out))
        return true;
    touch_place other = {b, 0, at->point, carom_vec3_scale(-1, at->normal), at->time};
    if (frame_of(sim, b)->piece_count == 1 && stands_on_body(sim, &other, a, out))
        return true;
    if (!crossing_of(sim, at, b, out))
        return false;
    snap below = snap_at(sim, b, at->time);
    out->under = own_ground(&out->under, &below);
    return true;
}

/* A corner that passes over one of the ground leaves that below its own face. */
static bool leaves_corner_below(const carom_sim *sim, const touch_place *at, int b, carom_vec3 u, closed_contact *out)
{
    const carom_vec3 up = carom_vec3_scale(-1, at->normal), back = carom_vec3_scale(-1, u);
    touch_point below = {at->point, up, snap_at(sim, at->body, at->time)};
    return stays_inside(sim, at->body, below, back, mover_of(sim, at->body)->radius) && crossing_of(sim, at, b, out);
}

static bool stand_on_fixed(carom_sim *sim, const touch_place *at, int b, carom_vec3 u, closed_contact *out)
{
    carom_vec3 n = at->normal, none = {0, 0, 0};
    touch_point here = {at->point, n, snap_at(sim, b, at->time)};
    *out = (closed_contact){.a = at->body, .b = b, .normal = n, .piece = at->piece};
    out->level = carom_vec3_dot(n, carom_vec3_sub(at->point, here.ground.x));
    bool flat = is_ground(sim, b, n);
    if (!foot_of(sim, at, &out->foot))
        return false;
    if (!flat && stands_on_line(sim, at, b, &out->foot, &out->under))
        return true;
    out->under = (ground){.kind = GROUND_FLAT};
    if (is_whole_ball(sim, at->body, at->piece, &out->foot))
        return flat;
    closed_contact beside = *out;
    bool corner = is_corner(sim, at);
    if (!corner && crosses_seam(sim, &beside, at->point, none))
        return false;
    if (!corner && crossing_of(sim, at, b, &beside)) {
        *out = beside;
        return true;
    }
    if (flat && stays_inside(sim, b, here, u, mover_of(sim, at->body)->radius))
        return true;
    return corner && leaves_corner_below(sim, at, b, u, out);
}

bool stand_at(carom_sim *sim, const touch_place *at, int b, carom_vec3 u, closed_contact *out)
{
    if (!may_rest(sim, at->body) || !may_rest(sim, b))
        return false;
    return mover_of(sim, b)->is_movable ? stand_together(sim, at, b, out) : stand_on_fixed(sim, at, b, u, out);
}

/* The velocity of a touching contact along the ground as it is now. */
static carom_vec3 slip_after(const carom_sim *sim, const touching *m)
{
    carom_problem now;
    carom_vec3 none = {0, 0, 0};
    if (carom_bodies_reduce(&involved_at(sim, frame_of(sim, m->a)->slot)->now,
                            &involved_at(sim, frame_of(sim, m->b)->slot)->now, &m->contact, &now))
        return none;
    return carom_frame_to_world(m->contact.frame, carom_cvec_make(now.u.t1, now.u.t2, 0));
}

bool standing(carom_sim *sim, const touching *m, double t, closed_contact *out)
{
    carom_vec3 point = carom_vec3_add(mover_position(mover_of(sim, m->a), t), m->contact.arm_a);
    touch_place at = {m->a, m->piece, point, m->contact.frame.n, t};
    return stand_at(sim, &at, m->b, slip_after(sim, m), out);
}
