/* Carom: the words of answers and case files, in sentences; the laws and the tables of this build as JSON. Library
 * carom-io; not part of carom/carom.h.
 *
 *     for (int i = 0; i < carom_word_count(); i++)
 *         w = carom_word_at(i);                       "C-reversal", its kind, its meaning, the page to read on
 *     carom_explain("slip/stick", print, NULL);        a word that is made of others is taken apart
 *
 * `carom explain` prints what these functions say. */
#ifndef CAROM_WORDS_H
#define CAROM_WORDS_H

#include "carom/case.h"
#include "carom/materials.h"

CAROM_BEGIN

typedef struct carom_word {
    const char *word, *meaning;
    char kind[512]; /* "flag", "mode of jia, mindlin" */
    char page[96];  /* "docs/laws/jia.md" */
} carom_word;

CAROM_API int carom_word_count(void);
CAROM_API carom_word carom_word_at(int i);

/* Receives what there is to say about a word: a line that leads to what follows ("Z2: at contact 2"), or a meaning. One
 * of the two is null. */
typedef void carom_explain_tell(void *context, const char *lead, const carom_word *word);

/* Explain a word. Returns how many meanings were told; 0 for an unknown word. */
CAROM_API int carom_explain(const char *word, carom_explain_tell *tell, void *context);

/* The known word nearest to an unknown one, or null. */
CAROM_API const char *carom_word_nearest(const char *word);

/* Is there nothing to say about this value in the head of a report or a picture? mu_s that is mu, a coefficient that
 * was not given, a patch or an arm of rolling that is not there. */
CAROM_API bool carom_coeff_is_silent(carom_coeff i, double value);

/* The whole dictionary, a law of one contact, a law of several, all laws: as JSON, keys as in `carom laws --json`. */
CAROM_API carom_json *carom_words_json(void);
CAROM_API carom_json *carom_law_json(const carom_law *law);
CAROM_API carom_json *carom_together_json(const carom_together *law);
CAROM_API carom_json *carom_laws_json(void);

/* What pages and packages need of the tables: version, coefficients, options, statuses, flags, columns of the ledger,
 * stops and kinds of events of a run. */
CAROM_API carom_json *carom_manifest_json(void);

/* A pair of materials; coefficients that its source does not state are left out. */
CAROM_API carom_json *carom_pair_json(const carom_pair_info *pair);

CAROM_END

#endif
