/* Bodies that rest on each other, against closed forms: docs/theory/motion.md, 5. */
#include "sim/islands.h"

/* ---- two blocks on a slope ---- */

static carom_quat about_y(double angle)
{
    return (carom_quat){cos(angle / 2), 0, sin(angle / 2), 0};
}

typedef struct slope_case {
    double mu_floor, mu_between; /* of the tangent of the slope */
    double lower, upper;         /* masses */
} slope_case;

/* Accelerations down the slope. While the upper block slides, it pulls the lower one by its friction; the lower one
 * carries both. */
static void slope_accelerations(const slope_case *x, double angle, double *lower, double *upper)
{
    double down = G * sin(angle), load = G * cos(angle), t = tan(angle), m = x->upper, M = x->lower;
    double together = down - x->mu_floor * t * load;
    *lower = *upper = together > 0 ? together : 0;
    if (*upper >= down - x->mu_between * t * load)
        return;
    *upper = down - x->mu_between * t * load;
    double a = down + (m * x->mu_between * t * load - (M + m) * x->mu_floor * t * load) / M;
    *lower = a > 0 ? a : 0;
}

static void slide_down(const slope_case *x)
{
    const double angle = 0.3, time = 0.7;
    carom_vec3 n = vec(sin(angle), 0, cos(angle)), d = vec(cos(angle), 0, -sin(angle));
    carom_scene_body bodies[3] = {block(x->lower, vec(3, 0.4, 0.1), carom_vec3_scale(0.05, n)),
                                  block(x->upper, vec(0.3, 0.25, 0.12), carom_vec3_scale(0.16, n)), half_space(n, 0)};
    bodies[0].def.orientation = bodies[1].def.orientation = about_y(angle);
    bodies[1].material = 1;
    frictions f = friction_table(x->mu_floor * tan(angle), x->mu_between * tan(angle), 0);
    carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0.3, 0);
    scene.gravity = vec(0, 0, -G);
    use(&scene, &f);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, time, -1);
    double a[2];
    slope_accelerations(x, angle, &a[0], &a[1]);
    for (int k = 0; k < 2; k++) {
        carom_vec3 moved = carom_vec3_sub(carom_sim_body(sim, k).position, bodies[k].def.position);
        assert_near(carom_vec3_dot(moved, d), 0.5 * a[k] * time * time, 1e-12);
        assert_near(carom_vec3_dot(moved, n), 0, 1e-12);
    }
    assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-12);
    assert_int_equal(carom_sim_touch_count(sim), 8);
    check_energy(sim);
    carom_sim_free(sim);
}

