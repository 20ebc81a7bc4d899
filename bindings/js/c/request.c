/* The requests of carom/request.h: texts in, one text out. */
#include <stdlib.h>

#include "carom/json_short.h"
#include "carom/request.h"
#include "js.h"

static char *text; /* of the last answer */

void js_answer(carom_json *tree)
{
    free(text);
    text = json_text(tree, 0);
    json_decref(tree);
}

void js_refuse(const carom_case_error *error)
{
    js_answer(json_pack("{s:{s:s, s:s, s:f, s:f}}", "error", "key", error->key, "rule", error->rule, "line",
                        (double)error->line, "column", (double)error->column));
}

static json_t *warnings_of(const carom_reply *reply)
{
    json_t *list = json_array();
    for (int i = 0; i < reply->warning_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "kind", carom_warning_word(reply->warnings[i].kind),
                                              "message", reply->warnings[i].what.message));
    return list;
}

/* ---- what the package calls ---- */

EXPORT(carom_js_room) void *carom_js_room(size_t bytes)
{
    return malloc(bytes);
}

EXPORT(carom_js_free) void carom_js_free(void *block)
{
    free(block);
}

/* name and options end with a zero byte; bytes may be null. carom_js_text has {answer, warnings} or {error}. */
EXPORT(carom_js_request)
void carom_js_request(const char *name, const char *options, const char *bytes, size_t length)
{
    const carom_text document = {"input", 1, bytes, length};
    carom_reply reply;
    if (carom_request(name, bytes ? &document : NULL, options, NULL, &reply)) {
        js_answer(json_pack("{s:o, s:o}", "answer", reply.answer, "warnings", warnings_of(&reply)));
        reply.answer = NULL;
    } else
        js_refuse(&reply.error);
    carom_reply_free(&reply);
}

/* The text of the last answer, ended by a zero byte; null without memory. */
EXPORT(carom_js_text) const char *carom_js_text(void)
{
    return text;
}
