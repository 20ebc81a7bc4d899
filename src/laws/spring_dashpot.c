/* spring-dashpot: linear springs and dashpots at a massless contact point.
 *
 * Hypothesis   the bodies touch through a massless point on a spring and a dashpot along the normal and along the
 *              tangents. The point sticks or slips under Coulomb friction; the contact ends when the force does.
 * Equations    F_n = k x + c x',   x = -r_n                                                                    (1)
 *              stick F_t = -k_t s - c_t v_t, slip |F_t| = mu F_n: docs/theory/contact-point.md                 (2)
 *              c not given: c = 2 zeta sqrt(k/K_nn), zeta(e) from e = exp(-zeta w T),
 *              w T = 2 arccos zeta / sqrt(1 - zeta^2)                                                          (3)
 * Page         docs/laws/spring-dashpot.md
 * Reference    Chatterjee (1997), section 8.3; Cundall and Strack (1979) */
#include "carom/convert.h"
#include "laws/force/force.h"

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    force_normal normal = {.kind = FORCE_LINEAR, .k = c->k, .c = c->c, .exponent = 1};
    if (c->c == CAROM_NOT_GIVEN) {
        if (!(c->e > 0))
            return CAROM_STATUS_INADMISSIBLE;                                /* e = 0 needs infinite damping */
        normal.c = 2 * carom_zeta_from_e(c->e) * sqrt(c->k / problem->K.nn); /* (3) */
    }
    const force_tangent tangent = {force_stiffness_or(c->k_t, c->k, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_spring_dashpot = {
    .id = "spring-dashpot",
    .name = "Linear spring and dashpot",
    .family = "contact-force",
    .summary = "Linear springs and dashpots along normal and tangents, Coulomb friction, followed in time.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(k) | CAROM_USES(c) | CAROM_USES(e) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) |
            CAROM_USES(eta),
    .traits = FORCE_TRAITS | CAROM_TRAIT_VELOCITY_SCALES,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
