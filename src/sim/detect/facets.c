#include "sim/detect/facets.h"

#include "sim/motion/motion.h"

static double slack(const mover *m, carom_vec3 x)
{
    return SAME * (m->radius + carom_vec3_length(x)); /* boxes are this much wider, against rounding */
}

void visit_facets(carom_sim *sim, int i, double reach, visitor *visit, void *context)
{
    if (!sim->facets.nodes.count)
        return;
    const mover *m = mover_of(sim, i);
    carom_vec3 x = mover_position(m, sim->time);
    facet_walk w = facet_walk_make(&sim->facets, box_around(x, m->radius + reach + slack(m, x)));
    for (int k; (k = facet_next(&w)) >= 0;)
        visit(sim, i, sim->given + k, context);
}

/* ---- on a parabola ---- */

/* One coordinate, x + v s + a s^2 / 2. */
typedef struct coordinate {
    double x, v, a;
} coordinate;

static double at(const coordinate *c, double s)
{
    return c->x + s * (c->v + 0.5 * s * c->a);
}

typedef struct span {
    double from, to; /* empty: from > to */
} span;

/* Where a coordinate that only rises, or only falls, in a span passes a level; either end where it does not. */
static double passes(const coordinate *c, double level, span s)
{
    double gap = c->x - level, root = sqrt(max(0, c->v * c->v - 2 * c->a * gap)),
           q = -(c->v + (c->v < 0 ? -root : root));
    double first = q != 0 ? 2 * gap / q : INFINITY, second = c->a != 0 ? q / c->a : INFINITY;
    double mid = 0.5 * (s.from + s.to);
    double near = fabs(first - mid) < fabs(second - mid) ? first : second;
    return min(max(near, s.from), s.to);
}

/* The part of a span, in which the coordinate does not turn, that it spends between low and high. */
static span between(const coordinate *c, double low, double high, span s)
{
    const span none = {1, 0};
    double x0 = at(c, s.from), x1 = at(c, s.to), first = x0 < x1 ? low : high, last = x0 < x1 ? high : low;
    if (max(x0, x1) < low || min(x0, x1) > high)
        return none;
    span in = s;
    if (x0 < low || x0 > high)
        in.from = passes(c, first, s);
    if (x1 < low || x1 > high)
        in.to = passes(c, last, s);
    return in;
}

/* The motion of the middle of a ball over a time, cut where a coordinate turns. */
typedef struct flight {
    coordinate c[3];
    double radius, end;
    double cut[5]; /* 0, times of turning, end; in order */
    int cuts;
    bool tracked; /* not a parabola: the box that it stays in is all that is known */
    box3 box;
} flight;

/* When the ball first meets a box; infinite: not before the end. */
static double meets(const flight *f, const box3 *b)
{
    if (f->tracked)
        return boxes_meet(&f->box, b) ? 0 : INFINITY;
    for (int k = 0; k + 1 < f->cuts; k++) {
        span s = {f->cut[k], f->cut[k + 1]};
        for (int axis = 0; axis < 3 && s.from <= s.to; axis++) {
            span in = between(&f->c[axis], b->low[axis] - f->radius, b->high[axis] + f->radius, s);
            s = in.from <= in.to ? in : (span){1, 0};
        }
        if (s.from <= s.to)
            return s.from;
    }
    return INFINITY;
}

/* A time after which a coordinate is outside for good; infinite: it never leaves. */
static double leaves(const coordinate *c, double low, double high)
{
    double least = 0, size = max(fabs(low - c->x), fabs(high - c->x));
    if (c->a != 0)
        least = (fabs(c->v) + sqrt(c->v * c->v + 2 * fabs(c->a) * size)) / fabs(c->a);
    else
        least = c->v != 0 ? size / fabs(c->v) : INFINITY;
    return least;
}

static void add_cut(flight *f, double s)
{
    int k = f->cuts;
    if (!(s > 0 && s < f->end))
        return;
    for (; k > 1 && f->cut[k - 1] > s; k--)
        f->cut[k] = f->cut[k - 1];
    f->cut[k] = s;
    f->cuts++;
}

/* A piece of motion that is no parabola: the box that its speed and the bound on its acceleration leave. */
static void stay_in_box(flight *f, const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    double s = f->end, far = s * (carom_vec3_length(mover_velocity(m, t)) + 0.5 * s * accel_bound(sim, i));
    f->tracked = true;
    f->box = box_around(mover_position(m, t), f->radius + far);
}

static flight flight_of(const carom_sim *sim, int i, double t, double end)
{
    const mover *m = mover_of(sim, i);
    const facet_node *all = sim->facets.nodes.data;
    carom_vec3 x = mover_position(m, t), v = mover_velocity(m, t);
    flight f = {.c = {{x.x, v.x, m->a.x}, {x.y, v.y, m->a.y}, {x.z, v.z, m->a.z}}, .end = end - t};
    f.radius = m->radius + slack(m, x);
    if (m->track) {
        stay_in_box(&f, sim, i, t);
        return f;
    }
    double last = INFINITY;
    for (int k = 0; k < 3; k++)
        last = min(last, leaves(&f.c[k], all->box.low[k] - f.radius, all->box.high[k] + f.radius));
    f.end = min(f.end, last == INFINITY ? 0 : last);
    f.cuts = 1;
    for (int k = 0; k < 3; k++)
        if (f.c[k].a != 0)
            add_cut(&f, -f.c[k].v / f.c[k].a);
    f.cut[f.cuts++] = f.end;
    return f;
}

/* ---- facets in the order of their times ---- */

typedef struct ahead {
    double time;
    int node;
} ahead;

static void visit_leaf(carom_sim *sim, int i, const facet_node *node, visitor *visit, void *context)
{
    for (int k = node->first; k < node->first + node->count; k++)
        visit(sim, i, sim->given + store_ints(&sim->facets.items)[k], context);
}

/* The child that is met first comes out first. */
static int push_children(const carom_sim *sim, const flight *f, int node, ahead *stack, int depth)
{
    const facet_node *nodes = sim->facets.nodes.data;
    ahead left = {meets(f, &nodes[node + 1].box), node + 1},
          right = {meets(f, &nodes[nodes[node].right].box), nodes[node].right};
    ahead later = left.time <= right.time ? right : left, sooner = left.time <= right.time ? left : right;
    if (later.time < INFINITY)
        stack[depth++] = later;
    if (sooner.time < INFINITY)
        stack[depth++] = sooner;
    return depth;
}

void visit_facets_ahead(carom_sim *sim, int i, double t, visitor *visit, void *context)
{
    const outlook *o = outlook_of(sim, i);
    const facet_node *nodes = sim->facets.nodes.data;
    flight f = flight_of(sim, i, t, min(o->bound, motion_until(sim, i)));
    ahead stack[2 * FACET_DEPTH] = {{meets(&f, &nodes->box), 0}};
    int depth = stack[0].time < INFINITY;
    while (depth) {
        ahead next = stack[--depth];
        if (t + next.time > o->bound)
            continue;
        if (nodes[next.node].count)
            visit_leaf(sim, i, &nodes[next.node], visit, context);
        else
            depth = push_children(sim, &f, next.node, stack, depth);
    }
}
