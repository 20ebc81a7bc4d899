/* Hints: the known word nearest to a misspelt one. */
#include <ctype.h>
#include <string.h>

#include "carom/case.h"

enum { LONGEST = 48 }; /* longer words get no hint */

static int least(int a, int b, int c)
{
    int low = a < b ? a : b;
    return low < c ? low : c;
}

static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Edit distance where a change, a missing letter, an extra letter and two letters swapped count one each; capitals
 * count as their small letters. rows[i % 3] is the row of the table for the first i letters. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1], columns = (int)strlen(b), count = (int)strlen(a);
    for (int j = 0; j <= columns; j++)
        rows[0][j] = j;
    for (int i = 1; i <= count; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + differ(a[i - 1], b[j - 1]));
            bool swapped = i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]);
            if (swapped && higher[j - 2] + 1 < row[j])
                row[j] = higher[j - 2] + 1;
        }
    }
    return rows[count % 3][columns];
}

/* Near enough: a third of the word may be wrong, and one letter of a short one; a shared beginning also counts. */
static int score(const char *word, const char *known)
{
    size_t length = strlen(word), other = strlen(known);
    if (length > LONGEST || other > LONGEST || length == 0)
        return LONGEST;
    int wrong = distance(word, known), longer = (int)(length > other ? length : other);
    if (wrong < longer && wrong <= (longer > 5 ? longer / 3 : 1))
        return wrong;
    return length >= 3 && strncmp(word, known, length) == 0 ? wrong : LONGEST;
}

const char *carom_nearest(const char *word, const char *const *words)
{
    const char *best = NULL;
    int lowest = LONGEST;
    for (; *words; words++) {
        int here = score(word, *words);
        if (here < lowest) {
            lowest = here;
            best = *words;
        }
    }
    return best;
}

/* A law whose id has the word in it, as a person may remember it ("stronge"). */
static const char *law_with(const char *word)
{
    for (int i = 0; i < carom_law_count() && strlen(word) >= 4; i++)
        if (strstr(carom_law_at(i)->id, word))
            return carom_law_at(i)->id;
    return NULL;
}

/* What people call a law or a coefficient by another name. */
typedef struct alias {
    const char *word, *means;
} alias;

static const char *alias_of(const char *word, const alias *list)
{
    for (; list->word; list++)
        if (strlen(word) == strlen(list->word) && !distance(word, list->word))
            return list->means;
    return NULL;
}

const char *carom_nearest_coefficient(const char *word)
{
    static const alias names[] = {{"friction", "mu"},
                                  {"restitution", "e"},
                                  {"cor", "e"},
                                  {"e_n", "e"},
                                  {"epsilon", "e"},
                                  {"static_friction", "mu_s"},
                                  {"tangential_restitution", "e_t"},
                                  {"stiffness_ratio", "eta"},
                                  {NULL, NULL}};
    static const char *const words[] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) #name,
#include "carom/coeffs.def"
#undef CAROM_COEFF
        NULL};
    const char *named = strlen(word) <= LONGEST ? alias_of(word, names) : NULL;
    return named ? named : carom_nearest(word, words);
}

const char *carom_nearest_law(const char *word)
{
    static const alias names[] = {{"kane-levinson", "whittaker"}, {"coulomb", "routh-stronge"},
                                  {"mirtich", "routh-stronge"},   {"baber", "routh-stronge"},
                                  {"morgan", "routh-stronge"},    {NULL, NULL}};
    const char *named = strlen(word) > LONGEST ? NULL : alias_of(word, names);
    if (named)
        return named;
    const char *best = NULL;
    int lowest = LONGEST;
    for (int i = 0; i < carom_law_count(); i++) {
        int here = score(word, carom_law_at(i)->id);
        if (here < lowest) {
            lowest = here;
            best = carom_law_at(i)->id;
        }
    }
    return best ? best : law_with(word);
}
