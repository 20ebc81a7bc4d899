/* Streaming stores, which go to memory around the caches: an ordinary store first reads the line it is about to
 * overwrite, which costs as much traffic as the result itself. As wide as the instruction set has them. */
#ifndef CAROM_ENGINE_STREAM_H
#define CAROM_ENGINE_STREAM_H

#if defined(__AVX512F__)
#include <immintrin.h>
enum { STREAM_WIDTH = 8 };
static inline void stream_store(double *to, const double *from)
{
    _mm512_stream_pd(to, _mm512_loadu_pd(from));
}
#elif defined(__AVX__)
#include <immintrin.h>
enum { STREAM_WIDTH = 4 };
static inline void stream_store(double *to, const double *from)
{
    _mm256_stream_pd(to, _mm256_loadu_pd(from));
}
#elif defined(__SSE2__)
#include <emmintrin.h>
enum { STREAM_WIDTH = 2 };
static inline void stream_store(double *to, const double *from)
{
    _mm_stream_pd(to, _mm_loadu_pd(from));
}
#else
enum { STREAM_WIDTH = 1 };
static inline void stream_store(double *to, const double *from)
{
    *to = *from;
}
#endif

/* Streaming stores may become visible after later ordinary ones, such as a flag by which a caller tells another thread
 * that results are there: a fence after the last one prevents that. */
static inline void stream_fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif
