/* Requests about the cases and scenes that come with Carom, and about its tables. */
#include <stdlib.h>

#include "carom/conversion.h"
#include "carom/shipped.h"
#include "carom/words.h"
#include "io/request/request.h"

static json_t *entry(const char *word, const carom_shipped *one)
{
    char *title = carom_shipped_title(one);
    json_t *out = json_pack("{s:s, s:s}", word, one->name, "name", title ? title : "");
    free(title);
    return out;
}

/* The list of a shelf, or with "name" one file with its text. */
static bool answer_shelf(request *r, carom_shelf shelf, const char *word)
{
    static const char *const options[] = {"name", NULL};
    const char *name = NULL;
    if (!request_options(r, false, options) || !request_word(r, "name", &name))
        return false;
    const carom_shipped *one = name ? carom_shipped_find(shelf, name) : NULL;
    const char *hint = name && !one ? carom_shipped_nearest(shelf, name) : NULL;
    if (name && !one)
        return request_fail(r, "name", hint ? "no %s \"%s\"; did you mean \"%s\"?" : "no %s \"%s\"", word, name, hint);
    json_t *answer = name ? entry(word, one) : json_array();
    for (int i = 0; !name && (one = carom_shipped_at(shelf, i)); i++)
        json_array_append_new(answer, entry(word, one));
    if (name)
        json_object_set_new(answer, "text", json_string(one->text));
    r->reply->answer = answer;
    return true;
}

bool carom_internal_request_examples(request *r)
{
    return answer_shelf(r, CAROM_SHELF_EXAMPLES, "example");
}

bool carom_internal_request_scenes(request *r)
{
    return answer_shelf(r, CAROM_SHELF_SCENES, "scene");
}

bool carom_internal_request_manifest(request *r)
{
    static const char *const options[] = {NULL};
    r->reply->answer = carom_manifest_json();
    return request_options(r, false, options);
}

/* ---- conversions ---- */

static bool use_value(void *context, const char *text, carom_case_error *error)
{
    return carom_conversion_set(context, text, error);
}

bool carom_internal_request_convert(request *r)
{
    static const char *const options[] = {"kind", "values", NULL};
    carom_conversion c = {0};
    const char *kind = "";
    if (!request_options(r, false, options) || !request_word(r, "kind", &kind) ||
        !request_each(r, "values", ',', use_value, &c) || !carom_conversion_go(&c, kind, &r->reply->error))
        return false;
    json_t *answer = json_object();
    for (int i = 0; i < c.count; i++)
        json_object_set_new(answer, c.names[i], json_real(c.values[i]));
    if (c.warning)
        json_object_set_new(answer, "warning", json_string(c.warning));
    r->reply->answer = answer;
    return true;
}
