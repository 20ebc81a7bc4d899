/* What of a scene another program does not have: every key that is not kept, with its line. */
#include <stdio.h>
#include <string.h>

#include "io/export/export_task.h"

typedef struct key_row {
    const char *object, *key, *meaning; /* null: kept */
} key_row;

static const key_row rows[] = {
#define CAROM_KEPT(object, key)          {#object, #key, NULL},
#define CAROM_LOST(object, key, meaning) {#object, #key, meaning},
#include "io/export/export_keys.def"
#undef CAROM_KEPT
#undef CAROM_LOST
};

static const char *meaning_of(const char *object, const char *key)
{
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(rows[k].object, object) == 0 && strcmp(rows[k].key, key) == 0)
            return rows[k].meaning;
    return strcmp(object, "coefficients") == 0 ? "a coefficient of the law of impact" : "not known to the exporter";
}

/* A walk through the document, whose keys come in the order of the text: lines are counted once. */
typedef struct walk {
    export_task *t;
    size_t at;
    long line;
} walk;

static long line_of(walk *w, size_t byte)
{
    const carom_text *text = &w->t->file->text;
    for (; text->bytes && w->at < byte && w->at < text->length; w->at++)
        w->line += text->bytes[w->at] == '\n';
    return text->bytes ? w->line : 0;
}

static void lose(export_task *t, long line, const char *element, const char *meaning)
{
    json_array_append_new(t->losses,
                          json_pack("{s:f, s:s, s:s}", "line", (double)line, "element", element, "meaning", meaning));
}

void export_lose(export_task *t, const char *element, const char *meaning)
{
    lose(t, 0, element, meaning);
}

void export_lose_part(export_task *t, int link, const char *key, const char *meaning)
{
    const scene_tree *tree = t->file->linkage;
    char element[200];
    if (tree && link >= tree->first)
        snprintf(element, sizeof element, "links[%d].%s", link - tree->first + 1, key);
    else
        snprintf(element, sizeof element, "bodies.%.150s.%s", t->m.links[link].name, key);
    export_lose(t, element, meaning);
}

static void list_keys(walk *w, const char *object, const char *path, const json_t *value)
{
    for (size_t i = 0; i < json_object_size(value); i++) {
        const char *key = json_object_key(value, i), *meaning = meaning_of(object, key);
        char element[300];
        snprintf(element, sizeof element, "%.200s%s%.80s", path, path[0] ? "." : "", key);
        if (meaning)
            lose(w->t, line_of(w, carom_json_object_place(value, i)), element, meaning);
        else if (strcmp(key, "coefficients") == 0)
            list_keys(w, "coefficients", element, json_object_value(value, i));
    }
}

static bool is_zero(const json_t *value)
{
    bool zero = json_number_value(value) == 0;
    for (size_t i = 0; i < json_array_size(value); i++)
        zero &= json_number_value(json_array_get(value, i)) == 0;
    return zero;
}

static void list_body(walk *w, const char *path, const json_t *body)
{
    bool fixed = json_is_true(json_object_get(body, "fixed"));
    list_keys(w, "scene_body", path, body);
    for (int k = 0; fixed && k < 2; k++) {
        const char *key = k ? "omega" : "velocity";
        char element[300];
        snprintf(element, sizeof element, "%.200s.%s", path, key);
        if (json_object_get(body, key) && !is_zero(json_object_get(body, key)))
            export_lose(w->t, element, "the motion of a fixed body: there it rests");
    }
}

static void list_all(walk *w, const char *key, const char *object, const json_t *list)
{
    for (size_t i = 0; i < json_object_size(list); i++) {
        char path[200];
        snprintf(path, sizeof path, "%s.%.150s", key, json_object_key(list, i));
        list_body(w, path, json_object_value(list, i));
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        list_keys(w, object, scene_numbered(key, i).text, json_array_get(list, i));
}

void export_list_losses(export_task *t)
{
    const carom_scene_file *f = t->file;
    const json_t *document = f->given ? f->given : f->document;
    const bool mujoco = t->format == CAROM_MODEL_MJCF;
    walk w = {t, 0, f->text.line};
    bool bounces = f->scene.rule.coeffs.e != 0;
    list_keys(&w, "scene", "", document);
    w = (walk){t, 0, f->text.line};
    list_all(&w, "bodies", "scene_body", json_object_get(document, "bodies"));
    w = (walk){t, 0, f->text.line};
    list_all(&w, "links", "scene_link", json_object_get(document, "links"));
    w = (walk){t, 0, f->text.line};
    list_all(&w, "pairs", "pair", json_object_get(document, "pairs"));
    for (int k = 0; k < f->scene.pair_count; k++)
        bounces |= f->scene.pairs[k].rule.coeffs.e != 0;
    if (mujoco && bounces)
        export_lose(t, "coefficients.e", "restitution: contacts there are soft and have no such number");
}
