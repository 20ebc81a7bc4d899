/* What ranks.h does, by one process alone and by MPI. */
#ifndef CAROM_CLI_RANKS_OPS_H
#define CAROM_CLI_RANKS_OPS_H

#include "ranks.h"

typedef struct ranks_ops {
    ranks (*start)(void);
    void (*end)(void);
    long (*take)(void);
    bool (*agree)(bool fine);
    void (*sum)(double *values, size_t count);
    void (*tell)(void *bytes, size_t size);
    void *(*open)(const char *path);
    bool (*write)(void *file, long long place, const void *bytes, size_t size);
    bool (*flush)(void *file);
    bool (*close)(void *file);
} ranks_ops;

/* MPI's, when mpirun has started this process; else null. */
const ranks_ops *ranks_of_mpi(void);

#endif
