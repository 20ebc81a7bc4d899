/* moreau for contacts with a patch or rolling resistance: see moreau_spins.c. */
#ifndef CAROM_LAWS_MOREAU_SPINS_H
#define CAROM_LAWS_MOREAU_SPINS_H

#include "laws/together/together_call.h"

size_t moreau_spins_work(const carom_contacts *x);
carom_status moreau_spins(const carom_together_call *call, carom_together_outcome *out);

#endif
