/* Scenes to MJCF and SDF and back: masses, inertias, poses, velocities, shapes, friction and joints are those of the
 * scene. The fourteen models of the importer, the scenes that come with Carom, and what is lost. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/heap.h"
#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/shipped.h"
#include "core/rotate.h"

#define LAST_DIGITS 8e-16 /* of positions and speeds of a few metres and rad/s: a few rounding errors along a tree */
#define RUN         1e-9  /* of positions, after a run of 0.03 s */

static const char *const endings[] = {"xml", "sdf"};

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void read_scene(const char *name, const char *bytes, carom_scene_file *file)
{
    carom_case_error error;
    carom_text text = {name, 1, bytes, strlen(bytes)};
    if (!carom_scene_read(&text, file, &error))
        fail_msg("%s", error.message);
}

static bool has_loss(const carom_export_result *r, const char *element)
{
    size_t i;
    json_t *item;
    json_array_foreach(r->losses, i, item)
    {
        if (strstr(json_string_value(json_object_get(item, "element")), element))
            return true;
    }
    return false;
}

/* What the export has kept whole. */
typedef struct kept {
    bool pairs, shapes;
} kept;

/* Export a scene, write it beside this test, read it again. Returns its text as a scene. */
static char *there_and_back(const carom_scene_file *scene, carom_model_format format, kept *k)
{
    char path[64], why[CAROM_IMPORT_MESSAGE];
    const char *name;
    json_t *text;
    carom_export_result out;
    carom_import_result back;
    carom_case_error error;
    if (!carom_model_export(scene, format, "test_export_mesh", &out, &error))
        fail_msg("%s", error.message);
    json_object_foreach(out.files, name, text)
    {
        write_file(name, json_string_value(text));
    }
    snprintf(path, sizeof path, "test_export.%s", endings[format]);
    write_file(path, out.text);
    if (!carom_import(path, &back, why))
        fail_msg("%s", why);
    if (json_array_size(back.losses))
        fail_msg("%s", json_text(back.losses, 0));
    char *bytes = json_text(back.scene, 17);
    assert_true(has_loss(&out, "law"));
    *k = (kept){!has_loss(&out, "pairs ("), !has_loss(&out, ".shape")};
    json_object_foreach(out.files, name, text)
    {
        remove(name);
    }
    remove(path);
    carom_import_free(&back);
    carom_export_free(&out);
    return bytes;
}

/* The body of the other scene: SDF puts the name of the model in front. */
static int twin_of(const carom_scene_file *f, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < f->scene.body_count; i++) {
        size_t own = strlen(f->names[i]);
        const char *end = own > length ? f->names[i] + own - length : NULL;
        if (strcmp(f->names[i], name) == 0 || (end && end[-1] == '/' && strcmp(end, name) == 0))
            return i;
    }
    return -1;
}

static void near(double got, double expected, const char *what, const char *name)
{
    if (!(fabs(got - expected) <= LAST_DIGITS * fmax(1, fabs(expected))))
        fail_msg("%s: %s is %.17g, was %.17g", name, what, got, expected);
}

static void near_vector(carom_vec3 got, carom_vec3 expected, const char *what, const char *name)
{
    double size = fmax(1, carom_vec3_length(expected));
    near(got.x / size, expected.x / size, what, name);
    near(got.y / size, expected.y / size, what, name);
    near(got.z / size, expected.z / size, what, name);
}

