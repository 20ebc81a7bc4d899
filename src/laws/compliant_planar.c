/* Compliant impact in a plane: slip is straight and closed; sticking is two swings, closed, with linear borders.
 *
 *     A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,   xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u
 *     xi' = -eta,   eta' = omega^2 xi                                                                        (11)
 *
 * Spheres are the case without coupling. Only the times of events need a scalar root. */
#include "core/falling.h"
#include "laws/family_compliant.h"

enum { PLANE_SAMPLES = 8 };      /* points per window where the borders are looked at */
#define PLANE_SPACING 0.8        /* rad of the faster swing between them: a border has at most one dip there */
#define NO_TIME       (64 * EPS) /* of the spacing: rounding of zero */
#define SAME_TIME     (8 * EPS)  /* of the time to f = 0: a border met there is the end itself */

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
    x.root = 0;
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

typedef struct swings {
    double w2[2], w[2];   /* omega^2, omega; the faster is last */
    double v1[2], vn[2];  /* components of the axes v_i */
    double d;             /* D^1/2 = diag(1, d) */
    double xi[2], eta[2]; /* now */
} swings;

/* One Jacobi rotation; the smaller eigenvalue from the determinant, so that it carries the digits K has. */
static void find_swings(const compliant *c, swings *m)
{
    double d = sqrt(c->k), a = c->K.t11, b = d * c->K.t1n, g = c->k * c->K.nn;
    double det = c->k * diff_of_products(c->K.t11, c->K.nn, c->K.t1n, c->K.t1n);
    double half = 0.5 * (g - a), root = sqrt(half * half + b * b), t = b == 0 ? 0 : b / (half + copysign(root, half));
    double cs = 1 / sqrt(1 + t * t), sn = t * cs, large = 0.5 * (a + g) + root;
    int fast = half < 0 ? 0 : 1; /* v = (cs, -sn) belongs to a - t b, (sn, cs) to g + t b */
    m->d = d;
    m->v1[1] = fast ? sn : cs;
    m->vn[1] = fast ? cs : -sn;
    m->v1[0] = fast ? cs : sn;
    m->vn[0] = fast ? -sn : cs;
    m->w2[1] = large;
    m->w2[0] = det > 0 ? det / large : 0;
    m->w[1] = sqrt(m->w2[1]);
    m->w[0] = sqrt(m->w2[0]);
}

static void start_swings(const compliant *c, swings *m)
{
    const spot *a = &c->now;
    for (int i = 0; i < 2; i++) {
        m->xi[i] = m->v1[i] * a->F.t1 + m->vn[i] * a->F.n / m->d;
        m->eta[i] = m->v1[i] * a->u.t1 + m->vn[i] * a->u.n * m->d;
    }
}

/* (11) after the time t; push is the integral of xi. */
typedef struct swung {
    double xi[2], eta[2], push[2];
} swung;

static swung swing(const swings *m, double t)
{
    swung x;
    for (int i = 0; i < 2; i++) {
        double w = m->w[i], half = 0.5 * w * t, s = sin(half), c = cos(half), cosine = 1 - 2 * s * s;
        double S = w > 0 ? 2 * s * c / w : t, Q = w > 0 ? 2 * square(s / w) : 0.5 * t * t;
        x.xi[i] = m->xi[i] * cosine - m->eta[i] * S;
        x.eta[i] = m->eta[i] * cosine + m->w2[i] * S * m->xi[i];
        x.push[i] = m->xi[i] * S - m->eta[i] * Q;
    }
    return x;
}

static spot spot_after(const swings *m, const spot *a, double t)
{
    swung x = swing(m, t);
    spot b = *a;
    b.F = carom_cvec_make(m->v1[0] * x.xi[0] + m->v1[1] * x.xi[1], 0, m->d * (m->vn[0] * x.xi[0] + m->vn[1] * x.xi[1]));
    b.u = carom_cvec_make(m->v1[0] * x.eta[0] + m->v1[1] * x.eta[1], 0,
                          (m->vn[0] * x.eta[0] + m->vn[1] * x.eta[1]) / m->d);
    b.p.t1 += m->v1[0] * x.push[0] + m->v1[1] * x.push[1];
    b.p.n += m->d * (m->vn[0] * x.push[0] + m->vn[1] * x.push[1]);
    return b;
}

/* A border is linear in the state: a . xi + b . eta. */
typedef struct border {
    const swings *m;
    double a[2], b[2];
    int skip; /* order of its root at this moment: 1 at the first touch, 2 where slip has just ended */
} border;

static void value_of(const border *f, const double xi[2], const double eta[2], double v[3])
{
    const double *a = f->a, *b = f->b, *w2 = f->m->w2;
    v[0] = a[0] * xi[0] + a[1] * xi[1] + b[0] * eta[0] + b[1] * eta[1];
    v[1] = b[0] * w2[0] * xi[0] + b[1] * w2[1] * xi[1] - a[0] * eta[0] - a[1] * eta[1];
    v[2] = -0.5 * (w2[0] * (a[0] * xi[0] + b[0] * eta[0]) + w2[1] * (a[1] * xi[1] + b[1] * eta[1]));
}

