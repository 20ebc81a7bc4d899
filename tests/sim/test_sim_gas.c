/* Gases of hard spheres in a periodic box, rho sigma^3 = 0.5: mean free time, and cooling with e = 0.9 (Haff). */
#include <stdint.h>

#include "sim/scenes.h"

enum { SIDE = 9, COUNT = 4 * SIDE * SIDE * SIDE };

static double normal_draw(uint64_t *seed)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        sum += (double)(*seed >> 11) * 0x1p-53;
    }
    return sum;
}

/* A face-centred lattice with velocities of temperature one and no momentum. */
static carom_scene_body *make_gas(double length)
{
    static const double at[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    carom_scene_body *b = malloc(COUNT * sizeof *b);
    uint64_t seed = 88172645463325252u;
    double cell = length / SIDE, T = 0;
    carom_vec3 mean = {0, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        const double *f = at[i % 4];
        int x = i / 4 % SIDE, y = i / 4 / SIDE % SIDE, z = i / 4 / SIDE / SIDE;
        double v[3];
        for (int k = 0; k < 3; k++)
            v[k] = normal_draw(&seed);
        b[i] = ball(1, 0.5, vec((x + f[0] + 0.2) * cell, (y + f[1] + 0.2) * cell, (z + f[2] + 0.2) * cell),
                    vec(v[0], v[1], v[2]));
        mean = carom_vec3_add(mean, carom_vec3_scale(1.0 / COUNT, b[i].def.velocity));
    }
    for (int i = 0; i < COUNT; i++) {
        b[i].def.velocity = carom_vec3_sub(b[i].def.velocity, mean);
        T += carom_vec3_dot(b[i].def.velocity, b[i].def.velocity) / (3.0 * COUNT);
    }
    for (int i = 0; i < COUNT; i++)
        b[i].def.velocity = carom_vec3_scale(1 / sqrt(T), b[i].def.velocity);
    return b;
}

static void test_gas(void **state)
{
    (void)state;
    double length = cbrt(COUNT / 0.5);
    carom_scene_body *b = make_gas(length);
    carom_scene scene = scene_of(b, COUNT, "newton", 1, 0);
    scene.period = vec(length, length, length);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, INFINITY, 8LL * COUNT);
    double start = carom_sim_time(sim);
    run_until(sim, INFINITY, 18LL * COUNT);
    double per_particle = 2 * 10;
    assert_near((carom_sim_time(sim) - start) / per_particle, 0.13031, 0.01 * 0.13031);
    assert_near(carom_sim_energy(sim).after / carom_sim_energy(sim).before, 1, 1e-12);
    for (int i = 0; i < COUNT; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        b[i].def.position = s.position;
        b[i].def.velocity = s.velocity;
    }
    carom_sim_free(sim);
    scene.rule.coeffs.e = 0.9;
    sim = sim_of(&scene);
    run_until(sim, INFINITY, 2LL * COUNT); /* four collisions per particle */
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(log(l.after / l.before) / 4, -0.0633, 0.03 * 0.0633);
    assert_near(l.residual, 0, 1e-9 * l.before);
    carom_sim_free(sim);
    free(b);
}

/* 3 x 3 x 3 balls of different sizes in a period of three cells, where a ball meets several images of another one. */
enum { FEW_SIDE = 3, FEW = FEW_SIDE * FEW_SIDE * FEW_SIDE };
static const double few_period = 4.05;
#define GAP_TOL 1e-10 /* rounding of the square of the longest flight, about 600, against a radius */

static carom_scene few_balls(carom_scene_body *b, double period)
{
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < FEW; i++) {
        double cell = few_period / FEW_SIDE, radius = 0.4 + 0.01 * (i % 11), v[3];
        for (int k = 0; k < 3; k++)
            v[k] = normal_draw(&seed);
        b[i] = ball(1 + 0.1 * (i % 3), radius,
                    vec((i % 3 + 0.5) * cell, (i / 3 % 3 + 0.5) * cell, (i / 9 + 0.5) * cell), vec(v[0], v[1], v[2]));
    }
    carom_scene scene = scene_of(b, FEW, "newton", 1, 0);
    scene.period = vec(period, period, period);
    return scene;
}

static double closest_gap(const carom_sim *sim, const carom_scene *scene)
{
    double closest = INFINITY, L = scene->period.x;
    for (int i = 0; i < scene->body_count; i++)
        for (int j = 0; j < i; j++) {
            carom_vec3 d = carom_vec3_sub(carom_sim_body(sim, i).position, carom_sim_body(sim, j).position);
            double gap = carom_vec3_length(vec(remainder(d.x, L), remainder(d.y, L), remainder(d.z, L))) -
                         scene->bodies[i].solid.shape.size[0] - scene->bodies[j].solid.shape.size[0];
            closest = gap < closest ? gap : closest;
        }
    return closest;
}

/* No image is passed through, in a narrow period or in one that a ball crosses several times between two impacts. */
static void test_images(void **state)
{
    (void)state;
    carom_scene_body b[FEW];
    for (int k = 0; k < 2; k++) {
        carom_scene scene = few_balls(b, k == 0 ? few_period : 5 * few_period);
        carom_sim *sim = sim_of(&scene);
        for (int n = 1; n <= 200; n++) {
            run_until(sim, INFINITY, 10LL * n);
            assert_true(closest_gap(sim, &scene) > -GAP_TOL);
        }
        assert_near(carom_sim_energy(sim).after / carom_sim_energy(sim).before, 1, 1e-12);
        carom_sim_free(sim);
    }
}

