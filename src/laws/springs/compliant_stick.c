/* Compliant sticking: linear, and therefore the sum of its modes (11).
 *
 * It ends at a border: the friction cone (4), or the end of the phase. The borders are sampled along the path; only the
 * time of the event needs a scalar root. */
#include <stddef.h>

#include "core/falling.h"
#include "laws/springs/compliant_modes.h"

enum { SAMPLES = 8 };              /* points per step where the borders are evaluated */
enum { LEAP_AFTER = 3 };           /* steps without an event before leaps are tried */
enum { WEDGED_AFTER = 64 };        /* steps of sticking in restitution: with a singular K it never ends */
#define PLANAR_SPACING  0.8        /* rad of the fastest mode between samples: a border has at most one dip there */
#define SPATIAL_SPACING 0.4        /* |F_t| changes up to twice as fast as F */
#define NO_TIME         (64 * EPS) /* of the spacing: rounding of zero */
#define SAME_TIME       (8 * EPS)  /* of the time to f = 0: a border met there is the end itself */

/* The end of the phase is the last one: a contact whose tangential springs pull slips before f = 0. */
enum { RELOAD, CONE, PHASE, BORDERS };

/* The borders on the way from a sample. */
typedef struct watch {
    const compliant *c;
    const modal *from;  /* the last sample */
    int kind;           /* the border whose root is sought */
    int order[BORDERS]; /* of the roots where sticking begins: 0 for a border that is positive there */
} watch;

/* Taylor coefficients in time of sum a_i xi_i, where xi'' = -omega^2 xi. */
static inline void force_terms(const mode_set *m, const modal *x, const double a[MODES], int terms, double F[])
{
    static const double share[SMOOTH_TERMS + 1] = {0, 0, 1. / 2, 1. / 6}; /* 1 / k (k - 1) */
    for (int k = 0; k < terms; k++)
        F[k] = 0;
    for (int i = 0; i < m->count; i++) {
        double term[SMOOTH_TERMS + 1] = {a[i] * x->xi[i], -a[i] * x->eta[i]};
        for (int k = 2; k < terms; k++)
            term[k] = -m->omega2[i] * share[k] * term[k - 2];
        for (int k = 0; k < terms; k++)
            F[k] += term[k];
    }
    for (int k = 0; CARRIES_PARTIALS && k < MODES; k++) { /* of the coupling (12) */
        int i = coupled_first(k), j = coupled_second(k);
        for (int n = 2; n < terms && j < m->count; n++)
            F[n] -= share[n] * m->cross[k] *
                    (n == 2 ? a[i] * x->xi[j] + a[j] * x->xi[i] : -(a[i] * x->eta[j] + a[j] * x->eta[i]));
    }
}

/* Those of r = |F_t|, by r^2 = F_1^2 + F_2^2; from F_t = 0 it grows with |F_t'|. */
static inline void length_terms(const mode_set *m, const modal *x, int terms, double r[])
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

/* Taylor coefficients of the borders, positive until their event: f - |F_t| / mu (4); k u_n = -f' or peak - f, where a
 * further compression may begin (6a); f in restitution, and in compression f' = -k u_n. All over d. */
static inline void border_terms(const compliant *c, const modal *x, int terms, double v[BORDERS][SMOOTH_TERMS])
{
    const mode_set *m = &c->modes;
    double f[SMOOTH_TERMS + 1], r[SMOOTH_TERMS], per = c->per_mu / m->d;
    force_terms(m, x, m->n, terms + 1, f);
    length_terms(m, x, terms, r);
    for (int k = 0; k < terms; k++) {
        v[CONE][k] = f[k] - per * r[k];
        v[PHASE][k] = c->restitution ? f[k] : (k + 1) * f[k + 1];
        v[RELOAD][k] = !may_reload(c)                           ? k == 0
                       : c->reading == CAROM_OPTION_PHASES_PEAK ? (k == 0 ? c->peak / m->d : 0) - f[k]
                                                                : -(k + 1) * f[k + 1];
    }
}

