/* The links of a scene for another program: a body is a link of its own that is free or part of the world. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_task.h"

bool export_is_word(const model_link *l, const char *word)
{
    return strcmp(l->joint, word) == 0;
}

bool export_is_root(const export_task *t, int i)
{
    return t->parent[i] == CAROM_WORLD;
}

/* ---- shapes ---- */

const char *export_shape_word(carom_shape_kind kind)
{
    return kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_HOLLOW_SPHERE ? "sphere"
           : kind == CAROM_SHAPE_BOX                                       ? "box"
           : kind == CAROM_SHAPE_CYLINDER                                  ? "cylinder"
           : kind == CAROM_SHAPE_CAPSULE                                   ? "capsule"
           : kind == CAROM_SHAPE_ELLIPSOID                                 ? "ellipsoid"
                                                                           : NULL;
}

/* A shape in the frame of the link. Hulls are given from any origin: their centre is where they are placed. */
static bool add_geom(export_task *t, int link, const carom_solid *solid, pose at)
{
    model_geom *g = model_add_geom(&t->m, &t->m.links[link]);
    carom_body_def def = carom_body_def_default();
    carom_vec3 centre = {0, 0, 0};
    if (!g)
        return false;
    g->solid = *solid;
    g->at = at;
    if (solid->kind != CAROM_SOLID_HULL || carom_solid_body(solid, 3, 1, &def, &centre))
        return true;
    carom_vec3 *points = malloc((size_t)solid->point_count * sizeof *points);
    for (int k = 0; points && k < solid->point_count; k++)
        points[k] = carom_vec3_sub(solid->points[k], centre);
    g->solid.points = points; /* freed with the model */
    return points != NULL;
}

/* Where the centre of a solid lies in the frame that it is given in: parts of compounds have their densities. */
static carom_vec3 centre_of(const carom_solid *solid)
{
    carom_body_def def = carom_body_def_default();
    carom_vec3 centre = {0, 0, 0};
    bool has = solid->kind == CAROM_SOLID_HULL || solid->kind == CAROM_SOLID_COMPOUND;
    if (has && carom_solid_body(solid, 3, 1, &def, &centre))
        centre = carom_vec3_make(0, 0, 0);
    return centre;
}

static bool add_half_space(export_task *t, int i)
{
    const carom_scene_body *b = &t->file->bodies[i];
    carom_vec3 n = pose_turned(b->def.orientation, b->solid.normal);
    carom_solid solid = b->solid;
    solid.normal = n;
    t->m.links[i].at = pose_none();
    return add_geom(t, i, &solid, (pose){carom_vec3_scale(solid.offset, n), {1, 0, 0, 0}});
}

/* com: the centre of mass in the frame of the link. */
static bool add_shapes(export_task *t, int i, carom_vec3 com)
{
    const carom_scene_body *b = &t->file->bodies[i];
    const carom_solid *s = &b->solid;
    carom_vec3 centre = centre_of(s), origin = carom_vec3_sub(com, b->own_com ? b->com : centre);
    const carom_quat none = {1, 0, 0, 0};
    if (s->kind == CAROM_SOLID_PARTICLE)
        return true;
    if (s->kind == CAROM_SOLID_HALF_SPACE)
        return add_half_space(t, i);
    if (s->kind != CAROM_SOLID_COMPOUND) {
        carom_vec3 at = b->own_com ? carom_vec3_add(origin, centre) : com;
        return add_geom(t, i, s, (pose){s->kind == CAROM_SOLID_MESH ? origin : at, none});
    }
    for (int k = 0; k < s->part_count; k++)
        if (!add_geom(t, i, &s->parts[k].solid,
                      (pose){carom_vec3_add(origin, s->parts[k].position), s->parts[k].orientation}))
            return false;
    return true;
}

/* ---- bodies and links ---- */

