/* URDF: links with inertias and collision shapes, joints between them. The frame of a link is the frame of its joint.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/model.h"

static bool read_origin(const model *m, xml *e, pose *out)
{
    xml *origin = xml_child(e, "origin", NULL);
    double x[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    if (!model_numbers(m, origin, xml_get(origin, "xyz"), x, 3) ||
        !model_numbers(m, origin, xml_get(origin, "rpy"), rpy, 3))
        return false;
    *out = (pose){vec_of(x), quat_of_rpy(rpy[0], rpy[1], rpy[2])};
    return true;
}

static bool read_inertial(const model *m, xml *e, model_link *l)
{
    xml *inertial = xml_child(e, "inertial", NULL), *mass = xml_child(inertial, "mass", NULL),
        *inertia = xml_child(inertial, "inertia", NULL);
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    double I[6] = {0, 0, 0, 0, 0, 0};
    pose at = pose_none();
    if (!inertial)
        return true;
    if (!read_origin(m, inertial, &at) || !model_numbers(m, mass, xml_get(mass, "value"), &l->mass, 1))
        return false;
    for (int k = 0; k < 6; k++)
        if (!model_numbers(m, inertia, xml_get(inertia, names[k]), &I[k], 1))
            return false;
    l->com = at.x;
    l->inertia = inertia_turned(at.q, (carom_sym3){I[0], I[1], I[2], I[3], I[4], I[5]});
    return true;
}

static bool read_geometry(const model *m, xml *geometry, carom_solid *solid)
{
    xml *box = xml_child(geometry, "box", NULL), *sphere = xml_child(geometry, "sphere", NULL),
        *cylinder = xml_child(geometry, "cylinder", NULL), *mesh = xml_child(geometry, "mesh", NULL);
    double *size = solid->shape.size, scale[3] = {1, 1, 1};
    solid->kind = CAROM_SOLID_SHAPE;
    solid->shape.kind = box ? CAROM_SHAPE_BOX : sphere ? CAROM_SHAPE_SPHERE : CAROM_SHAPE_CYLINDER;
    if (box)
        return model_numbers(m, box, xml_get(box, "size"), size, 3);
    if (sphere)
        return model_numbers(m, sphere, xml_get(sphere, "radius"), size, 1);
    if (cylinder)
        return model_numbers(m, cylinder, xml_get(cylinder, "radius"), size, 1) &&
               model_numbers(m, cylinder, xml_get(cylinder, "length"), size + 1, 1);
    const char *file = xml_get(mesh, "filename");
    if (!mesh || !file)
        return model_fail(m, geometry, "a geometry needs a box, sphere, cylinder or mesh");
    return model_numbers(m, mesh, xml_get(mesh, "scale"), scale, 3) && model_hull(m, mesh, file, scale, solid);
}

static bool read_link(model *m, xml *e)
{
    const char *name = xml_get(e, "name");
    model_link *l = model_add_link(m, e);
    if (!l)
        return false;
    if (!name)
        return model_fail(m, e, "a link needs a name");
    snprintf(l->name, sizeof l->name, "%s", name);
    l->is_static = strcmp(name, "world") == 0;
    for (xml *c = NULL; (c = xml_child(e, "collision", c));) {
        model_geom *g = model_add_geom(m, l);
        xml_get(c, "name");
        if (!g || !read_origin(m, c, &g->at) || !read_geometry(m, xml_child(c, "geometry", NULL), &g->solid))
            return false;
    }
    if (!read_inertial(m, e, l))
        return false;
    return true;
}

static const char *const types[][2] = {{"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"},
                                       {"fixed", "fixed"},       {"floating", "free"},       {"planar", "planar"}};

static bool read_joint(model *m, xml *e)
{
    const char *type = xml_get(e, "type"), *child = xml_get(xml_child(e, "child", NULL), "link"),
               *parent = xml_get(xml_child(e, "parent", NULL), "link");
    xml *axis = xml_child(e, "axis", NULL);
    double a[3] = {1, 0, 0};
    model_link *l = NULL;
    xml_get(e, "name");
    for (int k = 0; child && k < m->link_count; k++)
        l = strcmp(m->links[k].name, child) == 0 ? &m->links[k] : l;
    if (!l || !parent || !type)
        return model_fail(m, e, "a joint needs a type, a parent and a child that are links");
    if (!read_origin(m, e, &l->at) || !model_numbers(m, axis, xml_get(axis, "xyz"), a, 3))
        return false;
    snprintf(l->parent, sizeof l->parent, "%s", parent);
    l->joint = NULL;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        l->joint = strcmp(types[k][0], type) == 0 ? types[k][1] : l->joint;
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    l->axis = length > 0 ? carom_vec3_scale(1 / length, vec_of(a)) : l->axis;
    return l->joint || model_fail(m, e, "unknown type of joint \"%.40s\"", type);
}

bool model_read_urdf(model *m, xml *root)
{
    const char *name = xml_get(root, "name");
    snprintf(m->name, sizeof m->name, "%s", name ? name : "");
    for (xml *e = NULL; (e = xml_child(root, "link", e));)
        if (!read_link(m, e))
            return false;
    for (xml *e = NULL; (e = xml_child(root, "joint", e));)
        if (!read_joint(m, e))
            return false;
    return model_fuse_massless(m);
}
