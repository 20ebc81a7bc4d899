/* Carom: the geometry of an impact.
 *
 * Impulse space. Every impulse p that an impact may end with obeys three rules, and each is a shape:
 *
 *     u_n + (K p)_n >= 0        above the plane of maximum compression      the bodies do not interpenetrate,
 *     p.u + p K p / 2 <= 0      inside the energy ellipsoid                 no energy appears,
 *     |p_t| <= mu p_n           inside the friction cone                    Coulomb.
 *
 * The ellipsoid passes through the origin; its centre -K^+ u lies on the plane of maximum compression and on the line
 * of sticking, which is where u_t = 0. What the three have in common is the accessible region: convex, and in the plane
 * bounded by one arc of the ellipse and at most three segments.
 *
 * Slip plane. While the contact slides, the direction of slip theta and its speed r follow
 *
 *     r dtheta/dp_n = f(theta),   dr/dp_n = g(theta),   du_n/dp_n = h(theta)
 *
 * and the directions with f = 0 are invariant rays: at most four, at least two.
 *
 * Nothing here allocates; lists have bounds or belong to the caller. See docs/theory/impulse-space.md for pictures. */
#ifndef CAROM_GEOMETRY_H
#define CAROM_GEOMETRY_H

#include <stdbool.h>

#include "carom/body.h"
#include "carom/export.h"
#include "carom/law.h"
#include "carom/problem.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

/* ---- shapes in impulse space ---- */

/* { p : p.u + p K p / 2 <= 0 }. A direction that K does not move has the radius CAROM_UNBOUNDED: the ellipsoid of a
 * pendulum is a slab, the one of a planar problem a cylinder along t2. */
typedef struct carom_ellipsoid {
    carom_cvec centre;  /* -K^+ u: the impulse that stops all motion */
    carom_cvec axis[3]; /* unit vectors */
    double radius[3];   /* semi-axes, N s, ascending */
    int rank;           /* how many of them are finite */
} carom_ellipsoid;

/* CAROM_STATUS_OUT_OF_SCOPE when u has a part that K cannot change: energy is then unbounded below and there is no
 * ellipsoid.
 */
CAROM_API CAROM_MUST_USE carom_status carom_ellipsoid_of(const carom_problem *problem, carom_ellipsoid *ellipsoid);

/* p.u + p K p / 2: the energy that the impulse p adds. */
CAROM_API double carom_energy_at(const carom_problem *problem, carom_cvec p);

/* Ivanov's eta: where p lies on its chord of the ellipsoid through the origin, -1 at the origin, 0 in the middle, 1 on
 * the far side. Defined where p.u < 0; CAROM_STATUS_OUT_OF_SCOPE and zero elsewhere. */
CAROM_API CAROM_MUST_USE carom_status carom_ivanov_eta(const carom_problem *problem, carom_cvec p, double *eta);

/* Euclidean distances in impulse space to the three borders, N s; positive inside, negative outside. */
typedef struct carom_distances {
    double compression; /* plane of maximum compression */
    double energy;      /* ellipsoid */
    double cone;        /* friction cone */
} carom_distances;

/* CAROM_STATUS_ITERATION_LIMIT if the foot point on the ellipsoid was not found to full accuracy (not seen). p is
 * accessible when all three are >= 0. */
CAROM_API CAROM_MUST_USE carom_status carom_distances_at(const carom_problem *problem, double mu, carom_cvec p,
                                                         carom_distances *distances);

typedef struct carom_line {
    carom_cvec point, direction;
} carom_line;

/* The line of sticking u_t = 0 and where it meets the other shapes. Points on it are numbered by their p_n. */
typedef struct carom_sticking {
    carom_line line;     /* direction.n = 1 */
    double centre;       /* meets the plane of maximum compression, at the centre of the ellipsoid */
    double energy[2];    /* enters and leaves the ellipsoid; +-CAROM_UNBOUNDED for a slab */
    double cone[2];      /* enters and leaves the cone; cone[1] may be CAROM_UNBOUNDED; empty when cone[0] > cone[1] */
    bool is_within_cone; /* |direction_t| <= mu: once stuck, the contact stays stuck */
} carom_sticking;

/* CAROM_STATUS_OUT_OF_SCOPE when u_t = 0 is not a line (K_TT is singular), or not reachable. */
CAROM_API CAROM_MUST_USE carom_status carom_sticking_of(const carom_problem *problem, double mu,
                                                        carom_sticking *sticking);

