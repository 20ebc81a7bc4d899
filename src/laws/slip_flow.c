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

/* The coefficient m of r from those of u_t up to m and of r up to m - 1: r^2 = u_t.u_t, by symmetry half of it. Two
 * sums at a time, so that one does not wait for the other. */
static double radius_coefficient(const slip_flow *s, int m, double inv_r, tvec c)
{
    const double *u1 = s->u1, *u2 = s->u2, *r = s->r;
    double even = 0, odd = 0, even_r = 0, odd_r = 0;
    int i = 1, j = m - 1;
    for (; i + 1 < j - 1; i += 2, j -= 2) {
        even += u1[i] * u1[j] + u2[i] * u2[j];
        odd += u1[i + 1] * u1[j - 1] + u2[i + 1] * u2[j - 1];
        even_r += r[i] * r[j];
        odd_r += r[i + 1] * r[j - 1];
    }
    for (; i < j; i++, j--)
        even += u1[i] * u1[j] + u2[i] * u2[j] - r[i] * r[j];
    if (i == j)
        odd += 0.5 * (square(u1[i]) + square(u2[i]) - square(r[i]));
    return c.t1 * u1[m] + c.t2 * u2[m] + ((even - even_r) + (odd - odd_r)) * inv_r;
}

static double size_of(const slip_flow *s, int n)
{
    return fabs(s->r[n]) + fabs(s->u1[n]) + fabs(s->u2[n]);
}

/* The tau up to which term n of the series stays below its share of r. */
static double reach_of(const slip_flow *s, int n)
{
    double size = size_of(s, n);
    return size > 0 ? exp2(log2(REACH_SHARE * s->r[0] / size) / n) : INFINITY;
}

