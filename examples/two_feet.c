/* A biped lands on both feet: a body on two legs given by its mass matrix and two contact Jacobians. What each law
 * gives the joints. */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5, FEET = 2 }; /* x, y of the hip, pitch, and two hip angles; legs of length one */

static const double M[N * N] = {
    14, 0, 0, -1, -1, 0, 14, 0, 0.2, -0.2, 0, 0, 1.5, 0, 0, -1, 0.2, 0, 0.8, 0, -1, -0.2, 0, 0, 0.8,
};
static const double J[2 * FEET * N] = {
    1, 0, 0, -0.98, 0,     0, 1, 0, 0.2, 0,    /* left foot: along the floor, up */
    1, 0, 0, 0,     -0.98, 0, 1, 0, 0,   -0.2, /* right foot */
};
static const double qdot[N] = {0.4, -1.2, 0.1, 0.5, -0.3};

int main(void)
{
    carom_generalized_contacts biped = {N, FEET, 2, M, J, qdot};
    carom_contacts problem;
    void *memory = malloc(carom_generalized_contacts_size(&biped));
    if (!memory || carom_generalized_contacts_reduce(&biped, memory, &problem))
        return 1;
    carom_coeffs coeffs[FEET] = {carom_coeffs_default(), carom_coeffs_default()};
    coeffs[0].e = coeffs[1].e = 0.1;
    coeffs[0].mu = coeffs[1].mu = 0.6;
    printf("law            p left         p right         hip velocity    dE\n");
    for (int i = 0; i < carom_together_count(); i++) {
        carom_together_rule rule = carom_together_rule_default(carom_together_at(i), coeffs);
        rule.base = carom_law_find("routh-stronge");
        double p[2 * FEET], u_after[2 * FEET], after[N];
        carom_together_outcome out = {.p = p, .u_after = u_after};
        void *work = malloc(carom_together_work(&problem, &rule));
        if (!work || carom_together_solve(&problem, &rule, NULL, work, &out))
            return 1;
        carom_generalized_contacts_apply(&biped, memory, p, after);
        printf("%-12s %7.4f %7.4f %7.4f %7.4f  %7.4f %7.4f  %8.4f\n", rule.law->id, p[0] + 0.0, p[1], p[2] + 0.0, p[3],
               after[0], after[1], out.energy.change);
        free(work);
    }
    free(memory);
    return 0;
}
