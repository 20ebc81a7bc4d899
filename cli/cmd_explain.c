/* carom explain: every word that the library says, in a sentence. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "cli.h"
#include "json.h"
#include "options.h"
#include "table.h"
#include "term.h"

/* Kind and page of a mode come from the laws that have it. */
typedef struct entry {
    const char *kind, *word, *text, *page;
} entry;

#define CASE_PAGE "docs/guide/case-format.md"

static const entry fixed[] = {
#define MODE(word, text) {"mode", word, text, NULL},
#define PATH(word, text) {"path", word, text, "docs/laws/routh-stronge.md"},
#include "modes.def"
#undef MODE
#undef PATH
#define CAROM_CONTACT_MODE(name, value, word, meaning)                                                                 \
    {"mode of a contact point", word, meaning, CASE_PAGE "#the-answer"},
#include "carom/contact_modes.def"
#undef CAROM_CONTACT_MODE
#define CAROM_STATUS(name, value, id, kind, message) {"status", id, message, CASE_PAGE "#status"},
#include "carom/status.def"
#undef CAROM_STATUS
#define CAROM_FLAG(name, bit, word, meaning) {"flag", word, meaning, CASE_PAGE "#flags"},
#include "carom/flags.def"
#undef CAROM_FLAG
#define CAROM_EVENT(name, word, meaning) {"event", word, meaning, CASE_PAGE "#events"},
#include "carom/path.def"
#undef CAROM_EVENT
#define CAROM_WARNING(name, bit, word, meaning) {"warning", word, meaning, CASE_PAGE "#warnings"},
#include "carom/warnings.def"
#undef CAROM_WARNING
#define CAROM_TRAIT(name, word, meaning) {"trait of a law", word, meaning, "docs/guide/choosing.md"},
#include "carom/traits.def"
#undef CAROM_TRAIT
#define CAROM_TOGETHER_EVENT(name, word, meaning)                                                                      \
    {"event of several contacts", word, meaning, CASE_PAGE "#several-contacts"},
#define CAROM_TOGETHER_MODE(name, word, meaning)                                                                       \
    {"mode of several contacts", word, meaning, CASE_PAGE "#several-contacts"},
#include "carom/together_words.def"
#undef CAROM_TOGETHER_EVENT
#undef CAROM_TOGETHER_MODE
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning)              {"option " #name, other, meaning, CASE_PAGE},
#define CAROM_OPTION_THIRD(name, NAME, word, other, third, THIRD, meaning) {"option " #name, third, meaning, CASE_PAGE},
#include "carom/options.def"
#undef CAROM_OPTION
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) {"option: " word " or " other, #name, meaning, CASE_PAGE},
#include "carom/options.def"
#undef CAROM_OPTION
};

enum { FIXED = sizeof fixed / sizeof fixed[0] };

static int entry_count(void)
{
    return FIXED + CAROM_COEFF_COUNT + carom_law_count() + carom_together_count();
}

static entry entry_at(int i)
{
    if (i < FIXED)
        return fixed[i];
    if (i < FIXED + CAROM_COEFF_COUNT) {
        const carom_coeff_info *info = carom_coeff_at((carom_coeff)(i - FIXED));
        return (entry){"coefficient", info->name, info->meaning, CASE_PAGE};
    }
    i -= FIXED + CAROM_COEFF_COUNT;
    if (i < carom_law_count())
        return (entry){"law", carom_law_at(i)->id, carom_law_at(i)->summary, NULL};
    const carom_together *law = carom_together_at(i - carom_law_count());
    return (entry){"law of several contacts", law->id, law->summary, NULL};
}

enum { KIND_SIZE = 512 };

/* ---- the laws of a mode ---- */

#define NO_IMPACT "no_impact" /* the mode of every law when nothing happens */

#define BETWEEN "/-:|" /* parts of a mode */

