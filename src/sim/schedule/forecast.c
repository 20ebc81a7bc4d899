#include "sim/schedule/forecast.h"

#include "sim/contact/crossing.h"
#include "sim/contact/seam.h"
#include "sim/detect/cells.h"
#include "sim/detect/facets.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/detect/polynomial_gap.h"
#include "sim/detect/touching_pair.h"
#include "sim/schedule/queue.h"
#include "sim/schedule/spheres.h"

/* Particles meet only on one line: d and w are parallel, to rounding. */
static double particle_pair_time(const carom_sim *sim, int i, int j)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double base = max(a->t0, b->t0);
    carom_vec3 d = separation(sim, i, j, base), w = carom_vec3_sub(mover_velocity(a, base), mover_velocity(b, base));
    double B = carom_vec3_dot(d, w), A = carom_vec3_dot(w, w);
    bool recent = a->t0 == b->t0 && touched_at_start(frame_of(sim, i), j);
    /* particles meet only on one line */
    if (recent || B >= 0 || carom_vec3_length(carom_vec3_cross(d, w)) > -ROUND_PLACE * B)
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

/* |d + w s + e s^2 / 2| = reach, from the later of the two starts, with sphere j in another place by shift: squares of
 * distances are polynomials. */
static double shifted_pair_time(const carom_sim *sim, int i, int j, carom_vec3 shift, bool *touching)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double base = max(a->t0, b->t0), reach = a->radius + b->radius;
    carom_vec3 d = carom_vec3_sub(carom_vec3_sub(mover_position(a, base), mover_position(b, base)), shift);
    carom_vec3 w = carom_vec3_sub(mover_velocity(a, base), mover_velocity(b, base)), e = carom_vec3_sub(a->a, b->a);
    bool straight = e.x == 0 && e.y == 0 && e.z == 0;
    double B = carom_vec3_dot(d, w);
    if (straight && B > 0)
        return INFINITY;
    double A = carom_vec3_dot(w, w), C = carom_vec3_dot(d, d) - reach * reach, pull = carom_vec3_dot(d, e);
    bool leaves = false;
    if (C < reach * reach && touched_at_base(sim, i, j, base)) {
        C = 0;
        B = approach_after_touching(a, b, B);
        /* the acceleration of their gap is zero where a ball leaves a round body */
        leaves = B == 0 && A > 0 && fabs(A + pull) <= 10 * ROUND_SPEED * A;
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

/* Sphere j is where its image is nearest at time t. Where few cells fill a period, the images beside that may be hit
 * before either sphere leaves its cell. */
static double sphere_pair_time(const carom_sim *sim, int i, int j, double t, bool *touching)
{
    carom_vec3 shift = nearest_shift(sim, i, j, t), period = sim->scene->period;
    if (!sim->is_narrow)
        return shifted_pair_time(sim, i, j, shift, touching);
    double first = INFINITY;
    for (int k = 0; k < 27; k++) {
        carom_vec3 other = {shift.x + (k % 3 - 1) * period.x, shift.y + (k / 3 % 3 - 1) * period.y,
                            shift.z + (k / 9 - 1) * period.z};
        first = min(first, shifted_pair_time(sim, i, j, other, touching));
    }
    return first;
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
        rate = fabs(rate) <= TOUCH_TOL * (carom_vec3_length(a->v) + carom_vec3_length(b->v)) ? 0 : rate;
    }
    *touching |= c <= TOUCH_TOL * size && rate <= 0;
    return a->t0 + fall_quadratic(c, rate, carom_vec3_dot(n, a->a));
}

/* Does one stand on the other? */
static bool is_closed(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    if (!mover_of(sim, mover_of(sim, i)->is_movable ? i : j)->closed)
        return false;
    for (size_t k = 0; k < sim->closed.count; k++)
        if ((c[k].a == i && stands_on(sim, &c[k], j)) || (c[k].a == j && stands_on(sim, &c[k], i)))
            return true;
    return false;
}

/* Is the pair not to be looked at now? Where that ends at a time, body i looks again then. */
static bool passes_through(const carom_sim *sim, int i, int j, double t)
{
    const ghost *g = sim->ghosts.data;
    for (size_t k = 0; k < sim->ghosts.count; k++) {
        bool ends = g[k].until > 0;
        if (!((g[k].a == i && g[k].b == j) || (g[k].a == j && g[k].b == i)) || (ends && g[k].until <= t))
            continue;
        if (ends)
            outlook_of(sim, i)->bound = min(outlook_of(sim, i)->bound, g[k].until);
        return true;
    }
    return false;
}

/* Body j looks for its impacts again at its next event, and finds those after it. */
static double looks_again(const carom_sim *sim, int j)
{
    double t = queued_of(sim, j)->time;
    return mover_of(sim, j)->is_movable ? t + 2 * tie_of(t) : INFINITY;
}

typedef struct sighting {
    bool touching;   /* now */
    carom_vec3 axis; /* of the impact found, from the partner to the body that looks; or zero */
} sighting;

/* Any other shapes; a half-space comes second. Motions that hold for a while only are searched that far. Of the pair,
 * body i looks for its impacts, and body first is the A of the search. */
