#include "support/check.h"

#include <string.h>

#include "carom/case.h"

static const char *const words[] = {"mass", "inertia", "velocity", "omega", "fixed", "K", "M", "u", NULL};

static void assert_hint(const char *word, const char *hint)
{
    const char *found = carom_nearest(word, words);
    if (hint)
        assert_string_equal(found ? found : "nothing", hint);
    else
        assert_null(found);
}

static void test_misspelt(void **state)
{
    (void)state;
    assert_hint("mas", "mass");
    assert_hint("masss", "mass");
    assert_hint("msas", "mass");
    assert_hint("Mass", "mass");
    assert_hint("velocty", "velocity");
    assert_hint("veloctiy", "velocity");
    assert_hint("inert", "inertia");
    assert_hint("vel", "velocity");
    assert_hint("k", "K");
}

static void test_not_meant(void **state)
{
    (void)state;
    assert_hint("colour", NULL);
    assert_hint("x", NULL);
    assert_hint("", NULL);
    assert_hint("a word that is much longer than any key of a case ever was", NULL);
}

/* A third of a long word may be wrong, one letter of a short one. */
static void test_how_near(void **state)
{
    (void)state;
    assert_hint("valocety", "velocity"); /* two of eight */
    assert_hint("valocetu", NULL);       /* three of eight */
    assert_hint("imertja", "inertia");   /* two of seven */
    assert_hint("imortja", NULL);        /* three of seven */
    assert_hint("omego", "omega");       /* one of five */
    assert_hint("omogo", NULL);          /* two of five */
    assert_hint("xnertia", "inertia");   /* no beginning in common */
    assert_hint("in", NULL);             /* too short a beginning */
}

static void test_laws(void **state)
{
    (void)state;
    assert_string_equal(carom_nearest_law("newtn"), "newton");
    assert_string_equal(carom_nearest_law("chatterjee-momentun"), "chatterjee-momentum");
    assert_string_equal(carom_nearest_law("bilinaer"), "bilinear");
    assert_null(carom_nearest_law("quantum-foam"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misspelt),
        cmocka_unit_test(test_not_meant),
        cmocka_unit_test(test_how_near),
        cmocka_unit_test(test_laws),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
