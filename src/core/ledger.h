/* The ledger: everything about an outcome that follows from K, u and p, computed once for all laws. */
#ifndef CAROM_CORE_LEDGER_H
#define CAROM_CORE_LEDGER_H

#include "carom/law.h"
#include "carom/outcome.h"
#include "carom/problem.h"
#include "core/psd.h"

/* Fill energy, restitution, margins, friction ratio and the admissibility flags from p, u_after and phases. s is the
 * complement of K. */
void ledger_fill(const carom_problem *problem, const schur *s, double mu, carom_outcome *outcome);

#endif
