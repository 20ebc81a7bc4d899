/* The part of the library that is compiled once per instruction set: the laws, the road of one impact, and the loops
 * over a tile of rows. src/engine/road.c makes one engine of each; nothing in the sources differs, so neither do
 * results. The build keeps every other symbol of such a part to itself (cmake/engine.cmake). */
#ifndef CAROM_ENGINE_ENGINE_H
#define CAROM_ENGINE_ENGINE_H

#include "carom/batch.h"
#include "engine/tile.h"

typedef carom_status engine_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                                  carom_outcome *out);
typedef void engine_loop(tile *x);

/* The loops of a law over rows in a plane and in space. */
typedef struct engine_loops {
    const carom_law *law;
    engine_loop *planar, *spatial;
} engine_loops;

typedef struct engine {
    const carom_law *const *laws; /* in the order of the manifest */
    int law_count;
    const engine_loops *loops; /* of the laws that have some */
    int loop_count;
    engine_solve *solve;          /* carom_solve */
    engine_loop *ranges, *ledger; /* rows with coefficients out of range; the ledger of every row */
    void (*stream)(double *to, const double *from, int count);
} engine;

extern const engine carom_engine_baseline, carom_engine_avx2, carom_engine_avx512;

/* The engine of the best instruction set of both this machine and this build, or of at most this one. */
const engine *engine_best(void);
const engine *engine_at_most(carom_isa isa);

#endif
