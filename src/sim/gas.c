#include "sim/gas.h"

/* |d + w s| = reach, from the later of the two starts: A s^2 + 2 B s + C = 0. */
typedef struct approach {
    double base, A, B, C, reach;
} approach;

#define EDGE 0.499999999 /* of a period: bodies further apart have two nearest images, to rounding */

/* What all pairs share: gravity and the time of the images. Along each axis the period of the scene, the inverse, and
 * the edge of the nearest image; zeros and infinity without a period. */
typedef struct space {
    carom_vec3 period, per, edge, g;
    double t;
} space;

static double inverse_of(double period)
{
    return period > 0 ? 1 / period : 0;
}

static double edge_of(double period)
{
    return period > 0 ? EDGE * period : INFINITY;
}

static space space_of(const carom_sim *sim, double t)
{
    carom_vec3 p = sim->scene->period;
    space s = {p,
               {inverse_of(p.x), inverse_of(p.y), inverse_of(p.z)},
               {edge_of(p.x), edge_of(p.y), edge_of(p.z)},
               sim->scene->gravity,
               t};
    return s;
}

/* The numbers of sphere_pair_time, to the bit: sphere j is where its image is nearest at time t. */
static approach approach_of(const carom_sim *sim, int i, int j, double t)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double base = max(a->t0, b->t0), reach = a->radius + b->radius;
    carom_vec3 d = carom_vec3_sub(mover_position(a, base), mover_position(b, base));
    carom_vec3 w = carom_vec3_sub(mover_velocity(a, base), mover_velocity(b, base));
    if (sim->repeats)
        d = carom_vec3_sub(d, nearest_shift(sim, i, j, t));
    approach p = {base, carom_vec3_dot(w, w), carom_vec3_dot(d, w), carom_vec3_dot(d, d) - reach * reach, reach};
    return p;
}

static void foresee_sphere(carom_sim *sim, int i, int j, double t)
{
    mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    approach p = approach_of(sim, i, j, t);
    if (p.B > 0)
        return;
    if (a->t0 == b->t0 && p.C < p.reach * p.reach && touched_at_start(frame_of(sim, i), j)) {
        p.C = 0;
        p.B = approach_after_touching(a, b, p.B);
    }
    if (p.C <= TOUCH_TOL * p.reach * p.reach)
        a->touches = b->touches = true;
    double disc = p.B * p.B - p.A * p.C;
    if (p.B < 0 && disc >= 0)
        foresee(sim, outlook_of(sim, i), j, max(p.base + max(p.C, 0) / (sqrt(disc) - p.B), t));
}

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

static void fill(const mover *movers, const int body[BLOCK], sphere_block *to)
{
    for (int k = 0; k < BLOCK; k++) {
        const mover *m = &movers[body[k]];
        to->x[k] = m->x.x, to->y[k] = m->x.y, to->z[k] = m->x.z;
        to->vx[k] = m->v.x, to->vy[k] = m->v.y, to->vz[k] = m->v.z;
        to->t0[k] = m->t0, to->radius[k] = m->radius;
    }
}

