/* A damped oscillator in closed form, for any damping:
 *
 *     y'' + 2 a y' + b y = 0,   q = b - a^2
 *     y(t) = C y_0 + S (v_0 + a y_0),   v(t) = C v_0 - S (a v_0 + b y_0)
 *     C = e^(-a t) cos(sqrt(q) t),   S = e^(-a t) sin(sqrt(q) t) / sqrt(q)
 *
 * C and S are analytic in q: there is no special case at critical damping, and q < 0 needs no other formula but for
 * long times. A decay y' = -r y is the oscillator with a = r, b = r^2. */
#ifndef CAROM_CORE_OSCILLATOR_H
#define CAROM_CORE_OSCILLATOR_H

#include "carom/elementary.h"
#include "core/num.h"

#define SHORT_TURN 0.1601 /* (rad of half a turn)^2 covered by the short series: 0.4^14 / 15! = 2e-18 */

/* sin(h) / h and cos h for z = h^2, z >= -SHORT_TURN. */
static inline void sinc_and_cos(double z, double *sinc, double *cosine)
{
    if (z > SHORT_TURN) {
        double h = sqrt(z);
        *sinc = carom_sin(h) / h;
        *cosine = carom_cos(h);
        return;
    }
    double z2 = z * z, z4 = z2 * z2;
    *sinc = (1 - z * (1. / 6)) + z2 * (1. / 120 - z * (1. / 5040)) +
            z4 * ((1. / 362880 - z * (1. / 39916800)) + z2 * (1. / 6227020800));
    *cosine = (1 - z * (1. / 2)) + z2 * (1. / 24 - z * (1. / 720)) +
              z4 * ((1. / 40320 - z * (1. / 3628800)) + z2 * (1. / 479001600 - z * (1. / 87178291200)));
}

typedef struct oscillator {
    double a, b;
} oscillator;

/* The value and its rate at some moment, and the oscillator that moves them. */
typedef struct wave {
    oscillator by;
    double y, v;
} wave;

typedef struct swing_factors {
    double C, S;
} swing_factors;

/* Over a time t, by half angles. */
static inline swing_factors swing_over(oscillator o, double t)
{
    const double q = o.b - o.a * o.a, z = 0.25 * q * t * t, decay = o.a > 0 ? carom_exp(-o.a * t) : 1;
    double sinc, cosine;
    if (z < -SHORT_TURN) { /* two decays, the slower one first */
        const double r = sqrt(-q), slow = carom_exp(-t * o.b / (o.a + r)), fast = carom_exp(-t * (o.a + r));
        return (swing_factors){0.5 * (slow + fast), slow * -carom_expm1(-2 * r * t) / (2 * r)};
    }
    sinc_and_cos(z, &sinc, &cosine);
    return (swing_factors){decay * (1 - 2 * z * sinc * sinc), decay * t * sinc * cosine};
}

static inline wave wave_swung(wave w, swing_factors s)
{
    const double a = w.by.a, b = w.by.b;
    return (wave){w.by, s.C * w.y + s.S * (w.v + a * w.y), s.C * w.v - s.S * (a * w.v + b * w.y)};
}

static inline wave wave_at(wave w, double t)
{
    return wave_swung(w, swing_over(w.by, t));
}

/* y''. */
static inline double wave_bend(wave w)
{
    return -(2 * w.by.a * w.v + w.by.b * w.y);
}

/* The largest of |dy/dt| / |y| in the complex plane: what a step must resolve. */
static inline double oscillator_rate(oscillator o)
{
    const double q = o.b - o.a * o.a;
    return q < 0 ? o.a + sqrt(-q) : sqrt(o.b);
}

#endif
