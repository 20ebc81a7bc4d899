/* A mechanism described by its links: a tree of named links with joints, coordinates, speeds, and contacts. It becomes
 * M, J, qdot like any other mechanism, with K of one contact from the articulated bodies. */
#include <stdlib.h>
#include <string.h>

#include "carom/mechanism.h"
#include "io/case/format.h"
#include "io/case/looks.h"
#include "io/case/read_bond.h"

static const place here = {NULL, "mechanism"};
static const place links_place = {&here, "links"}, q_place = {&here, "q"}, qdot_place = {&here, "qdot"};

/* Everything that is needed only until the case is reduced. */
typedef struct shop {
    int count; /* links, those between two pieces of a joint included: these bear the name of the link they carry */
    const char **names;
    carom_link_def *defs;
    carom_link *links;
    carom_link_state *states;
    carom_freedom *freedoms;
    double *q;
    carom_mechanism mechanism;
} shop;

static bool open_shop(const reader *r, size_t links, shop *s)
{
    const size_t count = BOND_PIECES * links;
    s->names = calloc(count, sizeof *s->names);
    s->defs = calloc(count, sizeof *s->defs);
    s->links = calloc(count, sizeof *s->links);
    s->states = calloc(count, sizeof *s->states);
    s->freedoms = calloc(6 * count, sizeof *s->freedoms);
    s->q = calloc(7 * count, sizeof *s->q);
    bool fine = s->names && s->defs && s->links && s->states && s->freedoms && s->q;
    return fine || reader_fail(r, &here, "out of memory");
}

static void close_shop(shop *s)
{
    free(s->names);
    free(s->defs);
    free(s->links);
    free(s->states);
    free(s->freedoms);
    free(s->q);
}

/* The number of the link with this name; -1 for the world, -2 for none so far. */
static int find(const shop *s, const char *name)
{
    if (strcmp(name, "world") == 0)
        return CAROM_WORLD;
    for (int i = s->count - 1; i >= 0; i--)
        if (strcmp(s->names[i], name) == 0)
            return i;
    return -2;
}

static const char *name_of(const json_t *array, size_t i)
{
    const char *name = json_string_value(json_object_get(json_array_get(array, i), "name"));
    return name ? name : "";
}

/* Links that are not yet read may not be parents; find out why one was not found. */
static bool blame_parent(const reader *r, const place *at, const json_t *array, size_t i, const char *name)
{
    if (strcmp(name_of(array, i), name) == 0)
        return reader_fail(r, at, "the link is its own parent");
    for (size_t k = i + 1; k < json_array_size(array); k++)
        if (strcmp(name_of(array, k), name) == 0)
            return reader_fail(r, at, "\"%.64s\" must be listed before its children (or they form a cycle)", name);
    return reader_fail(r, at, "no link is named \"%.64s\"", name);
}

static bool read_parent(const reader *r, const place *at, const shop *s, const json_t *array, size_t i, int *parent)
{
    const char *name = json_string_value(json_object_get(json_array_get(array, i), "parent"));
    place key = {at, "parent"};
    if (!name)
        return reader_fail(r, &key, "must be the name of a link, or \"world\"");
    *parent = find(s, name);
    return *parent != -2 || blame_parent(r, &key, array, i, name);
}

/* The pieces of the joint, one behind the other; the last is the link itself. */
static void hang(shop *s, const joint_pieces *made, int parent, const char *name)
{
    for (int k = 0; k < made->count; k++) {
        s->names[s->count] = name;
        s->defs[s->count] = made->pieces[k];
        s->defs[s->count].parent = k == 0 ? parent : s->count - 1;
        s->count++;
    }
}

static bool read_link(const reader *r, const json_t *array, size_t i, shop *s)
{
    const json_t *object = json_array_get(array, i);
    place at = {&links_place, name_of(array, i)}, joint = {&at, "joint"};
    place com = {&at, "com"}, inertia = {&at, "inertia"};
    int parent;
    joint_pieces made;
    if (!reader_object(r, &at, object, FORMAT_link) || !read_parent(r, &at, s, array, i, &parent) ||
        !read_bond(r, &joint, json_object_get(object, "joint"), &made))
        return false;
    if (s->count + made.count > CAROM_CASE_LINKS)
        return reader_fail(r, &joint, "the pieces of the joints are more than %d links", CAROM_CASE_LINKS);
    hang(s, &made, parent, name_of(array, i));
    carom_link_def *def = &s->defs[s->count - 1];
    def->mass = json_number_value(json_object_get(object, "mass"));
    return reader_inertia(r, &inertia, json_object_get(object, "inertia"), 3, &def->inertia) &&
           read_vec3(r, &com, json_object_get(object, "com"), &def->com);
}

