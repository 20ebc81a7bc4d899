/* What the incremental Coulomb laws share: the walk through an impact, with no step size.
 *
 * Axes (t1, t2, n). M = K_TT, b the coupling, k = K_nn. While the contact slips with u_t = r c, c a unit vector and s
 * the one a quarter turn ahead, the normal impulse p drives                         (docs/theory/slip-flow.md)
 *
 *     dr/dp = g = b.c - mu c.Mc       r dtheta/dp = f = b.s - mu s.Mc       du_n/dp = h = k - mu b.c       (1)
 *
 * A ray is a direction with f = 0. The walk is a chain of strides over smooth pieces:
 *
 *     slip_way_*     all of an impact in a plane that does not jam, in closed form       (slip_way.h, slip_report.h)
 *     slip_line_*    constant slopes: planes where it jams, rays, sticking, mu = 0       (linear_piece.c)
 *     slip_arc_*     slip that turns, by collocation in tan(angle/2)                     (slip_arc.c)
 *     slip_tail_*    the rest of the way along an attracting ray, in closed form         (slip_tail.c, its walk in
 *                                                                                         slip_tail_walk.c)
 *     slip_field_*   the rates of (1), rays, and what happens at u_t = 0                 (slip_field.c)
 *     slip_walk_*    phases, events, sums: the same for all pieces                       (slip_walk.c, slip_plane.c)
 *     slip_solve     which piece comes next                                              (slip_solve.c)
 *
 * A stride ends at an event or at the end of its piece. The three laws differ in one number: how much of their measure
 * (velocity, impulse, work) restitution still needs. */
#ifndef CAROM_LAWS_FAMILY_INCREMENTAL_H
#define CAROM_LAWS_FAMILY_INCREMENTAL_H

#include <stdbool.h>

#include "carom/batch.h"
#include "carom/law.h"
#include "core/num.h"
#include "core/psd.h"
#include "core/radau.h"
#include "laws/coulomb/slip_report.h"

enum { SLIP_STEPS = 128 }; /* arcs per impact; CAROM_STATUS_STEP_LIMIT beyond. Most in a million random impacts: 17 */
enum { SLIP_ROOT = 100 };  /* bracketed Newton steps; bisection alone needs 64 */
enum { TAIL_ORDER = 24 };  /* of the series along a ray */

/* ---- the field ---- */

typedef struct slip_field {
    double m11, m12, m22, b1, b2, k;
    double mu, mu_s;
    double w11, w12, w22; /* mu M */
    double v1, v2;        /* mu b */
    double pull;          /* |b| */
    double skew;          /* mu |D|: half the difference of the eigenvalues of mu M */
    bool dips;            /* mu |b| > k: there are directions with h < 0 */
} slip_field;

/* The rates (1) in a direction c, and what their derivatives need: f' = f1, h' = mu b.s. */
typedef struct slip_rates {
    double g, f, h, f1;
    double w_cs, w_ss; /* mu c.Ms, mu s.Ms */
    double b_c, b_s;
} slip_rates;

slip_field slip_field_of(const carom_csym *K, const carom_coeffs *coeffs);
slip_rates slip_field_rates(const slip_field *F, tvec c);

/* c moves onto the ray it is close to; the rates are those of the exact ray, correct to rounding of their own size.
 * False when there is none nearby. */
bool slip_field_ray(const slip_field *F, tvec *c, slip_rates *rates);
/* The same precision in the direction c, along which slip is taken to stay. */
slip_rates slip_field_line(const slip_field *F, tvec c);
slip_origin slip_field_origin(const slip_field *F);

/* ---- the walk ---- */

/* What makes a law of the family: restitution ends when the measure has grown by need. */
typedef struct slip_ending {
    slip_measure by;
    slip_need *need, *need_of_first; /* option phases: "all", "first" */
} slip_ending;

typedef struct slip_walk {
    slip_field field;
    const slip_ending *ending;
    const carom_rule *rule;
    const carom_tracer *tracer;
    carom_outcome *out;
    double size_u, size_p; /* powers of two: the walk runs on u / size_u and p / size_p */
    tvec u_t, p_t;         /* here */
    double u_n, p_n;
    double speed;          /* size of u at the start */
    double work, friction; /* normal and friction work from the start */
    bool compressing;
    double need; /* restitution: what the measure has still to grow by (BY_VELOCITY: the u_n to reach) */
    slip_sums sums;
    int phases;
    bool done, planar, resliding;
} slip_walk;

/* Solve with this ending: the body of every law of the family. */
carom_status slip_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                        carom_outcome *out, const slip_ending *ending);

