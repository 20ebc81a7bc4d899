/* The modes of compliant sticking.
 *
 *     A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,   xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u
 *     xi' = -eta,   eta' = omega^2 xi                                                                        (11) */
#ifndef CAROM_LAWS_COMPLIANT_MODES_H
#define CAROM_LAWS_COMPLIANT_MODES_H

#include "core/oscillator.h"
#include "laws/springs/compliant_coupled.h"

/* The modes with the springs of this phase, found once per phase. */
const mode_set *compliant_modes(compliant *c);

/* Modal coordinates; push is the integral of xi. */
typedef struct modal {
    double xi[MODES], eta[MODES], push[MODES];
} modal;

static inline void project(const mode_set *m, const spot *a, modal *x)
{
    double f = a->F.n / m->d, u_n = a->u.n * m->d;
    for (int i = 0; i < m->count; i++) {
        x->xi[i] = m->t1[i] * a->F.t1 + m->t2[i] * a->F.t2 + m->n[i] * f;
        x->eta[i] = m->t1[i] * a->u.t1 + m->t2[i] * a->u.t2 + m->n[i] * u_n;
        x->push[i] = 0;
    }
}

/* D^1/2 times the sum of x_i v_i. */
static inline carom_cvec compose(const mode_set *m, const double x[MODES])
{
    carom_cvec sum = {0, 0, 0};
    for (int i = 0; i < m->count; i++)
        sum = carom_cvec_add(sum, carom_cvec_make(x[i] * m->t1[i], x[i] * m->t2[i], x[i] * m->n[i]));
    sum.n *= m->d;
    return sum;
}

/* (11) over a time t: C = cos omega t,   S = sin(omega t) / omega,   Q = (1 - cos omega t) / omega^2. */
typedef struct turn {
    double C[MODES], S[MODES], Q[MODES];
    coupled by; /* partial derivatives only */
} turn;

static inline turn turn_over(const mode_set *m, double t)
{
    turn by;
    for (int i = 0; i < m->count; i++) {
        double z = m->omega2[i] * (0.25 * t * t), sinc, cosine;
        sinc_and_cos(z, &sinc, &cosine);
        by.C[i] = 1 - 2 * z * sinc * sinc;
        by.S[i] = t * sinc * cosine;
        by.Q[i] = 0.5 * t * t * sinc * sinc;
    }
    if (CARRIES_PARTIALS)
        by.by = coupled_over(m, real_of(t));
    return by;
}

/* What the coupling (12) adds to mode i from mode j. */
static inline void add_coupled(const coupled *by, double cross, int k, const modal *a, int i, int j, modal *x)
{
    real xi = real_of(a->xi[j]), eta = real_of(a->eta[j]);
    x->xi[i] += cross * (by->C[k] * xi - by->S[k] * eta);
    x->eta[i] += cross * (by->C[k] * eta + by->G[k] * xi);
    x->push[i] += cross * (by->S[k] * xi - by->Q[k] * eta);
}

/* The coordinates x that a turns into. */
static inline void turned(const mode_set *m, const turn *by, const modal *a, modal *x)
{
    for (int i = 0; i < m->count; i++) {
        x->xi[i] = a->xi[i] * by->C[i] - a->eta[i] * by->S[i];
        x->eta[i] = a->eta[i] * by->C[i] + m->omega2[i] * by->S[i] * a->xi[i];
        x->push[i] = a->push[i] + (a->xi[i] * by->S[i] - a->eta[i] * by->Q[i]);
    }
    for (int k = 0; CARRIES_PARTIALS && k < MODES; k++) {
        int i = coupled_first(k), j = coupled_second(k);
        if (j < m->count) {
            add_coupled(&by->by, m->cross[k], k, a, i, j, x);
            add_coupled(&by->by, m->cross[k], k, a, j, i, x);
        }
    }
}

/* The same after a time t. */
static inline void swing(const mode_set *m, const modal *a, double t, modal *x)
{
    const turn by = turn_over(m, t);
    turned(m, &by, a, x);
}

/* Go on by the time t, to the coordinates x. */
void compliant_swing_to(compliant *c, const modal *x, double t);

/* Leap over fast swings during which nothing can happen, where a leap replaces several steps of the time h. True when
 * sticking never ends. */
bool compliant_leap(compliant *c, double h);

#endif
