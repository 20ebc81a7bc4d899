/* Findings of this project that no document prints, each confirmed by a second method. */
#include <math.h>
#include <stddef.h>

#include "carom/geometry.h"
#include "literature.h"

#define DEGREE 0.017453292519943295

static const place smith_3d = {GROUP_OWN, DOCUMENT_CAROM,
                               "Smith's law has several solutions (section 10.3.5 left it open)"},
                   rays = {GROUP_OWN, DOCUMENT_CAROM, "Baber's Figure 4 to 14 digits (200-bit arithmetic)"},
                   span = {GROUP_OWN, DOCUMENT_CAROM,
                           "Routh's law breaks the span condition (6.6), which the thesis left open"},
                   density = {GROUP_OWN, DOCUMENT_CAROM,
                              "Repeated contacts keep homogeneity in mass (section 9.3.4 says that they lose it)"};

static void add_rays(literature *l)
{
    static const char *const angles[] = {"86.668939286850", "209.081674736515", "281.352223993617", "322.897161983019"};
    static const carom_csym K = {20, 0, 4, 1, 6, 10};
    carom_hodograph h;
    carom_status status = carom_hodograph_of(&K, 0.7, &h);
    for (int i = 0; i < 4; i++)
        literature_add(l, &rays, angles[i], status || i >= h.count ? NAN : h.rays[i].angle / DEGREE, "ray %d, degrees",
                       i + 1);
}

/* p_t = -(a u_t + b u_t after) with a < 0: friction is not in the negative span of the slips. The digits are those of
 * Runge-Kutta steps of the Coulomb flow in p_n, refined until twelve places stood. */
static void add_span(literature *l)
{
    const carom_problem pb = {{5, 2, 10, 2, -3, 5}, {-1, 1, -4}};
    carom_rule rule = carom_rule_default(carom_law_find("routh-poisson"));
    carom_outcome out;
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = 0.5;
    if (carom_solve(&pb, &rule, NULL, &out) != CAROM_STATUS_OK)
        out.p = carom_cvec_make(NAN, NAN, NAN);
    carom_cvec u = pb.u, v = out.u_after, p = out.p;
    double det = u.t1 * v.t2 - u.t2 * v.t1;
    literature_add(l, &span, "-0.347509361942", p.t1, "K = (5 2 2; 2 10 -3; 2 -3 5): p_t1");
    literature_add(l, &span, "0.336732012887", p.t2, "u = (-1, 1, -4), mu = e = 1/2: p_t2");
    literature_add(l, &span, "1.459592677430", p.n, "p_n");
    literature_add(l, &span, "-0.285503102065", -(p.t1 * v.t2 - p.t2 * v.t1) / det,
                   "a in p_t = -(a u_t + b u_t after)");
    literature_add(l, &span, "0.072513242254", -(u.t1 * p.t2 - u.t2 * p.t1) / det, "b");
}

typedef struct several {
    const char *law, *what;
    carom_problem problem;
    double mu;
    const char *p_n[3];
} several;

static void add_smith(literature *l)
{
    static const several examples[] = {
        {"smith",
         "coupled",
         {{1.5, -0.45, 0.35, 0.95, 0, 1}, {-0.4, 0.9, -0.3}},
         4,
         {"0.18876152855187", "2.3742361992937", "18.850361357243"}},
        {"smith",
         "grazing",
         {{1, 0, 1, 0.9, 0, 1}, {0.513, 0.858, -0.001}},
         2,
         {"0.0147871075", "0.1404913270", "0.8657537355"}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const several *e = &examples[i];
        const carom_law *law = carom_law_find(e->law);
        carom_outcome out = {.solutions = 0};
        if (law) {
            carom_rule rule = carom_rule_default(law);
            rule.coeffs.e = 0;
            rule.coeffs.mu = e->mu;
            (void)!carom_solve(&e->problem, &rule, NULL, &out);
        }
        const double three[3] = {out.solutions, 3, 3};
        literature_add_word(l, &smith_3d, "three", three, i ? "solutions, near grazing" : "solutions, coupled K");
        for (int k = 0; k < 3; k++)
            literature_add(l, &smith_3d, e->p_n[k], out.solutions == 3 ? out.all[k].n : NAN, "%s: p_n of solution %d",
                           e->what, k + 1);
    }
}

/* Two bodies that vibrate and touch twice: K and phi^2 in proportion to 1/rho, omega to rho^-1/2. */
static carom_outcome vibrating(double rho)
{
    const double slower = sqrt(rho);
    const carom_mode modes[] = {
        {.omega = 600 / slower, .zeta = 0.002, .phi = {0, 0, 1.2 / slower}},
        {.omega = 1900 / slower, .zeta = 0.002, .phi = {0, 0, 0.8 / slower}},
    };
    const carom_vibration bodies = {.modes = modes, .count = 2, .recontact = 1};
    const carom_problem problem = {{3.5 / rho, 0, 3.5 / rho, 0, 0, 1 / rho}, {0, 0, -2}};
    carom_outcome out = {.solutions = 0};
    carom_rule rule = carom_rule_default(carom_law_find("modal"));
    rule.coeffs.k = 1e6;
    rule.coeffs.mu = 0;
    rule.vibration = &bodies;
    if (carom_solve(&problem, &rule, NULL, &out))
        out.restitution.newton = NAN;
    return out;
}

static void add_density(literature *l)
{
    const carom_outcome light = vibrating(1), heavy = vibrating(4);
    const double two[3] = {light.force.contacts, 2, 2};
    literature_add_word(l, &density, "two", two, "contacts");
    literature_add_formula(l, &density, light.restitution.newton, heavy.restitution.newton,
                           "restitution, four times the density");
}

void literature_own(literature *l)
{
    add_smith(l);
    add_rays(l);
    add_span(l);
    add_density(l);
}
