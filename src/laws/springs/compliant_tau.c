/* The series of compliant slip in space, in the variable z of
 *
 *     y' = -2 k u_n y,   p' = (-mu s, 1) y,   mu s' = s_perp omega,   omega = u_t . s_perp,   u' = K p'          (8)
 *     tau = z / D,   dtau / dz = (1 - beta z^2) / D^2,   D = 1 + alpha z + beta z^2                            (8a)
 *
 * where ' is d/dtau. All right sides are products with y or omega, so only these two are multiplied by dtau/dz. */
#include "carom/elementary.h"
#include "laws/springs/compliant_slip.h"

enum {
    TAU_LEAST = 8, /* the order where no more than 2^-TAU_BITS of p_n is still to come */
    TAU_BITS = 51,
};
#define TAU_TOL      (4 * EPS) /* of u, and of s and y, weighted with the impulse still to come */
#define LAST_BUT_ONE 4.0       /* times TAU_TOL: what the last term but one may be */
#define POLE_SLOPE   0.1       /* of K_nn: the least du_n/dp_n that the poles are sought with */

/* With the slope H = du_n/dp_n of this moment the normal motion is known: u_n is a tanh and f a sech, with a pair of
 * poles at
 *
 *     tau = (-theta +- i pi / 2) / r,   r^2 = k (H y + k u_n^2),   tanh theta = k u_n / r
 *
 * from here: (8a) is core/pole_map.h, and a series in z holds further than one in tau. */
static tau_map tau_map_of(const compliant *c)
{
    const spot *a = &c->now;
    double H = max(c->K.nn - c->mu * (c->K.t1n * a->s.t1 + c->K.t2n * a->s.t2), POLE_SLOPE * c->K.nn);
    double Hy = H * a->y, speed = c->d * fabs(a->u.n), root = sqrt(Hy + speed * speed), r = c->d * root;
    double size = carom_log((root + speed) / sqrt(max(Hy, DBL_MIN))), theta = a->u.n > 0 ? size : -size;
    double unit = (fabs(a->u.t1) + fabs(a->u.t2)) / c->mu + 2 * r;
    return (tau_map){plain(unit), pole_map_of(plain(r / unit), plain(theta))};
}

/* Each sum runs over the products of coefficients j and i - j; those with omega_z and y_z of order i come last. */
void tau_expand(const compliant *c, const tau_map *map, series *x)
{
    double omega[TAU_ORDER], omega_z[TAU_ORDER], y_z[TAU_ORDER]; /* omega; omega and y times dtau/dz */
    const double s1 = x->s1[0], s2 = x->s2[0], per_mu = 1 / c->mu, pace = 1 / map->unit;
    for (int i = 0; i < x->order; i++) {
        double g = pace / (i + 1), turn1 = 0, turn2 = 0, pull1 = 0, pull2 = 0, fall = 0;
        omega[i] = s1 * x->u2[i] - s2 * x->u1[i];
        for (int j = 1; j <= i; j++) {
            omega[i] += x->s1[j] * x->u2[i - j] - x->s2[j] * x->u1[i - j];
            turn1 += x->s1[j] * omega_z[i - j];
            turn2 += x->s2[j] * omega_z[i - j];
            pull1 += x->s1[j] * y_z[i - j];
            pull2 += x->s2[j] * y_z[i - j];
            fall += x->un[j] * y_z[i - j];
        }
        omega_z[i] = pole_map_rate(&map->pole, omega, omega_z, i);
        y_z[i] = pole_map_rate(&map->pole, x->y, y_z, i);
        x->s1[i + 1] = -g * per_mu * (turn2 + s2 * omega_z[i]); /* (8) */
        x->s2[i + 1] = g * per_mu * (turn1 + s1 * omega_z[i]);
        x->y[i + 1] = -2 * c->k * g * (fall + x->un[0] * y_z[i]);
        x->p1[i + 1] = -c->mu * g * (pull1 + s1 * y_z[i]);
        x->p2[i + 1] = -c->mu * g * (pull2 + s2 * y_z[i]);
        x->pn[i + 1] = g * y_z[i];
        series_move(c, i + 1, x);
    }
}

/* How far the series holds: the last terms of s and y count by what they still move. */
static double tau_reach(const tau_map *map, const series *x, double weight)
{
    double last[2], most = pole_map_reach(&map->pole);
    for (int i = 0; i < 2; i++) {
        int n = x->order - 1 + i;
        double springs = size_of(x->s1[n]) + size_of(x->s2[n]) + 0.25 * size_of(x->y[n]) / x->y[0];
        last[i] = weight * springs + size_of(x->u1[n]) + size_of(x->u2[n]) + size_of(x->un[n]);
    }
    last[0] /= LAST_BUT_ONE;
    return min(taylor_reach(last, x->order, TAU_TOL), most);
}

/* Near the end only the leading digits of the direction count, and fewer terms give them. */
static int tau_order(double weight)
{
    return TAU_ORDER + (TAU_ORDER - TAU_LEAST) * exponent_of(weight) / TAU_BITS;
}

void tau_series(const compliant *c, double weight, series *x)
{
    const tau_map map = tau_map_of(c);
    series_begin(c, x);
    x->to_infinity = true;
    x->order = tau_order(weight);
    tau_expand(c, &map, x);
    x->length = plain(tau_reach(&map, x, weight));
}
