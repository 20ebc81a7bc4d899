/* Rows that nothing acts on are cut out before a law sees a problem: t2 where nothing moves along it at any contact, as
 * in a planar mechanism in space, so that planar laws take it and modes are enumerated; spins where no contact has a
 * patch or rolling resistance, which are carried along. */
#ifndef CAROM_ENGINE_TOGETHER_FLAT_H
#define CAROM_ENGINE_TOGETHER_FLAT_H

#include <stdbool.h>

#include "carom/together.h"
#include "core/block_memory.h"

/* The rows of a contact that stay; all of them where nothing is cut. */
typedef struct flat_rows {
    int count, at[6];
} flat_rows;

flat_rows flat_rows_of(const carom_contacts *problem, const carom_coeffs *coeffs);

/* The problem that is left and what it needs besides. */
typedef struct flat_problem {
    const carom_contacts *whole;
    carom_contacts cut;
    flat_rows rows;
    carom_together_outcome out; /* its arrays are those of the cut problem */
    const carom_together_tracer *given;
    double *p, *u, *spring; /* of the whole problem, for the tracer */
} flat_problem;

size_t flat_size(const carom_contacts *problem, const flat_rows *rows);

flat_problem flat_cut(const carom_contacts *problem, const flat_rows *rows, const carom_together_outcome *out,
                      const carom_together_tracer *tracer, block_memory *memory);

/* A tracer that shows whole states to the one given. */
carom_together_tracer flat_tracer(flat_problem *flat);

/* The outcome of the whole problem, with no impulses in the rows that were cut. */
void flat_expand(const flat_problem *flat, carom_together_outcome *out);

#endif
