/* Carom: work that consists of independent parts, on threads. */
#ifndef CAROM_PARALLEL_H
#define CAROM_PARALLEL_H

#include "carom/export.h"

CAROM_BEGIN

/* Call one(context, i) once for every i = 0 ... count - 1, in any order, on at most so many threads: the calling one
 * among them; 0 means as many as there are processors (carom_batch_threads). Returns when all calls have. Threads are
 * started and joined within the call; where one cannot be started the others do its work. */
CAROM_API void carom_parallel(int threads, int count, void (*one)(void *context, int i), void *context);

CAROM_END

#endif
