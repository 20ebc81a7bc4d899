#include "support/check.h"

#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"

/* ---- reading ---- */

static bool read_text(const char *bytes, carom_case *c, carom_case_error *error)
{
    carom_text text = {"test.json", 1, bytes, strlen(bytes)};
    return carom_case_read(&text, c, error);
}

static void read_well(const char *bytes, carom_case *c)
{
    carom_case_error error;
    if (!read_text(bytes, c, &error))
        print_error("%s\n", error.message);
    assert_string_equal(error.message, "");
}

static void assert_refused(const char *bytes, carom_status status, const char *message)
{
    carom_case c;
    carom_case_error error;
    assert_false(read_text(bytes, &c, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.status, status);
    carom_case_free(&c);
}

#define RULE "\"law\": \"chatterjee-momentum\", \"coefficients\": {\"e\": 0.62, \"e_t\": 0.17, \"mu\": 0.31}"

static const char spatial[] =
    "{" RULE ", \"name\": \"spatial\", \"bodies\": {"
    "\"a\": {\"mass\": 2.385, \"inertia\": [0.71, 0.93, 1.17], \"velocity\": [1.3, -0.4, -2.9], \"omega\": [0.7, -1.1, "
    "0.35]},"
    "\"b\": {\"mass\": 1.9, \"inertia\": [[0.5, 0.1, 0], [0.1, 0.6, 0], [0, 0, 0.7]], \"omega\": [0.2, 0.1, -0.3]}},"
    "\"contact\": {\"arm_a\": [0.23, -0.41, -0.87], \"arm_b\": [0.1, 0.2, 0.6], \"normal\": [0.48, 0.6, 0.64]}}";

static const char planar[] =
    "{" RULE ", \"bodies\": {\"a\": {\"mass\": 2.385, \"inertia\": 0.71, \"velocity\": [1.3, -2.9], \"omega\": 0.35},"
    "\"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": [0.23, -0.87], \"normal\": [0, 1]}}";

static const char mechanism[] = "{" RULE ", \"mechanism\": {\"M\": [[1.3, 0.4], [0.4, 0.35]],"
                                " \"J\": [[0.92, 0.45], [0.39, 0.89]], \"qdot\": [-1.5, -2.25]}}";

static const char reduced[] = "{" RULE ", \"grazing\": \"ignore\", \"phases\": \"first\", \"tags\": [1], \"notes\": {},"
                              " \"reduced\": {\"K\": [[2.5, 0.3], [0.3, 1.7]], \"u\": [0.9, -1.1]}}";

static void test_sources(void **state)
{
    (void)state;
    carom_case c;
    read_well(spatial, &c);
    assert_int_equal(c.source, CAROM_SOURCE_BODIES);
    assert_int_equal(c.dim, 3);
    assert_string_equal(c.name, "spatial");
    assert_string_equal(c.rule.law->id, "chatterjee-momentum");
    assert_true(c.rule.coeffs.e_t == 0.17 && c.bodies[0].mass == 2.385 && c.bodies[1].inertia.xy == 0.1);
    carom_case_free(&c);
    read_well(planar, &c);
    assert_int_equal(c.dim, 2);
    assert_true(c.pairs->contact.planar && c.problem.K.t22 == 0 && c.problem.u.t2 == 0);
    assert_close(c.problem.u.t1, 1.3 + 0.35 * 0.87, 1e-15);
    assert_close(c.problem.u.n, -2.9 + 0.35 * 0.23, 1e-15);
    carom_case_free(&c);
    read_well(mechanism, &c);
    assert_int_equal(c.source, CAROM_SOURCE_MECHANISM);
    assert_int_equal(c.mechanism.n, 2);
    assert_close(c.problem.u.n, -0.39 * 1.5 - 0.89 * 2.25, 1e-15);
    carom_case_free(&c);
    read_well(reduced, &c);
    assert_null(c.name);
    assert_true(c.problem.K.t1n == 0.3 && c.problem.u.n == -1.1);
    assert_int_equal(c.rule.options.grazing, CAROM_OPTION_GRAZING_IGNORE);
    assert_int_equal(c.rule.options.phases, CAROM_OPTION_PHASES_FIRST);
    assert_int_equal(c.rule.options.select, 0);
    carom_case_free(&c);
}

static void test_law_may_come_later(void **state)
{
    (void)state;
    carom_case c;
    carom_case_error error;
    read_well("{\"reduced\": {\"K\": [[1, 0], [0, 1]], \"u\": [0, -1]}}", &c);
    assert_null(c.rule.law);
    assert_true(carom_case_check_coeffs(&c, &error));
    assert_false(carom_case_check(&c, &error));
    assert_string_equal(error.message, "test.json:1: law: missing key");
    c.rule.law = carom_law_find("newton");
    assert_true(carom_case_check(&c, &error));
    c.rule.coeffs.e = -0.5;
    assert_true(carom_case_check_coeffs(&c, &error)); /* some law allows it */
    assert_false(carom_case_check(&c, &error));
    assert_string_equal(error.key, "coefficients.e");
    carom_case_free(&c);
}

static void test_refusals_say_status_and_place(void **state)
{
    (void)state;
    assert_refused("", CAROM_STATUS_OK, "test.json:1: empty: no case in it");
    assert_refused("{", CAROM_STATUS_OK, "test.json:1:1: the text ends in the middle of the JSON");
    assert_refused("{\n\"law\": \"newton\",\n\"reduced\": {\"K\": [[1, 2], [2, 1]],\n\"u\": [0, -1]}}",
                   CAROM_STATUS_BAD_MATRIX, "test.json:3: reduced.K: must be positive semi-definite");
    assert_refused("{\"law\": \"newtom\", \"reduced\": {\"K\": [[1, 0], [0, 1]], \"u\": [0, -1]}}", CAROM_STATUS_NO_LAW,
                   "test.json:1: law: unknown law \"newtom\"; did you mean \"newton\"?");
    assert_refused(
        "{\"law\": \"newton\", \"coefficients\": {\"e\": 2}, \"reduced\": {\"K\": [[1, 0], [0, 1]], \"u\": [0, -1]}}",
        CAROM_STATUS_BAD_COEFFICIENT, "test.json:1: coefficients.e: 2 is outside its range 0...1 (ivanov: -1...1)");
}

/* A refused case still has its name, for the error object of its line. */
static void test_error_answer(void **state)
{
    (void)state;
    carom_case c;
    carom_case_error error;
    assert_false(read_text("{\"name\": \"x\", \"reduced\": {\"K\": [[1]]}}", &c, &error));
    json_t *answer = carom_case_error_answer(&c, &error);
    assert_string_equal(json_string_value(json_object_get(answer, "name")), "x");
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "error");
    assert_string_equal(json_string_value(json_object_get(answer, "message")), "reduced.u: missing key");
    json_decref(answer);
    carom_case_free(&c);
}

