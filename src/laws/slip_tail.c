/* The tail: the rest of the slip flow along an attracting ray c, f(c) = 0, f1 = f'(c) < 0.
 *
 * In the coordinate y that decays as exp(f1 tau), and with E = exp(g tau), the flow is a series without resonances:
 *
 *     u_t = size E sum (alpha_n c + beta_n s) y^n        r = size E sum R_n y^n                            (1)
 *     q_n = 1/2 sum (alpha_i alpha_(n-i) + beta_i beta_(n-i) - R_i R_(n-i)),  0 < i < n                    (2)
 *     beta_n = w_cs q_n / ((n-1) f1)   alpha_n = (b_c q_n - w_cs beta_n) / (n f1)   R_n = alpha_n + q_n    (3)
 *     u_n' = size E sum H_n y^n        H_n = k R_n - mu (b_c alpha_n + w_cs beta_n)                        (4)
 *
 * Term n integrates to (exp(l_n tau) - 1)/l_n, l_n = g + n f1. Terms 0 and 1 stay Phi functions, because l_0 and l_1 may
 * both be tiny (stick threshold, little friction across the ray); the others divide by l_n. A converging ray (g < 0) ends at
 * u_t = 0, at tau = infinity, in closed form: there is no threshold on r.
 *
 * The independent variable is F0 = Phi(g, tau), in which u_n and p are nearly linear. When M is isotropic the series ends
 * at n = 2 and serves from everywhere. */
#include "core/series.h"
#include "laws/family_incremental.h"

#define NEAR_TURN   0.5        /* |f/f1|: the distance to the ray, in radians, at which a tail may begin */
#define NEAR_BEND   0.4        /* |f| (4 mu|D| + |b|) / f1^2: the same against the nearest other ray */
#define TAIL_SHARE  (EPS / 16) /* the last two terms of the series, against the first */
#define ROUND_TOL   (4 * EPS)  /* M is isotropic to rounding of its entries, */
#define ROUND_GAP   0.01       /* and K far enough from singular for that not to matter */
#define TAIL_SHORT  0.5        /* tau (|g| + |f1|) below which the closed forms cancel, and a Taylor step serves */
#define POWER_BELOW (-0.5)     /* exp(x) - 1 from powers of E and y: no cancellation below */

enum { ANGLE_STEPS = 20 };

/* ---- the series ---- */

static void term(slip_tail *t, const slip_rates *q, int n)
{
    double sum = 0;
    for (int i = 1; 2 * i < n; i++)
        sum += t->alpha[i] * t->alpha[n - i] + t->beta[i] * t->beta[n - i] - t->R[i] * t->R[n - i];
    if (n % 2 == 0) {
        int i = n / 2;
        sum += 0.5 * (square(t->alpha[i]) + square(t->beta[i]) - square(t->R[i]));
    }
    t->beta[n] = q->w_cs * sum / ((n - 1) * t->f1);
    t->alpha[n] = (q->b_c * sum - q->w_cs * t->beta[n]) / (n * t->f1);
    t->R[n] = t->alpha[n] + sum;
}

static bool negligible(const slip_tail *t, int n, double power)
{
    return (fabs(t->alpha[n]) + fabs(t->beta[n]) + fabs(t->R[n])) * power <= TAIL_SHARE;
}

/* Coefficients up to the order that y needs; false when that is more than there is room for. */
static bool build(slip_tail *t, const slip_field *F, const slip_rates *q, double y)
{
    t->alpha[0] = t->R[0] = t->beta[1] = 1;
    t->beta[0] = 0;
    t->alpha[1] = t->R[1] = -q->w_cs / t->f1;
    double power = fabs(y);
    bool small = false, found = false;
    int n = 2;
    for (; n <= TAIL_ORDER && !found; n++) {
        term(t, q, n);
        power *= fabs(y);
        bool next = negligible(t, n, power);
        found = small && next;
        small = next;
    }
    t->order = n - 1;
    for (int i = 0; i <= t->order; i++)
        t->H[i] = F->k * t->R[i] - F->mu * (q->b_c * t->alpha[i] + q->w_cs * t->beta[i]);
    t->H[0] = t->h;
    return found;
}

