/* The reader of the program: lines in pieces of any size, files that end anywhere, and reads that fail. */
#include "support/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "input.h"

static int complaints;
static char last_complaint[256];

int complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_complaint, sizeof last_complaint, format, arguments);
    va_end(arguments);
    complaints++;
    return BAD_INPUT;
}

/* A child writes these texts one by one; the parent reads them as standard input. */
static void feed(const char *const *pieces, int count)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    if (fork() == 0) {
        for (int i = 0; i < count; i++) {
            nanosleep(&(struct timespec){0, 2000000}, NULL);
            if (write(ends[1], pieces[i], strlen(pieces[i])) < 0)
                _exit(1);
        }
        _exit(0);
    }
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
}

static void assert_lines(const char *const *wanted, int count)
{
    input in;
    carom_text text;
    int found = 0;
    assert_true(input_open(&in, "-"));
    while (input_next(&in, &text)) {
        assert_true(found < count);
        assert_int_equal(text.length, strlen(wanted[found]));
        assert_memory_equal(text.bytes, wanted[found], text.length);
        found++;
    }
    assert_int_equal(found, count);
    assert_true(input_close(&in));
    wait(NULL);
}

static void test_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {"{\"a\"",          ": 1}", "\n", "\n  \n{\"b\": \"}\\\"", "\"}\r\n{",
                                         "}\n{\"last\": 0}"};
    static const char *const lines[] = {"{\"a\": 1}", "{\"b\": \"}\\\"\"}", "{}", "{\"last\": 0}"};
    feed(pieces, 6);
    assert_lines(lines, 4);
}

static void test_document(void **state)
{
    (void)state;
    static const char *const pieces[] = {"\n\n{\n", "\"a\": {}", "\n}", "\n"};
    static const char *const whole[] = {"\n\n{\n\"a\": {}\n}"};
    feed(pieces, 4);
    assert_lines(whole, 1);
}

/* A terminal whose other side is gone: what came before is handed out, then reading fails, and that is said. */
static void test_failing_read(void **state)
{
    (void)state;
    input in;
    carom_text text;
    int master = posix_openpt(O_RDWR | O_NOCTTY), count = 0;
    if (master < 0 || grantpt(master) || unlockpt(master))
        skip();
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(write(slave, "{}\n{}\n{\"cut", 11), 11);
    dup2(master, STDIN_FILENO);
    close(slave);
    complaints = 0;
    assert_true(input_open(&in, "-"));
    while (input_next(&in, &text))
        count++;
    assert_int_equal(count, 2);
    assert_int_equal(in.trouble, EIO);
    assert_false(input_close(&in));
    assert_int_equal(complaints, 1);
    assert_non_null(strstr(last_complaint, "cannot be read further"));
    close(master);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    static const char *const paths[] = {"/no/such/file", "/", "/dev/null"};
    for (int i = 0; i < 3; i++) {
        input in;
        complaints = 0;
        assert_false(input_open(&in, paths[i]));
        (void)!input_close(&in);
        assert_int_equal(complaints, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_failing_read),
        cmocka_unit_test(test_what_cannot_be_opened),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
