/* Slip that turns, (3) of force_point.h: sixteen products of series in one loop, side by side.
 *
 *     dz is the step of the series, g = dt/dz, q = F_n g, xi = v_n g, and d' = theta' d_perp with theta' = (k_t/mu) r:
 *     r = psi dtau/dz in the clock of the force, psi / share in the clock of the root. */
#include "laws/force/force_point.h"

enum lane {
    D1_TURN, /* left factor, right factor */
    D2_TURN,
    D1_Q,
    D2_Q,
    D1_V1,
    D2_V2,
    D1_V2,
    D2_V1,
    F_G,
    V_G,
    F_XI,
    F_F,
    ALONG_Q, /* their left factors are results of the same order */
    ALONG_G,
    PSI_INVERSE,
    SHARE_INVERSE,
    LANES
};

enum { ABREAST = 4 }; /* terms of a product that are added before the sum is touched */

typedef double lanes[LANES];

/* Left factors of order j, right factors of order k at [k + ABREAST]; rows of zeros below and beyond what is known. */
typedef struct factors {
    lanes left[FORCE_ORDER + 1 + ABREAST], right[FORCE_ORDER + 1 + ABREAST];
} factors;

/* Terms 1 to k - 1 of order k of all products: those of the first and last order are added when they are known, and as
 * numbers of their own, because a vector that was just written number by number is slow to read. */
static inline void convolve(const factors *x, int k, double sum[LANES])
{
    for (int l = 0; l < LANES; l++)
        sum[l] = 0;
    for (int j = 1; j < k; j += ABREAST) {
        const lanes *a = &x->left[j], *b = &x->right[k - j + ABREAST];
#pragma omp simd
        for (int l = 0; l < LANES; l++)
            sum[l] += (a[0][l] * b[0][l] + a[1][l] * b[-1][l]) + (a[2][l] * b[-2][l] + a[3][l] * b[-3][l]);
    }
}

/* The whole product. */
static inline double product(const factors *x, const double sum[LANES], enum lane l, int k)
{
    const double end = x->left[0][l] * x->right[k + ABREAST][l];
    return k > 0 ? sum[l] + (end + x->left[k][l] * x->right[ABREAST][l]) : end;
}

/* The factors of order k that are known when F_n and v are; beyond them zeros. */
static void set_factors(const force_point *P, factors *x, int k)
{
    const force_core *c = &P->core;
    const double d1 = P->d[0][k], d2 = P->d[1][k], F = c->F[2][k], v1 = c->v[0][k], v2 = c->v[1][k], g = c->clock[k];
    const double share = P->clock == FORCE_CLOCK_ROOT ? P->share[k] : 0;
    const lanes left = {d1, d2, d1, d2, d1, d2, d1, d2, F, c->v[2][k], F, F, 0, 0, 0, share};
    const lanes right = {0, 0, 0, 0, v1, v2, v2, v1, g, g, 0, F, 0, g, 0, 0};
    memcpy(x->left[k], left, sizeof left);
    memcpy(x->right[k + ABREAST], right, sizeof right);
}

/* d theta / dz mu / k_t; and the reciprocal of share. */
static double rate_of_turn(force_point *P, factors *x, const double sum[LANES], int k)
{
    double *r = x->right[k + ABREAST];
    if (P->clock == FORCE_CLOCK_FORCE)
        return P->turning[k] = pole_map_rate(&P->map, P->psi, P->turning, k);
    const double known = k > 0 ? product(x, sum, SHARE_INVERSE, k) : -1;
    r[SHARE_INVERSE] = r[PSI_INVERSE] = -known / x->left[0][SHARE_INVERSE];
    return product(x, sum, PSI_INVERSE, k);
}

/* What lower orders contribute to this one: the rest of its factors. */
static void complete_factors(force_point *P, factors *x, const double sum[LANES], int k)
{
    double *l = x->left[k], *r = x->right[k + ABREAST];
    r[D1_Q] = r[D2_Q] = r[ALONG_Q] = product(x, sum, F_G, k);
    r[F_XI] = product(x, sum, V_G, k);
    l[ALONG_Q] = l[ALONG_G] = product(x, sum, D1_V1, k) + product(x, sum, D2_V2, k);
    l[PSI_INVERSE] = P->psi[k] = product(x, sum, D1_V2, k) - product(x, sum, D2_V1, k);
    r[D1_TURN] = r[D2_TURN] = rate_of_turn(P, x, sum, k);
}

/* Order k + 1 of the unknowns. */
static void push(force_point *P, const factors *x, const double sum[LANES], int k)
{
    force_core *c = &P->core;
    const double *r = x->right[k + ABREAST], per = 1.0 / (k + 1), mu = P->tangent.mu, turn = per * P->tangent.k / mu;
    P->d[0][k + 1] = -turn * product(x, sum, D2_TURN, k);
    P->d[1][k + 1] = turn * product(x, sum, D1_TURN, k);
    c->p[0][k + 1] = -mu * per * product(x, sum, D1_Q, k);
    c->p[1][k + 1] = -mu * per * product(x, sum, D2_Q, k);
    c->p[2][k + 1] = per * r[D1_Q];
    c->time[k + 1] = per * c->clock[k];
    c->x[k + 1] = -per * r[F_XI];
    c->loss_normal[k + 1] = -per * product(x, sum, F_XI, k);
    c->loss_friction[k + 1] = mu * per * product(x, sum, ALONG_Q, k);
    P->test[k] = product(x, sum, ALONG_G, k);
    if (P->clock == FORCE_CLOCK_ROOT)
        P->y[k + 1] = -0.5 * c->v[2][k] * per;
}

/* (4) times g, and the loss to friction, need F_n one order ahead: lambda F_n g = along q - (mu/k_t) (F_n^2)'/2. */
static void subtract_spring(force_point *P, const factors *x, const double sum[LANES], int k)
{
    const double ratio = P->tangent.mu / P->tangent.k;
    if (k == 0)
        return;
    P->test[k - 1] -= ratio * k * P->core.F[2][k];
    P->core.loss_friction[k] -= 0.5 * P->tangent.mu * ratio * product(x, sum, F_F, k);
}

void force_point_expand_turning(force_point *P)
{
    force_core *c = &P->core;
    factors x;
    lanes sum;
    memset(&x, 0, sizeof x);
    for (int k = 0; k <= FORCE_ORDER; k++) {
        convolve(&x, k, sum);
        force_point_forces(P, k);
        set_factors(P, &x, k);
        subtract_spring(P, &x, sum, k);
        if (k == FORCE_ORDER)
            break;
        complete_factors(P, &x, sum, k);
        push(P, &x, sum, k);
        force_point_push_states(P, k);
    }
    P->test[FORCE_ORDER] = 0;
    for (int k = 1; k <= FORCE_ORDER; k++)
        c->loss_tangential[k] = 0;
}
