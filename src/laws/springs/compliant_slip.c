/* Compliant impact in space: slipping.
 *
 * Time is a bad variable: the direction equation of (2) is singular at both ends, where f = 0. Two others are better:
 *
 *     impulse   dp_n = f dt   u and p are linear in the direction s, and y = f^2 is regular where the impact begins:
 *               mu y ds/dp_n = s_perp (u_t . s_perp),   dy/dp_n = -2 k u_n                                    (7)
 *     tau       dtau = dt / f, in which the ends are at infinity:
 *               y' = -2 k u_n y,   p' = (-mu s, 1) y,   mu s' = s_perp (u_t . s_perp)                         (8)
 *
 * The first begins the impact, and follows the slow manifold of (7) where the direction is much faster than all else
 * (small eta); see compliant_slow.c. The second does the rest (compliant_expand.c), until what is left of the impact is
 * known in closed form (compliant_tail.c). */
#include "laws/springs/compliant_slip.h"

enum {
    TAU_LEAST = 8, /* the order of (8) where no more than 2^-TAU_BITS of p_n is still to come */
    TAU_BITS = 51,
    RETRY_AFTER = 8, /* steps of (8) before the slow manifold is tried again */
};
#define TAU_TOL      (4 * EPS) /* of u, and of s and y, weighted with the impulse still to come */
#define LAST_BUT_ONE 4.0       /* times TAU_TOL: what the last term but one may be */
#define LN_2         0.6931471805599453
#define POLE_HEIGHT  1.5707963267948966 /* pi / 2 */
#define POLE_BEHIND  1.5 /* times theta^2: how much of the way to infinity to leave, where the poles are far behind */
#define POLE_SLOPE   0.1 /* of K_nn: the least du_n/dp_n that the poles are sought with */
#define WARP_MOST    0.9 /* of the way to where D of (8a) may vanish */

static void load(const compliant *c, series *x)
{
    const spot *a = &c->now;
    const double start[SERIES_ROWS] = {a->p.t1, a->p.t2, a->p.n, a->u.t1, a->u.t2, a->u.n, a->s.t1, a->s.t2, a->y};
    for (int i = 0; i < SERIES_ROWS; i++)
        x->row[i][0] = start[i];
    x->c = c;
}

/* With the slope H = du_n/dp_n of this moment the normal motion is known: u_n is a tanh and f a sech, with a pair of
 * poles at
 *
 *     tau = (-theta +- i pi / 2) / r,   r^2 = k (H y + k u_n^2),   tanh theta = k u_n / r
 *
 * from here. (8a) maps the plane but for a cut that ends in them onto a disc, and a series in z holds further than one
 * in tau. It need not be exact: what it is good for shows in the last terms. Once the poles are far behind, infinity
 * must not come nearer than they are. */
static tau_map tau_map_of(const compliant *c)
{
    const spot *a = &c->now;
    double H = larger(c->K.nn - c->mu * (c->K.t1n * a->s.t1 + c->K.t2n * a->s.t2), POLE_SLOPE * c->K.nn);
    double load = H * a->y, speed = c->d * fabs(a->u.n), root = sqrt(load + speed * speed), r = c->d * root;
    double size = LN_2 * (log2_below(root + speed) - 0.5 * log2_below(larger(load, DBL_MIN)));
    double behind = a->u.n > 0 ? POLE_BEHIND : 1, theta = a->u.n > 0 ? size : -size, height2 = square(POLE_HEIGHT);
    double unit = (fabs(a->u.t1) + fabs(a->u.t2)) * (1 / c->mu) + 2 * r, rate = r / unit;
    tau_map map = {unit, -rate * (theta / (behind * square(theta) + height2)),
                   -square(rate * (0.5 * POLE_HEIGHT / (square(theta) + height2)))};
    return map;
}

/* Take the tail in one straight stretch. */
static ending finish(compliant *c, const tail *end)
{
    spot *a = &c->now;
    carom_cvec du = carom_csym_apply(c->K, end->p);
    if (c->tracer) {
        series x;
        load(c, &x);
        const double step[SERIES_ROWS] = {end->p.t1, end->p.t2, end->p.n, du.t1, du.t2, du.n, 0, 0, 0};
        double fall = 2 * c->k * end->p.n * a->u.n;
        x.order = 2;
        x.length = 1;
        for (int i = 0; i < SERIES_ROWS; i++) {
            x.row[i][1] = step[i];
            x.row[i][2] = 0;
        }
        x.row[ROW_X3][1] = -fall;
        x.row[ROW_X3][2] = fall - a->y;
        compliant_show(&x);
    }
    a->p = carom_cvec_add(a->p, end->p);
    a->u = carom_cvec_add(a->u, du);
    a->F = carom_cvec_make(0, 0, 0);
    a->y = 0;
    return ENDS_IMPACT;
}

const double slip_part[SLIP_PARTS] = {1.0 / 1,  1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                      1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16,
                                      1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24,
                                      1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31, 1.0 / 32};
