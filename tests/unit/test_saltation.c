/* Saltation matrices of two spheres against differences of the whole flow through the impact; mechanisms are in
 * tests/vectors/saltation.jsonl. */
#include <string.h>

#include "support/check.h"

#include "carom/saltation.h"

enum { N = CAROM_BODIES_COORDINATES, STATE = 2 * N };

#define STEP     1e-5
#define FLOW_TOL 3e-8 /* differences of second order */

static const double radius[2] = {0.7, 1.1};
static const carom_vec3 gravity = {0.3, -0.2, -9.81};

typedef struct spheres {
    carom_vec3 x[2];
    carom_body body[2];
} spheres;

static carom_body sphere(double mass, double r, carom_vec3 velocity, carom_vec3 omega)
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    def.mass = mass;
    def.inertia.xx = def.inertia.yy = def.inertia.zz = 0.4 * mass * r * r;
    def.velocity = velocity;
    def.omega = omega;
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_OK);
    return body;
}

static spheres nominal(void)
{
    const carom_vec3 n = {0.36, 0.48, 0.8};
    spheres s = {{carom_vec3_scale(radius[0] + radius[1], n), {0, 0, 0}},
                 {sphere(1.3, radius[0], (carom_vec3){0.4, -0.9, -2.1}, (carom_vec3){1.1, -0.3, 0.7}),
                  sphere(2.2, radius[1], (carom_vec3){-0.3, 0.2, 0.8}, (carom_vec3){-0.6, 0.9, 0.2})}};
    return s;
}

/* Coordinates: positions and rotations (which spheres do not notice) of A and B, then their speeds. */
static void shift(spheres *s, int k, double by)
{
    double *const at[STATE] = {&s->x[0].x,
                               &s->x[0].y,
                               &s->x[0].z,
                               NULL,
                               NULL,
                               NULL,
                               &s->x[1].x,
                               &s->x[1].y,
                               &s->x[1].z,
                               NULL,
                               NULL,
                               NULL,
                               &s->body[0].velocity.x,
                               &s->body[0].velocity.y,
                               &s->body[0].velocity.z,
                               &s->body[0].omega.x,
                               &s->body[0].omega.y,
                               &s->body[0].omega.z,
                               &s->body[1].velocity.x,
                               &s->body[1].velocity.y,
                               &s->body[1].velocity.z,
                               &s->body[1].omega.x,
                               &s->body[1].omega.y,
                               &s->body[1].omega.z};
    if (at[k])
        *at[k] += by;
}

static carom_contact contact_of(const spheres *s)
{
    carom_contact c;
    carom_vec3 d = carom_vec3_sub(s->x[0], s->x[1]), n = carom_vec3_scale(1 / carom_vec3_length(d), d);
    assert_int_equal(carom_contact_init(carom_vec3_scale(-radius[0], n), carom_vec3_scale(radius[1], n), n, &c),
                     CAROM_STATUS_OK);
    return c;
}

static void fly(spheres *s, double t)
{
    for (int i = 0; i < 2; i++) {
        carom_vec3 v = s->body[i].velocity;
        s->x[i] = carom_vec3_add(s->x[i], carom_vec3_add(carom_vec3_scale(t, v), carom_vec3_scale(t * t / 2, gravity)));
        s->body[i].velocity = carom_vec3_add(v, carom_vec3_scale(t, gravity));
    }
}

/* From time 0 to the impact and back to time 0. */
static void flow(spheres *s, const carom_rule *rule)
{
    const carom_vec3 d = carom_vec3_sub(s->x[0], s->x[1]), v = carom_vec3_sub(s->body[0].velocity, s->body[1].velocity);
    const double reach = radius[0] + radius[1], a = carom_vec3_dot(v, v), b = carom_vec3_dot(d, v);
    const double c = carom_vec3_dot(d, d) - reach * reach, t = c / (-b + sqrt(b * b - a * c));
    carom_problem problem;
    carom_outcome out;
    fly(s, t);
    const carom_contact contact = contact_of(s);
    assert_int_equal(carom_bodies_reduce(&s->body[0], &s->body[1], &contact, &problem), CAROM_STATUS_OK);
    assert_int_equal(carom_solve(&problem, rule, NULL, &out), CAROM_STATUS_OK);
    carom_bodies_apply(&contact, out.p, &s->body[0], &s->body[1]);
    fly(s, -t);
}

