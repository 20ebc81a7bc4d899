/* Modes of closed contacts: open, stick, slip, or begin to slip. */
#include "sim/rest/contensou.h"
#include "sim/rest/ride_balance.h"
#include "sim/rest/ride_equations.h"

enum { CHOICES = 64 };

/* The mass, times the square of the size, over the smallest moment of inertia. */
static double concentration(const ride *r, int m)
{
    const ride_body *b = &r->m[m];
    double R = member_radius(r, m), inv = b->inv_inertia.zz;
    if (!r->planar)
        inv = max(inv, max(b->inv_inertia.xx, b->inv_inertia.yy));
    return b->mass * R * R * inv;
}

double onset_speed(const ride *r)
{
    return 0.01 * SMALL_SHARE * sqrt(r->strength * ride_size(r)); /* a slip that begins */
}

double rest_speed(const ride *r)
{
    return ROUND_SPEED * sqrt(r->strength * ride_radius(r));
}

/* Rounding of a velocity of contact that impulses have made zero, against the speeds of the body: K times the mass. */
static double slip_zero(const ride *r, int m, const double *y)
{
    y += STATE * m;
    return max(ROUND_SPEED, 64 * EPS * concentration(r, m)) *
           (carom_vec3_length(vec_at(y + 7)) + member_radius(r, m) * carom_vec3_length(vec_at(y + 10)));
}

/* Slip or not, from the velocities; where contacts close, a slip that friction ends within the resting time does not
 * count. */
void first_modes(ride *r, const double *y)
{
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_vec3 u = slip_velocity(r, k, y);
        double slip = carom_vec3_length(u);
        double speed = slip_zero(r, c->a, y) + (c->b < 0 ? 0 : slip_zero(r, c->b, y));
        double ending = r->closing ? c->mu * r->strength * r->sim->scene->resting_time : 0;
        bool begins = c->onset && !r->planar && !r->resists && slip <= onset_speed(r) && !r->closing;
        c->mode = !(slip > speed + rest_speed(r) + ending) ? RIDE_STICK : begins ? RIDE_ONSET : RIDE_SLIP;
        c->slip = slip > 0 ? carom_vec3_scale(1 / slip, u) : c->t1;
        c->jams = false;
        c->pivots = false;
        if (has_patch(c))
            patch_first(r, k, y, speed + rest_speed(r) + ending);
        if (r->resists)
            turn_first(r, k, y, speed + rest_speed(r));
    }
}

/* By how much contact k, which sticks, exceeds its friction. */
static double stick_excess(const ride *r, int k)
{
    const ride_contact *c = &r->c[k];
    double size = sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1]);
    return has_patch(c) ? -patch_margin(r, k, NULL) : size - c->mu_s * c->force[2];
}

/* The sticking contact that exceeds its friction most; -1: none. One that jams holds by an impulse. */
static int worst_stick(const ride *r, double weight)
{
    int worst = -1;
    double most = ROUND_SPEED * weight;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_STICK && !r->c[k].jams && stick_excess(r, k) > most)
            most = stick_excess(r, k), worst = k;
    return worst;
}

static int worst_pull(const ride *r, double weight)
{
    int worst = -1;
    double most = ROUND_SPEED * weight;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode != RIDE_OPEN && !r->c[k].jams && -r->c[k].force[2] > most)
            most = -r->c[k].force[2], worst = k;
    return worst;
}

static int worst_fall(const ride *r, const carom_vec3 *a)
{
    int worst = -1;
    double most = ROUND_SPEED * r->strength;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_OPEN && -carom_vec3_dot(r->c[k].n, a[k]) > most)
            most = -carom_vec3_dot(r->c[k].n, a[k]), worst = k;
    return worst;
}

/* The largest response of a contact to a force along one of its tangents. */
static double yielding(const ride *r, const dynamics *d, int k)
{
    const carom_vec3 axis[2] = {r->c[k].t1, r->c[k].t2};
    double most = 0;
    for (int m = 0; m < 2; m++) {
        row own = {.contact = k, .force = axis[m], .keep = axis[m]};
        most = max(most, own_response(r, d, &own));
    }
    return most;
}

/* A slip that begins goes where it is accelerated to: against the force that would stop it, of which friction gives a
 * part. Where it gives nearly all, the acceleration has no digits, and this force has them. */