/* A point of the shape furthest along a direction: shapes are compared by where they end, in the world. */
static double support_of(const carom_scene_body *b, const carom_solid *s, carom_vec3 at, carom_quat q, carom_vec3 d)
{
    const double *x = s->shape.size;
    carom_vec3 e = quat_turn(quat_conjugate(q), d), centre = {0, 0, 0};
    carom_body_def def = carom_body_def_default();
    double reach = -INFINITY, away = sqrt(e.x * e.x + e.y * e.y);
    (void)b;
    if (s->kind == CAROM_SOLID_HULL && carom_solid_body(s, 3, 1, &def, &centre))
        return NAN;
    for (int i = 0; s->kind == CAROM_SOLID_HULL && i < s->point_count; i++)
        reach = fmax(reach, carom_vec3_dot(e, carom_vec3_sub(s->points[i], centre)));
    if (s->kind == CAROM_SOLID_SHAPE)
        reach = s->shape.kind == CAROM_SHAPE_BOX        ? 0.5 * (fabs(e.x) * x[0] + fabs(e.y) * x[1] + fabs(e.z) * x[2])
                : s->shape.kind == CAROM_SHAPE_CYLINDER ? x[0] * away + 0.5 * x[1] * fabs(e.z)
                : s->shape.kind == CAROM_SHAPE_CAPSULE  ? x[0] + 0.5 * x[1] * fabs(e.z)
                : s->shape.kind == CAROM_SHAPE_ELLIPSOID
                    ? sqrt(pow(e.x * x[0], 2) + pow(e.y * x[1], 2) + pow(e.z * x[2], 2))
                    : x[0];
    return carom_vec3_dot(d, at) + reach;
}

static double furthest(const carom_scene_body *b, carom_vec3 d)
{
    const carom_solid *s = &b->solid;
    carom_vec3 centre = {0, 0, 0};
    carom_body_def def = carom_body_def_default();
    double most = -INFINITY;
    if (s->kind == CAROM_SOLID_PARTICLE)
        return 0;
    if (s->kind == CAROM_SOLID_HULL || s->kind == CAROM_SOLID_COMPOUND)
        assert_int_equal(carom_solid_body(s, 3, 1, &def, &centre), CAROM_STATUS_OK);
    carom_vec3 com = b->own_com ? b->com : centre;
    if (s->kind != CAROM_SOLID_COMPOUND) {
        carom_vec3 r = quat_turn(b->def.orientation, carom_vec3_sub(centre, com));
        return support_of(b, s, carom_vec3_add(b->def.position, r), b->def.orientation, d);
    }
    for (int k = 0; k < s->part_count; k++) {
        carom_vec3 r = quat_turn(b->def.orientation, carom_vec3_sub(s->parts[k].position, com));
        most = fmax(most, support_of(b, &s->parts[k].solid, carom_vec3_add(b->def.position, r),
                                     quat_multiply(b->def.orientation, s->parts[k].orientation), d));
    }
    return most;
}

static void compare_shapes(const carom_scene_body *a, const carom_scene_body *b, const char *name)
{
    for (int k = 0; k < 40; k++) {
        double z = (2 * k + 1.0) / 40 - 1, r = sqrt(1 - z * z), turn = 2.399963229728653 * k;
        carom_vec3 d = {r * cos(turn), r * sin(turn), z};
        double had = furthest(a, d), has = furthest(b, d);
        if (!(fabs(had - has) <= 1e-14 * fmax(1, fabs(had))))
            fail_msg("%s: the shape ends at %.17g, ended at %.17g", name, has, had);
    }
}

static void compare_ground(const carom_scene_body *a, const carom_scene_body *b, const char *name)
{
    if (a->solid.kind == CAROM_SOLID_HALF_SPACE) {
        near_vector(b->solid.normal, a->solid.normal, "normal", name);
        near(b->solid.offset, a->solid.offset, "offset", name);
    } else if (a->solid.kind != CAROM_SOLID_MESH) {
        compare_shapes(a, b, name);
    }
}

static void compare_body(const carom_scene_body *a, const carom_scene_body *b, const char *name, bool speeds)
{
    const carom_body_def *x = &a->def, *y = &b->def;
    if (x->fixed) {
        compare_ground(a, b, name);
        return;
    }
    carom_sym3 I = quat_turn_sym3(x->orientation, x->inertia), J = quat_turn_sym3(y->orientation, y->inertia);
    double size = I.xx + I.yy + I.zz;
    near(y->mass / x->mass, 1, "mass", name);
    near((J.xx - I.xx) / size, 0, "inertia xx", name);
    near((J.xy - I.xy) / size, 0, "inertia xy", name);
    near((J.xz - I.xz) / size, 0, "inertia xz", name);
    near((J.yy - I.yy) / size, 0, "inertia yy", name);
    near((J.yz - I.yz) / size, 0, "inertia yz", name);
    near((J.zz - I.zz) / size, 0, "inertia zz", name);
    near_vector(y->position, x->position, "position", name);
    if (speeds) {
        near_vector(y->velocity, x->velocity, "velocity", name);
        near_vector(y->omega, x->omega, "omega", name);
    }
}

