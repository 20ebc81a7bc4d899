/* Prisms with three to 200 corners in their base, which meet the floor with all of them at once. */
#include "sim/islands.h"
#include "support/corpus.h"

enum { CORNERS_MOST = 200 };
#define TURN 6.283185307179586

typedef struct prism {
    int n;
    double mass, radius, height, phase;
    carom_vec3 points[2 * CORNERS_MOST];
    carom_scene_body body;
} prism;

/* Corners lie on a circle, at random angles or at equal ones; the body keeps what moments of inertia it has. */
static void make_prism(dice *d, int n, prism *p)
{
    bool regular = dice_below(d, 2);
    *p = (prism){.n = n, .mass = dice_between(d, 0.3, 4), .radius = dice_between(d, 0.1, 0.4)};
    p->height = p->radius * dice_between(d, 0.2, 0.5);
    p->phase = dice_between(d, 0, TURN);
    for (int k = 0; k < n; k++) {
        double angle = p->phase + TURN / n * (k + (regular ? 0 : dice_between(d, -0.3, 0.3)));
        p->points[k] = vec(p->radius * cos(angle), p->radius * sin(angle), -0.5 * p->height);
        p->points[n + k] = carom_vec3_add(p->points[k], vec(0, 0, p->height));
    }
    p->body.solid = (carom_solid){.kind = CAROM_SOLID_HULL, .points = p->points, .point_count = 2 * n};
    p->body.def.mass = p->mass;
    p->body.def.orientation = (carom_quat){1, 0, 0, 0};
    assert_int_equal(carom_solid_body(&p->body.solid, 3, 0, &p->body.def, NULL), CAROM_STATUS_OK);
    p->body.def.position.z = 0.5 * p->height;
}

static carom_scene on_floor(carom_scene_body bodies[2], const prism *p, double e, double mu)
{
    bodies[0] = p->body;
    bodies[1] = half_space(vec(0, 0, 1), 0);
    carom_scene s = scene_of(bodies, 2, "routh-stronge", e, mu);
    s.gravity = vec(0, 0, -G);
    return s;
}

static int corners_of_case(int k)
{
    static const int corners[] = {3, 4, 5, 7, 8, 9, 12, 20, 25, 40, 64, 65, 100, 200};
    return corners[k % (int)(sizeof corners / sizeof corners[0])];
}

/* Dropped flat without a rebound it has one impact and lies as it fell. */
static void test_drop(void **state)
{
    (void)state;
    dice d = {911};
    for (int k = 0; k < 14; k++) {
        static prism p;
        carom_scene_body bodies[2];
        make_prism(&d, corners_of_case(k), &p);
        double fall = dice_between(&d, 0.004, 0.05);
        p.body.def.position.z += fall;
        carom_scene s = on_floor(bodies, &p, 0, dice_between(&d, 0, 0.8));
        carom_sim *sim = sim_of(&s);
        assert_int_equal(run_until(sim, 3, -1), CAROM_SIM_STOP_REST);
        carom_sim_state at = carom_sim_body(sim, 0);
        assert_int_equal(carom_sim_impacts(sim), 1);
        assert_near(carom_sim_time(sim), sqrt(2 * fall / G), 1e-14);
        assert_near(carom_vec3_length(carom_vec3_sub(at.position, vec(0, 0, 0.5 * p.height))), 0, 1e-14);
        assert_near(at.orientation.w, 1, 1e-14);
        check_energy(sim);
        carom_sim_free(sim);
    }
}

/* A rebound by e each time ends after (1 + e) / (1 - e) times the first fall. */
static void test_bounce(void **state)
{
    (void)state;
    dice d = {912};
    for (int k = 0; k < 14; k++) {
        static prism p;
        carom_scene_body bodies[2];
        make_prism(&d, corners_of_case(k), &p);
        double fall = dice_between(&d, 0.004, 0.05), e = dice_between(&d, 0.1, 0.6);
        p.body.def.position.z += fall;
        carom_scene s = on_floor(bodies, &p, e, 0);
        carom_sim *sim = sim_of(&s);
        assert_int_equal(run_until(sim, 3, -1), CAROM_SIM_STOP_REST);
        assert_near(carom_sim_time(sim), sqrt(2 * fall / G) * (1 + e) / (1 - e), 2e-9);
        assert_near(carom_sim_body(sim, 0).position.z, 0.5 * p.height, 1e-12);
        check_energy(sim);
        carom_sim_free(sim);
    }
}

