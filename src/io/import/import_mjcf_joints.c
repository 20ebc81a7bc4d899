/* The joints of MJCF: a body may have several, which act one after the other. Together they are one joint of scenes
 * where the freedoms of its point and of its turn are those of a pair (docs/guide/joints.md). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/mjcf.h"

enum { JOINTS = 6 };
#define PARALLEL   1e-9 /* rad: axes closer than this are parallel */
#define SAME_POINT 1e-9 /* m: joints closer than this are at one point */

typedef enum kind { HINGE, SLIDE, BALL, FREE } kind;

static const char *const words[] = {"hinge", "slide", "ball", "free"};
static const int coordinates[] = {1, 1, 4, 7}, speeds[] = {1, 1, 3, 6};

typedef struct joint {
    kind kind;
    carom_vec3 axis, at;
    double ref;          /* the coordinate at rest */
    const double *q, *v; /* of the keyframe, or null */
} joint;

/* ---- reading ---- */

static bool read_kind(const mjcf *j, xml *e, joint *x)
{
    const char *type = strcmp(e->name, "freejoint") == 0 ? "free" : mjcf_get(j, e, "type");
    for (int k = 0; k < 4; k++)
        if (strcmp(type ? type : "hinge", words[k]) == 0) {
            x->kind = (kind)k;
            return true;
        }
    return model_fail(j->m, e, "joints of type \"%.40s\" are not known", type);
}

static bool read_one(mjcf *j, xml *e, joint *x)
{
    double at[3] = {0, 0, 0}, a[3] = {0, 0, 1};
    e->taken = true;
    xml_get(e, "name");
    *x = (joint){.axis = {0, 0, 1}};
    if (!read_kind(j, e, x) || !mjcf_numbers(j, e, "pos", at, 3) || !mjcf_numbers(j, e, "axis", a, 3) ||
        !mjcf_numbers(j, e, "ref", &x->ref, 1))
        return false;
    double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    x->axis = n > 0 ? carom_vec3_scale(1 / n, vec_of(a)) : x->axis;
    x->at = x->kind == FREE ? x->at : vec_of(at);
    x->ref *= x->kind == HINGE ? j->angle : 1;
    x->q = j->nq + coordinates[x->kind] <= j->q_count ? j->q + j->nq : NULL;
    x->v = j->nv + speeds[x->kind] <= j->v_count ? j->v + j->nv : NULL;
    j->nq += coordinates[x->kind];
    j->nv += speeds[x->kind];
    return true;
}

/* ---- several joints as one ---- */

static bool are_parallel(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_length(carom_vec3_cross(a, b)) < PARALLEL;
}

static bool are_independent(const carom_vec3 *a, int n)
{
    if (n == 3)
        return fabs(carom_vec3_dot(a[0], carom_vec3_cross(a[1], a[2]))) > PARALLEL;
    return n < 2 || !are_parallel(a[0], a[1]);
}

typedef struct freedoms {
    carom_vec3 slide[JOINTS], turn[JOINTS]; /* axes */
    int slides, turns;                      /* a ball counts as three turns */
    bool slides_late;                       /* after a turn */
    bool ball, apart;                       /* turns about different points */
} freedoms;

static freedoms count_freedoms(const joint *x, int n, carom_vec3 *at)
{
    freedoms f = {.slides = 0};
    for (int k = 0; k < n; k++) {
        if (x[k].kind == SLIDE) {
            f.slide[f.slides++] = x[k].axis;
            f.slides_late |= f.turns > 0;
            continue;
        }
        f.apart |= f.turns > 0 && carom_vec3_length(carom_vec3_sub(x[k].at, *at)) > SAME_POINT;
        *at = f.turns ? *at : x[k].at;
        f.ball |= x[k].kind != HINGE;
        if (x[k].kind == HINGE)
            f.turn[f.turns] = x[k].axis;
        f.turns += x[k].kind == HINGE ? 1 : 3;
    }
    return f;
}

/* The line of one slide, the normal of two. */
static carom_vec3 line_of(const freedoms *f)
{
    carom_vec3 normal = f->slides == 2 ? carom_vec3_cross(f->slide[0], f->slide[1]) : f->slide[0];
    double n = carom_vec3_length(normal);
    return n > 0 ? carom_vec3_scale(1 / n, normal) : carom_vec3_make(0, 0, 1);
}

