/* Requests about words, laws and materials. */
#include <stdio.h>
#include <string.h>

#include "carom/words.h"
#include "io/request/request.h"

static const char *const no_options[] = {NULL};

bool carom_internal_request_words(request *r)
{
    r->reply->answer = carom_words_json();
    return request_options(r, false, no_options);
}

bool carom_internal_request_laws(request *r)
{
    r->reply->answer = carom_laws_json();
    return request_options(r, false, no_options);
}

static void add_meaning(void *context, const char *lead, const carom_word *w)
{
    json_array_append_new(context, lead ? json_pack("{s:s}", "lead", lead)
                                        : json_pack("{s:s, s:s, s:s, s:s}", "word", w->word, "kind", w->kind, "meaning",
                                                    w->meaning, "page", w->page));
}

bool carom_internal_request_explain(request *r)
{
    static const char *const options[] = {"word", NULL};
    const char *word = "";
    json_t *list = json_array();
    r->reply->answer = list;
    if (!request_options(r, false, options) || !request_word(r, "word", &word))
        return false;
    if (carom_explain(word, add_meaning, list))
        return true;
    const char *hint = carom_word_nearest(word);
    return request_fail(r, "word", hint ? "unknown word \"%s\"; did you mean \"%s\"?" : "unknown word \"%s\"", word,
                        hint);
}

bool carom_internal_request_materials(request *r)
{
    static const char *const options[] = {"word", NULL};
    const char *word = "";
    json_t *list = json_array();
    r->reply->answer = list;
    if (!request_options(r, false, options) || !request_word(r, "word", &word))
        return false;
    for (int i = 0; i < carom_pair_count(); i++)
        if (carom_pair_matches(carom_pair_at(i), word))
            json_array_append_new(list, carom_pair_json(carom_pair_at(i)));
    return json_array_size(list) > 0 || request_fail(r, "word", "no pair of materials has \"%s\"", word);
}
