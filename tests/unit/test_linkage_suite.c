/* Random linkages, loops included, against dense algebra in a wider format: K, u, and every velocity after an impulse.
 *
 *     test_linkage_suite [ROUNDS [SEED]]      more of the same; 1 unless given */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/linkages.h"
#include "support/wide.h"

#define K_TOL 1e-9 /* the largest of 24,000 linkages: 9e-13 */

static int rounds = 1;
static uint64_t seed = 0;
static rig r;

enum { SIDE = 6 }; /* numbers of a body: v, w */

/* G, J and the velocities they act on, by rows over all bodies. */
typedef struct dense {
    wide G[WIDE_SPEEDS][SIDE * LINKAGE_BODIES], J[3][SIDE * LINKAGE_BODIES];
    wide W_J[3][SIDE * LINKAGE_BODIES]; /* then the response of all bodies */
    wide A[WIDE_SPEEDS][WIDE_SPEEDS];
    int rows, columns;
} dense;

static dense m;

static void put(wide *row, int body, double sign, carom_vec3 f, carom_vec3 t)
{
    const double numbers[SIDE] = {f.x, f.y, f.z, t.x, t.y, t.z};
    for (int k = 0; k < SIDE && body >= 0; k++)
        row[body * SIDE + k] += sign * numbers[k];
}

/* The inverse mass of all bodies times a row. */
static void weigh(const wide *row, wide *out)
{
    for (int i = 0; i < r.linkage.body_count; i++) {
        const carom_body *b = &r.bodies[i].body;
        const carom_sym3 *I = &b->inv_inertia;
        const wide *x = row + (ptrdiff_t)i * SIDE;
        wide *y = out + (ptrdiff_t)i * SIDE;
        for (int k = 0; k < 3; k++)
            y[k] = x[k] / b->mass;
        y[3] = I->xx * x[3] + I->xy * x[4] + I->xz * x[5];
        y[4] = I->xy * x[3] + I->yy * x[4] + I->yz * x[5];
        y[5] = I->xz * x[3] + I->yz * x[4] + I->zz * x[5];
    }
}

static void fill_rows(int a, int b, const carom_contact *c)
{
    const carom_vec3 axis[3] = {c->frame.t1, c->frame.t2, c->frame.n};
    m.rows = r.linkage.row_count;
    m.columns = SIDE * r.linkage.body_count;
    memset(m.G, 0, sizeof m.G);
    memset(m.J, 0, sizeof m.J);
    for (int j = 0; j < r.linkage.joint_count; j++)
        for (int i = r.joints[j].row; i < r.joints[j].row + r.joints[j].rows; i++) {
            const carom_joint_row *row = &r.linkage.rows[i];
            put(m.G[i], r.joints[j].def.a, 1, row->f, row->ta);
            put(m.G[i], r.joints[j].def.b, -1, row->f, row->tb);
        }
    for (int i = 0; i < 3; i++) {
        put(m.J[i], a, 1, axis[i], carom_vec3_cross(c->arm_a, axis[i]));
        put(m.J[i], b, -1, axis[i], carom_vec3_cross(c->arm_b, axis[i]));
    }
}

/* W_J <- W J - W G^T (G W G^T)^-1 G W J */
static void respond(void)
{
    static wide W_G[WIDE_SPEEDS][SIDE * LINKAGE_BODIES];
    for (int i = 0; i < m.rows; i++)
        weigh(m.G[i], W_G[i]);
    for (int i = 0; i < m.rows; i++)
        for (int k = 0; k <= i; k++)
            m.A[i][k] = wide_dot(m.columns, m.G[i], W_G[k]);
    wide_factor(m.rows, m.A);
    for (int i = 0; i < 3; i++) {
        wide x[WIDE_SPEEDS];
        weigh(m.J[i], m.W_J[i]);
        for (int k = 0; k < m.rows; k++)
            x[k] = wide_dot(m.columns, m.G[k], m.W_J[i]);
        wide_solve(m.rows, m.A, x);
        for (int k = 0; k < m.rows; k++)
            for (int j = 0; j < m.columns; j++)
                m.W_J[i][j] -= x[k] * W_G[k][j];
    }
}

