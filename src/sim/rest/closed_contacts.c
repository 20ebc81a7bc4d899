#include "sim/rest/closed_contacts.h"

#include "sim/contact/closed_list.h"
#include "sim/contact/ground.h"
#include "sim/contact/seam.h"
#include "sim/detect/impact_time.h"
#include "sim/motion/course.h"
#include "sim/resolve/sim_events.h"
#include "sim/rest/settle.h"

void tell_change(carom_sim *sim, carom_sim_event_kind kind, const closed_contact *c, double energy)
{
    carom_sim_contact contact = {.a = c->a, .b = owner_of(sim, c->b), .rule = rule_at_rest(sim, c->a, c->b)};
    contact.arm_a = closed_arm(sim, c, sim->time, &contact.normal);
    contact.def_a = def_at(sim, c->a, sim->time);
    contact.def_b = def_at(sim, c->b, sim->time);
    contact.arm_b = carom_vec3_sub(carom_vec3_add(contact.def_a.position, contact.arm_a), contact.def_b.position);
    carom_sim_event event = {kind, sim->time, 1, &contact, NULL, NULL, energy, NULL};
    observe_change(sim, &event);
}

void open_contact(carom_sim *sim, int k)
{
    closed_contact c = *((const closed_contact *)sim->closed.data + k);
    drop_contact(sim, k);
    tell_change(sim, CAROM_SIM_EVENT_LEAVE, &c, 0);
}

void apply_modes(carom_sim *sim, ride *r)
{
    for (int k = r->count - 1; k >= 0; k--) {
        ride_contact *m = &r->c[k];
        closed_contact *c = (closed_contact *)sim->closed.data + m->closed;
        bool slips = (m->mode == RIDE_SLIP ? !m->pivots : m->mode == RIDE_ONSET) && m->mu > 0;
        if (m->mode == RIDE_OPEN) {
            open_contact(sim, m->closed);
            continue;
        }
        if (slips != c->slips && !(c->is_new && slips))
            tell_change(sim,
                        slips                ? CAROM_SIM_EVENT_SLIDE
                        : is_round(&c->foot) ? CAROM_SIM_EVENT_ROLL
                                             : CAROM_SIM_EVENT_STICK,
                        c, 0);
        c->slips = slips;
        c->onset = m->mode == RIDE_ONSET;
        c->spins = m->mode == RIDE_SLIP && m->patch.radius > 0;
        c->is_new = false;
    }
}

static bool is_known(const carom_sim *sim, const closed_contact *x)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (&c[k] != x && c[k].a == x->a && c[k].b == x->b && c[k].piece == x->piece &&
            same_foot(&c[k].foot, &x->foot) && same_crossing(&c[k], x))
            return true;
    return false;
}

/* Where the middle of the side is: its ends may touch the border beside them, too. */
static carom_vec3 beside_middle(const carom_sim *sim, int a, const piece *p, carom_vec3 place)
{
    snap s = snap_at(sim, a, sim->time);
    placed here = place_piece(sim, p, &s);
    return vec_plus(place, -carom_vec3_dot(carom_vec3_sub(place, here.center), here.axis[2]), here.axis[2]);
}

/* Over the edge of its face; both ends of a side that lies along it become one foot. */
static bool rolls_onto_edge(carom_sim *sim, const ride_contact *m, carom_vec3 place, closed_contact *c)
{
    const piece *p = piece_at(sim, c->a, c->piece);
    bool ball = is_whole_ball(sim, c->a, c->piece, &m->foot);
    snap s = snap_at(sim, c->b, sim->time);
    ground edge;
    if (!ball)
        place = beside_middle(sim, c->a, p, place);
    if (!border_ground(sim, m->ground, m->n, place, &edge) || !(ball || lies_along(sim, c->a, &edge)))
        return false;
    c->under = m->b < 0 ? edge : own_ground(&edge, &s);
    if (ball)
        return true;
    c->foot = side_foot(p);
    if (is_known(sim, c))
        drop_contact(sim, m->closed);
    return true;
}