static const carom_coeffs *rule_of(const carom_scene *s, int a, int b)
{
    int m = s->bodies[a].material, n = s->bodies[b].material;
    for (int k = 0; k < s->pair_count; k++)
        if ((s->pairs[k].a == m && s->pairs[k].b == n) || (s->pairs[k].a == n && s->pairs[k].b == m))
            return &s->pairs[k].rule.coeffs;
    return &s->rule.coeffs;
}

/* Friction of every two bodies that are in both; restitution where the format has it. */
static void compare_pairs(const carom_scene_file *a, const carom_scene_file *b, bool restitution)
{
    for (int i = 0; i < a->scene.body_count; i++)
        for (int k = i + 1; k < a->scene.body_count; k++) {
            int x = twin_of(b, a->names[i]), y = twin_of(b, a->names[k]);
            if (x < 0 || y < 0 || x == y)
                continue;
            const carom_coeffs *had = rule_of(&a->scene, i, k), *has = rule_of(&b->scene, x, y);
            if (had->mu != has->mu || (restitution && had->e != has->e))
                fail_msg("%s, %s: mu %g e %g, were %g and %g", a->names[i], a->names[k], has->mu, has->e, had->mu,
                         had->e);
        }
}

static carom_sim *run_of(const carom_scene_file *f)
{
    const carom_memory heap = carom_heap();
    carom_sim *sim = NULL;
    carom_sim_error error;
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = 0.03;
    assert_int_equal(carom_sim_create(&f->scene, &heap, &sim, &error), CAROM_STATUS_OK);
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    return sim;
}

/* Joints hold what they held: both scenes move alike. */
static void compare_runs(const carom_scene_file *a, const carom_scene_file *b)
{
    carom_sim *x = run_of(a), *y = run_of(b);
    for (int i = 0; i < a->scene.body_count; i++) {
        int k = twin_of(b, a->names[i]);
        if (k < 0)
            continue;
        carom_vec3 p = carom_sim_body(x, i).position, q = carom_sim_body(y, k).position;
        if (!(carom_vec3_length(carom_vec3_sub(p, q)) <= RUN))
            fail_msg("%s: moved by %g from where it was", a->names[i], carom_vec3_length(carom_vec3_sub(p, q)));
    }
    carom_sim_free(x);
    carom_sim_free(y);
}

static int compare(const carom_scene_file *a, const carom_scene_file *b, bool speeds)
{
    int compared = 0;
    for (int i = 0; i < a->scene.body_count; i++) {
        int k = twin_of(b, a->names[i]);
        if (k < 0 && !a->bodies[i].def.fixed)
            fail_msg("%s is gone", a->names[i]);
        if (k < 0)
            continue;
        compare_body(&a->bodies[i], &b->bodies[k], a->names[i], speeds);
        if (!a->bodies[i].def.fixed)
            compare_shapes(&a->bodies[i], &b->bodies[k], a->names[i]);
        compared++;
    }
    return compared;
}

/* ---- the models of the importer ---- */

