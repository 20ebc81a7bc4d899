/* An impact of the links of a scene as a mechanism case: where each link is against its parent gives the coordinates of
 * its joint, and how it moves against it the speeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/rotate.h"
#include "io/scene/scene.h"

/* The frame of a link in the world. */
typedef struct link_frame {
    carom_vec3 origin, velocity, omega;
    carom_quat turn;
} link_frame;

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void append(json_t *array, double x)
{
    json_array_append_new(array, json_real(x));
}

static void append_vector(json_t *array, carom_vec3 v)
{
    append(array, v.x);
    append(array, v.y);
    append(array, v.z);
}

static json_t *vector(carom_vec3 v)
{
    json_t *array = json_array();
    append_vector(array, v);
    return array;
}

static void append_quat(json_t *array, carom_quat q)
{
    append(array, q.w);
    append(array, q.x);
    append(array, q.y);
    append(array, q.z);
}

static link_frame frame_of(const scene_tree *t, const carom_sim *sim, int i)
{
    if (i == CAROM_WORLD)
        return (link_frame){.turn = {1, 0, 0, 0}};
    const carom_sim_state s = carom_sim_body(sim, t->first + i);
    const carom_vec3 arm = quat_turn(s.orientation, t->defs[i].com);
    return (link_frame){.origin = carom_vec3_add(s.position, carom_vec3_scale(-1, arm)),
                        .velocity = carom_vec3_add(s.velocity, carom_vec3_cross(arm, s.omega)),
                        .omega = s.omega,
                        .turn = s.orientation};
}

/* A link against its joint frame: shift and velocity there, turn, and spin in the axes of the joint frame. */
static link_frame against(const carom_link_def *def, const link_frame *parent, const link_frame *link)
{
    const carom_quat frame = quat_multiply(parent->turn, def->rotation), back = quat_conjugate(frame);
    const carom_vec3 from_parent = carom_vec3_add(link->origin, carom_vec3_scale(-1, parent->origin));
    const carom_vec3 shift = carom_vec3_add(from_parent, carom_vec3_scale(-1, quat_turn(parent->turn, def->origin)));
    const carom_vec3 carried = carom_vec3_add(parent->velocity, carom_vec3_cross(parent->omega, from_parent));
    return (link_frame){
        .origin = quat_turn(back, shift),
        .velocity = quat_turn(back, carom_vec3_add(link->velocity, carom_vec3_scale(-1, carried))),
        .omega = quat_turn(back, carom_vec3_add(link->omega, carom_vec3_scale(-1, parent->omega))),
        .turn = quat_multiply(back, link->turn),
    };
}

static double angle_about(carom_vec3 axis, carom_quat q)
{
    const double pi = carom_acos(-1), half = carom_atan2(carom_vec3_dot(axis, carom_vec3_make(q.x, q.y, q.z)), q.w);
    return half > pi / 2 ? 2 * (half - pi) : half < -pi / 2 ? 2 * (half + pi) : 2 * half;
}

/* The coordinates and speeds of a joint, in the order of joint_types.def. */
static void add_state(const carom_link *link, const link_frame *at, json_t *q, json_t *qdot)
{
    const carom_vec3 axis = link->def.axis, t1 = link->t1, t2 = link->t2;
    const carom_joint_type type = link->def.joint;
    if (type == CAROM_JOINT_PRISMATIC) {
        append(q, carom_vec3_dot(axis, at->origin));
        append(qdot, carom_vec3_dot(axis, at->velocity));
    }
    if (type == CAROM_JOINT_PLANAR) {
        append(q, carom_vec3_dot(t1, at->origin));
        append(q, carom_vec3_dot(t2, at->origin));
        append(qdot, carom_vec3_dot(t1, at->velocity));
        append(qdot, carom_vec3_dot(t2, at->velocity));
    }
    if (type == CAROM_JOINT_REVOLUTE || type == CAROM_JOINT_PLANAR) {
        append(q, angle_about(axis, at->turn));
        append(qdot, carom_vec3_dot(axis, at->omega));
    }
    if (type == CAROM_JOINT_FREE) {
        append_vector(q, at->origin);
        append_vector(qdot, at->velocity);
    }
    if (type == CAROM_JOINT_FREE || type == CAROM_JOINT_SPHERICAL) {
        append_quat(q, at->turn);
        append_vector(qdot, quat_turn(quat_conjugate(at->turn), at->omega));
    }
}

