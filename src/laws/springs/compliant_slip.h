/* The two series of compliant slip in space. */
#ifndef CAROM_LAWS_COMPLIANT_SLIP_H
#define CAROM_LAWS_COMPLIANT_SLIP_H

#include "core/quad.h"
#include "laws/springs/family_compliant.h"

enum { TAU_ORDER = 26, SLOW_ORDER = 24, SLIP_PARTS = 32 }; /* the highest orders of (8) and (10), of any series */
enum { SLIP_SAMPLES = 4 }; /* points per series where events are looked for: a step is a fraction of the radius */

/* The variable z of a series, with tau of (8a) in units of 1 / unit. */
typedef struct tau_map {
    double unit, alpha, beta;
} tau_map;

/* The series of (8), where u = u(0) + K (p - p(0)); y counts in units of its first coefficient. */
typedef struct tau_series {
    int order;
    quad p[TAU_ORDER + 1];  /* p_1, p_2, p_n, p_n */
    quad sy[TAU_ORDER + 1]; /* s_1, s_2, y, y */
} tau_series;

/* Its coefficients up to its order; and the sums at t of all but the first ones. */
typedef struct slip_series {
    void (*expand)(const compliant *c, const tau_map *map, tau_series *x);
    void (*sum)(const tau_series *x, double t, quad *p, quad *sy);
    void (*sweep)(const compliant *c, double unit, double *omega, series *x);
} slip_series;

/* One sweep of (10), from the first coefficients of the rows; omega holds the last sweep on entry. unit is the impulse
 * the variable counts in. */
void slow_sweep_baseline(const compliant *c, double unit, double *omega, series *x);
void slow_sweep_avx2(const compliant *c, double unit, double *omega, series *x);
void slow_sweep_avx512(const compliant *c, double unit, double *omega, series *x);

/* 1 / (i + 1): cheaper than to divide. */
extern const double slip_part[SLIP_PARTS];

/* One per instruction set, all with the same bits. */
extern const slip_series slip_series_baseline, slip_series_avx2, slip_series_avx512;

/* The fastest of them on this machine. */
const slip_series *slip_series_best(void);

/* What is left of the impact, in closed form. */
typedef struct tail {
    carom_cvec p;  /* the impulse still to come */
    double weight; /* its share of p_n, friction included */
    bool ready;    /* accurate to rounding of p_n; else there is no p */
} tail;

tail slip_tail(const compliant *c);

/* Go on along the series, to its reach or to what ends slip before: ENDS_NOT when nothing does. */
ending slip_take(compliant *c, series *x, double reach);

/* True when the direction is so much faster than the rest that it may follow its slow manifold: at the beginning of
 * an impact (f = 0), where it always does, and for small eta. */
bool slow_applies(const compliant *c);

/* One step on the slow manifold; false, and nothing changed, when the contact is not on it. */
bool slow_step(compliant *c, ending *how);

#endif
