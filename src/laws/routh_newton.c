/* routh-newton: Coulomb friction along the path of the impact, ended by Newton's restitution.
 *
 * Hypothesis   slip follows Coulomb's law at every instant of the impact, whose clock is the normal impulse; the impact
 *              ends when u_n first reaches -e times its first value.
 * Equations    u = u_0 + K p                                                                                (1)
 *              dp_t = -mu (u_t/|u_t|) dp_n while slipping                                                   (2)
 *              restitution ends at u_n = -e u_n0                                                            (3)
 *              but for a jam, where u_n = 0 is all that a singular K allows: hence no trait "newton-e"
 * Energy       (3) can create energy: docs/laws/routh-newton.md has the smallest example.
 * Page         docs/laws/routh-newton.md
 * Reference    Routh (1860); Keller (1986); Whittaker (1904) for the ending */
#include "laws/coulomb/coulomb.h"
#include "laws/patch/patch_path.h"

static inline double newton_need(double e, const coulomb_sums *sums)
{
    return e * sums->approach; /* (3) */
}

static const coulomb_ending newton_ending = {BY_VELOCITY, newton_need, newton_need};

static inline carom_impulse routh_newton(const carom_impact *x, const carom_coeffs *c)
{
    return coulomb_kernel(x, c, &newton_ending);
}

static carom_status routh_newton_path(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                      carom_outcome *out)
{
    return carom_coulomb_solve(x, rule, tracer, out, &newton_ending);
}

PATCH_PATH(routh_newton_patch, newton_ending)

const carom_law carom_law_routh_newton = {
    .id = "routh-newton",
    .name = "Routh, ended by Newton",
    .family = "incremental",
    .summary = "Coulomb friction followed along the impact, ended when u_n has reversed, scaled by e.",
    .reference = "routh1905",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(mu_s) | CAROM_USES(patch),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_HAS_PATH |
              CAROM_TRAIT_GIVES_REBOUND | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    .modes = carom_coulomb_modes,
    .mode_count = COULOMB_MODES,
    .kernel = routh_newton,
    .solve = routh_newton_path,
    .patch = PATCH_OF(routh_newton_patch),
};
