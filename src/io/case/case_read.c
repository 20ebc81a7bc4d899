/* One case from its text: JSON, then the keys, then exactly one source, then the rule. */
#include <math.h>
#include <stdio.h>

#include "io/case/format.h"

typedef bool read_source(const reader *r, const json_t *document, carom_case *c);

static const struct {
    const char *key;
    carom_source source;
    read_source *read;
} sources[] = {
    {"bodies", CAROM_SOURCE_BODIES, read_bodies},
    {"reduced", CAROM_SOURCE_REDUCED, read_reduced},
    {"mechanism", CAROM_SOURCE_MECHANISM, read_mechanism},
    {"stroke", CAROM_SOURCE_BODIES, read_stroke},
};

enum { SOURCE_COUNT = sizeof sources / sizeof sources[0] };

static const place contact_place = {NULL, "contact"}, contacts_place = {NULL, "contacts"};

/* The one source of the case: its place in the table, or -1. */
static int find_source(const reader *r, const json_t *document)
{
    int found = -1;
    for (int i = 0; i < SOURCE_COUNT; i++) {
        if (!json_object_get(document, sources[i].key))
            continue;
        if (found >= 0)
            return reader_fail(r, NULL, "a case has one source: give either \"%s\" or \"%s\"", sources[found].key,
                               sources[i].key),
                   -1;
        found = i;
    }
    if (found < 0)
        reader_fail(r, NULL, "no source: give \"bodies\" and \"contact\", or \"reduced\", or \"mechanism\"");
    return found;
}

/* ---- contacts ---- */

/* The contacts that an array lists: "contacts", or velocities, or Jacobians. Null: there is one contact, or a stroke.
 */
static const json_t *listed(const json_t *document)
{
    const json_t *contacts = json_object_get(document, "contacts");
    const json_t *u = json_object_get(json_object_get(document, "reduced"), "u");
    const json_t *J = json_object_get(json_object_get(document, "mechanism"), "J");
    return json_is_array(json_array_get(u, 0))                      ? u
           : json_is_array(json_array_get(json_array_get(J, 0), 0)) ? J
           : json_is_array(contacts)                                ? contacts
                                                                    : NULL;
}

static bool count_contacts(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *list = listed(document);
    const bool stroke = json_object_get(document, "stroke");
    const size_t size = list ? json_array_size(list) : stroke ? 2 : 1;
    c->together = list || stroke;
    c->count = (int)size;
    if (size == 0)
        return reader_fail(r, &contacts_place, "must hold at least one contact");
    if (size > CAROM_CONTACTS_MOST)
        return reader_fail(r, &contacts_place, "has more than %d contacts", CAROM_CONTACTS_MOST);
    if (c->together && json_object_get(document, "contact"))
        return reader_fail(r, &contacts_place, "give either \"contact\" or \"contacts\", not both");
    return !stroke || !json_object_get(document, "contacts") ||
           reader_fail(r, &contacts_place, "a stroke has its own: \"tip\" and \"table\"");
}

/* Bodies and links come with a contact; K and u, or M and J, contain it. */
static bool may_have_contact(const reader *r, const json_t *document, int i)
{
    const json_t *mechanism = json_object_get(document, "mechanism");
    const bool has = sources[i].read == read_bodies || json_object_get(mechanism, "links");
    return has || !json_object_get(document, "contact") ||
           reader_fail(r, &contact_place, "belongs to \"bodies\" or to the links of a mechanism; this case has \"%s\"",
                       sources[i].key);
}

bool check_plain_contacts(const reader *r, const json_t *document, const carom_case *c)
{
    static const char *const keys[] = {"coefficients", NULL};
    const json_t *contacts = json_object_get(document, "contacts");
    if (contacts && (int)json_array_size(contacts) != c->count)
        return reader_fail(r, &contacts_place, "must hold one object per contact: %d (has %zu)", c->count,
                           json_array_size(contacts));
    for (int i = 0; contacts && i < c->count; i++) {
        contact_entry e;
        contact_entry_at(&e, c, document, i);
        if (!reader_keys(r, &e.at, e.value, keys))
            return false;
    }
    return true;
}

/* ---- the case ---- */

static bool read_document(const reader *r, carom_case *c)
{
    const json_t *document = c->document;
    if (!reader_name(r, document, &c->name) || !reader_object(r, NULL, document, FORMAT_case) ||
        !count_contacts(r, document, c))
        return false;
    const int i = find_source(r, document);
    if (i < 0 || !may_have_contact(r, document, i))
        return false;
    c->source = sources[i].source;
    if (!sources[i].read(r, document, c) || !read_case_rule(r, document, c))
        return false;
    case_take_speeds(c);
    return (c->together || (read_vibration(r, document, c) && read_saltation(r, document, c))) && check_read_rule(r, c);
}

