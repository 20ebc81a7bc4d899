/* The laws of the manifest, in its order. */
#include <string.h>

#include "carom/law.h"

#define CAROM_LAW(symbol) extern const carom_law carom_law_##symbol;
#include "carom/laws.def"
#undef CAROM_LAW

static const carom_law *const laws[] = {
#define CAROM_LAW(symbol) &carom_law_##symbol,
#include "carom/laws.def"
#undef CAROM_LAW
};

enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

int carom_law_count(void)
{
    return LAW_COUNT;
}

const carom_law *carom_law_at(int i)
{
    return i >= 0 && i < LAW_COUNT ? laws[i] : NULL;
}

const carom_law *carom_law_find(const char *id)
{
    for (int i = 0; i < LAW_COUNT; i++)
        if (strcmp(laws[i]->id, id) == 0)
            return laws[i];
    return NULL;
}
