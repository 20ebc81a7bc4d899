/* What the importer reads against what MuJoCo reads: masses, centres, inertias, places of shapes, axes of joints; and
 * scenes against what MuJoCo reads of their export.
 *
 * MuJoCo welds the root link of a URDF to the world, and so does not know its mass: that one is skipped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/scene_file.h"
#include "carom/shipped.h"

#define TOLERANCE  1e-12
#define EIGENFRAME 1e-6 /* of the trace: MuJoCo 2.2 keeps principal axes, and finds those of a full inertia to 1e-7 */

static const char *const files[] = {"arm.urdf",  "quadruped.urdf", "slider.urdf", "pendulum.xml", "hopper.xml",
                                    "stack.xml", "capsules.xml",   "walker.xml",  "dog.urdf"};

static void near(double got, double expected, double scale, const char *what)
{
    double share = strcmp(what, "inertia") == 0 ? EIGENFRAME : TOLERANCE;
    if (!(fabs(got - expected) <= share * scale))
        fail_msg("%s: %.17g, MuJoCo has %.17g", what, got, expected);
}

static carom_vec3 turned(carom_quat q, carom_vec3 v)
{
    carom_vec3 u = {q.x, q.y, q.z}, c = carom_vec3_scale(2, carom_vec3_cross(u, v));
    return carom_vec3_add(carom_vec3_add(v, carom_vec3_scale(q.w, c)), carom_vec3_cross(u, c));
}

/* R diag(I) R^T of MuJoCo, or R I R^T of ours: entry (i, j). */
static double world_inertia_mujoco(const mjModel *m, const mjData *d, int b, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += d->ximat[9 * b + 3 * i + k] * m->body_inertia[3 * b + k] * d->ximat[9 * b + 3 * j + k];
    return sum;
}

static double world_inertia_carom(const carom_body_def *def, int i, int j)
{
    carom_vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_quat back = {def->orientation.w, -def->orientation.x, -def->orientation.y, -def->orientation.z};
    carom_vec3 a = turned(back, e[i]), b = turned(back, e[j]);
    carom_sym3 I = def->inertia;
    carom_vec3 Ib = {I.xx * b.x + I.xy * b.y + I.xz * b.z, I.xy * b.x + I.yy * b.y + I.yz * b.z,
                     I.xz * b.x + I.yz * b.y + I.zz * b.z};
    return carom_vec3_dot(a, Ib);
}

static void compare_masses(const mjModel *m, const mjData *d, int b, const carom_body_def *def)
{
    double size = 0;
    near(def->mass, m->body_mass[b], m->body_mass[b], "mass");
    near(def->position.x, d->xipos[3 * b], 1, "centre x");
    near(def->position.y, d->xipos[3 * b + 1], 1, "centre y");
    near(def->position.z, d->xipos[3 * b + 2], 1, "centre z");
    for (int k = 0; k < 3; k++)
        size += m->body_inertia[3 * b + k];
    near(def->inertia.xx + def->inertia.yy + def->inertia.zz, size, size, "trace of the inertia");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            near(world_inertia_carom(def, i, j), world_inertia_mujoco(m, d, b, i, j), size, "inertia");
}

static void compare_motion(const mjModel *m, const mjData *d, int b, const carom_body_def *def)
{
    mjtNum v[6]; /* turn, then velocity of the centre of mass, world axes */
    mj_objectVelocity(m, d, mjOBJ_BODY, b, v, 0);
    near(def->omega.x, v[0], 1, "omega x");
    near(def->omega.y, v[1], 1, "omega y");
    near(def->omega.z, v[2], 1, "omega z");
    near(def->velocity.x, v[3], 1, "velocity x");
    near(def->velocity.y, v[4], 1, "velocity y");
    near(def->velocity.z, v[5], 1, "velocity z");
}

static void compare_axis(const mjModel *m, const mjData *d, int b, const json_t *link, const carom_body_def *def)
{
    const json_t *axis = json_object_get(json_object_get(link, "joint"), "axis");
    if (!axis || m->body_jntnum[b] != 1)
        return;
    carom_vec3 a = {json_number_value(json_array_get(axis, 0)), json_number_value(json_array_get(axis, 1)),
                    json_number_value(json_array_get(axis, 2))};
    a = turned(def->orientation, a);
    const mjtNum *x = d->xaxis + 3 * m->body_jntadr[b];
    near(a.x, x[0], 1, "axis x");
    near(a.y, x[1], 1, "axis y");
    near(a.z, x[2], 1, "axis z");
}

