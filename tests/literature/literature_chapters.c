/* Chatterjee's thesis outside chapter 7: what the text states in numbers, computed by the library. */
#include <math.h>
#include <stdio.h>

#include "carom/geometry.h"
#include "carom/shape.h"
#include "literature.h"

static const place rod = {GROUP_PRINTED, DOCUMENT_THESIS, "section 2.3.1: local mass matrices"},
                   matrices = {GROUP_DERIVED, DOCUMENT_THESIS, "section 2.3.1: local mass matrices"},
                   realization = {GROUP_DERIVED, DOCUMENT_THESIS, "section 10.4, before (10.7): finite masses"},
                   head_on_smith = {GROUP_DERIVED, DOCUMENT_THESIS, "section 10.3.3: Smith's law without slip before"},
                   disks = {GROUP_PRINTED, DOCUMENT_THESIS, "section 11.1.2: axisymmetric pucks"},
                   angles = {GROUP_DERIVED, DOCUMENT_THESIS, "section 11.1.2: tan phi against tan theta"},
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
    literature_add(l, &rod, "2", 7 * ball.K.nn / ball.K.t11, "spheres: eigenvalues 7 : 2 : 2, the first 2");
    literature_add(l, &rod, "2", 7 * ball.K.nn / ball.K.t22, "spheres: eigenvalues 7 : 2 : 2, the last 2");
}

/* ---- 2.3.1, 10.4: bodies in the plane, and bodies of point masses ---- */

/* K of two planar bodies with these masses, moments and arms; B is immovable when its mass is zero. */
typedef struct planar_body {
    double mass, inertia;
    carom_vec3 arm;
} planar_body;

static carom_problem planar_pair(planar_body a, planar_body b)
{
    carom_body_def def = carom_body_def_default();
    carom_body A, B = {0};
    carom_contact contact = {.arm_a = a.arm, .arm_b = b.arm, .planar = true};
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    def.mass = a.mass;
    def.inertia.zz = a.inertia;
    def.velocity = (carom_vec3){0.5, -1, 0};
    bool fine = !carom_body_init_planar(&def, &A) && !carom_frame_init_planar(0, 1, &contact.frame);
    def.mass = b.mass;
    def.inertia.zz = b.inertia;
    def.velocity = (carom_vec3){0, 0, 0};
    fine = fine && (b.mass == 0 || !carom_body_init_planar(&def, &B));
    if (!fine || carom_bodies_reduce(&A, &B, &contact, &pb))
        pb.K.nn = NAN;
    return pb;
}

static void add_planar_bodies(literature *l)
{
    const double m = 1.7, I = 0.31, x = -0.4, y = -0.9, r2 = x * x + y * y;
    carom_problem one = planar_pair((planar_body){m, I, {x, y, 0}}, (planar_body){0, 0, {0, 0, 0}});
    carom_problem mirror = planar_pair((planar_body){m, I, {-0.6, -0.6, 0}}, (planar_body){m, I, {-0.6, 0.6, 0}});
    double value[3] = {NAN, NAN, NAN};
    if (!eigenvalues(&one, value))
        value[0] = NAN;
    literature_add_formula(l, &matrices, m, 1 / value[1], "one immovable body: lambda_1 = m");
    literature_add_formula(l, &matrices, I / (I + m * r2) * m, 1 / value[0], "lambda_2 = lambda_1 I/(I + m r^2)");
    literature_add_formula(l, &matrices, 1, mirror.K.t11 / mirror.K.nn, "mirror images at right angles: K_tt/K_nn");
    literature_add_formula(l, &matrices, 0, mirror.K.t1n, "mirror images at right angles: K_tn");
}

enum { POINTS_MOST = 4 };

/* A body of point masses, touched at its first point. */
typedef struct point_body {
    int count;
    double mass[POINTS_MOST];
    carom_vec3 at[POINTS_MOST];
} point_body;

