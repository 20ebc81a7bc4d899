/* Slip that turns: by (3) of force_point.h, or by (10) where (3) is stiff and d follows v_t at once. */
#include "carom/elementary.h"
#include "laws/force/force_point.h"

#define LED_ENTER 1e-14 /* what (10) neglects, as an angle */
#define LED_STAY  0.5e-13
#define LED_LEAVE 1e-13 /* at the end of a step */
#define LED_ANGLE 1e-12 /* what is left of the angle between d and (10) */
#define LED_CUBE  1e-5  /* largest lag: its cube is left out of the sine */
enum { LED_SWEEPS = 5, LED_SHORTER = 40 };

typedef struct led_state {
    double lag, slow; /* the first order of (10), and the factor of each further one */
    double d[2];
} led_state;

/* The value of a series at h, and its slope. */
static double value_at(const double *c, double h, double *slope)
{
    if (h > 0)
        return taylor_at_slope(c, FORCE_ORDER, h, slope);
    *slope = c[1];
    return c[0];
}

static led_state led_at(const force_point *P, double h)
{
    const force_core *c = &P->core;
    double rise, change1, change2;
    const double mu = P->tangent.mu, k_t = P->tangent.k, f = value_at(c->F[2], h, &rise);
    const double v1 = value_at(c->v[0], h, &change1);
    const double v2 = value_at(c->v[1], h, &change2);
    const double speed = carom_hypot(v1, v2), n1 = v1 / speed, n2 = v2 / speed,
                 g = c->clock ? series_at(c->clock, h) : 1;
    const double per = g > 0 ? 1 / g : 0, load = P->clock == FORCE_CLOCK_ROOT ? series_at(P->share, h) : f * per;
    const double lag = -mu / (k_t * speed) * load * (n1 * change2 - n2 * change1) / speed;
    led_state s = {speed > 0 ? fabs(lag) : INFINITY, 0, {n1 - lag * n2, n2 + lag * n1}};
    s.slow = mu / (k_t * speed) * per * (3 * fabs(rise) + 3 * f * carom_hypot(change1, change2) / speed);
    return s;
}

/* What is left out after so many sweeps. */
static double led_error(const led_state *s, int sweeps)
{
    double error = s->lag < LED_CUBE ? s->lag : INFINITY;
    for (int i = 0; i < sweeps; i++)
        error *= s->slow;
    return error;
}

/* A step of (10) may be so long that it stays exact. */
double force_point_led_reach(const force_point *P, double h)
{
    for (int i = 0; i < LED_SHORTER; i++) {
        led_state s = led_at(P, h);
        if (led_error(&s, P->sweeps) < LED_LEAVE)
            break;
        h *= 0.75;
    }
    return h;
}

static void change_slip(force_point *P, force_branch branch)
{
    const bool power = P->clock == FORCE_CLOCK_ROOT;
    P->branch = branch;
    P->clock = power ? FORCE_CLOCK_ROOT : branch == BRANCH_LED ? FORCE_CLOCK_TIME : FORCE_CLOCK_FORCE;
    force_point_expand(P);
}

#define LED_SLOW 0.1 /* factor of each further order of (10): with more even LED_SWEEPS of them leave too much */

/* A quick look at led_at(P, 0). */
static bool is_far_from_led(const force_point *P)
{
    const force_core *c = &P->core;
    const double g = c->clock ? c->clock[0] : 1, k = LED_SLOW * P->tangent.k * g, rise = P->tangent.mu * 3 * c->F[2][1];
    return square(rise) > square(k) * (square(c->v[0][0]) + square(c->v[1][0]));
}

void force_point_choose_slip(force_point *P)
{
    bool dry = P->branch == BRANCH_DRY, led = P->branch == BRANCH_LED;
    if (P->core.planar || !(dry || led) || P->singular || (dry && is_far_from_led(P)))
        return;
    const led_state s = led_at(P, 0);
    int sweeps = 1;
    while (sweeps < LED_SWEEPS && !(led_error(&s, sweeps) < LED_ENTER))
        sweeps++;
    const double error = led_error(&s, sweeps);
    if (led && !(error < LED_STAY))
        change_slip(P, BRANCH_DRY);
    else if (led && sweeps != P->sweeps) {
        P->sweeps = sweeps;
        force_point_expand(P);
    }
    double turned = fabs(s.d[0] * P->d[1][0] - s.d[1] * P->d[0][0]);
    if (dry && error < LED_ENTER && turned < LED_ANGLE + s.lag * s.slow) {
        P->sweeps = sweeps;
        change_slip(P, BRANCH_LED);
    }
}
