/* Compliant impact in a plane: slip is straight and closed, sticking is linear with linear borders. */
#include "laws/family_compliant.h"

enum {
    PLANE_ORDER = 28,
    PLANE_SAMPLES = 4, /* points per series where the borders are looked at: 0.8 rad of the fastest frequency */
};
#define PLANE_REACH 3.2       /* rad of the fastest frequency: 3.2^29 / 29! = 5e-17 */
#define SAME_TIME   (8 * EPS) /* of the time to f = 0: a border met there is the end itself */

/* ---- slip (also frictionless impacts, where only the normal spring acts) ---- */

/* The impulse at which y = f^2 falls to zero: E = u_n P + H P^2 / 2, the first positive P. */
static double spent_at(double energy, double u_n, double H)
{
    double root = square(u_n) + 2 * H * energy;
    if (root < 0 || (H <= 0 && u_n <= 0))
        return INFINITY;
    return u_n > 0 ? 2 * energy / (u_n + sqrt(root)) : (sqrt(root) - u_n) / H;
}

static void show_straight(const compliant *c, carom_cvec d, carom_cvec v, double P)
{
    series x;
    const spot *a = &c->now;
    const double start[SERIES_ROWS] = {a->p.t1, a->p.t2, a->p.n, a->u.t1, a->u.t2, a->u.n, a->s.t1, a->s.t2, a->y};
    const double slope[SERIES_ROWS] = {d.t1, d.t2, d.n, v.t1, v.t2, v.n, 0, 0, -2 * c->k * a->u.n};
    x.c = c;
    x.order = 2;
    x.length = P;
    for (int i = 0; i < SERIES_ROWS; i++) {
        x.row[i][0] = start[i];
        x.row[i][1] = slope[i];
        x.row[i][2] = i == ROW_X3 ? -c->k * v.n : 0;
    }
    compliant_show(&x);
}

ending straight_slip(compliant *c)
{
    spot *a = &c->now;
    carom_cvec d = carom_cvec_make(-c->mu * a->s.t1, -c->mu * a->s.t2, 1), v = carom_csym_apply(c->K, d);
    double fall = -(v.t1 * a->s.t1 + v.t2 * a->s.t2 + c->mu * c->k * v.n); /* -d sigma / dP */
    double stick = c->mu > 0 && fall > 0 ? fmax(0, slide_speed(c, a)) / fall : INFINITY;
    double energy = 0.5 * a->y / c->k;
    double phase = c->restitution ? spent_at(energy, a->u.n, v.n) : v.n > 0 ? -a->u.n / v.n : INFINITY;
    double P = fmin(stick, phase);
    if (!(P < INFINITY))
        return ENDS_NOT;
    if (c->tracer)
        show_straight(c, d, v, P);
    double before = a->u.n;
    a->p = carom_cvec_add(a->p, carom_cvec_scale(P, d));
    a->u = carom_cvec_add(a->u, carom_cvec_scale(P, v));
    bool last = c->restitution && phase <= stick;
    a->y = last ? 0 : fmax(0, a->y - c->k * P * (before + a->u.n));
    double f = sqrt(a->y);
    a->F = carom_cvec_make(-c->mu * f * a->s.t1, -c->mu * f * a->s.t2, f);
    return last ? ENDS_IMPACT : phase <= stick ? ENDS_COMPRESSION : ENDS_SWITCH;
}

/* ---- stick ---- */

/* F' = -D u, u' = K F, p' = F in units of h. */
static void expand(const compliant *c, double h, series *x)
{
    const carom_csym *K = &c->K;
    const spot *a = &c->now;
    double(*r)[SERIES_ORDER + 2] = x->row;
    for (int i = 0; i <= PLANE_ORDER; i++)
        r[ROW_P2][i] = r[ROW_U2][i] = r[ROW_X2][i] = 0;
    r[ROW_P1][0] = a->p.t1;
    r[ROW_PN][0] = a->p.n;
    r[ROW_U1][0] = a->u.t1;
    r[ROW_UN][0] = a->u.n;
    r[ROW_X1][0] = a->F.t1;
    r[ROW_X3][0] = a->F.n;
    for (int i = 0; i < PLANE_ORDER; i++) {
        double g = h / (i + 1), F = g * r[ROW_X1][i], f = g * r[ROW_X3][i];
        r[ROW_X1][i + 1] = -g * r[ROW_U1][i]; /* (1) */
        r[ROW_X3][i + 1] = -g * c->k * r[ROW_UN][i];
        r[ROW_U1][i + 1] = K->t11 * F + K->t1n * f;
        r[ROW_UN][i + 1] = K->t1n * F + K->nn * f;
        r[ROW_P1][i + 1] = F;
        r[ROW_PN][i + 1] = f;
    }
    x->c = c;
    x->order = PLANE_ORDER;
    x->length = 1;
}

/* The largest angular frequency of sticking. */
static double fastest(const compliant *c)
{
    double a = c->K.t11, b = c->k * c->K.nn, coupling2 = c->k * square(c->K.t1n);
    return sqrt(0.5 * (a + b + sqrt(square(a - b) + 4 * coupling2)));
}

/* When mu f + side F_1 falls to zero before t; t itself if it does not. At a fresh start its root at zero is divided
 * out: simple at the first touch, double where slip has just ended. */
static double border(const series *x, double side, double t, bool *met)
{
    double c[PLANE_ORDER + 1], found;
    const compliant *k = x->c;
    int skip = k->fresh == 2 ? (side * k->now.s.t1 > 0 ? 2 : 0) : k->fresh;
    for (int i = skip; i <= PLANE_ORDER; i++)
        c[i - skip] = k->mu * x->row[ROW_X3][i] + side * x->row[ROW_X1][i]; /* (4) */
    if (!taylor_falls(c, PLANE_ORDER - skip, t, PLANE_SAMPLES, &found))
        return t;
    *met = true;
    return found;
}

/* The end of the phase within this series: u_n = 0 in compression, f = 0 in restitution. */
static bool phase_ends(const series *x, double *t)
{
    double c[PLANE_ORDER + 1];
    bool back = x->c->restitution;
    for (int i = 0; i <= PLANE_ORDER; i++)
        c[i] = back ? x->row[ROW_X3][i] : -x->row[ROW_UN][i];
    bool ends = taylor_falls(c, PLANE_ORDER, 1, PLANE_SAMPLES, t);
    if (!ends)
        *t = 1;
    return ends;
}

ending planar_stick(compliant *c)
{
    double h = PLANE_REACH / fastest(c);
    series x;
    modes m;
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        if (i >= LEAP_AFTER && leaps(c, i, h, &m) == ENDS_WEDGED)
            return ENDS_WEDGED;
        expand(c, h, &x);
        double t;
        bool phase = phase_ends(&x, &t), slips = false;
        double limit = phase && c->restitution ? t * (1 - SAME_TIME) : t;
        double first = border(&x, 1, limit, &slips);
        first = border(&x, -1, first, &slips);
        x.length = slips ? first : t;
        compliant_show(&x);
        c->now = series_at(&x, x.length);
        c->fresh = 0;
        if (slips)
            return ENDS_SWITCH;
        if (phase)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
    }
    return ENDS_NOT;
}
