/* Dense algebra in a wider format: a second method for mechanisms.
 *
 * Kinematics, mass matrix and Jacobian of a tree straight from their definitions, link by link, then Cholesky. Nothing
 * is shared with the recursions of the library but the description of the links. */
#ifndef CAROM_TESTS_WIDE_H
#define CAROM_TESTS_WIDE_H

#include "support/trees.h"

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide; /* 113 bits */
#else
typedef long double wide;
#endif

enum { WIDE_SPEEDS = 96, WIDE_LINKS = 40 };

typedef struct wvec {
    wide x, y, z;
} wvec;

typedef struct wquat {
    wide w, x, y, z;
} wquat;

static inline wvec wvec_of(carom_vec3 v)
{
    wvec w = {v.x, v.y, v.z};
    return w;
}

static inline wvec wvec_plus(wvec a, wide s, wvec b)
{
    wvec v = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return v;
}

static inline wvec wvec_cross(wvec a, wvec b)
{
    wvec v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static inline wide wvec_dot(wvec a, wvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Newton from the double: the number of digits doubles. */
static inline wide wide_sqrt(wide x)
{
    wide y = sqrt((double)x);
    for (int i = 0; i < 3 && x > 0; i++)
        y = (y + x / y) / 2;
    return x > 0 ? y : 0;
}

/* sin and cos by halving and their series. */
static inline void wide_sincos(wide x, wide *s, wide *c)
{
    enum { HALVINGS = 8, TERMS = 24 };
    wide h = x / (1 << HALVINGS), term = 1, sine = 0, versine = 0; /* versine = 1 - cos, which keeps its digits */
    for (int k = 1; k <= TERMS; k++) {
        term *= h / k;
        sine += k % 2 ? (k % 4 == 1 ? term : -term) : 0;
        versine += k % 2 ? 0 : (k % 4 == 2 ? term : -term);
    }
    for (int i = 0; i < HALVINGS; i++) {
        wide cosine = 1 - versine;
        versine = 2 * sine * sine;
        sine = 2 * sine * cosine;
    }
    *s = sine;
    *c = 1 - versine;
}

static inline wquat wquat_times(wquat a, wquat b)
{
    wquat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}

static inline wquat wquat_unit(wquat q)
{
    wide s = 1 / wide_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    wquat u = {s * q.w, s * q.x, s * q.y, s * q.z};
    return u;
}

static inline wvec wquat_turn(wquat q, wvec v)
{
    wvec u = {q.x, q.y, q.z}, zero = {0, 0, 0}, t = wvec_plus(zero, 2, wvec_cross(u, v));
    return wvec_plus(wvec_plus(v, q.w, t), 1, wvec_cross(u, t));
}

static inline wquat wquat_about(wvec axis, wide angle)
{
    wide s, c, length = wide_sqrt(wvec_dot(axis, axis));
    wide_sincos(angle / 2, &s, &c);
    wquat q = {c, s * axis.x / length, s * axis.y / length, s * axis.z / length};
    return q;
}

/* A tree in the wide format: poses, the motion of every speed, M, J. */
typedef struct wide_tree {
    wquat turn[WIDE_LINKS];
    wvec origin[WIDE_LINKS];
    wvec S_w[WIDE_SPEEDS], S_v[WIDE_SPEEDS]; /* at the origin of the link that the speed belongs to */
    wide M[WIDE_SPEEDS][WIDE_SPEEDS], J[3][WIDE_SPEEDS];
    int n;
} wide_tree;

static inline void wide_place_link(const tree *t, int i, wide_tree *w)
{
    const carom_link *link = &t->links[i];
    const double *q = t->q + link->q_at;
    wquat identity = {1, 0, 0, 0}, turn = identity, up = link->def.parent < 0 ? identity : w->turn[link->def.parent];
    wquat rotation = {link->def.rotation.w, link->def.rotation.x, link->def.rotation.y, link->def.rotation.z};
    wquat frame = wquat_times(up, wquat_unit(rotation));
    wvec zero = {0, 0, 0}, shift = zero, axis = wvec_of(link->def.axis), t1 = wvec_of(link->t1), t2 = wvec_of(link->t2);
    carom_joint_type type = link->def.joint;
    const double *turned = type == CAROM_JOINT_FREE ? q + 3 : q;
    if (type == CAROM_JOINT_REVOLUTE || type == CAROM_JOINT_PLANAR)
        turn = wquat_about(axis, type == CAROM_JOINT_PLANAR ? q[2] : q[0]);
    if (type == CAROM_JOINT_SPHERICAL || type == CAROM_JOINT_FREE)
        turn = wquat_unit((wquat){turned[0], turned[1], turned[2], turned[3]});
    if (type == CAROM_JOINT_PRISMATIC)
        shift = wvec_plus(zero, q[0], axis);
    if (type == CAROM_JOINT_PLANAR)
        shift = wvec_plus(wvec_plus(zero, q[0], t1), q[1], t2);
    if (type == CAROM_JOINT_FREE)
        shift = (wvec){q[0], q[1], q[2]};
    w->turn[i] = wquat_times(frame, turn);
    wvec from = link->def.parent < 0 ? zero : w->origin[link->def.parent];
    w->origin[i] = wvec_plus(from, 1, wquat_turn(up, wvec_of(link->def.origin)));
    w->origin[i] = wvec_plus(w->origin[i], 1, wquat_turn(frame, shift));
    for (int k = 0; k < link->nv; k++) {
        wvec unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        wvec *S_w = &w->S_w[link->v_at + k], *S_v = &w->S_v[link->v_at + k];
        *S_w = *S_v = zero;
        if (type == CAROM_JOINT_PRISMATIC)
            *S_v = wquat_turn(frame, axis);
        else if (type == CAROM_JOINT_PLANAR && k < 2)
            *S_v = wquat_turn(frame, k == 0 ? t1 : t2);
        else if (type == CAROM_JOINT_FREE && k < 3)
            *S_v = wquat_turn(frame, unit[k]);
        else if (type == CAROM_JOINT_SPHERICAL || type == CAROM_JOINT_FREE)
            *S_w = wquat_turn(w->turn[i], unit[k % 3]);
        else
            *S_w = wquat_turn(frame, axis);
    }
}

/* Columns of a link's angular velocity and of the velocity of a point of it; zero for speeds that do not move it. */
static inline void wide_columns(const tree *t, const wide_tree *w, int link, wvec point, wvec *turn, wvec *move)
{
    wvec zero = {0, 0, 0};
    for (int k = 0; k < w->n; k++)
        turn[k] = move[k] = zero;
    for (int i = link; i >= 0; i = t->links[i].def.parent)
        for (int k = t->links[i].v_at; k < t->links[i].v_at + t->links[i].nv; k++) {
            turn[k] = w->S_w[k];
            move[k] = wvec_plus(w->S_v[k], 1, wvec_cross(w->S_w[k], wvec_plus(point, -1, w->origin[i])));
        }
}

static inline wvec wide_inertia(wquat turn, carom_sym3 I, wvec w)
{
    wquat back = {turn.w, -turn.x, -turn.y, -turn.z};
    wvec b = wquat_turn(back, w);
    wvec L = {I.xx * b.x + I.xy * b.y + I.xz * b.z, I.xy * b.x + I.yy * b.y + I.yz * b.z,
              I.xz * b.x + I.yz * b.y + I.zz * b.z};
    return wquat_turn(turn, L);
}

static inline void wide_place(const tree *t, wide_tree *w)
{
    wvec turn[WIDE_SPEEDS], move[WIDE_SPEEDS], spin[WIDE_SPEEDS];
    w->n = t->mechanism.nv;
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < w->n; j++)
            w->M[i][j] = 0;
    for (int i = 0; i < t->mechanism.count; i++)
        wide_place_link(t, i, w);
    for (int i = 0; i < t->mechanism.count; i++) {
        const carom_link_def *def = &t->links[i].def;
        wide_columns(t, w, i, wvec_plus(w->origin[i], 1, wquat_turn(w->turn[i], wvec_of(def->com))), turn, move);
        for (int k = 0; k < w->n; k++)
            spin[k] = wide_inertia(w->turn[i], def->inertia, turn[k]);
        for (int k = 0; k < w->n; k++)
            for (int j = 0; j < w->n; j++)
                w->M[k][j] += def->mass * wvec_dot(move[k], move[j]) + wvec_dot(turn[k], spin[j]);
    }
}

/* Rows t1, t2, n of the contact; within one tree, or with the world. */
static inline void wide_contact(const tree *t, const carom_touch *touch, wide_tree *w)
{
    wvec turn[WIDE_SPEEDS], a[WIDE_SPEEDS], b[WIDE_SPEEDS], point = wvec_of(touch->point);
    const wvec axis[3] = {wvec_of(touch->frame.t1), wvec_of(touch->frame.t2), wvec_of(touch->frame.n)};
    wide_columns(t, w, touch->link_a, point, turn, a);
    wide_columns(t, w, touch->b ? touch->link_b : CAROM_WORLD, point, turn, b);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < w->n; k++)
            w->J[i][k] = wvec_dot(axis[i], wvec_plus(a[k], -1, b[k]));
}

/* M = L L^T in place of the lower triangle. */
static inline void wide_factor(int n, wide M[WIDE_SPEEDS][WIDE_SPEEDS])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            wide sum = M[i][j];
            for (int k = 0; k < j; k++)
                sum -= M[i][k] * M[j][k];
            M[i][j] = i == j ? wide_sqrt(sum) : sum / M[j][j];
        }
}

/* x <- M^-1 x for a factor. */
static inline void wide_solve(int n, wide L[WIDE_SPEEDS][WIDE_SPEEDS], wide *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= L[i][i];
        for (int k = 0; k < i; k++)
            x[k] -= L[i][k] * x[i];
    }
}

static inline wide wide_dot(int n, const wide *a, const wide *b)
{
    wide sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

#endif
