/* Slip that turns, by collocation. Seen from its direction c at the start, with s a quarter turn ahead on the side to
 * which it turns, the direction is cos c + sin s and t = tan(angle/2) grows from 0. With dq = r dtau
 *
 *     dtau = 2 dt/((1 + t^2) f)    ln r/r_0 = int g dtau    q = int r dtau    p_t = -S int (cos c + sin s) dq    (1)
 *     u_n = u_n0 + C k q + b.p_t   W = int u_n dq           friction = -S int r dq                               (2)
 *
 * are integrals one after the other: nothing is solved for, and exp is the only function. f is a quartic F(t) over
 * (1 + t^2)^2. Its zeros ahead and behind, 1/alpha and -1/gamma, are rays, which slip takes for ever to reach, or to
 * leave; so the variable is sigma, in which they are infinitely far:
 *
 *     t = (e^sigma - 1)/(alpha e^sigma + gamma)                                                                  (3)
 *
 * Three terms of F say where they are, well enough, and one step of Newton's method brings 1/alpha close where it is
 * near. With t = n/m, m - alpha n = 1: F is what is left of it after the division by 1 - alpha t,
 *
 *     m^4 F(t) = C_0 m^3 + C_1 m^2 n + C_2 m n^2 + C_3 n^3 + C_4 n^4                                             (4)
 *
 * which keeps its digits up to the ray, where C_4 = 0. An arc is as long as RADAU points say all there is to say. The
 * integrals at the points are sums with a constant matrix; between the points, polynomials through them. */
#include "carom/elementary.h"
#include "core/collocation.h"
#include "core/exponential.h"
#include "core/roots.h"
#include "laws/coulomb/coulomb.h"

#define ARC_LONG  2.6    /* sigma: no arc is longer, unless a ray is near: */
#define ARC_NEAR  0.42   /* longer by this for every time that it is nearer by half, since all else is then far */
#define ARC_MOVE  0.1    /* of alpha: the last two terms of F move the zero by no more, or have none to move */
#define ARC_LEAST 1e-280 /* and none shorter to begin with, however near the end may be */
#define ARC_TURN  0.5    /* alpha + gamma is no less: there are poles at t = +-i, too */
#define ARC_FAR                                                                                                        \
    0.45 /* sigma to begin with, times the eighth root of F_0^2 (alpha + gamma)^7 / (F_3 F_4), which is                \
          * large where the other two zeros of F are far: a fit to random impacts */
#define ARC_FADE                                                                                                       \
    4.0 /* |ln r/r_0| by the rates at the start: accuracy is for the whole arc, and r at its end a part of it */
#define ARC_AHEAD 2.5        /* of the t at which the rates here foretell the end, likewise */
#define ARC_TOL   (64 * EPS) /* the last two Legendre coefficients of dtau and dq, against their sums */
#define LN_2      0.6931471805599453
#define ARC_SAFE  0.95 /* of the length at which they would just do */
#define ARC_CUT   0.4  /* shorter by this where a zero of F is on the arc, or r changes beyond all bounds */
#define ARC_KEEP  0.14 /* of the velocity or impulse on an arc: restitution that needs less gets an arc of its own */
#define ARC_SWING 50.0 /* |ln r/r_0|: those bounds */

enum { ARC_MARKS = 4 }; /* ends of the stretches of an arc on which u_n is monotone */

/* ---- the field along the arc ---- */

typedef struct turn {
    double cos, sin, back; /* back = 1 - cos */
    double tau;            /* dtau/dx */
    double g;
    real rate; /* of the angle by x; what the partial derivatives of a stop need */
} turn;

