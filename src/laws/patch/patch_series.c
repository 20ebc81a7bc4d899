/* A step of the path as Taylor polynomials (patch_expand.c): its chart, its length and the stops on it. */
#include "laws/patch/patch_series.h"

#include "core/taylor.h"
#include "laws/patch/patch_expand.h"

#define REACH_TOL   (0.5 * EPS) /* of the numbers: the last terms of their polynomials */
#define NEAR_ZERO   0.15        /* x at the start of a step with polynomials */
#define NEAR_RIM    0.5         /* x from here on: next to the rim */
#define RIM_FROM    0.3         /* x down to here: (4) divides by it */
#define RATES_TO    0.75        /* x at the start of a step with (2), (3) ... */
#define RATES_END   0.9         /* ... and at its end */
#define AT_RIM      1e-13       /* of 1 - x: rounding */
#define RIM_CROSSES 1e-3        /* of the rates: x changes at the rim */
#define LEAST_STEP  1e-4        /* of the time in which the fastest slip stops */
#define SHORTER     0.7         /* a step beyond its chart */
#define LOG_FROM    0.6         /* x from here on: next to the rim of uniform and ring */
#define LOG_END     0.3         /* x down to here: (6) divides by it */
#define LOG_MOST    4           /* of the time in which the fastest slip stops: where x hardly changes */
#define LOG_JUMP    1e-6        /* of 1 - x: from here across the rim, but for its cube in a straight line */
#define LOG_THETA   14.5        /* -log(LOG_JUMP / 2) */
#define LOG_LEAST   1e-9        /* of 1 - x: the start from the rim, but for its square in a straight line */
#define JUMP_BEYOND (1 + 1e-6)  /* of the jump: rounding */
enum { SHORTER_STEPS = 30, RIM_SAMPLES = 4, STOP_SAMPLES = 4 };

/* ---- the start ---- */

/* dx/dt where dp = rho dt: a path that runs along the rim has none. */
static double drift_of(const carom_patch_contact *x, const double *U, bool inside)
{
    patch_state slope;
    carom_patch_slopes(x, U, true, &slope);
    const double vv = U[0] * U[0] + U[1] * U[1], WW = U[2] * U[2], v = U[0] * slope.U[0] + U[1] * slope.U[1],
                 W = U[2] * slope.U[2];
    return inside ? 2 * (v - vv / WW * W) / sqrt(WW) : 2 * (W - WW / vv * v) / sqrt(vv);
}

/* Is the path so close to the rim that it jumps across, or off it? */
static bool is_at_rim(const series_step *t, const double *U)
{
    if (t->x->pressure == 0)
        return t->y <= AT_RIM;
    return t->y < 0.5 * LOG_LEAST || (t->y <= LOG_JUMP && drift_of(t->x, U, t->inside) > 0);
}

/* At the rim: does the path go inside? False where it stays next to it. */
static bool leaves_rim(series_step *t, const double *U)
{
    const double drift = drift_of(t->x, U, true);
    t->inside = t->x->pressure == 0 ? drift < 0 : t->inside;
    t->at_rim = true;
    return fabs(drift) > RIM_CROSSES * carom_patch_rate(t->x);
}

/* (7) */
static void pace_logarithm(series_step *t, const double *U)
{
    const double drift = drift_of(t->x, U, t->inside), theta = -carom_log(t->y), rate = carom_patch_rate(t->x);
    t->turn = drift > 0 ? 1 : -1;
    t->time = min(2 * theta / fabs(drift), LOG_MOST / (t->y * rate));
    t->pace = t->time * t->y;
    t->most = drift > 0 && t->y > LOG_JUMP ? (LOG_THETA - theta) / (LOG_THETA + theta) : 1;
    t->d = t->y * t->eta;
}

