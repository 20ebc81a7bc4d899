#include "sim/step/warm_start.h"

static warm *warm_at(const carom_sim *sim, int k)
{
    return (warm *)sim->warm.data + k;
}

/* The force of the two bodies nearest to the contact that no other contact has taken. */
static warm *find(const carom_sim *sim, const touching *c)
{
    int k = (size_t)c->a < sim->warm_head.count ? store_ints(&sim->warm_head)[c->a] : -1;
    warm *best = NULL;
    double least = INFINITY;
    for (; k >= 0; k = warm_at(sim, k)->next) {
        warm *w = warm_at(sim, k);
        double apart = carom_vec3_length(carom_vec3_sub(w->arm, c->contact.arm_a));
        if (w->b == c->b && !w->used && apart < least)
            least = apart, best = w;
    }
    return best;
}

void warm_start(carom_sim *sim, const touching *c, double h, sweep_row *r, sweep_body *bodies)
{
    warm *known = find(sim, c);
    if (!known)
        return;
    known->used = true;
    carom_vec3 P = carom_vec3_scale(h, known->F);
    r->p_n = max(0, carom_vec3_dot(P, r->n));
    if (r->mu > 0) {
        carom_vec3 t = carom_vec3_sub(P, carom_vec3_scale(carom_vec3_dot(P, r->n), r->n));
        double size = carom_vec3_length(t), most = r->mu * r->p_n;
        r->p_t = size > most ? carom_vec3_scale(most / size, t) : t;
    }
    sweep_push(r, bodies, sweep_impulse(r));
}

void warm_keep(carom_sim *sim, const sweep_row *rows, size_t first, double h)
{
    size_t count = sim->touchings.count - first;
    if (!store_resize(&sim->warm, &sim->memory, count) ||
        !store_resize(&sim->warm_head, &sim->memory, (size_t)sim->count)) {
        sim->out_of_memory = true;
        return;
    }
    for (int i = 0; i < sim->count; i++)
        store_ints(&sim->warm_head)[i] = -1;
    for (int k = (int)count - 1; k >= 0; k--) { /* backwards: a chain has the order of the contacts */
        const touching *c = touching_at(sim, (int)first + k);
        carom_vec3 F = carom_vec3_scale(1 / h, sweep_impulse(&rows[first + (size_t)k]));
        *warm_at(sim, k) = (warm){c->b, store_ints(&sim->warm_head)[c->a], false, F, c->contact.arm_a};
        store_ints(&sim->warm_head)[c->a] = k;
    }
}
