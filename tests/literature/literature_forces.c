/* Chatterjee's thesis, chapter 8: contact-force laws in one dimension, their fits, and the contact point that has two
 * velocities; section 11.3: the Delrin puck as a mass on a spring. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "carom/convert.h"
#include "literature.h"

static const place split = {GROUP_DERIVED, DOCUMENT_THESIS, "section 8.1: split mass"},
                   dashpot_2 = {GROUP_PRINTED, DOCUMENT_THESIS, "section 8.2: restitution that falls with velocity"},
                   dashpot_2d = {GROUP_DERIVED, DOCUMENT_THESIS, "section 8.2: restitution that falls with velocity"},
                   dashpot_3 = {GROUP_PRINTED, DOCUMENT_THESIS, "section 8.3: linear spring and dashpot"},
                   dashpot_3d = {GROUP_DERIVED, DOCUMENT_THESIS, "section 8.3: linear spring and dashpot"},
                   bilinear = {GROUP_DERIVED, DOCUMENT_THESIS, "section 8.4: bilinear springs"},
                   scaling = {GROUP_DERIVED, DOCUMENT_THESIS, "chapter 8: homogeneity in velocity and in mass"},
                   two_answers = {GROUP_PRINTED, DOCUMENT_THESIS,
                                  "sections 8.5.1 and 8.5.2: the condition for sticking"},
                   puck = {GROUP_PRINTED, DOCUMENT_THESIS, "section 11.3: the puck as a mass on a spring"};

static const double nowhere = NAN;

/* ---- impacts ---- */

static carom_rule rule_of(const char *law, double k)
{
    carom_rule rule = carom_rule_default(carom_law_find(law));
    rule.coeffs.k = k;
    return rule;
}

/* A head-on impact of a mass with speed v. */
static carom_outcome head_on(const carom_rule *rule, double mass, double v)
{
    const carom_problem pb = {{3.5 / mass, 0, 3.5 / mass, 0, 0, 1 / mass}, {0, 0, -v}};
    carom_outcome out;
    if (carom_solve(&pb, rule, NULL, &out) != CAROM_STATUS_OK) {
        out.restitution.newton = out.restitution.stronge = nowhere;
        out.force.duration = out.force.max_compression = out.force.peak_force = nowhere;
        out.force.dead_impulse.n = nowhere;
    }
    return out;
}

/* The limit at h = 0 of a smooth function whose values at h = 0.1/(i + 1) are given (Neville's scheme). */
enum { NODES = 8 };

static double node(int i)
{
    return 0.1 / (i + 1);
}

static double limit_at_zero(double f[NODES])
{
    for (int order = 1; order < NODES; order++)
        for (int i = 0; i + order < NODES; i++)
            f[i] = (node(i) * f[i + 1] - node(i + order) * f[i]) / (node(i) - node(i + order));
    return f[0];
}

/* The largest relative error of a fit, in percent, for arguments 0.01 ... 100. */
static double worst_fit(double (*exact)(double), double (*fit)(double))
{
    double worst = 0;
    for (int i = 0; i <= 4000; i++) {
        double x = pow(10, -2 + 1e-3 * i);
        worst = fmax(worst, fabs(fit(x) / exact(x) - 1));
    }
    return 100 * worst;
}

/* ---- 8.1 ---- */

static void add_split(literature *l)
{
    const double m_1 = 3, m_2 = 2, v = 1.7;
    carom_rule rule = rule_of("split-mass", 1e4);
    rule.coeffs.e = m_1 / (m_1 + m_2);
    carom_outcome out = head_on(&rule, m_1 + m_2, v);
    literature_add_formula(l, &split, m_1 / (m_1 + m_2), out.restitution.newton,
                           "(8.1): e = m_1/(m_1 + m_2), m = 3 and 2");
    literature_add_formula(l, &split, m_2 * v, out.force.dead_impulse.n, "the dead mass stops: its impulse m_2 v");
}

/* ---- 8.2 ---- */

double hunt_crossley_restitution(double a)
{
    const double mass = 1.3, v = 2.1;
    carom_rule rule = rule_of("hunt-crossley", 3e4);
    rule.coeffs.a = a / v;
    return head_on(&rule, mass, v).restitution.newton;
}

/* e = 1 - 2a/3 + 4a^2/9 - ... */
static void add_expansion(literature *l)
{
    double first[NODES], second[NODES];
    for (int i = 0; i < NODES; i++) {
        double h = node(i);
        first[i] = (1 - carom_e_from_hunt_crossley(h)) / h;
        second[i] = (2.0 / 3 - first[i]) / h;
    }
    literature_add(l, &dashpot_2, "2/3", limit_at_zero(first), "small a: e = 1 - 2a/3 + 4a^2/9, the 2/3");
    literature_add(l, &dashpot_2, "4/9", limit_at_zero(second), "small a: e = 1 - 2a/3 + 4a^2/9, the 4/9");
}

