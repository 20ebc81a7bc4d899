/* The mode of an outcome as a number, for columns: 0 is "no_impact", and k + 1 the first word of the law that reads as
 * the mode does. */
#ifndef CAROM_ENGINE_MODE_H
#define CAROM_ENGINE_MODE_H

#include <string.h>

#include "carom/law.h"

enum { MODE_UNLISTED = 255 }; /* the law does not list this word */

static inline unsigned char mode_number(const char *const *modes, int count, const char *word)
{
    int k = 0;
    if (strcmp(word, "no_impact") == 0)
        return 0;
    while (k < count && k + 1 < MODE_UNLISTED && strcmp(modes[k], word) != 0)
        k++;
    return (unsigned char)(k < count ? k + 1 : MODE_UNLISTED);
}

static inline const char *mode_word(const carom_law *law, unsigned char number)
{
    return number == 0 ? "no_impact" : number <= law->mode_count ? law->modes[number - 1] : "";
}

#endif