static bool check_names(const reader *r, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *name = name_of(array, i);
        const int number = (int)i + 1;
        if (!name[0])
            return reader_fail(r, &links_place, "link %d needs a \"name\"", number);
        if (strlen(name) > CAROM_CASE_LINK_NAME)
            return reader_fail(r, &links_place, "link %d has a name of more than %d bytes", number,
                               CAROM_CASE_LINK_NAME);
        if (strcmp(name, "world") == 0)
            return reader_fail(r, &links_place, "link %d is named \"world\"; that name means the ground", number);
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, name_of(array, j)) == 0)
                return reader_fail(r, &links_place, "two links are named \"%.64s\"", name);
    }
    return true;
}

static bool blame_link(const reader *r, const shop *s, carom_status status)
{
    place at = {&links_place, s->mechanism.culprit < 0 ? "" : s->names[s->mechanism.culprit]}, joint = {&at, "joint"};
    place axis = {&joint, "axis"}, rotation = {&joint, "rotation"}, mass = {&at, "mass"}, inertia = {&at, "inertia"};
    r->error->status = status;
    if (s->mechanism.culprit < 0)
        return reader_refuse(r, &links_place, status);
    if (status == CAROM_STATUS_BAD_MASS)
        return reader_fail(r, &mass, "must be >= 0");
    if (status == CAROM_STATUS_MASSLESS)
        return reader_fail(r, &mass, "the last link of a branch must have mass");
    if (status == CAROM_STATUS_BAD_INERTIA)
        return reader_fail(r, &inertia, "must be positive semi-definite and satisfy the triangle inequality");
    bool by_axis = status == CAROM_STATUS_BAD_AXIS, by_turn = status == CAROM_STATUS_BAD_ORIENTATION;
    return reader_refuse(r, by_axis ? &axis : by_turn ? &rotation : &at, status);
}

static bool read_tree(const reader *r, const json_t *array, shop *s)
{
    if (!check_names(r, array))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!read_link(r, array, i, s))
            return false;
    carom_status status = carom_mechanism_init(s->defs, s->count, s->links, &s->mechanism);
    if (status)
        return blame_link(r, s, status);
    if (s->mechanism.nv > CAROM_CASE_SPEEDS)
        return reader_fail(r, &links_place, "the joints have more than %d speeds together", CAROM_CASE_SPEEDS);
    return s->mechanism.nv > 0 || reader_fail(r, &links_place, "every joint is fixed: nothing can move");
}

static bool place_tree(const reader *r, const shop *s, carom_motion *motion)
{
    carom_status status = carom_motion_place(motion);
    if (!status)
        return true;
    place at = {&links_place, motion->culprit < 0 ? "" : s->names[motion->culprit]};
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_ORIENTATION)
        return reader_fail(r, &q_place, "the quaternion of link \"%.64s\" must have length 1 (to 1e-6)",
                           s->names[motion->culprit]);
    return reader_refuse(r, &at, status);
}

/* A link named by the contact; world only where it is allowed. */
static bool read_side(const reader *r, const shop *s, const contact_entry *e, const char *key, int *link)
{
    place at = {&e->at, key};
    const json_t *value = json_object_get(e->value, key);
    const char *name = json_string_value(value);
    int found = name ? find(s, name) : -2;
    bool world = found == CAROM_WORLD && strcmp(key, "against") == 0;
    if (value && !name)
        return reader_fail(r, &at, "must be the name of a link");
    if (value && found < 0 && !world)
        return reader_fail(r, &at, "no link is named \"%.64s\"", name);
    *link = value ? found : CAROM_WORLD;
    return true;
}

/* Its keys; contacts of an array may have coefficients of their own. */
static bool check_keys(const reader *r, const contact_entry *e)
{
    json_t *bare = e->is_listed ? json_copy((json_t *)e->value) : NULL;
    json_object_del(bare, "coefficients");
    const bool fine = reader_object(r, &e->at, bare ? bare : e->value, FORMAT_link_contact);
    json_decref(bare);
    return fine;
}

static bool read_contact_of(const reader *r, const contact_entry *e, const shop *s, carom_motion *motion,
                            carom_touch *touch)
{
    place point_place = {&e->at, "point"}, against = {&e->at, "against"};
    carom_vec3 point = {0, 0, 0};
    if (!e->value)
        return reader_missing(r, NULL, e->key);
    if (!check_keys(r, e) || !read_side(r, s, e, "link", &touch->link_a) ||
        !read_side(r, s, e, "against", &touch->link_b) ||
        !read_vec3(r, &point_place, json_object_get(e->value, "point"), &point))
        return false;
    if (touch->link_a == touch->link_b)
        return reader_fail(r, &against, "a link cannot strike itself");
    touch->a = motion;
    touch->b = touch->link_b == CAROM_WORLD ? NULL : motion;
    touch->point = carom_motion_point(motion, touch->link_a, point);
    return reader_frame(r, &e->at, e->value, 3, &touch->frame);
}

