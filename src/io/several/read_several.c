/* A case with several contacts: bodies with an array "contacts", K and u with an array of arrays u, or a mechanism with
 * an array of Jacobians. Contacts are numbered from 1 in messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "io/case/reader.h"
#include "io/several/several.h"

static const place contacts_place = {NULL, "contacts"};
static const place base_place = {NULL, "base"}, law_place = {NULL, "law"};

bool is_several(const json_t *document)
{
    const json_t *u = json_object_get(json_object_get(document, "reduced"), "u");
    const json_t *J = json_object_get(json_object_get(document, "mechanism"), "J");
    bool stroke =
        json_object_get(document, "stroke") && !json_object_get(document, "until"); /* scenes have strokes, too */
    return stroke || json_is_array(json_object_get(document, "contacts")) || json_is_array(json_array_get(u, 0)) ||
           json_is_array(json_array_get(json_array_get(J, 0), 0));
}

void *several_take(const reader *r, size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (!memory)
        reader_fail(r, NULL, "out of memory");
    return memory;
}

/* ---- law, base, coefficients ---- */

static const char *nearest_together(const char *id)
{
    const char *words[16] = {NULL};
    for (int i = 0; i < carom_together_count() && i < 15; i++)
        words[i] = carom_together_at(i)->id;
    const char *hint = carom_nearest(id, words);
    for (int i = 0; hint && i < carom_together_count(); i++)
        if (strcmp(carom_together_at(i)->id, hint) == 0)
            return carom_together_at(i)->id;
    return NULL;
}

bool reader_together(const reader *r, const place *at, const json_t *value, const carom_together **law)
{
    const char *id = json_string_value(value);
    if (!value)
        return true;
    if (!id)
        return reader_fail(r, at, "must be a string, the id of a law");
    *law = carom_together_find(id);
    if (*law)
        return true;
    r->error->status = CAROM_STATUS_NO_LAW;
    if (carom_law_find(id))
        return reader_fail(r, at, "\"%s\" is a law of one contact; give \"%s\": \"sequential\", \"base\": \"%s\"", id,
                           at->key, id);
    const char *hint = nearest_together(id);
    if (hint)
        return reader_fail(r, at, "unknown law \"%s\"; did you mean \"%s\"?", id, hint);
    return reader_fail(r, at, "unknown law \"%s\" of several contacts; `carom laws` lists them", id);
}

static bool read_contact_coefficients(const reader *r, const json_t *contacts, carom_several *s)
{
    for (int i = 0; i < s->problem.count; i++) {
        several_name name = several_contact_name(i);
        place here = {NULL, name.text}, at = {&here, "coefficients"};
        const json_t *object = json_object_get(json_array_get(contacts, (size_t)i), "coefficients");
        if (!reader_coefficients(r, &at, object, &s->coeffs[i]))
            return false;
    }
    return true;
}

/* Name the coefficient and its contact in words. */
static bool blame(const reader *r, const carom_several *s, carom_status status, int contact, carom_coeff culprit)
{
    several_name name = several_contact_name(contact);
    place here = {NULL, name.text}, at = {&here, "coefficients"};
    const carom_coeff_info *info = culprit < CAROM_COEFF_COUNT ? carom_coeff_at(culprit) : NULL;
    place key = {&at, info ? info->name : ""};
    r->error->status = status;
    if (status == CAROM_STATUS_NO_LAW)
        return reader_missing(r, NULL, "law");
    if (status == CAROM_STATUS_BAD_SIZE)
        return reader_fail(r, &contacts_place, "%s takes at most %d contacts (has %d)", s->rule.law->id,
                           s->rule.law->most, s->problem.count);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && culprit == CAROM_COEFF_mu)
        return reader_fail(r, &key, "%s needs a finite mu", s->rule.law->id);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && culprit == CAROM_COEFF_exponent && s->rule.law->uses & CAROM_USES(eta))
        return reader_fail(r, &key, "%s has linear springs where there is friction: exponent is 1", s->rule.law->id);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && info)
        return reader_fail(r, &key, "%s needs the same %s at every contact", s->rule.law->id, info->name);
    if (!info)
        return reader_refuse(r, &here, status);
    return reader_fail(r, &key, "%g is outside its range %s", carom_coeffs_get(&s->coeffs[contact], culprit),
                       info->range);
}

bool check_several(const reader *r, const carom_several *s)
{
    int contact;
    carom_coeff culprit;
    carom_status status = carom_together_check(&s->rule, s->problem.count, &contact, &culprit);
    return status == CAROM_STATUS_OK || blame(r, s, status, contact, culprit);
}

/* A case without a law is to be solved with several: its coefficients alone, by a law that takes all of them. */
static bool check_read(const reader *r, const carom_several *s)
{
    carom_several any = *s;
    if (!any.rule.law)
        any.rule.law = carom_together_find("sequential");
    return check_several(r, &any);
}

static bool read_several_rule(const reader *r, const json_t *document, carom_case *c)
{
    carom_several *s = c->several;
    if (!read_rule(r, document, &c->rule) ||
        !reader_together(r, &law_place, json_object_get(document, "law"), &s->rule.law) ||
        !reader_law(r, &base_place, json_object_get(document, "base"), &s->rule.base))
        return false;
    s->rule.options = c->rule.options;
    s->rule.coeffs = s->coeffs;
    for (int i = 0; i < s->problem.count; i++)
        s->coeffs[i] = c->rule.coeffs;
    const json_t *stroke = json_object_get(document, "stroke");
    bool fine = stroke ? read_stroke_coefficients(r, stroke, s->coeffs)
                       : read_contact_coefficients(r, json_object_get(document, "contacts"), s);
    return fine && check_read(r, s);
}