static void border_at(const void *data, double t, double v[3])
{
    const border *f = data;
    swung x = swing(f->m, t);
    value_of(f, x.xi, x.eta, v);
}

/* The three borders: the end of the phase (u_n = 0 or f = 0), and (4) on both sides. */
enum { PHASE, PLUS, MINUS, BORDERS };

static void find_borders(const compliant *c, const swings *m, border f[BORDERS])
{
    for (int i = 0; i < 2; i++) {
        double pull = c->mu * m->d * m->vn[i];
        f[PHASE].a[i] = c->restitution ? m->d * m->vn[i] : 0;
        f[PHASE].b[i] = c->restitution ? 0 : -m->vn[i] / m->d;
        f[PLUS].a[i] = pull + m->v1[i];
        f[MINUS].a[i] = pull - m->v1[i];
        f[PLUS].b[i] = f[MINUS].b[i] = 0;
    }
    for (int k = 0; k < BORDERS; k++) {
        f[k].m = m;
        f[k].skip = k == PHASE ? 0 : c->fresh;
    }
    if (c->fresh == 2)
        f[c->now.s.t1 > 0 ? MINUS : PLUS].skip = 0; /* F_1 = -mu s f: only one side is met */
}

/* The time at which border f is met in the bracket; the first bracket of a fresh border begins with its root. */
static bool is_met(const border *f, const bracket *k, double *t)
{
    smooth function = {border_at, f};
    if (k->a > 0 || f->skip == 0)
        return falls_between(function, k, t);
    double v[3];
    value_of(f, f->m->xi, f->m->eta, v);
    *t = 0;
    if (v[f->skip] <= 0)
        return true;
    return k->vb <= 0 && falls_between(function, k, t);
}

/* The first border met within the bracket of samples, or BORDERS. */
static int first_met(const border f[BORDERS], const bracket k[BORDERS], double *t)
{
    int first = BORDERS;
    for (int i = 0; i < BORDERS; i++) {
        double found, limit = first == PHASE ? *t * (1 - SAME_TIME) : *t;
        if (is_met(&f[i], &k[i], &found) && (first == BORDERS || found < limit)) {
            first = i;
            *t = found;
        }
    }
    return first;
}

/* Look along one window for the first border; *t is its time, or the length of the window. */
static int scan(const border f[BORDERS], const swings *m, double spacing, double *t)
{
    double C[2], S[2], xi[2], eta[2], v[3];
    bracket k[BORDERS] = {{0}};
    for (int i = 0; i < 2; i++) {
        C[i] = cos(m->w[i] * spacing);
        S[i] = m->w[i] > 0 ? sin(m->w[i] * spacing) / m->w[i] : spacing;
        xi[i] = m->xi[i];
        eta[i] = m->eta[i];
    }
    for (int j = 0; j <= PLANE_SAMPLES; j++) {
        bool near = false;
        for (int i = 0; i < BORDERS; i++) {
            value_of(&f[i], xi, eta, v);
            k[i] = (bracket){k[i].b, spacing * j, k[i].vb, k[i].db, v[0], v[1]};
            near = near || v[0] <= 0 || (v[1] > 0 && k[i].da < 0) || j == 1;
        }
        int met = j > 0 && near ? first_met(f, k, t) : BORDERS;
        if (met < BORDERS)
            return met;
        for (int i = 0; i < 2; i++) {
            double x = xi[i];
            xi[i] = C[i] * x - S[i] * eta[i];
            eta[i] = C[i] * eta[i] + m->w2[i] * S[i] * x;
        }
    }
    *t = spacing * PLANE_SAMPLES;
    return BORDERS;
}

typedef struct swing_piece {
    const compliant *c;
    const swings *m;
    double time;
} swing_piece;

static void swing_piece_at(const carom_piece *piece, double s, carom_state *state)
{
    const swing_piece *x = piece->data;
    spot a = spot_after(x->m, &x->c->now, s * x->time);
    *state = compliant_state(x->c, &a);
}

ending planar_stick(compliant *c)
{
    swings m;
    modes all;
    border f[BORDERS];
    find_swings(c, &m);
    double spacing = PLANE_SPACING / m.w[1], t = 0;
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        if (i >= LEAP_AFTER && leaps(c, i, PLANE_SAMPLES * spacing, &all) == ENDS_WEDGED)
            return ENDS_WEDGED;
        start_swings(c, &m);
        find_borders(c, &m, f);
        int met = scan(f, &m, spacing, &t);
        spot next = spot_after(&m, &c->now, t);
        if (c->tracer) {
            swing_piece x = {c, &m, t};
            compliant_show_piece(c, next.p.n, swing_piece_at, &x);
        }
        c->now = next;
        if (t > NO_TIME * spacing) /* else slip ended where compression ends, and the border is still met */
            c->fresh = 0;
        if (met == PHASE)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        if (met != BORDERS)
            return ENDS_SWITCH;
    }
    return ENDS_NOT;
}
