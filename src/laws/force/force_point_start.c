/* The two ends of a contact, where equations are singular: first touch with m > 1, and the last moments of a slip that
 * turns. Both are short enough for closed forms whose error is below rounding of the whole. */
#include "carom/elementary.h"
#include "core/psd.h"
#include "laws/force/force_point.h"

#define FIRST_CHANGE 1e-10 /* relative change of x' in the first stretch; its square is the error */
#define FIRST_TIME   1e-6  /* of the fastest mode, where bodies vibrate */
#define TAIL_FORCE   5e-6  /* F_n over its peak (m = 1) */
#define LAST_IMPULSE 1e-17 /* relative impulse that is left when a contact fades out */
#define LAST_DEPTH   1e-7  /* and compression, in units of length: its square is the error of the duration */
#define LAST_DAMPING 1e-9  /* 1 + a x' that counts as zero */
#define TAIL_TIME    1e-5  /* of the fastest mode, where bodies vibrate; its cube is the error */
#define TAIL_IMPULSE 1e-7  /* impulse still to come (m > 1); its square is the error */

/* Weights and nodes of Gauss-Legendre on (0, 1). */
enum { NODES = 8 };
static const double node[NODES] = {0.01985507175123188, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                   0.5917173212478249,  0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
static const double weight[NODES] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894364,
                                     0.18134189168918100, 0.18134189168918100, 0.15685332293894364,
                                     0.11119051722668724, 0.05061426814518813};

static double slip_speed(const force_point *P)
{
    return carom_hypot(P->core.v[0][0], P->core.v[1][0]);
}

/* d, or in the plane its sign, along v_t. */
static void aim(force_point *P, double speed)
{
    const force_core *c = &P->core;
    const bool damped = P->tangent.c > 0; /* F_st opposes v_t, d is along it */
    P->side = (c->v[0][0] < 0) != damped ? -1 : 1;
    P->d[0][0] = speed > 0 ? c->v[0][0] / speed : 1;
    P->d[1][0] = speed > 0 ? c->v[1][0] / speed : 0;
}

static void begin_branch(force_point *P, force_branch branch)
{
    P->branch = branch;
    force_report_mode(&P->report, branch == BRANCH_STICK ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP);
}

static force_branch slip_branch(const force_point *P)
{
    return !(P->tangent.mu > 0) ? BRANCH_FREE : P->tangent.c > 0 ? BRANCH_DAMPED : BRANCH_DRY;
}

/* Linear force at first: does the point slip? */
static bool slips_at_once(const force_point *P, double speed, double x_rate)
{
    const double mu = P->tangent.mu, f = P->normal.c * x_rate, rise = 1 + P->normal.a * x_rate;
    if (!(mu > 0))
        return true;
    if (P->tangent.c > 0)
        return P->tangent.c * speed > mu * f;
    return f > 0 ? false : P->tangent.k * speed > mu * rise * x_rate;
}

static void start_linear(force_point *P, double speed, double x_rate)
{
    bool slips = slips_at_once(P, speed, x_rate), rises = !(P->normal.c > 0);
    begin_branch(P, slips ? slip_branch(P) : BRANCH_STICK);
    P->clock = FORCE_CLOCK_TIME;
    P->end_zeros = rises ? 1 : 0;
    P->test_zeros = !slips && rises ? 2 : 0;
    P->singular = P->branch == BRANCH_DRY && !P->core.planar && rises;
}

/* Slip that may turn starts along v_t. */
static void follow(force_point *P)
{
    if (P->branch != BRANCH_DRY || P->core.planar)
        return;
    P->branch = BRANCH_LED;
    P->sweeps = 1;
}

/* sqrt(x) = 0 is a regular point of m = 3/2. */
static void start_hertz(force_point *P, double speed)
{
    bool sticks = P->tangent.mu > 0 && speed == 0;
    begin_branch(P, sticks ? BRANCH_STICK : slip_branch(P));
    follow(P);
    P->y[0] = 0;
    P->end_zeros = 1;
    P->test_zeros = sticks ? 6 : P->branch == BRANCH_DRY || P->branch == BRANCH_LED ? 1 : 0;
}

/* ---- first stretch of F_n = A x^m with constant velocities ---- */

typedef struct first_stretch {
    double x, m, A, x_rate, speed; /* x at its end; A = 1 + a x' */
    double x_stick;                /* slip ends there; not before x when it does not */
    double p_n, p_t, s, time;
} first_stretch;

