/* Many contacts with friction: p_j in the cone C_j of mu_j, y = q + K p, and for every contact
 *
 *     p_j = Proj_C( p_j - rho_j (y_j + s mu_j |y_tj| n) ),   rho_j = 1 / tr K_jj
 *
 * s = 1 is Coulomb's law (De Saxce), s = 0 its convex relaxation. The defect of this equation is the residual. */
#ifndef CAROM_LAWS_TOGETHER_SWEEP_H
#define CAROM_LAWS_TOGETHER_SWEEP_H

#include "laws/together/together_call.h"

typedef struct sweep_problem {
    const carom_contacts *x;
    const carom_coeffs *coeffs;
    const double *q;
    bool convex;
    double tolerance;     /* residual, relative to the largest impulse */
    int iterations;       /* sweeps */
    double shift;         /* solve with K + shift I ... */
    const double *around; /* ... and q - shift around, or null */
} sweep_problem;

typedef struct sweep_end {
    double residual;
    int sweeps;
} sweep_end;

/* Bytes of work. */
size_t sweep_work(const carom_contacts *x);

/* Iterate from p to a solution; p becomes it. */
sweep_end sweep_solve(const sweep_problem *problem, double *p, void *work);

/* The defect at p, relative to the largest impulse; y is q + K p. */
double sweep_residual(const sweep_problem *problem, const double *p, const double *y);

/* Newton's method on the same equations, for few contacts: at most `steps` of them while the residual falls. Returns
 * it. */
size_t newton_work(const carom_contacts *x);
double newton_solve(const sweep_problem *problem, double *p, int steps, void *work);

/* A direction z that the linearised equations at p leave free; false when there is none. */
bool newton_null(const sweep_problem *problem, const double *p, double *z, void *work);

#endif
