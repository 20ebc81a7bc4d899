/* split-mass: part of the mass stops dead, the rest rebounds from it on springs.
 *
 * Hypothesis   the bodies' local mass M = K^-1 is split: (1 - e) M belongs to the contact point, e M is carried by
 *              springs on it. The point hits plastically (Routh, Coulomb friction) and then slides on the surface,
 *              or sticks, while the springs push the rest away.
 * Equations    dead stage  p_1 = (1 - e) P,  u_2 = u_0 + K P,  P the plastic impulse of Routh                    (1)
 *              f = (-k_t1 s_1, -k_t2 s_2, k x),  s' = u_1t - u_2t,  x' = -u_1n                                   (2)
 *              u_1' = K f / e,  u_2' = K (R - f)/(1 - e),  u_2n = 0                                              (3)
 *              slip  N = (K_nn f_n + K_nt . f_t)/(K_nn - mu K_nt . d),  R = (-mu N d, N),  d = u_2/|u_2|         (4)
 *              stick  R = f while |f_t| <= mu f_n;  ends at N = 0                                                (5)
 *              a point that breaks away in space does so along d = -f_t/|f_t| with u_2 ~ t^2                     (6)
 * Limits       mu |K_tn| < K_nn: a massive point on a rigid surface jams outside (Painleve)
 * Page         docs/laws/split-mass.md
 * Reference    Chatterjee (1997), section 8.1 */
#include "carom/elementary.h"
#include "contact/plane.h"
#include "core/psd.h"
#include "laws/force/force.h"

#define SLOWEST    1e-10 /* |u_2| that counts as rest in space, where d = u_2/|u_2| turns faster and faster */
#define BREAK_AWAY 3e-4  /* time in which (6) replaces (4), in units of the spring; its cube is the error */

typedef struct split {
    force_core core; /* p, and R as its force; x is the spring's */
    force_report report;
    double e, mu, k_t[2];
    bool sticks;
    double side; /* planar: sign of d */
    int end_zeros, test_zeros, turn_zeros, events;
    force_series f[3], drive[3], u1[3], u2[2], s[2]; /* drive = integral of f */
    force_series square, size, d[2], load, share, test;
} split;

typedef enum split_event { EVENT_NONE, EVENT_TEST, EVENT_TURN, EVENT_OVER } split_event;

static int tangents(const split *S)
{
    return S->core.planar ? 1 : 2;
}

/* ---- expansion ---- */

static carom_cvec at_order(force_series v[3], int k)
{
    return carom_cvec_make(v[0][k], v[1][k], v[2][k]);
}

static void spring_forces(split *S, int k)
{
    const carom_cvec kicked = carom_csym_apply(S->core.K, at_order(S->drive, k));
    const double per = 1 / S->e, first = k == 0;
    S->u1[0][k] = first * S->core.u0.t1 + per * kicked.t1;
    S->u1[1][k] = first * S->core.u0.t2 + per * kicked.t2;
    S->u1[2][k] = first * S->core.u0.n + per * kicked.n;
    for (int i = 0; i < tangents(S); i++)
        S->f[i][k] = -S->k_t[i] * S->s[i][k];
    S->f[2][k] = S->core.x[k];
}

static void direction(split *S, int k)
{
    if (S->core.planar) {
        S->d[0][k] = k == 0 ? S->side : 0;
        return;
    }
    S->square[k] = series_product(S->u2[0], S->u2[0], k) + series_product(S->u2[1], S->u2[1], k);
    S->size[k] = series_sqrt(S->square, S->size, k);
    for (int i = 0; i < 2; i++)
        S->d[i][k] = series_quotient(S->u2[i], S->size, S->d[i], k);
}

/* (4) */
static void slip_force(split *S, int k)
{
    force_core *c = &S->core;
    const double k1 = c->K.t1n, k2 = c->K.t2n;
    direction(S, k);
    S->load[k] = S->f[2][k] + k1 * S->f[0][k] + k2 * S->f[1][k];
    S->share[k] = (k == 0) - S->mu * (k1 * S->d[0][k] + k2 * S->d[1][k]);
    c->F[2][k] = series_quotient(S->load, S->share, c->F[2], k);
    for (int i = 0; i < tangents(S); i++)
        c->F[i][k] = -S->mu * series_product(c->F[2], S->d[i], k);
}

