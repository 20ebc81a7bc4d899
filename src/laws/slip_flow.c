/* The slip flow by Taylor series. With dp = r dtau the field has no denominator left:
 *
 *     u_t' = b r - mu M u_t     r^2 = u_t.u_t     u_n' = k r - mu b.u_t     p' = r     p_t' = -mu u_t      (1)
 *
 * and one recurrence gives all coefficients. The radius of convergence has a lower bound that does not depend on the
 * state, (pi/4)/(mu|D| + |b|), so steps never collapse. The first few coefficients say where the next stop is to be
 * expected; the series is carried as far as that needs. Works are integrals of products of the series, by quadrature.
 */
#include "core/lanes.h"
#include "core/roots.h"
#include "core/series.h"
#include "laws/family_incremental.h"

#define REACH_SHARE (EPS / 8) /* the last two terms, at the end of the reach, against r */
#define DECAY_MOST  2.5       /* tau |u_t'|/r: a longer series of a decaying slip would cancel digits */
#define SWING_SMALL 1.2       /* tau |u_t'|/r up to which eight points integrate products of long series */
#define OVERSHOOT   1.1       /* of the expected stop: how far the series is carried */
#define GUESS_TOL   1e-3      /* relative: a guess from four terms need not be better */

enum { PARTS = 5 };       /* most stretches of monotone u_n in one step, and one */
enum { GUESS_ORDER = 4 }; /* terms that foretell the stop */
enum { GUESS_STEPS = 8 };

static const double inverse[] = {0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                                 1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
                                 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
                                 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28};

/* ---- expansion ---- */

/* A term as a linear map of (u1, u2, r) of the one before, by columns. The row of r is c times those of u_t, which is
 * what the constraint leaves linear, and the products with the first term, which are linear in the last: they grow with
 * the index, by `more`. */
typedef struct flow_map {
    quad of_u1, of_u2, of_r;
    quad more_u1, more_u2, more_r;
    tvec c;
    double inv_r;
} flow_map;

static flow_map map_at(const slip_field *F, tvec u_t, double r)
{
    double inv_r = 1 / r, c1 = u_t.t1 * inv_r, c2 = u_t.t2 * inv_r;
    flow_map m = {.of_u1 = QUAD(-F->w11, -F->w12, -(c1 * F->w11 + c2 * F->w12), -F->v1),
                  .of_u2 = QUAD(-F->w12, -F->w22, -(c1 * F->w12 + c2 * F->w22), -F->v2),
                  .of_r = QUAD(F->b1, F->b2, c1 * F->b1 + c2 * F->b2, F->k),
                  .c = {c1, c2},
                  .inv_r = inv_r};
    return m;
}

static inline void grow(flow_map *m)
{
    m->of_u1 = quad_plus(m->of_u1, m->more_u1);
    m->of_u2 = quad_plus(m->of_u2, m->more_u2);
    m->of_r = quad_plus(m->of_r, m->more_r);
}

/* What is not linear: half the coefficient m of u_t.u_t - r^2 from the terms from `first` to m - first. By symmetry
 * half the products; two sums, so that one does not wait for the other, and the newest terms last. */
static inline double bend(const quad *a, int m, int first)
{
    const quad *x = a + m / 2, *y = a + (m - m / 2), *newest = a + first;
    quad even = quad_of(0), odd = quad_of(0);
    if (x == y && x >= newest) {
        odd = quad_times(quad_times(*x, quad_of(0.5)), *x);
        x--;
        y++;
    }
#pragma GCC unroll 8
    for (; x > newest; x -= 2, y += 2) {
        even = quad_step(x[0], y[0], even);
        odd = quad_step(x[-1], y[1], odd);
    }
    if (x == newest)
        even = quad_step(*x, *y, even);
    even = quad_plus(even, odd);
    return (quad_at(&even, FLOW_U1) + quad_at(&even, FLOW_U2)) - quad_at(&even, FLOW_R);
}

