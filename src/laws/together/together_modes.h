/* Every combination of modes of a few planar contacts: all solutions of a complementarity problem.
 *
 * In a mode the impulse of contact j is affine in up to two unknowns, p_j = p0 + S x, and as many linear functions of
 * its velocity vanish, R y_j = 0 with y = q + K p. A combination is a solution when every contact admits its own p_j
 * and y_j. */
#ifndef CAROM_LAWS_TOGETHER_MODES_H
#define CAROM_LAWS_TOGETHER_MODES_H

#include "laws/together/together_call.h"

/* Up to MODES_ALWAYS contacts all combinations are tried at once; up to MODES_CONTACTS where iterations fail. */
enum { MODES_ALWAYS = 4, MODES_CONTACTS = 8, MODES_FORMS = 6, MODES_KEPT = 16 };

#define MODES_TOL 1e-12 /* of the largest impulse, or velocity, in the problem: what counts as zero */

typedef struct mode_form {
    int unknowns;
    double p0[2], S[2][2], R[2][2]; /* S[k], R[k]: of unknown k, as (t, n) */
    carom_together_mode mode;
    int sign; /* of the slip afterwards, or 0 */
} mode_form;

typedef struct mode_sizes {
    double p, y; /* MODES_TOL of the impulses and of the velocities */
} mode_sizes;

/* Is this mode admissible with impulse p and velocity y (t, n)? */
typedef bool mode_admits(const void *law, int contact, const mode_form *form, const double *p, const double *y,
                         const mode_sizes *sizes);

typedef struct mode_problem {
    const carom_contacts *x;
    const double *q; /* 2 m */
    int form_count[MODES_CONTACTS];
    mode_form forms[MODES_CONTACTS][MODES_FORMS];
    mode_admits *admits;
    const void *law;
    bool singular; /* K is: decide with K + eps I, then take the limit */
} mode_problem;

typedef struct mode_solution {
    double p[2 * MODES_CONTACTS];
    carom_together_mode modes[MODES_CONTACTS];
    int sticking;
    double total;   /* sum of p_n */
    bool redundant; /* its equations are singular */
} mode_solution;

/* How much of the normal impulses is free at p, while velocities stay: contacts at rest may share in any way, others
 * keep to the edge of their cones. Zero when nothing is. */
double modes_freedom(const carom_contacts *x, const double *p, const double *y);

/* All solutions, at most MODES_KEPT, the selected one first: most sticking contacts, then least sum of p_n. Returns
 * their number. */
int modes_solve(const mode_problem *problem, mode_solution *solutions);

#endif
