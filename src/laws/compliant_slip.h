/* The two series of compliant slip in space. */
#ifndef CAROM_LAWS_COMPLIANT_SLIP_H
#define CAROM_LAWS_COMPLIANT_SLIP_H

#include "laws/family_compliant.h"

enum { SLIP_SAMPLES = 4 }; /* points per series where events are looked for: a step is a fraction of the radius */

/* Two numbers that go through the same arithmetic: one instruction for both. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

/* What ends this series within its reach: sets its length. ENDS_NOT when nothing does. */
ending slip_step_end(const compliant *c, series *x, double reach);

/* True when the direction is so much faster than the rest that it may follow its slow manifold: at the beginning of
 * an impact (f = 0), where it always does, and for small eta. */
bool slow_applies(const compliant *c);

/* One step on the slow manifold; false, and nothing changed, when the contact is not on it. */
bool slow_step(compliant *c, ending *how);

#endif
