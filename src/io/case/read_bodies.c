/* Two bodies and their contact, spatial or planar. The number of entries of the normal decides which. */
#include <math.h>
#include <string.h>

#include "io/case/format.h"
#include "io/json/number.h"

static const char *const side_keys[] = {"a", "b", NULL};

static const place bodies_place = {NULL, "bodies"};
static const place contact_place = {NULL, "contact"};

/* A 3-vector, or the (x, y) of a planar case. Absent keys leave it as it was. */
static bool read_world(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *v)
{
    const json_t *value = json_object_get(object, at->key);
    double x[3] = {0, 0, 0};
    if (!value)
        return true;
    if (!reader_vector(r, at, value, dim, x))
        return false;
    *v = carom_vec3_make(x[0], x[1], x[2]);
    return true;
}

static bool read_omega(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *omega)
{
    const json_t *value = json_object_get(object, "omega");
    if (dim == 3 || !value)
        return read_world(r, at, object, dim, omega);
    return reader_number(r, at, value, &omega->z);
}

/* A number in planar cases; three principal values or a 3 x 3 matrix otherwise. */
bool reader_inertia(const reader *r, const place *at, const json_t *value, int dim, carom_sym3 *inertia)
{
    if (dim == 2)
        return reader_number(r, at, value, &inertia->zz);
    double m[9] = {0};
    bool is_matrix = json_is_array(value) && json_is_array(json_array_get(value, 0));
    if (is_matrix ? !reader_symmetric(r, at, value, 3, m) : !reader_vector(r, at, value, 3, m))
        return false;
    carom_sym3 full = {m[0], m[1], m[2], m[4], m[5], m[8]}, principal = {m[0], 0, 0, m[1], 0, m[2]};
    *inertia = is_matrix ? full : principal;
    return true;
}

static bool read_orientation(const reader *r, const place *at, const json_t *value, int dim, carom_quat *q)
{
    double w[4];
    if (!value)
        return true;
    if (dim == 2)
        return reader_fail(r, at, "has no meaning in a planar case");
    if (!reader_vector(r, at, value, 4, w))
        return false;
    carom_quat read = {w[0], w[1], w[2], w[3]};
    *q = read;
    return true;
}

/* The rule that an inertia breaks. A matrix is positive definite when its three leading minors are positive. */
static bool blame_inertia(const reader *r, const place *at, carom_sym3 m, int dim)
{
    double minor = m.xx * m.yy - m.xy * m.xy;
    double det =
        m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
    r->error->status = CAROM_STATUS_BAD_INERTIA;
    if (dim == 2)
        return reader_fail_number(r, at, "must be > 0", m.zz);
    if (!(m.xx > 0 && minor > 0 && det > 0))
        return reader_fail(r, at, "must be positive definite");
    return reader_fail(r, at, "breaks the triangle inequality: no principal value exceeds the sum of the other two");
}

static bool blame_body(const reader *r, const place *at, carom_status status, const carom_body_def *def, int dim)
{
    place mass = {at, "mass"}, inertia = {at, "inertia"}, orientation = {at, "orientation"};
    if (status == CAROM_STATUS_BAD_INERTIA)
        return blame_inertia(r, &inertia, def->inertia, dim);
    if (status == CAROM_STATUS_BAD_ORIENTATION)
        return reader_refuse(r, &orientation, status);
    if (status != CAROM_STATUS_BAD_MASS)
        return reader_refuse(r, at, status);
    r->error->status = status;
    return reader_fail_number(r, &mass, "must be > 0", def->mass);
}

static bool read_motion(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def)
{
    place position = {at, "position"}, velocity = {at, "velocity"}, omega = {at, "omega"};
    place orientation = {at, "orientation"};
    return read_world(r, &position, object, dim, &def->position) &&
           read_world(r, &velocity, object, dim, &def->velocity) && read_omega(r, &omega, object, dim, &def->omega) &&
           read_orientation(r, &orientation, json_object_get(object, "orientation"), dim, &def->orientation);
}

