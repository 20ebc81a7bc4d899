#include "literature.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZERO_SLACK     5e-7      /* a printed 0 stands for six decimals */
#define FRACTION_SLACK 1e-9      /* relative: a fraction is exact */
#define FORMULA_SLACK  1e-11     /* relative to 1 or the value: formulas evaluated in two ways */
#define HALF           0.5000001 /* of the last printed place, and a little for numbers that end in 5 */

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

static const document documents[] = {
#define DOCUMENT(key, name, reference) {name, reference},
#include "documents.def"
#undef DOCUMENT
};

const document *document_at(document_key key)
{
    return &documents[key];
}

const char *verdict_word(verdict v)
{
    static const char *const words[] = {"pass", "FAIL", "erratum"};
    return words[v];
}

const char *group_word(group g)
{
    static const char *const words[] = {"printed", "derived", "own"};
    return words[g];
}

/* The unit of the last printed place, and how many significant digits were printed. */
static double last_place(const char *text, int *digits)
{
    double unit = 1;
    bool point = false, leading = true;
    *digits = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text == '.')
            point = true;
        if (*text < '0' || *text > '9')
            continue;
        leading = leading && *text == '0';
        *digits += !leading;
        unit *= point ? 0.1 : 1;
    }
    return *text == 'e' ? unit * pow(10, atof(text + 1)) : unit;
}

/* What the string says; fractions ("5/2") are exact. */
static double printed_value(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return *end == '/' ? value / strtod(end + 1, NULL) : value;
}

static bool prints_infinity(const char *text)
{
    return strstr(text, "∞") != NULL;
}

static bool agrees(const finding *f, int *printed)
{
    if (prints_infinity(f->published))
        return isinf(f->got) && (f->got < 0) == (f->published[0] == '-');
    double published = printed_value(f->published), unit = last_place(f->published, printed);
    if (f->range[0] != 0 || f->range[1] != 0)
        return f->got >= f->range[0] && f->got <= f->range[1];
    if (published == 0)
        return fabs(f->got) <= ZERO_SLACK;
    if (strchr(f->published, '/'))
        return fabs(f->got - published) <= FRACTION_SLACK * fabs(published);
    return fabs(f->got - published) <= HALF * unit;
}

/* Digits that agree: all of them on a pass, else from the relative difference. */
static int digits_of(const finding *f, bool fine, int printed)
{
    double published = printed_value(f->published);
    if (fine || published == 0 || !isfinite(f->got))
        return fine ? printed : 0;
    double digits = floor(-log10(fabs(f->got - published) / fabs(published)));
    return digits < 0 ? 0 : digits >= printed ? printed - 1 : (int)digits;
}

/* A printed infinity is met by an impulse that the law refuses as unbounded. An erratum that agrees after all is a
 * mistake of ours, and so is one that Carom cannot compute. */
static void judge(literature *l, finding *f)
{
    int printed = 0;
    bool fine = !isnan(f->got) && agrees(f, &printed);
    bool blamed = f->erratum != NO_ERRATUM && isfinite(f->got);
    f->verdict = blamed ? (fine ? VERDICT_FAIL : VERDICT_ERRATUM) : fine ? VERDICT_PASS : VERDICT_FAIL;
    f->digits = digits_of(f, fine, printed);
    l->counts[f->place->group][f->verdict]++;
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

finding *literature_add(literature *l, const place *at, const char *published, double got, const char *what, ...)
{
    va_list arguments;
    finding *f = next(l);
    if (!f)
        return NULL;
    va_start(arguments, what);
    vsnprintf(f->what, sizeof f->what, what, arguments);
    va_end(arguments);
    f->place = at;
    snprintf(f->published, sizeof f->published, "%s", published);
    f->got = got + 0.0;
    judge(l, f);
    return f;
}

void literature_add_word(literature *l, const place *at, const char *published, const double got_low_high[3],
                         const char *what)
{
    finding *f = next(l);
    if (!f)
        return;
    snprintf(f->what, sizeof f->what, "%s", what);
    f->place = at;
    snprintf(f->published, sizeof f->published, "%s", published);
    f->got = got_low_high[0];
    f->range[0] = got_low_high[1];
    f->range[1] = got_low_high[2];
    judge(l, f);
}

void literature_add_formula(literature *l, const place *at, double formula, double got, const char *what)
{
    char text[24];
    double slack = FORMULA_SLACK * fmax(1, fabs(formula));
    const double judged[3] = {got, formula - slack, formula + slack};
    snprintf(text, sizeof text, "%.9g", formula + 0.0);
    literature_add_word(l, at, text, judged, what);
}

void literature_blame(literature *l, erratum_key key, double explained)
{
    if (l->count == 0)
        return;
    finding *f = &l->list[l->count - 1];
    l->counts[f->place->group][f->verdict]--;
    f->erratum = key;
    f->explained = explained;
    judge(l, f);
}

literature literature_run(void)
{
    literature l = {0};
    literature_thesis_chapters(&l);
    literature_thesis(&l);
    literature_thesis_forces(&l);
    literature_baber(&l);
    literature_jia(&l);
    literature_jia_bounces(&l);
    literature_jia_studies(&l);
    literature_morgan(&l);
    literature_lecture(&l);
    literature_own(&l);
    literature_maw(&l);
    return l;
}

int literature_failures(const literature *l)
{
    int failures = 0;
    for (int g = 0; g < GROUP_COUNT; g++)
        failures += l->counts[g][VERDICT_FAIL];
    return failures;
}

void literature_free(literature *l)
{
    free(l->list);
    l->list = NULL;
    l->count = l->room = 0;
}
