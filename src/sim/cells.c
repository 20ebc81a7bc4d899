#include "sim/cells.h"

#include "sim/fall.h"

static cell *cell_of(const carom_sim *sim, int i)
{
    return (cell *)sim->cells.data + i;
}

static int wrap(int k, int period)
{
    if (period <= 0)
        return k;
    k %= period;
    return k < 0 ? k + period : k;
}

static void link_in(carom_sim *sim, int i)
{
    cell *c = cell_of(sim, i);
    c->home[0] = wrap(c->x, sim->cell_period[0]);
    c->home[1] = wrap(c->y, sim->cell_period[1]);
    c->home[2] = wrap(c->z, sim->cell_period[2]);
    int *head = &store_ints(&sim->buckets)[cells_place(sim, c->home)];
    c->previous = -1;
    c->next = *head;
    if (*head >= 0)
        cell_of(sim, *head)->previous = i;
    *head = i;
}

static void link_out(carom_sim *sim, int i)
{
    cell *c = cell_of(sim, i);
    if (c->previous >= 0)
        cell_of(sim, c->previous)->next = c->next;
    else
        store_ints(&sim->buckets)[cells_place(sim, c->home)] = c->next;
    if (c->next >= 0)
        cell_of(sim, c->next)->previous = c->previous;
}

#define CELL_NEAR 1e-9 /* of the size of a cell: on its border */
#define CELL_MOST 1e9  /* cells from the origin: beyond, everything is in one */

static int index_of(double x, double size)
{
    double k = floor(x / size);
    return k > CELL_MOST ? (int)CELL_MOST : k < -CELL_MOST ? -(int)CELL_MOST : (int)k;
}

static void locate(const carom_sim *sim, int i, carom_vec3 x)
{
    cell *c = cell_of(sim, i);
    c->x = index_of(x.x, sim->cell_size.x);
    c->y = index_of(x.y, sim->cell_size.y);
    c->z = index_of(x.z, sim->cell_size.z);
}

/* The whole number of cells that a period holds, so that the grid repeats with it. */
static double fit(double size, double period, int *count)
{
    *count = 0;
    if (!(period > 0))
        return size;
    *count = (int)floor(period / size);
    return *count > 0 ? period / *count : period;
}

/* Cells per body up to which each has a place of its own. */
#define DENSE_MOST 16.0

bool cells_build(carom_sim *sim)
{
    double size = 0;
    const int *movable = store_ints(&sim->movable);
    for (size_t k = 0; k < sim->movable.count; k++)
        size = fmax(size, 2 * mover_of(sim, movable[k])->radius);
    carom_vec3 period = sim->scene->period;
    bool repeats = period.x > 0 || period.y > 0 || period.z > 0;
    if ((sim->movable.count < CELLS_FROM && !repeats) || !(size > 0))
        return true;
    size *= CELL_MARGIN;
    sim->cell_size.x = fit(size, period.x, &sim->cell_period[0]);
    sim->cell_size.y = fit(size, period.y, &sim->cell_period[1]);
    sim->cell_size.z = fit(size, period.z, &sim->cell_period[2]);
    const int *n = sim->cell_period;
    double all = (double)n[0] * n[1] * n[2];
    sim->dense = n[0] > 0 && n[1] > 0 && n[2] > 0 && all <= DENSE_MOST * (double)sim->movable.count;
    size_t buckets = sim->dense ? (size_t)all : 64;
    while (!sim->dense && buckets < 2 * sim->movable.count)
        buckets *= 2;
    if (!store_resize(&sim->cells, &sim->memory, (size_t)sim->count) ||
        !store_resize(&sim->buckets, &sim->memory, buckets))
        return false;
    for (size_t k = 0; k < buckets; k++)
        store_ints(&sim->buckets)[k] = -1;
    for (size_t k = 0; k < sim->movable.count; k++) {
        locate(sim, movable[k], mover_of(sim, movable[k])->x);
        link_in(sim, movable[k]);
    }
    return true;
}

/* One step in the direction of the border that was crossed, not a rounding of the place: a body on a border is in the
 * cell that it moves into. */
void cells_move(carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    cell *c = cell_of(sim, i);
    carom_vec3 x = mover_position(m, t), v = mover_velocity(m, t);
    double size[3] = {sim->cell_size.x, sim->cell_size.y, sim->cell_size.z}, at[3] = {x.x, x.y, x.z};
    double speed[3] = {v.x != 0 ? v.x : m->a.x, v.y != 0 ? v.y : m->a.y, v.z != 0 ? v.z : m->a.z};
    int *index[3] = {&c->x, &c->y, &c->z};
    link_out(sim, i);
    for (int k = 0; k < 3; k++) {
        double low = *index[k] * size[k], high = (*index[k] + 1) * size[k], near = CELL_NEAR * size[k];
        if (fabs((double)*index[k]) >= CELL_MOST)
            continue;
        if (at[k] > high - near && speed[k] > 0)
            ++*index[k];
        else if (at[k] < low + near && speed[k] < 0)
            --*index[k];
        else if (at[k] > high + near || at[k] < low - near)
            *index[k] = index_of(at[k], size[k]);
    }
    link_in(sim, i);
}

/* The first s > 0 at which x + v s + a s^2 / 2 leaves [low, high]. */
static double leave_time(double x, double v, double a, const double border[2])
{
    double first = INFINITY;
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1 : -1, c = sign * (x - border[side]), b = sign * v, d = 0.5 * sign * a; /* c <= 0 rises */
        c = c > 0 ? 0 : c;
        double root = INFINITY, disc = b * b - 4 * d * c;
        if (b > 0 && disc >= 0)
            root = -2 * c / (b + sqrt(disc));
        else if (d > 0 && disc >= 0)
            root = (-b + sqrt(disc)) / (2 * d);
        first = root < first ? root : first;
    }
    return first;
}

/* On a track: the soonest that the bound on its acceleration allows. */
static double leave_soonest(const carom_sim *sim, const cell *c, const double at[3], const double speed[3],
                            double accel)
{
    double size[3] = {sim->cell_size.x, sim->cell_size.y, sim->cell_size.z}, first = INFINITY;
    int index[3] = {c->x, c->y, c->z};
    for (int k = 0; k < 3 && fabs((double)index[k]) < CELL_MOST; k++)
        for (int side = 0; side < 2; side++) {
            double sign = side ? 1 : -1, gap = sign * ((index[k] + side) * size[k] - at[k]);
            first = min(first, fall_quadratic(max(gap, CELL_NEAR * size[k]), -sign * speed[k], -accel));
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
    int index[3] = {c->x, c->y, c->z};
    if (m->track)
        return t + leave_soonest(sim, c, at, speed, m->track->accel);
    for (int k = 0; k < 3; k++) {
        double border[2] = {index[k] * size[k], (index[k] + 1) * size[k]};
        if (fabs((double)index[k]) >= CELL_MOST)
            continue;
        first = min(first, leave_time(at[k], speed[k], accel[k], border));
    }
    return t + first;
}
