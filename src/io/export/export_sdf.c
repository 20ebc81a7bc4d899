/* SDF: a world of models, one for each tree of links and one for each fixed body. A link is placed in its parent, so
 * that poses keep their digits; quaternions as in version 1.9. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_task.h"

static void put_open(text_out *o, int depth, const char *element, const char *name)
{
    text_indent(o, depth);
    text_add(o, "<%s name=\"", element);
    text_escaped(o, name);
    text_add(o, "\">\n");
}

static void put_close(text_out *o, int depth, const char *element)
{
    text_indent(o, depth);
    text_add(o, "</%s>\n", element);
}

static void put_number(text_out *o, int depth, const char *element, double x)
{
    text_indent(o, depth);
    text_add(o, "<%s>", element);
    text_numbers(o, &x, 1);
    text_add(o, "</%s>\n", element);
}

static void put_vector(text_out *o, int depth, const char *element, carom_vec3 v)
{
    text_indent(o, depth);
    text_add(o, "<%s>", element);
    text_vector(o, v);
    text_add(o, "</%s>\n", element);
}

/* relative_to: the name of a link, or null. */
static void put_pose(text_out *o, int depth, pose at, const char *relative_to)
{
    bool turned = at.q.x != 0 || at.q.y != 0 || at.q.z != 0;
    text_indent(o, depth);
    text_add(o, "<pose");
    if (relative_to) {
        text_add(o, " relative_to=\"");
        text_escaped(o, relative_to);
        text_add(o, "\"");
    }
    text_add(o, turned ? " rotation_format=\"quat_xyzw\">" : ">");
    if (turned)
        text_numbers(o, (double[7]){at.x.x, at.x.y, at.x.z, at.q.x, at.q.y, at.q.z, at.q.w}, 7);
    else
        text_numbers(o, (double[6]){at.x.x, at.x.y, at.x.z, 0, 0, 0}, 6);
    text_add(o, "</pose>\n");
}

/* ---- names ---- */

/* The name of a link in its model: a prefix that names the model is left out ("robot/arm" of model "robot"). */
static const char *name_in(const char *in, const char *name)
{
    size_t length = strlen(in);
    return strncmp(name, in, length) == 0 && name[length] == '/' ? name + length + 1 : name;
}

static int root_of(const export_task *t, int i)
{
    while (t->parent[i] >= 0)
        i = t->parent[i];
    return i;
}

/* "robot" where all links of the tree are called "robot/...", else the name of its root. */
static void model_name(const export_task *t, int root, char name[NAME_MOST])
{
    const char *slash = strchr(t->m.links[root].name, '/');
    snprintf(name, NAME_MOST, "%s", t->m.links[root].name);
    if (!slash || slash == t->m.links[root].name)
        return;
    size_t length = (size_t)(slash - t->m.links[root].name) + 1;
    for (int i = 0; i < t->m.link_count; i++)
        if ((root_of(t, i) == root) !=
            (!t->m.links[i].is_static && strncmp(t->m.links[i].name, t->m.links[root].name, length) == 0))
            return;
    name[length - 1] = 0;
}

/* ---- shapes ---- */

static void put_shape(text_out *o, int depth, const carom_shape *s)
{
    const char *word = export_shape_word(s->kind);
    text_indent(o, depth);
    text_add(o, "<%s>\n", word);
    if (s->kind == CAROM_SHAPE_BOX || s->kind == CAROM_SHAPE_ELLIPSOID)
        put_vector(o, depth + 1, s->kind == CAROM_SHAPE_BOX ? "size" : "radii",
                   carom_vec3_make(s->size[0], s->size[1], s->size[2]));
    else
        put_number(o, depth + 1, "radius", s->size[0]);
    if (s->kind == CAROM_SHAPE_CYLINDER || s->kind == CAROM_SHAPE_CAPSULE)
        put_number(o, depth + 1, "length", s->size[1]);
    put_close(o, depth, word);
}

static void put_geometry(export_task *t, int depth, const model_geom *g)
{
    text_out *o = &t->out;
    text_indent(o, depth);
    text_add(o, "<geometry>\n");
    if (g->solid.kind == CAROM_SOLID_SHAPE) {
        put_shape(o, depth + 1, &g->solid.shape);
    } else if (g->solid.kind == CAROM_SOLID_HALF_SPACE) {
        text_indent(o, depth + 1);
        text_add(o, "<plane>\n");
        put_vector(o, depth + 2, "normal", g->solid.normal);
        put_close(o, depth + 1, "plane");
    } else {
        const char *name = export_mesh_file(t, &g->solid);
        text_indent(o, depth + 1);
        text_add(o, "<mesh><uri>");
        text_escaped(o, name ? name : "");
        text_add(o, "</uri></mesh>\n");
    }
    put_close(o, depth, "geometry");
}