/* ---- landmarks along a planar path ---- */

typedef enum carom_mark_kind {
    CAROM_MARK_COMPRESSION, /* the path crosses the line of maximum compression */
    CAROM_MARK_STICKING,    /* the path reaches the line of sticking, where it turns */
    CAROM_MARK_ENERGY       /* the path leaves the energy ellipse: no impact can last longer */
} carom_mark_kind;

typedef struct carom_mark {
    carom_mark_kind kind;
    carom_cvec p;
} carom_mark;

enum { CAROM_MARKS = 3 };

/* The path that Coulomb friction walks from the origin: along the edge of the cone until the line of sticking, then
 * along that line or along the other edge. Landmarks in the order in which it meets them; returns how many. The problem
 * must be planar as given (no t2) and approach; otherwise 0. */
CAROM_API int carom_marks_along(const carom_problem *problem, double mu, carom_mark marks[CAROM_MARKS]);

/* ---- the accessible region of a planar problem ---- */

typedef enum carom_edge_kind {
    CAROM_EDGE_COMPRESSION, /* u_n = 0 */
    CAROM_EDGE_CONE_PLUS,   /* p_t = mu p_n */
    CAROM_EDGE_ENERGY,      /* no loss of energy */
    CAROM_EDGE_CONE_MINUS   /* p_t = -mu p_n */
} carom_edge_kind;

/* An end of an edge: a point, or, where the region is unbounded, the direction in which the edge goes on for ever. */
typedef struct carom_corner {
    carom_cvec p;
    bool at_infinity;
} carom_corner;

typedef struct carom_edge {
    carom_edge_kind kind;
    bool is_straight; /* a segment; else an arc of the energy ellipse */
    carom_corner from, to;
} carom_edge;

enum { CAROM_REGION_EDGES = 4 };

/* The region in polar form: the direction of p, angle = atan2(p_t, p_n), lies between two angles, and along every
 * direction the region reaches from the line of maximum compression to the energy ellipse. The edges run round it in
 * the order of carom_edge_kind, without gaps. */
typedef struct carom_region {
    carom_problem problem; /* in the plane of the region: no t2 */
    double mu;
    double angle[2]; /* rad */
    bool bounded;
    int count;
    carom_edge edges[CAROM_REGION_EDGES];
} carom_region;

/* The region of a planar problem (found in any tangent frame); region->problem is the problem in its plane. For any
 * other problem, the slice of the region through n and the direction d is carom_region_slice, which is also exact.
 * CAROM_STATUS_NOT_PLANAR; CAROM_STATUS_SEPARATING when u_n > 0: the region is then the origin alone. */
CAROM_API CAROM_MUST_USE carom_status carom_region_of(const carom_problem *problem, double mu, carom_region *region);
CAROM_API CAROM_MUST_USE carom_status carom_region_slice(const carom_problem *problem, double mu, carom_direction d,
                                                         carom_region *region);

/* p (in the plane of the region) is in it, judged by the boundary alone. */
CAROM_API bool carom_region_contains(const carom_region *region, carom_cvec p);

/* The point of an edge at s, from 0 to 1. Towards infinity it runs off as s / (1 - s). */
CAROM_API carom_cvec carom_edge_at(const carom_region *region, const carom_edge *edge, double s);

/* ---- coordinates of the accessible region ---- */

/* Where an impulse lies in the region, in space or in the plane: the coefficients with which the law `region` gives it.
 * Every accessible impulse has them, so they compare the outcomes of laws and of measurements on one scale. */
typedef struct carom_region_place {
    double e;     /* 0 where compression ends, 1 where all energy is back, along the impulse */
    double share; /* ratio |p_t|/p_n, of the largest that mu and energy allow in its direction */
    double turn;  /* rad: direction of p_t, an angle about n from against the slip */
} carom_region_place;

/* CAROM_STATUS_INADMISSIBLE when p is outside: e > 1 creates energy, e < 0 lets the bodies approach, share > 1 leaves
 * the cone or all energies. CAROM_STATUS_OUT_OF_SCOPE when p_n is not positive, CAROM_STATUS_SEPARATING when u_n > 0,
 * CAROM_STATUS_BAD_COEFFICIENT for mu; the place is zero then. */
