/* One case from its text: JSON, then the keys, then exactly one source, then the rule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
};

enum { SOURCE_COUNT = sizeof sources / sizeof sources[0] };

/* Does this source come with a contact? Bodies and links do; K and u, or M and J, contain it. */
static bool has_contact(const json_t *document, carom_source source)
{
    const json_t *mechanism = json_object_get(document, "mechanism");
    return source == CAROM_SOURCE_BODIES || (source == CAROM_SOURCE_MECHANISM && json_object_get(mechanism, "links"));
}

/* The one source of the case: its place in the table, or -1. */
static int find_source(const reader *r, const json_t *document)
{
    static const place contact = {NULL, "contact"};
    int found = -1;
    bool fine = true;
    for (int i = 0; i < SOURCE_COUNT; i++) {
        if (!json_object_get(document, sources[i].key))
            continue;
        if (found >= 0)
            fine = reader_fail(r, NULL, "a case has one source: give either \"%s\" or \"%s\"", sources[found].key,
                               sources[i].key);
        found = i;
    }
    if (found < 0)
        fine = reader_fail(r, NULL, "no source: give \"bodies\" and \"contact\", or \"reduced\", or \"mechanism\"");
    else if (fine && json_object_get(document, "contact") && !has_contact(document, sources[found].source))
        fine = reader_fail(r, &contact, "belongs to \"bodies\" or to the links of a mechanism; this case has \"%s\"",
                           sources[found].key);
    return fine ? found : -1;
}

static bool read_document(const reader *r, carom_case *c)
{
    if (!reader_parse(r, "case", &c->document))
        return false;
    const json_t *document = c->document;
    if (!reader_name(r, document, &c->name) || !reader_object(r, NULL, document, FORMAT_case))
        return false;
    if (is_several(document))
        return read_several(r, document, c);
    int i = find_source(r, document);
    if (i < 0)
        return false;
    c->source = sources[i].source;
    return sources[i].read(r, document, c) && read_rule(r, document, &c->rule) && read_vibration(r, document, c) &&
           read_saltation(r, document, c) && (c->rule.law ? check_rule(r, &c->rule) : check_coeffs(r, &c->rule)) &&
           check_patch(r, c);
}

bool carom_case_read(const carom_text *text, carom_case *c, carom_case_error *error)
{
    static const carom_case nothing;
    *c = nothing;
    c->text = *text;
    error->status = CAROM_STATUS_OK;
    error->key[0] = error->rule[0] = error->message[0] = 0;
    reader r = {&c->text, error};
    return read_document(&r, c);
}

bool carom_case_check(const carom_case *c, carom_case_error *error)
{
    reader r = {&c->text, error};
    return c->several ? check_several(&r, c->several) : check_rule(&r, &c->rule) && check_patch(&r, c);
}

bool carom_case_check_coeffs(const carom_case *c, carom_case_error *error)
{
    reader r = {&c->text, error};
    return check_coeffs(&r, &c->rule); /* of several contacts: the coefficients of the whole case */
}

void carom_case_free(carom_case *c)
{
    carom_json_free(c->document);
    free(c->storage);
    free(c->vibration);
    free(c->saltation);
    c->saltation = NULL;
    c->vibration = NULL;
    c->rule.vibration = NULL;
    several_free(c->several);
    c->several = NULL;
    c->document = NULL;
    c->storage = NULL;
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
    if (c->several && (status == CAROM_STATUS_NOT_PLANAR || status == CAROM_STATUS_OUT_OF_SCOPE))
        snprintf(rule, sizeof rule, "%s: %s", carom_case_law(c), carom_status_message(status));
    else if (by_law)
        scope_rule(c, status, rule, sizeof rule);
    else
        snprintf(rule, sizeof rule, "%s", carom_status_message(status));
    error->status = status;
    if (c->several && status == CAROM_STATUS_INADMISSIBLE)
        return carom_case_blame(c, "contacts", "opposed contacts that open: no motion satisfies all of them", error);
    return carom_case_blame(c,
                            by_law || (c->several && status == CAROM_STATUS_NOT_PLANAR) ? "law"
                            : status == CAROM_STATUS_INADMISSIBLE                       ? "coefficients"
                                                                                        : "",
                            rule, error);
}
