#include "sim/rest/closure.h"

#include "sim/contact/ground.h"
#include "sim/contact/seam.h"

int find_trial(const carom_sim *sim, const trial *x, const closed_contact *c)
{
    for (int k = 0; k < x->count; k++)
        if (x->at[k].c.a == c->a && stands_on(sim, &x->at[k].c, c->b) && x->at[k].c.piece == c->piece &&
            same_foot(&x->at[k].c.foot, &c->foot) && same_crossing(&x->at[k].c, c))
            return k;
    return -1;
}

static void try_contact(const carom_sim *sim, trial *x, const closed_contact *c, bool was_closed, double u_before)
{
    int k = find_trial(sim, x, c);
    if (k < 0) {
        k = x->count++;
        x->at[k] = (trial_contact){*c, 0, was_closed, false};
    }
    x->at[k].was_closed |= was_closed;
    x->at[k].u_before = min(x->at[k].u_before, u_before);
}

bool collect(carom_sim *sim, const island *bodies, double t, trial *x)
{
    const closed_contact *c = sim->closed.data;
    size_t most = sim->closed.count + sim->touchings.count;
    if (!arena_reserve(sim->arena, (most + 1) * sizeof *x->at))
        return false;
    *x = (trial){0, TAKE(sim->arena, trial_contact, most)};
    for (size_t k = 0; k < sim->closed.count; k++)
        if (island_find(bodies, c[k].a) >= 0)
            try_contact(sim, x, &c[k], true, 0);
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *m = touching_at(sim, (int)k);
        closed_contact made;
        if (island_find(bodies, m->a) >= 0 && standing(sim, m, t, &made))
            try_contact(sim, x, &made, false, m->u_n);
    }
    return true;
}

/* Does contact k close? a: its acceleration. */
static bool closes(const ride *r, const trial *x, int k, const double *y, carom_vec3 a, double speed)
{
    double u_n = carom_vec3_dot(r->c[k].n, contact_velocity(r, k, y)), a_n = carom_vec3_dot(r->c[k].n, a);
    rebound now = {x->at[k].u_before, u_n, a_n, speed, r->time};
    return fabs(u_n) <= ROUND_SPEED * speed + rest_speed(r) || is_over(r->sim->scene, &now);
}

/* Contacts between bodies, where those that close press: a ball that bounces on a plate which lies on the floor falls
 * faster than the plate. */
static void judge_between(ride *r, trial *x, const double *y, carom_vec3 *a, double speed)
{
    double f[RIDE_STATE];
    for (int k = 0; k < x->count; k++)
        r->c[k].mode = x->at[k].closes ? RIDE_STICK : RIDE_OPEN;
    ride_rates(r, y, f, a);
    for (int k = 0; k < x->count; k++)
        if (r->c[k].b >= 0 && !x->at[k].closes)
            x->at[k].closes = closes(r, x, k, y, a[k], speed);
}

bool judge(carom_sim *sim, const island *bodies, trial *x, const double *y)
{
    ride r;
    double f[RIDE_STATE], speed = 0;
    if (!ride_begin(sim, bodies, x->count, &r))
        return false;
    carom_vec3 *a = TAKE(r.arena, carom_vec3, x->count);
    for (int k = 0; k < x->count; k++)
        if (!ride_add(&r, &x->at[k].c, -1))
            return false;
    ride_aim(&r, y);
    for (int k = 0; k < x->count; k++) {
        r.c[k].mode = RIDE_OPEN;
        speed = max(speed, carom_vec3_length(contact_velocity(&r, k, y)) - 2 * x->at[k].u_before);
    }
    ride_rates(&r, y, f, a);
    for (int k = 0; k < x->count; k++)
        x->at[k].closes = closes(&r, x, k, y, a[k], speed);
    if (r.members > 1)
        judge_between(&r, x, y, a, speed);
    return true;
}
