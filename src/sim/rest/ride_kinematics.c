/* Where bodies on closed contacts touch: arms, velocities, and normals that turn. */
#include "sim/contact/crossing.h"
#include "sim/contact/ground.h"
#include "sim/motion/air.h"
#include "sim/motion/driven_path.h"
#include "sim/motion/motion.h"
#include "sim/resolve/gather.h"
#include "sim/rest/contensou.h"
#include "sim/rest/ride_joints.h"

static bool set_normal(const ride *r, ride_contact *k, carom_vec3 n)
{
    carom_frame f;
    if (r->planar ? carom_frame_init_planar(n.x, n.y, &f) : carom_frame_init(n, &f))
        return false;
    k->n = f.n, k->t1 = f.t1, k->t2 = f.t2;
    return true;
}

static int member_of(const ride *r, int body)
{
    for (int m = 0; m < r->members; m++)
        if (r->m[m].body == body)
            return m;
    return -1;
}

/* A member: its ground is known in its own axes. Anything else: it stands in the world, or follows a path. */
static void set_ground(ride *r, ride_contact *k, const closed_contact *c)
{
    k->ground = c->b;
    k->b = member_of(r, c->b);
    k->under = c->under;
    k->own_normal = c->own_normal;
    k->own_at = c->under.at;
    k->own_axis = c->under.axis;
    k->n_rate = carom_vec3_make(0, 0, 0);
    k->base = mover_of(r->sim, c->b)->v;
    k->turns = k->b < 0 && (driven_of(r->sim, c->b) ? driven_turns(driven_of(r->sim, c->b))
                                                    : carom_vec3_length(frame_of(r->sim, c->b)->turn.w) > 0);
    r->is_driven |= k->turns || (k->b < 0 && (driven_of(r->sim, c->b) || carom_vec3_length(k->base) > 0));
}

bool ride_add(ride *r, const closed_contact *c, int index)
{
    CAROM_ASSERT(r->count < r->most);
    ride_contact *k = &r->c[r->count++];
    *k = (ride_contact){.closed = index};
    const carom_rule rule = rule_at_rest(r->sim, c->a, c->b);
    k->onset = c->onset;
    k->a = member_of(r, c->a);
    k->foot = c->foot;
    set_ground(r, k, c);
    resistance own = resistance_of(r->sim, c->a, c->b);
    k->mu = min(own.sliding > 0 ? own.sliding : carom_rule_friction(&rule), NEVER_SLIPS);
    k->mu_s = rule.coeffs.mu_s >= k->mu ? min(rule.coeffs.mu_s, NEVER_SLIPS) : k->mu;
    k->mode = RIDE_STICK;
    k->share = 1;
    if (is_round(&k->foot))
        k->roll.length = own.rolling;
    k->patch.radius = r->planar || k->turns || k->mu == 0 ? 0 : own.patch;
    k->patch.pressure = rule.options.pressure;
    r->resists |= has_patch(k) || k->roll.length > 0;
    return k->a >= 0 && set_normal(r, k, c->normal);
}

/* Returns the accelerations that the fields make. */
static double add_fields(const carom_sim *sim, ride_body *b)
{
    const frame_of_body *f = frame_of(sim, b->body);
    snap s = snap_at(sim, b->body, sim->time);
    b->fields = f->fields;
    b->steady = f->isotropic && f->fields->drag_angular == 0 && !mover_of(sim, b->body)->closed;
    return carom_vec3_length(field_wrench(f->fields, s.v, s.w).F) / b->mass;
}

static void add_member(ride *r, int i)
{
    const carom_sim *sim = r->sim;
    const carom_body *core = core_of(sim, i);
    ride_body *b = &r->m[r->members++];
    *b = (ride_body){.body = i, .mass = core->mass, .gravity = gravity_of(sim, i)};
    b->isotropic = frame_of(sim, i)->isotropic;
    double w = carom_vec3_length(spin_at(&frame_of(sim, i)->turn, sim->time).w);
    double strength = carom_vec3_length(b->gravity) + w * w * mover_of(sim, i)->radius;
    b->inertia = core->inertia;
    b->inv_inertia = core->inv_inertia;
    b->thin = is_thin(sim, i) && mover_of(sim, i)->closed;
    b->inv_inertia.zz = b->thin ? 0 : b->inv_inertia.zz;
    if (frame_of(sim, i)->forced)
        strength += add_fields(sim, b);
    r->strength = max(r->strength, strength);
    r->mass += b->mass;
}

/* The joints that hold members, and which member each body of theirs is. */
static void add_joints(ride *r, const carom_linkage *l)
{
    r->joints = TAKE(r->arena, carom_linkage, 1);
    *r->joints = *l;
    r->held = TAKE(r->arena, int, l->body_count);
    for (int k = 0; k < l->body_count; k++)
        r->held[k] = member_of(r, store_ints(&r->sim->member_bodies)[k]);
}

