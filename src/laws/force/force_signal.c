/* Sampled less than a radian apart, so that there is at most one dip between two samples; a wave that decays is sampled
 * at times that grow with the time itself. */
#include "laws/force/force_signal.h"

enum { SIGNAL_STEPS = 20000, COEFFS = 5 };
#define SIGNAL_RADIAN 0.8
#define DECAY_PACE    2.0       /* over the time: how fast a decay still changes */
#define SIGNAL_TOL    (8 * EPS) /* of the parts of the signal: zero but for rounding */

/* A side of the signal from one sample on. */
typedef struct probe {
    const signal *s;
    double sign;
    int zeros;
} probe;

static inline void probe_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const probe *p = data;
    const wave a = wave_at(p->s->w[0], t), b = wave_at(p->s->w[1], t);
    v[0] = p->s->constant + a.y + p->sign * b.y;
    v[1] = a.v + p->sign * b.v;
    v[2] = 0.5 * (wave_bend(a) + p->sign * wave_bend(b));
    for (int i = 0; i < p->zeros; i++) { /* divided by t */
        v[0] /= t;
        v[1] = (v[1] - v[0]) / t;
        v[2] = (v[2] - v[1]) / t;
    }
}

/* Radians per time of the waves that swing, and the faster rate of those that decay. */
typedef struct pace {
    double swings, decays;
} pace;

static void set_pace(pace *p, const wave *w)
{
    const double a = w->by.a, b = w->by.b, q = b - a * a;
    if (w->y == 0 && w->v == 0)
        return;
    if (q > 0)
        p->swings = max(p->swings, sqrt(b));
    else
        p->decays = max(p->decays, a + sqrt(-q));
}

/* What a step after the time t must resolve. */
static inline double pace_at(const pace *p, double t)
{
    return max(p->swings, t * p->decays > DECAY_PACE ? DECAY_PACE / t : p->decays);
}

static void wave_coeffs(const wave *w, double c[COEFFS])
{
    c[0] = w->y;
    c[1] = w->v;
    for (int k = 0; k + 2 < COEFFS; k++)
        c[k + 2] = -(2 * w->by.a * (k + 1) * c[k + 1] + w->by.b * c[k]) / ((k + 1) * (k + 2));
}

/* Value and slope at the beginning, without its zeros. False: it falls at once. */
static COLD bool begin_at_zero(probe *p, bracket *k)
{
    double a[COEFFS], b[COEFFS];
    wave_coeffs(&p->s->w[0], a);
    wave_coeffs(&p->s->w[1], b);
    for (;; p->zeros++) {
        const int n = p->zeros;
        const double constant = n == 0 ? p->s->constant : 0, size = fabs(constant) + fabs(a[n]) + fabs(b[n]);
        k->vb = constant + a[n] + p->sign * b[n];
        k->db = a[n + 1] + p->sign * b[n + 1];
        if (k->vb > 0)
            return true;
        if (k->vb < -SIGNAL_TOL * size || !(k->db > 0) || n + 2 == COEFFS)
            return false;
    }
}

static bool begin_side(probe *p, bracket *k)
{
    const wave *w = p->s->w;
    k->vb = p->s->constant + w[0].y + p->sign * w[1].y;
    k->db = w[0].v + p->sign * w[1].v;
    return (p->zeros == 0 && k->vb > 0) || begin_at_zero(p, k);
}

/* From the end of the last bracket to the end of the next, where the waves are `to`. */
static void next_bracket(const probe *p, const signal *to, double h, bracket *k)
{
    double v[2] = {to->constant + to->w[0].y + p->sign * to->w[1].y, to->w[0].v + p->sign * to->w[1].v};
    k->a = 0;
    k->va = k->vb;
    k->da = k->db;
    for (int i = 0; i < p->zeros; i++) {
        v[0] /= h;
        v[1] = (v[1] - v[0]) / h;
    }
    k->b = h;
    k->vb = v[0];
    k->db = v[1];
}

/* One step of all sides from `now` to `to`. */
static bool step_falls(probe *probes, bracket *k, const signal *to, double *h, int *side)
{
    const smooth f[2] = {{probe_at, &probes[0]}, {probe_at, &probes[1]}};
    const double length = *h;
    bool found = false;
    for (int i = 0; i < to->sides; i++) {
        double t;
        next_bracket(&probes[i], to, length, &k[i]);
        if (falls_between(f[i], &k[i], &t) && !(found && t >= *h)) {
            *h = t;
            *side = i;
            found = true;
        }
        if (probes[i].zeros > 0) { /* from here on the signal itself */
            probes[i].zeros = 0;
            k[i].vb = to->constant + to->w[0].y + probes[i].sign * to->w[1].y;
            k[i].db = to->w[0].v + probes[i].sign * to->w[1].v;
        }
    }
    return found;
}

signal_event signal_falls(const signal *s, double length, double *time, int *side)
{
    signal now = *s, to = *s;
    probe probes[2] = {{&now, 1, s->zeros[0]}, {&now, -1, s->zeros[1]}};
    bracket k[2] = {{0}};
    pace p = {0, 0};
    double from = 0, last = -1;
    swing_factors by[2] = {{1, 0}, {1, 0}};
    for (int i = 0; i < s->sides; i++)
        if (!begin_side(&probes[i], &k[i])) {
            *time = 0;
            *side = i;
            return SIGNAL_FALLS;
        }
    set_pace(&p, &s->w[0]);
    set_pace(&p, &s->w[1]);
    for (int step = 0; step < SIGNAL_STEPS; step++) {
        const double rate = pace_at(&p, from), left = length - from;
        double h = rate * left > SIGNAL_RADIAN ? SIGNAL_RADIAN / rate : left;
        for (int i = 0; i < 2; i++) {
            if (h != last)
                by[i] = swing_over(s->w[i].by, h);
            to.w[i] = wave_swung(now.w[i], by[i]);
        }
        last = h;
        if (step_falls(probes, k, &to, &h, side)) {
            *time = from + h;
            return SIGNAL_FALLS;
        }
        from += h;
        now = to;
        if (h == left)
            return SIGNAL_STAYS;
    }
    return SIGNAL_TOO_LONG;
}