/* From an edge onto the face behind it, where a side has two feet again. */
static bool rolls_onto_face(carom_sim *sim, const ride_contact *m, closed_contact *c)
{
    const piece *p = piece_at(sim, c->a, c->piece);
    snap s = snap_at(sim, c->b, sim->time);
    bool side = is_side(sim, c);
    if (is_crossing(&m->foot) || !m->under.sharp || !face_ground(sim, m->ground, m->n, &c->normal))
        return false;
    c->level = carom_vec3_dot(c->normal, carom_vec3_sub(m->under.at, mover_position(mover_of(sim, c->b), sim->time)));
    c->own_normal = quat_turn(quat_conjugate(s.q), c->normal);
    c->under.kind = GROUND_FLAT;
    if (!side)
        return true;
    c->foot = end_foot(p, false);
    closed_contact other = *c;
    other.foot = end_foot(p, true);
    close_contact(sim, &other);
    return true;
}

/* A ball, or a side along an edge, rolls on: from a face over its edge, and from an edge onto the face behind it. */
static bool rolls_on(carom_sim *sim, const ride_contact *m, carom_vec3 place, closed_contact *c)
{
    return m->under.kind == GROUND_FLAT ? rolls_onto_edge(sim, m, place, c) : rolls_onto_face(sim, m, c);
}

/* The velocity of a against b where they touch. */
static carom_vec3 velocity_between(const carom_sim *sim, int a, int b, carom_vec3 point)
{
    snap s[2] = {snap_at(sim, a, sim->time), snap_at(sim, b, sim->time)};
    carom_vec3 v[2];
    for (int k = 0; k < 2; k++)
        v[k] = carom_vec3_add(s[k].v, carom_vec3_cross(s[k].w, carom_vec3_sub(point, s[k].x)));
    return carom_vec3_sub(v[0], v[1]);
}

/* Do they neither approach nor leave each other there along n? u: their velocity along the ground. */
static bool stay_together(const carom_sim *sim, const touch_place *at, int b, carom_vec3 *u)
{
    carom_vec3 v = velocity_between(sim, at->body, b, at->point), n = at->normal;
    double u_n = carom_vec3_dot(v, n), own = carom_vec3_length(mover_velocity(mover_of(sim, at->body), sim->time));
    *u = carom_vec3_sub(v, carom_vec3_scale(u_n, n));
    /* a velocity that rounding and tolerances of places may leave */
    return fabs(u_n) <= SAME * (carom_vec3_length(v) + own);
}

/* Feet of either body on the other where they touch now, and did not before; not one that has just rolled off. */
static void find_feet(carom_sim *sim, int a, int b, const piece *left)
{
    int found = solid_contacts(sim, a, b, sim->time);
    for (int k = 0; k < found; k++) {
        closed_contact made;
        const found_contact *f = found_at(sim, k);
        touch_place at = {a, f->piece, f->point, f->normal, sim->time};
        carom_vec3 u;
        if (stay_together(sim, &at, b, &u) && stand_at(sim, &at, b, u, &made) && !is_known(sim, &made) &&
            !(is_round(left) && made.a == a && same_foot(&made.foot, left)))
            close_contact(sim, &made);
    }
}

/* A corner has left a face over its edge. */
static void find_crossings(carom_sim *sim, const touch_place *at, int b)
{
    closed_contact made[CORNER_EDGES];
    carom_vec3 u;
    int count = stay_together(sim, at, b, &u) ? crossings_at_corner(sim, at, b, u, made) : 0;
    for (int k = 0; k < count; k++)
        if (!is_known(sim, &made[k]))
            close_contact(sim, &made[k]);
}

/* Does the contact stay where it stands? A ball that comes to a border rolls over it; a corner may stand on that of a
 * moving face. */
static bool stays(const ride *r, int k, const double *y)
{
    const ride_contact *m = &r->c[k];
    double R = member_radius(r, m->a);
    touch_point at = {contact_place(r, k, y), m->n, ground_snap(r, k, y)};
    const closed_contact *c = (const closed_contact *)r->sim->closed.data + m->closed;
    bool ball = is_whole_ball(r->sim, c->a, c->piece, &m->foot);
    if (is_crossing(&m->foot)) {
        crossing_bodies x = crossing_bodies_at(r, k, y);
        touch_point above = {at.point, carom_vec3_scale(-1, m->n), x.at_a};
        bool inside = m->foot.kind == CORE_HALF_SPACE /* which the corner below moves over */
                          ? stays_inside(r->sim, c->a, above, carom_vec3_scale(-1, slip_velocity(r, k, y)), R)
                          : inside_crossing(r->sim, c, &m->under, &x) > 0;
        return inside && under_plane(r->sim, c, &m->under, &x) > 0;
    }
    if (m->b < 0 && !ball && m->under.kind == GROUND_FLAT)
        return stays_inside(r->sim, m->ground, at, place_velocity(r, k, y), R);
    return inside_ground(r->sim, m->ground, &m->under, at) > (m->b < 0 ? CARRIED_PLACE : -CARRIED_PLACE) * R;
}

