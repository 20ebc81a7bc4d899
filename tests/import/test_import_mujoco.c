/* What the importer reads against what MuJoCo reads: masses, centres, inertias, places of shapes, axes of joints.
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

static int compare(const char *name)
{
    char path[512], why[1000];
    carom_import_result r;
    carom_scene_file file;
    carom_case_error error;
    int compared = 0;
    snprintf(path, sizeof path, "%s/import/%s", CAROM_TEST_DATA, name);
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
        compare_masses(m, d, b, &file.bodies[i].def);
        compare_motion(m, d, b, &file.bodies[i].def);
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
        print_message("%s\n", files[k]);
        assert_int_equal(compare(files[k]), links[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_full_inertia)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
