/* The walk of laws that follow a path in a fictitious time, lzb and compliant: their units, the loop over steps, and
 * its end. Velocities and impulses are divided by the largest velocity before, stiffnesses by the largest k K_nn: one
 * unit of time is about the time scale of the stiffest contact. */
#ifndef CAROM_LAWS_TOGETHER_WALK_H
#define CAROM_LAWS_TOGETHER_WALK_H

#include "laws/together/together_call.h"

enum { WALK_CONTACTS_MOST = 64 };

/* A path, and what the law does with it. */
typedef struct walk {
    const carom_together_call *call;
    void *path;
    const double *K;
    double *u, *p; /* of the path, in its units */
    double energy; /* what the energy left is compared with */
    double late;   /* share of it that is ended after many steps; 0: as before */
    bool (*presses)(const void *path, int j);
    double (*stored)(const void *path, int j); /* energy in the springs of contact j */
    double (*step)(void *path);                /* up to the next event; how long it took */
    void (*turn_off)(void *path, int j);
    void (*lose)(void *path, int j, const double loss[2]); /* energy of the plastic end: normal, friction; or null */
    carom_together_state (*state)(const void *path);
} walk;

/* Workspace of walk_run itself. */
size_t walk_work(const carom_contacts *x);

/* K in full, u over the largest velocity, p = 0. The result is the largest velocity. */
double walk_units(const carom_contacts *x, double *K, double *u, double *p);

/* The largest k K_nn. */
double walk_stiffest(const carom_contacts *x, const carom_coeffs *coeffs, const double *K);

/* The energy of the largest velocity at all contacts. Tolerances of events are shares of it: chatter that has less than
 * their squares left cannot be followed. */
double walk_unit_energy(const walk *w);

/* Stored energy plus energy of approach. */
double walk_energy_left(const walk *w);

/* Steps until nothing presses and nothing approaches, at most a bound (`step-limit`). An exchange that would never end
 * is ended by one plastic step of moreau. */
carom_status walk_run(walk *w, block_memory *block, int *steps);

static inline double walk_normal_mass(const carom_contacts *x, const double *K, int j)
{
    return K[((j + 1) * x->dim - 1) * (x->count * x->dim + 1)];
}

#endif