/* True if a word is one of the modes of a law, or a part of one: "slip/stick", "slip-stick", "I:rt-a|II:cone". */
static bool has_mode(const carom_law *law, const char *word)
{
    const size_t length = strlen(word);
    for (int i = 0; i < law->mode_count; i++)
        for (const char *at = strstr(law->modes[i], word); at; at = strstr(at + 1, word)) {
            bool begins = at == law->modes[i] || strchr(BETWEEN, at[-1]),
                 ends = !at[length] || strchr(BETWEEN, at[length]);
            if (begins && ends)
                return true;
        }
    return false;
}

static const carom_law *first_with_mode(const char *word)
{
    for (int i = 0; i < carom_law_count(); i++)
        if (has_mode(carom_law_at(i), word))
            return carom_law_at(i);
    return NULL;
}

/* True if several laws of the family, and all of them, have the mode; then the family stands for them. */
static bool family_has_mode(const char *family, const char *word)
{
    int laws = 0, with = 0;
    for (int i = 0; i < carom_law_count(); i++) {
        bool member = strcmp(carom_law_at(i)->family, family) == 0;
        laws += member;
        with += member && has_mode(carom_law_at(i), word);
    }
    return laws > 1 && with == laws;
}

static void laws_with_mode(const char *word, char *text, size_t room)
{
    const char *last = NULL; /* family named as a whole */
    int used = snprintf(text, room, "mode of");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (!has_mode(law, word) || (last && strcmp(last, law->family) == 0))
            continue;
        last = family_has_mode(law->family, word) ? law->family : NULL;
        used += snprintf(text + used, room - (size_t)used, "%s %s%s", used > 7 ? "," : "", last ? last : law->id,
                         last ? " laws" : "");
    }
}

/* ---- entries ---- */

static bool is_mode(const entry *e)
{
    return strcmp(e->kind, "mode") == 0;
}

/* Where to read on: the page of the law, or of the first one with the mode. */
static void page_of(const entry *e, char *text, size_t room)
{
    const carom_law *law = is_mode(e) ? first_with_mode(e->word) : NULL;
    if (e->page)
        snprintf(text, room, "%s", e->page);
    else if (is_mode(e) && strcmp(e->word, NO_IMPACT) == 0)
        snprintf(text, room, "docs/guide/choosing.md");
    else
        snprintf(text, room, "docs/laws/%s.md", law ? law->id : e->word);
}

static void kind_of(const entry *e, char *text, size_t room)
{
    if (!is_mode(e))
        snprintf(text, room, "%s", e->kind);
    else if (strcmp(e->word, NO_IMPACT) == 0)
        snprintf(text, room, "mode of every law");
    else
        laws_with_mode(e->word, text, room);
}

/* ---- one word ---- */

static void print_entry(const entry *e, const char *word)
{
    char kind[KIND_SIZE], page[96];
    kind_of(e, kind, sizeof kind);
    page_of(e, page, sizeof page);
    printf("%s%s%s  %s\n", term_bold(), word, term_plain(), kind);
    text_wrapped(e->text, 4);
    printf("    %s%s%s\n", term_dim(), page, term_plain());
}

/* All entries of a word; some words mean a mode and an event. Returns how many. */
static int explain_whole(const char *word)
{
    int found = 0;
    for (int i = 0; i < entry_count(); i++) {
        entry e = entry_at(i);
        if (strcmp(e.word, word) == 0) {
            print_entry(&e, word);
            found++;
        }
    }
    return found;
}

static int parts_found(const char *word, const char *between);

/* Events of several contacts carry the number of theirs: "Z2". */
static int explain_numbered(const char *word)
{
    size_t length = strcspn(word, "0123456789");
    char kind[16];
    snprintf(kind, sizeof kind, "%.*s", (int)length, word);
    for (int i = 0; word[length] && word[length + strspn(word + length, "0123456789")] == 0 && i < FIXED; i++)
        if (strcmp(fixed[i].kind, "event of several contacts") == 0 && strcmp(fixed[i].word, kind) == 0) {
            printf("%s: at contact %s\n", word, word + length);
            print_entry(&fixed[i], kind);
            return 1;
        }
    return 0;
}

/* A word made of others. The parts of chatterjee-mix are numbered by law ("II:cone"); the parts of a compliant path
 * carry their half ("slip:C"). */
