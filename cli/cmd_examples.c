/* carom examples: the shipped cases, from the program itself. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "table.h"

typedef struct example {
    const char *name; /* of the file */
    const unsigned char *bytes;
} example;

/* Each list of bytes is an array of its own, ended by zero. */
#define UNWRAP(...)          __VA_ARGS__
#define EXAMPLE(name, bytes) {name, (const unsigned char[]){UNWRAP bytes}},
static const example examples[] = {
#include "examples_data.def"
};
#undef EXAMPLE

enum { EXAMPLES = sizeof examples / sizeof examples[0], STEM = 48 };

static const char *text_of(const example *e)
{
    return (const char *)e->bytes;
}

static void stem_of(const example *e, char stem[STEM])
{
    snprintf(stem, STEM, "%.*s", (int)strcspn(e->name, "."), e->name);
}

static const example *find(const char *word)
{
    for (int i = 0; i < EXAMPLES; i++) {
        char stem[STEM];
        stem_of(&examples[i], stem);
        if (strcmp(word, examples[i].name) == 0 || strcmp(word, stem) == 0)
            return &examples[i];
    }
    return NULL;
}

/* What the first case in it calls itself. */
static void title_of(const example *e, char *title, size_t room)
{
    bool lines = strstr(e->name, ".jsonl") != NULL;
    json_t *tree = json_parse(text_of(e), lines ? strcspn(text_of(e), "\n") : strlen(text_of(e)), NULL);
    const char *name = json_string_value(json_object_get(tree, "name"));
    snprintf(title, room, "%s%s", lines ? "JSON Lines: " : "", name ? name : "");
    json_decref(tree);
}

static void list(void)
{
    static const char *const heads[] = {"example", "what it is"};
    table t = table_start("ll", heads);
    for (int i = 0; i < EXAMPLES; i++) {
        char stem[STEM], title[160];
        stem_of(&examples[i], stem);
        title_of(&examples[i], title, sizeof title);
        const char *row[] = {stem, title};
        table_add(&t, ROW_PLAIN, row);
    }
    table_print(&t);
    table_free(&t);
    printf("\n`carom examples NAME > FILE` writes one out.\n");
}

static int unknown(const char *word)
{
    static char stems[EXAMPLES][STEM];
    const char *words[EXAMPLES + 1] = {NULL};
    for (int i = 0; i < EXAMPLES; i++) {
        stem_of(&examples[i], stems[i]);
        words[i] = stems[i];
    }
    const char *hint = carom_nearest(word, words);
    if (hint)
        return complain("examples: no example \"%s\"; did you mean \"%s\"?", word, hint);
    return complain("examples: no example \"%s\"; `carom examples` lists them", word);
}

static int write_out(const example *e, const char *path)
{
    if (!path) {
        fputs(text_of(e), stdout);
        return FINE;
    }
    output_file f = output_open(path);
    if (!f.file)
        return BAD_INPUT;
    fputs(text_of(e), f.file);
    return output_close(&f, true) ? FINE : BAD_INPUT;
}

/* ---- options ---- */

typedef struct session {
    const char *output;
} session;

static const option_row options[] = {
    {"output", "FILE", "write there instead of standard output", .at = offsetof(session, output), NULL, 'o'},
    {.name = NULL}};

const command_help help_examples = {.usage = "usage: carom examples\n"
                                             "       carom examples NAME [-o FILE]\n\n"
                                             "Lists the example cases with a line about each, or writes one out.\n\n",
                                    options,
                                    "\nexample    carom examples ball > ball.json\n"};

int cmd_examples(int argc, char **argv)
{
    session s = {0};
    if (!options_read("examples", &help_examples, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc) {
        list();
        return FINE;
    }
    if (argc - optind > 1)
        return complain("examples: one example at a time; see `carom examples --help`");
    const example *e = find(argv[optind]);
    return e ? write_out(e, s.output) : unknown(argv[optind]);
}
