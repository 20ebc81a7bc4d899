/* The equations of force_point.h as recurrences of Taylor coefficients. */
#include <string.h>

#include "carom/elementary.h"
#include "laws/force/force_point.h"

/* ---- the normal element (1) ---- */

static double one_plus_damping(const force_point *P, int k)
{
    return (k == 0) - P->normal.a * P->core.v[2][k];
}

/* F_n = share y, share = gain y^(2m-1) (1 + a x'), x = dent + y^2. */
static void power_force(force_point *P, int k)
{
    force_core *c = &P->core;
    const bool hertz = P->normal.exponent == 1.5;
    const double depth = series_product(P->y, P->y, k);
    c->x[k] = depth + P->dent[k];
    P->power[k] = hertz ? P->gain * depth : series_power(P->y, 2 * P->normal.exponent - 1, P->power, k);
    P->damp[k] = one_plus_damping(P, k);
    P->share[k] = P->normal.a > 0 ? series_product(P->power, P->damp, k) : P->power[k];
    c->F[2][k] = series_product(P->share, P->y, k);
}

static void normal_force(force_point *P, int k)
{
    force_core *c = &P->core;
    if (P->branch == BRANCH_GAP)
        c->F[2][k] = 0;
    else if (P->clock == FORCE_CLOCK_ROOT)
        power_force(P, k);
    else if (force_on_power(P)) {
        P->damp[k] = one_plus_damping(P, k);
        c->F[2][k] = P->normal.a > 0 ? series_product(c->x, P->damp, k) : c->x[k];
    } else
        c->F[2][k] = P->slope * (c->x[k] - P->dent[k]) - P->normal.c * c->v[2][k];
}

/* ---- the tangential element (2) to (6) ---- */

static void stick_force(force_point *P, int i, int k)
{
    P->core.F[i][k] = -(P->tangent.k * P->s[i][k] + P->tangent.c * P->core.v[i][k]);
}

static void dry_force(force_point *P, int k)
{
    force_core *c = &P->core;
    const double *f = c->F[2], mu = P->tangent.mu;
    if (c->planar) {
        c->F[0][k] = -mu * P->side * f[k];
        return;
    }
    c->F[0][k] = -mu * series_product(f, P->d[0], k);
    c->F[1][k] = -mu * series_product(f, P->d[1], k);
}

static void damped_force(force_point *P, int k)
{
    force_core *c = &P->core;
    const int tangents = c->planar ? 1 : 2;
    const double mu = P->tangent.mu;
    P->square[k] = 0;
    for (int i = 0; i < tangents; i++)
        P->stuck[i][k] = -(P->tangent.k * P->s[i][k] + P->tangent.c * c->v[i][k]);
    if (c->planar) {
        P->size[k] = P->side * P->stuck[0][k];
        c->F[0][k] = mu * P->side * c->F[2][k];
        return;
    }
    for (int i = 0; i < tangents; i++)
        P->square[k] += series_product(P->stuck[i], P->stuck[i], k);
    P->size[k] = series_sqrt(P->square, P->size, k);
    for (int i = 0; i < tangents; i++) {
        P->unit[i][k] = series_quotient(P->stuck[i], P->size, P->unit[i], k);
        c->F[i][k] = mu * series_product(c->F[2], P->unit[i], k);
    }
}

/* (10) with theta' of the sweep before. */
static void next_lag(force_point *P)
{
    const force_core *c = &P->core;
    const double *load = P->clock == FORCE_CLOCK_ROOT ? P->share : c->F[2]; /* F_n / g */
    force_series turn, rise[2], ratio;
    for (int k = 0; k < FORCE_ORDER; k++)
        for (int i = 0; i < 2; i++)
            rise[i][k] = (k + 1) * P->d[i][k + 1];
    for (int k = 0; k < FORCE_ORDER; k++) {
        turn[k] = series_product(P->d[0], rise[1], k) - series_product(P->d[1], rise[0], k);
        ratio[k] = series_quotient(load, P->size, ratio, k);
    }
    for (int k = 0; k < FORCE_ORDER; k++)
        P->lag[k] = -P->tangent.mu / P->tangent.k * series_product(ratio, turn, k);
    P->lag[FORCE_ORDER] = 0;
}

