/* A step of the path as Taylor polynomials.
 *
 * Slopes are sums and products of series, by a clock t with dp = rho dt, rho the larger of |v| and |W|:
 *
 *     dP/dt = -mu (alpha v, beta W)      dU/dt = k rho + K dP/dt      du_n/dt = K_nn rho + k.dP/dt                (1)
 *
 * alpha and beta are functions of x, the square of the smaller over the larger (core/patch.h), inside where |v| is the
 * smaller. Their series come from that of x
 *
 *   near x = 0     by polynomials (patch_polynomials.h)
 *   further away   by what all patches share, with nu = 4 (hertz), 3 (uniform), 1 (ring):
 *
 *     inside    x alpha' = (eta - alpha) x' / 2    beta' = -eta x' / 2      (1 - x) eta = nu beta - alpha           (2)
 *     outside   alpha' = -eta x' / 2     x beta' = (eta - beta) x' / 2      (1 - x) eta = alpha - nu beta           (3)
 *
 *   next to the rim, outside, of hertz: with c = sqrt(1 - x) and A = asin(q)/q, q^2 = x, and a clock that slows down as
 *   c, dp = c rho dt, all of it is smooth through c = 0; X = dx/dt over c:
 *
 *     c' = -X/2    x A' = (1 - c A) X / 2    G = (A - c) / x    B = (A - 3/4 c - 3/8 G) / x                         (4)
 *     alpha = 3/4 (A + c/2 - G/4)    beta = 3/8 (A - B)                                                             (5)
 *
 *   next to the rim of uniform and ring, where they have a logarithm of y = 1 - x: with a clock sigma that slows down
 * as y, dp = y rho dsigma, log y changes at the finite rate -X, X = dx/dsigma over y. With d = y eta, a the one of
 * alpha and beta that has x in front of its slope in (2), (3), and b the other:
 *
 *     y' = -y X    q = X (d - y a) / x    a' = q/2    b' = -X d/2
 *     d' = -(nu X d + q)/2 inside, -(X d + nu q)/2 outside                                                          (6)
 *
 *   The path is smooth for Re theta > 0, theta = -log y, a half plane that the clock t of the step makes a disc:
 *   theta = theta_0 (1 + t)/(1 - t) towards the rim, (1 - t)/(1 + t) away from it, so that steps multiply theta:
 *
 *     dsigma/dt = 2 theta_0 / |X_0| / (1 -+ t)^2                                                                    (7)
 *
 *   of the ellipse: they are constant, with rho = Phi. */
#include "laws/patch/patch_expand.h"

/* ---- charts ---- */

/* Lanes of all charts, and of one or the other. */
enum { V1_V1, V2_V2, W_W, RHO_RHO, CLOCK_U_N, WORK_1, WORK_2, WORK_W, ELLIPSE_LANES };
enum { OVER_LARGER = ELLIPSE_LANES, ALPHA_V1, ALPHA_V2, BETA_W, SHARED };
enum { X_2 = SHARED, SHORT_LANES, X_3 = SHORT_LANES, X_4, ALPHA_X_4, ALPHA_X_8, BETA_X_4, BETA_X_8, POLYNOMIAL_LANES };
enum { DRIFT = SHARED, DRIVE, RATIO_RATE, RATIO_ETA, RATES_LANES };
enum {
    C_C = SHARED,
    OVER_X_G,
    OVER_X_B,
    OVER_X_A,
    DOT_1,
    DOT_2,
    DOT_W,
    X_DOT,
    OVER_VV,
    C_A,
    GAP_X,
    C_1,
    C_2,
    C_W,
    C_RHO,
    RIM_LANES
};
enum {
    PACE = SHARED,
    PACE_1,
    PACE_2,
    PACE_W,
    PACE_RHO,
    DRIFT_1,
    DRIFT_2,
    DRIFT_W,
    X_DRIFT,
    X_TIME,
    Y_X,
    Y_WITH_X,
    X_GAP,
    OVER_X,
    X_D,
    LOG_LANES
};

static inline double first_only(const series_sums *s, double a)
{
    return s->n == 0 ? a : 0;
}

/* v.v, W^2, rho and x. */
static inline void measure_slips(series_step *t)
{
    series_sums *s = &t->sums;
    t->rho = t->inside ? t->sign * t->U[2] : root(s, RHO_RHO, t->vv);
    t->ratio = t->inside ? over(s, OVER_LARGER, t->vv, t->WW) : over(s, OVER_LARGER, t->WW, t->vv);
}

static inline double block(const series_sums *s, const double *c, const double x[5])
{
    return first_only(s, c[0]) + c[1] * x[1] + c[2] * x[2] + c[3] * x[3];
}

/* By fours: c_0 ... c_3 x^3 + x^4 (c_4 ... + x^4 (c_8 ... + c_12 x^4)). */
static inline double compose(series_sums *s, const double *c, int lane, const double x[5])
{
    const double top = block(s, c + 8, x) + c[12] * x[4];
    const double middle = block(s, c + 4, x) + times(s, lane, top, x[4]);
    return block(s, c, x) + times(s, lane + 1, middle, x[4]);
}

