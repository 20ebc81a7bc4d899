#include "sim/detect/cells.h"

#include "sim/detect/polynomial_gap.h"

static int wrap(int k, int count)
{
    k %= count;
    return k < 0 ? k + count : k;
}

static bucket *bucket_of(const carom_sim *sim, const cell *c)
{
    return cells_bucket(sim, c->home[0], c->home[1], c->home[2]);
}

static void link_in(carom_sim *sim, int i)
{
    cell *c = cell_of(sim, i);
    for (int k = 0; k < 3; k++)
        c->home[k] = wrap(c->at[k], sim->cell_count[k]);
    bucket *b = bucket_of(sim, c);
    c->next = -1;
    if (b->count < BUCKET_FIRST) {
        b->body[b->count++] = i;
        return;
    }
    int *others = cells_others(sim, b);
    c->next = *others;
    *others = i;
    b->others = true;
}

/* The place k of a bucket goes to the last body in it. */
static void refill(carom_sim *sim, bucket *b, int k)
{
    if (!b->others) {
        b->body[k] = b->body[--b->count];
        return;
    }
    int *others = cells_others(sim, b), last = *others;
    *others = cell_of(sim, last)->next;
    if (k < BUCKET_FIRST - 1)
        cell_of(sim, last)->next = -1;
    b->body[k] = last;
    b->others = *cells_others(sim, b) >= 0;
}

static void link_out(carom_sim *sim, int i)
{
    bucket *b = bucket_of(sim, cell_of(sim, i));
    for (int k = 0; k < b->count; k++)
        if (b->body[k] == i) {
            refill(sim, b, k);
            return;
        }
    int *link = cells_others(sim, b);
    while (*link != i)
        link = &cell_of(sim, *link)->next;
    *link = cell_of(sim, i)->next;
    b->others = *cells_others(sim, b) >= 0;
}

#define CELL_MOST 1e9 /* cells from the origin: beyond, everything is in one */

static int index_of(double x, double size)
{
    double k = floor(x / size);
    return k > CELL_MOST ? (int)CELL_MOST : k < -CELL_MOST ? -(int)CELL_MOST : (int)k;
}

static void locate(const carom_sim *sim, int i, carom_vec3 x)
{
    cell *c = cell_of(sim, i);
    c->at[0] = index_of(x.x, sim->cell_size.x);
    c->at[1] = index_of(x.y, sim->cell_size.y);
    c->at[2] = index_of(x.z, sim->cell_size.z);
}

#define CELLS_PER_BODY 4.0 /* at most */
#define CELL_GROWTH    1.25
enum {
    CELLS_LEAST = 3,  /* along an axis */
    CELLS_BESIDE = 2, /* beyond the bodies at the start */
    CELLS_WIDE = 5    /* in a period: bodies in neighbouring cells are less than half of it apart */
};

typedef struct extent {
    double low[3], high[3], largest, smallest; /* of the centres of movable bodies; diameters */
} extent;

static extent extent_of(const carom_sim *sim)
{
    const int *movable = store_ints(&sim->movable);
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, INFINITY};
    for (size_t m = 0; m < sim->movable.count; m++) {
        const mover *b = mover_of(sim, movable[m]);
        double x[3] = {b->x.x, b->x.y, b->x.z};
        for (int k = 0; k < 3; k++) {
            e.low[k] = min(e.low[k], x[k]);
            e.high[k] = max(e.high[k], x[k]);
        }
        e.largest = max(e.largest, 2 * b->radius);
        e.smallest = min(e.smallest, 2 * b->radius);
    }
    return e;
}

/* Cells at least this wide: a whole number in a period; without one, enough for the bodies at the start. */
static double choose_counts(carom_sim *sim, const extent *e, double least)
{
    double period[3] = {sim->scene->period.x, sim->scene->period.y, sim->scene->period.z}, size[3], per[3], all = 1;
    sim->is_narrow = false;
    for (int k = 0; k < 3; k++) {
        double fits = floor(min(period[k] / least, CELL_MOST)), spans = ceil((e->high[k] - e->low[k]) / least);
        sim->cell_repeats[k] = period[k] > 0;
        int count = (int)(period[k] > 0 ? max(1, fits) : min(max(CELLS_LEAST, spans + CELLS_BESIDE), CELL_MOST));
        size[k] = period[k] > 0 ? period[k] / count : least;
        per[k] = period[k] > 0 ? 1 / period[k] : 0;
        sim->cell_count[k] = count;
        sim->is_narrow |= period[k] > 0 && count < CELLS_WIDE;
        all *= count;
    }
    sim->cell_size = carom_vec3_make(size[0], size[1], size[2]);
    sim->per = carom_vec3_make(per[0], per[1], per[2]);
    return all;
}