static bool read_state(const reader *r, const json_t *document, shop *s, carom_motion *motion)
{
    const json_t *object = json_object_get(document, "mechanism");
    return reader_vector(r, &q_place, json_object_get(object, "q"), s->mechanism.nq, motion->q) &&
           reader_vector(r, &qdot_place, json_object_get(object, "qdot"), s->mechanism.nv, motion->qdot) &&
           place_tree(r, s, motion);
}

/* One contact has K from the articulated bodies; M and J give the factors that apply needs. */
static bool reduce_one(const reader *r, const carom_touch *touch, carom_case *c)
{
    const place contact = {NULL, "contact"};
    carom_problem dense;
    carom_status status = carom_touch_reduce(touch, &c->problem);
    if (!status)
        status = carom_generalized_reduce(&c->mechanism, &dense);
    return status == CAROM_STATUS_OK || reader_refuse(r, status == CAROM_STATUS_IMMOVABLE ? &contact : &here, status);
}

/* M, J with room for all rows, speeds, workspace, rows. */
static bool allocate(const reader *r, carom_case *c, int speeds)
{
    const size_t n = (size_t)speeds, rows = CAROM_PATCH_SIZE * (size_t)c->count * n;
    if (!case_allocate(r, c, 0, n * n + 2 * rows + n + CAROM_GENERALIZED_WORK(n)))
        return false;
    double *J = c->numbers + n * n, *qdot = J + rows, *work = qdot + n;
    c->mechanism = (carom_generalized){speeds, 3, c->numbers, J, qdot, work};
    c->rows = work + CAROM_GENERALIZED_WORK(n);
    c->dim = 3;
    return true;
}

static bool read_all(const reader *r, const json_t *document, carom_case *c, shop *s)
{
    const json_t *object = json_object_get(document, "mechanism");
    carom_touch touch = {0};
    if (!read_tree(r, json_object_get(object, "links"), s) || !allocate(r, c, s->mechanism.nv))
        return false;
    const ptrdiff_t n = c->mechanism.n;
    double *M = c->numbers;
    carom_motion motion = {&s->mechanism, s->q,        M + n * n + CAROM_PATCH_SIZE * c->count * n,
                           s->states,     s->freedoms, -1};
    if (!read_state(r, document, s, &motion))
        return false;
    carom_motion_mass_matrix(&motion, M);
    for (int i = 0; i < c->count; i++) {
        contact_entry e;
        contact_entry_at(&e, c, document, i);
        if (!read_contact_of(r, &e, s, &motion, &touch))
            return false;
        c->pairs[i].contact.frame = touch.frame;
        double *rows = c->rows + CAROM_PATCH_SIZE * i * n;
        carom_touch_jacobian(&touch, touch.a, rows);
        carom_touch_spin_jacobian(&touch, touch.a, rows + 3 * n);
    }
    take_rows(c, c->together ? 3 : CAROM_PATCH_SIZE);
    return c->together ? reduce_mechanism(r, c) : reduce_one(r, &touch, c);
}

bool read_links(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "mechanism"), *array = json_object_get(object, "links");
    if (!reader_object(r, &here, object, FORMAT_linkage))
        return false;
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count == 0 || count > CAROM_CASE_LINKS)
        return reader_fail(r, &links_place, "must be an array of 1 to %d links", CAROM_CASE_LINKS);
    shop s = {0};
    bool fine = open_shop(r, count, &s) && read_all(r, document, c, &s);
    close_shop(&s);
    return fine;
}

/* ---- for pictures ---- */

static void fill_looks(const shop *s, const carom_motion *motion, const carom_touch *touch, links_look *look)
{
    look->count = s->count;
    look->link = touch->link_a;
    look->against = touch->link_b;
    look->point = touch->point;
    look->axes = touch->frame;
    for (int i = 0; i < s->count; i++) {
        carom_vec3 com = carom_motion_point(motion, i, s->defs[i].com);
        look->list[i] = (link_look){s->names[i], s->defs[i].parent, s->defs[i].joint, s->states[i].origin, com};
    }
}

bool look_links(const carom_case *c, int i, links_look *look)
{
    carom_case_error error;
    reader r = {&c->text, &error};
    const json_t *array = json_object_get(json_object_get(c->document, "mechanism"), "links");
    size_t count = json_array_size(array);
    shop s = {0};
    carom_touch touch;
    contact_entry e;
    if (count == 0)
        return false;
    contact_entry_at(&e, c, c->document, i);
    bool fine = open_shop(&r, count, &s) && read_tree(&r, array, &s);
    double *qdot = calloc(fine ? (size_t)s.mechanism.nv : 1, sizeof *qdot);
    carom_motion motion = {&s.mechanism, s.q, qdot, s.states, s.freedoms, -1};
    look->list = calloc((size_t)s.count + 1, sizeof *look->list);
    fine = fine && qdot && look->list && read_state(&r, c->document, &s, &motion) &&
           read_contact_of(&r, &e, &s, &motion, &touch);
    if (fine)
        fill_looks(&s, &motion, &touch, look);
    else
        free(look->list);
    free(qdot);
    close_shop(&s);
    return fine;
}
