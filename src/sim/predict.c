#include "sim/predict.h"

#include "sim/cells.h"
#include "sim/fall.h"
#include "sim/impact_time.h"
#include "sim/queue.h"

/* An approach of bodies that touched at the start of their motion, slower than this share of their speeds: rounding of
 * the velocities after the impact. */
#define SEPARATED_TOL (64 * EPS)
/* Of its terms: where a ball leaves a round body, the acceleration of their gap is zero, and found so to this. */
#define LEAVES_TOL 1e-11

static double nearest(double d, double period)
{
    return period > 0 && !(fabs(d) < 0.5 * period) ? d - period * floor(d / period + 0.5) : d;
}

static carom_vec3 nearest_image(const carom_sim *sim, carom_vec3 d)
{
    carom_vec3 p = sim->scene->period;
    return carom_vec3_make(nearest(d.x, p.x), nearest(d.y, p.y), nearest(d.z, p.z));
}

carom_vec3 separation(const carom_sim *sim, int i, int j, double t)
{
    carom_vec3 d = carom_vec3_sub(mover_position(mover_of(sim, i), t), mover_position(mover_of(sim, j), t));
    return sim->repeats ? nearest_image(sim, d) : d;
}

/* Particles meet only on one line: d and w are parallel, to rounding. */
#define LINE_TOL 1e-12
static double particle_pair_time(const carom_sim *sim, int i, int j)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double base = max(a->t0, b->t0);
    carom_vec3 d = separation(sim, i, j, base), w = carom_vec3_sub(mover_velocity(a, base), mover_velocity(b, base));
    double B = carom_vec3_dot(d, w), A = carom_vec3_dot(w, w);
    bool recent = a->t0 == b->t0 && touched_at_start(frame_of(sim, i), j);
    if (recent || B >= 0 || carom_vec3_length(carom_vec3_cross(d, w)) > -LINE_TOL * B)
        return INFINITY;
    return base - B / A;
}

/* Did the two touch when the later of their motions began? */
static bool touched_at_base(const carom_sim *sim, int i, int j, double base)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (a->is_movable && b->is_movable)
        return a->t0 == base && b->t0 == base && touched_at_start(frame_of(sim, i), j);
    return touched_at_start(frame_of(sim, a->is_movable ? i : j), a->is_movable ? j : i);
}

/* |d + w s + e s^2 / 2| = reach, from the later of the two starts: squares of distances are polynomials. */
static double sphere_pair_time(const carom_sim *sim, int i, int j, bool *touching)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double base = max(a->t0, b->t0), reach = a->radius + b->radius;
    carom_vec3 d = separation(sim, i, j, base), w = carom_vec3_sub(mover_velocity(a, base), mover_velocity(b, base));
    carom_vec3 e = carom_vec3_sub(a->a, b->a);
    bool straight = e.x == 0 && e.y == 0 && e.z == 0;
    double B = carom_vec3_dot(d, w);
    if (straight && B > 0)
        return INFINITY;
    double A = carom_vec3_dot(w, w), C = carom_vec3_dot(d, d) - reach * reach, pull = carom_vec3_dot(d, e);
    bool leaves = false;
    if (touched_at_base(sim, i, j, base)) {
        C = 0;
        double speed = carom_vec3_dot(a->v, a->v) + carom_vec3_dot(b->v, b->v);
        B = B * B <= SEPARATED_TOL * SEPARATED_TOL * reach * reach * speed ? 0 : B;
        leaves = B == 0 && A > 0 && fabs(A + pull) <= LEAVES_TOL * A;
    }
    *touching |= C <= TOUCH_TOL * reach * reach && B <= 0 && !leaves;
    if (!straight) {
        double p[FALL_DEGREE + 1] = {C, 2 * B, leaves ? 0 : A + pull, carom_vec3_dot(w, e),
                                     0.25 * carom_vec3_dot(e, e)};
        return base + fall_polynomial(p, FALL_DEGREE);
    }
    double disc = B * B - A * C;
    return B >= 0 || disc < 0 ? INFINITY : base + max(C, 0) / (sqrt(disc) - B);
}

