/* eigen-springs: springs and dashpots along the principal axes of the bodies, not of the contact.
 *
 * Hypothesis   the elements at the massless contact point lie along the eigenvectors of K: the one closest to the
 *              normal has k and c, the other k_t and c_t. Sticking then splits into two independent oscillators.
 * Equations    S = k_t 1 + (k - k_t) e e^T,  C likewise;  d = (s, -x),  d' = u - (w, 0),  F = -S d - C d'        (1)
 *              stick w = 0 while |F_t| <= mu F_n                                                               (2)
 *              slip F_t = -sigma mu F_n, sigma = sign w; with dashpots, F_st the force at w = 0,
 *              w = -(F_st_t + mu sigma F_st_n)/(C_tt + mu sigma C_nt)                                          (3)
 *              without   s = x (S_tn + mu sigma S_nn)/(S_tt + mu sigma S_nt)                                   (4)
 *              unique when C_tt > mu |C_nt| (S without dashpots); else stick where it is admissible, then the
 *              slip whose denominator is positive                                                              (5)
 *              (3) reads D s' = B x - E u_n - A s, with D = C_tt + mu sigma C_nt, A = S_tt + mu sigma S_nt,
 *              B = S_nt + mu sigma S_nn, E = C_nt + mu sigma C_nn; after a time of some D/A the spring
 *              follows the bodies, s = alpha x + beta u_n,  s' = a x + b u_n                                   (6)
 * Page         docs/laws/eigen-springs.md
 * Reference    Chatterjee (1997), section 8.5 */
#include <string.h>

#include "carom/elementary.h"
#include "laws/force/force.h"

typedef struct eigen {
    force_core core;
    force_report report;
    double S_tt, S_nt, S_nn, C_tt, C_nt, C_nn, det_C;
    double mu, sigma;
    bool damped, sticks;
    bool follows; /* slip of (6) */
    double alpha, beta, a, b;
    force_series s, w, stuck[2], test;
    int end_zeros, test_zeros, turn_zeros, events;
} eigen;

typedef enum eigen_event { EVENT_NONE, EVENT_TEST, EVENT_TURN, EVENT_OVER } eigen_event;

/* ---- (1) ---- */

/* The eigenvector of K with the larger part along n; of equals, the one of the smaller eigenvalue. */
static void axis_of(const carom_csym *K, double *t, double *n)
{
    double angle = 0.5 * carom_atan2(2 * K->t1n, K->t11 - K->nn); /* of the larger eigenvalue, from t */
    double c = carom_cos(angle), s = carom_sin(angle);
    bool larger = fabs(s) > fabs(c); /* the larger one has the larger normal part */
    *t = larger ? c : -s;
    *n = larger ? s : c;
}

static void set_elements(eigen *E, const carom_coeffs *c, const force_units *units, double c_n)
{
    double t, n, stiff = units->K * units->time * units->time, damp = units->K * units->time;
    axis_of(&E->core.K, &t, &n);
    double k_t = stiff * force_stiffness_or(c->k_t, c->k, c->eta), k = stiff * c->k, c_t = damp * c->c_t;
    E->S_tt = k_t + (k - k_t) * t * t;
    E->S_nt = (k - k_t) * t * n;
    E->S_nn = k_t + (k - k_t) * n * n;
    E->C_tt = c_t + (damp * c_n - c_t) * t * t;
    E->C_nt = (damp * c_n - c_t) * t * n;
    E->C_nn = c_t + (damp * c_n - c_t) * n * n;
    E->det_C = damp * c_n * c_t;
    E->damped = c_n > 0 || c->c_t > 0;
    E->mu = c->mu;
}

/* ---- expansion ---- */

static double slip_divisor(const eigen *E, double sigma)
{
    return E->damped ? E->C_tt + E->mu * sigma * E->C_nt : E->S_tt + E->mu * sigma * E->S_nt;
}

