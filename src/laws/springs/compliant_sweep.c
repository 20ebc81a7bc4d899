/* A sweep of (10), for compliant slip on its slow manifold: see compliant_slow.c.
 *
 * This file is compiled once per instruction set; all give the same bits. */
#include "contact/lanes.h"
#include "laws/springs/compliant_slip.h"

/* The coefficients of (7) as its products want them:
 *
 *     a_j = (s_1, s_2, s_1, s_2)_j   b_j = (omega_j, omega_j, u_2 of j + 1, u_1 of j + 1) */
typedef struct factors {
    quad a[SLOW_ORDER + 1], b[SLOW_ORDER];
    const double *y, *omega;
} factors;

/* Sums over 1 <= j <= i of a_j b_{i-j}, and of y_{j+1} omega_{i-j}. */
typedef struct sums {
    quad ab;
    double load;
} sums;

static inline void add_product(const factors *x, int i, int j, sums *p)
{
    p->ab = quad_step(x->a[j], x->b[i - j], p->ab);
    p->load += x->y[j + 1] * x->omega[i - j];
}

/* Over 1 < j < i, in two halves, so that one does not wait for the other. */
static inline sums products(const factors *x, int i)
{
    sums p = {quad_of(0), 0}, q = p;
    int j = 2;
    for (; j + 1 < i; j += 2) {
        add_product(x, i, j, &p);
        add_product(x, i, j + 1, &q);
    }
    if (j < i)
        add_product(x, i, j, &p);
    p.ab = quad_plus(p.ab, q.ab);
    p.load += q.load;
    return p;
}

/* A coefficient: s, u as (u_2, u_1, u_n, u_n), y. */
typedef struct term {
    double s1, s2, y;
    quad u;
} term;

/* The next p, u and y, into the rows too. */
static inline void advance(const compliant *c, double g, int i, series *x, term *a)
{
    const carom_csym *K = &c->K;
    double(*r)[SERIES_ORDER + 2] = x->row;
    const double slide = -c->mu * g, p1 = slide * a->s1, p2 = slide * a->s2, pn = i == 0 ? g : 0;
    a->y = -2 * c->k * g * quad_at(&a->u, 2);
    a->u = quad_step(quad_of(p1), QUAD(K->t12, K->t11, K->t1n, K->t1n),
                     quad_times(quad_of(p2), QUAD(K->t22, K->t12, K->t2n, K->t2n)));
    if (i == 0)
        a->u = quad_step(quad_of(pn), QUAD(K->t2n, K->t1n, K->nn, K->nn), a->u);
    r[ROW_P1][i + 1] = p1;
    r[ROW_P2][i + 1] = p2;
    r[ROW_PN][i + 1] = pn;
    r[ROW_U1][i + 1] = quad_at(&a->u, 1);
    r[ROW_U2][i + 1] = quad_at(&a->u, 0);
    r[ROW_UN][i + 1] = quad_at(&a->u, 2);
    r[ROW_X3][i + 1] = a->y;
}

/* The newest factors come from registers and enter late: it is them that the next coefficient waits for. */
void LANES_VARIANT(slow_sweep)(const compliant *c, double unit, double *omega, series *x)
{
    double(*r)[SERIES_ORDER + 2] = x->row;
    const double S1 = r[ROW_X1][0], S2 = r[ROW_X2][0], U1 = r[ROW_U1][0], U2 = r[ROW_U2][0];
    const double slip = unit * (S1 * U1 + S2 * U2), mu = c->mu, y0 = r[ROW_X3][0];
    factors to;
    to.y = r[ROW_X3];
    to.omega = omega;
    term a = {S1, S2, y0, QUAD(U2, U1, r[ROW_UN][0], r[ROW_UN][0])};
    quad first = quad_of(0), second = first, late = first, early = first; /* b_0, a_1, b_{i-1}, a_i */
    double rise = 0, spin = 0, last = 0;                                  /* mu y_1, omega_0, omega_{i-1} */
    for (int i = 0; i < SLOW_ORDER; i++) {
        const double nth = slip_part[i];
        advance(c, unit * nth, i, x, &a);
        sums p = products(&to, i);
        if (i > 1) {
            p.ab = quad_step(early, first, p.ab);
            p.load += a.y * spin;
        }
        if (i > 0) {
            p.ab = quad_step(second, late, p.ab);
            p.load += r[ROW_X3][2] * last;
        } else
            rise = mu * a.y;
        const double b1 = -quad_at(&p.ab, 1) * nth, b2 = quad_at(&p.ab, 0) * nth; /* s without omega_i */
        const double u2 = quad_at(&a.u, 0), u1 = quad_at(&a.u, 1);
        const double w = ((quad_at(&p.ab, 2) - quad_at(&p.ab, 3)) + (S1 * u2 - S2 * u1)) + (b1 * U2 - b2 * U1);
        last = (unit * w - mu * (p.load + y0 * omega[i + 1])) * (1 / (rise + slip * nth)); /* (10) */
        a.s1 = b1 - (S2 * nth) * last;
        a.s2 = b2 + (S1 * nth) * last;
        early = QUAD(a.s1, a.s2, a.s1, a.s2);
        late = QUAD(last, last, u2, u1);
        to.a[i + 1] = early;
        to.b[i] = late;
        omega[i] = last;
        r[ROW_X1][i + 1] = a.s1;
        r[ROW_X2][i + 1] = a.s2;
        if (i == 0) {
            first = late;
            second = early;
            spin = last;
        }
    }
}
