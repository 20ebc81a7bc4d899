/* routh-poisson: Coulomb friction along the path of the impact, ended by Poisson's restitution.
 *
 * Hypothesis   slip follows Coulomb's law at every instant of the impact, whose clock is the normal impulse; all
 *              phases of restitution together give back e times the impulse of all compressions.
 * Equations    u = u_0 + K p                                                                                (1)
 *              dp_t = -mu (u_t/|u_t|) dp_n while slipping                                                   (2)
 *              restitution ends at p_r = e p_c, both summed over the phases                                 (3)
 * Energy       never gained (Ivanov), although the normal impulse alone may do positive work.
 * Page         docs/laws/routh-poisson.md
 * Reference    Routh (1860); Keller (1986); Poisson (1833) for the ending */
#include "laws/coulomb/coulomb.h"
#include "laws/patch/patch_path.h"

static inline double poisson_need(double e, const coulomb_sums *sums)
{
    return e * sums->p_c - sums->p_r; /* (3) */
}

static const coulomb_ending poisson_ending = {BY_IMPULSE, poisson_need, poisson_need};

static inline carom_impulse routh_poisson(const carom_impact *x, const carom_coeffs *c)
{
    return coulomb_kernel(x, c, &poisson_ending);
}

static carom_status routh_poisson_path(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                       carom_outcome *out)
{
    return carom_coulomb_solve(x, rule, tracer, out, &poisson_ending);
}

PATCH_PATH(routh_poisson_patch, poisson_ending)

const carom_law carom_law_routh_poisson = {
    .id = "routh-poisson",
    .name = "Routh, ended by Poisson",
    .family = "incremental",
    .summary = "Coulomb friction followed along the impact, ended when e times the impulse of compression is returned.",
    .reference = "routh1905",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(mu_s) | CAROM_USES(patch),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_GIVES_REBOUND | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    .modes = carom_coulomb_modes,
    .mode_count = COULOMB_MODES,
    .kernel = routh_poisson,
    .solve = routh_poisson_path,
    .patch = PATCH_OF(routh_poisson_patch),
};