static bool follow_onsets(ride *r, const double *y, const carom_vec3 *a)
{
    arena_mark mark = arena_now(r->arena);
    dynamics d;
    bool turned = false;
    start_dynamics(r, y, &d);
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_vec3 t = carom_vec3_sub(a[k], carom_vec3_scale(carom_vec3_dot(a[k], c->n), c->n));
        if (c->mode != RIDE_ONSET || has_patch(c) || !(carom_vec3_length(t) > 0))
            continue;
        t = carom_vec3_add(carom_vec3_scale(1 / yielding(r, &d, k), t), carom_vec3_scale(c->mu * c->force[2], c->slip));
        carom_vec3 next = carom_vec3_scale(1 / carom_vec3_length(t), t);
        /* a digit better than the direction is read */
        turned |= carom_vec3_length(carom_vec3_sub(next, c->slip)) > 0.1 * ROUND_SPEED;
        c->slip = next;
    }
    arena_back(r->arena, mark);
    return turned;
}

/* Do the modes hold as they are: no contact pulls, none that sticks needs more friction than it has, and none that is
 * open is pressed? */
static bool modes_hold(ride *r, const double *y, double *f, carom_vec3 *a)
{
    double weight = r->mass * r->strength;
    ride_rates(r, y, f, a);
    return worst_pull(r, weight) < 0 && worst_stick(r, weight) < 0 && worst_fall(r, a) < 0;
}

/* Begin to slip against the force that would hold contact k. */
static void point_yield(ride *r, int k)
{
    ride_contact *c = &r->c[k];
    carom_vec3 t = carom_vec3_add(carom_vec3_scale(-c->force[0], c->t1), carom_vec3_scale(-c->force[1], c->t2));
    c->slip = carom_vec3_scale(1 / carom_vec3_length(t), t);
    c->mode = c->mu < NEVER_SLIPS ? RIDE_ONSET : RIDE_OPEN;
}

static const ride_contact *other_foot(const ride *r, int k)
{
    for (int i = 0; i < r->count; i++)
        if (i != k && r->c[i].a == r->c[k].a && r->c[i].ground == r->c[k].ground && r->c[i].mode != RIDE_OPEN)
            return &r->c[i];
    return NULL;
}

/* Feet that the choice has opened on its way, though the others of their face hold them down, bear their part again. */
static bool close_held(ride *r, const carom_vec3 *a)
{
    bool found = false;
    for (int k = 0; k < r->count && !r->resists; k++) {
        ride_contact *c = &r->c[k];
        const ride_contact *next = other_foot(r, k);
        if (c->mode != RIDE_OPEN || c->jams || !next || fabs(carom_vec3_dot(c->n, a[k])) > ROUND_SPEED * r->strength)
            continue;
        c->mode = next->mode;
        c->slip = next->slip;
        found = true;
    }
    return found;
}

static void choose_modes(ride *r, const double *y, double *f, carom_vec3 *a)
{
    double weight = r->mass * r->strength;
    bool held = false;
    ride_aim(r, y);
    first_modes(r, y);
    if (!r->resists && !any_jams(r, y) && modes_hold(r, y, f, a))
        return;
    if (!r->resists && ride_balance(r, y)) {
        ride_rates(r, y, f, a);
        if (worst_fall(r, a) < 0)
            return;
        first_modes(r, y);
    }
    any_jams(r, y);
    for (int k = 0; k < r->count; k++)
        r->c[k].mode = r->c[k].jams ? RIDE_OPEN : r->c[k].mode;
    for (int step = 0; step < CHOICES; step++) {
        ride_rates(r, y, f, a);
        int k = worst_pull(r, weight);
        if (k >= 0) {
            r->c[k].mode = RIDE_OPEN;
            continue;
        }
        k = worst_stick(r, weight);
        if (k >= 0) {
            (has_patch(&r->c[k]) ? patch_yield : point_yield)(r, k);
            continue;
        }
        k = worst_fall(r, a);
        if (k >= 0 && step < CHOICES / 2) {
            r->c[k].mode = patch_mode(r, k);
            continue;
        }
        bool turned = r->resists && turn_choose(r, f, weight * ride_size(r));
        turned |= r->resists && (patch_creep(r, ROUND_SPEED * weight) || patch_follow(r, y, f, a));
        if (follow_onsets(r, y, a) || turned)
            continue;
        if (held || !close_held(r, a))
            return;
        held = true;
    }
}

void ride_choose(ride *r, const double *y, double *f)
{
    arena_mark mark = arena_now(r->arena);
    choose_modes(r, y, f, TAKE(r->arena, carom_vec3, r->count));
    arena_back(r->arena, mark);
}
