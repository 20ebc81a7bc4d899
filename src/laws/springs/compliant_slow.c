/* Compliant slip on its slow manifold, in the normal impulse.
 *
 *     mu y omega = u_t . s_perp,   s' = s_perp omega,   u' = K (-mu s, 1),   y' = -2 k u_n                       (7)
 *
 * At the beginning y = 0, and (7) has one regular solution. Its coefficients follow without iteration, because the
 * rotation omega_n enters the order n + 1 of the right side through s_{n+1}:
 *
 *     (mu y_1 + q_0 / (n + 1)) omega_n = [u_t . s_perp]_{n+1} without omega_n - mu sum_{j>=2} y_j omega_{n+1-j}
 *                                        - mu y_0 omega_{n+1}                                                  (10)
 *
 * with q = u_t . s. Later y_0 > 0, and where q / (mu y) is a large rate the direction stays close to a slow manifold:
 * (10) is then swept with the last term from the sweep before (compliant_sweep.c). */
#include "laws/springs/compliant_slip.h"

enum { SLOW_SWEEPS = 40 };
#define SLOW_TOL   (0.25 * EPS) /* of s and u */
#define SLOW_RATIO 100.0        /* times faster than the impulse scale and than y at the end */
#define SNAP_TOL   (0.5 * EPS)  /* of p_n: what ignoring the distance to the manifold may change */

/* The impulse over which the normal motion changes. */
static double impulse_unit(const compliant *c)
{
    const spot *a = &c->now;
    double speed = fabs(a->u.n) + sqrt(c->K.nn * a->y / c->k);
    return speed > 0 ? speed / c->K.nn : carom_cvec_slip(a->u) / (c->K.t11 + c->K.t22 + c->K.nn);
}

bool slow_applies(const compliant *c)
{
    const spot *a = &c->now;
    if (a->y == 0)
        return true;
    double q = a->u.t1 * a->s.t1 + a->u.t2 * a->s.t2;
    bool fast = a->u.n <= 0 || q > SLOW_RATIO * c->mu * c->k * a->u.n;
    return fast && q * impulse_unit(c) > SLOW_RATIO * c->mu * a->y;
}

/* s_0 with u_t . s_perp = w: the slip direction turned back by the lag of the springs. */
static void aim(const compliant *c, double w, series *x)
{
    carom_cvec u = c->now.u;
    double size2 = square(u.t1) + square(u.t2), q = sqrt(fmax(0, size2 - w * w));
    x->row[ROW_X1][0] = (u.t1 * q + u.t2 * w) / size2;
    x->row[ROW_X2][0] = (u.t2 * q - u.t1 * w) / size2;
}

static void load(const compliant *c, series *x)
{
    const spot *a = &c->now;
    const double start[SERIES_ROWS] = {a->p.t1, a->p.t2, a->p.n, a->u.t1, a->u.t2, a->u.n, 0, 0, a->y};
    for (int i = 0; i < SERIES_ROWS; i++)
        x->row[i][0] = start[i];
    x->c = c;
    x->order = SLOW_ORDER;
}

static double slow_reach(const series *x)
{
    double last[2];
    for (int i = 0; i < 2; i++) {
        int n = SLOW_ORDER - 1 + i;
        last[i] = fabs(x->row[ROW_X1][n]) + fabs(x->row[ROW_X2][n]);
    }
    return taylor_reach(last, SLOW_ORDER, SLOW_TOL);
}

/* Sweep until the rotation no longer changes on the way that will be used. */
static bool settle(const compliant *c, double unit, double *reach, series *x)
{
    double omega[SLOW_ORDER + 1] = {0}, old[SLOW_ORDER + 1];
    for (int k = 0; k < SLOW_SWEEPS; k++) {
        for (int i = 0; i <= SLOW_ORDER; i++)
            old[i] = omega[i];
        aim(c, c->mu * c->now.y * omega[0] / unit, x);
        slip_series_best()->sweep(c, unit, omega, x);
        *reach = slow_reach(x);
        if (c->now.y == 0)
            return true;
        double change = 0, power = 1;
        for (int i = 0; i < SLOW_ORDER; i++, power *= *reach)
            change += fabs(omega[i] - old[i]) * power;
        if (c->mu * c->now.y * change <= SLOW_TOL * unit * carom_cvec_slip(c->now.u))
            return true;
    }
    return false;
}

/* Being off the manifold by an angle decays over the impulse mu y / q; may that be left out? */
static bool is_near(const compliant *c, const series *x)
{
    const spot *a = &c->now;
    if (a->y == 0)
        return true;
    double s1 = x->row[ROW_X1][0], s2 = x->row[ROW_X2][0];
    double off = fabs(a->s.t1 - s1) + fabs(a->s.t2 - s2), q = s1 * a->u.t1 + s2 * a->u.t2;
    return c->mu * off * c->mu * a->y <= SNAP_TOL * q * a->p.n;
}

bool slow_step(compliant *c, ending *how)
{
    series x;
    double unit = impulse_unit(c), reach;
    load(c, &x);
    if (!settle(c, unit, &reach, &x) || !is_near(c, &x))
        return false;
    *how = slip_take(c, &x, reach);
    return true;
}
