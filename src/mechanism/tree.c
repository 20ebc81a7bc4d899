/* The model: words of the joints, and the check of a tree of links. */
#include "carom/assert.h"
#include "carom/body.h"
#include "carom/mechanism.h"
#include "core/num.h"
#include "core/psd.h"
#include "core/rotate.h"

#define UNIT_TOL    1e-6 /* axes and quaternions this close to unit length are normalised, as for bodies */
#define INERTIA_TOL 1e-6 /* of the trace: negative or too large principal values within this are rounded tables */

#define ROUND_TOL (32 * EPS) /* of half the trace: principal values below this are rounding in the tensor */

static const struct {
    const char *word, *meaning;
    int coordinates, speeds;
} types[CAROM_JOINT_TYPE_COUNT] = {
#define CAROM_JOINT_TYPE(name, word, coordinates, speeds, meaning) {word, meaning, coordinates, speeds},
#include "carom/joint_types.def"
#undef CAROM_JOINT_TYPE
};

static bool is_type(carom_joint_type type)
{
    return (unsigned)type < CAROM_JOINT_TYPE_COUNT;
}

const char *carom_joint_type_word(carom_joint_type type)
{
    return is_type(type) ? types[type].word : "unknown";
}

const char *carom_joint_type_meaning(carom_joint_type type)
{
    return is_type(type) ? types[type].meaning : "unknown";
}

int carom_joint_type_coordinates(carom_joint_type type)
{
    return is_type(type) ? types[type].coordinates : 0;
}

int carom_joint_type_speeds(carom_joint_type type)
{
    return is_type(type) ? types[type].speeds : 0;
}

carom_link_def carom_link_def_default(void)
{
    carom_link_def def = {CAROM_WORLD, CAROM_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}, {1, 0, 0, 0}, 1,
                          {0, 0, 0},   {1, 0, 0, 1, 0, 1}};
    return def;
}

static bool is_finite(const carom_link_def *d)
{
    double sum = 0 * d->mass + 0 * quat_norm(d->rotation);
    const carom_vec3 *vectors[3] = {&d->axis, &d->origin, &d->com};
    for (int i = 0; i < 3; i++)
        sum += 0 * vectors[i]->x + 0 * vectors[i]->y + 0 * vectors[i]->z;
    carom_sym3 I = d->inertia;
    return sum + 0 * I.xx + 0 * I.xy + 0 * I.xz + 0 * I.yy + 0 * I.yz + 0 * I.zz == 0;
}

/* Principal values >= 0, none above the sum of the other two. root: their square roots along their axes. */
static bool is_inertia(carom_sym3 m, carom_vec3 root[3])
{
    carom_csym c = {m.xx, m.xy, m.yy, m.xz, m.yz, m.zz};
    double value[3], half = 0.5 * (m.xx + m.yy + m.zz), slack = INERTIA_TOL * half;
    carom_cvec axes[3];
    csym_eigen(&c, value, axes);
    for (int i = 0; i < 3; i++) {
        double length = value[i] > ROUND_TOL * half ? sqrt(value[i]) : 0;
        root[i] = carom_vec3_make(length * axes[i].t1, length * axes[i].t2, length * axes[i].n);
    }
    return half >= 0 && value[0] >= -slack && half - value[2] >= -slack;
}

static bool has_axis(carom_joint_type type)
{
    return type == CAROM_JOINT_REVOLUTE || type == CAROM_JOINT_PRISMATIC || type == CAROM_JOINT_PLANAR;
}

/* The axis at unit length and, for planar joints, the directions of x and y. */
static carom_status prepare_axis(carom_link *link)
{
    double length = carom_vec3_length(link->def.axis);
    if (!has_axis(link->def.joint))
        return CAROM_STATUS_OK;
    if (!(fabs(length - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_AXIS;
    link->def.axis = carom_vec3_scale(1 / length, link->def.axis);
    carom_frame frame;
    carom_status status = carom_frame_init(link->def.axis, &frame);
    link->t1 = frame.t1;
    link->t2 = frame.t2;
    return status;
}

static carom_status prepare(const carom_link_def *def, int index, carom_link *link)
{
    static const carom_link nothing;
    *link = nothing;
    if (!is_finite(def))
        return CAROM_STATUS_NOT_FINITE;
    if (def->parent < CAROM_WORLD || def->parent >= index)
        return CAROM_STATUS_BAD_LINK;
    if (!is_type(def->joint))
        return CAROM_STATUS_BAD_JOINT;
    double norm = quat_norm(def->rotation);
    if (!(fabs(norm - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_ORIENTATION;
    if (!(def->mass >= 0))
        return CAROM_STATUS_BAD_MASS;
    if (!is_inertia(def->inertia, link->root))
        return CAROM_STATUS_BAD_INERTIA;
    link->def = *def;
    link->def.rotation = quat_scale(1 / norm, def->rotation);
    link->nq = types[def->joint].coordinates;
    link->nv = types[def->joint].speeds;
    return prepare_axis(link);
}

/* The first leaf without mass, or -1. */
static int find_massless_leaf(carom_link *links, int count)
{
    for (int i = 0; i < count; i++) {
        links[i].is_leaf = true;
        if (links[i].def.parent >= 0)
            links[links[i].def.parent].is_leaf = false;
    }
    int i = 0;
    while (i < count && !(links[i].is_leaf && links[i].def.mass == 0))
        i++;
    return i < count ? i : -1;
}

carom_status carom_mechanism_init(const carom_link_def *defs, int count, carom_link *links, carom_mechanism *mechanism)
{
    CAROM_ASSERT(defs && links && mechanism);
    carom_mechanism m = {0, 0, 0, links, {0, 0, 0}, -1};
    *mechanism = m;
    if (count < 1)
        return CAROM_STATUS_BAD_SIZE;
    for (int i = 0; i < count; i++) {
        carom_status status = prepare(&defs[i], i, &links[i]);
        if (status) {
            mechanism->culprit = i;
            return status;
        }
        links[i].q_at = m.nq;
        links[i].v_at = m.nv;
        m.nq += links[i].nq;
        m.nv += links[i].nv;
    }
    m.culprit = find_massless_leaf(links, count);
    m.count = m.culprit < 0 ? count : 0;
    *mechanism = m;
    return m.culprit < 0 ? CAROM_STATUS_OK : CAROM_STATUS_MASSLESS;
}
