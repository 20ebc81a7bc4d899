/* A ball with side spin bounces eight times on the floor (Jia 2013, Table 1), under the equations as printed.
 *
 * Between bounces gravity only turns the vertical velocity round. Checked: bounce 1 against an independent solution in
 * 30 digits (tests/vectors/compliance.jsonl, jia-0004), bounce 8 against V = (0.993171, -1.708432) of the same program.
 * The paper prints 0.898164, -1.627 and 1.00251, -1.71643: see erratum E1 in docs/laws/jia.md. */
#include <carom/carom.h>
#include <stdio.h>

enum { BOUNCES = 8 };

int main(void)
{
    carom_body_def ball = carom_body_def_default(), floor = carom_body_def_default();
    ball.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    ball.velocity = carom_vec3_make(-1, 0, -5);
    ball.omega = carom_vec3_make(6, 6, 0);
    floor.fixed = true;

    carom_body a, b;
    carom_contact contact;
    carom_vec3 arm = {0, 0, -1}, here = {0, 0, 0}, up = {0, 0, 1};
    if (carom_body_init(&ball, &a) || carom_body_init(&floor, &b) || carom_contact_init(arm, here, up, &contact))
        return 1;

    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = 0.4;
    printf("bounce      V_x       V_y         V_z       w_x       w_y  mode\n");
    for (int i = 1; i <= BOUNCES; i++) {
        carom_problem problem;
        carom_outcome out;
        if (carom_bodies_reduce(&a, &b, &contact, &problem) ||
            carom_status_is_error(carom_solve(&problem, &rule, NULL, &out)))
            return 1;
        carom_bodies_apply(&contact, out.p, &a, &b);
        printf("%6d %9.6f %9.6f %11.8f %9.6f %9.6f  %s\n", i, a.velocity.x, a.velocity.y, a.velocity.z, a.omega.x,
               a.omega.y, out.mode);
        a.velocity.z = -a.velocity.z; /* up and down again */
    }
    return 0;
}
