/* Random mechanisms against dense algebra in a wider format: K, u, and every speed after an impulse.
 *
 *     test_mechanism_suite [ROUNDS [SEED]]      more of the same; 1 unless given
 *
 * Errors of K are measured against sqrt(K_ii K_jj), entry by entry; errors of speeds in terms of energy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/joint.h"
#include "support/check.h"
#include "support/wide.h"

/* The largest of 36,000 trees: 2.1e-12, 1.8e-12, 1.3e-11. */
#define K_TOL     1e-10
#define U_TOL     1e-11
#define SPEED_TOL 1e-9

static int rounds = 1;
static uint64_t seed = 0;
static tree t;
static wide_tree w;

typedef struct errors {
    double K, u, speeds;
} errors;

static double absolute(wide x)
{
    return fabs((double)x);
}

/* Errors of K, row by row. */
static double K_error(const carom_csym *K, wide Y[3][WIDE_SPEEDS])
{
    const double got[3][3] = {{K->t11, K->t12, K->t1n}, {K->t12, K->t22, K->t2n}, {K->t1n, K->t2n, K->nn}};
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            wide want = wide_dot(w.n, w.J[i], Y[j]);
            double scale = sqrt((double)wide_dot(w.n, w.J[i], Y[i]) * (double)wide_dot(w.n, w.J[j], Y[j]));
            if (got[i][i] > 0 && got[j][j] > 0)
                worst = fmax(worst, absolute(got[i][j] - want) / scale);
        }
    return worst;
}

/* sqrt(e M e) of the error of the speeds after p, against that of the speeds and their change. */
static double speed_error(wide M[WIDE_SPEEDS][WIDE_SPEEDS], const double *before, const double *after, const wide *step)
{
    wide e[WIDE_SPEEDS], sum = 0, size = 0;
    for (int i = 0; i < w.n; i++)
        e[i] = after[i] - (before[i] + step[i]);
    for (int i = 0; i < w.n; i++)
        for (int j = 0; j < w.n; j++) {
            sum += e[i] * M[i][j] * e[j];
            size += step[i] * M[i][j] * step[j] + before[i] * M[i][j] * before[j];
        }
    return sqrt((double)sum / (double)size);
}

static void grow(errors *worst, errors e)
{
    worst->K = fmax(worst->K, e.K);
    worst->u = fmax(worst->u, e.u);
    worst->speeds = fmax(worst->speeds, e.speeds);
}

/* One contact of the tree, by both methods. */
static errors compare(dice *d, carom_touch *touch)
{
    static wide M[WIDE_SPEEDS][WIDE_SPEEDS], Y[3][WIDE_SPEEDS];
    double before[WIDE_SPEEDS];
    wide step[WIDE_SPEEDS];
    carom_problem pb;
    errors e = {0, 0, 0};
    if (carom_touch_reduce(touch, &pb))
        return e;
    wide_place(&t, &w);
    wide_contact(&t, touch, &w);
    memcpy(M, w.M, sizeof M);
    wide_factor(w.n, w.M);
    const double u[3] = {pb.u.t1, pb.u.t2, pb.u.n};
    double speed = 0;
    for (int i = 0; i < 3; i++) {
        wide sum = 0;
        for (int k = 0; k < w.n; k++) {
            Y[i][k] = w.J[i][k];
            sum += w.J[i][k] * t.qdot[k];
            speed += absolute(w.J[i][k] * t.qdot[k]);
        }
        wide_solve(w.n, w.M, Y[i]);
        e.u = fmax(e.u, absolute(u[i] - sum));
    }
    e.u /= speed;
    e.K = K_error(&pb.K, Y);
    carom_cvec p = carom_cvec_scale(1 / (pb.K.t11 + pb.K.t22 + pb.K.nn), dice_cvec(d));
    for (int k = 0; k < w.n; k++) {
        before[k] = t.qdot[k];
        step[k] = p.t1 * Y[0][k] + p.t2 * Y[1][k] + p.n * Y[2][k];
    }
    carom_touch_apply(touch, p);
    e.speeds = speed_error(M, before, t.qdot, step);
    return e;
}

