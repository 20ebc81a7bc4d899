#include "sim/resolve/gather.h"

#include "sim/detect/impact_time.h"

int involve_as(carom_sim *sim, int body, const carom_body *now)
{
    involved *x = store_push(&sim->involved, &sim->memory);
    if (!x) {
        sim->out_of_memory = true;
        return -1;
    }
    x->body = body;
    x->now = x->before = *now;
    return frame_of(sim, body)->slot = (int)sim->involved.count - 1;
}

/* A short hop from a plane and back takes -2 n.v / n.a. The times of its ends are rounded, and would keep hops from
 * becoming shorter: the body gets the velocity that it has after the hop itself. */
static void land(const carom_sim *sim, int body, double t, carom_body *now)
{
    const frame_of_body *f = frame_of(sim, body);
    const mover *m = mover_of(sim, body);
    double hop = t - m->t0;
    /* rounding of the time costs it digits */
    for (int k = 0; k < f->recent_count && hop < ROUND_PLACE * t && !m->track; k++) {
        if (!is_plane(sim, f->recent[k]) || mover_of(sim, f->recent[k])->track)
            continue;
        carom_vec3 n = plane_normal(sim, f->recent[k]), v = carom_vec3_sub(m->v, mover_of(sim, f->recent[k])->v);
        double s = -2 * carom_vec3_dot(n, v) / carom_vec3_dot(n, m->a);
        if (fabs(s - hop) <= EPS * t)
            now->velocity = carom_vec3_add(m->v, carom_vec3_scale(s, m->a));
    }
}

int involve(carom_sim *sim, int body, double t)
{
    const frame_of_body *f = frame_of(sim, body);
    if (f->slot >= 0)
        return f->slot;
    carom_body now = body_at(sim, body, t);
    if (f->recent_count)
        land(sim, body, t, &now);
    return involve_as(sim, body, &now);
}

static int pair_of(const carom_sim *sim, int i, int j)
{
    int a = frame_of(sim, i)->material, b = frame_of(sim, j)->material;
    return store_ints(&sim->rules)[a * sim->materials + b];
}

resistance resistance_of(const carom_sim *sim, int i, int j)
{
    int k = pair_of(sim, i, j);
    const carom_scene *s = sim->scene;
    if (k < 0)
        return (resistance){s->rolling, s->patch, s->sliding};
    const carom_scene_pair *p = &s->pairs[k];
    return (resistance){p->rolling, p->patch, p->sliding};
}

const carom_rule *rule_of(const carom_sim *sim, int i, int j)
{
    return (const carom_rule *)sim->impact_rules.data + (pair_of(sim, i, j) + 1);
}

const carom_rule *bare_rule_of(const carom_sim *sim, int i, int j)
{
    int k = pair_of(sim, i, j);
    return k < 0 ? &sim->scene->rule : &sim->scene->pairs[k].rule;
}

carom_rule rule_at_rest(const carom_sim *sim, int i, int j)
{
    carom_rule rule = *rule_of(sim, i, j);
    rule.coeffs = carom_coeffs_at_speed(&rule.coeffs, 0);
    return rule;
}

carom_coeffs touching_coeffs(const touching *c)
{
    carom_coeffs own = carom_coeffs_at_speed(&c->rule->coeffs, max(-c->problem.u.n, 0));
    own.e = c->locks ? 0 : own.e;
    return own;
}

double touching_friction(const touching *c)
{
    if (!carom_coeffs_vary(&c->rule->coeffs))
        return carom_rule_friction(c->rule);
    return c->rule->law->uses & CAROM_USES(mu) ? touching_coeffs(c).mu : 0;
}

/* The normal is taken as a case file would give it, so that reading it back gives the same frame. */
static carom_status set_frame(const carom_sim *sim, carom_vec3 normal, carom_contact *contact)
{
    if (sim->scene->dim == 3)
        return carom_contact_init(contact->arm_a, contact->arm_b, normal, contact);
    contact->planar = true;
    return carom_frame_init_planar(normal.x, normal.y, &contact->frame);
}

/* Frame, as a case file would give it, K and u of a contact of these bodies. */
static bool touching_reduce(const carom_sim *sim, touching *c, const carom_body *a, const carom_body *b)
{
    carom_status status = set_frame(sim, c->normal, &c->contact);
    c->rule = rule_of(sim, c->a, c->b);
    if (!status)
        status = carom_bodies_reduce(a, b, &c->contact, &c->problem);
    c->u_n = c->problem.u.n;
    return status == CAROM_STATUS_OK;
}

