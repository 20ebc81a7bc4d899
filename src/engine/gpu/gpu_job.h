/* What a kernel is given: rows in device memory, and lists of the rows that it leaves. Host and device share this file.
 */
#ifndef CAROM_ENGINE_GPU_JOB_H
#define CAROM_ENGINE_GPU_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/batch.h"

enum { GPU_BLOCK = 128 }; /* threads of a block */

/* Rows of a launch that are left to somebody else, in no order. */
typedef struct gpu_list {
    uint32_t *count;
    uint32_t *rows;
} gpu_list;

typedef struct gpu_job {
    carom_batch_in in;   /* of coefficients every array is there, */
    uint64_t own_coeffs; /* with an entry per row for these, as bits, and one entry for the others */
    carom_batch_out out;
    carom_options options;
    const unsigned char *mode_numbers; /* the number in the column `mode` of each branch of the law */
    gpu_list turning;                  /* rows for LAW_paths */
    gpu_list left;                     /* rows out of the ordinary, for the host */
    uint32_t *taken;                   /* so many rows of LAW_paths have a thread */
    bool wants_ledger;
    bool paths_alone; /* LAW_paths takes every row */
} gpu_job;

/* Rows of a list, packed side by side for the host and back. */
typedef struct gpu_parcel {
    gpu_list list;
    uint32_t first, count; /* of the list */
    carom_batch_in in;
    carom_batch_out out; /* of the launch: full columns */
    carom_batch_in packed_in;
    carom_batch_out packed_out;
} gpu_parcel;

#endif
