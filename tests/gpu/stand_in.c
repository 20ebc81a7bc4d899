/* A library that stands in for NVIDIA's driver, libcuda.so.1: device memory is memory of the host, and kernels are the
 * same C text, compiled for the processor, one thread after the other. It shows what the host's part of the GPU engine
 * does, and misbehaves on request:
 *
 *     CAROM_STAND_IN_VERSION=N   driver_version answers N (default 12000)
 *     CAROM_STAND_IN_DEVICES=N   so many devices (default 1)
 *     CAROM_STAND_IN_MAJOR=N     their compute capability (default 9)
 *     CAROM_STAND_IN_LAUNCHES=N  after so many launches the device is lost
 *     CAROM_STAND_IN_CALLS=N     after so many calls, of whatever function, it is lost; memory can be given back
 *     CAROM_STAND_IN_BYTES=N     so much device memory (default 4 GiB) */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/gpu_job.h"

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, NOT_FOUND = 500, LOST = 719 };

_Thread_local uint64_t carom_stand_in_thread, carom_stand_in_threads;

static long long asked_for(const char *variable, long long otherwise)
{
    const char *text = getenv(variable);
    return text ? atoll(text) : otherwise;
}

/* Begins a function of the driver that can fail. */
static atomic_llong calls;
#define CALLED                                                                                                         \
    if (atomic_fetch_add(&calls, 1) >= asked_for("CAROM_STAND_IN_CALLS", INT64_MAX))                                   \
    return LOST

/* ---- kernels ---- */

typedef void job_kernel(gpu_job job);
typedef void parcel_kernel(gpu_parcel parcel);

typedef struct kernel {
    const char *name;
    job_kernel *on_job;
    parcel_kernel *on_parcel;
} kernel;

#define ROWS_0(law)
#define ROWS_1(law) job_kernel law##_rows;
#define PATHS_0(law)
#define PATHS_1(law) job_kernel law##_paths;
#define GPU_LAW(law, has_rows, has_paths, registers, level, ending)                                                    \
    ROWS_##has_rows(law) PATHS_##has_paths(law) parcel_kernel law##_pack, law##_unpack;
#include "engine/gpu/gpu_laws.def"
#undef GPU_LAW
#undef ROWS_1
#undef PATHS_1
#define ROWS_1(law)  {#law "_rows", law##_rows, NULL},
#define PATHS_1(law) {#law "_paths", law##_paths, NULL},

static const kernel kernels[] = {
#define GPU_LAW(law, has_rows, has_paths, registers, level, ending)                                                    \
    ROWS_##has_rows(law) PATHS_##has_paths(law){#law "_pack", NULL, law##_pack}, {#law "_unpack", NULL, law##_unpack},
#include "engine/gpu/gpu_laws.def"
#undef GPU_LAW
};

int cuModuleLoadData(void **module, const void *image)
{
    CALLED;
    if (!image || !strstr(image, ".entry"))
        return INVALID_VALUE;
    *module = (void *)(uintptr_t)image;
    return OK;
}

int cuModuleUnload(void *module)
{
    return module ? OK : INVALID_VALUE;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    CALLED;
    if (!strstr(module, name))
        return NOT_FOUND; /* the PTX has no such entry */
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, name) == 0) {
            *function = (void *)(uintptr_t)&kernels[i];
            return OK;
        }
    return NOT_FOUND;
}

static atomic_llong launches;

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **parameters,
                   void **extra)
{
    CALLED;
    (void)grid_y, (void)grid_z, (void)block_y, (void)block_z, (void)shared_bytes, (void)stream, (void)extra;
    const kernel *k = function;
    if (atomic_fetch_add(&launches, 1) >= asked_for("CAROM_STAND_IN_LAUNCHES", INT64_MAX))
        return LOST;
    if (grid_x == 0)
        return INVALID_VALUE;
    carom_stand_in_threads = (uint64_t)grid_x * block_x;
    for (carom_stand_in_thread = 0; carom_stand_in_thread < carom_stand_in_threads; carom_stand_in_thread++)
        if (k->on_job)
            k->on_job(*(const gpu_job *)parameters[0]);
        else
            k->on_parcel(*(const gpu_parcel *)parameters[0]);
    return OK;
}

/* ---- devices ---- */

int cuInit(unsigned flags)
{
    (void)flags;
    atomic_store(&launches, 0);
    atomic_store(&calls, 0);
    return asked_for("CAROM_STAND_IN_DEVICES", 1) > 0 ? OK : NO_DEVICE;
}

