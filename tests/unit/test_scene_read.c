/* Scene files: what is read, and that nothing damaged is read as something else. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "carom/scene_file.h"

static const char good[] =
    "{\"name\": \"n\", \"gravity\": [0.5, 0, -9.81], \"law\": \"jia\", \"coefficients\": {\"e\": 0.7, \"mu\": 0.2},\n"
    " \"together\": \"sequential\", \"base\": \"newton\", \"resting\": {\"time\": 1e-7, \"length\": 1e-8},\n"
    " \"pairs\": [{\"between\": [\"ivory\", \"cloth\"], \"coefficients\": {\"mu\": 0.35}}],\n"
    " \"bodies\": {\n"
    "  \"ball\": {\"shape\": {\"sphere\": {\"radius\": 0.03}}, \"mass\": 0.17, \"material\": \"ivory\",\n"
    "            \"position\": [0, 0.25, 1], \"velocity\": [1.5, 0, 0], \"omega\": [0, 0, 7]},\n"
    "  \"pencil\": {\"shape\": {\"compound\": {\"parts\": [\n"
    "     {\"shape\": {\"cylinder\": {\"radius\": 0.5, \"length\": 3}}, \"position\": [0, 0, 2]},\n"
    "     {\"shape\": {\"cone\": {\"radius\": 0.5, \"height\": 0.5}}, \"position\": [0, 0, 0.375],"
    " \"orientation\": [0, 1, 0, 0]}]}},\n"
    "     \"density\": 2.5, \"position\": [9, 0, 9]},\n"
    "  \"table\": {\"shape\": {\"half-space\": {\"normal\": [0, 0, 1], \"offset\": -0.5}}, \"fixed\": true,"
    " \"material\": \"cloth\"}},\n"
    " \"until\": {\"time\": 5, \"impacts\": 77, \"rest\": true}, \"output\": {\"rate\": 33}}";

static bool read_text(const char *bytes, size_t length, carom_scene_file *file, carom_case_error *error)
{
    static carom_text text; /* outlives the file */
    text = (carom_text){"test", 1, bytes, length};
    return carom_scene_read(&text, file, error);
}

static const char airy[] =
    "{\"law\": \"newton\", \"until\": {\"time\": 1}, \"drag\": {\"density\": 1.2, \"coefficient\": 0.5}, \"wind\": [3, "
    "0, 1],\n"
    " \"bodies\": {\"a\": {\"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 1},\n"
    "  \"b\": {\"shape\": {\"box\": {\"size\": [1, 2, 3]}}, \"mass\": 1, \"position\": [9, 0, 0], \"gravity\": [0, 0, "
    "-1.6],\n"
    "        \"drag\": {\"linear\": 0.3, \"angular\": 0.01}, \"magnus\": {\"density\": 2, \"lift\": 0.5, \"area\": 3, "
    "\"radius\": 0.7}},\n"
    "  \"c\": {\"shape\": {\"half-space\": {\"normal\": [0, 0, 1], \"offset\": -9}}, \"fixed\": true}}}";

/* Forces of the scene hold for bodies that do not have their own. */
static void test_forces(void **state)
{
    (void)state;
    carom_scene_file file;
    carom_case_error error;
    bool read = carom_scene_read(&(carom_text){"test", 1, airy, strlen(airy)}, &file, &error);
    assert_true(read);
    const carom_fields *a = file.bodies[0].fields, *b = file.bodies[1].fields;
    assert_true(fabs(a->drag_quadratic - 0.5 * 1.2 * 0.5 * 3.141592653589793 * 0.01) < 1e-17);
    assert_true(a->wind.x == 3 && a->wind.z == 1 && !a->own_gravity && a->magnus == 0);
    assert_true(b->drag_linear == 0.3 && b->drag_quadratic == 0 && b->drag_angular == 0.01 && b->wind.x == 3);
    assert_true(b->own_gravity && b->gravity.z == -1.6 && fabs(b->magnus - 0.5 * 2 * 0.5 * 3 * 0.7) < 1e-15);
    assert_null(file.bodies[2].fields);
    carom_scene_free(&file);
}

static void test_values(void **state)
{
    (void)state;
    carom_scene_file file;
    carom_case_error error;
    assert_true(read_text(good, strlen(good), &file, &error));
    const carom_scene *s = &file.scene;
    assert_int_equal(s->dim, 3);
    assert_true(s->gravity.x == 0.5 && s->gravity.z == -9.81);
    assert_string_equal(s->rule.law->id, "jia");
    assert_true(s->rule.coeffs.e == 0.7 && s->rule.coeffs.mu == 0.2);
    assert_string_equal(s->together.law->id, "sequential");
    assert_string_equal(s->together.base->id, "newton");
    assert_true(s->resting_time == 1e-7 && s->resting_length == 1e-8);
    assert_int_equal(s->body_count, 3);
    assert_string_equal(file.names[1], "pencil");
    assert_true(file.until.time == 5 && file.until.impacts == 77 && file.until.rest);
    assert_true(file.rate == 33);
    assert_int_equal(s->pair_count, 1); /* the pair has the law and e of the scene, and a mu of its own */
    assert_string_equal(s->pairs[0].rule.law->id, "jia");
    assert_true(s->pairs[0].rule.coeffs.e == 0.7 && s->pairs[0].rule.coeffs.mu == 0.35);
    assert_true(s->pairs[0].a == s->bodies[0].material && s->pairs[0].b == s->bodies[2].material);
    assert_int_equal(s->bodies[1].material, 0);
    assert_true(s->bodies[0].def.omega.z == 7 && s->bodies[0].def.velocity.x == 1.5);
    assert_true(s->bodies[2].def.fixed && s->bodies[2].solid.offset == -0.5);
    carom_scene_free(&file);
}