static void add_velocity_dependent(literature *l)
{
    static const double damping[] = {0.5, 1, 5};
    const double fit = worst_fit(carom_e_from_hunt_crossley, carom_e_from_hunt_crossley_fit);
    literature_add_word(l, &dashpot_2, "1.5", (const double[3]){fit, 1, 1.5}, "fit 1/(exp(-0.4a) + a): error, percent");
    add_expansion(l);
    for (size_t i = 0; i < sizeof damping / sizeof damping[0]; i++) {
        double a = damping[i], e = hunt_crossley_restitution(a);
        char what[64];
        snprintf(what, sizeof what, "(8.3): both sides at a = %g", a);
        literature_add_formula(l, &dashpot_2d, 1 - log1p(a) / a, -e - log1p(-a * e) / a, what);
    }
    const double a = 0.8, h = 1e-3, e = carom_e_from_hunt_crossley(a);
    double slope = (8 * (carom_e_from_hunt_crossley(a + h) - carom_e_from_hunt_crossley(a - h)) -
                    (carom_e_from_hunt_crossley(a + 2 * h) - carom_e_from_hunt_crossley(a - 2 * h))) /
                   (12 * h);
    literature_add_formula(l, &dashpot_2d, (1 + e) * (1 - e - a * e) / (a * e * (1 + a)), slope,
                           "de/da of the differential equation at a = 0.8");
    literature_add_formula(l, &dashpot_2d, 1, 40 * hunt_crossley_restitution(40), "large a: a e = 1, at a = 40");
}

/* ---- 8.3 ---- */

static double spring_dashpot(double zeta)
{
    const double mass = 1.3, k = 3e4;
    carom_rule rule = rule_of("spring-dashpot", k);
    rule.coeffs.c = 2 * zeta * sqrt(k * mass);
    return head_on(&rule, mass, 2.1).restitution.newton;
}

/* (8.4) as printed. */
static double printed_84(double zeta)
{
    double z2 = 2 * zeta * zeta - 1, root = sqrt(fabs(zeta * zeta - 1));
    if (zeta < 1)
        return exp(-zeta / root * acos(z2));
    double beta = sqrt((z2 + 2 * zeta * root) / (z2 - 2 * zeta * root));
    return pow(beta, -zeta / root) * (beta - 1 / beta) / (4 * zeta * root);
}

static void add_linear(literature *l)
{
    static const double zeta[] = {0.3, 0.9, 1.7};
    const double fit = worst_fit(carom_e_from_zeta, carom_e_from_zeta_fit);
    literature_add(l, &dashpot_3, "0.1353", spring_dashpot(1), "zeta = 1: e = exp(-2)");
    literature_add_word(l, &dashpot_3, "6", (const double[3]){fit, 5, 6},
                        "fit 1/(1 + 2.5 zeta + 4 zeta^2): error, percent");
    for (size_t i = 0; i < sizeof zeta / sizeof zeta[0]; i++) {
        char what[64];
        snprintf(what, sizeof what, "(8.4): e at zeta = %g", zeta[i]);
        literature_add_formula(l, &dashpot_3d, printed_84(zeta[i]), spring_dashpot(zeta[i]), what);
    }
    literature_add_formula(l, &dashpot_3d, 1, 4e14 * carom_e_from_zeta(1e7), "large zeta: 4 zeta^2 e = 1, at 1e7");
}

/* ---- 8.4 ---- */

static void add_bilinear(literature *l)
{
    static const char *const laws[2] = {"walton", "chatterjee-spring"};
    const double e = 0.37;
    for (int i = 0; i < 2; i++) {
        carom_rule rule = rule_of(laws[i], 3e4);
        char what[64];
        rule.coeffs.e = e;
        carom_outcome out = head_on(&rule, 1.3, 2.1);
        snprintf(what, sizeof what, "%s, slope times %s: e", laws[i], i ? "e^2" : "1/e^2");
        literature_add_formula(l, &bilinear, e, out.restitution.newton, what);
        snprintf(what, sizeof what, "%s: energetic e", laws[i]);
        literature_add_formula(l, &bilinear, e, out.restitution.stronge, what);
    }
}

/* How much the direction of u afterwards changes when velocity and mass are scaled: friction, coupled K. */
static double change_of(const char *law, double speed, double mass)
{
    carom_rule rule = rule_of(law, 3e4);
    carom_outcome out[2];
    rule.coeffs.a = 0.4;
    rule.coeffs.c = 60;
    rule.coeffs.k_t = 2.5e4;
    for (int i = 0; i < 2; i++) {
        double s = i ? speed : 1, m = i ? mass : 1;
        const carom_problem pb = {{2.1 / m, 0, 0, 0.4 / m, 0, 1.2 / m}, {0.5 * s, 0, -1.6 * s}};
        if (carom_solve(&pb, &rule, NULL, &out[i]) != CAROM_STATUS_OK)
            return nowhere;
    }
    return hypot(out[1].u_after.t1 / speed - out[0].u_after.t1, out[1].u_after.n / speed - out[0].u_after.n);
}

