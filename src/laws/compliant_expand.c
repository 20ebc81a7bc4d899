/* The series of compliant slip in space, in the variable x with dx = dt / sqrt f:
 *
 *     g = sqrt f,   g' = -k u_n / 2,   p' = (-mu s, 1) g^3,   mu g s' = s_perp (u_t . s_perp),   u' = K p'       (8)
 *
 * This file is compiled once per instruction set. Sums are split in two by the parity of j, whatever the set, so that
 * all give the same bits. */
#include "core/lanes.h"
#include "laws/compliant_slip.h"

/* The coefficients of (8) as its products want them, four sums in one: with h = g^3 and omega = u_t . s_perp / g,
 *
 *     a = (s_1, s_2, s_1, s_2)   b = (u_2, u_1, h, h)   c = (s_1, s_2, g, g)   d = (omega, omega, omega, g^2) */
typedef struct factors {
    quad a[ROOT_ORDER], b[ROOT_ORDER], d[ROOT_ORDER]; /* c is part of the series */
} factors;

/* Sums of a_j b_{i-j} and of c_j d_{i-j}, and of g_j g_{i-j}. */
typedef struct sums {
    quad ab, cd;
    double gg;
} sums;

/* Over 0 < j < i: all but the newest coefficients, which would keep the others waiting. */
static inline void products(const factors *x, const quad *c, int i, sums *p)
{
    const quad zero = quad_of(0), *b = x->b + i, *d = x->d + i;
    quad ab[2] = {zero, zero}, cd[2] = {zero, zero};
    double gg[2] = {0, 0};
    int j = i - 1;
    for (; j > 1; j -= 2) {
        ab[0] = quad_step(x->a[j], b[-j], ab[0]);
        cd[0] = quad_step(c[j], d[-j], cd[0]);
        gg[0] += quad_at(&c[j], 2) * quad_at(&c[i - j], 2);
        ab[1] = quad_step(x->a[j - 1], b[1 - j], ab[1]);
        cd[1] = quad_step(c[j - 1], d[1 - j], cd[1]);
        gg[1] += quad_at(&c[j - 1], 2) * quad_at(&c[i - j + 1], 2);
    }
    if (j == 1) {
        ab[0] = quad_step(x->a[1], b[-1], ab[0]);
        cd[0] = quad_step(c[1], d[-1], cd[0]);
        gg[0] += quad_at(&c[1], 2) * quad_at(&c[i - 1], 2);
    }
    p->ab = quad_plus(ab[0], ab[1]);
    p->cd = quad_plus(cd[0], cd[1]);
    p->gg = gg[0] + gg[1];
}

/* Coefficient i: s, u turned around as (u_2, u_1), g, u_n. */
typedef struct term {
    pair s, u;
    double g, un;
} term;

/* What every order needs of the contact. */
typedef struct rates {
    term first;
    double omega;             /* its u_t . s_perp */
    pair K1, K2, Kn;          /* the columns of K for u */
    double k1, k2, kn;        /* and for u_n */
    double slide, push, ease; /* p_t, p_n and g per unit of x */
    pair turn;                /* and s */
} rates;

/* From coefficient i of u, s and g to the next; the sums are zero for the first. */
static inline void advance(const rates *c, int i, factors *to, root_series *x, term *a)
{
    double per = 1.0 / (i + 1), slide = c->slide * per, g2 = 1, h = 1, omega = c->omega;
    pair s = a->s, u = a->u, pull = s, turn = {0, 0};
    if (i > 0) {
        sums p;
        products(to, x->sg, i, &p);
        g2 = p.gg + 2 * a->g;
        h = quad_at(&p.cd, 3) + a->g + g2;
        pair cross = (pair){quad_at(&p.ab, 0), quad_at(&p.ab, 1)} + (c->first.s * u + s * c->first.u);
        omega = (cross[0] - cross[1]) - (quad_at(&p.cd, 2) + a->g * c->omega);
        pull += (pair){quad_at(&p.ab, 2), quad_at(&p.ab, 3)} + c->first.s * h;
        turn = (pair){quad_at(&p.cd, 0), quad_at(&p.cd, 1)} + s * c->omega;
    }
    to->a[i] = QUAD(s[0], s[1], s[0], s[1]);
    to->b[i] = QUAD(u[0], u[1], h, h);
    to->d[i] = QUAD(omega, omega, omega, g2);
    x->sg[i] = QUAD(s[0], s[1], a->g, a->g);
    pull *= slide;
    turn += c->first.s * omega;
    double push = c->push * per * h;
    x->p[i + 1] = QUAD(pull[0], pull[1], push, push);
    a->s = (pair){turn[1], turn[0]} * (c->turn * per);
    a->g = c->ease * per * a->un;
    a->u = (c->Kn * push + c->K1 * pull[0]) + c->K2 * pull[1];
    a->un = (c->kn * push + c->k1 * pull[0]) + c->k2 * pull[1];
}

static void expand(const compliant *c, double unit, root_series *x)
{
    const carom_csym *K = &c->K;
    const spot *now = &c->now;
    double pace = 1 / unit, turn = pace / c->mu;
    term a = {{now->s.t1, now->s.t2}, {now->u.t2, now->u.t1}, 1, now->u.n};
    const rates v = {a,
                     a.s[0] * a.u[0] - a.s[1] * a.u[1],
                     {K->t12, K->t11},
                     {K->t22, K->t12},
                     {K->t2n, K->t1n},
                     K->t1n,
                     K->t2n,
                     K->nn,
                     -c->mu * now->y * pace,
                     now->y * pace,
                     -0.5 * c->k * pace,
                     {-turn, turn}};
    factors to;
    x->p[0] = QUAD(now->p.t1, now->p.t2, now->p.n, now->p.n);
    for (int i = 0; i < x->order; i++)
        advance(&v, i, &to, x, &a);
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

const slip_series LANES_VARIANT(slip_series) = {expand, sum};
