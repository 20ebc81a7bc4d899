/* Compliant sticking: linear, and therefore the sum of its modes.
 *
 *     A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,   xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u
 *     xi' = -eta,   eta' = omega^2 xi                                                                        (11)
 *
 * Sticking ends at a border: the friction cone (4), or the end of the phase. The
 * borders are sampled along the path; only the time of the event needs a scalar root. */
#include <stddef.h>

#include "core/falling.h"
#include "laws/springs/springs.h"

enum { SAMPLES = 8 };              /* points per step where the borders are evaluated */
enum { LEAP_AFTER = 3 };           /* steps without an event before leaps are tried */
enum { WEDGED_AFTER = 64 };        /* steps of sticking in restitution: with a singular K it never ends */
#define PLANAR_SPACING  0.8        /* rad of the fastest mode between samples: a border has at most one dip there */
#define SPATIAL_SPACING 0.4        /* |F_t| changes up to twice as fast as F */
#define SHORT_TURN      0.1601     /* (rad of half a turn)^2 covered by the short series: 0.4^14 / 15! = 2e-18 */
#define NO_TIME         (64 * EPS) /* of the spacing: rounding of zero */
#define SAME_TIME       (8 * EPS)  /* of the time to f = 0: a border met there is the end itself */

/* ---- modes ---- */

/* One Jacobi rotation; the smaller eigenvalue from the determinant, so that it carries the digits K has. */
static void planar_modes(const compliant *c, modes *m)
{
    double a = c->K.t11, b = c->d * c->K.t1n, g = c->k * c->K.nn, cs = 1, sn = 0;
    double det = c->k * difference_of_products(c->K.t11, c->K.nn, c->K.t1n, c->K.t1n);
    double half = 0.5 * (g - a), root = fabs(half);
    if (b != 0) {
        root = sqrt(half * half + b * b);
        double t = b / (half + copysign(root, half));
        cs = 1 / sqrt(1 + t * t);
        sn = t * cs;
    }
    int fast = half >= 0; /* (cs, -sn) belongs to a - t b, (sn, cs) to g + t b */
    double large = 0.5 * (a + g) + root;
    *m = (modes){.count = 2, .omega2 = {det > 0 ? det / large : 0, large}, .d = c->d};
    m->t1[!fast] = m->n[fast] = cs;
    m->t1[fast] = sn;
    m->n[!fast] = -sn;
}

static void spatial_modes(const compliant *c, modes *m)
{
    const carom_csym *K = &c->K;
    carom_csym A = {K->t11, K->t12, K->t22, c->d * K->t1n, c->d * K->t2n, c->k * K->nn};
    carom_cvec v[3];
    csym_eigen(&A, m->omega2, v);
    m->d = c->d;
    m->count = MODES;
    for (int i = 0; i < MODES; i++) {
        m->omega2[i] = max(0, m->omega2[i]);
        m->t1[i] = v[i].t1;
        m->t2[i] = v[i].t2;
        m->n[i] = v[i].n;
    }
}

/* The modes with the springs of this phase, found once per phase. */
static const modes *modes_of(compliant *c)
{
    modes *m = &c->modes;
    if (m->d == c->d)
        return m;
    if (c->planar)
        planar_modes(c, m);
    else
        spatial_modes(c, m);
    return m;
}

/* Modal coordinates; push is the integral of xi. */
typedef struct modal {
    double xi[MODES], eta[MODES], push[MODES];
} modal;

static modal project(const modes *m, const spot *a)
{
    modal x = {0};
    double f = a->F.n / m->d, u_n = a->u.n * m->d;
    for (int i = 0; i < m->count; i++) {
        x.xi[i] = m->t1[i] * a->F.t1 + m->t2[i] * a->F.t2 + m->n[i] * f;
        x.eta[i] = m->t1[i] * a->u.t1 + m->t2[i] * a->u.t2 + m->n[i] * u_n;
        x.push[i] = 0;
    }
    return x;
}

/* D^1/2 times the sum of x_i v_i. */
static carom_cvec compose(const modes *m, const double x[MODES])
{
    carom_cvec sum = {0, 0, 0};
    for (int i = 0; i < m->count; i++)
        sum = carom_cvec_add(sum, carom_cvec_make(x[i] * m->t1[i], x[i] * m->t2[i], x[i] * m->n[i]));
    sum.n *= m->d;
    return sum;
}

