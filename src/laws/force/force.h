/* What the contact-force laws share: a contact point on small springs, followed in time.
 *
 *     r' = v,   p' = F,   u = u_0 + K p,   x = -r_n,   |F_t| <= mu F_n                                          (1)
 *
 * Everything is dimensionless inside: velocities in |u_n|, K in K_nn, lengths and times in units in which the normal
 * element has stiffness one (force_units). A path is a chain of Taylor polynomials in a clock tau with dt = g dtau:
 *
 *     FORCE_CLOCK_TIME    g = 1            linear equations: the polynomial is the matrix exponential
 *     FORCE_CLOCK_FORCE   g = F_n          slip that turns: its rate, infinite at F_n = 0, becomes finite
 *     FORCE_CLOCK_ROOT    g = sqrt(x)      F_n = k x^m, m > 1: no singularity at x = 0
 *
 * Events are roots of the same polynomials: no step is repeated to find one.
 *
 *     force_core_*     (1), time, compression, work of the normal force      (force_core.c)
 *     force_point_*    the massless point: stick, slip, normal elements      (force_point.c and its parts)
 *     force_uncoupled_*  the same on linear elements, K_tn = 0, in closed form (force_uncoupled.c)
 *     force_report_*   modes, phases, events, pieces, units                  (force_report.c) */
#ifndef CAROM_LAWS_FORCE_H
#define CAROM_LAWS_FORCE_H

#include <stdbool.h>
#include <string.h>

#include "carom/law.h"
#include "laws/force/force_series.h"

#define FORCE_TOL (0.5 * EPS) /* size of the last terms of a step, against the scale of the unknown */
enum { FORCE_STEPS = 20000, FORCE_EVENTS = 200 };
#define FORCE_STEP_MOST 1.0 /* radian of the normal element: more would hide roots between samples */

/* The words for a path, of every law of the family: .modes and .mode_count of their descriptors. */
enum { FORCE_MODES = 17 };

/* What every law of a force at one point promises; linear ones besides that velocities scale. */
enum {
    FORCE_TRAITS = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
                   CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_FRAME_FREE |
                   CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_LOCAL
};

extern const char *const carom_force_modes[FORCE_MODES];

/* ---- units ---- */

typedef struct force_units {
    double velocity, K, length, time; /* |u_n|, K_nn, and the units of the element */
    double impulse, force, energy;    /* what follows */
    carom_direction turn;             /* t1 of the dimensionless problem */
    bool planar;
} force_units;

/* The dimensionless problem: u.n = -1, K.nn = 1; turned so that a planar one lies along t1. length is the unit in which
 * the element has stiffness one. */
carom_problem force_scale(const carom_problem *problem, double length, force_units *units);
/* The same in the axes as given: planar only when it lies in the plane of t1. */
carom_problem force_scale_as_given(const carom_problem *problem, double length, force_units *units);

/* ---- (1) ---- */

typedef struct force_core {
    carom_csym K;
    carom_cvec u0;
    bool planar;
    const double *clock; /* dt/dtau, or null for time itself */
    force_series p[3], v[3], F[3], vn_g;
    force_series x, time, loss_normal, loss_friction, loss_tangential;
} force_core;

void force_core_begin(force_core *c, const carom_problem *scaled, bool planar);

/* v = u_0 + K p at order k. */
static inline void force_core_velocity(force_core *c, int k)
{
    const carom_csym *K = &c->K;
    double p1 = c->p[0][k], p3 = c->p[2][k], first = k == 0;
    c->v[0][k] = first * c->u0.t1 + K->t11 * p1 + K->t1n * p3;
    c->v[2][k] = first * c->u0.n + K->t1n * p1 + K->nn * p3;
    if (c->planar)
        return;
    double p2 = c->p[1][k];
    c->v[0][k] += K->t12 * p2;
    c->v[1][k] = first * c->u0.t2 + K->t12 * p1 + K->t22 * p2 + K->t2n * p3;
    c->v[2][k] += K->t2n * p2;
}

/* A rate per time as a rate per clock, at order k. */
static inline double force_core_rate(const force_core *c, const double *rate, int k)
{
    return c->clock ? series_product(rate, c->clock, k) : rate[k];
}

/* p, time, x and the normal loss at order k + 1, from F and v up to order k. */
static inline void force_core_push(force_core *c, int k)
{
    const double per = 1.0 / (k + 1);
    for (int i = 0; i < 3; i += c->planar ? 2 : 1)
        c->p[i][k + 1] = force_core_rate(c, c->F[i], k) * per;
    c->time[k + 1] = (c->clock ? c->clock[k] : k == 0) * per;
    c->vn_g[k] = force_core_rate(c, c->v[2], k);
    c->x[k + 1] = -c->vn_g[k] * per;
    c->loss_normal[k + 1] = -series_product(c->F[2], c->vn_g, k) * per;
}

