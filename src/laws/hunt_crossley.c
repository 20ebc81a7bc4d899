/* hunt-crossley: a spring of any exponent whose damping grows with compression.
 *
 * Hypothesis   as spring-dashpot, but the normal damping is in proportion to the elastic force, so the force starts and
 *              ends at zero and restitution falls with speed.
 * Equations    F_n = k x^m (1 + a x'),   x = -r_n; the thesis writes c for k a                                 (1)
 *              ends at x = 0; stick and slip as in docs/theory/contact-point.md                                (2)
 *              in one dimension -e - ln(1 - A e)/A = 1 - ln(1 + A)/A,  A = a |u_n|, for every m                (3)
 * Page         docs/laws/hunt-crossley.md
 * Reference    Hunt and Crossley (1975); Chatterjee (1997), section 8.2 */
#include "carom/convert.h"
#include "carom/elementary.h"
#include "laws/force/force.h"

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const force_normal normal = {.kind = FORCE_POWER, .k = c->k, .exponent = c->exponent, .a = c->a};
    const double depth = carom_power_compression(c->k, c->exponent, 1 / problem->K.nn, -problem->u.n);
    const double secant = c->k * carom_pow(depth, c->exponent - 1);
    const force_tangent tangent = {force_stiffness_or(c->k_t, secant, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_hunt_crossley = {
    .id = "hunt-crossley",
    .name = "Hunt and Crossley",
    .family = "contact-force",
    .summary = "A nonlinear spring with damping in proportion to its force: restitution falls with speed.",
    .reference = "hunt1975",
    .uses = CAROM_USES(k) | CAROM_USES(exponent) | CAROM_USES(a) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) |
            CAROM_USES(eta),
    .traits = FORCE_TRAITS,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
