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
        if (w->b != c->b || w->used)
            continue;
        double apart = carom_vec3_length(carom_vec3_sub(w->arm, c->contact.arm_a));
        if (apart < least)
            least = apart, best = w;
    }
    return best;
}

carom_vec3 warm_axis(const carom_sim *sim, int a, int b)
{
    int k = (size_t)a < sim->warm_head.count ? store_ints(&sim->warm_head)[a] : -1;
    while (k >= 0 && warm_at(sim, k)->b != b)
        k = warm_at(sim, k)->next;
    return k >= 0 ? warm_at(sim, k)->n : carom_vec3_make(0, 0, 0);
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

/* Forces of the last step of these bodies are forgotten; their places may be used again. */
static void forget(carom_sim *sim)
{
    int *head = store_ints(&sim->warm_head);
    for (size_t s = 0; s < sim->involved.count; s++) {
        int *first = &head[involved_at(sim, (int)s)->body], last = *first;
        if (last < 0)
            continue;
        while (warm_at(sim, last)->next >= 0)
            last = warm_at(sim, last)->next;
        warm_at(sim, last)->next = sim->warm_free;
        sim->warm_free = *first;
        *first = -1;
    }
}

/* A place for a force, or -1 when memory ends. */
static int new_warm(carom_sim *sim)
{
    int k = sim->warm_free;
    if (k >= 0)
        sim->warm_free = warm_at(sim, k)->next;
    else
        k = store_push(&sim->warm, &sim->memory) ? (int)sim->warm.count - 1 : -1;
    return k;
}

static bool make_heads(carom_sim *sim)
{
    if (sim->warm_head.count)
        return true;
    sim->warm_free = -1;
    if (!store_resize(&sim->warm_head, &sim->memory, (size_t)sim->count))
        return false;
    for (int i = 0; i < sim->count; i++)
        store_ints(&sim->warm_head)[i] = -1;
    return true;
}

void warm_keep(carom_sim *sim, const sweep_row *rows, size_t first, double h)
{
    sim->out_of_memory |= !make_heads(sim);
    if (sim->out_of_memory)
        return;
    forget(sim);
    for (size_t k = sim->touchings.count; k-- > first;) { /* backwards: a chain has the order of the contacts */
        const touching *c = touching_at(sim, (int)k);
        int *head = &store_ints(&sim->warm_head)[c->a], place = new_warm(sim);
        if (place < 0) {
            sim->out_of_memory = true;
            return;
        }
        carom_vec3 F = carom_vec3_scale(1 / h, sweep_impulse(&rows[k]));
        *warm_at(sim, place) = (warm){c->b, *head, false, F, c->contact.arm_a, c->contact.frame.n};
        *head = place;
    }
}
