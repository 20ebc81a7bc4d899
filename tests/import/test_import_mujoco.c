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

#include "carom/heap.h"
#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/scene_file.h"

#define TOLERANCE  1e-12
#define EIGENFRAME 1e-6 /* of the trace: MuJoCo 2.2 keeps principal axes, and finds those of a full inertia to 1e-7 */

static const char *const files[] = {"arm.urdf",   "quadruped.urdf", "slider.urdf", "pendulum.xml",
                                    "hopper.xml", "stack.xml",      "capsules.xml"};

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
    mju_zero(d->qvel, m->nv);
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
    static const int links[] = {2, 8, 1, 2, 4, 2, 2};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        print_message("%s\n", files[k]);
        assert_int_equal(compare(files[k]), links[k]);
    }
}

/* ---- a landing: K of the feet by joints of impulses, and by M and J of MuJoCo ---- */

typedef struct landing {
    carom_vec3 point[4];
    carom_csym K[4];
    int body[4], count;
    carom_vec3 root;
} landing;

typedef struct watcher {
    carom_sim *sim;
    landing *out;
} watcher;

static bool note(void *context, carom_sim_event *event)
{
    watcher *w = context;
    for (int k = 0; k < event->count && k < 4 && !w->out->root.z; k++) {
        const carom_sim_contact *c = &event->contacts[k];
        w->out->point[k] = carom_vec3_add(c->def_a.position, c->arm_a);
        w->out->K[k] = c->problem.K;
        w->out->body[k] = c->a;
        w->out->count++;
    }
    w->out->root = carom_sim_body(w->sim, 1).position;
    return true;
}

/* J M^-1 J^T at a point of a body. */
static void mobility(const mjModel *m, mjData *d, int body, carom_vec3 x, double K[3][3])
{
    mjtNum J[3 * 64], Y[3 * 64], point[3] = {x.x, x.y, x.z};
    assert_true(m->nv <= 64);
    mj_jac(m, d, J, NULL, point, body);
    mj_solveM(m, d, Y, J, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[i][j] = mju_dot(J + i * m->nv, Y + j * m->nv, m->nv);
}

static void test_landing(void **state)
{
    (void)state;
    char path[512], why[1000];
    carom_import_result r;
    carom_scene_file file;
    carom_case_error error;
    carom_sim *sim;
    landing l = {.count = 0};
    snprintf(path, sizeof path, "%s/import/quadruped.xml", CAROM_TEST_DATA);
    if (!carom_import(path, &r, why))
        fail_msg("%s", why);
    char *text = json_text(r.scene, 0);
    carom_text from = {"quadruped", 1, text, strlen(text)};
    if (!carom_scene_read(&from, &file, &error))
        fail_msg("%s", error.message);
    const carom_memory heap = carom_heap();
    assert_int_equal(carom_sim_create(&file.scene, &heap, &sim, NULL), CAROM_STATUS_OK);
    watcher w = {sim, &l};
    carom_sim_observer observer = {.before = note, .context = &w};
    carom_sim_observe(sim, &observer);
    assert_int_equal(carom_sim_to_impacts(sim, 1), CAROM_STATUS_OK);
    assert_int_equal(l.count, 4);
    mjModel *m = mj_loadXML(path, NULL, why, sizeof why);
    mjData *d = mj_makeData(m);
    d->qpos[2] += l.root.z - file.bodies[1].def.position.z; /* it has fallen, and turned nothing */
    mj_forward(m, d);
    for (int k = 0; k < l.count; k++) {
        double K[3][3];
        mobility(m, d, mj_name2id(m, mjOBJ_BODY, file.names[l.body[k]]), l.point[k], K);
        near(l.K[k].nn, K[2][2], K[2][2], "K_nn");
        near(l.K[k].t11 + l.K[k].t22 + l.K[k].nn, K[0][0] + K[1][1] + K[2][2], K[2][2], "trace of K");
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    carom_sim_free(sim);
    free(text);
    carom_scene_free(&file);
    carom_import_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_full_inertia),
                                       cmocka_unit_test(test_landing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
