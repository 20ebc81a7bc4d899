/* Impulses at many contacts by sweeps (projected Gauss-Seidel). Each contact in turn gets the normal impulse that makes
 * its normal velocity reach an aim, and the friction that stops it, within Coulomb's cone.
 *
 * Vectors have world components and no contact has tangents of its own: a mirrored scene repeats the arithmetic with
 * other signs. */
#ifndef CAROM_SIM_CONTACT_SWEEP_H
#define CAROM_SIM_CONTACT_SWEEP_H

#include "sim/resolve/gather.h"

/* Velocities of a body, and what impulses do to them. */
typedef struct sweep_body {
    carom_vec3 v, w;
    double inv_mass;
    carom_sym3 inv_inertia;
    carom_vec3 old_v, old_w, way_v, way_w; /* within sweep_rows: before the last sweep; the direction to go on along */
} sweep_body;

/* One contact, with all that a sweep needs of it. */
typedef struct sweep_row {
    int a, b; /* slots of the bodies */
    carom_vec3 n, arm_a, arm_b;
    carom_vec3 response; /* K n: the velocity that an impulse along n makes */
    double K_n, K_t, mu, aim;
    double p_n;
    carom_vec3 p_t;
    double per_n, per_t; /* 1 / K */
    bool on_ground;      /* nothing moves B */
    bool holds, sticks;  /* it may pull; friction has no bound */
    bool hits;           /* at the start of a step: it has had an impulse */
    double old_n, way_n; /* before the last sweep; the direction that sweeps go on along */
    carom_vec3 old_t, way_t;
} sweep_row;

/* The row of a contact; bodies by their slots. */
sweep_row sweep_make(const carom_sim *sim, const touching *c, const sweep_body *bodies);

/* The velocity of A against B at the contact. */
carom_vec3 sweep_velocity(const sweep_row *r, const sweep_body *bodies);

/* Its part along the tangents. */
carom_vec3 sweep_slip(const sweep_row *r, const sweep_body *bodies);

/* The whole impulse of a row on A. */
carom_vec3 sweep_impulse(const sweep_row *r);

/* Give the bodies an impulse at the row. */
void sweep_push(const sweep_row *r, sweep_body *bodies, carom_vec3 P);

enum { SWEEPS = 600 }; /* where they settle */

/* At most so many sweeps, until no velocity changes by more than still. */
typedef struct sweep_limit {
    int sweeps;
    double still;
} sweep_limit;

void sweep_rows(sweep_row *rows, size_t count, sweep_body *bodies, sweep_limit limit);

/* The velocities and masses of everyone who takes part, by slots; those who are asleep do not move. */
void sweep_load(const carom_sim *sim, sweep_body *bodies);

/* Newton's coefficient of a contact; zero where its law has none. */
double sweep_restitution(const touching *c);

/* An impact at many contacts for which the law found no answer within its bound: moreau's conditions by sweeps.
 * False when memory ends. */
bool relax_group(carom_sim *sim, int group);

#endif
