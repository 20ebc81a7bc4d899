/* Fixed bodies that follow a path: swings and ways through points, bounces on them, and bodies that they carry. */
#include "sim/scenes.h"

#define G  9.81
#define PI 3.141592653589793

typedef struct log_of_events {
    int count, changes;
    double time[64], velocity[64]; /* of impacts: velocity of A along z, after */
    carom_sim_event_kind kind[64]; /* of changes of closed contacts */
    double when[64];
} log_of_events;

static bool note(void *context, const carom_sim_event *event)
{
    log_of_events *x = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && x->count < 64) {
        x->time[x->count] = event->time;
        x->velocity[x->count++] = event->contacts[0].after_a.velocity.z;
    } else if (event->kind != CAROM_SIM_EVENT_IMPACT && x->changes < 64) {
        x->kind[x->changes] = event->kind;
        x->when[x->changes++] = event->time;
    }
    return true;
}

static double first_of(const log_of_events *x, carom_sim_event_kind kind)
{
    for (int k = 0; k < x->changes; k++)
        if (x->kind[k] == kind)
            return x->when[k];
    return NAN;
}

static void assert_balanced(const carom_sim *sim)
{
    carom_sim_ledger l = carom_sim_energy(sim);
    assert_near(l.residual, 0, 1e-11 * (1 + fabs(l.before) + fabs(l.driven)));
}

static carom_sim *watched(const carom_scene *scene, log_of_events *x)
{
    carom_sim *sim = sim_of(scene);
    carom_sim_observer o = {NULL, note, x};
    memset(x, 0, sizeof *x);
    carom_sim_observe(sim, &o);
    return sim;
}

static carom_scene_body box_at(carom_vec3 size, carom_vec3 position, bool fixed)
{
    carom_shape shape = {CAROM_SHAPE_BOX, {size.x, size.y, size.z}};
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    b.def = carom_shape_body(&shape, 1.7);
    b.def.position = position;
    b.def.fixed = fixed;
    return b;
}

/* A ball on a table z = 12 mm sin(2 pi 7.3 t + 0.4), e = 0.8, from 0.3 m: the bouncing-ball map in 40 digits (mpmath).
 * Errors grow from bounce to bounce. The table is a half-space, or a box. */
static const double bounce[8][2] = {
    {0.25040434155820993728, 2.7349095032389967506}, {0.80653415595640121146, 3.1214060837154856938},
    {1.4441174448509954139, 1.7265488475559435125},  {1.7871723613345741284, 2.074348322592037919},
    {2.2084452864814266856, 2.0383521878101444829},  {2.6236623129681348808, 1.8355689005889251911},
    {3.0043539313842948669, 2.5095397540984177646},  {3.5205686679442951845, 2.1295004432215381778}};