static inline void by_polynomials(series_step *t, const bool is_short)
{
    series_sums *s = &t->sums;
    double x[5] = {0, t->ratio, 0, 0, 0};
    const double *a = t->polynomials->alpha, *b = t->polynomials->beta;
    x[2] = times(s, X_2, x[1], x[1]);
    if (is_short) {
        t->alpha = block(s, a, x);
        t->beta = block(s, b, x);
        return;
    }
    x[3] = times(s, X_3, x[1], x[2]);
    x[4] = times(s, X_4, x[2], x[2]);
    t->alpha = compose(s, a, ALPHA_X_4, x);
    t->beta = compose(s, b, BETA_X_4, x);
}

static double nu_of(int pressure)
{
    return pressure == CAROM_OPTION_PRESSURE_RING ? 1 : pressure == CAROM_OPTION_PRESSURE_UNIFORM ? 3 : 4;
}

/* (2), (3), with n times the coefficient n for the slope: alpha inside and beta outside have x in front of theirs. */
static inline void by_rates(series_step *t)
{
    series_sums *s = &t->sums;
    const double x = t->ratio, slope = s->n * x;
    double *with_x = t->inside ? &t->alpha : &t->beta, *other = t->inside ? &t->beta : &t->alpha, rate = 0;
    if (s->n > 0) {
        rate = (0.5 * leads(s, DRIFT, slope) - inner_of(s, RATIO_RATE)) / s->left[0][RATIO_RATE];
        *with_x = rate / s->n;
        *other = -0.5 * leads(s, DRIVE, slope) / s->n;
        const double gap = t->alpha - nu_of(t->x->pressure) * t->beta;
        t->eta = ((t->inside ? -gap : gap) + inner_of(s, RATIO_ETA) + x * s->right[0][RATIO_ETA]) /
                 (1 - s->left[0][RATIO_ETA]);
    }
    keep(s, DRIFT, t->eta - *with_x, slope);
    keep(s, DRIVE, t->eta, slope);
    keep(s, RATIO_RATE, x, rate);
    keep(s, RATIO_ETA, x, t->eta);
}

/* (5) */
static inline void by_arc(series_step *t)
{
    series_sums *s = &t->sums;
    t->rho = root(s, RHO_RHO, t->vv);
    t->ratio = first_only(s, 1) - times(s, C_C, t->c, t->c);
    const double G = over(s, OVER_X_G, t->A - t->c, t->ratio);
    const double B = over(s, OVER_X_B, t->A - 0.75 * t->c - 0.375 * G, t->ratio);
    t->alpha = 0.75 * (t->A + 0.5 * t->c - 0.25 * G);
    t->beta = 0.375 * (t->A - B);
}

static inline double slope_of(const series_step *t, int i)
{
    const double *K = t->x->K[i];
    return t->x->k[i] * t->clock - t->x->mu * (K[0] * t->g[0] + K[1] * t->g[1] + K[2] * t->g[2]);
}

/* (4): the clock slows down, and c and A of the next order. */
static inline void slow_down(series_step *t)
{
    series_sums *s = &t->sums;
    const double *U = t->U, c = t->c;
    const double along = times(s, DOT_1, U[0], slope_of(t, 0)) + times(s, DOT_2, U[1], slope_of(t, 1));
    const double change = times(s, DOT_W, U[2], slope_of(t, 2)) - times(s, X_DOT, t->ratio, along);
    const double X = over(s, OVER_VV, 2 * change, t->vv);
    const double gap = first_only(s, 1) - times(s, C_A, c, t->A);
    for (int i = 0; i < PATCH_SLIPS; i++)
        t->g[i] = times(s, C_1 + i, c, t->g[i]);
    t->clock = times(s, C_RHO, c, t->clock);
    t->distance[s->n] = c;
    t->c = -0.5 * X / (s->n + 1);
    t->A = over(s, OVER_X_A, 0.5 * times(s, GAP_X, gap, X), t->ratio) / (s->n + 1);
}

static inline double *with_x(series_step *t)
{
    return t->inside ? &t->alpha : &t->beta;
}

