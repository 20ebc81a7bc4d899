/* thornton: metal spheres that yield.
 *
 * Hypothesis   as hertz, until the pressure in the middle of the contact reaches p_y = 1.6 Y, with Y the yield stress
 *              of the softer body; from then on it stays p_y where it would be higher. Unloading is elastic, of a
 *              contact that has been flattened; loading again follows it up to the deepest point.
 * Equations    elastic F_n = k x^(3/2),   k = 4/3 E* sqrt(R),   up to x_y = R (pi p_y/(2 E*))^2                  (1)
 *              yielding F_n = F_y + pi p_y R (x - x_y), the tangent of (1) at x_y                              (2)
 *              after the deepest point X, where F_n is F:  F_n = 4/3 E* sqrt(R_p) (x - x_p)^(3/2),
 *              R_p = R k X^(3/2)/F,   x_p = X - F/(k sqrt(X))                                                  (3)
 *              stick and slip as in docs/theory/contact-point.md                                               (4)
 *              in one dimension e is carom_e_from_yield (Thornton's (22)); beyond yield it falls like v^(-1/4)  (5)
 * Page         docs/laws/thornton.md
 * Reference    Thornton (1997); Johnson (1985), sections 6.3 and 11.5 */
#include "carom/convert.h"
#include "laws/force/force.h"

#define HALF_PI 1.5707963267948966

/* F/X at the deepest point of a frictionless impact: the energy beyond yield is the area below (2). */
static double secant_stiffness(double k, double yield, double mass, double v)
{
    const double depth = carom_power_compression(k, 1.5, mass, v);
    if (depth <= yield)
        return k * sqrt(depth);
    const double slope = 1.5 * k * sqrt(yield), dent = yield / 3;
    const double left = 0.5 * mass * v * v - 0.4 * k * yield * yield * sqrt(yield);
    const double over = sqrt(square(yield - dent) + 2 * left / slope); /* X - dent */
    return slope * over / (over + dent);
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const double k = 4.0 / 3 * c->E_star * sqrt(c->R);
    const double yield = c->R * square(HALF_PI * CAROM_YIELD_PRESSURE * c->Y / c->E_star); /* (1) */
    const force_normal normal = {.kind = FORCE_POWER, .k = k, .exponent = 1.5, .yield = yield};
    const double secant = secant_stiffness(k, yield, 1 / problem->K.nn, -problem->u.n);
    const force_tangent tangent = {force_stiffness_or(c->k_t, secant, c->eta), c->c_t, c->mu};
    return force_point_solve(problem, &normal, &tangent, tracer, out);
}

const carom_law carom_law_thornton = {
    .id = "thornton",
    .name = "Thornton (elastic, perfectly plastic spheres)",
    .family = "contact-force",
    .summary = "Hertz contact that yields at a given stress: restitution falls with speed as that of metals does.",
    .reference = "thornton1997",
    .uses = CAROM_USES(E_star) | CAROM_USES(R) | CAROM_USES(Y) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) |
            CAROM_USES(eta),
    .traits = FORCE_TRAITS,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