static double depth_of_first(const force_point *P, double x_rate, double A)
{
    const double m = P->normal.exponent;
    const carom_csym *K = &P->core.K;
    double stiff = 1 + P->tangent.mu * carom_hypot(K->t1n, K->t2n), fastest = 0;
    for (int j = 0; j < P->vibration.count; j++) {
        stiff += P->vibration.modes[j].phi.n * P->vibration.modes[j].phi.n;
        fastest = fmax(fastest, P->vibration.modes[j].omega);
    }
    double x = carom_pow(FIRST_CHANGE * (m + 1) * x_rate * x_rate / (stiff * A), 1 / (m + 1));
    return fastest > 0 ? fmin(x, FIRST_TIME * x_rate / fmax(1, fastest)) : x;
}

/* Where slip ends: lambda = 0 (dry), or mu F_n = c_t |v_t| (damped). */
static double depth_of_stick(const force_point *P, const first_stretch *f)
{
    const double mu = P->tangent.mu, m = f->m;
    if (!(mu > 0))
        return INFINITY;
    if (P->tangent.c > 0)
        return carom_pow(P->tangent.c * f->speed / (mu * f->A), 1 / m);
    return carom_pow(P->tangent.k * f->speed / (mu * m * f->x_rate * f->A), 1 / (m - 1));
}

static void add_first_losses(force_point *P, const first_stretch *f)
{
    const double mu = P->tangent.mu, m = f->m, A = f->A, x = fmin(f->x, f->x_stick), c_t = P->tangent.c;
    force_core *c = &P->core;
    c->loss_normal[0] += A * carom_pow(f->x, m + 1) / (m + 1);
    double sliding = mu * A / f->x_rate * f->speed * carom_pow(x, m + 1) / (m + 1);
    if (c_t > 0) {
        double held = mu * A * mu * A * carom_pow(x, 2 * m + 1) / ((2 * m + 1) * f->x_rate * c_t);
        c->loss_friction[0] += sliding - held;
        c->loss_tangential[0] += held + c_t * f->speed * f->speed * (f->x - x) / f->x_rate;
    } else if (mu > 0)
        c->loss_friction[0] += sliding - 0.5 * square(mu * A * carom_pow(x, m)) / P->tangent.k;
}

/* Impulse, spring and time at the end of the stretch. */
static void cross_first(const force_point *P, first_stretch *f)
{
    const double mu = P->tangent.mu, k_t = P->tangent.k, c_t = P->tangent.c, m = f->m, w = f->x_rate;
    const double x = fmin(f->x, f->x_stick), rest = (f->x - x) / w;
    f->p_n = f->A * carom_pow(f->x, m + 1) / ((m + 1) * w);
    double p_slip = mu * f->A * carom_pow(x, m + 1) / ((m + 1) * w);
    double s_slip = !(mu > 0) ? 0 : c_t > 0 ? p_slip / c_t : mu * f->A * carom_pow(x, m) / k_t;
    f->s = s_slip + f->speed * rest;
    f->p_t = p_slip + k_t * (s_slip * rest + 0.5 * f->speed * rest * rest) + c_t * f->speed * rest;
    f->time = f->x / w;
}

/* Between two expansions the higher coefficients of a mode's rate are free: forces at rest, mean rates. */
enum { PULL = 1, MEAN = 2 };

static void set_pulls(force_point *P)
{
    for (int j = 0; j < P->vibration.count; j++)
        P->vibration.rate[j][PULL] =
            -square(P->vibration.modes[j].omega) * P->vibration.z[j][0] - force_point_drag(P, j, P->vibration.rate, 0);
}

static double kick_of(const carom_mode *m, const double p[2], double p_n)
{
    return m->phi.t1 * p[0] + m->phi.t2 * p[1] + m->phi.n * p_n;
}

static void lose_vibration(force_point *P, double t)
{
    for (int j = 0; j < P->vibration.count; j++)
        P->loss_vibration += t * P->vibration.rate[j][MEAN] * force_point_drag(P, j, P->vibration.rate, MEAN);
}

static void move_modes(force_point *P, const first_stretch *f, const double p[2])
{
    set_pulls(P);
    for (int j = 0; j < P->vibration.count; j++) {
        double *z = P->vibration.z[j], *rate = P->vibration.rate[j], t = f->time;
        double kick = kick_of(&P->vibration.modes[j], p, f->p_n), pull = rate[PULL];
        rate[MEAN] = rate[0] + 0.5 * (kick + pull * t);
        z[0] += t * (rate[0] + kick / (f->m + 2) + 0.5 * pull * t);
        rate[0] += kick + pull * t;
    }
    lose_vibration(P, f->time);
}

