/* Contacts with a patch: what must be true of all answers, on random problems. */
#include <string.h>

#include "core/patch.h"
#include "support/check.h"

static uint64_t state = 88172645463325252u;

static double uniform(double low, double high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

/* K = A A^T plus a little, with angular rows in units of the radius. */
static carom_patch_problem random_problem(int size, double a)
{
    double A[6][6], K[36], u[6];
    carom_patch_problem pb;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            A[i][j] = uniform(-1, 1);
    for (int i = 0; i < size; i++) {
        u[i] = uniform(-2, 2) / (i < 3 ? 1 : a);
        for (int j = 0; j < size; j++) {
            double sum = i == j ? 0.05 : 0;
            for (int k = 0; k < size; k++)
                sum += A[i][k] * A[j][k];
            K[i * size + j] = sum / ((i < 3 ? 1 : a) * (j < 3 ? 1 : a));
        }
    }
    u[2] = -fabs(u[2]);
    assert_int_equal(carom_patch_load(size, K, u, &pb), CAROM_STATUS_OK);
    return pb;
}

static carom_rule random_rule(const char *law, double a)
{
    carom_rule rule = carom_rule_default(carom_law_find(law));
    rule.coeffs.e = uniform(0, 1);
    rule.coeffs.mu = uniform(0.05, 1.2);
    rule.coeffs.patch = a;
    rule.options.pressure = (int)uniform(0, 4);
    return rule;
}

static const char *const laws[] = {"whittaker", "routh-newton", "routh-poisson", "routh-stronge"};

enum { TIMES = 400 };

/* change = normal + friction + spin; never up for Poisson and Stronge, nor for Whittaker with e = 0; in the cone; never
 * into each other. */
static void energy_and_cone(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        const int l = i % 4;
        const double a = pow(10, uniform(-3, 0));
        const carom_patch_problem pb = random_problem(4, a);
        carom_rule rule = random_rule(laws[l], a);
        carom_outcome out;
        if (l == 0 && i % 8 == 0)
            rule.coeffs.e = 0;
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        const double parts = fabs(out.energy.normal) + fabs(out.energy.friction) + fabs(out.turning.spin);
        const double sum = out.energy.normal + out.energy.friction + out.turning.spin;
        assert_near(out.energy.change, sum, parts, 1e-12);
        assert_false(out.flags & (CAROM_FLAG_OUTSIDE_CONE | CAROM_FLAG_PENETRATES));
        if (l > 1 || rule.coeffs.e == 0)
            assert_true(out.energy.change <= 1e-13 * parts);
        if (l > 0)
            assert_true(out.energy.friction <= 0 && out.turning.spin <= 0);
    }
}

/* Tangents turned by an angle turn the answer. */
static carom_patch_problem turned(const carom_patch_problem *pb, double c, double s)
{
    carom_patch_problem out = *pb;
    const double R[4][4] = {{c, s, 0, 0}, {-s, c, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    double half[4][4] = {{0}};
    for (int i = 0; i < 4; i++) {
        out.u[i] = 0;
        for (int j = 0; j < 4; j++) {
            out.u[i] += R[i][j] * pb->u[j];
            for (int k = 0; k < 4; k++)
                half[i][j] += R[i][k] * pb->K[k * 4 + j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            out.K[i * 4 + j] = 0;
            for (int k = 0; k < 4; k++)
                out.K[i * 4 + j] += half[i][k] * R[j][k];
        }
    return out;
}

static void frames(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        const double a = pow(10, uniform(-3, 0)), angle = uniform(0, 6), c = cos(angle), s = sin(angle);
        const carom_patch_problem pb = random_problem(4, a), other = turned(&pb, c, s);
        const carom_rule rule = random_rule(laws[i % 4], a);
        carom_outcome x, y;
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &x), CAROM_STATUS_OK);
        assert_int_equal(carom_patch_solve(&other, &rule, NULL, &y), CAROM_STATUS_OK);
        const double scale = largest(x.p) + fabs(x.turning.m.n) / a;
        if (x.solutions > 1 || y.solutions > 1)
            continue;
        assert_near(y.p.t1, c * x.p.t1 + s * x.p.t2, scale, 1e-9);
        assert_near(y.p.t2, c * x.p.t2 - s * x.p.t1, scale, 1e-9);
        assert_near(y.p.n, x.p.n, scale, 1e-9);
        assert_near(y.turning.m.n / a, x.turning.m.n / a, scale, 1e-9);
    }
}

/* Without a patch: carom_solve, bit for bit, and spins carried along; a small patch changes little. */
static void patch_to_zero(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        const carom_patch_problem pb = random_problem(4, 1);
        const carom_problem point = carom_patch_point(&pb);
        carom_rule rule = random_rule(laws[i % 4], 0);
        carom_outcome x, y, z;
        const carom_status status = carom_solve(&point, &rule, NULL, &x);
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &y), status);
        assert_memory_equal(&x.p, &y.p, sizeof x.p);
        assert_memory_equal(&x.u_after, &y.u_after, sizeof x.u_after);
        assert_true(y.turning.m.n == 0);
        rule.coeffs.patch = 1e-9;
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &z), CAROM_STATUS_OK);
        if (x.solutions == 1 && z.solutions == 1)
            assert_near(largest(carom_cvec_sub(z.p, x.p)), 0, largest(x.p), 1e-6);
    }
}

