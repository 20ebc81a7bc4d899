/* A quadruped from its URDF lands on four feet: M and J of the imported case against mj_fullM and mj_jac of MuJoCo, all
 * laws of several contacts, and the gradient of the landing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "carom/case.h"
#include "carom/derivative.h"
#include "carom/heap.h"
#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/scene_file.h"

#define TOLERANCE 1e-12
enum { FEET = 4, ROWS = 3 * FEET, SPEEDS = 18, COORDINATES = 19 };

typedef struct landing {
    carom_scene_file file;
    carom_sim *sim;
    json_t *tree; /* the case */
    carom_case c;
} landing;

static bool keep(void *context, carom_sim_event *event)
{
    landing *l = context;
    if (!l->tree)
        l->tree = carom_event_linkage(&l->file, l->sim, event);
    return true;
}

static void read_case(landing *l)
{
    carom_case_error error;
    char *bytes = json_text(l->tree, 17);
    carom_text text = {"landing", 1, bytes, strlen(bytes)};
    if (!carom_case_read(&text, &l->c, &error))
        fail_msg("%s", error.message);
    free(bytes);
}

static int land(void **state)
{
    char why[CAROM_IMPORT_MESSAGE];
    landing *l = calloc(1, sizeof *l);
    carom_import_result r;
    carom_case_error error;
    if (!carom_import(CAROM_TEST_DATA "/import/dog.urdf", &r, why))
        fail_msg("%s", why);
    char *bytes = json_text(r.scene, 17);
    carom_text text = {"dog", 1, bytes, strlen(bytes)};
    if (!carom_scene_read(&text, &l->file, &error))
        fail_msg("%s", error.message);
    const carom_memory heap = carom_heap();
    assert_int_equal(carom_sim_create(&l->file.scene, &heap, &l->sim, NULL), CAROM_STATUS_OK);
    carom_sim_observer observer = {.before = keep, .context = l};
    carom_sim_observe(l->sim, &observer);
    assert_int_equal(carom_sim_to_impacts(l->sim, 1), CAROM_STATUS_OK);
    assert_non_null(l->tree);
    read_case(l);
    for (int foot = 0; foot < FEET; foot++) /* URDF has neither; lzb supposes some restitution */
        l->c.coeffs[foot].e = 0.3, l->c.coeffs[foot].mu = 0.6;
    free(bytes);
    carom_import_free(&r);
    *state = l;
    return 0;
}

static int leave(void **state)
{
    landing *l = *state;
    carom_case_free(&l->c);
    json_decref(l->tree);
    carom_sim_free(l->sim);
    carom_scene_free(&l->file);
    free(l);
    return 0;
}

static void near(double got, double expected, double scale, const char *what)
{
    if (!(fabs(got - expected) <= TOLERANCE * scale))
        fail_msg("%s: %.17g, MuJoCo has %.17g", what, got, expected);
}

/* The coordinates of the case are those of MuJoCo: the root is given from where it starts. */
static void set_state(const landing *l, const mjModel *m, mjData *d)
{
    const json_t *q = json_object_get(json_object_get(l->tree, "mechanism"), "q");
    assert_int_equal(m->nq, COORDINATES);
    assert_int_equal(m->nv, SPEEDS);
    for (int k = 0; k < COORDINATES; k++)
        d->qpos[k] = json_number_value(json_array_get(q, (size_t)k)) + (k < 3 ? m->qpos0[k] : 0);
    mj_forward(m, d);
}

static double number_at(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static void compare_jacobian(const landing *l, const mjModel *m, mjData *d, int foot)
{
    const json_t *contact = json_array_get(json_object_get(l->tree, "contacts"), (size_t)foot);
    const json_t *point = json_object_get(contact, "point");
    int body = mj_name2id(m, mjOBJ_BODY, json_string_value(json_object_get(contact, "link")));
    mjtNum x[3], own[3] = {number_at(point, 0), number_at(point, 1), number_at(point, 2)}, J[3 * SPEEDS];
    mju_rotVecMat(x, own, d->xmat + 9 * body);
    mju_addTo(x, d->xpos + 3 * body, 3);
    mj_jac(m, d, J, NULL, x, body);
    const double *ours = l->c.mechanism.J + (ptrdiff_t)foot * 3 * SPEEDS;
    carom_frame frame;
    assert_int_equal(carom_frame_init(carom_vec3_make(0, 0, 1), &frame), CAROM_STATUS_OK);
    const carom_vec3 axis[3] = {frame.t1, frame.t2, frame.n};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < SPEEDS; k++)
            near(ours[i * SPEEDS + k], axis[i].x * J[k] + axis[i].y * J[SPEEDS + k] + axis[i].z * J[2 * SPEEDS + k], 1,
                 "J");
}