/* Is the order of slides and turns without meaning, and is each of them a freedom of its own? */
static bool is_one_joint(const freedoms *f)
{
    bool along = f->turns == 1 && f->slides && are_parallel(line_of(f), f->turn[0]);
    return !f->apart && f->slides <= 3 && f->turns <= 3 && are_independent(f->slide, f->slides) &&
           (f->ball || are_independent(f->turn, f->turns)) && (!f->slides_late || f->slides == 3 || along);
}

static void set_bond(const freedoms *f, model_link *l)
{
    carom_vec3 line = line_of(f);
    bool across = f->slides == 2 && f->turns == 1 && are_parallel(line, f->turn[0]);
    l->joint = f->slides == 0 && f->turns == 3 ? "spherical" : across ? "planar" : "free";
    l->axis = line;
    if (strcmp(l->joint, "free") != 0 || (f->slides == 3 && f->turns == 3))
        return;
    l->bond = (model_bond){true, f->slides, f->turns, line, line, line};
    if (f->turns == 1 || f->turns == 2) {
        l->bond.of_parent = f->turn[0];
        l->bond.of_link = f->turn[f->turns - 1];
    }
}

/* ---- where they begin ---- */

/* Add the displacement and the motion of a joint to those of the joints before it. */
static void add_motion(const joint *x, model_link *l, carom_vec3 *v)
{
    pose by = pose_none();
    carom_vec3 axis = pose_turned(l->start.q, x->axis), w = {0, 0, 0};
    double q = x->q ? x->q[0] - x->ref : 0, speed = x->v ? x->v[0] : 0;
    if (x->kind == SLIDE) {
        by.x = carom_vec3_scale(q, x->axis);
        *v = carom_vec3_add(*v, carom_vec3_scale(speed, axis));
    } else if (x->kind == HINGE) {
        by.q = quat_about(x->axis, q);
        w = carom_vec3_scale(speed, axis);
    } else if (x->kind == BALL) {
        by.q = x->q ? quat_unit(x->q) : by.q;
        w = x->v ? pose_turned(pose_times(l->start, by).q, vec_of(x->v)) : w;
    } else if (x->kind == FREE && (x->q || x->v)) {
        if (x->q)
            by = pose_times(pose_inverse(l->at), (pose){vec_of(x->q), quat_unit(x->q + 3)});
        w = x->v ? pose_turned(by.q, vec_of(x->v + 3)) : w;
        *v = x->v ? pose_turned(pose_inverse(l->at).q, vec_of(x->v)) : *v;
        *v = carom_vec3_sub(*v, carom_vec3_cross(w, by.x));
    }
    *v = carom_vec3_sub(*v, carom_vec3_cross(w, l->start.x));
    l->omega = carom_vec3_add(l->omega, w);
    l->start = pose_times(l->start, by);
}

/* at: where the frame of the link is in that of the body; at rest both are turned alike. */
static void set_start(const joint *x, int n, model_link *l)
{
    carom_vec3 v = {0, 0, 0}; /* of the point of the link that is at the origin of the joint */
    for (int k = 0; k < n; k++)
        add_motion(&x[k], l, &v);
    l->velocity = carom_vec3_add(v, carom_vec3_cross(l->omega, l->start.x));
    if (n == 1 && x->kind < BALL) { /* an angle may have several turns */
        l->q[0] = x->q ? x->q[0] - x->ref : 0;
        l->qdot[0] = x->v ? x->v[0] : 0;
        return;
    }
    model_set_state(l);
}

/* ---- joints one after the other, with pieces between them ---- */

/* Each piece between the joints of a body has this share of its mass. None at all would be exact, but a body needs a
 * mass; results change by the share, and the equations of a linkage keep ten digits with it. */
#define PIECE 1e-6

static const char *const alone[] = {"revolute", "prismatic", "spherical", "free"};

static void hang(model_link *l, const joint *x)
{
    l->joint = alone[x->kind];
    l->axis = x->axis;
    set_start(x, 1, l);
}

