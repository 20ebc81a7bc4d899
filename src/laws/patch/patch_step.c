/* A step of the path by collocation at Radau's points, as long as its polynomials resolve the slopes. */
#include "laws/patch/patch_step.h"

enum { STEP_TRIES = 60 };
#define STEP_RESOLVED 2e-14        /* of the slopes: the last coefficients of their polynomials */
#define STEP_ROUNDING (0.25 * EPS) /* of the slips that the terms of the slopes would make */
#define STEP_SHRINK   0.5          /* a length that does not resolve them */
#define STEP_GROW     2.5          /* at most, from one step to the next */
#define STEP_FIRST    1.2          /* of the time in which the fastest slip would stop */

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

enum { AT_U_N = 3, AT_P = 4, AT_CLOCK = 7, AT_WORK = 8, AT_FRICTION = 9, AT_SPIN = 10 };

void carom_patch_slopes_at_points(patch_trial *t)
{
    for (int i = 0; i < POINTS; i++) {
        const double here[PATCH_SLIPS] = {t->U[0][i], t->U[1][i], t->U[2][i]};
        patch_state s;
        carom_patch_slopes(t->x, here, false, &s);
        const double d[PATCH_NUMBERS] = {s.U[0], s.U[1], s.U[2], s.u_n,      s.P[0], s.P[1],
                                         s.P[2], s.p,    0,      s.friction, s.spin};
        for (int k = 0; k < PATCH_NUMBERS; k++)
            t->slopes.d[k][i] = d[k];
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

/* The rate of the fastest slip, an upper bound. */
static double rate_of(const carom_patch_contact *x)
{
    double trace = 0, pull = 0;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        trace += x->K[i][i];
        pull += fabs(x->k[i]);
    }
    return x->mu * trace + pull;
}

/* A bound of the slope of a slip by p: no friction is above 1. */
static double most_slope(const carom_patch_contact *x, int slip)
{
    const double *K = x->K[slip];
    return fabs(x->k[slip]) + x->mu * (fabs(K[0]) + fabs(K[1]) + fabs(K[2]));
}

/* The slips on a straight line with the slopes of the start. */
static void guess(patch_trial *t)
{
    patch_state slope;
    carom_patch_slopes(t->x, t->start->U, false, &slope);
    t->size[0] = t->size[1] = max(length_of(t->start->U[0], t->start->U[1]), fabs(t->start->U[2]));
    t->size[2] = fabs(t->start->U[2]) + t->length * slope.p * most_slope(t->x, 2);
    for (int k = 0; k < PATCH_SLIPS; k++)
        for (int i = 0; i < POINTS; i++)
            t->U[k][i] = t->start->U[k] + t->length * radau_x[i] * slope.U[k];
}

bool carom_patch_piece_begin(patch_walk *w, patch_piece *piece)
{
    patch_trial t = {.x = w->x, .start = &w->at, .rate = rate_of(w->x)};
    w->length = w->length > 0 ? w->length : STEP_FIRST / t.rate;
    t.length = min(w->length, w->most);
    for (int tries = 0; tries < STEP_TRIES; tries++, t.length *= STEP_SHRINK) {
        guess(&t);
        if (!carom_patch_settle(&t))
            continue;
        const double left = unresolved(&t);
        if (left > 1)
            continue;
        integrate(&t, piece);
        const double grown = t.length * (left < 1e-4 ? STEP_GROW : left < 0.1 ? 1.5 : 1);
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
