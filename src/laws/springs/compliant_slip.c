/* Compliant impact: slipping.
 *
 * In a plane the direction s is fixed: u is linear in the normal impulse and y = f^2 is quadratic. In space time is a
 * bad variable: the direction equation of (2) is singular at both ends, where f = 0. Two others are better:
 *
 *     impulse   dp_n = f dt   u and p are linear in the direction s, and y = f^2 is regular where the impact begins:
 *               mu y ds/dp_n = s_perp (u_t . s_perp),   dy/dp_n = -2 k u_n                                    (7)
 *     tau       dtau = dt / f, in which the ends are at infinity:
 *               y' = -2 k u_n y,   p' = (-mu s, 1) y,   mu s' = s_perp (u_t . s_perp)                         (8)
 *
 * The first begins the impact, and follows the slow manifold of (7) where the direction is much faster than all else
 * (small eta); see compliant_slow.c. The second does the rest (compliant_tau.c), until what is left of the impact is
 * known in closed form (compliant_tail.c). */
#include "laws/springs/compliant_slip.h"

enum {
    SLIP_SAMPLES = 4, /* points per series where events are looked for: a step is a fraction of the radius */
    RETRY_AFTER = 8,  /* steps of (8) before the slow manifold is tried again */
};
#define REACH_LEAST EPS /* in units of the series: a shorter one leads nowhere */

/* ---- stretches ---- */

void series_begin(const compliant *c, series *x)
{
    const spot *a = &c->now;
    x->p1[0] = a->p.t1;
    x->p2[0] = a->p.t2;
    x->pn[0] = a->p.n;
    x->u1[0] = a->u.t1;
    x->u2[0] = a->u.t2;
    x->un[0] = a->u.n;
    x->s1[0] = a->s.t1;
    x->s2[0] = a->s.t2;
    x->y[0] = a->y;
}

/* The spot at t; u = u(0) + K (p - p(0)). */
static spot series_at(const compliant *c, const series *x, double t)
{
    double p1 = 0, p2 = 0, pn = 0, s1 = 0, s2 = 0, y = 0;
    for (int i = x->order; i > 0; i--) {
        p1 = (p1 + x->p1[i]) * t;
        p2 = (p2 + x->p2[i]) * t;
        pn = (pn + x->pn[i]) * t;
        s1 = (s1 + x->s1[i]) * t;
        s2 = (s2 + x->s2[i]) * t;
        y = (y + x->y[i]) * t;
    }
    spot a = {{x->p1[0], x->p2[0], x->pn[0]}, {x->u1[0], x->u2[0], x->un[0]}, {0, 0, 0}, {0, 0}, 0}, b;
    spot_move(c, &a, carom_cvec_make(p1, p2, pn), &b);
    spot_aim(c, x->s1[0] + s1, x->s2[0] + s2, x->y[0] + y, &b);
    return b;
}

typedef struct slip_stretch {
    const compliant *c;
    const series *x;
} slip_stretch;

static void slip_stretch_at(const carom_piece *piece, double s, carom_state *state)
{
    const slip_stretch *way = (const slip_stretch *)piece->data;
    spot a = series_at(way->c, way->x, s * way->x->length);
    *state = compliant_state(way->c, &a);
}

static void show(const compliant *c, const series *x)
{
    slip_stretch way = {c, x};
    if (c->tracer)
        compliant_show(c, taylor_at(x->pn, x->order, x->length), slip_stretch_at, &way);
}

static void show_straight(const compliant *c, carom_cvec dp, double y)
{
    series x = {.order = 2, .length = 1};
    series_begin(c, &x);
    x.p1[1] = dp.t1;
    x.p2[1] = dp.t2;
    x.pn[1] = dp.n;
    series_move(c, 1, &x);
    x.y[1] = -2 * c->k * c->now.u.n * dp.n;
    x.y[2] = y - c->now.y - x.y[1];
    show(c, &x);
}

