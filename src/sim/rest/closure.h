/* Decides which contacts of a body stay closed after an impact. */
#ifndef CAROM_SIM_CLOSING_H
#define CAROM_SIM_CLOSING_H

#include "sim/resolve/standing.h"
#include "sim/rest/ride.h"

typedef struct trial_contact {
    closed_contact c;
    double u_before; /* normal velocity before the impact; zero when it took no part */
    bool was_closed, closes;
} trial_contact;

/* Contacts of an island on trial: those that were closed, and those of this impact. */
typedef struct trial {
    int count;
    trial_contact *at;
} trial;

int find_trial(const carom_sim *sim, const trial *x, const closed_contact *c);

/* Closed contacts of the bodies, and those of this impact that they could stand on, in the arena. False: memory ends.
 */
bool collect(carom_sim *sim, const island *bodies, double t, trial *x);

/* The contacts of one body, and those with what is fixed, are judged by the acceleration that bodies have without any;
 * then those between bodies, by what the others leave of it. False: the acceleration problem does not cover them. */
bool judge(carom_sim *sim, const island *bodies, trial *x, const double *y);

/* How a contact leaves an impact: normal velocities, acceleration, and speeds whose rounding they carry. */
typedef struct rebound {
    double u_before, u_n, a_n, speed, time;
} rebound;

/* (5.1) of the page: what is left of the bounces takes less than the resting time and stays below the resting length;
 * or rounding of the time is all that makes one hop as long as the next. */
static inline bool is_over(const carom_scene *s, const rebound *r)
{
    if (!(r->a_n < 0))
        return false;
    if (r->u_n <= ROUND_SPEED * r->speed) /* rounding of u + K p */
        return true;
    double e = r->u_before < 0 ? r->u_n / -r->u_before : 0, hop = 2 * r->u_n / -r->a_n;
    bool brief = hop <= (1 - e) * s->resting_time && 0.25 * r->u_n * hop <= s->resting_length;
    return e < 1 && (brief || hop <= SAME_INSTANT * r->time);
}

#endif
