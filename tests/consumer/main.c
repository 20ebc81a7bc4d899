/* The smallest program that uses an installed Carom: a ball dropped on a table. */
#include <carom/carom.h>
#include <stdio.h>

int main(void)
{
    const double K[4] = {3.5, 0, 0, 1}, u[2] = {0, -2};
    carom_problem problem;
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    carom_outcome out;
    if (carom_problem_from_K(2, K, u, &problem) || carom_solve(&problem, &rule, NULL, &out))
        return 1;
    printf("carom %s: u_n %g -> %g\n", carom_version(), problem.u.n, out.u_after.n);
    return !(out.u_after.n == 1);
}