/* Take a stride: move the state, close phases, raise events. */
void slip_walk_take(slip_walk *w, const slip_stride *stride);
void slip_walk_event(slip_walk *w, carom_event_kind kind);

/* Follow a line to u_t = 0 or to the end; from u_t = 0 to the end. ray is the event of slip that begins there. */
void slip_walk_line(slip_walk *w, slip_line *line, const char *mode);
void slip_walk_from_origin(slip_walk *w, const slip_origin *origin, bool slipped, carom_event_kind ray);

void slip_walk_plane(slip_walk *w, const slip_plane *plane);

/* Show a tracer the stretch about to be taken; point evaluates the piece as a stride from its start to s, 0 <= s <= 1.
 */
typedef void slip_point(const void *piece, double s, slip_stride *at);
void slip_walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece,
                    slip_point *point);

/* ---- the pieces ---- */

/* The stride along a line to its first stop. */
void slip_line_stride(const slip_walk *w, slip_line *line, slip_stride *stride);
slip_point slip_line_point;

/* The integrals along an arc. */
enum { ARC_LOG_R, ARC_P, ARC_P_C, ARC_P_S, ARC_RISE, ARC_W, ARC_S, ARC_INTEGRALS };

/* From the start of an arc to a share x of it. */
typedef struct slip_arc_point {
    double x, v[ARC_INTEGRALS];
    tvec u; /* slip there, along c and s */
} slip_arc_point;

/* Slip that turns from c towards s: see slip_arc.c. */
typedef struct slip_arc {
    const slip_field *field;
    tvec c, s;
    double r, u_n;               /* at the start */
    double b_c, b_s, w_cs, skew; /* seen from c and s; skew = mu (s.Ms - c.Mc) */
    double g, h;                 /* rates at the start */
    double F[5];                 /* f (1 + t^2)^2 */
    double alpha, scale;         /* alpha and 1, over alpha + gamma */
    double length;               /* sigma at the end */
    slip_arc_point from, to;     /* of the stride found */
    double u_from;
    tvec u_end;
    double start[ARC_INTEGRALS];                 /* what is integrated for p, u_n and W: at the start, */
    _Alignas(64) double d[ARC_INTEGRALS][RADAU]; /* and all at the points of the rule */
    double rise[RADAU];                          /* integrated */
} slip_arc;

/* Begin at the state of the walk, where slip has the direction c and these rates, and the next stop may be this much
 * impulse ahead; false when no length would do. The stride to the first stop on the arc; whether to go on along the
 * same arc after it. */
typedef struct slip_arc_steps {
    bool (*begin)(const slip_walk *w, tvec c, const slip_rates *rates, double ahead, slip_arc *arc);
    void (*stride)(const slip_walk *w, slip_arc *arc, slip_stride *stride);
    bool (*resume)(const slip_walk *w, slip_arc *arc);
    slip_point *point;
} slip_arc_steps;

extern const slip_arc_steps slip_arc_steps_baseline, slip_arc_steps_avx2, slip_arc_steps_avx512;
const slip_arc_steps *slip_arc_at(carom_isa isa); /* null where the build has none; the results are the same */

/* sum of a_n y^n along a tail; i_n = a_n/(g + n f1) for n >= 2 integrates it; gone is sum i_n y^n at the start. */
typedef struct tail_series {
    double a[TAIL_ORDER + 1], i[TAIL_ORDER + 1];
    double gone;
} tail_series;

typedef struct slip_tail {
    tvec c;                  /* the ray */
    double mu, g, f1, l1, h; /* rates on it; l1 = g + f1 */
    int order;
    tail_series alpha, beta, R, H;
    double size, y; /* r = size sum R_n y^n at the start */
    double u_n;
    double end; /* F0 at the end of the stride found; infinite: the origin */
    int top;    /* of the products below, for the works */
    double cross[2 * TAIL_ORDER + 1], own[2 * TAIL_ORDER + 1];
} slip_tail;

/* A tail from the state of the walk, whose direction of slip is c with these rates; false when the series would not
 * serve (too far from a ray, or u_n with more than one extremum). */
bool slip_tail_enter(const slip_walk *w, tvec c, const slip_rates *here, slip_tail *tail);

/* The stride to the first stop; false when it is so short that an arc is more accurate. */
bool slip_tail_stride(const slip_walk *w, slip_tail *tail, slip_stride *stride);

/* Begin again where the last stride ended. */
void slip_tail_resume(const slip_walk *w, slip_tail *tail);

/* Prepare a stride that begins at size, y and u_n. */
void slip_tail_start(slip_tail *tail);
slip_point slip_tail_point;

#endif
