/* chatterjee-spring: a bilinear spring that leaves no dent.
 *
 * Hypothesis   the normal force drops when compression ends and then falls along a softer line to zero at zero
 *              compression. Reloading climbs the soft line up to the deepest point, where the force jumps up again.
 * Equations    loading F_n = k x;  unloading F_n = e^2 k x; the force drops at x' = 0                           (1)
 *              at the drop a tangential spring without dashpot is cut back to the cone; its energy is lost
 *              to friction                                                                                     (2)
 *              in one dimension the restitution is e and T = (pi/2)(1 + 1/e)/w                                 (3)
 * Page         docs/laws/chatterjee-spring.md
 * Reference    Chatterjee (1997), section 8.4, second model */
#include "laws/force/force.h"

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const force_normal normal = {
        .kind = FORCE_BILINEAR, .k = c->k, .exponent = 1, .e = c->e, .unload = c->e * c->e, .drops = true};
    const force_tangent tangent = {force_stiffness_or(c->k_t, c->k, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_chatterjee_spring = {
    .id = "chatterjee-spring",
    .name = "Chatterjee (bilinear spring)",
    .family = "contact-force",
    .summary = "A spring whose force drops at the deepest point and vanishes at zero compression; friction and "
               "tangential springs.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(k) | CAROM_USES(e) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = FORCE_TRAITS | CAROM_TRAIT_VELOCITY_SCALES,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
