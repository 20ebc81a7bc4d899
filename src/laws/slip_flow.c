/* The slip flow by Taylor series. With dp = r dtau the field has no denominator left:
 *
 *     u_t' = b r - mu M u_t     r^2 = u_t.u_t     u_n' = k r - mu b.u_t     p' = r     p_t' = -mu u_t      (1)
 *
 * and one recurrence gives all coefficients. The radius of convergence has a lower bound that does not depend on the
 * state, (pi/4)/(mu|D| + |b|), so steps never collapse. The first few coefficients say where the next stop is to be
 * expected; the series is carried as far as that needs. Works are integrals of products of the series, by quadrature.
 */
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
enum { FEW_ORDER = 14 }; /* series up to this order are integrated with fewer points */

static const double inverse[] = {0,        1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                                 1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
                                 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
                                 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28};

/* ---- expansion ---- */

/* A term as a linear map of (u1, u2, r) of the one before, by columns. The row of r is c times those of u_t, which is
 * what the constraint leaves linear, and the products with the first term, which are linear in the last: they grow with
 * the index, by `more`. */
typedef struct flow_map {
    flow_terms of_u1, of_u2, of_r;
    pair more_u1, more_u2, more_r;
    double inv_r;
} flow_map;

static flow_map map_at(const slip_field *F, tvec u_t, double r)
{
    double inv_r = 1 / r, c1 = u_t.t1 * inv_r, c2 = u_t.t2 * inv_r;
    flow_map m = {.of_u1 = {{-F->w11, -F->w12}, {-(c1 * F->w11 + c2 * F->w12), -F->v1}},
                  .of_u2 = {{-F->w12, -F->w22}, {-(c1 * F->w12 + c2 * F->w22), -F->v2}},
                  .of_r = {{F->b1, F->b2}, {c1 * F->b1 + c2 * F->b2, F->k}},
                  .inv_r = inv_r};
    return m;
}

static inline void grow(flow_map *m, double times)
{
    m->of_u1.s += times * m->more_u1;
    m->of_u2.s += times * m->more_u2;
    m->of_r.s += times * m->more_r;
}

/* What is not linear: half the coefficient m of u_t.u_t - r^2 from the terms between 1 and m - 1. By symmetry half the
 * products; two sums at a time, so that one does not wait for the other. */
static inline double bend(const flow_terms *a, int m)
{
    const flow_terms *x = a + 2, *y = a + m - 2;
    pair u = {0}, v = {0}, r = {0}, q = {0};
    for (; x + 1 < y - 1; x += 2, y -= 2) {
        u += x[0].u * y[0].u;
        r += x[0].s * y[0].s;
        v += x[1].u * y[-1].u;
        q += x[1].s * y[-1].s;
    }
    if (x < y) {
        u += x->u * y->u;
        r += x->s * y->s;
        x++;
        y--;
    }
    if (x == y) {
        v += 0.5 * x->u * x->u;
        q += 0.5 * x->s * x->s;
    }
    u += v;
    return (u[0] + u[1]) - (r[0] + q[0]);
}

static inline void next_term(flow_terms *a, int n, const flow_map *m)
{
    double share = inverse[n + 1];
    pair u = share * a[n].u, u1 = pair_of(u[0]), u2 = pair_of(u[1]), r = pair_of(share * a[n].s[0]);
    pair rest = {bend(a, n + 1) * m->inv_r, 0};
    a[n + 1].u = (m->of_r.u * r + m->of_u1.u * u1) + m->of_u2.u * u2;
    a[n + 1].s = (m->of_r.s * r + m->of_u1.s * u1) + (m->of_u2.s * u2 + rest);
}

/* The terms from the first to GUESS_ORDER. */
static void first_terms(flow_terms *a, flow_map *m)
{
    next_term(a, 0, m);
    m->more_u1 = (pair){m->inv_r * a[1].u[0], 0};
    m->more_u2 = (pair){m->inv_r * a[1].u[1], 0};
    m->more_r = (pair){-m->inv_r * a[1].s[0], 0};
    grow(m, 1); /* 2/2: in the second term it is one product, half of it */
    next_term(a, 1, m);
    grow(m, 2);
    for (int n = 2; n < GUESS_ORDER; n++) {
        next_term(a, n, m);
        grow(m, 1);
    }
}

static double size_of(const slip_flow *s, int n)
{
    return fabs(s->a[n].s[0]) + fabs(s->a[n].u[0]) + fabs(s->a[n].u[1]);
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
    double limit = REACH_SHARE * s->a[0].s[0];
    double last = rough_log2(limit / size_of(s, FLOW_ORDER)) * inverse[FLOW_ORDER];
    double before = rough_log2(limit / size_of(s, FLOW_ORDER - 1)) * inverse[FLOW_ORDER - 1];
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
        r[n] = s->a[n].s[0];
        z[n] = s->a[n].s[1];
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
    double fourth = square(square(want)), power = fourth * square(want) * want, limit = REACH_SHARE * s->a[0].s[0];
    for (int n = GUESS_ORDER; n < FLOW_ORDER; n += 4) {
        for (int i = 0; i < 4; i++) {
            next_term(s->a, n + i, &map);
            grow(&map, 1);
        }
        if ((size_of(s, n + 3) + size_of(s, n + 4) * want) * power <= limit)
            return n + 4;
        power *= fourth;
    }
    return FLOW_ORDER + 1;
}

