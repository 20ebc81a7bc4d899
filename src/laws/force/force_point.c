/* The walk of the massless point through stick, slip, loading and unloading: see force_point.h. */
#include "laws/force/force_point.h"
#include "carom/elementary.h"
#include "laws/force/force_uncoupled.h"

#include <string.h>

#define SAME_TIME 1e-7 /* of a step: the root of a square is no better known */
#define TIME_MOST 1e4  /* units of time; more where damping is strong or unloading is slow */

typedef enum point_event {
    EVENT_NONE,
    EVENT_TEST,
    EVENT_TURN,
    EVENT_RELOAD,
    EVENT_YIELD,
    EVENT_TOUCH,
    EVENT_OVER
} point_event;

/* ---- branches ---- */

static int tangents(const force_point *P)
{
    return P->core.planar ? 1 : 2;
}

static double force_size(const force_point *P)
{
    return carom_hypot(P->core.F[0][0], P->core.F[1][0]);
}

static void choose_clock(force_point *P)
{
    if (force_on_power(P) && P->normal.exponent > 1)
        P->clock = FORCE_CLOCK_ROOT;
    else
        P->clock = P->branch == BRANCH_DRY && !P->core.planar ? FORCE_CLOCK_FORCE : FORCE_CLOCK_TIME;
}

void force_point_enter_slip(force_point *P)
{
    const double *F[2] = {P->core.F[0], P->core.F[1]}, size = force_size(P);
    P->branch = P->tangent.c > 0 ? BRANCH_DAMPED : BRANCH_DRY;
    P->test_zeros = P->tangent.c > 0 ? 1 : 0;
    P->side = (F[0][0] < 0) == (P->branch == BRANCH_DRY) ? 1 : -1;
    for (int i = 0; i < tangents(P); i++)
        P->d[i][0] = size > 0 ? -F[i][0] / size : i == 0;
    force_report_mode(&P->report, CAROM_CONTACT_MODE_SLIP);
    force_report_event(&P->report, CAROM_EVENT_STICK_TO_SLIP);
}

void force_point_enter_stick(force_point *P)
{
    for (int i = 0; !(P->tangent.c > 0) && i < tangents(P); i++)
        P->s[i][0] = -P->core.F[i][0] / P->tangent.k;
    P->test_zeros = P->tangent.c > 0 ? 1 : 2;
    P->branch = BRANCH_STICK;
    force_report_mode(&P->report, CAROM_CONTACT_MODE_STICK);
    force_report_event(&P->report, CAROM_EVENT_SLIP_TO_STICK);
}

/* F_n jumps from f to ratio * f: what |F_t| is above the new cone is lost at once. */
static void drop_force(force_point *P, double ratio)
{
    force_core *c = &P->core;
    const double cone = P->tangent.mu * ratio * c->F[2][0], size = force_size(P);
    c->F[2][0] *= ratio;
    if (!(size > cone) || P->branch == BRANCH_FREE)
        return;
    if (P->tangent.c > 0) {
        if (P->branch == BRANCH_STICK && ratio > 0)
            force_point_enter_slip(P);
        P->test_zeros = 0;
        return;
    }
    c->loss_friction[0] += 0.5 * (size - cone) * (size + cone) / P->tangent.k;
    for (int i = 0; i < tangents(P); i++)
        c->F[i][0] *= cone / size;
    if (P->branch == BRANCH_STICK && ratio > 0)
        force_point_enter_slip(P);
}

/* ---- the two slopes ---- */

/* Compression has ended for the first time, or beyond all before. False: the contact ends here. */
static bool unload(force_point *P)
{
    const force_normal *n = &P->normal;
    P->top = P->core.x[0];
    P->unloading = true;
    if (!(n->e > 0)) {
        drop_force(P, 0);
        return false;
    }
    P->slope = n->unload;
    P->dent[0] = n->drops ? 0 : (1 - n->e * n->e) * P->top;
    if (n->drops)
        drop_force(P, n->unload);
    return true;
}

static void reload(force_point *P)
{
    P->unloading = false;
    P->slope = 1;
    P->dent[0] = 0;
    if (!P->normal.drops)
        return;
    if (P->branch == BRANCH_DRY || P->branch == BRANCH_LED)
        force_point_enter_stick(P);
    P->test_zeros = 0;
}

/* ---- vibrating bodies ---- */