/* At the share x of the arc: all of (1), (3) and (4) over one denominator. */
static inline turn turn_at(const slip_arc *a, real x)
{
    real e = expm1_of(a->length * x);
    const double *C = a->C;
    double n = a->scale * e, m = 1 + a->alpha * e, nn = n * n, mm = m * m;
    double F = ((C[0] * m + C[1] * n) * m + C[2] * nn) * m + C[3] * (nn * n) + C[4] * (nn * nn);
    double Q = mm + nn, inverse = 1 / (Q * F), q = F * inverse, sin = 2 * (n * m) * q, back = 2 * nn * q;
    turn y = {1 - back, sin, back, a->length * (2 * a->scale) * (1 + e) * (Q * Q) * inverse, 0, 0};
    y.g = a->g - a->d_c * back + sin * (a->d_s - 2 * a->w_cs * y.cos - a->skew * sin);
    if (CARRIES_PARTIALS)
        y.rate = real_of(a->length * (2 * a->scale) * (1 + e) * q);
    return y;
}

/* ---- the integrals ---- */

/* How far the polynomial through the points of f is from f, against the integral: over one, too far. */
static inline real misses(const double *f)
{
    real whole = radau_value(radau_whole, f);
    real last = fabs(radau_value(radau_last[0], f)) + fabs(radau_value(radau_last[1], f));
    return last / (ARC_TOL * whole);
}

/* What to multiply the length by, for as many points to do: the coefficients fall with its power. */
static real shorter(real miss)
{
    return miss < INFINITY ? ARC_SAFE * exp_of(rough_log2(miss) * (-LN_2 / (RADAU - 1))) : ARC_CUT;
}

/* All are between these bounds. */
static bool all_between(real low, real high, const double *x)
{
    long long all = 1; /* as wide as x */
#pragma omp simd reduction(& : all)
    for (int i = 0; i < POINTS; i++)
        all &= (x[i] > low) & (x[i] < high);
    return all;
}

/* What (1) and (2) integrate, at the points; or what to multiply the length by, when RADAU points do not do. */
static real collocate(slip_arc *a)
{
    double back[POINTS], sine[POINTS], tau[POINTS], log_r[POINTS], slip[POINTS];
    const double r = a->r, h = a->h, v_c = a->v_c, v_s = a->v_s, u_n = a->u_n;
    double(*restrict d)[POINTS] = a->d, rise[POINTS];
#pragma omp simd
    for (int i = 0; i < POINTS; i++) {
        turn y = turn_at(a, radau_x[i]);
        back[i] = y.back;
        sine[i] = y.sin;
        tau[i] = y.tau;
        d[ARC_LOG_R][i] = y.tau * y.g;
    }
    real miss = all_between(0, INFINITY, tau) ? misses(tau) : INFINITY;
    if (!(miss <= 1))
        return shorter(miss);
    radau_sums(radau_integral, d[ARC_LOG_R], log_r);
    if (!all_between(-ARC_SWING, ARC_SWING, log_r))
        return ARC_CUT;
#pragma omp simd
    for (int i = 0; i < POINTS; i++) {
        slip[i] = r * exp_of(log_r[i]);
        double dq = slip[i] * tau[i], cosine = 1 - back[i];
        d[ARC_Q][i] = dq;
        d[ARC_Q_C][i] = cosine * dq;
        d[ARC_Q_S][i] = sine[i] * dq;
        d[ARC_RISE][i] = (h + (v_c * back[i] - v_s * sine[i])) * dq;
        d[ARC_S][i] = slip[i] * dq;
    }
    miss = misses(d[ARC_Q]);
    if (!(miss <= 1))
        return shorter(miss);
    radau_sums(radau_integral, d[ARC_RISE], rise);
#pragma omp simd
    for (int i = 0; i < POINTS; i++) {
        a->rise[i] = real_of(rise[i]);
        d[ARC_W][i] = (u_n + rise[i]) * d[ARC_Q][i];
    }
    const double r_end = end_value(slip);
    a->u_end = (tvec){r_end * (1 - end_value(back)), r_end * end_value(sine)};
    return 1;
}

/* ---- between the points ---- */

