/* The laws for several contacts, and their words. */
#include <string.h>

#include "carom/together.h"

#define CAROM_TOGETHER(symbol) extern const carom_together carom_together_##symbol;
#include "carom/together.def"
#undef CAROM_TOGETHER

static const carom_together *const laws[] = {
#define CAROM_TOGETHER(symbol) &carom_together_##symbol,
#include "carom/together.def"
#undef CAROM_TOGETHER
};

enum { LAW_COUNT = sizeof laws / sizeof laws[0] };

int carom_together_count(void)
{
    return LAW_COUNT;
}

const carom_together *carom_together_at(int i)
{
    return i >= 0 && i < LAW_COUNT ? laws[i] : NULL;
}

const carom_together *carom_together_find(const char *id)
{
    for (int i = 0; i < LAW_COUNT; i++)
        if (strcmp(laws[i]->id, id) == 0)
            return laws[i];
    return NULL;
}

const char *carom_together_event_word(carom_together_event_kind kind)
{
    static const char *const words[] = {
#define CAROM_TOGETHER_EVENT(name, word, meaning) word,
#include "carom/together_words.def"
#undef CAROM_TOGETHER_EVENT
    };
    return (unsigned)kind < CAROM_TOGETHER_EVENT_COUNT ? words[kind] : "";
}

const char *carom_together_mode_word(carom_together_mode mode)
{
    static const char *const words[] = {
#define CAROM_TOGETHER_MODE(name, word, meaning) word,
#include "carom/together_words.def"
#undef CAROM_TOGETHER_MODE
    };
    return (unsigned)mode < CAROM_TOGETHER_MODE_COUNT ? words[mode] : "";
}
