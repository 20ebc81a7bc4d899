#include "sim/detect/impact_time.h"

#include "sim/contact/foot.h"
#include "sim/detect/meeting.h"
#include "sim/detect/polynomial_gap.h"
#include "sim/motion/driven_path.h"
#include "sim/shape/feature.h"
#include "sim/shape/nearest_axis.h"

enum { SEARCH_STEPS = 400, ROOT_TRIES = 20 };
#define BOUND_TOL (0.1 * VISIBLE) /* of a step: how well the root of a bound is found */

typedef struct line {
    carom_vec3 from, rate;
} line;

static carom_vec3 on_line(line l, double s)
{
    return vec_plus(l.from, s, l.rate);
}

/* The point of the piece furthest along m, from the centre of the body; and how far that is. */
static carom_vec3 arm_along(const placed *p, carom_vec3 center, carom_vec3 m)
{
    return carom_vec3_sub(support(p, m), center);
}

static double reach_along(const placed *p, carom_vec3 center, carom_vec3 m)
{
    return carom_vec3_dot(m, arm_along(p, center, m));
}

/* The bound L of the page for one rate of turning of the axis. It is evaluated as its start and a difference, which
 * does not cancel: hops far lower than the rounding of the places are seen. */
typedef struct bound {
    const meeting *m;
    double start, slope, K;
    line n, to_a, to_b;
    carom_vec3 arm_a, arm_b; /* at s = 0 */
} bound;

static double bound_at(const bound *l, double s)
{
    const meeting *m = l->m;
    carom_vec3 a = arm_along(&m->a, m->xa, carom_vec3_scale(-1, on_line(l->to_a, s))), turn = l->n.rate;
    double longer = s * (2 * carom_vec3_dot(l->n.from, turn) + s * carom_vec3_dot(turn, turn));
    double sum = l->start + s * (l->slope - l->K * s + carom_vec3_dot(l->to_a.rate, a));
    sum += max(0, carom_vec3_dot(m->n, carom_vec3_sub(a, l->arm_a)));
    sum -= m->margin * longer / (1 + carom_vec3_length(on_line(l->n, s)));
    if (m->plane)
        return sum;
    carom_vec3 b = arm_along(&m->b, m->xb, on_line(l->to_b, s));
    return sum - s * carom_vec3_dot(l->to_b.rate, b) + max(0, carom_vec3_dot(m->n, carom_vec3_sub(l->arm_b, b)));
}

static bound bound_make(const meeting *m, carom_vec3 turn, double bias)
{
    bound l = {.m = m};
    carom_vec3 n = m->n;
    double rate = carom_vec3_length(turn), pull = 0.5 * carom_vec3_length(m->g);
    l.n = (line){n, turn};
    l.to_a = (line){n, carom_vec3_add(turn, carom_vec3_cross(n, m->wa))};
    l.to_b = (line){n, carom_vec3_add(turn, carom_vec3_cross(n, m->wb))};
    l.slope = carom_vec3_dot(turn, m->d) + carom_vec3_dot(n, m->w);
    double second = carom_vec3_dot(turn, m->w) + 0.5 * carom_vec3_dot(n, m->g);
    l.K = max(0, -second) + m->bound * (rate > 0 ? 0.5 * 1.4142135623730951 : 0.5);
    if (rate > 0) {
        l.K += pull + m->a.piece->reach * carom_vec3_length(carom_vec3_cross(turn, m->wa));
        if (!m->plane)
            l.K += m->b.piece->reach * carom_vec3_length(carom_vec3_cross(turn, m->wb));
    }
    l.start = max(m->gap - bias, 0);
    l.arm_a = arm_along(&m->a, m->xa, carom_vec3_scale(-1, n));
    if (!m->plane)
        l.arm_b = arm_along(&m->b, m->xb, n);
    return l;
}

/* The slope of L at s, from the support points there. */
static double slope_at(const bound *l, double s)
{
    const meeting *m = l->m;
    carom_vec3 n = on_line(l->n, s);
    carom_vec3 ra = arm_along(&m->a, m->xa, carom_vec3_scale(-1, on_line(l->to_a, s)));
    double D = l->slope - 2 * l->K * s + carom_vec3_dot(l->to_a.rate, ra);
    D -= m->margin * carom_vec3_dot(n, l->n.rate) / carom_vec3_length(n);
    if (m->plane)
        return D;
    carom_vec3 rb = arm_along(&m->b, m->xb, on_line(l->to_b, s));
    return D - carom_vec3_dot(l->to_b.rate, rb);
}

