/* A sweep in shares of consecutive points. Every rank takes the next share that nobody has, its threads solve it, and
 * the rank writes its columns where they belong. Shares depend on the number of points alone, so that the file is the
 * same for any number of ranks and threads. Beside the file, a record holds a byte for each share that is done: with
 * it a run that was killed goes on. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/parallel.h"
#include "carom/statistics.h"
#include "output.h"
#include "progress.h"
#include "sweep.h"
#include "sweep_h5.h"

enum { MANY_POINTS = 1000000, COLUMNS_MOST = CAROM_STUDY_VARIABLES + SWEEP_COLUMNS };
enum { HEAD_SIZE = 128, PATH_ROOM = 4096 };

/* The columns of one share, one after the other. */
typedef struct share {
    long number, from, count;
    double *columns;
    unsigned char *status;
} share;

/* What one thread does of it. */
typedef struct part {
    carom_sweep_point point;
    const sweep_device *device; /* or null: it solves them itself */
    share *of;
    long from, to;
} part;

typedef struct shares {
    sweep *s;
    long size, count;
    part *parts;
    share now;
    unsigned char *done;
    double *statistics[QUANTITIES_MOST];
    ranks_file *file, *record;
    long long place[COLUMNS_MOST + 1]; /* of the columns in the file; the last is the status */
    char part_path[PATH_ROOM + 8], record_path[PATH_ROOM + 8];
} shares;

bool sweep_has_shares(const sweep *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    return s->quantities > 0 || (dot && strcmp(dot, ".h5") == 0);
}

/* Points that a rank takes at a time: fewer of runs, which are long, and more of many. */
static long share_size(const sweep *s, long total)
{
    const long small = s->of.file ? 32 : 512, large = s->of.file ? 1024 : 8192;
    return total < MANY_POINTS ? small : large;
}

/* ---- solving ---- */

/* Refused points have no numbers: NaN. */
static void keep(const share *h, long row, const carom_sweep_point *p)
{
    const carom_sweep *s = p->sweep;
    for (int k = 0; k < s->v.count; k++)
        h->columns[k * h->count + row] = p->values[k];
    for (int k = 0; k < carom_sweep_numbers(s); k++)
        h->columns[(s->v.count + k) * h->count + row] = carom_sweep_number(p, k);
    h->status[row] = (unsigned char)p->status;
}

static void work(void *context, int k)
{
    part *p = &((part *)context)[k];
    carom_case_error error;
    for (long i = p->from; i < p->to; i++) {
        if (!p->device)
            carom_sweep_solve(&p->point, i, &error);
        keep(p->of, i - p->of->from, p->device ? sweep_device_point(p->device, i) : &p->point);
    }
}

static bool solve_share(shares *h, long number)
{
    const int threads = (int)h->s->threads;
    long from = number * h->size, to = from + h->size < h->s->total ? from + h->size : h->s->total;
    h->now.number = number;
    h->now.from = from;
    h->now.count = to - from;
    for (int k = 0; k < threads; k++) {
        part *p = &h->parts[k];
        p->of = &h->now;
        p->device = h->s->device;
        p->from = from + (to - from) * k / threads;
        p->to = from + (to - from) * (k + 1) / threads;
    }
    if (h->s->device && !sweep_device_solve(h->s->device, from, to - from))
        return false;
    carom_parallel(threads, threads, work, h->parts);
    return true;
}

/* ---- the file and its record ---- */

static void write_head(const shares *h, char head[HEAD_SIZE])
{
    memset(head, '\n', HEAD_SIZE);
    int length = snprintf(head, HEAD_SIZE, "carom %s %016" PRIx64 ", %ld shares of %ld points", h->s->command,
                          h->s->identity, h->count, h->size);
    head[length] = '\n';
}