/* d from the direction of v_t and the lag as it is known. */
static void led_force(force_point *P, int k)
{
    force_core *c = &P->core;
    const double mu = P->tangent.mu;
    double *n1 = P->unit[0], *n2 = P->unit[1];
    P->square[k] = series_product(c->v[0], c->v[0], k) + series_product(c->v[1], c->v[1], k);
    P->size[k] = series_sqrt(P->square, P->size, k);
    n1[k] = series_quotient(c->v[0], P->size, n1, k);
    n2[k] = series_quotient(c->v[1], P->size, n2, k);
    P->d[0][k] = n1[k] - series_product(P->lag, n2, k);
    P->d[1][k] = n2[k] + series_product(P->lag, n1, k);
    c->F[0][k] = -mu * series_product(c->F[2], P->d[0], k);
    c->F[1][k] = -mu * series_product(c->F[2], P->d[1], k);
}

static void tangential_force(force_point *P, int k)
{
    const int tangents = P->core.planar ? 1 : 2;
    if (P->branch == BRANCH_DRY)
        dry_force(P, k);
    else if (P->branch == BRANCH_LED)
        led_force(P, k);
    else if (P->branch == BRANCH_DAMPED)
        damped_force(P, k);
    else if (P->branch == BRANCH_EASED)
        P->core.F[0][k] = P->tangent.mu * P->side * P->core.F[2][k];
    else
        for (int i = 0; i < tangents; i++)
            if (P->branch == BRANCH_STICK)
                stick_force(P, i, k);
            else
                P->core.F[i][k] = 0;
}

/* ---- the unknowns at order k + 1 ---- */

static void push_springs(force_point *P, int k)
{
    const force_core *c = &P->core;
    const double per = 1.0 / (k + 1);
    for (int i = 0; i < (c->planar ? 1 : 2); i++)
        if (P->branch == BRANCH_STICK)
            P->s[i][k + 1] = force_core_rate(c, c->v[i], k) * per;
        else if (P->branch == BRANCH_DAMPED)
            P->s[i][k + 1] = -(force_core_rate(c, c->F[i], k) + P->tangent.k * force_core_rate(c, P->s[i], k)) *
                             (per / P->tangent.c);
}

static void turn_direction(force_point *P, int k)
{
    const double per = 1.0 / (k + 1);
    P->d[0][k + 1] = -series_product(P->theta, P->d[1], k) * per;
    P->d[1][k + 1] = series_product(P->theta, P->d[0], k) * per;
}

static double across(const force_point *P, int k)
{
    const force_core *c = &P->core;
    return series_product(c->v[1], P->d[0], k) - series_product(c->v[0], P->d[1], k);
}

/* (9) */
static void add_modes(force_point *P, int k)
{
    force_core *c = &P->core;
    for (int j = 0; j < P->vibration.count; j++) {
        const carom_mode *m = &P->vibration.modes[j];
        const double rate = P->vibration.rate[j][k];
        c->v[0][k] += m->phi.t1 * rate;
        c->v[1][k] += m->phi.t2 * rate;
        c->v[2][k] += m->phi.n * rate;
    }
}

/* (3) about F_n = 0, where v_t . d_perp vanishes too: of order k + 1,
 *     mu (f_1 theta_k + ... + f_{k+1} theta_0) = k_t psi_{k+1},   psi_{k+1} = ... - theta_k |v_t| / (k + 1) */
