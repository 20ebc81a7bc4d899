/* A cradle of three equal balls: the first strikes the others at unit speed. Five laws, one problem, and for linear
 * springs the closed form. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 3, CONTACTS = BALLS - 1 };

/* Ball i + 1 touches ball i; the row lies along x. */
static carom_bodies build(carom_body *balls, carom_pair *pairs)
{
    for (int i = 0; i < BALLS; i++) {
        carom_body_def def = carom_body_def_default();
        def.inertia.zz = 0.4;
        def.velocity.x = i == 0 ? 1 : 0;
        if (carom_body_init_planar(&def, &balls[i]))
            exit(1);
    }
    for (int i = 0; i < CONTACTS; i++) {
        carom_pair pair = {i + 1, i, {.arm_a = {-1, 0, 0}, .arm_b = {1, 0, 0}, .planar = true}};
        if (carom_frame_init_planar(1, 0, &pair.contact.frame))
            exit(1);
        pairs[i] = pair;
    }
    carom_bodies set = {BALLS, balls, CONTACTS, pairs, 2};
    return set;
}

static void show(const carom_bodies *set, const carom_contacts *problem, const char *id, carom_coeffs c)
{
    carom_coeffs coeffs[CONTACTS] = {c, c};
    double p[2 * CONTACTS], u_after[2 * CONTACTS];
    carom_body after[BALLS];
    carom_together_rule rule = carom_together_rule_default(carom_together_find(id), coeffs);
    carom_together_outcome out = {.p = p, .u_after = u_after};
    void *work = malloc(carom_together_work(problem, &rule));
    if (!work || carom_together_solve(problem, &rule, NULL, work, &out))
        exit(1);
    carom_bodies_push(set, p, after);
    printf("%-12s e %.1f  exponent %.1f  %12.9f %12.9f %12.9f\n", id, c.e, c.exponent, after[0].velocity.x + 0.0,
           after[1].velocity.x + 0.0, after[2].velocity.x + 0.0);
    free(work);
}

/* Two linear springs, unit masses: contact 1 ends at the root t of sin t + sin(sqrt(3) t) / sqrt(3). */
static void show_closed_form(void)
{
    double w = sqrt(3), t = 2.5;
    for (int i = 0; i < 20; i++)
        t -= (sin(t) + sin(w * t) / w) / (cos(t) + cos(w * t));
    double delta = 0.5 * (sin(t) - sin(w * t) / w);                              /* of contact 2 */
    double u1 = -0.5 * (cos(t) + cos(w * t)), u2 = -0.5 * (cos(t) - cos(w * t)); /* opening speeds are positive */
    double after = sqrt(u2 * u2 + 2 * delta * delta), kick = 0.5 * (after - u2);
    double v1 = (1 - 2 * u1 - u2) / 3, v2 = v1 + u1 - kick;
    printf("%-28s  %12.9f %12.9f %12.9f\n", "closed form, two springs", v1, v2, 1 - v1 - v2);
}

int main(void)
{
    carom_body balls[BALLS];
    carom_pair pairs[CONTACTS];
    carom_bodies set = build(balls, pairs);
    carom_contacts problem;
    void *memory = malloc(carom_bodies_size(&set));
    if (!memory || carom_bodies_contacts(&set, memory, &problem))
        return 1;
    carom_coeffs c = carom_coeffs_default();
    c.mu = 0;
    c.e = 1;
    for (int i = 0; i < carom_together_count(); i++)
        show(&set, &problem, carom_together_at(i)->id, c);
    c.exponent = 1.5;
    show(&set, &problem, "lzb", c);
    show_closed_form();
    c.exponent = 1;
    c.e = 0.5;
    for (int i = 0; i < carom_together_count(); i++)
        show(&set, &problem, carom_together_at(i)->id, c);
    free(memory);
    return 0;
}