static void stick_force(split *S, int k)
{
    for (int i = 0; i < 3; i++)
        S->core.F[i][k] = S->f[i][k];
}

static void push(split *S, int k)
{
    force_core *c = &S->core;
    const double per = 1.0 / (k + 1), per_dead = per / (1 - S->e);
    const carom_cvec rest = carom_cvec_sub(at_order(c->F, k), at_order(S->f, k));
    const carom_cvec pull = carom_csym_apply(c->K, rest);
    force_core_push(c, k);
    c->x[k + 1] = -S->u1[2][k] * per;
    for (int i = 0; i < 3; i++)
        S->drive[i][k + 1] = S->f[i][k] * per;
    for (int i = 0; i < tangents(S); i++) {
        S->s[i][k + 1] = (S->u1[i][k] - S->u2[i][k]) * per;
        S->u2[i][k + 1] = S->sticks ? 0 : (i == 0 ? pull.t1 : pull.t2) * per_dead;
    }
}

/* Slip: |u_2|, or u_2 . d in the plane. Stick: the cone. */
static void tests(split *S)
{
    force_core *c = &S->core;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        if (S->sticks) {
            S->test[k] = S->mu * S->mu * series_product(S->f[2], S->f[2], k);
            for (int i = 0; i < tangents(S); i++)
                S->test[k] -= series_product(S->f[i], S->f[i], k);
        } else
            S->test[k] = c->planar ? S->side * S->u2[0][k] : S->size[k];
    }
    for (int k = 0; k < FORCE_ORDER; k++)
        c->loss_friction[k + 1] = S->sticks ? 0 : S->mu * series_product(c->F[2], S->test, k) / (k + 1);
    if (!S->sticks && !c->planar)
        S->test[0] -= SLOWEST;
}

static void expand(split *S)
{
    for (int k = 0; k <= FORCE_ORDER; k++) {
        force_core_velocity(&S->core, k);
        spring_forces(S, k);
        if (S->sticks)
            stick_force(S, k);
        else
            slip_force(S, k);
        if (k < FORCE_ORDER)
            push(S, k);
    }
    tests(S);
}

static void move(split *S, double h)
{
    force_core_move(&S->core, h);
    for (int i = 0; i < 3; i++) {
        series_move(S->drive[i], h);
        series_move(S->f[i], h);
        series_move(S->u1[i], h);
    }
    for (int i = 0; i < tangents(S); i++) {
        series_move(S->s[i], h);
        series_move(S->u2[i], h);
    }
}

static double reach(const split *S)
{
    force_terms t = force_terms_none(false);
    const double per_speed = 1 / fmax(1, carom_cvec_slip(S->core.u0));
    force_weigh(&t, S->core.x, 1);
    force_weigh(&t, S->u1[2], 1);
    for (int i = 0; i < tangents(S); i++) {
        force_weigh(&t, S->u1[i], per_speed);
        force_weigh(&t, S->u2[i], per_speed);
        force_weigh(&t, S->core.F[i], per_speed);
    }
    return force_reach(&t, FORCE_STEP_MOST);
}

/* ---- stick and slip ---- */

static double tangential_size(const split *S)
{
    return carom_hypot(S->f[0][0], S->f[1][0]);
}

/* x with K x = (d, 0): how R - f drives u_2 along d. False when K is singular. */
static bool along_direction(const carom_csym *K, const double d[2], carom_cvec *x)
{
    const minors m = minors_of(K);
    *x = minors_solve_K(K, &m, carom_cvec_make(d[0], d[1], 0));
    return isfinite(x->t1 + x->t2 + x->n);
}

