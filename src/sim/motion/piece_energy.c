#include "sim/motion/piece_energy.h"

#include "sim/motion/driven_path.h"
#include "sim/motion/motion.h"

double energy_of(const carom_sim *sim, int i, double t)
{
    carom_body body = body_at(sim, i, t);
    return carom_body_energy(&body) - body.mass * carom_vec3_dot(gravity_of(sim, i), body.position);
}

/* Between steps their force is constant. */
static double step_work(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    carom_vec3 way = carom_vec3_sub(mover_position(m, t), m->x);
    return frame_of(sim, i)->asleep ? 0 : carom_vec3_dot(frame_of(sim, i)->step_force, way);
}

/* What moving ground has given since the step began: its force is constant, and nearly so is its velocity. */
static double step_drive(const carom_sim *sim, int i, double t)
{
    const frame_of_body *f = frame_of(sim, i);
    double t0 = mover_of(sim, i)->t0, length = f->until - t0;
    return length > 0 ? min(1, (t - t0) / length) * f->step_drive : 0;
}

/* The work that moving ground does on a body. A body without a track has constant accelerations and one contact, whose
 * force and velocity are constant, too. */
static double drive_work(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    const closed_contact *c = sim->closed.data;
    if (m->track)
        return track_work(m->track, WORK_OF_GROUND, t);
    carom_vec3 F = carom_vec3_scale(core_of(sim, i)->mass, carom_vec3_sub(m->a, gravity_of(sim, i)));
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i)
            return driven_of(sim, c[k].b) ? 0 : (t - m->t0) * carom_vec3_dot(F, mover_of(sim, c[k].b)->v);
    return 0;
}

/* The work of patches against spin. A body without a track is a ball on one contact. */
static double spin_work(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    const closed_contact *c = sim->closed.data;
    if (m->track)
        return track_work(m->track, WORK_OF_SPIN, t);
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i && c[k].spins) {
            double w = carom_vec3_dot(c[k].normal, spin_at(&frame_of(sim, i)->turn, t).w),
                   before = carom_vec3_dot(c[k].normal, spin_at(&frame_of(sim, i)->turn, m->t0).w);
            return 0.5 * core_of(sim, i)->inertia.xx * (w - before) * (w + before);
        }
    return 0;
}

piece_work work_since(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    piece_work w = {0, 0, 0, 0};
    const frame_of_body *f = frame_of(sim, i);
    if (f->forced && m->track)
        w.fields = track_work(m->track, WORK_OF_FIELDS, t);
    else if (f->forced && f->stepped)
        w.fields = step_work(sim, i, t);
    bool carried = is_carried(sim, i);
    if (f->stepped)
        w.driven = step_drive(sim, i, t);
    else if (carried) {
        w.driven = drive_work(sim, i, t);
        w.spin = spin_work(sim, i, t);
    }
    if (carried || f->stepped)
        w.sliding = energy_of(sim, i, t) - (f->stepped ? f->step_energy : energy_of(sim, i, m->t0)) - w.fields -
                    w.driven - w.spin;
    return w;
}

void book_piece(carom_sim *sim, int i, double t)
{
    piece_work w = work_since(sim, i, t);
    sim->ledger.fields += w.fields;
    sim->ledger.driven += w.driven;
    sim->ledger.sliding += w.sliding;
    sim->ledger.spin += w.spin;
    if (frame_of(sim, i)->stepped)
        frame_of(sim, i)->step_energy = energy_of(sim, i, t);
    frame_of(sim, i)->step_drive = 0;
}