/* The spot that x reaches from a. */
static spot spot_of(const compliant *c, const modal *x, const spot *a)
{
    spot b = *a;
    spot_move(c, a, compose(&c->modes, x->push), &b);
    b.F = compose(&c->modes, x->xi);
    return b;
}

/* (11) over a time t: C = cos omega t,   S = sin(omega t) / omega,   Q = (1 - cos omega t) / omega^2. */
typedef struct turn {
    double C[MODES], S[MODES], Q[MODES];
} turn;

/* sin(h) / h and cos h for z = h^2. */
static inline void sinc_and_cos(double z, double *sinc, double *cosine)
{
    if (z > SHORT_TURN) {
        double h = sqrt(z);
        *sinc = sin(h) / h;
        *cosine = cos(h);
        return;
    }
    double z2 = z * z, z4 = z2 * z2;
    *sinc = (1 - z * (1. / 6)) + z2 * (1. / 120 - z * (1. / 5040)) +
            z4 * ((1. / 362880 - z * (1. / 39916800)) + z2 * (1. / 6227020800));
    *cosine = (1 - z * (1. / 2)) + z2 * (1. / 24 - z * (1. / 720)) +
              z4 * ((1. / 40320 - z * (1. / 3628800)) + z2 * (1. / 479001600 - z * (1. / 87178291200)));
}

static turn turn_over(const modes *m, double t)
{
    turn by;
    for (int i = 0; i < m->count; i++) {
        double z = m->omega2[i] * (0.25 * t * t), sinc, cosine;
        sinc_and_cos(z, &sinc, &cosine);
        by.C[i] = 1 - 2 * z * sinc * sinc;
        by.S[i] = t * sinc * cosine;
        by.Q[i] = 0.5 * t * t * sinc * sinc;
    }
    return by;
}

static modal turned(const modes *m, const turn *by, const modal *a)
{
    modal x = {0};
    for (int i = 0; i < m->count; i++) {
        x.xi[i] = a->xi[i] * by->C[i] - a->eta[i] * by->S[i];
        x.eta[i] = a->eta[i] * by->C[i] + m->omega2[i] * by->S[i] * a->xi[i];
        x.push[i] = a->push[i] + (a->xi[i] * by->S[i] - a->eta[i] * by->Q[i]);
    }
    return x;
}

static modal swing(const modes *m, const modal *a, double t)
{
    turn by = turn_over(m, t);
    return turned(m, &by, a);
}

/* ---- borders ---- */

/* The end of the phase is the last one: a contact whose tangential springs pull slips before f = 0. */
enum { CONE, PHASE, BORDERS };

/* Where they begin to be watched. */
typedef struct watch {
    const compliant *c;
    const modal *from;  /* the last sample */
    int kind;           /* the border whose root is sought */
    int order[BORDERS]; /* of the roots where sticking begins: 0 for a border that is positive there */
} watch;

/* Taylor coefficients in time of sum a_i xi_i, where xi'' = -omega^2 xi. */
static inline void force_terms(const modes *m, const modal *x, const double a[MODES], int terms, double F[])
{
    static const double share[SMOOTH_TERMS + 1] = {0, 0, 1. / 2, 1. / 6, 1. / 12, 1. / 20}; /* 1 / k (k - 1) */
    for (int k = 0; k < terms; k++)
        F[k] = 0;
    for (int i = 0; i < m->count; i++) {
        double term[SMOOTH_TERMS + 1] = {a[i] * x->xi[i], -a[i] * x->eta[i]};
        for (int k = 2; k < terms; k++)
            term[k] = -m->omega2[i] * share[k] * term[k - 2];
        for (int k = 0; k < terms; k++)
            F[k] += term[k];
    }
}

/* Those of r = |F_t|, by r^2 = F_1^2 + F_2^2; from F_t = 0 it grows with |F_t'|. */
static inline void length_terms(const modes *m, const modal *x, int terms, double r[])
{
    double F1[SMOOTH_TERMS], F2[SMOOTH_TERMS];
    force_terms(m, x, m->t1, terms, F1);
    if (m->count < MODES) { /* in a plane r = |F_1| */
        double sign = copysign(1, F1[0] == 0 ? F1[1] : F1[0]);
        for (int k = 0; k < terms; k++)
            r[k] = sign * F1[k];
        return;
    }
    force_terms(m, x, m->t2, terms, F2);
    r[0] = sqrt(square(F1[0]) + square(F2[0]));
    double per = r[0] > 0 ? 0.5 / r[0] : 0;
    for (int n = 1; n < terms; n++) {
        double sum = 0;
        for (int i = 0; i <= n; i++)
            sum += F1[i] * F1[n - i] + F2[i] * F2[n - i];
        for (int i = 1; i < n; i++)
            sum -= r[i] * r[n - i];
        r[n] = per * sum;
    }
    if (r[0] == 0)
        r[1] = sqrt(square(F1[1]) + square(F2[1]));
}

