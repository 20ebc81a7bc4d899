/* A step of the path by collocation: U = U_0 + length * integral of its slopes at Radau's points, by iteration. */
#include "laws/patch/patch_path.h"

enum { STEP_ROUNDS = 60, STEP_TRIES = 60 };
#define STEP_SETTLED  (0.5 * EPS) /* of the slips: a round changes no more */
#define STEP_NOISE    (64 * EPS)  /* of the slips: the rounding of their slopes */
#define STEP_RESOLVED 2e-14       /* of the slopes: the last coefficients of their polynomials */
#define STEP_SHRINK   0.5         /* a length that does not resolve them */
#define STEP_GROW     2.5         /* at most, from one step to the next */
#define STEP_FIRST    1.2         /* of the time in which the fastest slip would stop */

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

/* The slopes of all numbers at all points, but for the work. */
typedef struct patch_slopes_at {
    double d[PATCH_NUMBERS][POINTS];
} patch_slopes_at;

enum { AT_U_N = 3, AT_P = 4, AT_CLOCK = 7, AT_WORK = 8, AT_FRICTION = 9, AT_SPIN = 10 };

static void slopes_at_points(const carom_patch_contact *x, double U[PATCH_SLIPS][POINTS], patch_slopes_at *out)
{
    for (int i = 0; i < POINTS; i++) {
        const double here[PATCH_SLIPS] = {U[0][i], U[1][i], U[2][i]};
        patch_state s;
        carom_patch_slopes(x, here, false, &s);
        const double d[PATCH_NUMBERS] = {s.U[0], s.U[1], s.U[2], s.u_n,      s.P[0], s.P[1],
                                         s.P[2], s.p,    0,      s.friction, s.spin};
        for (int k = 0; k < PATCH_NUMBERS; k++)
            out->d[k][i] = d[k];
    }
}

/* The slips at the points of a step of this length; false when the iteration does not settle. */
static bool settle(const carom_patch_contact *x, const patch_state *start, double length, double scale,
                   double U[PATCH_SLIPS][POINTS], patch_slopes_at *s)
{
    double last = INFINITY;
    for (int round = 0; round < STEP_ROUNDS; round++) {
        double change = 0;
        slopes_at_points(x, U, s);
        for (int k = 0; k < PATCH_SLIPS; k++) {
            double sum[POINTS];
            radau_sums(radau_integral, s->d[k], sum);
            for (int i = 0; i < POINTS; i++) {
                const double next = start->U[k] + length * sum[i];
                change = max(change, fabs(next - U[k][i]));
                U[k][i] = next;
            }
        }
        if (!(change < INFINITY))
            return false;
        if (change <= STEP_SETTLED * scale || (change <= STEP_NOISE * scale && change >= 0.5 * last))
            return slopes_at_points(x, U, s), true;
        if (round > 8 && change > 2 * last)
            return false;
        last = change;
    }
    return false;
}

static double last_coefficients(const double *d)
{
    return max(fabs(radau_dot(radau_last[0], d)), fabs(radau_dot(radau_last[1], d)));
}

/* What the step leaves out of the slopes of the slips and of Phi, as a share of their terms, which may cancel. */
static double unresolved(const patch_slopes_at *s, double rate)
{
    double clock = 0, left = 0;
    for (int i = 0; i < POINTS; i++)
        clock = max(clock, s->d[AT_CLOCK][i]);
    for (int k = 0; k < PATCH_SLIPS; k++)
        left = max(left, last_coefficients(s->d[k]));
    return max(left / (rate * clock), last_coefficients(s->d[AT_CLOCK]) / clock);
}

static void integrate(const patch_walk *w, patch_slopes_at *s, double length, patch_piece *piece)
{
    for (int k = 0; k < PATCH_NUMBERS; k++) {
        if (k == AT_WORK)
            continue;
        radau_sums(radau_integral, s->d[k], piece->gain[k]);
        for (int i = 0; i < POINTS; i++)
            piece->gain[k][i] *= length;
    }
    for (int i = 0; i < POINTS; i++)
        s->d[AT_WORK][i] = s->d[AT_CLOCK][i] * (w->at.u_n + piece->gain[AT_U_N][i]);
    radau_sums(radau_integral, s->d[AT_WORK], piece->gain[AT_WORK]);
    for (int i = 0; i < POINTS; i++)
        piece->gain[AT_WORK][i] *= length;
    piece->start = w->at;
    piece->length = length;
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

bool carom_patch_piece_begin(patch_walk *w, patch_piece *piece)
{
    const carom_patch_contact *x = w->x;
    const double rate = rate_of(x);
    double U[PATCH_SLIPS][POINTS], size = 0;
    patch_slopes_at s;
    patch_state slope;
    w->length = w->length > 0 ? w->length : STEP_FIRST / rate;
    double length = min(w->length, w->most);
    carom_patch_slopes(x, w->at.U, false, &slope);
    for (int k = 0; k < PATCH_SLIPS; k++)
        size = max(size, fabs(w->at.U[k]));
    for (int tries = 0; tries < STEP_TRIES; tries++, length *= STEP_SHRINK) {
        for (int k = 0; k < PATCH_SLIPS; k++)
            for (int i = 0; i < POINTS; i++)
                U[k][i] = w->at.U[k] + length * radau_x[i] * slope.U[k];
        if (!settle(x, &w->at, length, size, U, &s))
            continue;
        const double left = unresolved(&s, rate);
        if (left > STEP_RESOLVED)
            continue;
        integrate(w, &s, length, piece);
        const double grown = length * (left < 1e-4 * STEP_RESOLVED ? STEP_GROW : left < 0.1 * STEP_RESOLVED ? 1.5 : 1);
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