static inline void next_term(quad *a, int n, const flow_map *m)
{
    quad share = quad_of(inverse[n + 1]), rest = QUAD(0, 0, bend(a, n + 1, 2) * m->inv_r, 0);
    quad u1 = quad_times(quad_times(share, m->of_u1), quad_of(quad_at(&a[n], FLOW_U1)));
    quad u2 = quad_step(quad_times(share, m->of_u2), quad_of(quad_at(&a[n], FLOW_U2)), rest);
    quad r = quad_step(quad_times(share, m->of_r), quad_of(quad_at(&a[n], FLOW_R)), u1);
    a[n + 1] = quad_plus(r, u2);
}

/* The terms up to GUESS_ORDER. Here r follows from u_t as rounded: where slip hardly changes, r' is a small difference,
 * and in the largest terms that of u_t must be the same. */
static void first_terms(quad *a, flow_map *m)
{
#pragma GCC unroll 4
    for (int n = 0; n < GUESS_ORDER; n++) {
        next_term(a, n, m);
        double r = m->c.t1 * quad_at(&a[n + 1], FLOW_U1) + m->c.t2 * quad_at(&a[n + 1], FLOW_U2);
        r += bend(a, n + 1, 1) * m->inv_r;
        a[n + 1] = QUAD(quad_at(&a[n + 1], FLOW_U1), quad_at(&a[n + 1], FLOW_U2), r, quad_at(&a[n + 1], FLOW_U_N));
    }
    m->more_u1 = QUAD(0, 0, m->inv_r * quad_at(&a[1], FLOW_U1), 0);
    m->more_u2 = QUAD(0, 0, m->inv_r * quad_at(&a[1], FLOW_U2), 0);
    m->more_r = QUAD(0, 0, -m->inv_r * quad_at(&a[1], FLOW_R), 0);
    for (int n = 0; n < GUESS_ORDER; n++)
        grow(m);
}

static double size_of(const quad *a)
{
    return fabs(quad_at(a, FLOW_R)) + fabs(quad_at(a, FLOW_U1)) + fabs(quad_at(a, FLOW_U2));
}

/* log2 x from below, to 0.09. */
static double rough_log2(double x)
{
    int exponent;
    double part = frexp(x, &exponent);
    return exponent - 2 * (1 - part);
}

/* The tau up to which the last two terms of the series stay below their share of r. */
static double reach_of(const slip_flow *s)
{
    double limit = REACH_SHARE * quad_at(&s->a[0], FLOW_R);
    double last = rough_log2(limit / size_of(&s->a[FLOW_ORDER])) * inverse[FLOW_ORDER];
    double before = rough_log2(limit / size_of(&s->a[FLOW_ORDER - 1])) * inverse[FLOW_ORDER - 1];
    return exp2(last < before ? last : before);
}

/* The tau at which sum a_i tau^i, rising, reaches goal, from its first few terms; infinite when they do not say. */
static double foretold(const double a[GUESS_ORDER + 1], double goal, double x)
{
    for (int i = 0; i < GUESS_STEPS; i++) {
        double v = a[GUESS_ORDER], slope = 0;
        for (int k = GUESS_ORDER - 1; k >= 0; k--) {
            slope = slope * x + v;
            v = v * x + a[k];
        }
        double step = (v - goal) / slope;
        if (!(slope > 0) || !(x - step > 0))
            return INFINITY;
        x -= step;
        if (fabs(step) < GUESS_TOL * x)
            return x;
    }
    return INFINITY;
}

