/* Walking on a tail (slip_tail.c): evaluation and stops.
 *
 * Term n integrates to Phi(l_n) = (exp(l_n tau) - 1)/l_n, l_n = g + n f1. Terms 0 and 1 stay Phi functions, because l_0
 * and l_1 may both be tiny (stick threshold, little friction across the ray); the others divide by l_n:
 *
 *     integral of E sum a_n y^n = a_0 F0 + a_1 y_0 F1 + [E A(y) - A(y_0)],  A = sum a_n/l_n y^n over n >= 2  (1)
 *     W = (u_n0 - size G(y_0)) p + size^2 { h (F0^2/2 + rho I + E P F0) + eta (F0 F1 - I + rho F1^2/2 + E P F1)
 *           + sum ((R*G)_n - h P_n - H_1 P_(n-1)) y_0^n Phi(2 g + n f1) },  rho = R_1 y_0, eta = H_1 y_0      (2)
 *     integral of r^2 = size^2 sum (R*R)_n y_0^n Phi(2 g + n f1)                                            (3)
 *
 * with P and G the integrated R and H, and I the integral of exp(l_1 tau) F0. A converging ray (g < 0) ends at u_t = 0,
 * tau infinite, where every Phi(l) is -1/l: there is no threshold on r. The independent variable is F0 = Phi(g), in
 * which u_n and p are nearly linear. */
#include "core/pair.h"
#include "core/roots.h"
#include "core/series.h"
#include "laws/coulomb/family_incremental.h"

#define TAIL_SHORT 0.5        /* tau (|g| + |f1|) below which (1) and (2) cancel, and an arc serves */
#define TAIL_LEAST (EPS / 64) /* products of the series below this, against the largest, are left out */

typedef struct point {
    double tau, E, y, F0, F1;
    double decay, loss; /* exp(f1 tau), and that minus one */
    bool origin;
} point;

static point point_at(const slip_tail *t, double F0)
{
    point x = {.F0 = F0, .origin = isinf(F0)};
    if (x.origin) {
        x.tau = INFINITY;
        x.F0 = -1 / t->g;
        x.F1 = -1 / t->l1;
        x.loss = -1;
        return x;
    }
    double growth = t->g * F0;
    x.E = 1 + growth;
    x.tau = fabs(growth) < EXP_LINEAR ? F0 : log1p(growth) / t->g;
    x.loss = expm1(t->f1 * x.tau);
    x.decay = x.loss > -0.5 ? 1 + x.loss : exp(t->f1 * x.tau);
    x.y = t->y * x.decay;
    x.F1 = exp_integral(t->l1, x.tau);
    return x;
}

static double rest_of(const slip_tail *t, const tail_series *s, double y)
{
    double sum = 0;
    for (int n = t->order; n >= 2; n--)
        sum = sum * y + s->i[n];
    return sum * y * y;
}

/* (1) */
static double integral_of(const slip_tail *t, const tail_series *s, const point *x)
{
    return s->a[0] * x->F0 + s->a[1] * t->y * x->F1 + x->E * rest_of(t, s, x->y) - s->gone;
}

/* The coefficient n of R times (R, G), from these pairs up to order. Two sums, so that one does not wait for the other.
 */
static pair product(const pair *RG, int order, int n)
{
    pair even = {0}, odd = {0};
    int i = n > order ? n - order : 0, last = n - i;
    for (; i < last; i += 2) {
        even += pair_of(RG[i][0]) * RG[n - i];
        odd += pair_of(RG[i + 1][0]) * RG[n - i - 1];
    }
    return i == last ? even + odd + pair_of(RG[i][0]) * RG[n - i] : even + odd;
}

/* The coefficients of (2) and (3); from n = 3 on divided by 2 g + n f1. */
static void multiply(slip_tail *t)
{
    const double *P = t->R.i;
    pair RG[TAIL_ORDER + 1];
    for (int n = 0; n <= t->order; n++)
        RG[n] = (pair){t->R.a[n], n < 2 ? 0 : t->H.i[n]};
    double power = 1, largest = 0;
    t->top = 0;
    for (int n = 0; n <= 2 * t->order; n++) {
        pair both = product(RG, t->order, n);
        double own = both[0], cross = both[1];
        cross -= n >= 2 && n <= t->order ? t->h * P[n] : 0;
        cross -= n >= 3 && n <= t->order + 1 ? t->H.a[1] * P[n - 1] : 0;
        double share = n >= 3 ? power / (2 * t->g + n * t->f1) : power;
        t->cross[n] = cross * share;
        t->own[n] = own * share;
        double size = (fabs(own) + fabs(cross)) * fabs(power);
        if (size > TAIL_LEAST * largest)
            t->top = n;
        else if (n > t->top + 2 && n > 4)
            return;
        largest = larger(size, largest);
        power *= t->y;
    }
}