/* Go on by dp without turning, to y = f^2. */
static void go_straight(compliant *c, carom_cvec dp, double y)
{
    if (c->tracer)
        show_straight(c, dp, y);
    spot_move(c, &c->now, dp, &c->now);
    spot_aim(c, c->now.s.t1, c->now.s.t2, y, &c->now);
}

/* ---- straight slip (also frictionless impacts, where only the normal spring acts) ---- */

/* The impulse at which y = f^2 falls to zero: E = u_n P + H P^2 / 2, the first positive P. */
static double spent_at(double energy, double u_n, double H)
{
    double root = square(u_n) + 2 * H * energy;
    if (root < 0 || (H <= 0 && u_n <= 0))
        return INFINITY;
    return u_n > 0 ? 2 * energy / (u_n + sqrt(root)) : (sqrt(root) - u_n) / H;
}

/* The impulse at which a further compression begins (6a): u_n = 0, or y = peak^2. */
static double reloads_at(const compliant *c, double u_n, double H)
{
    if (!may_reload(c) || H >= 0)
        return INFINITY;
    if (c->reading != CAROM_OPTION_PHASES_PEAK)
        return u_n / -H;
    double room = max(0, square(c->peak) - c->now.y) / c->k; /* H P^2 + 2 u_n P + room = 0 */
    return (u_n + sqrt(square(u_n) - H * room)) / -H;
}

static ending straight_slip(compliant *c)
{
    spot *a = &c->now;
    carom_cvec d = carom_cvec_make(-c->mu * a->s.t1, -c->mu * a->s.t2, 1), v = carom_csym_apply(c->K, d);
    double fall = -(v.t1 * a->s.t1 + v.t2 * a->s.t2 + c->mu * c->k * v.n); /* -d sigma / dP */
    double stick = c->mu > 0 && fall > 0 ? max(0, slide_speed(c, a)) / fall : INFINITY;
    double phase = c->restitution ? spent_at(0.5 * a->y / c->k, a->u.n, v.n) : v.n > 0 ? -a->u.n / v.n : INFINITY;
    double reload = reloads_at(c, a->u.n, v.n), P = min(stick, min(phase, reload));
    if (!(P < INFINITY))
        return ENDS_UNBOUNDED;
    bool last = c->restitution && P == phase;
    go_straight(c, carom_cvec_scale(P, d), last ? 0 : a->y - c->k * P * (2 * a->u.n + P * v.n));
    c->reload_order = 0;
    return last ? ENDS_IMPACT : P == phase ? ENDS_COMPRESSION : P == stick ? ENDS_SWITCH : ENDS_RESTITUTION;
}

/* ---- what ends slip in space ---- */

/* By how much sigma can fall per normal impulse: by no more than what K does to it, since the rotation of s towards u_t
 * only raises it. */
static double slide_fall(const compliant *c)
{
    const carom_csym *K = &c->K;
    double b = sqrt(square(K->t1n) + square(K->t2n));
    double M = 0.5 * (K->t11 + K->t22) + sqrt(square(0.5 * (K->t11 - K->t22)) + square(K->t12));
    return fabs(1 - c->mu * c->mu * c->k) * b + c->mu * (M - c->k * K->nn);
}

/* Can sigma reach zero on the way to b, the spot at t? The shorter the parts, the sharper the bound. */
static bool may_stick(const compliant *c, const series *x, double t, const spot *b)
{
    double fall = slide_fall(c);
    spot from = c->now;
    if (b->y > 0 && slide_speed(c, &from) > fall * (b->p.n - from.p.n))
        return false;
    for (int i = 1; i <= SLIP_SAMPLES; i++) {
        spot to = i < SLIP_SAMPLES ? series_at(c, x, t * i / SLIP_SAMPLES) : *b;
        if (to.y <= 0 || slide_speed(c, &from) <= fall * (to.p.n - from.p.n)) /* beyond f = 0 p_n has no meaning */
            return true;
        from = to;
    }
    return false;
}

