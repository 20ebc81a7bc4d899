#include "io/case/locate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 16, KEY = 48 }; /* cases are five deep; deeper keys are not named */

/* A walk over the text: where it is, and the keys that lead there. */
typedef struct walk {
    const char *text;
    size_t length, at;
    int depth; /* open objects and arrays */
    bool is_object[DEPTH];
    char keys[DEPTH][KEY];
    bool is_key; /* the last step was over a key */
} walk;

/* Step over a string; at stands on its opening quote. Copies what fits into key. */
static void skip_string(walk *w, char *key)
{
    size_t used = 0;
    for (w->at++; w->at < w->length && w->text[w->at] != '"'; w->at++) {
        if (w->text[w->at] == '\\' && w->at + 1 < w->length)
            w->at++;
        if (key && used + 1 < KEY)
            key[used++] = w->text[w->at];
    }
    if (key)
        key[used] = 0;
    if (w->at < w->length)
        w->at++;
}

static void open_level(walk *w, bool is_object)
{
    if (w->depth < DEPTH) {
        w->is_object[w->depth] = is_object;
        w->keys[w->depth][0] = 0;
    }
    w->depth++;
    w->at++;
}

static bool names_a_key(const walk *w)
{
    size_t i = w->at;
    while (i < w->length && strchr(" \t\r\n", w->text[i]))
        i++;
    return i < w->length && w->text[i] == ':' && w->depth >= 1 && w->depth <= DEPTH && w->is_object[w->depth - 1];
}

static void string_token(walk *w)
{
    char key[KEY];
    skip_string(w, key);
    w->is_key = names_a_key(w);
    if (w->is_key)
        memcpy(w->keys[w->depth - 1], key, KEY);
}

/* One token forward. False at the end of the text. */
static bool step(walk *w)
{
    if (w->at >= w->length)
        return false;
    char c = w->text[w->at];
    w->is_key = false;
    if (c == '"')
        string_token(w);
    else if (c == '{' || c == '[')
        open_level(w, c == '{');
    else if (c == '}' || c == ']') {
        w->depth -= w->depth > 0;
        w->at++;
    } else
        w->at++;
    return true;
}

static void path_of(const walk *w, char *path, size_t room)
{
    size_t used = 0;
    path[0] = 0;
    for (int i = 0; i < w->depth && i < DEPTH; i++) {
        if (!w->is_object[i] || !w->keys[i][0])
            continue;
        int n = snprintf(path + used, room - used, "%s%s", used ? "." : "", w->keys[i]);
        if (n < 0 || (size_t)n >= room - used)
            return;
        used += (size_t)n;
    }
}

/* How much of the path the key that was just read matches: the bytes up to the dot or the end that follows it, or -1.
 * base is what the keys above it match. */
static long match_key(const char *path, long base, const char *key)
{
    if (base < 0 || !key[0])
        return -1;
    const char *rest = path + base + (base > 0 && path[base] == '.');
    size_t length = strlen(key);
    bool fits = strncmp(rest, key, length) == 0 && (rest[length] == '.' || rest[length] == '[' || rest[length] == 0);
    return fits ? rest + length - path : -1;
}

/* Where the walk stands when it has read the key that matches most of the path: one pass over the text. */
static long best_match(walk *w, const char *path, size_t *best_at)
{
    long match[DEPTH + 1] = {0}, best = 0; /* match[d]: of the keys of the d outermost levels */
    while (path[best] && step(w)) {
        if (w->depth < 1 || w->depth > DEPTH)
            continue;
        long above = match[w->depth - 1], *here = &match[w->depth];
        if (!w->is_object[w->depth - 1])
            *here = above;
        else if (w->is_key)
            *here = match_key(path, above, w->keys[w->depth - 1]);
        else if (!w->keys[w->depth - 1][0])
            *here = -1;
        if (w->is_key && *here > best) {
            best = *here;
            *best_at = w->at;
        }
    }
    return best;
}

long locate_line(const char *text, size_t length, const char *path)
{
    walk w = {.text = text, .length = length};
    size_t at = 0;
    if (best_match(&w, path, &at) == 0)
        return -1;
    long line = 0;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

void locate_key(const char *text, size_t length, size_t position, char *path, size_t room)
{
    walk w = {.text = text, .length = length < position ? length : position};
    while (step(&w))
        continue;
    path_of(&w, path, room);
}
