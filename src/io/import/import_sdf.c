/* SDF: models of links and joints, in a world or alone. Poses of links are in the frame of the model; a joint moves the
 * frame of its child to where the joint is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/model.h"

static bool read_pose(const model *m, xml *e, pose *out)
{
    xml *p = xml_child(e, "pose", NULL);
    double x[6] = {0, 0, 0, 0, 0, 0};
    if (p && xml_text(p) && !model_numbers(m, p, xml_text(p), x, 6))
        return false;
    *out = (pose){vec_of(x), quat_of_rpy(x[3], x[4], x[5])};
    return true;
}

static bool number_of(const model *m, xml *e, const char *child, double *out)
{
    xml *c = xml_child(e, child, NULL);
    return !c || model_numbers(m, c, xml_text(c), out, 1);
}

static bool read_inertial(const model *m, xml *e, model_link *l)
{
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    xml *inertial = xml_child(e, "inertial", NULL), *inertia = xml_child(inertial, "inertia", NULL);
    double I[6] = {1, 0, 0, 1, 0, 1}; /* the defaults of the format */
    pose at;
    l->mass = 1;
    if (!read_pose(m, inertial, &at) || !number_of(m, inertial, "mass", &l->mass))
        return false;
    for (int k = 0; k < 6; k++)
        if (!number_of(m, inertia, names[k], &I[k]))
            return false;
    l->com = at.x;
    l->inertia = inertia_turned(at.q, (carom_sym3){I[0], I[1], I[2], I[3], I[4], I[5]});
    return l->mass > 0 || model_fail(m, e, "link \"%.40s\" has no mass", l->name);
}

static const struct {
    const char *word;
    carom_shape_kind kind;
    const char *sizes[2];
    int numbers;
} shapes[] = {{"box", CAROM_SHAPE_BOX, {"size", NULL}, 3},
              {"sphere", CAROM_SHAPE_SPHERE, {"radius", NULL}, 1},
              {"cylinder", CAROM_SHAPE_CYLINDER, {"radius", "length"}, 1},
              {"capsule", CAROM_SHAPE_CAPSULE, {"radius", "length"}, 1},
              {"ellipsoid", CAROM_SHAPE_ELLIPSOID, {"radii", NULL}, 3}};

static bool read_mesh(const model *m, xml *mesh, carom_solid *solid)
{
    double scale[3] = {1, 1, 1};
    xml *s = xml_child(mesh, "scale", NULL);
    const char *uri = xml_text_of(mesh, "uri");
    if (!uri)
        return model_fail(m, mesh, "a mesh needs a uri");
    return (!s || model_numbers(m, s, xml_text(s), scale, 3)) && model_hull(m, mesh, uri, scale, solid);
}

static bool read_geometry(const model *m, xml *geometry, model_geom *g)
{
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        xml *e = xml_child(geometry, shapes[k].word, NULL);
        if (!e)
            continue;
        g->solid.kind = CAROM_SOLID_SHAPE;
        g->solid.shape.kind = shapes[k].kind;
        for (int n = 0; n < 2 && shapes[k].sizes[n]; n++) {
            xml *size = xml_child(e, shapes[k].sizes[n], NULL);
            if (!size || !model_numbers(m, size, xml_text(size), g->solid.shape.size + n, shapes[k].numbers))
                return size ? false : model_fail(m, e, "<%s> needs <%s>", shapes[k].word, shapes[k].sizes[n]);
        }
        return true;
    }
    xml *plane = xml_child(geometry, "plane", NULL), *mesh = xml_child(geometry, "mesh", NULL);
    double n[3] = {0, 0, 1};
    if (mesh)
        return read_mesh(m, mesh, &g->solid);
    if (!plane)
        return model_fail(m, geometry, "a geometry of a kind that is not known");
    xml *normal = xml_child(plane, "normal", NULL);
    g->solid.kind = CAROM_SOLID_HALF_SPACE;
    if (normal && !model_numbers(m, normal, xml_text(normal), n, 3))
        return false;
    g->solid.normal = vec_of(n);
    return true;
}

static bool read_surface(const model *m, xml *surface, model_geom *g)
{
    xml *ode = xml_child(xml_child(surface, "friction", NULL), "ode", NULL),
        *bounce = xml_child(surface, "bounce", NULL);
    return number_of(m, ode, "mu", &g->mu) && number_of(m, bounce, "restitution_coefficient", &g->e);
}

static bool read_link(model *m, xml *e, const char *model_name, pose at, bool is_static)
{
    const char *name = xml_get(e, "name");
    model_link *l = model_add_link(m, e);
    pose own;
    if (!l || !name)
        return l ? model_fail(m, e, "a link needs a name") : false;
    snprintf(l->name, sizeof l->name, "%.45s%s%.45s", model_name, model_name[0] ? "/" : "", name);
    l->is_static = is_static;
    if (!read_pose(m, e, &own))
        return false;
    l->at = pose_times(at, own);
    for (xml *c = NULL; (c = xml_child(e, "collision", c));) {
        model_geom *g = model_add_geom(m, l);
        xml_get(c, "name");
        if (!g || !read_pose(m, c, &g->at) || !read_geometry(m, xml_child(c, "geometry", NULL), g) ||
            !read_surface(m, xml_child(c, "surface", NULL), g))
            return false;
    }
    return is_static || read_inertial(m, e, l);
}