/* (6): the stuck path is followed a little further, and what friction lacks sets the point in motion. */
static bool break_away(split *S)
{
    force_core *c = &S->core;
    const double size = tangential_size(S), d[2] = {-S->f[0][0] / size, -S->f[1][0] / size};
    const double rate[2] = {-S->k_t[0] * S->u1[0][0], -S->k_t[1] * S->u1[1][0]}; /* of f_t */
    const double growth = -(rate[0] * d[0] + rate[1] * d[1] + S->mu * -S->u1[2][0]);
    carom_cvec m;
    if (!along_direction(&c->K, d, &m))
        return false;
    double lambda = growth / ((1 - S->e) * (m.t1 * d[0] + m.t2 * d[1] + S->mu * m.n)); /* u_2'' */
    const double t = BREAK_AWAY, impulse = 0.5 * (1 - S->e) * lambda * t * t;
    expand(S);
    move(S, t);
    c->p[0][0] += impulse * m.t1;
    c->p[1][0] += impulse * m.t2;
    c->p[2][0] += impulse * m.n;
    S->u2[0][0] = 0.5 * lambda * t * t * d[0];
    S->u2[1][0] = 0.5 * lambda * t * t * d[1];
    return lambda > 0;
}

/* zeros: of u_2 at its beginning. */
static bool begin_slip(split *S, int zeros)
{
    bool whole = true;
    if (!S->core.planar)
        whole = break_away(S);
    else if (zeros > 0) {
        S->side = S->f[0][0] < 0 ? 1 : -1;
        S->u2[0][0] = 0;
    }
    S->sticks = false;
    S->test_zeros = S->core.planar ? zeros : 0;
    force_report_mode(&S->report, CAROM_CONTACT_MODE_SLIP);
    return whole;
}

static void begin_stick(split *S, int zeros)
{
    S->sticks = true;
    S->u2[0][0] = S->u2[1][0] = 0;
    S->test_zeros = zeros;
    force_report_mode(&S->report, CAROM_CONTACT_MODE_STICK);
}

/* Slip has stopped: it stays so if the cone allows, or goes on in the other direction. */
static bool stop(split *S)
{
    bool holds = tangential_size(S) <= S->mu * S->f[2][0];
    if (holds) {
        begin_stick(S, 0);
        force_report_event(&S->report, CAROM_EVENT_SLIP_TO_STICK);
        return true;
    }
    return S->core.planar && begin_slip(S, 1); /* in space a further slip would have to find its direction */
}

/* First touch after the dead stage. The status of a contact that is lost at once: section 2b of the page. */
static carom_status start(split *S)
{
    const carom_cvec u = S->core.u0;
    double r[2] = {u.t1 - S->u2[0][0], u.t2 - S->u2[1][0]}, speed = carom_hypot(S->u2[0][0], S->u2[1][0]);
    double pull = carom_hypot(S->k_t[0] * r[0], S->core.planar ? 0 : S->k_t[1] * r[1]);
    S->end_zeros = 1;
    if (speed == 0 && pull <= S->mu) {
        begin_stick(S, 2);
        return CAROM_STATUS_OK;
    }
    double rise = 1 - S->core.K.t1n * S->k_t[0] * r[0] - S->core.K.t2n * S->k_t[1] * r[1]; /* N' */
    if (!(rise > 0))
        return CAROM_STATUS_LOST;
    S->side = speed > 0 ? (S->u2[0][0] < 0 ? -1 : 1) : r[0] < 0 ? -1 : 1;
    if (speed == 0 && !S->core.planar)
        return CAROM_STATUS_OUT_OF_SCOPE; /* breaks away from f = 0 in space */
    force_report_mode(&S->report, CAROM_CONTACT_MODE_SLIP);
    S->test_zeros = speed > 0 ? 0 : 2;
    return CAROM_STATUS_OK;
}

/* ---- the walk ---- */

static split_event next_event(const split *S, double *h)
{
    split_event event = EVENT_NONE;
    force_series minus;
    if (series_falls(S->core.F[2], S->end_zeros, FORCE_ORDER, h))
        event = EVENT_OVER;
    if (S->mu > 0 && series_falls(S->test, S->test_zeros, FORCE_ORDER, h)) {
        event = EVENT_TEST;
        if (S->sticks)
            *h = series_cone_root(S->f[2], S->f[0], S->core.planar ? NULL : S->f[1], S->mu, *h);
    }
    for (int k = 0; k <= FORCE_ORDER; k++)
        minus[k] = -S->u1[2][k];
    if (series_falls(S->report.compressing ? minus : S->u1[2], S->turn_zeros, FORCE_ORDER, h))
        event = EVENT_TURN;
    return event;
}

