/* The properties of one answer, and those that compare it with a related one. */
#ifndef CAROM_TESTS_PROPERTY_CHECKS_H
#define CAROM_TESTS_PROPERTY_CHECKS_H

#include "tally.h"

/* Solve into x->out, over memory filled with this byte. */
void trial_solve(tally *t, trial *x, int poison);

/* From K, u and p alone: status, finite, rebound, impulse, energy, cone, penetration, ledger, coefficient. */
void check_answer(tally *t, const trial *x);

/* One of turned, mirror, units, scaled, continuity, written, as the dice fall. */
void check_relative(tally *t, const trial *x);

/* Solve a contact with a patch, and the properties of its answer; then one of those that compare it with another. */
void trial_solve_patch(tally *t, trial *x, int poison);
void check_patch(tally *t, const trial *x);
void check_patch_relative(tally *t, const trial *x);

/* Rows of one law against their batch. */
void check_batch(tally *t, const trial *rows, int count);

#endif