static void leave_behind(slip_tail *t)
{
    t->alpha.gone = rest_of(t, &t->alpha, t->y);
    t->beta.gone = rest_of(t, &t->beta, t->y);
    t->R.gone = rest_of(t, &t->R, t->y);
    t->H.gone = rest_of(t, &t->H, t->y);
}

void slip_tail_start(slip_tail *t)
{
    leave_behind(t);
    multiply(t);
}

/* The normal work, and the integral of r^2. Phi(2 l) = Phi(l) + l Phi(l)^2 / 2; from n = 2 on every 2 g + n f1 is
 * negative and expm1 follows by recurrence without cancellation. */
static double works(const slip_tail *t, const point *x, double *slip)
{
    double F0 = x->F0, F1 = x->F1, cross = 2 * t->g + t->f1;
    double first = F0 * (1 + 0.5 * t->g * F0), third = F1 * (1 + 0.5 * t->l1 * F1);
    double second = x->origin ? -1 / cross : exp_integral(cross, x->tau);
    double sum = t->cross[2] * third;
    double own = t->own[0] * first + t->own[1] * second + t->own[2] * third, power = 2 * t->l1 * third;
    for (int n = 3; n <= t->top; n++) {
        power = power * x->decay + x->loss;
        sum += t->cross[n] * power;
        own += t->own[n] * power;
    }
    double rho = t->R.a[1] * t->y, eta = t->H.a[1] * t->y, rest = x->E * rest_of(t, &t->R, x->y);
    double I = x->origin ? 1 / (t->l1 * (t->g + t->l1)) : exp_integral_2(t->g, t->l1, x->tau);
    sum += t->h * (0.5 * F0 * F0 + rho * I + rest * F0) + eta * (F0 * F1 - I + 0.5 * rho * F1 * F1 + rest * F1);
    *slip = square(t->size) * own;
    return t->size * (t->u_n - t->size * t->H.gone) * integral_of(t, &t->R, x) + square(t->size) * sum;
}

static void at(const slip_tail *t, double F0, slip_stride *s)
{
    point x = point_at(t, F0);
    double A = integral_of(t, &t->alpha, &x), B = integral_of(t, &t->beta, &x), slip;
    double push = -t->mu * t->size, speed = t->size * x.E;
    double along = speed * horner(t->alpha.a, t->order, x.y), across = speed * horner(t->beta.a, t->order, x.y);
    s->p_n = t->size * integral_of(t, &t->R, &x);
    s->p_t.t1 = push * (A * t->c.t1 - B * t->c.t2);
    s->p_t.t2 = push * (A * t->c.t2 + B * t->c.t1);
    s->u_t.t1 = along * t->c.t1 - across * t->c.t2;
    s->u_t.t2 = along * t->c.t2 + across * t->c.t1;
    s->u_n = t->u_n + t->size * integral_of(t, &t->H, &x);
    s->work = works(t, &x, &slip);
    s->friction = -t->mu * slip;
}

void slip_tail_point(const void *piece, double share, slip_stride *s)
{
    const slip_tail *t = piece;
    double end = isinf(t->end) ? -1 / t->g : t->end;
    at(t, share == 1 ? t->end : share * end, s);
}

/* ---- stops ---- */

static double measure_at(const slip_tail *t, slip_measure by, double F0, double *slope)
{
    point x = point_at(t, F0);
    double slip;
    if (by == BY_VELOCITY) {
        *slope = t->size * horner(t->H.a, t->order, x.y);
        return t->u_n + t->size * integral_of(t, &t->H, &x);
    }
    *slope = t->size * horner(t->R.a, t->order, x.y);
    if (by == BY_IMPULSE)
        return t->size * integral_of(t, &t->R, &x);
    *slope *= t->u_n + t->size * integral_of(t, &t->H, &x);
    return works(t, &x, &slip);
}

/* A stretch of the tail on which u_n is monotone, from F0 = a to b; infinite b is the origin, or has no bound. */
typedef struct stretch {
    double a, b;
} stretch;