int cuDriverGetVersion(int *version)
{
    CALLED;
    *version = (int)asked_for("CAROM_STAND_IN_VERSION", 12000);
    return OK;
}

int cuDeviceGetCount(int *count)
{
    CALLED;
    *count = (int)asked_for("CAROM_STAND_IN_DEVICES", 1);
    return OK;
}

int cuDeviceGet(int *device, int ordinal)
{
    CALLED;
    *device = ordinal;
    return OK;
}

int cuDeviceGetName(char *name, int length, int device)
{
    CALLED;
    (void)device;
    strncpy(name, "stand-in", (size_t)length);
    return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    CALLED;
    (void)device;
    *value = attribute == 75 ? (int)asked_for("CAROM_STAND_IN_MAJOR", 9) : 2;
    return OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    CALLED;
    static int contexts[16];
    *context = &contexts[device % 16];
    return OK;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return OK;
}

static _Thread_local int depth;

int cuCtxPushCurrent_v2(void *context)
{
    depth++;
    return context ? OK : INVALID_VALUE;
}

int cuCtxPopCurrent_v2(void **context)
{
    *context = NULL;
    return depth-- > 0 ? OK : INVALID_VALUE;
}

int cuCtxGetLimit(size_t *value, int limit)
{
    CALLED;
    (void)limit;
    *value = 1024;
    return OK;
}

int cuCtxSetLimit(int limit, size_t value)
{
    CALLED;
    (void)limit, (void)value;
    return OK;
}

/* ---- memory ---- */

enum { BLOCKS_MOST = 256 };
static struct {
    char *at;
    size_t bytes;
} blocks[BLOCKS_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    CALLED;
    size_t total = bytes;
    int result = OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BLOCKS_MOST; i++)
        total += blocks[i].bytes;
    for (int i = 0; i < BLOCKS_MOST && result && total <= (size_t)asked_for("CAROM_STAND_IN_BYTES", 1ll << 32); i++)
        if (!blocks[i].at && (blocks[i].at = malloc(bytes)) != NULL) {
            blocks[i].bytes = bytes;
            *address = (uint64_t)(uintptr_t)blocks[i].at;
            result = OK;
        }
    pthread_mutex_unlock(&lock);
    return result;
}

static int block_of(uint64_t address)
{
    for (int i = 0; i < BLOCKS_MOST; i++)
        if (blocks[i].at && address - (uint64_t)(uintptr_t)blocks[i].at < blocks[i].bytes)
            return i;
    return -1;
}

/* Blocks that nobody has given back. */
long long carom_stand_in_blocks(void);
long long carom_stand_in_blocks(void)
{
    long long count = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < BLOCKS_MOST; i++)
        count += blocks[i].at != NULL;
    pthread_mutex_unlock(&lock);
    return count;
}

int cuMemFree_v2(uint64_t address)
{
    pthread_mutex_lock(&lock);
    int i = block_of(address);
    if (i >= 0) {
        free(blocks[i].at);
        blocks[i].at = NULL;
        blocks[i].bytes = 0;
    }
    pthread_mutex_unlock(&lock);
    return i >= 0 ? OK : INVALID_VALUE;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t address)
{
    CALLED;
    pthread_mutex_lock(&lock);
    int i = block_of(address);
    if (i >= 0) {
        *base = (uint64_t)(uintptr_t)blocks[i].at;
        *bytes = blocks[i].bytes;
    }
    pthread_mutex_unlock(&lock);
    return i >= 0 ? OK : INVALID_VALUE;
}

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
    CALLED;
    (void)flags;
    *address = malloc(bytes);
    return *address ? OK : OUT_OF_MEMORY;
}

int cuMemFreeHost(void *address)
{
    free(address);
    return OK;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    CALLED;
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return OK;
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    CALLED;
    (void)stream;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return OK;
}

int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *stream)
{
    CALLED;
    (void)stream;
    for (size_t i = 0; i < count; i++)
        ((unsigned *)(uintptr_t)to)[i] = value;
    return OK;
}

int cuStreamCreate(void **stream, unsigned flags)
{
    CALLED;
    (void)flags;
    *stream = malloc(1);
    return *stream ? OK : OUT_OF_MEMORY;
}

int cuStreamDestroy_v2(void *stream)
{
    free(stream);
    return OK;
}

int cuStreamSynchronize(void *stream)
{
    CALLED;
    (void)stream;
    return OK;
}