_Static_assert(SLIP_PARTS >= TAU_ORDER && SLIP_PARTS >= SLOW_ORDER, "one for every order");

const slip_series *slip_series_best(void)
{
#ifdef LANES_HAVE_AVX512
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return &slip_series_avx512;
#endif
#ifdef LANES_HAVE_AVX2
    if (__builtin_cpu_supports("avx2"))
        return &slip_series_avx2;
#endif
    return &slip_series_baseline;
}

/* Near the end only the leading digits of the direction count, and fewer terms give them. */
static int tau_order(double weight)
{
    return TAU_ORDER + (TAU_ORDER - TAU_LEAST) * exponent_of(weight) / TAU_BITS;
}

static carom_cvec first_three(const quad *x)
{
    return carom_cvec_make(quad_at(x, 0), quad_at(x, 1), quad_at(x, 2));
}

static carom_cvec speed_term(const compliant *c, const tau_series *x, int i)
{
    return carom_csym_apply(c->K, first_three(&x->p[i]));
}

/* How far the series holds: the last terms of s and y count by what they still move. */
static double tau_reach(const compliant *c, const tau_map *map, const tau_series *x, double weight)
{
    double last[2], most = WARP_MOST / (fabs(map->alpha) + sqrt(-map->beta));
    for (int i = 0; i < 2; i++) {
        int n = x->order - 1 + i;
        carom_cvec sy = first_three(&x->sy[n]), u = speed_term(c, x, n);
        last[i] = weight * (fabs(sy.t1) + fabs(sy.t2) + 0.25 * fabs(sy.n)) + fabs(u.t1) + fabs(u.t2) + fabs(u.n);
    }
    last[0] /= LAST_BUT_ONE;
    double reach = taylor_reach(last, x->order, TAU_TOL);
    return reach < most ? reach : most;
}

/* The spot at t. */
static void tau_at(const compliant *c, const tau_series *x, double t, spot *b)
{
    quad dp, sy;
    slip_series_best()->sum(x, t, &dp, &sy);
    spot_move(c, &c->now, first_three(&dp), b);
    spot_aim(c, c->now.s.t1 + quad_at(&sy, 0), c->now.s.t2 + quad_at(&sy, 1), c->now.y * (1 + quad_at(&sy, 2)), b);
}

/* The series as rows. */
static void rows_of(const compliant *c, const tau_series *x, series *r)
{
    load(c, r);
    r->order = x->order;
    for (int i = 1; i <= x->order; i++) {
        carom_cvec p = first_three(&x->p[i]), u = speed_term(c, x, i), sy = first_three(&x->sy[i]);
        const double term[SERIES_ROWS] = {p.t1, p.t2, p.n, u.t1, u.t2, u.n, sy.t1, sy.t2, c->now.y * sy.n};
        for (int k = 0; k < SERIES_ROWS; k++)
            r->row[k][i] = term[k];
    }
}

/* By how much sigma can fall per normal impulse: by no more than what K does to it, since the rotation of s towards u_t
 * only raises it. */
static double slide_fall(const compliant *c)
{
    const carom_csym *K = &c->K;
    double pull = sqrt(square(K->t1n) + square(K->t2n));
    double drag = 0.5 * (K->t11 + K->t22) + sqrt(square(0.5 * (K->t11 - K->t22)) + square(K->t12));
    return fabs(1 - c->mu * c->mu * c->k) * pull + c->mu * (drag - c->k * K->nn);
}

/* Can sigma reach zero between two spots? */
static bool may_stick(const compliant *c, const spot *a, const spot *b)
{
    return slide_speed(c, a) <= slide_fall(c) * (b->p.n - a->p.n);
}

/* No direction of slip lets u_n fall. */
static bool only_rises(const compliant *c)
{
    const carom_csym *K = &c->K;
    return square(K->nn) > square(c->mu) * (square(K->t1n) + square(K->t2n));
}

/* Can u_n or f? Where u_n only rises, b tells; it rises by no more than K_nn + mu |b| per impulse. f falls while u_n >
 * 0, so its end tells, unless u_n has turned and f may have been lower before. */
static bool may_end_phase(const compliant *c, const spot *b)
{
    const spot *a = &c->now;
    double rise = c->K.nn + c->mu * sqrt(square(c->K.t1n) + square(c->K.t2n));
    if (c->restitution)
        return b->y <= 0 || (a->u.n >= 0 && b->u.n < 0);
    return only_rises(c) ? b->u.n >= 0 : a->u.n + rise * (b->p.n - a->p.n) >= 0;
}

/* When sigma (3) falls to zero, up to t. */
static bool sticks(const compliant *c, const series *x, double t, double *found)
{
    const double *s1 = x->row[ROW_X1], *s2 = x->row[ROW_X2], *u1 = x->row[ROW_U1], *u2 = x->row[ROW_U2];
    double sigma[SERIES_ORDER + 1];
    for (int n = 0; n <= x->order; n++)
        sigma[n] = c->mu * c->k * x->row[ROW_UN][n];
    for (int i = 0; i <= x->order; i++)
        for (int n = i; n <= x->order; n++)
            sigma[n] += s1[i] * u1[n - i] + s2[i] * u2[n - i];
    return taylor_falls(sigma, x->order, t, SLIP_SAMPLES, found);
}

