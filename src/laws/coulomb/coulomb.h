/* What the incremental Coulomb laws share: the walk through an impact, with no step size.
 *
 * Axes (t1, t2, n). M = K_TT, b the coupling, k = K_nn. While the contact slips with u_t = r c, c a unit vector and s
 * the one a quarter turn ahead, the clock q drives                                  (docs/theory/slip-flow.md)
 *
 *     dr/dq = g = C b.c - S c.Mc      r dtheta/dq = f = C b.s - S s.Mc      du_n/dq = h = C k - S b.c      (1)
 *     dp_n = C dq                     dp_t = -S c dq                        mu = S/C
 *
 * C and S carry a common power of two that makes the rates of order one; an infinite mu has C = 0. A ray is a direction
 * with f = 0. The walk is a chain of strides over smooth pieces:
 *
 *     plane_follow         all of an impact in a plane, in closed form              (coulomb_plane.h, coulomb_plane.c)
 *     slip_field           the rates (1), rays, and what happens at u_t = 0         (slip_field.c)
 *     slip_line            constant slopes: rays, sticking, mu = 0                  (slip_walk.c)
 *     slip_turn            what partial derivatives add to a line                   (slip_turn.c)
 *     slip_arc             slip that turns, by collocation in tan(angle/2)          (slip_arc.c)
 *     slip_walk            phases, events, sums: the same for all pieces            (slip_walk.c)
 *     carom_coulomb_solve  scales, and which piece comes next                       (coulomb_solve.c)
 *
 * A stride ends at an event or at the end of its piece. The three laws differ in one number: how much of their measure
 * (velocity, impulse, work) restitution still needs. */
#ifndef CAROM_LAWS_COULOMB_H
#define CAROM_LAWS_COULOMB_H

#include "carom/law.h"
#include "core/collocation.h"
#include "laws/coulomb/coulomb_plane.h"

enum { SLIP_STEPS = 128 }; /* arcs per impact; CAROM_STATUS_STEP_LIMIT beyond. Most in a million random impacts: 48 */

/* Solve with this ending: the body of every law of the family. */
carom_status carom_coulomb_solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                 carom_outcome *out, const coulomb_ending *ending);

/* ---- events ---- */

/* Where events go. */
typedef struct coulomb_sink {
    carom_outcome *out;
    const carom_tracer *tracer;
} coulomb_sink;

void carom_coulomb_event(const coulomb_sink *sink, carom_event_kind kind, const carom_state *at);

/* The word for an impact in which slip stopped, or had not begun. */
const char *carom_coulomb_mode(bool slipped, bool compressing, bool sticks);

#define REST_TOL (64 * EPS) /* of the speeds that make u_n = a.u_t: u_n at rest where sticking leaves no freedom */

/* What a singular K changes about a path: sticking that leaves u_n no freedom ends the impact. */
void carom_coulomb_plane_block(plane_path *w, const coulomb_ending *ending, double e);

/* K is singular and the contact has come to rest with the impulse (p_t, p_n): the normal impulse of the compression
 * that is left. It moves nothing; K + eps z z^T, z along the null vector (-a, 1), has it for every small eps: there u_n
 * = eps (z . p) / z_n at u_t = 0 rises with the slope eps / z_n^2. */
double carom_coulomb_rest(tvec a, tvec p_t, double p_n);

/* Events, words and sums of an impact in a plane. */
void carom_coulomb_plane_report(const plane_path *w, const coulomb_sink *sink);

/* ---- the field ---- */

typedef struct slip_field {
    double m11, m12, m22, b1, b2, k;
    friction kinetic, stat;
    double w11, w12, w22; /* S M */
    double d1, d2;        /* C b, which drives slip */
    double v1, v2;        /* S b, which drives u_n */
    double lift;          /* C k */
    double pull;          /* C |b| */
    double skew;          /* S |D|: half the difference of the eigenvalues of S M */
    bool dips;            /* S |b| > C k: there are directions with h < 0 */
} slip_field;

