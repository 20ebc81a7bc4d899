/* A ball that slides and rolls on a slope: the closed form of Coulomb friction on one contact. */
#include "sim/parts.h"

#define G 9.81

/* Along the slope: slip u = v + R w decays with k mu g cos against the pull, k = 1 + m R^2 / I, until it rolls. */
typedef struct course_of {
    double x, v, w;
} course_of;

static course_of closed_form(double angle, double mu, double k, double R, course_of s, double T)
{
    double u = s.v - R * s.w, g = G * sin(angle), f = mu * G * cos(angle), sign = u > 0 ? 1 : -1;
    double decay = k * f - sign * g, slides = decay > 0 ? fabs(u) / decay : INFINITY;
    bool can_roll = f * k >= g * (1 - 1e-15); /* the friction of rolling is g / k */
    double t = fmin(T, slides), a = g - sign * f, alpha = sign * f * (k - 1) / R;
    course_of out = {s.x + s.v * t + 0.5 * a * t * t, s.v + a * t, s.w + alpha * t};
    t = T - t;
    if (!(t > 0))
        return out;
    a = can_roll ? g * (1 - 1 / k) : g - f, alpha = can_roll ? a / R : f * (k - 1) / R;
    out.x += out.v * t + 0.5 * a * t * t;
    out.v += a * t;
    out.w += alpha * t;
    return out;
}

static void check(double angle, double mu, double share, course_of s, double T)
{
    const double R = 0.13, m = 0.6;
    carom_vec3 down = vec(cos(angle), 0, -sin(angle)), n = vec(sin(angle), 0, cos(angle));
    carom_scene_body bodies[2] = {
        ball(m, R, carom_vec3_add(carom_vec3_scale(R, n), carom_vec3_scale(s.x, down)), carom_vec3_scale(s.v, down)),
        half_space(n, 0)};
    double I = share * m * R * R;
    bodies[0].def.inertia = (carom_sym3){I, 0, 0, I, 0, I};
    bodies[0].def.omega = vec(0, s.w, 0); /* rolling down turns about y */
    carom_scene scene = scene_of(bodies, 2, "routh-stronge", 0, mu);
    scene.gravity = vec(0, 0, -G);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(carom_sim_to_time(sim, T), CAROM_STATUS_OK);
    course_of want = closed_form(angle, mu, 1 + 1 / share, R, s, T);
    carom_sim_state now = carom_sim_body(sim, 0);
    double size = 1 + fabs(s.v) + fabs(R * s.w) + G * T;
    assert_near(carom_vec3_dot(now.position, down), want.x, 1e-13 * size * (1 + T));
    assert_near(carom_vec3_dot(now.velocity, down), want.v, 1e-13 * size);
    assert_near(now.omega.y, want.w, 1e-12 * size / R);
    assert_near(carom_vec3_dot(now.position, n), R, 1e-14 * size * (1 + T));
    carom_sim_free(sim);
}

static void test_slopes(void **state)
{
    (void)state;
    dice d = {321};
    for (int n = 0; n < 200; n++) {
        double angle = n % 4 ? dice_between(&d, 0.05, 1) : 0, share = dice_between(&d, 0.2, 0.66);
        double mu = n % 5 ? dice_between(&d, 0.02, 1) : 0.9 * tan(angle) / (1 + 1 / share);
        course_of s = {dice_between(&d, -1, 1), dice_between(&d, -3, 3), dice_between(&d, -30, 30)};
        double k = 1 + 1 / share, T = dice_between(&d, 0.01, 3);
        bool slips_on = mu * G * cos(angle) * k < G * sin(angle), turns = s.v - 0.13 * s.w < 0 && slips_on;
        if (!turns) /* a slip up the slope that turns round has three parts; test_sim_onset.c has such a course */
            check(angle, mu, share, s, T);
    }
}

/* From rest: rolls where friction holds, slips on where it does not. */
static void test_from_rest(void **state)
{
    (void)state;
    for (int n = 0; n < 20; n++) {
        double angle = 0.1 + 0.05 * n, share = 0.4, least = tan(angle) / (1 + 1 / share);
        check(angle, 1.001 * least, share, (course_of){0, 0, 0}, 1.7);
        check(angle, 0.999 * least, share, (course_of){0, 0, 0}, 1.7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_from_rest),
    };
    return cmocka_run_group_tests_name("ball_on_plane", tests, NULL, NULL);
}
