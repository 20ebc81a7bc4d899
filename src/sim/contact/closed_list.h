/* The list of closed contacts. */
#ifndef CAROM_SIM_CLOSED_LIST_H
#define CAROM_SIM_CLOSED_LIST_H

#include "sim/world/world.h"

/* Does contact c connect bodies i and j? */
static inline bool connects(const closed_contact *c, int i, int j)
{
    return (c->a == i && c->b == j) || (c->a == j && c->b == i);
}

void close_contact(carom_sim *sim, const closed_contact *c);

/* Contact k leaves the list; its bodies still touch. */
void drop_contact(carom_sim *sim, int k);

/* Body i is stepped from now on: its closed contacts are no longer followed. */
void drop_contacts(carom_sim *sim, int i);

#endif
