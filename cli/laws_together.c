#include "laws_together.h"

#include <stdio.h>
#include <string.h>

#include "table.h"
#include "term.h"

enum { TEXT = 256 };

static void coefficient_names(const carom_together *law, char *text)
{
    text[0] = 0;
    if (law->uses & CAROM_USES(ratio_1)) {
        snprintf(text, TEXT, "of its base");
        return;
    }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1) {
            size_t used = strlen(text);
            snprintf(text + used, TEXT - used, "%s%s", used ? " " : "", carom_coeff_at((carom_coeff)i)->name);
        }
}

/* "yes", "mu = 0" (without friction only), or "-". */
static const char *mark(const carom_together *law, unsigned trait)
{
    return law->traits & trait ? "yes" : law->frictionless & trait ? "mu = 0" : "-";
}

void together_table(void)
{
    static const char *const heads[] = {"several contacts", "coefficients", "energy safe", "cone safe",
                                        "unique",           "path",         "most"};
    table t = table_start("llllllr", heads);
    for (int i = 0; i < carom_together_count(); i++) {
        const carom_together *law = carom_together_at(i);
        char names[TEXT], most[16];
        coefficient_names(law, names);
        snprintf(most, sizeof most, "%d", law->most);
        const char *row[] = {law->id,
                             names,
                             mark(law, CAROM_TRAIT_ENERGY_SAFE),
                             mark(law, CAROM_TRAIT_CONE_SAFE),
                             mark(law, CAROM_TRAIT_UNIQUE),
                             mark(law, CAROM_TRAIT_HAS_PATH),
                             most};
        table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_end(&t);
}

void together_markdown(void)
{
    printf("\n| several contacts | coefficients | energy safe | cone safe | unique | path | most contacts |\n");
    printf("|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < carom_together_count(); i++) {
        const carom_together *law = carom_together_at(i);
        char names[TEXT];
        coefficient_names(law, names);
        printf("| [%s](../laws/%s.md) | %s | %s | %s | %s | %s | %d |\n", law->id, law->id, names,
               mark(law, CAROM_TRAIT_ENERGY_SAFE), mark(law, CAROM_TRAIT_CONE_SAFE), mark(law, CAROM_TRAIT_UNIQUE),
               mark(law, CAROM_TRAIT_HAS_PATH), law->most);
    }
}

/* The default as people write it. */
static void default_text(carom_coeff i, char text[CAROM_NUMBER_SIZE])
{
    const carom_coeff_info *info = carom_coeff_at(i);
    if (i == CAROM_COEFF_mu_s)
        snprintf(text, CAROM_NUMBER_SIZE, "= mu");
    else if (info->value == CAROM_NOT_GIVEN)
        snprintf(text, CAROM_NUMBER_SIZE, "%s",
                 i == CAROM_COEFF_c      ? "from e"
                 : i == CAROM_COEFF_k_t2 ? "= k_t1"
                                         : "from eta");
    else
        snprintf(text, CAROM_NUMBER_SIZE, "%.4g%s%s", info->value, strcmp(info->unit, "1") == 0 ? "" : " ",
                 strcmp(info->unit, "1") == 0 ? "" : info->unit);
}

void coefficients_show(uint64_t uses)
{
    static const char *const heads[] = {"  coefficient", "default", "range", "meaning"};
    table t = table_start("lllw", heads);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        const carom_coeff_info *info = carom_coeff_at((carom_coeff)i);
        char name[32], value[CAROM_NUMBER_SIZE];
        snprintf(name, sizeof name, "  %s", info->name);
        default_text((carom_coeff)i, value);
        const char *row[] = {name, value, info->range, info->meaning};
        if (uses >> i & 1)
            table_add(&t, ROW_PLAIN, row);
    }
    if (t.rows > 0)
        table_end(&t);
}

void together_show(const carom_together *law)
{
    static const char *const heads[] = {"  trait", "", "meaning"};
    printf("%s%s%s: %s\n", term_bold(), law->id, term_plain(), law->name);
    text_wrapped(law->summary, 0);
    printf("\n");
    coefficients_show(law->uses);
    table t = table_start("llw", heads);
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++) {
        char word[48];
        unsigned bit = 1u << i;
        snprintf(word, sizeof word, "  %s", carom_trait_word((carom_trait)i));
        const char *row[] = {word, law->traits & bit ? "" : "mu = 0", carom_trait_meaning((carom_trait)i)};
        if ((law->traits | law->frictionless) & bit)
            table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_end(&t);
    printf("\nseveral contacts, at most %d; reference %s; page docs/laws/%s.md\n", law->most, law->reference, law->id);
}
