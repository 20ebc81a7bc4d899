/* Slips that begin and turn round, against closed forms and integrations outside this library (mpmath, 25 digits). */
#include "sim/parts.h"

#define G 9.81

/* The times of slides, leaves and impacts, the first of each. */
typedef struct times {
    double slide, leave, impact;
    int events;
} times;

static bool note(void *context, const carom_sim_event *event)
{
    times *seen = context;
    double *first = event->kind == CAROM_SIM_EVENT_SLIDE    ? &seen->slide
                    : event->kind == CAROM_SIM_EVENT_LEAVE  ? &seen->leave
                    : event->kind == CAROM_SIM_EVENT_IMPACT ? &seen->impact
                                                            : NULL;
    seen->events++;
    if (first && event->time > 0 && !(*first > 0))
        *first = event->time;
    return true;
}

static times watch(carom_sim *sim, double until)
{
    times seen = {0, 0, 0, 0};
    const carom_sim_observer observer = {.after = note, .context = &seen};
    carom_sim_observe(sim, &observer);
    run_until(sim, until, -1);
    carom_sim_observe(sim, NULL);
    return seen;
}

/* A scene as it is, and turned and moved: what is seen must be the same. */
typedef struct turned_scene {
    carom_scene_body bodies[2];
    carom_scene scene;
} turned_scene;

static void turn_scene(turned_scene *s, carom_quat q, carom_vec3 by)
{
    for (int k = 0; k < 2; k++) {
        carom_scene_body *b = &s->bodies[k];
        if (b->solid.kind == CAROM_SOLID_HALF_SPACE) {
            b->solid.normal = quat_turn(q, b->solid.normal);
            b->solid.offset += carom_vec3_dot(b->solid.normal, by);
            continue;
        }
        b->def.position = carom_vec3_add(quat_turn(q, b->def.position), by);
        b->def.velocity = quat_turn(q, b->def.velocity);
        b->def.orientation = quat_multiply(q, b->def.orientation);
    }
    s->scene.gravity = quat_turn(q, s->scene.gravity);
    s->scene.bodies = s->bodies;
}

/* ---- a particle slides up a slope, stops, and slides back where friction does not hold it ---- */

static void check_particle(double angle, double mu, double speed, carom_quat q, carom_vec3 by)
{
    double slows = G * (sin(angle) + mu * cos(angle)), gains = G * (sin(angle) - mu * cos(angle)), T = 2;
    carom_vec3 down = vec(cos(angle), 0, -sin(angle)), n = vec(sin(angle), 0, cos(angle));
    turned_scene s = {.bodies = {{.solid = {.kind = CAROM_SOLID_PARTICLE}}, half_space(n, 0)}};
    s.bodies[0].def = carom_body_def_default();
    s.bodies[0].def.mass = 0.5;
    assert_int_equal(carom_solid_body(&s.bodies[0].solid, 3, 0, &s.bodies[0].def, NULL), CAROM_STATUS_OK);
    s.bodies[0].def.velocity = carom_vec3_scale(-speed, down);
    s.scene = scene_of(s.bodies, 2, "routh-stronge", 0, mu);
    s.scene.gravity = vec(0, 0, -G);
    turn_scene(&s, q, by);
    carom_sim *sim = sim_of(&s.scene);
    times seen = watch(sim, T);
    double stops = speed / slows, back = fmax(T - stops, 0), at = -0.5 * speed * stops;
    at += gains > 0 ? 0.5 * gains * back * back : 0;
    carom_vec3 x = carom_vec3_add(quat_turn(q, carom_vec3_scale(at, down)), by);
    carom_vec3 v = quat_turn(q, carom_vec3_scale(gains > 0 ? gains * back : 0, down));
    carom_sim_state now = carom_sim_body(sim, 0);
    assert_near(carom_vec3_length(carom_vec3_sub(now.position, x)), 0, 1e-12);
    assert_near(carom_vec3_length(carom_vec3_sub(now.velocity, v)), 0, 1e-12);
    assert_true(seen.events < 8);
    carom_sim_free(sim);
}

static void test_particle(void **state)
{
    (void)state;
    dice d = {201};
    const carom_quat straight = {1, 0, 0, 0};
    check_particle(0.3, 0.1, 3, straight, vec(0, 0, 0));
    for (int n = 0; n < 60; n++) {
        double angle = dice_between(&d, 0.1, 1.1),
               mu = n % 4 ? dice_between(&d, 0, 0.9) * tan(angle) : 1.5 * tan(angle);
        double speed = dice_between(&d, 0.1, 0.9) * 2 * G * (sin(angle) + mu * cos(angle));
        check_particle(angle, mu, speed, n % 3 ? dice_turn(&d) : straight, n % 2 ? vec(0, 0, 0) : dice_vec(&d, 2));
    }
}

/* ---- a ball rolls off a ball: with finite friction it slips before it leaves ---- */

static const struct off_ball {
    double below, radius, x, z, mu, slide, leave, v_x, omega;
} off_balls[] = {
    {0.38610355403448715, 0.1407543925413801, 0.14282497429056706, 0.5071294929197455, 1e6, 0.53796306325244984,
     0.53796309579205348, 0.9686032025888216, 12.1536714509983},
    {0.6835509137141287, 0.2992678030076861, 0.13904184241929843, 0.9729337058584011, 1e6, 0.97740077307385254,
     0.97740081689764419, 1.379788712049625, 7.917565136210946},
    {0.45772304350566373, 0.15670608132903396, 0.21634249442124495, 0.5750817981406872, 1e6, 0.50373210715557337,
     0.50373214279126092, 1.002960369305298, 11.62489325856582},
    {0.45772304350566373, 0.15670608132903396, 0.21634249442124495, 0.5750817981406872, 0.9, 0.45858975580927709,
     0.49915497675083166, 1.0315835170514528, 10.75653998971581},
    {0.6835509137141287, 0.2992678030076861, 0.13904184241929843, 0.9729337058584011, 40, 0.97618036896429051,
     0.97727643537077267, 1.3806537667778597, 7.905143755520333},
};

