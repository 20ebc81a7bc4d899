#include "carom/shipped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"

/* Each list of bytes is an array of its own, ended by zero. */
#define UNWRAP(...)                __VA_ARGS__
#define EXAMPLE(name, file, bytes) {name, file, (const char[]){UNWRAP bytes}},
static const carom_shipped examples[] =
    {
#include "examples_data.def"
        {NULL, NULL, NULL}, /* the page of the lab has no examples */
},
                           scenes[] = {
#include "scenes_data.def"
};
#undef EXAMPLE

static const struct {
    const carom_shipped *list;
    int count;
} shelves[CAROM_SHELF_COUNT] = {{examples, sizeof examples / sizeof examples[0] - 1},
                                {scenes, sizeof scenes / sizeof scenes[0]}};

const carom_shipped *carom_shipped_at(carom_shelf shelf, int i)
{
    return i >= 0 && i < shelves[shelf].count ? &shelves[shelf].list[i] : NULL;
}

const carom_shipped *carom_shipped_find(carom_shelf shelf, const char *word)
{
    const carom_shipped *one;
    for (int i = 0; (one = carom_shipped_at(shelf, i)); i++)
        if (strcmp(one->name, word) == 0 || strcmp(one->file, word) == 0)
            return one;
    return NULL;
}

const char *carom_shipped_nearest(carom_shelf shelf, const char *word)
{
    const int count = shelves[shelf].count;
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = shelves[shelf].list[i].name;
    const char *found = names ? carom_nearest(word, names) : NULL;
    free(names);
    return found;
}

char *carom_shipped_title(const carom_shipped *one)
{
    const bool lines = strstr(one->file, ".jsonl") != NULL;
    json_t *tree = json_parse(one->text, lines ? strcspn(one->text, "\n") : strlen(one->text), NULL);
    const char *name = json_string_value(json_object_get(tree, "name")), *lead = lines ? "JSON Lines: " : "";
    const size_t room = strlen(lead) + (name ? strlen(name) : 0) + 1;
    char *title = malloc(room);
    if (title)
        snprintf(title, room, "%s%s", lead, name ? name : "");
    json_decref(tree);
    return title;
}