/* Force at w = 0. */
static void stuck_force(eigen *E, int k)
{
    const force_core *c = &E->core;
    double s = E->s[k], x = c->x[k], u_t = c->v[0][k], u_n = c->v[2][k];
    E->stuck[0][k] = -(E->S_tt * s - E->S_nt * x) - (E->C_tt * u_t + E->C_nt * u_n);
    E->stuck[1][k] = -(E->S_nt * s - E->S_nn * x) - (E->C_nt * u_t + E->C_nn * u_n);
}

/* (6): the force does not contain w, whose formula (3) divides a small difference by D. */
static void following_forces(eigen *E, int k)
{
    force_core *c = &E->core;
    const double x = c->x[k], u_n = c->v[2][k], rate = E->a * x + E->b * u_n;
    E->s[k] = E->alpha * x + E->beta * u_n;
    E->w[k] = c->v[0][k] - rate;
    c->F[2][k] = -(E->S_nt * E->s[k] - E->S_nn * x) - (E->C_nt * rate + E->C_nn * u_n);
    c->F[0][k] = -E->sigma * E->mu * c->F[2][k];
    E->stuck[0][k] = c->F[0][k] - E->C_tt * E->w[k];
    E->stuck[1][k] = c->F[2][k] - E->C_nt * E->w[k];
}

/* F_n of (3), (C_tt F_st_n - C_nt F_st_t)/(C_tt + mu sigma C_nt): u_t cancels, and u_n but for det C. */
static double slip_force(const eigen *E, int k)
{
    const double s = E->s[k], x = E->core.x[k];
    const double spring_t = E->S_tt * s - E->S_nt * x, spring_n = E->S_nt * s - E->S_nn * x;
    return (E->C_nt * spring_t - E->C_tt * spring_n - E->det_C * E->core.v[2][k]) / slip_divisor(E, E->sigma);
}

static void forces(eigen *E, int k)
{
    force_core *c = &E->core;
    if (E->follows) {
        following_forces(E, k);
        return;
    }
    const double mu = E->mu, sigma = E->sigma;
    if (!E->sticks && !E->damped) { /* (4) */
        double ratio = (E->S_nt + mu * sigma * E->S_nn) / slip_divisor(E, sigma);
        E->s[k] = ratio * c->x[k];
        E->w[k] = c->v[0][k] + ratio * c->v[2][k];
    }
    stuck_force(E, k);
    if (!E->sticks && E->damped)
        E->w[k] = -(E->stuck[0][k] + mu * sigma * E->stuck[1][k]) / slip_divisor(E, sigma); /* (3) */
    else if (E->sticks)
        E->w[k] = 0;
    c->F[0][k] = E->stuck[0][k];
    c->F[2][k] = E->sticks || !E->damped ? E->stuck[1][k] : slip_force(E, k);
    if (!E->sticks)
        c->F[0][k] = -sigma * mu * c->F[2][k];
}

static void expand(eigen *E)
{
    force_core *c = &E->core;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        force_core_velocity(c, k);
        forces(E, k);
        if (k == FORCE_ORDER)
            break;
        force_core_push(c, k);
        E->s[k + 1] = (c->v[0][k] - E->w[k]) / (k + 1);
        c->loss_friction[k + 1] = E->mu * E->sigma * series_product(c->F[2], E->w, k) / (k + 1);
    }
    const double *stuck_t = E->stuck[0], *stuck_n = E->stuck[1];
    for (int k = 0; k <= FORCE_ORDER; k++) {
        double excess = -E->sigma * stuck_t[k] - E->mu * stuck_n[k];
        E->test[k] = E->sticks
                         ? E->mu * E->mu * series_product(stuck_n, stuck_n, k) - series_product(stuck_t, stuck_t, k)
                     : E->damped && !E->follows ? excess
                                                : E->sigma * E->w[k];
    }
}

/* The scale of tangential velocities. */
static double speed_of(const eigen *E)
{
    return fmax(1, fabs(E->core.u0.t1));
}

/* ---- (6) ---- */

#define FOLLOW_RATE 1e3       /* A/D, per unit of time, above which the spring may follow */
#define FOLLOW_TOL  (8 * EPS) /* what may be left of the fast motion, against the scale of s */
enum { FOLLOW_SWEEPS = 40 };  /* each gains the digits of FOLLOW_RATE */