bool cells_build(carom_sim *sim)
{
    const int *movable = store_ints(&sim->movable);
    extent e = extent_of(sim);
    double size = CELL_MARGIN * e.largest, most = CELLS_PER_BODY * (double)(sim->movable.count + CELLS_FROM), all;
    sim->alike = e.smallest == e.largest;
    if ((sim->movable.count < CELLS_FROM && !sim->repeats) || !(size > 0))
        return true;
    while ((all = choose_counts(sim, &e, size)) > most)
        size *= CELL_GROWTH;
    if (!store_resize(&sim->cells, &sim->memory, (size_t)sim->count) ||
        !store_resize(&sim->buckets, &sim->memory, (size_t)all))
        return false;
    for (size_t k = 0; k < sim->movable.count; k++) {
        locate(sim, movable[k], mover_of(sim, movable[k])->x);
        link_in(sim, movable[k]);
    }
    return true;
}

/* The cells around a body that were not around it before a step along one axis; all of them after any other move. */
static cell_block new_cells(const int step[3])
{
    cell_block block = cells_around;
    int axes = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
    for (int k = 0; k < 3 && axes == 1; k++) {
        block.low[k] = step[k] == 1 ? 1 : -1;
        block.high[k] = step[k] == -1 ? -1 : 1;
    }
    return block;
}

/* How far a body may be beyond the borders of its cell, against the size of that: on a track, not quite as far as
 * leaves two that touch in neighbouring cells. Where a track goes along a border, no time is known at which it crosses
 * it, and without room the body would look for its cell again and again. */
static double slack_of(const mover *m)
{
    return m->track ? 0.4 * (CELL_MARGIN - 1) : 0;
}

/* One step in the direction of the border that was crossed, not a rounding of the place: a body on a border is in the
 * cell that it moves into. */
cell_block cells_move(carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    cell *c = cell_of(sim, i);
    carom_vec3 x = mover_position(m, t), v = mover_velocity(m, t);
    double size[3] = {sim->cell_size.x, sim->cell_size.y, sim->cell_size.z}, at[3] = {x.x, x.y, x.z};
    double slack = slack_of(m), speed[3] = {v.x != 0 ? v.x : m->a.x, v.y != 0 ? v.y : m->a.y, v.z != 0 ? v.z : m->a.z};
    int step[3];
    link_out(sim, i);
    for (int k = 0; k < 3; k++) {
        int now = c->at[k];
        double low = (now - slack) * size[k], high = (now + 1 + slack) * size[k], near = SAME * size[k];
        if (fabs((double)now) >= CELL_MOST)
            now = c->at[k];
        else if (at[k] > high - near && speed[k] > 0)
            now++;
        else if (at[k] < low + near && speed[k] < 0)
            now--;
        else if (at[k] > high + near || at[k] < low - near)
            now = index_of(at[k], size[k]);
        step[k] = now - c->at[k];
        c->at[k] = now;
    }
    link_in(sim, i);
    return new_cells(step);
}

/* The first s > 0 at which x + v s + a s^2 / 2 leaves [low, high]. */
static double leave_time(double x, double v, double a, const double border[2])
{
    double way = v > 0 ? border[1] - x : border[0] - x;
    if (a == 0)
        return v == 0 ? INFINITY : way == 0 || (way > 0) != (v > 0) ? 0 : way / v; /* a product may underflow */
    return min(fall_quadratic(x - border[0], v, a), fall_quadratic(border[1] - x, -v, -a));
}

/* On a track: the soonest that the bound on its acceleration allows. */
static double leave_soonest(const carom_sim *sim, int i, const double at[3], const double speed[3])
{
    const mover *m = mover_of(sim, i);
    double size[3] = {sim->cell_size.x, sim->cell_size.y, sim->cell_size.z}, first = INFINITY;
    const int *index = cell_of(sim, i)->at;
    for (int k = 0; k < 3 && fabs((double)index[k]) < CELL_MOST; k++)
        for (int side = 0; side < 2; side++) {
            double sign = side ? 1 : -1, gap = sign * ((index[k] + side) * size[k] - at[k]) + slack_of(m) * size[k];
            first = min(first, fall_quadratic(max(gap, SAME * size[k]), -sign * speed[k], -m->track->accel));
        }
    return first;
}

double cells_leave(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    const cell *c = cell_of(sim, i);
    carom_vec3 x = mover_position(m, t), v = mover_velocity(m, t);
    double size[3] = {sim->cell_size.x, sim->cell_size.y, sim->cell_size.z}, at[3] = {x.x, x.y, x.z};
    double speed[3] = {v.x, v.y, v.z}, accel[3] = {m->a.x, m->a.y, m->a.z}, first = INFINITY;
    const int *index = c->at;
    if (m->track)
        return t + leave_soonest(sim, i, at, speed);
    for (int k = 0; k < 3; k++) {
        double border[2] = {index[k] * size[k], (index[k] + 1) * size[k]};
        if (fabs((double)index[k]) < CELL_MOST)
            first = min(first, leave_time(at[k], speed[k], accel[k], border));
    }
    return t + first;
}