static void test_blocks_on_slope(void **state)
{
    (void)state;
    const slope_case cases[] = {{0.8, 2, 2.385, 1.071},   /* together */
                                {0.7, 0.4, 2.385, 1.071}, /* the upper one is faster */
                                {1.5, 0.4, 2.385, 1.071}, /* the lower one stays */
                                {1.3, 1.2, 2.385, 1.071}, /* both stay */
                                {0.2, 0.5, 1.071, 7.385}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        slide_down(&cases[k]);
}

/* ---- a block on a plate that slides without friction ---- */

/* The block brakes on the plate until both have the speed m v / (m + M), after v / (mu g (1 + m / M)), on a way of
 * v^2 / (2 mu g (1 + m / M)) over the plate; then they go on together. */
static void brake_on_plate(bool in_plane)
{
    const double m = 1.071, M = 2.385, v = 1.3, mu = 0.41, pull = mu * G * (1 + m / M);
    carom_scene_body bodies[3];
    if (in_plane) {
        bodies[0] = slab(M, 2, 0.1, vec(0, 0.05, 0));
        bodies[1] = slab(m, 0.2, 0.3, vec(-0.3, 0.25, 0));
        bodies[2] = half_space(vec(0, 1, 0), 0);
    } else {
        bodies[0] = block(M, vec(2, 1, 0.1), vec(0, 0, 0.05));
        bodies[1] = block(m, vec(0.2, 0.3, 0.3), vec(-0.3, 0, 0.25));
        bodies[2] = half_space(vec(0, 0, 1), 0);
    }
    bodies[1].material = 1;
    bodies[1].def.velocity = vec(v, 0, 0);
    frictions f = friction_table(0, mu, 0);
    carom_scene scene = in_plane ? planar(bodies, 3, 0) : scene_of(bodies, 3, "routh-stronge", 0, 0);
    scene.gravity = in_plane ? vec(0, -G, 0) : vec(0, 0, -G);
    use(&scene, &f);
    carom_sim *sim = sim_of(&scene);
    double until = v / pull, common = m * v / (m + M), way = v * v / (2 * pull);
    run_until(sim, 0.5 * until, -1);
    assert_near(carom_sim_body(sim, 1).velocity.x, v - mu * G * 0.5 * until, 1e-12);
    assert_near(carom_sim_body(sim, 0).velocity.x, mu * G * m / M * 0.5 * until, 1e-12);
    run_until(sim, 1.5 * until, -1);
    for (int k = 0; k < 2; k++)
        assert_near(carom_sim_body(sim, k).velocity.x, common, 1e-11);
    assert_near(carom_sim_body(sim, 1).position.x - carom_sim_body(sim, 0).position.x, -0.3 + way, 1e-11);
    assert_near(carom_sim_energy(sim).momentum.x, m * v, 1e-12);
    assert_near(carom_sim_energy(sim).sliding, -0.5 * m * M / (m + M) * v * v, 1e-11);
    check_energy(sim);
    carom_sim_free(sim);
}

static void test_brakes_on_plate(void **state)
{
    (void)state;
    brake_on_plate(true);
    brake_on_plate(false);
}

/* A ball without spin is set on a plate that is free to slide. With mass m and radius r it begins to roll when
 * v + r w = V: friction F = mu m g takes F/m of its speed, gives F/M to the plate and 5 F / (2 m r) of spin. */
static void test_ball_on_plate(void **state)
{
    (void)state;
    const double m = 0.385, M = 1.71, r = 0.11, v = 1.9, mu = 0.23;
    carom_scene_body bodies[3] = {block(M, vec(3, 1, 0.1), vec(0, 0, 0.05)),
                                  ball(m, r, vec(-1, 0, 0.1 + r), vec(v, 0, 0)), half_space(vec(0, 0, 1), 0)};
    bodies[1].material = 1;
    frictions f = friction_table(0, mu, 0);
    carom_scene scene = scene_of(bodies, 3, "routh-stronge", 0, 0);
    scene.gravity = vec(0, 0, -G);
    use(&scene, &f);
    carom_sim *sim = sim_of(&scene);
    double until = v / (mu * G * (3.5 + m / M)), p = mu * G * until; /* p: impulse of friction over m */
    run_until(sim, 1.7 * until, -1);
    carom_sim_state plate = carom_sim_body(sim, 0), rolling = carom_sim_body(sim, 1);
    assert_near(rolling.velocity.x, v - p, 1e-11);
    assert_near(plate.velocity.x, p * m / M, 1e-11);
    assert_near(rolling.omega.y, 2.5 * p / r, 1e-10);
    assert_near(rolling.velocity.x - r * rolling.omega.y, plate.velocity.x, 1e-11);
    assert_near(rolling.position.x, -1 + v * until - 0.5 * p * until + 0.7 * until * (v - p), 1e-11);
    assert_near(carom_sim_energy(sim).momentum.x, m * v, 1e-12);
    check_energy(sim);
    carom_sim_free(sim);
}

/* A block slides down a wedge without friction; the wedge is free to slide on the floor. Its acceleration is
 * m g sin cos / (M + m sin^2); that of the block along the wedge, against it, (M + m) g sin / (M + m sin^2). */
static void test_wedge(void **state)
{
    (void)state;
    const double m = 0.771, M = 2.385, angle = 0.47, c = cos(angle), s = sin(angle), time = 0.31;
    const carom_vec3 corners[3] = {{0, 0, 0}, {2 * c, 0, 0}, {0, 2 * s, 0}};
    carom_scene_body wedge = {.solid = {.kind = CAROM_SOLID_HULL, .points = corners, .point_count = 3}};
    carom_vec3 centre;
    wedge.def.mass = M;
    assert_int_equal(carom_solid_body(&wedge.solid, 2, 0, &wedge.def, &centre), CAROM_STATUS_OK);
    wedge.def.orientation = (carom_quat){1, 0, 0, 0};
    wedge.def.position = centre;
    /* the face goes from (0, 2 s) down to (2 c, 0): along (c, -s), with the normal (s, c) */
    carom_vec3 at = vec(0.5 * c + 0.1 * s, 2 * s - 0.5 * s + 0.1 * c, 0);
    carom_scene_body bodies[3] = {wedge, slab(m, 0.3, 0.2, at), half_space(vec(0, 1, 0), 0)};
    bodies[1].def.orientation = (carom_quat){cos(angle / 2), 0, 0, -sin(angle / 2)};
    carom_scene scene = planar(bodies, 3, 0);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, time, -1);
    double A = m * G * s * c / (M + m * s * s), a = (M + m) * G * s / (M + m * s * s);
    carom_vec3 by_wedge = carom_vec3_sub(carom_sim_body(sim, 0).position, wedge.def.position);
    carom_vec3 by_block = carom_vec3_sub(carom_sim_body(sim, 1).position, at);
    assert_near(by_wedge.x, -0.5 * A * time * time, 1e-12);
    assert_near(by_wedge.y, 0, 1e-13);
    assert_near(by_block.x, 0.5 * (a * c - A) * time * time, 1e-12);
    assert_near(by_block.y, -0.5 * a * s * time * time, 1e-12);
    assert_near(carom_sim_energy(sim).momentum.x, 0, 1e-13);
    assert_near(carom_sim_energy(sim).after, carom_sim_energy(sim).before, 1e-12);
    assert_int_equal(carom_sim_touch_count(sim), 4);
    carom_sim_free(sim);
}

