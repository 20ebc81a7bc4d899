/* Coulomb friction of a patch followed along the impact.
 *
 * With the clock p = p_n, slips U = (u_t, W), g the gradient of Phi (core/patch.h):
 *
 *     dU/dp = k - mu K_TT g      du_n/dp = K_nn - mu k.g      dP/dp = -mu g                                       (1)
 *
 * The path is the gradient flow of a convex function (docs/theory/patch.md): it is unique, and it reaches U = 0 with
 * all slips at once, or never. The walk takes steps by Taylor series (patch_series.c), or by collocation at Radau's
 * points (patch_step.c) where series are short; straight lines where the direction of U stays (patch_path.c); and
 * phases and endings as the laws of point contacts do (coulomb_plane.h). */
#ifndef CAROM_LAWS_PATCH_PATH_H
#define CAROM_LAWS_PATCH_PATH_H

#include "core/collocation.h"
#include "laws/coulomb/coulomb.h"
#include "laws/patch/patch_contact.h"

enum { PATCH_SLIPS = 3 };

/* Where a path is. Works are done on the bodies. */
typedef struct patch_state {
    double U[PATCH_SLIPS], u_n, P[PATCH_SLIPS], p;
    double work, friction, spin;
} patch_state;

enum { PATCH_NUMBERS = sizeof(patch_state) / sizeof(double) };
enum { AT_U_N = 3, AT_P = 4, AT_CLOCK = 7, AT_WORK = 8, AT_FRICTION = 9, AT_SPIN = 10 };

typedef struct patch_walk {
    const carom_patch_contact *x;
    const carom_rule *rule;
    const coulomb_ending *ending;
    coulomb_sink sink;
    patch_state at;
    double scale[PATCH_SLIPS]; /* of the slips, so far the largest */
    int series;                /* steps by series that are left: a path that is longer is stiff */
    double length;             /* of the next step, in tau: what the path can be resolved with ... */
    double most;               /* ... and what is needed */
    bool compressing, done, endless;
    bool slipped, slides; /* at the start; "slide" is raised again after every zero of u_n */
    double need;
    coulomb_sums sums;
    int phases;
} patch_walk;

/* A step as polynomials of its clock, from 0 to length. */
enum { SERIES_ORDER = 28, STATE_ROW = 16 /* numbers of the state, and zeros */, ROW_ALIGNMENT = 64 /* bytes */ };

typedef struct patch_series {
    _Alignas(ROW_ALIGNMENT) double c[SERIES_ORDER + 1][STATE_ROW];
    double length;
} patch_series;

/* A smooth piece: what the state gains from its start to Radau's points. */
typedef struct patch_piece {
    patch_state start;
    double gain[PATCH_NUMBERS][POINTS];
    double length;
} patch_piece;

/* The slopes of the state by tau, or by p (per_impulse); Phi. */
void carom_patch_slopes(const carom_patch_contact *x, const double *U, bool per_impulse, patch_state *slope);

/* The rate of the fastest slip in tau, and the slope of a slip by p: upper bounds. */
double carom_patch_rate(const carom_patch_contact *x);
double carom_patch_most_slope(const carom_patch_contact *x, int slip);

/* A piece from the state of the walk, as long as it can be; false when no length would do. */
bool carom_patch_piece_begin(patch_walk *w, patch_piece *piece);

/* The state at a share of it, 0 to 1. */
void carom_patch_piece_at(const patch_piece *piece, double share, patch_state *state);

/* The same at point i of Radau's rule. */
void carom_patch_piece_point(const patch_piece *piece, int i, patch_state *state);

/* The body of every law of the family, with its ending. */
carom_status carom_patch_path(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                              carom_outcome *out, const coulomb_ending *ending);

/* The law of a point contact, made one of a patch by its ending. */
#if CARRIES_PARTIALS || defined(WITHOUT_PATCHES)
#define PATCH_PATH(name, ending)
#else
#define PATCH_PATH(name, ending)                                                                                       \
    static carom_status name(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,         \
                             carom_outcome *out)                                                                       \
    {                                                                                                                  \
        return carom_patch_path(x, rule, tracer, out, &ending);                                                        \
    }
#endif

#endif
