/* The series of compliant slip in space, in the variable z of
 *
 *     y' = -2 k u_n y,   p' = (-mu s, 1) y,   mu s' = s_perp omega,   omega = u_t . s_perp,   u' = K p'          (8)
 *     tau = z / D,   dtau / dz = (1 - beta z^2) / D^2,   D = 1 + alpha z + beta z^2                            (8a)
 *
 * where ' is d/dtau. All right sides are products with y or omega, so only these two are multiplied by dtau/dz.
 *
 * This file is compiled once per instruction set; all give the same bits. */
#include "contact/lanes.h"
#include "laws/springs/compliant_slip.h"

/* A coefficient as the products of (8) want it, four in one, with y~ and omega~ the products of y and omega with
 * dtau/dz:
 *
 *     a = (s_1, s_2, s_1, s_2)   b = (u_2, u_1, y~, y~)   c = (s_1, s_2, u_n, u_n)   d = (omega~, omega~, y~, y~) */
typedef struct factor {
    quad a, b, c, d;
} factor;

/* Sums of a_j b_{i-j} and of c_j d_{i-j}. */
typedef struct sums {
    quad ab, cd;
} sums;

/* Add the products of two factors, this way round. */
static inline void add_product(const factor *x, const factor *y, sums *p)
{
    p->ab = quad_step(x->a, y->b, p->ab);
    p->cd = quad_step(x->c, y->d, p->cd);
}

/* Over 1 < j < i; from both ends, so that one half does not wait for the other. */
static inline sums products(const factor *x, int i)
{
    const factor *low = x + 1, *high = x + i - 1;
    sums up = {quad_of(0), quad_of(0)}, down = up;
    if (low < high)
        add_product(high, low, &down);
    for (low++, high--; low < high; low++, high--) {
        add_product(low, high, &up);
        add_product(high, low, &down);
    }
    if (low == high)
        add_product(low, low, &up);
    sums p = {quad_plus(up.ab, down.ab), quad_plus(up.cd, down.cd)};
    return p;
}

static inline pair low_of(quad x)
{
    return (pair){quad_at(&x, 0), quad_at(&x, 1)};
}

static inline pair high_of(quad x)
{
    return (pair){quad_at(&x, 2), quad_at(&x, 3)};
}

/* A coefficient: s, u as (u_2, u_1, u_n, u_n), y; then what follows from them. */
typedef struct term {
    pair s;
    quad u;
    double y, omega_z, y_z; /* omega~ and y~ */
} term;

/* The factors at both ends of the sums: 0, 1, and the one before the newest. */
typedef struct ends {
    term first;
    factor second, last;
} ends;

/* The right sides of (8): s y~, and s omega~ turned around, without s_0 omega~_i; u_n y~. */
typedef struct sides {
    pair pull, turn;
    double loss;
} sides;

/* (omega, y) times dtau/dz: with 1 / D^2 as a recurrence, what the older coefficients add to the newest. */
typedef struct warp {
    pair b, d1, d2, d3, d4; /* minus the coefficients of beta z^2 and of D^2 */
    pair x[2], y[4];        /* the last (omega, y) and (omega~, y~), the newest first */
} warp;

static inline pair warp_older(const warp *m)
{
    return ((m->b * m->x[1] + m->d4 * m->y[3]) + (m->d3 * m->y[2] + m->d2 * m->y[1])) + m->d1 * m->y[0];
}

static inline void warp_push(warp *m, pair x, pair y)
{
    m->x[1] = m->x[0];
    m->x[0] = x;
    m->y[3] = m->y[2];
    m->y[2] = m->y[1];
    m->y[1] = m->y[0];
    m->y[0] = y;
}

/* Coefficient i = 1, 2, ... of the products. The factors at the ends come from registers and enter late, since it is
 * them that the next coefficient waits for; the others come from memory. */
static inline sides multiply(const factor *x, int i, const ends *e, warp *m, term *a)
{
    const term *first = &e->first;
    const pair older = warp_older(m);
    sums p = products(x, i);
    add_product(&e->second, &e->last, &p);
    const pair early = low_of(p.ab) + first->s * low_of(a->u), late = a->s * low_of(first->u);
    const double omega = (early[0] - early[1]) + (late[0] - late[1]);
    a->omega_z = omega + older[0];
    a->y_z = a->y + older[1];
    warp_push(m, (pair){omega, a->y}, (pair){a->omega_z, a->y_z});
    const pair turn = low_of(p.cd) + a->s * first->omega_z;
    sides r = {(high_of(p.ab) + first->s * a->y_z) + a->s,
               {turn[1], turn[0]},
               (quad_at(&p.cd, 2) + quad_at(&a->u, 2)) + quad_at(&first->u, 2) * a->y_z};
    return r;
}

