/* The oblique impact of elastic spheres: the reflection curve of Maw, Barber and Fawcett (1976), psi_2 against psi_1
 * for a solid sphere of Poisson's ratio 0.3, and the restitution of nonlinear damping by Lambert's W. */
#include <math.h>

#include "carom/convert.h"
#include "literature.h"

static const place curve = {GROUP_OWN, DOCUMENT_CAROM, "Maw, Barber and Fawcett's reflection curve, nu = 0.3"},
                   damping = {GROUP_OWN, DOCUMENT_CAROM, "Section 8.2 in closed form: e by Lambert's W"};

#define FRICTION 0.3

double maw_chi(void)
{
    return 0.5 * carom_kappa_from_poisson(0.3) * CAROM_SPHERE_INERTIA_RATIO;
}

/* psi = kappa u_t/(mu |u_n|); u_n = -1 and K_nn = 1. */
double maw_reflection(const char *law, int annuli, double psi_1)
{
    const double kappa = carom_kappa_from_poisson(0.3);
    const carom_problem pb = {{CAROM_SPHERE_INERTIA_RATIO, 0, CAROM_SPHERE_INERTIA_RATIO, 0, 0, 1},
                              {psi_1 * FRICTION / kappa, 0, -1}};
    carom_rule rule = carom_rule_default(carom_law_find(law));
    carom_outcome out;
    rule.coeffs.e = 1;
    rule.coeffs.mu = FRICTION;
    rule.coeffs.kappa = kappa;
    rule.coeffs.eta = carom_eta_from_kappa(kappa);
    rule.coeffs.annuli = annuli;
    return carom_solve(&pb, &rule, NULL, &out) ? NAN : kappa * out.u_after.t1 / FRICTION;
}

/* Extended precision, 25, 50 and 100 annuli extrapolated; 100 annuli are within 2e-5. */
static void add_curve(literature *l)
{
    static const struct {
        double psi_1;
        const char *psi_2;
    } table[] = {{0.5, "0.0478"}, {1, "-0.0597"}, {1.5, "-0.4280"}, {2, "-0.8372"}, {3, "-1.3797"}, {4, "-1.4365"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        literature_add(l, &curve, table[i].psi_2, maw_reflection("mindlin", 100, table[i].psi_1), "psi_2 at psi_1 = %g",
                       table[i].psi_1);
    const double last = 4 * maw_chi() - 1;
    literature_add(l, &curve, "4.764705882353", last, "gross slip from psi_1 = 4 chi - 1");
    literature_add(l, &curve, "-1.0000000000", maw_reflection("mindlin", 25, last), "psi_2 there");
    literature_add(l, &curve, "0.2352941176", maw_reflection("mindlin", 25, 6), "psi_2 = psi_1 - 4 chi at psi_1 = 6");
}

/* e = (1 + W(-(1 + A) exp(-(1 + A))))/A in 30-digit arithmetic. */
static void add_damping(literature *l)
{
    static const struct {
        double A;
        const char *e;
    } table[] = {{0.1, "0.93747557994991"},
                 {0.5, "0.74843493159743"},
                 {1, "0.59362426004004"},
                 {5, "0.19698024528052"},
                 {10, "0.099981624752944"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        literature_add(l, &damping, table[i].e, carom_e_from_hunt_crossley(table[i].A), "e at a v = %g", table[i].A);
    literature_add(l, &damping, "0.5936242600", hunt_crossley_restitution(1), "e at a v = 1, the law in time");
}

void literature_maw(literature *l)
{
    add_damping(l);
    add_curve(l);
}
