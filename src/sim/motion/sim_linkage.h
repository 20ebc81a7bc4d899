/* Bodies held together by joints. Movable bodies that joints connect form an assembly: they fly together (one piece of
 * motion for all, by collocation of the equations of a linkage), an impact at one of them moves all, and they are
 * stepped together. The linkage at work is made anew for each of these tasks from the bodies as they are. */
#ifndef CAROM_SIM_JOINTED_H
#define CAROM_SIM_JOINTED_H

#include "mechanism/linkage.h"
#include "sim/motion/motion.h"

/* Find the assemblies, when the bodies have been made. Bodies, joints and places are checked: the error names the
 * bodies of a joint. */
carom_status jointed_make(carom_sim *sim);

/* ---- the linkage at work ---- */

void members_clear(carom_sim *sim);

/* Body i; and with it all of its assembly and the fixed bodies that hold it. */
bool members_add(carom_sim *sim, int i);

/* The linkage of these members at time t, with velocities of the impact where they take part in one. */
carom_status members_link(carom_sim *sim, double t, carom_linkage *l);

/* ---- flight ---- */

/* The assembly begins a new piece of motion at t from where its bodies are. */
carom_status jointed_fly(carom_sim *sim, int assembly, double t);

/* Does a body of the assembly have closed contacts? Then it moves with its island. */
bool assembly_rests(const carom_sim *sim, int assembly);

/* All assemblies that take part in this impact and are not stepped. */
carom_status jointed_fly_all(carom_sim *sim, double t);

/* The piece of body i ends: a new one for all of its assembly. */
carom_status jointed_renew(carom_sim *sim, int i, double t);

static inline assembly *assembly_at(const carom_sim *sim, int k)
{
    return (assembly *)sim->assemblies.data + k;
}

static inline int assembly_body(const carom_sim *sim, int k, int n)
{
    return store_ints(&sim->jointed)[assembly_at(sim, k)->first + n];
}

#endif