static double vibration_energy(const force_point *P)
{
    double sum = 0;
    for (int j = 0; j < P->vibration.count; j++) {
        double rate = P->vibration.rate[j][0], shape = P->vibration.modes[j].omega * P->vibration.z[j][0];
        sum += 0.5 * (rate * rate + shape * shape);
    }
    return sum;
}

static void note_vibration(force_point *P)
{
    P->report.out->force.vibration_energy = vibration_energy(P) * P->report.units.energy;
    P->report.out->force.dissipated_vibration = P->loss_vibration * P->report.units.energy;
}

/* Can the modes, at their present amplitudes, still close the gap while the bodies part with u_n? */
static bool may_touch_again(const force_point *P)
{
    const force_core *c = &P->core;
    double u_n = c->u0.n + c->K.t1n * c->p[0][0] + c->K.t2n * c->p[1][0] + c->p[2][0];
    double centre = -c->x[0], reach = 0;
    const double all = P->vibration.damping ? sqrt(2 * vibration_energy(P)) : 0; /* coupled: of all modes together */
    for (int j = 0; j < P->vibration.count; j++) {
        const carom_mode *m = &P->vibration.modes[j];
        double z = P->vibration.z[j][0], rate = P->vibration.rate[j][0], lost = 1 - m->zeta * m->zeta;
        double w = lost > 0 ? m->omega * sqrt(lost) : m->omega;
        double swing = w > 0 ? (rate + (lost > 0 ? m->zeta * m->omega * z : 0)) / w : 0;
        centre -= m->phi.n * z;
        reach += fabs(m->phi.n) * (P->vibration.damping ? all / m->omega : carom_hypot(z, swing));
        if (m->omega == 0)
            return true;
    }
    return !(u_n > 0 && centre > reach);
}

static void fly(force_point *P)
{
    note_vibration(P);
    P->report.out->force.duration = P->core.time[0] * P->report.units.time;
    P->branch = BRANCH_GAP;
    P->clock = FORCE_CLOCK_TIME;
    P->end_zeros = 1;
    P->core.x[0] = 0;
}

static void touch(force_point *P)
{
    P->report.out->force.contacts++;
    force_report_mode(&P->report, CAROM_CONTACT_MODE_GAP);
    if (!P->report.compressing)
        force_report_turn(&P->report);
    force_point_start(P);
}

/* ---- steps ---- */

static void negative(const double *c, double *minus)
{
    for (int k = 0; k <= FORCE_ORDER; k++)
        minus[k] = -c[k];
}

/* (8) */
static const double *end_function(const force_point *P)
{
    return !force_on_power(P) ? P->core.F[2] : P->clock == FORCE_CLOCK_ROOT ? P->y : P->core.x;
}

static point_event next_event(const force_point *P, double *h)
{
    const force_core *c = &P->core;
    point_event event = EVENT_NONE;
    force_series minus;
    if (P->branch == BRANCH_GAP) {
        negative(c->x, minus);
        return series_falls(minus, P->end_zeros, FORCE_ORDER, h) ? EVENT_TOUCH : EVENT_NONE;
    }
    if (P->clock != FORCE_CLOCK_FORCE && series_falls(end_function(P), P->end_zeros, FORCE_ORDER, h))
        event = EVENT_OVER;
    if (P->vibration.count > 0 && P->normal.a > 0 && series_falls(P->damp, 0, FORCE_ORDER, h))
        event = EVENT_OVER;
    const double over = *h;
    if (P->branch != BRANCH_FREE && series_falls(P->test, P->test_zeros, FORCE_ORDER - 1, h)) {
        if (P->branch == BRANCH_STICK)
            *h = series_cone_root(c->F[2], c->F[0], c->planar ? NULL : c->F[1], P->tangent.mu, *h);
        bool same = event == EVENT_OVER && over - *h < SAME_TIME * over; /* no tangential force: sticks to the end */
        *h = same ? over : *h;
        event = same ? EVENT_OVER : EVENT_TEST;
    }
    negative(c->v[2], minus);
    if (series_falls(P->report.compressing ? minus : c->v[2], P->turn_zeros, FORCE_ORDER, h))
        event = EVENT_TURN;
    const bool virgin = !P->unloading, yields = virgin && P->normal.yield > 0 && !P->yielding;
    if (P->report.compressing && (yields || !virgin)) {
        negative(c->x, minus);
        minus[0] += yields ? P->normal.yield : P->top;
        if (series_falls(minus, 0, FORCE_ORDER, h))
            event = yields ? EVENT_YIELD : EVENT_RELOAD;
    }
    return event;
}