/* The integrals, at v, go on by a step whose square is lost in rounding. */
static void arc_step(const slip_arc *a, double step, slip_arc_point *to)
{
    double *v = to->v;
    turn y = turn_at(a, to->x);
    v[ARC_LOG_R] += step * y.tau * y.g;
    double r = a->r * exp_of(v[ARC_LOG_R]), dq = step * y.tau * r;
    v[ARC_Q] += dq;
    v[ARC_Q_C] += y.cos * dq;
    v[ARC_Q_S] += y.sin * dq;
    v[ARC_W] += (a->u_n + v[ARC_RISE]) * dq;
    v[ARC_RISE] += (a->h + (a->v_c * y.back - a->v_s * y.sin)) * dq;
    v[ARC_S] += r * dq;
    to->u = (tvec){r * y.cos, r * y.sin};
    if (CARRIES_PARTIALS) { /* the step turns them, too */
        double turned = y.rate * (step - plain(step));
        to->u = (tvec){to->u.t1 - to->u.t2 * turned, to->u.t2 + to->u.t1 * turned};
    }
}

/* The integrals up to where these shares are. */
static void arc_at(const slip_arc *a, const radau_shares *p, double *v)
{
    real weight[POINTS], scale = 1 / p->sum;
    radau_sums(radau_upto, p->at, weight);
    for (int k = 0; k < ARC_INTEGRALS; k++)
        v[k] = scale * radau_dot(weight, a->d[k]);
}

static void arc_end(const slip_arc *a, slip_arc_point *to)
{
    to->x = 1;
    for (int k = 0; k < ARC_INTEGRALS; k++)
        to->v[k] = radau_dot(radau_whole, a->d[k]);
    to->u = a->u_end;
}

/* The stride from the point where the last one ended to this one. */
static void stride_between(const slip_arc *a, const slip_arc_point *to, slip_stride *x)
{
    const double *old = a->from.v, *v = to->v, u_c = to->u.t1, u_s = to->u.t2, S = a->field->kinetic.S;
    double c = S * (old[ARC_Q_C] - v[ARC_Q_C]), s = S * (old[ARC_Q_S] - v[ARC_Q_S]);
    x->q = v[ARC_Q] - old[ARC_Q];
    x->p_t = (tvec){c * a->c.t1 + s * a->s.t1, c * a->c.t2 + s * a->s.t2};
    x->u_t = (tvec){u_c * a->c.t1 + u_s * a->s.t1, u_c * a->c.t2 + u_s * a->s.t2};
    x->u_n = a->u_from + (v[ARC_RISE] - old[ARC_RISE]);
    x->work = v[ARC_W] - old[ARC_W];
    x->friction = -S * (v[ARC_S] - old[ARC_S]);
}

void carom_slip_arc_point(const void *piece, double share, slip_stride *x)
{
    const slip_arc *a = (const slip_arc *)piece;
    slip_arc_point to = a->from;
    real at = to.x + real_of(share) * (a->to.x - to.x);
    if (at > to.x) {
        radau_shares p;
        radau_shares_at(to.x = at, &p);
        arc_at(a, &p, to.v);
        arc_step(a, 0, &to);
    }
    stride_between(a, &to, x);
}

/* ---- stops ---- */

/* Where one of the integrals, which times sign rises from a to b, reaches the goal. */
typedef struct search {
    int what;
    double goal;
    real sign, a, b;
} search;

/* What an integral lacks of the goal at a place, and its rate there. */
typedef struct place {
    real v, d;
} place;

/* Value and rate where these shares are. */
static place place_at(const slip_arc *a, const search *q, const real *values, real x, radau_shares *p)
{
    radau_shares_at(x, p);
    real scale = 1 / p->sum;
    place y = {scale * radau_dot(p->at, values) - real_of(q->goal),
               scale * (radau_value(p->at, a->d[q->what]) + p->first * real_of(a->start[q->what]))};
    return y;
}

/* The zero between a and b of what rises or falls there as its values and rates at both say: the inverse function as a
 * cubic, or the middle where that leaves the stretch. */
static real zero_between(const search *q, place a, place b)
{
    const real rise = b.v - a.v, s = -a.v / rise, left = 1 - s;
    const real x = q->a + (q->b - q->a) * (s * s * (1 + 2 * left)) + rise * s * left * (left / a.d - s / b.d);
    return x > q->a && x < q->b ? x : 0.5 * (q->a + q->b);
}