/* With the world, or with another link. */
static carom_touch random_touch(dice *d)
{
    carom_touch touch;
    int count = t.mechanism.count, link = dice_below(d, count), other = dice_below(d, 2 * count);
    assert_int_equal(carom_touch_init(&t.motion, link, dice_vec3(d), dice_unit(d), &touch), CAROM_STATUS_OK);
    if (other < count && other != link) {
        touch.b = &t.motion;
        touch.link_b = other;
    }
    return touch;
}

static void scale_link(carom_link_def *def, double factor)
{
    carom_sym3 *I = &def->inertia;
    double *entries[6] = {&I->xx, &I->xy, &I->xz, &I->yy, &I->yz, &I->zz};
    def->mass *= factor;
    for (int i = 0; i < 6; i++)
        *entries[i] *= factor;
}

/* Trees whose masses span this many decades; heavier towards the root, towards the tips, or anywhere. */
typedef enum order { ANY_ORDER, HEAVY_ROOT, HEAVY_TIPS } order;

static errors run(dice *d, int trees, double decades, order heavy)
{
    errors worst = {0, 0, 0};
    for (int i = 0; i < trees * rounds; i++) {
        int count = 1 + dice_below(d, 14);
        for (int k = 0; k < count; k++) {
            double part = heavy == ANY_ORDER ? dice_between(d, 0, 1) : (double)k / count;
            t.defs[k] = dice_link(d, k);
            scale_link(&t.defs[k], pow(10, (heavy == HEAVY_ROOT ? -1 : 1) * decades * (part - 0.5)));
        }
        assert_int_equal(tree_init(&t, count), CAROM_STATUS_OK);
        tree_shake(d, &t);
        assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
        carom_touch touch = random_touch(d);
        errors e = compare(d, &touch);
        grow(&worst, e);
    }
    print_message("masses over %4.1f decades, order %d: K %.1e, u %.1e, speeds %.1e\n", decades, heavy, worst.K,
                  worst.u, worst.speeds);
    return worst;
}

static void test_trees(void **state)
{
    (void)state;
    dice d = {1 + seed};
    for (double decades = 0; decades <= 12; decades += 4)
        for (order heavy = ANY_ORDER; heavy <= HEAVY_TIPS; heavy++) {
            errors e = run(&d, 100, decades, heavy);
            assert_true(e.K < K_TOL && e.u < U_TOL && e.speeds < SPEED_TOL);
        }
}

/* ---- long chains ---- */

enum { LONG = 100000 };
#define LONG_TOL 1e-10

static void *room(size_t count, size_t size)
{
    void *block = calloc(count, size);
    assert_non_null(block);
    return block;
}

/* Links of a hanging chain with random joints and axes; every second one without mass when light. */
static void chain_defs(dice *d, carom_link_def *defs, bool light)
{
    for (int i = 0; i < LONG; i++) {
        defs[i] = dice_link(d, i);
        defs[i].parent = i - 1;
        defs[i].joint = light || i % 3 ? CAROM_JOINT_REVOLUTE : CAROM_JOINT_SPHERICAL;
        defs[i].origin = carom_vec3_make(i > 0, 0, 0);
        if (light && i % 2 == 0)
            scale_link(&defs[i], 0);
    }
}

/* u' = u + K p and the work of p, by the sweeps alone. */
static void check_chain(dice *d, carom_motion *m)
{
    carom_touch touch;
    carom_problem before, after;
    assert_int_equal(carom_motion_place(m), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_init(m, LONG - 1, dice_vec3(d), dice_unit(d), &touch), CAROM_STATUS_OK);
    assert_int_equal(carom_touch_reduce(&touch, &before), CAROM_STATUS_OK);
    carom_cvec p = dice_cvec(d);
    double energy = carom_motion_kinetic(m);
    carom_touch_apply(&touch, p);
    assert_int_equal(carom_touch_reduce(&touch, &after), CAROM_STATUS_OK);
    carom_cvec want = carom_cvec_add(before.u, carom_csym_apply(before.K, p));
    assert_cvec_near(after.u, want, largest(want) + largest(before.u), LONG_TOL);
    double work = 0.5 * carom_cvec_dot(p, carom_cvec_add(before.u, after.u));
    assert_near(carom_motion_kinetic(m) - energy, work, energy + fabs(work), LONG_TOL);
}

