/* Carom: contacts with a patch, where friction also brakes spin about the normal and rolling about the tangents.
 *
 * The contact numbers are four or six: [t1, t2, n, w_n], and with rolling [..., w_t1, w_t2]. w = omega_A - omega_B, and
 * the moment of impulse m acts on A. The first three are as in carom/problem.h:
 *
 *     u_after = u + K p,   p = (p_t1, p_t2, p_n, m_n, m_t1, m_t2)
 *
 * The radius of the patch is the coefficient `patch`, its pressure the option `pressure`, the arm of rolling resistance
 * the coefficient `rho`. Theory: docs/theory/patch.md. */
#ifndef CAROM_PATCH_H
#define CAROM_PATCH_H

#include "carom/body.h"
#include "carom/export.h"
#include "carom/generalized.h"
#include "carom/law.h"
#include "carom/outcome.h"

CAROM_BEGIN

enum { CAROM_PATCH_SIZE = 6 };

typedef struct carom_patch_problem {
    int size;                                      /* 4 or 6; 0: none */
    double K[CAROM_PATCH_SIZE * CAROM_PATCH_SIZE]; /* size x size by rows */
    double u[CAROM_PATCH_SIZE];
} carom_patch_problem;

/* The numbers that a rule needs: 6 with rho, 4 with a patch, else 3. */
CAROM_API int carom_patch_size(const carom_coeffs *coeffs);

/* From arrays: CAROM_STATUS_BAD_SIZE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_MATRIX or CAROM_STATUS_IMMOVABLE refuse
 * them. */
CAROM_API CAROM_MUST_USE carom_status carom_patch_load(int size, const double *K, const double *u,
                                                       carom_patch_problem *problem);

/* The problem without the patch: its first three rows. */
CAROM_API carom_problem carom_patch_point(const carom_patch_problem *problem);

/* Two bodies become (K, u) of this size; and the impulse p and the moment m act on A, -p and -m on B. */
CAROM_API CAROM_MUST_USE carom_status carom_patch_reduce_bodies(const carom_body *a, const carom_body *b,
                                                                const carom_contact *contact, int size,
                                                                carom_patch_problem *problem);
CAROM_API void carom_patch_apply_bodies(const carom_contact *contact, carom_cvec p, carom_cspin m, carom_body *a,
                                        carom_body *b);

/* A moment in world axes. */
CAROM_API carom_vec3 carom_patch_moment(const carom_contact *contact, carom_cspin m);

/* The same for a mechanism whose J has 4 or 6 rows. */
CAROM_API CAROM_MUST_USE carom_status carom_patch_reduce_generalized(const carom_generalized *mechanism,
                                                                     carom_patch_problem *problem);
CAROM_API void carom_patch_apply_generalized(const carom_generalized *mechanism, carom_cvec p, carom_cspin m,
                                             double *qdot_after);

/* The least mu p_n that holds the friction in p and m_n. */
CAROM_API double carom_patch_needs(const carom_coeffs *coeffs, int pressure, carom_cvec p, double m_n);

/* Resolve one impact, as carom_solve does; moments, spins and their works are in outcome->turning. Without patch and
 * rho this is carom_solve with the first three numbers, bit for bit, and spins are carried along. A law without
 * torsion, and mu_s != mu, are CAROM_STATUS_OUT_OF_SCOPE with a patch; so is rho for laws with a path. */
CAROM_API CAROM_MUST_USE carom_status carom_patch_solve(const carom_patch_problem *problem, const carom_rule *rule,
                                                        const carom_tracer *tracer, carom_outcome *outcome);

CAROM_END

#endif