static void test_mass_and_jacobians(void **state)
{
    landing *l = *state;
    char why[1000];
    mjModel *m = mj_loadXML(CAROM_TEST_DATA "/import/dog.urdf", NULL, why, sizeof why);
    if (!m)
        fail_msg("MuJoCo: %s", why);
    mjData *d = mj_makeData(m);
    mjtNum M[SPEEDS * SPEEDS];
    set_state(l, m, d);
    mj_fullM(m, M, d->qM);
    assert_int_equal(l->c.mechanism.n, SPEEDS);
    assert_int_equal(l->c.count, FEET);
    for (int k = 0; k < SPEEDS * SPEEDS; k++)
        near(l->c.mechanism.M[k], M[k], M[0], "M");
    for (int foot = 0; foot < FEET; foot++)
        compare_jacobian(l, m, d, foot);
    mj_deleteData(d);
    mj_deleteModel(m);
}

typedef struct answer {
    double p[ROWS], u[ROWS];
} answer;

static carom_status solve(const landing *l, const carom_together *law, const double *u, answer *out)
{
    carom_contacts problem = l->c.contacts;
    carom_together_rule rule = l->c.together_rule;
    rule.law = law;
    problem.u = u;
    carom_together_outcome outcome = {.p = out->p, .u_after = out->u};
    void *work = malloc(carom_together_work(&problem, &rule));
    carom_status status = carom_together_solve(&problem, &rule, NULL, work, &outcome);
    free(work);
    return status;
}

/* Every law that takes contacts in space has an answer that lets no foot pass into the ground. */
static void test_laws(void **state)
{
    landing *l = *state;
    int solved = 0;
    for (int k = 0; k < carom_together_count(); k++) {
        const carom_together *law = carom_together_at(k);
        answer a;
        carom_status status = solve(l, law, l->c.contacts.u, &a);
        if (status == CAROM_STATUS_NOT_PLANAR)
            continue;
        if (carom_status_is_error(status))
            fail_msg("%s: %s", law->id, carom_status_message(status));
        for (int foot = 0; foot < FEET; foot++)
            assert_true(a.u[3 * foot + 2] > -1e-9);
        solved++;
    }
    assert_int_equal(solved, carom_together_count() - 1); /* poisson-lcp is planar */
}

static void shift(const double *u, double by, const double *direction, double *out)
{
    for (int k = 0; k < ROWS; k++)
        out[k] = u[k] + by * direction[k];
}

/* dp/du along a direction, by derivatives and by central differences. */
static carom_together_changes differentiate(const landing *l, const carom_together *law, const double *u,
                                            const double *direction, double *p)
{
    carom_together_rule rule = l->c.together_rule;
    carom_contacts problem = l->c.contacts;
    answer a;
    rule.law = law;
    problem.u = u;
    carom_together_outcome outcome = {.p = a.p, .u_after = a.u};
    carom_together_variation along = {.u = direction};
    carom_together_changes changes = {.p = p};
    void *work = malloc(carom_together_derivative_work(&problem, &rule));
    carom_status status = carom_together_differentiate(&problem, &rule, &along, 1, work, &outcome, &changes);
    free(work);
    if (carom_status_is_error(status))
        fail_msg("%s: %s", law->id, carom_status_message(status));
    return changes;
}

static void compare_gradient(const landing *l, const carom_together *law, const double *u, const double *direction)
{
    const double step = 1e-5;
    double p[ROWS], moved[ROWS];
    answer low, high;
    assert_false(differentiate(l, law, u, direction, p).nonsmooth);
    shift(u, step, direction, moved);
    assert_false(carom_status_is_error(solve(l, law, moved, &high)));
    shift(u, -step, direction, moved);
    assert_false(carom_status_is_error(solve(l, law, moved, &low)));
    for (int i = 0; i < ROWS; i++)
        if (!(fabs(p[i] - (high.p[i] - low.p[i]) / (2 * step)) < 1e-6))
            fail_msg("%s: dp[%d] %.9g, by differences %.9g", law->id, i, p[i], (high.p[i] - low.p[i]) / (2 * step));
}

/* Straight down, lzb has a kink: feet begin to slide one way or the other. A landing at speed has none,
 * since its feet slide; where some stick on the way, lzb finds no derivative and says so. */
static void test_gradient(void **state)
{
    landing *l = *state;
    double direction[ROWS], stride[ROWS], u[ROWS], p[ROWS];
    int found = 0;
    for (int k = 0; k < ROWS; k++) {
        direction[k] = sin(1.7 * k + 0.4);
        stride[k] = (double[3]){1.55, -0.85, -0.25 * (k / 3)}[k % 3];
    }
    shift(l->c.contacts.u, 1, stride, u);
    for (int k = 0; k < carom_together_count(); k++)
        if (carom_together_has_derivatives(carom_together_at(k))) {
            compare_gradient(l, carom_together_at(k), u, direction);
            found++;
        }
    assert_int_equal(found, 2);
    assert_true(differentiate(l, carom_together_find("lzb"), l->c.contacts.u, direction, p).nonsmooth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mass_and_jacobians), cmocka_unit_test(test_laws),
                                       cmocka_unit_test(test_gradient)};
    return cmocka_run_group_tests(tests, land, leave);
}
