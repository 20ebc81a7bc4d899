#include <ctype.h>
#include <string.h>

#include "support/check.h"

static void test_every_law_is_complete(void **state)
{
    (void)state;
    assert_true(carom_law_count() >= 3);
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        assert_true(*law->name && *law->family && *law->summary && *law->reference);
        assert_int_equal(carom_law_check(law), CAROM_STATUS_OK);
        assert_true(law->uses & (CAROM_USES(e) | CAROM_USES(mu)));
        assert_ptr_equal(carom_law_find(law->id), law);
        for (const char *c = law->id; *c; c++)
            assert_true(islower((unsigned char)*c) || *c == '-');
    }
}

static void test_unknown_laws(void **state)
{
    (void)state;
    assert_null(carom_law_find("hooke"));
    assert_null(carom_law_find(""));
    assert_null(carom_law_at(-1));
    assert_null(carom_law_at(carom_law_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_law_is_complete),
        cmocka_unit_test(test_unknown_laws),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
