/* The series of compliant slip in space, in the variable x with dx = dt / sqrt f:
 *
 *     g = sqrt f,   g' = -k u_n / 2,   p' = (-mu s, 1) g^3,   mu g s' = s_perp (u_t . s_perp),   u' = K p'       (8)
 *
 * This file is compiled once per instruction set; all give the same bits. */
#include "core/lanes.h"
#include "laws/compliant_slip.h"

/* A coefficient as the products of (8) want it, four in one: with h = g^3 and omega = u_t . s_perp / g,
 *
 *     a = (s_1, s_2, s_1, s_2)   b = (u_2, u_1, h, h)   c = (s_1, s_2, g, g)   d = (omega, omega, omega, g^2) */
typedef struct factor {
    quad a, b, c, d;
} factor;

/* Sums of a_j b_{i-j} and of c_j d_{i-j}, and of g_j g_{i-j}. */
typedef struct sums {
    quad ab, cd;
    double gg;
} sums;

static inline double g_of(const factor *x)
{
    return quad_at(&x->c, 2);
}

/* Add the products of two factors, this way round. */
static inline void add_product(const factor *x, const factor *y, sums *p)
{
    p->ab = quad_step(x->a, y->b, p->ab);
    p->cd = quad_step(x->c, y->d, p->cd);
}

/* Over 1 < j < i, that of g over 0 < j < i; from both ends, so that one half does not wait for the other. */
static inline sums products(const factor *x, int i)
{
    const factor *low = x + 1, *high = x + i - 1;
    sums up = {quad_of(0), quad_of(0), 0}, down = up;
    double half = 0;
    if (low < high) {
        add_product(high, low, &down);
        half = g_of(low) * g_of(high);
    } else if (low == high)
        half = 0.5 * square(g_of(low));
    for (low++, high--; low < high; low++, high--) {
        add_product(low, high, &up);
        add_product(high, low, &down);
        half += g_of(low) * g_of(high);
    }
    if (low == high) {
        add_product(low, low, &up);
        half += 0.5 * square(g_of(low));
    }
    sums p = {quad_plus(up.ab, down.ab), quad_plus(up.cd, down.cd), 2 * half};
    return p;
}

/* A coefficient: s, u as (u_2, u_1, u_n), g, and what follows from them. */
typedef struct term {
    pair s;
    quad u;
    double g, omega, h, g2;
} term;

static inline pair low_of(quad x)
{
    return (pair){quad_at(&x, 0), quad_at(&x, 1)};
}

static inline pair high_of(quad x)
{
    return (pair){quad_at(&x, 2), quad_at(&x, 3)};
}

/* The factors at both ends of the sums: 0, 1, and the one before the newest. */
typedef struct ends {
    term first;
    factor second, last;
} ends;

/* The right sides of (8): s h, and s omega turned around, without s_0 omega_i. */
typedef struct sides {
    pair pull, turn;
} sides;

/* Coefficient i = 1, 2, ... of the products. The factors at the ends come from registers and enter late, since it is
 * them that the next coefficient waits for; the others come from memory. */
static inline sides multiply(const factor *x, int i, const ends *e, term *a)
{
    const term *first = &e->first;
    sums p = products(x, i);
    add_product(&e->second, &e->last, &p);
    pair early = low_of(p.ab) + first->s * low_of(a->u), late = a->s * low_of(first->u);
    double held = quad_at(&p.cd, 2) + a->g * first->omega;
    a->g2 = p.gg + 2 * a->g;
    a->h = (quad_at(&p.cd, 3) + p.gg) + 3 * a->g;
    a->omega = ((early[0] - early[1]) - held) + (late[0] - late[1]);
    pair turn = low_of(p.cd) + a->s * first->omega;
    sides r = {(high_of(p.ab) + first->s * a->h) + a->s, {turn[1], turn[0]}};
    return r;
}

