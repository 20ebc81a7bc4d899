/* The incremental laws against a second method: Taylor series of the slip flow in tau, dp = r dtau,
 *
 *     u_t' = b r - mu M u_t     r^2 = u_t.u_t     u_n' = k r - mu b.u_t     p' = r     p_t' = -mu u_t
 *
 * with 64 bits of mantissa, on impacts in which u_n only rises, to their end or until slip is gone and the contact
 * sticks. */
#include <float.h>
#include <stdint.h>

#include "support/corpus.h"
#include "support/incremental.h"

enum { IMPACTS = 2000, FEWER = 1000, ORDER = 36, STEPS = 400, HALVINGS = 80, ROWS = 5 };
enum { U1, U2, UN, R, W }; /* series; W is u_n r */

#define SHARE    1e-21L /* the last term, against r */
#define MEAN     4e-16  /* of the impulse, on average */
#define TOL      1e-13  /* of the impulse */
#define FOLDS    2.0L   /* of the slip in a step: a longer series cancels */
#define FARTHEST 1e6L   /* tau of a step: halving ends it */
#define STOPPED  1e-22L /* of the slip at the start */

typedef long double real;

typedef struct flow {
    carom_csym K;
    real mu, u[3], p[3], work;
    real a[ROWS][ORDER + 1];
} flow;

static void expand(flow *f)
{
    real(*a)[ORDER + 1] = f->a;
    const carom_csym *K = &f->K;
    a[U1][0] = f->u[0];
    a[U2][0] = f->u[1];
    a[UN][0] = f->u[2];
    a[R][0] = sqrtl(f->u[0] * f->u[0] + f->u[1] * f->u[1]);
    for (int n = 0; n < ORDER; n++) {
        real part = 1 / (real)(n + 1), sum = 0;
        a[U1][n + 1] = part * (K->t1n * a[R][n] - f->mu * (K->t11 * a[U1][n] + K->t12 * a[U2][n]));
        a[U2][n + 1] = part * (K->t2n * a[R][n] - f->mu * (K->t12 * a[U1][n] + K->t22 * a[U2][n]));
        a[UN][n + 1] = part * (K->nn * a[R][n] - f->mu * (K->t1n * a[U1][n] + K->t2n * a[U2][n]));
        for (int i = 0; i <= n + 1; i++) {
            sum += a[U1][i] * a[U1][n + 1 - i] + a[U2][i] * a[U2][n + 1 - i];
            sum -= i > 0 && i <= n ? a[R][i] * a[R][n + 1 - i] : 0;
        }
        a[R][n + 1] = sum / (2 * a[R][0]);
    }
    for (int n = 0; n <= ORDER; n++) {
        a[W][n] = 0;
        for (int i = 0; i <= n; i++)
            a[W][n] += a[UN][i] * a[R][n - i];
    }
}

static real value(const real *a, real t)
{
    real x = 0;
    for (int n = ORDER; n >= 0; n--)
        x = x * t + a[n];
    return x;
}

static real integral(const real *a, real t)
{
    real x = 0;
    for (int n = ORDER; n >= 0; n--)
        x = x * t + a[n] / (n + 1);
    return x * t;
}

/* What has to rise to zero: u_n, then what restitution still asks for. */
typedef struct goal {
    int law;
    bool compressing;
    real need;
} goal;

static real short_of(const flow *f, const goal *g, real t)
{
    if (g->compressing)
        return value(f->a[UN], t);
    if (g->law == NEWTON)
        return value(f->a[UN], t) - g->need;
    return (g->law == POISSON ? f->p[2] + integral(f->a[R], t) : f->work + integral(f->a[W], t)) - g->need;
}