/* y from tan x = (sum beta y^n) / (sum alpha y^n). */
static bool locate(slip_tail *t, double tan_x)
{
    double y = tan_x;
    for (int i = 0; i < ANGLE_STEPS; i++) {
        double value = 0, slope = 0;
        for (int n = t->order; n >= 0; n--) {
            slope = slope * y + value;
            value = value * y + (t->beta[n] - tan_x * t->alpha[n]);
        }
        double step = value / slope;
        y -= step;
        if (fabs(step) <= EPS * fabs(y)) {
            t->y = y;
            return true;
        }
    }
    return false;
}

/* ---- entering ---- */

/* u_n is monotone on the arc from the direction here to the ray: h keeps its sign, also at its minimum along b. */
static bool stays_monotone(const slip_field *F, tvec here, double h, const slip_tail *t)
{
    if (!F->dips)
        return true;
    if (!(h * t->h > 0))
        return false;
    double turn = F->b1 * here.t2 - F->b2 * here.t1, turn_ray = F->b1 * t->c.t2 - F->b2 * t->c.t1;
    bool along = F->b1 * t->c.t1 + F->b2 * t->c.t2 > 0;
    return h < 0 || !along || turn * turn_ray > 0;
}

/* Isotropic M: the ray is b, and the series (1) ends at n = 2 with y = 2 tan(x/2). */
static bool enter_isotropic(const slip_walk *w, tvec here, const slip_rates *q, slip_tail *t)
{
    const slip_field *F = &w->field;
    double m = 0.5 * (F->m11 + F->m22), pull = F->pull;
    t->c.t1 = F->b1 / pull;
    t->c.t2 = F->b2 / pull;
    t->g = fma(-F->mu, m, pull);
    t->f1 = -pull;
    t->l1 = -F->mu * m;
    t->h = fma(-F->mu, pull, F->k);
    if (!stays_monotone(F, here, q->h, t))
        return false;
    double cosine = tvec_dot(here, t->c), sine = t->c.t1 * here.t2 - t->c.t2 * here.t1;
    t->y = 2 * (cosine > 0 ? sine / (1 + cosine) : (1 - cosine) / sine);
    static const double alpha[] = {1, 0, -0.25}, beta[] = {0, 1, 0}, R[] = {1, 0, 0.25};
    t->order = 2;
    for (int n = 0; n <= 2; n++) {
        t->alpha[n] = alpha[n];
        t->beta[n] = beta[n];
        t->R[n] = R[n];
    }
    t->H[0] = t->h;
    t->H[1] = 0;
    t->H[2] = 0.25 * (F->k + F->mu * pull);
    return true;
}

static bool is_isotropic(const slip_field *F)
{
    double m = 0.5 * (F->w11 + F->w22);
    if (F->skew == 0)
        return true;
    return F->skew <= ROUND_TOL * m && square(F->pull) * F->mu <= (1 - ROUND_GAP) * F->k * m;
}

bool tail_enter(const slip_walk *w, const slip_rates *here, slip_tail *t)
{
    const slip_field *F = &w->field;
    double r = tvec_length(w->u_t);
    tvec c = {w->u_t.t1 / r, w->u_t.t2 / r};
    t->mu = F->mu;
    t->u_n = w->u_n;
    if (is_isotropic(F)) {
        if (!enter_isotropic(w, c, here, t))
            return false;
        t->size = r / horner(t->R, 2, t->y);
        return true;
    }
    double f = fabs(here->f), f1 = here->f1;
    if (!(f1 < 0) || f > -NEAR_TURN * f1 || f * (4 * F->skew + F->pull) > NEAR_BEND * f1 * f1)
        return false;
    slip_rates q;
    t->c = c;
    if (!field_ray(F, &t->c, &q) || !(q.f1 < 0))
        return false;
    t->g = q.g;
    t->l1 = -q.w_ss;
    t->f1 = q.f1;
    t->h = q.h;
    if (!stays_monotone(F, c, here->h, t))
        return false;
    double tan_x = (t->c.t1 * c.t2 - t->c.t2 * c.t1) / tvec_dot(c, t->c);
    if (!build(t, F, &q, tan_x) || !locate(t, tan_x))
        return false;
    double power = pow(fabs(t->y), t->order - 1);
    if (!negligible(t, t->order - 1, power) || !negligible(t, t->order, power * fabs(t->y)))
        return false;
    t->size = r / horner(t->R, t->order, t->y);
    return true;
}

/* ---- evaluation ---- */

/* A point of the tail. At the origin tau is infinite, E = y = 0 and every Phi(l) is -1/l. */
typedef struct point {
    double tau, E, y, F0, F1;
    bool origin;
} point;