/* ---- sources ---- */

static bool count_contacts(const reader *r, const json_t *array, int *count)
{
    size_t size = json_array_size(array);
    *count = (int)size;
    if (size == 0)
        return reader_fail(r, &contacts_place, "must hold at least one contact");
    return size <= CAROM_CONTACTS_MOST ||
           reader_fail(r, &contacts_place, "has more than %d contacts", CAROM_CONTACTS_MOST);
}

/* Contacts beside K or J hold coefficients only. */
static bool check_plain_contacts(const reader *r, const json_t *contacts, int count)
{
    static const char *const keys[] = {"coefficients", NULL};
    if (!contacts)
        return true;
    if ((int)json_array_size(contacts) != count)
        return reader_fail(r, &contacts_place, "must hold one object per contact: %d (has %zu)", count,
                           json_array_size(contacts));
    for (int i = 0; i < count; i++) {
        several_name name = several_contact_name(i);
        place here = {NULL, name.text};
        if (!reader_keys(r, &here, json_array_get(contacts, (size_t)i), keys))
            return false;
    }
    return true;
}

static bool refuse(const reader *r, const place *at, carom_status status)
{
    r->error->status = status;
    return status == CAROM_STATUS_OK || reader_refuse(r, at, status);
}

static bool read_speeds(const reader *r, const place *at, const json_t *u, int m, carom_case *c, double *speeds)
{
    c->dim = (int)json_array_size(json_array_get(u, 0));
    if (c->dim != 2 && c->dim != 3)
        return reader_fail(r, at, "must be an array of arrays [t1, t2, n] (or [t, n] in a planar case)");
    return reader_matrix(r, at, u, m, c->dim, speeds);
}

static bool read_reduced_contacts(const reader *r, const json_t *document, carom_case *c)
{
    static const char *const keys[] = {"K", "u", NULL};
    static const place here = {NULL, "reduced"};
    place matrix = {&here, "K"}, velocity = {&here, "u"};
    const json_t *object = json_object_get(document, "reduced"), *u = json_object_get(object, "u");
    if (!reader_keys(r, &here, object, keys))
        return false;
    for (int i = 0; keys[i]; i++)
        if (!json_object_get(object, keys[i]))
            return reader_missing(r, &here, keys[i]);
    int m = (int)json_array_size(u);
    size_t first = json_array_size(json_array_get(u, 0));
    if (m > CAROM_CONTACTS_MOST || first > 3)
        return reader_fail(r, &velocity, "must be an array of at most %d arrays [t1, t2, n] or [t, n]",
                           CAROM_CONTACTS_MOST);
    size_t rows = (size_t)m * 3;
    double *numbers = several_take(r, (rows * rows + rows) * sizeof(double));
    c->several->reduced = several_take(r, carom_contacts_size(m, 3));
    c->several->coeffs = several_take(r, (size_t)m * sizeof(carom_coeffs));
    c->several->memory = c->several->coeffs;
    bool fine = numbers && c->several->reduced && c->several->coeffs &&
                check_plain_contacts(r, json_object_get(document, "contacts"), m) &&
                read_speeds(r, &velocity, u, m, c, numbers) &&
                reader_symmetric(r, &matrix, json_object_get(object, "K"), m * c->dim, numbers + rows);
    fine = fine &&
           refuse(r, &matrix,
                  carom_contacts_from_K(m, c->dim, numbers + rows, numbers, c->several->reduced, &c->several->problem));
    free(numbers);
    c->source = CAROM_SOURCE_REDUCED;
    return fine;
}

static bool find_source(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *contacts = json_object_get(document, "contacts");
    bool bodies = json_object_get(document, "bodies"), reduced = json_object_get(document, "reduced");
    bool mechanism = json_object_get(document, "mechanism"), stroke = json_object_get(document, "stroke");
    int count = 0;
    if (contacts && !count_contacts(r, contacts, &count))
        return false;
    if (json_object_get(document, "contact"))
        return reader_fail(r, &contacts_place, "give either \"contact\" or \"contacts\", not both");
    if (bodies + reduced + mechanism + stroke != 1)
        return reader_fail(r, NULL, "a case has one source: give \"bodies\", \"reduced\", \"mechanism\" or \"stroke\"");
    if (stroke && contacts)
        return reader_fail(r, &contacts_place, "a stroke has its own: \"tip\" and \"table\"");
    return stroke    ? read_stroke_contacts(r, document, c)
           : bodies  ? read_bodies_contacts(r, document, c)
           : reduced ? read_reduced_contacts(r, document, c)
                     : read_mechanism_contacts(r, document, c);
}

bool read_several(const reader *r, const json_t *document, carom_case *c)
{
    c->several = several_take(r, sizeof *c->several);
    return c->several && find_source(r, document, c) && read_several_rule(r, document, c);
}

void several_free(carom_several *s)
{
    if (!s)
        return;
    free(s->memory);
    free(s->reduced);
    free(s);
}

/* ---- what commands change ---- */

const char *carom_case_law(const carom_case *c)
{
    if (c->several)
        return c->several->rule.law ? c->several->rule.law->id : "";
    return c->rule.law ? c->rule.law->id : "";
}

void carom_case_set_coefficient(carom_case *c, carom_coeff i, double value)
{
    carom_coeffs_set(&c->rule.coeffs, i, value);
    for (int k = 0; c->several && k < c->several->problem.count; k++)
        carom_coeffs_set(&c->several->coeffs[k], i, value);
}

void carom_case_set_option(carom_case *c, carom_option i, int choice)
{
    carom_options_set(&c->rule.options, i, choice);
    if (c->several)
        carom_options_set(&c->several->rule.options, i, choice);
}
