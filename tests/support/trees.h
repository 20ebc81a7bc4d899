/* Mechanisms for tests: memory, the double pendulum of the references, and random trees with every joint. */
#ifndef CAROM_TESTS_TREES_H
#define CAROM_TESTS_TREES_H

#include "carom/mechanism.h"
#include "support/corpus.h"

enum { TREE_LINKS = 256 };

typedef struct tree {
    carom_link_def defs[TREE_LINKS];
    carom_link links[TREE_LINKS];
    carom_mechanism mechanism;
    carom_link_state states[TREE_LINKS];
    carom_freedom freedoms[6 * TREE_LINKS];
    double q[7 * TREE_LINKS], qdot[6 * TREE_LINKS];
    carom_motion motion;
} tree;

/* defs are filled: prepare the rest. */
static inline carom_status tree_init(tree *t, int count)
{
    carom_status status = carom_mechanism_init(t->defs, count, t->links, &t->mechanism);
    carom_motion motion = {&t->mechanism, t->q, t->qdot, t->states, t->freedoms, -1};
    t->motion = motion;
    if (!status)
        carom_motion_reset(&t->motion);
    return status;
}

/* A slender bar along x, hinged at its end about z. */
static inline carom_link_def bar(int parent, double mass, double length, double origin)
{
    carom_link_def d = carom_link_def_default();
    double I = mass * length * length / 12;
    d.parent = parent;
    d.origin = carom_vec3_make(origin, 0, 0);
    d.mass = mass;
    d.com = carom_vec3_make(length / 2, 0, 0);
    d.inertia = (carom_sym3){0, 0, 0, I, 0, I};
    return d;
}

/* Two bars of unit mass and length. */
static inline carom_status tree_double_pendulum(tree *t)
{
    t->defs[0] = bar(CAROM_WORLD, 1, 1, 0);
    t->defs[1] = bar(0, 1, 1, 1);
    return tree_init(t, 2);
}

static inline carom_vec3 dice_vec3(dice *d)
{
    double x = dice_gauss(d), y = dice_gauss(d);
    return carom_vec3_make(x, y, dice_gauss(d));
}

static inline carom_vec3 dice_unit(dice *d)
{
    carom_vec3 v = dice_vec3(d);
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

static inline carom_quat dice_quat(dice *d)
{
    double w = dice_gauss(d), x = dice_gauss(d), y = dice_gauss(d), z = dice_gauss(d);
    double norm = sqrt(w * w + x * x + y * y + z * z);
    carom_quat q = {w / norm, x / norm, y / norm, z / norm};
    return q;
}

/* The inertia of a random cloud of points. */
static inline carom_sym3 dice_inertia(dice *d, double mass)
{
    carom_sym3 I = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        carom_vec3 r = dice_vec3(d);
        double m = mass * dice_between(d, 0.01, 0.1);
        I.xx += m * (r.y * r.y + r.z * r.z);
        I.yy += m * (r.x * r.x + r.z * r.z);
        I.zz += m * (r.x * r.x + r.y * r.y);
        I.xy -= m * r.x * r.y;
        I.xz -= m * r.x * r.z;
        I.yz -= m * r.y * r.z;
    }
    return I;
}

static inline carom_link_def dice_link(dice *d, int index)
{
    carom_link_def def = carom_link_def_default();
    def.parent = index == 0 ? CAROM_WORLD : dice_below(d, 3) == 0 ? dice_below(d, index) : index - 1;
    def.joint = (carom_joint_type)dice_below(d, CAROM_JOINT_TYPE_COUNT);
    def.axis = dice_unit(d);
    def.origin = dice_vec3(d);
    def.rotation = dice_quat(d);
    def.mass = dice_decades(d, -0.5, 0.5);
    def.com = carom_vec3_scale(0.5, dice_vec3(d));
    def.inertia = dice_inertia(d, def.mass);
    if (index == 0 && def.joint == CAROM_JOINT_FIXED)
        def.joint = CAROM_JOINT_REVOLUTE;
    return def;
}

static inline void tree_shake(dice *d, tree *t)
{
    const carom_mechanism *m = &t->mechanism;
    for (int i = 0; i < m->nv; i++)
        t->qdot[i] = dice_gauss(d);
    for (int i = 0; i < m->count; i++) {
        double *q = t->q + m->links[i].q_at;
        carom_joint_type type = m->links[i].def.joint;
        for (int k = 0; k < m->links[i].nq; k++)
            q[k] = dice_gauss(d);
        carom_quat w = dice_quat(d);
        double *turn = type == CAROM_JOINT_SPHERICAL ? q : type == CAROM_JOINT_FREE ? q + 3 : NULL;
        if (turn) {
            turn[0] = w.w;
            turn[1] = w.x;
            turn[2] = w.y;
            turn[3] = w.z;
        }
    }
}

static inline carom_status tree_random(dice *d, tree *t, int count)
{
    for (int i = 0; i < count; i++)
        t->defs[i] = dice_link(d, i);
    carom_status status = tree_init(t, count);
    if (status)
        return status;
    tree_shake(d, t);
    return carom_motion_place(&t->motion);
}

#endif
