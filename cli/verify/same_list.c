/* Compares lists of words and numbers. Where contacts are solved together, events of the same instant may be in any
 * order, and a slip that only its own end follows, without velocity, does not count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define SAME_TIME 1e-6 /* units of the path's time: events this close are simultaneous */
#define NO_SLIP   1e-9 /* of the largest velocity: a slip below it has no extent */

enum { WORDS_MOST = 256, WORD = 16 };

/* ---- words of one contact ---- */

const char *check_word(const json_t *entry)
{
    const char *word = json_string_value(json_is_object(entry) ? json_object_get(entry, "kind") : entry);
    return word ? word : "?";
}

static bool same_words(const json_t *expected, const json_t *got)
{
    if (json_array_size(expected) != json_array_size(got))
        return false;
    for (size_t i = 0; i < json_array_size(expected); i++)
        if (strcmp(check_word(json_array_get(expected, i)), check_word(json_array_get(got, i))) != 0)
            return false;
    return true;
}

/* ---- events of contacts together ---- */

typedef struct word_list {
    int count;
    char words[WORDS_MOST][WORD];
} word_list;

static void read_words(const json_t *array, word_list *list)
{
    size_t i;
    json_t *value;
    list->count = 0;
    json_array_foreach((json_t *)array, i, value)
    {
        if (list->count < WORDS_MOST)
            snprintf(list->words[list->count++], WORD, "%s", json_string_value(value) ? json_string_value(value) : "?");
    }
}

static int contact_of(const char *word)
{
    return atoi(word + strcspn(word, "0123456789"));
}

static bool is_kind(const char *word, const char *kind)
{
    size_t length = strlen(kind);
    return strncmp(word, kind, length) == 0 && word[length] >= '0' && word[length] <= '9';
}

/* Remove slips without extent: the next event of their contact is its end, and it does not move afterwards. */
static void drop_empty_slips(const carom_case *c, const carom_result *result, word_list *list)
{
    const carom_contacts *x = &c->contacts;
    double speed = 0;
    for (int i = 0; i < x->count * x->dim; i++)
        speed = fmax(speed, fmax(fabs(x->u[i]), fabs(result->together.u_after[i])));
    for (int i = 0; i < list->count; i++) {
        int contact = contact_of(list->words[i]), next = i + 1;
        if (!is_kind(list->words[i], "slip") || contact < 1 || contact > x->count)
            continue;
        while (next < list->count && contact_of(list->words[next]) != contact)
            next++;
        const double *u = result->together.u_after + (contact - 1) * x->dim;
        double slip = x->dim == 2 ? fabs(u[0]) : hypot(u[0], u[1]);
        if (next == list->count || !is_kind(list->words[next], "end") || slip > NO_SLIP * speed)
            continue;
        memmove(list->words[i], list->words[i + 1], (size_t)(list->count - i - 1) * WORD);
        list->count--;
        i--;
    }
}

/* Remove the events of contacts that get no impulse: one that others open may be turned on and off by the last bit. */
static void drop_idle(const carom_case *c, const carom_result *result, word_list *list)
{
    const carom_contacts *x = &c->contacts;
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        int contact = contact_of(list->words[i]);
        if (contact >= 1 && contact <= x->count && result->together.p[contact * x->dim - 1] == 0)
            continue;
        memmove(list->words[kept++], list->words[i], WORD);
    }
    list->count = kept;
}

/* Bring the wanted word to place i if it stands later in the list at the same time. */
static bool pull_forward(const carom_result *result, word_list *got, int i, const char *want)
{
    for (int k = i + 1; k < got->count; k++) {
        bool together = got->count == result->contact_event_count &&
                        result->contact_events[k].time - result->contact_events[i].time < SAME_TIME;
        if (strcmp(got->words[k], want) != 0 || !together)
            continue;
        for (int m = k; m > i; m--) {
            char swap[WORD];
            memcpy(swap, got->words[m], WORD);
            memcpy(got->words[m], got->words[m - 1], WORD);
            memcpy(got->words[m - 1], swap, WORD);
        }
        return true;
    }
    return false;
}

static bool same_events(const carom_case *c, const carom_result *result, const json_t *want, const json_t *got)
{
    word_list a, b;
    read_words(want, &a);
    read_words(got, &b);
    for (int k = 0; k < 2; k++) {
        drop_empty_slips(c, result, k ? &a : &b);
        drop_idle(c, result, k ? &a : &b);
    }
    if (a.count != b.count)
        return false;
    for (int i = 0; i < a.count; i++)
        if (strcmp(a.words[i], b.words[i]) != 0 && !pull_forward(result, &b, i, a.words[i]))
            return false;
    return true;
}

/* Integers in the vectors are read as reals. */
static bool same_values(const json_t *want, const json_t *got)
{
    if (json_is_array(want)) {
        if (json_array_size(want) != json_array_size(got))
            return false;
        for (size_t i = 0; i < json_array_size(want); i++)
            if (!same_values(json_array_get(want, i), json_array_get(got, i)))
                return false;
        return true;
    }
    if (json_is_number(want))
        return json_is_number(got) && json_number_value(want) == json_number_value(got);
    return json_equal((json_t *)want, (json_t *)got);
}

bool check_same_list(const carom_case *c, const carom_result *result, const char *key, const json_t *want,
                     const json_t *got)
{
    if (!got || !c->together)
        return got && same_words(want, got);
    return strcmp(key, "events") == 0 ? same_events(c, result, want, got) : same_values(want, got);
}