static point point_at(const slip_tail *t, double F0)
{
    point x = {.F0 = F0};
    x.origin = isinf(F0);
    if (x.origin) {
        x.tau = INFINITY;
        x.F0 = -1 / t->g;
        x.F1 = -1 / t->l1;
        return x;
    }
    double growth = t->g * F0;
    x.E = 1 + growth;
    x.tau = fabs(growth) < 1e-17 ? F0 : log1p(growth) / t->g; /* below, log1p(x) = x to every bit */
    x.y = t->y * exp(t->f1 * x.tau);
    x.F1 = exp_integral(t->l1, x.tau);
    return x;
}

/* F0 + a1 y F1 + the integrated rest: the integral of E sum a_n y^n. */
static double integral_of(const slip_tail *t, const double *a, const point *x)
{
    double now = 0, before = 0;
    for (int n = t->order; n >= 2; n--) {
        double share = a[n] / (t->g + n * t->f1);
        now = now * x->y + share;
        before = before * t->y + share;
    }
    return a[0] * x->F0 + a[1] * t->y * x->F1 + x->E * now * x->y * x->y - before * t->y * t->y;
}

static double u_n_at(const slip_tail *t, const point *x)
{
    return t->u_n + t->size * integral_of(t, t->H, x);
}

/* Phi(2 g + n f1) for n = 0, 1, ...: from the powers E^2 (y/y_start)^n where they do not cancel. */
static double phi_at(const slip_tail *t, const point *x, int n, double power)
{
    double l = 2 * t->g + n * t->f1;
    if (x->origin)
        return -1 / l;
    return l * x->tau < POWER_BELOW ? (power - 1) / l : exp_integral(l, x->tau);
}

/* The normal work and the integral of r^2: products of the series with one Phi for each power of y. */
static void works(const slip_tail *t, const point *x, double *work, double *slip)
{
    double G[TAIL_ORDER + 1] = {0}, P[TAIL_ORDER + 1] = {0};
    double at_y = 0, at_start = 0, P_y = 0; /* E P(y), G(y_start) */
    for (int n = t->order; n >= 2; n--) {
        double l = t->g + n * t->f1;
        P[n] = t->R[n] / l;
        G[n] = t->H[n] / l;
        P_y = P_y * x->y + P[n];
        at_start = at_start * t->y + G[n];
    }
    at_y = x->E * P_y * x->y * x->y;
    at_start *= t->y * t->y;
    double h = t->H[0], rho = t->R[1] * t->y, eta = t->H[1] * t->y;
    double F0 = x->F0, F1 = x->F1;
    double I = x->origin ? 1 / (t->l1 * (t->g + t->l1)) : exp_integral_2(t->g, t->l1, x->tau);
    double sum = h * (0.5 * F0 * F0 + rho * I + at_y * F0) + eta * (F0 * F1 - I + 0.5 * rho * F1 * F1 + at_y * F1);
    double sum_r = 0, start = 1, power = x->E * x->E, decay = x->origin ? 0 : exp(t->f1 * x->tau);
    for (int n = 0; n <= 2 * t->order; n++) {
        double cross = 0, own = 0;
        int low = n > t->order ? n - t->order : 0, high = n < t->order ? n : t->order;
        for (int i = low; i <= high; i++) {
            cross += t->R[i] * G[n - i];
            own += t->R[i] * t->R[n - i];
        }
        if (n >= 2 && n <= t->order)
            cross -= h * P[n];
        if (n >= 3 && n <= t->order + 1)
            cross -= t->H[1] * P[n - 1];
        double phi = phi_at(t, x, n, power) * start;
        sum_r += own * phi;
        sum += cross * phi;
        start *= t->y;
        power *= decay;
    }
    double p = integral_of(t, t->R, x), size = t->size;
    *work = size * (t->u_n - size * at_start) * p + size * size * sum;
    *slip = size * size * sum_r;
}

