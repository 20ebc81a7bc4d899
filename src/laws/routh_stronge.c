/* routh-stronge: Coulomb friction along the path of the impact, ended by Stronge's energetic restitution.
 *
 * Hypothesis   slip follows Coulomb's law at every instant of the impact, whose clock is the normal impulse; the normal
 *              impulse gives back e^2 of the work it took.
 * Equations    u = u_0 + K p                                                                                (1)
 *              dp_t = -mu (u_t/|u_t|) dp_n while slipping                                                   (2)
 *              restitution ends at W_r = -e^2 W_c, both summed over the phases                              (3)
 *              "phases": "first" (Mirtich): net work after the first compression = -e^2 times its work      (4)
 * Energy       never gained: W_c + W_r = (1 - e^2) W_c <= 0 and friction takes the rest.
 * Page         docs/laws/routh-stronge.md
 * Reference    Stronge (1990); Mirtich (1996) in three dimensions; Baber (two compressions) */
#include "laws/coulomb/coulomb.h"
#include "laws/patch/patch_path.h"

static inline double stronge_need(double e, const coulomb_sums *sums)
{
    return -square(e) * sums->W_c - sums->W_r; /* (3) */
}

static inline double stronge_need_of_first(double e, const coulomb_sums *sums)
{
    return -square(e) * sums->W_first - (sums->W_r + (sums->W_c - sums->W_first)); /* (4) */
}

static const coulomb_ending stronge_ending = {BY_WORK, stronge_need, stronge_need_of_first};

static inline carom_impulse routh_stronge(const carom_impact *x, const carom_coeffs *c)
{
    return coulomb_kernel(x, c, &stronge_ending);
}

static carom_status routh_stronge_path(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                       carom_outcome *out)
{
    return carom_coulomb_solve(x, rule, tracer, out, &stronge_ending);
}

PATCH_PATH(routh_stronge_patch, stronge_ending)

const carom_law carom_law_routh_stronge = {
    .id = "routh-stronge",
    .name = "Routh, ended by Stronge",
    .family = "incremental",
    .summary = "Coulomb friction followed along the impact, ended when e^2 of the normal work is returned.",
    .reference = "stronge1990",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(mu_s) | CAROM_USES(patch),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_GIVES_REBOUND | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    .modes = carom_coulomb_modes,
    .mode_count = COULOMB_MODES,
    .kernel = routh_stronge,
    .solve = routh_stronge_path,
    .patch = PATCH_OF(routh_stronge_patch),
};