/* When u_n rises to zero, up to t. A jam that begins from grazing has a root at its beginning, which is divided out. */
static bool turns_back(const series *x, double t, double *found)
{
    double rise[SERIES_ORDER + 1];
    int skip = x->row[ROW_UN][0] == 0 && x->row[ROW_X3][0] == 0;
    for (int i = skip; i <= x->order; i++)
        rise[i - skip] = -x->row[ROW_UN][i];
    return taylor_falls(rise, x->order - skip, t, SLIP_SAMPLES, found);
}

/* When the phase ends on the way to b. */
static bool phase_ends(const compliant *c, const spot *b, const series *x, double *found)
{
    if (!may_end_phase(c, b))
        return false;
    return c->restitution ? taylor_falls(x->row[ROW_X3], x->order, x->length, SLIP_SAMPLES, found)
                          : turns_back(x, x->length, found);
}

/* What ends slip on the way to b, the end of the series: sets its length. ENDS_NOT when nothing does. (Beyond f = 0 the
 * impulse at b says nothing about the way.) */
static ending ending_of(const compliant *c, const spot *b, series *x)
{
    ending how = ENDS_NOT;
    double found;
    if (phase_ends(c, b, x, &found)) {
        how = c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        x->length = found;
    }
    if ((b->y <= 0 || may_stick(c, &c->now, b)) && sticks(c, x, x->length, &found)) {
        how = ENDS_SWITCH;
        x->length = found;
    }
    return how;
}

static ending arrive(compliant *c, const spot *b, ending how)
{
    c->now = *b;
    if (how == ENDS_IMPACT)
        c->now.y = c->now.F.n = c->now.F.t1 = c->now.F.t2 = 0;
    return how;
}

ending slip_take(compliant *c, series *x, double reach)
{
    spot b = series_at(x, x->length = reach);
    ending how = ending_of(c, &b, x);
    compliant_show(x);
    if (how != ENDS_NOT)
        b = series_at(x, x->length);
    return arrive(c, &b, how);
}

/* When u_n rises to zero on the way to b, up to t. */
static bool tau_turns_back(const compliant *c, const tau_series *x, const spot *b, double t, double *found)
{
    double fall[TAU_ORDER + 1];
    if (c->restitution || (only_rises(c) && b->u.n < 0))
        return false;
    fall[0] = -c->now.u.n;
    for (int i = 1; i <= x->order; i++)
        fall[i] = -speed_term(c, x, i).n;
    return taylor_falls(fall, x->order, t, SLIP_SAMPLES, found);
}

/* Can sigma reach zero up to t? The less far at once, the sharper the bound. */
static bool tau_may_stick(const compliant *c, const tau_series *x, const spot *b, double t)
{
    spot from = c->now;
    bool may = may_stick(c, &from, b);
    for (int i = 1; may && i <= SLIP_SAMPLES; i++) {
        spot to = *b;
        if (i < SLIP_SAMPLES)
            tau_at(c, x, t * i / SLIP_SAMPLES, &to);
        if (may_stick(c, &from, &to))
            return true;
        from = to;
    }
    return false;
}

/* The spot at t, or where slip ends before; f = 0 is at infinity here. */
static ending tau_take(const compliant *c, const tau_series *x, double *t, spot *b)
{
    ending how = ENDS_NOT;
    double found;
    series rows;
    tau_at(c, x, *t, b);
    if (tau_turns_back(c, x, b, *t, &found)) {
        how = ENDS_COMPRESSION;
        tau_at(c, x, *t = found, b);
    }
    if (!tau_may_stick(c, x, b, *t))
        return how;
    rows_of(c, x, &rows);
    if (!sticks(c, &rows, *t, &found))
        return how;
    tau_at(c, x, *t = found, b);
    return ENDS_SWITCH;
}

/* One step of (8); ENDS_NOT when nothing ended. */
static ending tau_step(compliant *c, double weight)
{
    tau_series x;
    spot b;
    const tau_map map = tau_map_of(c);
    x.order = tau_order(weight);
    slip_series_best()->expand(c, &map, &x);
    double t = tau_reach(c, &map, &x, weight);
    ending how = tau_take(c, &x, &t, &b);
    if (c->tracer) {
        series rows;
        rows_of(c, &x, &rows);
        rows.length = t;
        compliant_show(&rows);
    }
    return arrive(c, &b, how);
}

ending spatial_slip(compliant *c)
{
    int wait = 0;
    ending how = ENDS_NOT;
    for (; c->steps < COMPLIANT_STEPS && how == ENDS_NOT; c->steps++) {
        tail end = slip_tail(c);
        if (end.ready)
            return finish(c, &end);
        if (wait-- <= 0 && slow_applies(c)) {
            if (slow_step(c, &how))
                continue;
            wait = RETRY_AFTER;
        }
        how = tau_step(c, end.weight);
    }
    return how;
}