static double solid_pair_time(const carom_sim *sim, pair_of_bodies pair, int first, double t, sighting *s)
{
    int i = pair.a, j = pair.b, other = first == i ? j : i;
    outlook *o = outlook_of(sim, i);
    double base = max(mover_of(sim, i)->t0, mover_of(sim, j)->t0);
    search range = {.from = max(base, t), .left = INFINITY, .end = min(motion_until(sim, i), motion_until(sim, j))};
    range.end = min(range.end, min(o->bound, looks_again(sim, j)));
    range.skip = range.from == base && touched_at_base(sim, i, j, base);
    range.guess = range.skip ? known_axis(sim, first, other) : range.guess;
    double found = impact_time(sim, first, other, &range);
    s->touching |= range.touching;
    s->axis = carom_vec3_scale(first == i ? 1 : -1, range.axis);
    o->bound = min(o->bound, range.left);
    return found;
}

/* Steps take care of stepped bodies with each other and with what is fixed. */
static bool are_stepped(const carom_sim *sim, int i, int j)
{
    bool a = frame_of(sim, i)->stepped, b = frame_of(sim, j)->stepped;
    return (a && b) || (a && !mover_of(sim, j)->is_movable) || (b && !mover_of(sim, i)->is_movable);
}

/* When a rim or an apex comes down of a body that stands on another one with one of these. */
static double rim_time(const carom_sim *sim, int i, int j, double t, sighting *s)
{
    int foot = round_feet(sim, i, j);
    return foot < 0 ? INFINITY : solid_pair_time(sim, (pair_of_bodies){i, j}, foot, t, s);
}

static double find_time(const carom_sim *sim, int i, int j, double t, sighting *s)
{
    if (sim->stepped && are_stepped(sim, i, j))
        return INFINITY;
    if (sim->ghosts.count && passes_through(sim, i, j, t))
        return INFINITY;
    if ((sim->assemblies.count || sim->scene->no_contact_count) && never_collide(sim, i, j))
        return INFINITY;
    if (is_closed(sim, i, j)) {
        s->touching = true;
        if (have_crossing(sim, i, j)) /* the plane across its normal separates the two as long as it lasts */
            return INFINITY;
        if (mover_of(sim, i)->is_sphere || mover_of(sim, j)->is_sphere)
            return INFINITY;
        if (mover_of(sim, i)->is_movable && mover_of(sim, j)->is_movable && stand_flat(sim, i, j))
            return min(tilt_time(sim, i, j, t, min(motion_until(sim, i), motion_until(sim, j))),
                       rim_time(sim, i, j, t, s));
        return solid_pair_time(sim, (pair_of_bodies){i, j}, i, t, s);
    }
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (a->is_sphere && b->is_sphere && !a->track && !b->track)
        return mover_of(sim, i)->radius + mover_of(sim, j)->radius > 0 ? sphere_pair_time(sim, i, j, t, &s->touching)
                                                                       : particle_pair_time(sim, i, j);
    if (is_plane(sim, j) && a->is_sphere && !a->track && !b->track)
        return sphere_plane_time(sim, i, j, &s->touching);
    return solid_pair_time(sim, (pair_of_bodies){i, j}, i, t, s);
}

/* When bodies i and j touch, not before t, while both keep their motion; infinite: they do not. */
static double pair_time(const carom_sim *sim, int i, int j, double t, carom_vec3 *axis)
{
    sighting s = {false, {0, 0, 0}};
    double found = find_time(sim, i, j, t, &s);
    *axis = s.axis;
    if (s.touching)
        mover_of(sim, i)->touches = mover_of(sim, j)->touches = true;
    return max(found, t);
}

/* ---- the next event ---- */

static double next_time(const carom_sim *sim, int i)
{
    const outlook *o = outlook_of(sim, i);
    return min(o->count ? min(o->meet[0].time, o->bound) : o->bound, queued_of(sim, i)->change);
}

/* The first impact, the change, or a new search: what comes first. */
static void schedule(carom_sim *sim, int i)
{
    outlook *o = outlook_of(sim, i);
    const queued *q = queued_of(sim, i);
    bool meets = o->count && o->meet[0].time <= o->bound;
    double t = meets ? o->meet[0].time : o->bound;
    bool changes = meets ? q->change < t : q->change <= t;
    o->kind = changes ? o->change : meets ? NEXT_IMPACT : NEXT_CHECK;
    queue_set(sim, i, next_time(sim, i));
}

static void forget(carom_sim *sim, int i)
{
    outlook_of(sim, i)->count = 0;
    outlook_of(sim, i)->bound = INFINITY;
}

/* The flight of a sphere in a gas has no end of its own. */
static void find_change(carom_sim *sim, int i, double t, bool gas)
{
    queued *q = queued_of(sim, i);
    double leave = has_cells(sim) ? cells_leave(sim, i, t) : INFINITY, end = gas ? INFINITY : motion_until(sim, i);
    outlook_of(sim, i)->change = end < leave ? NEXT_PIECE : NEXT_CELL;
    q->change = min(leave, end);
}

