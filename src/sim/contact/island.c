#include "sim/contact/island.h"

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

/* Contacts close only where the island that they make has room. */
island island_of(const carom_sim *sim, int i)
{
    island x = island_alone(i);
    const closed_contact *c = sim->closed.data;
    for (int m = 0; m < x.count; m++)
        for (size_t k = 0; k < sim->closed.count; k++) {
            int other = c[k].a == x.body[m] ? c[k].b : c[k].b == x.body[m] ? c[k].a : -1;
            if (other >= 0 && mover_of(sim, other)->is_movable)
                island_add(&x, other);
        }
    return x;
}

bool are_closed(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if ((c[k].a == i && c[k].b == j) || (c[k].a == j && c[k].b == i))
            return true;
    return false;
}

void island_state(const carom_sim *sim, const island *x, double t, double *y)
{
    for (int m = 0; m < x->count; m++)
        state_of(sim, x->body[m], t, y + STATE * m);
}