static void put_surface(text_out *o, int depth, double mu, double e)
{
    text_indent(o, depth);
    text_add(o, "<surface>\n");
    text_indent(o, depth + 1);
    text_add(o, "<friction><ode><mu>");
    text_numbers(o, &mu, 1);
    text_add(o, "</mu></ode></friction>\n");
    text_indent(o, depth + 1);
    text_add(o, "<bounce><restitution_coefficient>");
    text_numbers(o, &e, 1);
    text_add(o, "</restitution_coefficient></bounce>\n");
    put_close(o, depth, "surface");
}

static void put_collisions(export_task *t, int i, int depth)
{
    const model_link *l = &t->m.links[i];
    for (int k = 0; k < l->geom_count; k++) {
        const model_geom *g = &l->geoms[k];
        char name[32];
        if (g->solid.kind == CAROM_SOLID_SHAPE && !export_shape_word(g->solid.shape.kind)) {
            export_lose_part(t, i, "shape", "a shape that is not known there: nothing touches it");
            continue;
        }
        snprintf(name, sizeof name, "shape %d", k + 1);
        put_open(&t->out, depth, "collision", name);
        put_pose(&t->out, depth + 1, g->at, NULL);
        put_geometry(t, depth + 1, g);
        put_surface(&t->out, depth + 1, t->mu[i], t->e[i]);
        put_close(&t->out, depth, "collision");
    }
}

/* ---- links and joints ---- */

