/* What moves in a plane moves there in space, too: scenes in the plane and in space, by roads of their own, have one
 * motion. Until the first impact, because two corners in space are several contacts, and one in the plane is one;
 * without friction the laws of one contact and of several agree, and the motion is one through all impacts. */
#include "sim/scenes.h"

enum { PLANE_BODIES = 4, DRAWS = 60 };
static const double width = 0.3;
#define RUN_TIME 0.9

/* A scene twice: x to the right and y up in the plane, z up in space. */
typedef struct twins {
    int count;
    double depth; /* of the ground: more than that of what moves on it, or the same */
    carom_scene_body flat[PLANE_BODIES], solid[PLANE_BODIES];
} twins;

static void make_twin(carom_scene_body *b, int dim, carom_shape shape, carom_body_def def)
{
    *b = (carom_scene_body){.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    b->def = def;
    if (!def.fixed)
        assert_int_equal(carom_solid_body(&b->solid, dim, 0, &b->def, NULL), CAROM_STATUS_OK);
}

static carom_body_def def_at(double x, double y, double mass)
{
    carom_body_def d = carom_body_def_default();
    d.fixed = mass == 0;
    d.mass = mass;
    d.position = vec(x, y, 0);
    return d;
}

static void add_twins(twins *t, carom_shape flat, carom_shape solid, carom_body_def def)
{
    make_twin(&t->flat[t->count], 2, flat, def);
    double y = def.position.y;
    def.position = vec(def.position.x, 0, y);
    def.velocity = vec(def.velocity.x, 0, def.velocity.y);
    def.omega = vec(0, -def.omega.z, 0);
    if (solid.kind == CAROM_SHAPE_CYLINDER)
        def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0};
    make_twin(&t->solid[t->count++], 3, solid, def);
}

static void add_box(twins *t, double w, double h, carom_body_def def)
{
    double depth = t->count ? t->depth : width;
    add_twins(t, (carom_shape){CAROM_SHAPE_BOX, {w, h, 1}}, (carom_shape){CAROM_SHAPE_BOX, {w, depth, h}}, def);
}

static void add_disk(twins *t, double r, carom_body_def def)
{
    add_twins(t, (carom_shape){CAROM_SHAPE_DISK, {r}}, (carom_shape){CAROM_SHAPE_CYLINDER, {r, width}}, def);
}

/* On the table or box whose top is at y, or a little back from its edge; slides, or rolls. */
static void add_mover(twins *t, uint64_t *seed, double x, double y)
{
    double size = random_between(seed, 0.05, 0.2), v = random_between(seed, 0.3, 2.5),
           w = random_between(seed, 0.1, 0.3);
    bool rolls = random_between(seed, 0, 1) < 0.5, box = random_between(seed, 0, 1) < 0.5;
    carom_body_def d = def_at(x, y + 0.5 * size, random_between(seed, 0.5, 2));
    d.velocity = vec(v, 0, 0);
    d.omega = vec(0, 0, box || !rolls ? 0 : -2 * v / size);
    if (box)
        add_box(t, w, size, d);
    else
        add_disk(t, 0.5 * size, d);
}

/* Over the edge of a table. */
static void make_off_table(twins *t, uint64_t *seed)
{
    add_mover(t, seed, -random_between(seed, 0.1, 0.3), 0);
    add_box(t, 2, 0.4, def_at(-1, -0.2, 0));
}

/* On a box that is free on the floor, and off it. */
static void make_on_box(twins *t, uint64_t *seed)
{
    double h = random_between(seed, 0.05, 0.15);
    t->depth = 1;
    add_mover(t, seed, random_between(seed, -0.1, 0.1), h);
    carom_body_def below = def_at(0, 0.5 * h, random_between(seed, 0.5, 3));
    add_box(t, random_between(seed, 0.3, 0.8), h, below);
}

/* Against a low step. */
static void make_step(twins *t, uint64_t *seed)
{
    double h = random_between(seed, 0.01, 0.12), s = random_between(seed, 0.15, 0.3);
    carom_body_def d = def_at(0, 0.5 * s, 1);
    d.velocity = vec(random_between(seed, 1, 3), 0, 0);
    add_box(t, random_between(seed, 0.1, 0.3), s, d);
    add_box(t, 0.3, h, def_at(0.8, 0.5 * h, 0));
}

static carom_sim *run_twin(twins *t, int dim, double floor, double e, double mu, double time, int impacts)
{
    carom_scene_body *bodies = dim == 2 ? t->flat : t->solid;
    bodies[t->count] = half_space(dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1), floor);
    carom_scene scene = scene_of(bodies, t->count + 1, "routh-stronge", e, mu);
    scene.dim = dim;
    scene.gravity = dim == 2 ? vec(0, -9.81, 0) : vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, time, impacts);
    return sim;
}

