/* Dormand and Prince's Runge-Kutta pair 5(4), adaptive, with the last stage reused as the first of the next step. */
#ifndef CAROM_MECHANISM_RUNGE_H
#define CAROM_MECHANISM_RUNGE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

enum { RUNGE_STAGES = 7, RUNGE_VECTORS = RUNGE_STAGES + 4 };

typedef struct runge {
    int n;
    carom_status (*rate)(void *context, const double *y, double *dy);
    void *context;
    double tolerance;
    double *y;                   /* n: the state; the caller's to change between steps */
    double *next;                /* n: the state after runge_try */
    double *stage;               /* n: scratch */
    double *spare;               /* n: for the caller */
    double *slope[RUNGE_STAGES]; /* n each; slope[0] belongs to y */
} runge;

/* Lay out RUNGE_VECTORS * n doubles. */
void carom_runge_init(runge *r, int n, double *work);

/* slope[0] from y: at the start, and after the caller has changed y. */
carom_status carom_runge_start(runge *r);

/* next = y after a step h; *error is its size against the tolerance (accept when <= 1). */
carom_status carom_runge_try(runge *r, double h, double *error);

/* y = next, slope[0] = last stage. */
void carom_runge_accept(runge *r);

/* The step to try after one of size h with this error. */
double carom_runge_resize(double h, double error);

/* A first step that changes nothing by much. */
double carom_runge_first_step(const runge *r, double span);

/* spare = y at the fraction s of the accepted trial step h, by cubic interpolation: fit for finding events, not for
 * answers. */
void carom_runge_between(runge *r, double h, double s);

#endif
