/* Batches: every row is what carom_solve says about it, to the last bit, under every law and instruction set. */
#include <string.h>

#include "carom/batch.h"
#include "engine/job.h"
#include "support/check.h"
#include "support/corpus.h"

enum { ROWS = 1000, FEW = 150 }; /* not multiples of any vector or tile */

static int rows = ROWS;

/* Laws without a kernel are solved row by row: a few rows say it all. */
static void set_rows(const carom_law *law)
{
    rows = law->kernel ? ROWS : FEW;
}

/* One array per number, and the same impacts as problems and rules. */
typedef struct arrays {
    double K[6][ROWS], u[3][ROWS], p[3][ROWS], v[3][ROWS];
    double ledger[16][ROWS];
    double coeffs[CAROM_COEFF_COUNT][ROWS];
    unsigned char status[ROWS], flags[ROWS], defined[ROWS], mode[ROWS];
    carom_problem problems[ROWS];
    carom_rule rules[ROWS];
} arrays;

static arrays a; /* the test program's, not the library's */

static void set_row(int i, const carom_problem *pb)
{
    const double K[6] = {pb->K.t11, pb->K.t12, pb->K.t22, pb->K.t1n, pb->K.t2n, pb->K.nn};
    const double u[3] = {pb->u.t1, pb->u.t2, pb->u.n};
    for (int j = 0; j < 6; j++)
        a.K[j][i] = K[j];
    for (int j = 0; j < 3; j++)
        a.u[j][i] = u[j];
    a.problems[i] = *pb;
}

static carom_batch_in batch_in(void)
{
    carom_batch_in in = {.count = (size_t)rows};
    in.K_t11 = a.K[0];
    in.K_t12 = a.K[1];
    in.K_t22 = a.K[2];
    in.K_t1n = a.K[3];
    in.K_t2n = a.K[4];
    in.K_nn = a.K[5];
    in.u_t1 = a.u[0];
    in.u_t2 = a.u[1];
    in.u_n = a.u[2];
    return in;
}

static carom_batch_out batch_out(void)
{
    carom_batch_out out = {.count = (size_t)rows};
    memset(a.p, 0x55, sizeof a.p);
    memset(a.v, 0x55, sizeof a.v);
    memset(a.ledger, 0x55, sizeof a.ledger);
    memset(a.status, 0x55, sizeof a.status);
    out.p_t1 = a.p[0];
    out.p_t2 = a.p[1];
    out.p_n = a.p[2];
    out.u_t1 = a.v[0];
    out.u_t2 = a.v[1];
    out.u_n = a.v[2];
    out.status = a.status;
    return out;
}

/* What is asked for besides impulse, velocity and status. */
typedef enum asked { MOTION, LEDGER, LEDGER_AND_MODE, ASKED_COUNT } asked;

static void ask_for_ledger(carom_batch_out *out)
{
    int i = 0;
#define CAROM_LEDGER(name, member, meaning) out->ledger.name = a.ledger[i++];
#include "carom/ledger.def"
#undef CAROM_LEDGER
    out->ledger.flags = a.flags;
    out->ledger.defined = a.defined;
}