static void border_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const watch *w = (const watch *)data;
    double both[BORDERS][SMOOTH_TERMS];
    modal x;
    swing(&w->c->modes, w->from, t, &x);
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
    for (w->kind = 0; w->kind < BORDERS; w->kind++) {
        if ((w->kind == CONE && !(w->c->per_mu > 0)) || (w->kind == RELOAD && !may_reload(w->c)))
            continue;
        bracket *b = &k[w->kind];
        smooth function = {border_at, w};
        double found = 0;
        if (first < BORDERS) {
            double late = SAME_TIME * (start + *t), v[BORDERS][SMOOTH_TERMS];
            border_terms(w->c, x, 2, v);
            b->b = *t + late;
            b->vb = v[w->kind][0] + late * v[w->kind][1];
            b->db = v[w->kind][1];
        }
        bool at_once = start == 0 && w->order[w->kind] > 0 && b->da <= 0;
        if (!at_once && !falls_between(function, b, &found))
            continue;
        first = w->kind;
        *t = found;
        swing(&w->c->modes, w->from, found, x);
    }
    return first;
}

/* Values and slopes at the end of the brackets; a border that is zero where sticking begins has its first coefficient
 * in place of the slope. */
static inline void look_at_start(const watch *w, const modal *x, bracket k[BORDERS])
{
    double v[BORDERS][SMOOTH_TERMS];
    border_terms(w->c, x, SMOOTH_TERMS, v);
    for (int i = 0; i < BORDERS; i++) {
        k[i].vb = v[i][0];
        k[i].db = v[i][w->order[i] == 2 ? 2 : 1];
    }
}

/* From the coordinates from along one step, or to the first border in it: x, and the time *t that takes. */
static int scan(watch *w, const turn *step, double spacing, const modal *from, modal *x, double *t)
{
    modal sample[2];
    bracket k[BORDERS] = {{.b = spacing}, {.b = spacing}, {.b = spacing}};
    look_at_start(w, from, k);
    w->from = from;
    for (int j = 0; j < SAMPLES; j++) {
        modal *next = j < SAMPLES - 1 ? &sample[j % 2] : x;
        double v[BORDERS][SMOOTH_TERMS];
        turned(&w->c->modes, step, w->from, next);
        border_terms(w->c, next, 2, v);
        for (int i = 0; i < BORDERS; i++) {
            k[i].va = k[i].vb;
            k[i].da = k[i].db;
            k[i].vb = v[i][0];
            k[i].db = v[i][1];
        }
        int met = first_met(w, k, spacing * j, t, x);
        if (met < BORDERS) {
            *t += spacing * j;
            return met;
        }
        w->from = next;
    }
    *t = spacing * SAMPLES;
    return BORDERS;
}

ending compliant_stick(compliant *c)
{
    const mode_set *m = compliant_modes(c);
    double spacing = plain((c->planar ? PLANAR_SPACING : SPATIAL_SPACING) / sqrt(m->omega2[m->count - 1])), t;
    turn step = turn_over(m, spacing);
    for (int i = 0; c->steps < COMPLIANT_STEPS; c->steps++, i++) {
        bool held = i == WEDGED_AFTER && c->restitution && compliant_singular(c);
        if (held || (i >= LEAP_AFTER && !CARRIES_PARTIALS && compliant_leap(c, SAMPLES * spacing)))
            return ENDS_WEDGED;
        bool grazes = c->now.u.n == 0 && c->now.F.n == 0; /* u_n falls from zero */
        int reloads = c->restitution ? c->reload_order : 0, ends = grazes ? 2 : c->restitution ? 0 : c->reload_order;
        watch w = {c, NULL, RELOAD, {reloads, c->border_order, ends}};
        modal from, x;
        project(m, &c->now, &from);
        int met = scan(&w, &step, spacing, &from, &x, &t);
        compliant_swing_to(c, &x, t);
        if (t > NO_TIME * spacing) /* else slip ended where compression ends, and the border is still met */
            c->border_order = c->reload_order = 0;
        if (met == RELOAD)
            return ENDS_RESTITUTION;
        if (met == PHASE)
            return c->restitution ? ENDS_IMPACT : ENDS_COMPRESSION;
        if (met == CONE)
            return ENDS_SWITCH;
    }
    return ENDS_NOT;
}
