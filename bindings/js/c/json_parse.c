/* A text as a tree of JSON, with jansson's messages. The parser stands at one byte of the text; where an error is,
 * in lines and columns, is counted when there is one. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"

enum { DEEPEST = 2048, QUOTED = 20 }; /* levels; the longest token that a message quotes, in bytes */
enum { END = -1, BAD = -2 };          /* instead of a byte: the text is over, or is not UTF-8 */
enum { TOKEN_END, TOKEN_INVALID, TOKEN_STRING, TOKEN_NUMBER, TOKEN_TRUE, TOKEN_FALSE, TOKEN_NULL }; /* or a byte */

typedef struct parser {
    const char *text;
    size_t length, at;
    size_t start;  /* of the token */
    size_t within; /* bytes of a sequence that are known to be UTF-8 */
    bool bad;
    int token;
    char *string; /* of the token */
    size_t string_length;
    json_t *number;
    size_t flags;
    int depth;
    json_error_t *error;
} parser;

/* ---- errors ---- */

static void locate(const parser *p, json_error_t *e)
{
    e->line = 1;
    e->column = 0;
    for (size_t i = 0; i < p->at; i++) {
        bool first = ((unsigned char)p->text[i] & 0xC0) != 0x80;
        e->line += p->text[i] == '\n';
        e->column = p->text[i] == '\n' ? 0 : e->column + first;
    }
    e->position = (int)p->at;
}

