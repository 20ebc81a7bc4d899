/* Where the links of a model begin: coordinates and speeds of their joints, and the joints that links have no word for.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/body.h"
#include "carom/json_short.h"
#include "io/import/model.h"

static bool is_joint(const model_link *l, const char *word)
{
    return strcmp(l->joint, word) == 0;
}

static double angle_about(carom_vec3 axis, carom_quat q)
{
    double half = atan2(axis.x * q.x + axis.y * q.y + axis.z * q.z, q.w);
    return 2 * half;
}

static void put(double *out, carom_vec3 v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

void model_set_state(model_link *l)
{
    carom_frame plane;
    carom_quat q = l->start.q, back = {q.w, -q.x, -q.y, -q.z};
    int turn = is_joint(l, "free") ? 3 : 0;
    if (is_joint(l, "free"))
        put(l->q, l->start.x), put(l->qdot, l->velocity);
    if (is_joint(l, "free") || is_joint(l, "spherical")) {
        l->q[turn] = q.w, l->q[turn + 1] = q.x, l->q[turn + 2] = q.y, l->q[turn + 3] = q.z;
        put(l->qdot + turn, pose_turned(back, l->omega));
    }
    if (is_joint(l, "planar") && carom_frame_init(l->axis, &plane) == CAROM_STATUS_OK) {
        l->q[0] = carom_vec3_dot(plane.t1, l->start.x), l->q[1] = carom_vec3_dot(plane.t2, l->start.x);
        l->qdot[0] = carom_vec3_dot(plane.t1, l->velocity), l->qdot[1] = carom_vec3_dot(plane.t2, l->velocity);
        l->q[2] = angle_about(l->axis, q);
        l->qdot[2] = carom_vec3_dot(l->axis, l->omega);
    }
}

/* ---- in the scene ---- */

static const model_link *parent_of(const model *m, const model_link *l)
{
    for (int k = 0; l->parent[0] && k < m->link_count; k++)
        if (strcmp(m->links[k].name, l->parent) == 0)
            return &m->links[k];
    return NULL;
}

/* The joint frame in the world, at the start: up the tree, which has no circle here. */
static pose joint_frame(const model *m, const model_link *l)
{
    pose at = l->at;
    for (l = parent_of(m, l); l; l = parent_of(m, l))
        at = pose_times(pose_times(l->at, l->start), at);
    return at;
}

static json_t *numbers(const double *x, int count)
{
    json_t *list = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(list, json_real(x[k]));
    return list;
}

static json_t *vector(carom_vec3 v)
{
    return numbers((double[3]){v.x, v.y, v.z}, 3);
}

static bool any(const double *x, int count)
{
    bool found = false;
    for (int k = 0; k < count; k++)
        found |= x[k] != 0;
    return found;
}

void model_put_state(const model_link *l, carom_json *link)
{
    static const struct {
        const char *word;
        int q, v;
    } sizes[] = {{"revolute", 1, 1}, {"prismatic", 1, 1}, {"spherical", 4, 3}, {"planar", 3, 3}, {"free", 7, 6}};
    carom_quat q = l->start.q;
    bool moved = q.x != 0 || q.y != 0 || q.z != 0 || carom_vec3_length(l->start.x) > 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (is_joint(l, sizes[k].word)) {
            if (moved)
                json_object_set_new(link, "q", numbers(l->q, sizes[k].q));
            if (any(l->qdot, sizes[k].v))
                json_object_set_new(link, "qdot", numbers(l->qdot, sizes[k].v));
        }
}

carom_json *model_bonds(const model *m)
{
    json_t *list = json_array();
    for (int k = 0; k < m->link_count; k++) {
        const model_link *l = &m->links[k], *up = parent_of(m, l);
        if (!l->bond.is_used)
            continue;
        pose frame = joint_frame(m, l), own = pose_times(frame, l->start);
        json_t *joint = json_pack("{s:f, s:f, s:s, s:s, s:o, s:o}", "linear", (double)l->bond.linear, "angular",
                                  (double)l->bond.angular, "a", l->name, "b", up && !up->is_static ? up->name : "world",
                                  "point", vector(own.x), "axis", vector(pose_turned(frame.q, l->bond.line)));
        if (l->bond.angular == 1 || l->bond.angular == 2) {
            json_object_set_new(joint, "axis_a", vector(pose_turned(own.q, l->bond.of_link)));
            json_object_set_new(joint, "axis_b", vector(pose_turned(frame.q, l->bond.of_parent)));
        }
        json_array_append_new(list, joint);
    }
    return list;
}

/* ---- warnings ---- */

#define LARGE 20.0 /* m: a link this large may have been drawn in millimetres */

static double size_of(const model_link *l)
{
    double size = 0;
    for (int k = 0; k < l->geom_count; k++) {
        const carom_solid *s = &l->geoms[k].solid;
        for (int i = 0; s->kind == CAROM_SOLID_HULL && i < s->point_count; i++)
            size = fmax(size, carom_vec3_length(carom_vec3_sub(s->points[i], s->points[0])));
    }
    return size;
}

carom_json *model_warnings(model *m)
{
    for (int k = 0; k < m->link_count; k++) {
        const model_link *l = &m->links[k];
        if (!l->is_static && !carom_inertia_is_physical(l->inertia))
            model_note(m, l, "has an inertia that no body has: a principal moment exceeds the sum of the other two");
        if (size_of(l) > LARGE)
            model_note(m, l, "has a mesh of more than 20 m: if it was drawn in millimetres, its scale is 0.001");
    }
    return m->notes ? json_incref(m->notes) : json_array();
}