/* The nearest whole number, for sizes below 2^51. */
static inline double whole(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

/* Most pairs separate or pass each other: those of a block that may meet sphere a
 * get a number that is not negative. The numbers are those of approach_of(), to
 * the bit, unless the nearest image is in doubt. */
static inline void find_hits(const space *in, const mover *a, const sphere_block *restrict b, double *restrict hit)
{
    const carom_vec3 g = in->g, per = in->per, period = in->period, edge = in->edge, x = a->x, v = a->v;
    const double t = in->t, t0 = a->t0, radius = a->radius;
#pragma omp simd
    for (int k = 0; k < BLOCK; k++) {
        double base = t0 > b->t0[k] ? t0 : b->t0[k], s = base - t0, r = base - b->t0[k], reach = radius + b->radius[k];
        double wx = (v.x + s * g.x) - (b->vx[k] + r * g.x);
        double wy = (v.y + s * g.y) - (b->vy[k] + r * g.y);
        double wz = (v.z + s * g.z) - (b->vz[k] + r * g.z);
        double dx = (x.x + s * (v.x + 0.5 * s * g.x)) - (b->x[k] + r * (b->vx[k] + 0.5 * r * g.x));
        double dy = (x.y + s * (v.y + 0.5 * s * g.y)) - (b->y[k] + r * (b->vy[k] + 0.5 * r * g.y));
        double dz = (x.z + s * (v.z + 0.5 * s * g.z)) - (b->z[k] + r * (b->vz[k] + 0.5 * r * g.z));
        double far_x = dx + (t - base) * wx, k_x = whole(far_x * per.x);
        double far_y = dy + (t - base) * wy, k_y = whole(far_y * per.y);
        double far_z = dz + (t - base) * wz, k_z = whole(far_z * per.z);
        dx -= period.x * k_x;
        dy -= period.y * k_y;
        dz -= period.z * k_z;
        double A = wx * wx + wy * wy + wz * wz, B = dx * wx + dy * wy + dz * wz;
        double C = dx * dx + dy * dy + dz * dz - reach * reach, disc = B * B - A * C;
        far_x = fabs(far_x - period.x * k_x) - edge.x;
        far_y = fabs(far_y - period.y * k_y) - edge.y;
        far_z = fabs(far_z - period.z * k_z) - edge.z;
        double meets = max(disc, TOUCH_TOL * reach * reach - C);
        meets = s == r ? 1 : meets;
        meets = B > 0 ? -1 : meets;
        hit[k] = max(max(far_x, far_y), max(far_z, meets));
    }
}

static void compare(carom_sim *sim, near_bodies *near)
{
    const mover *movers = sim->movers.data;
    const mover *a = &movers[near->i];
    const space in = space_of(sim, near->t);
    sphere_block block;
    double hit[BLOCK];
    for (int k = near->count; k < near->count + BLOCK; k++)
        near->body[k] = near->i;
    for (int first = 0; first < near->count; first += BLOCK) {
        const int *body = near->body + first;
        fill(movers, body, &block);
        find_hits(&in, a, &block, hit);
        for (int k = 0; k < BLOCK; k++)
            if (hit[k] >= 0 && body[k] != near->i)
                foresee_sphere(sim, near->i, body[k], near->t);
    }
    near->count = 0;
}

/* The bodies of a bucket beyond its first two. */
static void compare_more(carom_sim *sim, const bucket *b, near_bodies *near)
{
    int j = b->body[2];
    for (int next = b->more; j >= 0; j = next, next = j >= 0 ? cell_of(sim, j)->next : -1) {
        near->body[near->count++] = j;
        if (near->count == NEAR_MOST)
            compare(sim, near);
    }
}

typedef struct bucket_list {
    int count;
    const bucket *at[27];
} bucket_list;

static void list_buckets(const carom_sim *sim, int i, const cell_block *block, bucket_list *list)
{
    const int *home = cell_of(sim, i)->home;
    int x[3], low = block->low[0], count = 0;
    for (int dx = low; dx <= block->high[0]; dx++)
        x[dx - low] = cells_beside(sim, home[0], dx, 0);
    for (int dz = block->low[2]; dz <= block->high[2]; dz++) {
        int z = cells_beside(sim, home[2], dz, 2);
        for (int dy = block->low[1]; dy <= block->high[1]; dy++) {
            const bucket *row = cells_bucket(sim, 0, cells_beside(sim, home[1], dy, 1), z);
            for (int k = 0; k <= block->high[0] - low; k++)
                list->at[count++] = row + x[k];
        }
    }
    list->count = count;
}

/* Two places of each bucket without a branch; cells hold about half a body. */
void gas_foresee(carom_sim *sim, int i, const cell_block *block, double t)
{
    near_bodies near;
    bucket_list list;
    size_t count = 0;
    bool more = false;
    list_buckets(sim, i, block, &list);
    for (int n = 0; n < list.count; n++) {
        const bucket *b = list.at[n];
        near.body[count] = b->body[0];
        count += b->body[0] >= 0;
        near.body[count] = b->body[1];
        count += b->body[1] >= 0;
        more |= b->body[2] >= 0;
    }
    near.i = i;
    near.t = t;
    near.count = (int)count;
    if (near.count > NEAR_MOST / 2)
        compare(sim, &near);
    for (int n = 0; n < list.count && more; n++)
        compare_more(sim, list.at[n], &near);
    compare(sim, &near);
}