/* ---- stacks ---- */

/* Three boxes that stand on each other stay there. */
static void stand_still(bool in_plane, double width)
{
    carom_scene_body bodies[4];
    double top = 0, sizes[3] = {0.31, 0.2, 0.17}, masses[3] = {1.071, 0.385, 2.385};
    for (int k = 0; k < 3; k++) {
        double w = 0.5 - k * width, at = top + sizes[k] / 2;
        bodies[k] = in_plane ? slab(masses[k], w, sizes[k], vec(0, at, 0))
                             : block(masses[k], vec(w, w, sizes[k]), vec(0, 0, at));
        top += sizes[k];
    }
    bodies[3] = half_space(in_plane ? vec(0, 1, 0) : vec(0, 0, 1), 0);
    carom_scene scene = in_plane ? planar(bodies, 4, 0.4) : scene_of(bodies, 4, "routh-stronge", 0.5, 0.4);
    scene.gravity = in_plane ? vec(0, -G, 0) : vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    double before = carom_sim_energy(sim).before;
    assert_int_equal(run_until(sim, 5, -1), CAROM_SIM_STOP_REST);
    assert_int_equal(carom_sim_touch_count(sim), in_plane ? 6 : 12);
    assert_near(carom_sim_energy(sim).after, before, 1e-14);
    for (int k = 0; k < 3; k++) {
        carom_sim_state b = carom_sim_body(sim, k);
        assert_near(carom_vec3_length(carom_vec3_sub(b.position, bodies[k].def.position)), 0, 1e-15);
        assert_true(b.resting);
    }
    carom_sim_free(sim);
}

static void test_stack(void **state)
{
    (void)state;
    stand_still(true, 0.06);
    stand_still(true, 0);
    stand_still(false, 0.06);
    stand_still(false, 0);
}

/* ---- off the edge ---- */

/* A block that tips over the edge of another: s is its middle along its lower face from the edge, phi its tilt. The
 * edge presses with N along the normal of that face; the lower block yields to its part along the floor. */
typedef struct tip {
    double m, M, I, half;   /* masses, moment, half the height of the block */
    double X, s, phi;       /* place of the edge */
    double X_t, s_t, phi_t; /* velocities */
} tip;

static void tip_rates(const tip *x, double f[6])
{
    double c = cos(x->phi), d = sin(x->phi), turn = 2 * x->s_t * x->phi_t + x->half * x->phi_t * x->phi_t;
    double N = x->m * (G * c - turn) / (1 + x->m * d * d / x->M + x->m * x->s * x->s / x->I);
    double X_tt = -N * d / x->M, phi_tt = x->s * N / x->I;
    double s_tt = G * d + x->s * x->phi_t * x->phi_t - x->half * phi_tt - X_tt * c;
    const double rates[6] = {x->X_t, x->s_t, x->phi_t, X_tt, s_tt, phi_tt};
    memcpy(f, rates, sizeof rates);
}

static tip tip_moved(const tip *x, const double f[6], double h)
{
    tip y = *x;
    y.X += h * f[0], y.s += h * f[1], y.phi += h * f[2];
    y.X_t += h * f[3], y.s_t += h * f[4], y.phi_t += h * f[5];
    return y;
}