/* x' = 0. False: the contact ends. */
static bool turn(force_point *P)
{
    bool compressed = P->report.compressing;
    force_report_turn(&P->report);
    P->turn_zeros = 1;
    P->top = compressed ? fmax(P->top, P->core.x[0]) : P->top;
    if (compressed && P->yielding)
        force_yield_unload(P);
    return !(compressed && P->normal.kind == FORCE_BILINEAR && !P->unloading) || unload(P);
}

/* True when the walk is over. */
static bool handle(force_point *P, point_event event, double h)
{
    P->end_zeros = h > 0 ? 0 : P->end_zeros;
    P->turn_zeros = h > 0 ? 0 : P->turn_zeros;
    P->test_zeros = 0;
    P->singular = false;
    if (event != EVENT_NONE && P->branch == BRANCH_EASED)
        P->branch = BRANCH_DAMPED; /* forces may bend or jump */
    if (event == EVENT_TEST && P->branch == BRANCH_STICK)
        force_point_enter_slip(P);
    else if (event == EVENT_TEST) {
        force_point_enter_stick(P);
        P->test_zeros = h > 0 ? P->test_zeros : 1; /* no slip at all: the force has jumped onto the cone */
    } else if (event == EVENT_TURN) {
        if (!turn(P))
            return true;
    } else if (event == EVENT_YIELD || (event == EVENT_RELOAD && P->normal.yield > 0))
        force_yield_begin(P);
    else if (event == EVENT_RELOAD)
        reload(P);
    if (event == EVENT_OVER) {
        if (!P->vibration.recontact)
            return true;
        fly(P);
    } else if (event == EVENT_TOUCH)
        touch(P);
    if (P->branch != BRANCH_GAP && event != EVENT_TOUCH)
        choose_clock(P);
    return false;
}

static carom_contact_mode mode_of(const force_point *P)
{
    return P->branch == BRANCH_STICK ? CAROM_CONTACT_MODE_STICK
           : P->branch == BRANCH_GAP ? CAROM_CONTACT_MODE_GAP
                                     : CAROM_CONTACT_MODE_SLIP;
}

static void end(force_point *P)
{
    carom_contact_force *f = &P->report.out->force;
    const bool flew = P->branch == BRANCH_GAP;
    const double separation = f->duration;
    if (P->tangent.c > 0) {
        double s2 = square(P->s[0][0]) + square(P->s[1][0]);
        f->residual_tangential = 0.5 * P->tangent.k * s2 * P->report.units.energy;
    }
    if (!flew)
        note_vibration(P);
    force_report_end(&P->report);
    if (flew)
        f->duration = separation;
}

/* Modes that move already may hold the bodies apart at first, although these approach. */
static void begin_contact(force_point *P)
{
    force_point_velocity(P);
    P->report.out->force.vibration_before = vibration_energy(P) * P->report.units.energy;
    if (P->core.v[2][0] < 0) {
        force_point_start(P);
        return;
    }
    P->report.out->force.contacts = 0;
    fly(P);
}

carom_status force_point_walk(force_point *P)
{
    begin_contact(P);
    for (int step = 0; step < FORCE_STEPS; step++) {
        force_point_expand(P);
        force_point_choose_slip(P);
        force_point_ease_slip(P);
        if (P->branch == BRANCH_GAP && !may_touch_again(P))
            break;
        P->peak = fmax(P->peak, P->core.F[2][0]);
        if (force_point_tail(P)) {
            if (!P->vibration.recontact)
                break;
            fly(P);
            continue;
        }
        double h = force_point_reach(P);
        point_event event = next_event(P, &h);
        force_report_peak(&P->report, P->core.F[2], h);
        force_report_piece(&P->report, mode_of(P), h);
        force_point_move(P, h);
        P->events += event != EVENT_NONE;
        if (handle(P, event, h))
            break;
        if (P->core.time[0] > P->time_most || P->events > FORCE_EVENTS || step + 1 == FORCE_STEPS) {
            end(P);
            return P->core.time[0] > P->time_most ? CAROM_STATUS_ENDLESS
                   : P->events > FORCE_EVENTS     ? CAROM_STATUS_EVENT_LIMIT
                                                  : CAROM_STATUS_STEP_LIMIT;
        }
    }
    end(P);
    return CAROM_STATUS_OK;
}

/* ---- units ---- */