static void add_homogeneity(literature *l)
{
    static const struct {
        const char *law;
        bool velocity, mass;
    } claims[] = {{"split-mass", true, true},
                  {"walton", true, true},
                  {"chatterjee-spring", true, true},
                  {"spring-dashpot", true, false},
                  {"hunt-crossley", false, true}};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        for (int mass = 0; mass < 2; mass++) {
            bool holds = mass ? claims[i].mass : claims[i].velocity;
            double change = change_of(claims[i].law, mass ? 1 : 2.5, mass ? 3 : 1);
            char what[64];
            snprintf(what, sizeof what, "%s, change with %s", claims[i].law, mass ? "mass" : "speed");
            if (holds)
                literature_add_formula(l, &scaling, 0, change, what);
            else
                literature_add_word(l, &scaling, "some", (const double[3]){change, 1e-3, INFINITY}, what);
        }
}

/* ---- 8.5.1 ---- */

/* The smallest mu at which Carom marks the law as not unique, dashpots 2 and 1 at 45 degrees: C_tt/|C_nt|. */
static double first_mu(void)
{
    const carom_problem pb = {{1.5, 0, 0, 0.5, 0, 1.5}, {-0.2, 0, -1}};
    carom_rule rule = rule_of("eigen-springs", 100);
    double low = 0.1, high = 6;
    rule.coeffs.k_t = 100;
    rule.coeffs.c = 1;
    rule.coeffs.c_t = 2;
    for (int i = 0; i < 60; i++) {
        carom_outcome out;
        rule.coeffs.mu = 0.5 * (low + high);
        bool several =
            !carom_status_is_answer(carom_solve(&pb, &rule, NULL, &out)) || (out.flags & CAROM_FLAG_NOT_UNIQUE) != 0;
        *(several ? &high : &low) = rule.coeffs.mu;
    }
    return high;
}

/* |P_T|/P_N of an impact that sticks throughout, with mu = 6 as in the example and the springs of section 8.5.2: where
 * it exceeds one, |F_T| exceeded F_N while the contact stuck. */
static double sticking_ratio(void)
{
    const carom_problem pb = {{1.5, 0, 0, 0, 0, 1.5}, {-2.3, 0, -1}};
    carom_rule rule = rule_of("eigen-springs", 100);
    carom_outcome out;
    rule.coeffs.k_t = 100;
    rule.coeffs.mu = 6;
    bool sticks = carom_solve(&pb, &rule, NULL, &out) == CAROM_STATUS_OK && out.force.mode_count == 1 &&
                  out.force.modes[0] == CAROM_CONTACT_MODE_STICK;
    return sticks ? out.friction_ratio : nowhere;
}

static void add_nonuniqueness(literature *l)
{
    literature_add_word(l, &two_answers, "1", (const double[3]){sticking_ratio(), 0, 1},
                        "|P_T|/P_N while the contact sticks, mu = 6");
    literature_blame(l, ERRATUM_T5, NAN);
    static const place limit = {GROUP_OWN, DOCUMENT_CAROM, "Section 8.5.1: friction from which the slip is not unique"};
    literature_add(l, &limit, "3.000000000", first_mu(), "theta = pi/4, c = 2 and 1: mu = C_tt/|C_nt|");
}

/* ---- 11.3 ---- */

static void add_puck(literature *l)
{
    const double k = 2e6, mass = 0.067, v = 0.5, radius = 0.0495, E = 2.7e9;
    const double density = 0.0678 / (acos(-1) * 0.0491 * 0.0491 * 0.0064); /* puck 1 of Table 11.1 */
    carom_rule rule = rule_of("spring-dashpot", k);
    rule.coeffs.c = 0;
    carom_outcome out = head_on(&rule, mass, v), steel;
    literature_add_word(l, &puck, "about 0.5", (const double[3]){1e3 * out.force.duration, 0.4, 0.6},
                        "time of the collision, ms");
    literature_add_word(l, &puck, "185", (const double[3]){out.force.peak_force, 182.5, 187.5}, "largest force, N");
    literature_add_word(l, &puck, "9e-5", (const double[3]){out.force.max_compression, 9e-5, 9.5e-5},
                        "compression, m (just over)");
    literature_add(l, &puck, "7", carom_validity_of(v, sqrt(E / density), 2 * radius, 0.5e-3).transits,
                   "diameters that a wave runs in 0.5 ms");
    rule.coeffs.k = 40 * k;
    steel = head_on(&rule, 6 * mass, v);
    literature_add_word(l, &puck, "40",
                        (const double[3]){100 * steel.force.max_compression / out.force.max_compression, 35, 45},
                        "steel: compression, percent of Delrin's");
}

void literature_thesis_forces(literature *l)
{
    add_split(l);
    add_velocity_dependent(l);
    add_linear(l);
    add_bilinear(l);
    add_homogeneity(l);
    add_nonuniqueness(l);
    add_puck(l);
}