static carom_body_def body_of(const point_body *p, carom_vec3 *arm)
{
    carom_body_def def = carom_body_def_default();
    carom_vec3 centre = {0, 0, 0};
    def.mass = 0;
    def.inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
    for (int i = 0; i < p->count; i++) {
        def.mass += p->mass[i];
        centre = carom_vec3_add(centre, carom_vec3_scale(p->mass[i], p->at[i]));
    }
    centre = carom_vec3_scale(1 / def.mass, centre);
    for (int i = 0; i < p->count; i++) {
        carom_vec3 r = carom_vec3_sub(p->at[i], centre);
        carom_sym3 *I = &def.inertia;
        *I = (carom_sym3){I->xx + p->mass[i] * (r.y * r.y + r.z * r.z),
                          I->xy - p->mass[i] * r.x * r.y,
                          I->xz - p->mass[i] * r.x * r.z,
                          I->yy + p->mass[i] * (r.x * r.x + r.z * r.z),
                          I->yz - p->mass[i] * r.y * r.z,
                          I->zz + p->mass[i] * (r.x * r.x + r.y * r.y)};
    }
    *arm = carom_vec3_sub(p->at[0], centre);
    return def;
}

/* Figure 10.3: M_a on a cross with two m and M_c, rods along 2 and 3; M_b on a pendulum whose hinge along 1 carries
 * two M_c at a distance `half` from its middle. The axes 1, 2, 3 are x, y, z, and the contact axes. */