/* False where no chart is smooth. */
static bool choose_chart(series_step *t, const double *U)
{
    const double vv = U[0] * U[0] + U[1] * U[1], WW = U[2] * U[2], x = min(vv, WW) / max(vv, WW);
    const bool hertz = t->x->pressure == 0;
    const patch_slope start = patch_slope_at(t->x->pressure, vv, WW);
    t->alpha = start.alpha;
    t->beta = start.beta;
    t->eta = start.eta;
    t->sign = U[2] < 0 ? -1 : 1;
    t->inside = vv <= WW;
    t->at_rim = false;
    t->chart = CHART_ELLIPSE;
    if (patch_is_smooth(t->x->pressure))
        return true;
    t->vv = vv;
    t->WW = WW;
    t->y = fabs(sqrt(vv) - fabs(U[2])) * (sqrt(vv) + fabs(U[2])) / max(vv, WW);
    if (is_at_rim(t, U) && !leaves_rim(t, U))
        return false;
    t->polynomials = &patch_near_zero[t->x->pressure][t->inside ? 0 : 1];
    t->c = t->at_rim ? 0 : sqrt(1 - x);
    t->chart = hertz && t->inside       ? CHART_SHORT
               : x <= NEAR_ZERO         ? CHART_POLYNOMIALS
               : hertz && x > NEAR_RIM  ? CHART_RIM
               : hertz || x <= LOG_FROM ? CHART_RATES
               : t->at_rim              ? CHART_JUMP
                                        : CHART_LOG;
    if (t->chart == CHART_RIM)
        t->A = carom_atan2(sqrt(x), t->c) / sqrt(x);
    if (t->chart == CHART_LOG)
        pace_logarithm(t, U);
    return t->chart != CHART_RATES || x <= RATES_TO;
}

/* Across the rim in a straight line, as far as it is away, with the slopes at the rim: what they change by is odd in
 * the distance but for its square. From the rim itself, LOG_LEAST. */
static void jump(const patch_walk *w, const series_step *t, patch_series *s)
{
    const patch_state *at = &w->at;
    const double drift = drift_of(w->x, at->U, t->inside),
                 length = (drift > 0 ? t->y : LOG_LEAST) / fabs(drift) * sqrt(max(t->vv, t->WW));
    patch_state d;
    double rim[PATCH_SLIPS];
    carom_patch_slopes(w->x, at->U, true, &d);
    for (int i = 0; i < PATCH_SLIPS; i++)
        rim[i] = at->U[i] + (drift > 0 ? length * d.U[i] : 0);
    carom_patch_slopes(w->x, rim, true, &d);
    const double slopes[PATCH_NUMBERS] = {d.U[0], d.U[1], d.U[2],  d.u_n,      d.P[0], d.P[1],
                                          d.P[2], 1,      at->u_n, d.friction, d.spin};
    memcpy(s->c[1], slopes, sizeof slopes);
    s->c[1][AT_FRICTION] = d.P[0] * at->U[0] + d.P[1] * at->U[1];
    s->c[1][AT_SPIN] = d.P[2] * at->U[2];
    s->c[2][AT_WORK] = 0.5 * d.u_n;
    s->c[2][AT_FRICTION] = 0.5 * (d.P[0] * d.U[0] + d.P[1] * d.U[1]);
    s->c[2][AT_SPIN] = 0.5 * d.P[2] * d.U[2];
    s->length = (drift > 0 ? 2 : 1) * length * JUMP_BEYOND;
}

/* ---- its length ---- */

/* What the last terms of the polynomials reach, as shares of the numbers so far, or of what they gain soon. Paths
 * contract: what slips are off by does not grow later, so that their largest values count. Powers fall twice as fast
 * as slips do. */
static double reach_of(const patch_walk *w, const series_step *t, const patch_series *s)
{
    static const int sums[] = {AT_CLOCK, AT_WORK, AT_FRICTION, AT_SPIN};
    const double soon = 1 / (carom_patch_rate(t->x) * (t->chart == CHART_LOG ? t->pace : 1));
    double last[2] = {0, 0};
    for (int k = 0; k < PATCH_SLIPS + (int)(sizeof sums / sizeof sums[0]); k++) {
        const int at = k < PATCH_SLIPS ? k : sums[k - PATCH_SLIPS];
        const double gain = k < PATCH_SLIPS ? carom_patch_most_slope(t->x, k) * s->c[1][AT_CLOCK] : fabs(s->c[1][at]),
                     size = (k < PATCH_SLIPS ? w->scale[k] : fabs(s->c[0][at])) + gain * soon;
        for (int i = 0; i < 2 && size > 0; i++)
            last[i] = max(last[i], fabs(s->c[SERIES_ORDER - 1 + i][at]) / size);
    }
    return taylor_reach(last, SERIES_ORDER, REACH_TOL);
}

/* Is x at the clock h where the chart is good? */
static bool is_covered(const series_step *t, const patch_series *s, double h)
{
    patch_state at;
    carom_patch_series_at(s, h, &at);
    const double *U = at.U, vv = U[0] * U[0] + U[1] * U[1], WW = U[2] * U[2], x = t->inside ? vv / WW : WW / vv;
    if (t->chart == CHART_LOG)
        return x >= LOG_END && x <= 1;
    return t->chart == CHART_RIM ? x >= RIM_FROM : x <= (t->chart == CHART_RATES ? RATES_END : POLYNOMIALS_TO);
}

