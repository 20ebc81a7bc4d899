/* Scenes whose simultaneous impacts are solved by `compliant`, read from the files that are shipped. The numbers are
 * those of extended-precision programs: the law's landmarks, and the massé stroke with the slide that follows. */
#include <stdio.h>

#include "carom/scene_file.h"
#include "sim/scenes.h"

#define SAME_STROKE 1e-12 /* of the largest velocity: K is assembled from bodies */

enum { TEXT_MOST = 1 << 14 };

static void read_scene(const char *name, carom_scene_file *file)
{
    static char text[TEXT_MOST];
    char path[512];
    snprintf(path, sizeof path, "%s/../../scenes/%s.json", CAROM_VECTORS, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t length = fread(text, 1, sizeof text, in);
    assert_true(length < sizeof text && fclose(in) == 0);
    carom_text whole = {name, 1, text, length};
    carom_case_error error;
    assert_true(carom_scene_read(&whole, file, &error));
}

static void assert_vec(carom_vec3 got, carom_vec3 expected, double tolerance)
{
    assert_near(got.x, expected.x, tolerance);
    assert_near(got.y, expected.y, tolerance);
    assert_near(got.z, expected.z, tolerance);
}

/* Five masses, four equal springs, e = 1. */
static void test_cradle(void **state)
{
    (void)state;
    static const double v[5] = {-0.13227948470970768, -0.07532916980256640, -0.03101082901402906, 0.2962177501414387,
                                0.9424017333848644};
    carom_scene_file file;
    read_scene("cradle-springs", &file);
    carom_sim *sim = sim_of(&file.scene);
    (void)run_until(sim, 0.3, -1);
    for (int i = 0; i < 5; i++)
        assert_near(carom_sim_body(sim, i).velocity.x, v[i], 1e-14);
    carom_sim_free(sim);
    carom_scene_free(&file);
}

static void test_two_feet(void **state)
{
    (void)state;
    carom_scene_file file;
    read_scene("two-feet-springs", &file);
    carom_sim *sim = sim_of(&file.scene);
    (void)run_until(sim, 1, 1);
    carom_sim_state box = carom_sim_body(sim, 0);
    assert_near(box.velocity.x, 0.5327397451101304, 1e-12);
    assert_near(box.velocity.y, 0.5575341829662319, 1e-12);
    assert_near(box.omega.z, 0.15625813326990232, 1e-12);
    carom_sim_free(sim);
    carom_scene_free(&file);
}

/* The stroke; then the ball slides on a parabola and rolls from T on. Its hop of 6 ms leaves the velocity of rolling as
 * it is. */
static void test_masse_stroke(void **state)
{
    (void)state;
    carom_scene_file file;
    read_scene("masse-stroke", &file);
    carom_sim *sim = sim_of(&file.scene);
    (void)run_until(sim, 1, 1);
    carom_sim_state ball = carom_sim_body(sim, 0);
    assert_vec(ball.velocity, vec(3.0797073241963373, -0.47852366810632, 0.030393280663736286), 4 * SAME_STROKE);
    assert_vec(ball.omega, vec(-130.86974098736607, -98.76451655243115, -73.74331914350645), 200 * SAME_STROKE);
    (void)run_until(sim, 1.2, -1);
    ball = carom_sim_body(sim, 0);
    assert_vec(ball.velocity, vec(1.3934492142871782, 0.7266553366994816, 0), 4 * SAME_STROKE);
    carom_sim_free(sim);
    carom_scene_free(&file);
}

/* The same slide without the hop, against its closed form. */
static void test_slide_after_stroke(void **state)
{
    (void)state;
    const double R = 0.028575, T = 1.0564020454987593;
    carom_scene_body bodies[] = {carom_scene_sphere(0.17, R), half_space(vec(0, 0, 1), 0)};
    bodies[0].def.position = vec(0, 0, R);
    bodies[0].def.velocity = vec(3.0797073241963373, -0.47852366810632, 0);
    bodies[0].def.omega = vec(-130.86974098736607, -98.76451655243115, -73.74331914350645);
    carom_scene scene = scene_of(bodies, 2, "jia", 0.5, 0.2);
    scene.gravity = vec(0, 0, -9.81);
    carom_sim *sim = sim_of(&scene);
    (void)run_until(sim, 0.5, -1);
    assert_vec(carom_sim_body(sim, 0).position, vec(1.3403252111293633, -0.09665762740416584, R), 1e-12);
    (void)run_until(sim, T, -1);
    assert_vec(carom_sim_body(sim, 0).position, vec(2.3627258585450672, 0.13106340112741802, R), 1e-12);
    assert_vec(carom_sim_body(sim, 0).velocity, vec(1.3934492142871782, 0.7266553366994816, 0), 1e-12);
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_two_feet),
        cmocka_unit_test(test_masse_stroke),
        cmocka_unit_test(test_slide_after_stroke),
    };
    return cmocka_run_group_tests_name("springs in scenes", tests, NULL, NULL);
}
