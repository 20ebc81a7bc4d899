/* One impact under ten contact-force laws: a solid ball of 100 g hits the floor obliquely, v = (1, 0, -2) m/s. */
#include <stdio.h>

#include "carom/carom.h"

static const char *const ids[] = {"spring-dashpot",    "hunt-crossley", "hertz",         "walton",
                                  "chatterjee-spring", "split-mass",    "eigen-springs", "ivanov-potential",
                                  "mindlin",           "modal"};

/* Steel-like numbers: a contact of a few hundred microseconds. */
static carom_coeffs stiff(void)
{
    carom_coeffs c = carom_coeffs_default();
    c.e = 0.8;
    c.mu = 0.2;
    c.k = 1e6;
    c.a = 0.17;
    c.E_star = 1e9;
    c.R = 0.02;
    return c;
}

int main(void)
{
    const double K[] = {35, 0, 0, 10}, u[] = {1, -2}; /* 7/(2 m) and 1/m along t and n */
    const carom_mode mode = {.omega = 20000, .zeta = 0.01, .phi = {0, 0, 2}};
    const carom_vibration ring = {.modes = &mode, .count = 1};
    carom_problem problem;
    if (carom_problem_from_K(2, K, u, &problem))
        return 1;
    printf("%-18s %8s %8s %9s %9s %8s  %s\n", "law", "u_t", "u_n", "time us", "depth um", "peak N", "mode");
    for (int i = 0; i < 10; i++) {
        carom_rule rule = carom_rule_default(carom_law_find(ids[i]));
        rule.coeffs = stiff();
        rule.vibration = &ring;
        carom_outcome out;
        carom_status status = carom_solve(&problem, &rule, NULL, &out);
        const carom_contact_force *f = &out.force;
        if (status)
            printf("%-18s %s\n", ids[i], carom_status_message(status));
        else
            printf("%-18s %8.4f %8.4f %9.2f %9.2f %8.1f  %s\n", ids[i], out.u_after.t1, out.u_after.n,
                   1e6 * f->duration, 1e6 * f->max_compression, f->peak_force, out.mode);
    }
    return 0;
}
