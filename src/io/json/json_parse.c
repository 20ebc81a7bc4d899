/* A text as a tree of JSON. The parser stands at one byte of the text; where an error is, in lines, columns and keys,
 * is worked out when there is one. The first error stays. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/utf8.h"
#include "io/json/json_tree.h"
#include "io/json/number.h"

enum { QUOTED = 20 };        /* the longest token that a message quotes, in bytes */
enum { END = -1, BAD = -2 }; /* instead of a byte: the text is over, or is not UTF-8 */
enum { TOKEN_END, TOKEN_INVALID, TOKEN_STRING, TOKEN_NUMBER, TOKEN_TRUE, TOKEN_FALSE, TOKEN_NULL }; /* or a byte */

/* An open object or array, and the key whose value is being read or was read last. */
typedef struct level {
    struct level *up;
    const char *key;
} level;

typedef struct parser {
    const char *text;
    size_t length, at;
    size_t start; /* of the token */
    size_t valid; /* up to here the text is known to be UTF-8 */
    bool bad;
    int token;
    char *string; /* of the token */
    size_t string_length, string_room;
    double number;
    long values;
    int depth;
    level *inside;
    carom_json_error *error;
} parser;

/* ---- errors ---- */

static void locate(const parser *p, carom_json_error *e)
{
    e->line = 1;
    e->column = 0;
    for (size_t i = 0; i < p->at; i++) {
        bool first = ((unsigned char)p->text[i] & 0xC0) != 0x80;
        e->line += p->text[i] == '\n';
        e->column = p->text[i] == '\n' ? 0 : e->column + first;
    }
    e->column += e->column == 0;
}

static void write_path(const level *at, char *path)
{
    if (!at)
        return;
    write_path(at->up, path);
    size_t used = strlen(path);
    if (at->key)
        snprintf(path + used, CAROM_JSON_KEY - used, "%s%s", used ? "." : "", at->key);
}

static void fail(parser *p, carom_json_fault fault, const char *format, ...)
{
    carom_json_error *e = p->error;
    char what[CAROM_JSON_MESSAGE / 2];
    size_t quoted = p->at - p->start;
    if (e->fault != CAROM_JSON_FINE)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    locate(p, e);
    write_path(p->inside, e->key);
    bool is_bound = fault == CAROM_JSON_TOO_DEEP || fault == CAROM_JSON_TOO_MANY;
    if (is_bound || quoted > QUOTED || (quoted == 0 && p->bad))
        snprintf(e->text, sizeof e->text, "%s", what);
    else if (quoted > 0)
        snprintf(e->text, sizeof e->text, "%s near '%.*s'", what, (int)quoted, p->text + p->start);
    else
        snprintf(e->text, sizeof e->text, "%s near end of file", what);
    e->fault = quoted == 0 && !p->bad && fault == CAROM_JSON_SYNTAX ? CAROM_JSON_ENDS_EARLY : fault;
}

/* ---- bytes ---- */

/* The length of the UTF-8 character here, or 0. */
static size_t character(const parser *p)
{
    char bytes[5] = "";
    unsigned code;
    size_t left = p->length - p->at;
    memcpy(bytes, p->text + p->at, left < 4 ? left : 4);
    size_t length = (size_t)carom_utf8_decode(bytes, &code);
    return code == CAROM_UTF8_BAD && length == 1 ? 0 : length;
}

static int peek(parser *p)
{
    if (p->at == p->length)
        return END;
    unsigned char byte = (unsigned char)p->text[p->at];
    if (byte >= 0x80 && p->at >= p->valid) {
        size_t length = character(p);
        p->valid = p->at + length;
        p->bad = length == 0;
        if (p->bad) {
            fail(p, CAROM_JSON_SYNTAX, "unable to decode byte 0x%x", byte);
            return BAD;
        }
    }
    return byte;
}

static int next(parser *p)
{
    int c = peek(p);
    p->at += c >= 0;
    return c;
}

static bool take(parser *p, const char *bytes)
{
    int c = peek(p);
    bool fits = c > 0 && strchr(bytes, c);
    p->at += fits;
    return fits;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static int hex_of(int c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* ---- strings ---- */

static bool scan_escape(parser *p)
{
    int c = next(p), digits = c == 'u' ? 4 : 0;
    bool fine = c == 'u' || (c > 0 && strchr("\"\\/bfnrt", c));
    while (fine && digits-- > 0)
        fine = hex_of(next(p)) >= 0;
    if (!fine)
        fail(p, CAROM_JSON_SYNTAX, "invalid escape");
    return fine;
}

/* On to the closing quote. */
static bool scan_string(parser *p)
{
    for (int c = next(p); c != '"'; c = next(p)) {
        if (c == END)
            fail(p, CAROM_JSON_ENDS_EARLY, "premature end of input");
        if (c < 0 || (c == '\\' && !scan_escape(p)))
            return false;
        if (c > 0x1F)
            continue;
        p->at--;
        if (c == '\n')
            fail(p, CAROM_JSON_SYNTAX, "unexpected newline");
        else
            fail(p, CAROM_JSON_SYNTAX, "control character 0x%x", c);
        return false;
    }
    return true;
}

static size_t put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)((0xF0u << (4 - length)) | code);
    return length;
}

