/* The road of an impact, once for every instruction set: gate, law, ledger. Single calls and rows of a batch take the
 * same kernel; a row that is out of the ordinary takes the road of a single call. */
#include "engine/engine.h"
#include "engine/loops.h"
#include "engine/one.h"

/* Laws whose kernel is compiled into a loop over rows. They are part of this file; the other laws are files of their
 * own. */
#include "laws/bilinear.c"
#include "laws/brach.c"
#include "laws/chatterjee_momentum.c"
#include "laws/chatterjee_rebound.c"
#include "laws/chatterjee_velocity.c"
/* The mix calls the three above. */
#include "laws/chatterjee_mix.c"
#include "laws/ivanov.c"
#include "laws/newton.c"
#include "laws/pfeiffer_glocker.c"
#include "laws/routh_newton.c"
#include "laws/routh_poisson.c"
#include "laws/routh_stronge.c"
#include "laws/whittaker.c"

#ifndef ENGINE
#define ENGINE carom_engine_baseline
#endif

/* Rows in space are of this kind for a law: any, or spheres where the kernel covers these alone. And so many results go
 * to memory by streaming stores when the caches are too small for them: the more a law computes, the longer it would
 * wait for the few buffers of such stores. */
LAW_LOOPS(newton, SPATIAL, STREAM_ALL)
LAW_LOOPS(brach, SPATIAL, STREAM_ALL)
LAW_LOOPS(whittaker, SPHERE, STREAM_ALL)
LAW_LOOPS(bilinear, SPATIAL, STREAM_ALL)
LAW_LOOPS(chatterjee_velocity, SPATIAL, STREAM_IMPULSE)
LAW_LOOPS(chatterjee_momentum, SPATIAL, STREAM_IMPULSE)
LAW_LOOPS(chatterjee_rebound, SPATIAL, STREAM_IMPULSE)
LAW_LOOPS(chatterjee_mix, SPATIAL, STREAM_NONE)
LAW_LOOPS(ivanov, SPATIAL, STREAM_ALL)
LAW_LOOPS(pfeiffer_glocker, SPHERE, STREAM_NONE)
LAW_LOOPS(routh_newton, SPHERE, STREAM_IMPULSE)
LAW_LOOPS(routh_poisson, SPHERE, STREAM_IMPULSE)
LAW_LOOPS(routh_stronge, SPHERE, STREAM_IMPULSE)

#define LOOPS_OF(law)                                                                                                  \
    {                                                                                                                  \
        &carom_law_##law, law##_planar_rows, law##_spatial_rows                                                        \
    }
static const engine_loops loops[] = {
    LOOPS_OF(newton),
    LOOPS_OF(brach),
    LOOPS_OF(whittaker),
    LOOPS_OF(bilinear),
    LOOPS_OF(chatterjee_velocity),
    LOOPS_OF(chatterjee_momentum),
    LOOPS_OF(chatterjee_rebound),
    LOOPS_OF(chatterjee_mix),
    LOOPS_OF(ivanov),
    LOOPS_OF(pfeiffer_glocker),
    LOOPS_OF(routh_newton),
    LOOPS_OF(routh_poisson),
    LOOPS_OF(routh_stronge),
};

#define CAROM_LAW(symbol) extern const carom_law carom_law_##symbol;
#include "carom/laws.def"
#undef CAROM_LAW

static const carom_law *const laws[] = {
#define CAROM_LAW(symbol) &carom_law_##symbol,
#include "carom/laws.def"
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
