/* MJCF: bodies in bodies. The frame of a body is that of its link, so that its joints are at its origin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/body.h"
#include "io/export/export_task.h"

enum { JOINTS = 6, FREE_SPEEDS = 6, FREE_COORDINATES = 7 };

/* ---- attributes ---- */

static void put_vector(text_out *o, const char *name, carom_vec3 v)
{
    text_add(o, " %s=\"", name);
    text_vector(o, v);
    text_add(o, "\"");
}

static void put_name(text_out *o, const char *name)
{
    text_add(o, " name=\"");
    text_escaped(o, name);
    text_add(o, "\"");
}

static bool is_turned(carom_quat q)
{
    return q.x != 0 || q.y != 0 || q.z != 0;
}

static void put_pose(text_out *o, pose at)
{
    put_vector(o, "pos", at.x);
    if (!is_turned(at.q))
        return;
    text_add(o, " quat=\"");
    text_numbers(o, (double[4]){at.q.w, at.q.x, at.q.y, at.q.z}, 4);
    text_add(o, "\"");
}

/* ---- shapes ---- */

static void put_sizes(text_out *o, const carom_shape *s)
{
    const double *x = s->size;
    const bool round = s->kind == CAROM_SHAPE_CYLINDER || s->kind == CAROM_SHAPE_CAPSULE;
    const double half = s->kind == CAROM_SHAPE_BOX ? 0.5 : 1;
    const double sizes[3] = {half * x[0], round ? 0.5 * x[1] : half * x[1], half * x[2]};
    text_add(o, " size=\"");
    text_numbers(o, sizes, round ? 2 : s->kind == CAROM_SHAPE_BOX || s->kind == CAROM_SHAPE_ELLIPSOID ? 3 : 1);
    text_add(o, "\"");
}

/* at: of the shape in the frame around it. */
static void put_geom(export_task *t, int link, const model_geom *g, pose at, int depth)
{
    text_out *o = &t->out;
    const char *word = g->solid.kind == CAROM_SOLID_SHAPE ? export_shape_word(g->solid.shape.kind) : NULL;
    if (g->solid.kind == CAROM_SOLID_MESH) {
        export_lose_part(t, link, "shape", "ground made of triangles: there a mesh is its hull, and this is left out");
        return;
    }
    if (g->solid.kind == CAROM_SOLID_SHAPE && !word) {
        export_lose_part(t, link, "shape", "a shape that is not known there: nothing touches it");
        return;
    }
    text_indent(o, depth);
    text_add(o, "<geom type=\"%s\"", g->solid.kind == CAROM_SOLID_HULL ? "mesh" : word ? word : "plane");
    if (g->solid.kind == CAROM_SOLID_HALF_SPACE) {
        put_vector(o, "pos", at.x);
        put_vector(o, "zaxis", g->solid.normal);
        text_add(o, " size=\"0 0 1\"");
    } else {
        put_pose(o, at);
    }
    if (g->solid.kind == CAROM_SOLID_HULL)
        text_add(o, " mesh=\"hull-%d\"", ++t->hulls);
    if (word)
        put_sizes(o, &g->solid.shape);
    text_add(o, " friction=\"");
    text_numbers(o, &t->mu[link], 1);
    text_add(o, "\"/>\n");
}

/* In the order in which the shapes are written. */
static void put_hulls(export_task *t, int link, bool of_world)
{
    const model_link *l = &t->m.links[link];
    for (int k = 0; k < l->geom_count && l->is_static == of_world; k++) {
        const carom_solid *s = &l->geoms[k].solid;
        if (s->kind != CAROM_SOLID_HULL)
            continue;
        text_add(&t->out, "    <mesh name=\"hull-%d\" vertex=\"", ++t->hulls);
        for (int i = 0; i < s->point_count; i++) {
            text_add(&t->out, i ? "  " : "");
            text_vector(&t->out, s->points[i]);
        }
        text_add(&t->out, "\"/>\n");
    }
    for (int i = 0; !of_world && i < t->m.link_count; i++)
        if (t->parent[i] == link)
            put_hulls(t, i, false);
}

static void put_assets(export_task *t)
{
    size_t before = t->out.length;
    text_add(&t->out, "  <asset>\n");
    size_t empty = t->out.length;
    for (int i = 0; i < t->m.link_count; i++)
        put_hulls(t, i, true);
    for (int i = 0; i < t->m.link_count; i++)
        if (export_is_root(t, i) && !t->m.links[i].is_static)
            put_hulls(t, i, false);
    if (t->out.length == empty)
        t->out.length = before;
    else
        text_add(&t->out, "  </asset>\n");
    t->hulls = 0;
}

/* ---- joints ---- */

/* Of one body, in the order of its coordinates. */
typedef struct joint_list {
    const char *type[JOINTS];
    carom_vec3 axis[JOINTS];
    int count;
} joint_list;

static void add_joint(joint_list *list, const char *type, carom_vec3 axis)
{
    list->type[list->count] = type;
    list->axis[list->count++] = axis;
}

