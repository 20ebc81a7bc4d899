/* Requests: every name answers, refusals have fields, options are checked. */
#include "carom/request.h"

#include <math.h>
#include <string.h>

#include "carom/json_short.h"
#include "support/check.h"

static const char ball[] = "{\"law\": \"newton\",\n \"coefficients\": {\"e\": 0.7},\n"
                           " \"reduced\": {\"K\": [[2.385, 0], [0, 1.3]], \"u\": [0.4, -2.1]}}";

static carom_text text_of(const char *bytes)
{
    return (carom_text){"test", 1, bytes, strlen(bytes)};
}

static void refuses(const char *name, const char *document, const char *options, const char *key, long line)
{
    const carom_text text = text_of(document ? document : "");
    carom_reply reply;
    assert_false(carom_request(name, document ? &text : NULL, options, NULL, &reply));
    assert_null(reply.answer);
    assert_string_equal(reply.error.key, key);
    assert_int_equal(reply.error.line, line);
    assert_true(reply.error.rule[0] && strstr(reply.error.message, reply.error.rule));
    carom_reply_free(&reply);
}

static void test_refusals_have_fields(void **state)
{
    (void)state;
    refuses("solve", "{\n\"law\": \"newton\",\n\"reduced\": {\"K\": [[1, 0], [0, 1]],\n\"v\": 1}}", NULL, "reduced.v",
            4);
    refuses("solve", ball, "{\"set\": {\"e\": 2}}", "set.e", 0);
    refuses("solve", ball, "{\"law\": \"newtn\"}", "law", 0);
    refuses("solve", ball, "{\"sett\": 1}", "sett", 0);
    refuses("solve", NULL, NULL, "", 0);
    refuses("invert", ball, "{\"want\": {\"u_after\": [null, 0.8]}, \"vary\": \"eta\"}", "vary.eta", 0);
    refuses("invert", ball, "{\"want\": {\"u_after\": [null, -0.8]}, \"vary\": \"e\"}", "want.u_after", 0);
    refuses("fit", "{}", "{\"law\": \"bilinear\", \"loss\": \"squared\"}", "loss", 0);
    refuses("explain", NULL, "{\"word\": \"stikc\"}", "word", 0);
    refuses("nothing", NULL, NULL, "", 0);
}

static void test_a_syntax_error_has_a_column(void **state)
{
    (void)state;
    const carom_text text = text_of("{\n  \"law\": newton}");
    carom_reply reply;
    assert_false(carom_request("solve", &text, NULL, NULL, &reply));
    assert_int_equal(reply.error.line, 2);
    assert_true(reply.error.column >= 10);
    carom_reply_free(&reply);
}

/* u_n after = e times the approach, whatever the request changes. */
static void test_solve_takes_settings(void **state)
{
    (void)state;
    const carom_text text = text_of(ball);
    carom_reply reply;
    assert_true(carom_request("solve", &text, "{\"set\": {\"e\": 0.25}}", NULL, &reply));
    const carom_json *u = json_object_get(reply.answer, "u_after");
    assert_true(fabs(json_number_value(json_array_get(u, 1)) - 0.25 * 2.1) < 2e-15); /* u + K p: a few roundings */
    carom_reply_free(&reply);
}

static void test_warnings_come_beside_the_answer(void **state)
{
    (void)state;
    const carom_text text = text_of(ball);
    carom_reply reply;
    assert_true(carom_request("solve", &text, "{\"set\": {\"eta\": 1.1}}", NULL, &reply));
    assert_int_equal(reply.warning_count, 1);
    assert_int_equal(reply.warnings[0].kind, CAROM_WARNING_COEFFICIENT);
    carom_reply_free(&reply);
    assert_false(carom_request("solve", &text, "{\"set\": {\"eta\": 1.1}, \"strict\": true}", NULL, &reply));
    carom_reply_free(&reply);
}

static void test_invert_finds_what_newton_says(void **state)
{
    (void)state;
    const carom_text text = text_of(ball);
    carom_reply reply;
    assert_true(
        carom_request("invert", &text, "{\"want\": {\"u_after\": [null, 1.05]}, \"vary\": [\"e\"]}", NULL, &reply));
    const carom_json *first = json_array_get(json_object_get(reply.answer, "solutions"), 0);
    double e = json_number_value(json_object_get(json_object_get(first, "controls"), "e"));
    assert_true(e > 0.5 - 1e-12 && e < 0.5 + 1e-12); /* 1.05 / 2.1; the search ends at 1e-13 */
    carom_reply_free(&reply);
}

static void test_tables_answer(void **state)
{
    static const char *const names[] = {"words", "laws", "materials", NULL};
    (void)state;
    for (int i = 0; names[i]; i++) {
        carom_reply reply;
        assert_true(carom_request(names[i], NULL, NULL, NULL, &reply));
        assert_true(json_array_size(reply.answer) > 5);
        carom_reply_free(&reply);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals_have_fields),          cmocka_unit_test(test_a_syntax_error_has_a_column),
        cmocka_unit_test(test_solve_takes_settings),          cmocka_unit_test(test_warnings_come_beside_the_answer),
        cmocka_unit_test(test_invert_finds_what_newton_says), cmocka_unit_test(test_tables_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
