/* Mechanisms of a scene: "links", a tree of bodies placed by its joints, and "joints" between named bodies. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "carom/mechanism.h"
#include "core/rotate.h"
#include "io/case/format.h"
#include "io/case/read_bond.h"
#include "io/scene/scene.h"

static const place links_place = {NULL, "links"}, joints_place = {NULL, "joints"};

enum { MOST_COORDINATES = 7 };

/* ---- one link ---- */

static bool is_word(const json_t *value, const char *word)
{
    return json_is_string(value) && strcmp(json_string_value(value), word) == 0;
}

static bool read_type(const reader *r, const place *at, const json_t *value, carom_joint_type *type)
{
    for (int k = 0; k < CAROM_JOINT_TYPE_COUNT; k++)
        if (is_word(value, carom_joint_type_word((carom_joint_type)k))) {
            *type = (carom_joint_type)k;
            return true;
        }
    return reader_fail(r, at, "must be one of fixed, revolute, prismatic, spherical, planar, free");
}

static bool read_unit(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *axis)
{
    if (!reader_world(r, at, object, dim, axis))
        return false;
    return fabs(carom_vec3_length(*axis) - 1) <= 1e-6 || reader_fail(r, at, "must be a unit vector");
}

static bool read_turn(const reader *r, const place *bond, const json_t *object, carom_quat *q)
{
    place here = {bond, "rotation"}, wrong = {bond, "angle"};
    const json_t *value = json_object_get(object, "rotation");
    double w[4];
    if (json_object_get(object, "angle"))
        return reader_fail(r, &wrong, "is for planar scenes; give \"rotation\"");
    if (!value)
        return true;
    if (!reader_vector(r, &here, value, 4, w))
        return false;
    *q = (carom_quat){w[0], w[1], w[2], w[3]};
    return true;
}

static bool read_angle(const reader *r, const place *bond, const json_t *object, carom_quat *q)
{
    place wrong = {bond, "rotation"};
    double angle = json_number_value(json_object_get(object, "angle"));
    if (json_object_get(object, "rotation"))
        return reader_fail(r, &wrong, "has no meaning in a planar scene; give \"angle\"");
    *q = (carom_quat){carom_cos(angle / 2), 0, 0, carom_sin(angle / 2)};
    return true;
}

static bool read_link_joint(const reader *r, const place *link, const json_t *object, int dim, carom_link_def *def)
{
    place bond = {link, "joint"}, type = {&bond, "type"}, axis = {&bond, "axis"}, origin = {&bond, "origin"};
    if (!object)
        return reader_missing(r, link, "joint");
    if (!reader_object(r, &bond, object, FORMAT_scene_bond) ||
        !read_type(r, &type, json_object_get(object, "type"), &def->joint) ||
        !reader_world(r, &origin, object, dim, &def->origin) ||
        !(dim == 2 ? read_angle(r, &bond, object, &def->rotation) : read_turn(r, &bond, object, &def->rotation)))
        return false;
    if (dim == 2 && def->joint != CAROM_JOINT_FIXED && def->joint != CAROM_JOINT_REVOLUTE &&
        def->joint != CAROM_JOINT_PRISMATIC && def->joint != CAROM_JOINT_PLANAR)
        return reader_fail(r, &type, "must be fixed, revolute, prismatic or planar in a planar scene");
    if (dim == 2 && def->joint != CAROM_JOINT_PRISMATIC)
        return !json_object_get(object, "axis") || reader_fail(r, &axis, "has no meaning here: it is z");
    if (dim == 2)
        def->axis = carom_vec3_make(1, 0, 0);
    return read_unit(r, &axis, object, dim, &def->axis);
}

/* "world", or the name of an earlier link. */
static bool read_parent(const reader *r, const place *link, const json_t *value, const carom_scene_file *file,
                        int first, int i, int *parent)
{
    place here = {link, "parent"};
    *parent = CAROM_WORLD;
    if (!value)
        return reader_missing(r, link, "parent");
    if (is_word(value, "world"))
        return true;
    for (int k = 0; k < i; k++)
        if (is_word(value, file->names[first + k])) {
            *parent = k;
            return true;
        }
    return reader_fail(r, &here, "must be \"world\" or the name of an earlier link");
}

/* A number, or an array of as many as the joint has. */
static bool read_coordinates(const reader *r, const place *at, const json_t *object, int count, double *numbers)
{
    const json_t *value = json_object_get(object, at->key);
    if (!value)
        return true;
    if (count == 1 && json_is_number(value))
        return reader_number(r, at, value, numbers);
    return reader_vector(r, at, value, count, numbers);
}

