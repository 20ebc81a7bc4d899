#include "sim/resolve/group_response.h"

#include "sim/resolve/contact_sweep.h"

#define FREE_ROUNDING    1e-12
#define JOINTED_ROUNDING 1e-10 /* factors of a linkage round more */

static bool is_group_jointed(const carom_sim *sim, int group)
{
    for (int k = 0; k < (int)sim->touchings.count && sim->assemblies.count; k++) {
        const touching *c = touching_at(sim, k);
        if (c->group == group && (is_jointed(sim, c->a) || is_jointed(sim, c->b)))
            return true;
    }
    return false;
}

static bool list_contacts(carom_sim *sim, response *r)
{
    if (!store_resize(&sim->group_contacts, &sim->memory, sim->touchings.count))
        return false;
    int *of = store_ints(&sim->group_contacts);
    r->count = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++)
        if (touching_at(sim, k)->group == r->group)
            of[r->count++] = k;
    r->of = of;
    return true;
}

carom_status response_make(carom_sim *sim, int group, double t, response *r)
{
    r->group = group;
    r->jointed = is_group_jointed(sim, group);
    r->rounding = r->jointed ? JOINTED_ROUNDING : FREE_ROUNDING;
    if (!r->jointed)
        return list_contacts(sim, r) ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    carom_status status = jointed_reduce(sim, group, t, &r->linkage);
    r->count = r->linkage.count;
    r->of = r->linkage.of;
    return status;
}

/* ---- impulses ---- */

static bool is_none(carom_cvec p)
{
    return p.t1 == 0 && p.t2 == 0 && p.n == 0;
}

void response_apply(carom_sim *sim, response *r)
{
    if (r->jointed) {
        jointed_take_impulses(sim, &r->linkage);
        jointed_apply(sim, &r->linkage);
        return;
    }
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        involved *a = involved_at(sim, frame_of(sim, c->a)->slot), *b = involved_at(sim, frame_of(sim, c->b)->slot);
        a->now = a->before;
        b->now = b->before;
    }
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        if (!is_none(c->p))
            carom_bodies_apply(&c->contact, c->p, &involved_at(sim, frame_of(sim, c->a)->slot)->now,
                               &involved_at(sim, frame_of(sim, c->b)->slot)->now);
    }
}

carom_status response_sweep(carom_sim *sim, response *r)
{
    if (!r->jointed)
        return relax_group(sim, r->group) ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    if (!jointed_relax(sim, &r->linkage))
        return CAROM_STATUS_NO_MEMORY;
    jointed_apply(sim, &r->linkage);
    jointed_put_impulses(sim, &r->linkage);
    return CAROM_STATUS_OK;
}

/* ---- the reduced problem ---- */

/* The number of a body among those of the problem. */
static int number_of(carom_sim *sim, carom_bodies *set, int slot)
{
    int *slots = store_ints(&sim->group_slots);
    for (int k = 0; k < set->body_count; k++)
        if (slots[k] == slot)
            return k;
    slots[set->body_count] = slot;
    ((carom_body *)sim->group_bodies.data)[set->body_count] = involved_at(sim, slot)->before;
    return set->body_count++;
}

static carom_status reduce_free(carom_sim *sim, const response *r, carom_contacts *out)
{
    size_t m = (size_t)r->count;
    if (!store_resize(&sim->group_slots, &sim->memory, 2 * m) ||
        !store_resize(&sim->group_bodies, &sim->memory, 2 * m) || !store_resize(&sim->group_pairs, &sim->memory, m))
        return CAROM_STATUS_NO_MEMORY;
    carom_pair *pairs = sim->group_pairs.data;
    carom_bodies set = {0, sim->group_bodies.data, r->count, pairs, sim->scene->dim};
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        int a = number_of(sim, &set, frame_of(sim, c->a)->slot), b = number_of(sim, &set, frame_of(sim, c->b)->slot);
        pairs[k] = (carom_pair){a, b, c->contact};
    }
    if (!store_resize(&sim->reduced_memory, &sim->memory, carom_bodies_size(&set)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_bodies_contacts(&set, sim->reduced_memory.data, out);
}

carom_status response_reduce(carom_sim *sim, const response *r, carom_contacts *out)
{
    const jointed_problem *x = &r->linkage;
    if (!r->jointed)
        return reduce_free(sim, r, out);
    if (!store_resize(&sim->reduced_memory, &sim->memory, carom_contacts_size(x->count, x->dim)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_contacts_from_K(x->count, x->dim, x->K, x->u, sim->reduced_memory.data, out);
}
