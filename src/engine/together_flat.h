/* Spatial problems that are planar: nothing moves along t2 at any contact. A planar mechanism in space gives such a
 * problem; it is solved with the rows t1 and n alone, so that planar laws take it and modes are enumerated. */
#ifndef CAROM_ENGINE_TOGETHER_FLAT_H
#define CAROM_ENGINE_TOGETHER_FLAT_H

#include <stdbool.h>

#include "carom/together.h"
#include "core/block_memory.h"

/* Are the rows and columns t2 of K zero, and t2 of u? */
bool flat_is_flat(const carom_contacts *problem);

/* The planar problem and what it needs besides. */
typedef struct flat_problem {
    carom_contacts planar;
    carom_together_outcome out; /* its arrays are planar */
    const carom_together_tracer *given;
    double *p, *u, *spring; /* spatial, for the tracer */
} flat_problem;

size_t flat_size(const carom_contacts *problem);

/* Cut the rows t2 out. */
flat_problem flat_cut(const carom_contacts *problem, const carom_together_outcome *out,
                      const carom_together_tracer *tracer, block_memory *memory);

/* A tracer that shows spatial states to the one given. */
carom_together_tracer flat_tracer(flat_problem *flat);

/* The planar outcome, with zeros along t2. */
void flat_expand(const flat_problem *flat, carom_together_outcome *out);

#endif
