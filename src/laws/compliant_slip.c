/* Compliant impact in space: slipping.
 *
 * Time is a bad variable: the direction equation of (2) is singular at both ends, where f = 0. Two others are not:
 *
 *     impulse   dp_n = f dt   u and p are linear in the direction s, and y = f^2 is regular where the impact begins:
 *               mu y ds/dp_n = s_perp (u_t . s_perp),   dy/dp_n = -2 k u_n                                    (7)
 *     logarithm dtau = dt / f, which pushes the end to infinity:
 *               s' = s_perp (u_t . s_perp) / mu,   y' = -2 k u_n y,   p' = (-mu y s, y)                       (8)
 *
 * The first begins the impact, and follows the slow manifold of (7) where the direction is much faster than all else
 * (small eta); see compliant_slow.c. The second does the rest, and stops when what is left of the impact is known in
 * closed form (the tail). */
#include "laws/compliant_slip.h"

enum {
    LOG_ORDER = 24,
    LOG_LEAST = 8,
    RETRY_AFTER = 8, /* logarithmic steps before the slow manifold is tried again */
};
#define LOG_TOL  (2 * EPS) /* of s, ln y and u, weighted with the impulse still to come */
#define TAIL_TOL (2 * EPS) /* of p_n: what third order terms of the tail may add */

static void load(const compliant *c, series *x)
{
    const spot *a = &c->now;
    const double start[SERIES_ROWS] = {a->p.t1, a->p.t2, a->p.n, a->u.t1, a->u.t2, a->u.n, a->s.t1, a->s.t2, a->y};
    for (int i = 0; i < SERIES_ROWS; i++)
        x->row[i][0] = start[i];
    x->c = c;
}

/* A rate that is large compared to all rates in tau. */
static double log_unit(const compliant *c)
{
    const spot *a = &c->now;
    return carom_cvec_slip(a->u) / c->mu + 2 * c->k * fabs(a->u.n) + sqrt(2 * c->k * c->K.nn * a->y);
}

/* The coefficients of (8) as its products want them: s = (s_1, s_2), u = (u_2, u_1), y and w twice. */
typedef struct factors {
    pair s[LOG_ORDER + 1], u[LOG_ORDER + 1], y[LOG_ORDER + 1], w[LOG_ORDER + 1];
    double u_n[LOG_ORDER + 1];
} factors;

/* Sums of a_j b_{i-j} over j, all in one pass. */
typedef struct sums {
    pair su, sy, sw; /* s u; s y; s w without j = 0, as w_i is not known yet */
    double uy;       /* u_n y */
} sums;

static sums products(const factors *x, int i)
{
    sums p = {x->s[0] * x->u[i], x->s[0] * x->y[i], {0, 0}, x->u_n[0] * x->y[i][0]};
    for (int j = 1; j <= i; j++) {
        pair s = x->s[j], y = x->y[i - j];
        p.su += s * x->u[i - j];
        p.sy += s * y;
        p.sw += s * x->w[i - j];
        p.uy += x->u_n[j] * y[0];
    }
    return p;
}

/* Coefficient i of the series, in the form of the factors. */
typedef struct term {
    pair s, u;
    double y, u_n;
} term;

static void keep(factors *x, int i, const term *a)
{
    x->s[i] = a->s;
    x->u[i] = a->u;
    x->y[i] = (pair){a->y, a->y};
    x->u_n[i] = a->u_n;
}

/* The next coefficients; the rows get them, and the term. */
static void next_term(const compliant *c, double pace, int i, const sums *p, series *x, term *a)
{
    double(*r)[SERIES_ORDER + 2] = x->row;
    double g = pace / (i + 1), slide = -c->mu * g;
    carom_cvec dp = carom_cvec_make(slide * p->sy[0], slide * p->sy[1], g * a->y);
    carom_cvec du = carom_csym_apply(c->K, dp);
    double s1 = -g / c->mu * p->sw[1], s2 = g / c->mu * p->sw[0], y = -2 * c->k * g * p->uy;
    r[ROW_P1][i + 1] = dp.t1;
    r[ROW_P2][i + 1] = dp.t2;
    r[ROW_PN][i + 1] = dp.n;
    r[ROW_U1][i + 1] = du.t1;
    r[ROW_U2][i + 1] = du.t2;
    r[ROW_UN][i + 1] = du.n;
    r[ROW_X1][i + 1] = s1;
    r[ROW_X2][i + 1] = s2;
    r[ROW_X3][i + 1] = y;
    a->s = (pair){s1, s2};
    a->u = (pair){du.t2, du.t1};
    a->y = y;
    a->u_n = du.n;
}