static void test_chain_of_links(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++) {
        dice d = {7 + seed};
        carom_link_def *defs = room(LONG, sizeof *defs);
        carom_link *links = room(LONG, sizeof *links);
        carom_mechanism mechanism;
        chain_defs(&d, defs, light);
        assert_int_equal(carom_mechanism_init(defs, LONG, links, &mechanism), CAROM_STATUS_OK);
        double *q = room((size_t)mechanism.nq, sizeof *q), *qdot = room((size_t)mechanism.nv, sizeof *qdot);
        carom_link_state *states = room(LONG, sizeof *states);
        carom_freedom *freedoms = room((size_t)mechanism.nv, sizeof *freedoms);
        carom_motion m = {&mechanism, q, qdot, states, freedoms, -1};
        carom_motion_reset(&m);
        for (int i = 0; i < LONG; i++)
            for (int k = 0; k < links[i].nv; k++) {
                qdot[links[i].v_at + k] = dice_gauss(&d);
                q[links[i].q_at] = links[i].nv == 1 ? dice_gauss(&d) : q[links[i].q_at];
            }
        check_chain(&d, &m);
        void *blocks[] = {defs, links, q, qdot, states, freedoms};
        for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
            free(blocks[i]);
    }
}

/* The same length of bodies on ball joints. */
static void test_chain_of_joints(void **state)
{
    (void)state;
    dice d = {9 + seed};
    carom_member *bodies = room(LONG, sizeof *bodies);
    carom_joint *joints = room(LONG, sizeof *joints);
    carom_joint_def *defs = room(LONG, sizeof *defs);
    carom_linkage l = carom_linkage_default();
    l.bodies = bodies;
    l.joints = joints;
    l.body_count = l.joint_count = LONG;
    for (int i = 0; i < LONG; i++) {
        carom_body_def def = carom_body_def_default();
        def.position = carom_vec3_make(i + 0.5, 0, 0);
        def.velocity = dice_vec3(&d);
        assert_int_equal(carom_member_init(&def, &bodies[i]), CAROM_STATUS_OK);
        defs[i] = carom_joint_def_default();
        defs[i].a = i;
        defs[i].b = i - 1;
        carom_joint_at(bodies, carom_vec3_make(i, 0, 0), carom_vec3_make(0, 0, 1), carom_vec3_make(0, 0, 1), &defs[i]);
    }
    assert_int_equal(carom_linkage_init(&l, defs), CAROM_STATUS_OK);
    l.rows = room((size_t)l.row_count, sizeof *l.rows);
    l.work = room(l.work_size, sizeof *l.work);
    assert_int_equal(carom_linkage_constrain(&l), CAROM_STATUS_OK);
    carom_contact c;
    carom_problem before, after;
    carom_vec3 arm = {0.5, 0, 0}, end = {LONG, 0, 0};
    assert_int_equal(carom_contact_init(arm, end, dice_unit(&d), &c), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_reduce(&l, LONG - 1, CAROM_WORLD, &c, &before), CAROM_STATUS_OK);
    carom_cvec p = dice_cvec(&d);
    carom_linkage_apply(&l, p);
    assert_int_equal(carom_linkage_reduce(&l, LONG - 1, CAROM_WORLD, &c, &after), CAROM_STATUS_OK);
    carom_cvec want = carom_cvec_add(before.u, carom_csym_apply(before.K, p));
    assert_cvec_near(after.u, want, largest(want) + largest(before.u), LONG_TOL);
    void *blocks[] = {bodies, joints, defs, l.rows, l.work};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_chain_of_links),
        cmocka_unit_test(test_chain_of_joints),
    };
    rounds = argc > 1 ? atoi(argv[1]) : 1;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
