#include "sim/collocate_newton.h"

enum { ORDER = GAUSS_NODES * STATE, STEPS = 12, SAME_SLOPES = 3 };
#define DIFFERENCE 1e-7 /* of the sizes of the state, and of the slowest slip: for derivatives of the rates */
#define SETTLED    (16 * EPS)
#define DIVERGED   1e6
#define STALLED    1e-12 /* of the sizes of the state: what may be left when rounding ends the steps */

/* Rates at one node depend on the state there: this is how. */
typedef double jacobian[STATE][STATE];

/* A piece that begins at a time with the state y, and the integrals up to its nodes. */
typedef struct span_of_nodes {
    double start, h, y[STATE], weight[GAUSS_NODES][GAUSS_NODES];
} span_of_nodes;

/* Time and state at node j, where the rates at the nodes are f. */
static void go_to_node(ride *r, const span_of_nodes *x, int j, double f[GAUSS_NODES][STATE], double out[STATE])
{
    r->time = x->start + gauss_node[j] * x->h;
    for (int i = 0; i < STATE; i++) {
        out[i] = x->y[i];
        for (int k = 0; k < GAUSS_NODES; k++)
            out[i] += x->weight[j][k] * f[k][i];
    }
}

/* Slips keep their direction under a change much smaller than they are. */
static double slowest_slip(const ride *r, const double y[STATE])
{
    double least = INFINITY;
    for (int k = 0; k < r->count; k++) {
        if (r->c[k].mode != RIDE_SLIP && r->c[k].mode != RIDE_ONSET)
            continue;
        carom_vec3 u = contact_velocity(r, k, y);
        least = min(least, carom_vec3_length(carom_vec3_cross(r->c[k].n, u)));
    }
    return least;
}

static void differentiate(ride *r, const double y[STATE], const double size[STATE], jacobian J)
{
    double slip = slowest_slip(r, y), R = size[0];
    for (int s = 0; s < STATE; s++) {
        double d = DIFFERENCE * (s < 7 ? size[s] : s < 10 ? min(size[s], slip) : min(size[s], slip / R));
        double up[STATE], down[STATE], next[STATE];
        memcpy(next, y, sizeof next);
        next[s] = y[s] + d;
        ride_rates(r, next, up, NULL);
        next[s] = y[s] - d;
        ride_rates(r, next, down, NULL);
        for (int i = 0; i < STATE; i++)
            J[i][s] = (up[i] - down[i]) / (2 * d);
    }
}

/* Triangular factors with row pivots, in place; false: singular. */
static bool factor(double (*A)[ORDER], int *pivot)
{
    for (int p = 0; p < ORDER; p++) {
        pivot[p] = p;
        for (int i = p + 1; i < ORDER; i++)
            if (fabs(A[i][p]) > fabs(A[pivot[p]][p]))
                pivot[p] = i;
        if (!(fabs(A[pivot[p]][p]) > 0))
            return false;
        for (int j = 0; j < ORDER && pivot[p] != p; j++) {
            double swap = A[p][j];
            A[p][j] = A[pivot[p]][j], A[pivot[p]][j] = swap;
        }
        for (int i = p + 1; i < ORDER; i++) {
            double by = A[i][p] /= A[p][p];
            for (int j = p + 1; j < ORDER && by != 0; j++)
                A[i][j] -= by * A[p][j];
        }
    }
    return true;
}

static void solve_factored(double (*A)[ORDER], const int *pivot, double x[ORDER])
{
    for (int p = 0; p < ORDER; p++) {
        double swap = x[p];
        x[p] = x[pivot[p]], x[pivot[p]] = swap;
    }
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < i; j++)
            x[i] -= A[i][j] * x[j];
    for (int i = ORDER - 1; i >= 0; i--) {
        for (int j = i + 1; j < ORDER; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

/* 1 - h J: how the residuals f - rates(y + h sum f) change with f. */
static void linearise(ride *r, const span_of_nodes *x, const double size[STATE], double f[GAUSS_NODES][STATE],
                      double (*A)[ORDER])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        jacobian J;
        double here[STATE];
        go_to_node(r, x, j, f, here);
        differentiate(r, here, size, J);
        for (int i = 0; i < STATE; i++)
            for (int m = 0; m < ORDER; m++) {
                int node = m / STATE, s = m % STATE;
                A[j * STATE + i][m] = (j == node && i == s ? 1 : 0) - x->weight[j][node] * J[i][s];
            }
    }
}

static void residuals(ride *r, const span_of_nodes *x, double f[GAUSS_NODES][STATE], double out[ORDER])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        double here[STATE], rate[STATE];
        go_to_node(r, x, j, f, here);
        ride_rates(r, here, rate, NULL);
        for (int i = 0; i < STATE; i++)
            out[j * STATE + i] = rate[i] - f[j][i];
    }
}

static bool iterate(ride *r, const span_of_nodes *x, const double size[STATE], double f[GAUSS_NODES][STATE])
{
    double A[ORDER][ORDER], by[ORDER], last = INFINITY;
    int pivot[ORDER];
    for (int step = 0; step < STEPS; step++) {
        double change = 0;
        if (step % SAME_SLOPES == 0) {
            linearise(r, x, size, f, A);
            if (!factor(A, pivot))
                return false;
        }
        residuals(r, x, f, by);
        solve_factored(A, pivot, by);
        for (int k = 0; k < ORDER; k++) {
            f[k / STATE][k % STATE] += by[k];
            change = max(change, x->h * fabs(by[k]) / size[k % STATE]);
        }
        if (change <= SETTLED || (change <= STALLED && change >= last))
            return true;
        if (!(change < DIVERGED))
            return false;
        last = change;
    }
    return false;
}

bool collocate_newton(ride *r, const double y[STATE], double h, const double size[STATE], double f[GAUSS_NODES][STATE])
{
    span_of_nodes x = {.start = r->time, .h = h};
    memcpy(x.y, y, sizeof x.y);
    for (int j = 0; j < GAUSS_NODES; j++)
        track_weights(h, gauss_node[j], x.weight[j]);
    bool settles = iterate(r, &x, size, f);
    r->time = x.start;
    return settles;
}