/* (8), in units of 1 / unit. */
static void log_expand(const compliant *c, double unit, series *x)
{
    const spot *now = &c->now;
    term a = {{now->s.t1, now->s.t2}, {now->u.t2, now->u.t1}, now->y, now->u.n};
    factors to;
    load(c, x);
    for (int i = 0; i < x->order; i++) {
        keep(&to, i, &a);
        sums p = products(&to, i);
        double w = p.su[0] - p.su[1]; /* u_t . s_perp */
        to.w[i] = (pair){w, w};
        p.sw += to.s[0] * to.w[i];
        next_term(c, 1 / unit, i, &p, x, &a);
    }
}

/* The tail: what is left when u_n > 0 and f is small, to second order in the rotation and in the impulse still to come.
 * With x the impulse left, theta the rotation of s from now on, and c = 2 mu k u_e, the equation of (7) reads
 * c x theta' = w (1 + H x / 2 u_e), and integrating it against 1 and x gives the moments of theta without solving it:
 *
 *     Psi = integral of x^2 theta' = (w P^2 + B P^3 / 3) / (q + 2 c)
 *     Phi = integral of theta  = (w P + B P^2 / 2 + Psi (A - mu s_perp.M s_perp + H c / u_e) / 2) / (q + c + A P)
 *     integral of theta^2 = 2 (w Phi + B (P Phi - Psi / 2)) / (c + 2 q)                                         (9)
 *
 * where q = u_t.s, w = u_t.s_perp, u_e is u_n at the end, and du/dp_n = v: A = v.s, B = v.s_perp, H = v_n. */
typedef struct tail {
    carom_cvec p;  /* the impulse still to come */
    double weight; /* its share of p_n, friction included */
    bool ready;    /* accurate to TAIL_TOL */
} tail;

/* The state at the beginning of the tail, along s and s_perp. */
typedef struct slope {
    double q, w, A, B, H, across, lift; /* across = s_perp.M s_perp, lift = b.s_perp */
} slope;

static slope slope_of(const compliant *c)
{
    const spot *a = &c->now;
    const carom_csym *K = &c->K;
    double s1 = a->s.t1, s2 = a->s.t2;
    carom_cvec v = carom_csym_apply(*K, carom_cvec_make(-c->mu * s1, -c->mu * s2, 1));
    slope g = {s1 * a->u.t1 + s2 * a->u.t2,
               s1 * a->u.t2 - s2 * a->u.t1,
               s1 * v.t1 + s2 * v.t2,
               s1 * v.t2 - s2 * v.t1,
               v.n,
               K->t11 * s2 * s2 - 2 * K->t12 * s1 * s2 + K->t22 * s1 * s1,
               s1 * K->t2n - s2 * K->t1n};
    return g;
}

/* Impulse P and the moments of theta; what is left once P is below rounding goes straight on. */
static carom_cvec tail_impulse(const compliant *c, const slope *g, double P, double u_e)
{
    double mu = c->mu, d = 2 * mu * c->k * u_e;
    double Psi = P * P * (g->w + g->B * P / 3) / (g->q + 2 * d);
    double Phi = P * (g->w + 0.5 * g->B * P) + 0.5 * Psi * (g->A - mu * g->across + g->H * d / u_e);
    Phi /= g->q + d + g->A * P;
    double spread = 2 * (g->w * Phi + g->B * (P * Phi - 0.5 * Psi)) / (d + 2 * g->q);
    P += 0.5 * mu * g->lift * Psi / u_e; /* H falls by mu lift theta */
    tvec s = c->now.s;
    double along = P - 0.5 * spread;
    return carom_cvec_make(-mu * (along * s.t1 - Phi * s.t2), -mu * (along * s.t2 + Phi * s.t1), P);
}

