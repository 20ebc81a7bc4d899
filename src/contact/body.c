#include "carom/body.h"

#include "carom/assert.h"
#include "core/num.h"
#include "core/psd.h"
#include "core/rotate.h"
#include "core/vectors.h"

#define UNIT_TOL    1e-6 /* normals, tangents and quaternions this close to unit length are normalised */
#define INERTIA_TOL 1e-6 /* of the trace: how far the triangle inequality may be missed (rounded tables) */

static bool finite_sym3(carom_sym3 m)
{
    return 0 * m.xx + 0 * m.xy + 0 * m.xz + 0 * m.yy + 0 * m.yz + 0 * m.zz == 0;
}

carom_body_def carom_body_def_default(void)
{
    carom_body_def def = {1, {1, 0, 0, 1, 0, 1}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, false, false};
    return def;
}

static bool is_positive_definite(carom_sym3 m)
{
    double minor = difference_of_products(m.xx, m.yy, m.xy, m.xy);
    carom_csym c = {m.xx, m.xy, m.yy, m.xz, m.yz, m.zz};
    return m.xx > 0 && m.yy > 0 && m.zz > 0 && minor > 0 && minors_of(&c).det > 0 && !psd_is_deficient(&c);
}

/* The second moments of mass, tr(I)/2 - I, belong to a real body when they are not negative. */
bool carom_inertia_is_physical(carom_sym3 m)
{
    double half = 0.5 * (m.xx + m.yy + m.zz), slack = INERTIA_TOL * half;
    carom_csym c = {m.xx, m.xy, m.yy, m.xz, m.yz, m.zz};
    double value[3];
    carom_cvec axes[3];
    csym_eigen(&c, value, axes);
    return half - value[2] >= -slack;
}

static carom_sym3 inverse(carom_sym3 m)
{
    carom_sym3 c = {
        difference_of_products(m.yy, m.zz, m.yz, m.yz), difference_of_products(m.xz, m.yz, m.xy, m.zz),
        difference_of_products(m.xy, m.yz, m.xz, m.yy), difference_of_products(m.xx, m.zz, m.xz, m.xz),
        difference_of_products(m.xy, m.xz, m.xx, m.yz), difference_of_products(m.xx, m.yy, m.xy, m.xy),
    };
    double det = m.xx * c.xx + m.xy * c.xy + m.xz * c.xz;
    carom_sym3 out = {c.xx / det, c.xy / det, c.xz / det, c.yy / det, c.yz / det, c.zz / det};
    return out;
}

