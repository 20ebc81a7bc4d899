/* A sweep as rows of text, in their order; and what all sweeps have in common. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/run_record.h"
#include "csv.h"
#include "output.h"
#include "progress.h"
#include "sweep.h"

enum { MOST_THREADS = 256 };

/* The rows of one stretch of points as text, made by one thread. */
typedef struct worker {
    solver solver;
    long from, to;
    char *text;
    size_t length;
    pthread_t thread;
} worker;

static void put_values(FILE *out, const variables *v, const double *values)
{
    char text[CAROM_NUMBER_SIZE];
    for (int i = 0; i < v->count; i++) {
        carom_number_print(text, values[i]);
        fprintf(out, "%s%s", i ? "," : "", text);
    }
}

static void put_json(FILE *out, const sweep *s, const double *values, json_t *answer)
{
    json_t *varied_values = json_object(), *row = json_object();
    for (int i = 0; i < s->v.count; i++)
        json_object_set_new(varied_values, s->v.list[i].name, json_real(values[i]));
    json_object_set_new(row, "vary", varied_values);
    json_object_update(row, answer);
    json_print(out, row, true);
    json_decref(row);
    json_decref(answer);
}

static void put_point(worker *w, long i, FILE *out)
{
    const sweep *s = w->solver.s;
    double values[VARY_MOST];
    carom_case_error error = {.status = CAROM_STATUS_OK};
    const carom_case_error *why = solver_point(&w->solver, i, values, &error) ? NULL : &error;
    if (s->json)
        put_json(out, s, values, s->kind->json(&w->solver, why));
    else {
        put_values(out, &s->v, values);
        s->kind->put_row(&w->solver, why, out);
        fputc('\n', out);
    }
}

static void *work(void *context)
{
    worker *w = context;
    w->text = NULL;
    FILE *out = open_memstream(&w->text, &w->length);
    for (long i = w->from; out && i < w->to; i++)
        put_point(w, i, out);
    if (out)
        fclose(out);
    return NULL;
}

/* Stretches of points side by side, from here on; where they end. */
static long work_side_by_side(const sweep *s, worker *workers, long next, int *used)
{
    for (*used = 0; *used < s->threads && next < s->total; ++*used) {
        worker *w = &workers[*used];
        w->from = next;
        next = next + s->kind->chunk < s->total ? next + s->kind->chunk : s->total;
        w->to = next;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            work(w);
            w->thread = pthread_self();
        }
    }
    return next;
}

/* All points, written in their order. */
static bool run(sweep *s, FILE *out)
{
    worker *workers = must_have(calloc((size_t)s->threads, sizeof *workers));
    bool fine = true;
    for (int k = 0; k < s->threads; k++)
        fine = solver_open(&workers[k].solver, s) && fine;
    progress bar = progress_start(!s->output);
    for (long next = 0, done = 0; fine && next < s->total && !output_is_stopped(); done = next) {
        int used;
        next = work_side_by_side(s, workers, next, &used);
        for (int k = 0; k < used; k++) {
            if (!pthread_equal(workers[k].thread, pthread_self()))
                pthread_join(workers[k].thread, NULL);
            if (workers[k].text)
                fwrite(workers[k].text, 1, workers[k].length, out);
            free(workers[k].text);
        }
        if (out == stdout)
            output_commit();
        progress_steps(&bar, (double)next / (double)s->total, next - done);
    }
    progress_end(&bar);
    for (int k = 0; k < s->threads; k++) {
        sweep_count_refused(s, &workers[k].solver);
        solver_close(&workers[k].solver);
    }
    free(workers);
    return fine;
}

static void put_head(const sweep *s, FILE *out)
{
    for (int i = 0; i < s->v.count && !s->json; i++) {
        fputs(i ? "," : "", out);
        carom_csv_text(out, s->v.list[i].name);
    }
    if (!s->json) {
        s->kind->put_head(s, out);
        fputc('\n', out);
    }
}

/* Write everything: in shares, or as text to standard output or a file. */
static bool write_all(sweep *s)
{
    if (sweep_has_shares(s))
        return sweep_shares(s);
    output_file f = {.file = stdout};
    if (s->output)
        f = output_open(s->output);
    if (!f.file)
        return false;
    put_head(s, f.file);
    bool fine = run(s, f.file);
    return s->output ? output_close(&f, fine) && fine : fine;
}

int sweep_run(sweep *s)
{
    bool fine = write_all(s);
    const char *first = s->first_refusal;
    if (fine && s->refused)
        complain("%s: %ld of %ld points were refused%s%s", s->command, s->refused, s->total,
                 first[0] ? "; the first: " : "", first);
    return !fine || s->refused == s->total ? BAD_INPUT : FINE;
}

/* ---- options ---- */

bool sweep_read_count(const char *option, const char *text, double most, long *value)
{
    double count;
    if (carom_text_number(text, &count) && count >= 1 && count <= most && count == (double)(long)count) {
        *value = (long)count;
        return true;
    }
    complain("%s: \"%s\" is not a whole number from 1 to %g", option, text, most);
    return false;
}

bool sweep_read_threads(sweep *s, const char *text)
{
    long n = 0;
    if (!sweep_read_count("--threads", text, MOST_THREADS, &n))
        return false;
    s->threads = (int)n;
    return true;
}

int sweep_threads(const sweep *s)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (s->ranks.count > 1)
        return 1;
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (int)count;
}

bool sweep_check_output(sweep *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    if (!s->output)
        return true;
    if (dot && strcmp(dot, ".jsonl") == 0)
        s->json = true;
    if (dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".h5") == 0))
        return true;
    complain("%s: unknown ending; known are .csv, .jsonl and .h5", s->output);
    return false;
}

/* Rows of text come in their order, from one process. */
bool sweep_check_ranks(const sweep *s)
{
    if (s->ranks.count > 1 && !sweep_has_shares(s)) {
        complain("%s: under mpirun rows go into one HDF5 file (-o FILE.h5), or nowhere with --statistics", s->command);
        return false;
    }
    if (s->resume && !(s->output && sweep_has_shares(s))) {
        complain("%s: --resume goes on with a file: -o FILE.h5", s->command);
        return false;
    }
    return true;
}

bool sweep_check_total(sweep *s)
{
    double total = carom_study_total(&s->v);
    if (s->v.count == 0) {
        complain("%s: nothing to vary; say --vary NAME=FROM:TO:COUNT", s->command);
        return false;
    }
    if (!(total <= SWEEP_MOST_POINTS)) {
        complain("%s: %.6g points are too many; the most is %g", s->command, total, SWEEP_MOST_POINTS);
        return false;
    }
    s->total = (long)total;
    return true;
}
