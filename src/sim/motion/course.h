/* The one writer of motions. Whatever changes how a body moves (an impact, a contact that closes, a step, a joint) ends
 * its piece of motion and begins the next one here; what is marked here is predicted at the end of the instant. */
#ifndef CAROM_SIM_COURSE_H
#define CAROM_SIM_COURSE_H

#include "sim/motion/motion.h"

typedef enum course_turn {
    COURSE_TURNS_FREELY,
    COURSE_TURNS_BY,      /* alpha, constant */
    COURSE_TURNS_IN_STEP, /* likewise, and its orientation by beta: spin.h */
    COURSE_TURNS_ON_TRACK,
    COURSE_KEEPS_TURNING /* as before */
} course_turn;

/* How a body moves until its next event. */
typedef struct course {
    snap at;            /* where it begins */
    carom_vec3 a;       /* acceleration of the centre, */
    const track *track; /* or what moves it in place of that */
    double until;       /* it holds until then */
    course_turn turn;
    carom_vec3 alpha, beta;
} course;

/* Free flight under gravity. */
course course_free(const carom_sim *sim, int i, snap at);

/* Constant accelerations until then. */
course course_driven(snap at, carom_vec3 a, carom_vec3 alpha, double until);

/* A track with the state y at its start. */
course course_on_track(const carom_sim *sim, int i, const double y[STATE], const track *k);

/* Place and velocities from the numbers of state_of(). */
snap snap_of(const double y[STATE]);

/* The next event of body i is to be looked for at the end of this instant. */
void motion_mark(carom_sim *sim, int i);

/* The piece of motion of body i ends at t: its energies are booked, impacts that others expect with it are void, and it
 * has touched nothing yet. Does this once in an instant. */
void motion_end(carom_sim *sim, int i, double t);

/* Writes a motion of a body whose last piece has ended; also one on trial. */
void motion_set(carom_sim *sim, int i, double t, const course *c);

/* The piece of body i ends at t and this one begins. */
void motion_begin(carom_sim *sim, int i, double t, const course *c);

/* The same for a sphere in a gas, which turns steadily and falls freely before and after: what does not change is not
 * written, nor read into the cache. */
void motion_rebound(carom_sim *sim, int i, double t, const carom_body *now);

/* Bodies i and j touch at the start of the motion of i. */
void remember(carom_sim *sim, int i, int j);

/* They do not: their next impact comes at once. */
void forget_touch(carom_sim *sim, int i, int j);

#endif