static json_t *joint_of(const carom_link_def *def)
{
    json_t *joint = json_object(), *rotation = json_array();
    append_quat(rotation, def->rotation);
    set(joint, "type", json_string(carom_joint_type_word(def->joint)));
    set(joint, "axis", vector(def->axis));
    set(joint, "origin", vector(def->origin));
    set(joint, "rotation", rotation);
    return joint;
}

static json_t *link_of(const carom_scene_file *file, int i)
{
    const scene_tree *t = file->linkage;
    const carom_link_def *def = &t->defs[i];
    json_t *link = json_object();
    set(link, "name", json_string(file->names[t->first + i]));
    set(link, "parent", json_string(def->parent == CAROM_WORLD ? "world" : file->names[t->first + def->parent]));
    set(link, "joint", joint_of(def));
    set(link, "mass", json_real(def->mass));
    set(link, "com", vector(def->com));
    set(link, "inertia", scene_inertia_json(3, def->inertia));
    return link;
}

static json_t *mechanism_of(const carom_scene_file *file, const carom_sim *sim)
{
    const scene_tree *t = file->linkage;
    json_t *mechanism = json_object(), *links = json_array(), *q = json_array(), *qdot = json_array();
    for (int i = 0; i < t->count; i++) {
        const link_frame parent = frame_of(t, sim, t->defs[i].parent), link = frame_of(t, sim, i);
        const link_frame at = against(&t->defs[i], &parent, &link);
        json_array_append_new(links, link_of(file, i));
        add_state(&t->links[i], &at, q, qdot);
    }
    set(mechanism, "links", links);
    set(mechanism, "q", q);
    set(mechanism, "qdot", qdot);
    return mechanism;
}

static bool is_link(const scene_tree *t, int body)
{
    return body >= t->first && body < t->first + t->count;
}

/* The point in the frame of the link that is struck; in the plane the tangent is that of planar contacts. */
static json_t *contact_of(const carom_scene_file *file, const carom_sim *sim, const carom_sim_contact *x)
{
    const scene_tree *t = file->linkage;
    const link_frame link = frame_of(t, sim, x->a - t->first);
    const carom_vec3 point = carom_vec3_add(x->def_a.position, x->arm_a);
    const carom_vec3 from = carom_vec3_add(point, carom_vec3_scale(-1, link.origin));
    json_t *contact = json_object();
    carom_frame frame;
    set(contact, "link", json_string(file->names[x->a]));
    if (is_link(t, x->b))
        set(contact, "against", json_string(file->names[x->b]));
    set(contact, "point", vector(quat_turn(quat_conjugate(link.turn), from)));
    set(contact, "normal", vector(x->normal));
    if (file->scene.dim == 2 && carom_frame_init_planar(x->normal.x, x->normal.y, &frame) == CAROM_STATUS_OK)
        set(contact, "t1", vector(frame.t1));
    return contact;
}

/* Is it a link against the world or another link? */
static bool is_of_linkage(const scene_tree *t, const carom_sim_contact *x)
{
    return is_link(t, x->a) && (is_link(t, x->b) || x->def_b.fixed);
}

static json_t *contacts_of(const carom_scene_file *file, const carom_sim *sim, const carom_sim_event *event)
{
    json_t *list = json_array();
    for (int k = 0; k < event->count; k++) {
        json_t *contact = contact_of(file, sim, &event->contacts[k]);
        set(contact, "coefficients", scene_together_coefficients(file, &event->contacts[k]));
        json_array_append_new(list, contact);
    }
    return list;
}

carom_json *carom_event_linkage(const carom_scene_file *file, const carom_sim *sim, const carom_sim_event *event)
{
    const scene_tree *t = file->linkage;
    if (!t || event->kind != CAROM_SIM_EVENT_IMPACT || json_object_get(file->document, "joints") != NULL)
        return NULL;
    for (int k = 0; k < event->count; k++)
        if (!is_of_linkage(t, &event->contacts[k]))
            return NULL;
    json_t *document = json_object();
    if (event->count == 1)
        scene_set_rule(document, &event->contacts->rule);
    else
        scene_set_together_rule(document, &file->scene.together);
    set(document, "mechanism", mechanism_of(file, sim));
    if (event->count == 1)
        set(document, "contact", contact_of(file, sim, event->contacts));
    else
        set(document, "contacts", contacts_of(file, sim, event));
    return document;
}
