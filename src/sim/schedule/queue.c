#include "sim/schedule/queue.h"

#include "sim/schedule/prefetch.h"

enum {
    DAYS_FROM = 256, /* movable bodies; the events of fewer are all in the heap */
    SAMPLE = 63,     /* waits whose median the days are laid out by */
    SETS_MOST = 8    /* changes per body after which the days are laid out again */
};
#define PER_DAY 2.0 /* events, about */

/* ---- the heap ---- */

static bool comes_before(const queued *q, int a, int b)
{
    return q[a].time < q[b].time || (q[a].time == q[b].time && a < b);
}

static void rise(carom_sim *sim, int place)
{
    int *heap = store_ints(&sim->heap), body = heap[place];
    queued *q = sim->queue.data;
    while (place > 0 && comes_before(q, body, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        q[heap[place]].place = place;
        place = (place - 1) / 2;
    }
    heap[place] = body;
    q[body].place = place;
}

static void sink(carom_sim *sim, int place)
{
    int *heap = store_ints(&sim->heap), body = heap[place], count = (int)sim->heap.count;
    queued *q = sim->queue.data;
    for (;;) {
        int child = 2 * place + 1;
        if (child >= count)
            break;
        if (child + 1 < count && comes_before(q, heap[child + 1], heap[child]))
            child++;
        if (!comes_before(q, heap[child], body))
            break;
        heap[place] = heap[child];
        q[heap[place]].place = place;
        place = child;
    }
    heap[place] = body;
    q[body].place = place;
}

static void heap_add(carom_sim *sim, int i)
{
    int place = (int)sim->heap.count++;
    store_ints(&sim->heap)[place] = i;
    rise(sim, place);
}

static void heap_remove(carom_sim *sim, int i)
{
    int *heap = store_ints(&sim->heap), place = queued_of(sim, i)->place, last = heap[--sim->heap.count];
    queued_of(sim, i)->place = -1;
    if (last == i)
        return;
    heap[place] = last;
    queued_of(sim, last)->place = place;
    rise(sim, place);
    sink(sim, queued_of(sim, last)->place);
}

/* ---- the days ---- */

static void day_add(carom_sim *sim, int i, int day)
{
    queued *q = sim->queue.data;
    int *first = &store_ints(&sim->days)[day];
    q[i].day = day;
    q[i].before = -1;
    q[i].after = *first;
    if (*first >= 0)
        q[*first].before = i;
    *first = i;
}

static void day_remove(carom_sim *sim, int i)
{
    queued *q = sim->queue.data;
    int before = q[i].before, after = q[i].after;
    if (before >= 0)
        q[before].after = after;
    else
        store_ints(&sim->days)[q[i].day] = after;
    if (after >= 0)
        q[after].before = before;
    q[i].day = -1;
}

static bool is_today(const calendar *c, double t)
{
    return t < INFINITY && !((t - c->from) * c->rate >= c->today + 1);
}

/* Where a body belongs: the heap, its day, or, beyond the last day, no list at all until the next layout. */
static void seat(carom_sim *sim, int i)
{
    calendar *c = &sim->calendar;
    double t = queued_of(sim, i)->time, day = (t - c->from) * c->rate;
    if (is_today(c, t)) {
        heap_add(sim, i);
        return;
    }
    c->waiting += t < INFINITY;
    if (day < (double)sim->days.count)
        day_add(sim, i, (int)day);
}

static void unseat(carom_sim *sim, int i)
{
    const queued *q = queued_of(sim, i);
    if (q->place >= 0) {
        heap_remove(sim, i);
        return;
    }
    if (q->time < INFINITY)
        sim->calendar.waiting--;
    if (q->day >= 0)
        day_remove(sim, i);
}

static double first_time(const carom_sim *sim)
{
    const int *movable = store_ints(&sim->movable);
    double first = INFINITY;
    for (size_t k = 0; k < sim->movable.count; k++)
        first = min(first, queued_of(sim, movable[k])->time);
    return first;
}

/* The median time to the next event, over a sample of the bodies; those that have one at once do not count. */
static double median_wait(const carom_sim *sim, double from)
{
    const int *movable = store_ints(&sim->movable);
    double wait[SAMPLE];
    int count = 0;
    for (size_t k = 0; k < SAMPLE; k++) {
        double w = queued_of(sim, movable[k * sim->movable.count / SAMPLE])->time - from;
        int at = count;
        if (!(w > 0 && w < INFINITY))
            continue;
        for (; at > 0 && wait[at - 1] > w; at--)
            wait[at] = wait[at - 1];
        wait[at] = w;
        count++;
    }
    return count > 0 ? wait[count / 2] : 0;
}

/* Half of the events come within the median wait. With a rate of zero every event is today's. */
static double day_rate(const carom_sim *sim, double from)
{
    if (sim->movable.count < DAYS_FROM || !(from < INFINITY))
        return 0;
    double wait = median_wait(sim, from), rate = 0.5 * (double)sim->movable.count / (PER_DAY * wait);
    return wait > 0 && rate < INFINITY ? rate : 0;
}

void queue_lay_out(carom_sim *sim)
{
    const int *movable = store_ints(&sim->movable);
    double from = first_time(sim);
    sim->calendar = (calendar){.from = from < INFINITY ? from : 0, .rate = day_rate(sim, from)};
    sim->heap.count = 0;
    for (size_t k = 0; k < sim->days.count; k++)
        store_ints(&sim->days)[k] = -1;
    for (size_t k = 0; k < sim->movable.count; k++) {
        queued *q = queued_of(sim, movable[k]);
        q->place = q->day = -1;
        seat(sim, movable[k]);
    }
}

/* Bodies whose day comes go into the heap. After the last day the days are laid out again. */
static void turn_days(carom_sim *sim)
{
    calendar *c = &sim->calendar;
    while (sim->heap.count == 0 && c->waiting > 0) {
        if (++c->today == (int)sim->days.count) {
            queue_lay_out(sim);
            continue;
        }
        fetch_ahead(sim);
        for (int i = store_ints(&sim->days)[c->today]; i >= 0; i = store_ints(&sim->days)[c->today]) {
            day_remove(sim, i);
            c->waiting--;
            heap_add(sim, i);
        }
    }
}

/* ---- the queue ---- */

bool queue_make(carom_sim *sim)
{
    size_t n = sim->movable.count;
    if (!store_reserve(&sim->heap, &sim->memory, n) || !store_resize(&sim->days, &sim->memory, n + 1))
        return false;
    for (size_t k = 0; k < n; k++)
        queued_of(sim, store_ints(&sim->movable)[k])->time = INFINITY;
    queue_lay_out(sim);
    return true;
}

void queue_set(carom_sim *sim, int i, double t)
{
    queued *q = queued_of(sim, i);
    bool earlier = t < q->time;
    if (q->place >= 0 && is_today(&sim->calendar, t)) {
        q->time = t;
        if (earlier)
            rise(sim, q->place);
        else
            sink(sim, q->place);
    } else {
        unseat(sim, i);
        q->time = t;
        seat(sim, i);
    }
    if (++sim->calendar.sets > SETS_MOST * sim->movable.count)
        queue_lay_out(sim);
    turn_days(sim);
}

void queue_fetch(const carom_sim *sim, double t)
{
    double day = (t - sim->calendar.from) * sim->calendar.rate;
    if (day >= 0 && day < (double)sim->days.count)
        fetch(&store_ints(&sim->days)[(int)day]);
}

int queue_first(const carom_sim *sim)
{
    return sim->heap.count ? store_ints(&sim->heap)[0] : -1;
}
