/* Bodies and their contacts, spatial or planar: the number of entries of the first normal decides which. One contact is
 * "contact" of the bodies "a" and "b"; an array "contacts" names the bodies of each. */
#include <math.h>
#include <string.h>

#include "io/case/format.h"
#include "io/json/number.h"

static const char *const side_keys[] = {"a", "b", NULL};

static const place bodies_place = {NULL, "bodies"};

bool reader_world(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *v)
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
        return reader_world(r, at, object, dim, omega);
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

bool reader_orientation(const reader *r, const place *at, const json_t *value, int dim, carom_quat *q)
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
    return reader_world(r, &position, object, dim, &def->position) &&
           reader_world(r, &velocity, object, dim, &def->velocity) && read_omega(r, &omega, object, dim, &def->omega) &&
           reader_orientation(r, &orientation, json_object_get(object, "orientation"), dim, &def->orientation);
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

/* One body: mass, inertia, motion. */
static bool reader_body(const reader *r, const place *at, const json_t *object, int dim, carom_body *body)
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

/* ---- all of them ---- */

static bool read_named(const reader *r, const char *name, const json_t *object, int i, carom_case *c)
{
    place here = {&bodies_place, name};
    if (strcmp(name, "world") == 0)
        return reader_fail(r, &here, "\"world\" is the immovable body; choose another name");
    for (const char *s = name; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7F)
            return reader_fail(r, &bodies_place, "names must have no control characters");
    c->names[i] = name;
    return reader_body(r, &here, object, c->dim, &c->bodies[i]) &&
           (c->together || reader_material(r, &here, object, 1 / c->bodies[i].inv_mass, &c->elastic[i]));
}

static bool read_all(const reader *r, const json_t *bodies, carom_case *c)
{
    const char *name;
    json_t *object;
    int i = 0;
    for (int k = 0; k < 2 && !c->together; k++)
        if (!json_object_get(bodies, side_keys[k]))
            return reader_missing(r, &bodies_place, side_keys[k]);
        else if (!read_named(r, side_keys[k], json_object_get(bodies, side_keys[k]), k, c))
            return false;
    json_object_foreach(bodies, name, object)
    {
        if (c->together && !read_named(r, name, object, i++, c))
            return false;
    }
    return true;
}

/* 2 or 3: the number of entries of the first normal; 0 when that is wrong. */
static int dimension(const reader *r, const json_t *document, const carom_case *c)
{
    contact_entry e;
    contact_entry_at(&e, c, document, 0);
    place here = {&e.at, "normal"};
    const json_t *normal = json_object_get(e.value, "normal");
    const size_t size = json_array_size(normal);
    if (!e.value)
        reader_missing(r, NULL, "contact");
    else if (!e.is_listed && !reader_object(r, &e.at, e.value, FORMAT_contact))
        return 0;
    else if (!normal)
        reader_missing(r, &e.at, "normal");
    else if (size == 2 || size == 3)
        return (int)size;
    else
        reader_fail(r, &here, "must be an array of 3 numbers (or 2 in a planar case)");
    return 0;
}

bool reduce_bodies(const reader *r, const place *at, carom_case *c)
{
    const carom_bodies set = {c->body_count, c->bodies, c->count, c->pairs, c->dim};
    if (c->together && !case_reduced(r, c, carom_bodies_size(&set)))
        return false;
    const carom_status status =
        c->together ? carom_bodies_contacts(&set, c->reduced, &c->contacts)
                    : carom_bodies_reduce(&c->bodies[0], &c->bodies[1], &c->pairs->contact, &c->problem);
    r->error->status = status;
    return status == CAROM_STATUS_OK || reader_refuse(r, at, status);
}

bool read_bodies(const reader *r, const json_t *document, carom_case *c)
{
    static const place contacts_place = {NULL, "contacts"};
    const json_t *bodies = json_object_get(document, "bodies");
    if (c->together && (!json_is_object(bodies) || json_object_size(bodies) == 0))
        return reader_fail(r, &bodies_place, "must be an object of named bodies");
    if (!c->together && !reader_keys(r, &bodies_place, bodies, side_keys))
        return false;
    c->dim = dimension(r, document, c);
    if (c->dim == 0 || !case_allocate(r, c, c->together ? json_object_size(bodies) : 2, 0) || !read_all(r, bodies, c))
        return false;
    for (int i = 0; i < c->count; i++)
        if (!read_contact(r, document, i, c))
            return false;
    return reduce_bodies(r, c->together ? &contacts_place : &bodies_place, c);
}
