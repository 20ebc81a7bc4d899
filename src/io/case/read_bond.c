/* The joint of a link; see read_bond.h. */
#include "io/case/read_bond.h"

#include <math.h>
#include <string.h>

#include "carom/body.h"
#include "io/case/format.h"

#define AXES_TOL 1e-6 /* rad: axes closer than this are parallel */

typedef struct axes {
    carom_vec3 along;        /* of the line, or normal to the plane, on which the link may slide */
    carom_frame plane;       /* with that normal */
    carom_vec3 parent, link; /* about which it may turn: held by the parent, and by the link */
} axes;

bool read_vec3(const reader *r, const place *at, const json_t *value, carom_vec3 *v)
{
    double x[3];
    if (!value)
        return true;
    if (!reader_vector(r, at, value, 3, x))
        return false;
    *v = carom_vec3_make(x[0], x[1], x[2]);
    return true;
}

static bool read_quat(const reader *r, const place *at, const json_t *value, carom_quat *q)
{
    double w[4];
    if (!value)
        return true;
    if (!reader_vector(r, at, value, 4, w))
        return false;
    carom_quat read = {w[0], w[1], w[2], w[3]};
    *q = read;
    return true;
}

static bool read_type(const reader *r, const place *at, const json_t *value, carom_joint_type *type)
{
    static const char *const words[] = {
#define CAROM_JOINT_TYPE(name, word, coordinates, speeds, meaning) word,
#include "carom/joint_types.def"
#undef CAROM_JOINT_TYPE
        NULL};
    const char *word = json_string_value(value);
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0) {
            *type = (carom_joint_type)i;
            return true;
        }
    const char *hint = word ? carom_nearest(word, words) : NULL;
    if (hint)
        return reader_fail(r, at, "unknown joint \"%.32s\"; did you mean \"%s\"?", word, hint);
    return reader_fail(r, at, "must be one of fixed, revolute, prismatic, spherical, planar, free");
}

/* ---- a type ---- */

static bool read_typed(const reader *r, const place *at, const json_t *object, joint_pieces *made)
{
    place type = {at, "type"}, axis = {at, "axis"};
    carom_link_def *def = &made->pieces[0];
    static const char *const of_pairs[] = {"linear", "angular", "axis_a", "axis_b"};
    for (int i = 0; i < 4; i++)
        if (json_object_get(object, of_pairs[i]))
            return reader_fail(r, &type, "takes the place of linear, angular, axis_a and axis_b");
    made->count = 1;
    if (!read_type(r, &type, json_object_get(object, "type"), &def->joint))
        return false;
    const bool has_axis =
        def->joint == CAROM_JOINT_REVOLUTE || def->joint == CAROM_JOINT_PRISMATIC || def->joint == CAROM_JOINT_PLANAR;
    if (has_axis && !json_object_get(object, "axis"))
        return reader_missing(r, at, "axis");
    return read_vec3(r, &axis, json_object_get(object, "axis"), &def->axis);
}

/* ---- a pair of freedoms ---- */

bool read_freedoms(const reader *r, const place *at, const json_t *object, int freedoms[2])
{
    static const char *const keys[2] = {"linear", "angular"};
    for (int i = 0; i < 2; i++) {
        place here = {at, keys[i]};
        double number = -1;
        if (!json_object_get(object, keys[i]))
            return reader_fail(r, at, "needs a type, or linear and angular");
        reader_take(object, keys[i], &number);
        if (!(number >= 0 && number <= 3 && number == floor(number)))
            return reader_fail(r, &here, "must be 0, 1, 2 or 3");
        freedoms[i] = (int)number;
    }
    return true;
}

bool check_axes(const reader *r, const place *at, int angular, carom_vec3 a, carom_vec3 b)
{
    const double across = carom_vec3_length(carom_vec3_cross(a, b));
    if (angular == 1 && across > AXES_TOL)
        return reader_fail(r, at, "must be the same as axis_b where angular is 1");
    return angular != 2 || across > AXES_TOL ||
           reader_fail(r, at, "must not be parallel to axis_b where angular is 2: give both");
}