static void compare_shapes(const mjModel *m, const mjData *d, int b, const carom_scene_body *body)
{
    int g = m->body_geomadr[b];
    for (int k = 0; body->solid.kind == CAROM_SOLID_COMPOUND && k < body->solid.part_count; k++, g++) {
        const carom_part *p = &body->solid.parts[k];
        carom_vec3 r = turned(body->def.orientation, carom_vec3_sub(p->position, body->com));
        carom_vec3 x = carom_vec3_add(body->def.position, r);
        if (p->solid.kind != CAROM_SOLID_SHAPE)
            continue; /* MuJoCo centres meshes by their surface */
        near(x.x, d->geom_xpos[3 * g], 1, "shape x");
        near(x.y, d->geom_xpos[3 * g + 1], 1, "shape y");
        near(x.z, d->geom_xpos[3 * g + 2], 1, "shape z");
        near(p->solid.shape.size[0], m->geom_size[3 * g] * (p->solid.shape.kind == CAROM_SHAPE_BOX ? 2 : 1), 1, "size");
    }
}

/* A body whose joints act one after the other has given parts of its mass to the pieces between them. */
static carom_body_def whole_body(const carom_scene_file *file, int i)
{
    carom_body_def def = file->bodies[i].def;
    double mass = def.mass;
    size_t length = strlen(file->names[i]);
    for (int k = 0; k < file->scene.body_count; k++) {
        const char *name = file->names[k];
        bool piece = strncmp(name, file->names[i], length) == 0 && name[length] == '-';
        if (piece && file->bodies[k].def.mass < 2e-6 * def.mass)
            mass += file->bodies[k].def.mass;
    }
    double share = mass / def.mass;
    carom_sym3 I = def.inertia;
    def.mass = mass;
    def.inertia = (carom_sym3){share * I.xx, share * I.xy, share * I.xz, share * I.yy, share * I.yz, share * I.zz};
    return def;
}