/* (6): the clock, and y, d, alpha and beta of the next order. */
static inline void take_logarithm(series_step *t)
{
    series_sums *s = &t->sums;
    const double *U = t->U, y = t->y, nu = nu_of(t->x->pressure);
    double *a = with_x(t), *b = t->inside ? &t->beta : &t->alpha;
    const double v = times(s, DRIFT_1, U[0], slope_of(t, 0)) + times(s, DRIFT_2, U[1], slope_of(t, 1)),
                 W = times(s, DRIFT_W, U[2], slope_of(t, 2)), small = t->inside ? v : W, large = t->inside ? W : v;
    const double X = over(s, OVER_LARGER, 2 * (small - times(s, X_DRIFT, t->ratio, large)), t->inside ? t->WW : t->vv);
    const double share = 1.0 / (s->n + 1), pace = times(s, PACE, t->time, y), turn = times(s, X_TIME, X, t->time);
    for (int i = 0; i < PATCH_SLIPS; i++)
        t->g[i] = times(s, PACE_1 + i, pace, t->g[i]);
    t->clock = times(s, PACE_RHO, pace, t->clock);
    const double q = over(s, OVER_X, times(s, X_GAP, turn, t->d - times(s, Y_WITH_X, y, *a)), t->ratio),
                 r = times(s, X_D, turn, t->d);
    t->y = -share * times(s, Y_X, y, turn);
    t->time *= t->turn * share * (s->n + 2);
    *a = 0.5 * share * q;
    *b = -0.5 * share * r;
    t->d = -0.5 * share * (t->inside ? nu * r + q : r + nu * q);
}

/* One order of the clock and of friction. */
static inline void drive(series_step *t, const series_chart chart)
{
    series_sums *s = &t->sums;
    const double *U = t->U;
    t->vv = times(s, V1_V1, U[0], U[0]) + times(s, V2_V2, U[1], U[1]);
    t->WW = times(s, W_W, U[2], U[2]);
    t->distance[s->n] = t->WW - t->vv;
    if (chart == CHART_ELLIPSE) {
        t->clock = root(s, RHO_RHO, t->vv + t->beta * t->WW);
        t->g[0] = U[0];
        t->g[1] = U[1];
        t->g[2] = t->beta * U[2];
        return;
    }
    if (chart == CHART_LOG)
        t->rho = t->inside ? t->sign * U[2] : root(s, RHO_RHO, t->vv);
    else if (chart != CHART_RIM)
        measure_slips(t);
    if (chart == CHART_LOG)
        t->ratio = first_only(s, 1) - t->y;
    else if (chart == CHART_RIM)
        by_arc(t);
    else if (chart == CHART_RATES)
        by_rates(t);
    else
        by_polynomials(t, chart == CHART_SHORT);
    t->clock = t->rho;
    t->g[0] = times(s, ALPHA_V1, t->alpha, U[0]);
    t->g[1] = times(s, ALPHA_V2, t->alpha, U[1]);
    t->g[2] = times(s, BETA_W, t->beta, U[2]);
    if (chart == CHART_RIM)
        slow_down(t);
    if (chart == CHART_LOG)
        take_logarithm(t);
}

/* (1), and works: the next order of all numbers. */
static inline void integrate(series_step *t, patch_series *out)
{
    const carom_patch_contact *x = t->x;
    series_sums *s = &t->sums;
    const int next = s->n + 1;
    const double share = 1.0 / next, loss = -x->mu * share;
    double pull = 0;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        out->c[next][i] = share * slope_of(t, i);
        out->c[next][AT_P + i] = loss * t->g[i];
        pull += x->k[i] * t->g[i];
    }
    out->c[next][AT_U_N] = share * x->K_nn * t->clock + loss * pull;
    out->c[next][AT_CLOCK] = share * t->clock;
    out->c[next][AT_WORK] = share * times(s, CLOCK_U_N, t->clock, t->u_n);
    out->c[next][AT_FRICTION] = loss * (times(s, WORK_1, t->g[0], t->U[0]) + times(s, WORK_2, t->g[1], t->U[1]));
    out->c[next][AT_SPIN] = loss * times(s, WORK_W, t->g[2], t->U[2]);
}

static inline void expand(series_step *t, const series_chart chart, const int lanes, patch_series *out)
{
    for (int n = 0; n < SERIES_ORDER; n++) {
        t->sums.n = n;
        sum_inner(&t->sums, lanes);
        for (int i = lanes; i % LANES_AT_ONCE != 0; i++)
            keep(&t->sums, i, 0, 0);
        for (int i = 0; i < PATCH_SLIPS; i++)
            t->U[i] = out->c[n][i];
        t->u_n = out->c[n][AT_U_N];
        drive(t, chart);
        integrate(t, out);
    }
}

void carom_patch_expand(series_step *t, patch_series *out)
{
    if (t->chart == CHART_ELLIPSE)
        expand(t, CHART_ELLIPSE, ELLIPSE_LANES, out);
    else if (t->chart == CHART_SHORT)
        expand(t, CHART_SHORT, SHORT_LANES, out);
    else if (t->chart == CHART_POLYNOMIALS)
        expand(t, CHART_POLYNOMIALS, POLYNOMIAL_LANES, out);
    else if (t->chart == CHART_RATES)
        expand(t, CHART_RATES, RATES_LANES, out);
    else if (t->chart == CHART_RIM)
        expand(t, CHART_RIM, RIM_LANES, out);
    else
        expand(t, CHART_LOG, LOG_LANES, out);
}
