#include "sim/schedule/prefetch.h"

#include "sim/detect/cells.h"

/* What an event reads is found step by step: the list of a day, the bodies in it, their partners and cells, and the
 * bodies near them. Each is fetched so many days ahead, when what leads to it has arrived. */
enum {
    STAGE = 2, /* days between the steps */
    PARTNER_AHEAD = STAGE,
    NEAR_AHEAD = 2 * STAGE,
    EVENT_AHEAD = 3 * STAGE,
    BODY_AHEAD = 4 * STAGE,
    LIST_STEPS = 3,
    LIST_AHEAD = BODY_AHEAD + LIST_STEPS * STAGE
};

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
    fetch(&m->radius);
    fetch(f->recent);
    fetch(&f->turn);
    fetch(cell_of(sim, i));
}

/* The cells that body i crosses into, seen from its own: beyond the border that it is nearest to then. */
static cell_block crossed_into(const carom_sim *sim, int i)
{
    const int *at = cell_of(sim, i)->at;
    carom_vec3 x = mover_position(mover_of(sim, i), queued_of(sim, i)->time), size = sim->cell_size;
    double off[3] = {x.x / size.x - at[0] - 0.5, x.y / size.y - at[1] - 0.5, x.z / size.z - at[2] - 0.5};
    int axis = fabs(off[1]) > fabs(off[0]);
    axis = fabs(off[2]) > fabs(off[axis]) ? 2 : axis;
    cell_block block = cells_around;
    block.low[axis] = block.high[axis] = off[axis] > 0 ? 2 : -2;
    return block;
}

/* The cells that the next event of body i looks into. */
static cell_block cells_of_event(const carom_sim *sim, int i)
{
    return outlook_of(sim, i)->kind == NEXT_CELL ? crossed_into(sim, i) : cells_around;
}

/* Both ends of every row of buckets in a block. */
static void fetch_cells(const carom_sim *sim, int i, cell_block block)
{
    cell_steps steps;
    cells_steps(sim, i, &block, &steps);
    for (int z = 0; z < steps.count[2]; z++)
        for (int y = 0; y < steps.count[1]; y++) {
            const bucket *row = cells_row(sim, &steps, y, z);
            fetch(row + steps.at[0][0]);
            fetch(row + steps.at[0][steps.count[0] - 1]);
        }
}

/* The first body of every bucket in a block. */
static void fetch_neighbours(const carom_sim *sim, int i, cell_block block)
{
    cell_steps steps;
    cells_steps(sim, i, &block, &steps);
    for (int z = 0; z < steps.count[2]; z++)
        for (int y = 0; y < steps.count[1]; y++)
            for (int x = 0; x < steps.count[0]; x++) {
                const bucket *b = cells_row(sim, &steps, y, z) + steps.at[0][x];
                fetch(mover_of(sim, b->body[0]));
            }
}

/* The movable body that body i hits next, or -1. */
static int partner_of(const carom_sim *sim, int i)
{
    const outlook *o = outlook_of(sim, i);
    return o->kind == NEXT_IMPACT && mover_of(sim, o->meet[0].partner)->is_movable ? o->meet[0].partner : -1;
}

static void fetch_event(const carom_sim *sim, int i)
{
    const outlook *o = outlook_of(sim, i);
    fetch_cells(sim, i, cells_of_event(sim, i));
    if (o->kind == NEXT_IMPACT) {
        fetch_body(sim, o->meet[0].partner);
        fetch(queued_of(sim, o->meet[0].partner));
    }
}

static void fetch_near(const carom_sim *sim, int i)
{
    int partner = partner_of(sim, i);
    fetch_neighbours(sim, i, cells_of_event(sim, i));
    if (partner >= 0)
        fetch_cells(sim, partner, cells_around);
}

static void fetch_near_partner(const carom_sim *sim, int i)
{
    int partner = partner_of(sim, i);
    if (partner >= 0)
        fetch_neighbours(sim, partner, cells_around);
}

/* The lists of days have a few bodies, each found from the one before. */
static void fetch_lists(const carom_sim *sim)
{
    const queued *q = sim->queue.data;
    for (int n = 0; n < LIST_STEPS; n++) {
        int i = first_of_day(sim, LIST_AHEAD - n * STAGE);
        for (int k = 0; k < n && i >= 0; k++)
            i = q[i].after;
        if (i >= 0)
            fetch(&q[i]);
    }
}

void fetch_ahead(const carom_sim *sim)
{
    const queued *q = sim->queue.data;
    if (sim->movable.count < FETCH_FROM || !has_cells(sim) || !sim->all_spheres)
        return;
    fetch_lists(sim);
    for (int i = first_of_day(sim, BODY_AHEAD); i >= 0; i = q[i].after)
        fetch_body(sim, i);
    for (int i = first_of_day(sim, EVENT_AHEAD); i >= 0; i = q[i].after)
        fetch_event(sim, i);
    for (int i = first_of_day(sim, NEAR_AHEAD); i >= 0; i = q[i].after)
        fetch_near(sim, i);
    for (int i = first_of_day(sim, PARTNER_AHEAD); i >= 0; i = q[i].after)
        fetch_near_partner(sim, i);
}