static bool read_state(const reader *r, const place *link, const json_t *object, const carom_link_def *def,
                       scene_tree *t)
{
    place q = {link, "q"}, qdot = {link, "qdot"};
    int nq = carom_joint_type_coordinates(def->joint), nv = carom_joint_type_speeds(def->joint);
    if (def->joint == CAROM_JOINT_SPHERICAL)
        t->q[t->nq] = 1;
    if (def->joint == CAROM_JOINT_FREE)
        t->q[t->nq + 3] = 1;
    bool fine =
        read_coordinates(r, &q, object, nq, t->q + t->nq) && read_coordinates(r, &qdot, object, nv, t->qdot + t->nv);
    t->nq += nq;
    t->nv += nv;
    return fine;
}

static bool read_link(const reader *r, const place *at, const json_t *object, carom_scene_file *file, scene_tree *t,
                      int i)
{
    carom_link_def *def = &t->defs[i];
    int dim = file->scene.dim, body = t->first + i;
    place com = {at, "com"}, name = {at, "name"};
    *def = carom_link_def_default();
    if (!reader_object(r, at, object, FORMAT_scene_link))
        return false;
    const char *word = json_string_value(json_object_get(object, "name"));
    if (!word)
        return reader_missing(r, at, "name");
    for (int k = 0; k < body; k++)
        if (strcmp(file->names[k], word) == 0)
            return reader_fail(r, &name, "is the name of another body or link");
    file->names[body] = word;
    if (!read_parent(r, at, json_object_get(object, "parent"), file, t->first, i, &def->parent) ||
        !read_link_joint(r, at, json_object_get(object, "joint"), dim, def) ||
        !reader_world(r, &com, object, dim, &def->com))
        return false;
    if (!scene_link_body(r, at, object, file, body))
        return false;
    const char *frame = json_string_value(json_object_get(object, "frame"));
    if (frame && strcmp(frame, "link") == 0) {
        file->bodies[body].own_com = true;
        file->bodies[body].com = file->centres[body] = def->com;
    }
    def->mass = file->bodies[body].def.mass;
    def->inertia = file->bodies[body].def.inertia;
    if (dim == 2)
        def->inertia = (carom_sym3){def->inertia.zz, 0, 0, def->inertia.zz, 0, def->inertia.zz};
    return read_state(r, at, object, def, t);
}

/* ---- places and joints ---- */

static const struct {
    const char *word;
    int linear, angular;
} bonds[] = {{"ball", 0, 3},     {"hinge", 0, 1}, {"weld", 0, 0},       {"slider", 1, 0},
             {"cylinder", 1, 1}, {"plane", 2, 1}, {"free-point", 2, 3}, {"universal", 0, 2}};
enum { BONDS = sizeof bonds / sizeof bonds[0] };

/* Where a joint is and how it lies, in the world: the line or the normal of the plane, and the axis of each body. */
typedef struct bond_place {
    carom_vec3 point, along, axis_a, axis_b;
} bond_place;

static carom_status join(const carom_scene_file *file, carom_joint_def *def, const bond_place *at)
{
    carom_member members[2];
    const int body[2] = {def->a, def->b};
    for (int k = 0; k < 2; k++) {
        carom_body_def d = carom_body_def_default();
        if (body[k] >= 0) {
            d.position = file->bodies[body[k]].def.position;
            d.orientation = file->bodies[body[k]].def.orientation;
        }
        carom_status status = carom_member_init(&d, &members[k]);
        if (status)
            return status;
    }
    def->a = 0;
    def->b = body[1] >= 0 ? 1 : CAROM_WORLD;
    carom_joint_at(members, at->point, at->along, at->along, def);
    const carom_vec3 direction = def->direction;
    carom_joint_at(members, at->point, at->axis_a, at->axis_b, def);
    def->direction = direction;
    def->a = body[0];
    def->b = body[1];
    return CAROM_STATUS_OK;
}

static const int linear_of[CAROM_JOINT_TYPE_COUNT] = {
    [CAROM_JOINT_PRISMATIC] = 1, [CAROM_JOINT_PLANAR] = 2, [CAROM_JOINT_FREE] = 3};
static const int angular_of[CAROM_JOINT_TYPE_COUNT] = {
    [CAROM_JOINT_REVOLUTE] = 1, [CAROM_JOINT_SPHERICAL] = 3, [CAROM_JOINT_PLANAR] = 1, [CAROM_JOINT_FREE] = 3};