/* Rank 0: a new file, and a record without a share. */
static bool begin_files(shares *h)
{
    const char *names[COLUMNS_MOST];
    char head[HEAD_SIZE];
    for (int k = 0; k < sweep_column_count(h->s); k++)
        names[k] = sweep_column(h->s, k);
    write_head(h, head);
    FILE *record = fopen(h->record_path, "wb");
    if (!record) {
        complain("%s: %s", h->record_path, strerror(errno));
        return false;
    }
    memset(h->done, 0, (size_t)h->count);
    bool fine = fwrite(head, 1, HEAD_SIZE, record) == HEAD_SIZE &&
                fwrite(h->done, 1, (size_t)h->count, record) == (size_t)h->count;
    fine = fclose(record) == 0 && fine;
    if (!fine)
        complain("%s: cannot be written", h->record_path);
    return fine && h5_make(h->part_path, names, sweep_column_count(h->s), h->s->total);
}

/* Rank 0: what an earlier run has done. */
static bool read_record(shares *h)
{
    char head[HEAD_SIZE], want[HEAD_SIZE];
    FILE *record = fopen(h->record_path, "rb");
    if (!record) {
        complain("--resume: %s: %s; there is no run to go on with", h->record_path, strerror(errno));
        return false;
    }
    write_head(h, want);
    bool whole = fread(head, 1, HEAD_SIZE, record) == HEAD_SIZE &&
                 fread(h->done, 1, (size_t)h->count, record) == (size_t)h->count;
    fclose(record);
    if (!whole || memcmp(head, want, HEAD_SIZE) != 0)
        complain("--resume: %s is of a sweep with another %s, other values or another seed", h->record_path,
                 h->s->of.file ? "scene" : "case");
    return whole && memcmp(head, want, HEAD_SIZE) == 0;
}

static bool open_files(shares *h)
{
    sweep *s = h->s;
    bool fine = true;
    if (s->ranks.rank == 0)
        fine = s->resume ? read_record(h) : begin_files(h);
    if (s->ranks.rank == 0 && fine)
        fine = h5_places(h->part_path, sweep_column_count(s), h->place);
    if (!ranks_agree(fine))
        return false;
    ranks_tell(h->done, (size_t)h->count);
    ranks_tell(h->place, sizeof h->place);
    h->file = ranks_file_open(h->part_path);
    h->record = ranks_file_open(h->record_path);
    if (!h->file || !h->record)
        complain("%s: cannot be opened for writing", h->file ? h->record_path : h->part_path);
    return ranks_agree(h->file && h->record);
}

static bool write_share(shares *h)
{
    const share *now = &h->now;
    const unsigned char one = 1;
    const int columns = sweep_column_count(h->s);
    bool fine = true;
    for (int k = 0; k < columns && fine; k++)
        fine = ranks_file_write(h->file, h->place[k] + now->from * (long long)sizeof(double),
                                now->columns + k * now->count, (size_t)now->count * sizeof(double));
    fine = fine && ranks_file_write(h->file, h->place[columns] + now->from, now->status, (size_t)now->count);
    if (h->size == share_size(h->s, MANY_POINTS))
        fine = fine && ranks_file_flush(h->file);
    fine = fine && ranks_file_write(h->record, HEAD_SIZE + now->number, &one, 1);
    if (!fine)
        complain("%s: cannot be written: %s", h->part_path, errno ? strerror(errno) : "is the disk full?");
    return fine;
}

/* Rank 0: put the file in its place once every share is there. */
static bool finish_files(shares *h, bool fine)
{
    bool closed = (!h->file || ranks_file_close(h->file)) & (!h->record || ranks_file_close(h->record));
    bool whole = ranks_agree(closed && fine);
    if (h->s->ranks.rank > 0)
        return whole;
    if (whole && rename(h->part_path, h->s->output) == 0)
        return remove(h->record_path) == 0;
    if (h->file && h->record)
        complain("%s is not complete; the same command with --resume goes on where it ended", h->s->output);
    return false;
}

/* ---- the sweep ---- */