static void ask_for_own_coeffs(carom_batch_in *in)
{
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) in->coeffs.name = a.coeffs[CAROM_COEFF_##name];
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

static bool same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

#define assert_same(got, want, i)                                                                                      \
    do {                                                                                                               \
        if (!same(got, want)) {                                                                                        \
            print_error("row %d: %s = %.17g, not %.17g\n", i, #got, got, want);                                        \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

static void check_row(int i, asked what)
{
    carom_outcome out;
    carom_status status = carom_solve(&a.problems[i], &a.rules[i], NULL, &out);
    assert_int_equal(a.status[i], status);
    assert_same(a.p[0][i], out.p.t1, i);
    assert_same(a.p[1][i], out.p.t2, i);
    assert_same(a.p[2][i], out.p.n, i);
    assert_same(a.v[0][i], out.u_after.t1, i);
    assert_same(a.v[1][i], out.u_after.t2, i);
    assert_same(a.v[2][i], out.u_after.n, i);
    if (what == MOTION)
        return;
    int j = 0;
#define CAROM_LEDGER(name, member, meaning) assert_same(a.ledger[j++][i], (double)out.member, i);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    assert_int_equal(a.flags[i], out.flags);
    assert_int_equal(a.defined[i], out.restitution.defined);
    if (what == LEDGER_AND_MODE)
        assert_string_equal(carom_batch_mode(a.rules[i].law, a.mode[i]), out.mode);
}

/* All kinds of contacts side by side; for even seeds a tile of boxes, one of spheres and one of all in turn. */
static corpus_kind kind_of(int i, uint64_t seed)
{
    static const corpus_kind uniform[] = {CORPUS_GENERIC, CORPUS_SPHERE};
    const int which = i / TILE % 3;
    return seed % 2 == 0 && which < 2 ? uniform[which] : (corpus_kind)(i % CORPUS_KIND_COUNT);
}

static void fill(const carom_law *law, uint64_t seed, bool own_coeffs)
{
    dice d = {seed};
    set_rows(law);
    carom_rule shared = corpus_rule(&d, law);
    for (int i = 0; i < rows; i++) {
        carom_problem pb = corpus_problem(&d, kind_of(i, seed));
        if (dice_below(&d, 8) == 0)
            pb.u.n = -pb.u.n;
        set_row(i, &pb);
        a.rules[i] = own_coeffs ? corpus_rule(&d, law) : shared;
        for (int k = 0; k < CAROM_COEFF_COUNT; k++)
            a.coeffs[k][i] = carom_coeffs_get(&a.rules[i].coeffs, (carom_coeff)k);
    }
}

static void check_batch(const carom_law *law, bool own_coeffs, asked what, carom_batch_options options)
{
    for (uint64_t seed = 1; seed <= (law->kernel ? 4 : 1); seed++) {
        fill(law, seed, own_coeffs);
        carom_batch_in in = batch_in();
        carom_batch_out out = batch_out();
        carom_rule rule = own_coeffs ? carom_rule_default(law) : a.rules[0];
        if (own_coeffs)
            ask_for_own_coeffs(&in);
        if (what != MOTION)
            ask_for_ledger(&out);
        if (what == LEDGER_AND_MODE)
            out.ledger.mode = a.mode;
        assert_int_equal(carom_batch_solve(&in, &rule, &out, &options), CAROM_STATUS_OK);
        for (int i = 0; i < rows; i++)
            check_row(i, what);
    }
}

/* The contact-force laws, last in the manifest, go through a batch row by row: test_force.c. */
static int batch_law_count(void)
{
    int count = 0;
    while (count < carom_law_count() && !(carom_law_at(count)->traits & CAROM_TRAIT_CONTACT_FORCE))
        count++;
    return count;
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int l = 0; l < batch_law_count(); l++)
        for (carom_isa isa = carom_law_at(l)->kernel ? CAROM_ISA_BASELINE : carom_isa_best(); isa <= carom_isa_best();
             isa++)
            for (int way = 0; way < 2 * ASKED_COUNT; way++)
                check_batch(carom_law_at(l), way & 1, (asked)(way / 2), (carom_batch_options){1, isa});
}

static void test_same_bits_in_threads(void **state)
{
    (void)state;
    for (int threads = 0; threads <= 2; threads++) {
        fill(carom_law_find("routh-poisson"), 4, false);
        enum { TIMES = 40 };
        static double many[9][TIMES * FEW], p_n[TIMES * FEW];
        for (int i = 0; i < TIMES * FEW; i++) {
            for (int j = 0; j < 9; j++)
                many[j][i] = j < 6 ? a.K[j][i % FEW] : a.u[j - 6][i % FEW];
        }
        carom_batch_in in = {TIMES * FEW, many[0], many[1], many[2], many[3], many[4],
                             many[5],     many[6], many[7], many[8], {0}};
        carom_batch_out out = {.count = TIMES * FEW, .p_n = p_n};
        assert_int_equal(carom_batch_solve(&in, &a.rules[0], &out, &(carom_batch_options){threads, CAROM_ISA_BEST}),
                         CAROM_STATUS_OK);
        for (int i = 0; i < TIMES * FEW; i++) {
            carom_outcome one;
            (void)!carom_solve(&a.problems[i % FEW], &a.rules[0], NULL, &one);
            assert_same(p_n[i], one.p.n, i);
        }
    }
}

/* A planar batch has no t2 at all. */
static void test_planar(void **state)
{
    (void)state;
    for (int l = 0; l < batch_law_count(); l++) {
        dice d = {3};
        carom_rule rule = corpus_rule(&d, carom_law_at(l));
        set_rows(rule.law);
        for (int i = 0; i < rows; i++) {
            carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
            set_row(i, &pb);
            a.rules[i] = rule;
        }
        carom_batch_in in = batch_in();
        carom_batch_out out = batch_out();
        in.K_t12 = in.K_t22 = in.K_t2n = in.u_t2 = NULL;
        assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_OK);
        for (int i = 0; i < rows; i++)
            check_row(i, MOTION);
    }
}

/* The velocities may be overwritten in place. */
static void test_in_place(void **state)
{
    (void)state;
    const carom_law *law = carom_law_find("chatterjee-momentum");
    fill(law, 5, false);
    carom_batch_in in = batch_in();
    carom_batch_out out = batch_out();
    out.u_t1 = a.u[0];
    out.u_t2 = a.u[1];
    out.u_n = a.u[2];
    assert_int_equal(carom_batch_solve(&in, &a.rules[0], &out, NULL), CAROM_STATUS_OK);
    memcpy(a.v, a.u, sizeof a.v);
    for (int i = 0; i < rows; i++)
        check_row(i, MOTION);
}

/* Batches whose results go around the caches, wherever the arrays begin: array j at row `same` + j `apart` of a line.
 */
enum { MANY = 351003, MARGIN = 64 };

typedef struct many_rows {
    double *block, *array[15]; /* in, out */
} many_rows;

static void many_make(many_rows *m, int same, int apart)
{
    size_t room = (size_t)MANY / 8 * 8 + 2 * MARGIN;
    m->block = test_malloc((15 * room + 8) * sizeof(double));
    double *line = (double *)(((uintptr_t)m->block + 63) / 64 * 64);
    for (int j = 0; j < 15; j++) {
        m->array[j] = line + (size_t)j * room + 8 + same + j * apart;
        for (int i = -1; i <= MANY; i++)
            m->array[j][i] = j >= 9 || i < 0 || i == MANY ? 17 : j < 6 ? a.K[j][i % rows] : a.u[j - 6][i % rows];
    }
}

static void many_solve(const many_rows *m, const carom_rule *rule, bool in_place, carom_isa isa)
{
    double *const *x = m->array;
    double *const *v = in_place ? x + 6 : x + 12;
    carom_batch_in in = {MANY, x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], {0}};
    carom_batch_out out = {MANY, x[9], x[10], x[11], v[0], v[1], v[2], NULL, {0}};
    carom_batch_options options = {in_place ? 1 : 2, isa};
    assert_int_equal(carom_batch_solve(&in, rule, &out, &options), CAROM_STATUS_OK);
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < 3; j++) {
            assert_same(x[9 + j][i], a.p[j][i % rows], i);
            assert_same(v[j][i], a.v[j][i % rows], i);
        }
    for (int j = 9; j < 15; j++)
        assert_true(x[j][-1] == 17 && x[j][MANY] == 17);
}