/* Runge and Kutta's fourth order. */
static void tip_advance(tip *x, double time, int steps)
{
    double h = time / steps, f[4][6], sum[6];
    for (int n = 0; n < steps; n++) {
        tip_rates(x, f[0]);
        for (int k = 1; k < 4; k++) {
            tip y = tip_moved(x, f[k - 1], k < 3 ? h / 2 : h);
            tip_rates(&y, f[k]);
        }
        for (int i = 0; i < 6; i++)
            sum[i] = (f[0][i] + 2 * f[1][i] + 2 * f[2][i] + f[3][i]) / 6;
        *x = tip_moved(x, sum, h);
    }
}

/* A block slides off another without friction: straight until its middle is above the edge, then it tips; the lower
 * block is pushed back. Later it falls. */
static void test_slides_off(void **state)
{
    (void)state;
    const double m = 0.771, M = 2.385, v = 0.61, width = 0.4, high = 0.2, edge = 0.5, after = 0.19;
    carom_scene_body bodies[3] = {slab(M, 2 * edge, 0.6, vec(0, 0.3, 0)),
                                  slab(m, width, high, vec(0.25, 0.6 + high / 2, 0)), half_space(vec(0, 1, 0), 0)};
    bodies[1].def.velocity = vec(v, 0, 0);
    carom_scene scene = planar(bodies, 3, 0);
    carom_sim *sim = sim_of(&scene);
    double start = (edge - 0.25) / v;
    run_until(sim, start, -1);
    assert_near(carom_sim_body(sim, 1).omega.z, 0, 1e-13);
    assert_near(carom_sim_body(sim, 1).position.y, 0.6 + high / 2, 1e-14);
    assert_near(carom_sim_body(sim, 0).velocity.x, 0, 1e-14);
    assert_int_equal(carom_sim_touch_count(sim), 4);
    run_until(sim, start + after, -1);
    tip x = {.m = m, .M = M, .I = m * (width * width + high * high) / 12, .half = high / 2, .X = edge, .s_t = v};
    tip_advance(&x, after, 4000);
    carom_sim_state top = carom_sim_body(sim, 1), low = carom_sim_body(sim, 0);
    assert_near(low.velocity.x, x.X_t, 1e-10);
    assert_near(low.position.x, x.X - edge, 1e-10);
    assert_near(-top.omega.z, x.phi_t, 1e-9);
    assert_near(top.position.x, x.X + x.s * cos(x.phi) + x.half * sin(x.phi), 1e-10);
    assert_near(top.position.y, 0.6 - x.s * sin(x.phi) + x.half * cos(x.phi), 1e-10);
    assert_near(carom_sim_energy(sim).momentum.x, m * v, 1e-12);
    assert_near(carom_sim_energy(sim).after, carom_sim_energy(sim).before, 1e-11);
    run_until(sim, start + 3, -1);
    assert_true(carom_sim_body(sim, 1).position.y < 0.6);
    assert_near(carom_sim_energy(sim).momentum.x, m * v, 1e-11);
    check_energy(sim);
    carom_sim_free(sim);
}

/* ---- towers ---- */

/* Two boxes on a slope stand when the tangent of the slope is below width / height of both, and tip about their lower
 * corner when it is above: as one body at first, w^2 = 2 M g (loss of height) / I. */
static void stand_or_tip(double share)
{
    const double w = 0.2, high[2] = {0.31, 0.23}, mass[2] = {1.071, 0.771}, time = 0.4;
    /* the middle of the tower stands centre above the slope */
    const double M = mass[0] + mass[1], centre = (mass[0] * high[0] / 2 + mass[1] * (high[0] + high[1] / 2)) / M;
    const double angle = atan(share * w / 2 / centre), c = cos(angle), d = sin(angle);
    carom_scene_body bodies[3] = {slab(mass[0], w, high[0], vec(d * high[0] / 2, c * high[0] / 2, 0)),
                                  slab(mass[1], w, high[1], vec(0, 0, 0)), half_space(vec(d, c, 0), 0)};
    bodies[1].def.position = carom_vec3_scale(high[0] + high[1] / 2, vec(d, c, 0));
    for (int k = 0; k < 2; k++)
        bodies[k].def.orientation = (carom_quat){cos(angle / 2), 0, 0, -sin(angle / 2)};
    carom_scene scene = planar(bodies, 3, 3);
    carom_sim *sim = sim_of(&scene);
    carom_sim_stop stop = run_until(sim, time, -1);
    if (share < 1) {
        assert_int_equal(stop, CAROM_SIM_STOP_REST);
        assert_near(carom_sim_body(sim, 1).velocity.x, 0, 0);
    } else {
        double I = 0, turned = 0, middle[2] = {high[0] / 2, high[0] + high[1] / 2};
        for (int k = 0; k < 2; k++)
            I += mass[k] * ((w * w + high[k] * high[k]) / 12 + w * w / 4 + middle[k] * middle[k]);
        carom_sim_state low = carom_sim_body(sim, 0), top = carom_sim_body(sim, 1);
        turned = -2 * asin(low.orientation.z) - angle;
        /* height of the middle above the corner, along the vertical */
        double before = c * centre + d * w / 2, now = cos(angle + turned) * centre + sin(angle + turned) * w / 2;
        assert_true(turned > 1e-6);
        assert_near(low.omega.z, -sqrt(2 * M * G * (before - now) / I), 1e-9);
        assert_near(top.omega.z, low.omega.z, 1e-11);
    }
    check_energy(sim);
    carom_sim_free(sim);
}

