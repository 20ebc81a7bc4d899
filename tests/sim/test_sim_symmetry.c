/* Generated scenes turned, moved, mirrored, in other units and in another order: the runs are turned, moved, ... too,
 * to 1e-9 of the size, up to a few events: before what is unstable makes rounding visible.
 *
 * CAROM_GENERATED=N takes N scenes of each class instead of one, and prints the largest difference of each class;
 * CAROM_GENERATED_CLASS=K only class K. */
#include <stdio.h>

#include "core/rotate.h"
#include "sim/generated_classes.h"

#define SAME_TOL 1e-9 /* of lengths of 1 m and of speeds of 1 m/s */
enum { EVENTS = 12 };
#define UNTIL 0.4 /* s */

/* x -> scale R x + by, with R a rotation, or the mirror y -> -y; times, masses and orders likewise. */
typedef struct change {
    const char *check;
    carom_quat q, q_space; /* in the plane, in space */
    carom_vec3 by;
    double length, time, mass;
    bool mirror, reverse;
} change;

static carom_vec3 mirrored(carom_vec3 v, bool mirror)
{
    return mirror ? vec(v.x, -v.y, v.z) : v;
}

/* A vector; an axial one (angular velocities) has another sign in a mirror. */
static carom_vec3 turned_by(const change *c, carom_vec3 v, bool axial)
{
    carom_vec3 m = c->mirror && axial ? vec(-v.x, v.y, -v.z) : mirrored(v, c->mirror);
    return quat_turn(c->q, m);
}

static carom_quat turn_of(const change *c, carom_quat q)
{
    carom_quat m = c->mirror ? (carom_quat){q.w, -q.x, q.y, -q.z} : q;
    return quat_multiply(c->q, m);
}

static void change_solid(const change *c, carom_solid *s, carom_vec3 points[HULL_POINTS])
{
    for (int k = 0; k < 3; k++)
        s->shape.size[k] *= c->length;
    for (int k = 0; k < s->point_count; k++)
        points[k] = carom_vec3_scale(c->length, mirrored(s->points[k], c->mirror));
    if (s->point_count)
        s->points = points;
    s->normal = turned_by(c, s->normal, false);
    s->offset = c->length * s->offset + carom_vec3_dot(s->normal, c->by);
}

static void change_def(const change *c, carom_body_def *d)
{
    double inertia = c->mass * c->length * c->length, sign = c->mirror ? -1 : 1;
    carom_sym3 I = d->inertia;
    d->position = carom_vec3_add(carom_vec3_scale(c->length, turned_by(c, d->position, false)), c->by);
    d->velocity = carom_vec3_scale(c->length / c->time, turned_by(c, d->velocity, false));
    d->omega = carom_vec3_scale(1 / c->time, turned_by(c, d->omega, true));
    d->orientation = turn_of(c, d->orientation);
    d->mass *= c->mass;
    d->inertia = (carom_sym3){inertia * I.xx, sign * inertia * I.xy, inertia * I.xz,
                              inertia * I.yy, sign * inertia * I.yz, inertia * I.zz};
}

static int place_of(const change *c, int count, int k)
{
    return c->reverse && k >= 0 ? count - 1 - k : k;
}

static carom_scene change_scene(const change *c, const generated *from, const carom_scene *s, generated *to)
{
    carom_scene out = *s;
    for (int k = 0; k < from->count; k++) {
        int at = place_of(c, from->count, k);
        to->bodies[at] = from->bodies[k];
        change_solid(c, &to->bodies[at].solid, to->points[at]);
        if (to->bodies[at].solid.kind == CAROM_SOLID_HALF_SPACE)
            continue;
        change_def(c, &to->bodies[at].def);
    }
    for (int k = 0; k < from->joint_count; k++) {
        carom_joint_def *j = &to->joints[k];
        *j = from->joints[k];
        j->point_a = carom_vec3_scale(c->length, mirrored(j->point_a, c->mirror));
        j->point_b = carom_vec3_scale(c->length, mirrored(j->point_b, c->mirror));
        if (j->b == CAROM_WORLD)
            j->point_b = carom_vec3_add(quat_turn(c->q, j->point_b), c->by);
        j->a = place_of(c, from->count, j->a), j->b = place_of(c, from->count, j->b);
    }
    out.bodies = to->bodies;
    out.joints = to->joints;
    out.gravity = carom_vec3_scale(c->length / (c->time * c->time), turned_by(c, s->gravity, false));
    out.resting_time *= c->time, out.step *= c->time;
    out.resting_length *= c->length, out.rolling *= c->length, out.patch *= c->length;
    return out;
}

