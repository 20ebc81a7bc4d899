/* What a kernel knows of the machine it runs on: which thread it is, and how to append to a list. */
#ifndef CAROM_ENGINE_GPU_THREAD_H
#define CAROM_ENGINE_GPU_THREAD_H

#include <stdint.h>

#include "engine/gpu/gpu_job.h"

#ifdef __NVPTX__

static inline uint64_t thread_index(void)
{
    return (uint64_t)__nvvm_read_ptx_sreg_ctaid_x() * (unsigned)__nvvm_read_ptx_sreg_ntid_x() +
           (unsigned)__nvvm_read_ptx_sreg_tid_x();
}

static inline uint32_t count_one_more(uint32_t *count)
{
    return (uint32_t)__nvvm_atom_add_gen_i((int *)count, 1);
}

static inline uint64_t thread_count(void)
{
    return (uint64_t)(unsigned)__nvvm_read_ptx_sreg_nctaid_x() * (unsigned)__nvvm_read_ptx_sreg_ntid_x();
}

/* The threads of a warp go on from here together. */
static inline void together(void)
{
    __nvvm_bar_warp_sync(-1);
}

/* True if it is for one of them; they go on from here together. */
static inline bool any_of_warp(bool mine)
{
    return __nvvm_vote_any_sync(-1, mine);
}

#else /* a processor that stands in for one: its driver sets these before every call (tests/gpu/stand_in.c) */

extern _Thread_local uint64_t carom_stand_in_thread, carom_stand_in_threads;

static inline uint64_t thread_index(void)
{
    return carom_stand_in_thread;
}

static inline uint32_t count_one_more(uint32_t *count)
{
    return (*count)++;
}

static inline uint64_t thread_count(void)
{
    return carom_stand_in_threads;
}

static inline void together(void)
{
}

static inline bool any_of_warp(bool mine)
{
    return mine;
}

#endif

static inline void list_append(gpu_list list, uint32_t row)
{
    list.rows[count_one_more(list.count)] = row;
}

#endif
