/* MJCF: a tree of bodies with joints and geoms, defaults by class. The frame of a link is the frame of its body, moved
 * to the joint. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/mjcf.h"

/* ---- values with defaults ---- */

static xml *class_named(xml *in, const char *name)
{
    const char *own = xml_get(in, "class");
    if (own && strcmp(own, name) == 0)
        return in;
    for (xml *c = in->first; c; c = c->next)
        if (strcmp(c->name, "default") == 0) {
            xml *found = class_named(c, name);
            if (found)
                return found;
        }
    return NULL;
}

/* The class that holds for an element: its own, or the childclass of a body around it. */
static xml *class_of(const mjcf *j, xml *e)
{
    const char *name = xml_get(e, "class");
    for (xml *b = e->up; b && !name; b = b->up)
        name = xml_get(b, "childclass");
    return !j->defaults ? NULL : name ? class_named(j->defaults, name) : j->defaults;
}

const char *mjcf_get(const mjcf *j, xml *e, const char *name)
{
    const char *value = xml_get(e, name);
    for (xml *c = value ? NULL : class_of(j, e); c && !value; c = c == j->defaults ? NULL : c->up) {
        c->taken = true;
        xml *d = xml_child(c, e->name, NULL);
        value = d ? xml_get(d, name) : NULL;
    }
    return value;
}

bool mjcf_numbers(const mjcf *j, xml *e, const char *name, double *out, int count)
{
    return model_numbers(j->m, e, mjcf_get(j, e, name), out, count);
}

/* ---- places ---- */

/* The shortest turn from z to a direction. */
static carom_quat turn_to(carom_vec3 d)
{
    double n = carom_vec3_length(d);
    if (!(n > 0))
        return (carom_quat){1, 0, 0, 0};
    d = carom_vec3_scale(1 / n, d);
    return d.z < -1 + 1e-15 ? (carom_quat){0, 1, 0, 0} : quat_unit((double[4]){1 + d.z, -d.y, d.x, 0});
}

/* Euler angles about the axes x, y, z of the turning frame. */
static carom_quat quat_of_euler(const double a[3])
{
    pose x = {{0, 0, 0}, {cos(a[0] / 2), sin(a[0] / 2), 0, 0}}, y = {{0, 0, 0}, {cos(a[1] / 2), 0, sin(a[1] / 2), 0}},
         z = {{0, 0, 0}, {cos(a[2] / 2), 0, 0, sin(a[2] / 2)}};
    return pose_times(x, pose_times(y, z)).q;
}

static bool read_turn(const mjcf *j, xml *e, carom_quat *q)
{
    double w[4], a[4], euler[3], z[3];
    if (mjcf_get(j, e, "quat")) {
        if (!mjcf_numbers(j, e, "quat", w, 4))
            return false;
        *q = quat_unit(w);
    } else if (mjcf_get(j, e, "axisangle")) {
        if (!mjcf_numbers(j, e, "axisangle", a, 4))
            return false;
        double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), half = 0.5 * j->angle * a[3], s = sin(half) / n;
        *q = (carom_quat){cos(half), s * a[0], s * a[1], s * a[2]};
    } else if (mjcf_get(j, e, "euler")) {
        if (!mjcf_numbers(j, e, "euler", euler, 3))
            return false;
        for (int k = 0; k < 3; k++)
            euler[k] *= j->angle;
        *q = quat_of_euler(euler);
    } else if (mjcf_get(j, e, "zaxis")) {
        if (!mjcf_numbers(j, e, "zaxis", z, 3))
            return false;
        *q = turn_to(vec_of(z));
    }
    return true;
}

static bool read_place(const mjcf *j, xml *e, pose *out)
{
    double x[3] = {0, 0, 0};
    *out = pose_none();
    if (!mjcf_numbers(j, e, "pos", x, 3))
        return false;
    out->x = vec_of(x);
    return read_turn(j, e, &out->q);
}

/* ---- geoms ---- */

static const struct {
    const char *word;
    carom_shape_kind kind;
    int sizes;
} shapes[] = {{"sphere", CAROM_SHAPE_SPHERE, 1},
              {"capsule", CAROM_SHAPE_CAPSULE, 2},
              {"ellipsoid", CAROM_SHAPE_ELLIPSOID, 3},
              {"cylinder", CAROM_SHAPE_CYLINDER, 2},
              {"box", CAROM_SHAPE_BOX, 3}};

/* Half sizes of the format to sizes of shapes; "fromto" places what has an axis. */
static bool read_sizes(const mjcf *j, xml *e, int sizes, model_geom *g)
{
    double s[3] = {0, 0, 0}, ends[6];
    carom_shape_kind kind = g->solid.shape.kind;
    const char *text = mjcf_get(j, e, "size"), *from = mjcf_get(j, e, "fromto");
    int given = xml_numbers(text, s, 3);
    if (given < (from ? 1 : sizes))
        return model_fail(j->m, e, "this geom needs %d numbers in size", from ? 1 : sizes);
    if (from) {
        if (!mjcf_numbers(j, e, "fromto", ends, 6))
            return false;
        carom_vec3 a = vec_of(ends), b = vec_of(ends + 3), d = carom_vec3_sub(b, a);
        g->at = (pose){carom_vec3_scale(0.5, carom_vec3_add(a, b)), turn_to(d)};
        s[kind == CAROM_SHAPE_BOX || kind == CAROM_SHAPE_ELLIPSOID ? 2 : 1] = 0.5 * carom_vec3_length(d);
    }
    for (int k = 0; k < 3; k++)
        g->solid.shape.size[k] = s[k] * (kind == CAROM_SHAPE_BOX || (k == 1 && kind != CAROM_SHAPE_ELLIPSOID) ? 2 : 1);
    return true;
}