/* A sphere and a half-space: the height is a parabola. */
static double sphere_plane_time(const carom_sim *sim, int i, int j, bool *touching)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    carom_vec3 n = plane_normal(sim, j), v = carom_vec3_sub(a->v, b->v);
    double c = carom_vec3_dot(n, carom_vec3_sub(a->x, mover_position(b, a->t0))) - plane_offset(sim, j) - a->radius;
    double rate = carom_vec3_dot(n, v), size = a->radius + fabs(plane_offset(sim, j));
    if (touched_at_start(frame_of(sim, i), j)) {
        c = 0;
        rate = fabs(rate) <= SEPARATED_TOL * (carom_vec3_length(a->v) + carom_vec3_length(b->v)) ? 0 : rate;
    }
    *touching |= c <= TOUCH_TOL * size && rate <= 0;
    return a->t0 + fall_quadratic(c, rate, carom_vec3_dot(n, a->a));
}

static bool is_closed(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if ((c[k].a == i && c[k].b == j) || (c[k].a == j && c[k].b == i))
            return true;
    return false;
}

static bool passes_through(const carom_sim *sim, int i, int j)
{
    const ghost *g = sim->ghosts.data;
    for (size_t k = 0; k < sim->ghosts.count; k++)
        if ((g[k].a == i && g[k].b == j) || (g[k].a == j && g[k].b == i))
            return true;
    return false;
}

/* Any other shapes; a half-space comes second. Motions that hold for a while only are searched that far. */
static double solid_pair_time(const carom_sim *sim, int i, int j, double t, bool *touching)
{
    if (is_plane(sim, i))
        return is_plane(sim, j) ? INFINITY : solid_pair_time(sim, j, i, t, touching);
    double base = max(mover_of(sim, i)->t0, mover_of(sim, j)->t0);
    search range = {.from = max(base, t), .left = INFINITY, .end = min(motion_end(sim, i), motion_end(sim, j))};
    range.skip = range.from == base && touched_at_base(sim, i, j, base);
    double found = impact_time(sim, i, j, &range);
    *touching |= range.touching;
    if (range.left < INFINITY)
        frame_of(sim, i)->again_at = min(frame_of(sim, i)->again_at, range.left);
    return found;
}

/* Steps take care of stepped bodies with each other and with what is fixed. */
static bool are_stepped(const carom_sim *sim, int i, int j)
{
    bool a = frame_of(sim, i)->stepped, b = frame_of(sim, j)->stepped;
    return (a && b) || (a && !mover_of(sim, j)->is_movable) || (b && !mover_of(sim, i)->is_movable);
}

static double find_time(const carom_sim *sim, int i, int j, double t, bool *touching)
{
    if (sim->stepped && are_stepped(sim, i, j))
        return INFINITY;
    if (sim->ghosts.count && passes_through(sim, i, j))
        return INFINITY;
    if (sim->assemblies.count && are_joined(sim, i, j))
        return INFINITY;
    if (mover_of(sim, i)->closed && mover_of(sim, j)->closed && is_closed(sim, i, j)) {
        *touching = true;
        return mover_of(sim, i)->is_sphere || mover_of(sim, j)->is_sphere ? INFINITY
                                                                          : solid_pair_time(sim, i, j, t, touching);
    }
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (a->is_sphere && b->is_sphere && !a->track && !b->track)
        return mover_of(sim, i)->radius + mover_of(sim, j)->radius > 0 ? sphere_pair_time(sim, i, j, touching)
                                                                       : particle_pair_time(sim, i, j);
    if (is_plane(sim, j) && a->is_sphere && !a->track && !b->track)
        return sphere_plane_time(sim, i, j, touching);
    return solid_pair_time(sim, i, j, t, touching);
}

double pair_time(const carom_sim *sim, int i, int j, double t)
{
    bool touching = false;
    double found = find_time(sim, i, j, t, &touching);
    if (touching)
        frame_of(sim, i)->touches = frame_of(sim, j)->touches = true;
    return max(found, t);
}

