#include "sim/step_sweep.h"

sweep_row sweep_make(const carom_sim *sim, const touching *c)
{
    sweep_row r = {.a = frame_of(sim, c->a)->slot, .b = frame_of(sim, c->b)->slot};
    const carom_body *a = &involved_at(sim, r.a)->now, *b = &involved_at(sim, r.b)->now;
    const carom_vec3 axis[3] = {c->contact.frame.t1, c->contact.frame.t2, c->contact.frame.n};
    double K[3];
    r.mass_a = a->inv_mass;
    r.mass_b = b->inv_mass;
    for (int k = 0; k < 3; k++) {
        r.axis[k] = axis[k];
        r.turn_a[k] = carom_vec3_cross(c->contact.arm_a, axis[k]);
        r.turn_b[k] = carom_vec3_cross(c->contact.arm_b, axis[k]);
        r.spin_a[k] = carom_sym3_apply(a->inv_inertia, r.turn_a[k]);
        r.spin_b[k] = carom_sym3_apply(b->inv_inertia, r.turn_b[k]);
        K[k] =
            r.mass_a + r.mass_b + carom_vec3_dot(r.turn_a[k], r.spin_a[k]) + carom_vec3_dot(r.turn_b[k], r.spin_b[k]);
    }
    bool planar = sim->scene->dim == 2;
    r.K_t = planar ? K[0] : max(K[0], K[1]);
    r.K_n = K[2];
    r.mu = c->rule->law->uses & CAROM_USES(mu) ? c->rule->coeffs.mu : 0;
    return r;
}

static double speed_along(const sweep_row *r, const sweep_body *bodies, int k)
{
    const sweep_body *a = &bodies[r->a], *b = &bodies[r->b];
    return carom_vec3_dot(r->axis[k], carom_vec3_sub(a->v, b->v)) + carom_vec3_dot(r->turn_a[k], a->w) -
           carom_vec3_dot(r->turn_b[k], b->w);
}

static carom_vec3 plus(carom_vec3 a, double s, carom_vec3 b)
{
    return carom_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static void push(const sweep_row *r, sweep_body *bodies, int k, double p)
{
    sweep_body *a = &bodies[r->a], *b = &bodies[r->b];
    a->v = plus(a->v, p * r->mass_a, r->axis[k]);
    a->w = plus(a->w, p, r->spin_a[k]);
    b->v = plus(b->v, -p * r->mass_b, r->axis[k]);
    b->w = plus(b->w, -p, r->spin_b[k]);
}

void sweep_push(const sweep_row *r, sweep_body *bodies)
{
    for (int k = 0; k < 3; k++)
        push(r, bodies, k, r->p[k]);
}

/* One contact; returns by how much it changed a velocity. */
static double relax(sweep_row *r, sweep_body *bodies)
{
    if (!(r->K_n > 0))
        return 0;
    double old = r->p[2], change;
    r->p[2] = max(0, old - (speed_along(r, bodies, 2) - r->aim) / r->K_n);
    change = fabs(r->p[2] - old) * r->K_n;
    if (r->p[2] != old)
        push(r, bodies, 2, r->p[2] - old);
    if (!(r->mu > 0) || (r->p[2] == 0 && old == 0))
        return change;
    double t1 = r->p[0] - speed_along(r, bodies, 0) / r->K_t, t2 = r->p[1] - speed_along(r, bodies, 1) / r->K_t;
    double size = sqrt(t1 * t1 + t2 * t2), most = r->mu * r->p[2], share = size > most ? most / size : 1;
    double d1 = share * t1 - r->p[0], d2 = share * t2 - r->p[1];
    push(r, bodies, 0, d1);
    push(r, bodies, 1, d2);
    r->p[0] += d1;
    r->p[1] += d2;
    return change + (fabs(d1) + fabs(d2)) * r->K_t;
}

void sweep_rows(sweep_row *rows, size_t count, sweep_body *bodies, sweep_limit limit)
{
    for (int n = 0; n < limit.sweeps; n++) {
        double worst = 0;
        for (size_t k = 0; k < count; k++)
            worst = max(worst, relax(&rows[k], bodies));
        if (worst <= limit.still)
            return;
    }
}
