/* Carom: batches on a GPU.
 *
 * The same law files, compiled for NVIDIA's PTX and part of the library; the driver is opened at run time, and neither
 * a CUDA toolkit nor a CUDA library is needed. Every row gets exactly what carom_solve gives for it, bit for bit: rows
 * that are out of the ordinary come back to the processor.
 *
 *     carom_gpu gpu;
 *     if (carom_gpu_open(&gpu, NULL) != CAROM_STATUS_OK)
 *         puts(carom_gpu_problem(&gpu));
 *     carom_status status = carom_gpu_solve(&gpu, &in, &rule, &out, NULL, NULL);
 *     carom_gpu_close(&gpu);
 *
 * docs/gpu.md says what that is good for. */
#ifndef CAROM_GPU_H
#define CAROM_GPU_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/batch.h"
#include "carom/export.h"
#include "carom/law.h"
#include "carom/status.h"

CAROM_BEGIN

/* A device that is open. The caller gives the memory; what is inside is the library's. It may be used by one thread at
 * a time: threads that share a device open it once each. */
typedef struct carom_gpu {
    void *room[256];
} carom_gpu;

/* Zero (or a null pointer) means: the first device, chunks as long as memory allows. */
typedef struct carom_gpu_options {
    int device;
    int rows; /* of a chunk, at most: each is finished before the next but one begins */
    int room[14];
} carom_gpu_options;

/* CAROM_STATUS_OK, or CAROM_STATUS_NO_DEVICE: no driver, no device, too old a driver or device, no memory there, or a
 * library that was built without kernels; carom_gpu_problem says which. A gpu that is not open can be asked for that,
 * and be closed. */
CAROM_API CAROM_MUST_USE carom_status carom_gpu_open(carom_gpu *gpu, const carom_gpu_options *options);

/* Free what the library holds on the device. Arrays of the caller stay. */
CAROM_API void carom_gpu_close(carom_gpu *gpu);

/* One sentence about the last call that failed, or "". It stays until the next call. */
CAROM_API const char *carom_gpu_problem(const carom_gpu *gpu);

/* The name of the device, or "". */
CAROM_API const char *carom_gpu_name(const carom_gpu *gpu);

/* True if this build has kernels for the law. */
CAROM_API bool carom_gpu_has_law(const carom_law *law);

/* Load the kernels of a law now: carom_gpu_solve does so when it first needs them. */
CAROM_API CAROM_MUST_USE carom_status carom_gpu_load(carom_gpu *gpu, const carom_law *law);

/* Memory of the device, for programs that have no other way to it: null where there is none left. Arrays of CUDA, CuPy,
 * PyTorch or JAX on the same device do as well. */
CAROM_API void *carom_gpu_take(carom_gpu *gpu, size_t bytes);
CAROM_API void carom_gpu_give_back(carom_gpu *gpu, void *memory);

/* Copy from the host to the device, and from the device to the host. */
CAROM_API CAROM_MUST_USE carom_status carom_gpu_send(carom_gpu *gpu, void *to, const void *from, size_t bytes);
CAROM_API CAROM_MUST_USE carom_status carom_gpu_fetch(carom_gpu *gpu, void *to, const void *from, size_t bytes);

/* How to run. Zero (or a null pointer) means: arrays in the memory of the host, and the device or nothing. */
typedef struct carom_gpu_call {
    bool device_arrays; /* all arrays of in and out lie in the memory of the device */
    bool or_cpu;        /* what the device does not do, the processors do; arrays of the host only */
    int room[14];
} carom_gpu_call;

/* What became of the rows. */
typedef struct carom_gpu_report {
    size_t done;    /* rows with an answer: all, or the first of them when the device was lost */
    size_t on_host; /* rows among these that were solved by the processors */
    size_t room[6];
} carom_gpu_report;

/* Resolve every impact of a batch, as carom_batch_solve does, whose statuses it has, and
 *
 *     CAROM_STATUS_NO_DEVICE       the gpu is not open, or has no memory left
 *     CAROM_STATUS_NO_DEVICE_LAW   the law has no kernels; carom_gpu_problem names it
 *     CAROM_STATUS_BAD_ADDRESS     an array is not in device memory, too short, or not aligned
 *     CAROM_STATUS_DEVICE_LOST     the device failed on the way: report->done rows have answers
 *     CAROM_STATUS_DEVICE_BUSY     another thread is using this gpu
 *
 * Rows may have coefficients of their own; every column of the ledger can be asked for. On return the results are
 * there. call and report may be null. */
CAROM_API CAROM_MUST_USE carom_status carom_gpu_solve(carom_gpu *gpu, const carom_batch_in *in, const carom_rule *rule,
                                                      const carom_batch_out *out, const carom_gpu_call *call,
                                                      carom_gpu_report *report);

CAROM_END

#endif