double gap_at(const carom_sim *sim, int i, int j, double t)
{
    if (is_plane(sim, i) || (is_plane(sim, j) && is_plane(sim, i)))
        return is_plane(sim, j) ? INFINITY : gap_at(sim, j, i, t);
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (is_plane(sim, j)) {
        carom_vec3 d = carom_vec3_sub(mover_position(a, t), mover_position(b, t));
        double height = carom_vec3_dot(plane_normal(sim, j), d) - plane_offset(sim, j) - a->radius;
        return a->is_sphere ? height : solid_gap(sim, i, j, t);
    }
    if (!a->is_sphere || !b->is_sphere)
        return solid_gap(sim, i, j, t);
    return carom_vec3_length(separation(sim, i, j, t)) - a->radius - b->radius;
}

/* ---- neighbours ---- */

static void visit_cells(carom_sim *sim, int i, visitor *visit, void *context)
{
    const cell *cells = sim->cells.data, *c = cells + i;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dz = -1; dz <= 1; dz++) {
                const int home[3] = {cells_beside(sim, c->home[0], dx, 0), cells_beside(sim, c->home[1], dy, 1),
                                     cells_beside(sim, c->home[2], dz, 2)};
                for (int j = cells_bucket(sim, home); j >= 0; j = cells[j].next)
                    if (j != i && cells_holds(sim, &cells[j], home))
                        visit(sim, i, j, context);
            }
}

void visit_near(carom_sim *sim, int i, visitor *visit, void *context)
{
    const int *fixed = store_ints(&sim->fixed), *movable = store_ints(&sim->movable);
    for (size_t k = 0; k < sim->fixed.count; k++)
        visit(sim, i, fixed[k], context);
    if (has_cells(sim)) {
        visit_cells(sim, i, visit, context);
        return;
    }
    for (size_t k = 0; k < sim->movable.count; k++)
        if (movable[k] != i)
            visit(sim, i, movable[k], context);
}

/* ---- the next event ---- */

enum { TIES = 8 };

/* The earliest partners so far: those within a tie of the first. */
typedef struct earliest {
    double from, time;
    int partner[TIES], count;
} earliest;

static void consider(carom_sim *sim, int i, int j, void *context)
{
    earliest *e = context;
    double t = pair_time(sim, i, j, e->from);
    if (!(t < INFINITY) || t > e->time + tie_of(t))
        return;
    if (t < e->time - tie_of(t))
        e->count = 0;
    e->time = min(t, e->time);
    if (e->count < TIES)
        e->partner[e->count++] = j;
}

static next_event impact_with(const carom_sim *sim, int j, double t)
{
    next_event e = {t, NEXT_IMPACT, j, mover_of(sim, j)->version};
    return e;
}

/* The first partner becomes the event of body i; every partner that had a later event gets this one. */
static void schedule(carom_sim *sim, int i, const earliest *e)
{
    next_event best = {INFINITY, NEXT_NOTHING, -1, 0};
    double leave = has_cells(sim) ? cells_leave(sim, i, e->from) : INFINITY, end = motion_end(sim, i);
    if (e->count)
        best = impact_with(sim, e->partner[0], e->time);
    if (leave < best.time)
        best = (next_event){leave, NEXT_CELL, -1, 0};
    if (end < best.time)
        best = (next_event){end, NEXT_PIECE, -1, 0};
    if (frame_of(sim, i)->again_at < best.time)
        best = (next_event){frame_of(sim, i)->again_at, NEXT_CHECK, -1, 0};
    queue_set(sim, i, &best);
    for (int k = 0; k < e->count; k++) {
        int j = e->partner[k];
        if (!mover_of(sim, j)->is_movable || !(e->time < next_of(sim, j)->time))
            continue;
        next_event theirs = impact_with(sim, i, e->time);
        queue_set(sim, j, &theirs);
    }
}

void predict(carom_sim *sim, int i, double t)
{
    earliest e = {.from = t, .time = INFINITY, .count = 0};
    frame_of(sim, i)->touches = false;
    frame_of(sim, i)->again_at = INFINITY;
    visit_near(sim, i, consider, &e);
    schedule(sim, i, &e);
}
