/* A text as a tree of JSON, with an error that says what is wrong and where. */
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "io/case/reader.h"

static bool is_blank(const carom_text *text)
{
    for (size_t i = 0; i < text->length; i++)
        if (!strchr(" \t\r\n", text->bytes[i]) || text->bytes[i] == 0)
            return false;
    return true;
}

/* The parser's error as a rule. The key is not known when the text ends early. */
static void syntax_rule(const carom_json_error *said, carom_case_error *e)
{
    if (said->fault == CAROM_JSON_ENDS_EARLY) {
        e->key[0] = 0;
        snprintf(e->rule, sizeof e->rule, "the text ends in the middle of the JSON");
    } else if (said->fault == CAROM_JSON_OVERFLOW)
        snprintf(e->rule, sizeof e->rule, "must be a finite number: %s", said->text);
    else if (strstr(said->text, "near '/") || strstr(said->text, "near '#"))
        snprintf(e->rule, sizeof e->rule, "this is a comment, and JSON has none; \"notes\" holds remarks");
    else
        snprintf(e->rule, sizeof e->rule, "not JSON: %s", said->text);
}

/* "file:line:column: key: rule" */
static bool syntax_error(const reader *r, const carom_json_error *said)
{
    carom_case_error *e = r->error;
    const carom_text *text = r->text;
    snprintf(e->key, sizeof e->key, "%s", said->key);
    syntax_rule(said, e);
    carom_utf8_clean(e->key);
    carom_utf8_clean(e->rule);
    e->line = text->line + said->line - 1;
    e->column = said->column;
    snprintf(e->message, sizeof e->message, "%s:%ld:%ld: %s%s%s", text->file, e->line, e->column, e->key,
             e->key[0] ? ": " : "", e->rule);
    carom_utf8_clean(e->message);
    return false;
}

static bool parse_error(const reader *r, const carom_json_error *said)
{
    switch (said->fault) {
    case CAROM_JSON_NO_MEMORY:
        return reader_fail(r, NULL, "out of memory for a text of %zu bytes", r->text->length);
    case CAROM_JSON_TOO_DEEP:
    case CAROM_JSON_TOO_MANY:
        return reader_fail(r, NULL, "%s", said->text);
    default:
        return syntax_error(r, said);
    }
}

/* What a text editor may leave in a file and the parser has no good word for. */
static const char *not_text(const carom_text *text)
{
    if (text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0)
        return "not JSON: the file begins with a byte-order mark; save it as UTF-8 without one";
    return memchr(text->bytes, 0, text->length) ? "not JSON: there is a NUL byte in it" : NULL;
}

bool reader_parse(const reader *r, const char *what, carom_json **tree)
{
    const carom_text *text = r->text;
    carom_json_error said;
    *tree = NULL;
    if (text->length > CAROM_CASE_BYTES)
        return reader_fail(r, NULL, "longer than %d bytes, the most for one case", CAROM_CASE_BYTES);
    if (!text->bytes)
        return reader_fail(r, NULL, "out of memory for a text of %zu bytes", text->length);
    if (is_blank(text))
        return reader_fail(r, NULL, "empty: no %s in it", what);
    const char *wrong = not_text(text);
    if (wrong)
        return reader_fail(r, NULL, "%s", wrong);
    *tree = carom_json_parse(text->bytes, text->length, &said);
    if (!*tree)
        return parse_error(r, &said);
    return json_is_object(*tree) || reader_fail(r, NULL, "a %s must be a JSON object", what);
}

bool reader_name(const reader *r, const json_t *document, const char **name)
{
    static const place here = {NULL, "name"};
    const json_t *value = json_object_get(document, "name");
    *name = json_string_value(value);
    if (value && !*name)
        return reader_fail(r, &here, "must be a string");
    for (const char *s = *name; s && *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7F)
            return reader_fail(r, &here, "must be one line without control characters");
    return true;
}
