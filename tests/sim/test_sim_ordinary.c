/* Ordinary scenes of bodies that slide, roll and tip on each other, against closed forms: exact from their start to
 * their end. */
#include "sim/islands.h"
#include "sim/parts.h"

static void check_exact(const carom_sim *sim, int count)
{
    for (int k = 0; k < count; k++)
        assert_int_equal(carom_sim_body(sim, k).road, CAROM_SIM_ROAD_EXACT);
    check_energy(sim);
}

static carom_scene_body solid(carom_shape_kind kind, double mass, carom_vec3 size, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {kind, {size.x, size.y, size.z}}}};
    b.def = carom_body_def_default();
    b.def.mass = mass;
    assert_int_equal(carom_solid_body(&b.solid, 3, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.position = position;
    return b;
}

/* ---- two blocks with one friction slide down a slope: what the upper one needs of it is all that it has ---- */

static void test_one_friction(void **state)
{
    (void)state;
    dice d = {311};
    for (int n = 0; n < 24; n++) {
        double w = dice_between(&d, 0.3, 0.5), h = dice_between(&d, 0.05, 0.1), low = dice_between(&d, 0.05, 0.1);
        double share = n % 3 ? dice_between(&d, 0.3, 1) : 1, T = 0.4; /* of the width; or corner on corner */
        double angle = dice_between(&d, 0.2, 0.6), mu = dice_between(&d, 0.2, 0.9) * tan(angle);
        carom_scene_body bodies[3] = {
            block(dice_between(&d, 0.5, 3), vec(w, w, low), vec(0, 0, 0.5 * low)),
            block(dice_between(&d, 0.5, 3), vec(share * w, share * w, h), vec(0, 0, low + 0.5 * h)),
            half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0, mu);
        scene.gravity = vec(G * sin(angle), 0, -G * cos(angle));
        carom_sim *sim = sim_of(&scene);
        run_until(sim, T, -1);
        for (int k = 0; k < 2; k++) {
            carom_vec3 x = carom_sim_body(sim, k).position;
            assert_near(x.x, 0.5 * G * (sin(angle) - mu * cos(angle)) * T * T, 1e-12);
            assert_near(x.y, 0, 1e-12);
        }
        check_exact(sim, 2);
        carom_sim_free(sim);
    }
}

/* ---- a round body is set on a plank that is free on ice, slides, and rolls ---- */

static const struct round_shape {
    carom_shape_kind kind;
    double length;
} round_shapes[] = {
    {CAROM_SHAPE_CYLINDER, 0.3}, {CAROM_SHAPE_CAPSULE, 0.3}, {CAROM_SHAPE_DISK, 0}, {CAROM_SHAPE_SPHERE, 0}};
enum { ROUND_SHAPES = sizeof round_shapes / sizeof round_shapes[0] };

static carom_scene_body roller(int k, double mass, double radius, carom_vec3 position)
{
    carom_scene_body b = solid(round_shapes[k].kind, mass, vec(radius, round_shapes[k].length, 0), position);
    b.def.orientation = (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0}; /* its axis along y */
    b.material = 1;
    return b;
}

static double about_axis(const carom_scene_body *b)
{
    return b->def.inertia.zz;
}

/* The slip v ends after v / (mu g (1 + m R^2 / I + m / M)). */
static void test_rolls_on_plank(void **state)
{
    (void)state;
    dice d = {312};
    for (int n = 0; n < 2 * ROUND_SHAPES; n++) {
        double m = dice_between(&d, 0.5, 2), M = dice_between(&d, 1, 3), R = dice_between(&d, 0.05, 0.15);
        double mu = dice_between(&d, 0.1, 0.4), v = dice_between(&d, 0.3, 1.5), T = 0.7;
        carom_scene_body bodies[3] = {roller(n % ROUND_SHAPES, m, R, vec(0, 0, 0.2 + R)),
                                      block(M, vec(5, 0.6, 0.2), vec(0, 0, 0.1)), half_space(vec(0, 0, 1), 0)};
        bodies[0].def.velocity = vec(v, 0, 0);
        frictions f = friction_table(0, mu, 0);
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0, 0);
        scene.gravity = vec(0, 0, -G);
        use(&scene, &f);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, T, -1);
        double ends = v / (mu * G * (1 + m * R * R / about_axis(&bodies[0]) + m / M)), s = fmin(ends, T), a = mu * G;
        assert_near(carom_sim_body(sim, 0).position.x, v * s - 0.5 * a * s * s + (v - a * s) * (T - s), 1e-11);
        assert_near(carom_sim_body(sim, 1).position.x, m / M * a * (0.5 * s * s + s * (T - s)), 1e-11);
        check_exact(sim, 2);
        carom_sim_free(sim);
    }
}