static bool take_share(shares *h)
{
    const share *now = &h->now;
    for (int q = 0; q < h->s->quantities; q++)
        carom_statistics_add(h->statistics[q], now->number,
                             now->columns + (h->s->of.v.count + h->s->quantity[q]) * now->count, (size_t)now->count);
    return !h->file || write_share(h);
}

static bool run(shares *h)
{
    bool fine = true;
    progress bar = progress_start(false);
    for (long k; fine && !output_is_stopped() && (k = ranks_take()) < h->count;) {
        if (h->done[k])
            continue;
        fine = solve_share(h, k) && take_share(h);
        progress_steps(&bar, (double)(k + 1) / (double)h->count, h->now.count * h->s->ranks.count);
    }
    progress_end(&bar);
    return fine && !output_is_stopped();
}

/* A row of the table of statistics. */
static void print_statistics(const char *name, const carom_summary *all)
{
    if (all->count == 0) {
        printf("%s,0,,,,,,,,,,,\n", name);
        return;
    }
    printf("%s,%.0f,%.10g,%.10g,%.10g", name, all->count, all->mean, all->deviation, all->least);
    for (int i = 0; i < CAROM_SUMMARY_PERCENTS; i++)
        printf(",%.4g", all->percentile[i]);
    printf(",%.10g\n", all->most);
}

static void report(shares *h)
{
    for (int q = 0; q < h->s->quantities; q++)
        ranks_sum(h->statistics[q], carom_statistics_room(h->count)); /* zero but for one rank */
    if (h->s->ranks.rank > 0 || h->s->quantities == 0)
        return;
    fputs("quantity,count,mean,deviation,least", stdout);
    for (int i = 0; i < CAROM_SUMMARY_PERCENTS; i++)
        printf(",%g%%", carom_summary_percent(i));
    fputs(",most\n", stdout);
    for (int q = 0; q < h->s->quantities; q++) {
        const carom_summary all = carom_statistics_summary(h->statistics[q], h->count);
        print_statistics(carom_sweep_number_name(&h->s->of, h->s->quantity[q]), &all);
    }
}

static void count_refused(shares *h)
{
    for (int k = 0; k < h->s->threads; k++)
        sweep_close(h->s, &h->parts[k].point);
    double refused = (double)h->s->refused;
    ranks_sum(&refused, 1);
    h->s->refused = (long)refused;
}

static bool make_shares(shares *h)
{
    sweep *s = h->s;
    const size_t columns = (size_t)sweep_column_count(s);
    bool fine = true;
    h->size = share_size(s, s->total);
    h->count = (s->total + h->size - 1) / h->size;
    h->done = must_have(calloc((size_t)h->count, 1));
    h->now.columns = must_have(calloc(columns * (size_t)h->size, sizeof(double)));
    h->now.status = must_have(calloc((size_t)h->size, 1));
    h->parts = must_have(calloc((size_t)s->threads, sizeof *h->parts));
    for (int k = 0; k < s->threads; k++)
        fine = sweep_open(&h->parts[k].point, s) && fine;
    for (int q = 0; q < s->quantities; q++)
        h->statistics[q] = must_have(calloc(carom_statistics_room(h->count), sizeof(double)));
    snprintf(h->part_path, sizeof h->part_path, "%s.part", s->output ? s->output : "");
    snprintf(h->record_path, sizeof h->record_path, "%s.shares", s->output ? s->output : "");
    return fine;
}

static void free_shares(shares *h)
{
    for (int q = 0; q < h->s->quantities; q++)
        free(h->statistics[q]);
    free(h->parts);
    free(h->now.columns);
    free(h->now.status);
    free(h->done);
}

bool sweep_shares(sweep *s)
{
    shares h = {.s = s};
    bool fine = make_shares(&h) && (!s->output || open_files(&h));
    fine = ranks_agree(fine) && run(&h);
    count_refused(&h);
    if (s->output)
        fine = finish_files(&h, fine);
    if (ranks_agree(fine))
        report(&h);
    free_shares(&h);
    return fine;
}
