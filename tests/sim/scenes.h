/* Small scenes for the tests of the simulator. */
#ifndef CAROM_TESTS_SIM_SCENES_H
#define CAROM_TESTS_SIM_SCENES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/carom.h"
#include "carom/heap.h"

/* |got - expected| <= tolerance, and no NaN. */
#define assert_near(got, expected, tolerance) check_near((got), (expected), (tolerance), __FILE__, __LINE__)
static inline void check_near(double got, double expected, double tolerance, const char *file, int line)
{
    if (fabs(got - expected) <= tolerance)
        return;
    print_error("%.17g is not %.17g within %.3g, but off by %.3g\n", got, expected, tolerance, got - expected);
    _fail(file, line);
}

/* How many of n draws at random a test makes: sanitizers look at lines, which a third of them reaches. */
static inline int draws(int n)
{
#ifdef __SANITIZE_ADDRESS__
    return (n + 2) / 3;
#else
    return n;
#endif
}

static const carom_memory heap_memory = {carom_heap_resize, NULL};

static inline carom_scene_body ball(double mass, double radius, carom_vec3 position, carom_vec3 velocity)
{
    carom_scene_body b = carom_scene_sphere(mass, radius);
    b.def.position = position;
    b.def.velocity = velocity;
    return b;
}

static inline carom_scene_body half_space(carom_vec3 normal, double offset)
{
    return carom_scene_half_space(normal, offset);
}

static inline carom_scene scene_of(carom_scene_body *bodies, int count, const char *law, double e, double mu)
{
    carom_scene s = carom_scene_default();
    s.bodies = bodies;
    s.body_count = count;
    s.rule = carom_rule_default(carom_law_find(law));
    s.rule.coeffs.e = e;
    s.rule.coeffs.mu = mu;
    return s;
}

static inline carom_sim *sim_of(const carom_scene *scene)
{
    carom_sim *sim;
    carom_sim_error error;
    assert_int_equal(carom_sim_create(scene, &heap_memory, &sim, &error), CAROM_STATUS_OK);
    return sim;
}

static inline carom_sim_stop run_until(carom_sim *sim, double time, long long impacts)
{
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = time;
    until.impacts = impacts;
    until.rest = true;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    return stop;
}

static inline carom_vec3 vec(double x, double y, double z)
{
    return carom_vec3_make(x, y, z);
}

/* The same numbers everywhere, evenly between two. */
static inline double random_between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

/* A body that slides over z = 0 at random; a ball turns about any axis. */
static inline carom_scene_body sliding_body(uint64_t *seed, carom_shape shape)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    double yaw = random_between(seed, -3, 3), way = random_between(seed, -3, 3), v = random_between(seed, 0.5, 2);
    b.def = carom_shape_body(&shape, 1.5);
    b.def.position = vec(random_between(seed, -0.5, 0.5), random_between(seed, -0.5, 0.5), 0.1);
    b.def.orientation = (carom_quat){cos(yaw / 2), 0, 0, sin(yaw / 2)};
    b.def.velocity = vec(v * cos(way), v * sin(way), 0);
    b.def.omega = vec(0, 0, random_between(seed, -2, 2));
    if (shape.kind == CAROM_SHAPE_SPHERE)
        b.def.omega = vec(random_between(seed, -9, 9), random_between(seed, -9, 9), random_between(seed, -9, 9));
    return b;
}

/* By how much the energy of stepped bodies may swing between the ends of a step: N R (w h)^2 / 8 with the weight of all
 * and what presses them as they turn, or the ground below them, twice. docs/theory/motion.md, 6. */
static inline double step_swing(const carom_sim *sim, const carom_scene *scene)
{
    double mass = 0, w = 0, R = 0;
    for (int i = 0; i < scene->body_count; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        bool fixed = scene->bodies[i].def.fixed;
        mass += fixed ? 0 : scene->bodies[i].def.mass;
        if (s.road == CAROM_SIM_ROAD_EXACT && !fixed)
            continue;
        w = fmax(w, carom_vec3_length(s.omega));
        R = fixed ? R : fmax(R, carom_sim_reach(sim, i));
    }
    double N = mass * (carom_vec3_length(scene->gravity) + w * w * R), turn = w * scene->step;
    return 0.25 * N * R * turn * turn;
}

#endif