/* Where the next stop is to be expected. */
static double guess(const slip_walk *w, const slip_flow *s)
{
    double r[GUESS_ORDER + 1], z[GUESS_ORDER + 1];
    for (int n = 0; n <= GUESS_ORDER; n++) {
        r[n] = quad_at(&s->a[n], FLOW_R);
        z[n] = quad_at(&s->a[n], FLOW_U_N);
    }
    if (w->compressing)
        return z[1] > 0 ? foretold(z, 0, -z[0] / z[1]) : INFINITY;
    if (w->ending->by == BY_VELOCITY)
        return z[1] > 0 ? foretold(z, w->need, (w->need - z[0]) / z[1]) : INFINITY;
    if (w->ending->by == BY_IMPULSE) {
        double p[] = {0, r[0], r[1] / 2, r[2] / 3, r[3] / 4};
        return foretold(p, w->need, w->need / r[0]);
    }
    double first = r[0] * z[0], second = 0.5 * (r[0] * z[1] + r[1] * z[0]);
    double W[] = {0, first, second, (r[0] * z[2] + r[1] * z[1] + r[2] * z[0]) / 3,
                  (r[0] * z[3] + r[1] * z[2] + r[2] * z[1] + r[3] * z[0]) / 4};
    double root = square(first) + 4 * second * w->need;
    return root > 0 ? foretold(W, w->need, 2 * w->need / (first + sqrt(root))) : INFINITY;
}

/* Terms, four at a time, until the last two are below their share at want; the order, or one more than there is room
 * for. */
static int expand_to(slip_flow *s, flow_map map, double want)
{
    double fourth = square(square(want)), power = fourth * square(want) * want,
           limit = REACH_SHARE * quad_at(&s->a[0], FLOW_R);
#pragma GCC unroll 8
    for (int n = GUESS_ORDER; n < FLOW_ORDER; n += 4) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            grow(&map);
            next_term(s->a, n + i, &map);
        }
        if ((size_of(&s->a[n + 3]) + size_of(&s->a[n + 4]) * want) * power <= limit)
            return n + 4;
        power *= fourth;
    }
    return FLOW_ORDER + 1;
}

static void expand(const slip_walk *w, slip_flow *s)
{
    s->F = &w->field;
    double r = tvec_length(w->u_t);
    s->a[0] = QUAD(w->u_t.t1, w->u_t.t2, r, w->u_n);
    flow_map map = map_at(s->F, w->u_t, r);
    first_terms(s->a, &map);
    s->swing = (fabs(quad_at(&s->a[1], FLOW_U1)) + fabs(quad_at(&s->a[1], FLOW_U2))) * map.inv_r;
    s->guess = guess(w, s);
    s->end = OVERSHOOT * s->guess;
    s->order = expand_to(s, map, s->end);
    if (s->order > FLOW_ORDER) {
        s->order = FLOW_ORDER;
        s->end = fmin(fmin(s->end, DECAY_MOST / s->swing), reach_of(s));
    }
}

/* ---- evaluation ---- */

/* The stride from 0 to tau: the series and their integrals at its end, the works by quadrature. All in one pass, which
 * takes no longer than its longest part; inlined with a rule known to the compiler, which keeps the points in
 * registers.
 */
static inline void stride_by(const slip_flow *s, double tau, const gauss_rule *g, slip_stride *to)
{
    enum { MOST = GAUSS_MOST / 4 };
    const int count = g->count / 4;
    quad t = quad_of(tau), here = s->a[s->order], whole = quad_of(0), W = quad_of(0), S = quad_of(0);
    quad r[MOST], z[MOST], x[MOST];
    for (int i = 0; i < count; i++) {
        const double *at = g->x + 4 * i;
        x[i] = quad_times(t, QUAD(at[0], at[1], at[2], at[3]));
        r[i] = quad_of(quad_at(&here, FLOW_R));
        z[i] = quad_of(quad_at(&here, FLOW_U_N));
    }
    for (int n = s->order - 1; n >= 0; n--) {
        quad r_n = quad_of(quad_at(&s->a[n], FLOW_R)), z_n = quad_of(quad_at(&s->a[n], FLOW_U_N));
        here = quad_step(here, t, s->a[n]);
        whole = quad_step(whole, t, quad_times(s->a[n], quad_of(inverse[n + 1])));
        for (int i = 0; i < count; i++) {
            r[i] = quad_step(r[i], x[i], r_n);
            z[i] = quad_step(z[i], x[i], z_n);
        }
    }
    for (int i = 0; i < count; i++) {
        const double *at = g->w + 4 * i;
        quad weighted = quad_times(QUAD(at[0], at[1], at[2], at[3]), r[i]);
        W = quad_step(weighted, z[i], W);
        S = quad_step(weighted, r[i], S);
    }
    double push = -s->F->mu * tau;
    to->p_n = tau * quad_at(&whole, FLOW_R);
    to->p_t = (tvec){push * quad_at(&whole, FLOW_U1), push * quad_at(&whole, FLOW_U2)};
    to->u_t = (tvec){quad_at(&here, FLOW_U1), quad_at(&here, FLOW_U2)};
    to->u_n = quad_at(&here, FLOW_U_N);
    to->work = tau * quad_sum(W);
    to->friction = push * quad_sum(S);
}