/* The rates (1) in a direction c, and what their derivatives need: f' = f1, h' = v_s. */
typedef struct slip_rates {
    double g, f, h, f1;
    double w_cs, w_ss; /* S c.Ms, S s.Ms */
    double d_c, d_s;   /* C b.c, C b.s */
    double v_c, v_s;   /* S b.c, S b.s */
} slip_rates;

/* The state u_t = 0: it sticks, with the clock p_n, or slip leaves it along the one diverging ray. */
typedef struct slip_origin {
    bool sticks;
    tvec c, a;    /* ray; -dp_t by the clock */
    double g, h;  /* slopes of r and u_n */
    double grip;  /* |M^-1 b|: it sticks up to mu_s */
    double terms; /* sticking: size of the terms of h, whose rounding in K hides a smaller h */
} slip_origin;

#define RAY_TOL (2 * EPS) /* of S |M| + C |b|: f at a double direction cannot be known better */

slip_field carom_slip_field(const carom_csym *K, const carom_coeffs *coeffs);
slip_rates carom_slip_field_rates(const slip_field *F, tvec c);

/* c moves onto the ray it is close to; the rates belong to the exact ray, correct to rounding of their own size.
 * False when there is none nearby. */
bool carom_slip_field_ray(const slip_field *F, tvec *c, slip_rates *rates);
/* The same precision in the direction c, along which slip is taken to stay. */
slip_rates carom_slip_field_line(const slip_field *F, tvec c);
slip_origin carom_slip_field_origin(const slip_field *F);

/* ---- the walk ---- */

typedef enum slip_stop { STOP_PIECE, STOP_ORIGIN, STOP_UP, STOP_DOWN, STOP_DONE, STOP_NEVER } slip_stop;

/* From one stop to the next: clock, tangential impulse and works of the stride, velocities at its end. */
typedef struct slip_stride {
    slip_stop stop;
    double q, work; /* work by the clock: the integral of u_n dq */
    double friction;
    tvec p_t, u_t;
    double u_n;
} slip_stride;

typedef struct slip_walk {
    slip_field field;
    const carom_impact *x;
    const coulomb_ending *ending;
    const carom_rule *rule;
    coulomb_sink sink;
    double p_stop;     /* p_n where slip stopped */
    carom_cvec before; /* u at the start */
    tvec u_t, p_t;     /* here */
    double u_n, p_n, q;
    double clock;          /* dp_n/dq */
    double speed;          /* size of u at the start */
    double work, friction; /* normal and friction work from the start */
    bool compressing;
    double need;       /* restitution: what the measure has still to grow by (by velocity: the u_n to reach) */
    coulomb_sums sums; /* by the clock */
    int phases;
    bool done, endless;
    bool resliding; /* "slide" is raised again after every zero of u_n */
} slip_walk;

/* Take a stride: move the state, close phases, raise events. */
void carom_slip_walk_take(slip_walk *w, const slip_stride *stride);
void carom_slip_walk_event(slip_walk *w, carom_event_kind kind);

/* Show a tracer the stretch about to be taken; point evaluates the piece as a stride from its start to s, 0 <= s <= 1.
 */
typedef void slip_point(const void *piece, double s, slip_stride *at);
void carom_slip_walk_show(const slip_walk *w, const char *mode, const slip_stride *stride, const void *piece,
                          slip_point *point);

/* Constant slopes, by q. */
typedef struct slip_line {
    tvec u_t, du; /* slip at the start and its slope */
    tvec dp;      /* slope of the tangential impulse */
    double u_n, h;
    double length; /* to u_t = 0, or infinite */
    double end;    /* of the stride found */
    bool turns;    /* the partial derivatives of f turn it (slip_turn.c), from c and r; rates there, and their slopes */
    tvec c;
    double r, f, f1, g, g_1, h_1;
} slip_line;

/* The line along u_t, from where the walk is. */
void carom_slip_line_aim(const slip_walk *w, slip_line *line);