static inline factor factor_of(const term *a)
{
    const pair s = a->s, u = low_of(a->u);
    const double u_n = quad_at(&a->u, 2), o = a->omega_z, y = a->y_z;
    factor x = {QUAD(s[0], s[1], s[0], s[1]), QUAD(u[0], u[1], y, y), QUAD(s[0], s[1], u_n, u_n), QUAD(o, o, y, y)};
    return x;
}

/* What every order needs of the contact. */
typedef struct rates {
    quad K1, K2, Kn;          /* the columns of K for u */
    double slide, push, ease; /* p_t, p_n and y per unit of tau */
    pair turn, spin;          /* s by the sides, and by omega~_i */
} rates;

/* From coefficient i to the next. */
static inline void advance(const rates *c, int i, const sides *r, tau_series *x, term *a)
{
    double per = slip_part[i], push = c->push * per * a->y_z;
    pair pull = r->pull * (c->slide * per);
    a->s = r->turn * (c->turn * per) + (c->spin * per) * a->omega_z;
    a->y = c->ease * per * r->loss;
    a->u = quad_step(quad_of(pull[0]), c->K1, quad_times(quad_of(push), c->Kn));
    a->u = quad_step(quad_of(pull[1]), c->K2, a->u);
    x->p[i + 1] = QUAD(pull[0], pull[1], push, push);
    x->sy[i + 1] = QUAD(a->s[0], a->s[1], a->y, a->y);
}

static warp warp_of(const tau_map *map, pair first)
{
    const double a = map->alpha, b = map->beta;
    const pair none = {0, 0};
    warp m = {pair_of(-b),     pair_of(-2 * a), pair_of(-(a * a + 2 * b)), pair_of(-2 * a * b),
              pair_of(-b * b), {first, none},   {first, none, none, none}};
    return m;
}

static void expand(const compliant *c, const tau_map *map, tau_series *x)
{
    const carom_csym *K = &c->K;
    const spot *now = &c->now;
    const double pace = 1 / map->unit, turn = pace * (1 / c->mu), s1 = now->s.t1, s2 = now->s.t2;
    const double omega = s1 * now->u.t2 - s2 * now->u.t1;
    const rates v = {QUAD(K->t12, K->t11, K->t1n, K->t1n),
                     QUAD(K->t22, K->t12, K->t2n, K->t2n),
                     QUAD(K->t2n, K->t1n, K->nn, K->nn),
                     -c->mu * now->y * pace,
                     now->y * pace,
                     -2 * c->k * pace,
                     {-turn, turn},
                     {-turn * s2, turn * s1}};
    const quad zero = quad_of(0);
    const factor none = {zero, zero, zero, zero};
    ends e = {{{s1, s2}, QUAD(now->u.t2, now->u.t1, now->u.n, now->u.n), 1, omega, 1}, none, none};
    term a = e.first;
    sides r = {a.s, {0, 0}, now->u.n};
    warp m = warp_of(map, (pair){omega, 1});
    factor to[TAU_ORDER];
    x->p[0] = QUAD(now->p.t1, now->p.t2, now->p.n, now->p.n);
    x->sy[0] = QUAD(s1, s2, 1, 1);
    advance(&v, 0, &r, x, &a);
    for (int i = 1; i < x->order; i++) {
        r = multiply(to, i, &e, &m, &a);
        to[i] = e.last = factor_of(&a);
        if (i == 1)
            e.second = e.last;
        advance(&v, i, &r, x, &a);
    }
}

/* Horner for every fourth power apart, so that one does not wait for the other. */
enum { CHAINS = 4 };

static void sum(const tau_series *x, double t, quad *p, quad *sy)
{
    const quad zero = quad_of(0), t1 = quad_of(t), t2 = quad_of(t * t), t4 = quad_times(t2, t2);
    quad a[CHAINS], b[CHAINS];
    int i = x->order / CHAINS * CHAINS;
    for (int k = 1; k < CHAINS; k++) {
        a[k] = i + k <= x->order ? x->p[i + k] : zero;
        b[k] = i + k <= x->order ? x->sy[i + k] : zero;
    }
    a[0] = quad_times(x->p[i], t4);
    b[0] = quad_times(x->sy[i], t4);
    for (i -= CHAINS; i >= 0; i -= CHAINS) {
        for (int k = CHAINS - 1; k > 0; k--) {
            a[k] = quad_step(a[k], t4, x->p[i + k]);
            b[k] = quad_step(b[k], t4, x->sy[i + k]);
        }
        if (i == 0)
            break;
        a[0] = quad_times(quad_plus(a[0], x->p[i]), t4);
        b[0] = quad_times(quad_plus(b[0], x->sy[i]), t4);
    }
    *p = quad_plus(quad_step(quad_step(a[3], t1, a[2]), t2, a[0]), quad_times(a[1], t1));
    *sy = quad_plus(quad_step(quad_step(b[3], t1, b[2]), t2, b[0]), quad_times(b[1], t1));
}

const slip_series LANES_VARIANT(slip_series) = {expand, sum, LANES_VARIANT(slow_sweep)};