static void add_slides(joint_list *list, int linear, carom_vec3 line)
{
    static const carom_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_frame f;
    if (linear == 1)
        add_joint(list, "slide", line);
    if (linear == 2 && carom_frame_init(line, &f) == CAROM_STATUS_OK) {
        add_joint(list, "slide", f.t1);
        add_joint(list, "slide", f.t2);
    }
    for (int k = 0; linear == 3 && k < 3; k++)
        add_joint(list, "slide", axes[k]);
}

static joint_list joints_of(const model_link *l)
{
    joint_list list = {.count = 0};
    if (l->bond.is_used) {
        add_slides(&list, l->bond.linear, l->bond.line);
        if (l->bond.angular == 2)
            add_joint(&list, "hinge", l->bond.of_parent);
        if (l->bond.angular == 1 || l->bond.angular == 2)
            add_joint(&list, "hinge", l->bond.of_link);
        if (l->bond.angular == 3)
            add_joint(&list, "ball", carom_vec3_make(0, 0, 1));
    } else if (export_is_word(l, "planar")) {
        add_slides(&list, 2, l->axis);
        add_joint(&list, "hinge", l->axis);
    } else if (export_is_word(l, "spherical")) {
        add_joint(&list, "ball", carom_vec3_make(0, 0, 1));
    } else if (!export_is_word(l, "fixed") && !export_is_word(l, "free")) {
        add_joint(&list, export_is_word(l, "revolute") ? "hinge" : "slide", l->axis);
    }
    return list;
}

static bool is_free(const model_link *l)
{
    return export_is_word(l, "free") && !l->bond.is_used;
}

static void put_joints(text_out *o, const model_link *l, int depth)
{
    joint_list list = joints_of(l);
    text_indent(o, is_free(l) ? depth : 0);
    text_add(o, is_free(l) ? "<freejoint/>\n" : "");
    for (int k = 0; k < list.count; k++) {
        text_indent(o, depth);
        text_add(o, "<joint type=\"%s\"", list.type[k]);
        if (strcmp(list.type[k], "ball") != 0)
            put_vector(o, "axis", list.axis[k]);
        text_add(o, "/>\n");
    }
}

/* ---- bodies ---- */

static void put_inertial(text_out *o, const model_link *l, int depth)
{
    carom_sym3 I = l->inertia;
    text_indent(o, depth);
    text_add(o, "<inertial");
    put_vector(o, "pos", l->com);
    text_add(o, " mass=\"");
    text_numbers(o, &l->mass, 1);
    if (I.xy == 0 && I.xz == 0 && I.yz == 0) {
        text_add(o, "\" diaginertia=\"");
        text_numbers(o, (double[3]){I.xx, I.yy, I.zz}, 3);
    } else {
        text_add(o, "\" fullinertia=\"");
        text_numbers(o, (double[6]){I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}, 6);
    }
    text_add(o, "\"/>\n");
}

static void put_body(export_task *t, int i, int depth)
{
    text_out *o = &t->out;
    const model_link *l = &t->m.links[i];
    text_indent(o, depth);
    text_add(o, "<body");
    put_name(o, l->name);
    put_pose(o, l->at);
    text_add(o, ">\n");
    put_inertial(o, l, depth + 1);
    put_joints(o, l, depth + 1);
    for (int k = 0; k < l->geom_count; k++)
        put_geom(t, i, &l->geoms[k], l->geoms[k].at, depth + 1);
    for (int k = 0; k < t->m.link_count; k++)
        if (t->parent[k] == i)
            put_body(t, k, depth + 1);
    text_indent(o, depth);
    text_add(o, "</body>\n");
}

/* ---- where it begins ---- */

/* Coordinates and speeds of all bodies, in the order in which they are written. */
typedef struct key_frame {
    text_out q, v;
    bool moved, moving;
} key_frame;

static void add_numbers(text_out *o, const double *x, int count, const double *rest, bool *differs)
{
    text_add(o, o->length && count ? " " : "");
    text_numbers(o, x, count);
    for (int k = 0; k < count; k++)
        *differs |= x[k] != (rest ? rest[k] : 0);
}

/* A body that is free of its parent: place and velocity in the world, spin in its own axes. */
static void add_free(const export_task *t, int i, key_frame *key)
{
    const pose *p = &t->world[i], *at = &t->m.links[i].at;
    carom_vec3 w = pose_turned((carom_quat){p->q.w, -p->q.x, -p->q.y, -p->q.z}, t->omega[i]), v = t->velocity[i];
    double q[FREE_COORDINATES] = {p->x.x, p->x.y, p->x.z, p->q.w, p->q.x, p->q.y, p->q.z},
           rest[FREE_COORDINATES] = {at->x.x, at->x.y, at->x.z, at->q.w, at->q.x, at->q.y, at->q.z};
    add_numbers(&key->q, q, FREE_COORDINATES, rest, &key->moved);
    add_numbers(&key->v, (double[FREE_SPEEDS]){v.x, v.y, v.z, w.x, w.y, w.z}, FREE_SPEEDS, NULL, &key->moving);
}

