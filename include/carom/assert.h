/* Carom: programmer errors.
 *
 * CAROM_ASSERT marks contracts a caller must keep (no null pointers, counts that fit). In release builds (NDEBUG) it
 * costs nothing. Define CAROM_ASSERT_FAILED(text, file, line) when building the library to send broken contracts to
 * a handler of your own instead of the C library's assert. */
#ifndef CAROM_ASSERT_H
#define CAROM_ASSERT_H

#if defined(CAROM_ASSERT_FAILED)
#define CAROM_ASSERT(condition) ((condition) ? (void)0 : CAROM_ASSERT_FAILED(#condition, __FILE__, __LINE__))
#elif defined(NDEBUG)
#define CAROM_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define CAROM_ASSERT(condition) assert(condition)
#endif

#endif