static unsigned four_digits(const char *at)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++)
        code = code << 4 | (unsigned)hex_of(at[i]);
    return code;
}

/* The code point of the escape whose digits are at *at; two escapes where it is a pair of surrogates. */
static bool decode_unicode(parser *p, const char **at, unsigned *code)
{
    *code = four_digits(*at);
    *at += 4;
    bool high = *code >= 0xD800 && *code <= 0xDBFF, low = *code >= 0xDC00 && *code <= 0xDFFF;
    if (low || (high && ((*at)[0] != '\\' || (*at)[1] != 'u'))) {
        fail(p, CAROM_JSON_SYNTAX, "invalid Unicode '\\u%04X'", *code);
        return false;
    }
    if (!high)
        return true;
    unsigned second = four_digits(*at + 2);
    *at += 6;
    if (second < 0xDC00 || second > 0xDFFF) {
        fail(p, CAROM_JSON_SYNTAX, "invalid Unicode '\\u%04X\\u%04X'", *code, second);
        return false;
    }
    *code = 0x10000 + ((*code - 0xD800) << 10) + (second - 0xDC00);
    return true;
}

static bool string_has_room(parser *p, size_t length)
{
    if (length <= p->string_room)
        return true;
    char *larger = realloc(p->string, 2 * length);
    p->error->fault = larger ? p->error->fault : CAROM_JSON_NO_MEMORY;
    if (!larger)
        return false;
    p->string = larger;
    p->string_room = 2 * length;
    return true;
}

/* The token without quotes and escapes, which is never longer. */
static bool decode_string(parser *p)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *at = p->text + p->start + 1, *end = p->text + p->at - 1;
    if (!string_has_room(p, p->at - p->start))
        return false;
    char *out = p->string;
    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        const char *letter = strchr(from, at[1]);
        unsigned code = letter ? (unsigned char)to[letter - from] : (unsigned char)at[1];
        bool unicode = at[1] == 'u';
        at += 2;
        if (unicode && !decode_unicode(p, &at, &code))
            return false;
        out += put_utf8(out, code);
    }
    p->string_length = (size_t)(out - p->string);
    *out = 0;
    return true;
}

/* ---- numbers ---- */

static bool scan_digits(parser *p)
{
    if (!is_digit(peek(p)))
        return false;
    while (is_digit(peek(p)))
        p->at++;
    return true;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][-+]?[0-9]+)? */
static bool scan_number(parser *p)
{
    take(p, "-");
    bool fine = take(p, "0") ? !is_digit(peek(p)) : scan_digits(p);
    if (fine && take(p, "."))
        fine = scan_digits(p);
    if (fine && take(p, "eE")) {
        take(p, "+-");
        fine = scan_digits(p);
    }
    return fine;
}

static bool decode_number(parser *p)
{
    p->number = carom_internal_number_read(p->text + p->start, p->at - p->start);
    if (isinf(p->number))
        fail(p, CAROM_JSON_OVERFLOW, "real number overflow");
    return isfinite(p->number);
}

/* ---- tokens ---- */

static int scan_word(parser *p)
{
    static const char *const words[] = {"true", "false", "null"};
    while (is_letter(peek(p)))
        p->at++;
    size_t length = p->at - p->start;
    for (int i = 0; i < 3; i++)
        if (strlen(words[i]) == length && memcmp(words[i], p->text + p->start, length) == 0)
            return TOKEN_TRUE + i;
    return TOKEN_INVALID;
}

static int scan_token(parser *p)
{
    int c = peek(p);
    if (c == END)
        return TOKEN_END;
    if (take(p, "{}[]:,"))
        return c;
    if (take(p, "\""))
        return scan_string(p) && decode_string(p) ? TOKEN_STRING : TOKEN_INVALID;
    if (c == '-' || is_digit(c))
        return scan_number(p) && decode_number(p) ? TOKEN_NUMBER : TOKEN_INVALID;
    if (is_letter(c))
        return scan_word(p);
    p->at += c == BAD ? 0 : character(p); /* a message shows whole characters */
    return TOKEN_INVALID;
}

