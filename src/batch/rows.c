/* The rows of a tile: in from the caller's arrays, through the loops, out again. */
#include <string.h>

#include "batch/job.h"
#include "carom/solve.h"

enum { LINE_DOUBLES = 8 }; /* doubles per cache line */
enum { AHEAD = 1 };        /* tiles */

void batch_bench_set(const batch_job *job, batch_bench *bench)
{
    const carom_coeffs *c = &job->rule->coeffs;
    for (int i = 0; i < LANES; i++) {
        bench->zero[i] = 0;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) bench->shared[CAROM_COEFF_##name][i] = c->name;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    }
}

/* Point the tile at the rows from `first` on. */
static void point(const batch_job *job, batch_bench *bench, size_t first)
{
    const carom_batch_in *in = job->in;
    lanes_rows *rows = &bench->x.in;
    size_t left = in->count - first;
    bench->x.count = left < LANES ? (int)left : LANES;
    bench->x.signed_e = job->rule->law->traits & CAROM_TRAIT_SIGNED_E;
    rows->K11 = in->K_t11 + first;
    rows->K1n = in->K_t1n + first;
    rows->Knn = in->K_nn + first;
    rows->u1 = in->u_t1 + first;
    rows->un = in->u_n + first;
    rows->K12 = job->planar ? bench->zero : in->K_t12 + first;
    rows->K22 = job->planar ? bench->zero : in->K_t22 + first;
    rows->K2n = job->planar ? bench->zero : in->K_t2n + first;
    rows->u2 = job->planar ? bench->zero : in->u_t2 + first;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    rows->c.name = in->coeffs.name ? in->coeffs.name + first : bench->shared[CAROM_COEFF_##name];
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* One row by carom_solve. */
static void solve_row(const batch_job *job, batch_bench *bench, int i)
{
    lanes *x = &bench->x;
    const carom_problem problem = lanes_problem(&x->in, i);
    carom_rule rule = *job->rule;
    carom_outcome out;
    if (job->own_coeffs)
        rule.coeffs = lanes_coeffs(&x->in, i);
    bench->status[i] = (unsigned char)carom_solve(&problem, &rule, NULL, &out);
    x->p1[i] = out.p.t1;
    x->p2[i] = out.p.t2;
    x->pn[i] = out.p.n;
    x->v1[i] = out.u_after.t1;
    x->v2[i] = out.u_after.t2;
    x->vn[i] = out.u_after.n;
#define CAROM_LEDGER(name, member, meaning) x->name[i] = out.member;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    x->flags[i] = out.flags;
    x->defined[i] = out.restitution.defined;
}

/* The loops, then the rows they left; in a tile without any, nobody looks at rows one by one. */
static void run_loops(const batch_job *job, batch_bench *bench)
{
    lanes *x = &bench->x;
    double odd = 0;
    if (job->own_coeffs)
        job->ranges(x);
    else
        memset(x->odd, 0, sizeof x->odd);
    job->kernel(x);
    if (job->wants_ledger)
        job->ledger(x);
#pragma omp simd reduction(+ : odd)
    for (int i = 0; i < x->count; i++)
        odd += x->odd[i];
    memset(bench->status, CAROM_OK, sizeof bench->status);
    for (int i = 0; odd > 0 && i < x->count; i++)
        if (x->odd[i] == ROW_APART)
            bench->status[i] = CAROM_SEPARATING;
        else if (x->odd[i] > 0)
            solve_row(job, bench, i);
}

static void store_row(const batch_job *job, double *to, const double *from, int count)
{
    if (job->stream)
        job->stream(to, from, count);
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

static void store_bytes(unsigned char *to, const double *from, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (unsigned char)from[i];
}

static void store_ledger(const batch_job *job, const lanes *x, size_t first)
{
    const carom_batch_ledger *l = &job->out->ledger;
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    if (l->name)                                                                                                       \
        store_row(job, l->name + first, x->name, x->count);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    if (l->flags)
        store_bytes(l->flags + first, x->flags, x->count);
    if (l->defined)
        store_bytes(l->defined + first, x->defined, x->count);
}

static void store(const batch_job *job, const batch_bench *bench, size_t first)
{
    const carom_batch_out *out = job->out;
    const lanes *x = &bench->x;
    double *const to[] = {out->p_t1, out->p_t2, out->p_n, out->u_t1, out->u_t2, out->u_n};
    const double *const from[] = {x->p1, x->p2, x->pn, x->v1, x->v2, x->vn};
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        if (to[i])
            store_row(job, to[i] + first, from[i], x->count);
    if (out->status)
        memcpy(out->status + first, bench->status, (size_t)x->count);
    if (job->wants_ledger)
        store_ledger(job, x, first);
}

/* Ask for the rows of a tile some time before they are needed: the arithmetic of this tile hides the way they come. */
static void prefetch(const batch_job *job, size_t first)
{
    const carom_batch_in *in = job->in;
    const double *const arrays[] = {in->K_t11, in->K_t1n, in->K_nn,  in->u_t1, in->u_n,
                                    in->K_t12, in->K_t22, in->K_t2n, in->u_t2};
    int count = job->planar ? 5 : 9;
    if (first + LANES > in->count)
        return;
    for (int j = 0; j < count; j++)
        for (size_t i = 0; i < LANES; i += LINE_DOUBLES)
            __builtin_prefetch(arrays[j] + first + i);
}

void batch_tile(const batch_job *job, batch_bench *bench, size_t first)
{
    point(job, bench, first);
    if (job->stream)
        prefetch(job, first + AHEAD * LANES);
    if (job->kernel)
        run_loops(job, bench);
    else
        for (int i = 0; i < bench->x.count; i++)
            solve_row(job, bench, i);
    store(job, bench, first);
}