static void check_many_rows(const carom_law *law, size_t most_ways)
{
    fill(law, 6, false);
    carom_batch_in in = batch_in();
    carom_batch_out out = batch_out();
    assert_int_equal(carom_batch_solve(&in, &a.rules[0], &out, NULL), CAROM_STATUS_OK);
    for (int i = 0; i < rows; i++)
        check_row(i, MOTION);
    static const int ways[][2] = {{0, 0}, {2, 0}, {7, 0}, {0, 1}};
    for (size_t k = 0; k < sizeof ways / sizeof ways[0] && k < most_ways; k++)
        for (int in_place = 0; in_place < 2; in_place++)
            for (carom_isa isa = k == 1 ? CAROM_ISA_BASELINE : carom_isa_best(); isa <= carom_isa_best(); isa++) {
                many_rows m;
                many_make(&m, ways[k][0], ways[k][1]);
                many_solve(&m, &a.rules[0], in_place, isa);
                test_free(m.block);
            }
}

/* Laws that send all of their results around the caches, some or none; and one with two kernels. */
static void test_many_rows(void **state)
{
    (void)state;
    check_many_rows(carom_law_find("newton"), 1);
    check_many_rows(carom_law_find("chatterjee-momentum"), 4);
    check_many_rows(carom_law_find("chatterjee-rebound"), 1);
    check_many_rows(carom_law_find("chatterjee-mix"), 1);
}

