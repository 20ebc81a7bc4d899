/* What happens to a tile before and after the loop of its law; one variant per instruction set. */
#ifndef CAROM_BATCH_TILE_H
#define CAROM_BATCH_TILE_H

#include "contact/lanes.h"

/* tile_ranges  rows whose own coefficients are out of range are hard, the others are not odd
 * tile_ledger  the ledger of every row
 * tile_stream  copy an array of the tile to memory, around the caches */
LANES_DECLARE(tile_ranges)
LANES_DECLARE(tile_ledger)

typedef void tile_copy(double *to, const double *from, int count);
tile_copy tile_stream_baseline, tile_stream_avx2, tile_stream_avx512;

#endif