/* ---- it rolls down a wedge that is free on ice: s'' (1 + k - m c^2 / (M + m)) = g sin, k = I / m R^2 ---- */

static void test_rolls_down_wedge(void **state)
{
    (void)state;
    const double angle = 0.4, L = 2, H = L * tan(angle), M = 2.385, m = 1.071, R = 0.1, T = 0.5;
    carom_vec3 points[6] = {vec(0, -0.3, 0), vec(0, 0.3, 0),  vec(L, -0.3, 0),
                            vec(L, 0.3, 0),  vec(0, -0.3, H), vec(0, 0.3, H)};
    carom_vec3 n = vec(sin(angle), 0, cos(angle)), down = vec(cos(angle), 0, -sin(angle));
    for (int k = 0; k < ROUND_SHAPES; k++) {
        carom_scene_body wedge = {.solid = {.kind = CAROM_SOLID_HULL, .points = points, .point_count = 6}};
        wedge.def = carom_body_def_default();
        wedge.def.mass = M;
        assert_int_equal(carom_solid_body(&wedge.solid, 3, 0, &wedge.def, NULL), CAROM_STATUS_OK);
        wedge.def.position = vec(L / 3, 0, H / 3);
        carom_vec3 at =
            carom_vec3_add(vec(0, 0, H), carom_vec3_add(carom_vec3_scale(0.5, down), carom_vec3_scale(R, n)));
        carom_scene_body bodies[3] = {roller(k, m, R, at), wedge, half_space(vec(0, 0, 1), 0)};
        frictions f = friction_table(0, 0.9, 0);
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0, 0);
        scene.gravity = vec(0, 0, -G);
        use(&scene, &f);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, T, -1);
        double c = cos(angle), s = sin(angle);
        double way = 0.5 * T * T * G * s / (1 + about_axis(&bodies[0]) / (m * R * R) - m * c * c / (M + m));
        assert_near(carom_sim_body(sim, 1).position.x - L / 3, -m / (M + m) * c * way, 1e-11);
        assert_near(carom_sim_body(sim, 0).position.z - at.z, -s * way, 1e-11);
        check_exact(sim, 2);
        carom_sim_free(sim);
    }
}

/* ---- a box tips over an edge that it does not slip on: I w' = m g (d cos a + h sin a) about the edge ---- */

/* The angular velocity after a time, by Runge and Kutta's method. */
static double tipping_rate(double k, double d, double h, double time)
{
    enum { STEPS = 4000 };
    double s = time / STEPS, a = 0, w = 0;
    for (int n = 0; n < STEPS; n++) {
        double da[4], dw[4], x = a, y = w;
        for (int i = 0; i < 4; i++) {
            da[i] = y;
            dw[i] = k * (d * cos(x) + h * sin(x));
            x = a + (i < 2 ? 0.5 : 1) * s * da[i];
            y = w + (i < 2 ? 0.5 : 1) * s * dw[i];
        }
        a += s / 6 * (da[0] + 2 * da[1] + 2 * da[2] + da[3]);
        w += s / 6 * (dw[0] + 2 * dw[1] + 2 * dw[2] + dw[3]);
    }
    return w;
}

/* Its middle is d beyond the edge at x = 0 and h above it. */
static void check_tipping(carom_scene_body box, carom_scene_body below, double d, double h, int dim)
{
    const double T = 0.2;
    carom_scene_body bodies[2] = {box, below};
    bodies[1].def.fixed = true;
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 9);
    scene.dim = dim;
    scene.gravity = dim == 2 ? vec(0, -G, 0) : vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    double m = box.def.mass, I = (dim == 2 ? box.def.inertia.zz : box.def.inertia.yy) + m * (d * d + h * h);
    run_until(sim, T, -1);
    carom_vec3 w = carom_sim_body(sim, 0).omega;
    assert_near(dim == 2 ? -w.z : w.y, tipping_rate(m * G / I, d, h, T), 1e-11);
    check_exact(sim, 1);
    carom_sim_free(sim);
}

