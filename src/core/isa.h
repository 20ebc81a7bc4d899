/* carom_isa_best, where it is asked for at every call: the processor's answer is kept by the C runtime. */
#ifndef CAROM_CORE_ISA_H
#define CAROM_CORE_ISA_H

#include "carom/batch.h"

static inline carom_isa isa_best(void)
{
#ifdef LANES_HAVE_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return CAROM_ISA_AVX512;
#endif
#ifdef LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return CAROM_ISA_AVX2;
#endif
    return CAROM_ISA_BASELINE;
}

#endif
