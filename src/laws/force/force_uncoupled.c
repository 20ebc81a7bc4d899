/* The walk of a contact without coupling on linear elements: see force_uncoupled.h. */
#include "laws/force/force_uncoupled.h"

#include "carom/convert.h"
#include "carom/elementary.h"
#include "laws/force/force_signal.h"

#define K_LEAST   0.5  /* K_tt over K_nn: below it p_t would be the quotient of two small numbers */
#define APART     0.1  /* of its terms: the least determinant of (5), where rates of both motions meet */
#define SAME_TIME 1e-7 /* of a half: a slip so near the end adds less than rounding */
#define HALF_PI   1.5707963267948966

typedef struct uncoupled {
    force_report *report;
    force_normal normal;
    force_tangent tangent;
    double K_tt, u_t;
    double slope, rest;
    bool sticks;
    double d;                  /* direction of slip */
    double alpha, beta, gamma; /* (5) */
    int zeros;                 /* of the test (6), on the side of d */
    bool from_rest;            /* it sticks from F = 0: both sides have a zero */
    double z, z_rate, s, v;    /* the path */
    double p_t, time, loss_normal, loss_friction, loss_tangential;
    int events;
} uncoupled;

bool force_is_uncoupled(const carom_problem *scaled, const force_units *units, const force_normal *n,
                        const force_tangent *t)
{
    const bool linear = n->flow == 0 && (n->kind != FORCE_POWER || (n->exponent == 1 && n->a == 0));
    const double k2 = t->k * t->k, c2 = t->c * t->c, determinant = k2 - t->k * t->c * n->c + c2;
    return linear && units->planar && scaled->K.t1n == 0 && scaled->K.t11 >= K_LEAST && determinant > APART * (k2 + c2);
}

/* ---- forces ---- */

static oscillator normal_motion(const uncoupled *U)
{
    return (oscillator){0.5 * U->normal.c, U->slope};
}

static oscillator tangential_motion(const uncoupled *U)
{
    return (oscillator){0.5 * U->tangent.c * U->K_tt, U->tangent.k * U->K_tt};
}

static double normal_force(const uncoupled *U)
{
    return U->slope * U->z + U->normal.c * U->z_rate;
}

static double normal_force_rate(const uncoupled *U)
{
    return U->slope * U->z_rate - U->normal.c * normal_force(U);
}

static double stuck_force(const uncoupled *U)
{
    return -(U->tangent.k * U->s + U->tangent.c * U->v);
}

static double tangential_force(const uncoupled *U)
{
    return U->sticks ? stuck_force(U) : U->tangent.mu > 0 ? -U->tangent.mu * U->d * normal_force(U) : 0;
}

static double relaxation(const uncoupled *U)
{
    return U->tangent.c > 0 ? U->tangent.k / U->tangent.c : 0;
}

/* ---- stick and slip ---- */

/* (5); without dashpot gamma = 0 and s = mu d F_n / k_t. */
static void begin_slip(uncoupled *U, double d, int zeros)
{
    const double k = U->tangent.k, c = U->tangent.c, b = U->slope, c_n = U->normal.c;
    const double scale = U->tangent.mu * d / (k * k - k * c * c_n + c * c * b);
    U->sticks = false;
    U->d = d;
    U->alpha = scale * b * k;
    U->beta = scale * (k * c_n - c * b);
    U->gamma = c > 0 ? U->s - U->alpha * U->z - U->beta * U->z_rate : 0;
    U->zeros = zeros;
    if (!(U->tangent.mu > 0))
        U->alpha = U->beta = U->gamma = 0;
}

static void begin_stick(uncoupled *U, int zeros)
{
    U->sticks = true;
    U->zeros = zeros;
    U->from_rest = false;
}

/* (6): F_n -+ F_t/mu in stick, |w| in slip. */
static signal test_of(const uncoupled *U)
{
    const double mu = U->tangent.mu, F_n = normal_force(U), F_n_rate = normal_force_rate(U);
    const oscillator N = normal_motion(U);
    if (U->sticks) {
        const double F_t = stuck_force(U), F_t_rate = -(U->tangent.k * U->v + U->tangent.c * U->K_tt * F_t);
        signal s = {0, {{N, F_n, F_n_rate}, {tangential_motion(U), F_t / mu, F_t_rate / mu}}, 2, {0, 0}};
        s.zeros[U->d > 0 ? 0 : 1] = U->zeros;
        s.zeros[U->d > 0 ? 1 : 0] = U->from_rest ? U->zeros : 0;
        return s;
    }
    const double d = U->d, by_rate = mu * U->K_tt - d * U->alpha, by_force = d * U->beta, r = relaxation(U);
    const wave follows = {N, by_rate * U->z_rate + by_force * F_n, by_force * F_n_rate - by_rate * F_n};
    const wave fades = {{r, r * r}, d * r * U->gamma, -r * d * r * U->gamma};
    return (signal){d * U->v - mu * U->K_tt * U->z_rate, {follows, fades}, 1, {U->zeros, 0}};
}

/* ---- one piece ---- */

