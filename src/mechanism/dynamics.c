/* Mass matrix, bias forces, forward dynamics and energy of a mechanism (Featherstone 2008, chapters 5 to 7).
 *
 * Accelerations are classical ones, of the link's origin, so that from parent to child
 *
 *     alpha' = alpha + S_w qddot + w x (S_w qdot)                                          (1)
 *     a'     = a + alpha x d + w x (w x d) + 2 w x (S_v qdot) + S_v qddot                  (2)
 *
 * with the parent's w, and a link needs the load
 *
 *     n = w x (A w) + (A alpha + B a),   f = m w x (w x s) + (B^T alpha + M a)              (3)
 *
 * Gravity is an acceleration of the world by -g. */
#include "carom/assert.h"
#include "mechanism/root.h"

double carom_motion_kinetic(const carom_motion *motion)
{
    double sum = 0;
    for (int i = 0; i < motion->mechanism->count; i++) {
        const carom_link_state *s = &motion->links[i];
        carom_vec3 v = twist_shift(s->velocity, s->arm).v, w = s->velocity.w;
        sum += motion->mechanism->links[i].def.mass * carom_vec3_dot(v, v);
        sum += carom_vec3_dot(w, carom_sym3_apply(s->inertia, w));
    }
    return 0.5 * sum;
}

double carom_motion_potential(const carom_motion *motion)
{
    double sum = 0;
    for (int i = 0; i < motion->mechanism->count; i++) {
        const carom_link_state *s = &motion->links[i];
        carom_vec3 centre = carom_vec3_add(s->origin, s->arm);
        sum -= motion->mechanism->links[i].def.mass * carom_vec3_dot(motion->mechanism->gravity, centre);
    }
    return sum;
}

static carom_artic rigid_of(const carom_motion *motion, int i)
{
    return artic_rigid(motion->mechanism->links[i].def.mass, motion->links[i].arm, motion->links[i].inertia);
}

/* scratch of every link = rigid inertia of it and all links beyond. */
static void compose(carom_motion *motion)
{
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->count; i++)
        motion->links[i].scratch = rigid_of(motion, i);
    for (int i = m->count - 1; i >= 0; i--) {
        int parent = m->links[i].def.parent;
        if (parent < 0)
            continue;
        carom_artic lifted = artic_lift(&motion->links[i].scratch, motion->links[i].offset);
        motion->links[parent].scratch = artic_add(&motion->links[parent].scratch, &lifted);
    }
}

/* The column of freedom k of link i: the load it takes to move all beyond, as felt by every freedom further in. */
static void fill_column(const carom_motion *motion, int i, int k, double *M)
{
    const carom_mechanism *m = motion->mechanism;
    int n = m->nv;
    carom_wrench F = artic_apply(&motion->links[i].scratch, motion->freedoms[k].S);
    for (int link = i; link != CAROM_WORLD; link = m->links[link].def.parent) {
        for (int j = m->links[link].v_at; j < m->links[link].v_at + m->links[link].nv; j++)
            M[j * n + k] = M[k * n + j] = spatial_power(motion->freedoms[j].S, F);
        F = wrench_lift(F, motion->links[link].offset);
    }
}

void carom_motion_mass_matrix(carom_motion *motion, double *M)
{
    CAROM_ASSERT(motion && M);
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->nv * m->nv; i++)
        M[i] = 0;
    compose(motion);
    for (int i = 0; i < m->count; i++)
        for (int k = m->links[i].v_at; k < m->links[i].v_at + m->links[i].nv; k++)
            fill_column(motion, i, k, M);
}

static carom_twist parent_velocity(const carom_motion *motion, int i)
{
    int parent = motion->mechanism->links[i].def.parent;
    return parent < 0 ? twist_zero() : motion->links[parent].velocity;
}

static carom_twist parent_rate(const carom_motion *motion, int i)
{
    int parent = motion->mechanism->links[i].def.parent;
    carom_twist falling = {{0, 0, 0}, carom_vec3_scale(-1, motion->mechanism->gravity)};
    return parent < 0 ? falling : motion->links[parent].rate;
}

