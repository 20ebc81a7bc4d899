#include "sim/schedule/spheres.h"

#include "sim/schedule/prefetch.h"

/* Inlined wherever it is called, so that there is a copy for each kind of scene. */
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Bodies near body i: as many as the first places of 27 buckets hold. */
enum { NEAR_MOST = 27 * BUCKET_FIRST, BLOCK = 4 };

typedef struct near_bodies {
    int i, count;
    double t;
    int body[NEAR_MOST + BLOCK];
} near_bodies;

/* Some bodies, number by number, so that the compiler compares several at once. */
typedef struct sphere_block {
    double x[BLOCK], y[BLOCK], z[BLOCK], vx[BLOCK], vy[BLOCK], vz[BLOCK], t0[BLOCK], radius[BLOCK];
} sphere_block;

/* |d + w s| = reach, from base, the later of the two starts: A s^2 + 2 B s + C = 0. The pair may meet where hit is not
 * negative. */
typedef struct approach_block {
    double base[BLOCK], A[BLOCK], B[BLOCK], C[BLOCK], reach[BLOCK], hit[BLOCK];
} approach_block;

/* What all pairs share: gravity, the time of the images, and the period with its inverse, zero without one. */
typedef struct space {
    carom_vec3 g, period, per;
    double t;
} space;

/* Terms that a scene may be without: gravity, a period, and radii that differ. Of scenes without them, all numbers are
 * the same with and without these terms. */
typedef struct terms {
    bool falls, repeats, differ;
} terms;

INLINE void fill(const mover *movers, const int body[BLOCK], terms has, sphere_block *to)
{
    for (int k = 0; k < BLOCK; k++) {
        const mover *m = &movers[body[k]];
        to->x[k] = m->x.x, to->y[k] = m->x.y, to->z[k] = m->x.z;
        to->vx[k] = m->v.x, to->vy[k] = m->v.y, to->vz[k] = m->v.z;
        to->t0[k] = m->t0;
        if (has.differ)
            to->radius[k] = m->radius;
    }
}