static void push_singular(force_point *P, int k)
{
    force_core *c = &P->core;
    force_core_velocity(c, k + 1);
    add_modes(P, k + 1);
    normal_force(P, k + 1);
    const double *f = c->F[2], mu = P->tangent.mu, k_t = P->tangent.k;
    P->theta[k] = 0;
    turn_direction(P, k);
    double known = k_t * across(P, k + 1);
    for (int j = 0; j < k; j++)
        known -= mu * f[k + 1 - j] * P->theta[j];
    double speed = c->v[0][0] * P->d[0][0] + c->v[1][0] * P->d[1][0];
    P->theta[k] = known / (mu * f[1] + k_t * speed / (k + 1));
    turn_direction(P, k);
}

/* What follows the force with states of its own: the dent, and (9), the modes. */
void force_point_push_states(force_point *P, int k)
{
    const force_core *c = &P->core;
    const double per = 1.0 / (k + 1);
    if (P->normal.flow > 0)
        P->dent[k + 1] = P->normal.flow * force_core_rate(c, c->F[2], k) * per;
    force_vibration *v = &P->vibration;
    for (int j = 0; j < v->count; j++)
        v->z[j][k + 1] = force_core_rate(c, v->rate[j], k);
    for (int j = 0; j < v->count; j++) {
        const carom_mode *m = &v->modes[j];
        const double w = m->omega;
        double drive = m->phi.t1 * force_core_rate(c, c->F[0], k) + m->phi.n * force_core_rate(c, c->F[2], k);
        if (!c->planar)
            drive += m->phi.t2 * force_core_rate(c, c->F[1], k);
        v->rate[j][k + 1] =
            (drive - force_point_drag(P, j, v->z, k + 1) - w * w * force_core_rate(c, v->z[j], k)) * per;
    }
    for (int j = 0; j < v->count; j++)
        v->z[j][k + 1] *= per;
}

/* Lost in the dampers of the modes from here to h. */
static double vibration_loss(const force_point *P, double h)
{
    double sum = 0;
    force_series rate_g, loss, drag;
    for (int j = 0; j < P->vibration.count; j++) {
        loss[0] = 0;
        for (int k = 0; k < FORCE_ORDER; k++) {
            drag[k] = force_point_drag(P, j, P->vibration.rate, k);
            rate_g[k] = force_core_rate(&P->core, P->vibration.rate[j], k);
            loss[k + 1] = series_product(drag, rate_g, k) / (k + 1);
        }
        sum += series_at(loss, h);
    }
    return sum;
}

void force_point_velocity(force_point *P)
{
    force_core_velocity(&P->core, 0);
    add_modes(P, 0);
}

/* ---- what follows from the unknowns: tests and losses ---- */

/* (4) times g; (4) needs F_n one order ahead. */
static void dry_test(force_point *P)
{
    force_core *c = &P->core;
    const double mu = P->tangent.mu, k_t = P->tangent.k;
    for (int k = 0; k < FORCE_ORDER; k++) {
        P->along[k] = c->planar ? P->side * c->v[0][k]
                                : series_product(c->v[0], P->d[0], k) + series_product(c->v[1], P->d[1], k);
        P->test[k] = force_core_rate(c, P->along, k) - mu / k_t * (k + 1) * c->F[2][k + 1];
        c->loss_friction[k + 1] = mu * series_product(c->F[2], P->test, k) / (k + 1);
    }
    P->test[FORCE_ORDER] = 0;
}

static void damped_test(force_point *P)
{
    force_core *c = &P->core;
    const double mu = P->tangent.mu, per_c = 1 / P->tangent.c;
    const int tangents = c->planar ? 1 : 2;
    force_series pull[2], excess_g, pull_g;
    for (int k = 0; k <= FORCE_ORDER; k++)
        P->test[k] = P->size[k] - mu * c->F[2][k];
    for (int k = 0; k < FORCE_ORDER; k++) {
        excess_g[k] = force_core_rate(c, P->test, k);
        c->loss_friction[k + 1] = mu * per_c * series_product(c->F[2], excess_g, k) / (k + 1);
    }
    for (int k = 0; k < FORCE_ORDER; k++)
        c->loss_tangential[k + 1] = 0;
    for (int i = 0; i < tangents; i++)
        for (int k = 0; k < FORCE_ORDER; k++) {
            pull[i][k] = c->F[i][k] + P->tangent.k * P->s[i][k];
            pull_g[k] = force_core_rate(c, pull[i], k);
            c->loss_tangential[k + 1] += per_c * series_product(pull[i], pull_g, k) / (k + 1);
        }
}

