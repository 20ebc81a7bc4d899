/* Writing results to memory. Outputs larger than the caches go around them: an ordinary store would first read the line
 * it is about to overwrite, which costs as much traffic as the result itself. Compiled once per instruction set: the
 * wider a store, the more of a tile waits in the store buffer while the next one is computed. */
#include "core/around.h"
#include "engine/tile.h"

void LANES_VARIANT(tile_stream)(double *to, const double *from, int count)
{
    int i = 0;
    for (; i + AROUND_WIDE <= count; i += AROUND_WIDE)
        around_store(to + i, from + i);
    for (; i < count; i++)
        to[i] = from[i];
}
