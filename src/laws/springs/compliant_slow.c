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
 * (10) is then swept with the last term from the sweep before. */
#include "laws/springs/compliant_slip.h"

enum {
    SLOW_SWEEPS = 40,
    SWEEP_STEPS = 4, /* that a sweep counts as */
};
#define SLOW_TOL   (0.25 * EPS) /* of s and u */
#define SLOW_RATIO 100.0        /* times faster than the impulse scale and than y at the end */
#define SLOW_MOST  4.0          /* impulse units: a phase is about one long */
#define SNAP_TOL   (0.5 * EPS)  /* of |p|: what ignoring the distance to the manifold may change */

/* The impulse over which the normal motion changes, or from grazing the slide speed (3); |du_n/dp_n| is about H. */
static double impulse_unit(const compliant *c)
{
    const spot *a = &c->now;
    double H = c->K.nn + c->mu * fabs(c->K.t1n * a->s.t1 + c->K.t2n * a->s.t2);
    double speed = fabs(a->u.n) + sqrt(H * a->y / c->k);
    return speed > 0 ? speed / H : carom_cvec_slip(a->u) / (c->K.t11 + c->K.t22 + (1 + c->mu * c->k) * H);
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

/* The factors of order n that are known before omega; those of y and u are one order ahead. */
static inline void sweep_factors_set(const series *x, int n, factors *f)
{
    double *left = f->left[n], *right = f->right[n];
    factor_row_clear(left);
    left[S1_TURN] = left[S1_U2] = x->s1[n];
    left[S2_TURN] = left[S2_U1] = x->s2[n];
    left[Y_TURN] = x->y[n + 1];
    right[S1_U2] = x->u2[n + 1];
    right[S2_U1] = x->u1[n + 1];
    factor_row_clear(f->right[n + 1]);
}

/* Product l of order n without its first term. */
static inline double sweep_product(const factors *f, int n, const double *in, int l)
{
    return n > 0 ? in[l] + f->left[n][l] * f->right[0][l] : 0;
}

void slow_sweep(const compliant *c, double unit, double omega[SLOW_ORDER + 1], series *x)
{
    const double mu = c->mu, q0 = x->s1[0] * x->u1[0] + x->s2[0] * x->u2[0];
    factors f;
    factor_row in;
    factor_row_clear(f.right[0]);
    for (int n = 0; n < SLOW_ORDER; n++) {
        const double nth = 1.0 / (n + 1), g = unit * nth;
        products_inside(&f, n, in);
        x->p1[n + 1] = -mu * g * x->s1[n]; /* (7) */
        x->p2[n + 1] = -mu * g * x->s2[n];
        x->pn[n + 1] = n == 0 ? g : 0;
        x->y[n + 1] = -2 * c->k * g * x->un[n];
        series_move(c, n + 1, x);
        sweep_factors_set(x, n, &f);
        const double s1 = -nth * sweep_product(&f, n, in, S2_TURN), s2 = nth * sweep_product(&f, n, in, S1_TURN);
        const double load = sweep_product(&f, n, in, Y_TURN);
        double w = x->s1[0] * x->u2[n + 1] - x->s2[0] * x->u1[n + 1]; /* without omega_n */
        w += sweep_product(&f, n, in, S1_U2) - sweep_product(&f, n, in, S2_U1);
        w += s1 * x->u2[0] - s2 * x->u1[0];
        omega[n] = (unit * w - mu * (load + x->y[0] * omega[n + 1])) / (mu * x->y[1] + g * q0); /* (10) */
        f.right[n][S2_TURN] = f.right[n][S1_TURN] = f.right[n][Y_TURN] = omega[n];
        x->s1[n + 1] = s1 - nth * x->s2[0] * omega[n];
        x->s2[n + 1] = s2 + nth * x->s1[0] * omega[n];
    }
}

/* s_0 with u_t . s_perp = w: the slip direction turned back by the lag of the springs. */
static void aim(const compliant *c, double w, series *x)
{
    carom_cvec u = c->now.u;
    double size2 = square(u.t1) + square(u.t2), q = sqrt(max(0, size2 - w * w));
    x->s1[0] = (u.t1 * q + u.t2 * w) / size2;
    x->s2[0] = (u.t2 * q - u.t1 * w) / size2;
}

static double slow_reach(const series *x)
{
    const int n = SLOW_ORDER;
    const double last[2] = {size_of(x->s1[n - 1]) + size_of(x->s2[n - 1]), size_of(x->s1[n]) + size_of(x->s2[n])};
    return plain(min(taylor_reach(last, n, SLOW_TOL), SLOW_MOST));
}

/* Sweep until the rotation no longer changes on the way that will be used. */
static bool settle(compliant *c, double unit, series *x)
{
    double omega[SLOW_ORDER + 1] = {0}, old[SLOW_ORDER + 1];
    for (int k = 0; k < SLOW_SWEEPS; k++) {
        for (int i = 0; i <= SLOW_ORDER; i++)
            old[i] = omega[i];
        aim(c, c->mu * c->now.y * omega[0] / unit, x);
        slow_sweep(c, unit, omega, x);
        c->steps += SWEEP_STEPS;
        x->length = slow_reach(x);
        if (c->now.y == 0)
            return true;
        double change = 0, power = 1;
        for (int i = 0; i < SLOW_ORDER; i++, power *= x->length)
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
    double off = fabs(a->s.t1 - x->s1[0]) + fabs(a->s.t2 - x->s2[0]), q = x->s1[0] * a->u.t1 + x->s2[0] * a->u.t2;
    return a->y == 0 || c->mu * off * c->mu * a->y <= SNAP_TOL * q * (1 + c->mu) * a->p.n;
}

bool slow_series(compliant *c, series *x)
{
    series_begin(c, x);
    x->to_infinity = false;
    x->order = SLOW_ORDER;
    return settle(c, impulse_unit(c), x) && is_near(c, x);
}