enum { NODES = 8 };
static const double node[NODES] = {0.01985507175123188, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                   0.5917173212478249,  0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
static const double weight[NODES] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894364,
                                     0.18134189168918100, 0.18134189168918100, 0.15685332293894364,
                                     0.11119051722668724, 0.05061426814518813};
#define NODE_RADIAN 0.8 /* of the wave per eight nodes: 1.6^16 (8!)^4 / 17 (16!)^3 = 3e-20 */
enum { NODE_PARTS = 4096 };

/* The integral of the square of a wave. */
static double square_integral(wave w, double h)
{
    const double wanted = ceil(h * oscillator_rate(w.by) / NODE_RADIAN), parts = clamp(wanted, 1, NODE_PARTS);
    double sum = 0;
    for (int i = 0; i < (int)parts; i++)
        for (int j = 0; j < NODES; j++)
            sum += weight[j] * square(wave_at(w, h * (i + node[j]) / parts).y);
    return sum * h / parts;
}

/* c_t times the integral of s'^2, s' = r - (k_t/c_t) gamma e^(-t k_t/c_t), r = alpha z' + beta z''. */
static double dashpot_loss(const uncoupled *U, double h)
{
    const double k = U->tangent.k, rate = relaxation(U), F_n = normal_force(U), F_rate = normal_force_rate(U);
    const wave r = {normal_motion(U), U->alpha * U->z_rate - U->beta * F_n, -U->alpha * F_n - U->beta * F_rate};
    const wave end = wave_at(r, h);
    const double a2 = 2 * r.by.a, left = carom_exp(-rate * h);
    const double cross =
        (r.v + (rate + a2) * r.y - left * (end.v + (rate + a2) * end.y)) / (rate * rate + a2 * rate + r.by.b);
    return U->tangent.c * square_integral(r, h) - 2 * k * U->gamma * cross +
           0.5 * k * U->gamma * U->gamma * -carom_expm1(-2 * rate * h);
}

static void move_stuck(uncoupled *U, double h)
{
    const wave w = wave_at((wave){tangential_motion(U), U->s, U->v}, h);
    const double gained = 0.5 * (w.v - U->v) * (w.v + U->v) / U->K_tt;
    if (U->tangent.c > 0)
        U->loss_tangential -= gained + 0.5 * U->tangent.k * (w.y - U->s) * (w.y + U->s);
    U->p_t += (w.v - U->v) / U->K_tt;
    U->s = w.y;
    U->v = w.v;
}

/* z and z' are those at the end, the loss is of the piece before. */
static void move_slipping(uncoupled *U, double h, double dp_n, double dashpot)
{
    const double dp_t = -U->tangent.mu * U->d * dp_n, s = U->s, v = U->v, rate = relaxation(U);
    U->gamma *= rate > 0 ? carom_exp(-rate * h) : 0;
    U->s = U->alpha * U->z + U->beta * U->z_rate + U->gamma;
    U->p_t += dp_t;
    U->v = U->u_t + U->K_tt * U->p_t;
    U->loss_tangential += dashpot;
    U->loss_friction -= 0.5 * dp_t * (v + U->v) + dashpot + 0.5 * U->tangent.k * (U->s - s) * (U->s + s); /* (7) */
}

static void move(uncoupled *U, double h)
{
    const bool slips = !U->sticks && U->tangent.mu > 0;
    const double before = U->z_rate, dashpot = slips && U->tangent.c > 0 ? dashpot_loss(U, h) : 0;
    const wave z = wave_at((wave){normal_motion(U), U->z, U->z_rate}, h);
    U->z = z.y;
    U->z_rate = z.v;
    U->time += h;
    U->loss_normal += 0.5 * (before - z.v) * (before + z.v);
    if (U->sticks)
        move_stuck(U, h);
    else if (slips)
        move_slipping(U, h, before - z.v, dashpot);
}

static force_sample sample(const void *law, double h)
{
    uncoupled U = *(const uncoupled *)law;
    if (h > 0)
        move(&U, h);
    return (force_sample){{U.p_t, 0, 1 - U.z_rate},
                          {tangential_force(&U), 0, normal_force(&U)},
                          U.z + U.rest,
                          U.time,
                          U.loss_normal,
                          U.loss_friction,
                          U.loss_tangential};
}

static void springs(const void *law, double h, double stretch[2], double stored[3])
{
    uncoupled U = *(const uncoupled *)law;
    move(&U, h);
    stretch[0] = U.s;
    stretch[1] = 0;
    stored[0] = 0.5 * U.tangent.k * U.s * U.s;
    stored[1] = 0;
    stored[2] = 0.5 * U.slope * U.z * U.z;
}

/* ---- events ---- */

static void report_mode(const uncoupled *U)
{
    force_report_mode(U->report, U->sticks ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP);
}

