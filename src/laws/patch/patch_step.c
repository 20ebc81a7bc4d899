/* A step of the path by collocation at Radau's points, as long as its polynomials resolve the slopes. */
#include "laws/patch/patch_step.h"

enum { STEP_TRIES = 60, RIM_CORRECTIONS = 6 };
#define STEP_RESOLVED 2e-14        /* of the slopes: the last coefficients of their polynomials */
#define STEP_ROUNDING (0.25 * EPS) /* of the slips that the terms of the slopes would make */
#define STEP_SHRINK   0.5          /* a length that does not resolve them */
#define STEP_GROW     2.5          /* at most, from one step to the next */
#define RIM_NEAR      1e-9         /* of |v|^2: at the rim */
#define RIM_CHANGE    0.3          /* of the length: the most that a step to the rim is corrected by at once */
#define RIM_AHEAD     1.0 /* of the length: the rim beyond a step that is not resolved, which may be the reason */
#define STEP_FIRST    1.2 /* of the time in which the fastest slip would stop */

/* By tau: dp = Phi dtau; the products of Phi and g are smooth. */
void carom_patch_slopes(const carom_patch_contact *x, const double *U, bool per_impulse, patch_state *s)
{
    const double vv = U[0] * U[0] + U[1] * U[1], WW = U[2] * U[2], mu = x->mu;
    const patch_slope q = patch_slope_at(x->pressure, vv, WW);
    const double phi = patch_norm(&q, vv, WW), weight = (per_impulse ? 1 : phi) / q.L;
    const double g[PATCH_SLIPS] = {weight * q.alpha * U[0], weight * q.alpha * U[1], weight * q.beta * U[2]};
    s->p = per_impulse ? 1 : phi;
    s->u_n = x->K_nn * s->p;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        s->P[i] = -mu * g[i];
        s->U[i] = x->k[i] * s->p;
        for (int j = 0; j < PATCH_SLIPS; j++)
            s->U[i] -= mu * x->K[i][j] * g[j];
        s->u_n -= mu * x->k[i] * g[i];
    }
    s->friction = -mu * weight * q.alpha * vv;
    s->spin = -mu * weight * q.beta * WW;
}

void carom_patch_slopes_at_points(patch_trial *t)
{
    for (int i = 0; i < POINTS; i++) {
        const double here[PATCH_SLIPS] = {t->U[0][i], t->U[1][i], t->U[2][i]};
        patch_state s;
        carom_patch_slopes(t->x, here, false, &s);
        const double d[PATCH_NUMBERS] = {s.U[0], s.U[1], s.U[2], s.u_n,      s.P[0], s.P[1],
                                         s.P[2], s.p,    0,      s.friction, s.spin};
        for (int k = 0; k < PATCH_NUMBERS; k++)
            t->slopes.d[k][i] = t->per_x[i] * d[k];
    }
}

static double last_coefficients(const double *d)
{
    return max(fabs(radau_dot(radau_last[0], d)), fabs(radau_dot(radau_last[1], d)));
}

/* What the step leaves out of the slopes of the slips, of Phi and of powers, which go with Phi^2, as a share of their
 * terms, which may cancel; 1 is all that it may. The rounding of slopes that cancel adds up along the step to one of
 * the size of U, and so of Phi. */
static double unresolved(const patch_trial *t)
{
    const double *phi = t->slopes.d[AT_CLOCK], rounding = STEP_ROUNDING * t->length * t->rate;
    double clock = 0, left = 0, power[POINTS];
    for (int i = 0; i < POINTS; i++) {
        clock = max(clock, phi[i]);
        power[i] = phi[i] * phi[i];
    }
    for (int k = 0; k < PATCH_SLIPS; k++)
        left = max(left, last_coefficients(t->slopes.d[k]));
    return max(left / (t->rate * clock * STEP_RESOLVED),
               max(last_coefficients(phi) / clock, last_coefficients(power) / square(clock)) /
                   (STEP_RESOLVED + rounding));
}