/* The least mu with which the point contact sticks once its slip has stopped. Next to it a patch creeps: its slip is
 * far above a w, and changes slowly. */
static double critical_mu(const carom_patch_problem *pb)
{
    const double *K = pb->K, det = K[0] * K[5] - K[1] * K[1];
    return hypot(K[5] * K[2] - K[1] * K[6], K[0] * K[6] - K[1] * K[2]) / det;
}

/* Whittaker's law: the slip at the end is the one whose friction is the impulse. The ratio of force and moment says it
 * to many more digits than u_after, where it cancels. */
static void check_slip_at_end(const carom_rule *rule, const carom_outcome *out)
{
    const double a = rule->coeffs.patch, f = hypot(out->p.t1, out->p.t2), m = out->turning.m.n,
                 w = out->turning.w_after.n;
    double v, W;
    const double load = patch_dual_slip(rule->options.pressure, f, fabs(m) / a, &v, &W);
    const double most = rule->coeffs.mu * out->p.n, slip = v / W * a * fabs(w);
    if (strcmp(out->mode, "slip") != 0)
        return;
    assert_close(load, most, 1e-13);
    assert_true(m * w <= 0);
    assert_near(out->u_after.t1, -out->p.t1 / f * slip, 1 + largest(out->p) + slip, 1e-8);
    assert_near(out->u_after.t2, -out->p.t2 / f * slip, 1 + largest(out->p) + slip, 1e-8);
}

/* w after = w + K p, row by row: a path follows a w, far below its other slips. */
static void check_spin(const carom_patch_problem *pb, const carom_outcome *out)
{
    const double p[4] = {out->p.t1, out->p.t2, out->p.n, out->turning.m.n};
    double w = pb->u[3], terms = fabs(w);
    for (int j = 0; j < 4; j++) {
        w += pb->K[12 + j] * p[j];
        terms += fabs(pb->K[12 + j] * p[j]);
    }
    assert_near(out->turning.w_after.n, w, terms, 1e-9);
}

/* Patches of any size, all pressures, half of the frictions next to the critical one: always an answer, in the cone,
 * with its ledger; and the moment is at most what a ring holds. */
static void small_patches(void **unused)
{
    (void)unused;
    for (int i = 0; i < 10 * TIMES; i++) {
        carom_patch_problem pb = random_problem(4, 1);
        carom_rule rule = random_rule(laws[i % 4], pow(10, uniform(-12, -1)));
        carom_outcome out;
        if (i / 4 % 2)
            rule.coeffs.mu = critical_mu(&pb) * (1 + uniform(-1, 1) * pow(10, uniform(-14, -1)));
        rule.options.pressure = i / 8 % 4;
        if (i % 3 == 0)
            pb.u[1] = pb.u[3] = 0;
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_false(out.flags & (CAROM_FLAG_OUTSIDE_CONE | CAROM_FLAG_PENETRATES));
        const double parts = fabs(out.energy.normal) + fabs(out.energy.friction) + fabs(out.turning.spin);
        assert_near(out.energy.change, out.energy.normal + out.energy.friction + out.turning.spin, parts, 1e-12);
        assert_true(fabs(out.turning.m.n) <= rule.coeffs.mu * rule.coeffs.patch * out.p.n);
        check_spin(&pb, &out);
        if (i % 4 == 0)
            check_slip_at_end(&rule, &out);
    }
}

