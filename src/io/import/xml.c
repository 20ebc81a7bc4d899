#include "io/import/xml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/mesh_build.h"

enum { DEPTH = 200 };

typedef struct scan {
    const char *at, *end;
    long line;
    char *why;
    int depth;
} scan;

static void *fail(const scan *s, const char *what)
{
    if (!s->why[0])
        snprintf(s->why, 160, "%ld: %s", s->line, what);
    return NULL;
}

static bool starts(const scan *s, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
}

static void skip(scan *s, size_t n)
{
    for (size_t k = 0; k < n && s->at < s->end; k++)
        s->line += *s->at++ == '\n';
}

static bool skip_past(scan *s, const char *word)
{
    while (s->at < s->end && !starts(s, word))
        skip(s, 1);
    if (s->at == s->end)
        return fail(s, "the file ends inside a comment or a declaration") != NULL;
    skip(s, strlen(word));
    return true;
}

static void skip_blanks(scan *s)
{
    while (s->at < s->end && isspace((unsigned char)*s->at))
        skip(s, 1);
}

/* Comments, declarations and blanks. False: one of them does not end. */
static bool skip_notes(scan *s)
{
    for (;;) {
        skip_blanks(s);
        const char *end = starts(s, "<!--") ? "-->" : starts(s, "<?") ? "?>" : starts(s, "<!") ? ">" : NULL;
        if (!end)
            return true;
        if (!skip_past(s, end))
            return false;
    }
}