static bool handle(split *S, split_event event, double h)
{
    S->end_zeros = h > 0 ? 0 : S->end_zeros;
    S->turn_zeros = h > 0 ? 0 : S->turn_zeros;
    S->test_zeros = 0;
    if (event == EVENT_TURN) {
        force_report_turn(&S->report);
        S->turn_zeros = 1;
    } else if (event == EVENT_TEST && S->sticks) {
        force_report_event(&S->report, CAROM_EVENT_STICK_TO_SLIP);
        return begin_slip(S, 2);
    } else if (event == EVENT_TEST)
        return stop(S);
    return true;
}

static carom_status finish(split *S, double dead_friction, carom_status status)
{
    carom_outcome *out = S->report.out;
    carom_contact_force *f = &out->force;
    const carom_problem *problem = S->report.problem;
    force_report_end(&S->report);
    carom_cvec after = carom_cvec_add(problem->u, carom_csym_apply(problem->K, out->p));
    double loss = -0.5 * carom_cvec_dot(out->p, carom_cvec_add(problem->u, after));
    f->dissipated_friction += dead_friction;
    f->dissipated_normal = loss - f->dissipated_friction;
    out->phases.phases = 0; /* the halves of the spring are not the halves of u_n */
    return status;
}

static carom_status walk(split *S, double dead_friction)
{
    carom_status status = start(S);
    if (status)
        return status;
    for (int step = 0; step < FORCE_STEPS; step++) {
        expand(S);
        double h = reach(S);
        split_event event = next_event(S, &h);
        force_report_peak(&S->report, S->core.F[2], h);
        force_report_piece(&S->report, S->sticks ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP, h);
        move(S, h);
        if (event == EVENT_OVER)
            return finish(S, dead_friction, CAROM_STATUS_OK);
        S->events += event != EVENT_NONE;
        if (!handle(S, event, h))
            return CAROM_STATUS_OUT_OF_SCOPE;
        if (S->events > FORCE_EVENTS)
            return finish(S, dead_friction, CAROM_STATUS_EVENT_LIMIT);
    }
    return finish(S, dead_friction, CAROM_STATUS_STEP_LIMIT);
}

/* ---- the dead stage ---- */

extern const carom_law carom_law_routh_newton;

typedef struct dead_stage {
    force_report *report;
    carom_cvec u; /* at the last event */
} dead_stage;

/* Slides, turns and sticks of the plastic impact, as modes. */
static void dead_event(void *context, const carom_event *event)
{
    const dead_stage *dead = context;
    const carom_event_kind kind = event->kind;
    if (kind == CAROM_EVENT_STICK)
        force_report_mode(dead->report, CAROM_CONTACT_MODE_DEAD_STICK);
    else if (kind == CAROM_EVENT_SLIDE || kind == CAROM_EVENT_SLIDE_PLUS || kind == CAROM_EVENT_SLIDE_MINUS ||
             kind == CAROM_EVENT_RAY)
        force_report_mode(dead->report, CAROM_CONTACT_MODE_DEAD_SLIP);
}

/* (1): P and the friction it costs. */
static carom_status plastic(const carom_impact *x, const carom_rule *rule, force_report *report, carom_outcome *out)
{
    dead_stage dead = {report, x->u};
    const carom_tracer watch = {dead_event, NULL, &dead};
    carom_rule routh = *rule;
    routh.law = &carom_law_routh_newton;
    routh.coeffs.e = 0;
    routh.coeffs.mu_s = CAROM_SAME_AS_MU;
    return routh.law->solve(x, &routh, &watch, out);
}