/* Lengths of the springs and their energies at h, for a trace. */
static void springs(const void *law, double h, double stretch[2], double stored[3])
{
    const force_point *P = law;
    const double x = series_at(P->core.x, h), m = P->normal.exponent, k_t = P->tangent.k;
    for (int i = 0; i < 2; i++) {
        bool held = P->branch == BRANCH_STICK || P->branch == BRANCH_DAMPED || P->branch == BRANCH_EASED;
        stretch[i] = held ? series_at(P->s[i], h) : -series_at(P->core.F[i], h) / k_t;
        stored[i] = 0.5 * k_t * square(stretch[i]);
    }
    if (P->normal.yield > 0)
        stored[2] = force_yield_stored(P, x);
    else if (P->normal.kind == FORCE_POWER)
        stored[2] = carom_pow(fmax(x, 0), m + 1) / (m + 1);
    else
        stored[2] = 0.5 * P->slope * square(x - series_at(P->dent, h));
}

/* The elements, and the problem, in the units in which the normal one has stiffness one. */
static carom_problem scale_all(const carom_problem *problem, force_normal *n, force_tangent *t, force_units *units)
{
    const double V = -problem->u.n, K = problem->K.nn, m = n->kind == FORCE_POWER ? n->exponent : 1;
    const double length = m == 1 ? V / sqrt(n->k * K) : carom_pow(V * V / (n->k * K), 1 / (m + 1));
    const carom_problem scaled = force_scale(problem, length, units);
    n->c *= K * units->time;
    n->a *= V;
    n->flow /= K * units->time;
    n->yield /= length;
    t->k *= K * units->time * units->time;
    t->c *= K * units->time;
    return scaled;
}

static void begin(force_point *P, const carom_problem *scaled)
{
    const force_normal *n = &P->normal;
    const double slow = n->kind == FORCE_BILINEAR && n->e > 0 ? 1 / n->e : 0;
    force_core_begin(&P->core, scaled, P->report.units.planar);
    P->slope = P->gain = 1;
    P->speed = fmax(1, carom_cvec_slip(scaled->u));
    P->time_most = TIME_MOST * (1 + n->a + slow);
    P->report.core = &P->core;
    P->report.law = P;
    P->report.springs = springs;
}

void force_point_begin(force_point *P, const carom_problem *problem, const force_normal *normal,
                       const force_tangent *tangent)
{
    P->normal = *normal;
    P->tangent = *tangent;
    const carom_problem scaled = scale_all(problem, &P->normal, &P->tangent, &P->report.units);
    begin(P, &scaled);
}

carom_status force_nothing(const carom_problem *problem, const carom_tracer *tracer, carom_outcome *out)
{
    force_report report;
    (void)tracer;
    force_report_begin(&report, problem, NULL, out);
    out->phases.phases = 0;
    out->force.contacts = 0;
    return CAROM_STATUS_OK;
}

#define GRAZING_SPEED 1e-9 /* |u_n| over |u_t|: the limit u_n -> 0 where friction jams */

/* Grazing: only where friction drives the contact into compression anything happens. */
bool force_grazing(const carom_problem *problem, double mu, carom_problem *nudged)
{
    const double speed = carom_cvec_slip(problem->u);
    const double pull = (problem->K.t1n * problem->u.t1 + problem->K.t2n * problem->u.t2) / speed;
    *nudged = *problem;
    nudged->u.n = -GRAZING_SPEED * speed;
    return mu * pull > problem->K.nn;
}

/* The point as series: everything that is coupled or not linear. */
static carom_status solve_as_series(const carom_problem *scaled, const force_normal *normal,
                                    const force_tangent *tangent, const force_report *report)
{
    force_point P;
    memset(&P, 0, sizeof P);
    P.report = *report;
    P.normal = *normal;
    P.tangent = *tangent;
    begin(&P, scaled);
    return force_point_walk(&P);
}

carom_status force_point_solve(const carom_problem *problem, const force_normal *normal, const force_tangent *tangent,
                               const carom_tracer *tracer, carom_outcome *out)
{
    force_report report = {0};
    force_normal n = *normal;
    force_tangent t = *tangent;
    carom_problem nudged;
    if (problem->u.n == 0) {
        if (!force_grazing(problem, tangent->mu, &nudged))
            return force_nothing(problem, tracer, out);
        problem = &nudged;
    }
    force_report_begin(&report, problem, tracer, out);
    const carom_problem scaled = scale_all(problem, &n, &t, &report.units);
    return force_is_uncoupled(&scaled, &report.units, &n, &t) ? force_uncoupled_walk(&scaled, &n, &t, &report)
                                                              : solve_as_series(&scaled, &n, &t, &report);
}