/* A contact goes on to the face of a fixed body beside its ground. */
static bool goes_across(carom_sim *sim, const ride *r, int k, const double *y, closed_contact *c)
{
    const ride_contact *m = &r->c[k];
    if (m->b >= 0 || !crosses_seam(sim, c, contact_place(r, k, y), place_velocity(r, k, y)))
        return false;
    mover_of(sim, m->ground)->closed--;
    mover_of(sim, c->b)->closed++;
    return true;
}

/* Two bodies of which one has slid off the other touch at its border still, as far as their places can tell. One that
 * hardly moves falls as far meanwhile. */
static void slide_off(carom_sim *sim, int a, int b, double speed, double strength)
{
    double R = mover_of(sim, a)->radius;
    double falls = sqrt(2 * VISIBLE * R / strength); /* a way that may be seen */
    if (are_closed(sim, a, b) || !(speed > 0))
        return;
    ghost *g = store_push(&sim->ghosts, &sim->memory);
    if (g)
        /* it has clearly moved off a border, as the places show */
        *g = (ghost){a, b, sim->time + min(0.01 * SMALL_SHARE * R / speed, falls)};
    else
        sim->out_of_memory = true;
}

/* Has something else of the two bodies come to the plane of a crossing? Then they hit each other. */
static bool comes_down(const ride *r, int k, const double *y)
{
    const ride_contact *m = &r->c[k];
    crossing_bodies x = crossing_bodies_at(r, k, y);
    return !(under_plane(r->sim, (const closed_contact *)r->sim->closed.data + m->closed, &m->under, &x) > 0);
}

/* A contact at the end of a piece: it has left, with something else that comes down, or for others. */
typedef struct parting {
    bool hits, left;
    int piece;
} parting;

bool leave_grounds(carom_sim *sim, const island *bodies, double *y)
{
    ride r;
    bool covered = true, on_face = false;
    if (!ride_make(sim, bodies, &r))
        return true;
    parting *out = TAKE(r.arena, parting, r.count);
    ride_aim(&r, y);
    for (int k = r.count - 1; k >= 0; k--) {
        ride_contact *m = &r.c[k];
        closed_contact *c = (closed_contact *)sim->closed.data + m->closed;
        c->normal = m->n;
        out[k] = (parting){.piece = c->piece};
        if (stays(&r, k, y) || goes_across(sim, &r, k, y, c))
            continue;
        if (rolls_on(sim, m, contact_place(&r, k, y), c)) {
            on_face |= c->under.kind == GROUND_FLAT;
            continue;
        }
        covered &= mover_of(sim, c->a)->is_sphere || !has_round_face(sim, m->ground);
        out[k].hits = is_crossing(&m->foot) && comes_down(&r, k, y);
        out[k].left = !is_side(sim, c) && !is_whole_ball(sim, c->a, c->piece, &m->foot);
        open_contact(sim, m->closed);
        if (out[k].hits)
            forget_touch(sim, r.m[m->a].body, m->ground);
    }
    for (int k = 0; k < r.count; k++) {
        if (!out[k].left || out[k].hits)
            continue;
        int a = r.m[r.c[k].a].body;
        touch_place at = {a, out[k].piece, contact_place(&r, k, y), r.c[k].n, sim->time};
        find_feet(sim, a, r.c[k].ground, &r.c[k].foot);
        find_crossings(sim, &at, r.c[k].ground);
        if (r.c[k].b >= 0)
            slide_off(sim, a, r.c[k].ground, carom_vec3_length(place_velocity(&r, k, y)), r.strength);
    }
    if (on_face && ride_make(sim, bodies, &r)) /* the last normal of the edge differs a little from that of the face */
        ride_project(&r, y);
    return covered;
}