/* Taylor coefficients of the borders, positive until their event: f - |F_t| / mu (4); f in restitution, and in
 * compression f' = -k u_n. All over d. */
static inline void border_terms(const compliant *c, const modal *x, int terms, double v[BORDERS][SMOOTH_TERMS])
{
    const modes *m = &c->modes;
    double f[SMOOTH_TERMS + 1], r[SMOOTH_TERMS], per = c->per_mu / m->d;
    force_terms(m, x, m->n, terms + 1, f);
    length_terms(m, x, terms, r);
    for (int k = 0; k < terms; k++) {
        v[CONE][k] = f[k] - per * r[k];
        v[PHASE][k] = c->restitution ? f[k] : (k + 1) * f[k + 1];
    }
}

static void border_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const watch *w = data;
    double both[BORDERS][SMOOTH_TERMS];
    modal x = swing(&w->c->modes, w->from, t);
    border_terms(w->c, &x, SMOOTH_TERMS, both);
    for (int k = 0; k < SMOOTH_TERMS; k++)
        v[k] = both[w->kind][k];
}

/* The first border met within brackets that begin at the time start, or BORDERS; when, and the coordinates there. A
 * border that begins at zero and does not rise is met at once. The cone's comes first unless the phase ends by
 * SAME_TIME later. */
static int first_met(watch *w, bracket k[BORDERS], double start, double *t, modal *x)
{
    int first = BORDERS;
    *t = 0;
    for (w->kind = w->c->per_mu > 0 ? CONE : PHASE; w->kind < BORDERS; w->kind++) {
        bracket *b = &k[w->kind];
        smooth function = {border_at, w};
        double found = 0;
        if (first < BORDERS) {
            double late = SAME_TIME * (start + *t), v[BORDERS][SMOOTH_TERMS];
            border_terms(w->c, x, 2, v);
            *b = (bracket){0, *t + late, b->va, b->da, v[PHASE][0] + late * v[PHASE][1], v[PHASE][1]};
        }
        bool at_once = start == 0 && w->order[w->kind] > 0 && b->da <= 0;
        if (!at_once && !falls_between(function, b, &found))
            continue;
        first = w->kind;
        *t = found;
        *x = swing(&w->c->modes, w->from, found);
    }
    return first;
}

/* Values and slopes at the end of the brackets; a border that is zero where sticking begins has its first coefficient
 * in place of the slope. */
static inline void look_at_start(const watch *w, const modal *x, bracket k[BORDERS])
{
    double v[BORDERS][SMOOTH_TERMS];
    border_terms(w->c, x, 3, v);
    for (int i = 0; i < BORDERS; i++) {
        k[i].vb = v[i][0];
        k[i].db = v[i][w->order[i] == 2 ? 2 : 1];
    }
}

/* Move x along one step, or to the first border in it; *t is the time that takes. */
static int scan(watch *w, const turn *step, double spacing, modal *x, double *t)
{
    bracket k[BORDERS];
    w->from = x;
    look_at_start(w, x, k);
    for (int j = 0; j < SAMPLES; j++) {
        modal next = turned(&w->c->modes, step, x), there;
        double v[BORDERS][SMOOTH_TERMS];
        border_terms(w->c, &next, 2, v);
        for (int i = 0; i < BORDERS; i++)
            k[i] = (bracket){0, spacing, k[i].vb, k[i].db, v[i][0], v[i][1]};
        int met = first_met(w, k, spacing * j, t, &there);
        if (met < BORDERS) {
            *t += spacing * j;
            *x = there;
            return met;
        }
        *x = next;
    }
    *t = spacing * SAMPLES;
    return BORDERS;
}

/* ---- leaps over many fast swings ---- */

/* Where one frequency is far above another (small eta, ill-conditioned K) the fast modes only add a ripple of known
 * size to the slow ones. As long as the slow part keeps further from every border than the ripple, nothing can happen,
 * and (11) is evaluated at the far end of that time. Bounds on the slow speeds give its length. */
