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
    const quad zero = {0, 0, 0, 0}, *b = x->b + i, *d = x->d + i;
    quad ab[2] = {zero, zero}, cd[2] = {zero, zero};
    double gg[2] = {0, 0};
    int j = i - 1;
    for (; j > 1; j -= 2) {
        ab[0] += x->a[j] * b[-j];
        cd[0] += c[j] * d[-j];
        gg[0] += c[j][2] * c[i - j][2];
        ab[1] += x->a[j - 1] * b[1 - j];
        cd[1] += c[j - 1] * d[1 - j];
        gg[1] += c[j - 1][2] * c[i - j + 1][2];
    }
    if (j == 1) {
        ab[0] += x->a[1] * b[-1];
        cd[0] += c[1] * d[-1];
        gg[0] += c[1][2] * c[i - 1][2];
    }
    p->ab = ab[0] + ab[1];
    p->cd = cd[0] + cd[1];
    p->gg = gg[0] + gg[1];
}

/* Coefficient i of everything, or what its equations need of the contact. */
typedef struct term {
    double s1, s2, g, u1, u2, un;
} term;

/* What every order needs of the contact. */
typedef struct rates {
    carom_csym K;
    double slide, push, turn, ease; /* p_t, p_n, s and g per unit of x */
    double omega;                   /* the first coefficient */
} rates;

static inline void keep(const term *a, double h, double omega, double g2, int i, factors *to, root_series *x)
{
    to->a[i] = (quad){a->s1, a->s2, a->s1, a->s2};
    to->b[i] = (quad){a->u2, a->u1, h, h};
    to->d[i] = (quad){omega, omega, omega, g2};
    x->sg[i] = (quad){a->s1, a->s2, a->g, a->g};
}

/* From coefficient i of u, s and g to the next. */
static inline void advance(const rates *c, const term *first, int i, factors *to, root_series *x, term *a)
{
    double per = 1.0 / (i + 1), turn = c->turn * per, slide = c->slide * per;
    double g2 = 1, h = 1, omega = c->omega, along = 0, across = 0, p1 = slide * a->s1, p2 = slide * a->s2;
    if (i > 0) {
        sums p;
        products(to, x->sg, i, &p);
        g2 = p.gg + 2 * a->g;
        h = p.cd[3] + a->g + g2;
        omega = (p.ab[0] - p.ab[1] - p.cd[2] - a->g * c->omega) +
                ((first->s1 * a->u2 - first->s2 * a->u1) + (a->s1 * first->u2 - a->s2 * first->u1));
        along = p.cd[0] + a->s1 * c->omega;
        across = p.cd[1] + a->s2 * c->omega;
        p1 = slide * (p.ab[2] + first->s1 * h + a->s1);
        p2 = slide * (p.ab[3] + first->s2 * h + a->s2);
    }
    keep(a, h, omega, g2, i, to, x);
    carom_cvec dp = carom_cvec_make(p1, p2, c->push * per * h), du = carom_csym_apply(c->K, dp);
    x->p[i + 1] = (quad){dp.t1, dp.t2, dp.n, dp.n};
    a->g = c->ease * per * a->un;
    a->s1 = -turn * across - turn * first->s2 * omega;
    a->s2 = turn * along + turn * first->s1 * omega;
    a->u1 = du.t1;
    a->u2 = du.t2;
    a->un = du.n;
}

static void expand(const compliant *c, double unit, root_series *x)
{
    const spot *now = &c->now;
    double pace = 1 / unit;
    const term first = {now->s.t1, now->s.t2, 1, now->u.t1, now->u.t2, now->u.n};
    const rates v = {c->K,         -c->mu * now->y * pace, now->y * pace,
                     pace / c->mu, -0.5 * c->k * pace,     first.s1 * first.u2 - first.s2 * first.u1};
    term a = first;
    factors to;
    x->p[0] = (quad){now->p.t1, now->p.t2, now->p.n, now->p.n};
    for (int i = 0; i < x->order; i++)
        advance(&v, &first, i, &to, x, &a);
    x->sg[x->order] = (quad){a.s1, a.s2, a.g, a.g};
}

/* Horner for odd and even powers apart, so that one does not wait for the other. */
static void sum(const root_series *x, double t, quad *p, quad *sg)
{
    quad zero = {0, 0, 0, 0}, po = zero, pe = zero, so = zero, se = zero;
    double t2 = t * t;
    int i = x->order;
    if (i % 2 == 0) {
        pe = x->p[i] * t2;
        se = x->sg[i] * t2;
        i--;
    }
    for (; i > 1; i -= 2) {
        po = (po + x->p[i]) * t2;
        so = (so + x->sg[i]) * t2;
        pe = (pe + x->p[i - 1]) * t2;
        se = (se + x->sg[i - 1]) * t2;
    }
    *p = (po + x->p[1]) * t + pe;
    *sg = (so + x->sg[1]) * t + se;
}

const slip_series LANES_VARIANT(slip_series) = {expand, sum};
