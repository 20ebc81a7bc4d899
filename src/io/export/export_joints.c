/* Joints between bodies of a scene as joints of a tree: a body without a parent hangs on the other one. A joint that
 * would close a loop is lost. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/body.h"
#include "io/export/export_task.h"

#define PARALLEL 1e-9 /* sine of the angle between axes */

static carom_vec3 back_turned(carom_quat q, carom_vec3 v)
{
    return pose_turned((carom_quat){q.w, -q.x, -q.y, -q.z}, v);
}

/* A joint seen from the body that is to hang on the other one. */
typedef struct hanging {
    int child, parent; /* parent: CAROM_WORLD where it is fixed */
    int linear, angular;
    carom_vec3 point; /* in the frame of the child */
    carom_vec3 line;  /* world axes */
    carom_vec3 of_child, of_parent;
    bool line_of_child;
} hanging;

static bool is_fixed(const export_task *t, int i)
{
    return i == CAROM_WORLD || t->m.links[i].is_static;
}

static bool is_above(const export_task *t, int above, int i)
{
    for (; i != CAROM_WORLD; i = t->parent[i])
        if (i == above)
            return true;
    return false;
}

static bool can_hang(const export_task *t, int child, int parent)
{
    return !is_fixed(t, child) && export_is_root(t, child) && export_is_word(&t->m.links[child], "free") &&
           !t->m.links[child].bond.is_used && !is_above(t, child, parent);
}

static carom_quat turn_of(const export_task *t, int i)
{
    return i == CAROM_WORLD ? (carom_quat){1, 0, 0, 0} : t->world[i].q;
}

static hanging seen_from(const export_task *t, const carom_joint_def *d, bool from_a)
{
    hanging h = {.child = from_a ? d->a : d->b, .parent = from_a ? d->b : d->a};
    carom_vec3 line = pose_turned(turn_of(t, d->b), d->direction), a = pose_turned(turn_of(t, d->a), d->axis_a),
               b = pose_turned(turn_of(t, d->b), d->axis_b);
    h.linear = d->linear, h.angular = d->angular;
    h.line = line;
    h.line_of_child = !from_a;
    h.of_child = from_a ? a : b, h.of_parent = from_a ? b : a;
    h.point = from_a ? d->point_a : d->point_b;
    if (h.child != CAROM_WORLD)
        h.point = carom_vec3_add(t->m.links[h.child].com, h.point);
    if (is_fixed(t, h.parent))
        h.parent = CAROM_WORLD;
    return h;
}

static bool is_along(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_length(carom_vec3_cross(a, b)) < PARALLEL;
}

/* Slides come before turns: a line that turns with the child is the same only where the turn does not move it. */
static bool keeps_order(const hanging *h)
{
    return !h->line_of_child || h->linear == 0 || h->linear == 3 || h->angular == 0 ||
           (h->angular == 1 && is_along(h->line, h->of_child));
}

/* The frame of a link moves to a point of it. */
static void move_frame(export_task *t, int i, carom_vec3 by)
{
    model_link *l = &t->m.links[i];
    carom_vec3 r = pose_turned(t->world[i].q, by);
    if (carom_vec3_length(by) == 0)
        return;
    l->com = carom_vec3_sub(l->com, by);
    for (int k = 0; k < l->geom_count; k++)
        l->geoms[k].at.x = carom_vec3_sub(l->geoms[k].at.x, by);
    for (int k = 0; k < t->m.link_count; k++)
        if (t->parent[k] == i)
            t->m.links[k].at.x = carom_vec3_sub(t->m.links[k].at.x, by);
    t->world[i].x = carom_vec3_add(t->world[i].x, r);
    t->velocity[i] = carom_vec3_add(t->velocity[i], carom_vec3_cross(t->omega[i], r));
}

/* How the link moves against its parent, in the axes of the joint, which begin as those of the link. */
static void set_motion(export_task *t, const hanging *h)
{
    model_link *l = &t->m.links[h->child];
    carom_vec3 v = t->velocity[h->child], w = t->omega[h->child];
    if (h->parent != CAROM_WORLD) {
        carom_vec3 r = carom_vec3_sub(t->world[h->child].x, t->world[h->parent].x);
        v = carom_vec3_sub(v, carom_vec3_add(t->velocity[h->parent], carom_vec3_cross(t->omega[h->parent], r)));
        w = carom_vec3_sub(w, t->omega[h->parent]);
    }
    l->velocity = back_turned(t->world[h->child].q, v);
    l->omega = back_turned(t->world[h->child].q, w);
}

static const char *word_of(const hanging *h)
{
    bool across = h->linear == 2 && h->angular == 1 && is_along(h->line, h->of_child);
    return h->linear == 0 && h->angular == 0   ? "fixed"
           : h->linear == 0 && h->angular == 1 ? "revolute"
           : h->linear == 1 && h->angular == 0 ? "prismatic"
           : h->linear == 0 && h->angular == 3 ? "spherical"
           : across                            ? "planar"
                                               : "free";
}

static void set_joint(export_task *t, const hanging *h)
{
    model_link *l = &t->m.links[h->child];
    carom_quat q = t->world[h->child].q;
    carom_vec3 line = back_turned(q, h->line), turn = back_turned(q, h->of_child);
    l->joint = word_of(h);
    l->axis = h->linear == 0 ? turn : line;
    l->start = pose_none();
    memset(l->q, 0, sizeof l->q);
    memset(l->qdot, 0, sizeof l->qdot);
    model_set_state(l);
    if (export_is_word(l, "revolute"))
        l->qdot[0] = carom_vec3_dot(l->omega, l->axis);
    if (export_is_word(l, "prismatic"))
        l->qdot[0] = carom_vec3_dot(l->velocity, l->axis);
    if (export_is_word(l, "free"))
        l->bond = (model_bond){true, h->linear, h->angular, line, back_turned(q, h->of_parent), turn};
}

static void hang(export_task *t, const hanging *h)
{
    move_frame(t, h->child, h->point);
    t->parent[h->child] = h->parent;
    t->m.links[h->child].at = h->parent == CAROM_WORLD
                                  ? t->world[h->child]
                                  : pose_times(pose_inverse(t->world[h->parent]), t->world[h->child]);
    set_motion(t, h);
    set_joint(t, h);
}

/* Does an entry of "joints" hold nothing? Then the scene has no joint for it. */
static bool is_free(const json_t *entry)
{
    return json_number_value(json_object_get(entry, "linear")) == 3 &&
           json_number_value(json_object_get(entry, "angular")) == 3;
}

static void export_joint(export_task *t, const carom_joint_def *def, int number)
{
    hanging a = seen_from(t, def, true), b = seen_from(t, def, false);
    char element[32];
    if (can_hang(t, a.child, a.parent) && keeps_order(&a)) {
        hang(t, &a);
    } else if (can_hang(t, b.child, b.parent) && keeps_order(&b)) {
        hang(t, &b);
    } else {
        snprintf(element, sizeof element, "joints[%d]", number);
        export_lose(t, element, "closes a loop: joints of models are a tree, and there nothing holds it");
    }
}

void export_joints(export_task *t)
{
    const json_t *list = json_object_get(t->file->document, "joints");
    const scene_tree *tree = t->file->linkage;
    int k = 0;
    for (int i = 0; tree && i < tree->count; i++)
        k += tree->defs[i].joint != CAROM_JOINT_FREE;
    for (size_t i = 0; i < json_array_size(list) && k < t->file->scene.joint_count; i++)
        if (!is_free(json_array_get(list, i)))
            export_joint(t, &t->file->scene.joints[k++], (int)i + 1);
}