bool ride_begin(carom_sim *sim, const island *bodies, int contacts, ride *r)
{
    carom_linkage l;
    bool held;
    *r = (ride){.sim = sim, .arena = sim->arena, .planar = sim->scene->dim == 2, .time = sim->time, .most = contacts};
    if (!ride_link(sim, bodies, &l, &held))
        return false;
    int linked = held ? l.body_count : bodies->count;
    if (!arena_reserve(r->arena, ride_room(linked, contacts)))
        return false;
    r->c = TAKE(r->arena, ride_contact, contacts);
    for (int m = 0; m < bodies->count; m++)
        add_member(r, bodies->body[m]);
    if (held)
        add_joints(r, &l);
    return true;
}

bool ride_make(carom_sim *sim, const island *bodies, ride *r)
{
    const closed_contact *c = sim->closed.data;
    int own = 0;
    for (size_t k = 0; k < sim->closed.count; k++)
        own += island_find(bodies, c[k].a) >= 0;
    if (!ride_begin(sim, bodies, own, r))
        return false;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (island_find(bodies, c[k].a) >= 0 && !ride_add(r, &c[k], (int)k))
            return false;
    if (r->resists)
        patch_assign(r);
    return true;
}

/* From the centre of the body to the core of foot k, world axes; and, unless that is a point, the direction -n in the
 * axes of the foot. */
static carom_vec3 core_arm(const ride_contact *c, carom_quat q, carom_vec3 *d)
{
    if (is_crossing(&c->foot))
        return c->cross_arm;
    carom_vec3 offset = quat_turn(q, c->foot.offset);
    if (c->foot.kind == CORE_POINT)
        return offset;
    carom_quat whole = quat_multiply(q, c->foot.turn);
    *d = quat_turn(quat_conjugate(whole), carom_vec3_scale(-1, c->n));
    return sum_of(offset, quat_turn(whole, core_support(&c->foot, NULL, *d)));
}

/* The ground of a member, world axes. */
static void carry_ground(ride_contact *c, const double *b)
{
    carom_quat q = quat_at(b + 3);
    if (c->under.kind == GROUND_FLAT)
        return;
    c->under.at = sum_of(vec_at(b), quat_turn(q, c->own_at));
    c->under.axis = quat_turn(q, c->own_axis);
}

/* A flat ground turns with its body. */
static void aim_flat(const ride *r, ride_contact *c, const double *b)
{
    if (set_normal(r, c, quat_turn(quat_at(b + 3), c->own_normal)))
        c->n_rate = carom_vec3_cross(vec_at(b + 10), c->n);
}

/* The part of the rate of d = (1 - a a^T) r that comes from the motion of the ground: r' loses its velocity at the
 * middle of the line, and a turns. */
static carom_vec3 carried_rate(const ride_contact *c, const double *b, carom_vec3 from)
{
    carom_vec3 w = vec_at(b + 10), arm = carom_vec3_sub(c->under.at, vec_at(b));
    carom_vec3 v = sum_of(vec_at(b + 7), carom_vec3_cross(w, arm)), turn = carom_vec3_cross(w, c->under.axis);
    carom_vec3 rate = carom_vec3_scale(-1, vec_across(v, c->under.axis));
    rate = carom_vec3_sub(rate, carom_vec3_scale(carom_vec3_dot(from, turn), c->under.axis));
    return carom_vec3_sub(rate, carom_vec3_scale(carom_vec3_dot(from, c->under.axis), turn));
}

/* On a ground that is not flat a ball touches along the line to its middle, which turns as the middle moves across. */
static void aim_round(const ride *r, ride_contact *c, const double *y)
{
    const double *own = y + STATE * c->a;
    carom_vec3 arm = quat_turn(quat_at(own + 3), c->foot.offset);
    carom_vec3 from = carom_vec3_sub(sum_of(vec_at(own), arm), c->under.at), d = vec_across(from, c->under.axis);
    carom_vec3 v = vec_across(sum_of(vec_at(own + 7), carom_vec3_cross(vec_at(own + 10), arm)), c->under.axis);
    double length = carom_vec3_length(d);
    if (!(length > 0) || !set_normal(r, c, carom_vec3_scale(1 / length, d)))
        return;
    if (c->b >= 0)
        v = sum_of(v, carried_rate(c, y + STATE * c->b, from));
    v = carom_vec3_sub(v, carom_vec3_scale(carom_vec3_dot(v, c->n), c->n));
    c->n_rate = carom_vec3_scale(1 / length, v);
}

crossing_bodies crossing_bodies_at(const ride *r, int k, const double *y)
{
    const double *own = y + STATE * r->c[k].a;
    snap at = {vec_at(own), vec_at(own + 7), quat_at(own + 3), vec_at(own + 10)};
    return (crossing_bodies){at, ground_snap(r, k, y)};
}

