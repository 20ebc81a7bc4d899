#include "io/request/request.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which request ---- */

static const struct {
    const char *name;
    request_answer *answer;
} requests[] = {
#define CAROM_REQUEST(name) {#name, carom_internal_request_##name},
#include "io/request/requests.def"
#undef CAROM_REQUEST
};

const char *const *carom_request_names(void)
{
    static const char *const names[] = {
#define CAROM_REQUEST(name) #name,
#include "io/request/requests.def"
#undef CAROM_REQUEST
        NULL};
    return names;
}

static request_answer *find(const char *name)
{
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        if (strcmp(requests[i].name, name) == 0)
            return requests[i].answer;
    return NULL;
}

bool request_parse(request *r, const char *options)
{
    const carom_text text = {"options", 1, options, options ? strlen(options) : 0};
    const reader read = {&text, &r->reply->error};
    carom_json *tree = NULL;
    bool fine = !options || reader_parse(&read, "set of options", &tree);
    r->options = tree;
    return fine;
}

bool carom_request(const char *name, const carom_text *document, const char *options, const carom_watcher *watcher,
                   carom_reply *reply)
{
    request r = {.name = name, .text = document, .watcher = watcher, .reply = reply};
    memset(reply, 0, sizeof *reply);
    r.settings.tell = request_tell;
    r.settings.context = &r;
    request_answer *answer = find(name);
    bool fine = answer ? request_parse(&r, options) && answer(&r) : request_fail(&r, "", "no request \"%s\"", name);
    json_decref(r.options);
    if (fine && !reply->answer)
        fine = request_fail(&r, "", "out of memory");
    if (!fine) {
        carom_json_free(reply->answer);
        reply->answer = NULL;
    }
    return fine;
}

void carom_reply_free(carom_reply *reply)
{
    carom_json_free(reply->answer);
    free(reply->warnings);
    memset(reply, 0, sizeof *reply);
}

/* ---- errors and warnings ---- */

bool request_fail(request *r, const char *key, const char *format, ...)
{
    char text[sizeof r->reply->error.rule];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return carom_request_fail(&r->reply->error, key, "%s", text);
}

void request_tell(void *context, carom_warning kind, const carom_case_error *what)
{
    request *r = context;
    carom_reply *reply = r->reply;
    carom_told *longer = realloc(reply->warnings, ((size_t)reply->warning_count + 1) * sizeof *longer);
    if (!longer)
        return;
    reply->warnings = longer;
    longer[reply->warning_count++] = (carom_told){kind, *what};
}

bool request_refuse(request *r, const carom_case *c, carom_status status)
{
    return carom_case_refuse(c, status, &r->reply->error);
}

/* ---- options ---- */

static bool use_law(void *context, const char *text, carom_case_error *error)
{
    return carom_settings_law(context, text, error);
}

static bool use_set(void *context, const char *text, carom_case_error *error)
{
    return carom_settings_set(context, text, error);
}

static bool is_known(const char *key, bool with_settings, const char *const *known)
{
    bool found = with_settings && (strcmp(key, "law") == 0 || strcmp(key, "set") == 0 || strcmp(key, "strict") == 0);
    for (; *known && !found; known++)
        found = strcmp(key, *known) == 0;
    return found;
}

bool request_options(request *r, bool with_settings, const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach(r->options, key, value)
    {
        if (is_known(key, with_settings, known))
            continue;
        const char *hint = carom_nearest(key, known);
        return request_fail(r, key, hint ? "%s has no such option; did you mean \"%s\"?" : "%s has no such option",
                            r->name, hint);
    }
    return !with_settings ||
           (request_each(r, "law", ',', use_law, &r->settings) && request_each(r, "set", ':', use_set, &r->settings) &&
            request_flag(r, "strict", &r->settings.strict));
}

enum { TEXT = 1024 };

static bool put_text(const json_t *value, char between, char *text, size_t room);

/* An object as --set reads it: {"power":{"value":0.8,"q":0.1}}. */
static bool put_object(const json_t *object, char between, char *text, size_t room)
{
    const char *key, *mark = "{";
    json_t *member;
    json_object_foreach((json_t *)object, key, member)
    {
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "%s\"%.30s\":", mark, key);
        mark = ",";
        if (!put_text(member, between, text, room))
            return false;
    }
    const size_t used = strlen(text);
    snprintf(text + used, room - used, "%s}", mark[0] == '{' ? "{" : "");
    return used + 3 < room;
}

