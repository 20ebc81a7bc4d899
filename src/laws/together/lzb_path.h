/* The path of lzb: its state, the Taylor polynomials of a step, and what happens at events. Velocities are divided by
 * the largest one before, impulses too, and stiffness by the largest k N_jj: one unit of time is about the time scale
 * of the stiffest contact. */
#ifndef CAROM_LAWS_LZB_PATH_H
#define CAROM_LAWS_LZB_PATH_H

#include "carom/elementary.h"
#include "laws/together/together_call.h"

enum { LZB_ORDER = 24, LZB_TERMS = LZB_ORDER + 1 };

#define LZB_REST_TOL  1e-12 /* slower slip counts as rest */
#define LZB_SLOW_SLIP 1e-8  /* slip below it goes straight */
#define LZB_DEPARTED  1e-4  /* slip above it has left rest */

enum { LZB_CREEPS = 64 }; /* short steps after which a slow slip is taken as rest */

typedef enum lzb_grip { LZB_SLIPS, LZB_TURNS, LZB_STICKS } lzb_grip; /* straight slip, slip that turns, no slip */

typedef struct lzb_contact {
    bool active, compresses;
    bool moves;   /* it slipped at the last event */
    bool newborn; /* its force is added after the step, see lzb_series.c */
    bool departs; /* in space: slip that has just left rest, see lzb_grip.c */
    lzb_grip grip;
    double direction[2]; /* of slip */
    double share[2];     /* of mu F, while it sticks: what it carries before least lengths decide, see lzb_grip.c */
    int stops;           /* at the same instant, ... */
    double stopped;      /* ... which is this */
    double calm;         /* until then it does not begin to slip */
    int creeps;          /* steps in a row that a slow slip which turns has kept short */
    double kappa, e, mu, rate; /* scaled stiffness; 1 or 1/e^2 */
} lzb_contact;

typedef struct lzb_path {
    const carom_contacts *x;
    const carom_together_tracer *tracer;
    int m, dim, n; /* n = dim m */
    double eta, speed, time;
    double *K;             /* full */
    double *u, *p, *delta; /* n, n, m */
    lzb_contact *contact;
    /* of one step, LZB_TERMS numbers each: */
    double *U, *P, *D, *F;   /* n, n, m, m polynomials; U, P start at u, p */
    double *W, *V, *Q;       /* m, m, 2 m: |u_t|^2, 1/|u_t| and direction of turning slips */
    double *rate, *next;     /* n: one coefficient of p' and of K p' */
    double *A, *b, *phi;     /* of sticking contacts: (n x n), n, n */
    int *stuck, stuck_count; /* rows of sticking tangents */
    double *shown;           /* n + n + m numbers for the tracer */
    bool redundant;          /* sticking rows are singular */
    bool shared;             /* and carry shares: what is added is measured against mu F */
    bool stopped;            /* a slip has stopped in space, by a straight end that loses partial derivatives */
    void *linear;
} lzb_path;

size_t lzb_path_work(const carom_contacts *x);

/* Expand a step from the present state; returns how far it reaches. */
double lzb_expand(lzb_path *s);

/* Move to time h of the expansion. */
void lzb_move(lzb_path *s, double h);

/* Decide which contacts at rest stick and where the others start to slide; with tell, report those that stuck before.
 */
void lzb_decide_grip(lzb_path *s, bool tell);

typedef struct lzb_event {
    carom_together_event_kind kind;
    int contact; /* -1: none */
    double time;
} lzb_event;

/* In space a slip may turn near rest without end: it neither stops nor grows. Such a slip is taken as rest. */
void lzb_settle(lzb_path *s);

/* The first event up to time h of the expansion. */
lzb_event lzb_next_event(lzb_path *s, double h);

/* Change the state at an event, and report it. */
void lzb_apply_event(lzb_path *s, const lzb_event *event);

/* In space a contact has reached its bound, but the grip that has just been decided holds it: find shares of all that
 * keep away from their bounds. False if there are none. */
bool lzb_share(lzb_path *s);

/* The state here, in the units of the problem. */
carom_together_state lzb_state(const lzb_path *s);

/* Show an event at contact j to the tracer. */
void lzb_report(lzb_path *s, carom_together_event_kind kind, int j);

/* Contact j stops pressing. */
void lzb_turn_off(lzb_path *s, int j);

/* Contacts that approach begin to press. */
void lzb_begin(lzb_path *s);

static inline double *lzb_series(double *block, int i)
{
    return block + (ptrdiff_t)i * LZB_TERMS;
}

static inline double lzb_slip(const lzb_path *s, int j)
{
    const double *u = s->u + j * s->dim;
    return s->dim == 2 ? fabs(u[0]) : length_of(u[0], u[1]);
}

/* k delta^eta */
static inline double lzb_force(const lzb_path *s, int j, double delta)
{
    double k = s->contact[j].kappa;
    return delta <= 0 ? 0 : s->eta == 1 ? k * delta : k * carom_pow(delta, s->eta);
}

#endif