/* Long keys are cut, not overrun. */
static void test_long_keys(void **state)
{
    (void)state;
    static char text[3000];
    memset(text, 'k', sizeof text - 1);
    memcpy(text, "{\"", 2);
    memcpy(text + 2900, "\": 1}", 6);
    carom_case c;
    carom_case_error error;
    assert_false(read_text(text, &c, &error));
    assert_true(strlen(error.message) < sizeof error.message);
    carom_case_free(&c);
}

/* ---- solving and answering ---- */

static json_t *answer_to(const char *bytes, carom_case *c, carom_result *result)
{
    read_well(bytes, c);
    assert_int_equal(carom_case_solve(c, result), CAROM_STATUS_OK);
    return carom_case_answer(c, result);
}

static double number_at(const json_t *object, const char *key, const char *inner)
{
    return json_number_value(json_object_get(json_object_get(object, key), inner));
}

/* The whole energy of the bodies, computed from what they do afterwards, is the one of the ledger. */
static void test_bodies_answer(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    json_t *answer = answer_to(spatial, &c, &r);
    double before = carom_body_energy(&c.bodies[0]) + carom_body_energy(&c.bodies[1]);
    double after = carom_body_energy(&r.bodies[0]) + carom_body_energy(&r.bodies[1]);
    assert_close(number_at(answer, "energy", "before"), before, 1e-15);
    assert_close(number_at(answer, "energy", "after"), after, 1e-14);
    assert_int_equal(json_array_size(json_object_get(answer, "p")), 3);
    assert_int_equal(json_array_size(json_object_get(answer, "K")), 3);
    carom_vec3 momentum =
        carom_vec3_add(carom_vec3_scale(c.bodies[0].mass, carom_vec3_sub(r.bodies[0].velocity, c.bodies[0].velocity)),
                       carom_vec3_scale(c.bodies[1].mass, carom_vec3_sub(r.bodies[1].velocity, c.bodies[1].velocity)));
    assert_near(carom_vec3_length(momentum), 0, r.outcome.p.n, 1e-14);
    json_decref(answer);
    carom_case_free(&c);
    carom_result_free(&r);
}

static void test_planar_answer(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    json_t *answer = answer_to(planar, &c, &r);
    assert_int_equal(json_array_size(json_object_get(answer, "p")), 2);
    assert_int_equal(json_array_size(json_object_get(answer, "impulse")), 2);
    const json_t *a = json_object_get(json_object_get(answer, "bodies"), "a");
    assert_true(json_is_number(json_object_get(a, "omega")));
    assert_non_null(json_object_get(json_object_get(answer, "frame"), "t"));
    json_decref(answer);
    carom_case_free(&c);
    carom_result_free(&r);
}

static void test_mechanism_answer(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    json_t *answer = answer_to(mechanism, &c, &r);
    assert_close(number_at(answer, "energy", "after"), carom_generalized_energy(&c.mechanism, r.qdot_after), 1e-14);
    assert_int_equal(json_array_size(json_object_get(answer, "qdot_after")), 2);
    assert_null(json_object_get(answer, "frame"));
    json_decref(answer);
    carom_case_free(&c);
    carom_result_free(&r);
}