static real stop_before(const flow *f, const goal *g, real end)
{
    real low = 0, high = end;
    if (short_of(f, g, end) < 0)
        return end;
    for (int i = 0; i < HALVINGS; i++) {
        real middle = (low + high) / 2;
        if (short_of(f, g, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void move(flow *f, real t)
{
    f->p[0] -= f->mu * integral(f->a[U1], t);
    f->p[1] -= f->mu * integral(f->a[U2], t);
    f->p[2] += integral(f->a[R], t);
    f->work += integral(f->a[W], t);
    for (int i = 0; i < 3; i++)
        f->u[i] = value(f->a[i], t);
}

/* Compression is over: what restitution has to reach. */
static void turn_around(flow *f, goal *g, real e)
{
    g->compressing = false;
    f->u[2] = 0;
    g->need = g->law == POISSON ? (1 + e) * f->p[2] : g->law == STRONGE ? (1 - e * e) * f->work : g->need;
}

/* Normal impulse d with u_t = 0: p_t = -a d, u_n rises by kappa d. */
static void stick_by(flow *f, const real a[2], real kappa, real d)
{
    f->p[0] -= a[0] * d;
    f->p[1] -= a[1] * d;
    f->p[2] += d;
    f->work += d * (f->u[2] + kappa * d / 2);
    f->u[2] += kappa * d;
}

/* Slip has stopped: to the end with u_t = 0; false when that takes more friction than there is. */
static bool stick(flow *f, goal *g, real e)
{
    const carom_csym *K = &f->K;
    const real det = (real)K->t11 * K->t22 - (real)K->t12 * K->t12;
    const real a[2] = {((real)K->t22 * K->t1n - (real)K->t12 * K->t2n) / det,
                       ((real)K->t11 * K->t2n - (real)K->t12 * K->t1n) / det};
    const real kappa = K->nn - a[0] * K->t1n - a[1] * K->t2n;
    if (!(det > 0) || hypotl(a[0], a[1]) > f->mu)
        return false;
    if (g->compressing) {
        stick_by(f, a, kappa, -f->u[2] / kappa);
        turn_around(f, g, e);
    }
    const real u = f->u[2], lacks = g->need - (g->law == POISSON ? f->p[2] : f->work);
    const real d = g->law == NEWTON    ? (g->need - u) / kappa
                   : g->law == POISSON ? lacks
                                       : 2 * lacks / (u + sqrtl(u * u + 2 * kappa * lacks));
    stick_by(f, a, kappa, d);
    return true;
}

/* False when it takes too long. */
static bool follow(flow *f, int law, real e)
{
    const real needs[] = {-e * f->u[2], 0, 0};
    const real stopped = STOPPED * hypotl(f->u[0], f->u[1]);
    const real rate = f->mu * (f->K.t11 + f->K.t22) + hypotl(f->K.t1n, f->K.t2n); /* e-folds by tau, at most */
    const real farthest = fminl(FARTHEST, FOLDS / rate);
    goal g = {law, true, needs[law]};
    for (int i = 0; i < STEPS; i++) {
        if (hypotl(f->u[0], f->u[1]) < stopped)
            return stick(f, &g, e);
        expand(f);
        real size = fabsl(f->a[R][ORDER]) + fabsl(f->a[U1][ORDER]) + fabsl(f->a[U2][ORDER]);
        real reach = fminl(farthest, powl(SHARE * f->a[R][0] / size, 1 / (real)ORDER)), t = stop_before(f, &g, reach);
        move(f, t);
        if (t == reach)
            continue;
        if (!g.compressing)
            return true;
        turn_around(f, &g, e);
    }
    return false;
}

static void count_piece(void *context, const carom_piece *piece)
{
    (void)piece;
    ++*(int *)context;
}

/* One impact of a class: K, u and mu. */
typedef void draw(dice *d, carom_problem *pb, double *mu);

/* What an impact has in common with its reference. */
typedef struct comparison {
    int compared, strides, stops;
    double sum; /* of the errors, against the impulse */
} comparison;

/* Impacts of a class in which u_n only rises and slip lasts, or may stop: each within TOL of the reference. */
static comparison compare(uint64_t seed, draw *draws, int impacts, bool stops)
{
    dice d = {seed};
    comparison x = {0};
    for (int tries = 0; x.compared < impacts && tries < 10 * impacts; tries++) {
        carom_problem pb;
        double mu;
        draws(&d, &pb, &mu);
        const int law = x.compared % 3;
        const carom_rule rule = rule_of(law, dice_between(&d, 0.05, 1), mu);
        flow f = {.K = pb.K, .mu = mu, .u = {pb.u.t1, pb.u.t2, pb.u.n}};
        if (mu * hypot(pb.K.t1n, pb.K.t2n) >= pb.K.nn || !follow(&f, law, rule.coeffs.e))
            continue;
        int strides = 0;
        carom_tracer tracer = {.context = &strides, .piece = count_piece};
        carom_outcome out;
        assert_int_equal(carom_solve(&pb, &rule, &tracer, &out), CAROM_STATUS_OK);
        const bool stopped = strcmp(out.mode, "sliding") != 0;
        if (stopped && !stops)
            continue;
        const carom_cvec p = {(double)f.p[0], (double)f.p[1], (double)f.p[2]};
        assert_cvec_near(out.p, p, largest(p), TOL);
        x.sum += largest(carom_cvec_sub(out.p, p)) / largest(p);
        x.stops += stopped;
        x.strides += strides;
        x.compared++;
    }
    assert_int_equal(x.compared, impacts);
    return x;
}

static void draw_generic(dice *d, carom_problem *pb, double *mu)
{
    carom_cvec v[3];
    dice_axes(d, v);
    const double size[3] = {1, dice_decades(d, -2, 0), dice_decades(d, -2, 0)};
    *pb = (carom_problem){csym_from(size, v), dice_cvec(d)};
    pb->u.n = -dice_decades(d, -2, 1);
    *mu = dice_between(d, 0.02, 1.5);
}

static void taylor_agrees(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    const comparison x = compare(7, draw_generic, IMPACTS, false);
    assert_in_range(x.strides, 2 * IMPACTS, 4 * IMPACTS);
}

/* ---- long slides: slip is small against the approach, and most of the impact follows a ray ---- */

static void draw_long_slide(dice *d, carom_problem *pb, double *mu)
{
    draw_generic(d, pb, mu);
    const double slip = dice_decades(d, -3, -1);
    pb->u.t1 *= slip;
    pb->u.t2 *= slip;
    *mu = dice_between(d, 0.02, 0.5);
}

static void long_slides(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    compare(19, draw_long_slide, FEWER, false);
}

/* ---- slip that stops ---- */

static void draw_stop(dice *d, carom_problem *pb, double *mu)
{
    do {
        draw_generic(d, pb, mu);
        pb->K.nn += 1;
        *mu = dice_between(d, 0.3, 1.5);
        pb->u.n = -dice_decades(d, 0, 1);
    } while (pb->K.t11 * pb->K.t22 - pb->K.t12 * pb->K.t12 < 0.05 * (pb->K.t11 + pb->K.t22));
}

/* The digits that the laws advertise: a threshold on slip that is a thousand times too coarse shows in the mean. */
static void slip_that_stops(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    const comparison x = compare(23, draw_stop, FEWER, true);
    assert_true(x.stops > FEWER / 5);
    assert_true(x.sum / x.compared < MEAN);
}

/* ---- singular tangential blocks: K has a zero row in some tangent frame, and slip across it never ends ---- */

/* Tangents turned so that the first becomes d: K is exactly as singular as rounding allows. */
static carom_problem turned(const carom_problem *pb, double c, double s)
{
    const carom_csym *K = &pb->K;
    carom_problem x = {{c * c * K->t11, c * s * K->t11, s * s * K->t11, c * K->t1n, s * K->t1n, K->nn},
                       {c * pb->u.t1 - s * pb->u.t2, s * pb->u.t1 + c * pb->u.t2, pb->u.n}};
    return x;
}

/* K of rank two with integer entries, as people type them. */
static void draw_zero_row(dice *d, carom_problem *pb, double *mu)
{
    do {
        pb->K = (carom_csym){1 + dice_below(d, 8), 0, 0, dice_below(d, 13) - 6.0, 0, 1 + dice_below(d, 6)};
    } while (pb->K.t11 * pb->K.nn <= pb->K.t1n * pb->K.t1n);
    pb->u = carom_cvec_make(dice_below(d, 9) - 4.0, 1 + dice_below(d, 3), -1.0 - dice_below(d, 4));
    *mu = 0.5 * (1 + dice_below(d, 8));
}

static void draw_turned_zero_row(dice *d, carom_problem *pb, double *mu)
{
    static const double axes[][2] = {{1, 0}, {0, 1}, {0.6, 0.8}, {-0.8, 0.6}, {5.0 / 13, -12.0 / 13}};
    const bool little = dice_below(d, 2); /* slip across the plane, in exact axes */
    const double *axis = axes[dice_below(d, little ? 2 : 5)];
    pb->K = (carom_csym){dice_decades(d, -2, 2), 0, 0, 0, 0, dice_decades(d, -1, 1)};
    pb->K.t1n = dice_between(d, -0.95, 0.95) * sqrt(pb->K.t11 * pb->K.nn);
    const double across = little ? dice_decades(d, -9, -7) : dice_decades(d, -1, 1);
    pb->u = carom_cvec_make(dice_between(d, -2, 2), across, -dice_decades(d, -2, 1));
    *mu = dice_decades(d, -2, 1);
    *pb = turned(pb, axis[0], axis[1]);
}

static void singular_blocks(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    compare(11, draw_zero_row, FEWER, false);
    compare(13, draw_turned_zero_row, FEWER, false);
}

/* ---- nearly isotropic blocks with little friction: slip hardly turns ---- */

static void draw_nearly_isotropic(dice *d, carom_problem *pb, double *mu)
{
    double m = dice_between(d, 1, 4), b = dice_below(d, 2) ? dice_decades(d, -18, -2) : 0;
    pb->K = (carom_csym){m * (1 + dice_decades(d, -15, -2)), m * dice_decades(d, -17, -2), m, b, -b, 1};
    pb->u = dice_cvec(d);
    pb->u.n = -dice_decades(d, -2, 1);
    *mu = dice_decades(d, -14, -1);
}

static void little_friction_on_nearly_isotropic_blocks(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    compare(17, draw_nearly_isotropic, IMPACTS, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taylor_agrees),
        cmocka_unit_test(long_slides),
        cmocka_unit_test(slip_that_stops),
        cmocka_unit_test(singular_blocks),
        cmocka_unit_test(little_friction_on_nearly_isotropic_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
