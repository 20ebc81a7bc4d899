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

/* Levenshtein's distance, one row at a time; capitals count as their small letters. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST + 1], columns = (int)strlen(b);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            int above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + differ(a[i - 1], b[j - 1]));
            diagonal = above;
        }
    }
    return row[columns];
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

const char *carom_nearest_law(const char *word)
{
    const char *best = NULL;
    int lowest = LONGEST;
    for (int i = 0; i < carom_law_count(); i++) {
        int here = score(word, carom_law_at(i)->id);
        if (here < lowest) {
            lowest = here;
            best = carom_law_at(i)->id;
        }
    }
    return best;
}
