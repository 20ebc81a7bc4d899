/* Decides which contacts of a body stay closed after an impact. */
#ifndef CAROM_SIM_CLOSING_H
#define CAROM_SIM_CLOSING_H

#include "sim/contact/foot.h"
#include "sim/contact/gather.h"
#include "sim/rest/ride.h"

/* Contacts of an island on trial: those that were closed, and those of this impact. */
typedef struct trial {
    int count;
    closed_contact c[RIDE_CONTACTS];
    double u_before[RIDE_CONTACTS]; /* normal velocity before the impact; zero when it took no part */
    bool was_closed[RIDE_CONTACTS], closes[RIDE_CONTACTS];
} trial;

int find_trial(const carom_sim *sim, const trial *x, const closed_contact *c);

/* The closed contact that a touching one may become. False: there is nothing to stand on, or no simple foot. Of two
 * movable bodies either may have the foot. */
bool standing(const carom_sim *sim, const touching *m, double t, closed_contact *out);

/* The same of two movable bodies, one of which touches the other, b, at a place. */
bool stand_together(const carom_sim *sim, const touch_place *at, int b, closed_contact *out);

/* A ground in the axes of the body that carries it. */
ground own_ground(const ground *g, const snap *s);

/* Closed contacts of the bodies, and those of this impact that they could stand on. False: there is no room for all. */
bool collect(const carom_sim *sim, const island *bodies, double t, trial *x);

/* The contacts of one body, and those with what is fixed, are judged by the acceleration that bodies have without any;
 * then those between bodies, by what the others leave of it. False: the acceleration problem does not cover them. */
bool judge(const carom_sim *sim, const island *bodies, trial *x, const double *y);

/* How a contact leaves an impact: normal velocities, acceleration, and speeds whose rounding they carry. */
typedef struct rebound {
    double u_before, u_n, a_n, speed;
} rebound;

/* (5.1) of the page: what is left of the bounces takes less than the resting time and stays below the resting length.
 */
bool is_over(const carom_scene *s, const rebound *r);

static inline bool is_ball(const piece *foot)
{
    return foot->kind == CORE_POINT && foot->margin > 0;
}

/* Is the foot on piece k of body i a whole ball, and not the end of a capsule, whose side comes down beside it? */
static inline bool is_whole_ball(const carom_sim *sim, int i, int k, const piece *foot)
{
    return is_ball(foot) && ((const piece *)sim->pieces.data)[frame_of(sim, i)->first_piece + k].kind == CORE_POINT;
}

#endif
