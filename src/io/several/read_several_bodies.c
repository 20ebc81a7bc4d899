/* Any number of named bodies, and the contacts between them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/several/several.h"

static const char *const contact_keys[] = {"a", "b", "arm_a", "arm_b", "point", "normal", "t1", "coefficients", NULL};
static const place bodies_place = {NULL, "bodies"}, contacts_place = {NULL, "contacts"};

several_name several_contact_name(int i)
{
    several_name name;
    snprintf(name.text, sizeof name.text, "contacts[%d]", i + 1);
    return name;
}

/* One block for coefficients, names, bodies and pairs. */
static bool allocate(const reader *r, carom_case *c, size_t bodies, size_t contacts)
{
    carom_several *s = c->several;
    size_t pair = contacts * sizeof(carom_pair), coeffs = contacts * sizeof(carom_coeffs);
    char *block = several_take(r, pair + coeffs + bodies * (sizeof(carom_body) + sizeof(char *)));
    if (!block)
        return false;
    s->memory = block;
    s->pairs = (carom_pair *)(void *)block;
    s->coeffs = (carom_coeffs *)(void *)(block + pair);
    s->bodies = (carom_body *)(void *)(block + pair + coeffs);
    s->names = (const char **)(void *)(block + pair + coeffs + bodies * sizeof(carom_body));
    s->body_count = (int)bodies;
    return true;
}

static bool read_all_bodies(const reader *r, const json_t *bodies, carom_case *c)
{
    const char *name;
    json_t *object;
    int i = 0;
    json_object_foreach(bodies, name, object)
    {
        place here = {&bodies_place, name};
        if (strcmp(name, "world") == 0)
            return reader_fail(r, &here, "\"world\" is the immovable body; choose another name");
        for (const char *s = name; *s; s++)
            if ((unsigned char)*s < 0x20 || *s == 0x7F)
                return reader_fail(r, &bodies_place, "names must have no control characters");
        c->several->names[i] = name;
        if (!reader_body(r, &here, object, c->dim, &c->several->bodies[i++]))
            return false;
    }
    return true;
}

/* The body named by key "a" or "b"; b may be missing. */
static bool read_side(const reader *r, const place *at, const json_t *contact, const carom_several *s, int *body)
{
    const json_t *value = json_object_get(contact, at->key);
    const char *name = json_string_value(value);
    bool may_be_world = at->key[0] == 'b';
    *body = CAROM_WORLD;
    if (!value)
        return may_be_world || reader_missing(r, at->up, at->key);
    if (!name)
        return reader_fail(r, at, "must be the name of a body");
    if (strcmp(name, "world") == 0)
        return may_be_world || reader_fail(r, at, "must be a body that can move; put \"world\" in \"b\"");
    for (int i = 0; i < s->body_count; i++)
        if (strcmp(s->names[i], name) == 0)
            *body = i;
    return *body >= 0 || reader_fail(r, at, "no body is named \"%.64s\"", name);
}

static bool read_vector(const reader *r, const place *at, const json_t *value, int dim, carom_vec3 *v)
{
    double x[3] = {0, 0, 0};
    if (value && !reader_vector(r, at, value, dim, x))
        return false;
    *v = carom_vec3_make(x[0], x[1], x[2]);
    return true;
}

static bool read_frame(const reader *r, const place *at, const json_t *contact, int dim, carom_frame *frame)
{
    place normal = {at, "normal"}, t1 = {at, "t1"};
    const json_t *tangent = json_object_get(contact, "t1");
    carom_vec3 n, t;
    if (!json_object_get(contact, "normal"))
        return reader_missing(r, at, "normal");
    if (tangent && dim == 2)
        return reader_fail(r, &t1, "has no meaning in a planar case: the tangent is (n_y, -n_x)");
    if (!read_vector(r, &normal, json_object_get(contact, "normal"), dim, &n) || !read_vector(r, &t1, tangent, 3, &t))
        return false;
    carom_status status = dim == 2  ? carom_frame_init_planar(n.x, n.y, frame)
                          : tangent ? carom_frame_init_t1(n, t, frame)
                                    : carom_frame_init(n, frame);
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_NORMAL)
        return reader_fail(r, &normal, "must have length 1 to 1e-6 (has %.9g)", carom_vec3_length(n));
    return status == CAROM_STATUS_OK || reader_refuse(r, &t1, status);
}