/* The first error stays. */
static void fail(parser *p, enum json_error_code code, const char *format, ...)
{
    json_error_t *e = p->error;
    char what[JSON_ERROR_TEXT_LENGTH / 2];
    size_t quoted = p->at - p->start;
    if (!e || e->text[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    locate(p, e);
    if (quoted > QUOTED || (quoted == 0 && p->bad))
        snprintf(e->text, sizeof e->text - 1, "%s", what);
    else if (quoted > 0)
        snprintf(e->text, sizeof e->text - 1, "%s near '%.*s'", what, (int)quoted, p->text + p->start);
    else
        snprintf(e->text, sizeof e->text - 1, "%s near end of file", what);
    bool over = quoted == 0 && code == json_error_invalid_syntax;
    e->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)(over ? json_error_premature_end_of_input : code);
}

/* ---- bytes ---- */

static int next(parser *p)
{
    if (p->bad)
        return BAD;
    if (p->at == p->length)
        return END;
    unsigned char byte = (unsigned char)p->text[p->at];
    if (byte >= 0x80 && p->within == 0) {
        p->within = json_utf8_length(p->text + p->at, p->length - p->at);
        if (p->within == 0) {
            p->bad = true;
            fail(p, json_error_invalid_utf8, "unable to decode byte 0x%x", byte);
            return BAD;
        }
    }
    p->within -= p->within > 0;
    p->at++;
    return byte;
}

/* Undo the last step, which read c: a byte that begins a sequence, END or BAD. */
static void back(parser *p, int c)
{
    p->at -= c >= 0;
    p->within = 0;
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
        fail(p, json_error_invalid_syntax, "invalid escape");
    return fine;
}

/* On to the closing quote. */
static bool scan_string(parser *p)
{
    for (int c = next(p); c != '"'; c = next(p)) {
        if (c == END)
            fail(p, json_error_premature_end_of_input, "premature end of input");
        if (c < 0)
            return false;
        if (c == '\\' && !scan_escape(p))
            return false;
        if (c > 0x1F)
            continue;
        back(p, c);
        if (c == '\n')
            fail(p, json_error_invalid_syntax, "unexpected newline");
        else
            fail(p, json_error_invalid_syntax, "control character 0x%x", c);
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
        fail(p, json_error_invalid_syntax, "invalid Unicode '\\u%04X'", *code);
        return false;
    }
    if (!high)
        return true;
    unsigned second = four_digits(*at + 2);
    *at += 6;
    if (second < 0xDC00 || second > 0xDFFF) {
        fail(p, json_error_invalid_syntax, "invalid Unicode '\\u%04X\\u%04X'", *code, second);
        return false;
    }
    *code = 0x10000 + ((*code - 0xD800) << 10) + (second - 0xDC00);
    return true;
}

/* The token without quotes and escapes, which is never longer. */
static bool decode_string(parser *p)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *at = p->text + p->start + 1, *end = p->text + p->at - 1;
    p->string = json_room(p->at - p->start);
    char *out = p->string;
    while (out && at < end) {
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
    p->string_length = out ? (size_t)(out - p->string) : 0;
    if (out)
        *out = 0;
    return out != NULL;
}

/* ---- numbers ---- */

static int digits(parser *p)
{
    int c;
    do
        c = next(p);
    while (is_digit(c));
    return c;
}

/* The byte behind the number, which is read; 0 where it is none. */
static int scan_digits(parser *p, int c)
{
    if (c == '-')
        c = next(p);
    if (!is_digit(c)) {
        back(p, c);
        return 0;
    }
    c = c == '0' ? next(p) : digits(p);
    if (p->text[p->at - 1 - (c >= 0)] == '0' && is_digit(c)) {
        back(p, c);
        return 0;
    }
    if (c != '.')
        return c;
    c = next(p);
    if (!is_digit(c)) {
        back(p, c);
        return 0;
    }
    return digits(p);
}

static bool scan_number(parser *p, int c)
{
    c = scan_digits(p, c);
    if (c == 0)
        return false;
    if (c == 'e' || c == 'E') {
        c = next(p);
        if (c == '+' || c == '-')
            c = next(p);
        if (!is_digit(c)) {
            back(p, c);
            return false;
        }
        c = digits(p);
    }
    back(p, c);
    return true;
}

static bool is_integer(const parser *p)
{
    for (size_t i = p->start; i < p->at; i++)
        if (strchr(".eE", p->text[i]))
            return false;
    return !(p->flags & JSON_DECODE_INT_AS_REAL);
}

static bool decode_number(parser *p)
{
    size_t length = p->at - p->start;
    char *copy = json_room(length + 1);
    if (!copy)
        return false;
    memcpy(copy, p->text + p->start, length);
    copy[length] = 0;
    errno = 0;
    if (is_integer(p)) {
        p->number = json_integer(strtoll(copy, NULL, 10));
        if (errno == ERANGE)
            fail(p, json_error_numeric_overflow, copy[0] == '-' ? "too big negative integer" : "too big integer");
    } else {
        double value = strtod(copy, NULL);
        p->number = json_real(value);
        if (isinf(value))
            fail(p, json_error_numeric_overflow, "real number overflow");
    }
    json_release(copy);
    return p->number && !(p->error && p->error->text[0]);
}

/* ---- tokens ---- */

static int word_of(const parser *p)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++)
        if (strlen(words[i]) == p->at - p->start && memcmp(words[i], p->text + p->start, p->at - p->start) == 0)
            return TOKEN_TRUE + i;
    return TOKEN_INVALID;
}

static void forget_token(parser *p)
{
    json_release(p->string);
    json_decref(p->number);
    p->string = NULL;
    p->number = NULL;
}

static int scan_word(parser *p)
{
    int c;
    do
        c = next(p);
    while (is_letter(c));
    back(p, c);
    return word_of(p);
}

static int scan_token(parser *p, int c)
{
    if (strchr("{}[]:,", c))
        return c;
    if (c == '"')
        return scan_string(p) && decode_string(p) ? TOKEN_STRING : TOKEN_INVALID;
    if (c == '-' || is_digit(c))
        return scan_number(p, c) && decode_number(p) ? TOKEN_NUMBER : TOKEN_INVALID;
    if (is_letter(c))
        return scan_word(p);
    for (; p->within > 0; p->within--) /* a message shows whole characters */
        p->at++;
    return TOKEN_INVALID;
}

static void scan(parser *p)
{
    int c;
    forget_token(p);
    do {
        p->start = p->at;
        c = next(p);
    } while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    p->start = c >= 0 ? p->start : p->at;
    p->token = c == END ? TOKEN_END : c == BAD ? TOKEN_INVALID : scan_token(p, c);
}

/* ---- values ---- */

static json_t *parse_value(parser *p);