static carom_status place_link(carom_scene_file *file, const scene_tree *t, int i, carom_joint_def *joint)
{
    const carom_link_def *def = &t->defs[i];
    const carom_link_state *s = &t->states[i];
    carom_body_def *body = &file->bodies[t->first + i].def;
    body->position = carom_vec3_add(s->origin, s->arm);
    body->orientation = s->turn;
    body->velocity = carom_vec3_add(s->velocity.v, carom_vec3_cross(s->velocity.w, s->arm));
    body->omega = s->velocity.w;
    carom_quat up = {1, 0, 0, 0};
    if (def->parent >= 0)
        up = t->states[def->parent].turn;
    *joint = carom_joint_def_default();
    joint->a = t->first + i;
    joint->b = def->parent >= 0 ? t->first + def->parent : CAROM_WORLD;
    joint->linear = linear_of[def->joint];
    joint->angular = angular_of[def->joint];
    const carom_vec3 axis = quat_turn(quat_multiply(up, def->rotation), def->axis);
    return join(file, joint, &(bond_place){s->origin, axis, axis, axis});
}

static bool place_links(const reader *r, carom_scene_file *file, scene_tree *t, carom_joint_def *joints)
{
    carom_mechanism m;
    carom_status status = carom_mechanism_init(t->defs, t->count, t->links, &m);
    if (status)
        return reader_fail(r, &links_place, "link \"%s\": %s", file->names[t->first + (m.culprit < 0 ? 0 : m.culprit)],
                           carom_status_message(status));
    carom_motion motion = {&m, t->q, t->qdot, t->states, t->freedoms, -1};
    status = carom_motion_place(&motion);
    if (status)
        return reader_fail(r, &links_place, "link \"%s\": %s",
                           file->names[t->first + (motion.culprit < 0 ? 0 : motion.culprit)],
                           carom_status_message(status));
    for (int i = 0; i < t->count; i++) {
        carom_joint_def *joint = &joints[file->scene.joint_count];
        status = place_link(file, t, i, joint);
        if (status)
            return reader_fail(r, &links_place, "%s", carom_status_message(status));
        file->scene.joint_count += t->defs[i].joint != CAROM_JOINT_FREE;
    }
    return true;
}

static bool take_tree(const reader *r, carom_scene_file *file, int count, scene_tree *t)
{
    size_t n = (size_t)count;
    t->defs = scene_take(r, file, n, sizeof *t->defs);
    t->links = scene_take(r, file, n, sizeof *t->links);
    t->states = scene_take(r, file, n, sizeof *t->states);
    t->freedoms = scene_take(r, file, 6 * n, sizeof *t->freedoms);
    t->q = scene_take(r, file, MOST_COORDINATES * n, sizeof *t->q);
    t->qdot = scene_take(r, file, MOST_COORDINATES * n, sizeof *t->qdot);
    return t->defs && t->links && t->states && t->freedoms && t->q && t->qdot;
}

static bool read_tree(const reader *r, const json_t *document, carom_scene_file *file, scene_materials *materials,
                      carom_joint_def *joints)
{
    const json_t *links = json_object_get(document, "links");
    scene_tree *t = scene_take(r, file, 1, sizeof *t);
    if (!t)
        return false;
    t->count = (int)json_array_size(links);
    t->first = file->scene.body_count;
    if (!take_tree(r, file, t->count, t))
        return false;
    for (int i = 0; i < t->count; i++) {
        scene_name name = scene_numbered("links", (size_t)i);
        place here = {NULL, name.text};
        const json_t *link = json_array_get(links, (size_t)i);
        if (!read_link(r, &here, link, file, t, i) || !scene_fields(r, &here, link, document, file) ||
            !scene_material(r, &here, link, materials, &file->bodies[t->first + i].material))
            return false;
        file->scene.body_count++;
    }
    file->linkage = t;
    return place_links(r, file, t, joints);
}

/* ---- joints between named bodies ---- */

static bool read_body_name(const reader *r, const place *at, const json_t *object, const carom_scene_file *file,
                           int *body)
{
    const json_t *value = json_object_get(object, at->key);
    *body = CAROM_WORLD;
    if (!value || is_word(value, "world"))
        return true;
    for (int k = 0; k < file->scene.body_count; k++)
        if (is_word(value, file->names[k])) {
            *body = k;
            return true;
        }
    return reader_fail(r, at, "must be the name of a body or link, or \"world\"");
}

