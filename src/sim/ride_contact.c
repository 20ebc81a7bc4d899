/* Where a body on closed contacts touches: arms, velocities, and normals that turn. */
#include "sim/driven.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/motion.h"
#include "sim/ride.h"
#include "sim/touching.h"

#define THIN 1e-4 /* of the other moments of inertia */

static bool set_normal(const ride *r, ride_contact *k, carom_vec3 n)
{
    carom_frame f;
    if (r->planar ? carom_frame_init_planar(n.x, n.y, &f) : carom_frame_init(n, &f))
        return false;
    k->n = f.n, k->t1 = f.t1, k->t2 = f.t2;
    return true;
}

bool ride_add(ride *r, const closed_contact *c, int index)
{
    if (r->count == RIDE_CONTACTS)
        return false;
    ride_contact *k = &r->c[r->count++];
    const carom_rule *rule = rule_of(r->sim, c->a, c->b);
    k->closed = index;
    k->onset = c->onset;
    k->ground = c->b;
    k->foot = c->foot;
    k->under = c->under;
    k->n_rate = carom_vec3_make(0, 0, 0);
    k->base = mover_of(r->sim, c->b)->v;
    r->is_driven |= driven_of(r->sim, c->b) || carom_vec3_length(k->base) > 0;
    k->mu = rule->law->uses & CAROM_USES(mu) ? min(rule->coeffs.mu, 1e12) : 0;
    k->mu_s = rule->coeffs.mu_s >= k->mu ? min(rule->coeffs.mu_s, 1e12) : k->mu;
    k->mode = RIDE_STICK;
    if (k->foot.kind == CORE_POINT && k->foot.margin > 0) {
        resistance own = resistance_of(r->sim, c->a, c->b);
        k->roll.length = own.rolling;
        k->whirl.length = r->planar ? 0 : own.spinning;
        r->resists |= k->roll.length > 0 || k->whirl.length > 0;
    }
    return set_normal(r, k, c->normal);
}

/* A rod is touched on its axis only: no contact turns it about itself, and what it has of inertia there, a millionth of
 * the rest, would make rounding large. */
static bool is_thin(const carom_sim *sim, int i, const carom_sym3 *I)
{
    const carom_solid *s = &sim->scene->bodies[i].solid;
    return sim->scene->dim == 3 && s->kind == CAROM_SOLID_SHAPE && s->shape.kind == CAROM_SHAPE_ROD && I->xz == 0 &&
           I->yz == 0 && I->zz < THIN * min(I->xx, I->yy);
}

static void add_fields(ride *r)
{
    const frame_of_body *f = frame_of(r->sim, r->body);
    snap s = snap_at(r->sim, r->body, r->sim->time);
    r->fields = f->fields;
    r->steady = f->isotropic && f->fields->drag_angular == 0 && !mover_of(r->sim, r->body)->closed;
    r->strength += carom_vec3_length(field_wrench(f->fields, s.v, s.w).F) / r->mass;
}

bool ride_make(const carom_sim *sim, int i, ride *r)
{
    const carom_body_def *def = &sim->scene->bodies[i].def;
    carom_body upright;
    carom_body_def turned = *def;
    turned.orientation = (carom_quat){1, 0, 0, 0};
    turned.unphysical = true;
    *r = (ride){.sim = sim, .body = i, .mass = def->mass, .gravity = gravity_of(sim, i)};
    r->planar = sim->scene->dim == 2;
    r->time = sim->time;
    r->isotropic = frame_of(sim, i)->isotropic;
    if (r->planar ? carom_body_init_planar(&turned, &upright) : carom_body_init(&turned, &upright))
        return false;
    double w = carom_vec3_length(spin_at(&frame_of(sim, i)->turn, sim->time).w);
    r->strength = carom_vec3_length(r->gravity) + w * w * mover_of(sim, i)->radius;
    r->inertia = upright.inertia;
    r->inv_inertia = upright.inv_inertia;
    r->thin = is_thin(sim, i, &r->inertia) && mover_of(sim, i)->closed;
    r->inv_inertia.zz = r->thin ? 0 : r->inv_inertia.zz;
    if (frame_of(sim, i)->forced)
        add_fields(r);
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i && !ride_add(r, &c[k], (int)k))
            return false;
    return true;
}

/* From the centre of the body to the core of foot k, world axes; and the direction -n in the axes of the foot. */
static carom_vec3 core_arm(const ride_contact *c, carom_quat q, carom_vec3 *d)
{
    carom_quat whole = quat_multiply(q, c->foot.turn);
    *d = quat_turn(quat_conjugate(whole), carom_vec3_scale(-1, c->n));
    carom_vec3 tip = c->foot.kind == CORE_POINT ? carom_vec3_make(0, 0, 0) : core_support(&c->foot, NULL, *d);
    return sum_of(quat_turn(q, c->foot.offset), quat_turn(whole, tip));
}

/* On a ground that is not flat a ball touches along the line to its middle, which turns as the middle moves across. */
void ride_aim(ride *r, const double y[STATE])
{
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        if (c->under.kind == GROUND_FLAT)
            continue;
        carom_vec3 arm = quat_turn(quat_at(y + 3), c->foot.offset);
        carom_vec3 d = across_ground(&c->under, carom_vec3_sub(sum_of(vec_at(y), arm), c->under.at));
        carom_vec3 v = across_ground(&c->under, sum_of(vec_at(y + 7), carom_vec3_cross(vec_at(y + 10), arm)));
        double length = carom_vec3_length(d);
        if (!(length > 0) || !set_normal(r, c, carom_vec3_scale(1 / length, d)))
            continue;
        v = carom_vec3_sub(v, carom_vec3_scale(carom_vec3_dot(v, c->n), c->n));
        c->n_rate = carom_vec3_scale(1 / length, v);
    }
}

carom_vec3 contact_arm(const ride *r, int k, const double y[STATE])
{
    carom_vec3 d, arm = core_arm(&r->c[k], quat_at(y + 3), &d);
    return carom_vec3_sub(arm, carom_vec3_scale(r->c[k].foot.margin, r->c[k].n));
}

carom_vec3 base_velocity(const ride *r, int k)
{
    const driven *d = driven_of(r->sim, r->c[k].ground);
    return d ? driven_velocity(d, r->time) : r->c[k].base;
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

carom_vec3 contact_velocity(const ride *r, int k, const double y[STATE])
{
    carom_vec3 arm = contact_arm(r, k, y);
    return carom_vec3_sub(sum_of(vec_at(y + 7), carom_vec3_cross(vec_at(y + 10), arm)), base_velocity(r, k));
}

carom_vec3 slip_velocity(const ride *r, int k, const double y[STATE])
{
    carom_vec3 u = contact_velocity(r, k, y), n = r->c[k].n;
    return carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, n), n));
}

carom_vec3 arm_rate(const ride_contact *c, carom_quat q, carom_vec3 w)
{
    carom_vec3 d, arm = core_arm(c, q, &d);
    carom_quat whole = quat_multiply(q, c->foot.turn);
    carom_vec3 rate = carom_vec3_cross(w, arm);
    if (c->foot.kind == CORE_POINT)
        return carom_vec3_sub(rate, carom_vec3_scale(c->foot.margin, c->n_rate));
    carom_vec3 local = quat_turn(quat_conjugate(whole), w);
    carom_vec3 over = core_support_rate(&c->foot, d, carom_vec3_scale(-1, carom_vec3_cross(local, d)));
    return sum_of(rate, quat_turn(whole, over));
}
