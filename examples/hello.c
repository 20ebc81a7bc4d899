/* A ball thrown at a table, resolved by one law. */
#include <carom/carom.h>
#include <stdio.h>

int main(void)
{
    carom_body_def ball = carom_shape_sphere(1, 1), table = carom_body_def_default(); /* mass 1, radius 1 */
    ball.velocity = carom_vec3_make(-1, 0, -5);
    ball.omega = carom_vec3_make(0, 2, 0);
    table.fixed = true;

    carom_body a, b;
    carom_contact contact;
    carom_problem problem;
    carom_vec3 down = {0, 0, -1}, here = {0, 0, 0}, up = {0, 0, 1};
    if (carom_body_init(&ball, &a) || carom_body_init(&table, &b) || carom_contact_init(down, here, up, &contact) ||
        carom_bodies_reduce(&a, &b, &contact, &problem))
        return 1;

    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    rule.coeffs.mu = 0.4;
    carom_outcome out;
    if (carom_status_is_error(carom_solve(&problem, &rule, NULL, &out)))
        return 1;
    carom_bodies_apply(&contact, out.p, &a, &b);
    printf("impulse  (%g, %g, %g) N s\n", out.p.t1, out.p.t2, out.p.n);
    printf("velocity (%g, %g, %g) m/s, spin about y %g rad/s\n", a.velocity.x, a.velocity.y, a.velocity.z, a.omega.y);
    printf("energy   %g J of %g J left\n", carom_body_energy(&a), carom_body_energy(&a) - out.energy.change);
    return 0;
}