/* Eight points integrate the products, whose terms grow at twice the rate of the series', and twelve where slip changes
 * much. */
static void evaluate(const slip_flow *s, double tau, slip_stride *to)
{
    if (tau * s->swing <= SWING_SMALL)
        stride_by(s, tau, &gauss_8, to);
    else
        stride_by(s, tau, &gauss_12, to);
}

static void point(const void *piece, double t, slip_stride *x)
{
    const slip_flow *s = piece;
    evaluate(s, t * s->end, x);
}

/* ---- stops inside a step ---- */

/* What is followed to a root: b x u_t, whose zeros separate the extrema of h; u_n'; u_n; p; W. */
typedef enum target { TO_TURN, TO_SLOPE, TO_U_N, TO_P, TO_WORK } target;

/* Value, slope and half the curvature. */
typedef struct jet {
    double v, d, e;
} jet;

static jet value_of(const slip_flow *s, target what, double tau)
{
    const slip_field *F = s->F;
    quad t = quad_of(tau), v = s->a[s->order], d = quad_of(0), e = quad_of(0), row = QUAD(0, 0, 0, 1);
    for (int n = s->order - 1; n >= 0; n--) {
        e = quad_step(e, t, d);
        d = quad_step(d, t, v);
        v = quad_step(v, t, s->a[n]);
    }
    if (what == TO_P || what == TO_WORK) {
        slip_stride x;
        evaluate(s, tau, &x);
        double r = quad_at(&v, FLOW_R), dr = quad_at(&d, FLOW_R), z = quad_at(&v, FLOW_U_N), dz = quad_at(&d, FLOW_U_N);
        return what == TO_P ? (jet){x.p_n, r, 0.5 * dr} : (jet){x.work, r * z, 0.5 * (r * dz + dr * z)};
    }
    if (what == TO_TURN)
        row = QUAD(-F->b2, F->b1, 0, 0);
    if (what == TO_SLOPE)
        row = QUAD(-F->v1, -F->v2, F->k, 0);
    return (jet){quad_sum(quad_times(v, row)), quad_sum(quad_times(d, row)), quad_sum(quad_times(e, row))};
}

/* A search for value = goal between a and b: before a the value times sign is below the goal's, and it rises. */
typedef struct search {
    target what;
    double goal, sign;
    double a, b, guess;
} search;

/* The root, by Halley's method kept inside by bisection; infinite when the value does not reach the goal before b. A
 * step follows the last as its cube: when the next would be lost in rounding, this one was the last. */
static double root_of(const slip_flow *s, search q)
{
    double x = q.guess > q.a && q.guess < q.b ? q.guess : q.b, last = 0;
    bool crossed = false;
    for (int i = 0; i < SLIP_ROOT; i++) {
        jet j = value_of(s, q.what, x);
        double v = q.sign * (j.v - q.goal), newton = (j.v - q.goal) / j.d;
        if (v == 0)
            return x;
        if (v < 0 && x == q.b)
            return INFINITY;
        if (v > 0) {
            q.b = x;
            crossed = true;
        } else {
            q.a = x;
        }
        double next = x - newton / (1 - newton * (j.e / j.d)), step = fabs(next - x);
        bool inside = next > q.a && next < q.b, settles = halley_settles(step, last, q.b);
        if (!inside)
            next = crossed ? 0.5 * (q.a + q.b) : q.b;
        if ((crossed && fabs(next - x) <= EPS * q.b) || (inside && settles))
            return next;
        last = inside ? step : 0;
        x = next;
    }
    return x;
}

