#include "sim/fetch.h"

#include "sim/cells.h"

/* What an event reads is found step by step: the list of a day, the bodies in it, their partners and cells, and the
 * bodies near them. Each is fetched so many days ahead, when what leads to it has arrived. */
enum { LIST_AHEAD = 12, BODY_AHEAD = 9, PARTNER_AHEAD = 6, NEAR_AHEAD = 3 };

enum { FETCH_FROM = 4000 }; /* movable bodies; the cache holds fewer */

static int first_of_day(const carom_sim *sim, int ahead)
{
    size_t day = (size_t)sim->calendar.today + (size_t)ahead;
    return day < sim->days.count ? store_ints(&sim->days)[day] : -1;
}

static void fetch_body(const carom_sim *sim, int i)
{
    const mover *m = mover_of(sim, i);
    const frame_of_body *f = frame_of(sim, i);
    fetch(outlook_of(sim, i));
    fetch(&m->x);
    fetch(&m->a);
    fetch(f->recent);
    fetch(&f->turn);
    fetch(cell_of(sim, i));
}

/* The ends of the nine rows of three buckets around a body; where a row wraps, its other end is somewhere else. */
static void fetch_cells(const carom_sim *sim, int i)
{
    cell_steps steps;
    cells_steps(sim, i, &cells_around, &steps);
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++) {
            const bucket *row = cells_row(sim, &steps, y, z);
            fetch(row + steps.at[0][0]);
            fetch(row + steps.at[0][2]);
        }
}

/* The first body of every bucket around a body. */
static void fetch_neighbours(const carom_sim *sim, int i)
{
    cell_steps steps;
    cells_steps(sim, i, &cells_around, &steps);
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++) {
                const bucket *b = cells_row(sim, &steps, y, z) + steps.at[0][x];
                fetch(mover_of(sim, b->body[0]));
            }
}

static void fetch_partner(const carom_sim *sim, int i)
{
    const outlook *o = outlook_of(sim, i);
    fetch_cells(sim, i);
    if (o->kind != NEXT_IMPACT)
        return;
    fetch_body(sim, o->meet[0].partner);
    fetch(queued_of(sim, o->meet[0].partner));
}

static void fetch_near(const carom_sim *sim, int i)
{
    const outlook *o = outlook_of(sim, i);
    if (o->kind != NEXT_IMPACT || !mover_of(sim, o->meet[0].partner)->is_movable)
        return;
    fetch_neighbours(sim, i);
    fetch_cells(sim, o->meet[0].partner);
}

void fetch_ahead(const carom_sim *sim)
{
    const queued *q = sim->queue.data;
    int first = first_of_day(sim, LIST_AHEAD);
    if (sim->movable.count < FETCH_FROM || !has_cells(sim) || !sim->all_spheres)
        return;
    if (first >= 0)
        fetch(&q[first]);
    for (int i = first_of_day(sim, BODY_AHEAD); i >= 0; i = q[i].after)
        fetch_body(sim, i);
    for (int i = first_of_day(sim, PARTNER_AHEAD); i >= 0; i = q[i].after)
        fetch_partner(sim, i);
    for (int i = first_of_day(sim, NEAR_AHEAD); i >= 0; i = q[i].after)
        fetch_near(sim, i);
}
