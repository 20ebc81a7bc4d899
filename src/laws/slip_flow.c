/* The slip flow by Taylor series. With dp = r dtau the field has no denominator left:
 *
 *     u_t' = b r - mu M u_t     r^2 = u_t.u_t     u_n' = k r - mu b.u_t     p' = r     p_t' = -mu u_t      (1)
 *
 * and one recurrence gives all coefficients. The radius of convergence has a lower bound that does not depend on the
 * state, (pi/4)/(mu|D| + |b|), so steps never collapse. */
#include "core/series.h"
#include "laws/family_incremental.h"

#define REACH_SHARE (EPS / 8) /* the last coefficients, at the end of the reach, against r */

enum { PARTS = 5 }; /* most stretches of monotone u_n in one step, and one */

/* ---- expansion ---- */

/* r_m from u_0 ... u_m and r_1 ... r_(m-1): the coefficient m of r^2 = u.u, by symmetry half of it. */
static double radius_coefficient(const slip_flow *s, int m, double inv_r, tvec c)
{
    double sum = 0;
    int half = (m - 1) / 2;
    for (int i = 1; i <= half; i++)
        sum += s->u1[i] * s->u1[m - i] + s->u2[i] * s->u2[m - i] - s->r[i] * s->r[m - i];
    if (m % 2 == 0) {
        int i = m / 2;
        sum += 0.5 * (square(s->u1[i]) + square(s->u2[i]) - square(s->r[i]));
    }
    return c.t1 * s->u1[m] + c.t2 * s->u2[m] + sum * inv_r;
}

/* The tau up to which term n of the series stays below its share of r. */
static double reach_of(const slip_flow *s, int n)
{
    double size = fmax(fabs(s->r[n]), fmax(fabs(s->u1[n]), fabs(s->u2[n])));
    return size > 0 ? exp2(log2(REACH_SHARE * s->r[0] / size) / n) : INFINITY;
}

void flow_expand(const slip_walk *w, slip_flow *s)
{
    const slip_field *F = &w->field;
    s->F = F;
    s->order = FLOW_ORDER;
    s->u1[0] = w->u_t.t1;
    s->u2[0] = w->u_t.t2;
    s->r[0] = tvec_length(w->u_t);
    s->z[0] = w->u_n;
    double inv_r = 1 / s->r[0];
    tvec c = {w->u_t.t1 * inv_r, w->u_t.t2 * inv_r};
    for (int n = 0; n < s->order; n++) {
        double share = 1.0 / (n + 1);
        double u1 = s->u1[n], u2 = s->u2[n], r = s->r[n];
        s->u1[n + 1] = share * (F->b1 * r - F->w11 * u1 - F->w12 * u2);
        s->u2[n + 1] = share * (F->b2 * r - F->w12 * u1 - F->w22 * u2);
        s->z[n + 1] = share * (F->k * r - F->v1 * u1 - F->v2 * u2);
        s->r[n + 1] = radius_coefficient(s, n + 1, inv_r, c);
    }
    s->end = fmin(reach_of(s, s->order), reach_of(s, s->order - 1));
}

/* ---- evaluation ---- */

/* Normal work and the integral of r^2 from 0 to tau. */
static void works(const slip_flow *s, double tau, double *work, double *slip)
{
    double x[GAUSS_POINTS], r[GAUSS_POINTS], z[GAUSS_POINTS];
    for (int i = 0; i < GAUSS_POINTS; i++) {
        x[i] = tau * gauss_x[i];
        r[i] = s->r[s->order];
        z[i] = s->z[s->order];
    }
    for (int n = s->order - 1; n >= 0; n--)
        for (int i = 0; i < GAUSS_POINTS; i++) {
            r[i] = r[i] * x[i] + s->r[n];
            z[i] = z[i] * x[i] + s->z[n];
        }
    double sum = 0, sum_r = 0;
    for (int i = 0; i < GAUSS_POINTS; i++) {
        sum += gauss_w[i] * r[i] * z[i];
        sum_r += gauss_w[i] * r[i] * r[i];
    }
    *work = tau * sum;
    *slip = tau * sum_r;
}

static void at(const slip_flow *s, double tau, slip_stride *x)
{
    int n = s->order;
    double mu = s->F->mu, slip;
    x->p_n = horner_integral(s->r, n, tau);
    x->p_t.t1 = -mu * horner_integral(s->u1, n, tau);
    x->p_t.t2 = -mu * horner_integral(s->u2, n, tau);
    x->u_t.t1 = horner(s->u1, n, tau);
    x->u_t.t2 = horner(s->u2, n, tau);
    x->u_n = horner(s->z, n, tau);
    works(s, tau, &x->work, &slip);
    x->friction = -mu * slip;
}

void flow_point(const void *piece, double t, slip_stride *x)
{
    const slip_flow *s = piece;
    at(s, t * s->end, x);
}

/* ---- stops inside a step ---- */