/* The nearest whole number, for sizes below 2^51. */
INLINE double whole(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

/* Most pairs separate or pass each other. The numbers are those of sphere_pair_time(), to the bit: bodies in
 * neighbouring cells are less than half a period apart, so that no rounding changes the nearest image. */
INLINE void find_approaches(const space *in, const mover *a, const sphere_block *restrict b,
                            approach_block *restrict out, terms has)
{
    const bool falls = has.falls;
    const carom_vec3 g = in->g, per = in->per, period = in->period, x = a->x, v = a->v;
    const double t = in->t, t0 = a->t0, radius = a->radius;
#pragma omp simd
    for (int k = 0; k < BLOCK; k++) {
        double base = t0 > b->t0[k] ? t0 : b->t0[k], s = base - t0, r = base - b->t0[k];
        double reach = radius + (has.differ ? b->radius[k] : radius);
        double wx = falls ? (v.x + s * g.x) - (b->vx[k] + r * g.x) : v.x - b->vx[k];
        double wy = falls ? (v.y + s * g.y) - (b->vy[k] + r * g.y) : v.y - b->vy[k];
        double wz = falls ? (v.z + s * g.z) - (b->vz[k] + r * g.z) : v.z - b->vz[k];
        double ax = falls ? v.x + 0.5 * s * g.x : v.x, bx = falls ? b->vx[k] + 0.5 * r * g.x : b->vx[k];
        double ay = falls ? v.y + 0.5 * s * g.y : v.y, by = falls ? b->vy[k] + 0.5 * r * g.y : b->vy[k];
        double az = falls ? v.z + 0.5 * s * g.z : v.z, bz = falls ? b->vz[k] + 0.5 * r * g.z : b->vz[k];
        double dx = (x.x + s * ax) - (b->x[k] + r * bx);
        double dy = (x.y + s * ay) - (b->y[k] + r * by);
        double dz = (x.z + s * az) - (b->z[k] + r * bz);
        if (has.repeats) {
            dx -= period.x * whole((dx + (t - base) * wx) * per.x);
            dy -= period.y * whole((dy + (t - base) * wy) * per.y);
            dz -= period.z * whole((dz + (t - base) * wz) * per.z);
        }
        double A = wx * wx + wy * wy + wz * wz, B = dx * wx + dy * wy + dz * wz;
        double C = dx * dx + dy * dy + dz * dz - reach * reach;
        double meets = max(B * B - A * C, TOUCH_TOL * reach * reach - C);
        meets = s == r ? 1 : meets;
        out->hit[k] = B > 0 ? -1 : meets;
        out->base[k] = base, out->reach[k] = reach;
        out->A[k] = A, out->B[k] = B, out->C[k] = C;
    }
}

/* The impact with body j, which is number k of a block. */
static void foresee_sphere(carom_sim *sim, const near_bodies *near, int j, const approach_block *p, int k)
{
    mover *a = mover_of(sim, near->i), *b = mover_of(sim, j);
    double B = p->B[k], C = p->C[k], reach = p->reach[k];
    if (a->t0 == b->t0 && C < reach * reach && touched_at_start(frame_of(sim, near->i), j)) {
        C = 0;
        B = approach_after_touching(a, b, B);
    }
    if (C <= TOUCH_TOL * reach * reach)
        a->touches = b->touches = true;
    double disc = B * B - p->A[k] * C;
    if (B < 0 && disc >= 0)
        foresee(sim, outlook_of(sim, near->i), j, max(p->base[k] + max(C, 0) / (sqrt(disc) - B), near->t));
}

INLINE void compare_all(carom_sim *sim, const near_bodies *near, terms has)
{
    const mover *movers = sim->movers.data;
    const space in = {sim->scene->gravity, sim->scene->period, sim->per, near->t};
    sphere_block block;
    approach_block found;
    for (int first = 0; first < near->count; first += BLOCK) {
        const int *body = near->body + first;
        fill(movers, body, has, &block);
        find_approaches(&in, &movers[near->i], &block, &found, has);
        for (int k = 0; k < BLOCK; k++)
            if (found.hit[k] >= 0 && body[k] != near->i)
                foresee_sphere(sim, near, body[k], &found, k);
    }
}

static void compare(carom_sim *sim, near_bodies *near)
{
    const carom_vec3 g = sim->scene->gravity;
    const bool falls = g.x != 0 || g.y != 0 || g.z != 0;
    for (int k = near->count; k < near->count + BLOCK; k++)
        near->body[k] = near->i;
    if (!sim->alike || (falls && sim->repeats))
        compare_all(sim, near, (terms){true, true, true});
    else if (falls)
        compare_all(sim, near, (terms){.falls = true});
    else if (sim->repeats)
        compare_all(sim, near, (terms){.repeats = true});
    else
        compare_all(sim, near, (terms){false, false, false});
    near->count = 0;
}

/* The bodies of a bucket beyond its first ones. */
static void compare_others(carom_sim *sim, const bucket *b, near_bodies *near)
{
    for (int j = *cells_others(sim, b); j >= 0; j = cell_of(sim, j)->next) {
        near->body[near->count++] = j;
        if (near->count == NEAR_MOST)
            compare(sim, near);
    }
}

static void compare_all_others(carom_sim *sim, const cell_steps *steps, near_bodies *near)
{
    for (int z = 0; z < steps->count[2]; z++)
        for (int y = 0; y < steps->count[1]; y++)
            for (int x = 0; x < steps->count[0]; x++) {
                const bucket *b = cells_row(sim, steps, y, z) + steps->at[0][x];
                if (b->others)
                    compare_others(sim, b, near);
            }
    compare(sim, near);
}

/* A bucket is copied as it is, without a branch: most are empty or have one body, which no branch could foresee. */
static size_t take_row(const carom_sim *sim, const bucket *row, const cell_steps *steps, int *body, bool *others)
{
    const mover *movers = sim->movers.data;
    size_t count = 0;
    for (int x = 0; x < steps->count[0]; x++) {
        const bucket *b = row + steps->at[0][x];
        memcpy(body + count, b, sizeof *b);
        fetch(&movers[b->body[0]]);
        count += b->count;
        *others |= b->others;
    }
    return count;
}

void gas_foresee(carom_sim *sim, int i, const cell_block *block, double t)
{
    near_bodies near;
    cell_steps steps;
    size_t count = 0;
    bool others = false;
    cells_steps(sim, i, block, &steps);
    for (int z = 0; z < steps.count[2]; z++)
        for (int y = 0; y < steps.count[1]; y++) {
            const bucket *row = cells_row(sim, &steps, y, z);
            count += take_row(sim, row, &steps, near.body + count, &others);
        }
    near.i = i;
    near.t = t;
    near.count = (int)count;
    compare(sim, &near);
    if (others)
        compare_all_others(sim, &steps, &near);
}
