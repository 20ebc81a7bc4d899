/* A contact with a patch on its way to a law, and what its laws share.
 *
 *     T = (t1, t2, W, w_t1, w_t2)   the slips: those that friction (patch: W = a w_n) and rolling resistance act on
 *     U = u_T,   k = K_Tn,   u_n,   p_n,   P = the impulses of T:   U_after = U + K_TT P + k p_n
 *
 * Angular rows are in units of the length a, so that all slips are velocities and all of P impulses. Friction lives on
 * the norm Psi = mu Phi(U_f) + rho |U_r| (core/patch.h): P is in -p_n dPsi. */
#ifndef CAROM_LAWS_PATCH_CONTACT_H
#define CAROM_LAWS_PATCH_CONTACT_H

#include "carom/law.h"
#include "carom/patch.h"
#include "core/patch.h"

/* .patch of a law. Copies of the laws for contacts without a patch have none: the one that carries partial derivatives,
 * and builds with WITHOUT_PATCHES. */
#if CARRIES_PARTIALS || defined(WITHOUT_PATCHES)
#define PATCH_OF(name) NULL
#else
#define PATCH_OF(name) name
#endif

enum { SLIPS = 5 };

struct carom_patch_contact {
    int frictional, count; /* slips of friction, 2 or 3; of friction and rolling */
    double length;         /* unit of the angular rows */
    double K[SLIPS][SLIPS], k[SLIPS], K_nn, U[SLIPS], u_n;
    double L[SLIPS + 1][SLIPS + 1]; /* Cholesky's factor of K, the normal last */
    double mu, rho;                 /* rho over the length */
    int pressure;
};

/* False when K is singular in these rows. */
bool carom_patch_contact_make(const carom_patch_problem *pb, const carom_coeffs *c, int pressure,
                              carom_patch_contact *x);

/* The same contact with other velocities. */
void carom_patch_contact_set(const carom_patch_problem *pb, const carom_coeffs *c, carom_patch_contact *x);

/* What laws hand back, in the units of the contact: slips at the end and impulses. */
typedef struct patch_solution {
    double V[SLIPS], P[SLIPS], p;
} patch_solution;

/* Write an impulse into the outcome. */
void carom_patch_write(const carom_patch_contact *x, const patch_solution *s, carom_cvec *linear, carom_cspin *m);

/* Friction at the slips V: the gradient of Psi, weight times V, zero where a group of slips rests; and its Hessian. */
typedef struct patch_friction {
    double g[SLIPS], weight[SLIPS], H[SLIPS][SLIPS];
} patch_friction;

void carom_patch_friction(const carom_patch_contact *x, const double *V, patch_friction *f);

/* Does the group of slips rest: friction, rolling? */
bool carom_patch_sticks(const carom_patch_contact *x, const double *V);
bool carom_patch_rests(const carom_patch_contact *x, const double *V);

/* The dual norm of the friction in P; and what p_n has to hold of each group, as a share of what it can: 1 at the
 * border. */
double carom_patch_carried(const carom_patch_contact *x, const double *P);
double carom_patch_friction_share(const carom_patch_contact *x, const double *P, double p_n);
double carom_patch_rolling_share(const carom_patch_contact *x, const double *P, double p_n);

/* y = L^-1 right, for the slips and the normal. */
void carom_patch_forward(const carom_patch_contact *x, const double *right, double *y);

#endif
