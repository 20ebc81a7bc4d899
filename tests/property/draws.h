/* Random impacts: a law's coefficients and a problem, drawn from one of the distributions in kinds.def. */
#ifndef CAROM_TESTS_PROPERTY_DRAWS_H
#define CAROM_TESTS_PROPERTY_DRAWS_H

#include "carom/carom.h"
#include "support/corpus.h"

typedef enum kind {
#define KIND(name, word, tame, meaning)       KIND_##name,
#define PATCH_KIND(name, word, tame, meaning) KIND_##name,
#include "kinds.def"
#undef PATCH_KIND
#undef KIND
    KIND_COUNT
} kind;

const char *kind_word(kind k);
bool kind_is_tame(kind k);
bool kind_has_patch(kind k);

/* The problem, and the coefficients that go with it. */
void draw_impact(dice *d, kind k, const carom_law *law, carom_problem *pb, carom_rule *rule);

/* The same with a patch. Laws without torsion get one, too. */
void draw_patch(dice *d, kind k, const carom_law *law, carom_patch_problem *pb, carom_rule *rule);

#endif