/* Narrow a search to the points around the goal, and guess where between them it is; false when it is not reached
 * before b. */
static bool surround(const slip_arc *a, const real *values, search *q, real *guess)
{
    const real from = q->a, to = q->b, goal = real_of(q->goal), sign = q->sign;
    const double *rate = a->d[q->what];
    int past[POINTS]; /* the goal, or b */
    radau_shares p;
#pragma omp simd
    for (int i = 0; i < POINTS; i++) {
        const real x = radau_x[i];
        past[i] = (x > to) | ((x > from) & !(sign * (values[i] - goal) < 0));
    }
    const int next = first_of(past), last = next - 1;
    place low = {from > 0 ? NAN : -goal, real_of(a->start[q->what])}, high; /* NAN: not known */
    if (last >= 0) {
        q->a = max(radau_x[last], from);
        low = (place){values[last] - goal, real_of(rate[last])};
    }
    if (next < RADAU && radau_x[next] <= to) {
        q->b = radau_x[next];
        high = (place){values[next] - goal, real_of(rate[next])};
    } else if (to == 1 || sign * (high = place_at(a, q, values, to, &p)).v < 0)
        return false;
    *guess = zero_between(q, low, high);
    return true;
}

/* The root x of the search with the partial derivatives of the integral there, at v. */
static double root_with_partials(const slip_arc *a, const search *q, real x, const double *v)
{
    const turn y = turn_at(a, x);
    const double r = a->r * exp_of(v[ARC_LOG_R]), dq = y.tau * r, u_n = a->u_n + v[ARC_RISE];
    const double h = a->h + (a->v_c * y.back - a->v_s * y.sin);
    return implicit_root(x, v[q->what] - q->goal, dq * (q->what == ARC_RISE ? h : q->what == ARC_W ? u_n : 1));
}

/* Narrows the search to the points around the goal; false when it is not reached before b. */
static bool reach(const slip_arc *a, search *q, slip_arc_point *found)
{
    real integral[POINTS];
    const real *values = q->what == ARC_RISE ? a->rise : integral;
    radau_shares p;
    const real end = q->what == ARC_RISE ? a->rise[RADAU - 1] : radau_value(radau_whole, a->d[q->what]);
    if (q->b == 1 && q->sign * (end - real_of(q->goal)) < 0)
        return false;
    if (q->what != ARC_RISE)
        radau_values(radau_integral, a->d[q->what], integral);
    real next, x = 0;
    if (!surround(a, values, q, &next))
        return false;
    bracket b = bracket_make(q->a, q->b);
    for (int i = 0; i < ROOT_STEPS; i++) {
        x = next;
        place y = place_at(a, q, values, x, &p);
        next = bracket_next(&b, x, q->sign * y.v, q->sign * y.d);
        if (bracket_settled(&b, x, next))
            break;
    }
    if (CARRIES_PARTIALS) /* from the root itself: the step has no value then, and the partials of the root */
        radau_shares_at(x = next, &p);
    arc_at(a, &p, found->v);
    found->x = x + (next - x);
    arc_step(a, CARRIES_PARTIALS ? root_with_partials(a, q, x, found->v) - x : next - x, found);
    return true;
}

/* The share of the arc at t, or past its end. */
static real share_at(const slip_arc *a, real t)
{
    real e = t / (real_of(a->scale) - real_of(a->alpha) * t);
    return t > 0 && e >= 0 ? carom_log1p(e) / a->length : INFINITY;
}

/* Marks between which u_n is monotone: zeros of h, (C k + v_c) t^2 - 2 v_s t + h_0 = 0. Returns how many
 * stretches there are. */
