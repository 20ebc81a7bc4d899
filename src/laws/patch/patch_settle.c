/* The slips at Radau's points of a step: U = U_0 + length * integral of their slopes, by Newton.
 *
 * A slip across U dies out with a rate of mu K in tau, however slow the rest is: steps that end with it cannot follow a
 * path that creeps next to its ray. The slope of the slopes at the start is Phi (dU/dp) g^T / Phi - mu Phi K H; Newton
 * takes the second part, which alone is fast. With A the integrals to the points, R what the equations leave,
 *
 *     mu Phi H = sum of e_i e_i^T,   e_1 K e_2 = 0,   rate_i = e_i K e_i            two directions, as H U = 0    (1)
 *     change + length A K (mu Phi H) change = R:
 *     (1 + length rate_i A) y_i = e_i.R,   change = R - length * sum of K e_i A y_i                               (2)
 */
#include "laws/patch/patch_step.h"

enum { SETTLE_ROUNDS = 60, SETTLE_FREE = 8 /* rounds that may grow */, FAST = 2 /* directions */ };
#define SETTLED      (0.5 * EPS) /* of the slips: a round changes no more */
#define SETTLE_NOISE (64 * EPS)  /* of the slips, of the integrals of their slopes: the rounding */

typedef struct patch_newton {
    double e[FAST][PATCH_SLIPS], Ke[FAST][PATCH_SLIPS];
    double LU[FAST][POINTS][POINTS]; /* by columns; no pivots: an approximate step will do */
} patch_newton;

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void apply_K(const carom_patch_contact *x, const double *e, double *Ke)
{
    for (int i = 0; i < PATCH_SLIPS; i++)
        Ke[i] = dot3(x->K[i], e);
}

/* mu Phi H of core/patch.h, (4), as a sum of two squares: across v in the plane, and along z. */
static void squares_of(const carom_patch_contact *x, const double *U, double e[FAST][PATCH_SLIPS])
{
    const double vv = U[0] * U[0] + U[1] * U[1], r = sqrt(vv), W = U[2];
    const patch_slope s = patch_slope_at(x->pressure, vv, W * W);
    const double weight = x->mu * patch_norm(&s, vv, W * W) / s.L, a = sqrt(weight * s.alpha),
                 b = sqrt(weight * s.eta) / s.L, c1 = r > 0 ? U[0] / r : 1, c2 = r > 0 ? U[1] / r : 0;
    const double across[PATCH_SLIPS] = {-a * c2, a * c1, 0}, z[PATCH_SLIPS] = {b * W * c1, b * W * c2, -b * r};
    memcpy(e[0], across, sizeof across);
    memcpy(e[1], z, sizeof z);
}

/* Turn the two directions into each other until e_1 K e_2 = 0: the sum of their squares stays. */
static void make_conjugate(const carom_patch_contact *x, double e[FAST][PATCH_SLIPS])
{
    double Ke[FAST][PATCH_SLIPS];
    for (int i = 0; i < FAST; i++)
        apply_K(x, e[i], Ke[i]);
    const double mixed = dot3(e[0], Ke[1]), half = 0.5 * (dot3(e[1], Ke[1]) - dot3(e[0], Ke[0]));
    if (mixed == 0)
        return;
    const double root = length_of(half, mixed), t = mixed / (half + (half < 0 ? -root : root)), c = 1 / length_of(1, t);
    for (int k = 0; k < PATCH_SLIPS; k++) {
        const double first = e[0][k], second = e[1][k];
        e[0][k] = c * (first - t * second);
        e[1][k] = c * (second + t * first);
    }
}

static void factor(double LU[POINTS][POINTS])
{
    for (int k = 0; k < POINTS; k++) {
        const double over = 1 / LU[k][k];
        for (int i = k + 1; i < POINTS; i++)
            LU[k][i] *= over;
        for (int j = k + 1; j < POINTS; j++)
            for (int i = k + 1; i < POINTS; i++)
                LU[j][i] -= LU[j][k] * LU[k][i];
    }
}

static void solve_factored(const double LU[POINTS][POINTS], double *b)
{
    for (int k = 0; k < POINTS; k++)
        for (int i = k + 1; i < POINTS; i++)
            b[i] -= LU[k][i] * b[k];
    for (int k = POINTS - 1; k >= 0; k--) {
        b[k] /= LU[k][k];
        for (int i = 0; i < k; i++)
            b[i] -= LU[k][i] * b[k];
    }
}

