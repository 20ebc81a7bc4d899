/* The ranks of a program under mpirun. Outside it, or in a build without MPI, there is one rank.
 *
 * Work is cut into numbered shares. A rank that is free takes the next number, so that a slow processor takes fewer. */
#ifndef CAROM_CLI_RANKS_H
#define CAROM_CLI_RANKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ranks {
    int rank, count;
} ranks;

/* Under mpirun the other ranks print nothing: rank 0 speaks for all. */
ranks ranks_start(void);
void ranks_end(void);

/* The next share of the work, over all ranks: 0, 1, 2, ... */
long ranks_take(void);

/* Wait for all ranks: true when all of them say true. */
bool ranks_agree(bool fine);

/* Add up what the ranks have, entry by entry; rank 0 gets the sums. */
void ranks_sum(double *values, size_t count);

/* Rank 0's bytes for all. */
void ranks_tell(void *bytes, size_t size);

/* A file that exists and that all ranks write into, each at its own places. */
typedef struct ranks_file ranks_file;
ranks_file *ranks_file_open(const char *path); /* null when it cannot be opened */
bool ranks_file_write(ranks_file *f, long long place, const void *bytes, size_t size);
bool ranks_file_flush(ranks_file *f); /* what this rank wrote is on the disk */
bool ranks_file_close(ranks_file *f);

#endif