/* The terms of (1) and (2) without the parent's acceleration and without qddot. */
static carom_twist velocity_products(const carom_motion *motion, int i)
{
    const carom_link *link = &motion->mechanism->links[i];
    carom_vec3 w = parent_velocity(motion, i).w;
    carom_twist joint = twist_zero();
    for (int k = link->v_at; k < link->v_at + link->nv; k++)
        joint = twist_plus(joint, motion->qdot[k], motion->freedoms[k].S);
    carom_vec3 swing = carom_vec3_cross(w, carom_vec3_cross(w, motion->links[i].offset));
    carom_twist c = {carom_vec3_cross(w, joint.w), vec_plus(swing, 2, carom_vec3_cross(w, joint.v))};
    return c;
}

/* The velocity terms of (3). */
static carom_wrench gyroscopic(const carom_motion *motion, int i)
{
    const carom_link_state *s = &motion->links[i];
    carom_artic I = rigid_of(motion, i);
    carom_vec3 w = s->velocity.w, ww_s = carom_vec3_cross(w, carom_vec3_cross(w, s->arm));
    carom_wrench f = {carom_vec3_cross(w, carom_sym3_apply(I.A, w)),
                      carom_vec3_scale(motion->mechanism->links[i].def.mass, ww_s)};
    return f;
}

static void lift_load(carom_motion *motion, int i, carom_wrench f)
{
    int parent = motion->mechanism->links[i].def.parent;
    if (parent >= 0)
        motion->links[parent].load = wrench_add(motion->links[parent].load, wrench_lift(f, motion->links[i].offset));
}

void carom_motion_bias(carom_motion *motion, double *h)
{
    CAROM_ASSERT(motion && h);
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->count; i++) {
        carom_link_state *self = &motion->links[i];
        carom_artic I = rigid_of(motion, i);
        self->rate = twist_add(twist_shift(parent_rate(motion, i), self->offset), velocity_products(motion, i));
        self->load = wrench_add(artic_apply(&I, self->rate), gyroscopic(motion, i));
    }
    for (int i = m->count - 1; i >= 0; i--) {
        const carom_link *link = &m->links[i];
        for (int k = link->v_at; k < link->v_at + link->nv; k++)
            h[k] = spatial_power(motion->freedoms[k].S, motion->links[i].load);
        lift_load(motion, i, motion->links[i].load);
    }
}

/* Inward: u = tau - S load for every freedom. */
static void accelerate_in(carom_motion *motion, const double *tau)
{
    const carom_mechanism *m = motion->mechanism;
    for (int i = m->count - 1; i >= 0; i--) {
        const carom_link *link = &m->links[i];
        carom_wrench load = motion->links[i].load;
        for (int k = link->v_at + link->nv - 1; k >= link->v_at; k--) {
            carom_freedom *f = &motion->freedoms[k];
            f->u = (tau ? tau[k] : 0) - spatial_power(f->S, load);
            load = wrench_plus(load, f->u / f->D, f->U);
        }
        lift_load(motion, i, wrench_add(load, root_apply(motion->links[i].root, motion->links[i].rate)));
    }
}

void carom_motion_accelerate(carom_motion *motion, const double *tau, double *qddot)
{
    CAROM_ASSERT(motion && qddot);
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->count; i++) {
        motion->links[i].load = gyroscopic(motion, i);
        motion->links[i].rate = velocity_products(motion, i);
    }
    accelerate_in(motion, tau);
    for (int i = 0; i < m->count; i++) {
        carom_link_state *self = &motion->links[i];
        self->rate = twist_add(self->rate, twist_shift(parent_rate(motion, i), self->offset));
        for (int k = m->links[i].v_at; k < m->links[i].v_at + m->links[i].nv; k++) {
            const carom_freedom *f = &motion->freedoms[k];
            qddot[k] = (f->u - spatial_power(self->rate, f->U)) / f->D;
            self->rate = twist_plus(self->rate, qddot[k], f->S);
        }
    }
}
