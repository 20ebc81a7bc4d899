/* The road of an impact, once for every instruction set: gate, law, ledger. Single calls and rows of a batch take the
 * same kernel; a row that is out of the ordinary takes the road of a single call. */
#include "engine/engine.h"
#include "engine/loops.h"
#include "engine/one.h"

/* Laws whose kernel is compiled into a loop over rows are part of this file (the list is made from laws.def, in its
 * order, by cmake/laws.cmake); the other laws are files of their own. */
#include "engine/laws_with_loops.inc"

#ifndef ENGINE
#define ENGINE carom_engine_baseline
#endif

#define LOOPS_SINGLE(law, stream)
#define LOOPS_SPATIAL(law, stream)                     LAW_LOOPS(law, SPATIAL, stream)
#define LOOPS_SPHERE(law, stream)                      LAW_LOOPS(law, SPHERE, stream)
#define CAROM_LAW(symbol, rows, stream, numbers, rest) LOOPS_##rows(symbol, stream)
#include "laws/laws.def"
#undef CAROM_LAW

#define ROWS_OF_SINGLE(law)
#define ROWS_OF_SPATIAL(law) {&carom_law_##law, law##_planar_rows, law##_spatial_rows},
#define ROWS_OF_SPHERE(law)  ROWS_OF_SPATIAL(law)
static const engine_loops loops[] = {
#define CAROM_LAW(symbol, rows, stream, numbers, rest) ROWS_OF_##rows(symbol)
#include "laws/laws.def"
#undef CAROM_LAW
};

#define CAROM_LAW(symbol, rows, stream, numbers, rest) extern const carom_law carom_law_##symbol;
#include "laws/laws.def"
#undef CAROM_LAW

static const carom_law *const laws[] = {
#define CAROM_LAW(symbol, rows, stream, numbers, rest) &carom_law_##symbol,
#include "laws/laws.def"
#undef CAROM_LAW
};

const engine ENGINE = {
    .laws = laws,
    .law_count = sizeof laws / sizeof laws[0],
    .loops = loops,
    .loop_count = sizeof loops / sizeof loops[0],
    .solve = solve_one,
    .ranges = tile_ranges,
    .ledger = tile_ledger,
    .stream = tile_stream,
};
