#include "shelf.h"

#include <stdlib.h>

#include "cli.h"
#include "table.h"

static const char *const words[CAROM_SHELF_COUNT] = {"example", "scene"};

void shelf_print(carom_shelf shelf)
{
    const char *heads[] = {words[shelf], "what it is"};
    const carom_shipped *one;
    table t = table_start("ll", heads);
    for (int i = 0; (one = carom_shipped_at(shelf, i)); i++) {
        char *title = must_have(carom_shipped_title(one));
        const char *row[] = {one->name, title};
        table_add(&t, ROW_PLAIN, row);
        free(title);
    }
    table_end(&t);
}

int shelf_complain(const char *command, carom_shelf shelf, const char *name)
{
    const char *hint = carom_shipped_nearest(shelf, name), *word = words[shelf];
    if (hint)
        return complain("%s: no %s \"%s\"; did you mean \"%s\"?", command, word, name, hint);
    return complain("%s: no %s \"%s\"; `carom %ss` lists them", command, word, name, word);
}