static void test_models(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool e_is_lost; /* in MJCF, and with it the run */
        bool runs_in_sdf, speeds_in_sdf;
    } models[] = {{"arm.urdf", false, true, true},     {"quadruped.urdf", false, true, true},
                  {"slider.urdf", false, true, true},  {"pendulum.xml", false, false, false},
                  {"hopper.xml", false, true, true},   {"stack.xml", false, true, true},
                  {"capsules.xml", false, true, true}, {"quadruped.xml", false, true, true},
                  {"walker.xml", false, false, false}, {"dog.urdf", false, true, true},
                  {"cart.sdf", true, true, true},      {"ball.sdf", true, true, true},
                  {"door.sdf", false, true, true},     {"rig.sdf", true, true, true}};
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++)
        for (int format = 0; format < 2; format++) {
            char path[512], why[CAROM_IMPORT_MESSAGE];
            carom_import_result r;
            carom_scene_file a, b;
            kept whole;
            print_message("%s to %s\n", models[k].name, endings[format]);
            snprintf(path, sizeof path, "%s/import/%s", CAROM_TEST_DATA, models[k].name);
            if (!carom_import(path, &r, why))
                fail_msg("%s", why);
            char *text = json_text(r.scene, 17);
            read_scene(models[k].name, text, &a);
            char *again = there_and_back(&a, (carom_model_format)format, &whole);
            read_scene("back", again, &b);
            bool sdf = format == CAROM_MODEL_SDF;
            assert_true(compare(&a, &b, !sdf || models[k].speeds_in_sdf) > 0);
            if (whole.pairs)
                compare_pairs(&a, &b, sdf);
            if (sdf ? models[k].runs_in_sdf : !models[k].e_is_lost)
                compare_runs(&a, &b);
            carom_scene_free(&a);
            carom_scene_free(&b);
            free(text);
            free(again);
            carom_import_free(&r);
        }
}

/* ---- the scenes that come with Carom ---- */

static void test_scenes(void **state)
{
    (void)state;
    int exported = 0, planar = 0;
    const carom_shipped *one;
    for (int i = 0; (one = carom_shipped_at(CAROM_SHELF_SCENES, i)); i++) {
        carom_scene_file a, b;
        read_scene(one->file, one->text, &a);
        for (int format = 0; format < 2; format++) {
            carom_export_result r;
            carom_case_error error;
            if (a.scene.dim == 2) {
                assert_false(carom_model_export(&a, (carom_model_format)format, "m", &r, &error));
                assert_string_equal(error.key, "dimension");
                carom_export_free(&r);
                planar++;
                continue;
            }
            kept whole;
            char *again = there_and_back(&a, (carom_model_format)format, &whole);
            read_scene("back", again, &b);
            for (int k = 0; k < a.scene.body_count; k++) {
                int twin = twin_of(&b, a.names[k]);
                if (twin >= 0 && !a.scene.joint_count)
                    compare_body(&a.bodies[k], &b.bodies[twin], a.names[k], true);
                if (twin >= 0 && whole.shapes && !a.bodies[k].def.fixed)
                    compare_shapes(&a.bodies[k], &b.bodies[twin], a.names[k]);
            }
            exported++;
            carom_scene_free(&b);
            free(again);
        }
        carom_scene_free(&a);
    }
    print_message("%d exports, %d planar scenes refused\n", exported, planar);
    assert_true(exported > 40);
}

/* ---- losses ---- */