/* Paths that start next to the rim of the patch, or cross it, where friction has a root or a logarithm. Slips contract
 * in the norm of K_TT^-1: two starts a little apart end no further apart, after the same p_n where k = 0. */
static void rim_contracts(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        carom_patch_problem pb = random_problem(4, 1), other;
        const carom_rule rule = random_rule(laws[1 + i % 3], 1);
        const double r = hypot(pb.u[0], pb.u[1]), K_w = uniform(0.05, 2), apart = pow(10, uniform(-14, -2));
        carom_outcome x, y;
        for (int j = 0; j < 4; j++) { /* no coupling but through friction */
            for (int k = 0; k < 4; k++)
                pb.K[4 * j + k] *= j == k;
            pb.K[5 * j] = j == 3 ? K_w : pb.K[5 * j];
        }
        pb.u[3] = i % 4 == 0 ? r : r * (1 + pow(10, uniform(-16, -0.5)) * (i % 2 ? -1 : 1));
        other = pb;
        other.u[3] += apart * (i % 3 ? -1 : 1);
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &x), CAROM_STATUS_OK);
        assert_int_equal(carom_patch_solve(&other, &rule, NULL, &y), CAROM_STATUS_OK);
        const double d1 = x.u_after.t1 - y.u_after.t1, d2 = x.u_after.t2 - y.u_after.t2,
                     dw = x.turning.w_after.n - y.turning.w_after.n;
        const double after = sqrt(d1 * d1 / pb.K[0] + d2 * d2 / pb.K[5] + dw * dw / K_w), before = apart / sqrt(K_w);
        assert_true(after <= before + 1e-13 * (r + 1) / sqrt(min(K_w, min(pb.K[0], pb.K[5]))));
    }
}

/* Rolling resistance: its moment is full against rolling that goes on, and no more than full where it stops it. */
static void rolling(void **unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        const double a = pow(10, uniform(-2, 0));
        const carom_patch_problem pb = random_problem(6, a);
        carom_rule rule = random_rule("whittaker", a);
        carom_outcome out;
        rule.coeffs.rho = a * pow(10, uniform(-2, 0.5));
        assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        const carom_cspin m = out.turning.m, w = out.turning.w_after;
        const double size = hypot(m.t1, m.t2), most = rule.coeffs.rho * out.p.n, rate = hypot(w.t1, w.t2);
        assert_true(size <= most * (1 + 1e-12));
        if (strcmp(out.turning.rolling, "slip") == 0) {
            assert_close(size, most, 1e-11);
            assert_near(m.t1 * w.t1 + m.t2 * w.t2, -most * rate, most * (rate + 1), 1e-9);
        }
    }
}

static void refusals(void **unused)
{
    (void)unused;
    carom_patch_problem pb = random_problem(4, 1), wide = random_problem(6, 1);
    carom_rule rule = random_rule("newton", 0.3);
    carom_outcome out;
    assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OUT_OF_SCOPE);
    rule = random_rule("routh-stronge", 0.3);
    rule.coeffs.mu_s = rule.coeffs.mu + 0.1;
    assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OUT_OF_SCOPE);
    rule.coeffs.mu_s = CAROM_SAME_AS_MU;
    rule.coeffs.rho = 0.1;
    assert_int_equal(carom_patch_solve(&wide, &rule, NULL, &out), CAROM_STATUS_OUT_OF_SCOPE);
    rule.coeffs.rho = 0;
    for (int i = 0; i < 4; i++)
        pb.K[12 + i] = pb.K[4 * i + 3] = 0; /* nothing can spin */
    assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OUT_OF_SCOPE);
    rule.coeffs.patch = NAN;
    assert_int_equal(carom_patch_solve(&pb, &rule, NULL, &out), CAROM_STATUS_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_and_cone), cmocka_unit_test(frames),
                                       cmocka_unit_test(patch_to_zero),   cmocka_unit_test(small_patches),
                                       cmocka_unit_test(rim_contracts),   cmocka_unit_test(rolling),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
