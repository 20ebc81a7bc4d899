#include "literature.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZERO_SLACK 5e-7      /* a printed 0 stands for six decimals */
#define HALF       0.5000001 /* of the last printed place, and a little for numbers that end in 5 */

static const erratum errata[] = {
    {"", "", ""},
#define ERRATUM(key, source, text) {#key, source, text},
#include "errata.def"
#undef ERRATUM
};

const erratum *erratum_at(erratum_key key)
{
    return &errata[key];
}

const char *verdict_word(verdict v)
{
    static const char *const words[] = {"pass", "FAIL", "erratum"};
    return words[v];
}

/* The unit of the last printed place, and how many significant digits were printed. */
static double last_place(const char *text, int *digits)
{
    double place = 1;
    bool point = false, leading = true;
    *digits = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.')
            point = true;
        if (*text < '0' || *text > '9')
            continue;
        leading = leading && *text == '0';
        *digits += !leading;
        place *= point ? 0.1 : 1;
    }
    return *text == 'e' ? place * pow(10, atof(text + 1)) : place;
}

static bool agrees(const finding *f, int *printed)
{
    double published = strtod(f->published, NULL), place = last_place(f->published, printed);
    if (f->range[0] != 0 || f->range[1] != 0)
        return f->got >= f->range[0] && f->got <= f->range[1];
    if (published == 0)
        return fabs(f->got) <= ZERO_SLACK;
    return fabs(f->got - published) <= HALF * place;
}

/* Digits that agree: all of them on a pass, else from the relative difference. */
static int digits_of(const finding *f, bool fine, int printed)
{
    double published = strtod(f->published, NULL);
    if (fine || published == 0 || !isfinite(f->got))
        return fine ? printed : 0;
    double digits = floor(-log10(fabs(f->got - published) / fabs(published)));
    return digits < 0 ? 0 : digits >= printed ? printed - 1 : (int)digits;
}

/* An erratum that agrees after all is a mistake of ours, and so is one that Carom cannot compute. */
static void judge(literature *l, finding *f)
{
    int printed = 0;
    bool fine = isfinite(f->got) && agrees(f, &printed);
    bool blamed = f->erratum != NO_ERRATUM && isfinite(f->got);
    f->verdict = blamed ? (fine ? VERDICT_FAIL : VERDICT_ERRATUM) : fine ? VERDICT_PASS : VERDICT_FAIL;
    f->digits = digits_of(f, fine, printed);
    l->counts[f->verdict]++;
}

static finding *next(literature *l)
{
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 128;
        finding *larger = realloc(l->list, (size_t)room * sizeof *larger);
        l->lost |= !larger;
        if (!larger)
            return NULL;
        l->list = larger;
        l->room = room;
    }
    static const finding nothing;
    finding *f = &l->list[l->count++];
    *f = nothing;
    f->explained = NAN;
    return f;
}

finding *literature_add(literature *l, const char *source, const char *published, double got, const char *what, ...)
{
    va_list arguments;
    finding *f = next(l);
    if (!f)
        return NULL;
    va_start(arguments, what);
    vsnprintf(f->what, sizeof f->what, what, arguments);
    va_end(arguments);
    f->source = source;
    f->published = published;
    f->got = got + 0.0;
    judge(l, f);
    return f;
}

void literature_add_word(literature *l, const char *source, const char *published, double got, double low, double high,
                         const char *what)
{
    finding *f = next(l);
    if (!f)
        return;
    snprintf(f->what, sizeof f->what, "%s", what);
    f->source = source;
    f->published = published;
    f->got = got;
    f->range[0] = low;
    f->range[1] = high;
    judge(l, f);
}

void literature_blame(literature *l, erratum_key key, double explained)
{
    if (l->count == 0)
        return;
    finding *f = &l->list[l->count - 1];
    l->counts[f->verdict]--;
    f->erratum = key;
    f->explained = explained;
    judge(l, f);
}

literature literature_run(void)
{
    literature l = {0};
    literature_thesis(&l);
    literature_smith(&l);
    literature_baber(&l);
    literature_jia(&l);
    return l;
}

void literature_free(literature *l)
{
    free(l->list);
    l->list = NULL;
    l->count = l->room = 0;
}
