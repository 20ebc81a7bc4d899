#include "sim/rest/collocate_newton.h"

#include "core/lu.h"
#include "sim/rest/contensou.h"

/* A piece that begins at a time with the state y, and the integrals up to its nodes. */
typedef struct span_of_nodes {
    double start, h, weight[GAUSS_NODES][GAUSS_NODES];
    const double *y;
    int width, order; /* unknown numbers at a node, and at all */
    int *unknown;     /* which numbers of the state they are */
} span_of_nodes;

/* Of one body all numbers of the state are unknown; of several only velocities, which slips make stiff, and places and
 * orientations follow by iteration. */
static void set_unknown(const ride *r, span_of_nodes *x)
{
    x->unknown = TAKE(r->arena, int, ride_states(r));
    for (int i = 0; i < ride_states(r); i++)
        if (r->members == 1 || i % STATE >= STATE - FREEDOMS)
            x->unknown[x->width++] = i;
    x->order = GAUSS_NODES * x->width;
}

/* Time and state at node j, where the rates at the nodes are f. */
static void go_to_node(ride *r, const span_of_nodes *x, int j, node_rates f, double *out)
{
    r->time = x->start + gauss_node[j] * x->h;
    nodes_state(&(node_search){.size = ride_states(r), .h = x->h, .y = x->y}, gauss_node[j], f, out);
}

/* Slips keep their direction under a change much smaller than they are. */
static double slowest_slip(const ride *r, const double *y)
{
    double least = INFINITY;
    for (int k = 0; k < r->count; k++) {
        if (r->c[k].mode != RIDE_SLIP && r->c[k].mode != RIDE_ONSET)
            continue;
        carom_vec3 u = contact_velocity(r, k, y);
        if (has_patch(&r->c[k])) {
            glide x = glide_of(r, k, y);
            least = min(least, glide_size(&x));
            continue;
        }
        least = min(least, carom_vec3_length(carom_vec3_cross(r->c[k].n, u)));
    }
    return least;
}

/* How the rates at a node depend on the state y there. */
static void differentiate(ride *r, const span_of_nodes *x, const double *y, const double *size, matrix *J)
{
    double slip = slowest_slip(r, y), up[RIDE_STATE], down[RIDE_STATE], next[RIDE_STATE];
    for (int k = 0; k < x->width; k++) {
        int s = x->unknown[k], part = s % STATE;
        double R = size[s - part];
        /* about the root of EPS, with room for slow slips */
        double d = 0.1 * VISIBLE * (part < 7 ? size[s] : part < 10 ? min(size[s], slip) : min(size[s], slip / R));
        memcpy(next, y, (size_t)ride_states(r) * sizeof *next);
        next[s] = y[s] + d;
        ride_rates(r, next, up, NULL);
        next[s] = y[s] - d;
        ride_rates(r, next, down, NULL);
        for (int i = 0; i < x->width; i++)
            row_of(J, i)[k] = (up[x->unknown[i]] - down[x->unknown[i]]) / (2 * d);
    }
}

/* 1 - h J: how the residuals f - rates(y + h sum f) change with f. */
static void linearise(ride *r, const span_of_nodes *x, const double *size, node_rates f, matrix *A)
{
    arena_mark mark = arena_now(r->arena);
    matrix J = {x->width, x->width, TAKE(r->arena, double, x->width * x->width)};
    for (int j = 0; j < GAUSS_NODES; j++) {
        double here[RIDE_STATE];
        go_to_node(r, x, j, f, here);
        differentiate(r, x, here, size, &J);
        for (int i = 0; i < x->width; i++)
            for (int m = 0; m < x->order; m++) {
                int node = m / x->width, s = m % x->width;
                row_of(A, j * x->width + i)[m] = (j == node && i == s ? 1 : 0) - x->weight[j][node] * row_of(&J, i)[s];
            }
    }
    arena_back(r->arena, mark);
}

/* The residuals, and the rates that they belong to. */
static void residuals(ride *r, const span_of_nodes *x, node_rates f, node_rates rate, double *out)
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
static double improve(const ride *r, const span_of_nodes *x, const double *size, const double *by, node_rates rate,
                      node_rates f)
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
    matrix A = {x->order, x->order, TAKE(r->arena, double, x->order * x->order)};
    double *by = TAKE(r->arena, double, x->order), last = INFINITY;
    int *pivot = TAKE(r->arena, int, x->order), steps = NEWTON_STEPS * (r->members == 1 ? 1 : 3);
    node_rates rate;
    take_nodes(r, rate);
    for (int step = 0; step < steps; step++) {
        if (step % (steps / 4) == 0) { /* the derivatives are found anew four times */
            linearise(r, x, size, f, &A);
            if (!(lu_factor(x->order, A.at, pivot) > 0))
                return false;
        }
        residuals(r, x, f, rate, by);
        lu_solve(x->order, A.at, pivot, by);
        double change = improve(r, x, size, by, rate, f);
        if (change <= 16 * EPS || (change <= ROUND_PLACE && change >= last)) /* rounding ends the steps */
            return true;
        if (!(change < DIVERGES))
            return false;
        last = change;
    }
    return false;
}

bool collocate_newton(ride *r, const double *y, double h, const double *size, node_rates f)
{
    arena_mark mark = arena_now(r->arena);
    span_of_nodes x = {.start = r->time, .h = h, .y = y};
    set_unknown(r, &x);
    for (int j = 0; j < GAUSS_NODES; j++)
        track_weights(h, gauss_node[j], x.weight[j]);
    bool settles = iterate(r, &x, size, f);
    r->time = x.start;
    arena_back(r->arena, mark);
    return settles;
}