static void at(const slip_tail *t, double F0, slip_stride *s)
{
    point x = point_at(t, F0);
    double A = integral_of(t, t->alpha, &x), B = integral_of(t, t->beta, &x), slip;
    s->p_n = t->size * integral_of(t, t->R, &x);
    s->p_t.t1 = -t->mu * t->size * (A * t->c.t1 - B * t->c.t2);
    s->p_t.t2 = -t->mu * t->size * (A * t->c.t2 + B * t->c.t1);
    double along = t->size * x.E * horner(t->alpha, t->order, x.y);
    double across = t->size * x.E * horner(t->beta, t->order, x.y);
    s->u_t.t1 = along * t->c.t1 - across * t->c.t2;
    s->u_t.t2 = along * t->c.t2 + across * t->c.t1;
    s->u_n = u_n_at(t, &x);
    works(t, &x, &s->work, &slip);
    s->friction = -t->mu * slip;
}

void tail_point(const void *piece, double share, slip_stride *s)
{
    const slip_tail *t = piece;
    double end = isinf(t->end) ? -1 / t->g : t->end;
    at(t, share == 1 ? t->end : share * end, s);
}

/* ---- stops ---- */

static double measure_at(const slip_tail *t, slip_measure by, double F0, double *slope)
{
    point x = point_at(t, F0);
    double work, slip;
    *slope = t->size * horner(by == BY_VELOCITY ? t->H : t->R, t->order, x.y);
    if (by == BY_VELOCITY)
        return u_n_at(t, &x);
    if (by == BY_IMPULSE)
        return t->size * integral_of(t, t->R, &x);
    *slope *= u_n_at(t, &x);
    works(t, &x, &work, &slip);
    return work;
}

/* The F0 below limit at which a measure, monotone, reaches goal; first is a guess. */
static double root_of(const slip_tail *t, slip_measure by, double goal, double first, double limit)
{
    double a = 0, b = limit, x = first < limit ? first : isinf(limit) ? 1 : 0.5 * limit, slope;
    double v0 = by == BY_VELOCITY ? t->u_n : 0, sign = v0 < goal ? 1 : -1;
    for (int i = 0; i < SLIP_ROOT; i++) {
        double v = sign * (measure_at(t, by, x, &slope) - goal);
        if (v > 0)
            b = x;
        else
            a = x;
        double next = x - v / (sign * slope);
        if (!(next > a && next < b))
            next = v == 0 ? x : isinf(b) ? 2 * x : 0.5 * (a + b);
        if (fabs(next - x) <= EPS * x || v == 0)
            return next;
        x = next;
    }
    return x;
}

bool tail_stride(const slip_walk *w, slip_tail *t, slip_stride *stride)
{
    bool converging = t->g < 0;
    double limit = converging ? -1 / t->g : INFINITY, slope;
    double start = t->size * horner(t->H, t->order, t->y), start_r = t->size * horner(t->R, t->order, t->y);
    slip_stop stop = STOP_ORIGIN;
    t->end = INFINITY;
    double last = converging ? measure_at(t, BY_VELOCITY, INFINITY, &slope) : t->h > 0 ? INFINITY : -INFINITY;
    if (w->compressing) {
        if (last > 0) {
            t->end = root_of(t, BY_VELOCITY, 0, -t->u_n / start, limit);
            stop = STOP_UP;
        }
    } else {
        if (last < 0) {
            limit = t->end = root_of(t, BY_VELOCITY, 0, -t->u_n / start, limit);
            stop = STOP_DOWN;
        }
        slip_measure by = w->ending->by;
        bool reached = isinf(t->end) && !converging ? true : measure_at(t, by, t->end, &slope) >= w->need;
        if (reached) {
            double first = by == BY_VELOCITY  ? (w->need - t->u_n) / start
                           : by == BY_IMPULSE ? w->need / start_r
                                              : 2 * w->need / (t->u_n + sqrt(fmax(0, square(t->u_n) + 2 * start / start_r * w->need))) / start_r;
            t->end = root_of(t, by, w->need, first, limit);
            stop = STOP_DONE;
        }
    }
    if (isinf(t->end) && stop != STOP_ORIGIN)
        return false;
    if (stop != STOP_ORIGIN && point_at(t, t->end).tau * (fabs(t->g) - t->f1) < TAIL_SHORT)
        return false;
    stride->stop = stop;
    at(t, t->end, stride);
    if (stop == STOP_ORIGIN)
        stride->u_t.t1 = stride->u_t.t2 = 0;
    if (stop == STOP_UP || stop == STOP_DOWN)
        stride->u_n = 0;
    return true;
}

void tail_resume(const slip_walk *w, slip_tail *t)
{
    point x = point_at(t, t->end);
    t->size *= x.E;
    t->y = x.y;
    t->u_n = w->u_n;
}
