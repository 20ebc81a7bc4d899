/* Compliant impact in a plane: slip is straight and closed; sticking is two swings, closed, with linear borders.
 *
 *     A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,   xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u
 *     xi' = -eta,   eta' = omega^2 xi                                                                        (11)
 *
 * Spheres are the case without coupling. Only the times of events need a scalar root. */
#include "core/falling.h"
#include "laws/springs/family_compliant.h"

enum { PLANE_SAMPLES = 8 };      /* points per window where the borders are looked at */
#define PLANE_SPACING 0.8        /* rad of the faster swing between them: a border has at most one dip there */
#define SHORT_SWING   0.1601     /* (rad of half a swing)^2 that the short series cover: 0.4^14 / 15! = 2e-18 */
#define TINY_SWING    1e-5       /* (rad of a swing)^2 that three terms cover: 1e-15 / 720 */
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
    double stick = c->mu > 0 && fall > 0 ? larger(0, slide_speed(c, a)) / fall : INFINITY;
    double energy = 0.5 * a->y / c->k;
    double phase = c->restitution ? spent_at(energy, a->u.n, v.n) : v.n > 0 ? -a->u.n / v.n : INFINITY;
    double P = stick < phase ? stick : phase;
    if (!(P < INFINITY))
        return ENDS_NOT;
    if (c->tracer)
        show_straight(c, d, v, P);
    double before = a->u.n;
    a->p = carom_cvec_add(a->p, carom_cvec_scale(P, d));
    a->u = carom_cvec_add(a->u, carom_cvec_scale(P, v));
    bool last = c->restitution && phase <= stick;
    a->y = last ? 0 : larger(0, a->y - c->k * P * (before + a->u.n));
    double f = sqrt(a->y);
    a->F = carom_cvec_scale(f, d);
    return last ? ENDS_IMPACT : phase <= stick ? ENDS_COMPRESSION : ENDS_SWITCH;
}

/* ---- stick ---- */

/* Here a pair holds a number for each swing. */
static inline double sum_of(pair x)
{
    return x[0] + x[1];
}

static inline pair sums_of(pair x, pair y)
{
    return (pair){x[0], y[0]} + (pair){x[1], y[1]};
}

/* Where the swings are: push is the integral of xi. */
typedef struct swung {
    pair xi, eta, push;
} swung;

typedef struct swings {
    pair w2;       /* omega^2; the faster is last */
    pair v1, vn;   /* components of the axes v_i */
    double d, per; /* D^1/2 = diag(1, d); 1 / d */
} swings;

/* One Jacobi rotation; the smaller eigenvalue from the determinant, so that it carries the digits K has. */
static void find_swings(const compliant *c, swings *m)
{
    double d = c->d, a = c->K.t11, b = d * c->K.t1n, g = c->k * c->K.nn;
    double det = c->k * diff_of_products(c->K.t11, c->K.nn, c->K.t1n, c->K.t1n);
    double half = 0.5 * (g - a), root = fabs(half), cs = 1, sn = 0;
    if (b != 0) {
        root = sqrt(half * half + b * b);
        double t = b / (half + copysign(root, half));
        cs = 1 / sqrt(1 + t * t);
        sn = t * cs;
    }
    double large = 0.5 * (a + g) + root;
    double small = det > 0 ? det / large : 0;
    bool fast = half >= 0; /* v = (cs, -sn) belongs to a - t b, (sn, cs) to g + t b */
    m->d = d;
    m->per = 1 / d;
    m->v1 = fast ? (pair){cs, sn} : (pair){sn, cs};
    m->vn = fast ? (pair){-sn, cs} : (pair){cs, -sn};
    m->w2 = (pair){small, large};
}

static swung start_swings(const swings *m, const spot *a)
{
    swung x = {m->v1 * a->F.t1 + m->vn * (a->F.n * m->per), m->v1 * a->u.t1 + m->vn * (a->u.n * m->d), {0, 0}};
    return x;
}

/* (11) over a time t: C = cos omega t,   S = sin(omega t) / omega,   Q = (1 - cos omega t) / omega^2. */
typedef struct turn {
    pair C, S, Q;
} turn;

/* From sin(h) / h and cos h of h = omega t / 2, and z = h^2. */
static turn turn_from(pair sinc, pair cosine, pair z, double t)
{
    turn by = {1 - 2 * z * sinc * sinc, t * sinc * cosine, 0.5 * t * t * sinc * sinc};
    return by;
}

