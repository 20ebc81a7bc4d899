/* A block rocks about one bottom corner and the other lands. With enough friction the old corner gets no impulse, and
 * the rate of rotation after over before is 1 - 3/2 (1 + e) sin^2(alpha), alpha the angle between diagonal and side:
 * Housner's factor for e = 0. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ratio of omega after and before for half-width b, half-height h; the block turns about its left corner. */
static double ratio(const char *id, double b, double h, double e)
{
    carom_body_def def = carom_body_def_default();
    carom_body block, after;
    def.inertia.zz = (b * b + h * h) / 3;
    def.omega.z = -1; /* about the left corner, clockwise: the right one comes down */
    def.velocity = carom_vec3_make(h, -b, 0);
    carom_pair pairs[2] = {{0, CAROM_WORLD, {.arm_a = {-b, -h, 0}, .planar = true}},
                           {0, CAROM_WORLD, {.arm_a = {b, -h, 0}, .planar = true}}};
    if (carom_body_init_planar(&def, &block) || carom_frame_init_planar(0, 1, &pairs[0].contact.frame) ||
        carom_frame_init_planar(0, 1, &pairs[1].contact.frame))
        exit(1);
    carom_bodies set = {1, &block, 2, pairs, 2};
    carom_contacts problem;
    carom_coeffs coeffs[2] = {carom_coeffs_default(), carom_coeffs_default()};
    coeffs[0].e = coeffs[1].e = e;
    coeffs[0].mu = coeffs[1].mu = 2;
    carom_together_rule rule = carom_together_rule_default(carom_together_find(id), coeffs);
    double p[4], u_after[4];
    carom_together_outcome out = {.p = p, .u_after = u_after};
    void *memory = malloc(carom_bodies_size(&set)), *work = NULL;
    if (!memory || carom_bodies_contacts(&set, memory, &problem) ||
        !(work = malloc(carom_together_work(&problem, &rule))) ||
        carom_together_solve(&problem, &rule, NULL, work, &out))
        exit(1);
    carom_bodies_push(&set, p, &after);
    free(work);
    free(memory);
    return after.omega.z / block.omega.z;
}

int main(void)
{
    static const double widths[] = {0.5, 0.25}, restitutions[] = {0, 0.3, 0.5, 1};
    printf(" b/h    e   formula      moreau         lzb\n");
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            double b = widths[i], e = restitutions[k], sin2 = b * b / (b * b + 1);
            printf("%4.2f  %3.1f  %.9f  %.9f  %.9f\n", b, e, 1 - 1.5 * (1 + e) * sin2, ratio("moreau", b, 1, e),
                   ratio("lzb", b, 1, e));
        }
    return 0;
}
