#include "carom/batch.h"

#include <stdint.h>

#include "carom/assert.h"
#include "carom/solve.h"
#include "engine/job.h"
#include "engine/mode.h"

#define OUT_BYTES    (6 * sizeof(double)) /* of a row: impulse and velocity */
#define STREAM_BYTES (16u << 20)          /* outputs beyond this are not read again while they are in a cache */

static bool is_planar(const carom_batch_in *in)
{
    return !in->K_t12 && !in->K_t22 && !in->K_t2n && !in->u_t2;
}

static bool is_complete(const carom_batch_in *in)
{
    bool plane = in->K_t11 && in->K_t1n && in->K_nn && in->u_t1 && in->u_n;
    return plane && (is_planar(in) || (in->K_t12 && in->K_t22 && in->K_t2n && in->u_t2));
}

static bool any_ledger(const carom_batch_ledger *l)
{
    bool any = l->flags || l->defined || l->mode;
#define CAROM_LEDGER(name, member, meaning) any |= l->name != NULL;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    return any;
}

static bool any_own(const carom_batch_coeffs *c)
{
    bool any = false;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) any |= c->name != NULL;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return any;
}

/* |a - b| < bytes; a null pointer is far from everything. */
static bool overlap(const double *a, const double *b, size_t count)
{
    uintptr_t bytes = count * sizeof *a;
    return (uintptr_t)a - (uintptr_t)b + (bytes - 1) < 2 * bytes - 1;
}

/* No input lies there. */
static bool no_overlap(const batch_job *job, const double *to)
{
    const carom_batch_in *in = job->in;
    bool any = false;
    const double *const arrays[] = {in->K_t11, in->K_t12, in->K_t22, in->K_t1n, in->K_t2n,
                                    in->K_nn,  in->u_t1,  in->u_t2,  in->u_n};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        any |= overlap(arrays[i], to, in->count);
    if (!job->own_coeffs)
        return !any;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) any |= overlap(in->coeffs.name, to, in->count);
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return !any;
}

static void set_outputs(batch_job *job)
{
    const carom_batch_out *out = job->out;
    double *const to[RESULTS] = {out->p_t1, out->p_t2, out->p_n, out->u_t1, out->u_t2, out->u_n};
    if (out->count * OUT_BYTES > STREAM_BYTES)
        job->stream = job->engine->stream;
    job->lines = job->stream && (uintptr_t)to[0] % sizeof(double) == 0;
    for (int k = 0; k < RESULTS; k++) {
        job->to[k] = to[k];
        job->direct[k] = to[k] && no_overlap(job, to[k]);
        job->lines &= job->direct[k] && ((uintptr_t)to[k] - (uintptr_t)to[0]) % LINE_BYTES == 0;
    }
    job->streams = job->lines && !job->wants_ledger; /* the ledger reads results again */
    if (job->lines)
        job->head = (int)(-(uintptr_t)to[0] % LINE_BYTES / sizeof(double));
}

/* The loops of a law, or null: the law is not one of the library's, or has none. */
static const engine_loops *loops_of(const engine *e, const carom_law *law)
{
    const engine *best = engine_best();
    for (int i = 0; i < best->law_count; i++)
        for (int j = 0; best->laws[i] == law && j < e->loop_count; j++)
            if (e->loops[j].law == e->laws[i])
                return &e->loops[j];
    return NULL;
}

static batch_job job_of(const carom_batch_in *in, const carom_rule *rule, const carom_batch_out *out, const engine *e)
{
    batch_job job = {.in = in, .rule = rule, .out = out, .engine = e};
    bool has_path = rule->law->traits & CAROM_TRAIT_HAS_PATH;
    job.planar = is_planar(in);
    job.own_coeffs = any_own(&in->coeffs);
    job.wants_ledger = any_ledger(&out->ledger);
    job.wants_after = job.wants_ledger || out->u_t1 || out->u_t2 || out->u_n;
    if (!(has_path && job.wants_ledger) && !out->ledger.mode) /* a path and a mode are more than p and u tell */
        job.loops = loops_of(e, rule->law);
    set_outputs(&job);
    return job;
}

carom_status batch_check(const carom_batch_in *in, const carom_rule *rule, const carom_batch_out *out)
{
    carom_status status = carom_rule_check(rule, NULL);
    if (status || carom_coeffs_vary(&rule->coeffs))
        return status ? status : CAROM_STATUS_OUT_OF_SCOPE;
    if (in->count != out->count)
        return CAROM_STATUS_BAD_SIZE;
    bool any_out = out->p_t1 || out->p_t2 || out->p_n || out->u_t1 || out->u_t2 || out->u_n || out->status ||
                   any_ledger(&out->ledger);
    return in->count == 0 || (is_complete(in) && any_out) ? CAROM_STATUS_OK : CAROM_STATUS_MISSING_ARRAY;
}

carom_status carom_batch_solve(const carom_batch_in *in, const carom_rule *rule, const carom_batch_out *out,
                               const carom_batch_options *options)
{
    CAROM_ASSERT(in && rule && out);
    carom_status status = batch_check(in, rule, out);
    if (status || in->count == 0)
        return status;
    const batch_job job = job_of(in, rule, out, engine_at_most(options ? options->at_most : CAROM_ISA_BEST));
    batch_run(&job, batch_threads(&job, options ? options->threads : 0));
    return CAROM_STATUS_OK;
}

const char *carom_batch_mode(const carom_law *law, unsigned char mode)
{
    return mode_word(law, mode);
}
