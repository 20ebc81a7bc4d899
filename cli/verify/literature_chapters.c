/* Chatterjee's thesis outside chapter 7: what the text states in numbers, computed by the library. */
#include <math.h>
#include <stdio.h>

#include "carom/geometry.h"
#include "literature.h"

static const place rod = {GROUP_PRINTED, DOCUMENT_THESIS, "section 2.3.1: local mass matrices"},
                   spherical = {GROUP_DERIVED, DOCUMENT_THESIS, "section 10.2: nearly spherical bodies"},
                   ivanov = {GROUP_DERIVED, DOCUMENT_THESIS, "section 10.5: Ivanov's restitution"},
                   pucks = {GROUP_PRINTED, DOCUMENT_THESIS, "section 11.1.1: puck with an added mass"};

/* Eigenvalues of K, descending: p K p = 2 E on the ellipsoid. */
static bool eigenvalues(const carom_problem *pb, double value[3])
{
    carom_ellipsoid e;
    double energy = 2 * carom_problem_energy(pb);
    if (carom_ellipsoid_of(pb, &e))
        return false;
    for (int i = 0; i < 3; i++)
        value[i] = energy / (e.radius[i] * e.radius[i]);
    return true;
}

/* A thin uniform rod of unit mass and length, tilted, against an immovable body. */
static carom_problem struck_rod(void)
{
    carom_body_def def = carom_body_def_default();
    carom_body a, wall = {0};
    carom_contact contact = {.arm_a = {-0.3, -0.4, 0}, .planar = true};
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    def.inertia.zz = 1.0 / 12;
    def.velocity = (carom_vec3){0.5, -1, 0};
    if (carom_body_init_planar(&def, &a) || carom_frame_init_planar(0, 1, &contact.frame) ||
        carom_bodies_reduce(&a, &wall, &contact, &pb))
        pb.K.nn = NAN;
    return pb;
}

static carom_problem struck_sphere(void)
{
    carom_body_def def = carom_body_def_default();
    carom_body a, b;
    carom_contact contact;
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    def.velocity = (carom_vec3){0.5, 0, -1};
    carom_body_def other = def;
    other.velocity = (carom_vec3){0, 0, 0};
    if (carom_body_init(&def, &a) || carom_body_init(&other, &b) ||
        carom_contact_init((carom_vec3){0, 0, -1}, (carom_vec3){0, 0, 1}, (carom_vec3){0, 0, 1}, &contact) ||
        carom_bodies_reduce(&a, &b, &contact, &pb))
        pb.K.nn = NAN;
    return pb;
}

static void add_matrices(literature *l)
{
    carom_problem thin = struck_rod(), ball = struck_sphere();
    double value[3] = {NAN, NAN, NAN};
    if (!eigenvalues(&thin, value))
        value[0] = NAN;
    literature_add(l, &rod, "1/4", value[1] / value[0], "thin rod: lambda_2/lambda_1 = 1/4");
    literature_add(l, &rod, "1", 1 / value[1], "thin rod of mass 1: lambda_1 = m");
    literature_add(l, &rod, "7", 2 * ball.K.t11 / ball.K.nn, "spheres: eigenvalues 7 : 2 : 2, the 7");
    literature_add(l, &rod, "2", 7 * ball.K.nn / ball.K.t22, "spheres: eigenvalues 7 : 2 : 2, the last 2");
}

/* u_t after, for M = diag(m_1, m_2, 2) and an incidence of 45 degrees, sliding. */
static double rebound_of(double m_1, double m_2)
{
    carom_problem pb = {{1 / m_2, 0, 0.5, 0, 0, 1 / m_1}, {-1, 0, -1}};
    carom_rule rule = carom_rule_default(carom_law_find("routh-poisson"));
    carom_outcome out;
    rule.coeffs.mu = 0.05;
    return carom_solve(&pb, &rule, NULL, &out) ? NAN : out.u_after.t1;
}

/* J_22 = -7/2 J_21: how the outcome depends on M near the sphere's diag(7, 2, 2). */
static void add_spherical(literature *l)
{
    const double h = 1e-4;
    double J_21 = (rebound_of(7 + h, 2) - rebound_of(7 - h, 2)) / (2 * h);
    double J_22 = (rebound_of(7, 2 + h) - rebound_of(7, 2 - h)) / (2 * h);
    literature_add(l, &spherical, "-3.5", J_22 / J_21, "J_22/J_21 = -7/2");
}

/* eta = e without friction; on the line towards an impulse of the ellipsoid eta = 0 at half of it. */
static void add_ivanov(literature *l)
{
    const carom_problem pb = {{2.6, -0.4, 3.1, 0.7, -0.5, 1.9}, {-1.2, 0.8, -3}};
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_outcome out;
    rule.coeffs.e = 0.37;
    double got = carom_solve(&pb, &rule, NULL, &out) ? NAN : out.restitution.ivanov;
    literature_add_formula(l, &ivanov, 0.37, got, "frictionless: eta = e");
    carom_cvec d = {0.3, -0.1, 1};
    double size = -2 * carom_cvec_dot(d, pb.u) / carom_cvec_dot(d, carom_csym_apply(pb.K, d)), eta = NAN;
    if (carom_ivanov_eta(&pb, carom_cvec_scale(size, d), &eta))
        eta = NAN;
    literature_add_formula(l, &ivanov, 1, eta, "eta = 1 on the energy ellipsoid");
    if (carom_ivanov_eta(&pb, carom_cvec_scale(0.5 * size, d), &eta))
        eta = NAN;
    literature_add_formula(l, &ivanov, 0, eta, "eta = 0 on the ellipsoid of half its size");
}

/* u after a head-on impact of masses a and b (0: immovable) that approach with speed 1. */
static double head_on(double inv_a, double inv_b, double e)
{
    carom_problem pb = {{1, 0, 1, 0, 0, inv_a + inv_b}, {0, 0, -1}};
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_outcome out;
    rule.coeffs.e = e;
    return carom_solve(&pb, &rule, NULL, &out) ? NAN : inv_a * out.p.n;
}

/* The puck of 52.6 g rebounds with e = 0.85; then the added mass of 9.85 g, still approaching, joins it. */
static void add_pucks(literature *l)
{
    const double puck = 52.6, added = 9.85;
    double rebound = head_on(1 / puck, 0, 0.85) - 1;                 /* away from the wall */
    double gained = head_on(1 / puck, 1 / added, 0) * (rebound + 1); /* towards the wall, from the added mass */
    literature_add(l, &pucks, "0.56", rebound - gained, "effective restitution, m = 52.6, 9.85, e = 0.85");
}

void literature_thesis_chapters(literature *l)
{
    add_matrices(l);
    add_spherical(l);
    add_ivanov(l);
    add_pucks(l);
}
