/* Which instruction sets this machine has. Asked at every call: the processor's answer is kept by the C runtime. */
#include "carom/batch.h"

carom_isa carom_isa_best(void)
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

const char *carom_isa_word(carom_isa isa)
{
    static const char *const words[CAROM_ISA_COUNT] = {"best", "baseline", "avx2", "avx512"};
    return (unsigned)isa < CAROM_ISA_COUNT ? words[isa] : "";
}