/* The pencil of Jia (2013) from its tip: centre of mass at 1.914473684, inertia across 0.903869460 per mass (an
 * integration of the reference, not ours), mass pi r^2 (3 + 0.5 / 3) times the density. */
static void test_pencil(void **state)
{
    (void)state;
    carom_scene_file file;
    carom_case_error error;
    assert_true(read_text(good, strlen(good), &file, &error));
    const carom_body_def *def = &file.scene.bodies[1].def;
    assert_true(fabs(def->mass - (2.5 * 3.14159265358979 * 0.25 * (3 + 0.5 / 3))) < 1e-12);
    assert_true(fabs(file.centres[1].z - (1.914473684)) < 5e-10);
    assert_true(fabs(def->inertia.xx / def->mass - (0.903869460)) < 5e-10);
    assert_true(fabs(def->inertia.yy / def->mass - (0.903869460)) < 5e-10);
    carom_scene_free(&file);
}

/* Cut off anywhere, or with any byte changed: refused with a message, or read as a scene. */
static void test_damaged(void **state)
{
    (void)state;
    static const char others[] = "\"{}[],:0-x";
    size_t length = strlen(good);
    for (size_t cut = 0; cut < length; cut++) {
        carom_scene_file file;
        carom_case_error error;
        assert_false(read_text(good, cut, &file, &error));
        assert_true(error.message[0] && error.rule[0]);
        carom_scene_free(&file);
    }
    char *copy = malloc(length + 1);
    for (size_t at = 0; at < length; at++)
        for (const char *other = others; *other; other++) {
            carom_scene_file file;
            carom_case_error error;
            memcpy(copy, good, length);
            copy[at] = *other;
            if (!read_text(copy, length, &file, &error))
                assert_true(error.message[0]);
            carom_scene_free(&file);
        }
    free(copy);
}

/* Edits that must be refused, with the key to blame. */
static const struct {
    const char *from, *to, *key;
} edits[] = {
    {"\"gravity\": [0.5, 0, -9.81]", "\"gravity\": [0.5, -9.81]", "gravity"},
    {"\"law\": \"jia\"", "\"law\": \"ja\"", "law"},
    {"\"e\": 0.7", "\"e\": 1.7", "coefficients.e"},
    {"\"mu\": 0.35", "\"mu\": -0.35", "pairs[1].coefficients.mu"},
    {"[\"ivory\", \"cloth\"]", "[\"ivory\", \"clth\"]", "pairs[1].between"},
    {"[\"ivory\", \"cloth\"]", "[\"ivory\"]", "pairs[1].between"},
    {"\"time\": 1e-7", "\"time\": 0", "resting.time"},
    {"\"mass\": 0.17", "\"mass\": -0.17", "bodies.ball.mass"},
    {"\"mass\": 0.17", "\"mass\": 1, \"density\": 2", "bodies.ball.density"},
    {"\"position\": [0, 0.25, 1]", "\"position\": [0, 0.25]", "bodies.ball.position"},
    {"\"omega\": [0, 0, 7]", "\"angle\": 2", "bodies.ball.angle"},
    {"\"omega\": [0, 0, 7]", "\"orientation\": [2, 0, 0, 0]", "bodies.ball.orientation"},
    {"\"omega\": [0, 0, 7]", "\"inertia\": [1, 1, 9]", "bodies.ball.inertia"},
    {"\"radius\": 0.5, \"length\": 3", "\"radius\": 0.5",
     "bodies.pencil.shape.compound.parts[1].shape.cylinder.length"},
    {"\"orientation\": [0, 1, 0, 0]", "\"orientation\": [0, 1, 1, 0]",
     "bodies.pencil.shape.compound.parts[2].orientation"},
    {"\"fixed\": true", "\"fixed\": 1", "bodies.table.fixed"},
    {"\"normal\": [0, 0, 1]", "\"normal\": [0, 0, 0]", "bodies.table.shape.half-space.normal"},
    {"\"impacts\": 77", "\"impacts\": 7.5", "until.impacts"},
    {"\"rate\": 33", "\"rate\": 0", "output.rate"},
    {"\"table\":", "\"world\":", "bodies.world"},
    {"\"gravity\":", "\"dimension\": 4, \"gravity\":", "dimension"},
    {"\"gravity\":", "\"period\": [-1, 0, 0], \"gravity\":", "period"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char text[4096];
        const char *at = strstr(good, edits[i].from);
        carom_scene_file file;
        carom_case_error error;
        assert_non_null(at);
        int length =
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edits[i].to, at + strlen(edits[i].from));
        assert_false(read_text(text, (size_t)length, &file, &error));
        if (strcmp(error.key, edits[i].key) != 0)
            fail_msg("%s: blamed %s: %s", edits[i].to, error.key, error.message);
        carom_scene_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_forces),  cmocka_unit_test(test_pencil),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
