/* Morgan's double pendulum: two bars hang from a pin, the tip falls on the floor and bounces until it rests. Between
 * impacts the bars swing freely; each impact is resolved with Coulomb friction and Stronge's restitution. */
#include <carom/carom.h>
#include <stdio.h>
#include <string.h>

enum { BARS = 2, IMPACTS = 200 };

static const double FLOOR = -1.3;
static const carom_vec3 TIP = {1, 0, 0}, UP = {0, 1, 0};

static double height_of_tip(void *context, const carom_motion *motion)
{
    (void)context;
    return carom_motion_point(motion, BARS - 1, TIP).y - FLOOR;
}

/* A slender bar of 1 kg and 1 m, hinged at its end. */
static carom_link_def bar(int parent)
{
    carom_link_def def = carom_link_def_default();
    def.parent = parent;
    def.origin.x = parent == CAROM_WORLD ? 0 : 1;
    def.com.x = 0.5;
    def.inertia = (carom_sym3){0, 0, 0, 1.0 / 12, 0, 1.0 / 12};
    return def;
}

/* The tip is on the floor: resolve the impact and print a line. Returns the kinetic energy left. */
static double strike(carom_motion *motion, const carom_rule *rule, double time, int *seen)
{
    static const char *const paths[] = {"a-b-e", "a-c-e", "a-c-d-e"};
    carom_touch touch;
    carom_problem problem;
    carom_outcome out;
    if (carom_touch_init(motion, BARS - 1, TIP, UP, &touch) || carom_touch_reduce(&touch, &problem) ||
        carom_status_is_error(carom_solve(&problem, rule, NULL, &out)))
        return 0;
    carom_touch_apply(&touch, out.p);
    double left = carom_motion_kinetic(motion);
    for (int i = 0; i < 3; i++)
        seen[i] += out.phases.path && strcmp(out.phases.path, paths[i]) == 0;
    printf("%7.4f  %-8s %10.4g %10.4g %10.4g %10.4g %10.4g\n", time, out.phases.path, problem.u.t1, problem.u.n,
           out.u_after.t1, out.u_after.n, left);
    return left;
}

int main(void)
{
    carom_link_def defs[BARS] = {bar(CAROM_WORLD), bar(0)};
    carom_link links[BARS];
    carom_mechanism pendulum;
    if (carom_mechanism_init(defs, BARS, links, &pendulum))
        return 1;
    pendulum.gravity.y = -9.81;

    double q[BARS] = {-0.3, 0.3}, qdot[BARS] = {0, 0}, work[CAROM_FLIGHT_WORK(BARS, BARS)];
    carom_link_state states[BARS];
    carom_freedom freedoms[BARS];
    carom_motion motion = {&pendulum, q, qdot, states, freedoms, -1};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = 0.6;
    rule.coeffs.mu = 0.8;

    carom_flight flight = carom_flight_default();
    flight.work = work;
    flight.gap = height_of_tip;
    int seen[3] = {0, 0, 0}, impacts = 0;
    printf("   time  path            u_t        u_n  u_t after  u_n after     energy\n");
    for (double left = 1; left > 1e-9 && impacts < IMPACTS; impacts++) {
        flight.until = flight.time + 10;
        flight.step = 0;
        if (carom_motion_advance(&motion, &flight) || !flight.hit)
            return 1;
        left = strike(&motion, &rule, flight.time, seen);
    }
    printf("at rest after %d impacts: a-b-e %d, a-c-e %d, a-c-d-e %d\n", impacts, seen[0], seen[1], seen[2]);
    printf("angles %.4f and %.4f rad\n", q[0], q[1]);
    return 0;
}
