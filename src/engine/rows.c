/* The rows of a tile: in from the caller's arrays, through the loops, out again. */
#include <stdint.h>
#include <string.h>

#include "carom/solve.h"
#include "engine/job.h"

static int whole_lines(int count)
{
    return (count + LANES_LINE - 1) / LANES_LINE * LANES_LINE;
}

static const double *filled(double *array, int rows, double value)
{
    for (int i = 0; i < rows; i++)
        array[i] = value;
    return array;
}

/* Loops read the coefficients that the law uses and the ledger's mu; where rows have their own, all are checked. */
static bool is_read(const batch_job *job, carom_coeff which, const double *own)
{
    return !own && (job->own_coeffs || which == CAROM_COEFF_mu || (job->rule->law->uses & (UINT64_C(1) << which)));
}

void batch_bench_set(const batch_job *job, batch_bench *bench)
{
    const carom_coeffs *c = &job->rule->coeffs;
    lanes *x = &bench->x;
    const int rows = job->in->count < LANES ? whole_lines((int)job->in->count) : LANES;
    x->whole = !job->planar;
    x->signed_e = job->rule->law->traits & CAROM_TRAIT_SIGNED_E;
    filled(bench->zero, rows, 0);
    filled(x->barred, rows, 0);
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    x->in.c.name = is_read(job, CAROM_COEFF_##name, job->in->coeffs.name)                                              \
                       ? filled(bench->shared[CAROM_COEFF_##name], rows, c->name)                                      \
                       : bench->zero;
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* Point the tile at the rows from `first` on, and at the place of their results. */
static void point(const batch_job *job, batch_bench *bench, size_t first)
{
    const carom_batch_in *in = job->in;
    lanes_rows *rows = &bench->x.in;
    rows->K11 = in->K_t11 + first;
    rows->K1n = in->K_t1n + first;
    rows->Knn = in->K_nn + first;
    rows->u1 = in->u_t1 + first;
    rows->un = in->u_n + first;
    rows->K12 = job->planar ? bench->zero : in->K_t12 + first;
    rows->K22 = job->planar ? bench->zero : in->K_t22 + first;
    rows->K2n = job->planar ? bench->zero : in->K_t2n + first;
    rows->u2 = job->planar ? bench->zero : in->u_t2 + first;
    for (int k = 0; k < LANES_RESULTS; k++)
        bench->x.at[k] = job->direct[k] ? job->to[k] + first : bench->result[k];
    bench->x.fetches = job->stream && first + LANES + LANES_AHEAD <= job->in->count;
    bench->x.around = job->around && bench->x.fetches;
    if (!job->own_coeffs)
        return;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    rows->c.name = in->coeffs.name ? in->coeffs.name + first : bench->shared[CAROM_COEFF_##name];
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

static const double *whole(double line[LANES_LINE], const double *rows, int count, double rest)
{
    for (int i = 0; i < LANES_LINE; i++)
        line[i] = i < count ? rows[i] : rest;
    return line;
}

/* The last line of a batch may not be whole. The loops read and write all of it: in a copy. */
static void make_whole(const batch_job *job, batch_bench *bench, int count)
{
    lanes_rows *rows = &bench->x.in;
    const double **const arrays[] = {&rows->K11, &rows->K12, &rows->K22, &rows->K1n, &rows->K2n,
                                     &rows->Knn, &rows->u1,  &rows->u2,  &rows->un};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = whole(bench->line[k], *arrays[k], count, 0);
    for (int k = 0; k < LANES_RESULTS; k++)
        bench->x.at[k] = bench->result[k];
    bench->x.fetches = bench->x.around = false;
    if (!job->own_coeffs)
        return;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    rows->c.name = whole(bench->own[CAROM_COEFF_##name], rows->c.name, count, job->rule->coeffs.name);
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* One row by carom_solve. */
static void solve_row(const batch_job *job, batch_bench *bench, int i)
{
    lanes *x = &bench->x;
    const carom_problem problem = lanes_problem(&x->in, i);
    carom_rule own;
    carom_outcome out;
    if (job->own_coeffs) {
        own = *job->rule;
        own.coeffs = lanes_coeffs(&x->in, i);
    }
    bench->status[i] = (unsigned char)carom_solve(&problem, job->own_coeffs ? &own : job->rule, NULL, &out);
    const double result[] = {out.p.t1, out.p.t2, out.p.n, out.u_after.t1, out.u_after.t2, out.u_after.n};
    for (int k = 0; k < LANES_RESULTS; k++)
        x->at[k][i] = result[k];
    if (!job->wants_ledger)
        return;
#define CAROM_LEDGER(name, member, meaning) x->name[i] = out.member;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    x->flags[i] = out.flags;
    x->defined[i] = out.restitution.defined;
}

/* What the loops left of a line. */
static void finish_line(const batch_job *job, batch_bench *bench, int row)
{
    const int end = row + LANES_LINE < bench->rows ? row + LANES_LINE : bench->rows;
    for (int i = row; i < end; i++)
        if (bench->x.odd[i] == ROW_APART)
            bench->status[i] = CAROM_STATUS_SEPARATING;
        else if (bench->x.odd[i] > 0)
            solve_row(job, bench, i);
}

/* The loops, then the lines they left something of. */
static void run_loops(const batch_job *job, batch_bench *bench)
{
    lanes *x = &bench->x;
    if (job->own_coeffs)
        job->ranges(x);
    job->kernel(x);
    if (job->wants_ledger)
        job->ledger(x);
    memset(bench->status, CAROM_STATUS_OK, (size_t)bench->rows);
    for (int i = 0; x->any_odd && i < bench->rows; i += LANES_LINE)
        if (lanes_any_from(x, i, ROW_APART))
            finish_line(job, bench, i);
}

/* Around the caches only where the tile begins with a line: parts of one are slower than a copy. */
static void store_row(const batch_job *job, double *to, const double *from, int count)
{
    if (job->stream && (uintptr_t)to % LINE_BYTES == 0)
        job->stream(to, from, count);
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

static void store_bytes(unsigned char *to, const double *from, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (unsigned char)from[i];
}

static void store_ledger(const batch_job *job, const batch_bench *bench, size_t first)
{
    const carom_batch_ledger *l = &job->out->ledger;
    const lanes *x = &bench->x;
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    if (l->name)                                                                                                       \
        store_row(job, l->name + first, x->name, bench->rows);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    if (l->flags)
        store_bytes(l->flags + first, x->flags, bench->rows);
    if (l->defined)
        store_bytes(l->defined + first, x->defined, bench->rows);
}

/* What is not there already. */
static void store(const batch_job *job, const batch_bench *bench, size_t first)
{
    const lanes *x = &bench->x;
    for (int k = 0; k < LANES_RESULTS; k++)
        if (job->to[k] && x->at[k] == bench->result[k])
            store_row(job, job->to[k] + first, x->at[k], bench->rows);
    if (job->wants_ledger)
        store_ledger(job, bench, first);
}

/* Rows of whole lines, or of less than one. */
static void resolve(const batch_job *job, batch_bench *bench, size_t first, int count)
{
    lanes *x = &bench->x;
    bench->rows = count;
    bench->status = job->out->status ? job->out->status + first : bench->unseen;
    point(job, bench, first);
    x->count = whole_lines(count);
    if (job->kernel && x->count != count)
        make_whole(job, bench, count);
    if (job->kernel)
        run_loops(job, bench);
    else
        for (int i = 0; i < count; i++)
            solve_row(job, bench, i);
    store(job, bench, first);
}

void batch_head(const batch_job *job, batch_bench *bench)
{
    if (job->head > 0)
        resolve(job, bench, 0, job->head);
}

void batch_tile(const batch_job *job, batch_bench *bench, size_t first)
{
    size_t left = job->in->count - first;
    int count = left < LANES ? (int)left : LANES, part = count % LANES_LINE, lines = count - part;
    if (lines > 0)
        resolve(job, bench, first, lines);
    if (part > 0)
        resolve(job, bench, first + (size_t)lines, part);
}
