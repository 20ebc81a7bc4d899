/* Mirror images: x becomes -x, and every bit of the answer follows. Pairs of all shapes, thrown at each other at
 * random, in space and in the plane. */
#include <stdint.h>

#include "sim/scenes.h"

enum { SHAPES = 9, FLAT_SHAPES = 3, THROWS = 8, IMPACTS = 3 };

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static double draw_signed(uint64_t *seed)
{
    return 2 * draw(seed) - 1;
}

static const carom_vec3 corners[5] = {
    {0.1, -0.1, 0}, {0.15, 0.12, 0.03}, {-0.13, 0.08, 0.1}, {0, 0.02, -0.2}, {0, 0.2, 0}};

static const carom_shape shapes[SHAPES - 1] = {
    {CAROM_SHAPE_SPHERE, {0.1, 0, 0}},     {CAROM_SHAPE_BOX, {0.3, 0.2, 0.25}},
    {CAROM_SHAPE_CYLINDER, {0.1, 0.3, 0}}, {CAROM_SHAPE_CAPSULE, {0.1, 0.3, 0}},
    {CAROM_SHAPE_CONE, {0.1, 0.3, 0}},     {CAROM_SHAPE_ELLIPSOID, {0.1, 0.15, 0.2}},
    {CAROM_SHAPE_DISK, {0.15, 0, 0}},      {CAROM_SHAPE_ROD, {0.4, 0, 0}},
};

static const carom_shape flat_shapes[FLAT_SHAPES] = {
    {CAROM_SHAPE_DISK, {0.1, 0, 0}}, {CAROM_SHAPE_BOX, {0.3, 0.2, 1}}, {CAROM_SHAPE_ROD, {0.4, 0, 0}}};

static carom_solid solid_of(int kind, int dim, const carom_vec3 *points)
{
    if (dim == 2)
        return (carom_solid){.kind = CAROM_SOLID_SHAPE, .shape = flat_shapes[kind]};
    if (kind == SHAPES - 1)
        return (carom_solid){.kind = CAROM_SOLID_HULL, .points = points, .point_count = 5};
    return (carom_solid){.kind = CAROM_SOLID_SHAPE, .shape = shapes[kind]};
}

static carom_quat turn_of(int dim, uint64_t *seed)
{
    double w = draw_signed(seed), x = draw_signed(seed), y = draw_signed(seed), z = draw_signed(seed);
    if (dim == 2)
        x = y = 0;
    double length = sqrt(w * w + x * x + y * y + z * z);
    return (carom_quat){w / length, x / length, y / length, z / length};
}

static carom_scene_body thrown(int kind, int dim, double side, uint64_t *seed)
{
    carom_scene_body b = {.solid = solid_of(kind, dim, corners)};
    bool flat = dim == 2;
    b.def = carom_body_def_default();
    b.def.mass = 1.3;
    assert_int_equal(carom_solid_body(&b.solid, dim, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.position = vec(side * (1 + 0.3 * draw(seed)), 0.1 * draw_signed(seed), flat ? 0 : 0.1 * draw_signed(seed));
    b.def.velocity = vec(-2 * side, 0.3 * draw_signed(seed), flat ? 0 : 0.3 * draw_signed(seed));
    b.def.orientation = turn_of(dim, seed);
    b.def.omega = vec(3 * draw_signed(seed), 3 * draw_signed(seed), 3 * draw_signed(seed));
    if (flat)
        b.def.omega.x = b.def.omega.y = 0;
    return b;
}

/* Places change their first entry, turns the other two. */
static carom_scene_body mirrored(carom_scene_body b, const carom_vec3 *points)
{
    b.def.position.x = -b.def.position.x;
    b.def.velocity.x = -b.def.velocity.x;
    b.def.omega.y = -b.def.omega.y;
    b.def.omega.z = -b.def.omega.z;
    b.def.orientation.y = -b.def.orientation.y;
    b.def.orientation.z = -b.def.orientation.z;
    if (b.solid.kind == CAROM_SOLID_HULL) {
        b.solid.points = points;
        assert_int_equal(carom_solid_body(&b.solid, 3, 0, &b.def, NULL), CAROM_STATUS_OK);
    }
    return b;
}

static long long run_pair(const carom_scene_body *pair, int dim, carom_sim_state end[2], double *time)
{
    carom_scene_body bodies[2] = {pair[0], pair[1]};
    carom_scene scene = scene_of(bodies, 2, "routh-poisson", 0.6, 0.3);
    scene.dim = dim;
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 2, IMPACTS);
    long long impacts = carom_sim_impacts(sim);
    *time = carom_sim_time(sim);
    end[0] = carom_sim_body(sim, 0);
    end[1] = carom_sim_body(sim, 1);
    carom_sim_free(sim);
    return impacts;
}

static bool are_mirrored(const carom_sim_state *s, const carom_sim_state *m)
{
    return s->position.x == -m->position.x && s->position.y == m->position.y && s->position.z == m->position.z &&
           s->velocity.x == -m->velocity.x && s->velocity.y == m->velocity.y && s->velocity.z == m->velocity.z &&
           s->omega.x == m->omega.x && s->omega.y == -m->omega.y && s->omega.z == -m->omega.z &&
           s->orientation.w == m->orientation.w && s->orientation.x == m->orientation.x &&
           s->orientation.y == -m->orientation.y && s->orientation.z == -m->orientation.z;
}

static long long throw_pair(int i, int j, int dim, uint64_t *seed)
{
    static carom_vec3 other_corners[5];
    carom_sim_state end[2], image[2];
    double time, image_time;
    for (int k = 0; k < 5; k++)
        other_corners[k] = vec(-corners[k].x, corners[k].y, corners[k].z);
    carom_scene_body pair[2] = {thrown(i, dim, 1, seed), thrown(j, dim, -1, seed)};
    carom_scene_body images[2] = {mirrored(pair[0], other_corners), mirrored(pair[1], other_corners)};
    long long impacts = run_pair(pair, dim, end, &time);
    assert_int_equal(run_pair(images, dim, image, &image_time), impacts);
    if (time != image_time || !are_mirrored(&end[0], &image[0]) || !are_mirrored(&end[1], &image[1]))
        fail_msg("shapes %d and %d, dimension %d: %.17g s, mirrored %.17g s", i, j, dim, time, image_time);
    return impacts;
}

static void test_in_space(void **state)
{
    (void)state;
    uint64_t seed = 20260601;
    long long impacts = 0;
    for (int i = 0; i < SHAPES; i++)
        for (int j = i; j < SHAPES; j++)
            for (int k = 0; k < THROWS; k++)
                impacts += throw_pair(i, j, 3, &seed);
    assert_true(impacts > 300);
}

static void test_in_the_plane(void **state)
{
    (void)state;
    uint64_t seed = 77;
    long long impacts = 0;
    for (int i = 0; i < FLAT_SHAPES; i++)
        for (int j = i; j < FLAT_SHAPES; j++)
            for (int k = 0; k < 4 * THROWS; k++)
                impacts += throw_pair(i, j, 2, &seed);
    assert_true(impacts > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_space),
        cmocka_unit_test(test_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
