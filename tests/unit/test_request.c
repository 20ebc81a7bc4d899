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
    refuses("compare", ball, "{\"orders\": true}", "orders", 0);
    refuses("trace", ball, "{\"law\": \"newton\"}", "law.newton", 0);
    refuses("trace", ball, "{\"points\": 1.5}", "points", 0);
    refuses("convert", NULL, "{\"kind\": \"hertz\", \"values\": {\"mass\": -1}}", "mass", 0);
    refuses("convert", NULL, "{\"kind\": \"bounce\"}", "", 0);
    refuses("sweep", ball, "{\"vary\": {\"q\": [1, 2]}}", "vary", 0);
    refuses("sweep", ball, NULL, "", 0);
    refuses("ensemble", "{\n\"bodies\": 3}", "{\"vary\": {\"e\": [1, 2]}}", "bodies", 2);
    refuses("scenes", NULL, "{\"name\": \"brake\"}", "name", 0);
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

/* Newton's law takes part, with its p_n = (1 + e) v / K_nn; no law of contact forces does. */
static void test_compare_solves_with_every_law(void **state)
{
    (void)state;
    const carom_text text = text_of(ball);
    carom_reply reply;
    assert_true(carom_request("compare", &text, NULL, NULL, &reply));
    const carom_json *answers = json_object_get(reply.answer, "answers"), *first = json_array_get(answers, 0);
    assert_true(json_array_size(answers) > 12);
    assert_string_equal(json_string_value(json_object_get(first, "law")), "newton");
    const double p_n = json_number_value(json_array_get(json_object_get(first, "p"), 1));
    assert_true(fabs(p_n - 1.7 * 2.1 / 1.3) < 2e-15);
    carom_reply_free(&reply);
}

/* The path of routh-stronge ends with the impulse that solve finds. */
static void test_trace_ends_where_solve_does(void **state)
{
    (void)state;
    static const char options[] = "{\"law\": \"routh-stronge\", \"set\": {\"mu\": 0.23}}";
    const carom_text text = text_of(ball);
    carom_reply trace, solve;
    assert_true(carom_request("trace", &text, options, NULL, &trace));
    assert_true(carom_request("solve", &text, options, NULL, &solve));
    const carom_json *points = json_object_get(trace.answer, "points"), *p = json_object_get(solve.answer, "p");
    const carom_json *last = json_array_get(points, json_array_size(points) - 1);
    for (size_t i = 0; i < 2; i++)
        assert_true(fabs(json_number_value(json_array_get(json_object_get(last, "p"), i)) -
                         json_number_value(json_array_get(p, i))) < 1e-14);
    carom_reply_free(&trace);
    carom_reply_free(&solve);
}

/* kappa = 2 (1 - nu) / (2 - nu): 14/17 for nu = 0.3. */
static void test_convert_answers_by_name(void **state)
{
    (void)state;
    carom_reply reply;
    assert_true(carom_request("convert", NULL, "{\"kind\": \"stiffness\", \"values\": {\"nu\": 0.3}}", NULL, &reply));
    assert_true(fabs(json_number_value(json_object_get(reply.answer, "kappa")) - 14.0 / 17) < 2e-16);
    carom_reply_free(&reply);
}

/* Newton: p_n = (1 + e) v / K_nn at every point; the mean over e = 0, 0.5, 1 is that of e = 0.5. */
static void test_sweeps_have_rows_or_statistics(void **state)
{
    (void)state;
    const carom_text text = text_of(ball);
    carom_reply rows, statistics;
    assert_true(carom_request("sweep", &text, "{\"vary\": {\"e\": [0, 0.5, 1]}}", NULL, &rows));
    const carom_json *columns = json_object_get(rows.answer, "columns");
    size_t at = 0;
    while (strcmp(json_string_value(json_array_get(columns, at)), "p_n") != 0)
        at++;
    for (size_t i = 0; i < 3; i++) {
        const carom_json *row = json_array_get(json_object_get(rows.answer, "rows"), i);
        assert_true(fabs(json_number_value(json_array_get(row, at)) - (1 + 0.5 * (double)i) * 2.1 / 1.3) < 2e-15);
    }
    assert_true(
        carom_request("sweep", &text, "{\"vary\": {\"e\": \"0:1:3\"}, \"statistics\": true}", NULL, &statistics));
    const carom_json *list = json_object_get(statistics.answer, "statistics"), *p_n = json_array_get(list, 2);
    assert_string_equal(json_string_value(json_object_get(p_n, "quantity")), "p_n");
    assert_true(fabs(json_number_value(json_object_get(p_n, "mean")) - 1.5 * 2.1 / 1.3) < 2e-15);
    carom_reply_free(&rows);
    carom_reply_free(&statistics);
}

static void test_tables_answer(void **state)
{
    static const char *const names[] = {"words", "laws", "materials", "examples", "scenes", NULL};
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
        cmocka_unit_test(test_refusals_have_fields),           cmocka_unit_test(test_a_syntax_error_has_a_column),
        cmocka_unit_test(test_solve_takes_settings),           cmocka_unit_test(test_warnings_come_beside_the_answer),
        cmocka_unit_test(test_invert_finds_what_newton_says),  cmocka_unit_test(test_compare_solves_with_every_law),
        cmocka_unit_test(test_trace_ends_where_solve_does),    cmocka_unit_test(test_convert_answers_by_name),
        cmocka_unit_test(test_sweeps_have_rows_or_statistics), cmocka_unit_test(test_tables_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