static void state_of(const spheres *s, double x[STATE])
{
    memset(x, 0, STATE * sizeof *x);
    for (int i = 0; i < 2; i++) {
        const carom_vec3 all[3] = {s->x[i], s->body[i].velocity, s->body[i].omega};
        const int at[3] = {6 * i, N + 6 * i, N + 6 * i + 3};
        for (int k = 0; k < 3; k++) {
            x[at[k]] = all[k].x;
            x[at[k] + 1] = all[k].y;
            x[at[k] + 2] = all[k].z;
        }
    }
}

static void check_spheres(const char *law, double mu)
{
    carom_rule rule = carom_rule_default(carom_law_find(law));
    rule.coeffs.e = 0.7;
    rule.coeffs.mu = mu;
    double Xi[STATE * STATE];
    carom_saltation about;
    const carom_curvature S[2] = {{1 / radius[0], 0, 1 / radius[0]}, {1 / radius[1], 0, 1 / radius[1]}};
    const spheres s = nominal();
    const carom_contact contact = contact_of(&s);
    assert_int_equal(carom_saltation_bodies(&contact, &s.body[0], &s.body[1], S, gravity, &rule, Xi, &about),
                     CAROM_STATUS_OK);
    assert_false(about.nonsmooth | about.grazing);
    for (int k = 0; k < STATE; k++) {
        double plus[STATE], minus[STATE];
        spheres more = s, less = s;
        shift(&more, k, STEP);
        shift(&less, k, -STEP);
        flow(&more, &rule);
        flow(&less, &rule);
        state_of(&more, plus);
        state_of(&less, minus);
        bool rotation = k < N && k % 6 >= 3;
        for (int i = 0; i < STATE && !rotation; i++)
            if (!(i < N && i % 6 >= 3))
                assert_near(Xi[i * STATE + k], (plus[i] - minus[i]) / (2 * STEP), 10, FLOW_TOL);
    }
}

static void spheres_have_the_flow(void **state)
{
    (void)state;
    check_spheres("newton", 0);
    check_spheres("routh-stronge", 0.1);
    check_spheres("routh-stronge", 0.9);
    check_spheres("jia", 0.3);
    check_spheres("chatterjee-momentum", 0.3);
}

/* Turning a sphere changes nothing: the columns of rotation keep the rotation alone. */
static void rotation_of_a_sphere_is_nothing(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("whittaker"));
    double Xi[STATE * STATE];
    carom_saltation about;
    const carom_curvature S[2] = {{1 / radius[0], 0, 1 / radius[0]}, {1 / radius[1], 0, 1 / radius[1]}};
    const spheres s = nominal();
    const carom_contact contact = contact_of(&s);
    assert_int_equal(carom_saltation_bodies(&contact, &s.body[0], &s.body[1], S, gravity, &rule, Xi, &about),
                     CAROM_STATUS_OK);
    for (int k = 3; k < 6; k++)
        for (int i = 0; i < STATE; i++)
            assert_near(Xi[i * STATE + k], i == k, 1, 1e-13);
}

static void planes_on_planes_are_refused(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    double Xi[STATE * STATE];
    carom_saltation about;
    const carom_curvature flat[2] = {{0, 0, 0}, {0, 0, 0}};
    spheres s = nominal();
    const carom_contact contact = contact_of(&s);
    assert_int_equal(carom_saltation_bodies(&contact, &s.body[0], &s.body[1], flat, gravity, &rule, Xi, &about),
                     CAROM_STATUS_NO_DERIVATIVE);
    s.body[0].velocity = s.body[1].velocity;
    s.body[0].omega = s.body[1].omega = (carom_vec3){0, 0, 0};
    const carom_curvature round[2] = {{1, 0, 1}, {1, 0, 1}};
    assert_int_equal(carom_saltation_bodies(&contact, &s.body[0], &s.body[1], round, gravity, &rule, Xi, &about),
                     CAROM_STATUS_NO_DERIVATIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_have_the_flow),
        cmocka_unit_test(rotation_of_a_sphere_is_nothing),
        cmocka_unit_test(planes_on_planes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