static void test_off_ball(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof off_balls / sizeof off_balls[0]; k++) {
        const struct off_ball *o = &off_balls[k];
        carom_scene_body bodies[2] = {ball(0.4, o->radius, vec(o->x, 0, o->z), vec(0, 0, 0)),
                                      ball(1, o->below, vec(0, 0, 0), vec(0, 0, 0))};
        bodies[1].def.fixed = true;
        carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, o->mu);
        scene.gravity = vec(0, 0, -G);
        carom_sim *sim = sim_of(&scene);
        times seen = watch(sim, 2);
        carom_sim_state now = carom_sim_body(sim, 0);
        assert_near(seen.slide, o->slide, 2e-12); /* friction holds 1e-12 of the weight longer */
        assert_near(seen.leave, o->leave, 2e-12);
        assert_near(now.velocity.x, o->v_x, 1e-12);
        assert_near(now.omega.y, o->omega, 1e-11);
        carom_sim_free(sim);
    }
}

/* ---- a box tips over its lower edge on a slope, slips on the two corners of it, and lands on its side ---- */

static const struct tip {
    double w, h, angle, slide, lands;
} tips[] = {
    {0.25310252665322963, 0.4018421435094386, 0.5626454527905681, 1.4624648761599433, 1.568958516742399},
    {0.14699453986548863, 0.20803655575332974, 0.6157437880524849, 1.0583185951156337, 1.138264188713697},
    {0.26372620620966325, 0.23573334635770055, 0.8422272755205207, 1.1941773799987459, 1.301034099648242},
};

static void make_tip(const struct tip *t, carom_quat q, carom_vec3 by, turned_scene *s)
{
    carom_vec3 n = vec(sin(t->angle), 0, cos(t->angle));
    *s = (turned_scene){.bodies = {carom_scene_box(1.3, vec(t->w, 0.2, t->h)), half_space(n, 0)}};
    s->bodies[0].def.position = carom_vec3_scale(0.5 * t->h, n);
    s->bodies[0].def.orientation = quat_about(vec(0, 1, 0), t->angle);
    s->scene = scene_of(s->bodies, 2, "routh-stronge", 0, 5);
    s->scene.gravity = vec(0, 0, -G);
    turn_scene(s, q, by);
}

static void check_tip(const struct tip *t, carom_quat q, carom_vec3 by)
{
    turned_scene s;
    make_tip(t, q, by, &s);
    carom_sim *sim = sim_of(&s.scene);
    times seen = watch(sim, t->lands + 0.01);
    assert_near(seen.slide, t->slide, 2e-11); /* friction holds 2e-12 to 2e-11 of the weight longer */
    assert_near(seen.impact, t->lands, 1e-12);
    assert_true(seen.events < 16);
    carom_sim_free(sim);
}

static void test_tips(void **state)
{
    (void)state;
    dice d = {202};
    const carom_quat straight = {1, 0, 0, 0};
    for (size_t k = 0; k < sizeof tips / sizeof tips[0]; k++) {
        check_tip(&tips[k], straight, vec(0, 0, 0));
        for (int n = 0; n < 4; n++)
            check_tip(&tips[k], dice_turn(&d), dice_vec(&d, 1));
    }
}

/* ---- the last of these goes on: it pivots on the next corner, whose stick ends in Painleve's paradox, so that the
 * corner leaves with a load of 0.4 N on it, and tumbles down the slope; each impact makes errors 3 to 70 times larger
 * ---- */

static const double tumbles[] = {1.301034099648238,  1.5631656669815883, 1.8142585880396551, 2.0534567005479056,
                                 2.3623072992982527, 2.7637488197721008, 3.2267792207692433, 3.5563457815088527};
enum { TUMBLES = sizeof tumbles / sizeof tumbles[0] };

typedef struct tumble_log {
    int count;
    double at[TUMBLES];
} tumble_log;

static bool note_impact(void *context, const carom_sim_event *event)
{
    tumble_log *log = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && log->count < TUMBLES)
        log->at[log->count++] = event->time;
    return true;
}

static void check_tumble(carom_quat q, carom_vec3 by)
{
    turned_scene s;
    tumble_log log = {.count = 0};
    const carom_sim_observer observer = {.after = note_impact, .context = &log};
    make_tip(&tips[2], q, by, &s);
    carom_sim *sim = sim_of(&s.scene);
    carom_sim_observe(sim, &observer);
    run_until(sim, 3.6, -1);
    assert_int_equal(log.count, TUMBLES);
    for (int k = 0; k < TUMBLES; k++)
        assert_near(log.at[k], tumbles[k], k < 4 ? 1e-12 : k < 6 ? 1e-11 : 1e-9);
    carom_sim_free(sim);
}

static void test_tumbles(void **state)
{
    (void)state;
    dice d = {203};
    const carom_quat straight = {1, 0, 0, 0};
    check_tumble(straight, vec(0, 0, 0));
    for (int n = 0; n < 3; n++)
        check_tumble(dice_turn(&d), dice_vec(&d, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_particle),
        cmocka_unit_test(test_off_ball),
        cmocka_unit_test(test_tips),
        cmocka_unit_test(test_tumbles),
    };
    return cmocka_run_group_tests_name("sim_onset", tests, NULL, NULL);
}
