/* Derivatives of a contact with a patch: a variation of its inputs, and what becomes of its impulse, in the units of
 * laws/patch/patch_contact.h. patch_end_derivative.c differentiates friction at the end, patch_path_derivative.c along
 * the path; patch_derivative.c makes the columns. */
#ifndef CAROM_DERIVATIVE_PATCH_VARIATION_H
#define CAROM_DERIVATIVE_PATCH_VARIATION_H

#include "carom/patch.h"
#include "laws/patch/patch_contact.h"

enum { PATCH_COLUMNS = 31 }; /* six of u, 21 of K, e, mu, patch and rho */

typedef struct patch_variation {
    double U[SLIPS], u_n, K[SLIPS][SLIPS], k[SLIPS], K_nn;
    double e, mu, rho;
} patch_variation;

typedef struct patch_change {
    double P[SLIPS], p;
} patch_change;

typedef struct patch_variations {
    const carom_patch_contact *x;
    const patch_variation *at;
    int count;
} patch_variations;

/* The change of U + K P + k p at constant P and p. */
void carom_patch_drive(const patch_variations *v, int column, const double *P, double p, double *S);

/* Friction with mu = rho = 1. */
void carom_patch_unit_friction(const carom_patch_contact *x, const double *V, patch_friction *f);

/* A x = b for all rows of B, which become x; A is n x n by rows, and is lost. False when it is singular. */
bool carom_patch_solve_rows(int n, double *A, int count, double *B);

/* With friction at the end, in the mode of an outcome. */
bool carom_patch_end_changes(const patch_variations *v, const carom_rule *rule, const carom_outcome *out,
                             patch_change *changes);

/* Along the path, which is followed once more. */
bool carom_patch_path_changes(const patch_variations *v, const carom_patch_problem *pb, const carom_rule *rule,
                              patch_change *changes);

#endif