/* Arms as given, or from the point and the positions; zero when neither is given. */
static bool read_arms(const reader *r, const place *at, const json_t *contact, const carom_several *s, carom_pair *pair)
{
    place point_place = {at, "point"}, arm_a = {at, "arm_a"}, arm_b = {at, "arm_b"};
    const json_t *point = json_object_get(contact, "point"), *a = json_object_get(contact, "arm_a");
    const json_t *b = json_object_get(contact, "arm_b");
    int dim = pair->contact.planar ? 2 : 3;
    carom_vec3 where;
    if (point && (a || b))
        return reader_fail(r, &point_place, "give either \"point\" or the arms, not both");
    if (!read_vector(r, &arm_a, a, dim, &pair->contact.arm_a) ||
        !read_vector(r, &arm_b, b, dim, &pair->contact.arm_b) || !read_vector(r, &point_place, point, dim, &where))
        return false;
    if (!point)
        return true;
    pair->contact.arm_a = carom_vec3_sub(where, s->bodies[pair->a].position);
    if (pair->b >= 0)
        pair->contact.arm_b = carom_vec3_sub(where, s->bodies[pair->b].position);
    return true;
}

static bool read_contact(const reader *r, const json_t *contact, int i, carom_case *c)
{
    several_name name = several_contact_name(i);
    place here = {NULL, name.text}, a = {&here, "a"}, b = {&here, "b"};
    carom_pair *pair = &c->several->pairs[i];
    pair->contact.planar = c->dim == 2;
    if (!reader_keys(r, &here, contact, contact_keys) || !read_side(r, &a, contact, c->several, &pair->a) ||
        !read_side(r, &b, contact, c->several, &pair->b))
        return false;
    if (pair->a == pair->b)
        return reader_fail(r, &b, "a body cannot touch itself");
    const carom_body *bodies = c->several->bodies;
    if (bodies[pair->a].inv_mass == 0 && (pair->b < 0 || bodies[pair->b].inv_mass == 0)) {
        r->error->status = CAROM_STATUS_IMMOVABLE;
        return reader_fail(r, &here, "both bodies are fixed: at least one must be movable");
    }
    return read_frame(r, &here, contact, c->dim, &pair->contact.frame) &&
           read_arms(r, &here, contact, c->several, pair);
}

bool read_bodies_contacts(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *bodies = json_object_get(document, "bodies"), *contacts = json_object_get(document, "contacts");
    const json_t *normal = json_object_get(json_array_get(contacts, 0), "normal");
    int m = (int)json_array_size(contacts);
    c->source = CAROM_SOURCE_BODIES;
    c->dim = (int)json_array_size(normal);
    if (!json_is_object(bodies) || json_object_size(bodies) == 0)
        return reader_fail(r, &bodies_place, "must be an object of named bodies");
    if (c->dim != 2 && c->dim != 3)
        return reader_fail(r, &contacts_place,
                           "the normal of the first contact must be an array of 3 numbers (or 2 in a planar case)");
    if (!allocate(r, c, json_object_size(bodies), (size_t)m) || !read_all_bodies(r, bodies, c))
        return false;
    for (int i = 0; i < m; i++)
        if (!read_contact(r, json_array_get(contacts, (size_t)i), i, c))
            return false;
    carom_several *s = c->several;
    carom_bodies set = {s->body_count, s->bodies, m, s->pairs, c->dim};
    s->reduced = several_take(r, carom_bodies_size(&set));
    if (!s->reduced)
        return false;
    carom_status status = carom_bodies_contacts(&set, s->reduced, &s->problem);
    r->error->status = status;
    return status == CAROM_STATUS_OK || reader_refuse(r, &contacts_place, status);
}