/* Their series, for z up to SHORT_SWING. */
static inline turn short_turn(pair z, double t)
{
    pair z2 = z * z, z4 = z2 * z2;
    pair sinc = (1 - z * (1. / 6)) + z2 * (1. / 120 - z * (1. / 5040)) +
                z4 * ((1. / 362880 - z * (1. / 39916800)) + z2 * (1. / 6227020800));
    pair cosine = (1 - z * (1. / 2)) + z2 * (1. / 24 - z * (1. / 720)) +
                  z4 * ((1. / 40320 - z * (1. / 3628800)) + z2 * (1. / 479001600 - z * (1. / 87178291200)));
    return turn_from(sinc, cosine, z, t);
}

/* And for w = (omega t)^2 up to TINY_SWING. */
static turn tiny_turn(pair w, double t)
{
    turn by = {1 - w * (0.5 - w * (1. / 24)), t * (1 - w * (1. / 6 - w * (1. / 120))),
               0.5 * t * t * (1 - w * (1. / 12 - w * (1. / 360)))};
    return by;
}

static SELDOM turn long_turn(pair z, double t)
{
    pair sinc, cosine;
    for (int i = 0; i < 2; i++) {
        double h = sqrt(z[i]);
        sinc[i] = h > 0 ? sin(h) / h : 1;
        cosine[i] = cos(h);
    }
    return turn_from(sinc, cosine, z, t);
}

static swung turned(const swings *m, const turn *by, const swung *a)
{
    swung x = {a->xi * by->C - a->eta * by->S, a->eta * by->C + m->w2 * by->S * a->xi,
               a->push + (a->xi * by->S - a->eta * by->Q)};
    return x;
}

static inline swung swing(const swings *m, const swung *a, double t)
{
    pair z = m->w2 * (0.25 * t * t);
    turn by = z[1] <= SHORT_SWING ? short_turn(z, t) : long_turn(z, t);
    return turned(m, &by, a);
}

/* From the spot where the swings began to where they are now. */
static void move_spot(const swings *m, const swung *x, spot *a)
{
    a->F = carom_cvec_make(sum_of(m->v1 * x->xi), 0, m->d * sum_of(m->vn * x->xi));
    a->u = carom_cvec_make(sum_of(m->v1 * x->eta), 0, sum_of(m->vn * x->eta) * m->per);
    a->p.t1 += sum_of(m->v1 * x->push);
    a->p.n += m->d * sum_of(m->vn * x->push);
}

/* The last point that was looked at, by its time from the last sample. */
typedef struct probe {
    double t;
    swung x;
} probe;

/* A border is linear in the state: a . xi + b . eta. */
typedef struct border {
    const swings *m;
    const swung *from; /* the last sample */
    probe *last;
    pair a, b;
    int skip; /* order of its root at this moment: 1 at the first touch, 2 where slip has just ended */
} border;

/* Its value and slope. */
static inline pair look_at(const border *f, const swung *x)
{
    return sums_of(f->a * x->xi + f->b * x->eta, f->b * f->m->w2 * x->xi - f->a * x->eta);
}

static inline double bend_of(const border *f, const swung *x)
{
    return -0.5 * sum_of(f->m->w2 * (f->a * x->xi + f->b * x->eta));
}

/* The swings at t, from the last point that was looked at when it is near, as it is where a root converges. */
static inline swung swing_to(const border *f, double t)
{
    double rest = t - f->last->t;
    pair w = f->m->w2 * (rest * rest);
    if (!(w[1] <= TINY_SWING))
        return swing(f->m, f->from, t);
    turn by = tiny_turn(w, rest);
    return turned(f->m, &by, &f->last->x);
}

static inline void border_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const border *f = data;
    swung x = swing_to(f, t);
    pair w2 = f->m->w2, value = f->a * x.xi + f->b * x.eta, slope = f->b * w2 * x.xi - f->a * x.eta;
    const pair here = sums_of(value, slope), bends = sums_of(w2 * value, w2 * slope);
    v[0] = here[0];
    v[1] = here[1];
    v[2] = (-1. / 2) * bends[0];
    v[3] = (-1. / 6) * bends[1];
    v[4] = (1. / 24) * sum_of(w2 * w2 * value);
    f->last->t = t;
    f->last->x = x;
}

/* The three borders: (4) on both sides, and the end of the phase (u_n = 0 or f = 0), which comes last: a contact that
 * still pulls slips before f = 0. */
enum { PLUS, MINUS, PHASE, BORDERS };

