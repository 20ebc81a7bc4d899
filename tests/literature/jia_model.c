#include "jia_model.h"

#include <math.h>
#include <stddef.h>

const motion jia_thrown = {{-1, 0, -5}, {0, 2, 0}}, jia_spun = {{-1, 0, -5}, {6, 6, 0}};

static const carom_vec3 below = {0, 0, -1}, origin = {0, 0, 0}, up = {0, 0, 1};

static void keep_event(void *context, const carom_event *event)
{
    impact *i = context;
    if (i->event_count < JIA_EVENTS)
        i->events[i->event_count++] = *event;
}

/* J1: in the last slip of the restitution the tangential impulse grows with mu e instead of mu. */
static carom_cvec read_as_J1(const impact *i, double e)
{
    carom_cvec from = {0, 0, 0};
    for (int k = 0; k < i->event_count; k++)
        if (i->events[k].kind == CAROM_EVENT_COMPRESSION_END || i->events[k].kind == CAROM_EVENT_STICK_TO_SLIP)
            from = i->events[k].at.p;
    carom_cvec last = carom_cvec_sub(i->out.p, from);
    return carom_cvec_make(from.t1 + e * last.t1, from.t2 + e * last.t2, i->out.p.n);
}

static motion moved(carom_body body, const carom_contact *contact, carom_cvec p)
{
    carom_body floor = {0};
    carom_bodies_apply(contact, p, &body, &floor);
    motion m = {body.velocity, body.omega};
    return m;
}

impact jia_strike(const carom_body_def *def, carom_vec3 arm, const carom_coeffs *coeffs)
{
    static const impact none;
    impact i = none;
    carom_body a, floor = {0};
    carom_contact contact;
    carom_problem problem;
    const carom_law *law = carom_law_find("jia");
    carom_tracer tracer = {keep_event, NULL, &i};
    i.status = CAROM_STATUS_NO_LAW;
    if (!law)
        return i;
    carom_rule rule = carom_rule_default(law);
    rule.coeffs = *coeffs;
    contact.arm_a = arm;
    contact.arm_b = origin;
    contact.planar = false;
    if (carom_body_init(def, &a) || carom_frame_init_t1(up, (carom_vec3){1, 0, 0}, &contact.frame) ||
        carom_bodies_reduce(&a, &floor, &contact, &problem))
        return i;
    i.status = carom_solve(&problem, &rule, &tracer, &i.out);
    i.u = problem.u;
    i.after = moved(a, &contact, i.out.p);
    i.p_variant = read_as_J1(&i, coeffs->e);
    i.variant = moved(a, &contact, i.p_variant);
    i.energy[0] = carom_body_energy(&a);
    i.energy[1] = i.energy[0] + i.out.energy.change;
    return i;
}

carom_coeffs jia_usual(void)
{
    carom_coeffs c = carom_coeffs_default(); /* eta = sqrt(17/14) */
    c.e = 0.5;
    c.mu = 0.4;
    return c;
}

impact jia_bounce(motion m, const carom_coeffs *coeffs)
{
    carom_body_def def = carom_body_def_default();
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    def.velocity = m.v;
    def.omega = m.w;
    return jia_strike(&def, below, coeffs);
}

bool jia_ball(double V_x, double w_y, const carom_coeffs *coeffs, double after[2])
{
    motion m = jia_thrown;
    m.v.x = V_x;
    m.w.y = w_y;
    impact i = jia_bounce(m, coeffs);
    after[0] = i.after.v.x;
    after[1] = i.after.w.y;
    return i.status == CAROM_STATUS_OK;
}

const carom_event *jia_event(const impact *i, carom_event_kind kind)
{
    static const carom_event none = {CAROM_EVENT_END, {.p = {NAN, NAN, NAN}, .u = {NAN, NAN, NAN}}};
    for (int k = 0; k < i->event_count; k++)
        if (i->events[k].kind == kind)
            return &i->events[k];
    return &none;
}

double jia_energy(motion m)
{
    return 0.5 * carom_vec3_dot(m.v, m.v) + 0.1 * carom_vec3_dot(m.w, m.w);
}