static void test_tips_over_edge(void **state)
{
    (void)state;
    const double d = 0.03, h = 0.05, diagonal = 0.3 * sqrt(0.5), eighth = 0.5 * atan(1);
    for (int k = 0; k < 3; k++) { /* a table that is wider than the box, as wide, and narrower */
        double wide = k == 0 ? 1 : k == 1 ? 0.2 : 0.07;
        check_tipping(block(1.3, vec(0.4, 0.2, 2 * h), vec(d, 0, h)), block(1, vec(1, wide, 0.1), vec(-0.5, 0, -0.05)),
                      d, h, 3);
    }
    check_tipping(slab(1.3, 0.4, 2 * h, vec(d, h, 0)), slab(1, 1, 0.1, vec(-0.5, -0.05, 0)), d, h, 2);
    for (int k = 0; k < 2; k++) { /* a plank on an edge */
        carom_scene_body edge = block(1, vec(0.3, k ? 0.08 : 0.5, 0.3), vec(0, 0, -diagonal));
        edge.def.orientation = (carom_quat){cos(eighth), 0, sin(eighth), 0};
        check_tipping(block(1.3, vec(0.8, 0.2, 2 * h), vec(d, 0, h)), edge, d, h, 3);
    }
    carom_scene_body above = block(1.3, vec(0.5, 0.3, 0.3), vec(d, 0, diagonal)),
                     below = block(1, vec(0.3, 0.5, 0.3), vec(0, 0, -diagonal)); /* an edge across an edge */
    above.def.orientation = (carom_quat){cos(eighth), sin(eighth), 0, 0};
    below.def.orientation = (carom_quat){cos(eighth), 0, sin(eighth), 0};
    check_tipping(above, below, d, diagonal, 3);
}

/* ---- a box slides over the edge of a table: it tips when the load has come to the edge, mu h before its middle ----
 */

static bool note_leave(void *context, const carom_sim_event *event)
{
    double *last = context;
    if (event->kind == CAROM_SIM_EVENT_LEAVE && event->time > last[0])
        last[1] = last[0], last[0] = event->time;
    return true;
}

static void test_slides_off_table(void **state)
{
    (void)state;
    const double v = 1.5, mu = 0.1, L = 0.4, h = 0.05, way[2] = {0.5 - 0.5 * L - 0.2, 0.3 - mu * h};
    carom_scene_body bodies[2] = {block(1.3, vec(L, 0.2, 2 * h), vec(0.2, 0, h)),
                                  block(1, vec(1, 1, 0.1), vec(0, 0, -0.05))};
    bodies[0].def.velocity = vec(v, 0, 0);
    bodies[1].def.fixed = true;
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.3, mu);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    double leaves[2] = {0, 0};
    const carom_sim_observer observer = {.after = note_leave, .context = leaves};
    carom_sim_observe(sim, &observer);
    run_until(sim, 0.3, -1); /* the front corners leave, then the back ones */
    for (int k = 0; k < 2; k++)
        assert_near(leaves[1 - k], (v - sqrt(v * v - 2 * mu * G * way[k])) / (mu * G), 1e-10);
    run_until(sim, 1, -1);
    assert_int_equal(carom_sim_impacts(sim), 0);
    check_exact(sim, 1);
    carom_sim_free(sim);
}

/* ---- a ball falls between three planes: it bounces on all of them at once, as on one ---- */

static void test_three_planes(void **state)
{
    (void)state;
    const double lean = 0.7, R = 0.1, height = 0.3, third = 8.0 / 3 * atan(1);
    for (int k = 0; k < 3; k++) {
        double e = 0.3 + 0.25 * k, rests = sqrt(2 * height / G) * (1 + e) / (1 - e);
        carom_scene_body bodies[4] = {ball(1, R, vec(0, 0, R / cos(lean) + height), vec(0, 0, 0))};
        for (int n = 0; n < 3; n++)
            bodies[1 + n] = half_space(vec(sin(lean) * cos(third * n), sin(lean) * sin(third * n), cos(lean)), 0);
        carom_scene scene = scene_of(bodies, 4, "routh-stronge", e, 0.3);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        assert_int_equal(run_until(sim, 2 * rests, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), rests, 2e-9);
        assert_near(carom_sim_body(sim, 0).position.z, R / cos(lean), 1e-12);
        check_exact(sim, 1);
        carom_sim_free(sim);
    }
}