/* From the rim its distance grows from zero. */
static double length_to_rim(const series_step *t, double h)
{
    const int from = t->at_rim ? 1 : 0;
    double end;
    return taylor_falls(t->distance + from, SERIES_ORDER - 1 - from, h, RIM_SAMPLES, &end) ? end : h;
}

static double length_of_step(const patch_walk *w, const series_step *t, const patch_series *s)
{
    double h = min(reach_of(w, t, s), t->chart == CHART_LOG ? t->most : INFINITY);
    if (t->chart == CHART_SHORT || t->chart == CHART_RIM)
        h = length_to_rim(t, h);
    if (t->chart == CHART_POLYNOMIALS || t->chart == CHART_RATES || t->chart == CHART_RIM || t->chart == CHART_LOG)
        for (int i = 0; i < SHORTER_STEPS && !is_covered(t, s, h); i++)
            h *= SHORTER;
    return h;
}

bool carom_patch_series_begin(const patch_walk *w, patch_series *s)
{
    series_step t;
    const double *start = (const double *)&w->at;
    t.x = w->x;
    if (!choose_chart(&t, w->at.U))
        return false;
    memset(s->c, 0, sizeof s->c);
    memcpy(s->c[0], start, sizeof w->at);
    if (t.chart == CHART_JUMP) {
        jump(w, &t, s);
        return true;
    }
    carom_patch_expand(&t, s);
    s->length = length_of_step(w, &t, s);
    return s->length * (t.chart == CHART_LOG ? 1 : carom_patch_rate(w->x)) > LEAST_STEP;
}

void carom_patch_series_at(const patch_series *s, double t, patch_state *state)
{
    double sum[STATE_ROW];
    memcpy(sum, s->c[SERIES_ORDER], sizeof sum);
    for (int n = SERIES_ORDER - 1; n >= 0; n--)
#pragma omp simd
        for (int k = 0; k < STATE_ROW; k++)
            sum[k] = sum[k] * t + s->c[n][k];
    memcpy(state, sum, sizeof *state);
}

/* ---- stops ---- */

/* The coefficients of number k by the clock from t on. */
static void shift_to(const patch_series *s, int k, double t, double f[SERIES_ORDER + 1])
{
    for (int i = 0; i <= SERIES_ORDER; i++)
        f[i] = s->c[i][k];
    for (int i = 0; i < SERIES_ORDER && t > 0; i++)
        for (int j = SERIES_ORDER - 1; j >= i; j--)
            f[j] += t * f[j + 1];
}

/* Where start + sign (gain of the number k after `from`) falls to zero; a start at zero does not count. */
static bool falls_to_zero(const patch_series *s, int k, const double ends[2], double sign, double *t)
{
    double f[SERIES_ORDER + 1], found;
    const double start = ends[0], from = ends[1];
    shift_to(s, k, from, f);
    f[0] = start;
    for (int n = 1; n <= SERIES_ORDER; n++)
        f[n] *= sign;
    const int first = start == 0 ? 1 : 0;
    const bool falls = taylor_falls(f + first, SERIES_ORDER - first, s->length - from, STOP_SAMPLES, &found);
    *t = falls ? from + found : s->length;
    return falls;
}

slip_stop carom_patch_series_stop(const patch_walk *w, const patch_series *s, double from, double *t)
{
    static const int measured[] = {[BY_VELOCITY] = AT_U_N, [BY_IMPULSE] = AT_CLOCK, [BY_WORK] = AT_WORK};
    const coulomb_measure by = w->ending->by;
    const double u_n = w->at.u_n, up[2] = {-u_n, from}, down[2] = {u_n, from},
                 rest[2] = {by == BY_VELOCITY ? w->need - u_n : w->need, from};
    double turn;
    if (w->compressing)
        return falls_to_zero(s, AT_U_N, up, -1, t) ? STOP_UP : STOP_PIECE;
    const bool ends = falls_to_zero(s, measured[by], rest, -1, t), turns = falls_to_zero(s, AT_U_N, down, 1, &turn);
    if (turns && !(ends && *t <= turn)) {
        *t = turn;
        return STOP_DOWN;
    }
    return ends ? STOP_DONE : STOP_PIECE;
}