/* A mesh without a name has that of its file. */
static const char *file_stem(const char *path, char stem[NAME_MOST])
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path ? path : "";
    const char *dot = strrchr(name, '.');
    snprintf(stem, NAME_MOST, "%.*s", (int)(dot ? dot - name : (long)strlen(name)), name);
    return stem;
}

static bool read_mesh(const mjcf *j, xml *e, model_geom *g)
{
    const char *name = mjcf_get(j, e, "mesh");
    double scale[3] = {1, 1, 1};
    char file[512];
    for (xml *asset = NULL; name && (asset = xml_child(j->root, "asset", asset));)
        for (xml *mesh = NULL; (mesh = xml_child(asset, "mesh", mesh));) {
            const char *own = xml_get(mesh, "name"), *path = xml_get(mesh, "file"), *vertex = xml_get(mesh, "vertex");
            char stem[NAME_MOST];
            if ((!path && !vertex) || strcmp(own ? own : file_stem(path, stem), name) != 0)
                continue;
            if (!path)
                return mjcf_numbers(j, mesh, "scale", scale, 3) && model_points(j->m, mesh, vertex, scale, &g->solid);
            snprintf(file, sizeof file, "%.200s%s%.250s", j->meshes ? j->meshes : "", j->meshes ? "/" : "", path);
            return mjcf_numbers(j, mesh, "scale", scale, 3) && model_hull(j->m, mesh, file, scale, &g->solid);
        }
    return model_fail(j->m, e, "a geom of type mesh names no mesh of the assets");
}

/* Two shapes touch where the bits of one meet those of the other. */
static bool read_bits(const mjcf *j, xml *e, const char *name, int *bits)
{
    double number = *bits;
    if (!mjcf_numbers(j, e, name, &number, 1))
        return false;
    if (!(fabs(number) <= INT32_MAX && number == floor(number)))
        return model_fail(j->m, e, "%s: must be a whole number of 32 bits", name);
    *bits = (int)number;
    return true;
}

static bool read_geom(mjcf *j, xml *e, model_link *l)
{
    const char *type = mjcf_get(j, e, "type"), *friction = mjcf_get(j, e, "friction");
    double mu[3] = {1, 0, 0}, mass = 0, density = 1000;
    model_geom *g = model_add_geom(j->m, l);
    xml_get(e, "name");
    if (!g || !read_place(j, e, &g->at) || !mjcf_numbers(j, e, "mass", &mass, 1) ||
        !mjcf_numbers(j, e, "density", &density, 1) || !read_bits(j, e, "contype", &g->type) ||
        !read_bits(j, e, "conaffinity", &g->affinity))
        return false;
    if (friction && xml_numbers(friction, mu, 3) < 1)
        return model_fail(j->m, e, "friction needs numbers");
    g->mu = mu[0];
    g->no_contact = !g->type && !g->affinity;
    type = type ? type : mjcf_get(j, e, "mesh") ? "mesh" : "sphere";
    g->solid.kind = CAROM_SOLID_SHAPE;
    bool fine = false, known = false;
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        if (strcmp(type, shapes[k].word) == 0) {
            g->solid.shape.kind = shapes[k].kind;
            known = true;
            fine = read_sizes(j, e, shapes[k].sizes, g);
        }
    if (strcmp(type, "plane") == 0) {
        g->solid = (carom_solid){.kind = CAROM_SOLID_HALF_SPACE, .normal = {0, 0, 1}};
        mjcf_get(j, e, "size");
        return true;
    }
    if (strcmp(type, "mesh") == 0)
        known = true, fine = read_mesh(j, e, g);
    if (!known)
        return model_fail(j->m, e, "geoms of type \"%.40s\" are not known", type);
    carom_body_def def = carom_body_def_default();
    carom_vec3 centre;
    if (!fine)
        return false;
    if (carom_solid_body(&g->solid, 3, density > 0 ? density : 1, &def, &centre))
        return model_fail(j->m, e, "a geom without volume");
    g->density = mass > 0 ? density * mass / def.mass : density;
    return true;
}

/* ---- bodies ---- */