/* The angle of a turn, its integral by q, and the integral of that. */
typedef struct slip_turn {
    double theta, once, twice;
} slip_turn;

/* At the clock d of the line; how much later a stop comes; and what a stride to d gains. */
void carom_slip_turn_at(const slip_line *line, double d, slip_turn *at);
double carom_slip_turn_delay(const slip_walk *w, const slip_line *line, const slip_stride *x);
void carom_slip_turn_add(const slip_walk *w, const slip_line *line, double d, slip_stride *x);

/* Follow a line to u_t = 0 or to the end; from u_t = 0 to the end. */
void carom_slip_walk_line(slip_walk *w, slip_line *line, const char *mode);
void carom_slip_walk_from_origin(slip_walk *w, bool slipped);

/* ---- arcs ---- */

/* The integrals along an arc. */
enum { ARC_LOG_R, ARC_Q, ARC_Q_C, ARC_Q_S, ARC_RISE, ARC_W, ARC_S, ARC_INTEGRALS };

/* From the start of an arc to a share x of it. */
typedef struct slip_arc_point {
    real x;
    double v[ARC_INTEGRALS];
    tvec u; /* slip there, along c and s */
} slip_arc_point;

/* Slip that turns from c towards s: see slip_arc.c. */
typedef struct slip_arc {
    const slip_field *field;
    tvec c, s;
    double r, u_n;                         /* at the start */
    double d_c, d_s, v_c, v_s, w_cs, skew; /* seen from c and s; skew = S (s.Ms - c.Mc) */
    double g, h;                           /* rates at the start */
    double F[5], C[5];                     /* f (1 + t^2)^2, and what is left of it without its zero at 1/alpha */
    double alpha, scale;                   /* alpha and 1, over alpha + gamma */
    real length;                           /* sigma at the end */
    int tries;                             /* lengths that were too long */
    slip_arc_point from, to;               /* of the stride found */
    double u_from;
    tvec u_end;
    double start[ARC_INTEGRALS];                  /* what is integrated for q, u_n and W: at the start, */
    _Alignas(64) double d[ARC_INTEGRALS][POINTS]; /* and all at the points of the rule */
    real rise[POINTS];                            /* integrated */
} slip_arc;

/* Begin at the state of the walk, where slip has the direction c and these rates, and the next stop may be this far
 * ahead. */
void carom_slip_arc_begin(const slip_walk *w, tvec c, const slip_rates *rates, double ahead, slip_arc *arc);

enum { ARC_TRIES = 60 }; /* lengths */

/* The integrals along it; false when it is too long: it is shorter now. */
bool carom_slip_arc_fit(slip_arc *arc);

/* The stride to the first stop on the arc; whether to go on along the same arc after it. */
void carom_slip_arc_stride(const slip_walk *w, slip_arc *arc, slip_stride *stride);
bool carom_slip_arc_resume(const slip_walk *w, slip_arc *arc);
slip_point carom_slip_arc_point;

/* ---- an impact in steps ---- */

typedef enum coulomb_step { NEXT_ARC, NEXT_LENGTH, NEXT_STRIDE, NEXT_END } coulomb_step;

/* carom_coulomb_solve, cut so that impacts can go side by side: begin; aim, fit and stride until the end is next; end.
 * Each of the three does something only when it is next. */
typedef struct coulomb_course {
    slip_walk walk;
    slip_arc arc;
    coulomb_step next;
    int arcs, strides; /* so far; on this arc */
    bool in_space;
    carom_status status;
} coulomb_course;

void carom_coulomb_begin(const carom_impact *x, const carom_rule *rule, const coulomb_sink *sink,
                         const coulomb_ending *ending, coulomb_course *s);
void carom_coulomb_aim(coulomb_course *s);    /* the next arc, or the line on which slip ends */
void carom_coulomb_fit(coulomb_course *s);    /* one length of it */
void carom_coulomb_stride(coulomb_course *s); /* to the next stop on it */
carom_status carom_coulomb_end(coulomb_course *s);

#endif
