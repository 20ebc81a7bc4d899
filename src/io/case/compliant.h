/* Answers of laws with tangential springs also have modes by phase, stretches and stored energies. */
#ifndef CAROM_IO_COMPLIANT_H
#define CAROM_IO_COMPLIANT_H

#include <string.h>

#include "carom/law.h"

static inline bool law_is_compliant(const carom_law *law)
{
    return law && strcmp(law->family, "compliant") == 0;
}

#endif
