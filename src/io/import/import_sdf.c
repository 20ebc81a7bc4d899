/* SDF: models of links and joints, in a world or alone, models in models. A joint moves the frame of its child to where
 * the joint is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/sdf.h"

/* A <model> and what surrounds it. */
typedef struct scope {
    model *m;
    xml *in;
    pose at;                /* of its frame in the world */
    char prefix[NAME_MOST]; /* of the names of its links */
    bool is_static;
    int family;         /* of its links, which do not collide with each other; 0: they do */
    bool axes_of_model; /* before version 1.5 axes are given in the frame of the model */
    xml *state;         /* of this model, or null */
} scope;

static bool is_true(const char *text)
{
    return text && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
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
    const char *relative_to = NULL;
    pose at = pose_none();
    l->mass = 1;
    if ((inertial && !sdf_pose(m, inertial, &at, &relative_to)) || !number_of(m, inertial, "mass", &l->mass))
        return false;
    if (relative_to)
        return model_fail(m, inertial, "the pose of an inertia is always that in its link");
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

/* A link that is part of the world collides with its triangles, as in Gazebo, and any other with its hull. */
static bool read_mesh(const model *m, xml *mesh, bool is_static, carom_solid *solid)
{
    double scale[3] = {1, 1, 1};
    xml *s = xml_child(mesh, "scale", NULL);
    const char *uri = xml_text_of(mesh, "uri");
    if (!uri)
        return model_fail(m, mesh, "a mesh needs a uri");
    if (s && !model_numbers(m, s, xml_text(s), scale, 3))
        return false;
    return is_static ? model_surface(m, mesh, uri, scale, solid) : model_hull(m, mesh, uri, scale, solid);
}

static bool read_geometry(const model *m, xml *geometry, bool is_static, model_geom *g)
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
        return read_mesh(m, mesh, is_static, &g->solid);
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

static xml *child_named(xml *in, const char *kind, const char *name)
{
    for (xml *c = NULL; name && (c = xml_child(in, kind, c));) {
        const char *own = xml_get(c, "name");
        if (own && strcmp(own, name) == 0)
            return c;
    }
    return NULL;
}

/* The velocity of a free link, world axes: <state> of the world. */
static bool read_velocity(const scope *c, const char *name, model_link *l)
{
    xml *v = xml_child(child_named(c->state, "link", name), "velocity", NULL);
    double x[6] = {0, 0, 0, 0, 0, 0};
    if (!v || !model_numbers(c->m, v, xml_text(v), x, 6))
        return !v;
    l->velocity = pose_turned(pose_inverse(l->at).q, vec_of(x));
    l->omega = pose_turned(pose_inverse(l->at).q, vec_of(x + 3));
    model_set_state(l);
    return true;
}

static bool read_collision(const scope *c, xml *link, xml *e, model_link *l)
{
    model_geom *g = model_add_geom(c->m, l);
    xml_get(e, "name");
    if (g)
        g->mu = 1, g->e = 0; /* the defaults of the format */
    return g && sdf_place_in_link(c->m, c->in, link, e, &g->at) &&
           read_geometry(c->m, xml_child(e, "geometry", NULL), c->is_static, g) &&
           read_surface(c->m, xml_child(e, "surface", NULL), g);
}

static bool read_link(const scope *c, xml *e)
{
    const char *name = xml_get(e, "name");
    model_link *l = model_add_link(c->m, e);
    pose own;
    if (!l || !name)
        return l ? model_fail(c->m, e, "a link needs a name") : false;
    snprintf(l->name, sizeof l->name, "%.45s%.50s", c->prefix, name);
    l->is_static = c->is_static;
    const char *collides = xml_text_of(e, "self_collide");
    l->family = is_true(collides) ? 0 : c->family;
    if (!sdf_place(c->m, c->in, e, &own))
        return false;
    l->at = pose_times(c->at, own);
    const char *relative_to = NULL;
    if (!sdf_pose(c->m, e, &l->direct, &relative_to))
        return false;
    if (relative_to)
        snprintf(l->leans_on, sizeof l->leans_on, "%.45s%.50s", c->prefix, relative_to);
    for (xml *x = NULL; (x = xml_child(e, "collision", x));)
        if (!read_collision(c, e, x, l))
            return false;
    return c->is_static || (read_inertial(c->m, e, l) && read_velocity(c, name, l));
}

static const char *const types[][2] = {{"revolute", "revolute"}, {"continuous", "revolute"}, {"prismatic", "prismatic"},
                                       {"fixed", "fixed"},       {"ball", "spherical"},      {"universal", "free"},
                                       {"revolute2", "free"}};

/* A link of the scope or of a model in it: "inner::link". */
static model_link *find(const scope *c, const char *name)
{
    char full[NAME_MOST];
    snprintf(full, sizeof full, "%.45s%.50s", c->prefix, name ? name : "");
    for (char *at; (at = strstr(full, "::"));) {
        *at = '/';
        memmove(at + 1, at + 2, strlen(at + 2) + 1);
    }
    for (int k = 0; k < c->m->link_count; k++)
        if (strcmp(c->m->links[k].name, full) == 0)
            return &c->m->links[k];
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

/* The axis in the joint frame, which is at a place in the model. */
static bool read_axis(const scope *c, xml *axis, pose at, carom_vec3 *out)
{
    xml *xyz = xml_child(axis, "xyz", NULL);
    const char *of_model = xml_text_of(axis, "use_parent_model_frame"), *frame = xml_get(xyz, "expressed_in");
    double a[3] = {0, 0, 1};
    pose seen;
    if (xyz && !model_numbers(c->m, xyz, xml_text(xyz), a, 3))
        return false;
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (!(length > 0))
        return model_fail(c->m, xyz, "an axis needs a direction");
    *out = carom_vec3_scale(1 / length, vec_of(a));
    if (!frame || !frame[0])
        frame = (of_model ? is_true(of_model) : c->axes_of_model) ? "__model__" : NULL;
    if (!frame)
        return true;
    if (!sdf_frame(c->m, c->in, frame, &seen))
        return false;
    *out = pose_turned(pose_inverse(at).q, pose_turned(seen.q, *out));
    return true;
}

/* Where it begins: <state> of the world, or initial_position of the axis. */
static bool read_angle(const scope *c, const char *name, xml *axis, model_link *l)
{
    xml *angle = xml_child(child_named(c->state, "joint", name), "angle", NULL);
    double q = 0;
    xml_get(angle, "axis");
    if (!number_of(c->m, axis, "initial_position", &q) ||
        (angle && !model_numbers(c->m, angle, xml_text(angle), &q, 1)))
        return false;
    bool slides = strcmp(l->joint, "prismatic") == 0;
    if (!slides && strcmp(l->joint, "revolute") != 0)
        return true;
    l->q[0] = q;
    if (slides)
        l->start.x = carom_vec3_scale(q, l->axis);
    else
        l->start.q = quat_about(l->axis, q);
    return true;
}

static bool read_joint(const scope *c, xml *e)
{
    const model *m = c->m;
    const char *type = xml_get(e, "type"), *child = xml_text_of(e, "child"), *parent = xml_text_of(e, "parent"),
               *name = xml_get(e, "name");
    xml *axis = xml_child(e, "axis", NULL);
    model_link *l = find(c, child), *up = find(c, parent);
    pose in_model, link_in_model;
    if (!l || !type || (!up && (!parent || strcmp(parent, "world") != 0)))
        return model_fail(m, e, "a joint needs a type, a parent and a child that are links");
    if (!sdf_place(m, c->in, e, &in_model) || !sdf_frame(m, c->in, child, &link_in_model))
        return false;
    snprintf(l->parent, sizeof l->parent, "%s", up ? up->name : "");
    l->joint = NULL;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        l->joint = strcmp(types[k][0], type) == 0 ? types[k][1] : l->joint;
    if (!l->joint)
        return model_fail(m, e, "joints of type \"%.40s\" are not known", type);
    if (!read_axis(c, axis, in_model, &l->axis) || !read_angle(c, name, axis, l))
        return false;
    if (strcmp(l->joint, "free") == 0) { /* two turns: the first axis is the parent's, the second the link's */
        l->bond = (model_bond){true, 0, 2, l->axis, l->axis, l->axis};
        if (!read_axis(c, xml_child(e, "axis2", NULL), in_model, &l->bond.of_link))
            return false;
    }
    if (xml_child(e, "pose", NULL)) {
        move_frame(l, pose_times(pose_inverse(link_in_model), in_model));
        l->is_moved = true;
    }
    return true;
}

/* Is the pose of a link given in the frame of its parent, and has no joint moved the two? Then it keeps its digits. */
static bool leans_on(const model_link *l, const model_link *parent)
{
    return strcmp(l->leans_on, parent->name) == 0 && !l->is_moved && !parent->is_moved;
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
                m->links[k].at = leans_on(&m->links[k], &m->links[p]) ? m->links[k].direct
                                                                      : pose_times(pose_inverse(world[p]), world[k]);
    free(world);
}

static bool read_parts(const scope *c)
{
    for (xml *e = NULL; (e = xml_child(c->in, "model", e));) {
        scope inner = {
            .m = c->m, .in = e, .is_static = c->is_static, .family = c->family, .axes_of_model = c->axes_of_model};
        xml_text_of(e, "self_collide");
        const char *name = xml_get(e, "name");
        pose own;
        if (!sdf_place(c->m, c->in, e, &own))
            return false;
        inner.at = pose_times(c->at, own);
        inner.state = child_named(c->state, "model", name);
        snprintf(inner.prefix, sizeof inner.prefix, "%.40s%.40s/", c->prefix, name ? name : "");
        if (!read_parts(&inner))
            return false;
    }
    for (xml *e = NULL; (e = xml_child(c->in, "link", e));)
        if (!read_link(c, e))
            return false;
    for (xml *e = NULL; (e = xml_child(c->in, "joint", e));)
        if (!read_joint(c, e))
            return false;
    return true;
}

/* A model of the world, or the model of the file: alone, its links keep their names. */
static bool read_model(model *m, xml *e, xml *state, bool alone, int number)
{
    scope c = {.m = m, .in = e, .is_static = is_true(xml_text_of(e, "static"))};
    const char *name = xml_get(e, "name"), *relative_to;
    double version = 0;
    int first = m->link_count;
    xml_numbers(xml_get(e->up, "version") ? xml_get(e->up, "version") : xml_get(e->up->up, "version"), &version, 1);
    c.axes_of_model = version > 0 && version < 1.5;
    c.family = is_true(xml_text_of(e, "self_collide")) ? 0 : number;
    c.state = child_named(state, "model", name);
    if (!sdf_pose(m, xml_child(c.state, "pose", NULL) ? c.state : e, &c.at, &relative_to))
        return false;
    if (relative_to && strcmp(relative_to, "world") != 0)
        return model_fail(m, e, "the pose of a model is relative to the world here, not to \"%.60s\"", relative_to);
    if (!m->name[0])
        snprintf(m->name, sizeof m->name, "%s", name ? name : "");
    if (!alone && name)
        snprintf(c.prefix, sizeof c.prefix, "%.60s/", name);
    if (!read_parts(&c))
        return false;
    make_relative(m, first);
    return true;
}

bool model_read_sdf(model *m, xml *root)
{
    xml *world = xml_child(root, "world", NULL), *in = world ? world : root,
        *gravity = xml_child(world, "gravity", NULL), *state = xml_child(world, "state", NULL);
    double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
    xml_get(root, "version");
    xml_get(state, "world_name");
    if (world && xml_get(world, "name"))
        snprintf(m->name, sizeof m->name, "%s", xml_get(world, "name"));
    if (gravity && !model_numbers(m, gravity, xml_text(gravity), g, 3))
        return false;
    m->gravity = vec_of(g);
    m->mu = 1;
    int count = 0, number = 0;
    for (xml *e = NULL; (e = xml_child(in, "model", e));)
        count++;
    for (xml *e = NULL; (e = xml_child(in, "model", e));)
        if (!read_model(m, e, state, count == 1, ++number))
            return false;
    return true;
}
