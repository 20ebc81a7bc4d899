/* Bodies held together by joints. Movable bodies that joints connect form an assembly: they fly together (one piece of
 * motion for all, by collocation of the equations of a linkage), an impact at one of them moves all, and they are
 * stepped together. The linkage at work is made anew for each of these tasks from the bodies as they are. */
#ifndef CAROM_SIM_JOINTED_H
#define CAROM_SIM_JOINTED_H

#include "mechanism/linkage.h"
#include "sim/contact/gather.h"

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

/* All assemblies that take part in this impact and are not stepped. */
carom_status jointed_fly_all(carom_sim *sim, double t);

/* The piece of body i ends: a new one for all of its assembly. */
carom_status jointed_renew(carom_sim *sim, int i, double t);

/* ---- contacts ---- */

/* A reduced problem of contacts between members. */
typedef struct jointed_problem {
    carom_linkage l;
    int count, dim; /* contacts, rows of each */
    double *K, *u, *p;
    int *of;        /* contact k is touching of[k] */
    carom_twist *V; /* responses: for each row one twist per member */
} jointed_problem;

/* The contacts of a group (negative: of all touchings). Contacts that no impulse can move are left out. */
carom_status jointed_reduce(carom_sim *sim, int group, double t, jointed_problem *x);

/* Velocities of everyone after the impulses x->p, into the bodies of this impact. */
void jointed_apply(carom_sim *sim, const jointed_problem *x);

/* u + K p of row r. */
double jointed_speed(const jointed_problem *x, int r);

/* Moreau's conditions by sweeps: normal velocities reach their aims, with friction unless smooth. */
void jointed_sweep(const carom_sim *sim, const jointed_problem *x, const double *aim, bool smooth, int sweeps);

/* The impulses into the touchings; the change of velocity of member n by them. */
void jointed_put_impulses(carom_sim *sim, const jointed_problem *x);
carom_twist jointed_change(const jointed_problem *x, int n);

bool is_group_jointed(const carom_sim *sim, int group);
carom_status solve_jointed(carom_sim *sim, int group, double t);

/* ---- steps ---- */

/* Close the joints of a stepped assembly at the begin of a step. */
carom_status jointed_correct(carom_sim *sim, int assembly, double t);

static inline assembly *assembly_at(const carom_sim *sim, int k)
{
    return (assembly *)sim->assemblies.data + k;
}

static inline int assembly_body(const carom_sim *sim, int k, int n)
{
    return store_ints(&sim->jointed)[assembly_at(sim, k)->first + n];
}

#endif