/* The F0 at which a measure reaches goal; sign is that of its change on the stretch, first a guess. */
static double root_of(const slip_tail *t, slip_measure by, double goal, double sign, stretch q, double first)
{
    double limit = isinf(q.b) && t->g < 0 ? -1 / t->g : q.b;
    double x = first > q.a && first < limit ? first : isinf(limit) ? q.a + 1 / (t->g - t->f1) : 0.5 * (q.a + limit);
    bracket b = bracket_make(q.a, limit);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double slope, v = sign * (measure_at(t, by, x, &slope) - goal), next = bracket_next(&b, x, v, sign * slope);
        if (bracket_settled(&b, x, next))
            return next;
        x = next;
    }
    return x;
}

/* Where the ending would be if the slopes at the start stayed. */
static double ending_guess(const slip_walk *w, const slip_tail *t)
{
    double slope = t->size * horner(t->R.a, t->order, t->y), rise = t->size * horner(t->H.a, t->order, t->y);
    if (w->ending->by == BY_VELOCITY)
        return (w->need - t->u_n) / rise;
    if (w->ending->by == BY_IMPULSE)
        return w->need / slope;
    double root = square(t->u_n) + 2 * rise / slope * w->need;
    return 2 * w->need / (slope * (t->u_n + sqrt(root > 0 ? root : 0)));
}

/* Where h changes sign along the tail, as F0: the y with sum H_n y^n = 0, which lies between y at the start and zero.
 */
static double turning(const slip_tail *t)
{
    double a = 0, b = t->y, y = 0.5 * t->y;
    bool rising = t->h < 0;
    for (int i = 0; i < SLIP_ROOT; i++) {
        double v = horner(t->H.a, t->order, y);
        if ((v > 0) == rising)
            b = y;
        else
            a = y;
        double slope = 0;
        for (int n = t->order; n >= 1; n--)
            slope = slope * y + n * t->H.a[n];
        double next = y - v / slope;
        if (!((next - a) * (next - b) < 0))
            next = 0.5 * (a + b);
        if (fabs(next - y) <= EPS * fabs(y))
            break;
        y = next;
    }
    return exp_integral(t->g, log(y / t->y) / t->f1);
}

/* The first stop on a stretch, with t->end where it is. */
static slip_stop stop_on(const slip_walk *w, slip_tail *t, stretch q)
{
    double slope, last = t->h;
    if (!isinf(q.b) || t->g < 0)
        last = measure_at(t, BY_VELOCITY, q.b, &slope);
    double crossing = -t->u_n / (t->size * horner(t->H.a, t->order, t->y));
    slip_stop stop = isinf(q.b) ? STOP_ORIGIN : STOP_PIECE;
    t->end = q.b;
    if (w->compressing) {
        if (last > 0) {
            t->end = root_of(t, BY_VELOCITY, 0, 1, q, crossing);
            stop = STOP_UP;
        }
        return stop;
    }
    if (last < 0) {
        q.b = t->end = root_of(t, BY_VELOCITY, 0, -1, q, crossing);
        stop = STOP_DOWN;
    }
    slip_measure by = w->ending->by;
    bool endless = isinf(q.b) && t->g >= 0;
    if (endless || measure_at(t, by, t->end, &slope) >= w->need) {
        t->end = root_of(t, by, w->need, 1, q, ending_guess(w, t));
        stop = STOP_DONE;
    }
    return stop;
}

static slip_stop find_stop(const slip_walk *w, slip_tail *t)
{
    stretch all = {0, INFINITY};
    if (!(t->h * horner(t->H.a, t->order, t->y) < 0))
        return stop_on(w, t, all);
    stretch first = {0, turning(t)};
    slip_stop stop = stop_on(w, t, first);
    if (stop != STOP_PIECE)
        return stop;
    all.a = first.b;
    return stop_on(w, t, all);
}

bool slip_tail_stride(const slip_walk *w, slip_tail *t, slip_stride *stride)
{
    slip_stop stop = find_stop(w, t);
    if (stop == STOP_ORIGIN && t->g >= 0)
        return false;
    if (stop != STOP_ORIGIN && !(point_at(t, t->end).tau * (fabs(t->g) - t->f1) >= TAIL_SHORT))
        return false;
    stride->stop = stop;
    at(t, t->end, stride);
    if (stop == STOP_ORIGIN)
        stride->u_t.t1 = stride->u_t.t2 = 0;
    if (stop == STOP_UP || stop == STOP_DOWN)
        stride->u_n = 0;
    return true;
}

void slip_tail_resume(const slip_walk *w, slip_tail *t)
{
    point x = point_at(t, t->end);
    t->size *= x.E;
    t->y = x.y;
    t->u_n = w->u_n;
    leave_behind(t);
    double power = 1;
    for (int n = 1; n <= t->top; n++) {
        power *= x.decay;
        t->cross[n] *= power;
        t->own[n] *= power;
    }
}
