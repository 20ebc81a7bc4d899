#include "sim/motion/fields.h"

#include "sim/motion/driven_path.h"

#include "sim/contact/gather.h"
#include "sim/rest/ride.h"
#include "sim/rest/settle.h"
#include "sim/schedule/forecast.h"

#define SHORTEST 1e-3 /* of the resting time: forces that need shorter pieces are refused */

/* ---- forces ---- */

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
    double u = carom_vec3_length(carom_vec3_sub(body->velocity, f->wind)), w = carom_vec3_length(body->omega);
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
    track_integrate(k->h, power, k->work);
}

static bool is_finite_vec(carom_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

carom_status fields_check(const carom_fields *f)
{
    if (!is_finite_vec(f->gravity) || !is_finite_vec(f->wind) || !isfinite(f->magnus) || !isfinite(f->drag_linear) ||
        !isfinite(f->drag_quadratic) || !isfinite(f->drag_angular))
        return CAROM_STATUS_NOT_FINITE;
    bool drags = f->drag_linear >= 0 && f->drag_quadratic >= 0 && f->drag_angular >= 0;
    return drags ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

bool fields_act(const carom_fields *f)
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
    return f->forced && sim->repeats ? CAROM_STATUS_UNSUPPORTED : CAROM_STATUS_OK;
}

/* ---- flight ---- */

static carom_status blame(carom_sim *sim, carom_status status, int i)
{
    sim->error = (carom_sim_error){status, i, -1, 0};
    return status;
}

carom_status fly(carom_sim *sim, int i, double t)
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    ride r;
    double y[STATE];
    island alone = island_alone(i);
    if (!f->forced || !m->is_movable || m->closed || f->stepped || is_jointed(sim, i))
        return CAROM_STATUS_OK;
    track *k = track_of(sim, i);
    double least = SHORTEST * sim->scene->resting_time;
    if (!k)
        return CAROM_STATUS_NO_MEMORY;
    state_of(sim, i, t, y);
    if (!ride_make(sim, &alone, &r) || ride_piece(&r, t, y, INFINITY, &k) == RIDE_FAILS || !(k->h > least))
        return blame(sim, CAROM_STATUS_STEP_LIMIT, i);
    m->x = carom_vec3_make(y[0], y[1], y[2]);
    m->v = carom_vec3_make(y[7], y[8], y[9]);
    m->t0 = t;
    m->track = k;
    f->until = k->end;
    if (!r.m[0].steady)
        spin_follow(&f->turn, k);
    return CAROM_STATUS_OK;
}

carom_status fly_all(carom_sim *sim, double t)
{
    carom_status status = CAROM_STATUS_OK;
    for (size_t s = 0; s < sim->involved.count && !status; s++)
        status = fly(sim, involved_at(sim, (int)s)->body, t);
    return status;
}

carom_status fly_on(carom_sim *sim, int i, double t)
{
    book_piece(sim, i, t);
    mover_of(sim, i)->version++;
    frame_of(sim, i)->recent_count = 0;
    carom_status status = fly(sim, i, t);
    if (!status)
        predict(sim, i, t);
    return status;
}

/* ---- energy ---- */

/* Between steps their force is constant. */
static double step_work(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    carom_vec3 way = carom_vec3_sub(mover_position(m, t), m->x);
    return frame_of(sim, i)->asleep ? 0 : carom_vec3_dot(frame_of(sim, i)->step_force, way);
}

/* The work that moving ground does on a body. A body without a track has constant accelerations and one contact, whose
 * force and velocity are constant, too. */
static double drive_work(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    const closed_contact *c = sim->closed.data;
    if (m->track)
        return track_drive(m->track, t);
    carom_vec3 F = carom_vec3_scale(core_of(sim, i)->mass, carom_vec3_sub(m->a, gravity_of(sim, i)));
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i)
            return driven_of(sim, c[k].b) ? 0 : (t - m->t0) * carom_vec3_dot(F, mover_of(sim, c[k].b)->v);
    return 0;
}

piece_work work_since(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    piece_work w = {0, 0, 0};
    const frame_of_body *f = frame_of(sim, i);
    if (f->forced && m->track)
        w.fields = track_work(m->track, t);
    else if (f->forced && f->stepped)
        w.fields = step_work(sim, i, t);
    if (m->closed && !f->stepped)
        w.driven = drive_work(sim, i, t);
    if (m->closed || f->stepped)
        w.sliding =
            energy_of(sim, i, t) - (f->stepped ? f->step_energy : energy_of(sim, i, m->t0)) - w.fields - w.driven;
    return w;
}

void book_piece(carom_sim *sim, int i, double t)
{
    piece_work w = work_since(sim, i, t);
    sim->ledger.fields += w.fields;
    sim->ledger.driven += w.driven;
    sim->ledger.sliding += w.sliding;
}