/* Key, colon and value; the token is the key. */
static bool parse_member(parser *p, json_t *object)
{
    if (p->token != TOKEN_STRING) {
        fail(p, json_error_invalid_syntax, "string or '}' expected");
        return false;
    }
    char *key = p->string;
    size_t length = p->string_length;
    p->string = NULL;
    if (memchr(key, 0, length))
        fail(p, json_error_null_byte_in_key, "NUL byte in object key not supported");
    else if ((p->flags & JSON_REJECT_DUPLICATES) && json_member_of(object, key, length))
        fail(p, json_error_duplicate_key, "duplicate object key");
    else {
        scan(p);
        if (p->token != ':')
            fail(p, json_error_invalid_syntax, "':' expected");
        else {
            scan(p);
            json_t *value = parse_value(p);
            bool fine = value && json_member_set(object, key, length, value) == 0;
            json_release(key);
            return fine;
        }
    }
    json_release(key);
    return false;
}

/* The end of an object or array, or null. */
static json_t *finish(parser *p, json_t *value, bool fine, int bracket)
{
    if (fine && p->token == bracket)
        return value;
    if (fine)
        fail(p, json_error_invalid_syntax, "'%c' expected", bracket);
    json_decref(value);
    return NULL;
}

static json_t *parse_object(parser *p)
{
    json_t *object = json_object();
    bool fine = object != NULL;
    scan(p);
    if (p->token == '}')
        return object;
    while (fine && (fine = parse_member(p, object))) {
        scan(p);
        if (p->token != ',')
            break;
        scan(p);
    }
    return finish(p, object, fine, '}');
}

static json_t *parse_array(parser *p)
{
    json_t *array = json_array();
    bool fine = array != NULL;
    scan(p);
    if (p->token == ']')
        return array;
    while (fine && p->token != TOKEN_END && (fine = json_array_append_new(array, parse_value(p)) == 0)) {
        scan(p);
        if (p->token != ',')
            break;
        scan(p);
    }
    return finish(p, array, fine, ']');
}

static json_t *parse_string(parser *p)
{
    if (memchr(p->string, 0, p->string_length)) {
        fail(p, json_error_null_character, "\\u0000 is not allowed without JSON_ALLOW_NUL");
        return NULL;
    }
    return json_string_of(p->string, p->string_length);
}

static json_t *value_of_token(parser *p)
{
    switch (p->token) {
    case '{':
        return parse_object(p);
    case '[':
        return parse_array(p);
    case TOKEN_STRING:
        return parse_string(p);
    case TOKEN_NUMBER:
        return json_incref(p->number);
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return json_boolean(p->token == TOKEN_TRUE);
    case TOKEN_NULL:
        return json_null();
    default:
        fail(p, json_error_invalid_syntax, p->token == TOKEN_INVALID ? "invalid token" : "unexpected token");
        return NULL;
    }
}

static json_t *parse_value(parser *p)
{
    if (++p->depth > DEEPEST) {
        fail(p, json_error_stack_overflow, "maximum parsing depth reached");
        return NULL;
    }
    json_t *value = value_of_token(p);
    p->depth--;
    return value;
}

json_t *json_loadb(const char *bytes, size_t length, size_t flags, json_error_t *error)
{
    json_error_t unseen;
    parser p = {.text = bytes, .length = length, .flags = flags, .error = error ? error : &unseen};
    *p.error = (json_error_t){.line = -1, .column = -1};
    scan(&p);
    bool begins = (flags & JSON_DECODE_ANY) || p.token == '[' || p.token == '{';
    if (!begins)
        fail(&p, json_error_invalid_syntax, "'[' or '{' expected");
    json_t *value = begins ? parse_value(&p) : NULL;
    if (value && !(flags & JSON_DISABLE_EOF_CHECK)) {
        scan(&p);
        if (p.token != TOKEN_END) {
            fail(&p, json_error_end_of_input_expected, "end of file expected");
            json_decref(value);
            value = NULL;
        }
    }
    forget_token(&p);
    if (value)
        p.error->position = (int)p.at;
    return value;
}

json_t *json_loads(const char *text, size_t flags, json_error_t *error)
{
    return json_loadb(text, strlen(text), flags, error);
}
