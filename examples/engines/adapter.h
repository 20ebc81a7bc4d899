/* What every adapter shares: two bodies of an engine and a touching point become one impact, a law of Carom resolves
 * it, and the velocities go back. Copy this file and the adapter of your engine.
 *
 * Two things an engine that steps in time must be told:
 *
 *   gravity     the engine adds g h to the velocity after the impact and moves the body with the sum. Give it back
 *               (adapter_after), or every bounce loses energy: then a ball with e = 1 retraces its steps exactly.
 *   rest        an approach slower than rest_speed is left to the engine, which keeps resting contacts closed. */
#ifndef CAROM_EXAMPLES_ENGINES_ADAPTER_H
#define CAROM_EXAMPLES_ENGINES_ADAPTER_H

#include <carom/carom.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct adapter {
    carom_rule rule;
    double rest_speed;
    long impacts;
    double energy; /* change of kinetic energy by all impacts */
} adapter;

static inline adapter adapter_make(const char *law, double e, double mu)
{
    adapter w = {carom_rule_default(carom_law_find(law)), 1e-3, 0, 0};
    w.rule.coeffs.e = e;
    w.rule.coeffs.mu = mu;
    return w;
}

/* A body that can move, in world axes. A planar engine fills the diagonal of the inertia with its one moment. */
static inline carom_body adapter_body(double mass, carom_sym3 inertia, carom_vec3 velocity, carom_vec3 omega)
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    def.mass = mass;
    def.inertia = inertia;
    def.velocity = velocity;
    def.omega = omega;
    def.unphysical = true; /* engines accept any inertia */
    if (carom_body_init(&def, &body))
        fprintf(stderr, "carom: a body of the engine has no mass\n");
    return body;
}

static inline carom_sym3 adapter_planar_inertia(double moment)
{
    carom_sym3 inertia = {moment, 0, 0, moment, 0, moment};
    return inertia;
}

static inline carom_body adapter_ground(void)
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    def.fixed = true;
    if (carom_body_init(&def, &body))
        fprintf(stderr, "carom: the ground is refused\n");
    return body;
}

/* The impact of a and b, which touch with this normal, from B to A. True when it happened: the velocities of a and b
 * are those after it. False when the bodies separate, rest, or the law refuses: the engine goes on. */
static inline bool adapter_hit(adapter *w, carom_body *a, carom_body *b, carom_vec3 arm_a, carom_vec3 arm_b,
                               carom_vec3 normal)
{
    carom_contact contact;
    carom_problem problem;
    carom_outcome out;
    if (carom_contact_init(arm_a, arm_b, normal, &contact) || carom_bodies_reduce(a, b, &contact, &problem))
        return false;
    if (problem.u.n > -w->rest_speed || carom_solve(&problem, &w->rule, NULL, &out) != CAROM_STATUS_OK)
        return false;
    carom_bodies_apply(&contact, out.p, a, b);
    w->impacts++;
    w->energy += out.energy.change;
    return true;
}

/* The velocity that an engine must be given so that it moves the body with v after it has added g h. */
static inline carom_vec3 adapter_after(carom_vec3 v, carom_vec3 g, double h)
{
    return carom_vec3_make(v.x - g.x * h, v.y - g.y * h, v.z - g.z * h);
}

/* ---- the two tests of every adapter ---- */

/* A rod of length 2 and mass 1 at 45 degrees; its lower end, at (-a, -a) from the centre, hits the ground with
 * v = (3, -5), e = 0.5, mu = 0.4. Its slip stops and turns during the impact. The plane is x and "up". */
#define ROD_ARM     0.70710678118654752440
#define ROD_INERTIA (1.0 / 3)
#define ROD_E       0.5
#define ROD_MU      0.4

typedef struct rod_motion {
    double x, up, turn; /* velocity of the centre, and spin from x towards up */
} rod_motion;

static inline rod_motion rod_before(void)
{
    rod_motion v = {3, -5, 0};
    return v;
}

/* What the law says, without an engine. */
static inline rod_motion rod_exact(const char *law)
{
    adapter w = adapter_make(law, ROD_E, ROD_MU);
    carom_body rod = adapter_body(1, adapter_planar_inertia(ROD_INERTIA), carom_vec3_make(3, -5, 0),
                                  carom_vec3_make(0, 0, 0)),
               ground = adapter_ground();
    adapter_hit(&w, &rod, &ground, carom_vec3_make(-ROD_ARM, -ROD_ARM, 0), carom_vec3_make(0, 0, 0),
                carom_vec3_make(0, 1, 0));
    rod_motion v = {rod.velocity.x, rod.velocity.y, rod.omega.z};
    return v;
}

static inline void rod_print(const char *who, rod_motion v)
{
    printf("%-24s v (%9.6f, %9.6f)   omega %9.6f\n", who, v.x, v.up, v.turn);
}

/* The three answers side by side. Zero when the engine with Carom agrees with the law to its own precision. */
static inline int rod_report(const char *engine, rod_motion itself, rod_motion with_carom, double tolerance)
{
    rod_motion exact = rod_exact("routh-stronge");
    double off =
        fmax(fabs(with_carom.x - exact.x), fmax(fabs(with_carom.up - exact.up), fabs(with_carom.turn - exact.turn)));
    char line[64];
    printf("rod whose slip reverses, e 0.5, mu 0.4\n");
    rod_print(engine, itself);
    snprintf(line, sizeof line, "%s + carom", engine);
    rod_print(line, with_carom);
    rod_print("routh-stronge", exact);
    return off <= tolerance ? 0 : (printf("differs by %g\n", off), 1);
}

/* A ball with e = 1 from 1 m, for 60 s: where its bounces reach. */
typedef struct apexes {
    double last_up, last_speed, least, most;
    int count;
} apexes;

static inline apexes apexes_make(void)
{
    apexes a = {1, 0, 1, 1, 0};
    return a;
}

static inline void apexes_see(apexes *a, double up, double speed)
{
    if (a->last_speed > 0 && speed <= 0) {
        double top = fmax(up, a->last_up);
        a->least = fmin(a->least, top);
        a->most = fmax(a->most, top);
        a->count++;
    }
    a->last_up = up;
    a->last_speed = speed;
}

static inline void apexes_print(const char *who, const apexes *a)
{
    if (a->count > 0)
        printf("%-24s %.4f to %.4f m, %d times\n", who, a->least, a->most, a->count);
    else
        printf("%-24s nothing: it does not bounce\n", who);
}

/* Zero when the engine with Carom keeps the height. */
static inline int apexes_report(const char *engine, apexes itself, apexes with_carom)
{
    char line[64];
    snprintf(line, sizeof line, "%s + carom", engine);
    printf("ball from 1 m, e 1, 60 s: bounces reach\n");
    apexes_print(engine, &itself);
    apexes_print(line, &with_carom);
    bool kept = fabs(with_carom.least - 1) < 5e-5 && fabs(with_carom.most - 1) < 5e-5;
    return kept && with_carom.count >= 60 ? 0 : 1;
}

#endif