static void test_bouncing_ball_map(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        double R = 0.05;
        carom_drive table = {.amplitude = vec(0, 0, 0.012), .frequency = 7.3, .phase = 0.4};
        carom_scene_body bodies[2] = {ball(0.31, R, vec(0, 0, 0.3 + R), vec(0, 0, 0)),
                                      k ? box_at(vec(1, 1, 0.1), vec(0, 0, -0.05), true) : half_space(vec(0, 0, 1), 0)};
        bodies[1].drive = &table;
        carom_scene scene = scene_of(bodies, 2, "newton", 0.8, 0);
        scene.gravity = vec(0, 0, -G);
        log_of_events x;
        carom_sim *sim = watched(&scene, &x);
        run_until(sim, 4, 8);
        assert_int_equal(x.count, 8);
        double growth = 1; /* of an error in velocity: by (1 + e) A W^2 2 / g at most */
        for (int n = 0; n < 8; n++, growth *= 9) {
            assert_near(x.time[n], bounce[n][0], 1e-15 * growth);
            assert_near(x.velocity[n], bounce[n][1], 1e-14 * growth);
        }
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* It rests on a table that swings with a largest acceleration of 2 g, moving with it at first: it leaves when the table
 * falls with g, sin(2 pi f t) = g / (A (2 pi f)^2), and lands later (mpmath). A box does the same. */
static void test_leaves_the_table(void **state)
{
    (void)state;
    double f = 5, A = 0.02, W = 2 * PI * f;
    for (int k = 0; k < 2; k++) {
        carom_drive table = {.amplitude = vec(0, 0, A), .frequency = f};
        carom_scene_body bodies[2] = {k ? box_at(vec(0.1, 0.2, 0.3), vec(0, 0, 0.15), false)
                                        : ball(0.31, 0.05, vec(0, 0, 0.05), vec(0, 0, 0)),
                                      half_space(vec(0, 0, 1), 0)};
        bodies[0].def.velocity = vec(0, 0, A * W);
        bodies[1].drive = &table;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 0.5);
        scene.gravity = vec(0, 0, -G);
        log_of_events x;
        carom_sim *sim = watched(&scene, &x);
        run_until(sim, 0.19, -1);
        assert_near(first_of(&x, CAROM_SIM_EVENT_LEAVE), 0.016555791959091735808, 1e-12);
        int landed = 0;
        while (landed < x.count && x.time[landed] < 0.01)
            landed++;
        assert_true(landed < x.count);
        assert_near(x.time[landed], 0.16550786762136140408, 1e-11);
        assert_near(carom_sim_distance(sim, 0, 1), 0, 1e-12); /* without a bounce it stays */
        assert_near(carom_sim_body(sim, 0).velocity.z, A * W * cos(W * 0.19), 1e-10);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
}

/* A particle on a table that swings sideways slips when the table pulls harder than friction: A W^2 sin(W t) = mu g. */
static void test_slips_on_the_table(void **state)
{
    (void)state;
    double f = 3, A = 0.03, W = 2 * PI * f, mu = 0.4;
    carom_drive table = {.amplitude = vec(A, 0, 0), .frequency = f};
    carom_scene_body bodies[2] = {ball(0.3, 0.05, vec(0, 0, 0), vec(A * W, 0, 0)), half_space(vec(0, 0, 1), 0)};
    bodies[0].solid = (carom_solid){.kind = CAROM_SOLID_PARTICLE};
    bodies[1].drive = &table;
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, mu);
    scene.gravity = vec(0, 0, -G);
    log_of_events x;
    carom_sim *sim = watched(&scene, &x);
    run_until(sim, 0.05, -1);
    assert_near(first_of(&x, CAROM_SIM_EVENT_SLIDE), asin(mu * G / (A * W * W)) / W, 1e-10);
    assert_true(carom_sim_energy(sim).sliding <= 0);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A plate swings sideways under a body that sticks and slips: the end of a slip, where the speed of the plate has come
 * to that of the body, and the end of sticking, where its acceleration exceeds mu g, by bisection. */
typedef struct swung {
    double A, W, limit, t, x, v; /* limit: mu g */
    int way;                     /* of friction; 0: sticks */
} swung;

static double plate_rate(const swung *s, double t)
{
    return s->A * s->W * cos(s->W * t);
}

static double plate_pull(const swung *s, double t)
{
    return -s->A * s->W * s->W * sin(s->W * t);
}

static bool swung_goes_on(const swung *s, double t)
{
    if (!s->way)
        return fabs(plate_pull(s, t)) < s->limit;
    return s->way * (plate_rate(s, t) - s->v - s->way * s->limit * (t - s->t)) > 0;
}

static void swung_to(swung *s, double end)
{
    while (s->t < end) {
        double a = s->t + 1e-7, b = a;
        while (b < end && swung_goes_on(s, b))
            a = b, b += 1e-5;
        for (int k = 0; k < 60 && b < end; k++)
            *(swung_goes_on(s, 0.5 * (a + b)) ? &a : &b) = 0.5 * (a + b);
        b = fmin(b, end);
        double h = b - s->t;
        s->x += s->way ? h * (s->v + 0.5 * s->way * s->limit * h) : s->A * (sin(s->W * b) - sin(s->W * s->t));
        s->v += s->way * s->limit * h;
        if (b < end || !s->way)
            s->v = plate_rate(s, b);
        double pull = plate_pull(s, b);
        s->way = s->way && fabs(pull) <= s->limit ? 0 : pull > 0 ? 1 : -1;
        s->t = b;
    }
}

static void test_swung_sideways(void **state)
{
    (void)state;
    const double swing[5][3] = {{0.05, 1, 0.1}, {0.05, 2, 0.3}, {0.01, 3, 0.3}, {0.02, 3, 0.3}, {0.013, 4.3, 0.7}};
    for (int k = 0; k < 45; k++) {
        const double *at = swing[k / 3 % 5], end = 1.7, height = 0.02 + (k < 15 ? 0.06 : 0.02) * (k % 3);
        carom_vec3 along = k < 15 ? vec(1, 0, 0) : vec(cos(0.2 * k), sin(0.2 * k), 0);
        along = k >= 30 ? vec(sqrt(0.5), sqrt(0.5), 0) : along;
        carom_drive drive = {.amplitude = carom_vec3_scale(at[0], along), .frequency = at[1]};
        carom_scene_body bodies[2] = {box_at(vec(0.1, 0.08, height), vec(0, 0, 0.5 * height), false),
                                      k % 2 ? half_space(vec(0, 0, 1), 0)
                                            : box_at(vec(2, 2, 0.1), vec(0, 0, -0.05), true)};
        bodies[1].drive = &drive;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, at[2]);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, end, -1);
        swung s = {.A = at[0], .W = 2 * PI * at[1], .limit = at[2] * G, .way = 1};
        swung_to(&s, end);
        carom_sim_state now = carom_sim_body(sim, 0);
        assert_near(carom_vec3_dot(along, now.position), s.x, 1e-10);
        assert_near(carom_vec3_dot(along, now.velocity), s.v, 1e-9);
        assert_near(carom_vec3_dot(vec(-along.y, along.x, 0), now.position), 0, 1e-10);
        assert_int_equal(now.road, CAROM_SIM_ROAD_EXACT);
        assert_int_equal(carom_sim_impacts(sim), 0);
        carom_sim_free(sim);
    }
}

