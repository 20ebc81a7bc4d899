#include "sim/closing.h"

#include "sim/foot.h"
#include "sim/ground.h"
#include "sim/seam.h"

/* A velocity after an impact below this share of the one before is zero: rounding of u + K p. */
#define PLASTIC_TOL 1e-12

int find_trial(const carom_sim *sim, const trial *x, const closed_contact *c)
{
    for (int k = 0; k < x->count; k++)
        if (stands_on(sim, &x->c[k], c->b) && x->c[k].piece == c->piece && same_foot(&x->c[k].foot, &c->foot))
            return k;
    return -1;
}

static void try_contact(const carom_sim *sim, trial *x, const closed_contact *c, bool was_closed, double u_before)
{
    int k = find_trial(sim, x, c);
    if (k < 0 && x->count == RIDE_CONTACTS)
        return;
    if (k < 0) {
        k = x->count++;
        x->c[k] = *c;
        x->was_closed[k] = was_closed;
        x->u_before[k] = 0;
    }
    x->was_closed[k] |= was_closed;
    x->u_before[k] = min(x->u_before[k], u_before);
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

bool standing(const carom_sim *sim, const touching *m, double t, closed_contact *out)
{
    carom_vec3 n = m->contact.frame.n;
    *out = (closed_contact){.a = m->a, .b = m->b, .normal = n, .piece = m->piece};
    out->level = carom_vec3_dot(n, m->contact.arm_b);
    touch_place at = {m->a, m->piece, carom_vec3_add(mover_position(mover_of(sim, m->a), t), m->contact.arm_a), n, t};
    bool flat = is_ground(sim, m->b, n);
    if (!foot_of(sim, &at, &out->foot))
        return false;
    if (is_whole_ball(sim, m->a, m->piece, &out->foot))
        return flat || round_ground(sim, m->b, n, &out->under);
    closed_contact beside = *out;
    carom_vec3 u = slip_after(sim, m), none = {0, 0, 0};
    if (!flat || !stays_inside(sim, m->b, (touch_point){at.point, n, t}, u, mover_of(sim, m->a)->radius))
        return false;
    return is_corner(sim, &at) || !crosses_seam(sim, &beside, at.point, none);
}

void collect(const carom_sim *sim, int i, double t, trial *x)
{
    const closed_contact *c = sim->closed.data;
    x->count = 0;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i)
            try_contact(sim, x, &c[k], true, 0);
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *m = touching_at(sim, (int)k);
        closed_contact made;
        if (m->a == i && standing(sim, m, t, &made))
            try_contact(sim, x, &made, false, m->u_n);
    }
}

bool is_over(const carom_scene *s, const rebound *r)
{
    if (!(r->a_n < 0))
        return false;
    if (r->u_n <= PLASTIC_TOL * r->speed)
        return true;
    double e = r->u_before < 0 ? r->u_n / -r->u_before : 0, height = 0.5 * r->u_n * r->u_n / -r->a_n;
    return e < 1 && 2 * r->u_n / (-r->a_n * (1 - e)) <= s->resting_time && height <= s->resting_length;
}

void judge(const carom_sim *sim, int i, trial *x, const double y[STATE])
{
    ride r;
    double f[STATE], speed = 0;
    carom_vec3 a[RIDE_CONTACTS];
    if (!ride_make(sim, i, &r))
        return;
    r.count = 0;
    for (int k = 0; k < x->count; k++) {
        if (!ride_add(&r, &x->c[k], -1))
            return;
        ride_aim(&r, y);
        r.c[k].mode = RIDE_OPEN;
        speed = max(speed, carom_vec3_length(contact_velocity(&r, k, y)) - 2 * x->u_before[k]);
    }
    ride_rates(&r, y, f, a);
    for (int k = 0; k < x->count; k++) {
        double u_n = carom_vec3_dot(r.c[k].n, contact_velocity(&r, k, y));
        double a_n = carom_vec3_dot(r.c[k].n, a[k]);
        bool still = fabs(u_n) <= PLASTIC_TOL * speed + rest_speed(&r);
        rebound now = {x->u_before[k], u_n, a_n, speed};
        x->closes[k] = still || is_over(sim->scene, &now);
    }
}
