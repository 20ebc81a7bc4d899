/* The words of events, of ends of a run and of roads, from their manifests. */
#include "carom/sim.h"

typedef struct word {
    const char *word, *meaning;
} word;

static const word events[] = {
#define CAROM_SIM_EVENT(name, word, meaning) {word, meaning},
#include "carom/sim_events.def"
#undef CAROM_SIM_EVENT
};

static const word stops[] = {
#define CAROM_SIM_STOP(name, word, meaning) {word, meaning},
#include "carom/sim_stops.def"
#undef CAROM_SIM_STOP
};

static const word roads[] = {
#define CAROM_SIM_ROAD(name, word, meaning) {word, meaning},
#include "carom/sim_roads.def"
#undef CAROM_SIM_ROAD
};

const char *carom_sim_event_word(carom_sim_event_kind kind)
{
    return (unsigned)kind < CAROM_SIM_EVENT_COUNT ? events[kind].word : "";
}

const char *carom_sim_event_meaning(carom_sim_event_kind kind)
{
    return (unsigned)kind < CAROM_SIM_EVENT_COUNT ? events[kind].meaning : "";
}

const char *carom_sim_stop_word(carom_sim_stop stop)
{
    return (unsigned)stop < CAROM_SIM_STOP_COUNT ? stops[stop].word : "";
}

const char *carom_sim_stop_meaning(carom_sim_stop stop)
{
    return (unsigned)stop < CAROM_SIM_STOP_COUNT ? stops[stop].meaning : "";
}

const char *carom_sim_road_word(carom_sim_road road)
{
    return (unsigned)road < CAROM_SIM_ROAD_COUNT ? roads[road].word : "";
}

const char *carom_sim_road_meaning(carom_sim_road road)
{
    return (unsigned)road < CAROM_SIM_ROAD_COUNT ? roads[road].meaning : "";
}