/* F_n^2 - |F_t|^2 / mu^2, and the loss of a dashpot that sticks. */
static void stick_test(force_point *P)
{
    force_core *c = &P->core;
    const int tangents = c->planar ? 1 : 2;
    const double per = 1 / P->tangent.mu;
    force_series scaled[2], v_g;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        P->test[k] = series_product(c->F[2], c->F[2], k);
        for (int i = 0; i < tangents; i++) {
            scaled[i][k] = per * c->F[i][k];
            P->test[k] -= series_product(scaled[i], scaled[i], k);
        }
    }
    for (int i = 0; P->tangent.c > 0 && i < tangents; i++)
        for (int k = 0; k < FORCE_ORDER; k++) {
            v_g[k] = force_core_rate(c, c->v[i], k);
            c->loss_tangential[k + 1] =
                (i ? c->loss_tangential[k + 1] : 0) + P->tangent.c * series_product(c->v[i], v_g, k) / (k + 1);
        }
}

static void clear_rates(double *c)
{
    for (int k = 1; k <= FORCE_ORDER; k++)
        c[k] = 0;
}

/* Slip by (3) whose direction changes, but for the first moment. */
static bool turns(const force_point *P)
{
    return P->branch == BRANCH_DRY && !P->core.planar && !P->singular;
}

#define POLE_SLOPE 0.1 /* of K_nn: the least dv_n/dp_n that poles are sought with */

/* While H = dv_n/dp_n keeps its value and c = 0, v_n is a tanh and F_n a sech of tau. */
static pole_map map_of(const force_point *P)
{
    const force_core *c = &P->core;
    const double H = fmax(1 - P->tangent.mu * (c->K.t1n * P->d[0][0] + c->K.t2n * P->d[1][0]), POLE_SLOPE);
    const double f = c->F[2][0], speed = sqrt(P->slope) * fabs(c->v[2][0]), root = sqrt(H * f * f + speed * speed);
    const double theta = carom_log((root + speed) / sqrt(fmax(H * f * f, DBL_MIN)));
    return pole_map_of(sqrt(P->slope) * root, c->v[2][0] > 0 ? theta : -theta);
}

/* Velocities, forces and the clock at order k. F_t of slip that turns is wanted only by modes and traces. */
void force_point_forces(force_point *P, int k)
{
    force_core *c = &P->core;
    force_core_velocity(c, k);
    add_modes(P, k);
    normal_force(P, k);
    if (P->clock == FORCE_CLOCK_FORCE) {
        P->map = k == 0 ? map_of(P) : P->map;
        P->pace[k] = pole_map_rate(&P->map, c->F[2], P->pace, k);
    }
    if (!turns(P) || k == 0 || P->vibration.count > 0 || P->report.tracer)
        tangential_force(P, k);
}

static void expand_once(force_point *P)
{
    force_core *c = &P->core;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        force_point_forces(P, k);
        if (k == FORCE_ORDER)
            break;
        force_core_push(c, k);
        if (P->clock == FORCE_CLOCK_ROOT)
            P->y[k + 1] = -0.5 * c->v[2][k] / (k + 1);
        push_springs(P, k);
        force_point_push_states(P, k);
        if (P->singular)
            push_singular(P, k);
    }
}