/* The tau at which sum a_i tau^i, rising, reaches goal, from its first few terms; infinite when they do not say. */
static double foretold(const double *a, int n, double goal, double x)
{
    for (int i = 0; i < GUESS_STEPS; i++) {
        double v = a[n], slope = 0;
        for (int k = n - 1; k >= 0; k--) {
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
    const double *r = s->r, *z = s->z;
    if (w->compressing)
        return z[1] > 0 ? foretold(z, GUESS_ORDER, 0, -z[0] / z[1]) : INFINITY;
    if (w->ending->by == BY_VELOCITY)
        return z[1] > 0 ? foretold(z, GUESS_ORDER, w->need, (w->need - z[0]) / z[1]) : INFINITY;
    if (w->ending->by == BY_IMPULSE) {
        double p[] = {0, r[0], r[1] / 2, r[2] / 3, r[3] / 4};
        return foretold(p, GUESS_ORDER, w->need, w->need / r[0]);
    }
    double first = r[0] * z[0], second = 0.5 * (r[0] * z[1] + r[1] * z[0]);
    double W[] = {0, first, second, (r[0] * z[2] + r[1] * z[1] + r[2] * z[0]) / 3,
                  (r[0] * z[3] + r[1] * z[2] + r[2] * z[1] + r[3] * z[0]) / 4};
    double root = square(first) + 4 * second * w->need;
    return root > 0 ? foretold(W, GUESS_ORDER, w->need, 2 * w->need / (first + sqrt(root))) : INFINITY;
}

static void next_term(slip_flow *s, int n, double inv_r, tvec c)
{
    const slip_field *F = s->F;
    double share = inverse[n + 1], u1 = s->u1[n], u2 = s->u2[n], r = s->r[n];
    s->p[n + 1] = share * r;
    s->u1[n + 1] = share * (F->b1 * r - F->w11 * u1 - F->w12 * u2);
    s->u2[n + 1] = share * (F->b2 * r - F->w12 * u1 - F->w22 * u2);
    s->z[n + 1] = share * (F->k * r - F->v1 * u1 - F->v2 * u2);
    s->r[n + 1] = radius_coefficient(s, n + 1, inv_r, c);
}

void slip_flow_expand(const slip_walk *w, slip_flow *s)
{
    s->F = &w->field;
    s->u1[0] = w->u_t.t1;
    s->u2[0] = w->u_t.t2;
    s->r[0] = tvec_length(w->u_t);
    s->z[0] = w->u_n;
    s->p[0] = 0;
    double inv_r = 1 / s->r[0];
    tvec c = {w->u_t.t1 * inv_r, w->u_t.t2 * inv_r};
    for (int n = 0; n < GUESS_ORDER; n++)
        next_term(s, n, inv_r, c);
    s->guess = guess(w, s);
    double want = OVERSHOOT * s->guess, power = square(square(want)), limit = REACH_SHARE * s->r[0];
    bool small = false;
    for (int n = GUESS_ORDER; n < FLOW_ORDER; n++) {
        next_term(s, n, inv_r, c);
        power *= want;
        bool next = size_of(s, n + 1) * power <= limit;
        if (next && small) {
            s->order = n + 1;
            s->end = want;
            return;
        }
        small = next;
    }
    s->order = FLOW_ORDER;
    double most = DECAY_MOST * s->r[0] / (fabs(s->u1[1]) + fabs(s->u2[1]));
    s->end = fmin(fmin(want, most), fmin(reach_of(s, FLOW_ORDER), reach_of(s, FLOW_ORDER - 1)));
}

/* ---- evaluation ---- */

/* Normal work and the integral of r^2 from 0 to tau. Within their reach short series are so smooth that six points do;
 * for the longest, whose products grow at twice their own rate, ten. */
static double works(const slip_flow *s, double tau, double *slip)
{
    double work;
    if (s->order <= FEW_ORDER)
        gauss_products(s->r, s->z, s->order, tau, gauss_few_x, gauss_few_w, GAUSS_FEW, &work, slip);
    else
        gauss_products(s->r, s->z, s->order, tau, gauss_many_x, gauss_many_w, GAUSS_MANY, &work, slip);
    return work;
}

/* Everything but the works. */
static void move(const slip_flow *s, double tau, slip_stride *x)
{
    int n = s->order;
    double u1 = s->u1[n], u2 = s->u2[n], z = s->z[n], p = s->p[n], q1 = 0, q2 = 0;
    for (int i = n - 1; i >= 0; i--) {
        u1 = u1 * tau + s->u1[i];
        u2 = u2 * tau + s->u2[i];
        z = z * tau + s->z[i];
        p = p * tau + s->p[i];
        q1 = q1 * tau + s->u1[i] * inverse[i + 1];
        q2 = q2 * tau + s->u2[i] * inverse[i + 1];
    }
    double push = -s->F->mu * tau;
    x->p_n = p;
    x->p_t.t1 = push * q1;
    x->p_t.t2 = push * q2;
    x->u_t.t1 = u1;
    x->u_t.t2 = u2;
    x->u_n = z;
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
typedef enum target { OF_TURN, OF_SLOPE, OF_U_N, OF_P, OF_WORK } target;

/* A polynomial and its derivative, even and odd powers apart: four short chains instead of two long ones. */
static double value_and_slope(const double *a, int n, double x, double *slope)
{
    double xx = x * x, even = 0, odd = 0, even_slope = 0, odd_slope = 0;
    int i = n;
    if (n % 2 == 0) {
        even = a[n];
        odd_slope = n * a[n];
        i--;
    }
    for (; i > 0; i -= 2) { /* i is odd */
        odd = odd * xx + a[i];
        even = even * xx + a[i - 1];
        even_slope = even_slope * xx + i * a[i];
        if (i > 1)
            odd_slope = odd_slope * xx + (i - 1) * a[i - 1];
    }
    *slope = even_slope + x * odd_slope;
    return even + x * odd;
}

static double value_of(const slip_flow *s, target what, double tau, double *slope)
{
    const slip_field *F = s->F;
    double slip, u1, u2, d1, d2, r, dr;
    switch (what) {
    case OF_U_N:
        return value_and_slope(s->z, s->order, tau, slope);
    case OF_P:
        return value_and_slope(s->p, s->order, tau, slope);
    case OF_WORK:
        *slope = horner(s->r, s->order, tau) * horner(s->z, s->order, tau);
        return works(s, tau, &slip);
    default:
        u1 = value_and_slope(s->u1, s->order, tau, &d1);
        u2 = value_and_slope(s->u2, s->order, tau, &d2);
        r = value_and_slope(s->r, s->order, tau, &dr);
        *slope = what == OF_TURN ? F->b1 * d2 - F->b2 * d1 : F->k * dr - F->v1 * d1 - F->v2 * d2;
        return what == OF_TURN ? F->b1 * u2 - F->b2 * u1 : F->k * r - F->v1 * u1 - F->v2 * u2;
    }
}

/* A search for value = goal between a and b: before a the value times sign is below the goal's, and it rises. */
typedef struct search {
    target what;
    double goal, sign;
    double a, b, guess;
} search;

/* The root, by Newton kept inside by bisection; infinite when the value does not reach the goal before b. */
static double root_of(const slip_flow *s, search q)
{
    double slope, x = q.guess > q.a && q.guess < q.b ? q.guess : q.b;
    bool crossed = false;
    for (int i = 0; i < SLIP_ROOT; i++) {
        double v = q.sign * (value_of(s, q.what, x, &slope) - q.goal), next;
        if (v < 0 && x == q.b)
            return INFINITY;
        if (v >= 0) {
            q.b = x;
            crossed = true;
        } else {
            q.a = x;
        }
        next = x - v / (q.sign * slope);
        if (!(next > q.a && next < q.b))
            next = crossed ? 0.5 * (q.a + q.b) : q.b;
        if (v == 0 || (crossed && fabs(next - x) <= EPS * q.b))
            return v == 0 ? x : next;
        x = next;
    }
    return x;
}

/* Marks between which u_n is monotone: zeros of u_n', isolated by those of b x u_t. */
static int monotone_parts(const slip_flow *s, double *mark)
{
    double ends[3] = {0, s->end, s->end}, slope;
    int pieces = 1, count = 1;
    mark[0] = 0;
    if (s->F->dips) {
        double from = value_of(s, OF_TURN, 0, &slope), to = value_of(s, OF_TURN, s->end, &slope);
        if (from * to < 0) {
            ends[1] = root_of(s, (search){OF_TURN, 0, from < 0 ? 1 : -1, 0, s->end, 0});
            pieces = 2;
        }
        for (int i = 0; i < pieces; i++) {
            from = value_of(s, OF_SLOPE, ends[i], &slope);
            to = value_of(s, OF_SLOPE, ends[i + 1], &slope);
            if (from * to < 0)
                mark[count++] = root_of(s, (search){OF_SLOPE, 0, from < 0 ? 1 : -1, ends[i], ends[i + 1], 0});
        }
    }
    mark[count] = s->end;
    return count;
}

/* The stop in [a, b], on which u_n is monotone; tau says where. */
static slip_stop stop_between(const slip_walk *w, const slip_flow *s, double a, double b, double *tau)
{
    static const target measure[] = {OF_U_N, OF_P, OF_WORK};
    slip_stop stop = STOP_PIECE;
    double root;
    *tau = b;
    if (w->compressing) {
        root = root_of(s, (search){OF_U_N, 0, 1, a, b, s->guess});
        if (root <= b) {
            *tau = root;
            stop = STOP_UP;
        }
        return stop;
    }
    if (s->F->dips) {
        root = root_of(s, (search){OF_U_N, 0, -1, a, b, 0});
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