static void compare(const carom_sim *flat, const carom_sim *solid, const twins *t, bool impacts, double tol)
{
    assert_near(carom_sim_time(flat), carom_sim_time(solid), tol);
    for (int k = 0; k < t->count; k++) {
        carom_sim_state a = carom_sim_body(flat, k), b = carom_sim_body(solid, k);
        assert_int_equal(a.road, CAROM_SIM_ROAD_EXACT);
        assert_int_equal(b.road, CAROM_SIM_ROAD_EXACT);
        assert_near(carom_vec3_length(carom_vec3_sub(vec(a.position.x, 0, a.position.y), b.position)), 0, tol);
        if (impacts && carom_sim_time(flat) < RUN_TIME) /* the laws of one contact and of two differ */
            continue;
        assert_near(carom_vec3_length(carom_vec3_sub(vec(a.velocity.x, 0, a.velocity.y), b.velocity)), 0, 10 * tol);
        assert_near(carom_vec3_length(carom_vec3_sub(vec(0, -a.omega.z, 0), b.omega)), 0, 100 * tol);
    }
}

typedef void make_twins(twins *t, uint64_t *seed);

static void check_twins(make_twins *make, double floor, double mu, int impacts, double tol)
{
    for (int n = 0; n < DRAWS; n++) {
        uint64_t seed = (uint64_t)n + 7;
        twins t = {.depth = n % 3 ? 1 : width};
        for (int k = 0; k < 4; k++)
            random_between(&seed, 0, 1);
        make(&t, &seed);
        double own = mu > 0 ? random_between(&seed, 0.05, mu) : 0, e = random_between(&seed, 0, 0.5);
        carom_sim *flat = run_twin(&t, 2, floor, e, own, RUN_TIME, impacts);
        carom_sim *solid = run_twin(&t, 3, floor, e, own, RUN_TIME, impacts);
        compare(flat, solid, &t, own > 0, tol);
        carom_sim_free(flat);
        carom_sim_free(solid);
    }
}

static void test_off_a_table(void **state)
{
    (void)state;
    check_twins(make_off_table, -0.5, 1.2, 1, 1e-11);
}

static void test_on_a_box(void **state)
{
    (void)state;
    check_twins(make_on_box, 0, 0.8, 1, 1e-11);
}

/* A step that is lower than the middle of the box stops its foot: it tips over the step. */
static void test_against_a_step(void **state)
{
    (void)state;
    check_twins(make_step, 0, 0, 4, 1e-10);
}

/* A box that falls flat onto a smooth slope bounces until it slides, whatever the slope: its corners approach with few
 * digits beside its slip, and no law of impact may find that they contradict each other. */
static void test_smooth_slopes(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < DRAWS; n++) {
        double lean = random_between(&seed, 0.2, 1), turn = random_between(&seed, -3, 3), t = 1.5, g = 9.81;
        carom_quat q = {cos(lean / 2), -sin(turn) * sin(lean / 2), cos(turn) * sin(lean / 2), 0};
        carom_vec3 n_up = vec(cos(turn) * sin(lean), sin(turn) * sin(lean), cos(lean));
        carom_vec3 down = vec(cos(turn) * cos(lean), sin(turn) * cos(lean), -sin(lean));
        carom_scene_body bodies[2] = {carom_scene_box(1, vec(0.1, 0.1, 0.1)), half_space(n_up, 0)};
        bodies[0].def.position = carom_vec3_scale(random_between(&seed, 0.1, 0.4), n_up);
        bodies[0].def.orientation = q;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", random_between(&seed, 0.3, 0.5), 0);
        scene.gravity = vec(0, 0, -g);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, t, -1);
        carom_sim_state s = carom_sim_body(sim, 0);
        assert_near(carom_vec3_dot(s.position, down), 0.5 * g * sin(lean) * t * t, 1e-12);
        assert_near(carom_vec3_dot(s.position, n_up), 0.05, 1e-12);
        assert_near(carom_vec3_length(carom_vec3_sub(s.velocity, carom_vec3_scale(g * sin(lean) * t, down))), 0, 1e-12);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off_a_table),
        cmocka_unit_test(test_on_a_box),
        cmocka_unit_test(test_against_a_step),
        cmocka_unit_test(test_smooth_slopes),
    };
    return cmocka_run_group_tests_name("sim_planar", tests, NULL, NULL);
}
