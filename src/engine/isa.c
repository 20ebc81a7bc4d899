#include "core/isa.h"

carom_isa carom_isa_best(void)
{
    return isa_best();
}

const char *carom_isa_word(carom_isa isa)
{
    static const char *const words[CAROM_ISA_COUNT] = {"best", "baseline", "avx2", "avx512"};
    return (unsigned)isa < CAROM_ISA_COUNT ? words[isa] : "";
}