/* Slips as they settled: the integral of slopes that cancel would carry their rounding over the whole step. */
static void integrate(patch_trial *t, patch_piece *piece)
{
    patch_slopes_at *s = &t->slopes;
    piece->start = *t->start;
    piece->length = t->length;
    for (int k = 0; k < PATCH_NUMBERS; k++) {
        for (int i = 0; k == AT_WORK && i < POINTS; i++)
            s->d[k][i] = s->d[AT_CLOCK][i] * (t->start->u_n + piece->gain[AT_U_N][i]);
        radau_sums(radau_integral, s->d[k], piece->gain[k]);
        for (int i = 0; i < POINTS; i++)
            piece->gain[k][i] = k < PATCH_SLIPS ? t->U[k][i] - t->start->U[k] : t->length * piece->gain[k][i];
    }
}

double carom_patch_rate(const carom_patch_contact *x)
{
    double trace = 0, pull = 0;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        trace += x->K[i][i];
        pull += fabs(x->k[i]);
    }
    return x->mu * trace + pull;
}

/* No friction is above 1. */
double carom_patch_most_slope(const carom_patch_contact *x, int slip)
{
    const double *K = x->K[slip];
    return fabs(x->k[slip]) + x->mu * (fabs(K[0]) + fabs(K[1]) + fabs(K[2]));
}

static double clock_at(const patch_trial *t, double x);

/* The slips on a straight line with the slopes of the start. */
static void guess(patch_trial *t)
{
    patch_state slope;
    carom_patch_slopes(t->x, t->start->U, false, &slope);
    t->size[0] = t->size[1] = max(length_of(t->start->U[0], t->start->U[1]), fabs(t->start->U[2]));
    t->size[2] = fabs(t->start->U[2]) + t->length * slope.p * carom_patch_most_slope(t->x, 2);
    for (int k = 0; k < PATCH_SLIPS; k++)
        for (int i = 0; i < POINTS; i++)
            t->U[k][i] = t->start->U[k] + t->length * clock_at(t, radau_x[i]) * slope.U[k];
}

/* ---- the rim ---- */

/* |v|^2 - W^2, as a share of the larger. */
static double beyond_rim(double v1, double v2, double W)
{
    const double vv = v1 * v1 + v2 * v2, WW = W * W;
    return (vv - WW) / max(vv, WW);
}

static void set_pace(patch_trial *t, patch_pace pace)
{
    t->pace = pace;
    for (int i = 0; i < POINTS; i++)
        t->per_x[i] = pace == PACE_EVEN ? 1 : 2 * (pace == PACE_FROM_RIM ? radau_x[i] : 1 - radau_x[i]);
}

/* tau at a share of the step, over its length. */
static double clock_at(const patch_trial *t, double x)
{
    return t->pace == PACE_EVEN ? x : t->pace == PACE_FROM_RIM ? x * x : x * (2 - x);
}

static bool starts_at_rim(const patch_trial *t)
{
    const double *U = t->start->U;
    return !patch_is_smooth(t->x->pressure) && fabs(beyond_rim(U[0], U[1], U[2])) <= RIM_NEAR;
}

/* The length to the rim: where the slips of the trial cross it, or soon will; else 0. */
static double length_to_rim(const patch_trial *t)
{
    const double *U = t->start->U;
    double before = beyond_rim(U[0], U[1], U[2]), from = 0, slope = 0;
    if (patch_is_smooth(t->x->pressure))
        return 0;
    for (int i = 0; i < POINTS; i++) {
        const double here = beyond_rim(t->U[0][i], t->U[1][i], t->U[2][i]), x = clock_at(t, radau_x[i]);
        if (here * before < 0 && from > 0)
            return t->length * (from + (x - from) * before / (before - here));
        slope = (here - before) / (x - from);
        before = here;
        from = x;
    }
    const double ahead = -before / slope;
    return ahead > 0 && ahead < RIM_AHEAD ? t->length * (1 + ahead) : 0;
}

