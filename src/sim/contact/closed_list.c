#include "sim/contact/closed_list.h"

#include "sim/motion/course.h"

void close_contact(carom_sim *sim, const closed_contact *c)
{
    closed_contact *out = store_push(&sim->closed, &sim->memory);
    if (!out) {
        sim->out_of_memory = true;
        return;
    }
    *out = *c;
    out->is_new = true;
    mover_of(sim, c->a)->closed++;
    mover_of(sim, c->b)->closed++;
}

void drop_contact(carom_sim *sim, int k)
{
    closed_contact *list = sim->closed.data, c = list[k];
    for (size_t n = (size_t)k + 1; n < sim->closed.count; n++)
        list[n - 1] = list[n];
    sim->closed.count--;
    mover_of(sim, c.a)->closed--;
    mover_of(sim, c.b)->closed--;
    remember(sim, c.a, c.b);
    if (mover_of(sim, c.b)->is_movable)
        remember(sim, c.b, c.a);
}

void drop_contacts(carom_sim *sim, int i)
{
    closed_contact *list = sim->closed.data;
    size_t kept = 0;
    for (size_t k = 0; k < sim->closed.count; k++) {
        if (list[k].a == i || list[k].b == i) {
            mover_of(sim, list[k].a)->closed--;
            mover_of(sim, list[k].b)->closed--;
        } else {
            list[kept++] = list[k];
        }
    }
    sim->closed.count = kept;
}
