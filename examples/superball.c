/* The superball gets its tangential velocity back: e = 1, friction that never slips, and a tangential spring that
 * swings N half periods while the normal one swings one. It needs omega_t = N omega_n, which for a solid sphere is
 * eta^2 = 3.5 / N^2 (carom_eta_from_frequencies). Odd N reverses the slip, even N restores it, and no energy is lost.
 * With the stiffness ratio of steel (Poisson's ratio 0.3) the springs do not end in step, and some is.
 *
 * Checked: reversal, restoration and zero loss are exact results (the springs are at rest length at separation); the
 * loss of the last line is 0.0946 in an independent solution. */
#include <carom/carom.h>
#include <stdio.h>

static int bounce(const char *name, double eta)
{
    carom_problem ball = {{3.5, 0, 3.5, 0, 0, 1}, {-1, 0, -5}}; /* K of the ball in jia_ball.c, without spin */
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.e = 1;
    rule.coeffs.mu = 50;
    rule.coeffs.eta = eta;
    carom_outcome out;
    if (carom_status_is_error(carom_solve(&ball, &rule, NULL, &out)))
        return 1;
    printf("%-18s %7.5f   %8.5f -> %8.5f   %6.4f\n", name, eta, ball.u.t1, out.u_after.t1,
           out.margins.energy < 5e-5 ? 0 : out.margins.energy);
    return 0;
}

int main(void)
{
    static const char *const names[] = {"N = 1", "N = 2", "N = 3"};
    double eta;
    printf("springs            eta       slip velocity          loss\n");
    for (int n = 1; n <= 3; n++)
        if (carom_eta_from_frequencies(n, 1, CAROM_SPHERE_INERTIA_RATIO, &eta) || bounce(names[n - 1], eta))
            return 1;
    return carom_eta_from_poisson(0.3, &eta) || bounce("Poisson ratio 0.3", eta);
}
