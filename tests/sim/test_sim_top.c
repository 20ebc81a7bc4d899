/* Free asymmetric tops: energy and momentum over 1,000 turns. */
#include "sim/scenes.h"

enum { TURNS = 1000, LOOKS = 997 };

static const double pi = 3.141592653589793;

typedef struct top {
    double I[3];
    carom_vec3 omega; /* body axes */
} top;

static const top tops[] = {
    {{1, 2, 3}, {0.01, 1, 0.01}},              /* the tennis racket */
    {{1, 2, 3}, {0.7, -0.4, 0.9}},             /* a general motion */
    {{1, 2, 3}, {1e-6, 1, 1e-6}},              /* next to the separatrix */
    {{1, 2, 3}, {1e-12, 1, -1e-12}},           /* and nearer */
    {{1, 2, 3}, {0.5773502691896258, 0.3, 1}}, /* I_1 (I_2 - I_1) w_1^2 and I_3 (I_3 - I_2) w_3^2 are of one size */
    {{1, 1.0001, 1.7}, {0.3, 0.5, -0.8}},      /* nearly symmetric */
    {{1, 1 + 1e-9, 1.7}, {0.3, 0.5, -0.8}},    /* and nearer */
    {{1.7, 1, 1 - 1e-11}, {5, 0.2, 0.1}},      /* about its nearly free axis */
    {{2.9, 2.95, 3}, {-2, 1, 0.5}},            /* nearly a sphere */
    {{1, 2, 2.9999999}, {4, -3, 2}},           /* nearly a plate */
    {{1e-3, 1, 1.0005}, {100, 0.1, 0.2}},      /* nearly a rod, fast about its axis */
    {{1, 2, 3}, {0, 0, 5}},                    /* about a principal axis */
};

static double length(carom_vec3 v)
{
    return carom_vec3_length(v);
}

/* The body is turned so that no axis of the world is one of its own. */
static carom_scene_body body_of(const top *x)
{
    carom_scene_body b = carom_scene_sphere(1, 0.1);
    carom_quat q = {0.5, -0.1, 0.7, sqrt(1 - 0.25 - 0.01 - 0.49)};
    carom_vec3 axis = {q.x, q.y, q.z}, twice = carom_vec3_scale(2, carom_vec3_cross(axis, x->omega));
    b.def.inertia = (carom_sym3){x->I[0], 0, 0, x->I[1], 0, x->I[2]};
    b.def.orientation = q;
    b.def.omega = carom_vec3_add(carom_vec3_add(x->omega, carom_vec3_scale(q.w, twice)), carom_vec3_cross(axis, twice));
    return b;
}

static void check_top(const top *x)
{
    carom_scene_body b[1] = {body_of(x)};
    carom_scene scene = scene_of(b, 1, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    carom_sim_ledger start = carom_sim_energy(sim);
    double end = TURNS * 2 * pi / length(x->omega);
    for (int k = 1; k <= LOOKS; k++) {
        assert_int_equal(carom_sim_to_time(sim, end * k / LOOKS), CAROM_STATUS_OK);
        carom_sim_ledger now = carom_sim_energy(sim);
        assert_near(now.after / start.after, 1, 1e-12);
        assert_near(length(carom_vec3_sub(now.angular, start.angular)) / length(start.angular), 0, 1e-12);
    }
    carom_sim_free(sim);
}

static void test_energy_and_momentum(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof tops / sizeof tops[0]; k++)
        check_top(&tops[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
