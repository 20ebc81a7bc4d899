/* The incremental laws against a second method: Taylor series of the slip flow in tau, dp = r dtau,
 *
 *     u_t' = b r - mu M u_t     r^2 = u_t.u_t     u_n' = k r - mu b.u_t     p' = r     p_t' = -mu u_t
 *
 * with 64 bits of mantissa, on impacts that slide to their end and in which u_n only rises. */
#include <float.h>

#include "support/corpus.h"
#include "support/incremental.h"

enum { IMPACTS = 2000, ORDER = 36, STEPS = 400, HALVINGS = 80, ROWS = 5 };
enum { U1, U2, UN, R, W }; /* series; W is u_n r */

#define SHARE 1e-21L /* the last term, against r */
#define TOL   1e-13  /* of the impulse */

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

/* False when it takes too long. */
static bool follow(flow *f, int law, real e)
{
    const real needs[] = {-e * f->u[2], 0, 0};
    goal g = {law, true, needs[law]};
    for (int i = 0; i < STEPS; i++) {
        expand(f);
        real size = fabsl(f->a[R][ORDER]) + fabsl(f->a[U1][ORDER]) + fabsl(f->a[U2][ORDER]);
        real reach = powl(SHARE * f->a[R][0] / size, 1 / (real)ORDER), t = stop_before(f, &g, reach);
        move(f, t);
        if (t == reach)
            continue;
        if (!g.compressing)
            return true;
        g.compressing = false;
        f->u[2] = 0;
        g.need = law == POISSON ? (1 + e) * f->p[2] : law == STRONGE ? (1 - e * e) * f->work : g.need;
    }
    return false;
}

static void count_piece(void *context, const carom_piece *piece)
{
    (void)piece;
    ++*(int *)context;
}

static void taylor_agrees(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    dice d = {7};
    int compared = 0, strides = 0;
    while (compared < IMPACTS) {
        carom_cvec v[3];
        dice_axes(&d, v);
        const double size[3] = {1, dice_decades(&d, -2, 0), dice_decades(&d, -2, 0)};
        carom_problem pb = {csym_from(size, v), dice_cvec(&d)};
        pb.u.n = -dice_decades(&d, -2, 1);
        const carom_csym *K = &pb.K;
        const int law = compared % 3;
        carom_rule rule = rule_of(law, dice_between(&d, 0.05, 1), dice_between(&d, 0.02, 1.5));
        const double mu = rule.coeffs.mu;
        carom_outcome out = solved(&pb, &rule);
        if (mu * hypot(K->t1n, K->t2n) >= K->nn || strcmp(out.mode, "sliding") != 0)
            continue;
        flow f = {.K = *K, .mu = mu, .u = {pb.u.t1, pb.u.t2, pb.u.n}};
        if (!follow(&f, law, rule.coeffs.e))
            continue;
        carom_tracer tracer = {.context = &strides, .piece = count_piece};
        assert_int_equal(carom_solve(&pb, &rule, &tracer, &out), CAROM_STATUS_OK);
        const carom_cvec p = {(double)f.p[0], (double)f.p[1], (double)f.p[2]};
        assert_cvec_near(out.p, p, largest(p), TOL);
        compared++;
    }
    assert_in_range(strides, 2 * IMPACTS, 3 * IMPACTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(taylor_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
