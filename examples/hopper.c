/* A passive hopper: a body on a leg that slides in it between two stops, no motor and no spring. It is thrown forward
 * and lands on its foot; body and leg then strike each other at the stops, and what hops is what the impacts give back.
 */
#include <carom/carom.h>
#include <stdio.h>

enum { TRACK, BODY, LEG, LINKS, N = 3 };         /* the track has no mass: it only lets the body move along x */
enum { FLOOR, LONG_STOP, SHORT_STOP, CONTACTS }; /* foot on the floor; leg fully out; leg fully in */

static const double STROKE = 0.12;
static const carom_vec3 FOOT = {0, -0.5, 0};

/* How far each contact is from closing. */
static double gap_of(const carom_motion *motion, int contact)
{
    double out = motion->q[LEG];
    if (contact == FLOOR)
        return carom_motion_point(motion, LEG, FOOT).y;
    return contact == LONG_STOP ? out : STROKE - out;
}

static int nearest(const carom_motion *motion)
{
    int found = 0;
    for (int i = 1; i < CONTACTS; i++)
        if (gap_of(motion, i) < gap_of(motion, found))
            found = i;
    return found;
}

static double smallest_gap(void *context, const carom_motion *motion)
{
    (void)context;
    return gap_of(motion, nearest(motion));
}

static carom_status build(carom_link *links, carom_mechanism *hopper)
{
    carom_link_def defs[LINKS];
    for (int i = 0; i < LINKS; i++) {
        defs[i] = carom_link_def_default();
        defs[i].parent = i - 1;
        defs[i].joint = CAROM_JOINT_PRISMATIC;
        defs[i].axis = i == TRACK ? carom_vec3_make(1, 0, 0) : carom_vec3_make(0, 1, 0);
    }
    defs[TRACK].mass = 0;
    defs[TRACK].inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
    defs[BODY].mass = 4;
    defs[LEG].mass = 1;
    carom_status status = carom_mechanism_init(defs, LINKS, links, hopper);
    hopper->gravity.y = -9.81;
    return status;
}

/* The leg strikes the floor, or the body from one side or the other. */
static carom_status strike(carom_motion *motion, int contact, const carom_rule *rule, carom_outcome *out)
{
    carom_vec3 normal = {0, contact == SHORT_STOP ? -1 : 1, 0};
    carom_touch touch;
    carom_problem problem;
    carom_status status = carom_touch_init(motion, LEG, FOOT, normal, &touch);
    if (contact != FLOOR) {
        touch.b = motion;
        touch.link_b = BODY;
    }
    if (!status)
        status = carom_touch_reduce(&touch, &problem);
    if (!status)
        status = carom_solve(&problem, rule, NULL, out);
    if (!carom_status_is_error(status))
        carom_touch_apply(&touch, out->p);
    return status;
}

int main(void)
{
    static const char *const names[CONTACTS] = {"foot on the floor", "leg out", "leg in"};
    carom_link links[LINKS];
    carom_mechanism hopper;
    if (build(links, &hopper))
        return 1;
    double q[N] = {0, 0.8, 0.01}, qdot[N] = {1.2, 0, 0}, work[CAROM_FLIGHT_WORK(N, N)];
    carom_link_state states[LINKS];
    carom_freedom freedoms[N];
    carom_motion motion = {&hopper, q, qdot, states, freedoms, -1};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = 0.8;
    rule.coeffs.mu = 0.1;

    carom_flight flight = carom_flight_default();
    flight.work = work;
    flight.gap = smallest_gap;
    printf("   time  what                    x   body      speeds (x, body, leg)  impulse (t, n)      lost\n");
    for (int i = 0; i < 16; i++) {
        carom_outcome out;
        flight.until = flight.time + 2;
        flight.step = 0;
        if (carom_motion_advance(&motion, &flight) || !flight.hit)
            return 1;
        int contact = nearest(&motion);
        if (strike(&motion, contact, &rule, &out))
            return 1;
        printf("%7.4f  %-18s %6.3f %6.3f   %7.3f %7.3f %7.3f  %7.3f %7.3f  %7.3f J\n", flight.time, names[contact],
               q[0], q[1], qdot[0], qdot[1], qdot[1] + qdot[2], out.p.t1, out.p.n, -out.energy.change);
    }
    return 0;
}