void force_core_move(force_core *c, double h);

/* ---- length of a step ---- */

enum { FORCE_LAST = 6 }; /* last terms that are looked at: about x = 0 only one in five may be there */

typedef struct force_terms {
    double size[FORCE_LAST];
    int first;
} force_terms;

static inline force_terms force_terms_none(bool sparse)
{
    force_terms t = {{0}, sparse ? 0 : FORCE_LAST - 2};
    return t;
}

static inline void force_weigh(force_terms *t, const double *c, double scale)
{
    for (int i = t->first; i < FORCE_LAST; i++)
        t->size[i] = fmax(t->size[i], fabs(c[FORCE_ORDER - FORCE_LAST + 1 + i]) * scale);
}

static inline double force_reach(const force_terms *t, double most)
{
    double h = most;
    for (int i = t->first; i < FORCE_LAST; i += 2)
        h = fmin(h, taylor_reach(t->size + i, FORCE_ORDER - FORCE_LAST + 2 + i, FORCE_TOL));
    return h;
}

/* The longest step of a planar core with a tangential spring of length s. */
double force_core_reach(const force_core *c, const double *s);

/* ---- what is said about a path ---- */

/* Where a path is. */
typedef struct force_sample {
    double p[3], F[3], x, time;
    double loss_normal, loss_friction, loss_tangential;
} force_sample;

typedef struct force_report {
    const carom_problem *problem; /* as given: for velocities in its units */
    const carom_tracer *tracer;
    carom_outcome *out;
    force_units units;
    const force_core *core; /* the path as series, or null: then `sample` gives it at h from the present point */
    force_sample (*sample)(const void *law, double h);
    /* The tangential springs' lengths at h into the step, and the energies of all springs; may be null. */
    void (*springs)(const void *law, double h, double stretch[2], double stored[3]);
    const void *law;
    bool compressing;
    double p_mark, loss_mark; /* where the present half of a phase began */
} force_report;

void force_report_begin(force_report *r, const carom_problem *problem, const carom_tracer *tracer, carom_outcome *out);
void force_report_mode(force_report *r, carom_contact_mode mode);
/* The stretch of the path from the present expansion to h, and an event at its beginning. */
void force_report_piece(const force_report *r, carom_contact_mode mode, double h);
void force_report_event(const force_report *r, carom_event_kind kind);
/* u_n passes zero at the beginning of the present expansion. */
void force_report_turn(force_report *r);
/* F_n had a maximum, or is f now. */
void force_report_force(force_report *r, double f);
/* F_n between here and h, by its series. */
void force_report_peak(force_report *r, const double *f, double h);
/* The end: impulse, duration, losses, in the units of the problem. */
void force_report_end(force_report *r);

/* ---- the massless point ---- */

typedef enum force_normal_kind { FORCE_LINEAR, FORCE_POWER, FORCE_BILINEAR } force_normal_kind;

/* A normal element: k x + c x' (linear), a spring and a dashpot one behind the other (linear with flow), k x^m (1 + a
 * x') (power), k x^(3/2) that yields (power with yield), or two slopes (bilinear). */
typedef struct force_normal {
    force_normal_kind kind;
    double k, c;        /* stiffness, damping */
    double flow;        /* 1/c of a dashpot behind the spring; zero: there is none */
    double exponent, a; /* m, and damping per velocity */
    double yield;       /* compression beyond which a power of 3/2 gives way along its tangent; zero: it never does */
    double e;           /* bilinear: restitution */
    double unload;      /* bilinear: slope of unloading over slope of loading */
    bool drops;         /* bilinear: the force jumps when x' = 0 and then vanishes at x = 0 */
} force_normal;

typedef struct force_tangent {
    double k, c, mu;
} force_tangent;

typedef struct force_vibration {
    const carom_mode *modes; /* dimensionless */
    int count;
    bool recontact;
    force_series *z, *rate; /* count of each */
    const double *damping;  /* as the caller gave it, or null */
    double damping_unit;    /* times this it is dimensionless */
} force_vibration;

/* Both elements, in the units of the problem. */
carom_status force_point_solve(const carom_problem *problem, const force_normal *normal, const force_tangent *tangent,
                               const carom_tracer *tracer, carom_outcome *out);

/* k_t, or its default k / eta^2 against a secant stiffness k. */
static inline double force_stiffness_or(double given, double k, double eta)
{
    return given == CAROM_NOT_GIVEN ? k / (eta * eta) : given;
}

/* Grazing, u_n = 0: the problem with a little approach, and whether friction jams it; if not, nothing happens. */
bool force_grazing(const carom_problem *problem, double mu, carom_problem *nudged);
carom_status force_nothing(const carom_problem *problem, const carom_tracer *tracer, carom_outcome *out);

#endif
