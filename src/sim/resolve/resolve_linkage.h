/* Contacts of bodies that joints hold together: an impulse at one of them moves all. */
#ifndef CAROM_SIM_RESOLVE_LINKAGE_H
#define CAROM_SIM_RESOLVE_LINKAGE_H

#include "sim/motion/sim_linkage.h"
#include "sim/resolve/gather.h"

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

/* Moreau's conditions by sweeps: normal velocities reach their aims, with friction unless smooth. */
void jointed_sweep(const carom_sim *sim, const jointed_problem *x, const double *aim, bool smooth, int sweeps);

/* The same for the restitution of an impact. False when memory ends. */
bool jointed_relax(carom_sim *sim, const jointed_problem *x);

/* The impulses of the touchings; those into the touchings; the change of velocity of member n by them. */
void jointed_take_impulses(const carom_sim *sim, jointed_problem *x);
void jointed_put_impulses(carom_sim *sim, const jointed_problem *x);
carom_twist jointed_change(const jointed_problem *x, int n);

/* Close the joints of a stepped assembly at the start of a step. */
carom_status jointed_correct(carom_sim *sim, int assembly, double t);

#endif
