/* A case file, byte by byte. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    try_case((const char *)data, size, carom_law_at((int)(size % (size_t)carom_law_count())));
    return 0;
}