static bool read_inertial(const mjcf *j, xml *e, model_link *l)
{
    double I[6] = {0, 0, 0, 0, 0, 0};
    pose at;
    if (!read_place(j, e, &at) || !mjcf_numbers(j, e, "mass", &l->mass, 1))
        return false;
    l->com = at.x;
    if (mjcf_get(j, e, "fullinertia")) {
        if (!mjcf_numbers(j, e, "fullinertia", I, 6)) /* xx yy zz xy xz yz */
            return false;
        l->inertia = inertia_turned(at.q, (carom_sym3){I[0], I[3], I[4], I[1], I[5], I[2]});
        return true;
    }
    if (!mjcf_numbers(j, e, "diaginertia", I, 3))
        return false;
    l->inertia = inertia_turned(at.q, (carom_sym3){I[0], 0, 0, I[1], 0, I[2]});
    return true;
}

/* shift: where the frame of the parent's link is in the frame of its body. */
static bool read_body(mjcf *j, xml *e, const char *parent, carom_vec3 shift)
{
    char name[NAME_MOST];
    carom_vec3 at = {0, 0, 0};
    int number = j->m->link_count;
    model_link *l = model_add_link(j->m, e);
    const char *own = xml_get(e, "name");
    if (!l)
        return false;
    if (own)
        snprintf(l->name, sizeof l->name, "%.80s", own);
    else
        snprintf(l->name, sizeof l->name, "body-%d", number);
    snprintf(name, sizeof name, "%s", l->name);
    snprintf(l->parent, sizeof l->parent, "%s", parent);
    xml_get(e, "childclass");
    if (!read_place(j, e, &l->at) || !mjcf_read_joints(j, number, shift, &at))
        return false;
    l = &j->m->links[number];
    for (xml *g = NULL; (g = xml_child(e, "geom", g));)
        if (!read_geom(j, g, l))
            return false;
    xml *inertial = xml_child(e, "inertial", NULL);
    if (inertial ? !read_inertial(j, inertial, l) : !model_weigh(j->m, l))
        return false;
    if (!(l->mass > 0))
        return model_fail(j->m, e, "body \"%.40s\" has no mass", name);
    mjcf_share_mass(j->m, l);
    l->at.x = carom_vec3_sub(pose_times(l->at, (pose){at, {1, 0, 0, 0}}).x, shift);
    l->com = carom_vec3_sub(l->com, at);
    for (int k = 0; k < l->geom_count; k++)
        l->geoms[k].at.x = carom_vec3_sub(l->geoms[k].at.x, at);
    for (xml *b = NULL; (b = xml_child(e, "body", b));)
        if (!read_body(j, b, name, at))
            return false;
    return true;
}

static bool read_world(mjcf *j, xml *world)
{
    model_link *l = model_add_link(j->m, world);
    carom_vec3 none = {0, 0, 0};
    if (!l)
        return false;
    snprintf(l->name, sizeof l->name, "world");
    l->is_static = true;
    for (xml *g = NULL; (g = xml_child(world, "geom", g));)
        if (!read_geom(j, g, l))
            return false;
    for (xml *b = NULL; (b = xml_child(world, "body", b));)
        if (!read_body(j, b, "", none))
            return false;
    return true;
}

/* Bodies that do not collide. */
static bool read_excludes(model *m, xml *root)
{
    for (xml *contact = NULL; (contact = xml_child(root, "contact", contact));)
        for (xml *e = NULL; (e = xml_child(contact, "exclude", e));) {
            const char *a = xml_get(e, "body1"), *b = xml_get(e, "body2");
            const char **more = realloc(m->excludes, (size_t)(m->exclude_count + 1) * 2 * sizeof *more);
            xml_get(e, "name");
            if (!more || !a || !b)
                return model_fail(m, e, more ? "exclude needs body1 and body2" : "out of memory");
            m->excludes = more;
            more[2 * m->exclude_count] = a;
            more[2 * m->exclude_count++ + 1] = b;
        }
    return true;
}

bool model_read_mjcf(model *m, xml *root)
{
    xml *compiler = xml_child(root, "compiler", NULL), *option = xml_child(root, "option", NULL),
        *world = xml_child(root, "worldbody", NULL);
    const char *angle = xml_get(compiler, "angle"), *coordinates = xml_get(compiler, "coordinate"),
               *name = xml_get(root, "model");
    double g[3] = {0, 0, -9.81};
    mjcf j = {.m = m, .root = root, .defaults = xml_child(root, "default", NULL)};
    j.angle = 3.14159265358979323846 / 180;
    j.meshes = xml_get(compiler, "meshdir");
    if (angle && strcmp(angle, "radian") == 0)
        j.angle = 1;
    if (!model_numbers(m, option, xml_get(option, "gravity"), g, 3))
        return false;
    m->gravity = vec_of(g);
    m->mu_is_largest = true;
    m->mu = 1;
    snprintf(m->name, sizeof m->name, "%s", name ? name : "");
    if (coordinates && strcmp(coordinates, "global") == 0)
        return model_fail(m, compiler, "global coordinates are not known; MuJoCo 2.2 saves the model with local ones");
    if (!read_excludes(m, root))
        return false;
    bool fine = mjcf_read_keyframe(&j, root) &&
                (world ? read_world(&j, world) : model_fail(m, root, "a model needs a worldbody")) &&
                mjcf_check_keyframe(&j, root);
    free(j.q);
    free(j.v);
    return fine;
}