static bool read_axis(const reader *r, const place *at, const json_t *object, carom_vec3 *axis, carom_frame *across)
{
    return read_vec3(r, at, json_object_get(object, at->key), axis) &&
           (carom_frame_init(*axis, across) == CAROM_STATUS_OK || reader_refuse(r, at, CAROM_STATUS_BAD_AXIS));
}

static bool read_axes(const reader *r, const place *at, const json_t *object, int angular, axes *a)
{
    place along = {at, "axis"}, axis_a = {at, "axis_a"}, axis_b = {at, "axis_b"};
    carom_frame unused;
    a->along = carom_vec3_make(0, 0, 1);
    if (!read_axis(r, &along, object, &a->along, &a->plane))
        return false;
    a->parent = a->link = a->along;
    return read_axis(r, &axis_b, object, &a->parent, &unused) && read_axis(r, &axis_a, object, &a->link, &unused) &&
           check_axes(r, &axis_a, angular, a->link, a->parent);
}

static void add_piece(joint_pieces *made, carom_joint_type joint, carom_vec3 axis)
{
    carom_link_def *def = &made->pieces[made->count++];
    def->joint = joint;
    def->axis = axis;
}

/* A line, the two directions of a plane (those of a planar joint), or all three of the joint frame. */
static void add_linear(int linear, const axes *a, joint_pieces *made)
{
    if (linear == 1)
        add_piece(made, CAROM_JOINT_PRISMATIC, a->along);
    if (linear == 2) {
        add_piece(made, CAROM_JOINT_PRISMATIC, a->plane.t1);
        add_piece(made, CAROM_JOINT_PRISMATIC, a->plane.t2);
    }
    for (int i = 0; linear == 3 && i < 3; i++)
        add_piece(made, CAROM_JOINT_PRISMATIC, carom_vec3_make(i == 0, i == 1, i == 2));
}

/* A universal joint turns about the axis that the parent holds, then about that of the link. */
static void add_angular(int angular, const axes *a, joint_pieces *made)
{
    if (angular == 1 || angular == 2)
        add_piece(made, CAROM_JOINT_REVOLUTE, a->parent);
    if (angular == 2)
        add_piece(made, CAROM_JOINT_REVOLUTE, a->link);
    if (angular == 3)
        add_piece(made, CAROM_JOINT_SPHERICAL, a->along);
    if (made->count == 0)
        add_piece(made, CAROM_JOINT_FIXED, a->along);
}

static bool read_pair(const reader *r, const place *at, const json_t *object, joint_pieces *made)
{
    int freedoms[2];
    axes a;
    if (!read_freedoms(r, at, object, freedoms) || !read_axes(r, at, object, freedoms[1], &a))
        return false;
    add_linear(freedoms[0], &a, made);
    add_angular(freedoms[1], &a, made);
    return true;
}

bool read_bond(const reader *r, const place *at, const json_t *object, joint_pieces *made)
{
    place origin = {at, "origin"}, rotation = {at, "rotation"};
    made->count = 0;
    for (int i = 0; i < BOND_PIECES; i++) {
        made->pieces[i] = carom_link_def_default();
        made->pieces[i].mass = 0;
        made->pieces[i].inertia = (carom_sym3){0};
    }
    if (!reader_object(r, at, object, FORMAT_bond))
        return false;
    const bool typed = json_object_get(object, "type") != NULL;
    return (typed ? read_typed(r, at, object, made) : read_pair(r, at, object, made)) &&
           read_vec3(r, &origin, json_object_get(object, "origin"), &made->pieces[0].origin) &&
           read_quat(r, &rotation, json_object_get(object, "rotation"), &made->pieces[0].rotation);
}