static const char *const types[][2] = {{"revolute", "revolute"},
                                       {"continuous", "revolute"},
                                       {"prismatic", "prismatic"},
                                       {"fixed", "fixed"},
                                       {"ball", "spherical"}};

static model_link *find(const model *m, const char *model_name, const char *name)
{
    char full[NAME_MOST];
    snprintf(full, sizeof full, "%.45s%s%.45s", model_name, model_name[0] ? "/" : "", name ? name : "");
    for (int k = 0; k < m->link_count; k++)
        if (strcmp(m->links[k].name, full) == 0)
            return &m->links[k];
    return NULL;
}

/* The frame of the child moves to the joint; what it holds moves back. */
static void move_frame(model_link *l, pose by)
{
    pose back = pose_inverse(by);
    l->at = pose_times(l->at, by);
    for (int k = 0; k < l->geom_count; k++)
        l->geoms[k].at = pose_times(back, l->geoms[k].at);
    l->com = pose_times(back, (pose){l->com, {1, 0, 0, 0}}).x;
    l->inertia = inertia_turned(back.q, l->inertia);
}

static bool read_joint(model *m, xml *e, const char *model_name)
{
    const char *type = xml_get(e, "type"), *child = xml_text_of(e, "child"), *parent = xml_text_of(e, "parent");
    xml *axis = xml_child(e, "axis", NULL), *xyz = xml_child(axis, "xyz", NULL);
    model_link *l = find(m, model_name, child), *up = find(m, model_name, parent);
    double a[3] = {0, 0, 1};
    pose at;
    xml_get(e, "name");
    if (!l || !type || (!up && (!parent || strcmp(parent, "world") != 0)))
        return model_fail(m, e, "a joint needs a type, a parent and a child that are links");
    if (!read_pose(m, e, &at) || (xyz && !model_numbers(m, xyz, xml_text(xyz), a, 3)))
        return false;
    snprintf(l->parent, sizeof l->parent, "%s", up ? up->name : "");
    l->joint = NULL;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        l->joint = strcmp(types[k][0], type) == 0 ? types[k][1] : l->joint;
    if (!l->joint)
        return model_fail(m, e, "joints of type \"%.40s\" are not known", type);
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    l->axis = length > 0 ? carom_vec3_scale(1 / length, vec_of(a)) : l->axis;
    move_frame(l, at);
    return true;
}

/* Poses of links that have a parent become relative to it. */
static void make_relative(model *m, int first)
{
    pose *world = calloc((size_t)m->link_count + 1, sizeof *world);
    for (int k = first; world && k < m->link_count; k++)
        world[k] = m->links[k].at;
    for (int k = first; world && k < m->link_count; k++)
        for (int p = first; m->links[k].parent[0] && p < m->link_count; p++)
            if (strcmp(m->links[p].name, m->links[k].parent) == 0)
                m->links[k].at = pose_times(pose_inverse(world[p]), world[k]);
    free(world);
}

static bool read_model(model *m, xml *e, bool alone)
{
    const char *name = xml_get(e, "name"), *is_static = xml_text_of(e, "static");
    bool fixed = is_static && (strcmp(is_static, "true") == 0 || strcmp(is_static, "1") == 0);
    int first = m->link_count;
    pose at;
    if (!read_pose(m, e, &at))
        return false;
    if (!m->name[0])
        snprintf(m->name, sizeof m->name, "%s", name ? name : "");
    name = alone || !name ? "" : name;
    for (xml *c = NULL; (c = xml_child(e, "link", c));)
        if (!read_link(m, c, name, at, fixed))
            return false;
    for (xml *c = NULL; (c = xml_child(e, "joint", c));)
        if (!read_joint(m, c, name))
            return false;
    make_relative(m, first);
    return true;
}

bool model_read_sdf(model *m, xml *root)
{
    xml *world = xml_child(root, "world", NULL), *in = world ? world : root,
        *gravity = xml_child(world, "gravity", NULL);
    double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
    xml_get(root, "version");
    if (world && xml_get(world, "name"))
        snprintf(m->name, sizeof m->name, "%s", xml_get(world, "name"));
    if (gravity && !model_numbers(m, gravity, xml_text(gravity), g, 3))
        return false;
    m->gravity = vec_of(g);
    m->mu = 1;
    int count = 0;
    for (xml *e = NULL; (e = xml_child(in, "model", e));)
        count++;
    for (xml *e = NULL; (e = xml_child(in, "model", e));)
        if (!read_model(m, e, count == 1))
            return false;
    return true;
}
