/* A sweep as rows of text, in their order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/parallel.h"
#include "carom/run_record.h"
#include "csv.h"
#include "output.h"
#include "progress.h"
#include "sweep.h"

enum { CASES = 512, RUNS = 16 }; /* that a thread takes at a time: runs are long */

/* The rows of one stretch of points as text, made by one thread. */
typedef struct worker {
    carom_sweep_point point;
    const sweep_device *device;
    bool json;
    long from, to;
    char *text;
    size_t length;
} worker;

static void put_row(FILE *out, const carom_sweep_point *p)
{
    const carom_sweep *s = p->sweep;
    char text[CAROM_QUANTITY_WORD];
    for (int i = 0; i < s->v.count; i++) {
        carom_number_print(text, p->values[i]);
        fprintf(out, "%s%s", i ? "," : "", text);
    }
    for (int k = 0; k < carom_sweep_words(s); k++) {
        carom_sweep_word(p, k, text);
        csv_word(out, text);
    }
    for (int k = 0; k < carom_sweep_numbers(s); k++)
        csv_number(out, carom_sweep_number(p, k));
    fputc('\n', out);
}

static void put_point(worker *w, long i, FILE *out)
{
    carom_case_error error;
    if (w->device) {
        put_row(out, sweep_device_point(w->device, i));
        return;
    }
    bool fine = carom_sweep_solve(&w->point, i, &error);
    if (!w->json) {
        put_row(out, &w->point);
        return;
    }
    json_t *row = carom_sweep_json(&w->point, fine ? NULL : &error);
    json_print(out, row, true);
    json_decref(row);
}

static void work(void *context, int k)
{
    worker *w = &((worker *)context)[k];
    w->text = NULL;
    FILE *out = open_memstream(&w->text, &w->length);
    for (long i = w->from; out && i < w->to; i++)
        put_point(w, i, out);
    if (out)
        fclose(out);
}

/* Stretches of points side by side, from here on; where they end, or -1 after a complaint. */
static long work_side_by_side(const sweep *s, worker *workers, long next, int *used)
{
    const long chunk = s->device ? SWEEP_DEVICE_POINTS / s->threads : s->of.file ? RUNS : CASES, first = next;
    for (*used = 0; *used < s->threads && next < s->total; ++*used) {
        worker *w = &workers[*used];
        w->from = next;
        next = next + chunk < s->total ? next + chunk : s->total;
        w->to = next;
    }
    if (s->device && !sweep_device_solve(s->device, first, next - first))
        return -1;
    carom_parallel(*used, *used, work, workers);
    return next;
}

/* All points, written in their order. */
static bool run(sweep *s, FILE *out)
{
    worker *workers = must_have(calloc((size_t)s->threads, sizeof *workers));
    bool fine = true;
    for (int k = 0; k < s->threads; k++)
        fine = sweep_open(&workers[k].point, s) && fine;
    for (int k = 0; k < s->threads; k++) {
        workers[k].json = s->json;
        workers[k].device = s->device;
    }
    progress bar = progress_start(!s->output);
    for (long next = 0, done = 0; fine && next < s->total && !output_is_stopped(); done = next) {
        int used;
        next = work_side_by_side(s, workers, next, &used);
        fine = next >= 0;
        for (int k = 0; fine && k < used; k++) {
            if (workers[k].text)
                fwrite(workers[k].text, 1, workers[k].length, out);
            free(workers[k].text);
        }
        if (out == stdout)
            output_commit();
        if (fine)
            progress_steps(&bar, (double)next / (double)s->total, next - done);
    }
    progress_end(&bar);
    for (int k = 0; k < s->threads; k++)
        sweep_close(s, &workers[k].point);
    free(workers);
    return fine;
}

static void put_head(const carom_sweep *s, FILE *out)
{
    for (int i = 0; i < s->v.count; i++) {
        fputs(i ? "," : "", out);
        carom_csv_text(out, s->v.list[i].name);
    }
    for (int k = 0; k < carom_sweep_words(s); k++)
        csv_word(out, carom_sweep_word_name(s, k));
    for (int k = 0; k < carom_sweep_numbers(s); k++)
        csv_word(out, carom_sweep_number_name(s, k));
    fputc('\n', out);
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
    if (!s->json)
        put_head(&s->of, f.file);
    bool fine = run(s, f.file);
    return s->output ? output_close(&f, fine) && fine : fine;
}

/* ---- checks ---- */

static bool check_output(sweep *s)
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
static bool check_ranks(const sweep *s)
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

int sweep_run(sweep *s)
{
    carom_case_error error;
    if (!check_output(s) || !check_ranks(s))
        return BAD_INPUT;
    s->of.v.draws = (long)s->draws;
    s->of.v.seed = (uint64_t)s->seed;
    if (!carom_sweep_check(&s->of, &error))
        return complain_error(s->command, &error);
    if (s->of.c && s->of.c->together && !s->json)
        return complain(
            "sweep: a table has one contact per row, and this case has several; use --json or -o FILE.jsonl");
    s->total = carom_sweep_total(&s->of);
    bool fine = (!s->on_gpu || sweep_device_open(s)) && write_all(s);
    sweep_device_close(s);
    const char *first = s->first_refusal.message;
    if (fine && s->refused)
        complain("%s: %ld of %ld points were refused%s%s", s->command, s->refused, s->total,
                 first[0] ? "; the first: " : "", first);
    return !fine || s->refused == s->total ? BAD_INPUT : FINE;
}
