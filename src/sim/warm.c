#include "sim/warm.h"

static warm *warm_at(const carom_sim *sim, int k)
{
    return (warm *)sim->warm.data + k;
}

/* The first impulse of the two bodies that no other contact has taken. */
static warm *find(const carom_sim *sim, int a, int b)
{
    int k = (size_t)a < sim->warm_head.count ? store_ints(&sim->warm_head)[a] : -1;
    while (k >= 0 && (warm_at(sim, k)->b != b || warm_at(sim, k)->used))
        k = warm_at(sim, k)->next;
    return k >= 0 ? warm_at(sim, k) : NULL;
}

void warm_start(carom_sim *sim, const touching *c, sweep_row *r, sweep_body *bodies)
{
    warm *known = find(sim, c->a, c->b);
    if (!known)
        return;
    known->used = true;
    r->p[2] = max(0, carom_vec3_dot(known->P, r->axis[2]));
    if (r->mu > 0) {
        double t1 = carom_vec3_dot(known->P, r->axis[0]), t2 = carom_vec3_dot(known->P, r->axis[1]);
        double size = sqrt(t1 * t1 + t2 * t2), most = r->mu * r->p[2], share = size > most ? most / size : 1;
        r->p[0] = share * t1;
        r->p[1] = share * t2;
    }
    sweep_push(r, bodies);
}

void warm_keep(carom_sim *sim, const sweep_row *rows, size_t count)
{
    if (!store_resize(&sim->warm, &sim->memory, count) ||
        !store_resize(&sim->warm_head, &sim->memory, (size_t)sim->count)) {
        sim->out_of_memory = true;
        return;
    }
    for (int i = 0; i < sim->count; i++)
        store_ints(&sim->warm_head)[i] = -1;
    for (int k = (int)count - 1; k >= 0; k--) { /* backwards: a chain has the order of the contacts */
        const touching *c = touching_at(sim, k);
        const sweep_row *r = &rows[k];
        carom_vec3 P = carom_vec3_scale(r->p[2], r->axis[2]);
        for (int m = 0; m < 2; m++)
            P = carom_vec3_add(P, carom_vec3_scale(r->p[m], r->axis[m]));
        *warm_at(sim, k) = (warm){c->b, store_ints(&sim->warm_head)[c->a], false, P};
        store_ints(&sim->warm_head)[c->a] = k;
    }
}