/* ---- a ball falls into a narrow groove, where friction wedges it: it stops bouncing, and no energy is made ---- */

static void test_narrow_groove(void **state)
{
    (void)state;
    dice d = {313};
    for (int n = 0; n < draws(60); n++) {
        double R = dice_between(&d, 0.05, 0.2), mu = n % 5 ? dice_between(&d, 0.3, 1.5) : 1000, least = INFINITY;
        carom_scene_body bodies[3] = {
            ball(dice_between(&d, 0.3, 2), R, vec(dice_between(&d, -0.02, 0.02), 0, 0.9), dice_vec(&d, 0.5))};
        bodies[0].def.omega = dice_vec(&d, 10);
        for (int k = 0; k < 2; k++) {
            double lean = dice_between(&d, 0.9, 1.3);
            bodies[1 + k] = half_space(vec(k ? -sin(lean) : sin(lean), 0, cos(lean)), 0);
        }
        carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.15 * (n % 6), mu);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        double scale = bodies[0].def.mass * (G + 1);
        for (int k = 1; k <= 100; k++) {
            run_until(sim, 0.02 * k, -1);
            carom_sim_ledger l = carom_sim_energy(sim);
            assert_near(l.residual, 0, 1e-12 * scale);
            assert_true(l.after <= least + 1e-12 * scale && l.normal <= 1e-12 * scale && l.normal > -10 * scale);
            least = l.after;
        }
        carom_sim_free(sim);
    }
}

/* ---- nearly elastic bounces to their end: t (1 + e) / (1 - e), to the resting time and a rounding per bounce ---- */

static void test_lively(void **state)
{
    (void)state;
    const double e = 0.999, R = 0.1;
    const struct {
        double height, tolerance;
        bool box;
    } cases[] = {{1e-3, 2e-9, false}, {1, 2e-8, false}, {1e-3, 2e-9, true}, {1, 1e-7, true}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_vec3 at = vec(0, 0, R + cases[k].height);
        carom_scene_body bodies[2] = {cases[k].box ? block(1, vec(2 * R, 3 * R, 2 * R), at)
                                                   : ball(1, R, at, vec(0, 0, 0)),
                                      half_space(vec(0, 0, 1), 0)};
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", e, 0.3);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        double rests = sqrt(2 * cases[k].height / G) * (1 + e) / (1 - e);
        assert_int_equal(run_until(sim, 2 * rests, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), rests, cases[k].tolerance);
        check_exact(sim, 1);
        carom_sim_free(sim);
    }
}

/* ---- five to eight boxes of one width upon each other, each shifted along an edge, stand where they are: by steps,
 * whose contacts lie on borders of faces but for rounding ---- */

static void test_shifted_stacks(void **state)
{
    (void)state;
    dice d = {91};
    for (int trial = 0; trial < draws(120); trial++) {
        const int count = trial % 2 ? 5 : 5 + trial % 4;
        carom_scene_body bodies[9];
        for (int k = 0; k < count; k++) {
            double shift = trial % 3 ? dice_between(&d, -0.004, 0.004) : 1e-4 * trial * (k % 2);
            bodies[k] = block(0.3, vec(0.1, 0.1, 0.05), vec(shift, 0, 0.025 + 0.05 * k));
        }
        bodies[count] = half_space(vec(0, 0, 1), 0);
        carom_scene scene = scene_of(bodies, count + 1, "routh-stronge", 0, 0.5);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.02, -1);
        for (int k = 0; k < count; k++)
            assert_true(vec_distance(carom_sim_body(sim, k).position, bodies[k].def.position) < 1e-6);
        carom_sim_ledger e = carom_sim_energy(sim);
        assert_true(e.after <= (1 + 1e-11) * e.before && fabs(e.residual) <= 1e-12 * e.before);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_friction),     cmocka_unit_test(test_rolls_on_plank),
        cmocka_unit_test(test_rolls_down_wedge), cmocka_unit_test(test_three_planes),
        cmocka_unit_test(test_narrow_groove),    cmocka_unit_test(test_lively),
        cmocka_unit_test(test_tips_over_edge),   cmocka_unit_test(test_slides_off_table),
        cmocka_unit_test(test_shifted_stacks),
    };
    return cmocka_run_group_tests_name("sim_ordinary", tests, NULL, NULL);
}
