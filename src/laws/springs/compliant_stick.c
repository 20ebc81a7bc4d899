/* Compliant impact in space: sticking. Linear, so the series never needs more than its fastest frequency. */
#include "laws/springs/family_compliant.h"

enum {
    STICK_ORDER = 32,
    STICK_SAMPLES = 8, /* points per series where the border is looked at: 0.5 rad of its fastest frequency */
};
#define STICK_REACH 2.1        /* rad; the border has twice the frequency: 4.2^33 / 33! = 4e-17 */
#define NO_TIME     (64 * EPS) /* of a series: rounding of zero */
#define SAME_TIME   (8 * EPS)  /* of the time to f = 0: a border met there is the end itself */

/* A bound on the largest angular frequency: the Frobenius norm of D^1/2 K D^1/2, at most sqrt 3 above it. */
static double fastest(const compliant *c)
{
    const carom_csym *K = &c->K;
    double k = c->k, cross = square(K->t12) + k * (square(K->t1n) + square(K->t2n));
    return sqrt(sqrt(square(K->t11) + square(K->t22) + square(k * K->nn) + 2 * cross));
}

static void load(const compliant *c, series *x)
{
    const spot *a = &c->now;
    const double start[SERIES_ROWS] = {a->p.t1, a->p.t2, a->p.n, a->u.t1, a->u.t2, a->u.n, a->F.t1, a->F.t2, a->F.n};
    for (int i = 0; i < SERIES_ROWS; i++)
        x->row[i][0] = start[i];
    x->c = c;
    x->order = STICK_ORDER;
    x->length = 1;
}

/* F' = -D u, u' = K F, p' = F in units of h. */
static void expand(const compliant *c, double h, series *x)
{
    double(*r)[SERIES_ORDER + 2] = x->row;
    load(c, x);
    for (int i = 0; i < STICK_ORDER; i++) {
        double g = h / (i + 1);
        carom_cvec dp = carom_cvec_make(g * r[ROW_X1][i], g * r[ROW_X2][i], g * r[ROW_X3][i]);
        carom_cvec du = carom_csym_apply(c->K, dp);
        r[ROW_X1][i + 1] = -g * r[ROW_U1][i]; /* (1) */
        r[ROW_X2][i + 1] = -g * r[ROW_U2][i];
        r[ROW_X3][i + 1] = -g * c->k * r[ROW_UN][i];
        r[ROW_U1][i + 1] = du.t1;
        r[ROW_U2][i + 1] = du.t2;
        r[ROW_UN][i + 1] = du.n;
        r[ROW_P1][i + 1] = dp.t1;
        r[ROW_P2][i + 1] = dp.t2;
        r[ROW_PN][i + 1] = dp.n;
    }
}

/* The coefficient of t^n in f^2 - |F_t|^2 / mu^2: half the products. */
static double border_term(const series *x, double per, int n)
{
    const double *F1 = x->row[ROW_X1], *F2 = x->row[ROW_X2], *f = x->row[ROW_X3];
    double sum = 0;
    for (int i = 0; 2 * i < n; i++)
        sum += f[i] * f[n - i] - per * (F1[i] * F1[n - i] + F2[i] * F2[n - i]);
    int m = n / 2;
    return n % 2 ? 2 * sum : 2 * sum + (f[m] * f[m] - per * (F1[m] * F1[m] + F2[m] * F2[m])); /* (4) */
}

/* When that falls to zero, up to t. A fresh start has a double root at zero, which is divided out. */
static bool border(const series *x, double t, double *found)
{
    double c[STICK_ORDER + 1], per = 1 / square(x->c->mu);
    int skip = x->c->fresh ? 2 : 0;
    for (int i = skip; i <= STICK_ORDER; i++)
        c[i - skip] = border_term(x, per, i);
    return taylor_falls(c, STICK_ORDER - skip, t, STICK_SAMPLES, found);
}

/* The end of the phase within this series: u_n = 0 in compression, f = 0 in restitution. */
static bool phase_ends(const series *x, double *t)
{
    double c[STICK_ORDER + 1];
    bool back = x->c->restitution;
    for (int i = 0; i <= STICK_ORDER; i++)
        c[i] = back ? x->row[ROW_X3][i] : -x->row[ROW_UN][i];
    bool ends = taylor_falls(c, STICK_ORDER, 1, STICK_SAMPLES, t);
    if (!ends)
        *t = 1;
    return ends;
}

ending spatial_stick(compliant *c)
{
    double h = STICK_REACH / fastest(c);
    series x;
    modes m;
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        if (i >= LEAP_AFTER && leaps(c, i, h, &m) == ENDS_WEDGED)
            return ENDS_WEDGED;
        expand(c, h, &x);
        double t, first;
        bool phase = phase_ends(&x, &t);
        double limit = phase && c->restitution ? t * (1 - SAME_TIME) : t;
        bool slips = border(&x, limit, &first);
        x.length = slips ? first : t;
        compliant_show(&x);
        c->now = series_at(&x, x.length);
        if (x.length > NO_TIME) /* else slip ended where compression ends, and the border is still met */
            c->fresh = 0;
        if (slips)
            return ENDS_SWITCH;
        if (phase)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
    }
    return ENDS_NOT;
}