/* What is followed to a root, with its derivative. */
typedef enum target { OF_TURN, OF_SLOPE, OF_U_N, OF_P, OF_WORK } target;

/* b x u_t, whose zeros split the extrema of h; u_n' and its derivative; u_n; p; W. */
static double value_of(const slip_flow *s, target what, double tau, double *slope)
{
    const slip_field *F = s->F;
    int n = s->order;
    double r = 0, z = 0, u1 = 0, u2 = 0, work, slip;
    if (what != OF_WORK || slope)
        r = horner(s->r, n, tau);
    if (what != OF_WORK) {
        u1 = horner(s->u1, n, tau);
        u2 = horner(s->u2, n, tau);
    }
    double d1 = F->b1 * r - F->w11 * u1 - F->w12 * u2, d2 = F->b2 * r - F->w12 * u1 - F->w22 * u2;
    switch (what) {
    case OF_TURN:
        *slope = F->b1 * d2 - F->b2 * d1;
        return F->b1 * u2 - F->b2 * u1;
    case OF_SLOPE:
        *slope = F->k * (u1 * d1 + u2 * d2) / r - F->v1 * d1 - F->v2 * d2;
        return F->k * r - F->v1 * u1 - F->v2 * u2;
    case OF_U_N:
        *slope = F->k * r - F->v1 * u1 - F->v2 * u2;
        return horner(s->z, n, tau);
    case OF_P:
        *slope = r;
        return horner_integral(s->r, n, tau);
    default:
        z = horner(s->z, n, tau);
        *slope = r * z;
        works(s, tau, &work, &slip);
        return work;
    }
}

/* The root of value - goal between a and b, where it changes sign once: Newton, kept inside by bisection. */
static double root_of(const slip_flow *s, target what, double goal, double a, double b)
{
    double slope, sign = value_of(s, what, b, &slope) > goal ? 1 : -1;
    double x = 0.5 * (a + b);
    for (int i = 0; i < SLIP_ROOT; i++) {
        double v = sign * (value_of(s, what, x, &slope) - goal);
        if (v > 0)
            b = x;
        else
            a = x;
        double step = v / (sign * slope), next = x - step;
        if (!(next > a && next < b))
            next = v == 0 ? x : 0.5 * (a + b);
        if (fabs(next - x) <= EPS * b || v == 0)
            return next;
        x = next;
    }
    return x;
}

/* Marks between which u_n is monotone: zeros of h, isolated by those of b x u_t. */
static int monotone_parts(const slip_flow *s, double *mark)
{
    double ends[3] = {0, s->end, s->end}, slope;
    int pieces = 1, count = 1;
    mark[0] = 0;
    if (s->F->dips) {
        double turn = value_of(s, OF_TURN, s->end, &slope), turn0 = s->F->b1 * s->u2[0] - s->F->b2 * s->u1[0];
        if (turn * turn0 < 0) {
            ends[1] = root_of(s, OF_TURN, 0, 0, s->end);
            pieces = 2;
        }
        for (int i = 0; i < pieces; i++) {
            double from = value_of(s, OF_SLOPE, ends[i], &slope), to = value_of(s, OF_SLOPE, ends[i + 1], &slope);
            if (from * to < 0)
                mark[count++] = root_of(s, OF_SLOPE, 0, ends[i], ends[i + 1]);
        }
    }
    mark[count] = s->end;
    return count;
}

/* The stop in [a, b], on which u_n is monotone; tau says where. */
static slip_stop stop_between(const slip_walk *w, const slip_flow *s, double a, double b, double *tau)
{
    static const target measure[] = {OF_U_N, OF_P, OF_WORK};
    double slope, u_n = value_of(s, OF_U_N, b, &slope);
    slip_stop stop = STOP_PIECE;
    *tau = b;
    if (w->compressing) {
        if (u_n > 0) {
            *tau = root_of(s, OF_U_N, 0, a, b);
            stop = STOP_UP;
        }
        return stop;
    }
    if (u_n < 0) {
        *tau = root_of(s, OF_U_N, 0, a, b);
        stop = STOP_DOWN;
    }
    target what = measure[w->ending->by];
    if (value_of(s, what, *tau, &slope) >= w->need) {
        *tau = root_of(s, what, w->need, a, *tau);
        stop = STOP_DONE;
    }
    return stop;
}

void flow_stride(const slip_walk *w, slip_flow *s, slip_stride *stride)
{
    double mark[PARTS], tau = s->end;
    int parts = monotone_parts(s, mark);
    slip_stop stop = STOP_PIECE;
    for (int i = 0; i < parts && stop == STOP_PIECE; i++)
        stop = stop_between(w, s, mark[i], mark[i + 1], &tau);
    s->end = tau;
    stride->stop = stop;
    at(s, tau, stride);
    if (stop == STOP_UP || stop == STOP_DOWN)
        stride->u_n = 0;
}
