/* The series of compliant slip in space, in the variable z of
 *
 *     y' = -2 k u_n y,   p' = (-mu s, 1) y,   mu s' = s_perp omega,   omega = u_t . s_perp,   u' = K p'          (8)
 *     tau = z / D,   dtau / dz = (1 - beta z^2) / D^2,   D = 1 + alpha z + beta z^2                            (8a)
 *
 * where ' is d/dtau. All right sides are products with y or omega, so only these two are multiplied by dtau/dz. */
#include "core/exponential.h"
#include "laws/springs/compliant_slip.h"

enum {
    TAU_LEAST = 8, /* the order where no more than 2^-TAU_BITS of p_n is still to come */
    TAU_BITS = 51,
};
#define TAU_TOL      (4 * EPS) /* of u, and of s and y, weighted with the impulse still to come */
#define LAST_BUT_ONE 4.0       /* times TAU_TOL: what the last term but one may be */
#define HALF_LN_2    0.34657359027997264
#define POLE_SLOPE   0.1 /* of K_nn: the least du_n/dp_n that the poles are sought with */

/* With the slope H = du_n/dp_n of this moment the normal motion is known: u_n is a tanh and f a sech, with a pair of
 * poles at
 *
 *     tau = (-theta +- i pi / 2) / r,   r^2 = k (H y + k u_n^2),   tanh theta = k u_n / r
 *
 * from here: (8a) is core/pole_map.h, and a series in z holds further than one in tau. A rough theta does. */
static tau_map tau_map_of(const compliant *c)
{
    const spot *a = &c->now;
    double H = max(c->K.nn - c->mu * (c->K.t1n * a->s.t1 + c->K.t2n * a->s.t2), POLE_SLOPE * c->K.nn);
    double Hy = H * a->y, speed = c->d * fabs(a->u.n), root = sqrt(Hy + speed * speed), r = c->d * root;
    double size = HALF_LN_2 * rough_log2(real_of(square(root + speed) / max(Hy, DBL_MIN)));
    double theta = a->u.n > 0 ? size : -size;
    double unit = (fabs(a->u.t1) + fabs(a->u.t2)) / c->mu + 2 * r;
    return (tau_map){plain(unit), pole_map_of(plain(r / unit), plain(theta))};
}

/* The factors of order i that are known before turn and push. */
static inline void set_factors(const series *x, int i, factors *f)
{
    double *left = f->left[i], *right = f->right[i];
    left[S1_U2] = left[S1_TURN] = left[S1_PUSH] = x->s1[i];
    left[S2_U1] = left[S2_TURN] = left[S2_PUSH] = x->s2[i];
    left[UN_PUSH] = x->un[i];
    right[S1_U2] = x->u2[i];
    right[S2_U1] = x->u1[i];
    left[Y_TURN] = 0;
    factor_row_clear(f->right[i + 1]);
}

/* To the terms inside each product come those with a factor of order 0; product 0 has only one term. */
void tau_expand(const compliant *c, const tau_map *map, series *x)
{
    double omega[TAU_ORDER], turn[TAU_ORDER], push[TAU_ORDER], u1_0 = 0, u2_0 = 0, turn_0 = 0, push_0 = 0;
    const double s1_0 = x->s1[0], s2_0 = x->s2[0], un_0 = x->un[0], pace = 1 / map->unit, per_mu = pace / c->mu;
    factors f;
    factor_row in;
    factor_row_clear(f.right[0]);
    for (int i = 0; i < x->order; i++) {
        const double s1 = x->s1[i], s2 = x->s2[i], per = 1.0 / (i + 1), g = pace * per;
        double *right = f.right[i];
        products_inside(&f, i, in);
        set_factors(x, i, &f);
        omega[i] = ((in[S1_U2] + s1_0 * x->u2[i]) + s1 * u2_0) - ((in[S2_U1] + s2_0 * x->u1[i]) + s2 * u1_0);
        turn[i] = right[S1_TURN] = right[S2_TURN] = pole_map_rate(&map->pole, omega, turn, i);
        push[i] = right[S1_PUSH] = right[S2_PUSH] = right[UN_PUSH] = pole_map_rate(&map->pole, x->y, push, i);
        x->s1[i + 1] = -per_mu * per * ((in[S2_TURN] + s2 * turn_0) + s2_0 * turn[i]); /* (8) */
        x->s2[i + 1] = per_mu * per * ((in[S1_TURN] + s1 * turn_0) + s1_0 * turn[i]);
        x->y[i + 1] = -2 * c->k * g * ((in[UN_PUSH] + x->un[i] * push_0) + un_0 * push[i]);
        x->p1[i + 1] = -c->mu * g * ((in[S1_PUSH] + s1 * push_0) + s1_0 * push[i]);
        x->p2[i + 1] = -c->mu * g * ((in[S2_PUSH] + s2 * push_0) + s2_0 * push[i]);
        x->pn[i + 1] = g * push[i];
        series_move(c, i + 1, x);
        u1_0 = x->u1[0], u2_0 = x->u2[0], turn_0 = turn[0], push_0 = push[0];
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
