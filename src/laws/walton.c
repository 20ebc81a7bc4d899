/* walton: a stiffer spring for unloading than for loading.
 *
 * Hypothesis   the normal force climbs with one stiffness and falls with a larger one, so that a share 1 - e^2 of the
 *              elastic energy stays behind with a dent. Reloading climbs the unloading line up to the deepest point.
 * Equations    loading F_n = k x;  unloading F_n = (k/e^2)(x - (1 - e^2) X),  X the largest x so far            (1)
 *              stick and slip as in docs/theory/contact-point.md                                               (2)
 *              in one dimension the restitution is e and T = (pi/2)(1 + e)/w                                   (3)
 *              with k_t = k/eta^2 this is jia, in time instead of impulse                                      (4)
 * Page         docs/laws/walton.md
 * Reference    Walton and Braun (1986); Chatterjee (1997), section 8.4 */
#include "laws/force/force.h"

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const force_normal normal = {
        .kind = FORCE_BILINEAR, .k = c->k, .exponent = 1, .e = c->e, .unload = 1 / (c->e * c->e)};
    const force_tangent tangent = {force_stiffness_or(c->k_t, c->k, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_walton = {
    .id = "walton",
    .name = "Walton (bilinear spring)",
    .family = "contact-force",
    .summary = "A spring that unloads along a steeper line, with tangential springs and Coulomb friction.",
    .reference = "walton1986",
    .uses = CAROM_USES(k) | CAROM_USES(e) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = FORCE_TRAITS | CAROM_TRAIT_VELOCITY_SCALES,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