/* Add the text of a value; false when it has none or does not fit. */
static bool put_text(const json_t *value, char between, char *text, size_t room)
{
    const size_t used = strlen(text);
    char number[CAROM_NUMBER_SIZE];
    if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            const char mark[] = {between, 0};
            const size_t length = strlen(text);
            snprintf(text + length, room - length, "%s", i ? mark : "");
            if (!put_text(json_array_get(value, i), between, text, room))
                return false;
        }
        return strlen(text) + 1 < room;
    }
    if (json_is_object(value))
        return put_object(value, between, text, room);
    if (json_is_number(value))
        carom_number_print(number, json_number_value(value));
    const char *word = json_is_number(value)    ? number
                       : json_is_string(value)  ? json_string_value(value)
                       : json_is_null(value)    ? "_"
                       : json_is_boolean(value) ? (json_is_true(value) ? "true" : "false")
                                                : NULL;
    return word && used + strlen(word) + 1 < room && snprintf(text + used, room - used, "%s", word) >= 0;
}

/* One text, "KEY=VALUE" with a key. */
static bool use_value(request *r, const char *option, const char *key, const json_t *value, char between,
                      request_use *use, void *context)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%.100s%s", key, key[0] ? "=" : "");
    if (!put_text(value, between, text, sizeof text))
        return request_fail(r, option, "must be numbers and words, and not too long");
    return use(context, text, &r->reply->error);
}

bool request_each(request *r, const char *option, char between, request_use *use, void *context)
{
    const json_t *given = json_object_get(r->options, option);
    const char *key;
    json_t *value;
    if (!given || json_is_null(given))
        return true;
    if (json_is_array(given)) {
        for (size_t i = 0; i < json_array_size(given); i++)
            if (!use_value(r, option, "", json_array_get(given, i), between, use, context))
                return false;
        return true;
    }
    if (!json_is_object(given))
        return use_value(r, option, "", given, between, use, context);
    json_object_foreach(given, key, value)
    {
        if (!use_value(r, option, key, value, between, use, context))
            return false;
    }
    return true;
}

bool request_number(request *r, const char *option, request_range range, double *value)
{
    const json_t *given = json_object_get(r->options, option);
    double number = json_number_value(given);
    if (!given || json_is_null(given))
        return true;
    if (!json_is_number(given) || !(number >= range.least && number <= range.most) ||
        (range.whole && number != floor(number)))
        return request_fail(r, option, "must be a %snumber from %g to %g", range.whole ? "whole " : "", range.least,
                            range.most);
    *value = number;
    return true;
}

bool request_flag(request *r, const char *option, bool *value)
{
    const json_t *given = json_object_get(r->options, option);
    if (given && !json_is_null(given) && !json_is_boolean(given))
        return request_fail(r, option, "must be true or false");
    *value = json_is_boolean(given) ? json_is_true(given) : *value;
    return true;
}

bool request_word(request *r, const char *option, const char **value)
{
    const json_t *given = json_object_get(r->options, option);
    if (given && !json_is_null(given) && !json_is_string(given))
        return request_fail(r, option, "must be a string");
    *value = json_is_string(given) ? json_string_value(given) : *value;
    return true;
}

typedef struct growing {
    char *text;
    bool lost;
} growing;

static bool add_word(void *context, const char *text, carom_case_error *error)
{
    growing *g = context;
    const size_t used = g->text ? strlen(g->text) : 0;
    char *longer = realloc(g->text, used + strlen(text) + 2);
    if (!longer)
        return carom_request_fail(error, "", "out of memory");
    g->text = longer;
    snprintf(longer + used, strlen(text) + 2, "%s%s", used ? "," : "", text);
    return true;
}

char *request_list(request *r, const char *option)
{
    growing g = {NULL, false};
    if (request_each(r, option, ',', add_word, &g) && g.text)
        return g.text;
    free(g.text);
    return NULL;
}

/* ---- documents ---- */

bool request_read(request *r, carom_case *c, bool several)
{
    carom_case_error *error = &r->reply->error;
    memset(c, 0, sizeof *c);
    if (!r->text)
        return request_fail(r, "", "%s takes a case", r->name);
    if (!carom_case_read(r->text, c, error))
        return false;
    char rule[80];
    snprintf(rule, sizeof rule, "%s takes one contact, and this case has several", r->name);
    return several || !c->together || carom_case_blame(c, "", rule, error);
}

bool request_case(request *r, carom_case *c, bool several)
{
    carom_case_error *error = &r->reply->error;
    if (!request_read(r, c, several))
        return false;
    bool named = c->together ? c->together_rule.law || r->settings.together : c->rule.law || r->settings.law;
    return (named ? carom_settings_apply : carom_settings_apply_to_all)(&r->settings, c, error);
}

bool request_scene(request *r, carom_scene_file *file)
{
    memset(file, 0, sizeof *file);
    if (!r->text)
        return request_fail(r, "", "%s takes a scene", r->name);
    return carom_scene_read(r->text, file, &r->reply->error) &&
           carom_settings_apply_to_scene(&r->settings, file, &r->reply->error);
}