/* How far L stays positive, at most cap. L is concave: chords from the left lie below it and are safe, tangents from
 * the right lie above it, and both close in on its root. Where L begins at zero chords do not move, and the root is
 * bracketed from the right alone. */
static double safe_step(const bound *l, double cap)
{
    double lo = 0, f_lo = l->start, hi = min(cap, fall_quadratic(f_lo, slope_at(l, 0), -2 * l->K));
    if (!(hi > 0) || hi == INFINITY)
        return hi > 0 ? hi : 0;
    double f_hi = bound_at(l, hi);
    if (f_hi >= 0)
        return hi;
    for (int k = 0; k < ROOT_TRIES && hi - lo > BOUND_TOL * hi; k++) {
        double slope = slope_at(l, hi), tangent = slope < 0 ? hi - f_hi / slope : hi;
        double chord = lo + (hi - lo) * (f_lo / (f_lo - f_hi)), tries[2] = {chord, tangent * (1 - 0.5 * BOUND_TOL)};
        hi = tangent > lo && tangent < hi ? tangent : hi;
        for (int m = 0; m < 2; m++) {
            double s = tries[m], f = s > lo && s < hi ? bound_at(l, s) : NAN;
            if (f >= 0)
                lo = s, f_lo = f;
            else if (f < 0)
                hi = s, f_hi = f;
        }
    }
    return lo;
}

/* ---- two pieces ---- */

static void set_gap(meeting *m, carom_vec3 guess, double share, double offset)
{
    if (m->plane) {
        m->gap =
            carom_vec3_dot(m->n, m->d) - offset - m->margin - reach_along(&m->a, m->xa, carom_vec3_scale(-1, m->n));
        return;
    }
    axis_between x = near_axis(&m->a, &m->b, guess, share);
    m->n = x.n;
    m->gap = x.gap - m->margin;
    m->is_exact = x.is_exact;
}

meeting meet(const pieces_pair *p, double t, carom_vec3 guess, double share)
{
    const carom_sim *sim = p->sim;
    snap a = snap_at(sim, p->i, t), b = snap_at(sim, p->j, t);
    meeting m = {.plane = p->b->kind == CORE_HALF_SPACE, .xa = a.x, .xb = b.x, .wa = a.w, .wb = b.w};
    m.a = place_piece(sim, p->a, &a);
    if (p->points)
        m.a.points = p->points;
    m.carried = driven_of(sim, p->j) ? carom_vec3_length(b.v) : 0;
    m.d = carom_vec3_sub(a.x, b.x);
    m.w = carom_vec3_sub(a.v, b.v);
    m.g = carom_vec3_sub(constant_accel(sim, p->i), constant_accel(sim, p->j));
    m.margin = p->a->margin + (m.plane ? 0 : p->b->margin);
    m.bound = accel_bound(sim, p->i) + accel_bound(sim, p->j) + p->bound_a * lever(p->a);
    if (m.plane) {
        m.n = p->b->offset;
        m.wb = carom_vec3_make(0, 0, 0);
    } else {
        m.b = place_piece(sim, p->b, &b);
        m.bound += p->bound_b * lever(p->b);
    }
    set_gap(&m, guess, share, p->b->size[0]);
    if (!m.plane && m.gap <= TOUCH_TOL * p->a->reach)
        pass_corner(&m);
    return m;
}

/* The longest safe step of several turning axes: held in the world, in A, in B, or turning as the nearest points do. */
static double longest_step(const meeting *m, carom_vec3 drift, double bias, double cap, carom_vec3 *turn)
{
    carom_vec3 none = {0, 0, 0}, turns[] = {none, carom_vec3_cross(m->wa, m->n), carom_vec3_cross(m->wb, m->n), drift};
    double best = 0;
    *turn = none;
    for (int k = 0; k < (m->plane ? 1 : (int)(sizeof turns / sizeof turns[0])); k++) {
        double rate = carom_vec3_length(turns[k]);
        if (k > 0 && rate == 0)
            continue;
        bound l = bound_make(m, turns[k], bias);
        double step = safe_step(&l, rate > 0 ? min(cap, 1 / rate) : cap);
        if (step > best)
            best = step, *turn = turns[k];
    }
    return best;
}

