/* Gradients through a bounce, exact where differences and soft contacts are not.
 *
 * A ball falls from the height h, bounces with restitution e, and is at z at the time T. Its state after the bounce
 * changes with the state before it by the saltation matrix Xi; flight by a time t changes positions by t times speeds.
 *
 *     dz/dh = first row of Phi(T - t) Xi Phi(t),   dz/de = (T - t) dv/de
 *
 * Two equal balls on a line that meet elastically exchange their motions: where the second one is after one second
 * depends on the first one alone, (1, 0, 1, 0).
 *
 * Checked: z, dz/dh and dz/de have a closed form, z = e v s - g s^2 / 2 with v = sqrt(2 g h), s = T - v / g. */
#include <carom/carom.h>
#include <carom/saltation.h>
#include <math.h>
#include <stdio.h>

/* A point that falls in the plane (x, z) onto z = 0. */
static int bounce(double h, double g, double e, double T)
{
    const double t = sqrt(2 * h / g), s = T - t, M[4] = {1, 0, 0, 1}, J[4] = {1, 0, 0, 1}, down[2] = {0, -g};
    const double qdot[2] = {0, -g * t};
    double room[CAROM_GENERALIZED_WORK(2)], work[CAROM_SALTATION_WORK(2)], Xi[16];
    const carom_generalized point = {2, 2, M, J, qdot, room};
    const carom_mechanism_variation by = {NULL, NULL, down, down};
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_problem problem;
    carom_saltation about;
    carom_derivative d;
    rule.coeffs.e = e;
    if (carom_generalized_reduce(&point, &problem) || carom_saltation_mechanism(&point, &by, &rule, work, Xi, &about) ||
        carom_derivative_solve(&problem, &rule, NULL, &d))
        return 1;
    const double z = about.outcome.u_after.n * s - g * s * s / 2;
    const double dz = Xi[1 * 4 + 1], dv = Xi[3 * 4 + 1]; /* of z and v_z after, by h: Phi(t) leaves dh as it is */
    printf("one bounce   z %.13f   dz/dh %.13f   dz/de %.13f\n", z, dz + s * dv, s * d.u_after.coeffs[CAROM_COEFF_e].n);
    return 0;
}

static carom_body ball(double speed)
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    def.velocity.x = speed;
    (void)!carom_body_init(&def, &body);
    return body;
}

/* The second ball after T, by x_1, x_2, v_1, v_2; both have the radius 1, and ball 1 starts a gap behind. */
static int two_balls(double v, double gap, double T)
{
    enum { N = 2 * CAROM_BODIES_COORDINATES, X_A = 0, X_B = 6, V_A = 12, V_B = 18 };
    double Xi[N * N];
    const carom_body a = ball(0), b = ball(v); /* A is the second ball: the normal points to it */
    const carom_curvature round[2] = {{1, 0, 1}, {1, 0, 1}};
    const carom_vec3 none = {0, 0, 0};
    const double t = gap / v, s = T - t;
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_contact contact;
    carom_saltation about;
    rule.coeffs.e = 1;
    if (carom_contact_init((carom_vec3){-1, 0, 0}, (carom_vec3){1, 0, 0}, (carom_vec3){1, 0, 0}, &contact) ||
        carom_saltation_bodies(&contact, &a, &b, round, none, &rule, Xi, &about))
        return 1;
    double row[N]; /* x_A at T by the state at the impact */
    for (int k = 0; k < N; k++)
        row[k] = Xi[X_A * N + k] + s * Xi[V_A * N + k];
    printf("two balls    dx_2 by (x_1, x_2, v_1, v_2) = (%g, %g, %g, %g)\n", row[X_B], row[X_A],
           row[V_B] + t * row[X_B], row[V_A] + t * row[X_A]);
    return 0;
}

int main(void)
{
    return bounce(1, 9.81, 0.8, 0.8) || two_balls(2, 0.5, 1);
}