static double K_error(const carom_csym *K)
{
    const double got[3][3] = {{K->t11, K->t12, K->t1n}, {K->t12, K->t22, K->t2n}, {K->t1n, K->t2n, K->nn}};
    double worst = 0, diagonal[3];
    for (int i = 0; i < 3; i++)
        diagonal[i] = (double)wide_dot(m.columns, m.J[i], m.W_J[i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double want = (double)wide_dot(m.columns, m.J[i], m.W_J[j]);
            if (got[i][i] > 0 && got[j][j] > 0)
                worst = fmax(worst, fabs(got[i][j] - want) / sqrt(diagonal[i] * diagonal[j]));
        }
    return worst;
}

/* Energy of the error of all velocities after p, against the energy that p moves. */
static double motion_error(const carom_member *before, carom_cvec p)
{
    const double weight[3] = {p.t1, p.t2, p.n};
    double sum = 0, size = 0;
    for (int i = 0; i < r.linkage.body_count; i++) {
        const carom_body *now = &r.bodies[i].body, *was = &before[i].body;
        double e[SIDE], s[SIDE];
        const double got[SIDE] = {now->velocity.x - was->velocity.x, now->velocity.y - was->velocity.y,
                                  now->velocity.z - was->velocity.z, now->omega.x - was->omega.x,
                                  now->omega.y - was->omega.y,       now->omega.z - was->omega.z};
        for (int k = 0; k < SIDE; k++) {
            s[k] = 0;
            for (int j = 0; j < 3; j++)
                s[k] += weight[j] * (double)m.W_J[j][i * SIDE + k];
            e[k] = got[k] - s[k];
        }
        carom_vec3 e_w = {e[3], e[4], e[5]}, s_w = {s[3], s[4], s[5]};
        sum += now->mass * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        sum += carom_vec3_dot(e_w, carom_sym3_apply(now->inertia, e_w));
        size += now->mass * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        size += carom_vec3_dot(s_w, carom_sym3_apply(now->inertia, s_w)) + carom_body_energy(was);
    }
    return sqrt(sum / size);
}

/* ---- random linkages ---- */

static void random_body(dice *d, double decades)
{
    carom_body_def def = carom_body_def_default();
    def.mass = pow(10, decades * dice_between(d, -0.5, 0.5));
    def.inertia = dice_inertia(d, def.mass);
    def.position = dice_vec3(d);
    def.orientation = dice_quat(d);
    def.velocity = dice_vec3(d);
    def.omega = dice_vec3(d);
    assert_int_equal(carom_member_init(&def, &r.bodies[r.linkage.body_count++]), CAROM_STATUS_OK);
}

static void join(dice *d, int a, int b, int linear, int angular)
{
    carom_vec3 axis_b = dice_unit(d), axis_a = angular == 2 ? dice_unit(d) : axis_b;
    rig_joint(&r, a, b, (int[]){linear, angular}, (carom_vec3[]){dice_vec3(d), axis_a, axis_b});
}

/* A tree of random joints, and loops closed by single equations while freedoms are left. */
static carom_status build(dice *d, double decades)
{
    int count = 2 + dice_below(d, 9), freedoms = 0;
    rig_clear(&r);
    for (int i = 0; i < count; i++) {
        int linear = dice_below(d, 3), angular = 1 + dice_below(d, 3);
        random_body(d, decades);
        join(d, i, i == 0 ? CAROM_WORLD : dice_below(d, i), linear, angular);
        freedoms += linear + angular;
    }
    for (int loops = dice_below(d, 4); loops > 0 && freedoms > 2; loops--, freedoms--) {
        int a = dice_below(d, count), b = dice_below(d, count);
        if (a != b)
            join(d, a, b, 2, 3);
    }
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    return carom_linkage_constrain(&r.linkage);
}

static carom_contact contact_of(dice *d, int a, int b)
{
    carom_contact c;
    carom_vec3 point = dice_vec3(d), origin = {0, 0, 0};
    carom_vec3 arm_a = carom_vec3_sub(point, r.bodies[a].body.position);
    carom_vec3 arm_b = carom_vec3_sub(point, b < 0 ? origin : r.bodies[b].body.position);
    assert_int_equal(carom_contact_init(arm_a, arm_b, dice_unit(d), &c), CAROM_STATUS_OK);
    return c;
}

typedef struct errors {
    double K, motion;
    int refused;
} errors;

static errors run(dice *d, int linkages, double decades)
{
    errors worst = {0, 0, 0};
    static carom_member before[LINKAGE_BODIES];
    for (int i = 0; i < linkages * rounds; i++) {
        if (build(d, decades)) {
            worst.refused++;
            continue;
        }
        int a = dice_below(d, r.linkage.body_count), b = dice_below(d, a + 1) - 1;
        carom_contact c = contact_of(d, a, b);
        carom_problem pb;
        if (carom_linkage_reduce(&r.linkage, a, b, &c, &pb))
            continue;
        memcpy(before, r.bodies, sizeof before);
        fill_rows(a, b, &c);
        respond();
        worst.K = fmax(worst.K, K_error(&pb.K));
        carom_cvec p = carom_cvec_scale(1 / (pb.K.t11 + pb.K.t22 + pb.K.nn), dice_cvec(d));
        carom_linkage_apply(&r.linkage, p);
        worst.motion = fmax(worst.motion, motion_error(before, p));
    }
    print_message("masses over %4.1f decades: K %.1e, velocities %.1e, refused %d of %d\n", decades, worst.K,
                  worst.motion, worst.refused, linkages * rounds);
    return worst;
}

static void test_linkages(void **state)
{
    (void)state;
    dice d = {3 + seed};
    for (double decades = 0; decades <= 12; decades += 4) {
        errors e = run(&d, 100, decades);
        assert_true(e.K < K_TOL && e.motion < K_TOL);
        assert_true(e.refused <= 1 + 2 * rounds); /* random joints that do repeat each other */
    }
}

/* One more equation between bodies that have none left, or a joint twice: found whatever the masses. */
static void test_repeated_joints_are_refused(void **state)
{
    (void)state;
    dice d = {8 + seed};
    for (int i = 0; i < 1000 * rounds; i++) {
        if (build(&d, dice_between(&d, 0, 10)))
            continue;
        const carom_joint_def *twin = &r.defs[dice_below(&d, r.linkage.body_count)];
        int count = r.linkage.joint_count;
        if (i % 2)
            r.defs[count] = *twin;
        else {
            r.defs[count] = carom_joint_def_default();
            r.defs[count].a = twin->a;
            r.defs[count].b = twin->b;
            r.defs[count].linear = r.defs[count].angular = 0; /* a weld beside another joint */
            carom_joint_at(r.bodies, dice_vec3(&d), dice_unit(&d), dice_unit(&d), &r.defs[count]);
        }
        r.linkage.joint_count++;
        free(r.linkage.rows);
        free(r.linkage.work);
        assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
        assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OVER_CONSTRAINED);
        assert_int_equal(r.linkage.culprit, count);
    }
}

static int tidy(void **state)
{
    (void)state;
    rig_clear(&r);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linkages),
                                       cmocka_unit_test(test_repeated_joints_are_refused)};
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    return cmocka_run_group_tests(tests, NULL, tidy);
}
