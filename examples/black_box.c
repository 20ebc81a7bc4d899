/* K from a program that knows nothing of Carom. The program here computes how the tip of a double pendulum accelerates
 * under a force, gravity and spin included. Five questions give K; a law then says what the floor does to the tip.
 *
 * Checked: K and the impulse by a second program in 30 digits, from J M^-1 J^T. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

/* Two uniform bars of unit mass and length; angles from the x axis, and their rates. */
typedef struct pendulum {
    double angle[2], rate[2];
} pendulum;

/* The acceleration of the tip under a force on it, both along x and y: M a + h = J^T F. */
static bool accelerate(void *context, const double *force, double *acceleration)
{
    const pendulum *p = context;
    const double g = 9.81, c = cos(p->angle[0] - p->angle[1]), s = sin(p->angle[0] - p->angle[1]);
    const double M[2][2] = {{4.0 / 3, c / 2}, {c / 2, 1.0 / 3}}, det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    double right[2], turn[2];
    for (int i = 0; i < 2; i++) {
        double spin = (i ? 1 : -1) * s / 2 * p->rate[1 - i] * p->rate[1 - i];
        double weight = -(i ? 0.5 : 1.5) * g * cos(p->angle[i]);
        right[i] = spin + weight - sin(p->angle[i]) * force[0] + cos(p->angle[i]) * force[1];
    }
    turn[0] = (M[1][1] * right[0] - M[0][1] * right[1]) / det;
    turn[1] = (M[0][0] * right[1] - M[1][0] * right[0]) / det;
    acceleration[0] = acceleration[1] = 0;
    for (int i = 0; i < 2; i++) {
        double w2 = p->rate[i] * p->rate[i];
        acceleration[0] -= sin(p->angle[i]) * turn[i] + cos(p->angle[i]) * w2;
        acceleration[1] += cos(p->angle[i]) * turn[i] - sin(p->angle[i]) * w2;
    }
    return true;
}

/* The same with a slip of the pen: forces along x and y, answers along y and x. */
static bool accelerate_wrongly(void *context, const double *force, double *acceleration)
{
    double xy[2];
    if (!accelerate(context, force, xy))
        return false;
    acceleration[0] = xy[1];
    acceleration[1] = xy[0];
    return true;
}

int main(void)
{
    pendulum p = {{-0.9, -1.4}, {0.3, -2.1}};
    carom_response box = {accelerate, &p, 2, 0, 0};
    carom_response_report report;
    carom_problem problem;
    const double u[2] = {-sin(p.angle[0]) * p.rate[0] - sin(p.angle[1]) * p.rate[1],
                         cos(p.angle[0]) * p.rate[0] + cos(p.angle[1]) * p.rate[1]};

    /* The floor: normal y, tangent x. */
    carom_status status = carom_response_reduce(&box, u, &problem, &report);
    printf("%s after %d questions\n", carom_status_id(status), report.calls);
    printf("without a push (%.6f, %.6f) m/s^2\n", report.offset[0], report.offset[1]);
    printf("K_tt = %.9f  K_tn = %.9f  K_nn = %.9f 1/kg, rank %d\n", problem.K.t11, problem.K.t1n, problem.K.nn,
           report.rank);

    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    carom_outcome out;
    rule.coeffs.e = 0.6;
    rule.coeffs.mu = 0.4;
    if (carom_status_is_error(carom_solve(&problem, &rule, NULL, &out)))
        return 1;
    printf("u = (%.6f, %.6f) m/s  p = (%.9f, %.9f) N s  u after = (%.6f, %.6f)  %s\n", u[0], u[1], out.p.t1, out.p.n,
           out.u_after.t1, out.u_after.n, out.mode);

    box.respond = accelerate_wrongly;
    status = carom_response_reduce(&box, u, &problem, &report);
    printf("%s: %s\n", carom_status_id(status), carom_status_message(status));
    printf("K_%d%d = %.6f, K_%d%d = %.6f\n", report.row, report.column, report.K[2 * report.row + report.column],
           report.column, report.row, report.K[2 * report.column + report.row]);
    return 0;
}