static bool take_body(export_task *t, int i)
{
    const carom_body_def *def = &t->file->bodies[i].def;
    model_link *l = &t->m.links[i];
    l->at = t->world[i] = (pose){def->position, def->orientation};
    l->is_static = def->fixed;
    t->parent[i] = CAROM_WORLD;
    t->velocity[i] = def->velocity;
    t->omega[i] = def->omega;
    return add_shapes(t, i, carom_vec3_make(0, 0, 0));
}

/* Coordinates of a free joint: no shift, no turn. */
static bool is_at_rest(const double *q)
{
    return q[0] == 0 && q[1] == 0 && q[2] == 0 && q[4] == 0 && q[5] == 0 && q[6] == 0;
}

static bool take_link(export_task *t, int i, const double *q, const double *qdot)
{
    const scene_tree *tree = t->file->linkage;
    const carom_link_def *def = &tree->defs[i - tree->first];
    const carom_link_state *s = &tree->states[i - tree->first];
    model_link *l = &t->m.links[i];
    l->joint = carom_joint_type_word(def->joint);
    l->at = (pose){def->origin, def->rotation};
    l->axis = def->axis;
    l->com = def->com;
    memcpy(l->q, q, (size_t)carom_joint_type_coordinates(def->joint) * sizeof *q);
    memcpy(l->qdot, qdot, (size_t)carom_joint_type_speeds(def->joint) * sizeof *qdot);
    t->parent[i] = def->parent < 0 ? CAROM_WORLD : tree->first + def->parent;
    t->world[i] = (pose){s->origin, s->turn};
    t->velocity[i] = s->velocity.v;
    t->omega[i] = s->velocity.w;
    if (def->joint == CAROM_JOINT_FREE && (t->parent[i] != CAROM_WORLD || !is_at_rest(q))) {
        t->parent[i] = CAROM_WORLD; /* free of its parent: placed in the world */
        l->at = t->world[i];
    } else if (def->joint == CAROM_JOINT_FREE) {
        t->world[i] = l->at;
    }
    return add_shapes(t, i, def->com);
}

static bool take_all(export_task *t)
{
    const carom_scene_file *f = t->file;
    const scene_tree *tree = f->linkage;
    int first = tree ? tree->first : f->scene.body_count, nq = 0, nv = 0;
    for (int i = 0; i < f->scene.body_count; i++) {
        model_link *l = model_add_link(&t->m, NULL);
        if (!l)
            return false;
        snprintf(l->name, sizeof l->name, "%s", f->names[i]);
        l->mass = f->bodies[i].def.mass;
        l->inertia = f->bodies[i].def.inertia;
        if (i < first ? !take_body(t, i) : !take_link(t, i, tree->q + nq, tree->qdot + nv))
            return false;
        if (i >= first) {
            nq += carom_joint_type_coordinates(tree->defs[i - first].joint);
            nv += carom_joint_type_speeds(tree->defs[i - first].joint);
        }
    }
    return true;
}

/* What other programs refuse, or do not see. */
static void list_points(export_task *t)
{
    for (int i = 0; i < t->m.link_count; i++) {
        const model_link *l = &t->m.links[i];
        if (t->file->bodies[i].solid.kind == CAROM_SOLID_PARTICLE)
            export_lose_part(t, i, "shape", "a point: there it has no shape, and nothing touches it");
        if (!l->is_static && !(fmin(l->inertia.xx, fmin(l->inertia.yy, l->inertia.zz)) > 0))
            export_lose_part(t, i, "inertia", "a moment is zero: there a body that moves needs three");
    }
}

bool export_links(export_task *t)
{
    size_t n = (size_t)t->file->scene.body_count + 1;
    t->parent = calloc(n, sizeof *t->parent);
    t->world = calloc(n, sizeof *t->world);
    t->velocity = calloc(n, sizeof *t->velocity);
    t->omega = calloc(n, sizeof *t->omega);
    if (!t->parent || !t->world || !t->velocity || !t->omega || !take_all(t))
        return false;
    list_points(t);
    return true;
}
