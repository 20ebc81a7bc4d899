/* The motion of a step: approaches end, then contact forces that are constant over the step keep contacts closed.
 * docs/theory/motion.md, 6. */
#ifndef CAROM_SIM_STEP_MIDPOINT_H
#define CAROM_SIM_STEP_MIDPOINT_H

#include "sim/resolve/contact_sweep.h"

/* Bodies that may meet within a step, and their gap at its start. */
typedef struct step_pair {
    int a, b;
    double gap;
    int next;           /* pair of body a, or -1 */
    size_t from, to;    /* its contacts at the start of the step, */
    size_t middle, end; /* and in its middle */
    carom_vec3 axis;    /* between them when they were last looked at, or zero */
} step_pair;

/* A step from t to t + h. The contacts at its start come first among the touchings; those in its middle follow. The
 * bodies of the sweeps are those of the start, then those with the mean velocities. */
typedef struct step_plan {
    double t, h;
    size_t first, missed; /* contacts of the start; those of them that only the middle has shown come last */
    double moved;         /* change of the mean velocities since the contacts in the middle were found */
    double hit;           /* what moving ground gives to the bodies at the start, */
    double driven;        /* and over the step */
    double gain;          /* energy that the step may add beyond what fields and moving ground give: none, or less */
} step_plan;

static inline bool is_stepped(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return mover_of(sim, i)->is_movable && f->stepped && !f->asleep;
}

static inline sweep_body *step_start(const carom_sim *sim, size_t slot)
{
    return (sweep_body *)sim->step_bodies.data + slot;
}

static inline sweep_body *step_mean(const carom_sim *sim, size_t slot)
{
    return (sweep_body *)sim->step_bodies.data + sim->involved.count + slot;
}

/* The contacts of two bodies at time t, with the gap of each: near features count as touching along their length. */
void step_add_contacts(carom_sim *sim, step_pair *pair, double t);

/* Solve the step for the pairs of the simulation. False when memory ends. */
bool step_solve(carom_sim *sim, step_plan *p);

/* Do bodies overlap more at the end of the step than its contacts foresee, or within it? */
bool step_is_deep(carom_sim *sim, const step_plan *p);

/* The angular velocity at the end of the step. */
carom_vec3 step_last_omega(const carom_sim *sim, const step_plan *p, size_t slot);

#endif
