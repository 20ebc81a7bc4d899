/* carom explain: every word that the library says, in a sentence. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "carom/words.h"
#include "cli.h"
#include "json.h"
#include "options.h"
#include "table.h"
#include "term.h"

/* ---- one word ---- */

static void print_meaning(void *context, const char *lead, const carom_word *w)
{
    (void)context;
    if (lead) {
        printf("%s\n", lead);
        return;
    }
    printf("%s%s%s  %s\n", term_bold(), w->word, term_plain(), w->kind);
    text_wrapped(w->meaning, 4);
    printf("    %s%s%s\n", term_dim(), w->page, term_plain());
}

static int unknown(const char *word)
{
    const char *hint = carom_word_nearest(word);
    if (hint)
        return complain("explain: unknown word \"%s\"; did you mean \"%s\"?", word, hint);
    return complain("explain: unknown word \"%s\"; `carom explain` lists them", word);
}

/* ---- all of them ---- */

static void print_list(void)
{
    static const char *const heads[] = {"word", "kind", "meaning"};
    table t = table_start("lll", heads);
    for (int i = 0; i < carom_word_count(); i++) {
        carom_word w = carom_word_at(i);
        w.kind[strcspn(w.kind, ",")] = 0;
        const char *row[] = {w.word, w.kind, w.meaning};
        table_add(&t, ROW_PLAIN, row);
    }
    table_end(&t);
}

static void print_markdown(void)
{
    printf("| word | kind | meaning | page |\n|---|---|---|---|\n");
    for (int i = 0; i < carom_word_count(); i++) {
        const carom_word w = carom_word_at(i);
        const char *link = w.page + strlen("docs/"), *name = strrchr(w.page, '/') + 1;
        printf("| `%s` | %s | %s | [%.*s](%s) |\n", w.word, w.kind, w.meaning, (int)strcspn(name, "."), name, link);
    }
}

static void print_json(void)
{
    json_t *list = carom_words_json();
    json_print(stdout, list, false);
    json_decref(list);
}

/* Bars of symbols would end a cell. */
static void print_quantity(const char *const cells[6])
{
    for (int i = 0; i < 6; i++) {
        bool code = i >= 1 && i <= 3;
        fputs(code ? "| `" : "| ", stdout);
        for (const char *c = cells[i]; *c; c++)
            printf(*c == '|' ? "\\%c" : "%c", *c);
        fputs(code ? "` " : " ", stdout);
    }
    puts("|");
}

static void print_quantities(void)
{
    printf(
        "| quantity | C member of `carom_result` | JSON key | column | symbol | unit |\n|---|---|---|---|---|---|\n");
#define QUANTITY(column, member, key, symbol, unit, meaning)                                                           \
    print_quantity((const char *const[]){meaning, #member, key, #column, symbol, unit});
#include "carom/quantities.def"
#undef QUANTITY
}

/* ---- options ---- */

typedef struct session {
    bool json, markdown, quantities;
} session;

static const option_row options[] = {
    JSON_OPTION(session, "the whole dictionary as JSON"),
    {"markdown", NULL, "the table of docs/words.md", .at = offsetof(session, markdown)},
    {"quantities", NULL, "the table of docs/notation.md: C member, JSON key, column and symbol of every number",
     .at = offsetof(session, quantities)},
    {.name = NULL}};

const command_help help_explain = {
    .usage = "usage: carom explain WORD...\n"
             "       carom explain [--json | --markdown | --quantities]\n\n"
             "Explains words of answers and case files: modes, paths, flags, events, statuses, warnings, traits,\n"
             "coefficients, options and laws. Without a word it lists them all.\n\n",
    options,
    "\nexample    carom explain C-reversal creates-energy\n"};

int cmd_explain(int argc, char **argv)
{
    session s = {0};
    int status = FINE;
    if (!options_read("explain", &help_explain, argc, argv, &s))
        return BAD_INPUT;
    bool whole = s.json || s.markdown || s.quantities;
    if (s.json)
        print_json();
    else if (s.markdown)
        print_markdown();
    else if (s.quantities)
        print_quantities();
    else if (optind == argc)
        print_list();
    for (int i = optind; !whole && i < argc; i++) {
        carom_utf8_clean(argv[i]); /* it is printed */
        if (!carom_explain(argv[i], print_meaning, NULL))
            status = unknown(argv[i]);
    }
    return status;
}
