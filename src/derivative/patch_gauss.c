#include "derivative/patch_gauss.h"

#include "derivative/patch_variation.h"

enum { HALF = GAUSS / 2 };

/* Points and weights on -1 to 1, the positive half. */
static const double gauss_x[HALF] = {0.1252334085114689, 0.3678314989981802, 0.5873179542866175,
                                     0.7699026741943047, 0.9041172563704749, 0.9815606342467193};
static const double gauss_w[HALF] = {0.2491470458134028, 0.2334925365383548, 0.2031674267230659,
                                     0.1600783285433462, 0.1069393259953184, 0.0471753363865118};

static void legendre_at(double x, double P[GAUSS + 1])
{
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < GAUSS; k++)
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

/* Lagrange's polynomial of point j is w_j sum of (k + 1/2) P_k(x_j) P_k(x); the integral of P_k is
 * (P_(k+1) - P_(k-1)) / (2k + 1). */
bool carom_gauss_make(gauss_rule *r)
{
    double P[GAUSS][GAUSS + 1], A[GAUSS * GAUSS];
    for (int i = 0; i < GAUSS; i++) {
        const int at = i < HALF ? HALF - 1 - i : i - HALF;
        const double x = i < HALF ? -gauss_x[at] : gauss_x[at];
        r->x[i] = 0.5 * (1 + x);
        r->w[i] = 0.5 * gauss_w[at];
        legendre_at(x, P[i]);
    }
    for (int i = 0; i < GAUSS; i++)
        for (int j = 0; j < GAUSS; j++) {
            double sum = 0.5 * (P[i][1] + 1);
            for (int k = 1; k < GAUSS; k++)
                sum += 0.5 * P[j][k] * (P[i][k + 1] - P[i][k - 1]);
            A[i * GAUSS + j] = r->integral[i][j] = r->w[j] * sum;
            r->slope[i][j] = i == j;
        }
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < GAUSS; j++)
            r->last[k][j] = (2 * (GAUSS - 1 - k) + 1) * r->w[j] * P[j][GAUSS - 1 - k];
    return carom_patch_solve_rows(GAUSS, A, GAUSS, &r->slope[0][0]); /* its columns, as rows */
}

double carom_gauss_last(const gauss_rule *r, const double *f)
{
    double last[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < GAUSS; j++)
            last[k] += r->last[k][j] * f[j];
    return max(fabs(last[0]), fabs(last[1]));
}