/* Normal and arms of the contact of two spheres; false: they have the same centre. */
static bool touching_spheres(const carom_sim *sim, touching *c, double t)
{
    const mover *a = mover_of(sim, c->a), *b = mover_of(sim, c->b);
    carom_vec3 d = separation(sim, c->a, c->b, t);
    if (a->radius + b->radius == 0) /* particles have no sides: they meet along their relative velocity */
        d = carom_vec3_sub(mover_velocity(b, t), mover_velocity(a, t));
    double length = carom_vec3_length(d);
    c->normal = carom_vec3_scale(1 / length, d);
    c->contact.arm_a = carom_vec3_scale(-a->radius, c->normal);
    c->contact.arm_b = carom_vec3_scale(b->radius, c->normal);
    return length > 0;
}

static bool place_on_plane(const carom_sim *sim, touching *c, double t)
{
    c->normal = plane_normal(sim, c->b);
    c->contact.arm_a = carom_vec3_scale(-mover_of(sim, c->a)->radius, c->normal);
    c->contact.arm_b = carom_vec3_sub(carom_vec3_add(mover_position(mover_of(sim, c->a), t), c->contact.arm_a),
                                      mover_position(mover_of(sim, c->b), t));
    return true;
}

/* Its bodies take part. */
static bool finish(carom_sim *sim, touching *c, double t)
{
    int a = involve(sim, c->a, t), b = involve(sim, c->b, t);
    return a >= 0 && b >= 0 && touching_reduce(sim, c, &involved_at(sim, a)->now, &involved_at(sim, b)->now);
}

static touching *new_touching(carom_sim *sim, int a, int b)
{
    touching *c = store_push(&sim->touchings, &sim->memory);
    if (!c) {
        sim->out_of_memory = true;
        return NULL;
    }
    c->a = a;
    c->b = b;
    c->group = -1;
    return c;
}

static bool add_one(carom_sim *sim, int a, int b, double t)
{
    touching *c = new_touching(sim, a, b);
    if (!c)
        return false;
    bool done = mover_of(sim, b)->is_sphere ? touching_spheres(sim, c, t) : place_on_plane(sim, c, t);
    done = done && finish(sim, c, t);
    if (!done)
        sim->touchings.count--;
    return done;
}

/* Numbers of a contact that its mirror image has, too. */
static bool comes_before(const touching *x, const touching *y)
{
    const double a[] = {carom_vec3_dot(x->contact.arm_b, x->contact.arm_b),
                        carom_vec3_dot(x->contact.arm_a, x->contact.arm_a), x->gap, x->u_n};
    const double b[] = {carom_vec3_dot(y->contact.arm_b, y->contact.arm_b),
                        carom_vec3_dot(y->contact.arm_a, y->contact.arm_a), y->gap, y->u_n};
    for (size_t k = 0; k < sizeof a / sizeof a[0]; k++)
        if (a[k] != b[k])
            return a[k] < b[k];
    return false;
}

void sort_touchings(const carom_sim *sim, size_t first)
{
    for (size_t k = first + 1; k < sim->touchings.count; k++) {
        touching c = *touching_at(sim, (int)k);
        size_t at = k;
        for (; at > first && comes_before(&c, touching_at(sim, (int)at - 1)); at--)
            *touching_at(sim, (int)at) = *touching_at(sim, (int)at - 1);
        *touching_at(sim, (int)at) = c;
    }
}

static int add_solids(carom_sim *sim, int a, int b, double t)
{
    int found = solid_contacts(sim, a, b, t), added = 0;
    size_t first = sim->touchings.count;
    for (int k = 0; k < found; k++) {
        const found_contact *at = found_at(sim, k);
        touching *c = new_touching(sim, a, b);
        if (!c)
            return added;
        c->normal = at->normal;
        c->piece = at->piece;
        c->gap = at->gap;
        c->contact.arm_a = carom_vec3_sub(at->point, mover_position(mover_of(sim, a), t));
        c->contact.arm_b = carom_vec3_sub(at->point, mover_position(mover_of(sim, b), t));
        if (finish(sim, c, t))
            added++;
        else
            sim->touchings.count--;
    }
    sort_touchings(sim, first);
    return added;
}

int add_touchings(carom_sim *sim, int i, int j, double t)
{
    bool swap = !mover_of(sim, i)->is_movable || (mover_of(sim, j)->is_movable && j < i);
    int a = swap ? j : i, b = swap ? i : j;
    if (mover_of(sim, a)->is_sphere && (mover_of(sim, b)->is_sphere || is_plane(sim, b)))
        return add_one(sim, a, b, t);
    return add_solids(sim, a, b, t);
}