static void find_borders(const compliant *c, const swings *m, border f[BORDERS])
{
    const pair zero = {0, 0}, pull = c->mu * m->d * m->vn;
    f[PHASE].a = c->restitution ? m->d * m->vn : zero;
    f[PHASE].b = c->restitution ? zero : -m->vn * m->per;
    f[PLUS].a = pull + m->v1;
    f[MINUS].a = pull - m->v1;
    f[PLUS].b = f[MINUS].b = zero;
    for (int k = 0; k < BORDERS; k++) {
        f[k].m = m;
        f[k].skip = k == PHASE ? 0 : c->fresh;
    }
    if (c->fresh == 2)
        f[c->now.s.t1 > 0 ? MINUS : PLUS].skip = 0; /* F_1 = -mu s f: only one side is met */
}

/* The value and slope of a border where sticking begins; of a fresh one, whose root is here, the first coefficient that
 * is not zero in place of its slope. */
static inline pair look_at_start(const border *f, const swung *x)
{
    pair start = look_at(f, x);
    return f->skip == 2 ? (pair){start[0], bend_of(f, x)} : start;
}

/* Can border f be met in the bracket? */
static inline bool may_meet(const border *f, const bracket *k, bool first)
{
    return k->vb <= 0 || (k->da < 0 && k->db > 0) || (first && f->skip && k->da <= 0);
}

/* The time at which it is. */
static inline bool is_met(const border *f, const bracket *k, bool first, double *t)
{
    smooth function = {border_at, f};
    *t = 0;
    return (first && f->skip && k->da <= 0) || falls_between(function, k, t);
}

/* The first border met within the brackets of samples that begin at the time start, or BORDERS; when, and where the
 * swings are then. Once one is met, the brackets of the others end there, but the phase may end SAME_TIME later. */
static inline int first_met(const border f[BORDERS], bracket k[BORDERS], double start, probe *at)
{
    int first = BORDERS;
    for (int i = 0; i < BORDERS; i++) {
        double found;
        if (!may_meet(&f[i], &k[i], start == 0))
            continue;
        if (first < BORDERS) {
            double late = i == PHASE ? SAME_TIME * (start + at->t) : 0;
            pair end = look_at(&f[i], &at->x);
            k[i].b = at->t + late;
            k[i].vb = end[0] + late * end[1];
            k[i].db = end[1];
        }
        if (is_met(&f[i], &k[i], start == 0, &found)) {
            first = i;
            at->x = swing_to(&f[i], found);
            at->t = found;
        }
    }
    return first;
}

/* Move x along one window, or to the first border in it; *t is the time that takes. */
static int scan(border f[BORDERS], const turn *step, double spacing, swung *x, double *t)
{
    const swings *m = f->m;
    bracket k[BORDERS];
    probe last, at;
    for (int i = 0; i < BORDERS; i++) {
        f[i].from = x;
        f[i].last = &last;
        pair start = look_at_start(&f[i], x);
        k[i] = (bracket){0, spacing, 0, 0, start[0], start[1]};
    }
    for (int j = 0; j < PLANE_SAMPLES; j++) {
        swung next = turned(m, step, x);
        for (int i = 0; i < BORDERS; i++) {
            pair end = look_at(&f[i], &next);
            k[i].va = k[i].vb;
            k[i].da = k[i].db;
            k[i].vb = end[0];
            k[i].db = end[1];
        }
        last.t = INFINITY;
        int met = first_met(f, k, spacing * j, &at);
        if (met < BORDERS) {
            *t = spacing * j + at.t;
            *x = at.x;
            return met;
        }
        *x = next;
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
    swung begin = start_swings(x->m, &x->c->now), there = swing(x->m, &begin, s * x->time);
    spot a = x->c->now;
    move_spot(x->m, &there, &a);
    *state = compliant_state(x->c, &a);
}

ending planar_stick(compliant *c)
{
    swings m;
    modes all;
    border f[BORDERS];
    find_swings(c, &m);
    double spacing = PLANE_SPACING / sqrt(m.w2[1]), t = 0;
    const pair z = m.w2 * (square(0.5 * PLANE_SPACING) / m.w2[1]);
    turn step = short_turn(z, spacing);
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        if (i >= LEAP_AFTER && leaps(c, i, PLANE_SAMPLES * spacing, &all) == ENDS_WEDGED)
            return ENDS_WEDGED;
        swung x = start_swings(&m, &c->now);
        find_borders(c, &m, f);
        int met = scan(f, &step, spacing, &x, &t);
        if (c->tracer) {
            swing_piece piece = {c, &m, t};
            compliant_show_piece(c, c->now.p.n + m.d * sum_of(m.vn * x.push), swing_piece_at, &piece);
        }
        move_spot(&m, &x, &c->now);
        if (t > NO_TIME * spacing) /* else slip ended where compression ends, and the border is still met */
            c->fresh = 0;
        if (met == PHASE)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        if (met != BORDERS)
            return ENDS_SWITCH;
    }
    return ENDS_NOT;
}