void force_point_expand(force_point *P)
{
    P->core.clock = P->clock == FORCE_CLOCK_FORCE ? P->pace : P->clock == FORCE_CLOCK_ROOT ? P->y : NULL;
    if (turns(P)) {
        force_point_expand_turning(P);
        return;
    }
    if (P->branch == BRANCH_LED)
        memset(P->lag, 0, sizeof P->lag);
    expand_once(P);
    for (int i = 0; P->branch == BRANCH_LED && i < P->sweeps; i++) {
        next_lag(P);
        expand_once(P);
    }
    clear_rates(P->core.loss_friction);
    clear_rates(P->core.loss_tangential);
    if (P->branch == BRANCH_DRY || P->branch == BRANCH_LED)
        dry_test(P);
    else if (P->branch == BRANCH_DAMPED)
        damped_test(P);
    else if (P->branch == BRANCH_EASED)
        force_point_eased_test(P);
    else if (P->branch == BRANCH_STICK)
        stick_test(P);
}

/* ---- steps ---- */

#define DIRECTION_SCALE 0.125 /* errors of d die out: d follows v_t */

double force_point_reach(const force_point *P)
{
    const force_core *c = &P->core;
    const double per_speed = 1 / P->speed, left = force_impulse_left(P, c->F[2][0], c->v[2][0]);
    force_terms t = force_terms_none(P->clock == FORCE_CLOCK_ROOT && P->y[0] == 0);
    force_weigh(&t, P->clock == FORCE_CLOCK_ROOT ? P->y : c->x, 1);
    force_weigh(&t, c->v[2], 1);
    force_weigh(&t, P->dent, 1);
    for (int i = 0; i < (c->planar ? 1 : 2); i++) {
        force_weigh(&t, c->v[i], per_speed);
        if (P->branch == BRANCH_STICK || P->branch == BRANCH_DAMPED)
            force_weigh(&t, P->s[i], per_speed);
        if ((P->branch == BRANCH_DRY && !c->planar) || P->branch == BRANCH_LED)
            force_weigh(&t, P->d[i], DIRECTION_SCALE * left);
        if (P->branch == BRANCH_DAMPED && !c->planar)
            force_weigh(&t, c->F[i], per_speed);
    }
    force_weigh(&t, c->loss_normal, 1);
    force_weigh(&t, c->loss_friction, per_speed);
    force_weigh(&t, c->loss_tangential, per_speed * per_speed);
    for (int j = 0; j < P->vibration.count; j++)
        force_weigh(&t, P->vibration.rate[j], 1);
    /* a radian of time, also where the clock runs slowly */
    const double f = c->F[2][0], most = P->clock == FORCE_CLOCK_FORCE && f < 1 ? FORCE_STEP_MOST / f : FORCE_STEP_MOST;
    double h = force_reach(&t, P->clock == FORCE_CLOCK_FORCE ? fmin(most, pole_map_reach(&P->map)) : most);
    return P->branch == BRANCH_LED ? force_point_led_reach(P, h) : h;
}

void force_point_move(force_point *P, double h)
{
    const int tangents = P->core.planar ? 1 : 2;
    P->loss_vibration += P->vibration.count > 0 ? vibration_loss(P, h) : 0;
    force_core_move(&P->core, h);
    if (P->clock == FORCE_CLOCK_ROOT)
        series_move(P->y, h);
    if (P->normal.flow > 0)
        series_move(P->dent, h);
    for (int i = 0; i < tangents; i++) {
        if (P->branch == BRANCH_STICK || P->branch == BRANCH_DAMPED || P->branch == BRANCH_EASED)
            series_move(P->s[i], h);
        if ((P->branch == BRANCH_DRY && !P->core.planar) || P->branch == BRANCH_LED)
            series_move(P->d[i], h);
        if (P->branch == BRANCH_DAMPED)
            series_move(P->stuck[i], h);
    }
    for (int j = 0; j < P->vibration.count; j++) {
        series_move(P->vibration.z[j], h);
        series_move(P->vibration.rate[j], h);
    }
    if ((P->branch == BRANCH_DRY && !P->core.planar) || P->branch == BRANCH_LED) {
        double length = carom_hypot(P->d[0][0], P->d[1][0]);
        for (int i = 0; i < 2; i++) {
            P->d[i][0] /= length;
            P->core.F[i][0] = -P->tangent.mu * P->core.F[2][0] * P->d[i][0];
        }
    }
}