/* Marks between which u_n is monotone: zeros of u_n', isolated by those of b x u_t. */
static int monotone_parts(const slip_flow *s, double *mark)
{
    double ends[3] = {0, s->end, s->end};
    int pieces = 1, count = 1;
    mark[0] = 0;
    if (s->F->dips) {
        double from = value_of(s, TO_TURN, 0).v, to = value_of(s, TO_TURN, s->end).v;
        if (from * to < 0) {
            ends[1] = root_of(s, (search){TO_TURN, 0, from < 0 ? 1 : -1, 0, s->end, 0});
            pieces = 2;
        }
        for (int i = 0; i < pieces; i++) {
            from = value_of(s, TO_SLOPE, ends[i]).v;
            to = value_of(s, TO_SLOPE, ends[i + 1]).v;
            if (from * to < 0)
                mark[count++] = root_of(s, (search){TO_SLOPE, 0, from < 0 ? 1 : -1, ends[i], ends[i + 1], 0});
        }
    }
    mark[count] = s->end;
    return count;
}

/* The stop in [a, b], on which u_n is monotone; tau says where. */
static slip_stop stop_between(const slip_walk *w, const slip_flow *s, double a, double b, double *tau)
{
    static const target measure[] = {TO_U_N, TO_P, TO_WORK};
    slip_stop stop = STOP_PIECE;
    double root;
    *tau = b;
    if (w->compressing) {
        root = root_of(s, (search){TO_U_N, 0, 1, a, b, s->guess});
        if (root <= b) {
            *tau = root;
            stop = STOP_UP;
        }
        return stop;
    }
    if (s->F->dips) {
        root = root_of(s, (search){TO_U_N, 0, -1, a, b, 0});
        if (root <= b && root > 0) {
            *tau = root;
            stop = STOP_DOWN;
        }
    }
    root = root_of(s, (search){measure[w->ending->by], w->need, 1, a, *tau, s->guess});
    if (root <= *tau) {
        *tau = root;
        stop = STOP_DONE;
    }
    return stop;
}

/* No stop up to the end of the reach, where the stride is evaluated: the common case, told without a search. */
static bool passes(const slip_walk *w, const slip_flow *s, slip_stride *stride)
{
    if (s->F->dips || s->guess < s->end)
        return false;
    evaluate(s, s->end, stride);
    if (w->compressing)
        return stride->u_n <= 0;
    const double measure[] = {stride->u_n, stride->p_n, stride->work};
    return measure[w->ending->by] < w->need;
}

static void stride_to(const slip_walk *w, slip_flow *s, slip_stride *stride)
{
    stride->stop = STOP_PIECE;
    if (passes(w, s, stride))
        return;
    double mark[PARTS], tau = s->end;
    int parts = monotone_parts(s, mark);
    for (int i = 0; i < parts && stride->stop == STOP_PIECE; i++)
        stride->stop = stop_between(w, s, mark[i], mark[i + 1], &tau);
    s->end = tau;
    evaluate(s, tau, stride);
    if (stride->stop == STOP_UP || stride->stop == STOP_DOWN)
        stride->u_n = 0;
}

const slip_flow_steps LANES_VARIANT(slip_flow_steps) = {expand, stride_to, point};

#ifdef LANES_BASELINE
const slip_flow_steps *slip_flow_at(carom_isa isa)
{
    static const slip_flow_steps *const steps[CAROM_ISA_COUNT] = {
        [CAROM_ISA_BASELINE] = &slip_flow_steps_baseline, LANES_AVX2(&slip_flow_steps) LANES_AVX512(&slip_flow_steps)};
    return steps[isa];
}
#endif