static void start_power(force_point *P, double speed, double x_rate)
{
    force_core *c = &P->core;
    first_stretch f = {.m = P->normal.exponent, .A = 1 + P->normal.a * x_rate, .x_rate = x_rate, .speed = speed};
    f.x = depth_of_first(P, x_rate, f.A);
    f.x_stick = depth_of_stick(P, &f);
    bool sticks = f.x_stick < f.x;
    cross_first(P, &f);
    add_first_losses(P, &f);
    if (speed > 0 || !sticks)
        begin_branch(P, slip_branch(P));
    if (sticks)
        begin_branch(P, BRANCH_STICK);
    double d[2] = {P->d[0][0], P->d[1][0]}, p[2] = {-f.p_t * d[0], -f.p_t * d[1]};
    double out_before = -x_rate;
    c->p[0][0] += p[0];
    c->p[1][0] += p[1];
    c->p[2][0] += f.p_n;
    move_modes(P, &f, p);
    force_point_velocity(P);
    double change = (c->v[2][0] - out_before) / x_rate;
    c->time[0] += f.time * (1 + change / (f.m + 2));
    c->x[0] = f.x;
    P->y[0] = sqrt(f.x);
    P->s[0][0] = f.s * d[0];
    P->s[1][0] = f.s * d[1];
    follow(P);
}

void force_point_start(force_point *P)
{
    force_point_velocity(P);
    double speed = slip_speed(P), x_rate = -P->core.v[2][0];
    P->core.x[0] = 0;
    P->s[0][0] = P->s[1][0] = 0;
    P->end_zeros = P->test_zeros = P->turn_zeros = 0;
    P->singular = false;
    aim(P, speed);
    if (!(P->normal.kind == FORCE_POWER && P->normal.exponent > 1)) {
        start_linear(P, speed, x_rate);
        return;
    }
    P->clock = FORCE_CLOCK_ROOT;
    if (P->normal.exponent == 1.5)
        start_hertz(P, speed);
    else
        start_power(P, speed, x_rate);
}

/* ---- the last stretch ---- */

typedef struct last_stretch {
    double f, v_n, speed; /* at its beginning */
    double fall, bend;    /* -F_n' and F_n'' (m = 1) */
    double m, x, A;       /* m > 1 */
    double p_n, time;
    double cos_mean, sin_mean; /* of the angle from v_t to d, weighted with F_n */
} last_stretch;

/* How much of tan(delta / 2) is left when F_n (m = 1) or x has fallen to z times its value. */
static double angle_left(const force_point *P, const last_stretch *l, double z)
{
    const double rate = P->tangent.k * l->speed / P->tangent.mu;
    if (l->m > 1) {
        double grown = carom_pow(l->x * z, 1 - l->m) - carom_pow(l->x, 1 - l->m);
        return carom_exp(-rate * grown / ((l->m - 1) * l->v_n * l->A));
    }
    return carom_pow(z, rate / l->fall);
}

static void mean_direction(const force_point *P, last_stretch *l, double tangent)
{
    double sum = 0, c = 0, s = 0;
    for (int i = 0; i < NODES; i++) {
        double z = node[i] * node[i], w = weight[i] * node[i] * carom_pow(z, l->m);
        double t = tangent * angle_left(P, l, z), per = 1 / (1 + t * t);
        sum += w;
        c += w * (1 - t * t) * per;
        s += w * 2 * t * per;
    }
    l->cos_mean = c / sum;
    l->sin_mean = s / sum;
}

/* F_n falls to zero like a line, bent a little. */
static bool end_of_line(const force_point *P, last_stretch *l)
{
    const double *f = P->core.F[2];
    if (!(f[0] < TAIL_FORCE * P->peak && f[1] < 0))
        return false;
    l->m = 1;
    l->f = f[0];
    l->fall = -f[1] / f[0]; /* dF/dtau = F F' */
    l->bend = (2 * (f[2] + P->map.alpha * f[1]) / f[0] - l->fall * l->fall) / f[0];
    double part = l->bend * l->f / (l->fall * l->fall);
    l->time = l->f / l->fall * (1 + part / 2);
    l->p_n = l->f * l->f / (2 * l->fall) * (1 + part / 3);
    return true;
}

/* F_n falls like x^m. */
static bool end_of_power(const force_point *P, last_stretch *l)
{
    const force_core *c = &P->core;
    l->v_n = c->v[2][0];
    l->m = P->normal.exponent;
    l->f = c->F[2][0];
    l->x = square(P->y[0]);
    if (!(l->v_n > 0 && l->f * l->x < TAIL_IMPULSE * (l->m + 1) * l->v_n * l->v_n))
        return false;
    l->A = P->gain * (1 - P->normal.a * l->v_n);
    const carom_csym *K = &c->K;
    double push = K->t1n * c->F[0][0] + K->t2n * c->F[1][0] + c->F[2][0];
    double faster = push * l->x / ((l->m + 1) * l->v_n * l->v_n);
    l->time = l->x / l->v_n * (1 - faster * (l->m + 1) / (l->m + 2));
    l->p_n = l->f * l->x / ((l->m + 1) * l->v_n);
    return true;
}