/* What an observer is told of an impact, and what it can ask then. */
typedef struct told {
    const carom_sim *sim;
    carom_sim_contact contact;
    carom_outcome outcome;
    carom_sim_state after[2];
    double time;
    int seen;
} told;

static bool keep(void *context, const carom_sim_event *event)
{
    told *x = context;
    assert_int_equal(event->count, 1);
    x->contact = event->contacts[0];
    x->outcome = *event->outcome;
    x->after[0] = carom_sim_body(x->sim, x->contact.a);
    x->after[1] = carom_sim_body(x->sim, x->contact.b);
    x->time = event->time;
    x->seen++;
    return true;
}

static bool just_look(void *context, carom_sim_event *event)
{
    (void)context;
    return event != NULL;
}

#define SAME_BYTES(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void assert_same_state(const carom_sim_state *one, const carom_sim_state *two)
{
    SAME_BYTES(one->position, two->position);
    SAME_BYTES(one->velocity, two->velocity);
    SAME_BYTES(one->omega, two->omega);
    SAME_BYTES(one->orientation, two->orientation);
}

static void assert_same_told(const told *one, const told *two)
{
    SAME_BYTES(one->time, two->time);
    SAME_BYTES(one->contact, two->contact);
    SAME_BYTES(one->outcome.status, two->outcome.status);
    SAME_BYTES(one->outcome.p, two->outcome.p);
    SAME_BYTES(one->outcome.u_after, two->outcome.u_after);
    SAME_BYTES(one->outcome.energy, two->outcome.energy);
    for (int k = 0; k < 2; k++)
        assert_same_state(&one->after[k], &two->after[k]);
}

/* Impacts of spheres take a shorter road, unless somebody may veto them: nobody, an observer and one who may veto see
 * the same bytes, event for event. */
static void test_watched(void **state)
{
    (void)state;
    double length = cbrt(COUNT / 0.5);
    carom_scene_body *b = make_gas(length);
    for (int k = 0; k < 2; k++) {
        carom_scene scene = scene_of(b, COUNT, "chatterjee-momentum", 0.9, 0.3);
        scene.period = vec(length, length, length);
        scene.gravity = vec(0, 0, k == 0 ? 0 : -1);
        scene.rule.coeffs.e_of_speed = (carom_of_speed){CAROM_SPEED_VISCOELASTIC, 0.1, 1, 0, 10};
        carom_sim *alone = sim_of(&scene), *watched = sim_of(&scene), *general = sim_of(&scene);
        told one = {.sim = watched}, two = {.sim = general};
        const carom_sim_observer look = {.after = keep, .context = &one};
        const carom_sim_observer veto = {just_look, keep, &two};
        carom_sim_observe(watched, &look);
        carom_sim_observe(general, &veto);
        for (int n = 1; n <= 3 * COUNT; n++) {
            run_until(watched, INFINITY, n);
            run_until(general, INFINITY, n);
            assert_true(one.seen == n && two.seen == n);
            assert_same_told(&one, &two);
        }
        run_until(alone, INFINITY, 3LL * COUNT);
        for (int i = 0; i < COUNT; i++) {
            carom_sim_state x = carom_sim_body(alone, i), y = carom_sim_body(watched, i),
                            z = carom_sim_body(general, i);
            assert_same_state(&x, &y);
            assert_same_state(&x, &z);
        }
        assert_near(carom_sim_energy(alone).friction, carom_sim_energy(watched).friction, 0);
        assert_near(carom_sim_energy(alone).friction, carom_sim_energy(general).friction, 0);
        carom_sim_free(alone);
        carom_sim_free(watched);
        carom_sim_free(general);
    }
    free(b);
}

/* e = 1 without friction in a box of six walls: after a million impacts all of the energy and every ball is there. */
static void test_a_million_impacts(void **state)
{
    (void)state;
    enum { ROW = 5, BALLS = ROW * ROW * ROW };
    carom_scene_body b[BALLS + 6];
    uint64_t seed = 88172645463325252u;
    double spacing = 1.37, size = ROW * spacing;
    for (int i = 0; i < BALLS; i++) {
        double v[3] = {normal_draw(&seed), normal_draw(&seed), normal_draw(&seed)};
        b[i] = ball(1 + 0.37 * (i % 3), 0.5,
                    vec((i % ROW + 0.5) * spacing, (i / ROW % ROW + 0.5) * spacing, (i / ROW / ROW + 0.5) * spacing),
                    vec(v[0], v[1], v[2]));
    }
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 ? -1 : 1;
        b[BALLS + k] =
            half_space(vec(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0), k % 2 ? -size : 0);
    }
    carom_scene scene = scene_of(b, BALLS + 6, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(run_until(sim, INFINITY, 1000000), CAROM_SIM_STOP_IMPACTS);
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.after / l.before, 1, 1e-10);
    for (int i = 0; i < BALLS; i++) {
        carom_vec3 x = carom_sim_body(sim, i).position;
        assert_true(fmin(x.x, fmin(x.y, x.z)) >= 0.5 - 1e-9 && fmax(x.x, fmax(x.y, x.z)) <= size - 0.5 + 1e-9);
    }
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gas), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_watched), cmocka_unit_test(test_a_million_impacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