static void prepare(const patch_trial *t, patch_newton *n)
{
    squares_of(t->x, t->start->U, n->e);
    make_conjugate(t->x, n->e);
    for (int i = 0; i < FAST; i++) {
        apply_K(t->x, n->e[i], n->Ke[i]);
        const double share = t->length * dot3(n->e[i], n->Ke[i]);
        for (int r = 0; r < POINTS; r++)
            for (int c = 0; c < POINTS; c++)
                n->LU[i][c][r] = (r == c) + share * radau_integral[c][r] * t->per_x[c];
        factor(n->LU[i]);
    }
}

/* The slopes of the slips, at all points. */
static void slip_slopes(patch_trial *t)
{
    const carom_patch_contact *x = t->x;
    for (int i = 0; i < POINTS; i++) {
        const double v1 = t->U[0][i], v2 = t->U[1][i], W = t->U[2][i], vv = v1 * v1 + v2 * v2, WW = W * W;
        const patch_slope q = patch_slope_at(x->pressure, vv, WW);
        const double phi = patch_norm(&q, vv, WW), weight = -x->mu * phi / q.L * t->per_x[i];
        const double P[PATCH_SLIPS] = {weight * q.alpha * v1, weight * q.alpha * v2, weight * q.beta * W};
        for (int k = 0; k < PATCH_SLIPS; k++)
            t->slopes.d[k][i] =
                x->k[k] * phi * t->per_x[i] + (x->K[k][0] * P[0] + x->K[k][1] * P[1] + x->K[k][2] * P[2]);
    }
}

/* R, at all points. */
static void left_over(const patch_trial *t, double R[PATCH_SLIPS][POINTS])
{
    for (int k = 0; k < PATCH_SLIPS; k++) {
        radau_sums(radau_integral, t->slopes.d[k], R[k]);
        for (int i = 0; i < POINTS; i++)
            R[k][i] = t->start->U[k] + t->length * R[k][i] - t->U[k][i];
    }
}

/* (2): R becomes the change. */
static void solve(const patch_newton *n, const patch_trial *t, double R[PATCH_SLIPS][POINTS])
{
    double y[FAST][POINTS], sum[FAST][POINTS];
    for (int f = 0; f < FAST; f++) {
        for (int i = 0; i < POINTS; i++)
            y[f][i] = n->e[f][0] * R[0][i] + n->e[f][1] * R[1][i] + n->e[f][2] * R[2][i];
        solve_factored(n->LU[f], y[f]);
        for (int i = 0; i < POINTS; i++)
            y[f][i] *= t->per_x[i];
        radau_sums(radau_integral, y[f], sum[f]);
    }
    for (int k = 0; k < PATCH_SLIPS; k++)
        for (int i = 0; i < POINTS; i++)
            R[k][i] -= t->length * (n->Ke[0][k] * sum[0][i] + n->Ke[1][k] * sum[1][i]);
}

/* The largest change, as a share of the size of its slip. */
static double add_change(patch_trial *t, double change[PATCH_SLIPS][POINTS])
{
    double most = 0;
    for (int k = 0; k < PATCH_SLIPS; k++)
        for (int i = 0; i < POINTS; i++) {
            const double next = t->U[k][i] + change[k][i], moved = fabs(next - t->U[k][i]);
            most = moved > 0 ? max(most, moved / t->size[k]) : most;
            t->U[k][i] = next;
        }
    return most;
}

bool carom_patch_settle(patch_trial *t)
{
    patch_newton n;
    double last = INFINITY, R[PATCH_SLIPS][POINTS];
    const double noise = SETTLE_NOISE * max(1, t->length * t->rate);
    prepare(t, &n);
    slip_slopes(t);
    for (int round = 0; round < SETTLE_ROUNDS; round++) {
        left_over(t, R);
        solve(&n, t, R);
        const double change = add_change(t, R);
        if (!(change < INFINITY))
            return false;
        slip_slopes(t);
        if (change <= SETTLED || (change <= noise && change >= 0.5 * last)) {
            carom_patch_slopes_at_points(t);
            return true;
        }
        if (round > SETTLE_FREE && change > 2 * last)
            return false;
        last = change;
    }
    return false;
}