void expect_change(carom_sim *sim, int i, next_kind kind, double t)
{
    forget(sim, i);
    outlook_of(sim, i)->change = (unsigned char)kind;
    queued_of(sim, i)->change = t;
    schedule(sim, i);
}

typedef struct lookout {
    outlook *o;
    double from;
    bool first_only;
    carom_vec3 axis; /* of the first impact */
} lookout;

/* Notes the impact of bodies i and j. Where only the first impact counts, others are kept up to two ties after it. A
 * partner that is marked looks itself at this instant, when all motions are what they will be. */
static void consider(carom_sim *sim, int i, int j, void *context)
{
    lookout *l = context;
    outlook *o = l->o;
    carom_vec3 axis;
    if (frame_of(sim, j)->marked)
        return;
    foresee(sim, o, j, pair_time(sim, i, j, l->from, &axis));
    if (o->count && o->meet[0].partner == j)
        l->axis = axis;
    if (l->first_only && o->count)
        o->bound = min(o->bound, o->meet[0].time + 2 * tie_of(o->meet[0].time));
}

static void expect_axis(carom_sim *sim, int i, int j, carom_vec3 axis)
{
    frame_of(sim, i)->axis_with = j;
    frame_of(sim, i)->axis = axis;
}

/* Partners of the first impact of body i, and of those within a tie of it, that know only a later one get this one. */
static void tell_partners(carom_sim *sim, int i, carom_vec3 axis)
{
    const outlook *o = outlook_of(sim, i);
    for (int k = 0; k < o->count && o->meet[k].time <= o->meet[0].time + tie_of(o->meet[0].time); k++) {
        int j = o->meet[k].partner;
        outlook *theirs = outlook_of(sim, j);
        if (!mover_of(sim, j)->is_movable || !(o->meet[0].time < queued_of(sim, j)->time))
            continue;
        foresee(sim, theirs, i, o->meet[0].time);
        if (theirs->meet[0].partner == i)
            expect_axis(sim, j, i, carom_vec3_scale(-1, axis));
        schedule(sim, j);
    }
}

/* The impacts of body i with everything near it in a gas. */
static void look_around(carom_sim *sim, int i, double t)
{
    lookout l = {.o = outlook_of(sim, i), .from = t};
    forget(sim, i);
    mover_of(sim, i)->touches = false;
    find_change(sim, i, t, true);
    visit_fixed(sim, i, consider, &l);
    gas_foresee(sim, i, &cells_around, t);
}

void predict(carom_sim *sim, int i, double t)
{
    lookout l = {.o = outlook_of(sim, i), .from = t, .first_only = true};
    if (is_gas(sim)) {
        look_around(sim, i, t);
        schedule(sim, i);
        return;
    }
    forget(sim, i);
    mover_of(sim, i)->touches = false;
    find_change(sim, i, t, false);
    l.o->bound = queued_of(sim, i)->change; /* then it is predicted again */
    visit_near(sim, i, consider, &l);
    if (sim->facets.nodes.count)
        visit_facets_ahead(sim, i, t, consider, &l);
    schedule(sim, i);
    if (l.o->count)
        expect_axis(sim, i, l.o->meet[0].partner, l.axis);
    tell_partners(sim, i, l.axis);
}

/* The place of an event in the queue is fetched while the other bodies look around. */
static void forecast_gas(carom_sim *sim, double t)
{
    const int *marked = store_ints(&sim->marked);
    for (size_t k = 0; k < sim->marked.count; k++) {
        look_around(sim, marked[k], t);
        queue_fetch(sim, next_time(sim, marked[k]));
    }
    for (size_t k = 0; k < sim->marked.count; k++)
        schedule(sim, marked[k]);
}

void forecast(carom_sim *sim, double t)
{
    const int *marked = store_ints(&sim->marked);
    bool gas = is_gas(sim);
    for (size_t k = 0; k < sim->marked.count; k++) {
        frame_of(sim, marked[k])->ended = false;
        frame_of(sim, marked[k])->marked = !gas;
    }
    if (gas)
        forecast_gas(sim, t);
    for (size_t k = 0; k < sim->marked.count && !gas; k++) {
        frame_of(sim, marked[k])->marked = false;
        predict(sim, marked[k], t);
    }
    sim->marked.count = 0;
}

void predict_crossing(carom_sim *sim, int i, double t)
{
    cell_block block = cells_move(sim, i, t);
    if (!is_gas(sim)) {
        predict(sim, i, t);
        return;
    }
    find_change(sim, i, t, true);
    gas_foresee(sim, i, &block, t);
    schedule(sim, i);
}

void predict_again(carom_sim *sim, int i, double t)
{
    outlook *o = outlook_of(sim, i);
    if (!is_gas(sim)) {
        predict(sim, i, t);
        return;
    }
    int first = 0;
    while (first < o->count && !is_valid(sim, &o->meet[first]))
        first++;
    o->count -= first;
    memmove(o->meet, o->meet + first, (size_t)o->count * sizeof *o->meet);
    schedule(sim, i);
}
