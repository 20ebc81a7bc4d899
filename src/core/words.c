/* The words of flags, events and traits, from their manifests. */
#include <stddef.h>

#include "carom/law.h"

typedef struct word {
    const char *word, *meaning;
} word;

static const word flags[] = {
#define CAROM_FLAG(name, bit, word, meaning) [bit] = {word, meaning},
#include "carom/flags.def"
#undef CAROM_FLAG
};

static const word events[] = {
#define CAROM_EVENT(name, word, meaning) {word, meaning},
#include "carom/path.def"
#undef CAROM_EVENT
};

static const word traits[] = {
#define CAROM_TRAIT(name, word, meaning) {word, meaning},
#include "carom/traits.def"
#undef CAROM_TRAIT
};

static void keep(void *context, const carom_event *event)
{
    carom_event_log *log = context;
    if (log->count < log->room)
        log->events[log->count] = *event;
    log->count++;
}

carom_tracer carom_event_log_tracer(carom_event_log *log)
{
    carom_tracer tracer = {keep, NULL, log};
    return tracer;
}

const char *carom_flag_word(carom_flag i)
{
    return (unsigned)i < CAROM_FLAG_COUNT ? flags[i].word : "";
}

const char *carom_flag_meaning(carom_flag i)
{
    return (unsigned)i < CAROM_FLAG_COUNT ? flags[i].meaning : "";
}

const char *carom_event_word(carom_event_kind kind)
{
    return (unsigned)kind < CAROM_EVENT_KIND_COUNT ? events[kind].word : "";
}

const char *carom_trait_word(carom_trait i)
{
    return (unsigned)i < CAROM_TRAIT_COUNT ? traits[i].word : "";
}

const char *carom_trait_meaning(carom_trait i)
{
    return (unsigned)i < CAROM_TRAIT_COUNT ? traits[i].meaning : "";
}