/* A paddle moves by d in T, at rest at both ends: x = d (3 s^2 - 2 s^3). Half of the way is reached at T/2, with
 * 1.5 d/T. It begins again every 2 T. */
static void test_paddle(void **state)
{
    (void)state;
    double d = 0.6, T = 0.7, e = 0.9, R = 0.04;
    const carom_waypoint points[3] = {
        {.time = 0, .position = vec(0, 0, 0)}, {.time = T, .position = vec(d, 0, 0)}, {.time = 2 * T}};
    carom_drive way = {.point_count = 3, .points = points, .repeats = true};
    carom_scene_body bodies[2] = {ball(0.2, R, vec(0.1 + d / 2 + R, 0, 0), vec(0, 0, 0)),
                                  box_at(vec(0.2, 0.5, 0.5), vec(0, 0, 0), true)};
    bodies[1].drive = &way;
    carom_scene scene = scene_of(bodies, 2, "newton", e, 0);
    log_of_events x;
    carom_sim *sim = watched(&scene, &x);
    run_until(sim, 5 * T, -1);
    assert_int_equal(x.count, 1);
    assert_near(x.time[0], T / 2, 1e-14);
    assert_near(carom_sim_body(sim, 0).velocity.x, (1 + e) * 1.5 * d / T, 1e-13);
    assert_near(carom_sim_body(sim, 1).position.x, d, 1e-14);
    assert_near(carom_sim_energy(sim).driven, 0.2 * (1 + e) * 1.5 * d / T * 1.5 * d / T, 1e-13);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A bat turns about z by Theta sin(W t); its face, a from its axis, meets a ball of radius R at the distance L and the
 * bearing beta when sin(beta - theta) L = a + R. */
static void test_bat(void **state)
{
    (void)state;
    double a = 0.05, R = 0.037, L = 0.5, beta = 0.9, Theta = 1.1, f = 0.8, e = 0.6, W = 2 * PI * f;
    carom_drive swing = {.frequency = f, .angle = Theta, .axis = vec(0, 0, 1)};
    carom_scene_body bodies[2] = {ball(0.15, R, vec(L * cos(beta), L * sin(beta), 0), vec(0, 0, 0)),
                                  box_at(vec(1.4, 2 * a, 0.1), vec(0, 0, 0), true)};
    bodies[1].drive = &swing;
    carom_scene scene = scene_of(bodies, 2, "newton", e, 0);
    log_of_events x;
    carom_sim *sim = watched(&scene, &x);
    run_until(sim, 1, 1);
    double theta = beta - asin((a + R) / L), t = asin(theta / Theta) / W, w = Theta * W * cos(W * t);
    double speed = (1 + e) * w * L * cos(beta - theta);
    assert_int_equal(x.count, 1);
    assert_near(x.time[0], t, 1e-13);
    assert_near(carom_sim_body(sim, 0).velocity.x, -speed * sin(theta), 1e-12);
    assert_near(carom_sim_body(sim, 0).velocity.y, speed * cos(theta), 1e-12);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A swing and its mirror image, with spin and friction: mirrored answers, bit for bit. */
static void test_mirrored(void **state)
{
    (void)state;
    carom_sim_state s[2];
    for (int k = 0; k < 2; k++) {
        double sign = k ? -1 : 1;
        carom_drive table = {.amplitude = vec(sign * 0.02, 0.01, 0.015), .frequency = 6, .phase = 0.3};
        carom_scene_body bodies[2] = {ball(0.3, 0.05, vec(sign * 0.1, 0, 0.3), vec(sign * 0.4, 0.1, 0)),
                                      half_space(vec(0, 0, 1), 0)};
        bodies[0].def.omega = vec(3, sign * 9, sign * 2);
        bodies[1].drive = &table;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0.5, 0.3);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        run_until(sim, 2, -1);
        assert_true(carom_sim_impacts(sim) > 5);
        s[k] = carom_sim_body(sim, 0);
        assert_balanced(sim);
        carom_sim_free(sim);
    }
    assert_true(s[0].position.x == -s[1].position.x && s[0].position.y == s[1].position.y);
    assert_true(s[0].position.z == s[1].position.z && s[0].velocity.x == -s[1].velocity.x);
    assert_true(s[0].omega.x == s[1].omega.x && s[0].omega.z == -s[1].omega.z);
}

/* Far from a table that swings for ever nothing has to be searched; past it, the search goes on piece by piece. */
static void test_far_and_past(void **state)
{
    (void)state;
    carom_drive table = {.amplitude = vec(0, 0, 0.01), .frequency = 50};
    carom_scene_body bodies[3] = {ball(0.3, 0.05, vec(0, 0, 5), vec(0, 0, 0)),
                                  ball(0.3, 0.05, vec(-3, 0, 0.0601), vec(0.5, 0, 0)), half_space(vec(0, 0, 1), 0)};
    bodies[2].drive = &table;
    carom_scene scene = scene_of(bodies, 3, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 8, -1);
    assert_int_equal(carom_sim_impacts(sim), 0);
    assert_near(carom_sim_body(sim, 1).position.x, 1, 1e-14);
    carom_sim_free(sim);
}

/* Grains on a shaking plate stay above it. */
static void test_grains(void **state)
{
    (void)state;
    enum { GRAINS = 20 };
    carom_drive plate = {.amplitude = vec(0, 0, 0.004), .frequency = 25};
    carom_scene_body bodies[GRAINS + 1];
    for (int k = 0; k < GRAINS; k++)
        bodies[k] =
            ball(0.001, 0.01, vec(0.021 * (k % 5) + 0.001 * (k / 5), 0.021 * (k / 5), 0.03 + 0.002 * k), vec(0, 0, 0));
    bodies[GRAINS] = half_space(vec(0, 0, 1), 0);
    bodies[GRAINS].drive = &plate;
    carom_scene scene = scene_of(bodies, GRAINS + 1, "routh-stronge", 0.7, 0.3);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    for (int n = 1; n <= 20; n++) {
        run_until(sim, 0.05 * n, -1);
        for (int i = 0; i < GRAINS; i++)
            assert_true(carom_sim_distance(sim, i, GRAINS) > -1e-4 * 0.01);
    }
    assert_true(carom_sim_energy(sim).driven > 0);
    carom_sim_free(sim);
}

/* Conveyor: a box put on a belt that moves at a constant velocity slides until it moves with the belt, v / (mu g), and
 * half of the work of the belt is lost. */
static void test_conveyor(void **state)
{
    (void)state;
    double V = 1.3, mu = 0.35, m = 1.7;
    carom_scene_body bodies[2] = {box_at(vec(0.3, 0.2, 0.1), vec(0, 0, 0.05), false), half_space(vec(0, 0, 1), 0)};
    bodies[1].def.velocity = vec(V, 0, 0);
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, mu);
    scene.gravity = vec(0, 0, -G);
    log_of_events x;
    carom_sim *sim = watched(&scene, &x);
    run_until(sim, 1, -1);
    assert_near(first_of(&x, CAROM_SIM_EVENT_STICK), V / (mu * G), 1e-10);
    assert_near(carom_sim_body(sim, 0).velocity.x, V, 1e-12);
    assert_near(carom_sim_energy(sim).driven, m * V * V, 1e-10);
    assert_near(carom_sim_energy(sim).sliding, -0.5 * m * V * V, 1e-10);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* It stands on a table that waits, and goes with it when it begins to move. */
static void test_waits(void **state)
{
    (void)state;
    const carom_waypoint points[4] = {
        {.time = 0}, {.time = 1}, {.time = 2, .position = vec(0.4, 0, 0.2)}, {.time = 3, .position = vec(0.4, 0, 0.2)}};
    carom_drive way = {.point_count = 4, .points = points};
    carom_scene_body bodies[2] = {box_at(vec(0.3, 0.2, 0.1), vec(0, 0, 0.05), false), half_space(vec(0, 0, 1), 0)};
    bodies[1].drive = &way;
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 2);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = 4;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    carom_sim_state s = carom_sim_body(sim, 0);
    assert_near(s.position.x, 0.4, 1e-12);
    assert_near(s.position.z, 0.25, 1e-12);
    assert_near(s.velocity.z, 0, 1e-12);
    assert_near(carom_sim_energy(sim).driven, 1.7 * G * 0.2, 1e-10);
    assert_balanced(sim);
    carom_sim_free(sim);
}