/* A step to the rim that has settled: does it end there? If not, its length is corrected, by Newton. */
static bool ends_at_rim(patch_trial *t)
{
    const int last = POINTS - 1;
    const double U[PATCH_SLIPS] = {t->U[0][last], t->U[1][last], t->U[2][last]}, end = beyond_rim(U[0], U[1], U[2]);
    patch_state slope;
    if (t->pace != PACE_TO_RIM || fabs(end) <= RIM_NEAR)
        return true;
    carom_patch_slopes(t->x, U, false, &slope);
    const double speed = 2 * (U[0] * slope.U[0] + U[1] * slope.U[1] - U[2] * slope.U[2]) / max(square(U[2]), DBL_MIN),
                 change = end / (speed * t->length);
    t->length *= 1 - (fabs(change) < RIM_CHANGE ? change : change > 0 ? RIM_CHANGE : -RIM_CHANGE);
    return false;
}

/* ---- the step ---- */

/* What to try after a step that did not settle, or is not resolved: one that ends at the rim, or a shorter one. */
static void try_less(patch_trial *t)
{
    if (t->pace == PACE_TO_RIM)
        t->failed = STEP_SHRINK * t->length;
    const double rim = length_to_rim(t);
    const bool aims = rim > 0 && rim < t->failed;
    set_pace(t, aims ? PACE_TO_RIM : starts_at_rim(t) ? PACE_FROM_RIM : PACE_EVEN);
    t->length = aims ? rim : STEP_SHRINK * t->length;
}

bool carom_patch_piece_begin(patch_walk *w, patch_piece *piece)
{
    patch_trial t = {.x = w->x, .start = &w->at, .rate = carom_patch_rate(w->x), .failed = INFINITY};
    w->length = w->length > 0 ? w->length : STEP_FIRST / t.rate;
    t.length = min(w->length, w->most);
    int corrections = 0;
    set_pace(&t, starts_at_rim(&t) ? PACE_FROM_RIM : PACE_EVEN);
    for (int tries = 0; tries < STEP_TRIES; tries++) {
        if (corrections == 0)
            guess(&t);
        const bool settled = carom_patch_settle(&t);
        corrections = settled && !ends_at_rim(&t) ? corrections + 1 : 0;
        if (corrections > 0 && corrections <= RIM_CORRECTIONS)
            continue;
        const double left = settled && corrections == 0 ? unresolved(&t) : INFINITY;
        corrections = 0;
        if (left > 1) {
            try_less(&t);
            continue;
        }
        integrate(&t, piece);
        const double grown = t.length * (left < 1e-6 ? 5 : left < 1e-3 ? STEP_GROW : left < 0.1 ? 1.6 : 1.1);
        w->length = tries == 0 ? max(w->length, grown) : grown;
        return true;
    }
    return false;
}

static void add_gain(const patch_piece *piece, const double *gain, patch_state *state)
{
    const double *from = (const double *)&piece->start;
    double *to = (double *)state;
    for (int k = 0; k < PATCH_NUMBERS; k++)
        to[k] = from[k] + gain[k];
}

void carom_patch_piece_point(const patch_piece *piece, int i, patch_state *state)
{
    double gain[PATCH_NUMBERS];
    for (int k = 0; k < PATCH_NUMBERS; k++)
        gain[k] = piece->gain[k][i];
    add_gain(piece, gain, state);
}

void carom_patch_piece_at(const patch_piece *piece, double share, patch_state *state)
{
    radau_shares at;
    double gain[PATCH_NUMBERS] = {0};
    if (share >= 1) {
        carom_patch_piece_point(piece, POINTS - 1, state);
        return;
    }
    if (share > 0) {
        radau_shares_at(share, &at);
        for (int k = 0; k < PATCH_NUMBERS; k++)
            gain[k] = radau_dot(at.at, piece->gain[k]) / at.sum;
    }
    add_gain(piece, gain, state);
}
