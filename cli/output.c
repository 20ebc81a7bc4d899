#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

enum { BUFFER = 1 << 16 };

static char buffer[BUFFER];
static volatile sig_atomic_t holding, received;
static int trouble;          /* errno of the first failed write */
static off_t committed = -1; /* where the last whole line ends, when standard output is a file */

/* ---- signals ---- */

static void end_by(int number)
{
    sigset_t only;
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

static void remember(int number)
{
    if (!holding || received)
        end_by(number);
    received = number;
}

static void watch(int number)
{
    struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup, background jobs */
        sigaction(number, &action, NULL);
}

void output_start(void)
{
    setvbuf(stdout, buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFFER);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a full disk */
    watch(SIGINT);
    watch(SIGTERM);
    output_commit();
}

void output_hold_signals(void)
{
    holding = 1;
}

bool output_is_stopped(void)
{
    return received || ferror(stdout);
}

bool output_wait(int file)
{
    sigset_t both, before;
    fd_set ready;
    int count;
    if (file >= FD_SETSIZE)
        return !received;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigprocmask(SIG_BLOCK, &both, &before); /* no signal comes between the look and the wait */
    do {
        FD_ZERO(&ready);
        FD_SET(file, &ready);
        count = received ? 0 : pselect(file + 1, &ready, NULL, NULL, NULL, &before);
    } while (count < 0 && errno == EINTR);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !received;
}

/* ---- standard output ---- */

static bool flush(void)
{
    errno = 0;
    bool fine = fflush(stdout) == 0 && !ferror(stdout);
    if (!fine && !trouble)
        trouble = errno;
    return fine;
}

void output_commit(void)
{
    struct stat info;
    if (!flush())
        return;
    bool is_file = fstat(STDOUT_FILENO, &info) == 0 && S_ISREG(info.st_mode);
    committed = is_file ? lseek(STDOUT_FILENO, 0, SEEK_CUR) : -1;
}

int output_finish(int status)
{
    if (!flush()) {
        if (committed >= 0 && ftruncate(STDOUT_FILENO, committed) != 0)
            complain("the last line of standard output is incomplete");
        status = complain("cannot write to standard output%s%s", trouble ? ": " : "", trouble ? strerror(trouble) : "");
    }
    if (received)
        end_by(received);
    return status;
}

/* ---- files ---- */

static char *joined(const char *path, const char *tail)
{
    size_t length = strlen(path) + strlen(tail) + 1;
    char *text = malloc(length);
    if (text)
        snprintf(text, length, "%s%s", path, tail);
    return text;
}

/* Devices and pipes are written to; anything else is replaced, a link by replacing what it points to. */
static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

output_file output_open(const char *path)
{
    if (strcmp(path, "-") == 0) {
        complain("-: must be the name of a file; standard output has the report");
        return (output_file){.file = NULL};
    }
    char tail[32], *target = realpath(path, NULL);
    output_file f = {NULL, target ? target : joined(path, ""), NULL, false, false};
    snprintf(tail, sizeof tail, ".%ld.part", (long)getpid());
    f.part = f.path ? joined(f.path, is_device(path) ? "" : tail) : NULL;
    output_hold_signals();
    f.file = f.part ? fopen(f.part, "w") : NULL;
    if (f.file)
        return f;
    complain("%s: %s", path, f.part ? strerror(errno) : "out of memory");
    free(f.path);
    free(f.part);
    return (output_file){.file = NULL};
}

/* Cut a file behind its last line break. */
static void cut_last_line(const char *path)
{
    FILE *file = fopen(path, "r+");
    long end = 0;
    if (!file)
        return;
    for (long at = 0, c; (c = fgetc(file)) != EOF;) {
        at++;
        end = c == '\n' ? at : end;
    }
    if (ftruncate(fileno(file), end) != 0)
        complain("%s: its last line is incomplete", path);
    fclose(file);
}

bool output_close(output_file *f, bool whole)
{
    bool in_place = strcmp(f->path, f->part) == 0, stopped = received && !f->keep && !f->whole_when_stopped;
    errno = 0;
    bool written = !ferror(f->file);
    written = fclose(f->file) == 0 && written;
    int why = errno;
    if (!written && f->keep && !in_place)
        cut_last_line(f->part);
    bool placed = (written || f->keep) && whole && !stopped && (in_place || rename(f->part, f->path) == 0);
    bool fine = written && placed;
    if (!fine && !stopped && whole)
        complain("%s: %s", f->path, why ? strerror(why) : errno ? strerror(errno) : "cannot be written");
    if (!placed && !in_place)
        remove(f->part);
    free(f->path);
    free(f->part);
    f->file = NULL;
    return fine;
}