/* When sigma (3) falls to zero, up to t. */
static bool sticks(const compliant *c, const series *x, double t, double *found)
{
    double sigma[SERIES_ORDER + 1];
    for (int n = 0; n <= x->order; n++) {
        sigma[n] = c->mu * c->k * x->un[n];
        for (int i = 0; i <= n; i++)
            sigma[n] += x->s1[i] * x->u1[n - i] + x->s2[i] * x->u2[n - i];
    }
    return taylor_falls(sigma, x->order, t, SLIP_SAMPLES, found);
}

/* No direction of slip lets u_n fall. */
static bool only_rises(const compliant *c)
{
    const carom_csym *K = &c->K;
    return K->nn > c->mu * sqrt(square(K->t1n) + square(K->t2n));
}

/* When u_n rises to zero on the way to b. A jam that begins from grazing, or a further compression, has a root
 * at its beginning, which is divided out. */
static bool compression_ends(const compliant *c, const series *x, const spot *b, double *found)
{
    double rise[SERIES_ORDER + 1];
    int skip = x->un[0] == 0 && (x->y[0] == 0 || c->reload_order);
    if (only_rises(c) && b->u.n < 0)
        return false;
    for (int i = skip; i <= x->order; i++)
        rise[i - skip] = -x->un[i];
    return taylor_falls(rise, x->order - skip, x->length, SLIP_SAMPLES, found);
}

/* When f falls to zero on the way to b: f falls while u_n > 0, so its end tells, unless u_n has turned and f may have
 * been lower before. */
static bool impact_ends(const compliant *c, const series *x, const spot *b, double *found)
{
    bool may = b->y <= 0 || (c->now.u.n >= 0 && b->u.n < 0);
    return may && !x->to_infinity && taylor_falls(x->y, x->order, x->length, SLIP_SAMPLES, found);
}

/* When a further compression begins (6a). What is zero where the phase begins is divided out. */
static bool reloads(const compliant *c, const series *x, double *found)
{
    double left[SERIES_ORDER + 1];
    bool by_peak = c->reading == CAROM_OPTION_PHASES_PEAK;
    int skip = c->reload_order;
    if (!may_reload(c) || only_rises(c))
        return false;
    for (int i = skip; i <= x->order; i++)
        left[i - skip] = by_peak ? (i ? 0 : square(c->peak)) - x->y[i] : x->un[i];
    return taylor_falls(left, x->order - skip, x->length, SLIP_SAMPLES, found);
}

/* Go on along the series, to its end or to what ends slip before. */
static ending take(compliant *c, series *x)
{
    ending how = ENDS_NOT;
    double found;
    spot b = series_at(c, x, x->length);
    if (c->restitution ? impact_ends(c, x, &b, &found) : compression_ends(c, x, &b, &found)) {
        how = c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        x->length = found;
        b = series_at(c, x, found);
    }
    if (reloads(c, x, &found)) {
        how = ENDS_RESTITUTION;
        x->length = found;
        b = series_at(c, x, found);
    }
    if (may_stick(c, x, x->length, &b) && sticks(c, x, x->length, &found)) {
        how = ENDS_SWITCH;
        x->length = found;
        b = series_at(c, x, found);
    }
    if (how == ENDS_IMPACT)
        spot_aim(c, b.s.t1, b.s.t2, 0, &b);
    show(c, x);
    c->now = b;
    c->reload_order = 0;
    return how;
}

static ending spatial_slip(compliant *c)
{
    int wait = 0;
    ending how = ENDS_NOT;
    for (; c->steps < COMPLIANT_STEPS && how == ENDS_NOT; c->steps += SLIP_STEPS) {
        series x;
        tail end = slip_tail(c);
        if (end.ready) {
            go_straight(c, end.p, 0);
            return ENDS_IMPACT;
        }
        bool slow = false;
        if (wait-- <= 0 && slow_applies(c)) {
            slow = slow_series(c, &x);
            wait = slow ? 0 : RETRY_AFTER;
        }
        if (!slow)
            tau_series(c, end.weight, &x);
        if (!(x.length > REACH_LEAST))
            return ENDS_NOT;
        how = take(c, &x);
    }
    return how;
}

ending compliant_slip(compliant *c)
{
    return c->planar || c->straight || c->mu == 0 ? straight_slip(c) : spatial_slip(c);
}
