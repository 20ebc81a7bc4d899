/* A box lands flat. One contact after the other throws it off at an angle; laws that see both corners at once keep it
 * level, and so does a spread over all orders: its mean is level, its width is what the rigid model leaves open. */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *label, const carom_bodies *set, const carom_together_rule *rule)
{
    carom_contacts problem;
    double p[4], u_after[4];
    carom_body after;
    carom_together_outcome out = {.p = p, .u_after = u_after};
    void *memory = malloc(carom_bodies_size(set)), *work = NULL;
    if (!memory || carom_bodies_contacts(set, memory, &problem) ||
        !(work = malloc(carom_together_work(&problem, rule))) || carom_together_solve(&problem, rule, NULL, work, &out))
        exit(1);
    carom_bodies_push(set, p, &after);
    printf("%-18s p_n %.4f %.4f  v %.4f  omega %7.4f%s\n", label, p[1], p[3], after.velocity.y, after.omega.z + 0.0,
           out.flags & CAROM_FLAG_ORDER_DEPENDENT ? "  order-dependent" : "");
    free(work);
    free(memory);
}

int main(void)
{
    carom_body_def def = carom_body_def_default();
    carom_body box;
    def.inertia.zz = 5.0 / 12;
    def.velocity.y = -1;
    carom_pair pairs[2] = {{0, CAROM_WORLD, {.arm_a = {-0.5, -1, 0}, .planar = true}},
                           {0, CAROM_WORLD, {.arm_a = {0.5, -1, 0}, .planar = true}}};
    if (carom_body_init_planar(&def, &box) || carom_frame_init_planar(0, 1, &pairs[0].contact.frame) ||
        carom_frame_init_planar(0, 1, &pairs[1].contact.frame))
        return 1;
    carom_bodies set = {1, &box, 2, pairs, 2};
    carom_coeffs coeffs[2] = {carom_coeffs_default(), carom_coeffs_default()};
    coeffs[0].e = coeffs[1].e = 1;
    coeffs[0].mu = coeffs[1].mu = 0;
    for (int i = 0; i < carom_together_count(); i++) {
        carom_together_rule rule = carom_together_rule_default(carom_together_at(i), coeffs);
        show(rule.law->id, &set, &rule);
    }
    static const int orders[2][2] = {{0, 1}, {1, 0}};
    carom_together_rule rule = carom_together_rule_default(carom_together_find("sequential"), coeffs);
    for (int i = 0; i < 2; i++) {
        rule.sequence = orders[i];
        show(i ? "sequential, 2 1" : "sequential, 1 2", &set, &rule);
    }
    return 0;
}