static void scan(parser *p)
{
    do
        p->start = p->at;
    while (take(p, " \t\n\r"));
    p->token = scan_token(p);
}

/* ---- values ---- */

static carom_json *parse_value(parser *p);

/* The value of a key; the token is the colon. */
static bool parse_entry(parser *p, carom_json *object, const char *key, size_t place)
{
    if (p->token != ':') {
        fail(p, CAROM_JSON_SYNTAX, "':' expected");
        return false;
    }
    level *here = p->inside;
    here->key = key;
    scan(p);
    carom_json *value = parse_value(p);
    bool fine = value && carom_internal_json_add(object, key, place, value);
    here->key = fine ? carom_json_object_key(object, carom_json_object_size(object) - 1) : NULL;
    return fine;
}

/* Key, colon and value; the token is the key. */
static bool parse_member(parser *p, carom_json *object)
{
    if (p->token != TOKEN_STRING)
        fail(p, CAROM_JSON_SYNTAX, "string or '}' expected");
    else if (memchr(p->string, 0, p->string_length))
        fail(p, CAROM_JSON_SYNTAX, "NUL byte in object key not supported");
    else if (carom_internal_json_has(object, p->string))
        fail(p, CAROM_JSON_SYNTAX, "duplicate object key");
    else {
        size_t place = p->at, length = p->string_length + 1;
        char *key = malloc(length);
        if (!key)
            return false;
        memcpy(key, p->string, length);
        scan(p);
        bool fine = parse_entry(p, object, key, place);
        free(key);
        return fine;
    }
    return false;
}

static bool parse_item(parser *p, carom_json *array)
{
    return carom_json_array_append_new(array, parse_value(p)) == 0;
}

/* What is between brackets; null when it breaks a rule. */
static carom_json *parse_list(parser *p, carom_json *list, bool (*parse_one)(parser *, carom_json *), int bracket)
{
    level here = {p->inside, NULL};
    p->inside = &here;
    scan(p);
    bool fine = list != NULL, more = p->token != bracket;
    while (more && (fine = fine && parse_one(p, list))) {
        scan(p);
        more = p->token == ',';
        if (more)
            scan(p);
    }
    if (fine && p->token != bracket) {
        fail(p, CAROM_JSON_SYNTAX, "'%c' expected", bracket);
        fine = false;
    }
    p->inside = here.up;
    if (fine)
        return list;
    carom_json_free(list);
    return NULL;
}

static carom_json *parse_brackets(parser *p)
{
    bool is_object = p->token == '{';
    if (++p->depth > CAROM_JSON_DEPTH) {
        fail(p, CAROM_JSON_TOO_DEEP, "objects and arrays are nested more than %d deep", CAROM_JSON_DEPTH);
        return NULL;
    }
    carom_json *value = is_object ? parse_list(p, carom_json_object(), parse_member, '}')
                                  : parse_list(p, carom_json_array(), parse_item, ']');
    p->depth--;
    return value;
}

static carom_json *parse_string(parser *p)
{
    if (!memchr(p->string, 0, p->string_length))
        return carom_internal_json_string(p->string, p->string_length);
    fail(p, CAROM_JSON_SYNTAX, "\\u0000 is not allowed");
    return NULL;
}

static carom_json *parse_value(parser *p)
{
    if (++p->values > CAROM_JSON_VALUES)
        fail(p, CAROM_JSON_TOO_MANY, "has more than %d values", CAROM_JSON_VALUES);
    if (p->values > CAROM_JSON_VALUES)
        return NULL;
    switch (p->token) {
    case '{':
    case '[':
        return parse_brackets(p);
    case TOKEN_STRING:
        return parse_string(p);
    case TOKEN_NUMBER:
        return carom_json_real(p->number);
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return carom_json_boolean(p->token == TOKEN_TRUE);
    case TOKEN_NULL:
        return carom_json_null();
    default:
        fail(p, CAROM_JSON_SYNTAX, p->token == TOKEN_INVALID ? "invalid token" : "unexpected token");
        return NULL;
    }
}

carom_json *carom_json_parse(const char *bytes, size_t length, carom_json_error *error)
{
    carom_json_error unseen;
    parser p = {.text = bytes, .length = length, .error = error ? error : &unseen};
    *p.error = (carom_json_error){.line = 1, .column = 1};
    scan(&p);
    carom_json *value = parse_value(&p);
    if (value) {
        scan(&p);
        if (p.token != TOKEN_END) {
            fail(&p, CAROM_JSON_SYNTAX, "end of file expected");
            carom_json_free(value);
            value = NULL;
        }
    }
    if (!value && p.error->fault == CAROM_JSON_FINE)
        p.error->fault = CAROM_JSON_NO_MEMORY;
    free(p.string);
    return value;
}
