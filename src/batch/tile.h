/* What happens to a tile before and after the kernel of its law; one variant per instruction set. */
#ifndef CAROM_BATCH_TILE_H
#define CAROM_BATCH_TILE_H

#include "core/lanes.h"

/* tile_check   complement of K; which rows separate, and which are hard: not valid, singular, grazing or out of scale
 * tile_ranges  rows whose own coefficients are out of range are hard, too
 * tile_rebound u_after = u + K p for laws that do not say it themselves
 * tile_finish  rows that separate get no impulse; no negative zeros; results out of scale are hard
 * tile_ledger  the ledger of every row */
LANES_DECLARE(tile_check)
LANES_DECLARE(tile_ranges)
LANES_DECLARE(tile_rebound)
LANES_DECLARE(tile_finish)
LANES_DECLARE(tile_ledger)

#endif