static double balls_gap(const pieces_pair *p, carom_vec3 d)
{
    if (p->b->kind == CORE_HALF_SPACE)
        return carom_vec3_dot(p->b->offset, d) - p->b->size[0] - p->a->reach;
    return carom_vec3_length(d) - p->a->reach - p->b->reach;
}

/* When a ball around d that moves with w and g comes to the half-space of b, or to the ball around it; zero: it is
 * there.
 */
static double comes_to(const piece *b, carom_vec3 d, carom_vec3 w, carom_vec3 g, double reach)
{
    if (b->kind == CORE_HALF_SPACE) {
        double c = carom_vec3_dot(b->offset, d) - b->size[0] - reach;
        return c > 0 ? fall_quadratic(c, carom_vec3_dot(b->offset, w), carom_vec3_dot(b->offset, g)) : 0;
    }
    double whole = reach + b->reach, C = carom_vec3_dot(d, d) - whole * whole;
    double poly[FALL_DEGREE + 1] = {C, 2 * carom_vec3_dot(d, w), carom_vec3_dot(w, w) + carom_vec3_dot(d, g),
                                    carom_vec3_dot(w, g), 0.25 * carom_vec3_dot(g, g)};
    return C > 0 ? fall_polynomial(poly, FALL_DEGREE) : 0;
}

/* B stays near its home: when A comes near that next, at the soonest. */
static double home_touch(const pieces_pair *p, double t)
{
    const mover *a = mover_of(p->sim, p->i);
    const driven *b = driven_of(p->sim, p->j);
    if (!b || a->track || b->reach == INFINITY)
        return t;
    carom_vec3 d = carom_vec3_sub(mover_position(a, t), b->home);
    return t + comes_to(p->b, d, mover_velocity(a, t), a->a, p->a->reach + b->reach);
}

/* Outside the balls around both bodies: when these touch next. */
static double balls_touch(const pieces_pair *p, double t)
{
    const carom_sim *sim = p->sim;
    const mover *a = mover_of(sim, p->i), *b = mover_of(sim, p->j);
    carom_vec3 d = carom_vec3_sub(mover_position(a, t), mover_position(b, t));
    carom_vec3 g = carom_vec3_sub(constant_accel(sim, p->i), constant_accel(sim, p->j));
    carom_vec3 w = carom_vec3_sub(mover_velocity(a, t), mover_velocity(b, t));
    double most = accel_bound(sim, p->i) + accel_bound(sim, p->j);
    if (most > 0)
        return max(home_touch(p, t),
                   t + fall_quadratic(balls_gap(p, d), -carom_vec3_length(w), -most - carom_vec3_length(g)));
    return t + comes_to(p->b, d, w, g, p->a->reach);
}

/* The gap along a fixed axis at time t. */
static double gap_on_axis(const pieces_pair *p, carom_vec3 n, double t)
{
    snap a = place_at(p->sim, p->i, t), b = place_at(p->sim, p->j, t);
    placed pa = place_piece(p->sim, p->a, &a), pb;
    if (p->points)
        pa.points = p->points;
    double low = carom_vec3_dot(n, carom_vec3_sub(support(&pa, carom_vec3_scale(-1, n)), b.x));
    if (p->b->kind == CORE_HALF_SPACE)
        return low - p->b->size[0];
    pb = place_piece(p->sim, p->b, &b);
    return low - reach_along(&pb, b.x, n);
}

/* The speed at which rounding of the velocities of the two is told from an approach. */
static double leave_speed(const pieces_pair *p, const meeting *m)
{
    double turn = carom_vec3_length(m->wa) + carom_vec3_length(m->wb);
    /* slower approaches are rounding of a contact that opens */
    return SAME * (carom_vec3_length(m->w) + p->a->reach * turn + m->carried);
}

/* The rate of the gap along the axis, held as it is. */
static double gap_slope(const meeting *m)
{
    carom_vec3 none = {0, 0, 0};
    bound l = bound_make(m, none, m->gap);
    return slope_at(&l, 0);
}

static bool both_move(const pieces_pair *p)
{
    return mover_of(p->sim, p->i)->is_movable && mover_of(p->sim, p->j)->is_movable;
}

/* Does the axis turn as the touching point moves: from the middle of a ball or a side, with a face of A, or across two
 * edges? */
