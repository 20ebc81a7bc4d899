/* hertz: elastic spheres along the normal, one constant spring along the tangents.
 *
 * Hypothesis   the normal force follows Hertz for smooth elastic bodies of effective radius R and modulus E*; the
 *              tangential spring is constant; the contact point is massless and obeys Coulomb friction.
 * Equations    F_n = k x^(3/2),   k = 4/3 E* sqrt(R)                                                           (1)
 *              stick and slip as in docs/theory/contact-point.md                                               (2)
 *              x_max = (5 m v^2 / (4 k))^(2/5),   T = 2.9433 x_max / v in one dimension                         (3)
 * Page         docs/laws/hertz.md
 * Reference    Hertz (1882); Johnson (1985), section 11.4 */
#include "carom/convert.h"
#include "laws/force/force.h"

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const double k = 4.0 / 3 * c->E_star * sqrt(c->R); /* (1) */
    const force_normal normal = {.kind = FORCE_POWER, .k = k, .exponent = 1.5};
    const double depth = carom_power_compression(k, 1.5, 1 / problem->K.nn, -problem->u.n);
    const force_tangent tangent = {force_stiffness_or(c->k_t, k * sqrt(depth), c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_hertz = {
    .id = "hertz",
    .name = "Hertz with a tangential spring",
    .family = "contact-force",
    .summary =
        "Hertz contact of smooth elastic bodies along the normal, a linear spring and friction along the tangents.",
    .reference = "hertz1882",
    .uses = CAROM_USES(E_star) | CAROM_USES(R) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = FORCE_TRAITS,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