static reader reader_begin(const carom_text *text, carom_case *c, carom_case_error *error)
{
    static const carom_case nothing;
    *c = nothing;
    c->text = *text;
    error->status = CAROM_STATUS_OK;
    error->key[0] = error->rule[0] = error->message[0] = 0;
    return (reader){&c->text, error};
}

bool carom_case_read(const carom_text *text, carom_case *c, carom_case_error *error)
{
    const reader r = reader_begin(text, c, error);
    return reader_parse(&r, "case", &c->document) && read_document(&r, c);
}

bool carom_case_read_tree(const char *file, carom_json *tree, carom_case *c, carom_case_error *error)
{
    const reader r = reader_begin(&(carom_text){file, 1, NULL, 0}, c, error);
    c->document = json_incref(tree);
    return read_document(&r, c);
}

bool carom_case_check(const carom_case *c, carom_case_error *error)
{
    reader r = {&c->text, error};
    return check_case_rule(&r, c);
}

bool carom_case_check_coeffs(const carom_case *c, carom_case_error *error)
{
    reader r = {&c->text, error};
    return check_coeffs(&r, &c->rule); /* solved together: the coefficients of the whole case */
}

bool carom_case_blame(const carom_case *c, const char *key, const char *rule, carom_case_error *error)
{
    reader r = {&c->text, error};
    place here = {NULL, key};
    return reader_fail(&r, key[0] ? &here : NULL, "%s", rule);
}

/* Why a law does not apply: the meaning of the trait that limits it. */
static void scope_rule(const carom_case *c, carom_status status, char *rule, size_t room)
{
    const carom_law *law = c->rule.law;
    const carom_coeffs *k = &c->rule.coeffs;
    carom_trait limit = law->traits & CAROM_TRAIT_PLANAR_ONLY      ? CAROM_TRAIT_BIT_PLANAR_ONLY
                        : law->traits & CAROM_TRAIT_PRINCIPAL_ONLY ? CAROM_TRAIT_BIT_PRINCIPAL_ONLY
                                                                   : CAROM_TRAIT_COUNT;
    if (status == CAROM_STATUS_OUT_OF_SCOPE && (k->patch > 0 || k->rho > 0))
        snprintf(rule, room, "%s: %s", law->id,
                 !law->patch                                    ? "has no torsion: patch and rho must be 0"
                 : k->rho > 0 && !(law->uses & CAROM_USES(rho)) ? "has no rolling resistance: rho must be 0"
                 : k->mu_s != CAROM_SAME_AS_MU && k->mu_s != k->mu && k->patch > 0
                     ? "a patch has one friction: mu_s must be mu"
                 : isinf(k->mu) ? "a patch needs a finite mu"
                                : "K must be positive definite in the rows of slip and spin");
    else if (limit < CAROM_TRAIT_COUNT)
        snprintf(rule, room, "%s is %s", law->id, carom_trait_meaning(limit));
    else
        snprintf(rule, room, "%s: %s", law->id, carom_status_message(status));
}

bool carom_case_refuse(const carom_case *c, carom_status status, carom_case_error *error)
{
    char rule[sizeof error->rule];
    bool by_law = (status == CAROM_STATUS_NOT_PLANAR || status == CAROM_STATUS_OUT_OF_SCOPE ||
                   status == CAROM_STATUS_UNBOUNDED) &&
                  c->rule.law;
    if (c->together && (status == CAROM_STATUS_NOT_PLANAR || status == CAROM_STATUS_OUT_OF_SCOPE))
        snprintf(rule, sizeof rule, "%s: %s", carom_case_law(c), carom_status_message(status));
    else if (by_law)
        scope_rule(c, status, rule, sizeof rule);
    else
        snprintf(rule, sizeof rule, "%s", carom_status_message(status));
    error->status = status;
    if (c->together && status == CAROM_STATUS_INADMISSIBLE)
        return carom_case_blame(c, "contacts", "opposed contacts that open: no motion satisfies all of them", error);
    return carom_case_blame(c,
                            by_law || (c->together && status == CAROM_STATUS_NOT_PLANAR) ? "law"
                            : status == CAROM_STATUS_INADMISSIBLE                        ? "coefficients"
                                                                                         : "",
                            rule, error);
}
