/* carom laws: the laws of this build, from their descriptors. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/words.h"
#include "cli.h"
#include "laws_together.h"
#include "options.h"
#include "table.h"
#include "term.h"

enum { TEXT = 256 };

/* Words one after the other, "a, b, c", as far as they fit. */
static void add_word(char *text, const char *separator, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s%s", used ? separator : "", word);
}

static void coefficient_names(const carom_law *law, char *text)
{
    text[0] = 0;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1)
            add_word(text, " ", carom_coeff_at((carom_coeff)i)->name);
}

/* ---- JSON ---- */

/* A tree that is printed once. */
static void print_json(carom_json *value)
{
    carom_json_print(stdout, value, false);
    carom_json_free(value);
}

/* ---- tables ---- */

/* What a reader chooses by; the other traits are in `laws show`. */
static const char *mark(const carom_law *law, unsigned trait)
{
    return law->traits & trait ? "yes" : "-";
}

static const char *scope(const carom_law *law)
{
    return law->traits & CAROM_TRAIT_PLANAR_ONLY ? "-" : law->traits & CAROM_TRAIT_PRINCIPAL_ONLY ? "spheres" : "yes";
}

static void print_laws(void)
{
    static const char *const heads[] = {"law", "family", "coefficients", "3D", "energy", "cone", "path"};
    table t = table_start("lllllll", heads);
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        char names[TEXT];
        coefficient_names(law, names);
        const char *row[] = {law->id,
                             law->family,
                             names,
                             scope(law),
                             mark(law, CAROM_TRAIT_ENERGY_SAFE),
                             mark(law, CAROM_TRAIT_CONE_SAFE),
                             mark(law, CAROM_TRAIT_HAS_PATH)};
        table_add(&t, ROW_PLAIN, row);
    }
    table_end(&t);
    together_table();
    puts("\nenergy, cone: never creates energy, stays in the cone.");
    printf("%d laws of one contact, %d of several; `carom laws show ID` describes one.\n", carom_law_count(),
           carom_together_count());
}

static const char *cost(const carom_law *law)
{
    return law->traits & CAROM_TRAIT_CLOSED_FORM ? "closed form"
           : law->traits & CAROM_TRAIT_HAS_PATH  ? "series"
                                                 : "roots";
}

static void print_markdown(void)
{
    printf("| law | coefficients | energy safe | cone safe | tangential restitution | 3D | unique | path | cost |\n");
    printf("|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        char names[TEXT];
        coefficient_names(law, names);
        printf("| [%s](../laws/%s.md) | %s | %s | %s | %s | %s | %s | %s | %s |\n", law->id, law->id, names,
               mark(law, CAROM_TRAIT_ENERGY_SAFE), mark(law, CAROM_TRAIT_CONE_SAFE), mark(law, CAROM_TRAIT_TANGENTIAL),
               scope(law), mark(law, CAROM_TRAIT_UNIQUE), mark(law, CAROM_TRAIT_HAS_PATH), cost(law));
    }
    together_markdown();
}

static int coefficient_count(const carom_law *law)
{
    int count = 0;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        count += (int)(law->uses >> i & 1);
    return count;
}

/* The desirable properties that traits decide. */
static void print_properties(void)
{
    puts("| law | 1 energy | 1 frame | 2 bodies in space | 3 friction cone | 4 tangential reversal | 5 every outcome | "
         "6 coefficients | 6 cost | scales with velocity | with mass | local |");
    puts("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        printf("| [%s](../laws/%s.md) | %s | %s | %s | %s | %s | %s | %d | %s | %s | %s | %s |\n", law->id, law->id,
               mark(law, CAROM_TRAIT_ENERGY_SAFE), mark(law, CAROM_TRAIT_FRAME_FREE), scope(law),
               mark(law, CAROM_TRAIT_CONE_SAFE), mark(law, CAROM_TRAIT_TANGENTIAL), mark(law, CAROM_TRAIT_ANY_OUTCOME),
               coefficient_count(law), cost(law), mark(law, CAROM_TRAIT_VELOCITY_SCALES),
               mark(law, CAROM_TRAIT_MASS_SCALES), mark(law, CAROM_TRAIT_LOCAL));
    }
}

static void print_traits(const carom_law *law)
{
    static const char *const heads[] = {"  trait", "meaning"};
    table t = table_start("lw", heads);
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++) {
        char word[48];
        snprintf(word, sizeof word, "  %s", carom_trait_word((carom_trait)i));
        const char *row[] = {word, carom_trait_meaning((carom_trait)i)};
        if (law->traits >> i & 1)
            table_add(&t, ROW_PLAIN, row);
    }
    table_end(&t);
}

static void print_law(const carom_law *law)
{
    printf("%s%s%s: %s\n", term_bold(), law->id, term_plain(), law->name);
    text_wrapped(law->summary, 0);
    printf("\n");
    coefficients_show(law->uses);
    printf("\n");
    print_traits(law);
    printf("\nfamily %s; reference %s; page docs/laws/%s.md\n", law->family, law->reference, law->id);
}

/* ---- the command ---- */

static int show(int argc, char **argv, bool json)
{
    settings found = {0};
    if (strcmp(argv[0], "show") != 0)
        return complain("laws: unknown word \"%s\"; did you mean `carom laws show %s`?", argv[0], argv[0]);
    if (argc != 2)
        return complain("laws show: expected the id of one law; `carom laws` lists them");
    if (!settings_law(&found, argv[1]))
        return BAD_INPUT;
    if (json)
        print_json(found.together ? carom_together_json(found.together) : carom_law_json(found.law));
    else if (found.together)
        together_show(found.together);
    else
        print_law(found.law);
    return FINE;
}

/* ---- options ---- */

typedef struct session {
    bool json, markdown, properties;
} session;

static const option_row options[] = {
    JSON_OPTION(session, "the same as JSON"),
    {"markdown", NULL, "the table of docs/guide/choosing.md", .at = offsetof(session, markdown)},
    {"properties", NULL, "the table of docs/theory/desirable-properties.md", .at = offsetof(session, properties)},
    {.name = NULL}};

const command_help help_laws = {
    .usage = "usage: carom laws [--json | --markdown | --properties]\n"
             "       carom laws show ID [--json]\n\n"
             "Lists the collision laws, or shows one: its coefficients with ranges and defaults, what it\n"
             "guarantees, and where it comes from.\n\n",
    options,
    "\nexample    carom laws show chatterjee-momentum\n"};

int cmd_laws(int argc, char **argv)
{
    session s = {0};
    if (!options_read("laws", &help_laws, argc, argv, &s))
        return BAD_INPUT;
    if (optind < argc)
        return show(argc - optind, argv + optind, s.json);
    if (s.json)
        print_json(carom_laws_json());
    else if (s.markdown)
        print_markdown();
    else if (s.properties)
        print_properties();
    else
        print_laws();
    return FINE;
}
