/* Rotations of free bodies against a plain integration of Euler's equations in long double. */
#include "sim/motion/spin.h"

#include "sim/parts.h"

enum { STEPS = 20000, STATES = 7 };

/* q' = w q / 2 with w in world axes; L stays, or w grows by alpha. Moments along principal axes e of the body. */
typedef struct top {
    long double I[3], axis[3][3], L[3], w[3], alpha[3];
    bool driven;
} top;

static void turn_matrix(const long double *q, long double R[3][3])
{
    long double w = q[0], x = q[1], y = q[2], z = q[3], n = w * w + x * x + y * y + z * z;
    long double m[3][3] = {{n - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                           {2 * (x * y + w * z), n - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                           {2 * (x * z - w * y), 2 * (y * z + w * x), n - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[i][j] = m[i][j] / n;
}

static void velocity(const top *b, long double t, const long double *q, long double w[3])
{
    long double R[3][3];
    turn_matrix(q, R);
    for (int i = 0; i < 3; i++)
        w[i] = b->driven ? b->w[i] + t * b->alpha[i] : 0;
    for (int k = 0; k < 3 && !b->driven; k++) {
        long double e[3], along = 0;
        for (int i = 0; i < 3; i++) {
            e[i] = R[i][0] * b->axis[k][0] + R[i][1] * b->axis[k][1] + R[i][2] * b->axis[k][2];
            along += e[i] * b->L[i];
        }
        for (int i = 0; i < 3; i++)
            w[i] += along / b->I[k] * e[i];
    }
}

static void rate(const top *b, long double t, const long double *q, long double *dq)
{
    long double w[3];
    velocity(b, t, q, w);
    dq[0] = -0.5L * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
    dq[1] = 0.5L * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
    dq[2] = 0.5L * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
    dq[3] = 0.5L * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

/* The classical method of fourth order with steps of a few 1e-4 rad. */
static void integrate(const top *b, long double T, long double *q)
{
    long double h = T / STEPS, k[4][4], y[4];
    static const long double at[4] = {0, 0.5L, 0.5L, 1}, weight[4] = {1, 2, 2, 1};
    for (int n = 0; n < STEPS; n++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++)
                y[i] = q[i] + (s ? at[s] * h * k[s - 1][i] : 0);
            rate(b, (n + at[s]) * h, y, k[s]);
        }
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < 4; i++)
                q[i] += h * weight[s] / 6 * k[s][i];
    }
}

/* An inertia with these moments along random axes; a top that begins at q with the velocity w. */
static carom_sym3 inertia_of(const double I[3], carom_quat turn)
{
    return quat_turn_sym3(turn, (carom_sym3){I[0], 0, 0, I[1], 0, I[2]});
}

static top top_of(const double I[3], carom_quat turn, carom_quat q, carom_vec3 w)
{
    top b = {.driven = false};
    for (int k = 0; k < 3; k++) {
        carom_vec3 e = quat_turn(turn, vec(k == 0, k == 1, k == 2)), world = quat_turn(q, e);
        b.I[k] = I[k];
        b.axis[k][0] = e.x, b.axis[k][1] = e.y, b.axis[k][2] = e.z;
        b.L[0] += I[k] * carom_vec3_dot(world, w) * world.x;
        b.L[1] += I[k] * carom_vec3_dot(world, w) * world.y;
        b.L[2] += I[k] * carom_vec3_dot(world, w) * world.z;
    }
    return b;
}

static void assert_pose(pose got, const top *b, long double t, const long double *q, double tol)
{
    long double w[3];
    double sign = got.q.w * (double)q[0] + got.q.x * (double)q[1] + got.q.y * (double)q[2] + got.q.z * (double)q[3];
    sign = sign < 0 ? -1 : 1;
    velocity(b, t, q, w);
    assert_near(sign * got.q.w, (double)q[0], tol);
    assert_near(sign * got.q.x, (double)q[1], tol);
    assert_near(sign * got.q.y, (double)q[2], tol);
    assert_near(sign * got.q.z, (double)q[3], tol);
    assert_near(got.w.x, (double)w[0], 10 * tol);
    assert_near(got.w.y, (double)w[1], 10 * tol);
    assert_near(got.w.z, (double)w[2], 10 * tol);
}

static void check_free(const double I[3], carom_quat turn, dice *d, spin_kind kind)
{
    double series[SPIN_TERMS][SPIN_ROWS];
    spin s = {.series = series};
    carom_quat q = dice_turn(d);
    carom_vec3 w = dice_vec(d, 4);
    moments m = moments_of(inertia_of(I, turn));
    assert_int_equal(m.kind, kind);
    spin_start(&s, &m, 0.3, q, w);
    const double T = 1.7;
    while (s.until < 0.3 + T)
        spin_renew(&s);
    top b = top_of(I, turn, q, w);
    long double end[4] = {q.w, q.x, q.y, q.z};
    integrate(&b, T, end);
    assert_pose(spin_at(&s, 0.3 + T), &b, T, end, 1e-13);
}

static void test_free_rotation(void **state)
{
    (void)state;
    dice d = {51};
    const carom_quat straight = {1, 0, 0, 0};
    for (int n = 0; n < 8; n++) {
        double a = dice_between(&d, 0.5, 1), b = dice_between(&d, 0.5, 1), c = dice_between(&d, 0.55, 1.0);
        const double three[3] = {a, b, c}, rod[3] = {0.1 * a, b, 1.05 * b},
                     two[3][3] = {{a, a, c}, {c, a, a}, {a, c, a}}, one[3] = {b, b, b};
        check_free(three, n % 2 ? straight : dice_turn(&d), &d, SPIN_SERIES);
        check_free(rod, dice_turn(&d), &d, SPIN_SERIES);
        check_free(two[n % 3], n % 2 ? straight : dice_turn(&d), &d, SPIN_TOP);
        check_free(one, straight, &d, SPIN_STEADY);
    }
}

/* About the middle axis, the turn that nobody expects: after many renewals the invariants are still there. */
static void test_middle_axis(void **state)
{
    (void)state;
    double series[SPIN_TERMS][SPIN_ROWS];
    spin s = {.series = series};
    moments m = moments_of((carom_sym3){0.21, 0, 0, 0.34, 0, 0.47});
    carom_vec3 w = vec(1e-4, 7.3, 2e-5), L = vec(0.21 * w.x, 0.34 * w.y, 0.47 * w.z);
    double energy = carom_vec3_dot(L, w);
    int flips = 0;
    spin_start(&s, &m, 0, (carom_quat){1, 0, 0, 0}, w);
    for (double last = 1; s.t0 < 100; spin_renew(&s)) {
        pose p = spin_at(&s, s.t0);
        carom_vec3 own = quat_turn(quat_conjugate(p.q), p.w), now = vec(0.21 * own.x, 0.34 * own.y, 0.47 * own.z);
        assert_near(carom_vec3_length(carom_vec3_sub(quat_turn(p.q, now), L)), 0, 1e-13 * carom_vec3_length(L));
        assert_near(carom_vec3_dot(own, now), energy, 1e-13 * energy);
        flips += own.y * last < 0;
        last = own.y;
    }
    assert_true(flips > 5);
}

static void test_ramp(void **state)
{
    (void)state;
    dice d = {52};
    for (int n = 0; n < 8; n++) {
        carom_vec3 w = dice_vec(&d, 3), alpha = dice_vec(&d, 2);
        carom_quat q = dice_turn(&d);
        spin s = {.series = NULL};
        top b = {.driven = true, .w = {w.x, w.y, w.z}, .alpha = {alpha.x, alpha.y, alpha.z}};
        long double end[4] = {q.w, q.x, q.y, q.z};
        spin_drive(&s, 2, q, w, alpha);
        integrate(&b, 1.5L, end);
        assert_pose(spin_at(&s, 3.5), &b, 1.5L, end, 3e-9); /* of fourth order over pieces of 1/16 rad */
    }
}

/* The bound on |w|^2 holds at all times, and is reached by a body that comes near it. */
static void test_most(void **state)
{
    (void)state;
    dice d = {53};
    for (int n = 0; n < 60; n++) {
        double series[SPIN_TERMS][SPIN_ROWS], most = 0;
        spin s = {.series = series};
        moments m = moments_of((carom_sym3){dice_between(&d, 0.5, 1), 0, 0, dice_between(&d, 0.5, 1), 0, 0.97});
        spin_start(&s, &m, 0, dice_turn(&d), dice_vec(&d, 5));
        for (int k = 0; k < 400; k++) {
            for (int j = 0; j < 8; j++) {
                pose p = spin_at(&s, s.t0 + (s.until - s.t0) * j / 8);
                most = fmax(most, carom_vec3_dot(p.w, p.w));
            }
            spin_renew(&s);
        }
        assert_true(most <= s.most && most > 0.99 * s.most);
    }
}

/* exp of small and large turns, of both signs. */
static void test_exp(void **state)
{
    (void)state;
    for (double size = 1e-12; size < 1e4; size *= 7.3) {
        carom_vec3 v = carom_vec3_scale(size, vec(0.36, -0.48, 0.8));
        carom_quat q = quat_exp(v);
        assert_near(q.w, cos(0.5 * size), 2e-16 * (1 + size));
        assert_near(q.z, 0.8 * sin(0.5 * size), 2e-16 * fmin(size, 1 + size));
        assert_near(quat_norm(q), 1, 4e-16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_rotation), cmocka_unit_test(test_middle_axis), cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_most),          cmocka_unit_test(test_exp),
    };
    return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