static void test_tower(void **state)
{
    (void)state;
    stand_or_tip(0.999);
    stand_or_tip(1.001);
}

/* ---- one of them is hit ---- */

/* A ball strikes the upper of two boxes that rest on each other: without friction the lower one does not notice. */
static void test_upper_is_hit(void **state)
{
    (void)state;
    carom_scene_body bodies[4] = {slab(2.385, 4, 0.3, vec(0, 0.15, 0)), slab(1.071, 0.4, 0.4, vec(0, 0.5, 0)),
                                  disk(0.385, 0.1, vec(-0.8, 0.5, 0)), half_space(vec(0, 1, 0), 0)};
    const double v = 3, e = 0.6;
    bodies[2].def.velocity = vec(v, 0.5 * G * 0.5 / v, 0);
    carom_scene scene = planar(bodies, 4, 0);
    scene.rule.coeffs.e = e;
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 0.3, 1);
    assert_int_equal(carom_sim_impacts(sim), 1);
    run_until(sim, 0.3, -1);
    double p = 1.071 * 0.385 / (1.071 + 0.385) * (1 + e) * v;
    assert_near(carom_sim_body(sim, 1).velocity.x, p / 1.071, 1e-12);
    assert_near(carom_sim_body(sim, 1).omega.z, 0, 1e-12);
    assert_near(carom_sim_body(sim, 0).velocity.x, 0, 1e-14);
    assert_near(carom_sim_body(sim, 0).position.y, 0.15, 1e-15);
    check_energy(sim);
    carom_sim_free(sim);
}

/* A block that brakes on a plate goes on to the same bits when other bodies lie far away, however many. */
static void test_others_far_away(void **state)
{
    (void)state;
    enum { FAR = 60 };
    carom_vec3 end[2][2];
    for (int many = 0; many < 2; many++) {
        carom_scene_body bodies[3 + FAR] = {half_space(vec(0, 0, 1), 0),
                                            block(1.7, vec(1.1, 0.6, 0.08), vec(0, 0, 0.04)),
                                            block(0.6, vec(0.2, 0.17, 0.1), vec(-0.2, 0.03, 0.13))};
        bodies[2].def.velocity = vec(0.9, 0.1, 0);
        for (int k = 0; k < FAR; k++)
            bodies[3 + k] = block(1, vec(0.2, 0.2, 0.2), vec(90 + 0.7 * (k % 8), 0.7 * (k / 8), 0.1));
        for (int k = 0; k < 3 + FAR; k++)
            bodies[k].material = k == 2;
        frictions f = friction_table(0.05, 0.3, 0.3);
        carom_scene scene = scene_of(bodies, many ? 3 + FAR : 3, "routh-stronge", 0, 0.05);
        scene.gravity = vec(0, 0, -G);
        use(&scene, &f);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 0.35, -1);
        for (int k = 0; k < 2; k++)
            end[many][k] = carom_sim_body(sim, 1 + k).position;
        check_energy(sim);
        carom_sim_free(sim);
    }
    assert_true(end[0][0].x > 1e-3);
    for (int k = 0; k < 2; k++)
        assert_memory_equal(&end[0][k], &end[1][k], sizeof end[0][k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks_on_slope), cmocka_unit_test(test_brakes_on_plate),
                                       cmocka_unit_test(test_ball_on_plate),   cmocka_unit_test(test_wedge),
                                       cmocka_unit_test(test_stack),           cmocka_unit_test(test_slides_off),
                                       cmocka_unit_test(test_tower),           cmocka_unit_test(test_upper_is_hit),
                                       cmocka_unit_test(test_others_far_away)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
