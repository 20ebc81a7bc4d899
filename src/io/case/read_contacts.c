/* The contacts of bodies: which of them touch, where, and the frame there. */
#include <stdio.h>
#include <string.h>

#include "io/case/format.h"
#include "io/json/number.h"

static const char *const listed_keys[] = {"a", "b", "arm_a", "arm_b", "point", "normal", "t1", "coefficients", NULL};

static const place bodies_place = {NULL, "bodies"};

void contact_entry_at(contact_entry *e, const carom_case *c, const json_t *document, int i)
{
    e->is_listed = c->together;
    snprintf(e->key, sizeof e->key, "contact");
    if (e->is_listed)
        snprintf(e->key, sizeof e->key, "contacts[%d]", i + 1);
    e->at = (place){NULL, e->key};
    e->value = e->is_listed ? json_array_get(json_object_get(document, "contacts"), (size_t)i)
                            : json_object_get(document, "contact");
}

/* A body of a contact, and where it stands in the file. */
typedef struct side {
    bool is_a;
    const carom_body *body; /* null: the world */
    const json_t *object;
    place at; /* bodies.NAME */
} side;

static side side_of(const carom_case *c, const json_t *document, const carom_pair *pair, bool is_a)
{
    const int i = is_a ? pair->a : pair->b;
    side s = {.is_a = is_a, .at = {&bodies_place, i < 0 ? "" : c->names[i]}};
    s.body = i < 0 ? NULL : &c->bodies[i];
    s.object = i < 0 ? NULL : json_object_get(json_object_get(document, "bodies"), c->names[i]);
    return s;
}

/* The arm from the shape of a body: where it touches the plane of the contact. */
static bool shape_arm(const reader *r, const side *s, const carom_contact *contact, const place *here, carom_vec3 *arm)
{
    place turn = {&s->at, "orientation"};
    carom_shape shape = {CAROM_SHAPE_SPHERE, {0, 0, 0}};
    carom_quat q = {1, 0, 0, 0};
    const int dim = contact->planar ? 2 : 3;
    if (!read_shape(r, &s->at, s->object, dim, &shape) ||
        !reader_orientation(r, &turn, json_object_get(s->object, "orientation"), dim, &q))
        return false;
    if (dim == 2 && shape.kind != CAROM_SHAPE_DISK)
        return reader_fail(r, here, "missing key: a planar box or rod has no orientation, so its arm must be given");
    carom_vec3 d = carom_vec3_scale(s->is_a ? -1 : 1, contact->frame.n);
    if (dim == 3 && carom_shape_touch(&shape, q, d, arm) != CAROM_STATUS_OK)
        return reader_fail(r, here, "the shape touches along an edge or a face: give the arm, or contact.point");
    if (dim == 2)
        *arm = carom_vec3_scale(shape.size[0], d);
    return true;
}

/* The arm of one body: given, or from the contact point and the position. Of one contact, the shape may tell; only an
 * immovable body may leave it out. */
static bool read_arm(const reader *r, const contact_entry *e, const side *s, carom_contact *contact)
{
    const json_t *point = json_object_get(e->value, "point");
    place here = {&e->at, s->is_a ? "arm_a" : "arm_b"}, point_place = {&e->at, "point"};
    place position_place = {&s->at, "position"};
    const json_t *given = json_object_get(e->value, here.key);
    carom_vec3 at = {0, 0, 0}, *arm = s->is_a ? &contact->arm_a : &contact->arm_b;
    const int dim = contact->planar ? 2 : 3;
    const bool fixed = !s->body || s->body->inv_mass == 0, free_arm = fixed || e->is_listed;
    if (given && point)
        return reader_fail(r, &here, "give either \"point\" or the arms, not both");
    if (given)
        return reader_world(r, &here, e->value, dim, arm);
    if (!point && !free_arm && json_object_get(s->object, "shape"))
        return shape_arm(r, s, contact, &here, arm);
    if (!point)
        return free_arm || reader_missing(r, &e->at, here.key);
    if (!free_arm && !json_object_get(s->object, "position"))
        return reader_fail(r, &position_place, "missing: contact.point needs the position of every movable body");
    if (!reader_world(r, &point_place, e->value, dim, &at))
        return false;
    if (s->body)
        *arm = carom_vec3_sub(at, s->body->position);
    return true;
}

static bool bad_length(const reader *r, const place *at, double length)
{
    char text[CAROM_NUMBER_SIZE];
    return reader_fail(r, at, "must have length 1 to 1e-6 (has %s)", carom_internal_number_rounded(text, length, 9));
}

bool reader_frame(const reader *r, const place *at, const json_t *contact, int dim, carom_frame *frame)
{
    place normal = {at, "normal"}, t1 = {at, "t1"};
    const json_t *tangent = json_object_get(contact, "t1");
    double n[3] = {0, 0, 0}, t[3];
    if (!json_object_get(contact, "normal"))
        return reader_missing(r, at, "normal");
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

/* The body that a contact of an array names under "a" or "b"; b may be missing. */
static bool read_side(const reader *r, const place *at, const json_t *contact, const carom_case *c, int *body)
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
    for (int i = 0; i < c->body_count; i++)
        if (strcmp(c->names[i], name) == 0)
            *body = i;
    return *body >= 0 || reader_fail(r, at, "no body is named \"%.64s\"", name);
}

static bool read_sides(const reader *r, const contact_entry *e, const carom_case *c, carom_pair *pair)
{
    place a = {&e->at, "a"}, b = {&e->at, "b"};
    if (!e->is_listed) {
        pair->a = 0;
        pair->b = 1;
    } else if (!reader_keys(r, &e->at, e->value, listed_keys) || !read_side(r, &a, e->value, c, &pair->a) ||
               !read_side(r, &b, e->value, c, &pair->b))
        return false;
    if (pair->a == pair->b)
        return reader_fail(r, &b, "a body cannot touch itself");
    if (c->bodies[pair->a].inv_mass > 0 || (pair->b >= 0 && c->bodies[pair->b].inv_mass > 0))
        return true;
    r->error->status = CAROM_STATUS_IMMOVABLE;
    return reader_fail(r, e->is_listed ? &e->at : &bodies_place, "both bodies are fixed: at least one must be movable");
}

bool read_contact(const reader *r, const json_t *document, int i, carom_case *c)
{
    contact_entry e;
    carom_pair *pair = &c->pairs[i];
    contact_entry_at(&e, c, document, i);
    pair->contact.planar = c->dim == 2;
    if (!read_sides(r, &e, c, pair) || !reader_frame(r, &e.at, e.value, c->dim, &pair->contact.frame))
        return false;
    const side a = side_of(c, document, pair, true), b = side_of(c, document, pair, false);
    return read_arm(r, &e, &a, &pair->contact) && read_arm(r, &e, &b, &pair->contact);
}
