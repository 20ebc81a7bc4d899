/* The turn of slip along a line, to first order. A line is slip that keeps its direction c because f = 0 there. The
 * partial derivatives of f do not vanish with it: they turn the slip, and where numbers carry them (core/num.h) the
 * line follows. With dq = r dtau, r = r_0 e^(g tau), and phi(z) = (e^(z tau) - 1) / z:
 *
 *     theta' = f + f1 theta        theta = f phi(f1)                                                             (1)
 *     int theta dq   = r_0 f D     D = int phi(f1) e^(g tau) dtau            1 / g (f1 + g)          at r = 0    (2)
 *     int int ... dq = r_0^2 f E   E = D phi(g) - int phi(f1) phi(g) e^(g tau) dtau   -1 / 2 g^2 (f1 + 2 g)      (3)
 *
 * and r, u_n and their integrals change by g_1 and h_1 times these. f is zero, or lost in rounding: so are they. */
#include "carom/elementary.h"
#include "core/radau.h"
#include "laws/coulomb/coulomb.h"

#define PANEL 6.0 /* |f1| and |g| times tau that the points of the rule resolve */

enum { PANELS_MOST = 64 };

static double phi(double z, double tau)
{
    return fabs(z) * tau > EPS ? carom_expm1(z * tau) / z : tau;
}

/* D and E at tau. */
static void integrals(double g, double f1, double tau, double *D, double *E)
{
    int panels = (int)min(1 + max(fabs(g), fabs(f1)) * tau / PANEL, PANELS_MOST);
    double width = tau / panels, inner = 0;
    *D = 0;
    for (int k = 0; k < panels; k++)
        for (int i = 0; i < RADAU; i++) {
            double l = width * (k + radau_x[i]), d = width * radau_whole[i] * phi(f1, l) * carom_exp(g * l);
            *D += d;
            inner += d * phi(g, l);
        }
    *E = *D * phi(g, tau) - inner;
}

void carom_slip_turn_at(const slip_line *line, double d, slip_turn *at)
{
    const double r = line->r, g = plain(line->g), f1 = plain(line->f1), rest = plain(1 + line->g * d / r);
    double D, E;
    if (rest <= EPS) {
        *at = (slip_turn){0, r * line->f / (g * (f1 + g)), -r * r * line->f / (2 * g * g * (f1 + 2 * g))};
        return;
    }
    const double tau = g != 0 ? carom_log(rest) / g : plain(d / r);
    integrals(g, f1, tau, &D, &E);
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