enum { LEAP_STEPS = 4 };  /* that a leap counts as */
enum { LEAPS_MOST = 64 }; /* in a row; each but the last keeps a fixed share of the distance to the border */
#define LEAP_SHARE   0.9  /* of the time that the bounds allow */
#define LEAP_FOREVER 1e15 /* rad of the fastest mode: beyond it no phase is known, and the contact is wedged */
#define LEAP_WORTH   4.0  /* steps that a leap must replace */

/* The time during which no border is met, with the modes from `first` on as ripple. */
static double quiet(const compliant *c, const modal *x, int first)
{
    const modes *m = &c->modes;
    double slow[MODES] = {0}, fall = 0, ripple = 0, ripple_n = 0, pace = 0, pace_n = 0;
    for (int i = 0; i < m->count; i++) {
        double w = sqrt(m->omega2[i]), size = w > 0 ? hypot(x->xi[i], x->eta[i] / w) : fabs(x->xi[i]);
        double reach = m->d * fabs(m->n[i]) + c->per_mu * hypot(m->t1[i], m->t2[i]), normal = fabs(m->n[i]);
        if (i >= first) {
            ripple += reach * size;
            ripple_n += normal * w * size;
        } else {
            slow[i] = x->xi[i];
            fall -= m->n[i] * x->eta[i];
            pace += reach * w * size;
            pace_n += normal * w * w * size;
        }
    }
    carom_cvec F = compose(m, slow);
    double far = (F.n - c->per_mu * hypot(F.t1, F.t2) - ripple) / pace;
    double far_n = c->restitution ? INFINITY : (fall - ripple_n) / pace_n;
    return LEAP_SHARE * (far < far_n ? far : far_n); /* NaN, from 0 / 0, is no leap */
}

/* A stretch of sticking, for the tracer. */
typedef struct stretch {
    const compliant *c;
    double time;
} stretch;

static void stretch_at(const carom_piece *piece, double s, carom_state *state)
{
    const stretch *x = piece->data;
    modal from = project(&x->c->modes, &x->c->now), there = swing(&x->c->modes, &from, s * x->time);
    spot a = spot_of(x->c, &there, &x->c->now);
    *state = compliant_state(x->c, &a);
}

/* Go on by the time t, to the coordinates x. */
static void arrive(compliant *c, const modal *x, double t)
{
    spot b = spot_of(c, x, &c->now);
    stretch way = {c, t};
    compliant_show(c, b.p.n, stretch_at, &way);
    c->now = b;
}

/* One leap, if it replaces several steps of the time h. False: sticking never ends. */
static bool leap(compliant *c, double h, bool *leapt)
{
    const modes *m = &c->modes;
    modal x = project(m, &c->now);
    double t = 0;
    for (int first = 1; first < m->count; first++)
        t = fmax(t, quiet(c, &x, first));
    *leapt = t > LEAP_WORTH * h;
    if (!*leapt)
        return true;
    if (!(t * sqrt(m->omega2[m->count - 1]) < LEAP_FOREVER))
        return false;
    x = swing(m, &x, t);
    arrive(c, &x, t);
    return true;
}

/* Leap as often as that helps. True when sticking never ends. */
static bool leap_on(compliant *c, int steps_done, double h)
{
    bool leapt = true;
    for (int i = 0; i < LEAPS_MOST && leapt; i++) {
        if (!leap(c, h, &leapt))
            return true;
        c->steps += LEAP_STEPS;
    }
    return c->restitution && steps_done == WEDGED_AFTER && compliant_singular(c);
}

ending compliant_stick(compliant *c)
{
    const modes *m = modes_of(c);
    double spacing = (c->planar ? PLANAR_SPACING : SPATIAL_SPACING) / sqrt(m->omega2[m->count - 1]), t;
    turn step = turn_over(m, spacing);
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        if (i >= LEAP_AFTER && leap_on(c, i, SAMPLES * spacing))
            return ENDS_WEDGED;
        bool grazes = c->now.u.n == 0 && c->now.F.n == 0; /* u_n falls from zero */
        watch w = {c, NULL, CONE, {c->border_order, grazes ? 2 : 0}};
        modal x = project(m, &c->now);
        int met = scan(&w, &step, spacing, &x, &t);
        arrive(c, &x, t);
        if (t > NO_TIME * spacing) /* else slip ended where compression ends, and the border is still met */
            c->border_order = 0;
        if (met == PHASE)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        if (met == CONE)
            return ENDS_SWITCH;
    }
    return ENDS_NOT;
}