static int explain_parts(const char *word)
{
    if (strchr(word, '|'))
        return parts_found(word, "|");
    if (strncmp(word, "I:", 2) == 0 || strncmp(word, "II:", 3) == 0 || strncmp(word, "III:", 4) == 0) {
        printf("%s: law %.*s of the mix (chatterjee-%s)\n", word, (int)strcspn(word, ":"), word,
               word[1] == ':'   ? "velocity"
               : word[2] == ':' ? "momentum"
                                : "rebound");
        return explain_whole(strchr(word, ':') + 1);
    }
    const char *half = strchr(word, ':');
    if (half && (strcmp(half, ":C") == 0 || strcmp(half, ":R") == 0)) {
        char part[48];
        snprintf(part, sizeof part, "%.*s", (int)(half - word), word);
        printf("%s: during %s\n", word, half[1] == 'C' ? "compression" : "restitution");
        return explain_whole(part);
    }
    if (strchr(word, '/')) {
        printf("%s: in compression, then in expansion\n", word);
        return parts_found(word, "/");
    }
    if (strncmp(word, "slip-", 5) == 0 || strncmp(word, "stick-", 6) == 0) {
        printf("%s: one after the other (law jia)\n", word);
        return parts_found(word, "-");
    }
    return explain_numbered(word);
}

static int parts_found(const char *word, const char *between)
{
    char text[160], *rest = NULL, seen[160] = " ";
    int found = 0;
    snprintf(text, sizeof text, "%s", word);
    for (char *part = strtok_r(text, between, &rest); part; part = strtok_r(NULL, between, &rest)) {
        char marked[64];
        snprintf(marked, sizeof marked, " %s ", part);
        if (strstr(seen, marked)) /* each part once */
            continue;
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", part);
        int here = explain_whole(part);
        here = here ? here : explain_parts(part);
        if (!here)
            return 0;
        found += here;
    }
    return found;
}

static int unknown(const char *word)
{
    enum { MOST = 256 };
    const char *words[MOST + 1] = {NULL};
    int count = entry_count() < MOST ? entry_count() : MOST;
    for (int i = 0; i < count; i++)
        words[i] = entry_at(i).word;
    const char *hint = carom_nearest(word, words);
    if (hint)
        return complain("explain: unknown word \"%s\"; did you mean \"%s\"?", word, hint);
    return complain("explain: unknown word \"%s\"; `carom explain` lists them", word);
}

/* ---- all of them ---- */

static void print_list(void)
{
    static const char *const heads[] = {"word", "kind", "meaning"};
    table t = table_start("lll", heads);
    for (int i = 0; i < entry_count(); i++) {
        entry e = entry_at(i);
        char kind[KIND_SIZE];
        kind_of(&e, kind, sizeof kind);
        kind[strcspn(kind, ",")] = 0;
        const char *row[] = {e.word, kind, e.text};
        table_add(&t, ROW_PLAIN, row);
    }
    table_print(&t);
    table_free(&t);
}

static void print_markdown(void)
{
    printf("| word | kind | meaning | page |\n|---|---|---|---|\n");
    for (int i = 0; i < entry_count(); i++) {
        entry e = entry_at(i);
        char kind[KIND_SIZE], page[96];
        kind_of(&e, kind, sizeof kind);
        page_of(&e, page, sizeof page);
        const char *link = page + strlen("docs/"), *name = strrchr(page, '/') + 1;
        printf("| `%s` | %s | %s | [%.*s](%s) |\n", e.word, kind, e.text, (int)strcspn(name, "."), name, link);
    }
}

static void print_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < entry_count(); i++) {
        entry e = entry_at(i);
        char kind[KIND_SIZE], page[96];
        kind_of(&e, kind, sizeof kind);
        page_of(&e, page, sizeof page);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s}", "word", e.word, "kind", kind, "meaning", e.text, "page", page));
    }
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
#include "quantities.def"
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
        if (!explain_whole(argv[i]) && !explain_parts(argv[i]))
            status = unknown(argv[i]);
    }
    return status;
}
