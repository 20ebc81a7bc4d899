/* What is behind a carom_gpu: the driver, the device, the kernels that are loaded, and memory there. */
#ifndef CAROM_ENGINE_GPU_STATE_H
#define CAROM_ENGINE_GPU_STATE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/gpu.h"

typedef struct gpu_driver {
    void *library;
#define DRIVER(name, symbol, parameters) int(*name) parameters;
#include "engine/gpu/gpu_driver.def"
#undef DRIVER
} gpu_driver;

/* Open the driver; null, or the reason why there is none. */
const char *gpu_driver_open(gpu_driver *d);
void gpu_driver_close(gpu_driver *d);

/* The kernels of a law as PTX, a text that the driver compiles. */
typedef struct gpu_image {
    const char *id, *symbol; /* of the law */
    const unsigned char *ptx;
    const unsigned char *cubin; /* the same, compiled ahead for carom_gpu_cubin_arch, or null */
    bool has_rows, has_paths;   /* see gpu_laws.def */
} gpu_image;

/* The images of this build; made by cmake/gpu.cmake. */
extern const gpu_image carom_gpu_images[];
extern const int carom_gpu_image_count;
extern const char carom_gpu_cubin_arch[]; /* a compute capability such as "90", or "" */

const gpu_image *gpu_image_of(const carom_law *law);

typedef struct gpu_kernels {
    void *module, *rows, *paths, *pack, *unpack;
} gpu_kernels;

enum { GPU_LAWS_MOST = 24 };

/* What all rows of a batch share, on the device. */
typedef struct gpu_shared {
    carom_coeffs coeffs;
    unsigned char mode_numbers[256]; /* by branch of the law */
} gpu_shared;

/* A chunk of a batch on its way: while the device works on one, the host fills or empties the other. */
enum { GPU_SLOTS = 2 };

typedef struct gpu_slot {
    void *stream;
    uint64_t lists;         /* three counts, then the rows of two lists */
    uint64_t columns;       /* on the device */
    unsigned char *staging; /* the same on the host, page-locked */
    uint32_t *counts;       /* page-locked */
} gpu_slot;

typedef struct gpu_state {
    atomic_flag used; /* by a call */
    bool open;
    gpu_driver driver;
    int device, processors;
    int major, minor; /* compute capability */
    size_t rows_most; /* of a chunk */
    void *context;
    gpu_slot slot[GPU_SLOTS];
    uint64_t parcel, shared;      /* on the device: packed rows; a gpu_shared */
    unsigned char *parcel_mirror; /* page-locked */
    gpu_kernels kernels[GPU_LAWS_MOST];
    char name[64], problem[192];
} gpu_state;

_Static_assert(sizeof(gpu_state) <= sizeof(carom_gpu), "carom_gpu has room for its state");

static inline gpu_state *state_of(carom_gpu *gpu)
{
    return (gpu_state *)(void *)gpu;
}

/* "before number after" as the problem of the gpu; a number below zero is left out. */
void gpu_complain(gpu_state *g, const char *before, int number, const char *after);

/* The law has no kernels, which becomes the problem: CAROM_STATUS_NO_DEVICE_LAW. */
carom_status gpu_lacks(gpu_state *g, const carom_law *law);

/* True if a call of the driver went well; if not, what it was doing becomes the problem. */
bool gpu_worked(gpu_state *g, int error, const char *doing);

/* The kernels of a law, loaded; null: they could not be. */
const gpu_kernels *gpu_kernels_of(gpu_state *g, const gpu_image *image);

/* Memory for chunks, when a batch first needs it; the lists of a chunk have this many rows at most. */
enum { GPU_LIST_ROWS = 1 << 22, GPU_STAGING_BYTES = 1 << 26, GPU_PARCEL_ROWS = 1 << 14 };
bool gpu_take_lists(gpu_state *g);
bool gpu_take_staging(gpu_state *g);
bool gpu_take_parcel(gpu_state *g, size_t bytes);

#endif
