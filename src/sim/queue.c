#include "sim/queue.h"

static bool comes_before(const next_event *next, int a, int b)
{
    return next[a].time < next[b].time || (next[a].time == next[b].time && a < b);
}

static void rise(carom_sim *sim, int place)
{
    int *heap = store_ints(&sim->heap), *where = store_ints(&sim->heap_place), body = heap[place];
    const next_event *next = sim->nexts.data;
    while (place > 0 && comes_before(next, body, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        where[heap[place]] = place;
        place = (place - 1) / 2;
    }
    heap[place] = body;
    where[body] = place;
}

static void sink(carom_sim *sim, int place)
{
    int *heap = store_ints(&sim->heap), *where = store_ints(&sim->heap_place), body = heap[place];
    const next_event *next = sim->nexts.data;
    int count = (int)sim->heap.count;
    for (;;) {
        int child = 2 * place + 1;
        if (child >= count)
            break;
        if (child + 1 < count && comes_before(next, heap[child + 1], heap[child]))
            child++;
        if (!comes_before(next, heap[child], body))
            break;
        heap[place] = heap[child];
        where[heap[place]] = place;
        place = child;
    }
    heap[place] = body;
    where[body] = place;
}

void queue_set(carom_sim *sim, int i, const next_event *event)
{
    next_event *here = next_of(sim, i);
    bool earlier = event->time < here->time;
    *here = *event;
    int place = store_ints(&sim->heap_place)[i];
    if (earlier)
        rise(sim, place);
    else
        sink(sim, place);
}

int queue_first(const carom_sim *sim)
{
    return sim->heap.count ? store_ints(&sim->heap)[0] : -1;
}
