/* The ball of Jia (2013), section 8.1: it sticks, its springs swing back, and it leaves with reversed motion and spin.
 *
 * The paper prints V_x = 0.570984 and w_y = -1.92746; its program scaled friction by e in restitution
 * (docs/laws/jia.md, erratum E1). The numbers below follow the equations as printed. They agree in every digit with an
 * independent solution in 30 digits: V = (0.5440901551375341, 0, 2.5), w_y = -1.860225387843835, slip to stick at p_n =
 * 0.625, stick to slip at p_n = 7.3655819702813385. */
#include <carom/carom.h>
#include <stdio.h>

static void print_event(void *context, const carom_event *event)
{
    (void)context;
    const carom_state *at = &event->at;
    printf("%-14s %9.6f %9.6f %9.6f %9.6f %9.6f %9.6f\n", carom_event_word(event->kind), at->p.n, at->p.t1, at->u.t1,
           at->u.n, at->stored.t1, at->stored.n);
}

int main(void)
{
    carom_body_def ball = carom_body_def_default(), floor = carom_body_def_default();
    ball.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4}; /* solid sphere of unit mass and radius */
    ball.velocity = carom_vec3_make(-1, 0, -5);
    ball.omega = carom_vec3_make(0, 2, 0);
    floor.fixed = true;

    carom_body a, b;
    carom_contact contact;
    carom_problem problem;
    carom_vec3 arm = {0, 0, -1}, here = {0, 0, 0}, up = {0, 0, 1}, x = {1, 0, 0};
    if (carom_body_init(&ball, &a) || carom_body_init(&floor, &b) || carom_contact_init(arm, here, up, &contact) ||
        carom_frame_init_t1(up, x, &contact.frame) || carom_bodies_reduce(&a, &b, &contact, &problem))
        return 1;

    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = 0.4;
    if (carom_eta_from_poisson(0.3, &rule.coeffs.eta))
        return 1;
    carom_tracer tracer = {print_event, NULL, NULL};
    carom_outcome out;
    printf("%-14s %9s %9s %9s %9s %9s %9s\n", "event", "p_n", "p_t", "u_t", "u_n", "E_t", "E_n");
    if (carom_status_is_error(carom_solve(&problem, &rule, &tracer, &out)))
        return 1;
    carom_bodies_apply(&contact, out.p, &a, &b);
    printf("velocity (%.8f, %g, %g) m/s, spin about y %.8f rad/s, %s\n", a.velocity.x, a.velocity.y, a.velocity.z,
           a.omega.y, out.mode);
    printf("lost to the normal spring %.8f J, to friction %.8f J\n", -out.energy.normal, -out.energy.friction);
    return 0;
}