static void start(uncoupled *U)
{
    const double mu = U->tangent.mu, c_t = U->tangent.c, F_n = U->normal.c, speed = fabs(U->v);
    const double force = c_t > 0 ? c_t * speed : F_n > 0 ? 0 : U->tangent.k * speed;
    const double cone = c_t > 0 ? mu * F_n : F_n > 0 ? 0 : mu;
    U->d = U->v < 0 ? -1 : 1;
    if (!(mu > 0) || force > cone)
        begin_slip(U, U->d, 0);
    else {
        begin_stick(U, F_n > 0 ? 0 : 1);
        U->from_rest = true;
    }
    report_mode(U);
}

static void enter_slip(uncoupled *U, double d, int zeros)
{
    begin_slip(U, d, zeros);
    report_mode(U);
    force_report_event(U->report, CAROM_EVENT_STICK_TO_SLIP);
}

static void change(uncoupled *U, int side, double h)
{
    U->events++;
    if (U->sticks) {
        enter_slip(U, side == 0 ? 1 : -1, U->tangent.c > 0 ? 1 : 0);
        return;
    }
    begin_stick(U, U->tangent.c > 0 || !(h > 0) ? 1 : 2);
    report_mode(U);
    force_report_event(U->report, CAROM_EVENT_SLIP_TO_STICK);
}

/* One half, in which the normal motion is one wave. */
static carom_status walk_half(uncoupled *U, double length, bool last)
{
    while (length > 0) {
        double h = length;
        int side = 0;
        const signal test = test_of(U);
        const signal_event found = U->tangent.mu > 0 ? signal_falls(&test, length, &h, &side) : SIGNAL_STAYS;
        const bool changes = found == SIGNAL_FALLS && !(last && length - h < SAME_TIME * length);
        if (found == SIGNAL_TOO_LONG)
            return CAROM_STATUS_STEP_LIMIT;
        h = changes ? h : length;
        force_report_piece(U->report, U->sticks ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP, h);
        if (h > 0)
            move(U, h);
        U->zeros = 0;
        if (!changes)
            break;
        length -= h;
        change(U, side, h);
        if (U->events > FORCE_EVENTS)
            return CAROM_STATUS_EVENT_LIMIT;
    }
    return CAROM_STATUS_OK;
}

/* ---- compression ends ---- */

/* The normal force has dropped: what |F_t| is above the new cone is lost at once. */
static void cut_back(uncoupled *U, double F_t)
{
    const double cone = U->tangent.mu * normal_force(U), s = U->s;
    if (!(fabs(F_t) > cone))
        return;
    if (!(U->tangent.c > 0)) {
        U->s = copysign(cone / U->tangent.k, s);
        U->loss_friction += 0.5 * U->tangent.k * (s - U->s) * (s + U->s);
    }
    if (U->sticks && U->slope > 0)
        enter_slip(U, F_t < 0 ? 1 : -1, 0);
}

/* The second slope. */
static void unload(uncoupled *U)
{
    const double e = U->normal.e, top = U->z, F_t = tangential_force(U);
    U->slope = e > 0 ? U->normal.unload : 0;
    U->rest = e > 0 && !U->normal.drops ? (1 - e * e) * top : 0;
    U->z = top - U->rest;
    if (U->tangent.mu > 0 && (U->normal.drops || !(e > 0)))
        cut_back(U, F_t);
    if (!U->sticks && e > 0)
        begin_slip(U, U->d, 0);
}

/* The largest F_n: at first touch, inside, or where x' = 0. */
static double peak_force(const uncoupled *U)
{
    const double F = normal_force(U), rate = normal_force_rate(U), a = 0.5 * U->normal.c, w2 = 1 - a * a;
    if (!(rate > 0 && U->normal.c > 0))
        return U->normal.c > 0 ? F : 1;
    const double w = sqrt(w2), t = carom_atan2(w * rate, a * rate + F) / w;
    return wave_at((wave){normal_motion(U), F, rate}, t).y;
}

static carom_status both_halves(uncoupled *U)
{
    const bool bilinear = U->normal.kind == FORCE_BILINEAR;
    const double e = U->normal.e, half = 0.5 * carom_spring_dashpot_phase(0.5 * U->normal.c);
    carom_status status = walk_half(U, bilinear ? HALF_PI : half, false);
    if (status)
        return status;
    U->z_rate = 0;
    force_report_turn(U->report);
    if (bilinear)
        unload(U);
    if (bilinear && !(e > 0))
        return CAROM_STATUS_OK;
    return walk_half(U, !bilinear ? half : U->normal.drops ? HALF_PI / e : HALF_PI * e, true);
}

carom_status force_uncoupled_walk(const carom_problem *scaled, const force_normal *normal, const force_tangent *tangent,
                                  force_report *report)
{
    uncoupled U = {.report = report, .normal = *normal, .tangent = *tangent, .slope = 1, .z_rate = 1};
    U.K_tt = scaled->K.t11;
    U.u_t = U.v = scaled->u.t1;
    report->law = &U;
    report->sample = sample;
    report->springs = springs;
    start(&U);
    force_report_force(report, peak_force(&U));
    carom_status status = both_halves(&U);
    if (tangent->c > 0)
        report->out->force.residual_tangential = 0.5 * tangent->k * U.s * U.s * report->units.energy;
    force_report_end(report);
    return status;
}
