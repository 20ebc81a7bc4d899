/* Closed contacts that open, change their mode or their ground, and what observers hear of it. */
#ifndef CAROM_SIM_CLOSED_H
#define CAROM_SIM_CLOSED_H

#include "sim/rest/closure.h"

void tell_change(carom_sim *sim, carom_sim_event_kind kind, const closed_contact *c, double energy);

/* A contact leaves the list, and observers hear of it. */
void open_contact(carom_sim *sim, int k);

/* Modes have been chosen: tell what changed, drop contacts that open. */
void apply_modes(carom_sim *sim, ride *r);

/* Contacts whose point has come to the border of what it stands on open, unless they are those of a ball that rolls on.
 * Bodies that leave each other so may get other feet: the corner below comes under the face above. False: a foot that
 * is no ball has come to a round border, which exact motion does not follow it over. */
bool leave_grounds(carom_sim *sim, const island *bodies, double *y);

#endif