/* alpha, beta, a, b by sweeps; u_n' = kappa F_n. */
static void set_following(eigen *E)
{
    const double g = E->mu * E->sigma, kappa = E->core.K.nn - g * E->core.K.t1n;
    const double A = E->S_tt + g * E->S_nt, B = E->S_nt + g * E->S_nn, D = E->C_tt + g * E->C_nt,
                 C = E->C_nt + g * E->C_nn;
    E->a = E->b = 0;
    for (int i = 0; i < FOLLOW_SWEEPS; i++) {
        E->alpha = (B - D * E->a) / A;
        E->beta = -(C + D * E->b) / A;
        double by_x = kappa * (E->S_nn - E->S_nt * E->alpha - E->C_nt * E->a);
        double by_u = -kappa * (E->S_nt * E->beta + E->C_nt * E->b + E->C_nn);
        E->a = E->beta * by_x;
        E->b = E->beta * by_u - E->alpha;
    }
}

/* Slip with light dashpots: has its fast motion died out? */
static void begin_following(eigen *E)
{
    const double A = E->S_tt + E->mu * E->sigma * E->S_nt, D = slip_divisor(E, E->sigma);
    if (E->sticks || E->follows || !E->damped || !(A > FOLLOW_RATE * D))
        return;
    set_following(E);
    const double s = E->alpha * E->core.x[0] + E->beta * E->core.v[2][0];
    E->follows = fabs(E->s[0] - s) <= FOLLOW_TOL * speed_of(E);
    if (E->follows)
        expand(E);
}

/* ---- the walk ---- */

static bool begin_slip(eigen *E, double stuck_t, bool dry_start)
{
    E->sigma = stuck_t > 0 ? -1 : 1;
    E->sticks = false;
    E->test_zeros = E->damped && !dry_start ? 1 : 0;
    force_report_mode(&E->report, CAROM_CONTACT_MODE_SLIP);
    return slip_divisor(E, E->sigma) > 0; /* (5) */
}

static void begin_stick(eigen *E, int zeros)
{
    E->sticks = true;
    E->follows = false;
    E->test_zeros = zeros;
    force_report_mode(&E->report, CAROM_CONTACT_MODE_STICK);
}

/* At first touch forces (or, without dashpots, their rates) decide. */
static bool start(eigen *E)
{
    const carom_cvec u = E->core.u0;
    double t = E->damped ? -(E->C_tt * u.t1 + E->C_nt * u.n) : -(E->S_tt * u.t1 + E->S_nt * u.n);
    double n = E->damped ? -(E->C_nt * u.t1 + E->C_nn * u.n) : -(E->S_nt * u.t1 + E->S_nn * u.n);
    E->end_zeros = E->damped ? 0 : 1;
    if (E->mu > 0 && fabs(t) <= E->mu * n) {
        begin_stick(E, E->damped ? 0 : 2);
        return true;
    }
    E->end_zeros = E->det_C > 0 ? 0 : 1; /* one dashpot alone, in slip: F_n rises from zero */
    return begin_slip(E, t, true);
}

static eigen_event next_event(const eigen *E, double *h)
{
    const force_core *c = &E->core;
    eigen_event event = series_falls(c->F[2], E->end_zeros, FORCE_ORDER, h) ? EVENT_OVER : EVENT_NONE;
    force_series minus;
    if (E->mu > 0 && series_falls(E->test, E->test_zeros, FORCE_ORDER, h)) {
        event = EVENT_TEST;
        if (E->sticks)
            *h = series_cone_root(E->stuck[1], E->stuck[0], NULL, E->mu, *h);
    }
    for (int k = 0; k <= FORCE_ORDER; k++)
        minus[k] = -c->v[2][k];
    if (series_falls(E->report.compressing ? minus : c->v[2], E->turn_zeros, FORCE_ORDER, h))
        event = EVENT_TURN;
    return event;
}