/* The inertia from its inverse, as some papers print it: three principal values or a matrix. */
static bool read_inverse(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def)
{
    place here = {at, "inverse_inertia"};
    carom_sym3 m = {0, 0, 0, 0, 0, 0};
    if (json_object_get(object, "inertia"))
        return reader_fail(r, &here, "give either \"inertia\" or \"inverse_inertia\", not both");
    if (!reader_inertia(r, &here, json_object_get(object, "inverse_inertia"), dim, &m))
        return false;
    if (dim == 2) {
        def->inertia.zz = 1 / m.zz;
        return m.zz > 0 || reader_fail_number(r, &here, "must be > 0", m.zz);
    }
    carom_sym3 c = {m.yy * m.zz - m.yz * m.yz, m.xz * m.yz - m.xy * m.zz, m.xy * m.yz - m.xz * m.yy,
                    m.xx * m.zz - m.xz * m.xz, m.xy * m.xz - m.xx * m.yz, m.xx * m.yy - m.xy * m.xy};
    double det = m.xx * c.xx + m.xy * c.xy + m.xz * c.xz;
    if (!(m.xx > 0 && c.zz > 0 && det > 0))
        return reader_fail(r, &here, "must be positive definite");
    def->inertia = (carom_sym3){c.xx / det, c.xy / det, c.xz / det, c.yy / det, c.yz / det, c.zz / det};
    return true;
}

static bool read_masses(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def)
{
    place inertia = {at, "inertia"};
    const json_t *m = json_object_get(object, "mass"), *I = json_object_get(object, "inertia");
    place density = {at, "density"};
    carom_shape shape = {CAROM_SHAPE_SPHERE, {0, 0, 0}};
    if (json_object_get(object, "shape") && !def->fixed)
        return read_shape_masses(r, at, object, dim, def);
    if (json_object_get(object, "shape") && !read_shape(r, at, object, dim, &shape)) /* only pictures show it */
        return false;
    if (json_object_get(object, "density"))
        return reader_fail(r, &density, "needs a \"shape\"");
    if (!def->fixed && !m)
        return reader_missing(r, at, "mass");
    if (json_object_get(object, "inverse_inertia"))
        return (def->mass = json_number_value(m), read_inverse(r, at, object, dim, def));
    if (!def->fixed && !I)
        return reader_missing(r, at, "inertia");
    def->mass = m ? json_number_value(m) : def->mass;
    return !I || reader_inertia(r, &inertia, I, dim, &def->inertia);
}

bool reader_body(const reader *r, const place *at, const json_t *object, int dim, carom_body *body)
{
    carom_elastic_body elastic;
    carom_body_def def = carom_body_def_default();
    def.unphysical = true; /* and warned of */
    def.fixed = json_is_true(json_object_get(object, "fixed"));
    if (!reader_object(r, at, object, FORMAT_body) || !read_masses(r, at, object, dim, &def) ||
        !read_motion(r, at, object, dim, &def))
        return false;
    carom_status status = dim == 2 ? carom_body_init_planar(&def, body) : carom_body_init(&def, body);
    if (status != CAROM_STATUS_OK)
        return blame_body(r, at, status, &def, dim);
    return reader_material(r, at, object, 1 / body->inv_mass, &elastic);
}

static bool read_body(const reader *r, const json_t *bodies, const char *side, int dim, carom_case *c)
{
    place here = {&bodies_place, side};
    const json_t *object = json_object_get(bodies, side);
    carom_body *body = side[0] == 'a' ? &c->a : &c->b;
    if (!object)
        return reader_missing(r, &bodies_place, side);
    return reader_body(r, &here, object, dim, body) &&
           reader_material(r, &here, object, 1 / body->inv_mass, &c->elastic[side[0] == 'b']);
}

/* The arm from the shape of a body: where it touches the plane of the contact. */
static bool shape_arm(const reader *r, const json_t *document, const char *side, carom_vec3 *arm)
{
    const json_t *object = json_object_get(json_object_get(document, "bodies"), side);
    const json_t *contact = json_object_get(document, "contact");
    place body = {&bodies_place, side}, turn = {&body, "orientation"};
    place here = {&contact_place, side[0] == 'a' ? "arm_a" : "arm_b"};
    carom_shape shape = {CAROM_SHAPE_SPHERE, {0, 0, 0}};
    carom_quat q = {1, 0, 0, 0};
    carom_frame frame;
    int dim = (int)json_array_size(json_object_get(contact, "normal"));
    if (!read_shape(r, &body, object, dim, &shape) || !reader_frame(r, contact, dim, &frame) ||
        !read_orientation(r, &turn, json_object_get(object, "orientation"), dim, &q))
        return false;
    if (dim == 2 && shape.kind != CAROM_SHAPE_DISK)
        return reader_fail(r, &here, "missing key: a planar box or rod has no orientation, so its arm must be given");
    carom_vec3 d = carom_vec3_scale(side[0] == 'a' ? -1 : 1, frame.n);
    if (dim == 3 && carom_shape_touch(&shape, q, d, arm) != CAROM_STATUS_OK)
        return reader_fail(r, &here, "the shape touches along an edge or a face: give the arm, or contact.point");
    if (dim == 2)
        *arm = carom_vec3_scale(shape.size[0], d);
    return true;
}

