/* The formulas of the lecture on collisions and joints; four of them are misprinted. */
#include <math.h>
#include <stddef.h>

#include "carom/joint.h"
#include "literature.h"

static const place law = {GROUP_DERIVED, DOCUMENT_LECTURE, "slide \"Algebraic Resolution Law I\""},
                   matrix = {GROUP_DERIVED, DOCUMENT_LECTURE, "slide \"Collision Impulse\": K"},
                   cone = {GROUP_DERIVED, DOCUMENT_LECTURE, "slide \"Collision Resolution with Friction\""},
                   joint = {GROUP_DERIVED, DOCUMENT_LECTURE, "slide \"0-DOF Linear Joint\""};

static const carom_problem pb = {{2.6, -0.4, 3.1, 0.7, -0.5, 1.9}, {-2.2, 1.8, -3}};
static const double mu = 0.2, e_n = 0.6, e_t = 0.2;

/* -K^-1 u, by Cramer's rule. */
static carom_cvec sticking(void)
{
    carom_csym K = pb.K;
    carom_cvec u = pb.u;
    double c11 = K.t22 * K.nn - K.t2n * K.t2n, c12 = K.t1n * K.t2n - K.t12 * K.nn, c13 = K.t12 * K.t2n - K.t1n * K.t22;
    double c22 = K.t11 * K.nn - K.t1n * K.t1n, c23 = K.t12 * K.t1n - K.t11 * K.t2n, c33 = K.t11 * K.t22 - K.t12 * K.t12;
    double det = K.t11 * c11 + K.t12 * c12 + K.t1n * c13;
    return carom_cvec_make(-(c11 * u.t1 + c12 * u.t2 + c13 * u.n) / det, -(c12 * u.t1 + c22 * u.t2 + c23 * u.n) / det,
                           -(c13 * u.t1 + c23 * u.t2 + c33 * u.n) / det);
}

/* kappa, with the sign of mu n (B - A) as printed (+1) or as it must be (-1). */
static double kappa(carom_cvec A, carom_cvec B, double sign)
{
    return (1 + e_n) * mu * A.n / (carom_cvec_slip(B) + sign * mu * (B.n - A.n));
}

static void add_law(literature *l)
{
    carom_cvec P_I = {0, 0, -pb.u.n / pb.K.nn}, P_II = sticking(), d = carom_cvec_sub(P_II, P_I);
    double right = kappa(P_I, P_II, -1), printed = kappa(P_I, P_II, 1);
    carom_cvec p = carom_cvec_add(carom_cvec_scale(1 + e_n, P_I), carom_cvec_scale(right, d));
    carom_cvec q = carom_cvec_add(carom_cvec_scale(1 + e_n, P_I), carom_cvec_scale(printed, d));
    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    carom_outcome out;
    rule.coeffs.e = e_n;
    rule.coeffs.e_t = e_t;
    rule.coeffs.mu = mu;
    (void)!carom_solve(&pb, &rule, NULL, &out);
    literature_add_formula(l, &law, p.t1, out.p.t1, "p_t1, kappa with the right sign");
    literature_add_formula(l, &law, p.t2, out.p.t2, "p_t2, kappa with the right sign");
    literature_add_formula(l, &law, p.n, out.p.n, "p_n, kappa with the right sign");
    literature_add_formula(l, &law, mu, carom_cvec_slip(out.p) / out.p.n, "|p_t|/p_n = mu on the cone");
    literature_add_formula(l, &law, q.n, out.p.n, "p_n, kappa as printed");
    literature_blame(l, ERRATUM_L1, p.n);
}

/* test(j) = |j - (n.j) n| - n.j: without mu the cone has a slope of one. */
static void add_cone(literature *l)
{
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    carom_outcome out;
    rule.coeffs.e = e_n;
    rule.coeffs.mu = mu;
    carom_status status = carom_solve(&pb, &rule, NULL, &out);
    literature_add_formula(l, &cone, carom_cvec_slip(out.p) - out.p.n, status ? NAN : -out.margins.cone,
                           "test(j) for a sliding impulse, mu = 0.2");
    literature_blame(l, ERRATUM_L2, carom_cvec_slip(out.p) - mu * out.p.n);
}

/* K_nn of a ball of unit mass and radius struck off its centre: r = (0.6, 0, -0.8), J = 2/5. */
static void add_matrix(literature *l)
{
    carom_body_def def = carom_body_def_default();
    carom_body a, floor = {0};
    carom_contact contact;
    carom_problem out;
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    double got = NAN;
    if (!carom_body_init(&def, &a) &&
        !carom_contact_init((carom_vec3){0.6, 0, -0.8}, (carom_vec3){0, 0, 0}, (carom_vec3){0, 0, 1}, &contact) &&
        !carom_bodies_reduce(&a, &floor, &contact, &out))
        got = out.K.nn;
    literature_add_formula(l, &matrix, 1 + 0.36 / 0.4, got, "K_nn = 1/m - n r^x J^-1 r^x n");
    literature_add_formula(l, &matrix, 1 - 0.36 / 0.4, got, "K_nn with the printed plus sign");
    literature_blame(l, ERRATUM_L3, 1 + 0.36 / 0.4);
}

enum { ROWS = 8, WORK = 4096 };

/* Two balls of unit mass whose ball joint is open by d along x: how far A moves when the library closes it. */
static double closed_by(double d, double *left)
{
    carom_body_def def = carom_body_def_default();
    carom_member bodies[2];
    carom_joint joints[1];
    carom_joint_row rows[ROWS];
    double work[WORK];
    carom_linkage linkage = carom_linkage_default();
    carom_joint_def ball = carom_joint_def_default();
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    def.position = (carom_vec3){d, 0, 0};
    bool fine = !carom_member_init(&def, &bodies[0]);
    def.position = (carom_vec3){0, 0, 0};
    fine = fine && !carom_member_init(&def, &bodies[1]);
    ball.a = 0;
    ball.b = 1;
    linkage.body_count = 2;
    linkage.joint_count = 1;
    linkage.bodies = bodies;
    linkage.joints = joints;
    fine = fine && !carom_linkage_init(&linkage, &ball) && linkage.row_count <= ROWS && linkage.work_size <= WORK;
    linkage.rows = rows;
    linkage.work = work;
    if (!fine || carom_linkage_correct(&linkage))
        return *left = NAN;
    *left = bodies[0].body.position.x - bodies[1].body.position.x;
    return bodies[0].body.position.x - d;
}

/* j = K^-1 d/dt acts on A, with d = rho_A - rho_B and K = 1/m_A + 1/m_B: A moves by j dt/m_A. */
static void add_joint(literature *l)
{
    const double d = 0.01, K = 2;
    double left, moved = closed_by(d, &left);
    literature_add_formula(l, &joint, 0, left, "gap after the correction");
    literature_add_formula(l, &joint, -d / K, moved, "way of A with j = -K^-1 d/dt");
    literature_add_formula(l, &joint, d / K, moved, "way of A with the printed j = K^-1 d/dt");
    literature_blame(l, ERRATUM_L4, -d / K);
}

void literature_lecture(literature *l)
{
    add_law(l);
    add_matrix(l);
    add_cone(l);
    add_joint(l);
}