static int monotone_parts(const slip_arc *a, real mark[ARC_MARKS])
{
    const slip_field *F = a->field;
    int count = 1;
    mark[0] = a->from.x;
    const real A = real_of(F->lift + a->v_c), B = real_of(a->v_s), h = real_of(a->h), D = F->dips ? B * B - A * h : 0;
    if (D > 0) {
        real q = B + (B > 0 ? sqrt(D) : -sqrt(D)), one = share_at(a, h / q), two = share_at(a, q / A);
        real first = min(one, two), second = max(one, two);
        if (first > mark[0] && first < 1)
            mark[count++] = first;
        if (second > mark[0] && second < 1)
            mark[count++] = second;
    }
    mark[count] = 1;
    return count;
}

/* Whether u_n rises between two marks. */
static bool rises(const slip_arc *a, real from, real to)
{
    if (!a->field->dips)
        return true;
    turn y = turn_at(a, 0.5 * (from + to));
    return a->h + (a->v_c * y.back - a->v_s * y.sin) > 0;
}

/* The first stop between two marks; a contact at rest on the way down closes at once. */
static slip_stop stop_between(const slip_walk *w, const slip_arc *a, real from, real to, slip_arc_point *x)
{
    static const int measure[] = {ARC_RISE, ARC_Q, ARC_W};
    const coulomb_measure by = w->ending->by;
    const bool up = rises(a, from, to), first = from == a->from.x;
    const double zero = a->from.v[ARC_RISE] - a->u_from;
    search at_zero = {ARC_RISE, zero, up ? 1.0 : -1.0, from, to};
    search at_end = {measure[by], w->need + (by == BY_VELOCITY ? zero : a->from.v[measure[by]]), 1, from, to};
    slip_arc_point end;
    if (w->compressing && !up)
        return STOP_PIECE;
    if (!up && first && a->u_from <= 0) {
        *x = a->from;
        return STOP_DOWN;
    }
    const bool found = reach(a, w->compressing || !up ? &at_zero : &at_end, x);
    if (w->compressing || up)
        return !found ? STOP_PIECE : w->compressing ? STOP_UP : STOP_DONE;
    at_end.b = found ? x->x : to; /* u_n falls, and impulse and work still grow */
    if (by == BY_VELOCITY || !reach(a, &at_end, &end))
        return found ? STOP_DOWN : STOP_PIECE;
    *x = end;
    return STOP_DONE;
}

/* The end of an arc, towards which u_n goes up or down, may itself be a stop. It is judged by the numbers that the walk
 * takes over, so that the next arc is never empty. */
static slip_stop stop_at_end(const slip_walk *w, const slip_stride *x, bool up)
{
    const double measure[] = {x->u_n, x->q, x->work};
    if (w->compressing)
        return up && x->u_n >= 0 ? STOP_UP : STOP_PIECE;
    if (measure[w->ending->by] >= w->need)
        return STOP_DONE;
    return !up && x->u_n < 0 ? STOP_DOWN : STOP_PIECE;
}

/* ---- an arc ---- */

/* The field as seen from the direction c of slip. */
static void look_along(const slip_walk *w, tvec c, const slip_rates *q, slip_arc *a)
{
    double side = q->f < 0 ? -1 : 1, f = side * q->f;
    a->field = &w->field;
    a->c = c;
    a->s = (tvec){-side * c.t2, side * c.t1};
    a->r = tvec_length(w->u_t);
    a->u_n = a->u_from = w->u_n;
    a->d_c = q->d_c;
    a->d_s = side * q->d_s;
    a->v_c = q->v_c;
    a->v_s = side * q->v_s;
    a->w_cs = side * q->w_cs;
    a->skew = q->w_ss - (q->d_c - q->g);
    a->g = q->g;
    a->h = q->h;
    a->F[0] = f;
    a->F[1] = 2 * q->f1;
    a->F[2] = 2 * f - 2 * a->d_s + 8 * a->w_cs;
    a->F[3] = -2 * (a->d_c - a->skew);
    a->F[4] = f - 2 * a->d_s;
}

/* (4) */
static void divide_quartic(slip_arc *a, double alpha)
{
    a->C[0] = a->F[0];
    for (int i = 1; i < 5; i++)
        a->C[i] = a->F[i] + alpha * a->C[i - 1];
}