/* Rows that are refused are zero, say why, and disturb nobody. */
static void test_bad_rows(void **state)
{
    (void)state;
    static const carom_status want[] = {CAROM_STATUS_NOT_FINITE, CAROM_STATUS_IMMOVABLE, CAROM_STATUS_BAD_MATRIX,
                                        CAROM_STATUS_NOT_FINITE};
    for (int l = 0; l < batch_law_count(); l++) {
        const carom_law *law = carom_law_at(l);
        fill(law, 9, false);
        for (int i = 0; i < rows; i += 10) {
            carom_problem pb = a.problems[i];
            int kind = i / 10 % 4;
            pb.u.t1 = kind == 0 ? NAN : pb.u.t1;
            pb.K.nn = kind == 1 ? 0 : pb.K.nn;
            pb.K.t11 = kind == 2 ? -1 : pb.K.t11;
            pb.K.t12 = kind == 3 ? INFINITY : pb.K.t12;
            set_row(i, &pb);
        }
        carom_batch_in in = batch_in();
        carom_batch_out out = batch_out();
        ask_for_ledger(&out);
        assert_int_equal(carom_batch_solve(&in, &a.rules[0], &out, NULL), CAROM_STATUS_OK);
        for (int i = 0; i < rows; i++) {
            check_row(i, LEDGER);
            if (i % 10 != 0)
                continue;
            assert_int_equal(a.status[i], want[i / 10 % 4]);
            for (int j = 0; j < 3; j++)
                assert_true(a.p[j][i] == 0 && a.v[j][i] == 0);
            for (int j = 0; j < 11; j++)
                assert_true(a.ledger[j][i] == 0);
        }
    }
}

/* The same for a coefficient of one row. */
static void test_bad_coefficients(void **state)
{
    (void)state;
    fill(carom_law_find("newton"), 2, true);
    a.coeffs[CAROM_COEFF_e][100] = 1.5;
    a.coeffs[CAROM_COEFF_e][101] = -0.5;
    a.coeffs[CAROM_COEFF_mu][102] = NAN;
    a.coeffs[CAROM_COEFF_mu_s][103] = 0.5 * a.coeffs[CAROM_COEFF_mu][103] - 1e-3;
    a.coeffs[CAROM_COEFF_s_1][104] = a.coeffs[CAROM_COEFF_s_2][104] = 0.75;
    carom_batch_in in = batch_in();
    carom_batch_out out = batch_out();
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    ask_for_own_coeffs(&in);
    assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_OK);
    for (int i = 0; i < rows; i++) {
        bool bad = i >= 100 && i <= 104;
        if (!bad)
            check_row(i, MOTION);
        else
            assert_int_equal(a.status[i], i == 102 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_BAD_COEFFICIENT);
        assert_true(!bad || a.p[2][i] == 0);
    }
}