static bool handle(eigen *E, eigen_event event, double h)
{
    E->end_zeros = h > 0 ? 0 : E->end_zeros;
    E->turn_zeros = h > 0 ? 0 : E->turn_zeros;
    E->test_zeros = 0;
    if (event == EVENT_TURN) {
        force_report_turn(&E->report);
        E->turn_zeros = 1;
    } else if (event == EVENT_TEST && E->sticks) {
        if (!begin_slip(E, E->stuck[0][0], false))
            return false;
        force_report_event(&E->report, CAROM_EVENT_STICK_TO_SLIP);
    } else if (event == EVENT_TEST) {
        begin_stick(E, E->damped ? 1 : 2);
        force_report_event(&E->report, CAROM_EVENT_SLIP_TO_STICK);
    }
    return true;
}

static void move(eigen *E, double h)
{
    force_core_move(&E->core, h);
    series_move(E->s, h);
    series_move(E->stuck[0], h);
}

static carom_status finish(eigen *E, carom_status status)
{
    carom_contact_force *f = &E->report.out->force;
    force_report_end(&E->report);
    carom_cvec p = E->report.out->p, u = E->report.problem->u;
    carom_cvec after = carom_cvec_add(u, carom_csym_apply(E->report.problem->K, p));
    f->dissipated_normal = -0.5 * carom_cvec_dot(p, carom_cvec_add(u, after)) - f->dissipated_friction;
    return status;
}

#define TIME_MOST 1e4 /* units of time */

static carom_status walk(eigen *E)
{
    if (!start(E))
        return CAROM_STATUS_NOT_REGULAR;
    for (int step = 0; step < FORCE_STEPS; step++) {
        expand(E);
        begin_following(E);
        double h = force_core_reach(&E->core, E->s);
        eigen_event event = next_event(E, &h);
        force_report_peak(&E->report, E->core.F[2], h);
        force_report_piece(&E->report, E->sticks ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP, h);
        move(E, h);
        if (event == EVENT_OVER)
            return finish(E, CAROM_STATUS_OK);
        if (!handle(E, event, h))
            return CAROM_STATUS_NOT_REGULAR;
        E->events += event != EVENT_NONE;
        if (E->core.time[0] > TIME_MOST)
            return finish(E, CAROM_STATUS_ENDLESS);
        if (E->events > FORCE_EVENTS)
            return finish(E, CAROM_STATUS_EVENT_LIMIT);
    }
    return finish(E, CAROM_STATUS_STEP_LIMIT);
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const double c_n = c->c == CAROM_NOT_GIVEN ? 0 : c->c;
    eigen E;
    carom_problem nudged;
    memset(&E, 0, sizeof E);
    if (problem->u.n == 0) {
        if (!force_grazing(problem, c->mu, &nudged))
            return force_nothing(problem, tracer, out);
        problem = &nudged;
    }
    force_report_begin(&E.report, problem, tracer, out);
    carom_problem scaled = force_scale(problem, -problem->u.n / sqrt(c->k * problem->K.nn), &E.report.units);
    if (!E.report.units.planar)
        return CAROM_STATUS_NOT_PLANAR;
    if (scaled.K.t1n == 0) { /* the axes are the contact axes */
        const force_normal normal = {.kind = FORCE_LINEAR, .k = c->k, .c = c_n, .exponent = 1};
        const force_tangent tangent = {force_stiffness_or(c->k_t, c->k, c->eta), c->c_t, c->mu};
        return force_point_solve(problem, &normal, &tangent, tracer, out);
    }
    force_core_begin(&E.core, &scaled, true);
    set_elements(&E, c, &E.report.units, c_n);
    E.report.core = &E.core;
    bool unique = E.damped ? E.C_tt > E.mu * fabs(E.C_nt) : E.S_tt > E.mu * fabs(E.S_nt);
    if (!unique)
        out->flags |= CAROM_FLAG_NOT_UNIQUE;
    return walk(&E);
}

const carom_law carom_law_eigen_springs = {
    .id = "eigen-springs",
    .name = "Springs along the eigenvectors of K",
    .family = "contact-force",
    .summary = "Springs and dashpots along the principal axes of K, with Coulomb friction; planar.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(k) | CAROM_USES(c) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = CAROM_TRAIT_PLANAR_ONLY | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_LOCAL,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
