/* Distances and times of impact of convex bodies: the axis from features against GJK, bounds of rotation against the
 * motion, and pairs that are watched closely on their way to an impact and beyond. */
#include <stdint.h>

#include "sim/motion/motion.h"
#include "sim/motion/spin.h"
#include "sim/scenes.h"
#include "sim/shape/distance.h"
#include "sim/shape/nearest_axis.h"
#include "sim/world/world.h"

static double draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static carom_vec3 draw_vec(uint64_t *seed, double size)
{
    double x = draw(seed), y = draw(seed), z = draw(seed);
    return vec(size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1));
}

#define GJK_TOL 1e-9 /* where it stops between round bodies */

enum { SHAPES = 6 };
static const carom_shape shapes[SHAPES] = {
    {CAROM_SHAPE_BOX, {0.93, 0.71, 0.52}}, {CAROM_SHAPE_CYLINDER, {0.35, 0.83, 0}},
    {CAROM_SHAPE_CONE, {0.41, 0.77, 0}},   {CAROM_SHAPE_CAPSULE, {0.21, 0.67, 0}},
    {CAROM_SHAPE_DISK, {0.55, 0, 0}},      {CAROM_SHAPE_ELLIPSOID, {0.31, 0.42, 0.63}}};

static placed draw_placed(const piece *p, carom_vec3 center, uint64_t *seed)
{
    carom_vec3 turn = draw_vec(seed, 3);
    placed out = {.piece = p, .center = center, .q = quat_exp(turn)};
    set_axes(&out);
    return out;
}

/* The gap from features and Newton's method, with and without a guess, and the bounds of GJK. */
static void test_axis_against_gjk(void **state)
{
    (void)state;
    uint64_t seed = 5577006791947779410u;
    carom_vec3 none = {0, 0, 0};
    int apart = 0;
    for (int k = 0; k < 20000; k++) {
        carom_solid s[2] = {{.kind = CAROM_SOLID_SHAPE, .shape = shapes[k % SHAPES]},
                            {.kind = CAROM_SOLID_SHAPE, .shape = shapes[k / SHAPES % SHAPES]}};
        piece p[2];
        assert_true(piece_of(&s[0], 3, &p[0]) && piece_of(&s[1], 3, &p[1]));
        placed b = draw_placed(&p[1], none, &seed), a = draw_placed(&p[0], draw_vec(&seed, 1), &seed);
        nearness near = distance_of(&a, &b, none, (looseness){0, 0});
        double margins = p[0].margin + p[1].margin;
        if (!(near.distance - margins > 1e-3))
            continue;
        carom_vec3 guess = carom_vec3_add(near.axis, draw_vec(&seed, 0.02));
        axis_between x = near_axis(&a, &b, none, 0), y = near_axis(&a, &b, guess, 0);
        assert_near(x.gap, near.distance, GJK_TOL);
        assert_near(y.gap, x.gap, 1e-11);
        assert_near(carom_vec3_length(carom_vec3_sub(x.n, y.n)), 0, 1e-5);
        double loose = near_axis(&a, &b, guess, 0.2).gap;
        assert_true(loose <= x.gap + 1e-11 && loose - margins >= 0.79 * (x.gap - margins));
        apart++;
    }
    assert_true(apart > 8000);
}

/* A pair on its way: never overlapping when looked at, and touching at its impacts. */
static void watch_pair(int k, uint64_t *seed)
{
    const carom_shape *shape[2] = {&shapes[k % SHAPES], &shapes[k / SHAPES % SHAPES]};
    carom_scene_body b[2];
    for (int i = 0; i < 2; i++) {
        b[i] = (carom_scene_body){.solid = {.kind = CAROM_SOLID_SHAPE, .shape = *shape[i]}};
        b[i].def = carom_shape_body(shape[i], 1);
        carom_vec3 side = draw_vec(seed, 0.5);
        b[i].def.position = vec(i ? 1.2 : -1.2, side.y, side.z);
        b[i].def.orientation = quat_exp(draw_vec(seed, 3));
        b[i].def.velocity = vec(i ? -2 : 2, 0, 0);
        b[i].def.omega = draw_vec(seed, 8);
    }
    carom_scene scene = scene_of(b, 2, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    double least = INFINITY;
    if (run_until(sim, 1, 1) == CAROM_SIM_STOP_IMPACTS)
        assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-14);
    carom_sim_free(sim);
    sim = sim_of(&scene);
    for (int step = 1; step <= 250; step++) {
        run_until(sim, 0.004 * step, -1);
        least = fmin(least, carom_sim_distance(sim, 0, 1));
    }
    assert_true(least > -1e-13);
    assert_true(carom_sim_impacts(sim) > 0 || least > 1e-6);
    carom_sim_free(sim);
}