/* Joints that hang a body on another begin at zero: slides along their axes, then turns. */
static void add_bond(const model_link *l, key_frame *key)
{
    static const double none[4] = {1, 0, 0, 0};
    joint_list list = joints_of(l);
    const carom_vec3 a = l->bond.of_parent, b = l->bond.of_link, w = l->omega;
    const double ab = carom_vec3_dot(a, b), wa = carom_vec3_dot(w, a), wb = carom_vec3_dot(w, b);
    int turns = 0;
    for (int k = 0; k < list.count; k++) {
        double zero = 0, speed = carom_vec3_dot(l->velocity, list.axis[k]);
        if (strcmp(list.type[k], "ball") == 0) {
            add_numbers(&key->q, none, 4, none, &key->moved);
            add_numbers(&key->v, (double[3]){w.x, w.y, w.z}, 3, NULL, &key->moving);
            continue;
        }
        if (strcmp(list.type[k], "hinge") == 0)
            speed = l->bond.angular == 1 ? wb : (turns++ ? wb - ab * wa : wa - ab * wb) / (1 - ab * ab);
        add_numbers(&key->q, &zero, 1, NULL, &key->moved);
        add_numbers(&key->v, &speed, 1, NULL, &key->moving);
    }
}

static void add_state(const export_task *t, int i, key_frame *key)
{
    static const double none[4] = {1, 0, 0, 0};
    const model_link *l = &t->m.links[i];
    int nq = export_is_word(l, "spherical") ? 4 : export_is_word(l, "planar") ? 3 : export_is_word(l, "fixed") ? 0 : 1;
    if (is_free(l)) {
        add_free(t, i, key);
    } else if (l->bond.is_used) {
        add_bond(l, key);
    } else {
        add_numbers(&key->q, l->q, nq, nq == 4 ? none : NULL, &key->moved);
        add_numbers(&key->v, l->qdot, nq == 4 ? 3 : nq, NULL, &key->moving);
    }
    for (int k = 0; k < t->m.link_count; k++)
        if (t->parent[k] == i)
            add_state(t, k, key);
}

static void put_key(text_out *o, const key_frame *key)
{
    if (!key->moved && !key->moving)
        return;
    text_add(o, "  <keyframe>\n    <key");
    if (key->moved) {
        text_add(o, " qpos=\"");
        text_escaped(o, key->q.bytes);
        text_add(o, "\"");
    }
    if (key->moving) {
        text_add(o, " qvel=\"");
        text_escaped(o, key->v.bytes);
        text_add(o, "\"");
    }
    text_add(o, "/>\n  </keyframe>\n");
}

/* ---- the model ---- */

static void put_world(export_task *t)
{
    text_add(&t->out, "  <worldbody>\n");
    for (int i = 0; i < t->m.link_count; i++)
        for (int k = 0; t->m.links[i].is_static && k < t->m.links[i].geom_count; k++)
            put_geom(t, i, &t->m.links[i].geoms[k], pose_times(t->m.links[i].at, t->m.links[i].geoms[k].at), 2);
    for (int i = 0; i < t->m.link_count; i++)
        if (export_is_root(t, i) && !t->m.links[i].is_static)
            put_body(t, i, 2);
    text_add(&t->out, "  </worldbody>\n");
}

/* Pairs that do not collide; MuJoCo has such pairs of bodies that move. */
static void put_excludes(export_task *t)
{
    const carom_scene *s = &t->file->scene;
    bool open = false, lost = false;
    for (int g = 0; g < s->no_contact_count; g++) {
        const carom_no_contact *group = &s->no_contacts[g];
        lost |= group->count == 1 && t->m.links[group->bodies[0]].geom_count > 0;
        for (int i = 0; i < group->count; i++)
            for (int k = i + 1; k < group->count; k++) {
                const model_link *a = &t->m.links[group->bodies[i]], *b = &t->m.links[group->bodies[k]];
                lost |= a->is_static != b->is_static;
                if (a->is_static || b->is_static)
                    continue;
                text_add(&t->out, "%s    <exclude body1=\"", open ? "" : "  <contact>\n");
                text_escaped(&t->out, a->name);
                text_add(&t->out, "\" body2=\"");
                text_escaped(&t->out, b->name);
                text_add(&t->out, "\"/>\n");
                open = true;
            }
    }
    if (open)
        text_add(&t->out, "  </contact>\n");
    if (lost)
        export_lose(t, "no_contact", "bodies that do not collide with ground or with anything: there they do");
}

void export_mjcf(export_task *t)
{
    key_frame key = {.moved = false};
    text_add(&t->out, "<mujoco model=\"");
    text_escaped(&t->out, t->m.name);
    text_add(&t->out, "\">\n  <compiler angle=\"radian\"/>\n  <option");
    put_vector(&t->out, "gravity", t->m.gravity);
    text_add(&t->out, "/>\n");
    put_assets(t);
    put_world(t);
    put_excludes(t);
    for (int i = 0; i < t->m.link_count; i++)
        if (export_is_root(t, i) && !t->m.links[i].is_static)
            add_state(t, i, &key);
    put_key(&t->out, &key);
    text_add(&t->out, "</mujoco>\n");
    t->out.failed |= key.q.failed || key.v.failed;
    free(key.q.bytes);
    free(key.v.bytes);
}