/* A box is carried by a turning table, in steps: its energy is the work of the table, less what sliding takes. */
static void test_turntable(void **state)
{
    (void)state;
    carom_drive turn = {.frequency = 0.2, .angle = 1, .axis = vec(0, 0, 1)};
    carom_scene_body bodies[2] = {box_at(vec(0.1, 0.1, 0.05), vec(0.2, 0, 0.025), false),
                                  box_at(vec(1, 1, 0.1), vec(0, 0, -0.05), true)};
    bodies[1].drive = &turn;
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, 0.6);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    run_until(sim, 2, -1);
    carom_sim_state s = carom_sim_body(sim, 0), table = carom_sim_body(sim, 1);
    assert_near(hypot(s.position.x, s.position.y), 0.2, 2e-3);
    assert_near(s.omega.z, table.omega.z, 1e-2);
    assert_true(carom_sim_energy(sim).sliding <= 0);
    assert_balanced(sim);
    carom_sim_free(sim);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_scene_body bodies[2] = {ball(1, 0.1, vec(0, 0, 1), vec(0, 0, 0)), half_space(vec(0, 0, 1), 0)};
    carom_waypoint points[2] = {{.time = 0}, {.time = 0}};
    carom_drive drives[] = {{.frequency = -1},
                            {.frequency = NAN},
                            {.point_count = 1, .points = points},
                            {.point_count = 2, .points = points},
                            {.frequency = 1, .angle = 0.1, .axis = vec(0, 0, 1)}};
    const carom_status expected[] = {CAROM_STATUS_OUT_OF_RANGE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_SIZE,
                                     CAROM_STATUS_BAD_TIME, CAROM_STATUS_UNSUPPORTED};
    carom_scene scene = scene_of(bodies, 2, "newton", 1, 0);
    carom_sim *sim;
    carom_sim_error error;
    for (int k = 0; k < 5; k++) {
        bodies[1].drive = &drives[k];
        assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, &error), expected[k]);
        assert_int_equal(error.body, 1);
    }
    bodies[1].drive = NULL;
    bodies[0].drive = &drives[4];
    assert_int_equal(carom_sim_create(&scene, &heap_memory, &sim, &error), CAROM_STATUS_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball_map),
        cmocka_unit_test(test_leaves_the_table),
        cmocka_unit_test(test_slips_on_the_table),
        cmocka_unit_test(test_paddle),
        cmocka_unit_test(test_swung_sideways),
        cmocka_unit_test(test_bat),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_far_and_past),
        cmocka_unit_test(test_grains),
        cmocka_unit_test(test_conveyor),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_turntable),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