/* A name, or the freedoms of both pieces as numbers. */
static bool read_kind(const reader *r, const place *at, const json_t *object, carom_joint_def *def)
{
    const json_t *type = json_object_get(object, "type");
    place here = {at, "type"};
    for (int kind = 0; type && kind < BONDS; kind++)
        if (is_word(type, bonds[kind].word)) {
            def->linear = bonds[kind].linear;
            def->angular = bonds[kind].angular;
            return (!json_object_get(object, "linear") && !json_object_get(object, "angular")) ||
                   reader_fail(r, &here, "takes the place of linear and angular: give one or the other");
        }
    if (type)
        return reader_fail(r, &here,
                           "must be one of ball, hinge, weld, slider, cylinder, plane, free-point, universal");
    int freedoms[2];
    if (!read_freedoms(r, at, object, freedoms))
        return false;
    def->linear = freedoms[0];
    def->angular = freedoms[1];
    return true;
}

/* In the plane bodies turn about z alone, and lines lie in it. */
static bool read_axes(const reader *r, const place *at, const json_t *object, const carom_joint_def *def, int dim,
                      bond_place *bond)
{
    place axis = {at, "axis"}, axis_a = {at, "axis_a"}, axis_b = {at, "axis_b"};
    bond->along = bond->axis_a = bond->axis_b = carom_vec3_make(0, 0, 1);
    if (dim == 2) {
        bond->along = carom_vec3_make(1, 0, 0);
        if (def->linear > 1 || def->angular == 2)
            return reader_fail(r, at, "must have linear 0 or 1 and angular 0, 1 or 3 in a planar scene");
        return def->linear == 0 || read_unit(r, &axis, object, dim, &bond->along);
    }
    if (!read_unit(r, &axis, object, dim, &bond->along))
        return false;
    bond->axis_a = bond->axis_b = bond->along;
    if (!read_unit(r, &axis_a, object, dim, &bond->axis_a) || !read_unit(r, &axis_b, object, dim, &bond->axis_b))
        return false;
    return check_axes(r, &axis_a, def->angular, bond->axis_a, bond->axis_b);
}

static bool read_joint(const reader *r, const place *at, const json_t *object, const carom_scene_file *file,
                       carom_joint_def *def)
{
    place a = {at, "a"}, b = {at, "b"}, point = {at, "point"};
    const int dim = file->scene.dim;
    bond_place bond = {0};
    *def = carom_joint_def_default();
    if (!reader_object(r, at, object, FORMAT_scene_joint) || !read_kind(r, at, object, def) ||
        !read_body_name(r, &a, object, file, &def->a) || !read_body_name(r, &b, object, file, &def->b))
        return false;
    if (def->a == CAROM_WORLD)
        return reader_fail(r, &a, "must be the name of a body or link");
    if (file->bodies[def->a].drive || (def->b >= 0 && file->bodies[def->b].drive))
        return reader_fail(r, at, "joints cannot hold a body that follows a path");
    bond.point = file->bodies[def->a].def.position;
    if (!reader_world(r, &point, object, dim, &bond.point) || !read_axes(r, at, object, def, dim, &bond))
        return false;
    carom_status status = join(file, def, &bond);
    return status == CAROM_STATUS_OK || reader_refuse(r, at, status);
}

bool scene_mechanisms(const reader *r, const json_t *document, carom_scene_file *file, scene_materials *materials)
{
    const json_t *links = json_object_get(document, "links"), *joints = json_object_get(document, "joints");
    if (links && !json_is_array(links))
        return reader_fail(r, &links_place, "must be an array of links");
    if (joints && !json_is_array(joints))
        return reader_fail(r, &joints_place, "must be an array of joints");
    size_t count = json_array_size(links) + json_array_size(joints);
    carom_joint_def *defs = count ? scene_take(r, file, count, sizeof *defs) : NULL;
    if (count && !defs)
        return false;
    file->scene.joints = defs;
    if (json_array_size(links) && !read_tree(r, document, file, materials, defs))
        return false;
    for (size_t i = 0; i < json_array_size(joints); i++) {
        scene_name name = scene_numbered("joints", i);
        place here = {NULL, name.text};
        carom_joint_def *def = &defs[file->scene.joint_count];
        if (!read_joint(r, &here, json_array_get(joints, i), file, def))
            return false;
        file->scene.joint_count += def->linear < 3 || def->angular < 3; /* 3 and 3 hold nothing */
    }
    return true;
}
