#include "sim/contact/island.h"

#include "sim/contact/closed_list.h"
#include "sim/motion/motion.h"

bool island_add(island *x, int i)
{
    if (island_find(x, i) >= 0)
        return true;
    if (x->count == ISLAND_BODIES)
        return false;
    x->body[x->count++] = i;
    return true;
}

static void add_assembly(const carom_sim *sim, int i, island *x)
{
    int number = frame_of(sim, i)->assembly;
    for (int n = 0; is_jointed(sim, i) && may_rest(sim, i) && n < assembly_at(sim, number)->count; n++)
        island_add(x, assembly_body(sim, number, n));
}

/* Contacts close only where the island that they make has room. */
island island_of(const carom_sim *sim, int i)
{
    island x = island_alone(i);
    const closed_contact *c = sim->closed.data;
    for (int m = 0; m < x.count; m++) {
        add_assembly(sim, x.body[m], &x);
        for (size_t k = 0; k < sim->closed.count; k++) {
            int other = c[k].a == x.body[m] ? c[k].b : c[k].b == x.body[m] ? c[k].a : -1;
            if (other >= 0 && mover_of(sim, other)->is_movable)
                island_add(&x, other);
        }
    }
    return x;
}

bool are_closed(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (connects(&c[k], i, j))
            return true;
    return false;
}

void island_state(const carom_sim *sim, const island *x, double t, double *y)
{
    for (int m = 0; m < x->count; m++)
        state_of(sim, x->body[m], t, y + STATE * m);
}