static tail find_tail(const compliant *c)
{
    tail end = {{0, 0, 0}, 1, false};
    const spot *a = &c->now;
    if (!c->restitution || a->u.n <= 0)
        return end;
    slope g = slope_of(c);
    double E = 0.5 * a->y / c->k, root = square(a->u.n) + 2 * g.H * E;
    if (root <= 0)
        return end;
    double u_e = sqrt(root), P = 2 * E / (a->u.n + u_e), d = 2 * c->mu * c->k * u_e, stiff = g.q + d;
    double share = P * (1 + c->mu) / a->p.n;
    end.weight = share < 1 ? share : 1;
    if (share <= TAIL_TOL) {
        end.ready = true;
        end.p = carom_cvec_make(-c->mu * P * a->s.t1, -c->mu * P * a->s.t2, P);
        return end;
    }
    double bend = P * (fabs(g.H) / a->u.n + c->mu * (c->K.t11 + c->K.t22 + c->K.nn) / stiff);
    double slack = (d + 2 * g.q) / d; /* 2 sigma / d at the end: theta^2 is hardly integrable when it is small */
    double angle = (fabs(g.w) + fabs(g.B) * P) / stiff, margin = fmin(slack, 1 - bend);
    end.ready = stiff > 0 && margin > 0 && share * angle * square(angle + bend) <= TAIL_TOL * margin;
    if (end.ready)
        end.p = tail_impulse(c, &g, P, u_e);
    return end;
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

/* Near the end only the leading digits of the direction count, and fewer terms give them. */
static int log_order(double weight)
{
    return LOG_LEAST + (int)((LOG_ORDER - LOG_LEAST) * (1 - log(weight) / log(LOG_TOL)));
}

/* How far the series holds: the last terms of s and y count by what they still move. */
static double log_reach(const series *x, double weight)
{
    double last[2];
    const double(*r)[SERIES_ORDER + 2] = x->row;
    for (int i = 0; i < 2; i++) {
        int n = x->order - 1 + i;
        double shape = fabs(r[ROW_X1][n]) + fabs(r[ROW_X2][n]) + fabs(r[ROW_X3][n]) / r[ROW_X3][0];
        double speed = fabs(r[ROW_U1][n]) + fabs(r[ROW_U2][n]) + fabs(r[ROW_UN][n]);
        last[i] = weight * shape + speed;
    }
    return taylor_reach(last, x->order, LOG_TOL);
}

/* True when sigma cannot reach zero up to t: it changes by no more than u does, plus |u_t| times the turn of s. */
static bool slides_on(const compliant *c, const series *x, double t)
{
    const double(*r)[SERIES_ORDER + 2] = x->row;
    double du = 0, ds = 0, k = c->mu * c->k;
    for (int i = x->order; i > 0; i--) {
        du = (du + fabs(r[ROW_U1][i]) + fabs(r[ROW_U2][i]) + k * fabs(r[ROW_UN][i])) * t;
        ds = (ds + fabs(r[ROW_X1][i]) + fabs(r[ROW_X2][i])) * t;
    }
    return slide_speed(c, &c->now) > du + (carom_cvec_slip(c->now.u) + du) * ds;
}

/* When sigma falls to zero, up to t. */
static bool sticks(const compliant *c, const series *x, double t, double *found)
{
    double sigma[SERIES_ORDER + 1];
    const double(*r)[SERIES_ORDER + 2] = x->row;
    if (slides_on(c, x, t))
        return false;
    for (int i = 0; i <= x->order; i++) {
        double slip = taylor_product(r[ROW_X1], r[ROW_U1], i) + taylor_product(r[ROW_X2], r[ROW_U2], i);
        sigma[i] = slip + c->mu * c->k * r[ROW_UN][i]; /* (3) */
    }
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

ending slip_step_end(const compliant *c, series *x, double reach)
{
    ending how = ENDS_NOT;
    double found;
    x->length = reach;
    if (!c->restitution && turns_back(x, x->length, &found)) {
        how = ENDS_COMPRESSION;
        x->length = found;
    }
    if (sticks(c, x, x->length, &found)) {
        how = ENDS_SWITCH;
        x->length = found;
    }
    return how;
}

/* One logarithmic step; ENDS_NOT when nothing ended. */
static ending log_step(compliant *c, double weight)
{
    series x;
    x.order = log_order(weight);
    log_expand(c, log_unit(c), &x);
    ending how = slip_step_end(c, &x, log_reach(&x, weight));
    compliant_show(&x);
    c->now = series_at(&x, x.length);
    return how;
}

ending spatial_slip(compliant *c)
{
    int wait = 0;
    ending how = ENDS_NOT;
    for (; c->steps < COMPLIANT_STEPS && how == ENDS_NOT; c->steps++) {
        tail end = find_tail(c);
        if (end.ready)
            return finish(c, &end);
        if (wait-- <= 0 && slow_applies(c)) {
            if (slow_step(c, &how))
                continue;
            wait = RETRY_AFTER;
        }
        how = log_step(c, end.weight);
    }
    return how;
}
