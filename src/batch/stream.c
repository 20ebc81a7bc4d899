/* Writing results to memory. Outputs larger than the caches go around them: an ordinary store would first read the
 * line it is about to overwrite, which costs as much traffic as the result itself. */
#include <string.h>

#include "batch/job.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#include <stdint.h>

static void stream(double *to, const double *from, int count)
{
    int i = 0;
    for (; i < count && ((uintptr_t)(to + i) & 15) != 0; i++)
        to[i] = from[i];
    for (; i + 2 <= count; i += 2)
        _mm_stream_pd(to + i, _mm_loadu_pd(from + i));
    for (; i < count; i++)
        to[i] = from[i];
}
#else
static void stream(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}
#endif

void batch_store(double *to, const double *from, int count, bool streams)
{
    if (streams)
        stream(to, from, count);
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}
