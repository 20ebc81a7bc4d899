/* The system calls of wasi-libc, answered here, so that the module imports nothing: there are no files, no standard
 * input and output, no environment and no clock.
 *
 * wasi-libc calls each under the name __imported_wasi_snapshot_preview1_NAME and leaves it to the host; a function of
 * that name in the module is taken instead. All arguments are 32-bit but where the interface says otherwise. */
#include <stdint.h>

enum { FINE = 0, BAD_FILE = 8, ABSENT = 44, NOT_SUPPORTED = 58 }; /* __wasi_errno_t */

#define WASI(name) __imported_wasi_snapshot_preview1_##name

int32_t WASI(fd_read)(int32_t file, const void *spans, int32_t count, size_t *total)
{
    (void)file, (void)spans, (void)count;
    *total = 0;
    return BAD_FILE;
}

int32_t WASI(fd_write)(int32_t file, const void *spans, int32_t count, size_t *total)
{
    return WASI(fd_read)(file, spans, count, total);
}

int32_t WASI(fd_close)(int32_t file)
{
    (void)file;
    return FINE;
}

int32_t WASI(fd_fdstat_get)(int32_t file, void *stat)
{
    (void)file, (void)stat;
    return BAD_FILE;
}

int32_t WASI(fd_filestat_get)(int32_t file, void *stat)
{
    (void)file, (void)stat;
    return BAD_FILE;
}

int32_t WASI(fd_fdstat_set_flags)(int32_t file, int32_t flags)
{
    (void)file, (void)flags;
    return BAD_FILE;
}

int32_t WASI(fd_prestat_get)(int32_t file, void *stat)
{
    (void)file, (void)stat;
    return BAD_FILE;
}

int32_t WASI(fd_prestat_dir_name)(int32_t file, char *path, size_t length)
{
    (void)file, (void)path, (void)length;
    return BAD_FILE;
}

int32_t WASI(path_open)(int32_t directory, int32_t follow, const char *path, size_t length, int32_t how, int64_t rights,
                        int64_t inherited, int32_t flags, int32_t *file)
{
    (void)directory, (void)follow, (void)path, (void)length, (void)how, (void)rights, (void)inherited, (void)flags;
    *file = -1;
    return ABSENT;
}

int32_t WASI(environ_get)(char **list, char *bytes)
{
    (void)list, (void)bytes;
    return FINE;
}

int32_t WASI(environ_sizes_get)(size_t *count, size_t *bytes)
{
    *count = *bytes = 0;
    return FINE;
}

int32_t WASI(clock_time_get)(int32_t clock, uint64_t precision, uint64_t *time)
{
    (void)clock, (void)precision;
    *time = 0;
    return FINE;
}

/* The program ends in the middle: the caller starts a new one. */
void WASI(proc_exit)(int32_t status)
{
    (void)status;
    __builtin_trap();
}

int32_t WASI(fd_seek)(int32_t file, int64_t offset, int32_t whence, uint64_t *at)
{
    (void)file, (void)offset, (void)whence, (void)at;
    return NOT_SUPPORTED;
}