static int compare(const char *path)
{
    char why[1000];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    carom_import_result r;
    carom_scene_file file;
    carom_case_error error;
    int compared = 0;
    if (!carom_import(path, &r, why))
        fail_msg("%s", why);
    char *text = json_text(r.scene, 0);
    carom_text from = {name, 1, text, strlen(text)};
    if (!carom_scene_read(&from, &file, &error))
        fail_msg("%s", error.message);
    mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
    if (!m)
        fail_msg("MuJoCo: %s", why);
    mjData *d = mj_makeData(m);
    if (m->nkey)
        mj_resetDataKeyframe(m, d, 0);
    mj_forward(m, d);
    const json_t *links = json_object_get(r.scene, "links");
    for (size_t k = 0; k < json_array_size(links); k++) {
        const json_t *link = json_array_get(links, k);
        const char *word = json_string_value(json_object_get(link, "name"));
        int b = mj_name2id(m, mjOBJ_BODY, word), i = 0;
        while (strcmp(file.names[i], word) != 0)
            i++;
        if (b <= 0)
            continue;
        carom_body_def def = whole_body(&file, i);
        compare_masses(m, d, b, &def);
        compare_motion(m, d, b, &def);
        compare_axis(m, d, b, link, &file.bodies[i].def);
        compare_shapes(m, d, b, &file.bodies[i]);
        compared++;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    free(text);
    carom_scene_free(&file);
    carom_import_free(&r);
    return compared;
}

/* ---- exports ---- */

static void read_text(const char *name, const char *text, carom_scene_file *file)
{
    carom_case_error error;
    carom_text from = {name, 1, text, strlen(text)};
    if (!carom_scene_read(&from, file, &error))
        fail_msg("%s", error.message);
}

static mjModel *export_to_mujoco(const carom_scene_file *file)
{
    carom_export_result out;
    carom_case_error error;
    char why[1000];
    if (!carom_model_export(file, CAROM_MODEL_MJCF, "m", &out, &error))
        fail_msg("%s", error.message);
    FILE *f = fopen("test_import_export.xml", "w");
    assert_non_null(f);
    fputs(out.text, f);
    assert_int_equal(fclose(f), 0);
    mjModel *m = mj_loadXML("test_import_export.xml", NULL, why, sizeof why);
    if (!m)
        fail_msg("MuJoCo: %s", why);
    remove("test_import_export.xml");
    carom_export_free(&out);
    return m;
}

/* Gravity, masses, inertias, places and velocities of all bodies that move; friction of their shapes. */
static int compare_export(const carom_scene_file *file)
{
    int compared = 0;
    mjModel *m = export_to_mujoco(file);
    mjData *d = mj_makeData(m);
    if (m->nkey)
        mj_resetDataKeyframe(m, d, 0);
    mj_forward(m, d);
    near(m->opt.gravity[2], file->scene.gravity.z, 1, "gravity");
    for (int i = 0; i < file->scene.body_count; i++) {
        int b = mj_name2id(m, mjOBJ_BODY, file->names[i]);
        if (file->bodies[i].def.fixed)
            continue;
        assert_true(b > 0);
        compare_masses(m, d, b, &file->bodies[i].def);
        compare_motion(m, d, b, &file->bodies[i].def);
        if (file->bodies[i].own_com) /* parts are given in the frame of the link */
            compare_shapes(m, d, b, &file->bodies[i]);
        compared++;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    return compared;
}

static void test_exported_models(void **state)
{
    (void)state;
    static const char *const more[] = {"quadruped.xml", "cart.sdf", "ball.sdf", "door.sdf", "rig.sdf"};
    int compared = 0;
    for (size_t k = 0; k < sizeof files / sizeof files[0] + 5; k++) {
        char path[512], why[CAROM_IMPORT_MESSAGE];
        const char *name = k < 5 ? more[k] : files[k - 5];
        carom_import_result r;
        carom_scene_file file;
        snprintf(path, sizeof path, "%s/import/%s", CAROM_TEST_DATA, name);
        assert_true(carom_import(path, &r, why));
        char *text = json_text(r.scene, 17);
        read_text(name, text, &file);
        print_message("%s\n", name);
        compared += compare_export(&file);
        carom_scene_free(&file);
        carom_import_free(&r);
        free(text);
    }
    assert_true(compared > 60);
}

/* The scenes that come with Carom, but for planar ones, points and rods, which MuJoCo does not have. */
static void test_exported_scenes(void **state)
{
    (void)state;
    static const char *const skipped[] = {"rod", "gas"};
    const carom_shipped *one;
    int compared = 0;
    for (int i = 0; (one = carom_shipped_at(CAROM_SHELF_SCENES, i)); i++) {
        carom_scene_file file;
        bool skip = strcmp(one->name, skipped[0]) == 0 || strcmp(one->name, skipped[1]) == 0;
        read_text(one->file, one->text, &file);
        if (file.scene.dim == 3 && !skip && file.scene.body_count < 100) {
            print_message("%s\n", one->name);
            compared += compare_export(&file);
        }
        carom_scene_free(&file);
    }
    assert_true(compared > 60);
}

/* The inertia of the upper arm in the world, in 30 digits by mpmath: here MuJoCo is off by 9e-10. */
static const double upper[3][3] = {{0.0281316297992587601, 0.00168680804217513013, -0.00286293638013600417},
                                   {0.00168680804217513013, 0.0288699858837108109, 0.00753860963824576508},
                                   {-0.00286293638013600417, 0.00753860963824576508, 0.00909838431703042898}};

static void test_full_inertia(void **state)
{
    (void)state;
    char path[512], why[1000];
    carom_import_result r;
    carom_scene_file file;
    carom_case_error error;
    snprintf(path, sizeof path, "%s/import/arm.urdf", CAROM_TEST_DATA);
    assert_true(carom_import(path, &r, why));
    char *text = json_text(r.scene, 0);
    carom_text from = {"arm", 1, text, strlen(text)};
    assert_true(carom_scene_read(&from, &file, &error));
    for (int k = 0; k < 9; k++)
        near(world_inertia_carom(&file.bodies[0].def, k / 3, k % 3), upper[k / 3][k % 3], 1e-2, "of mpmath");
    free(text);
    carom_scene_free(&file);
    carom_import_free(&r);
}

static void test_models(void **state)
{
    (void)state;
    static const int links[] = {2, 8, 1, 2, 4, 2, 2, 6, 13};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/import/%s", CAROM_TEST_DATA, files[k]);
        print_message("%s\n", files[k]);
        assert_int_equal(compare(path), links[k]);
    }
}

/* Models that Debian ships with MuJoCo (libmujoco-samples) and DART (dart-doc): those that are installed. */
static void test_public_models(void **state)
{
    (void)state;
    static const char *const names[] = {
        "mujoco/model/humanoid/humanoid.xml",        "mujoco/model/humanoid/22_humanoids.xml",
        "mujoco/model/humanoid100/humanoid100.xml",  "mujoco/model/hammock/hammock.xml",
        "mujoco/model/adhesion/active_adhesion.xml", "doc/dart/data/mjcf/openai/reacher.xml",
        "doc/dart/data/mjcf/openai/swimmer.xml",     "doc/dart/data/mjcf/openai/point.xml"};
    const char *root = getenv("CAROM_PUBLIC") ? getenv("CAROM_PUBLIC") : "/usr/share";
    int read = 0, compared = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", root, names[k]);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        fclose(file);
        int links = compare(path);
        print_message("%s: %d links\n", names[k], links);
        compared += links;
        read++;
    }
    print_message("%d public models, %d links\n", read, compared);
    if (!read)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_public_models),
                                       cmocka_unit_test(test_full_inertia), cmocka_unit_test(test_exported_models),
                                       cmocka_unit_test(test_exported_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
