/* What the files of the compliant law share: a contact spot on three springs that sticks or slips.
 *
 *     K   inverse local mass, u velocity, p impulse, F = (F_1, F_2, f) force on A: minus the spring lengths times the
 *         stiffnesses D = diag(1, 1, k); k = eta^2 in compression, eta^2 / e^2 in restitution.
 *
 *     always   p' = F,   u' = K F
 *     stick    F' = -D u                                                                                       (1)
 *     slip     F_t = -mu f s,   f' = -k u_n,   s' = s_perp (u_t . s_perp) / (mu f),   |s| = 1                  (2)
 *     slide speed   sigma = u_t . s + mu k u_n >= 0 in slip; it sticks when sigma falls to zero                (3)
 *     it slips again when |F_t| reaches mu f                                                                   (4)
 *
 * Equation numbers follow docs/laws/jia.md. Everything here is in scaled units: u of order one, K of order one,
 * both by exact powers of two, so that outcomes scale with velocities and masses to the last bit.
 *
 * jia.c goes from event to event; compliant_stick.c and compliant_slip.c follow one mode up to the next event;
 * compliant_wedge.c ends what never ends; compliant_report.c writes the outcome in the units of the problem. */
#ifndef CAROM_LAWS_SPRINGS_H
#define CAROM_LAWS_SPRINGS_H

#include <stdbool.h>

#include "carom/law.h"
#include "core/num.h"
#include "core/psd.h"
#include "core/taylor.h"

enum {
    COMPLIANT_EVENTS = 1 << 13, /* events of one impact: about 0.6 / eta when it sticks */
    COMPLIANT_STEPS = 1 << 14,  /* steps of one impact; a series of slip counts as SLIP_STEPS of them */
    SLIP_STEPS = 16,
};

/* Where the contact is, and with what springs. */
typedef struct spot {
    carom_cvec p, u, F;
    tvec s;   /* slip: direction of the tangential springs */
    double y; /* slip: f^2 */
} spot;

enum { MODES = 3 };

/* The modes of sticking (11): frequencies squared, ascending; the components of each axis v_i; D^1/2 = diag(1, 1, d).
 */
typedef struct mode_set {
    int count; /* two in a plane */
    double omega2[MODES], t1[MODES], t2[MODES], n[MODES], d;
    double cross[MODES]; /* of the other two: see compliant_coupled.h */
} mode_set;

typedef struct compliant {
    carom_csym K;
    carom_cvec u0;
    double mu;      /* friction in slip; INFINITY when the spot never slips */
    double per_mu;  /* 1 / mu of the border (4) */
    double e, k, d; /* d = sqrt k */
    bool slipping, restitution;
    bool planar;      /* nothing moves along t2 */
    bool singular;    /* K has lost rank, by the judgement of the gate */
    bool straight;    /* slip keeps its direction */
    bool published;   /* restitution slip with mu e */
    int border_order; /* of the root of (4) where sticking begins: 1 with the impact, 2 after slip, else 0 */
    int reading;      /* of several compressions: the option phases */
    int reload_order; /* of the root of u_n, or of peak - f, where the phase begins; 0 later */
    double peak;      /* force at the end of the last compression */
    double from_p;    /* normal impulse where the compression began, and what the spring held */
    double from_held;
    double loss; /* normal energy that restitution does not give back */
    spot now;
    mode_set modes;
    int steps, switches;
    double unit_u, unit_K;          /* velocities and K in units of the problem */
    double impulse, length, energy; /* and these */
    carom_direction turned;         /* t1 of these axes in the axes of the problem */
    const carom_tracer *tracer;
    carom_outcome *out;
} compliant;

/* What ended a mode. */
typedef enum ending {
    ENDS_SWITCH,
    ENDS_COMPRESSION,
    ENDS_RESTITUTION, /* a further compression begins */
    ENDS_IMPACT,
    ENDS_WEDGED,    /* sticking never ends */
    ENDS_UNBOUNDED, /* no finite impulse ends it */
    ENDS_NOT        /* the steps are used up */
} ending;

/* Go on in one mode until something ends it; c->now is there then. */
ending compliant_stick(compliant *c);
ending compliant_slip(compliant *c);

/* ---- compliant_wedge.c ---- */

/* True when some force moves nothing (beyond the direction a planar problem lacks). */
bool compliant_singular(const compliant *c);

/* True when part of the velocity is one that no impulse changes. */
bool compliant_unstoppable(const compliant *c);

/* Bring a wedged contact to rest: ENDS_IMPACT, ENDS_UNBOUNDED when no impulse can, or ENDS_NOT when it would end after
 * all, because K is regular or no impulse that stops all motion lies in the cone. */
ending compliant_wedge(compliant *c);

/* ---- compliant_report.c ---- */

/* Take K and u from the problem: in scaled units, and in a plane with t1 in it. */
void compliant_take(compliant *c, const carom_problem *problem);

/* The units of impulse, length and energy from the units of u and K. */
void compliant_units(compliant *c);

/* The state at a spot, in the units and axes of the problem. */
carom_state compliant_state(const compliant *c, const spot *a);

/* Report an event at the spot where the contact is now. */
void compliant_record(compliant *c, carom_event_kind kind);

/* Fill p, u_after and the phases of the outcome from the spot where the contact is now. */
void compliant_close(compliant *c);

/* Show the way from now to a normal impulse p_n to the tracer, if there is one; at evaluates it. */
typedef void piece_function(const carom_piece *piece, double s, carom_state *state);
void compliant_show(const compliant *c, double p_n, piece_function *at, const void *data);

/* ---- small things ---- */

/* b after the impulse dp from a. */
static inline void spot_move(const compliant *c, const spot *a, carom_cvec dp, spot *b)
{
    b->p = carom_cvec_add(a->p, dp);
    b->u = carom_cvec_add(a->u, carom_csym_apply(c->K, dp));
}

/* The springs of slip along (s_1, s_2) of about unit length, with y = f^2. */
static inline void spot_aim(const compliant *c, double s1, double s2, double y, spot *b)
{
    double per = 1 / sqrt(s1 * s1 + s2 * s2), f = sqrt(max(0, y));
    b->s = (tvec){s1 * per, s2 * per};
    b->y = max(0, y);
    b->F = carom_cvec_make(-c->mu * f * b->s.t1, -c->mu * f * b->s.t2, f); /* (2) */
}

/* May a further compression begin in this phase? */
static inline bool may_reload(const compliant *c)
{
    return c->restitution && c->reading != CAROM_OPTION_PHASES_FIRST;
}

/* sigma of (3) at a spot. */
static inline double slide_speed(const compliant *c, const spot *a)
{
    return a->u.t1 * a->s.t1 + a->u.t2 * a->s.t2 + c->mu * c->k * a->u.n;
}

#endif