static void test_bad_batches(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    fill(rule.law, 1, false);
    carom_batch_in in = batch_in(), broken;
    carom_batch_out out = batch_out(), nothing = {.count = (size_t)rows};
    const double untouched = a.p[2][0];

    broken = in;
    broken.count--;
    assert_int_equal(carom_batch_solve(&broken, &rule, &out, NULL), CAROM_STATUS_BAD_SIZE);
    broken = in;
    broken.K_nn = NULL;
    assert_int_equal(carom_batch_solve(&broken, &rule, &out, NULL), CAROM_STATUS_MISSING_ARRAY);
    broken = in;
    broken.u_t2 = NULL; /* neither planar nor complete */
    assert_int_equal(carom_batch_solve(&broken, &rule, &out, NULL), CAROM_STATUS_MISSING_ARRAY);
    assert_int_equal(carom_batch_solve(&in, &rule, &nothing, NULL), CAROM_STATUS_MISSING_ARRAY);
    rule.coeffs.e = 2;
    assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_BAD_COEFFICIENT);
    rule.law = NULL;
    assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_NO_LAW);
    assert_same(a.p[2][0], untouched, 0);
}

static void test_empty(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    carom_batch_in in = {.count = 0};
    carom_batch_out out = {.count = 0};
    assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_OK);
}

/* Any number of threads, and any instruction set, means as many and as good as there are. */
static void test_more_than_there_is(void **state)
{
    (void)state;
    const carom_law *law = carom_law_find("routh-stronge");
    check_batch(law, false, MOTION, (carom_batch_options){100000, CAROM_ISA_AVX512});
    check_batch(law, false, MOTION, (carom_batch_options){-3, (carom_isa)77});
    assert_true(carom_batch_threads() >= 1);
    assert_string_equal(carom_isa_word(CAROM_ISA_BASELINE), "baseline");
}

/* Friction without bounds: what carom_solve says, even where its products overflow. */
static void test_unbounded_friction(void **state)
{
    (void)state;
    static const char *const laws[] = {"routh-newton", "routh-poisson", "routh-stronge"};
    const carom_problem pb = {{3, 0, 3, 0, 0, 1}, {1, 0, -1}};
    const carom_csym *K = &pb.K;
    const carom_cvec *u = &pb.u;
    const carom_batch_in in = {1, &K->t11, &K->t12, &K->t22, &K->t1n, &K->t2n, &K->nn, &u->t1, &u->t2, &u->n, {0}};
    for (int l = 0; l < 3; l++)
        for (double mu = 1e60; mu < INFINITY; mu = mu < 1e300             ? mu * 1e20
                                                   : mu < CAROM_UNBOUNDED ? CAROM_UNBOUNDED
                                                                          : INFINITY) {
            carom_rule rule = carom_rule_default(carom_law_find(laws[l]));
            rule.coeffs.mu = mu;
            carom_cvec p;
            unsigned char status;
            const carom_batch_out out = {.count = 1, .p_t1 = &p.t1, .p_t2 = &p.t2, .p_n = &p.n, .status = &status};
            carom_outcome want;
            carom_status said = carom_solve(&pb, &rule, NULL, &want);
            assert_int_equal(carom_batch_solve(&in, &rule, &out, NULL), CAROM_STATUS_OK);
            assert_int_equal(status, said);
            assert_memory_equal(&p, &want.p, sizeof p);
        }
}

/* Threads are asked for where each gets enough: more of rows that go through vectors. */
static void test_shares(void **state)
{
    (void)state;
    const int two = carom_batch_threads() < 2 ? 1 : 2;
    carom_batch_in in = {.count = 255};
    batch_job job = {.in = &in};
    assert_int_equal(batch_threads(&job, 2), 1);
    in.count = 256;
    assert_int_equal(batch_threads(&job, 2), two);
    assert_int_equal(batch_threads(&job, 1), 1);
    job.loops = engine_best()->loops;
    in.count = 4095;
    assert_int_equal(batch_threads(&job, 2), 1);
    in.count = 4096;
    assert_int_equal(batch_threads(&job, 2), two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_same_bits_in_threads),
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_bad_coefficients),
        cmocka_unit_test(test_bad_batches),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_more_than_there_is),
        cmocka_unit_test(test_unbounded_friction),
        cmocka_unit_test(test_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