static bool add_pieces(mjcf *j, int i, const joint *x, int n, carom_vec3 shift)
{
    char parent[NAME_MOST];
    pose at = j->m->links[i].at;
    memcpy(parent, j->m->links[i].parent, sizeof parent);
    at.x = carom_vec3_sub(pose_times(at, (pose){x[0].at, {1, 0, 0, 0}}).x, shift);
    for (int k = 0; k < n - 1; k++) {
        model_link *piece = model_add_link(j->m, j->m->links[i].from), *l = &j->m->links[i];
        if (!piece)
            return false;
        snprintf(piece->name, sizeof piece->name, "%.80s-%d", l->name, k + 1);
        memcpy(piece->parent, parent, sizeof parent);
        memcpy(parent, piece->name, sizeof parent);
        piece->piece_of = i + 1;
        piece->at = at;
        piece->com = carom_vec3_scale(-1, x[k].at); /* the origin of the body, until its mass is known */
        hang(piece, &x[k]);
        at = (pose){carom_vec3_sub(x[k + 1].at, x[k].at), {1, 0, 0, 0}};
    }
    model_link *l = &j->m->links[i];
    memcpy(l->parent, parent, sizeof parent);
    l->at = (pose){carom_vec3_sub(shift, x[n - 2].at), {1, 0, 0, 0}};
    hang(l, &x[n - 1]);
    model_note(j->m, l, "has joints one after the other: pieces between them have %g of its mass", PIECE);
    return true;
}

void mjcf_share_mass(model *m, model_link *l)
{
    int pieces = 0;
    const carom_sym3 I = l->inertia;
    const double mass = l->mass;
    for (int k = 0; k < m->link_count; k++) {
        model_link *p = &m->links[k];
        if (p->piece_of - 1 != l - m->links)
            continue;
        pieces++;
        p->mass = PIECE * mass;
        p->inertia = (carom_sym3){PIECE * I.xx, PIECE * I.xy, PIECE * I.xz, PIECE * I.yy, PIECE * I.yz, PIECE * I.zz};
        p->com = carom_vec3_add(p->com, l->com);
    }
    const double left = 1 - pieces * PIECE;
    l->mass *= left;
    l->inertia = (carom_sym3){left * I.xx, left * I.xy, left * I.xz, left * I.yy, left * I.yz, left * I.zz};
}

bool mjcf_read_joints(mjcf *j, int i, carom_vec3 shift, carom_vec3 *at)
{
    joint x[JOINTS];
    int n = 0;
    model_link *l = &j->m->links[i];
    xml *body = l->from;
    l->joint = "fixed";
    for (xml *e = body->first; e; e = e->next) {
        if (strcmp(e->name, "joint") != 0 && strcmp(e->name, "freejoint") != 0)
            continue;
        if (n == JOINTS)
            return model_fail(j->m, e, "body \"%.40s\" has more than %d joints", l->name, JOINTS);
        if (!read_one(j, e, &x[n++]))
            return false;
        if (n > 1 && (x[n - 1].kind == FREE || x[0].kind == FREE))
            return model_fail(j->m, e, "a free joint must be the only joint of body \"%.40s\"", l->name);
    }
    if (n == 1) {
        l->joint = alone[x->kind];
        l->axis = x->axis;
        *at = x->at;
    }
    if (n > 1) {
        freedoms f = count_freedoms(x, n, at);
        if (!is_one_joint(&f)) {
            *at = x[n - 1].at;
            return add_pieces(j, i, x, n, shift);
        }
        set_bond(&f, l);
    }
    set_start(x, n, l);
    return true;
}

/* ---- keyframes ---- */

static double *take_numbers(const char *text, int *count)
{
    *count = text ? xml_numbers(text, NULL, 0) : 0;
    double *out = *count > 0 ? malloc((size_t)*count * sizeof *out) : NULL;
    if (out)
        xml_numbers(text, out, *count);
    return out;
}

bool mjcf_read_keyframe(mjcf *j, xml *root)
{
    xml *frames = xml_child(root, "keyframe", NULL), *key = xml_child(frames, "key", NULL);
    if (!key)
        return true;
    xml_get(key, "name");
    j->q = take_numbers(xml_get(key, "qpos"), &j->q_count);
    j->v = take_numbers(xml_get(key, "qvel"), &j->v_count);
    return (j->q_count >= 0 && j->v_count >= 0) || model_fail(j->m, key, "qpos and qvel need numbers");
}

bool mjcf_check_keyframe(const mjcf *j, xml *root)
{
    xml *key = xml_child(xml_child(root, "keyframe", NULL), "key", NULL);
    if (j->q_count && j->q_count != j->nq)
        return model_fail(j->m, key, "qpos needs %d numbers, and has %d", j->nq, j->q_count);
    return !j->v_count || j->v_count == j->nv ||
           model_fail(j->m, key, "qvel needs %d numbers, and has %d", j->nv, j->v_count);
}
