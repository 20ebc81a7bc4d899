/* A piece of motion with closed contacts: polynomials in time from one step of Gauss collocation. */
#ifndef CAROM_SIM_TRACK_H
#define CAROM_SIM_TRACK_H

#include <stdbool.h>

#include "carom/vec.h"
#include "core/rotate.h"

enum { GAUSS_NODES = 7 };
enum { PIECE_HALVINGS = 24 }; /* of the length of a piece, until its polynomials hold */
#define PIECE_FIRST 0.05      /* of the time scale of the bodies: length of a first piece */
#define DIVERGES    1e6       /* of the sizes of the state: an iteration that changes it by more does not settle */

/* No piece of motion is longer, s, even where nothing moves: times within it keep their digits. */
#define PIECE_LONGEST 1e9

static const double gauss_node[GAUSS_NODES] = {0.025446043828620736, 0.12923440720030277, 0.29707742431130141, 0.5,
                                               0.70292257568869854,  0.87076559279969723, 0.9745539561713793};
/* The integral of the Lagrange polynomial of node i from 0 to x is the sum of gauss_integral[i][k] x^(k+1). */
static const double gauss_integral[GAUSS_NODES][GAUSS_NODES] = {
    {1.5746624997105505, -13.149345333208348, 52.312272765158319, -111.53690441282507, 130.85362356172553,
     -79.634791045102546, 19.645224447625996},
    {-0.9707266965061222, 23.424665414344862, -123.78500129701888, 300.88815745692153, -379.79012784150802,
     241.87986058146396, -61.50697492195269},
    {0.67210786192236183, -17.687820306911526, 129.67822832542001, -378.32832676439079, 533.7685500108571,
     -365.80622763719583, 97.894403535551177},
    {-0.45714285714285713, 12.342857142857143, -98.742857142857147, 331.8857142857143, -524.98285714285714,
     392.22857142857146, -112.06530612244897},
    {0.28405414676522994, -7.7514638802126283, 64.229992376803068, -229.7251324762488, 394.71365843425696,
     -319.45459711166245, 97.894403535551177},
    {-0.14407010361206884, 3.951236789309799, -33.280560523477767, 122.60869529700321, -220.1574377137307,
     188.66896387220487, -61.50697492195269},
    {0.041115148862905931, -1.1301298261793016, 9.5879254959724101, -35.792203386174357, 65.594590691256215,
     -57.881780088279442, 19.645224447625996},
};

enum { STATE = 13, FREEDOMS = 6 }; /* x, q, v, w: three, four, three, three numbers; v and w of these */

/* Works along a piece: of the fields, of moving ground, of patches against spin. */
enum { WORK_OF_FIELDS, WORK_OF_GROUND, WORK_OF_SPIN, WORKS };

typedef struct track {
    double t0, h;
    double end;                          /* a mode of its contacts breaks there; else t0 + h */
    double c[STATE][GAUSS_NODES + 1];    /* coefficients of powers of (t - t0) / h */
    double accel, turn;                  /* bounds over the piece: |x''|, and |w|^2 + |w'| */
    double work[WORKS][GAUSS_NODES + 1]; /* since t0, likewise; zero without any */
    const struct driven *driven; /* of a fixed body: all of its motion, in place of the polynomials; else null */
} track;

/* The motion of a fixed body (driven.c). */
carom_vec3 driven_position(const struct driven *d, double t);
carom_vec3 driven_velocity(const struct driven *d, double t);
carom_quat driven_turn(const struct driven *d, double t);
carom_vec3 driven_omega(const struct driven *d, double t);

/* Integrals over [0, x h] of the polynomials that are one at one node and zero at the others. */
void track_weights(double h, double x, double weight[GAUSS_NODES]);

/* Rates of a state at all nodes. */
typedef double *node_rates[GAUSS_NODES];

/* The rates f at the nodes of a piece of length h, from a first guess, by iteration. */
typedef struct node_search {
    bool (*rate)(void *context, double s, const double *y, double *f); /* at s since the start; false: there is none */
    void *context;
    int size; /* numbers of a state */
    double h;
    const double *y, *scale; /* the state at the start, and the sizes of its numbers */
    double *here;            /* room for a state, and for one at each node: */
    node_rates next;
    double settled, rounding; /* changes that end it; the second where rounding keeps it from the first, */
    int patience;             /* after so many rounds */
} node_search;

/* The state a share of h after the start. */
void nodes_state(const node_search *x, double share, node_rates f, double *out);

/* False: the iteration does not settle. */
bool nodes_settle(node_search *x, node_rates f);

/* The piece from the state y at t, with the rates f at the nodes of [t, t + h]; end is left as it was, works are zero.
 */
void track_make(const double y[STATE], double t, double h, double f[GAUSS_NODES][STATE], track *out);

/* Coefficients of the integral from t0 of a function with the values f at the nodes. */
void track_integrate(double h, const double f[GAUSS_NODES], double c[GAUSS_NODES + 1]);

static inline double track_sum(const double c[GAUSS_NODES + 1], double x)
{
    double sum = c[GAUSS_NODES];
    for (int p = GAUSS_NODES - 1; p >= 0; p--)
        sum = sum * x + c[p];
    return sum;
}

static inline double track_value(const track *k, int i, double t)
{
    return track_sum(k->c[i], (t - k->t0) / k->h);
}

static inline double track_work(const track *k, int of, double t)
{
    return track_sum(k->work[of], (t - k->t0) / k->h);
}

static inline carom_vec3 track_vec(const track *k, int first, double t)
{
    return carom_vec3_make(track_value(k, first, t), track_value(k, first + 1, t), track_value(k, first + 2, t));
}

static inline carom_vec3 track_position(const track *k, double t)
{
    return k->driven ? driven_position(k->driven, t) : track_vec(k, 0, t);
}

static inline carom_vec3 track_velocity(const track *k, double t)
{
    return k->driven ? driven_velocity(k->driven, t) : track_vec(k, 7, t);
}

static inline carom_vec3 track_omega(const track *k, double t)
{
    return k->driven ? driven_omega(k->driven, t) : track_vec(k, 10, t);
}

static inline carom_quat track_turn(const track *k, double t)
{
    if (k->driven)
        return driven_turn(k->driven, t);
    carom_quat q = {track_value(k, 3, t), track_value(k, 4, t), track_value(k, 5, t), track_value(k, 6, t)};
    return quat_scale(1 / quat_norm(q), q);
}

#endif
