/* What compliant laws share: a contact spot on three springs that sticks or slips.
 *
 *     K   inverse local mass, u velocity, p impulse, F = (F_1, F_2, f) force on A: minus the spring lengths times the
 *         stiffnesses D = diag(1, 1, k); k = eta^2 while the spring loads, eta^2 / e^2 once compression has ended.
 *
 *     always   p' = F,   u' = K F
 *     stick    F' = -D u                                                                                       (1)
 *     slip     F_t = -mu f s,   f' = -k u_n,   s' = s_perp (u_t . s_perp) / (mu f),   |s| = 1                  (2)
 *     slide speed   sigma = u_t . s + mu k u_n >= 0 in slip; it sticks when sigma falls to zero                (3)
 *     it slips again when |F_t| reaches mu f                                                                   (4)
 *
 * Equation numbers are those of docs/laws/jia.md. Everything here is in scaled units: u of order one, K_nn of order
 * one, both by exact powers of two, so that outcomes scale with velocities and masses to the last bit. */
#ifndef CAROM_LAWS_FAMILY_COMPLIANT_H
#define CAROM_LAWS_FAMILY_COMPLIANT_H

#include <stdbool.h>

#include "carom/law.h"
#include "contact/lanes.h"
#include "core/num.h"
#include "core/pair.h"
#include "core/psd.h"
#include "core/taylor.h"

/* The walk, and what it does in a plane, has a variant per instruction set, as one impact alone has (contact/alone.h).
 */
#define compliant_walk       LANES_VARIANT(compliant_walk)
#define compliant_state      LANES_VARIANT(compliant_state)
#define compliant_show       LANES_VARIANT(compliant_show)
#define compliant_show_piece LANES_VARIANT(compliant_show_piece)
#define series_at            LANES_VARIANT(series_at)
#define planar_stick         LANES_VARIANT(planar_stick)
#define straight_slip        LANES_VARIANT(straight_slip)

enum {
    COMPLIANT_EVENTS = 1 << 14, /* events of one impact: about 0.6 / eta when it sticks */
    COMPLIANT_STEPS = 1 << 15,  /* series of one impact */
    LEAP_AFTER = 3,             /* series of sticking without an event before leaps are tried */
    SERIES_ORDER = 32,          /* the highest order any of them uses */
};

#define SINGULAR_TOL (64 * EPS) /* of the largest eigenvalue of K: below it a direction does not move */

/* Where the contact is, and with what springs. */
typedef struct spot {
    carom_cvec p, u, F;
    tvec s;   /* slip: direction of the tangential springs */
    double y; /* slip: f^2 */
} spot;

typedef struct compliant {
    carom_csym K;
    carom_cvec u0;
    double mu, e, k, d; /* d = sqrt k */
    bool slipping, restitution, planar;
    int fresh;   /* order of the root of (4) at this moment: 2 when sticking has just begun */
    double loss; /* normal energy lost at the end of compression */
    spot now;
    int steps, switches;
    double unit_u, unit_K;          /* velocities and K in units of the problem */
    double impulse, length, energy; /* and these */
    carom_direction turned;         /* t1 of these axes in those of the problem */
    carom_event beyond;             /* an event beyond those the outcome keeps */
    const carom_state *last;        /* at the last event */
    const carom_tracer *tracer;
    carom_outcome *out;
} compliant;

/* What ended a stretch. */
typedef enum ending { ENDS_SWITCH, ENDS_COMPRESSION, ENDS_IMPACT, ENDS_WEDGED, ENDS_NOT } ending;

/* A stretch of the path as polynomials in its own variable, from 0 to length. */
enum { ROW_P1, ROW_P2, ROW_PN, ROW_U1, ROW_U2, ROW_UN, ROW_X1, ROW_X2, ROW_X3, SERIES_ROWS };

typedef struct series {
    const compliant *c;
    int order;
    double length;
    double row[SERIES_ROWS][SERIES_ORDER + 2]; /* p, u, and F (stick) or s_1, s_2, y = f^2 (slip) */
} series;

/* Walk on in one mode until something ends it (c->now is there then), or ENDS_NOT when the steps are used up. */
ending planar_stick(compliant *c);
ending straight_slip(compliant *c);
ending spatial_stick(compliant *c);
ending spatial_slip(compliant *c);

/* Walk from the beginning to the end of the impact; fills all of the outcome but its mode, for which it counts how
 * often sticking and slipping changed. */
carom_status compliant_walk(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                            carom_outcome *out, int *switches);

/* The spot at t on a stretch. */
spot series_at(const series *x, double t);

/* The state at a spot, in the units and axes of the problem. */
carom_state compliant_state(const compliant *c, const spot *a);

/* The modes of sticking with the springs of this phase: frequencies ascending, axes, D^1/2 = diag(1, 1, d). */
typedef struct modes {
    double omega[3], d;
    carom_cvec v[3];
} modes;

/* Stick on over fast swings during which nothing can happen, where that replaces several series of length h; the modes
 * are found when first asked. ENDS_WEDGED when sticking never ends, else ENDS_NOT. */
ending leaps(compliant *c, int series_done, double h, modes *m);

/* True when some force moves nothing (beyond the direction a planar problem lacks). */
bool compliant_singular(const carom_csym *K);

/* Show the way from now to a normal impulse p_n to the tracer; at evaluates it. */
typedef void piece_function(const carom_piece *piece, double s, carom_state *state);
void compliant_show_piece(const compliant *c, double p_n, piece_function *at, const void *data);

/* Show the stretch to the tracer, if there is one. */
void compliant_show(const series *x);

/* b after the impulse dp from a. */
static inline void spot_move(const compliant *c, const spot *a, carom_cvec dp, spot *b)
{
    b->p = carom_cvec_add(a->p, dp);
    b->u = carom_cvec_add(a->u, carom_csym_apply(c->K, dp));
}

/* The springs of slip along (s_1, s_2) of about unit length, with f^2. */
static inline void spot_aim(const compliant *c, double s1, double s2, double f2, spot *b)
{
    double per = 1 / sqrt(s1 * s1 + s2 * s2), f = sqrt(larger(0, f2));
    tvec s = {s1 * per, s2 * per};
    b->s = s;
    b->y = larger(0, f2);
    b->F = carom_cvec_make(-c->mu * f * s.t1, -c->mu * f * s.t2, f); /* (2) */
}

/* sigma of (3) at a spot. */
static inline double slide_speed(const compliant *c, const spot *a)
{
    return a->u.t1 * a->s.t1 + a->u.t2 * a->s.t2 + c->mu * c->k * a->u.n;
}

#endif
