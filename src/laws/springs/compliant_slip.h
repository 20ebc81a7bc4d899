/* The series of compliant slip in space, and its tail. */
#ifndef CAROM_LAWS_COMPLIANT_SLIP_H
#define CAROM_LAWS_COMPLIANT_SLIP_H

#include "core/pole_map.h"
#include "core/products.h"
#include "laws/springs/springs.h"

enum { TAU_ORDER = 26, SLOW_ORDER = 24, SERIES_ORDER = 26 }; /* the highest orders of (8), of (10), and of both */

/* A stretch of the path as polynomials in its own variable, from 0 to length. */
typedef struct series {
    int order;
    double length;
    bool to_infinity; /* f = 0 is at infinity in this variable */
    double p1[SERIES_ORDER + 1], p2[SERIES_ORDER + 1], pn[SERIES_ORDER + 1];
    double u1[SERIES_ORDER + 1], u2[SERIES_ORDER + 1], un[SERIES_ORDER + 1];
    double s1[SERIES_ORDER + 1], s2[SERIES_ORDER + 1], y[SERIES_ORDER + 1]; /* y = f^2 */
} series;

/* The products of series in (8) and (10), by their factors: turn is omega, and push y, each by the variable of the
 * series. */
enum { S1_U2, S2_U1, S1_TURN, S2_TURN, S1_PUSH, S2_PUSH, UN_PUSH, Y_TURN };

/* The size of a coefficient; where it has partial derivatives, these count, too. */
#if !CARRIES_PARTIALS
static inline double size_of(double x)
{
    return fabs(x);
}
#endif

/* Its first coefficients, from where the contact is now. */
void series_begin(const compliant *c, series *x);

/* Coefficient i of u from coefficient i of p. */
static inline void series_move(const compliant *c, int i, series *x)
{
    carom_cvec u = carom_csym_apply(c->K, carom_cvec_make(x->p1[i], x->p2[i], x->pn[i]));
    x->u1[i] = u.t1;
    x->u2[i] = u.t2;
    x->un[i] = u.n;
}

/* The variable z of a series, with tau of (8a) in units of 1 / unit. */
typedef struct tau_map {
    double unit;
    pole_map pole;
} tau_map;

/* The coefficients of (8) up to x->order. */
void tau_expand(const compliant *c, const tau_map *map, series *x);

/* One step of (8), or along the slow manifold: the series and how far it holds. slow_series is false when the contact
 * is not on the manifold. weight is the share of p_n still to come. */
void tau_series(const compliant *c, double weight, series *x);
bool slow_series(compliant *c, series *x);

/* One sweep of (10), from the first coefficients of x; omega holds the last sweep on entry. unit is the impulse that
 * the variable counts in. */
void slow_sweep(const compliant *c, double unit, double omega[SLOW_ORDER + 1], series *x);

/* True when the direction is so much faster than the rest that it may follow its slow manifold: at the beginning of
 * an impact (f = 0), where it always does, and for small eta. */
bool slow_applies(const compliant *c);

/* What is left of the impact, in closed form. */
typedef struct tail {
    carom_cvec p;  /* the impulse still to come */
    double weight; /* its share of p_n, friction included */
    bool ready;    /* accurate to rounding of p_n; else there is no p */
} tail;

tail slip_tail(const compliant *c);

#endif
