/* Moreau's problem with a given q, which both phases of other laws use too:
 *
 *     0 <= p_n, 0 <= y_n, p_n y_n = 0,   |p_t| <= mu p_n,   p_t = -mu p_n y_t / |y_t| where y_t is not zero
 *
 * with y = q + K p; or its convex relaxation. */
#ifndef CAROM_LAWS_TOGETHER_CONE_H
#define CAROM_LAWS_TOGETHER_CONE_H

#include "laws/together/together_modes.h"
#include "laws/together/together_sweep.h"

typedef struct cone_problem {
    const carom_contacts *x;
    const carom_coeffs *coeffs;
    const double *q;
    bool convex;
    double tolerance;
    int iterations;
} cone_problem;

typedef struct cone_end {
    carom_status status;
    double residual;
    int iterations;
    int solutions;   /* in all, when few planar contacts were enumerated; else 1 */
    bool examined;   /* all were looked for */
    bool enumerated; /* ... by their modes: `all` holds them */
    bool redundant;  /* p is one of a family */
    bool not_unique; /* ... and so is K p */
    double free_share;
} cone_end;

/* Bytes of work. */
size_t cone_work(const carom_contacts *x);

/* Solve into p (dim m). all has room for MODES_KEPT solutions and is filled where end.examined; it may be null. */
cone_end cone_solve(const cone_problem *problem, double *p, mode_solution *all, void *work);

/* The mode of every contact at p, y, where modes were not enumerated. */
void cone_modes(const cone_problem *problem, const double *p, const double *y, carom_together_mode *modes);

#endif