static inline factor factor_of(const term *a)
{
    const pair s = a->s, u = low_of(a->u);
    factor x = {QUAD(s[0], s[1], s[0], s[1]), QUAD(u[0], u[1], a->h, a->h), QUAD(s[0], s[1], a->g, a->g),
                QUAD(a->omega, a->omega, a->omega, a->g2)};
    return x;
}

/* What every order needs of the contact. */
typedef struct rates {
    quad K1, K2, Kn;          /* the columns of K for u */
    double slide, push, ease; /* p_t, p_n and g per unit of x */
    pair turn, spin;          /* s by the sides, and by omega_i */
} rates;

/* From coefficient i to the next. */
static inline void advance(const rates *c, int i, const sides *r, root_series *x, term *a)
{
    double per = slip_part[i], push = c->push * per * a->h;
    pair pull = r->pull * (c->slide * per);
    x->p[i + 1] = QUAD(pull[0], pull[1], push, push);
    a->s = r->turn * (c->turn * per) + (c->spin * per) * a->omega;
    a->g = c->ease * per * quad_at(&a->u, 2);
    a->u = quad_step(quad_of(pull[0]), c->K1, quad_times(quad_of(push), c->Kn));
    a->u = quad_step(quad_of(pull[1]), c->K2, a->u);
}

static void expand(const compliant *c, double unit, root_series *x)
{
    const carom_csym *K = &c->K;
    const spot *now = &c->now;
    double pace = 1 / unit, turn = pace / c->mu, s1 = now->s.t1, s2 = now->s.t2;
    const rates v = {QUAD(K->t12, K->t11, K->t1n, 0),
                     QUAD(K->t22, K->t12, K->t2n, 0),
                     QUAD(K->t2n, K->t1n, K->nn, 0),
                     -c->mu * now->y * pace,
                     now->y * pace,
                     -0.5 * c->k * pace,
                     {-turn, turn},
                     {-turn * s2, turn * s1}};
    const quad u = QUAD(now->u.t2, now->u.t1, now->u.n, 0);
    const quad zero = quad_of(0);
    const factor none = {zero, zero, zero, zero};
    ends e = {{{s1, s2}, u, 1, s1 * now->u.t2 - s2 * now->u.t1, 1, 1}, none, none};
    term a = e.first;
    sides r = {a.s, {0, 0}};
    factor to[ROOT_ORDER];
    x->p[0] = QUAD(now->p.t1, now->p.t2, now->p.n, now->p.n);
    x->sg[0] = QUAD(s1, s2, 1, 1);
    advance(&v, 0, &r, x, &a);
    for (int i = 1; i < x->order; i++) {
        r = multiply(to, i, &e, &a);
        to[i] = e.last = factor_of(&a);
        x->sg[i] = e.last.c;
        if (i == 1)
            e.second = e.last;
        advance(&v, i, &r, x, &a);
    }
    x->sg[x->order] = QUAD(a.s[0], a.s[1], a.g, a.g);
}

/* Horner for odd and even powers apart, so that one does not wait for the other. */
static void sum(const root_series *x, double t, quad *p, quad *sg)
{
    quad po = quad_of(0), pe = po, so = po, se = po;
    const quad t1 = quad_of(t), t2 = quad_of(t * t);
    int i = x->order;
    if (i % 2 == 0) {
        pe = quad_times(x->p[i], t2);
        se = quad_times(x->sg[i], t2);
        i--;
    }
    for (; i > 1; i -= 2) {
        po = quad_times(quad_plus(po, x->p[i]), t2);
        so = quad_times(quad_plus(so, x->sg[i]), t2);
        pe = quad_times(quad_plus(pe, x->p[i - 1]), t2);
        se = quad_times(quad_plus(se, x->sg[i - 1]), t2);
    }
    *p = quad_step(quad_plus(po, x->p[1]), t1, pe);
    *sg = quad_step(quad_plus(so, x->sg[1]), t1, se);
}

const slip_series LANES_VARIANT(slip_series) = {expand, sum, LANES_VARIANT(slow_sweep)};
