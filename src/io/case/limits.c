#include "io/case/limits.h"

#include <stdio.h>
#include <stdlib.h>

/* A walk over the text that knows only strings and brackets; the parser that follows finds all other faults. */
typedef struct tally {
    long values, keys, depth, deepest;
    size_t longest; /* bytes of a string */
} tally;

/* The byte after the string whose opening quote is at this place, or the end of the text. */
static size_t skip_string(const carom_text *text, size_t at)
{
    for (at++; at < text->length && text->bytes[at] != '"'; at++)
        at += text->bytes[at] == '\\';
    return at + 1;
}

static tally count(const carom_text *text)
{
    tally t = {.values = 1};
    for (size_t at = 0; at < text->length;) {
        char c = text->bytes[at];
        if (c == '"') {
            size_t end = skip_string(text, at);
            t.longest = end - at > t.longest ? end - at : t.longest;
            at = end;
            continue;
        }
        t.values += c == ',' || c == '[' || c == '{';
        t.keys += c == ':';
        t.depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        t.deepest = t.depth > t.deepest ? t.depth : t.deepest;
        at++;
    }
    return t;
}

/* The parser writes past the end of a string when memory ends inside it (jansson 2.14). Allocate beforehand as much
 * as it may take: a share for its buffers, for every byte, value and key, and for the string that grows by doubling. */
static bool is_room_for(const carom_text *text, const tally *t)
{
    size_t need = (1 << 17) + 2 * text->length + 96 * (size_t)t->values + 96 * (size_t)t->keys + 4 * t->longest;
    void *volatile trial = malloc(need);
    free(trial);
    return trial != NULL;
}

bool carom_internal_limits_check(const carom_text *text, char *rule, size_t room)
{
    rule[0] = 0;
    if (text->length > CAROM_CASE_BYTES)
        snprintf(rule, room, "longer than %d bytes, the most for one case", CAROM_CASE_BYTES);
    else if (!text->bytes)
        snprintf(rule, room, "out of memory for a text of %zu bytes", text->length);
    else {
        tally t = count(text);
        if (t.deepest > CAROM_CASE_DEPTH)
            snprintf(rule, room, "objects and arrays are nested more than %d deep", CAROM_CASE_DEPTH);
        else if (t.values > CAROM_CASE_VALUES)
            snprintf(rule, room, "has more than %d values", CAROM_CASE_VALUES);
        else if (!is_room_for(text, &t))
            snprintf(rule, room, "out of memory for a text of %zu bytes", text->length);
    }
    return !rule[0];
}