/* Pushed it stops after v^2 / (2 mu g), where it does not tip: all corners slip the same way. */
static void test_slide(void **state)
{
    (void)state;
    dice d = {913};
    for (int k = 0; k < 14; k++) {
        static prism p;
        carom_scene_body bodies[2];
        make_prism(&d, corners_of_case(k), &p);
        double mu = dice_between(&d, 0.1, 0.4), speed = dice_between(&d, 0.3, 2), way = dice_between(&d, 0, TURN);
        p.body.def.velocity = vec(speed * cos(way), speed * sin(way), 0);
        carom_scene s = on_floor(bodies, &p, 0, mu);
        carom_sim *sim = sim_of(&s);
        assert_int_equal(run_until(sim, 9, -1), CAROM_SIM_STOP_REST);
        double length = speed * speed / (2 * mu * G);
        carom_vec3 at = carom_sim_body(sim, 0).position,
                   want = vec(length * cos(way), length * sin(way), 0.5 * p.height);
        assert_near(carom_vec3_length(carom_vec3_sub(at, want)), 0, 1e-11);
        assert_near(carom_sim_time(sim), speed / (mu * G), 1e-11);
        assert_int_equal(carom_sim_impacts(sim), 0);
        check_energy(sim);
        carom_sim_free(sim);
    }
}

/* ---- tilting about an edge of the base ---- */

/* A body that turns about an edge: distance of its centre from the edge, its angle above the floor when it lies flat,
 * and its moment of inertia about the edge. */
typedef struct pivot {
    double mass, arm, angle, inertia;
} pivot;

/* The time from rest at a tilt until it lies flat: t = int dphi / w, with w^2 = 2 m g r (sin(tilt) - sin(phi)) / I, and
 * phi = tilt - x^2 (tilt - flat) takes the root out of the integral. Gauss nodes on parts. */
static double fall_time(const pivot *p, double tilt)
{
    static const double node[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
    static const double weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                     0.2369268850561891};
    double sum = 0, span = tilt - p->angle;
    enum { PARTS = 40 };
    for (int k = 0; k < PARTS; k++)
        for (int n = 0; n < 5; n++) {
            double x = (k + 0.5 + 0.5 * node[n]) / PARTS, drop = x * x * span;
            double sines = 2 * cos(tilt - 0.5 * drop) * sin(0.5 * drop);
            double rate = sqrt(2 * p->mass * G * p->arm * sines / p->inertia);
            sum += 0.5 / PARTS * weight[n] * 2 * x * span / rate;
        }
    return sum;
}

/* Released on an edge of its base, tilted, it falls back onto all of its corners at the time of the integral. */
static void test_tilt(void **state)
{
    (void)state;
    dice d = {914};
    for (int k = 0; k < 14; k++) {
        static prism p;
        carom_scene_body bodies[2];
        make_prism(&d, corners_of_case(k), &p);
        carom_body_def flat = p.body.def;
        carom_vec3 centre;
        assert_int_equal(carom_solid_body(&p.body.solid, 3, 0, &flat, &centre), CAROM_STATUS_OK);
        carom_vec3 a = carom_vec3_sub(p.points[0], centre), b = carom_vec3_sub(p.points[1], centre);
        carom_vec3 e = carom_vec3_sub(b, a);
        e = carom_vec3_scale(1 / carom_vec3_length(e), e);
        carom_vec3 foot =
            carom_vec3_sub(a, carom_vec3_scale(carom_vec3_dot(a, e), e)); /* of the edge, from the centre */
        double tilt = dice_between(&d, 0.02, 0.2), h = -foot.z, away = sqrt(foot.x * foot.x + foot.y * foot.y);
        pivot x = {p.mass, sqrt(h * h + away * away), atan2(h, away), 0};
        x.inertia = carom_vec3_dot(e, carom_sym3_apply(flat.inertia, e)) + p.mass * x.arm * x.arm;
        /* the edge runs counter-clockwise around the base, and the centre is on its left: lifting it turns about e */
        carom_quat q = {cos(0.5 * tilt), e.x * sin(0.5 * tilt), e.y * sin(0.5 * tilt), 0};
        p.body.def.orientation = q;
        p.body.def.position = vec(0, 0, x.arm * sin(x.angle + tilt));
        carom_scene s = on_floor(bodies, &p, 0, 3);
        carom_sim *sim = sim_of(&s);
        run_until(sim, 5, 1);
        assert_near(carom_sim_time(sim), fall_time(&x, x.angle + tilt), 1e-10);
        check_energy(sim);
        carom_sim_free(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_tilt),
    };
    return cmocka_run_group_tests_name("prisms", tests, NULL, NULL);
}