static bool axis_turns(const pieces_pair *p, const meeting *m)
{
    if (m->plane)
        return false;
    if (p->a->kind == CORE_POINT || both_move(p))
        return true;
    int own = feature_of(&m->a, carom_vec3_scale(-1, m->n), VISIBLE).edges,
        other = feature_of(&m->b, m->n, VISIBLE).edges;
    bool side = own == 1 && (p->a->kind == CORE_CYLINDER || p->a->kind == CORE_SEGMENT);
    return side || own > other || (own == 1 && other == 1);
}

/* An axis that turns with a body sees its face leave a corner of the other, and one that turns with edges their
 * crossing, where a fixed one sees the end of the face or of an edge come down. */
static bool approaches(const pieces_pair *p, const meeting *m)
{
    bool own = axis_turns(p, m) && m->is_exact;
    carom_vec3 turns[3] = {carom_vec3_cross(m->wa, m->n), carom_vec3_cross(m->wb, m->n)};
    double rate = gap_slope(m);
    if (own)
        turns[2] = axis_rate(m);
    for (int k = both_move(p) ? 0 : 2; k < (own ? 3 : 2); k++) {
        bound l = bound_make(m, turns[k], m->gap);
        rate = max(rate, slope_at(&l, 0));
    }
    return rate < -leave_speed(p, m);
}

/* The second derivative of the gap, and the size of the accelerations that it comes from. The axis is fixed, but for a
 * ball or a side: it may roll over an edge, where the turning of the axis counts as much as its weight. */
static double gap_accel(const pieces_pair *p, const meeting *m, double t, double *strength)
{
    double turn = carom_vec3_length(m->wa) + carom_vec3_length(m->wb), reach = p->a->reach, g[3];
    *strength = carom_vec3_length(m->g) + accel_bound(p->sim, p->i) + turn * turn * reach;
    if (driven_of(p->sim, p->j))
        *strength += accel_bound(p->sim, p->j);
    if (!(*strength > 0))
        return 0;
    double h = SMALL_SHARE * sqrt(reach / *strength);
    bool turns = axis_turns(p, m);
    for (int k = 0; k < 3; k++)
        g[k] = turns ? meet(p, t + k * h, m->n, 0).gap : gap_on_axis(p, m->n, t + k * h);
    return ((g[2] - 2 * g[1]) + g[0]) / (h * h);
}

/* How long a hop takes that is too low to be seen in the places: twice the velocity over the acceleration, where the
 * same point lands again; zero when the hop is not of this kind. */
static double tiny_hop(const pieces_pair *p, const meeting *m, double t)
{
    carom_vec3 none = {0, 0, 0};
    bound l = bound_make(m, none, m->gap);
    double u = slope_at(&l, 0), strength, reach = p->a->reach,
           turn = carom_vec3_length(m->wa) + carom_vec3_length(m->wb);
    /* lower hops without rotation need no look at the places: 2 u / a is good to ten digits */
    if (!(u > 0) || u * u > 10 * SAME * reach * max(carom_vec3_length(m->g), accel_bound(p->sim, p->i)))
        return 0;
    double a = gap_accel(p, m, t, &strength), s = -2 * u / a;
    /* with rotation it is good to rounding of the places */
    if (!(a < -PRESSED * strength) || u * s > (turn * s > EPS ? ROUND_PLACE : 10 * SAME) * reach)
        return 0;
    carom_vec3 there = arm_along(&m->a, m->xa, carom_vec3_scale(-1, on_line(l.to_a, s)));
    /* the touching point stays where it is on the body */
    return vec_distance(there, l.arm_a) <= SMALL_SHARE * reach ? s : 0;
}

/* A contact that has just opened: it neither approaches nor is it accelerated towards contact, but its gap grows too
 * slowly for a bound to see it. */
static bool is_leaving(const pieces_pair *p, const meeting *m, double t)
{
    double strength;
    return !approaches(p, m) && gap_accel(p, m, t, &strength) >= -PRESSED * strength;
}

/* A hop this short may be rounding of a contact that opens. */
static double brief_hop(const pieces_pair *p, const meeting *m)
{
    double pull = carom_vec3_length(m->g) + accel_bound(p->sim, p->i);
    return pull > 0 ? VISIBLE * sqrt(p->a->reach / pull) : 0;
}

/* The ball around A against the plane of B along the axis, where B does not turn: how long they are apart for certain.
 */