/* What both kinds of bodies share: motion, and masses of an immovable one. */
static carom_status start(const carom_body_def *def, carom_body *body)
{
    static const carom_body nothing;
    *body = nothing;
    if (!vec_is_finite(def->position) || !vec_is_finite(def->velocity) || !vec_is_finite(def->omega))
        return CAROM_STATUS_NOT_FINITE;
    body->position = def->position;
    body->velocity = def->velocity;
    body->omega = def->omega;
    if (def->fixed)
        return CAROM_STATUS_OK;
    if (!isfinite(def->mass) || !finite_sym3(def->inertia))
        return CAROM_STATUS_NOT_FINITE;
    if (!(def->mass > 0))
        return CAROM_STATUS_BAD_MASS;
    body->mass = def->mass;
    body->inv_mass = 1 / def->mass;
    return isfinite(body->inv_mass) ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

carom_status carom_body_init(const carom_body_def *def, carom_body *body)
{
    CAROM_ASSERT(def && body);
    carom_status status = start(def, body);
    if (status || def->fixed)
        return status;
    carom_quat q = def->orientation;
    double norm = quat_norm(q);
    if (!(fabs(norm - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_ORIENTATION;
    if (!is_positive_definite(def->inertia) || (!def->unphysical && !carom_inertia_is_physical(def->inertia)))
        return CAROM_STATUS_BAD_INERTIA;
    bool turned = q.x != 0 || q.y != 0 || q.z != 0;
    carom_quat unit = {q.w / norm, q.x / norm, q.y / norm, q.z / norm};
    carom_sym3 inv = inverse(def->inertia);
    body->inertia = turned ? quat_turn_sym3(unit, def->inertia) : def->inertia;
    body->inv_inertia = turned ? quat_turn_sym3(unit, inv) : inv;
    return CAROM_STATUS_OK;
}

carom_status carom_body_init_planar(const carom_body_def *def, carom_body *body)
{
    CAROM_ASSERT(def && body);
    carom_status status = start(def, body);
    if (status || def->fixed)
        return status;
    if (!(def->inertia.zz > 0))
        return CAROM_STATUS_BAD_INERTIA;
    body->inertia.zz = def->inertia.zz;
    body->inv_inertia.zz = 1 / def->inertia.zz;
    return CAROM_STATUS_OK;
}

static bool normalise(carom_vec3 *v)
{
    double length = carom_vec3_length(*v);
    if (!(fabs(length - 1) <= UNIT_TOL))
        return false;
    *v = carom_vec3_scale(1 / length, *v);
    return true;
}

/* The part of v orthogonal to n, at unit length. */
static carom_vec3 orthogonal_part(carom_vec3 v, carom_vec3 n)
{
    carom_vec3 t = carom_vec3_sub(v, carom_vec3_scale(carom_vec3_dot(v, n), n));
    t = carom_vec3_scale(1 / carom_vec3_length(t), t);
    t = carom_vec3_sub(t, carom_vec3_scale(carom_vec3_dot(t, n), n));
    return carom_vec3_scale(1 / carom_vec3_length(t), t);
}

carom_status carom_frame_init(carom_vec3 normal, carom_frame *frame)
{
    static const carom_frame standard = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    *frame = standard;
    if (!normalise(&normal))
        return CAROM_STATUS_BAD_NORMAL;
    double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
    carom_vec3 axis = ax <= ay && ax <= az ? standard.t1 : ay <= az ? standard.t2 : standard.n;
    frame->n = normal;
    frame->t1 = orthogonal_part(axis, normal);
    frame->t2 = carom_vec3_cross(frame->n, frame->t1);
    return CAROM_STATUS_OK;
}

carom_status carom_frame_init_t1(carom_vec3 normal, carom_vec3 t1, carom_frame *frame)
{
    carom_status status = carom_frame_init(normal, frame);
    if (status)
        return status;
    if (!normalise(&t1) || !(fabs(carom_vec3_dot(t1, frame->n)) <= UNIT_TOL))
        return CAROM_STATUS_BAD_TANGENT;
    frame->t1 = orthogonal_part(t1, frame->n);
    frame->t2 = carom_vec3_cross(frame->n, frame->t1);
    return CAROM_STATUS_OK;
}

carom_status carom_frame_init_planar(double n_x, double n_y, carom_frame *frame)
{
    carom_vec3 normal = carom_vec3_make(n_x, n_y, 0);
    carom_status status = carom_frame_init(normal, frame);
    if (status)
        return status;
    frame->t1 = carom_vec3_make(frame->n.y, -frame->n.x, 0);
    frame->t2 = carom_vec3_make(0, 0, -1);
    return CAROM_STATUS_OK;
}

carom_status carom_contact_init(carom_vec3 arm_a, carom_vec3 arm_b, carom_vec3 normal, carom_contact *contact)
{
    CAROM_ASSERT(contact);
    contact->arm_a = arm_a;
    contact->arm_b = arm_b;
    contact->planar = false;
    carom_status status = carom_frame_init(normal, &contact->frame);
    return vec_is_finite(arm_a) && vec_is_finite(arm_b) && vec_is_finite(normal) ? status : CAROM_STATUS_NOT_FINITE;
}

static carom_vec3 point_velocity(const carom_body *body, carom_vec3 arm)
{
    return carom_vec3_add(body->velocity, carom_vec3_cross(body->omega, arm));
}

/* Add the share of one body: K_ij = delta_ij / m + (r x e_i) I^-1 (r x e_j). */
static void add_body(const carom_body *body, carom_vec3 arm, const carom_frame *f, carom_csym *K)
{
    if (body->inv_mass == 0) /* immovable */
        return;
    carom_vec3 w1 = carom_vec3_cross(arm, f->t1), w2 = carom_vec3_cross(arm, f->t2), wn = carom_vec3_cross(arm, f->n);
    carom_vec3 v1 = carom_sym3_apply(body->inv_inertia, w1);
    carom_vec3 v2 = carom_sym3_apply(body->inv_inertia, w2);
    carom_vec3 vn = carom_sym3_apply(body->inv_inertia, wn);
    K->t11 += body->inv_mass + carom_vec3_dot(w1, v1);
    K->t12 += carom_vec3_dot(w1, v2);
    K->t22 += body->inv_mass + carom_vec3_dot(w2, v2);
    K->t1n += carom_vec3_dot(w1, vn);
    K->t2n += carom_vec3_dot(w2, vn);
    K->nn += body->inv_mass + carom_vec3_dot(wn, vn);
}

carom_status carom_bodies_reduce(const carom_body *a, const carom_body *b, const carom_contact *contact,
                                 carom_problem *problem)
{
    CAROM_ASSERT(a && b && contact && problem);
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    add_body(a, contact->arm_a, &contact->frame, &pb.K);
    add_body(b, contact->arm_b, &contact->frame, &pb.K);
    carom_vec3 relative = carom_vec3_sub(point_velocity(a, contact->arm_a), point_velocity(b, contact->arm_b));
    pb.u = carom_frame_from_world(contact->frame, relative);
    if (contact->planar)
        pb.K.t12 = pb.K.t22 = pb.K.t2n = pb.u.t2 = 0;
    *problem = pb;
    return pb.K.nn > 0 ? CAROM_STATUS_OK : CAROM_STATUS_IMMOVABLE;
}

static void push(carom_body *body, carom_vec3 arm, carom_vec3 impulse)
{
    carom_vec3 spin = carom_sym3_apply(body->inv_inertia, carom_vec3_cross(arm, impulse));
    body->velocity = carom_vec3_add(body->velocity, carom_vec3_scale(body->inv_mass, impulse));
    body->omega = carom_vec3_add(body->omega, spin);
}

void carom_bodies_apply(const carom_contact *contact, carom_cvec p, carom_body *a, carom_body *b)
{
    CAROM_ASSERT(contact && a && b);
    carom_vec3 impulse = carom_frame_to_world(contact->frame, p);
    push(a, contact->arm_a, impulse);
    push(b, contact->arm_b, carom_vec3_scale(-1, impulse));
}

double carom_body_energy(const carom_body *body)
{
    double linear = body->mass * carom_vec3_dot(body->velocity, body->velocity);
    double angular = carom_vec3_dot(body->omega, carom_sym3_apply(body->inertia, body->omega));
    return 0.5 * (linear + angular);
}
