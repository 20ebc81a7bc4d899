#include "sim/motion/air.h"

wrench field_wrench(const carom_fields *f, carom_vec3 v, carom_vec3 w)
{
    carom_vec3 u = carom_vec3_sub(v, f->wind);
    double drag = f->drag_linear + f->drag_quadratic * carom_vec3_length(u);
    carom_vec3 lift = carom_vec3_scale(f->magnus, carom_vec3_cross(w, u));
    wrench out = {carom_vec3_sub(lift, carom_vec3_scale(drag, u)), carom_vec3_scale(-f->drag_angular, w)};
    return out;
}

double field_rate(const carom_fields *f, const carom_body *body, double strength)
{
    double u = vec_distance(body->velocity, f->wind), w = carom_vec3_length(body->omega);
    carom_sym3 inv = body->inv_inertia;
    double linear = f->drag_linear + 2 * f->drag_quadratic * u + fabs(f->magnus) * (w + u);
    double turning = f->drag_angular * max(inv.xx, max(inv.yy, inv.zz));
    return linear * body->inv_mass + turning + sqrt(f->drag_quadratic * body->inv_mass * strength);
}

/* The integral of their power at the nodes. */
void field_work(const carom_fields *f, track *k)
{
    double power[GAUSS_NODES];
    for (int j = 0; j < GAUSS_NODES; j++) {
        double t = k->t0 + gauss_node[j] * k->h;
        carom_vec3 v = track_velocity(k, t), w = track_omega(k, t);
        wrench a = field_wrench(f, v, w);
        power[j] = carom_vec3_dot(a.F, v) + carom_vec3_dot(a.M, w);
    }
    track_integrate(k->h, power, k->work[WORK_OF_FIELDS]);
}

carom_status fields_check(const carom_fields *f)
{
    if (!vec_is_finite(f->gravity) || !vec_is_finite(f->wind) || !isfinite(f->magnus) || !isfinite(f->drag_linear) ||
        !isfinite(f->drag_quadratic) || !isfinite(f->drag_angular))
        return CAROM_STATUS_NOT_FINITE;
    bool drags = f->drag_linear >= 0 && f->drag_quadratic >= 0 && f->drag_angular >= 0;
    return drags ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

/* Are they more than gravity? */
static bool fields_act(const carom_fields *f)
{
    return f->drag_linear > 0 || f->drag_quadratic > 0 || f->drag_angular > 0 || f->magnus != 0;
}

carom_status fields_take(carom_sim *sim, int i)
{
    const carom_scene_body *body = &sim->scene->bodies[i];
    frame_of_body *f = frame_of(sim, i);
    carom_status status = body->fields ? fields_check(body->fields) : CAROM_STATUS_OK;
    if (status || body->def.fixed)
        return status;
    f->fields = body->fields ? body->fields : sim->scene->fields;
    f->forced = f->fields && fields_act(f->fields);
    sim->forced |= f->forced;
    return f->forced && sim->repeats ? CAROM_STATUS_UNSUPPORTED : CAROM_STATUS_OK;
}