/* The arm of one body: given, or from the contact point and the position; an immovable body may leave both out. */
static bool read_arm(const reader *r, const json_t *document, const char *side, const carom_body *body, carom_vec3 *arm)
{
    bool is_a = side[0] == 'a', fixed = body->inv_mass == 0;
    const json_t *contact = json_object_get(document, "contact"), *point = json_object_get(contact, "point");
    const json_t *object = json_object_get(json_object_get(document, "bodies"), side);
    place here = {&contact_place, is_a ? "arm_a" : "arm_b"}, point_place = {&contact_place, "point"};
    place side_place = {&bodies_place, side}, position_place = {&side_place, "position"};
    const json_t *given = json_object_get(contact, here.key);
    int dim = (int)json_array_size(json_object_get(contact, "normal"));
    carom_vec3 at = {0, 0, 0};
    if (given && point)
        return reader_fail(r, &here, "give either \"point\" or the arms, not both");
    if (given)
        return read_world(r, &here, contact, dim, arm);
    if (!point && !fixed && json_object_get(object, "shape"))
        return shape_arm(r, document, side, arm);
    if (!point)
        return fixed || reader_missing(r, &contact_place, here.key);
    if (!fixed && !json_object_get(object, "position"))
        return reader_fail(r, &position_place, "missing: contact.point needs the position of every movable body");
    if (!read_world(r, &point_place, contact, dim, &at))
        return false;
    *arm = carom_vec3_sub(at, body->position);
    return true;
}

static bool bad_length(const reader *r, const place *at, double length)
{
    char text[CAROM_NUMBER_SIZE];
    return reader_fail(r, at, "must have length 1 to 1e-6 (has %s)", carom_internal_number_rounded(text, length, 9));
}

bool reader_frame(const reader *r, const json_t *contact, int dim, carom_frame *frame)
{
    place normal = {&contact_place, "normal"}, t1 = {&contact_place, "t1"};
    const json_t *tangent = json_object_get(contact, "t1");
    double n[3] = {0, 0, 0}, t[3];
    if (!reader_vector(r, &normal, json_object_get(contact, "normal"), dim, n))
        return false;
    if (tangent && dim == 2)
        return reader_fail(r, &t1, "has no meaning in a planar case: the tangent is (n_y, -n_x)");
    if (tangent && !reader_vector(r, &t1, tangent, 3, t))
        return false;
    carom_vec3 axis = {n[0], n[1], n[2]};
    carom_status status = dim == 2  ? carom_frame_init_planar(n[0], n[1], frame)
                          : tangent ? carom_frame_init_t1(axis, carom_vec3_make(t[0], t[1], t[2]), frame)
                                    : carom_frame_init(axis, frame);
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_NORMAL)
        return bad_length(r, &normal, carom_vec3_length(axis));
    return status == CAROM_STATUS_OK || reader_refuse(r, &t1, status);
}

/* 2 or 3: the number of entries of contact.normal; 0 when that is wrong. */
static int dimension(const reader *r, const json_t *contact)
{
    place here = {&contact_place, "normal"};
    const json_t *normal = json_object_get(contact, "normal");
    if (!contact)
        reader_missing(r, NULL, "contact");
    else if (!reader_object(r, &contact_place, contact, FORMAT_contact))
        return 0;
    else if (!normal)
        reader_missing(r, &contact_place, "normal");
    else if (json_array_size(normal) == 2 || json_array_size(normal) == 3)
        return (int)json_array_size(normal);
    else
        reader_fail(r, &here, "must be an array of 3 numbers (or 2 in a planar case)");
    return 0;
}

bool read_bodies(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *bodies = json_object_get(document, "bodies"), *contact = json_object_get(document, "contact");
    if (!reader_keys(r, &bodies_place, bodies, side_keys))
        return false;
    c->dim = dimension(r, contact);
    c->contact.planar = c->dim == 2;
    if (c->dim == 0 || !read_body(r, bodies, "a", c->dim, c) || !read_body(r, bodies, "b", c->dim, c) ||
        !reader_frame(r, contact, c->dim, &c->contact.frame) || !read_arm(r, document, "a", &c->a, &c->contact.arm_a) ||
        !read_arm(r, document, "b", &c->b, &c->contact.arm_b))
        return false;
    carom_status status = carom_bodies_reduce(&c->a, &c->b, &c->contact, &c->problem);
    r->error->status = status;
    if (status == CAROM_STATUS_IMMOVABLE)
        return reader_fail(r, &bodies_place, "both bodies are fixed: at least one must be movable");
    return status == CAROM_STATUS_OK || reader_refuse(r, &bodies_place, status);
}
