/* The path of compliant: its state, the Taylor polynomials of a step, and what happens at events, in the units
 * of together_walk.h. */
#ifndef CAROM_LAWS_COMPLIANT_PATH_H
#define CAROM_LAWS_COMPLIANT_PATH_H

#include "laws/together/together_call.h"

enum { SPRING_ORDER = 24, SPRING_TERMS = SPRING_ORDER + 1 };

/* How the contact point holds on to the other body; GRIP_FREE carries no friction. */
typedef enum spring_grip { GRIP_FREE, GRIP_STICKS, GRIP_SLIPS } spring_grip;

/* The line in the plane of force and compression that a contact is on: it loads for the first time, with k, or it is
 * elastic, with k / e^2. */
typedef enum spring_line { LINE_LOADS, LINE_ELASTIC } spring_line;

typedef struct spring_contact {
    real e, mu;             /* of the contact */
    double k, k_t, hold;    /* stiffness, scaled; k / eta^2; r = hold f, hold = mu / k_t */
    double f, x[2];         /* force; tangential spring while it sticks */
    double s[2];            /* direction of the spring while it slips, unit */
    double peak;            /* largest force so far, for the reading `peak` */
    double from;            /* force at which the first loading began */
    double loss[2];         /* energy lost: normal, friction */
    real unit;              /* of its force: sqrt(k / K_nn) */
    bool on, fresh, frozen; /* presses; has just begun, its grip is not decided; its slip no longer turns */
    bool follows;           /* stiff slip: its direction follows u_t, at a small angle */
    bool reached;           /* its spring has just reached its bound */
    int stops;              /* slips in a row that stopped at the instant at which they began, ... */
    real stopped;           /* ... which is this: on its bound it neither slips nor leaves it */
    int told;               /* it begins with slip, as this one of those that do; 0: it does not */
    spring_line line;
    spring_grip grip;
    int order;      /* of u_t where slip begins at f = 0; -1 elsewhere */
    int zeros;      /* leading coefficients of r^2 - |x|^2 that vanish */
    int peak_zeros; /* the same of peak - f */
} spring_contact;

typedef struct spring_path {
    const carom_contacts *given;
    const carom_together_tracer *tracer;
    int m, dim, n, phases; /* n = dim m; the reading of several compressions */
    real speed;            /* the unit of velocity */
    double time;
    bool books;        /* losses are asked for */
    bool begins;       /* a contact has just begun */
    double *K, *u, *p; /* n x n, n, n */
    spring_contact *contact;
    /* polynomials of a step, SPRING_TERMS numbers each: */
    double *U, *P, *F;            /* n, n, m */
    double *X;                    /* 2 m: springs of contacts that stick */
    double *turn, *cosine, *sine; /* m: angle of slip from its direction at the beginning of the step */
    double *sigma;                /* m: speed of the contact point over the other body */
    double *rate, *next;          /* n: one coefficient of p' and of K p' */
    double *shown;                /* for the tracer, ... */
    carom_together_mode *modes;   /* ... m */
} spring_path;

size_t spring_path_work(const carom_contacts *x);
void spring_path_take(spring_path *s, block_memory *block);

/* Expand a step from the present state; returns how far it reaches. */
double spring_expand(spring_path *s);

/* Move to time h of the expansion. */
void spring_move(spring_path *s, double h);

/* Contacts that begin are turned on and choose their grip, each from the leading terms of its velocities. On return the
 * step is expanded; the result is how far it reaches. */
double spring_begin(spring_path *s);

typedef struct spring_event {
    carom_together_event_kind kind;
    int contact; /* -1: none */
    double time;
} spring_event;

/* The first event up to time h of the expansion. */
spring_event spring_next_event(spring_path *s, double h);

/* Change the state at an event, and report it. True if a contact has begun. */
bool spring_apply_event(spring_path *s, const spring_event *event);

/* Contact j ends: its springs are as new. */
void spring_turn_off(spring_path *s, int j);

/* The state here, in the units of the problem. */
carom_together_state spring_state(const spring_path *s);

/* Show an event at contact j to the tracer. */
void spring_report(const spring_path *s, carom_together_event_kind kind, int j);

/* Show points inside the step up to time h of the expansion to the tracer. */
void spring_show_step(const spring_path *s, double h);

static inline double *spring_series(double *block, int i)
{
    return block + (ptrdiff_t)i * SPRING_TERMS;
}

static inline double *spring_normal(const spring_path *s, int j)
{
    return spring_series(s->U, (j + 1) * s->dim - 1);
}

static inline double *spring_tangent(const spring_path *s, int j)
{
    return spring_series(s->U, j * s->dim);
}

/* kappa of (1) */
static inline double spring_stiffness(const spring_contact *c)
{
    return c->line == LINE_LOADS ? c->k : c->k / (c->e * c->e);
}

/* Lower orders of u_t vanish. */
static inline int spring_order(const spring_contact *c)
{
    return c->order > 0 ? c->order : 0;
}

/* Does the direction of slip turn? */
static inline bool spring_turns(const spring_path *s, const spring_contact *c)
{
    return s->dim == 3 && c->grip == GRIP_SLIPS && !c->frozen;
}

#endif
