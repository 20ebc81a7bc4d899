/* Ranks by MPI: a counter of shares in a window on rank 0, and MPI-IO for the file. */
#include "ranks_ops.h"

#ifdef CAROM_HAS_MPI

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

static MPI_Win window;
static int my_rank;

static void be_silent(void)
{
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        exit(BAD_INPUT);
}

static ranks start(void)
{
    ranks r;
    int given;
    long *next;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r.count);
    my_rank = r.rank;
    if (r.rank > 0)
        be_silent();
    MPI_Win_allocate(r.rank == 0 ? (MPI_Aint)sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &next,
                     &window);
    if (r.rank == 0)
        *next = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return r;
}

static void end(void)
{
    MPI_Win_free(&window);
    MPI_Finalize();
}

static long take(void)
{
    const long one = 1;
    long taken = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &taken, MPI_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    return taken;
}

static bool agree(bool fine)
{
    int mine = fine, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

static void sum(double *values, size_t count)
{
    enum { MOST = 1 << 24 };
    for (size_t at = 0; at < count; at += MOST) {
        int part = count - at < MOST ? (int)(count - at) : MOST;
        const void *from = my_rank == 0 ? MPI_IN_PLACE : values + at;
        MPI_Reduce(from, values + at, part, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

static void tell(void *bytes, size_t size)
{
    MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void *open_together(const char *path)
{
    MPI_File *file = must_have(malloc(sizeof *file));
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, file) == MPI_SUCCESS)
        return file;
    free(file);
    return NULL;
}

static bool write_at(void *file, long long place, const void *bytes, size_t size)
{
    MPI_Status status;
    int done = 0;
    if (MPI_File_write_at(*(MPI_File *)file, place, bytes, (int)size, MPI_BYTE, &status) != MPI_SUCCESS)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &done);
    return (size_t)done == size;
}

/* MPI_File_sync waits for all ranks, which are at different shares: what was written is left to the system, and the
 * record of a share is written after its rows. */
static bool flush(void *file)
{
    (void)file;
    return true;
}

static bool close_together(void *file)
{
    bool fine = MPI_File_sync(*(MPI_File *)file) == MPI_SUCCESS && MPI_File_close(file) == MPI_SUCCESS;
    free(file);
    return fine;
}

/* mpirun tells the processes that it starts how many they are. */
const ranks_ops *ranks_of_mpi(void)
{
    static const ranks_ops mpi = {start, end, take, agree, sum, tell, open_together, write_at, flush, close_together};
    bool launched = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
    return launched ? &mpi : NULL;
}

#endif
