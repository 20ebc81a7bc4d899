#include "sim/rest/collocate_newton.h"

/* Of one body all numbers of the state are unknown; of several only velocities, which slips make stiff, and places and
 * orientations follow by iteration. */
enum { VELOCITIES = 6, WIDTH = RIDE_BODIES * VELOCITIES > STATE ? RIDE_BODIES *VELOCITIES : STATE };
enum { ORDER = GAUSS_NODES * WIDTH, STEPS = 12, STEPS_OF_SEVERAL = 36, SLOPES = 4 };
#define DIFFERENCE 1e-7 /* of the sizes of the state, and of the slowest slip: for derivatives of the rates */
#define SETTLED    (16 * EPS)
#define DIVERGED   1e6
#define STALLED    1e-12 /* of the sizes of the state: what may be left when rounding ends the steps */

/* Rates at one node depend on the state there: this is how. */
typedef double jacobian[WIDTH][WIDTH];

/* A piece that begins at a time with the state y, and the integrals up to its nodes. */
typedef struct span_of_nodes {
    double start, h, y[RIDE_STATE], weight[GAUSS_NODES][GAUSS_NODES];
    int width, order;   /* unknown numbers at a node, and at all */
    int unknown[WIDTH]; /* which numbers of the state they are */
} span_of_nodes;

static void set_unknown(const ride *r, span_of_nodes *x)
{
    for (int i = 0; i < ride_states(r); i++)
        if (r->members == 1 || i % STATE >= STATE - VELOCITIES)
            x->unknown[x->width++] = i;
    x->order = GAUSS_NODES * x->width;
}

/* Time and state at node j, where the rates at the nodes are f. */
static void go_to_node(ride *r, const span_of_nodes *x, int j, node_rates f, double *out)
{
    r->time = x->start + gauss_node[j] * x->h;
    for (int i = 0; i < ride_states(r); i++) {
        out[i] = x->y[i];
        for (int k = 0; k < GAUSS_NODES; k++)
            out[i] += x->weight[j][k] * f[k][i];
    }
}

/* Slips keep their direction under a change much smaller than they are. */
static double slowest_slip(const ride *r, const double *y)
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

static void differentiate(ride *r, const span_of_nodes *x, const double *y, const double *size, jacobian J)
{
    double slip = slowest_slip(r, y), up[RIDE_STATE], down[RIDE_STATE], next[RIDE_STATE];
    for (int k = 0; k < x->width; k++) {
        int s = x->unknown[k], part = s % STATE;
        double R = size[s - part];
        double d = DIFFERENCE * (part < 7 ? size[s] : part < 10 ? min(size[s], slip) : min(size[s], slip / R));
        memcpy(next, y, (size_t)ride_states(r) * sizeof *next);
        next[s] = y[s] + d;
        ride_rates(r, next, up, NULL);
        next[s] = y[s] - d;
        ride_rates(r, next, down, NULL);
        for (int i = 0; i < x->width; i++)
            J[i][k] = (up[x->unknown[i]] - down[x->unknown[i]]) / (2 * d);
    }
}

/* Triangular factors with row pivots, in place; false: singular. */
static bool factor(double (*A)[ORDER], int n, int *pivot)
{
    for (int p = 0; p < n; p++) {
        pivot[p] = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(A[i][p]) > fabs(A[pivot[p]][p]))
                pivot[p] = i;
        if (!(fabs(A[pivot[p]][p]) > 0))
            return false;
        for (int j = 0; j < n && pivot[p] != p; j++) {
            double swap = A[p][j];
            A[p][j] = A[pivot[p]][j], A[pivot[p]][j] = swap;
        }
        for (int i = p + 1; i < n; i++) {
            double by = A[i][p] /= A[p][p];
            for (int j = p + 1; j < n && by != 0; j++)
                A[i][j] -= by * A[p][j];
        }
    }
    return true;
}

static void solve_factored(double (*A)[ORDER], int n, const int *pivot, double x[ORDER])
{
    for (int p = 0; p < n; p++) {
        double swap = x[p];
        x[p] = x[pivot[p]], x[pivot[p]] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            x[i] -= A[i][j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}

/* 1 - h J: how the residuals f - rates(y + h sum f) change with f. */
static void linearise(ride *r, const span_of_nodes *x, const double *size, node_rates f, double (*A)[ORDER])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        jacobian J;
        double here[RIDE_STATE];
        go_to_node(r, x, j, f, here);
        differentiate(r, x, here, size, J);
        for (int i = 0; i < x->width; i++)
            for (int m = 0; m < x->order; m++) {
                int node = m / x->width, s = m % x->width;
                A[j * x->width + i][m] = (j == node && i == s ? 1 : 0) - x->weight[j][node] * J[i][s];
            }
    }
}

/* The residuals, and the rates that they belong to. */
static void residuals(ride *r, const span_of_nodes *x, node_rates f, node_rates rate, double out[ORDER])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        double here[RIDE_STATE];
        go_to_node(r, x, j, f, here);
        ride_rates(r, here, rate[j], NULL);
        for (int i = 0; i < x->width; i++)
            out[j * x->width + i] = rate[j][x->unknown[i]] - f[j][x->unknown[i]];
    }
}

/* The unknown rates change by what has been solved for, the others become what they are. Returns the largest change. */
static double improve(const ride *r, const span_of_nodes *x, const double *size, const double by[ORDER],
                      node_rates rate, node_rates f)
{
    double change = 0;
    for (int j = 0; j < GAUSS_NODES; j++) {
        for (int i = 0; i < x->width; i++)
            rate[j][x->unknown[i]] = f[j][x->unknown[i]] + by[j * x->width + i];
        for (int i = 0; i < ride_states(r); i++)
            change = max(change, x->h * fabs(rate[j][i] - f[j][i]) / size[i]);
        memcpy(f[j], rate[j], (size_t)ride_states(r) * sizeof **f);
    }
    return change;
}

static bool iterate(ride *r, const span_of_nodes *x, const double *size, node_rates f)
{
    double A[ORDER][ORDER], by[ORDER], last = INFINITY;
    node_rates rate;
    int pivot[ORDER], steps = r->members == 1 ? STEPS : STEPS_OF_SEVERAL;
    for (int step = 0; step < steps; step++) {
        if (step % (steps / SLOPES) == 0) {
            linearise(r, x, size, f, A);
            if (!factor(A, x->order, pivot))
                return false;
        }
        residuals(r, x, f, rate, by);
        solve_factored(A, x->order, pivot, by);
        double change = improve(r, x, size, by, rate, f);
        if (change <= SETTLED || (change <= STALLED && change >= last))
            return true;
        if (!(change < DIVERGED))
            return false;
        last = change;
    }
    return false;
}

bool collocate_newton(ride *r, const double *y, double h, const double *size, node_rates f)
{
    span_of_nodes x = {.start = r->time, .h = h};
    set_unknown(r, &x);
    memcpy(x.y, y, (size_t)ride_states(r) * sizeof *y);
    for (int j = 0; j < GAUSS_NODES; j++)
        track_weights(h, gauss_node[j], x.weight[j]);
    bool settles = iterate(r, &x, size, f);
    r->time = x.start;
    return settles;
}
