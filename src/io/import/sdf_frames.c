/* Frames of SDF: a pose may be relative to a link, a joint, a frame or a model of the same scope. */
#include <string.h>

#include "io/import/sdf.h"

enum { CHAIN = 64 }; /* frames that lean on each other */

static const char *const kinds[] = {"link", "joint", "frame", "model"};

bool sdf_pose(const model *m, xml *e, pose *out, const char **relative_to)
{
    xml *p = xml_child(e, "pose", NULL);
    double x[7] = {0, 0, 0, 0, 0, 0, 1};
    const char *frame = xml_get(p, "relative_to"), *format = xml_get(p, "rotation_format"),
               *degrees = xml_get(p, "degrees");
    const bool quaternion = format && strcmp(format, "quat_xyzw") == 0;
    const double unit = degrees && strcmp(degrees, "true") == 0 ? 3.14159265358979323846 / 180 : 1;
    *relative_to = frame && frame[0] ? frame : NULL;
    if (format && !quaternion && strcmp(format, "euler_rpy") != 0)
        return model_fail(m, p, "rotations as \"%.40s\" are not known: euler_rpy or quat_xyzw", format);
    if (p && xml_text(p) && !model_numbers(m, p, xml_text(p), x, quaternion ? 7 : 6))
        return false;
    *out = (pose){vec_of(x), quaternion ? quat_unit((double[4]){x[6], x[3], x[4], x[5]})
                                        : quat_of_rpy(unit * x[3], unit * x[4], unit * x[5])};
    return true;
}

static xml *child_named(xml *in, const char *kind, const char *name, size_t length)
{
    for (xml *c = in->first; c; c = c->next) {
        const char *own = strcmp(c->name, kind) == 0 ? xml_get(c, "name") : NULL;
        if (own && strlen(own) == length && strncmp(own, name, length) == 0)
            return c;
    }
    return NULL;
}

static bool is_at_origin(const char *name)
{
    return !name || strcmp(name, "__model__") == 0;
}

static bool place(const model *m, xml *in, xml *e, int chain, pose *out);

static bool frame(const model *m, xml *in, const char *name, int chain, pose *out)
{
    const char *scope = name ? strstr(name, "::") : NULL;
    size_t length = scope ? (size_t)(scope - name) : name ? strlen(name) : 0;
    *out = pose_none();
    if (is_at_origin(name))
        return true;
    for (int k = scope ? 3 : 0; k < 4; k++) {
        xml *e = child_named(in, kinds[k], name, length);
        pose outer, inner = pose_none();
        if (!e)
            continue;
        if (!place(m, in, e, chain + 1, &outer) || (scope && !frame(m, e, scope + 2, chain + 1, &inner)))
            return false;
        *out = pose_times(outer, inner);
        return true;
    }
    return model_fail(m, in, "no link, joint, frame or model is called \"%.60s\"", name);
}

/* What a pose is relative to where it does not say so: a joint to its child, a frame to what it is attached to. */
static const char *usual_frame(xml *e)
{
    if (strcmp(e->name, "joint") == 0)
        return xml_text_of(e, "child");
    return strcmp(e->name, "frame") == 0 ? xml_get(e, "attached_to") : NULL;
}

static bool place(const model *m, xml *in, xml *e, int chain, pose *out)
{
    const char *relative_to;
    pose own, base;
    if (chain > CHAIN)
        return model_fail(m, e, "poses are relative to each other in a circle");
    if (!sdf_pose(m, e, &own, &relative_to))
        return false;
    const char *usual = usual_frame(e);
    if (strcmp(e->name, "frame") == 0)
        e->taken = true;
    if (!frame(m, in, relative_to ? relative_to : usual, chain + 1, &base))
        return false;
    *out = pose_times(base, own);
    return true;
}

bool sdf_frame(const model *m, xml *in, const char *name, pose *out)
{
    return frame(m, in, name, 0, out);
}

bool sdf_place(const model *m, xml *in, xml *e, pose *out)
{
    return place(m, in, e, 0, out);
}

bool sdf_place_in_link(const model *m, xml *in, xml *link, xml *e, pose *out)
{
    const char *relative_to;
    pose base, at;
    if (!sdf_pose(m, e, out, &relative_to))
        return false;
    if (!relative_to)
        return true;
    if (!sdf_place(m, in, link, &at) || !sdf_frame(m, in, relative_to, &base))
        return false;
    *out = pose_times(pose_inverse(at), pose_times(base, *out));
    return true;
}