/* (3), and a length with which to begin. */
static void choose_sigma(slip_arc *a, double ahead)
{
    const double *F = a->F, inverse = 1 / F[0], root = sqrt(max(0, square(F[1]) - 4 * F[0] * F[2]));
    double alpha = max(0, 0.5 * (root - F[1]) * inverse), step = (F[3] * alpha + F[4]) / (square(alpha) * root);
    alpha -= fabs(step) < ARC_MOVE * alpha ? step : 0;
    double beyond = ARC_TURN - alpha, gamma = max(max(0, 0.5 * (root + F[1]) * inverse), beyond);
    double scale = 1 / (alpha + gamma), others = fabs(F[3] * F[4]) * square(scale * scale * scale * inverse) * scale;
    double t = ARC_AHEAD * ahead * F[0] / (2 * a->r), y = t * (alpha + gamma) / (1 - alpha * t);
    real length = ARC_LONG + ARC_NEAR * rough_log2(real_of(1 + alpha));
    length = min(length, ARC_FAR * rough_exp2(-0.125 * rough_log2(real_of(others))));
    length = min(length, real_of(ARC_FADE * F[0] / (2 * scale * fabs(a->g))));
    if (alpha * t < 1)
        length = min(length, real_of(y * (6 + y) / (6 + 4 * y))); /* ln(1 + y), about */
    divide_quartic(a, alpha);
    a->scale = scale;
    a->alpha = alpha * scale;
    a->length = max(length, ARC_LEAST);
}

void carom_slip_arc_begin(const slip_walk *w, tvec c, const slip_rates *q, double ahead, slip_arc *a)
{
    look_along(w, c, q, a);
    choose_sigma(a, ahead);
    a->tries = 0;
}

bool carom_slip_arc_fit(slip_arc *a)
{
    const real share = collocate(a);
    if (share < 1) {
        a->length *= share;
        a->tries++;
        return false;
    }
    double dq = 2 * a->r / a->F[0] * a->scale * a->length;
    a->start[ARC_Q] = dq;
    a->start[ARC_RISE] = a->h * dq;
    a->start[ARC_W] = a->u_n * dq;
    a->from = (slip_arc_point){.u = {a->r, 0}};
    return true;
}

void carom_slip_arc_stride(const slip_walk *w, slip_arc *a, slip_stride *stride)
{
    real mark[ARC_MARKS];
    int parts = monotone_parts(a, mark);
    slip_stop stop = STOP_PIECE;
    a->u_from = w->u_n;
    for (int i = 0; i < parts && stop == STOP_PIECE; i++)
        stop = stop_between(w, a, mark[i], mark[i + 1], &a->to);
    if (stop == STOP_PIECE)
        arc_end(a, &a->to);
    stride_between(a, &a->to, stride);
    stride->stop = stop == STOP_PIECE ? stop_at_end(w, stride, rises(a, mark[parts - 1], 1)) : stop;
    if (stride->stop == STOP_UP || stride->stop == STOP_DOWN)
        stride->u_n = 0;
}

/* From an event on along the same arc, unless that ends here or what is left to do is too small a part of it: works go
 * with the square of velocities and impulses. */
bool carom_slip_arc_resume(const slip_walk *w, slip_arc *a)
{
    static const real keep[] = {ARC_KEEP, ARC_KEEP, ARC_KEEP * ARC_KEEP};
    const real u_n = real_of(a->u_n), q = real_of(a->to.v[ARC_Q]);
    real depth = max(fabs(u_n), fabs(u_n + a->rise[RADAU - 1]));
    for (int i = 0; a->field->dips && i < POINTS; i++)
        depth = max(depth, fabs(u_n + a->rise[i]));
    const real seen[] = {depth, q, depth * q};
    const coulomb_measure by = w->ending->by;
    a->from = a->to;
    return a->to.x < 1 && (w->compressing || w->need >= keep[by] * seen[by]);
}