static void test_pairs_never_overlap(void **state)
{
    (void)state;
    uint64_t seed = 8674665223082153551u;
    for (int k = 0; k < 10 * SHAPES * SHAPES; k++)
        watch_pair(k, &seed);
}

/* Many bodies that hit each other and six walls: each pair is searched by whichever looks next, and none is missed. */
static void watch_crowd(int side, double fall, uint64_t *seed)
{
    enum { MOST = 64 };
    carom_scene_body b[MOST + 6];
    int count = side * side * side;
    for (int i = 0; i < count; i++) {
        const carom_shape *shape = &shapes[i % SHAPES];
        b[i] = (carom_scene_body){.solid = {.kind = CAROM_SOLID_SHAPE, .shape = *shape}};
        b[i].def = carom_shape_body(shape, 1);
        b[i].def.position = carom_vec3_scale(1.5, vec(i % side, i / side % side, i / side / side));
        b[i].def.velocity = draw_vec(seed, 2);
        b[i].def.omega = draw_vec(seed, 6);
    }
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 ? -1 : 1;
        carom_vec3 n = vec(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0);
        b[count + k] = half_space(n, k % 2 ? 0.8 - 1.5 * side : -0.8);
    }
    carom_scene scene = scene_of(b, count + 6, "newton", 1, 0);
    scene.gravity = vec(0, 0, -fall);
    carom_sim *sim = sim_of(&scene);
    for (int step = 1; step <= 40; step++) {
        run_until(sim, 0.02 * step, -1);
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count + 6; j++)
                assert_true(carom_sim_distance(sim, i, j) > -1e-13);
    }
    assert_true(carom_sim_impacts(sim) > 2 * count);
    carom_sim_free(sim);
}

static void test_crowds_never_overlap(void **state)
{
    (void)state;
    uint64_t seed = 4037200794235010051u;
    for (int side = 3; side <= 4; side++) { /* compared with each other, and in cells */
        watch_crowd(side, 0, &seed);
        watch_crowd(side, 9.81, &seed);
    }
}

/* No point of a free body is accelerated more than its bound allows. */
static void test_turn_bound(void **state)
{
    (void)state;
    uint64_t seed = 6129484611666145821u;
    for (int k = 0; k < 60; k++) {
        carom_shape shape = {CAROM_SHAPE_BOX, {0.2 + draw(&seed), 0.2 + draw(&seed), k % 3 ? 0.2 + draw(&seed) : 0}};
        shape.size[2] = shape.size[2] > 0 ? shape.size[2] : shape.size[1];
        carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
        b.def = carom_shape_body(&shape, 1);
        b.def.omega = draw_vec(&seed, 5);
        carom_scene scene = scene_of(&b, 1, "newton", 1, 0);
        carom_sim *sim = sim_of(&scene);
        double bound = turn_bound(sim, 0), most = 0;
        for (int step = 1; step <= 400; step++) {
            run_until(sim, 0.01 * step, -1);
            carom_vec3 w = carom_sim_body(sim, 0).omega;
            const spin *s = &frame_of(sim, 0)->turn;
            double t = carom_sim_time(sim), h = 1e-5;
            carom_vec3 rate = carom_vec3_scale(1 / h, carom_vec3_sub(spin_at(s, t + h).w, spin_at(s, t).w));
            most = fmax(most, carom_vec3_dot(w, w) + carom_vec3_length(rate));
        }
        assert_true(most <= bound * (1 + 1e-4));
        assert_true(most >= 0.4 * bound);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis_against_gjk),
        cmocka_unit_test(test_pairs_never_overlap),
        cmocka_unit_test(test_crowds_never_overlap),
        cmocka_unit_test(test_turn_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
