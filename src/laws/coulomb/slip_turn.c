/* The turn of slip along a line, to first order. A line is slip that keeps its direction c because f = 0 there. The
 * partial derivatives of f do not vanish with it: they turn the slip, and where numbers carry them (core/num.h) the
 * line follows. With dq = r dtau, r = r_0 e^(g tau), and phi(z) = (e^(z tau) - 1) / z:
 *
 *     theta' = f + f1 theta        theta = f phi(f1)                                                             (1)
 *     int theta dq   = r_0 f D     D = int phi(f1) e^(g tau) dtau            1 / g (f1 + g)          at r = 0    (2)
 *     int int ... dq = r_0^2 f E   E = D phi(g) - int phi(f1) phi(g) e^(g tau) dtau   -1 / 2 g^2 (f1 + 2 g)      (3)
 *
 *     f1 D = phi(z) - phi(g)       f1 E = f1 D phi(g) - A + phi(g)^2 / 2          z = f1 + g                     (4)
 *                                  A = int e^(z tau) phi(g) dtau = (phi(z + g) - phi(z)) / g
 *                                                                = (e^(z tau) phi(g) - phi(z + g)) / z
 *
 * and r, u_n and their integrals change by g_1 and h_1 times these. f is zero, or lost in rounding: so are they. */
#include "carom/elementary.h"
#include "core/radau.h"
#include "laws/coulomb/coulomb.h"

#define LONG  1.0 /* |f1| tau from which on the differences (4) do not cancel */
#define PANEL 6.0 /* |g| tau that the points of the rule resolve */

enum { PANELS_MOST = 64 };

static real phi(real z, real tau)
{
    return fabs(z) * tau > EPS ? carom_expm1(z * tau) / z : tau;
}

/* D and E at tau, by (4). Slip that nearly stops and leaves along a ray turns for a long tau. */
static void integrals_of_long(real g, real f1, real tau, real *D, real *E)
{
    const real z = f1 + g, slip = phi(g, tau), rest = phi(z, tau), both = phi(z + g, tau);
    const real A = fabs(g) > fabs(z) ? (both - rest) / g : (carom_exp(z * tau) * slip - both) / z;
    *D = (rest - slip) / f1;
    *E = *D * slip - (A - 0.5 * slip * slip) / f1;
}

/* The same by the rule, where tau is short. */
static void integrals_of_short(real g, real f1, real tau, real *D, real *E)
{
    int panels = (int)min(1 + fabs(g) * tau / PANEL, PANELS_MOST);
    real width = tau / panels, inner = 0;
    *D = 0;
    for (int k = 0; k < panels; k++)
        for (int i = 0; i < RADAU; i++) {
            real l = width * (k + radau_x[i]), d = width * radau_whole[i] * phi(f1, l) * carom_exp(g * l);
            *D += d;
            inner += d * phi(g, l);
        }
    *E = *D * phi(g, tau) - inner;
}

void carom_slip_turn_at(const slip_line *line, double d, slip_turn *at)
{
    const double r = line->r;
    const real g = real_of(line->g), f1 = real_of(line->f1), rest = real_of(1 + line->g * d / r);
    real D, E;
    if (rest <= EPS) {
        *at = (slip_turn){0, r * line->f / (g * (f1 + g)), -r * r * line->f / (2 * g * g * (f1 + 2 * g))};
        return;
    }
    const real tau = g != 0 ? carom_log(rest) / g : real_of(d / r);
    (fabs(f1) * tau > LONG ? integrals_of_long : integrals_of_short)(g, f1, tau, &D, &E);
    *at = (slip_turn){line->f * phi(f1, tau), r * line->f * D, r * r * line->f * E};
}

double carom_slip_turn_delay(const slip_walk *w, const slip_line *line, const slip_stride *x)
{
    slip_turn at;
    carom_slip_turn_at(line, line->end, &at);
    if (x->stop == STOP_ORIGIN)
        return -line->g_1 * at.once / line->g;
    if (x->stop == STOP_DONE && w->ending->by != BY_VELOCITY)
        return w->ending->by == BY_IMPULSE ? 0 : -line->h_1 * at.twice / x->u_n;
    return -line->h_1 * at.once / line->h;
}

void carom_slip_turn_add(const slip_walk *w, const slip_line *line, double d, slip_stride *x)
{
    const double S = w->field.kinetic.S;
    const tvec c = line->c, s = {-c.t2, c.t1};
    slip_turn at;
    carom_slip_turn_at(line, d, &at);
    const double along = line->g_1 * at.once, across = (line->r + line->g * d) * at.theta;
    x->p_t.t1 -= S * s.t1 * at.once;
    x->p_t.t2 -= S * s.t2 * at.once;
    x->u_t.t1 += along * c.t1 + across * s.t1;
    x->u_t.t2 += along * c.t2 + across * s.t2;
    x->u_n += line->h_1 * at.once;
    x->work += line->h_1 * at.twice;
}
