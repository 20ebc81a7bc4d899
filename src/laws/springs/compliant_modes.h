/* The modes of compliant sticking.
 *
 *     A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,   xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u
 *     xi' = -eta,   eta' = omega^2 xi                                                                        (11) */
#ifndef CAROM_LAWS_COMPLIANT_MODES_H
#define CAROM_LAWS_COMPLIANT_MODES_H

#include "core/oscillator.h"
#include "laws/springs/springs.h"

/* The modes with the springs of this phase, found once per phase. */
const modes *compliant_modes(compliant *c);

/* Modal coordinates; push is the integral of xi. */
typedef struct modal {
    double xi[MODES], eta[MODES], push[MODES];
} modal;

static inline void project(const modes *m, const spot *a, modal *x)
{
    double f = a->F.n / m->d, u_n = a->u.n * m->d;
    for (int i = 0; i < m->count; i++) {
        x->xi[i] = m->t1[i] * a->F.t1 + m->t2[i] * a->F.t2 + m->n[i] * f;
        x->eta[i] = m->t1[i] * a->u.t1 + m->t2[i] * a->u.t2 + m->n[i] * u_n;
        x->push[i] = 0;
    }
}

/* D^1/2 times the sum of x_i v_i. */
static inline carom_cvec compose(const modes *m, const double x[MODES])
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
} turn;

static inline turn turn_over(const modes *m, double t)
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

/* The coordinates x that a turns into. */
static inline void turned(const modes *m, const turn *by, const modal *a, modal *x)
{
    for (int i = 0; i < m->count; i++) {
        x->xi[i] = a->xi[i] * by->C[i] - a->eta[i] * by->S[i];
        x->eta[i] = a->eta[i] * by->C[i] + m->omega2[i] * by->S[i] * a->xi[i];
        x->push[i] = a->push[i] + (a->xi[i] * by->S[i] - a->eta[i] * by->Q[i]);
    }
}

/* The same after a time t. */
static inline void swing(const modes *m, const modal *a, double t, modal *x)
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