static void aim_crossing(const ride *r, int k, const double *y)
{
    ride_contact *c = &r->c[k];
    crossing_bodies x = crossing_bodies_at(r, k, y);
    crossing now = crossing_at(&c->foot, &c->under, &x, c->n);
    if (!set_normal(r, c, now.n))
        return;
    c->n_rate = now.n_rate;
    c->cross_arm = now.arm;
    c->cross_rate = now.arm_rate;
}

void ride_aim(ride *r, const double *y)
{
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        if (c->b >= 0)
            carry_ground(c, y + STATE * c->b);
        if (is_crossing(&c->foot))
            aim_crossing(r, k, y);
        else if (c->under.kind != GROUND_FLAT)
            aim_round(r, c, y);
        else if (c->b >= 0)
            aim_flat(r, c, y + STATE * c->b);
    }
}

carom_vec3 contact_arm(const ride *r, int k, const double *y)
{
    carom_vec3 d, arm = core_arm(&r->c[k], quat_at(y + STATE * r->c[k].a + 3), &d);
    return carom_vec3_sub(arm, carom_vec3_scale(r->c[k].foot.margin, r->c[k].n));
}

carom_vec3 contact_place(const ride *r, int k, const double *y)
{
    return sum_of(vec_at(y + STATE * r->c[k].a), contact_arm(r, k, y));
}

carom_vec3 closed_arm(const carom_sim *sim, const closed_contact *c, double t, carom_vec3 *normal)
{
    ride_contact at = {.b = -1, .ground = c->b, .n = c->normal, .foot = c->foot, .under = c->under};
    ride r = {.sim = sim, .members = 2, .count = 1, .planar = sim->scene->dim == 2, .c = &at, .time = t};
    double y[2 * STATE];
    state_of(sim, c->a, t, y);
    state_of(sim, c->b, t, y + STATE);
    if (mover_of(sim, c->b)->is_movable) {
        at.b = 1;
        at.own_normal = c->own_normal, at.own_at = c->under.at, at.own_axis = c->under.axis;
    }
    if (at.b >= 0 || is_crossing(&at.foot))
        ride_aim(&r, y);
    *normal = at.n;
    return contact_arm(&r, 0, y);
}

snap ground_snap(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    const double *b = y + STATE * c->b;
    if (c->b < 0)
        return snap_at(r->sim, c->ground, r->time);
    return (snap){vec_at(b), vec_at(b + 7), quat_at(b + 3), vec_at(b + 10)};
}

double ride_next(const ride *r, double t)
{
    double next = INFINITY;
    for (int k = 0; k < r->count; k++) {
        const driven *d = driven_of(r->sim, r->c[k].ground);
        next = d ? min(next, driven_next(d, t)) : next;
    }
    return next;
}

carom_vec3 ground_velocity(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    const driven *d = driven_of(r->sim, c->ground);
    if (c->b < 0 && !c->turns)
        return d ? driven_velocity(d, r->time) : c->base;
    snap b = ground_snap(r, k, y);
    return sum_of(b.v, carom_vec3_cross(b.w, carom_vec3_sub(contact_place(r, k, y), b.x)));
}

carom_vec3 contact_velocity(const ride *r, int k, const double *y)
{
    const double *a = y + STATE * r->c[k].a;
    carom_vec3 arm = contact_arm(r, k, y);
    return carom_vec3_sub(sum_of(vec_at(a + 7), carom_vec3_cross(vec_at(a + 10), arm)), ground_velocity(r, k, y));
}

carom_vec3 slip_velocity(const ride *r, int k, const double *y)
{
    carom_vec3 u = contact_velocity(r, k, y), n = r->c[k].n;
    return carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, n), n));
}

carom_vec3 arm_rate(const ride_contact *c, carom_quat q, carom_vec3 w)
{
    if (is_crossing(&c->foot))
        return carom_vec3_sub(c->cross_rate, carom_vec3_scale(c->foot.margin, c->n_rate));
    carom_vec3 d, arm = core_arm(c, q, &d);
    carom_vec3 rate = carom_vec3_cross(w, arm);
    if (c->foot.kind == CORE_POINT)
        return carom_vec3_sub(rate, carom_vec3_scale(c->foot.margin, c->n_rate));
    carom_quat whole = quat_multiply(q, c->foot.turn);
    carom_vec3 local = quat_turn(quat_conjugate(whole), w), turn = carom_vec3_scale(-1, carom_vec3_cross(local, d));
    if (c->b >= 0)
        turn = carom_vec3_sub(turn, quat_turn(quat_conjugate(whole), c->n_rate));
    carom_vec3 over = core_support_rate(&c->foot, d, turn);
    return sum_of(rate, quat_turn(whole, over));
}

carom_vec3 place_velocity(const ride *r, int k, const double *y)
{
    const double *a = y + STATE * r->c[k].a;
    carom_vec3 rate = arm_rate(&r->c[k], quat_at(a + 3), vec_at(a + 10)), n = r->c[k].n;
    carom_vec3 u = carom_vec3_sub(sum_of(vec_at(a + 7), rate), ground_velocity(r, k, y));
    return carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, n), n));
}
