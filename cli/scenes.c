#include "scenes.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "table.h"

typedef struct scene {
    const char *file;
    const unsigned char *bytes;
} scene;

#define UNWRAP(...)          __VA_ARGS__
#define EXAMPLE(name, bytes) {name, (const unsigned char[]){UNWRAP bytes}},
static const scene scenes[] = {
#include "scenes_data.def"
};
#undef EXAMPLE

enum { SCENES = sizeof scenes / sizeof scenes[0], STEM = 48 };

static void stem_of(const scene *s, char stem[STEM])
{
    snprintf(stem, STEM, "%.*s", (int)strcspn(s->file, "."), s->file);
}

const char *scenes_find(const char *name)
{
    for (int i = 0; i < SCENES; i++) {
        char stem[STEM];
        stem_of(&scenes[i], stem);
        if (strcmp(stem, name) == 0)
            return (const char *)scenes[i].bytes;
    }
    return NULL;
}

int scenes_complain(const char *command, const char *name)
{
    static char stems[SCENES][STEM];
    const char *words[SCENES + 1] = {NULL};
    for (int i = 0; i < SCENES; i++) {
        stem_of(&scenes[i], stems[i]);
        words[i] = stems[i];
    }
    const char *hint = carom_nearest(name, words);
    if (hint)
        return complain("%s: no scene \"%s\"; did you mean \"%s\"?", command, name, hint);
    return complain("%s: no scene \"%s\"; `carom scenes` lists them", command, name);
}

int scenes_show(const char *name)
{
    const char *text = scenes_find(name);
    if (!text)
        return scenes_complain("scenes", name);
    fputs(text, stdout);
    return FINE;
}

int scenes_list(bool json)
{
    static const char *const heads[] = {"scene", "what it is"};
    json_t *array = json_array();
    table t = table_start("ll", heads);
    for (int i = 0; i < SCENES; i++) {
        char stem[STEM];
        stem_of(&scenes[i], stem);
        json_t *tree = json_parse((const char *)scenes[i].bytes, strlen((const char *)scenes[i].bytes), NULL);
        const char *title = json_string_value(json_object_get(tree, "name"));
        const char *row[] = {stem, title ? title : ""};
        table_add(&t, ROW_PLAIN, row);
        json_array_append_new(array, json_pack("{s:s, s:s}", "scene", stem, "name", row[1]));
        json_decref(tree);
    }
    if (json)
        json_print(stdout, array, false);
    else {
        table_print(&t);
        printf("\n`carom sim NAME` runs one; `carom scenes NAME` prints its file.\n");
    }
    table_free(&t);
    json_decref(array);
    return FINE;
}