/* A copy of some bytes with the five named characters in place of their names. */
static char *copy(const char *from, size_t n)
{
    static const struct {
        const char *name, *is;
    } named[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
    char *out = malloc(n + 1);
    size_t m = 0;
    for (size_t i = 0; out && i < n; i++) {
        out[m] = from[i];
        for (int k = 0; k < 5; k++) {
            size_t w = strlen(named[k].name);
            if (i + w <= n && memcmp(from + i, named[k].name, w) == 0)
                out[m] = named[k].is[0], i += w - 1;
        }
        m++;
    }
    if (out)
        out[m] = 0;
    return out;
}

static char *read_name(scan *s)
{
    const char *from = s->at;
    while (s->at < s->end && (isalnum((unsigned char)*s->at) || strchr("_-.:", *s->at)))
        s->at++;
    return s->at > from ? copy(from, (size_t)(s->at - from)) : fail(s, "a name is missing");
}

static bool read_attribute(scan *s, xml *e)
{
    xml_attribute *more = realloc(e->attributes, (size_t)(e->attribute_count + 1) * sizeof *more);
    if (!more)
        return fail(s, "out of memory") != NULL;
    e->attributes = more;
    xml_attribute *a = &more[e->attribute_count++];
    *a = (xml_attribute){read_name(s), NULL, false};
    skip_blanks(s);
    if (!a->name || s->at == s->end || *s->at != '=')
        return fail(s, "an attribute needs =\"...\"") != NULL;
    skip(s, 1);
    skip_blanks(s);
    char quote = s->at < s->end ? *s->at : 0;
    if (quote != '"' && quote != '\'')
        return fail(s, "an attribute needs =\"...\"") != NULL;
    skip(s, 1);
    const char *from = s->at;
    while (s->at < s->end && *s->at != quote && *s->at != '<')
        skip(s, 1);
    if (s->at == s->end || *s->at != quote)
        return fail(s, "the value of an attribute does not end") != NULL;
    a->value = copy(from, (size_t)(s->at - from));
    skip(s, 1);
    return a->value || fail(s, "out of memory");
}

static void add_text(xml *e, const char *from, size_t n)
{
    while (n && isspace((unsigned char)from[0]))
        from++, n--;
    while (n && isspace((unsigned char)from[n - 1]))
        n--;
    if (!n)
        return;
    free(e->text);
    e->text = copy(from, n);
}

static xml *read_element(scan *s, xml *up);

/* Children and text up to the closing tag. */
static bool read_inside(scan *s, xml *e)
{
    for (;;) {
        const char *from = s->at;
        while (s->at < s->end && *s->at != '<')
            skip(s, 1);
        add_text(e, from, (size_t)(s->at - from));
        if (s->at == s->end)
            return fail(s, "an element does not end") != NULL;
        if (starts(s, "<!--") || starts(s, "<?")) {
            if (!skip_notes(s))
                return false;
        } else if (starts(s, "</")) {
            skip(s, 2);
            char *name = read_name(s);
            bool same = name && strcmp(name, e->name) == 0;
            free(name);
            skip_blanks(s);
            if (!same || s->at == s->end || *s->at != '>') {
                char text[120];
                snprintf(text, sizeof text, "</%.60s> is expected", e->name);
                return fail(s, text) != NULL;
            }
            skip(s, 1);
            return true;
        } else if (!read_element(s, e))
            return false;
    }
}

static void hang(xml *up, xml *e)
{
    e->up = up;
    if (!up)
        return;
    if (up->last)
        up->last->next = e;
    else
        up->first = e;
    up->last = e;
}

static xml *read_element(scan *s, xml *up)
{
    xml *e = calloc(1, sizeof *e);
    if (!e || s->at == s->end || *s->at != '<' || ++s->depth > DEPTH) {
        free(e);
        return fail(s, e ? "an element is expected, no more than 200 deep" : "out of memory");
    }
    hang(up, e);
    e->line = s->line;
    skip(s, 1);
    bool fine = (e->name = read_name(s)) != NULL, open = false;
    for (skip_blanks(s); fine && s->at < s->end && *s->at != '>' && *s->at != '/'; skip_blanks(s))
        fine = read_attribute(s, e);
    if (fine && starts(s, "/>"))
        skip(s, 2);
    else if (fine && starts(s, ">"))
        skip(s, 1), open = true;
    else if (fine)
        fine = fail(s, "a tag does not end") != NULL;
    fine = fine && (!open || read_inside(s, e));
    s->depth--;
    if (!fine && !up)
        xml_free(e);
    return fine ? e : NULL;
}

xml *xml_read(const char *bytes, size_t length, char why[160])
{
    scan s = {bytes, bytes + length, 1, why, 0};
    why[0] = 0;
    if (!skip_notes(&s))
        return NULL;
    if (s.at == s.end)
        return fail(&s, "no element");
    xml *root = read_element(&s, NULL);
    if (root && (!skip_notes(&s) || s.at < s.end)) {
        xml_free(root);
        return fail(&s, "text after the root element");
    }
    return root;
}

void xml_free(xml *e)
{
    if (!e)
        return;
    for (xml *child = e->first, *next; child; child = next) {
        next = child->next;
        xml_free(child);
    }
    for (int k = 0; k < e->attribute_count; k++) {
        free(e->attributes[k].name);
        free(e->attributes[k].value);
    }
    free(e->attributes);
    free(e->name);
    free(e->text);
    free(e);
}

/* ---- what is taken ---- */

xml *xml_child(xml *e, const char *name, xml *after)
{
    for (xml *c = after ? after->next : e ? e->first : NULL; c; c = c->next)
        if (strcmp(c->name, name) == 0) {
            c->taken = true;
            return c;
        }
    return NULL;
}

const char *xml_get(xml *e, const char *name)
{
    for (int k = 0; e && k < e->attribute_count; k++)
        if (strcmp(e->attributes[k].name, name) == 0) {
            e->attributes[k].taken = true;
            return e->attributes[k].value;
        }
    return NULL;
}

const char *xml_text(xml *e)
{
    if (e)
        e->text_taken = true;
    return e ? e->text : NULL;
}

const char *xml_text_of(xml *e, const char *child)
{
    return xml_text(xml_child(e, child, NULL));
}

int xml_numbers(const char *text, double *out, int most)
{
    int count = 0;
    for (const char *at = text; at && *at;) {
        while (isspace((unsigned char)*at))
            at++;
        const char *from = at;
        while (*at && !isspace((unsigned char)*at))
            at++;
        if (at == from)
            break;
        double x;
        if (!mesh_number(from, (size_t)(at - from), &x))
            return -1;
        if (count < most)
            out[count] = x;
        count++;
    }
    return count;
}