static carom_csym realized(double a, double b, double c, double m, double half)
{
    const point_body one = {4, {a, m, m, c}, {{0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 0, 0}}},
                     two = {3, {b, c, c}, {{0, 0, 1}, {half, 0, 0}, {-half, 0, 0}}};
    carom_contact contact = {.frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    carom_body_def A_def = body_of(&one, &contact.arm_a), B_def = body_of(&two, &contact.arm_b);
    carom_body A, B;
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    A_def.velocity = (carom_vec3){0, 0, -1};
    if (carom_body_init(&A_def, &A) || carom_body_init(&B_def, &B) || carom_bodies_reduce(&A, &B, &contact, &pb))
        pb.K = (carom_csym){NAN, NAN, NAN, NAN, NAN, NAN};
    return pb.K;
}

/* (10.7). M_11 as printed belongs to a hinge of half-length 1/sqrt 2, not to the unit rods of the text. */
static void add_realization(literature *l)
{
    const double a = 1.3, b = 1.9, c = 7.7, m = 0.6;
    const carom_csym K = realized(a, b, c, m, 1), shorter = realized(a, b, c, m, sqrt(0.5));
    double numerator = (b + 2 * c) * (4 * m * a + c * a + 4 * m * m + 2 * m * c);
    double divisor = 4 * m * b + c * b + 4 * m * a + c * a + 4 * m * m + 10 * m * c + 2 * c * c;
    literature_add_formula(l, &realization, b * (a + 2 * m + c) / (b + a + 2 * m + c), 1 / K.t22,
                           "two bodies of point masses: M_22");
    literature_add_formula(l, &realization, a * (3 * b + 2 * c) / (3 * b + 3 * a + 2 * c), 1 / K.t11,
                           "two bodies of point masses: M_11");
    literature_blame(l, ERRATUM_T6, 1 / shorter.t11);
    literature_add_formula(l, &realization, numerator / divisor, 1 / K.nn, "two bodies of point masses: M_33");
    literature_add_formula(l, &realization, 0, fabs(K.t12) + fabs(K.t1n) + fabs(K.t2n),
                           "two bodies of point masses: M is diagonal");
}

/* u after, for M = diag(m_1, m_2, m_3) and an incidence of 45 degrees, sliding. */
static carom_cvec rebound_of(const char *law, double m_1, double m_2, double m_3)
{
    carom_problem pb = {{1 / m_2, 0, 1 / m_3, 0, 0, 1 / m_1}, {-1, 0, -1}};
    carom_rule rule = carom_rule_default(carom_law_find(law));
    carom_outcome out;
    rule.coeffs.mu = 0.05;
    return carom_solve(&pb, &rule, NULL, &out) ? (carom_cvec){NAN, NAN, NAN} : out.u_after;
}

/* How the outcome depends on M near the sphere's diag(7, 2, 2): J_22 = -7/2 J_21, and J_11 = J_12 = J_13 = J_23 = 0 for
 * the laws that the section names (Stronge's with springs among them). */
static void add_spherical(literature *l)
{
    static const char *const laws[] = {"whittaker",
                                       "smith",
                                       "routh-poisson",
                                       "routh-stronge",
                                       "bilinear",
                                       "chatterjee-velocity",
                                       "chatterjee-momentum",
                                       "chatterjee-rebound"};
    const double h = 1e-4;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        carom_cvec d[3];
        for (int k = 0; k < 3; k++) {
            double s[3] = {k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
            carom_cvec up = rebound_of(laws[i], 7 + s[0], 2 + s[1], 2 + s[2]),
                       down = rebound_of(laws[i], 7 - s[0], 2 - s[1], 2 - s[2]);
            d[k] = carom_cvec_scale(1 / (2 * h), carom_cvec_sub(up, down));
        }
        double rest = fabs(d[0].n) + fabs(d[1].n) + fabs(d[2].n) + fabs(d[2].t1);
        literature_add(l, &spherical, "-3.5", d[1].t1 / d[0].t1, "%s: J_22/J_21 = -7/2", laws[i]);
        literature_add(l, &spherical, "0", rest < 1e-9 ? 0 : rest, "%s: J_11, J_12, J_13, J_23", laws[i]);
    }
}

/* Without slip before, Smith's law sticks from mu* = |P_T|/P_N on, and slides with |P_T| = mu P_N below. */
static void add_smith(literature *l)
{
    const carom_problem pb = {{2.6, -0.4, 3.1, 0.7, -0.5, 1.9}, {0, 0, -3}};
    carom_rule rule = carom_rule_default(carom_law_find("smith"));
    carom_outcome sticks, slides;
    double P_1 = -0.4 * -0.5 - 3.1 * 0.7, P_2 = -(2.6 * -0.5 + 0.4 * 0.7), P_n = 2.6 * 3.1 - 0.16; /* M n */
    double star = hypot(P_1, P_2) / P_n;
    rule.coeffs.mu = 1.0001 * star;
    double slip = carom_solve(&pb, &rule, NULL, &sticks) ? NAN : carom_cvec_slip(sticks.u_after);
    rule.coeffs.mu = 0.9 * star;
    double ratio = carom_solve(&pb, &rule, NULL, &slides) ? NAN : slides.friction_ratio;
    literature_add_formula(l, &head_on_smith, star, carom_cvec_slip(sticks.p) / sticks.p.n,
                           "mu* = |P_T|/P_N of the stick");
    literature_add_formula(l, &head_on_smith, 0, slip, "V_fT for mu > mu*");
    literature_add_formula(l, &head_on_smith, 0.9 * star, ratio, "|P_T|/P_N for mu = 0.9 mu*");
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

/* A uniform disk, and a sliding collision of a diagonal mass matrix at the angle theta: with V_i = -(cos, sin) the
 * section prints tan phi = tan theta + mu (1 + e) lambda_1/lambda_2, where tan phi = V_fT/V_iN. */
static void add_disks(literature *l)
{
    carom_body_def disk = carom_shape_disk(1, 0.05);
    carom_problem pb = planar_pair((planar_body){1, disk.inertia.zz, {0, -0.05, 0}}, (planar_body){0, 0, {0, 0, 0}});
    carom_rule rule = carom_rule_default(carom_law_find("routh-poisson"));
    carom_outcome out;
    const double theta = 1.2, e = 0.92, mu = 0.1;
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    pb.u = (carom_cvec){-sin(theta), 0, -cos(theta)};
    double got = carom_solve(&pb, &rule, NULL, &out) ? NAN : out.u_after.t1 / pb.u.n, shift = mu * (1 + e) * 3;
    literature_add(l, &disks, "1/3", pb.K.nn / pb.K.t11, "uniform disk: lambda_2/lambda_1");
    literature_add_formula(l, &angles, tan(theta) - shift, got, "tan phi, friction against the slip");
    literature_add_formula(l, &angles, tan(theta) + shift, got, "tan phi with the printed plus sign");
    literature_blame(l, ERRATUM_T4, tan(theta) - shift);
}

void literature_thesis_chapters(literature *l)
{
    add_matrices(l);
    add_planar_bodies(l);
    add_spherical(l);
    add_smith(l);
    add_realization(l);
    add_ivanov(l);
    add_pucks(l);
    add_disks(l);
}
