/* Threads of a batch: the same answers on any number of them, in a forked child, and from several threads at once. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/parallel.h"
#include "support/check.h"
#include "support/corpus.h"

enum { ROWS = 70000, CHILD_SECONDS = 60 };

static double K_t11[ROWS], K_t1n[ROWS], K_nn[ROWS], u_t1[ROWS], u_n[ROWS];

static const char *const laws[] = {"chatterjee-momentum", "routh-stronge",
                                   "smith"}; /* with vectors, with some, without */

typedef struct answers {
    double p_n[ROWS];
} answers;

static answers alone, together[2];

static int set_up(void **state)
{
    (void)state;
    dice d = {20261116};
    for (int i = 0; i < ROWS; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
        K_t11[i] = pb.K.t11;
        K_t1n[i] = pb.K.t1n;
        K_nn[i] = pb.K.nn;
        u_t1[i] = pb.u.t1;
        u_n[i] = pb.u.n;
    }
    return 0;
}

static carom_status solve(const char *law, int threads, answers *to)
{
    carom_batch_in in = {.count = ROWS, .K_t11 = K_t11, .K_t1n = K_t1n, .K_nn = K_nn, .u_t1 = u_t1, .u_n = u_n};
    carom_batch_out out = {.count = ROWS, .p_n = to->p_n};
    carom_batch_options options = {.threads = threads};
    carom_rule rule = carom_rule_default(carom_law_find(law));
    return carom_batch_solve(&in, &rule, &out, &options);
}

static bool is_right(const char *law, int threads, answers *to)
{
    memset(to, 0, sizeof *to);
    return solve(law, threads, to) == CAROM_STATUS_OK && memcmp(to, &alone, sizeof alone) == 0;
}

/* In a child: exit status 0 when every law answers as before. A child that hangs ends with a signal. */
static int child(int depth)
{
    alarm(CHILD_SECONDS);
    for (int threads = 0; threads < 5; threads++)
        if (!is_right(laws[0], threads, &together[0]))
            return 1;
    if (depth == 0)
        return 0;
    int status = 0;
    pid_t grandchild = fork();
    if (grandchild == 0)
        _exit(child(depth - 1));
    return grandchild < 0 || waitpid(grandchild, &status, 0) != grandchild || status != 0;
}

static void fork_and_solve(void)
{
    int status = -1;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child(1));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* The class of "a forked child hangs": before the first threaded batch, after it, and between batches. */
static void test_fork(void **state)
{
    (void)state;
    assert_int_equal(solve(laws[0], 1, &alone), CAROM_STATUS_OK);
    fork_and_solve();
    for (int i = 0; i < 3; i++) {
        assert_true(is_right(laws[0], 0, &together[1]));
        fork_and_solve();
    }
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        assert_int_equal(solve(laws[i], 1, &alone), CAROM_STATUS_OK);
        for (int threads = 0; threads < 8; threads += 2)
            assert_true(is_right(laws[i], threads, &together[0]));
    }
}

static void *caller(void *to)
{
    for (int i = 0; i < 3; i++)
        if (!is_right(laws[0], 0, to))
            return to;
    return NULL;
}

static void test_callers_at_once(void **state)
{
    (void)state;
    pthread_t threads[2];
    assert_int_equal(solve(laws[0], 1, &alone), CAROM_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, caller, &together[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

static pthread_t main_thread;
static volatile sig_atomic_t on_main, elsewhere;

static void note(int signal)
{
    (void)signal;
    if (pthread_equal(pthread_self(), main_thread))
        on_main++;
    else
        elsewhere++;
}

/* A timer that fires all the time: the caller's thread takes every signal, and no answer changes. */
static void test_signals_stay_with_the_caller(void **state)
{
    (void)state;
    main_thread = pthread_self();
    struct sigaction action = {.sa_handler = note}, before;
    assert_int_equal(solve(laws[1], 1, &alone), CAROM_STATUS_OK);
    sigaction(SIGALRM, &action, &before);
    ualarm(200, 200);
    bool right = is_right(laws[1], 0, &together[0]) && is_right(laws[1], 0, &together[1]);
    ualarm(0, 0);
    sigaction(SIGALRM, &before, NULL);
    assert_true(right);
    assert_true(on_main > 0);
    assert_int_equal(elsewhere, 0);
}

static void count_part(void *context, int i)
{
    ((int *)context)[i]++;
}

static void test_every_part_once(void **state)
{
    (void)state;
    enum { PARTS = 1237 };
    for (int threads = 0; threads < 7; threads++)
        for (int count = 0; count <= PARTS; count = 3 * count + 1) {
            int done[PARTS + 1] = {0};
            carom_parallel(threads, count, count_part, done);
            for (int i = 0; i <= PARTS; i++)
                assert_int_equal(done[i], i < count);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork), /* first: no thread has run yet */
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_callers_at_once),
        cmocka_unit_test(test_signals_stay_with_the_caller),
        cmocka_unit_test(test_every_part_once),
    };
    return cmocka_run_group_tests_name("threads", tests, set_up, NULL);
}