void slip_flow_expand(const slip_walk *w, slip_flow *s)
{
    s->F = &w->field;
    double r = tvec_length(w->u_t);
    s->a[0] = (flow_terms){{w->u_t.t1, w->u_t.t2}, {r, w->u_n}};
    flow_map map = map_at(s->F, w->u_t, r);
    first_terms(s->a, &map);
    s->swing = (fabs(s->a[1].u[0]) + fabs(s->a[1].u[1])) * map.inv_r;
    s->guess = guess(w, s);
    s->end = OVERSHOOT * s->guess;
    s->order = expand_to(s, map, s->end);
    if (s->order > FLOW_ORDER) {
        s->order = FLOW_ORDER;
        s->end = fmin(fmin(s->end, DECAY_MOST / s->swing), reach_of(s));
    }
    s->a[s->order + 1] = (flow_terms){0};
}

/* ---- evaluation ---- */

/* Normal work and the integral of r^2 from 0 to tau. Within their reach short series are so smooth that six points do;
 * the longest, whose products grow at twice their own rate, take eight, and ten where slip changes much. */
static double works(const slip_flow *s, double tau, double *slip)
{
    poly_pair f = {&s->a[0].s, sizeof *s->a / sizeof s->a->s, s->order};
    double work;
    if (s->order <= FEW_ORDER)
        gauss_products(&f, tau, &gauss_6, &work, slip);
    else if (tau * s->swing <= SWING_SMALL)
        gauss_products(&f, tau, &gauss_8, &work, slip);
    else
        gauss_products(&f, tau, &gauss_10, &work, slip);
    return work;
}

/* Everything but the works. */
static void move(const slip_flow *s, double tau, slip_stride *x)
{
    pair t = pair_of(tau), u = s->a[s->order].u, q = s->a[s->order].s, P = {0}, p = {0};
    for (int n = s->order - 1; n >= 0; n--) {
        pair share = pair_of(inverse[n + 1]);
        u = u * t + s->a[n].u;
        q = q * t + s->a[n].s;
        P = P * t + s->a[n].u * share;
        p = p * t + s->a[n].s * share;
    }
    double push = -s->F->mu * tau;
    x->p_n = tau * p[0];
    x->p_t.t1 = push * P[0];
    x->p_t.t2 = push * P[1];
    x->u_t.t1 = u[0];
    x->u_t.t2 = u[1];
    x->u_n = q[1];
}

static void work(const slip_flow *s, double tau, slip_stride *x)
{
    double slip;
    x->work = works(s, tau, &slip);
    x->friction = -s->F->mu * slip;
}

void slip_flow_point(const void *piece, double t, slip_stride *x)
{
    const slip_flow *s = piece;
    move(s, t * s->end, x);
    work(s, t * s->end, x);
}

/* ---- stops inside a step ---- */

/* What is followed to a root: b x u_t, whose zeros separate the extrema of h; u_n'; u_n; p; W. */
typedef enum target { TO_TURN, TO_SLOPE, TO_U_N, TO_P, TO_WORK } target;

/* Value, slope and half the curvature. */
typedef struct jet {
    double v, d, e;
} jet;

/* Those of two series together. */
typedef struct jets {
    pair v, d, e;
} jets;

static jets jets_of(const pair *a, int order, double x)
{
    const int stride = sizeof(flow_terms) / sizeof(pair);
    pair t = pair_of(x);
    jets j = {a[order * stride], {0}, {0}};
    for (int n = order - 1; n >= 0; n--) {
        j.e = j.e * t + j.d;
        j.d = j.d * t + j.v;
        j.v = j.v * t + a[n * stride];
    }
    return j;
}

static jet value_of(const slip_flow *s, target what, double tau)
{
    const slip_field *F = s->F;
    double slip;
    jets q = jets_of(&s->a[0].s, s->order, tau);
    if (what == TO_U_N)
        return (jet){q.v[1], q.d[1], q.e[1]};
    if (what == TO_P) {
        slip_stride x;
        move(s, tau, &x);
        return (jet){x.p_n, q.v[0], 0.5 * q.d[0]};
    }
    if (what == TO_WORK)
        return (jet){works(s, tau, &slip), q.v[0] * q.v[1], 0.5 * (q.v[0] * q.d[1] + q.d[0] * q.v[1])};
    jets u = jets_of(&s->a[0].u, s->order, tau);
    if (what == TO_TURN)
        return (jet){F->b1 * u.v[1] - F->b2 * u.v[0], F->b1 * u.d[1] - F->b2 * u.d[0], F->b1 * u.e[1] - F->b2 * u.e[0]};
    return (jet){F->k * q.v[0] - F->v1 * u.v[0] - F->v2 * u.v[1], F->k * q.d[0] - F->v1 * u.d[0] - F->v2 * u.d[1],
                 F->k * q.e[0] - F->v1 * u.e[0] - F->v2 * u.e[1]};
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
        bool inside = next > q.a && next < q.b, settles = square(square(step)) <= EPS * q.b * (last * last * last);
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
    move(s, s->end, stride);
    if (w->compressing ? stride->u_n > 0 : w->ending->by == BY_VELOCITY && stride->u_n >= w->need)
        return false;
    work(s, s->end, stride);
    double measure = w->ending->by == BY_IMPULSE ? stride->p_n : stride->work;
    return w->compressing || w->ending->by == BY_VELOCITY || measure < w->need;
}

void slip_flow_stride(const slip_walk *w, slip_flow *s, slip_stride *stride)
{
    stride->stop = STOP_PIECE;
    if (passes(w, s, stride))
        return;
    double mark[PARTS], tau = s->end;
    int parts = monotone_parts(s, mark);
    for (int i = 0; i < parts && stride->stop == STOP_PIECE; i++)
        stride->stop = stop_between(w, s, mark[i], mark[i + 1], &tau);
    s->end = tau;
    move(s, tau, stride);
    work(s, tau, stride);
    if (stride->stop == STOP_UP || stride->stop == STOP_DOWN)
        stride->u_n = 0;
}
