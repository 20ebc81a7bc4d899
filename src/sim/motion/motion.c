#include "sim/motion/motion.h"

#include <string.h>

snap snap_at(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    pose p = spin_at(&frame_of(sim, i)->turn, t);
    snap s = {mover_position(m, t), mover_velocity(m, t), p.q, p.w};
    return s;
}

void state_of(const carom_sim *sim, int i, double t, double y[STATE])
{
    snap s = snap_at(sim, i, t);
    const double all[STATE] = {s.x.x, s.x.y, s.x.z, s.q.w, s.q.x, s.q.y, s.q.z,
                               s.v.x, s.v.y, s.v.z, s.w.x, s.w.y, s.w.z};
    memcpy(y, all, sizeof all);
}

/* Motion with closed contacts is bounded by its coefficients; the rotation of a ball that slides does not matter. The w
 * of a top turns about L at the rate L / I_1. Three moments: w_1' = (I_2 - I_3) / I_1 w_2 w_3 and so on, and the sum of
 * the squares of these products is at most |w|^4 / 3. */
double turn_bound(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    const spin *s = &f->turn;
    if (s->kind == SPIN_STEADY)
        return carom_vec3_dot(s->w, s->w);
    if (s->kind == SPIN_TRACK)
        return s->track->turn;
    if (s->kind == SPIN_RAMP)
        return 0;
    if (s->kind == SPIN_STEP) {
        carom_vec3 last = vec_plus(s->w, 2 * (f->until - s->t0), s->beta);
        double W = max(carom_vec3_length(s->w), carom_vec3_length(last));
        return 2 * (W * W + carom_vec3_length(s->beta));
    }
    if (s->kind == SPIN_TOP)
        return (carom_vec3_dot(s->w, s->w) + carom_vec3_length(carom_vec3_cross(s->L, s->w)) / s->I_1) *
               (1 + SAME); /* rounding of the motion that it is for */
    const double *I = f->moments.I;
    double k = max(fabs(I[1] - I[2]) / I[0], max(fabs(I[2] - I[0]) / I[1], fabs(I[0] - I[1]) / I[2]));
    return s->most * (1 + k / 1.7320508075688772);
}

double accel_bound(const carom_sim *sim, int i)
{
    const track *k = mover_of(sim, i)->track;
    return k ? k->accel : 0;
}

double fastest(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    bool driven = m->track && !m->is_movable;
    carom_vec3 v = driven ? mover_velocity(m, t) : m->v,
               w = driven ? track_omega(m->track, t) : frame_of(sim, i)->turn.w;
    double turn = is_plane(sim, i) ? 0 : m->radius * carom_vec3_length(w);
    return carom_vec3_length(v) + turn;
}

bool is_resting(const carom_sim *sim, int i)
{
    const mover *m = mover_of(sim, i);
    const spin *s = &frame_of(sim, i)->turn;
    return !m->track && vec_is_zero(m->v) && vec_is_zero(m->a) && vec_is_zero(s->w) &&
           ((s->kind != SPIN_RAMP && s->kind != SPIN_STEP) || vec_is_zero(s->alpha));
}

/* ---- bodies as the laws of impact see them ---- */

carom_body_def def_at(const carom_sim *sim, int i, double t)
{
    carom_body_def def = sim->scene->bodies[i].def;
    const frame_of_body *f = frame_of(sim, i);
    const mover *m = mover_of(sim, i);
    pose p = spin_at(&f->turn, t);
    carom_quat none = {1, 0, 0, 0};
    def.position = mover_position(m, t);
    def.velocity = mover_velocity(m, t);
    def.orientation = f->isotropic || def.fixed ? none : p.q;
    def.omega = p.w;
    return def;
}

/* A rod is touched on its axis only: no contact turns it about itself, and what it has of inertia there, a millionth of
 * the rest, would make rounding large. */
bool is_thin(const carom_sim *sim, int i)
{
    const carom_solid *s = &sim->scene->bodies[i].solid;
    const carom_sym3 *I = &sim->scene->bodies[i].def.inertia;
    return sim->scene->dim == 3 && s->kind == CAROM_SOLID_SHAPE && s->shape.kind == CAROM_SHAPE_ROD &&
           !is_jointed(sim, i) && I->xz == 0 && I->yz == 0 && I->zz < THIN_ROD * min(I->xx, I->yy);
}

/* As carom_body_init prepares it. */
static void turn_inertia(const carom_sim *sim, int i, carom_quat q, carom_body *body)
{
    double norm = quat_norm(q);
    carom_quat unit = {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
    if (is_thin(sim, i))
        body->inv_inertia.zz = 0;
    body->inertia = quat_turn_sym3(unit, body->inertia);
    body->inv_inertia = quat_turn_sym3(unit, body->inv_inertia);
}

carom_body body_at(const carom_sim *sim, int i, double t)
{
    const frame_of_body *f = frame_of(sim, i);
    const mover *m = mover_of(sim, i);
    carom_body body = *core_of(sim, i);
    body.position = mover_position(m, t);
    body.velocity = mover_velocity(m, t);
    if (f->turn.kind == SPIN_STEADY && f->isotropic) {
        body.omega = f->turn.w;
    } else {
        pose p = spin_at(&f->turn, t);
        body.omega = p.w;
        if (!f->isotropic)
            turn_inertia(sim, i, p.q, &body);
    }
    return body;
}

track *track_of(carom_sim *sim, int i)
{
    if (!sim->tracks.count && !store_resize(&sim->tracks, &sim->memory, (size_t)sim->count)) {
        sim->out_of_memory = true;
        return NULL;
    }
    return (track *)sim->tracks.data + i;
}