static double ball_step(const pieces_pair *p, const meeting *m)
{
    bool turns = m->wb.x != 0 || m->wb.y != 0 || m->wb.z != 0;
    if (m->plane || turns || accel_bound(p->sim, p->i) > 0 || accel_bound(p->sim, p->j) > 0)
        return 0;
    double c = carom_vec3_dot(m->n, m->d) - p->a->reach - p->b->margin - reach_along(&m->b, m->xb, m->n);
    return c > 0 ? fall_quadratic(c, carom_vec3_dot(m->n, m->w), carom_vec3_dot(m->n, m->g)) : 0;
}

double pieces_time(const pieces_pair *p, search *range)
{
    double t = range->from, bias = 0, first_gap = 0, gap = 0;
    carom_vec3 none = {0, 0, 0}, guess = range->guess, turn = none;
    for (int step = 0; step < SEARCH_STEPS; step++) {
        double jump = balls_touch(p, t);
        if (jump > range->end || jump == INFINITY)
            return INFINITY;
        t = max(t, jump);
        meeting m = meet(p, t, guess, GAP_SHARE);
        gap = m.gap;
        range->axis = m.n;
        first_gap = step == 0 ? min(m.gap, 0) : first_gap;
        if (m.gap < first_gap - CARRIED_PLACE * p->a->reach) /* bodies that overlapped at the start come closer */
            return t;
        if (step == 0 && range->skip && m.gap <= (p->has_feet ? TOUCH_TOL : CARRIED_PLACE) * p->a->reach)
            bias = m.gap > TOUCH_TOL * p->a->reach && approaches(p, &m) ? 0 : m.gap;
        double hop = step == 0 && range->skip && bias == m.gap ? tiny_hop(p, &m, t) : 0;
        if (hop > 0)
            return t + hop < range->end ? t + hop : INFINITY;
        bool far = !(step == 0 && range->skip) && m.gap - bias > ROUND_PLACE * p->a->reach;
        carom_vec3 drift = m.is_exact ? axis_rate(&m) : none, carried = drift;
        double h = far ? follow_axis(p, &m, t, range->end - t, &carried) : 0;
        far = h > 0;
        h = far ? h : longest_step(&m, drift, bias, range->end - t, &turn);
        if (step == 0 && range->skip && h <= max(2 * EPS * t, brief_hop(p, &m)) && is_leaving(p, &m, t)) {
            /* a contact that opens may seem closed */
            bias = m.gap - ROUND_PLACE * (m.plane ? p->a->reach : max(p->a->reach, p->b->reach));
            h = longest_step(&m, drift, bias, range->end - t, &turn);
        }
        if (step == 0)
            range->touching |=
                m.gap <= TOUCH_TOL * p->a->reach && (h <= 2 * EPS * t || gap_slope(&m) <= leave_speed(p, &m));
        if (t + h >= range->end) /* the motion ends before anything can touch */
            return INFINITY;
        if (h <= 2 * EPS * t)
            return t;
        h = min(max(h, ball_step(p, &m)), range->end - t);
        guess = far ? carried : vec_plus(m.n, h, turn);
        t += h;
    }
    if (!driven_of(p->sim, p->j) && gap <= CARRIED_PLACE * p->a->reach)
        return t;
    range->left = min(range->left, t);
    return INFINITY;
}

double impact_time(const carom_sim *sim, int i, int j, search *range)
{
    double bound_i = turn_bound(sim, i), bound_j = is_plane(sim, j) ? 0 : turn_bound(sim, j), first = INFINITY;
    carom_vec3 none = {0, 0, 0};
    search part = *range;
    for (int a = 0; a < frame_of(sim, i)->piece_count; a++)
        for (int b = 0; b < frame_of(sim, j)->piece_count; b++) {
            rest_of_piece room;
            pieces_pair p = pieces_pair_of(sim, i, j, a, b);
            p.bound_a = bound_i, p.bound_b = bound_j;
            bool stands = mover_of(sim, i)->closed && has_feet(sim, (pair_of_bodies){i, j}, a);
            part.guess = stands ? none : range->guess;
            bool is_left = !stands || without_feet(sim, (pair_of_bodies){i, j}, a, &room);
            if (!is_left) /* nor does an edge come out of the plane of the feet */
                continue;
            if (stands && !is_plane(sim, j))
                first = min(first, edges_time(&p, &part));
            if (stands) /* what is left of the piece without its feet on body j */
                p.a = &room.piece, p.points = room.points, p.has_feet = true;
            double time = pieces_time(&p, &part);
            if (time < first)
                first = time, range->axis = part.axis;
            part.end = min(part.end, first);
        }
    range->touching = part.touching;
    range->left = part.left;
    return first;
}
