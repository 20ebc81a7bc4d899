/* maxwell: a spring and a dashpot one behind the other at a massless contact point.
 *
 * Hypothesis   as spring-dashpot, but the normal dashpot is in series with the spring: the force does not jump at first
 *              touch, and what the dashpot yields stays behind as a dent. Tangential element and friction are the same.
 * Equations    F_n = k (x - d),   c d' = F_n,   x = -r_n                                                       (1)
 *              F_n' = k x' - (k/c) F_n; the contact ends when F_n does                                         (2)
 *              in one dimension e = exp(-pi zeta / sqrt(1 - zeta^2)),  zeta = sqrt(k m) / (2 c) < 1             (3)
 *              T = pi / (w sqrt(1 - zeta^2)),  w = sqrt(k/m); zeta >= 1: the bodies never part                  (4)
 *              c not given: zeta = l / sqrt(pi^2 + l^2),  l = -ln e, m = 1/K_nn                                 (5)
 * Page         docs/laws/maxwell.md
 * Reference    Chatterjee (1997), section 5.2.4; Johnson (1985), section 6.5 */
#include "carom/elementary.h"
#include "laws/force/force.h"

#define PI 3.141592653589793

/* (5): 1/c, which vanishes for e = 1. */
static double flow_of(const carom_coeffs *c, double K_nn)
{
    const double l = -carom_log(c->e), zeta = l / carom_hypot(PI, l);
    return c->c == CAROM_NOT_GIVEN ? 2 * zeta * sqrt(K_nn / c->k) : 1 / c->c;
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    if (c->c == CAROM_NOT_GIVEN ? !(c->e > 0) : !(c->c > 0)) /* a dashpot that holds nothing */
        return CAROM_STATUS_INADMISSIBLE;
    const force_normal normal = {.kind = FORCE_LINEAR, .k = c->k, .exponent = 1, .flow = flow_of(c, problem->K.nn)};
    const force_tangent tangent = {force_stiffness_or(c->k_t, c->k, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_maxwell = {
    .id = "maxwell",
    .name = "Spring and dashpot in series",
    .family = "contact-force",
    .summary = "A spring with a dashpot behind it along the normal: no jump of the force, and a dent that stays.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(k) | CAROM_USES(c) | CAROM_USES(e) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) |
            CAROM_USES(eta),
    .traits = FORCE_TRAITS | CAROM_TRAIT_VELOCITY_SCALES,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