static void put_inertial(text_out *o, const model_link *l, int depth)
{
    static const char *const words[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const double I[6] = {l->inertia.xx, l->inertia.xy, l->inertia.xz, l->inertia.yy, l->inertia.yz, l->inertia.zz};
    text_indent(o, depth);
    text_add(o, "<inertial>\n");
    put_pose(o, depth + 1, (pose){l->com, {1, 0, 0, 0}}, NULL);
    put_number(o, depth + 1, "mass", l->mass);
    text_indent(o, depth + 1);
    text_add(o, "<inertia>\n");
    for (int k = 0; k < 6; k++)
        put_number(o, depth + 2, words[k], I[k]);
    put_close(o, depth + 1, "inertia");
    put_close(o, depth, "inertial");
}

/* Joints of the format, and "" for a link that is free of its parent; null: the format has none like it. */
static const char *joint_word(const model_link *l)
{
    if (l->bond.is_used)
        return l->bond.linear == 0 && l->bond.angular == 2 ? "universal" : NULL;
    return export_is_word(l, "spherical") ? "ball"
           : export_is_word(l, "planar")  ? NULL
           : export_is_word(l, "free")    ? ""
                                          : l->joint;
}

/* Where the frame of a link begins: turns of balls are part of its pose, other coordinates are its state. */
static pose rest_of(const export_task *t, int i)
{
    const model_link *l = &t->m.links[i];
    bool ball = export_is_word(l, "spherical") && l->q[0] != 0;
    return ball ? pose_times(l->at, (pose){{0, 0, 0}, quat_unit(l->q)}) : l->at;
}

static void put_axis(text_out *o, int depth, const char *element, carom_vec3 axis)
{
    text_indent(o, depth);
    text_add(o, "<%s><xyz>", element);
    text_vector(o, axis);
    text_add(o, "</xyz></%s>\n", element);
}

static void put_joint(export_task *t, const char *in, int i, int depth)
{
    text_out *o = &t->out;
    const model_link *l = &t->m.links[i];
    const char *word = joint_word(l), *own = name_in(in, l->name);
    char name[NAME_MOST + 8];
    if (!word || !word[0])
        return;
    snprintf(name, sizeof name, "%s joint", own);
    text_indent(o, depth);
    text_add(o, "<joint name=\"");
    text_escaped(o, name);
    text_add(o, "\" type=\"%s\">\n", word);
    text_indent(o, depth + 1);
    text_add(o, "<parent>");
    text_escaped(o, t->parent[i] >= 0 ? name_in(in, t->m.links[t->parent[i]].name) : "world");
    text_add(o, "</parent><child>");
    text_escaped(o, own);
    text_add(o, "</child>\n");
    if (l->bond.is_used) {
        put_axis(o, depth + 1, "axis", l->bond.of_parent);
        put_axis(o, depth + 1, "axis2", l->bond.of_link);
    } else if (export_is_word(l, "revolute") || export_is_word(l, "prismatic")) {
        put_axis(o, depth + 1, "axis", l->axis);
    }
    put_close(o, depth, "joint");
}

static void put_link(export_task *t, const char *in, int i, int depth)
{
    text_out *o = &t->out;
    const model_link *l = &t->m.links[i];
    put_open(o, depth, "link", name_in(in, l->name));
    put_pose(o, depth + 1, rest_of(t, i), t->parent[i] >= 0 ? name_in(in, t->m.links[t->parent[i]].name) : NULL);
    put_inertial(o, l, depth + 1);
    put_collisions(t, i, depth + 1);
    put_close(o, depth, "link");
    put_joint(t, in, i, depth);
    for (int k = 0; k < t->m.link_count; k++)
        if (t->parent[k] == i)
            put_link(t, in, k, depth);
}

/* Joints that the format does not have free their link. */
static void free_links(export_task *t)
{
    for (int i = 0; i < t->m.link_count; i++) {
        model_link *l = &t->m.links[i];
        if (l->is_static || joint_word(l))
            continue;
        export_lose_part(t, i, "joint", "the joint is not known there: the link is free of its parent");
        l->joint = "free";
        l->bond.is_used = false;
        l->at = t->world[i];
        t->parent[i] = CAROM_WORLD;
    }
}

/* ---- where it begins ---- */

static void put_velocity(text_out *o, const export_task *t, int i, const char *own)
{
    const carom_vec3 v = t->velocity[i], w = t->omega[i];
    if (carom_vec3_length(v) == 0 && carom_vec3_length(w) == 0)
        return;
    text_add(o, "        <link name=\"");
    text_escaped(o, own);
    text_add(o, "\"><velocity>");
    text_numbers(o, (double[6]){v.x, v.y, v.z, w.x, w.y, w.z}, 6);
    text_add(o, "</velocity></link>\n");
}

static void put_state(export_task *t, text_out *o, const char *in, int i)
{
    const model_link *l = &t->m.links[i];
    const char *word = joint_word(l), *own = name_in(in, l->name);
    bool one = export_is_word(l, "revolute") || export_is_word(l, "prismatic");
    if (word && !word[0])
        put_velocity(o, t, i, own);
    if (one && l->q[0] != 0) {
        text_add(o, "        <joint name=\"");
        text_escaped(o, own);
        text_add(o, " joint\"><angle axis=\"0\">");
        text_numbers(o, l->q, 1);
        text_add(o, "</angle></joint>\n");
    }
    bool moves = carom_vec3_length(l->velocity) > 0 || carom_vec3_length(l->omega) > 0;
    for (int k = 0; k < 3; k++)
        moves |= l->qdot[k] != 0;
    if (word && word[0] && moves && !export_is_word(l, "fixed"))
        export_lose_part(t, i, "joint", "the speed of a joint: states there have velocities of free links only");
    for (int k = 0; k < t->m.link_count; k++)
        if (t->parent[k] == i)
            put_state(t, o, in, k);
}

static void put_states(export_task *t)
{
    text_out all = {.length = 0};
    for (int i = 0; i < t->m.link_count; i++) {
        char in[NAME_MOST];
        text_out own = {.length = 0};
        if (!export_is_root(t, i) || t->m.links[i].is_static)
            continue;
        model_name(t, i, in);
        put_state(t, &own, in, i);
        if (own.length) {
            put_open(&all, 3, "model", in);
            text_join(&all, &own);
            put_close(&all, 3, "model");
        }
        all.failed |= own.failed;
        free(own.bytes);
    }
    if (all.length) {
        text_add(&t->out, "    <state world_name=\"");
        text_escaped(&t->out, t->m.name);
        text_add(&t->out, "\">\n");
        text_join(&t->out, &all);
        put_close(&t->out, 2, "state");
    }
    t->out.failed |= all.failed;
    free(all.bytes);
}

/* ---- the world ---- */

static void put_ground(export_task *t, int i)
{
    put_open(&t->out, 2, "model", t->m.links[i].name);
    text_add(&t->out, "      <static>true</static>\n");
    put_pose(&t->out, 3, t->m.links[i].at, NULL);
    put_open(&t->out, 3, "link", "ground");
    put_collisions(t, i, 4);
    put_close(&t->out, 3, "link");
    put_close(&t->out, 2, "model");
}

static void put_tree(export_task *t, int root)
{
    char in[NAME_MOST];
    model_name(t, root, in);
    put_open(&t->out, 2, "model", in);
    text_add(&t->out, "      <self_collide>true</self_collide>\n");
    put_link(t, in, root, 3);
    put_close(&t->out, 2, "model");
}

void export_sdf(export_task *t)
{
    if (t->file->scene.no_contact_count)
        export_lose(t, "no_contact", "bodies that do not collide: there they do");
    text_out *o = &t->out;
    if (!t->m.name[0])
        snprintf(t->m.name, sizeof t->m.name, "scene");
    free_links(t);
    text_add(o, "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\">\n");
    put_open(o, 1, "world", t->m.name);
    put_vector(o, 2, "gravity", t->m.gravity);
    for (int i = 0; i < t->m.link_count; i++)
        if (t->m.links[i].is_static)
            put_ground(t, i);
    for (int i = 0; i < t->m.link_count; i++)
        if (export_is_root(t, i) && !t->m.links[i].is_static)
            put_tree(t, i);
    put_states(t);
    put_close(o, 1, "world");
    text_add(o, "</sdf>\n");
}
