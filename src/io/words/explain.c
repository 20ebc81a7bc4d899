/* Every word that the library says, in a sentence. */
#include "carom/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/case/reader.h"

/* Kind and page of a mode come from the laws that have it. */
typedef struct entry {
    const char *kind, *word, *text, *page;
} entry;

#define CASE_PAGE "docs/guide/case-format.md"

static const entry fixed[] = {
#define MODE(word, text)    {"mode", word, text, NULL},
#define PATH(word, text)    {"path", word, text, "docs/laws/routh-stronge.md"},
#define TURNING(word, text) {"contact with a patch", word, text, "docs/theory/patch.md"},
#include "io/words/modes.def"
#undef TURNING
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
#define CAROM_OPTION_FOURTH(name, NAME, fourth, FOURTH, meaning)           {"option " #name, fourth, meaning, CASE_PAGE},
#include "carom/options.def"
#undef CAROM_OPTION
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) {"option: " word " or " other, #name, meaning, CASE_PAGE},
#include "carom/options.def"
#undef CAROM_OPTION
};

enum { FIXED = sizeof fixed / sizeof fixed[0] };

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

static carom_word word_of(const entry *e)
{
    carom_word w = {.word = e->word, .meaning = e->text};
    kind_of(e, w.kind, sizeof w.kind);
    page_of(e, w.page, sizeof w.page);
    return w;
}

int carom_word_count(void)
{
    return FIXED + CAROM_COEFF_COUNT + carom_law_count() + carom_together_count();
}

carom_word carom_word_at(int i)
{
    const entry e = entry_at(i);
    return word_of(&e);
}

const char *carom_word_nearest(const char *word)
{
    enum { MOST = 256 };
    const char *words[MOST + 1] = {NULL};
    int count = carom_word_count() < MOST ? carom_word_count() : MOST;
    for (int i = 0; i < count; i++)
        words[i] = entry_at(i).word;
    return carom_nearest(word, words);
}

/* ---- one word ---- */

typedef struct listener {
    carom_explain_tell *tell;
    void *context;
} listener;

static void lead(const listener *to, const char *format, ...) PRINTF_LIKE(2, 3);

static void lead(const listener *to, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    to->tell(to->context, text, NULL);
}

static void tell_entry(const listener *to, const entry *e, const char *word)
{
    carom_word w = word_of(e);
    w.word = word;
    to->tell(to->context, NULL, &w);
}

/* All entries of a word; some words mean a mode and an event. Returns how many. */
static int explain_whole(const listener *to, const char *word)
{
    int found = 0;
    for (int i = 0; i < carom_word_count(); i++) {
        entry e = entry_at(i);
        if (strcmp(e.word, word) == 0) {
            tell_entry(to, &e, word);
            found++;
        }
    }
    return found;
}

static int parts_found(const listener *to, const char *word, const char *between);

/* Events of several contacts carry the number of theirs: "Z2". */
static int explain_numbered(const listener *to, const char *word)
{
    size_t length = strcspn(word, "0123456789");
    char kind[16];
    snprintf(kind, sizeof kind, "%.*s", (int)length, word);
    for (int i = 0; word[length] && word[length + strspn(word + length, "0123456789")] == 0 && i < FIXED; i++)
        if (strcmp(fixed[i].kind, "event of several contacts") == 0 && strcmp(fixed[i].word, kind) == 0) {
            lead(to, "%s: at contact %s", word, word + length);
            tell_entry(to, &fixed[i], kind);
            return 1;
        }
    return 0;
}

/* A word made of others. The parts of chatterjee-mix are numbered by law ("II:cone"); those of a compliant path carry
 * their half ("slip:C"). */
static int explain_parts(const listener *to, const char *word)
{
    if (strchr(word, '|'))
        return parts_found(to, word, "|");
    if (strncmp(word, "I:", 2) == 0 || strncmp(word, "II:", 3) == 0 || strncmp(word, "III:", 4) == 0) {
        lead(to, "%s: law %.*s of the mix (chatterjee-%s)", word, (int)strcspn(word, ":"), word,
             word[1] == ':'   ? "velocity"
             : word[2] == ':' ? "momentum"
                              : "rebound");
        return explain_whole(to, strchr(word, ':') + 1);
    }
    const char *half = strchr(word, ':');
    if (half && (strcmp(half, ":C") == 0 || strcmp(half, ":R") == 0)) {
        char part[48];
        snprintf(part, sizeof part, "%.*s", (int)(half - word), word);
        lead(to, "%s: during %s", word, half[1] == 'C' ? "compression" : "restitution");
        return explain_whole(to, part);
    }
    if (strchr(word, '/')) {
        lead(to, "%s: in compression, then in expansion", word);
        return parts_found(to, word, "/");
    }
    if (strncmp(word, "slip-", 5) == 0 || strncmp(word, "stick-", 6) == 0) {
        lead(to, "%s: one after the other (law jia)", word);
        return parts_found(to, word, "-");
    }
    return explain_numbered(to, word);
}

static int parts_found(const listener *to, const char *word, const char *between)
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
        int here = explain_whole(to, part);
        here = here ? here : explain_parts(to, part);
        if (!here)
            return 0;
        found += here;
    }
    return found;
}

int carom_explain(const char *word, carom_explain_tell *tell, void *context)
{
    const listener to = {tell, context};
    int found = explain_whole(&to, word);
    return found ? found : explain_parts(&to, word);
}

carom_json *carom_words_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < carom_word_count(); i++) {
        const carom_word w = carom_word_at(i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "word", w.word, "kind", w.kind, "meaning",
                                              w.meaning, "page", w.page));
    }
    return list;
}

bool carom_coeff_is_silent(carom_coeff i, double value)
{
    bool absent = value == 0 && (i == CAROM_COEFF_patch || i == CAROM_COEFF_rho);
    return absent || value == CAROM_NOT_GIVEN || (i == CAROM_COEFF_mu_s && value == CAROM_SAME_AS_MU);
}