/* The modes at the end of the stretch, to the second order of its time. */
static void finish_modes(force_point *P, const double p[3], double t)
{
    set_pulls(P);
    for (int j = 0; j < P->vibration.count; j++) {
        const carom_mode *m = &P->vibration.modes[j];
        double *z = P->vibration.z[j], *rate = P->vibration.rate[j], w = m->omega, pull = rate[PULL];
        double kick = kick_of(m, p, p[2]), bend = w * w * rate[0] + force_point_drag(P, j, P->vibration.rate, PULL);
        rate[MEAN] = rate[0] + 0.5 * (kick + pull * t);
        z[0] += t * (rate[0] + 0.5 * pull * t);
        rate[0] += kick + pull * t - 0.5 * t * t * bend;
    }
    lose_vibration(P, t);
}

static void finish(force_point *P, const last_stretch *l, tvec along)
{
    force_core *c = &P->core;
    const double mu = P->tangent.mu;
    double t1 = along.t1 * l->cos_mean - along.t2 * l->sin_mean, t2 = along.t2 * l->cos_mean + along.t1 * l->sin_mean;
    const double p[3] = {-mu * l->p_n * t1, -mu * l->p_n * t2, l->p_n};
    for (int i = 0; i < 3; i++)
        c->p[i][0] += p[i];
    c->loss_normal[0] -= c->v[2][0] * l->p_n;
    c->loss_friction[0] += mu * l->p_n * l->speed * l->cos_mean + 0.5 * square(mu * l->f) / P->tangent.k;
    c->time[0] += l->time;
    c->x[0] -= c->v[2][0] * l->time;
    for (int i = 0; i < 3; i++)
        c->F[i][0] = 0;
    finish_modes(P, p, l->time);
}

/* The modes are moved on to the second order of the time that is left. */
static double vibration_time(const force_point *P)
{
    double fastest = P->vibration.count > 0 ? 1 : 0;
    for (int j = 0; j < P->vibration.count; j++)
        fastest = fmax(fastest, P->vibration.modes[j].omega);
    return fastest > 0 ? TAIL_TIME / fastest : INFINITY;
}

/* x^m about a small x has a small radius of convergence: what is left when nothing more happens. */
static bool fades_out(force_point *P)
{
    force_core *c = &P->core;
    const double x = square(P->y[0]), v_n = c->v[2][0];
    if (P->clock != FORCE_CLOCK_ROOT || !(v_n > 0 && c->F[2][0] * x < LAST_IMPULSE * v_n * v_n && x < LAST_DEPTH))
        return false;
    c->time[0] += x / v_n;
    c->x[0] = P->dent[0];
    for (int i = 0; i < 3; i++) {
        c->p[i][0] += c->F[i][0] * x / (v_n * (P->normal.exponent + 1));
        c->F[i][0] = 0;
    }
    return true;
}

/* A body that vibrates may leave faster than 1/a: then F_n ends at 1 + a x' = 0. */
static bool lets_go(const force_point *P)
{
    return P->vibration.count > 0 && P->normal.a > 0 && P->branch != BRANCH_GAP && P->damp[0] < LAST_DAMPING;
}

bool force_point_tail(force_point *P)
{
    const force_core *c = &P->core;
    last_stretch l = {.speed = slip_speed(P)};
    if (fades_out(P) || lets_go(P))
        return true;
    if (P->branch != BRANCH_DRY || c->planar || P->clock == FORCE_CLOCK_TIME)
        return false;
    if (!(P->clock == FORCE_CLOCK_ROOT ? end_of_power(P, &l) : end_of_line(P, &l)) || l.time > vibration_time(P))
        return false;
    tvec along = {P->d[0][0], P->d[1][0]};
    double tangent = 0;
    if (l.speed > 0) {
        along = (tvec){c->v[0][0] / l.speed, c->v[1][0] / l.speed};
        double sin = along.t1 * P->d[1][0] - along.t2 * P->d[0][0],
               cos = tvec_dot(along, (tvec){P->d[0][0], P->d[1][0]});
        tangent = sin / (1 + fmax(cos, -1 + EPS));
    }
    mean_direction(P, &l, tangent);
    finish(P, &l, along);
    return true;
}