/* Every key of a scene is kept or listed: a list of keys that no model has. */
static void test_losses(void **state)
{
    (void)state;
    static const char scene[] =
        "{\"law\": \"newton\", \"coefficients\": {\"e\": 0.7, \"mu\": 0.2, \"e_t\": 0.1}, \"until\": {\"time\": 1},"
        "\"together\": \"lzb\", \"resting\": {\"time\": 1e-9}, \"step\": 1e-3, \"drag\": {\"linear\": 0.1},"
        "\"magnus\": {\"coefficient\": 0.1}, \"wind\": [1, 0, 0], \"rolling\": 1e-4, \"patch\": 1e-3, \"sliding\": 0.1,"
        "\"notes\": \"\", \"tags\": [], \"output\": {\"rate\": 30}, \"gravity\": [0, 0, -9.81],"
        "\"pairs\": [{\"between\": [\"a\", \"b\"], \"law\": \"newton\", \"rolling\": 1e-4, \"patch\": 1e-3,"
        "             \"sliding\": 0.1, \"pressure\": \"ring\", \"coefficients\": {\"mu\": 0.9}},"
        "            {\"between\": [\"a\", \"a\"], \"coefficients\": {\"mu\": 0.3}},"
        "            {\"between\": [\"b\", \"b\"], \"coefficients\": {\"mu\": 0.4}}],"
        "\"bodies\": {\"floor\": {\"shape\": {\"half-space\": {\"normal\": [0, 0, 1], \"offset\": 0}}, \"fixed\": true,"
        "  \"material\": \"a\"},"
        " \"table\": {\"shape\": {\"box\": {\"size\": [1, 1, 1]}}, \"fixed\": true, \"position\": [9, 0, 1],"
        "  \"path\": {\"harmonic\": {\"amplitude\": [0, 0, 0.1], \"frequency\": 3}}},"
        " \"belt\": {\"shape\": {\"box\": {\"size\": [1, 1, 1]}}, \"fixed\": true, \"position\": [18, 0, 1],"
        "  \"velocity\": [1, 0, 0]},"
        " \"cone\": {\"shape\": {\"cone\": {\"radius\": 0.1, \"height\": 0.3}}, \"mass\": 1, \"position\": [0, 0, 3]},"
        " \"point\": {\"shape\": {\"particle\": {}}, \"mass\": 1, \"position\": [0, 0, 5]},"
        " \"ball\": {\"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 1, \"position\": [0, 0, 1],"
        "  \"material\": \"b\", \"gravity\": [0, 0, -1], \"drag\": {\"linear\": 0.1}, \"magnus\": {\"coefficient\": 0},"
        "  \"wind\": [0, 1, 0]}}}";
    static const char *const lost[] = {"law",
                                       "coefficients.e_t",
                                       "until",
                                       "together",
                                       "resting",
                                       "step",
                                       "drag",
                                       "magnus",
                                       "wind",
                                       "rolling",
                                       "patch",
                                       "sliding",
                                       "notes",
                                       "tags",
                                       "output",
                                       "pairs[1].law",
                                       "pairs[1].rolling",
                                       "pairs[1].patch",
                                       "pairs[1].sliding",
                                       "pairs[1].pressure",
                                       "bodies.table.path",
                                       "bodies.belt.velocity",
                                       "bodies.cone.shape",
                                       "bodies.point.shape",
                                       "bodies.ball.gravity",
                                       "bodies.ball.drag",
                                       "bodies.ball.magnus",
                                       "bodies.ball.wind"};
    carom_scene_file a;
    read_scene("losses", scene, &a);
    for (int format = 0; format < 2; format++) {
        carom_export_result r;
        carom_case_error error;
        assert_true(carom_model_export(&a, (carom_model_format)format, "m", &r, &error));
        for (size_t k = 0; k < sizeof lost / sizeof lost[0]; k++)
            if (!has_loss(&r, lost[k]))
                fail_msg("%s: %s is not listed", endings[format], lost[k]);
        assert_true(has_loss(&r, format == CAROM_MODEL_MJCF ? "pairs (a, b)" : "pairs (a, a)"));
        carom_export_free(&r);
    }
    carom_scene_free(&a);
}

/* Every key of scenes has a row in export_keys.def, so that none is said to be unknown. */
static void test_keys(void **state)
{
    (void)state;
    static const char *const rows[] = {
#define CAROM_KEPT(object, key)          #object "." #key,
#define CAROM_LOST(object, key, meaning) #object "." #key,
#include "io/export/export_keys.def"
#undef CAROM_KEPT
#undef CAROM_LOST
    };
    static const char *const keys[] = {
#define CAROM_OBJECT(object, meaning)
#define CAROM_CHOICE(object, how, keys)
#define CAROM_KEY(object, key, kind, extra, standard, meaning) #object "." #key,
#include "carom/scene.def"
#undef CAROM_OBJECT
#undef CAROM_CHOICE
#undef CAROM_KEY
    };
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        bool walked = strncmp(keys[k], "scene.", 6) == 0 || strncmp(keys[k], "scene_body.", 11) == 0 ||
                      strncmp(keys[k], "scene_link.", 11) == 0 || strncmp(keys[k], "pair.", 5) == 0;
        bool found = !walked;
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            found |= strcmp(rows[i], keys[k]) == 0;
        if (!found)
            fail_msg("export_keys.def has no row for %s", keys[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_scenes),
                                       cmocka_unit_test(test_losses), cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
