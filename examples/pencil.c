/* A pencil falls on its tip (Jia 2013, section 8.2), with its correct inertia.
 *
 * A cylinder of radius 0.5 and length 3 with a cone of length 0.5, of unit mass. The paper adds the cone's moment about
 * its apex where the one about its centroid belongs (erratum E3 in docs/laws/jia.md): correct is 0.903869, not
 * 0.979441. Checked against an independent solution: V = (-0.292643, 0.330737, 3.289891), w = (-0.299471, -1.774278,
 * -0.5) in body axes, energy 13.080214 -> 6.987752, events at p_n = 1.076710, 3.949183, 5.394937, 5.789891. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static const double radius = 0.5, length = 3, tip = 0.5;

static void print_event(void *context, const carom_event *event)
{
    (void)context;
    carom_cvec p = event->at.p;
    printf("  %-14s p = (%.6f, %.6f, %.6f)\n", carom_event_word(event->kind), p.t1, p.t2, p.n);
}

/* The centre of mass lies at *height above the tip, along the axis. */
static carom_sym3 pencil_inertia(double *height)
{
    double r2 = radius * radius, cone = tip / 3 / (length + tip / 3), cylinder = 1 - cone; /* masses */
    double h = cylinder * (tip + length / 2) + cone * 0.75 * tip, d = tip + length / 2 - h;
    double across = cylinder * (r2 / 4 + length * length / 12 + d * d) +
                    cone * (0.6 * (r2 / 4 + tip * tip) + h * h - 1.5 * h * tip);
    carom_sym3 inertia = {across, 0, 0, across, 0, cylinder * r2 / 2 + cone * 0.3 * r2};
    *height = h;
    return inertia;
}

int main(void)
{
    double h, turn = acos(-1) / 6, c = cos(turn), s = sin(turn); /* 30 degrees about y */
    carom_body_def pencil = carom_body_def_default(), table = carom_body_def_default();
    pencil.inertia = pencil_inertia(&h);
    pencil.orientation = (carom_quat){cos(turn / 2), 0, sin(turn / 2), 0};
    pencil.velocity = carom_vec3_make(-5 * c, 0, -5 * s);
    pencil.omega = carom_vec3_make(-c - 0.5 * s, -0.5, s - 0.5 * c); /* (-1, -0.5, -0.5) along its own axes */
    table.fixed = true;

    carom_body a, b;
    carom_contact contact;
    carom_problem problem;
    carom_vec3 arm = {-h * s, 0, -h * c}, here = {0, 0, 0}, up = {0, 0, 1}, x = {1, 0, 0};
    if (carom_body_init(&pencil, &a) || carom_body_init(&table, &b) || carom_contact_init(arm, here, up, &contact) ||
        carom_frame_init_t1(up, x, &contact.frame) || carom_bodies_reduce(&a, &b, &contact, &problem))
        return 1;

    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.mu = 0.8;
    carom_tracer tracer = {print_event, NULL, NULL};
    carom_outcome out;
    printf("centre of mass %.6f above the tip, inertia %.6f across and %.6f along\n", h, pencil.inertia.xx,
           pencil.inertia.zz);
    double before = carom_body_energy(&a);
    if (carom_status_is_error(carom_solve(&problem, &rule, &tracer, &out)))
        return 1;
    carom_bodies_apply(&contact, out.p, &a, &b);
    printf("velocity (%.6f, %.6f, %.6f)\n", a.velocity.x, a.velocity.y, a.velocity.z);
    printf("spin     (%.6f, %.6f, %.6f) along its own axes\n", c * a.omega.x - s * a.omega.z, a.omega.y,
           s * a.omega.x + c * a.omega.z);
    printf("energy   %.6f -> %.6f\n", before, carom_body_energy(&a));
    return 0;
}
