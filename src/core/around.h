/* Stores that go around the caches, and copies that do not, as wide as the instruction set has them. */
#ifndef CAROM_CORE_AROUND_H
#define CAROM_CORE_AROUND_H

#if defined(__AVX512F__)
#include <immintrin.h>
enum { AROUND_WIDE = 8 };
static inline void around_store(double *to, const double *from)
{
    _mm512_stream_pd(to, _mm512_loadu_pd(from));
}
static inline void around_copy(double *to, const double *from)
{
    _mm512_storeu_pd(to, _mm512_loadu_pd(from));
}
#elif defined(__AVX__)
#include <immintrin.h>
enum { AROUND_WIDE = 4 };
static inline void around_store(double *to, const double *from)
{
    _mm256_stream_pd(to, _mm256_loadu_pd(from));
}
static inline void around_copy(double *to, const double *from)
{
    _mm256_storeu_pd(to, _mm256_loadu_pd(from));
}
#elif defined(__SSE2__)
#include <emmintrin.h>
enum { AROUND_WIDE = 2 };
static inline void around_store(double *to, const double *from)
{
    _mm_stream_pd(to, _mm_loadu_pd(from));
}
static inline void around_copy(double *to, const double *from)
{
    _mm_storeu_pd(to, _mm_loadu_pd(from));
}
#else
enum { AROUND_WIDE = 1 };
static inline void around_store(double *to, const double *from)
{
    *to = *from;
}
static inline void around_copy(double *to, const double *from)
{
    *to = *from;
}
#endif

/* Such stores may be seen after later ones, those by which a caller tells another thread of its results among them:
 * whoever made some says when they are done. */
static inline void around_done(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif
