/* Carom: coefficients from what is known about a material or a contact.
 *
 *     carom_coeffs c = carom_coeffs_default();
 *     carom_status status = carom_eta_from_poisson(0.23, &c.eta);     alumina
 *
 * eta is the square root of normal over tangential contact stiffness: eta^2 = k_n / k_t. */
#ifndef CAROM_MATERIALS_H
#define CAROM_MATERIALS_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/status.h"

CAROM_BEGIN

/* A solid sphere: K_tt / K_nn = 1 + m r^2 / I = 7/2. The same holds for two of them. */
#define CAROM_SPHERE_INERTIA_RATIO 3.5

/* Two like bodies of Poisson's ratio nu that touch in a small circle without slip (Mindlin):
 *
 *     k_t / k_n = 2 (1 - nu) / (2 - nu),   eta = sqrt((2 - nu) / (2 (1 - nu)))
 *
 * 0 <= nu <= 0.5, so eta lies between 1 and sqrt(3/2). CAROM_STATUS_NOT_FINITE or CAROM_STATUS_BAD_COEFFICIENT (eta is
 * 0 then). */
CAROM_API CAROM_MUST_USE carom_status carom_eta_from_poisson(double nu, double *eta);

/* From the frequencies at which the contact would swing along the tangent and along the normal while it sticks,
 *
 *     omega_t^2 = k_t K_tt,   omega_n^2 = k_n K_nn,   eta = (omega_n / omega_t) sqrt(K_tt / K_nn)
 *
 * for a contact whose K does not couple the two. inertia_ratio is K_tt / K_nn: CAROM_SPHERE_INERTIA_RATIO for spheres,
 * 1 when no body can turn. Only the ratio of the frequencies matters. All three must be > 0: CAROM_STATUS_NOT_FINITE or
 * CAROM_STATUS_BAD_COEFFICIENT otherwise (eta is 0 then). */
CAROM_API CAROM_MUST_USE carom_status carom_eta_from_frequencies(double omega_t, double omega_n, double inertia_ratio,
                                                                 double *eta);

/* ---- published coefficients ---- */

#define CAROM_NOT_STATED (-1.0) /* a coefficient that the source does not give */

/* Typical coefficients of a pair of materials. Restitution depends on speed and shape: take them as a start. */
typedef struct carom_pair_info {
    const char *pair;
    double e, mu, e_t, eta; /* or CAROM_NOT_STATED */
    const char *source;
    const char *certainty; /* "stated" by the source, "quoted" by others, "fitted" here, "theory" */
} carom_pair_info;

CAROM_API int carom_pair_count(void);
CAROM_API const carom_pair_info *carom_pair_at(int i);

/* Does the name of the pair or its source contain this word? */
CAROM_API bool carom_pair_matches(const carom_pair_info *pair, const char *word);

CAROM_END

#endif