CAROM_API CAROM_MUST_USE carom_status carom_region_place_of(const carom_problem *problem, double mu, carom_cvec p,
                                                            carom_region_place *place);

/* ---- what a law can reach ---- */

/* Two coefficients and their ranges; the rule's other coefficients stay. */
typedef struct carom_sweep2 {
    carom_coeff coeff[2];
    double from[2], to[2];
} carom_sweep2;

/* The ranges that show a law best: e over its range, and the first of e_t, ratio_1, nu, turn, mu that the law uses (mu
 * from 0 to the rule's; ratio_1 within the cone; turn from 0 to pi). A law that uses e alone sweeps a curve. */
CAROM_API carom_sweep2 carom_sweep2_of(const carom_rule *rule);

typedef struct carom_reach {
    int count;   /* points of the closed boundary written */
    int outside; /* impulses of the interior of the sweep that the boundary does not hold: 0 when it is the true one */
} carom_reach;

/* Trace the image of the border of the sweep in impulse space: 4 n points, which the caller owns. An interior grid of n
 * by n is solved as well and counted against it. Refusals of the law are skipped. */
CAROM_API CAROM_MUST_USE carom_status carom_reach_trace(const carom_problem *problem, const carom_rule *rule,
                                                        const carom_sweep2 *sweep, int n, carom_cvec *points,
                                                        carom_reach *reach);

/* ---- the slip plane ---- */

typedef struct carom_slip_rates {
    double f, g, h; /* r dtheta/dp_n, dr/dp_n, du_n/dp_n */
    double f_slope; /* df/dtheta */
} carom_slip_rates;

CAROM_API carom_slip_rates carom_slip_rates_at(const carom_csym *K, double mu, carom_direction slip);

typedef enum carom_ray_kind {
    CAROM_RAY_CONVERGING, /* g < 0: slip along it comes to rest */
    CAROM_RAY_STATIONARY, /* g = 0 to rounding */
    CAROM_RAY_DIVERGING   /* g > 0: slip along it grows for ever; at most one, always attracting */
} carom_ray_kind;

typedef struct carom_ray {
    double angle; /* rad, 0 <= angle < 2 pi */
    carom_direction direction;
    double g, f_slope;
    carom_ray_kind kind;
    bool attracting; /* neighbours turn towards it */
    bool repelling;  /* neighbours turn away; a double ray is neither */
} carom_ray;

enum { CAROM_RAYS = 4 };

typedef struct carom_hodograph {
    carom_csym K;
    double mu;
    bool every;  /* every direction is invariant (isotropic and uncoupled): no list */
    bool sticks; /* the origin holds: |K_TT^-1 k| <= mu */
    int count;
    carom_ray rays[CAROM_RAYS]; /* by angle */
} carom_hodograph;

/* All invariant rays. CAROM_STATUS_BAD_COEFFICIENT unless mu >= 0 and finite, CAROM_STATUS_NOT_FINITE. */
CAROM_API CAROM_MUST_USE carom_status carom_hodograph_of(const carom_csym *K, double mu, carom_hodograph *hodograph);

/* Slip that starts in this direction comes to rest, if the impact lasts long enough. */
CAROM_API bool carom_hodograph_reaches(const carom_hodograph *hodograph, carom_direction slip);

/* The directions from which slip comes to rest, as arcs from[i] to to[i] (to > from, to - from <= 2 pi); returns how
 * many, at most CAROM_RAYS. A repelling ray inside an arc belongs to it. */
typedef struct carom_arc {
    double from, to;
} carom_arc;
CAROM_API int carom_hodograph_basin(const carom_hodograph *hodograph, carom_arc arcs[CAROM_RAYS]);

/* ---- any K as two bodies ---- */

/* Two finite bodies whose impact is this problem: B at rest, A moving with u, both without spin, the contact at the
 * origin, world axes = contact axes (planar problems: the x, y plane, normal +y). Every positive definite K can be had;
 * CAROM_STATUS_BAD_MATRIX for others. */
typedef struct carom_realization {
    carom_body_def a, b;
    carom_vec3 arm_a, arm_b, normal, t1;
    bool planar;
} carom_realization;

CAROM_API CAROM_MUST_USE carom_status carom_realize(const carom_problem *problem, carom_realization *bodies);

CAROM_END

#endif
