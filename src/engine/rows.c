/* The rows of a tile: in from the caller's arrays, through the loops, out again. */
#include <stdint.h>
#include <string.h>

#include "carom/solve.h"
#include "engine/job.h"
#include "engine/mode.h"
#include "engine/row.h"

static int whole_lines(int count)
{
    return (count + LINE - 1) / LINE * LINE;
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

void batch_scratch_set(const batch_job *job, batch_scratch *scratch)
{
    const carom_coeffs *c = &job->rule->coeffs;
    tile *x = &scratch->x;
    const int rows = job->in->count < TILE ? whole_lines((int)job->in->count) : TILE;
    x->signed_e = job->rule->law->traits & CAROM_TRAIT_SIGNED_E;
    filled(scratch->zero, rows, 0);
    filled(x->bad_coeffs, rows, 0);
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    x->in.c.name = is_read(job, CAROM_COEFF_##name, job->in->coeffs.name)                                              \
                       ? filled(scratch->shared[CAROM_COEFF_##name], rows, c->name)                                    \
                       : scratch->zero;
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* Point the tile at the rows from `first` on, and at the place of their results. */
static void point(const batch_job *job, batch_scratch *scratch, size_t first)
{
    const carom_batch_in *in = job->in;
    tile_rows *rows = &scratch->x.in;
    rows->K11 = in->K_t11 + first;
    rows->K1n = in->K_t1n + first;
    rows->Knn = in->K_nn + first;
    rows->u1 = in->u_t1 + first;
    rows->un = in->u_n + first;
    rows->K12 = job->planar ? scratch->zero : in->K_t12 + first;
    rows->K22 = job->planar ? scratch->zero : in->K_t22 + first;
    rows->K2n = job->planar ? scratch->zero : in->K_t2n + first;
    rows->u2 = job->planar ? scratch->zero : in->u_t2 + first;
    for (int k = 0; k < RESULTS; k++)
        scratch->x.out[k] = job->direct[k] ? job->to[k] + first : scratch->result[k];
    scratch->x.prefetch = job->stream && first + TILE + AHEAD <= job->in->count;
    scratch->x.stream = job->streams && scratch->x.prefetch;
    if (!job->own_coeffs)
        return;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    rows->c.name = in->coeffs.name ? in->coeffs.name + first : scratch->shared[CAROM_COEFF_##name];
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

static const double *padded(double line[LINE], const double *rows, int count, double rest)
{
    for (int i = 0; i < LINE; i++)
        line[i] = i < count ? rows[i] : rest;
    return line;
}

/* The last line of a batch may be partial. Loops read and write whole lines: they get a copy. */
static void pad_line(const batch_job *job, batch_scratch *scratch, int count)
{
    tile_rows *rows = &scratch->x.in;
    const double **const arrays[] = {&rows->K11, &rows->K12, &rows->K22, &rows->K1n, &rows->K2n,
                                     &rows->Knn, &rows->u1,  &rows->u2,  &rows->un};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = padded(scratch->partial[k], *arrays[k], count, 0);
    for (int k = 0; k < RESULTS; k++)
        scratch->x.out[k] = scratch->result[k];
    scratch->x.prefetch = scratch->x.stream = false;
    if (!job->own_coeffs)
        return;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    rows->c.name = padded(scratch->own[CAROM_COEFF_##name], rows->c.name, count, job->rule->coeffs.name);
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* One row by carom_solve. */
static void solve_row(const batch_job *job, batch_scratch *scratch, int i)
{
    const carom_law *law = job->rule->law;
    tile *x = &scratch->x;
    const carom_problem problem = tile_problem(&x->in, i);
    carom_rule own;
    carom_outcome out;
    if (job->own_coeffs) {
        own = *job->rule;
        own.coeffs = tile_coeffs(&x->in, i);
    }
    scratch->status[i] = (unsigned char)carom_solve(&problem, job->own_coeffs ? &own : job->rule, NULL, &out);
    const double result[] = {out.p.t1, out.p.t2, out.p.n, out.u_after.t1, out.u_after.t2, out.u_after.n};
    for (int k = 0; k < RESULTS; k++)
        x->out[k][i] = result[k];
    if (!job->wants_ledger)
        return;
#define CAROM_LEDGER(name, member, meaning) x->name[i] = out.member;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    x->flags[i] = out.flags;
    x->defined[i] = out.restitution.defined;
    x->mode[i] = job->out->ledger.mode ? mode_number(law->modes, law->mode_count, out.mode) : 0;
}

/* A tile is taken to be like its first row; rows of the other kind are left over. */
static bool is_planar_tile(const batch_job *job, const tile *x)
{
    return job->planar || (x->in.K22[0] == 0 && x->in.u2[0] == 0);
}

/* The loops, then the rows they left. */
static void run_loops(const batch_job *job, batch_scratch *scratch)
{
    tile *x = &scratch->x;
    if (job->own_coeffs)
        job->engine->ranges(x);
    (is_planar_tile(job, x) ? job->loops->planar : job->loops->spatial)(x);
    if (job->wants_ledger)
        job->engine->ledger(x);
    memset(scratch->status, CAROM_STATUS_OK, (size_t)scratch->rows);
    for (int i = 0; x->any_left && i < scratch->rows; i++)
        if (x->left[i] == SEPARATES)
            scratch->status[i] = CAROM_STATUS_SEPARATING;
        else if (x->left[i] != DONE)
            solve_row(job, scratch, i);
}

/* Streaming stores only where the tile begins with a cache line: parts of one are slower than a copy. */
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

static void store_ledger(const batch_job *job, const batch_scratch *scratch, size_t first)
{
    const carom_batch_ledger *l = &job->out->ledger;
    const tile *x = &scratch->x;
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    if (l->name)                                                                                                       \
        store_row(job, l->name + first, x->name, scratch->rows);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    if (l->flags)
        store_bytes(l->flags + first, x->flags, scratch->rows);
    if (l->defined)
        store_bytes(l->defined + first, x->defined, scratch->rows);
    if (l->mode)
        store_bytes(l->mode + first, x->mode, scratch->rows);
}

/* What is not there already. */
static void store(const batch_job *job, const batch_scratch *scratch, size_t first)
{
    const tile *x = &scratch->x;
    for (int k = 0; k < RESULTS; k++)
        if (job->to[k] && x->out[k] == scratch->result[k])
            store_row(job, job->to[k] + first, x->out[k], scratch->rows);
    if (job->wants_ledger)
        store_ledger(job, scratch, first);
}

/* Rows of whole lines, or of less than one. */
static void resolve(const batch_job *job, batch_scratch *scratch, size_t first, int count)
{
    tile *x = &scratch->x;
    scratch->rows = count;
    scratch->status = job->out->status ? job->out->status + first : scratch->unseen;
    point(job, scratch, first);
    x->count = whole_lines(count);
    if (job->loops && x->count != count)
        pad_line(job, scratch, count);
    if (job->loops)
        run_loops(job, scratch);
    else
        for (int i = 0; i < count; i++)
            solve_row(job, scratch, i);
    store(job, scratch, first);
}

void batch_head(const batch_job *job, batch_scratch *scratch)
{
    if (job->head > 0)
        resolve(job, scratch, 0, job->head);
}

void batch_tile(const batch_job *job, batch_scratch *scratch, size_t first)
{
    size_t left = job->in->count - first;
    int count = left < TILE ? (int)left : TILE, part = count % LINE, lines = count - part;
    if (lines > 0)
        resolve(job, scratch, first, lines);
    if (part > 0)
        resolve(job, scratch, first + (size_t)lines, part);
}