/* The speeds at every event move the contact as the event says; the last are those after. */
static void test_events_carry_speeds(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    read_well(mechanism, &c);
    static const char *const laws[] = {"routh-newton", "routh-poisson", "routh-stronge", "jia"};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        c.rule.law = carom_law_find(laws[i]);
        assert_int_equal(carom_case_solve(&c, &r), CAROM_STATUS_OK);
        json_t *answer = carom_case_answer(&c, &r);
        const json_t *events = json_object_get(answer, "events"), *speeds = NULL;
        assert_true(json_array_size(events) >= 2);
        for (size_t k = 0; k < json_array_size(events); k++) {
            const json_t *event = json_array_get(events, k), *u = json_object_get(event, "u");
            speeds = json_object_get(event, "qdot");
            assert_int_equal(json_array_size(speeds), c.mechanism.n);
            for (int row = 0; row < c.mechanism.dim; row++) {
                double sum = 0;
                for (int j = 0; j < c.mechanism.n; j++)
                    sum +=
                        c.mechanism.J[row * c.mechanism.n + j] * json_number_value(json_array_get(speeds, (size_t)j));
                assert_near(sum, json_number_value(json_array_get(u, (size_t)row)), 10, 1e-14);
            }
        }
        assert_true(json_equal(speeds, json_object_get(answer, "qdot_after")));
        json_decref(answer);
    }
    carom_case_free(&c);
    carom_result_free(&r);
}

/* Only what applies: no path for an algebraic law, null for restitutions that are not defined. */
static void test_keys_that_do_not_apply(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    json_t *answer = answer_to(reduced, &c, &r);
    static const char *const absent[] = {"frame",      "K",      "u",      "impulse", "bodies",
                                         "qdot_after", "events", "phases", "modes"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_null(json_object_get(answer, absent[i]));
    const json_t *restitution = json_object_get(answer, "restitution");
    assert_true(json_is_null(json_object_get(restitution, "poisson")));
    assert_close(json_number_value(json_object_get(restitution, "newton")), 0.62, 1e-14);
    json_decref(answer);
    carom_case_free(&c);
    carom_result_free(&r);
}

/* ---- a law with a path longer than an outcome keeps ---- */

enum { STRETCHES = 100 };

static void point(const carom_piece *piece, double s, carom_state *at)
{
    static const carom_state nothing;
    *at = nothing;
    at->p.n = piece->p_n[0] + s * (piece->p_n[1] - piece->p_n[0]);
}

static carom_status many_stretches(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                   carom_outcome *out)
{
    (void)x, (void)rule;
    for (int i = 0; i < STRETCHES; i++) {
        carom_event event = {i % 2 ? CAROM_EVENT_STICK_TO_SLIP : CAROM_EVENT_SLIP_TO_STICK, {.p = {0, 0, i}}};
        carom_piece piece = {i / 2 % 2 ? "slip" : "stick", i < STRETCHES / 2, {i, i + 1}, point, NULL};
        if (tracer && tracer->piece)
            tracer->piece(tracer->context, &piece);
        if (tracer && tracer->event)
            tracer->event(tracer->context, &event);
    }
    out->p.n = STRETCHES;
    out->phases.phases = 1;
    return CAROM_STATUS_OK;
}

static const carom_law path_law = {.id = "test-path",
                                   .family = "compliant",
                                   .traits = CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_SPRINGS,
                                   .solve = many_stretches};

static void test_no_event_is_lost(void **state)
{
    (void)state;
    carom_case c;
    carom_result r = {0};
    read_well(reduced, &c);
    c.rule.law = &path_law;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(carom_case_solve(&c, &r), CAROM_STATUS_OK);
        assert_int_equal(r.event_count, STRETCHES);
        assert_int_equal(r.mode_count, STRETCHES / 2); /* every two pieces share a mode */
    }
    json_t *answer = carom_case_answer(&c, &r);
    const json_t *events = json_object_get(answer, "events"), *modes = json_object_get(answer, "modes");
    assert_int_equal(json_array_size(events), STRETCHES);
    assert_true(json_number_value(json_object_get(json_array_get(events, 99), "p_n")) == 99);
    assert_string_equal(json_string_value(json_array_get(modes, 0)), "stick:C");
    assert_string_equal(json_string_value(json_array_get(modes, 49)), "slip:R");
    assert_non_null(json_object_get(json_array_get(events, 0), "stored"));
    json_decref(answer);
    carom_case_free(&c);
    carom_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_law_may_come_later),
        cmocka_unit_test(test_refusals_say_status_and_place),
        cmocka_unit_test(test_error_answer),
        cmocka_unit_test(test_long_keys),
        cmocka_unit_test(test_bodies_answer),
        cmocka_unit_test(test_planar_answer),
        cmocka_unit_test(test_mechanism_answer),
        cmocka_unit_test(test_events_carry_speeds),
        cmocka_unit_test(test_keys_that_do_not_apply),
        cmocka_unit_test(test_no_event_is_lost),
    };
    return cmocka_run_group_tests_name("case", tests, NULL, NULL);
}
