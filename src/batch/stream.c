/* Writing results to memory. Outputs larger than the caches go around them: an ordinary store would first read the line
 * it is about to overwrite, which costs as much traffic as the result itself. Compiled once per instruction set: the
 * wider a store, the more of a tile waits in the store buffer while the next one is computed. */
#include <stdint.h>
#include <string.h>

#include "batch/tile.h"

#if defined(__AVX512F__)
#include <immintrin.h>
enum { WIDE = 8 };
static inline void store_wide(double *to, const double *from)
{
    _mm512_stream_pd(to, _mm512_loadu_pd(from));
}
#elif defined(__AVX__)
#include <immintrin.h>
enum { WIDE = 4 };
static inline void store_wide(double *to, const double *from)
{
    _mm256_stream_pd(to, _mm256_loadu_pd(from));
}
#elif defined(__SSE2__)
#include <emmintrin.h>
enum { WIDE = 2 };
static inline void store_wide(double *to, const double *from)
{
    _mm_stream_pd(to, _mm_loadu_pd(from));
}
#else
enum { WIDE = 1 };
static inline void store_wide(double *to, const double *from)
{
    *to = *from;
}
#endif

void LANES_VARIANT(tile_stream)(double *to, const double *from, int count)
{
    int i = 0;
    for (; i < count && (uintptr_t)(to + i) % (WIDE * sizeof *to) != 0; i++)
        to[i] = from[i];
    for (; i + WIDE <= count; i += WIDE)
        store_wide(to + i, from + i);
    for (; i < count; i++)
        to[i] = from[i];
}
