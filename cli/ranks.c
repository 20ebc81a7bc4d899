#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli.h"
#include "ranks_ops.h"

/* ---- one process ---- */

static ranks start_alone(void)
{
    const ranks r = {0, 1};
    return r;
}

static void end_alone(void)
{
}

static long take_alone(void)
{
    static long next;
    return next++;
}

static bool agree_alone(bool fine)
{
    return fine;
}

static void sum_alone(double *values, size_t count)
{
    (void)values;
    (void)count;
}

static void tell_alone(void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}

static void *open_alone(const char *path)
{
    int file = open(path, O_RDWR);
    int *kept = file >= 0 ? must_have(malloc(sizeof *kept)) : NULL;
    if (kept)
        *kept = file;
    return kept;
}

static bool write_alone(void *file, long long place, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = pwrite(*(int *)file, at, size, (off_t)place);
        if (done <= 0)
            return false;
        at += done;
        place += done;
        size -= (size_t)done;
    }
    return true;
}

static bool flush_alone(void *file)
{
    return fdatasync(*(int *)file) == 0;
}

static bool close_alone(void *file)
{
    bool fine = close(*(int *)file) == 0;
    free(file);
    return fine;
}

static const ranks_ops alone = {start_alone, end_alone,  take_alone,  agree_alone, sum_alone,
                                tell_alone,  open_alone, write_alone, flush_alone, close_alone};

/* ---- whichever there is ---- */

#ifndef CAROM_HAS_MPI
const ranks_ops *ranks_of_mpi(void)
{
    return NULL;
}
#endif

static const ranks_ops *ops = &alone;

struct ranks_file {
    void *file;
};

ranks ranks_start(void)
{
    ops = ranks_of_mpi() ? ranks_of_mpi() : &alone;
    return ops->start();
}

void ranks_end(void)
{
    ops->end();
    ops = &alone;
}

long ranks_take(void)
{
    return ops->take();
}

bool ranks_agree(bool fine)
{
    return ops->agree(fine);
}

void ranks_sum(double *values, size_t count)
{
    ops->sum(values, count);
}

void ranks_tell(void *bytes, size_t size)
{
    ops->tell(bytes, size);
}

ranks_file *ranks_file_open(const char *path)
{
    void *file = ops->open(path);
    ranks_file *f = file ? must_have(malloc(sizeof *f)) : NULL;
    if (f)
        f->file = file;
    return f;
}

bool ranks_file_write(ranks_file *f, long long place, const void *bytes, size_t size)
{
    return ops->write(f->file, place, bytes, size);
}

bool ranks_file_flush(ranks_file *f)
{
    return ops->flush(f->file);
}

bool ranks_file_close(ranks_file *f)
{
    bool fine = ops->close(f->file);
    free(f);
    return fine;
}
