/* What observers are told. Reports are built only when somebody watches. */
#ifndef CAROM_SIM_OBSERVE_H
#define CAROM_SIM_OBSERVE_H

#include "sim/world/world.h"

/* Before an impact: the observer may change rules. False: it lets the bodies pass, or it left an invalid rule;
 * then sim->error has a status. */
bool observe_before(carom_sim *sim, int group, double t);

void observe_alone(carom_sim *sim, int contact, double t, carom_outcome *outcome);
void observe_together(carom_sim *sim, int group, double t, carom_together_outcome *outcome);

/* An event that is no impact, at one contact. */
void observe_change(carom_sim *sim, const carom_sim_event *event);

#endif