/* The largest difference of the changed run from what the run becomes when it is changed. */
static double difference(const change *c, const carom_sim *a, const carom_sim *b, const generated *g)
{
    double most = 0;
    int count = g->count;
    for (int k = 0; k < count; k++) {
        if (g->bodies[k].solid.kind ==
            CAROM_SOLID_HALF_SPACE) /* its normal and offset were changed, its body is where it was */
            continue;
        carom_sim_state x = carom_sim_body(a, k), y = carom_sim_body(b, place_of(c, count, k));
        carom_vec3 at = carom_vec3_add(carom_vec3_scale(c->length, turned_by(c, x.position, false)), c->by);
        carom_vec3 v = carom_vec3_scale(c->length / c->time, turned_by(c, x.velocity, false));
        carom_vec3 w = carom_vec3_scale(1 / c->time, turned_by(c, x.omega, true));
        most = fmax(most, carom_vec3_length(carom_vec3_sub(y.position, at)) / c->length);
        most = fmax(most, carom_vec3_length(carom_vec3_sub(y.velocity, v)) * c->time / c->length);
        most = fmax(most, 0.1 * carom_vec3_length(carom_vec3_sub(y.omega, w)) * c->time);
    }
    return most;
}

/* The time at which a run has had its events, or UNTIL. */
static double end_of(carom_sim *sim)
{
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    until.time = UNTIL;
    until.events = EVENTS;
    assert_int_equal(carom_sim_advance(sim, &until, &stop), CAROM_STATUS_OK);
    return carom_sim_time(sim);
}

static double compare(const change *c, int class, int number)
{
    generated g, h;
    carom_scene scene = generate(&g, class, number);
    change own = *c;
    if (g.dim == 3)
        own.q = c->q_space;
    carom_scene other = change_scene(&own, &g, &scene, &h);
    carom_sim *a = sim_of(&scene), *b = sim_of(&other);
    double end = end_of(a), next = fmin(carom_sim_next(a), UNTIL), t = 0.5 * (end + next); /* between events */
    double found = INFINITY;
    if (carom_sim_to_time(a, t) == CAROM_STATUS_OK && carom_sim_to_time(b, t * c->time) == CAROM_STATUS_OK)
        found = difference(&own, a, b, &g);
    carom_sim_free(a);
    carom_sim_free(b);
    return found;
}

static int setting(const char *name, int usual)
{
    const char *text = getenv(name);
    return text ? (int)strtol(text, NULL, 10) : usual;
}

static int check(const change *c)
{
    int bad = 0, count = setting("CAROM_GENERATED", 0), only = setting("CAROM_GENERATED_CLASS", -1);
    for (int class = 0; class < SCENE_CLASSES; class ++) {
        double most = 0;
        const known_violation *why = known(class, c->check);
        int scenes = only >= 0 && only != class ? 0 : count ? count : scene_classes[class].quick > 0;
        for (int k = 0; k < scenes; k++) {
            double found = compare(c, class, k);
            if (!(found <= SAME_TOL))
                printf("%s, scene %d, %s: differs by %.1e%s%s\n", scene_classes[class].name, k, c->check, found,
                       why ? "; known: " : "", why ? why->reason : "");
            most = fmax(most, found);
        }
        if (count && scenes)
            printf("%-16s %-8s %8.1e\n", scene_classes[class].name, c->check, most);
        bad += !(most <= SAME_TOL) && !why;
    }
    return bad;
}

static const carom_quat straight = {1, 0, 0, 0};

static void test_turned(void **state)
{
    (void)state;
    carom_quat tilted = quat_multiply(quat_about(vec(0.6, 0, 0.8), 2.3), quat_about(vec(0, 1, 0), 0.9));
    change c = {"turned", quat_about(vec(0, 0, 1), 1.1), tilted, {0.7, -0.3, 0}, 1, 1, 1, false, false};
    assert_int_equal(check(&c), 0);
}

static void test_mirrored(void **state)
{
    (void)state;
    change c = {"mirrored", straight, straight, {0, 0, 0}, 1, 1, 1, true, false};
    assert_int_equal(check(&c), 0);
}

static void test_scaled(void **state)
{
    (void)state;
    change c = {"scaled", straight, straight, {0, 0, 0}, 0.25, 2, 8, false, false};
    assert_int_equal(check(&c), 0);
}

static void test_ordered(void **state)
{
    (void)state;
    change c = {"ordered", straight, straight, {0, 0, 0}, 1, 1, 1, false, true};
    assert_int_equal(check(&c), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_mirrored),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_ordered),
    };
    return cmocka_run_group_tests_name("sim_symmetry", tests, NULL, NULL);
}
