/* A step of the path that is being expanded: patch_series.c chooses its chart and length, patch_expand.c finds its
 * series. */
#ifndef CAROM_LAWS_PATCH_EXPAND_H
#define CAROM_LAWS_PATCH_EXPAND_H

#include "laws/patch/patch_polynomials.h"
#include "laws/patch/patch_sums.h"

typedef enum series_chart {
    CHART_ELLIPSE,
    CHART_SHORT,
    CHART_POLYNOMIALS,
    CHART_RATES,
    CHART_RIM,
    CHART_LOG,
    CHART_JUMP
} series_chart;

/* A step that is being expanded: coefficients of one order. */
typedef struct series_step {
    const carom_patch_contact *x;
    series_chart chart;
    bool inside, at_rim;
    double sign;                          /* of W */
    const patch_polynomials *polynomials; /* near x = 0 */
    double U[PATCH_SLIPS], u_n, vv, WW, ratio, rho;
    double alpha, beta, eta;
    double c, A;                   /* next to the rim of hertz */
    double y, d;                   /* next to that of others: 1 - x, (1 - x) eta */
    double time, turn;             /* dsigma/dt; 1 towards the rim, -1 away from it */
    double pace, most;             /* dp/dt over rho at the start; t at which the jump across the rim begins */
    double clock, g[PATCH_SLIPS];  /* dp/dt, and -dP/dt over mu */
    double distance[SERIES_ORDER]; /* to the rim: W^2 - v.v inside, c outside; all orders */
    series_sums sums;
} series_step;

/* The coefficients of all numbers, from those of order zero. */
void carom_patch_expand(series_step *t, patch_series *out);

#endif
