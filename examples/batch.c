/* A handful of billiard balls meet their cushions at once: one array per number, one call. One row is broken on
 * purpose. */
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"

enum { BALLS = 5 };

int main(void)
{
    double K_t[BALLS], K_n[BALLS], none[BALLS] = {0}, u_t1[BALLS], u_t2[BALLS], u_n[BALLS], mu[BALLS];
    double p_n[BALLS], v_t1[BALLS], v_t2[BALLS], v_n[BALLS], change[BALLS];
    unsigned char status[BALLS];
    for (int i = 0; i < BALLS; i++) {
        K_t[i] = 3.5 / 0.17; /* a solid ball of 170 g */
        K_n[i] = 1 / 0.17;
        u_t1[i] = 2 * i;
        u_t2[i] = 0.25;
        u_n[i] = -2;
        mu[i] = 0.05 * (i + 1);
    }
    u_n[2] = NAN;

    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    rule.coeffs.e = 0.85;
    carom_batch_in in = {.count = BALLS,
                         .K_t11 = K_t,
                         .K_t12 = none,
                         .K_t22 = K_t,
                         .K_t1n = none,
                         .K_t2n = none,
                         .K_nn = K_n,
                         .u_t1 = u_t1,
                         .u_t2 = u_t2,
                         .u_n = u_n,
                         .coeffs = {.mu = mu}};
    carom_batch_out out = {.count = BALLS,
                           .p_n = p_n,
                           .u_t1 = v_t1,
                           .u_t2 = v_t2,
                           .u_n = v_n,
                           .status = status,
                           .ledger = {.change = change}};
    if (carom_batch_solve(&in, &rule, &out, NULL))
        return 1;
    printf("ball   p_n      u after                       energy   status\n");
    for (int i = 0; i < BALLS; i++)
        printf("%d      %.4f   (%7.4f, %7.4f, %7.4f)   %7.4f   %s\n", i, p_n[i], v_t1[i], v_t2[i], v_n[i], change[i],
               carom_status_id((carom_status)status[i]));
    return 0;
}