static void begin(split *S, const carom_coeffs *c, const carom_problem *problem, carom_cvec P)
{
    const force_units *units = &S->report.units;
    const double stiff = units->K * units->time * units->time, per = 1 / units->velocity;
    const carom_direction t = units->turn;
    const double k_1 = force_stiffness_or(c->k_t1, c->k, c->eta);
    S->e = c->e;
    S->mu = c->mu;
    S->k_t[0] = stiff * k_1;
    S->k_t[1] = stiff * (c->k_t2 == CAROM_NOT_GIVEN ? k_1 : c->k_t2);
    carom_cvec u2 = carom_cvec_add(problem->u, carom_csym_apply(problem->K, P));
    double still = 64 * EPS * (carom_cvec_slip(problem->u) - problem->u.n);
    if (carom_cvec_slip(u2) > still) {
        S->u2[0][0] = per * (t.c * u2.t1 + t.s * u2.t2);
        S->u2[1][0] = S->core.planar ? 0 : per * (t.c * u2.t2 - t.s * u2.t1);
    }
    const double unit = (1 - S->e) / units->impulse;
    S->core.p[0][0] = unit * (t.c * P.t1 + t.s * P.t2);
    S->core.p[1][0] = S->core.planar ? 0 : unit * (t.c * P.t2 - t.s * P.t1);
    S->core.p[2][0] = unit * P.n;
    S->report.p_mark = S->core.p[2][0];
}

static bool is_isotropic(const carom_coeffs *c)
{
    return c->k_t2 == CAROM_NOT_GIVEN || c->k_t2 == force_stiffness_or(c->k_t1, c->k, c->eta);
}

/* e = 1: nothing stops dead, the point has no mass. */
static carom_status massless(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                             carom_outcome *out)
{
    const carom_coeffs *c = &rule->coeffs;
    const force_normal normal = {.kind = FORCE_LINEAR, .k = c->k, .exponent = 1};
    const force_tangent tangent = {force_stiffness_or(c->k_t1, c->k, c->eta), 0, c->mu};
    bool flat = problem->K.t12 == 0 && problem->K.t2n == 0 && problem->u.t2 == 0;
    return is_isotropic(c) || flat ? force_point_solve(problem, &normal, &tangent, tracer, out)
                                   : CAROM_STATUS_OUT_OF_SCOPE;
}

/* Is there an M = K^-1 to split? A K of rank two has one in its plane, which may lie across the tangents where the
 * springs do not tell them apart. */
static bool has_mass(const carom_impact *x, const carom_coeffs *c)
{
    const carom_problem problem = {x->K, x->u};
    carom_direction turn;
    carom_problem turned;
    if (x->kind != CAROM_KIND_SINGULAR)
        return true;
    return is_isotropic(c) && spectrum_of(&x->K).rank == 2 && problem_plane(&problem, &turn, &turned);
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    split S;
    if (!(c->mu * carom_hypot(problem->K.t1n, problem->K.t2n) < problem->K.nn))
        return CAROM_STATUS_PAINLEVE;
    if (!has_mass(x, c))
        return CAROM_STATUS_OUT_OF_SCOPE;
    if (problem->u.n == 0)
        return force_nothing(problem, tracer, out);
    if (c->e == 1)
        return massless(problem, rule, tracer, out);
    memset(&S, 0, sizeof S);
    force_report_begin(&S.report, problem, tracer, out);
    carom_status status = plastic(x, rule, &S.report, out);
    if (status)
        return status;
    const carom_cvec P = out->p;
    const double dead_friction = -(1 - c->e) * out->phases.work_friction;
    out->phases = (carom_phases){0};
    out->event_count = 0;
    out->phases.phases = 1;
    const double length = -problem->u.n / sqrt(c->k * problem->K.nn);
    const carom_problem scaled = is_isotropic(c) ? force_scale(problem, length, &S.report.units)
                                                 : force_scale_as_given(problem, length, &S.report.units);
    force_core_begin(&S.core, &scaled, S.report.units.planar);
    S.report.core = &S.core;
    begin(&S, c, problem, P);
    out->force.dead_impulse = carom_cvec_scale(1 - c->e, P);
    return c->e > 0 ? walk(&S, dead_friction) : finish(&S, dead_friction, CAROM_STATUS_OK);
}

const carom_law carom_law_split_mass = {
    .id = "split-mass",
    .name = "Split mass",
    .family = "contact-force",
    .summary = "Part of the mass stops dead at the surface, the rest rebounds from it on springs.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(k) | CAROM_USES(k_t1) | CAROM_USES(k_t2) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES |
              CAROM_TRAIT_LOCAL,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
