/* A batch on a GPU: chunks that alternate between two streams, and rows that come back to the processors. */
#include <string.h>

#include "carom/assert.h"
#include "carom/solve.h"
#include "engine/gpu/gpu_columns.h"
#include "engine/gpu/gpu_job.h"
#include "engine/gpu/gpu_state.h"
#include "engine/job.h"
#include "engine/mode.h"

enum { PATHS_BLOCKS = 16 }; /* per multiprocessor: enough to fill it, whatever the registers */

/* A batch, and what all its chunks share. */
typedef struct gpu_run {
    gpu_state *g;
    const carom_rule *rule;
    const gpu_image *image;
    const gpu_kernels *kernels;
    carom_batch_in in; /* of the caller */
    carom_batch_out out;
    bool on_device; /* these arrays */
    size_t rows;    /* of a chunk */
    gpu_job job;    /* without columns */
    carom_gpu_report report;
    bool no_memory; /* for rows that come back */
} gpu_run;

/* A chunk in its slot. */
typedef struct gpu_chunk {
    gpu_slot *slot;
    size_t first;
    gpu_job job;
} gpu_chunk;

static unsigned char *pointer_to(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* ---- columns to the device and back ---- */

static bool stage_in(const gpu_run *run, gpu_chunk *c, size_t count)
{
    gpu_slot *s = c->slot;
    carom_batch_in from = run->in, here = run->in;
    shift_in(&from, c->first, count);
    const size_t bytes = (size_t)(lay_in(&here, run->rows, s->staging) - s->staging);
    for (int k = 0; k < IN_COLUMNS; k++)
        if (*in_column(&from, k))
            memcpy((void *)(uintptr_t)*in_column(&here, k), *in_column(&from, k), count * sizeof(double));
    unsigned char *end = lay_in(&c->job.in, run->rows, pointer_to(s->columns));
    lay_out(&c->job.out, run->rows, end);
    return gpu_worked(run->g, run->g->driver.copy_in(s->columns, s->staging, bytes, s->stream), "when rows were sent");
}

static bool stage_out(const gpu_run *run, const gpu_chunk *c)
{
    gpu_slot *s = c->slot;
    const size_t count = c->job.in.count, skip = in_columns(&run->in) * run->rows * sizeof(double);
    carom_batch_out to = run->out, here = run->out;
    shift_out(&to, c->first, count);
    unsigned char *begin = s->staging + skip, *end = lay_out(&here, run->rows, begin);
    const gpu_driver *d = &run->g->driver;
    if (!gpu_worked(run->g, d->copy_out(begin, s->columns + skip, (size_t)(end - begin), s->stream),
                    "when answers came back") ||
        !gpu_worked(run->g, d->stream_wait(s->stream), "when answers came back"))
        return false;
    for (int k = 0; k < OUT_COLUMNS; k++)
        if (*out_column(&to, k))
            memcpy(*out_column(&to, k), *out_column(&here, k), count * sizeof(double));
    for (int k = 0; k < BYTE_COLUMNS; k++)
        if (*byte_column(&to, k))
            memcpy(*byte_column(&to, k), *byte_column(&here, k), count);
    return true;
}

/* ---- kernels ---- */

static bool launch(const gpu_run *run, void *kernel, size_t blocks, void *parameter, void *stream)
{
    const gpu_driver *d = &run->g->driver;
    return gpu_worked(run->g, d->launch(kernel, (unsigned)blocks, 1, 1, GPU_BLOCK, 1, 1, 0, stream, &parameter, NULL),
                      "when a kernel was started");
}

static size_t blocks_for(size_t threads)
{
    return (threads + GPU_BLOCK - 1) / GPU_BLOCK;
}

static size_t blocks_of_paths(const gpu_run *run, size_t rows)
{
    size_t most = (size_t)run->g->processors * PATHS_BLOCKS, useful = blocks_for(rows);
    return useful < most ? useful : most;
}

/* Send a chunk on its way. */
static bool submit(gpu_run *run, gpu_chunk *c, size_t first)
{
    gpu_state *g = run->g;
    gpu_slot *s = c->slot;
    const size_t left = run->in.count - first, count = left < run->rows ? left : run->rows;
    uint32_t *lists = (uint32_t *)(void *)pointer_to(s->lists);
    c->first = first;
    c->job = run->job;
    c->job.turning = (gpu_list){lists, lists + 64};
    c->job.left = (gpu_list){lists + 1, lists + 64 + GPU_LIST_ROWS};
    c->job.taken = lists + 2;
    if (run->on_device) {
        shift_in(&c->job.in, first, count);
        shift_out(&c->job.out, first, count);
    } else if (!stage_in(run, c, count)) {
        return false;
    }
    c->job.in.count = c->job.out.count = count;
    for (int k = 0; k < CAROM_COEFF_COUNT; k++) /* all arrays are there: those that rows share have one entry */
        if (!(run->job.own_coeffs >> k & 1))
            *in_column(&c->job.in, 9 + k) = (const double *)(void *)pointer_to(g->shared) + k;
    return gpu_worked(g, g->driver.set_words(s->lists, 0, 3, s->stream), "when a list was cleared") &&
           (run->job.paths_alone || launch(run, run->kernels->rows, blocks_for(count), &c->job, s->stream)) &&
           (!run->image->has_paths ||
            launch(run, run->kernels->paths, blocks_of_paths(run, count), &c->job, s->stream)) &&
           gpu_worked(g, g->driver.copy_out(s->counts, s->lists, 2 * sizeof(uint32_t), s->stream),
                      "when a list came back");
}

/* ---- rows that come back ---- */

#define PARCEL_BYTES (GPU_PARCEL_ROWS * ((IN_COLUMNS + OUT_COLUMNS) * sizeof(double) + BYTE_COLUMNS))

/* A parcel's columns from `at` on: the inputs that the batch has, all results, and the ledger where it is wanted. */
static unsigned char *lay_parcel(const gpu_run *run, carom_batch_in *in, carom_batch_out *out, unsigned char *at)
{
    const bool ledger = run->job.wants_ledger;
    *in = run->in;
    *out = (carom_batch_out){0};
    for (int k = 0; k < (ledger ? OUT_COLUMNS : 6); k++)
        *out_column(out, k) = (double *)(void *)at; /* it is there; lay_out says where */
    for (int k = 0; k < (ledger ? BYTE_COLUMNS : 1); k++)
        *byte_column(out, k) = at;
    unsigned char *results = lay_in(in, GPU_PARCEL_ROWS, at);
    lay_out(out, GPU_PARCEL_ROWS, results);
    return results;
}

/* Some rows of the list of a chunk: packed, solved by the processors, unpacked. */
static bool solve_parcel(const gpu_run *run, const gpu_chunk *c, uint32_t first, uint32_t count)
{
    gpu_state *g = run->g;
    const gpu_driver *d = &g->driver;
    void *stream = c->slot->stream;
    gpu_parcel x = {.list = c->job.left, .first = first, .count = count, .in = c->job.in, .out = c->job.out};
    carom_batch_in in;
    carom_batch_out out;
    unsigned char *here = g->parcel_mirror, *results = lay_parcel(run, &in, &out, here);
    (void)lay_parcel(run, &x.packed_in, &x.packed_out, pointer_to(g->parcel));
    const size_t asked = (size_t)(results - here), answered = PARCEL_BYTES - asked;
    in.count = out.count = count;
    if (!launch(run, run->kernels->pack, blocks_for(count), &x, stream) ||
        !gpu_worked(g, d->copy_out(here, g->parcel, asked, stream), "when rows came back") ||
        !gpu_worked(g, d->stream_wait(stream), "when rows came back"))
        return false;
    if (carom_batch_solve(&in, run->rule, &out, NULL) != CAROM_STATUS_OK)
        return false;
    return gpu_worked(g, d->copy_in(g->parcel + asked, results, answered, stream), "when answers were sent") &&
           launch(run, run->kernels->unpack, blocks_for(count), &x, stream) &&
           gpu_worked(g, d->stream_wait(stream), "when answers were sent");
}

/* Wait for a chunk, solve what it left, and give the caller its rows. */
static bool collect(gpu_run *run, const gpu_chunk *c)
{
    gpu_state *g = run->g;
    if (!gpu_worked(g, g->driver.stream_wait(c->slot->stream), "while it worked on rows"))
        return false;
    const uint32_t left = c->slot->counts[1];
    run->no_memory = left > 0 && !gpu_take_parcel(g, PARCEL_BYTES);
    if (run->no_memory)
        return false;
    for (uint32_t first = 0; first < left; first += GPU_PARCEL_ROWS) {
        const uint32_t rest = left - first, count = rest < GPU_PARCEL_ROWS ? rest : GPU_PARCEL_ROWS;
        if (!solve_parcel(run, c, first, count))
            return false;
    }
    if (!run->on_device && !stage_out(run, c))
        return false;
    run->report.done += c->job.in.count;
    run->report.on_host += left;
    return true;
}

/* ---- a batch ---- */

/* Every chunk is submitted before the one before it is collected. */
static bool run_chunks(gpu_run *run)
{
    gpu_chunk chunks[GPU_SLOTS] = {{.slot = &run->g->slot[0]}, {.slot = &run->g->slot[1]}};
    size_t submitted = 0;
    for (size_t first = 0; first < run->in.count; first += run->rows, submitted++) {
        if (!submit(run, &chunks[submitted % GPU_SLOTS], first))
            return false;
        if (submitted > 0 && !collect(run, &chunks[(submitted - 1) % GPU_SLOTS]))
            return false;
    }
    return collect(run, &chunks[(submitted - 1) % GPU_SLOTS]);
}

/* Rows of a chunk: as the lists allow, and for arrays of the host as the staging memory does. */
static size_t rows_of_chunk(const gpu_run *run)
{
    const size_t bytes = (in_columns(&run->in) + out_columns(&run->out)) * sizeof(double) + BYTE_COLUMNS;
    const size_t staged = run->on_device ? GPU_LIST_ROWS : GPU_STAGING_BYTES / bytes, most = run->g->rows_most;
    const size_t rows = most < staged ? most : staged, lists = rows < GPU_LIST_ROWS ? rows : GPU_LIST_ROWS;
    return run->in.count < lists ? run->in.count : lists;
}

static uint64_t own_coeffs(const carom_batch_in *in)
{
    carom_batch_in x = *in;
    uint64_t own = 0;
    for (int k = 0; k < CAROM_COEFF_COUNT; k++)
        own |= (uint64_t)(*in_column(&x, 9 + k) != NULL) << k;
    return own;
}

static bool wants_ledger(const carom_batch_out *out)
{
    carom_batch_out x = *out;
    bool any = false;
    for (int k = 6; k < OUT_COLUMNS; k++)
        any |= *out_column(&x, k) != NULL;
    for (int k = 1; k < BYTE_COLUMNS; k++)
        any |= *byte_column(&x, k) != NULL;
    return any;
}

static void prepare(gpu_run *run)
{
    const bool has_path = run->rule->law->traits & CAROM_TRAIT_HAS_PATH;
    gpu_job *job = &run->job;
    job->in = run->in;
    job->out = run->out;
    job->options = run->rule->options;
    job->own_coeffs = own_coeffs(&run->in);
    job->wants_ledger = wants_ledger(&run->out);
    job->paths_alone = !run->image->has_rows || (has_path && job->wants_ledger); /* the ledger of a path holds more */
    run->rows = rows_of_chunk(run);
}

static bool send_shared(gpu_run *run)
{
    gpu_state *g = run->g;
    const carom_law *law = run->rule->law;
    gpu_shared shared = {.coeffs = run->rule->coeffs};
    for (int k = 0; k < law->mode_count; k++)
        shared.mode_numbers[k] = mode_number(law->modes, law->mode_count, law->modes[k]);
    run->job.mode_numbers = pointer_to(g->shared) + offsetof(gpu_shared, mode_numbers);
    return gpu_worked(g, g->driver.copy_in(g->shared, &shared, sizeof shared, NULL), "when coefficients were sent") &&
           gpu_worked(g, g->driver.stream_wait(NULL), "when coefficients were sent");
}

static carom_status run_in_context(gpu_run *run)
{
    gpu_state *g = run->g;
    run->kernels = gpu_kernels_of(g, run->image);
    if (!run->kernels || !gpu_take_lists(g) || (!run->on_device && !gpu_take_staging(g)) || !send_shared(run))
        return CAROM_STATUS_NO_DEVICE;
    prepare(run);
    return run_chunks(run) ? CAROM_STATUS_OK : run->no_memory ? CAROM_STATUS_NO_DEVICE : CAROM_STATUS_DEVICE_LOST;
}

/* ---- arrays of the device ---- */

static bool is_there(gpu_state *g, const void *array, size_t count, size_t width)
{
    uint64_t address = address_of(array), base = 0;
    size_t bytes = 0;
    return !array || (address % width == 0 && g->driver.address_range(&base, &bytes, address) == 0 &&
                      count <= (bytes - (size_t)(address - base)) / width);
}

static bool all_there(gpu_run *run)
{
    bool all = true;
    for (int k = 0; k < IN_COLUMNS; k++)
        all = all && is_there(run->g, *in_column(&run->in, k), run->in.count, sizeof(double));
    for (int k = 0; k < OUT_COLUMNS; k++)
        all = all && is_there(run->g, *out_column(&run->out, k), run->in.count, sizeof(double));
    for (int k = 0; k < BYTE_COLUMNS; k++)
        all = all && is_there(run->g, *byte_column(&run->out, k), run->in.count, 1);
    if (!all)
        gpu_complain(run->g, "an array is not in the memory of the device, too short, or not aligned", -1, "");
    return all;
}

/* ---- the call ---- */

static carom_status solve_on_device(gpu_run *run)
{
    gpu_state *g = run->g;
    void *before;
    if (!g->open)
        return CAROM_STATUS_NO_DEVICE;
    if (!run->image)
        return gpu_lacks(g, run->rule->law);
    if (!gpu_worked(g, g->driver.context_push(g->context), "when its context was entered"))
        return CAROM_STATUS_NO_DEVICE;
    carom_status status = run->on_device && !all_there(run) ? CAROM_STATUS_BAD_ADDRESS : run_in_context(run);
    (void)g->driver.context_pop(&before);
    return status;
}

/* The processors take the rows that have no answer. */
static carom_status solve_rest(gpu_run *run)
{
    const size_t first = run->report.done, count = run->in.count - first;
    carom_batch_in in = run->in;
    carom_batch_out out = run->out;
    shift_in(&in, first, count);
    shift_out(&out, first, count);
    run->report.done += count;
    run->report.on_host += count;
    return carom_batch_solve(&in, run->rule, &out, NULL);
}

carom_status carom_gpu_solve(carom_gpu *gpu, const carom_batch_in *in, const carom_rule *rule,
                             const carom_batch_out *out, const carom_gpu_call *call, carom_gpu_report *report)
{
    CAROM_ASSERT(gpu && in && rule && out);
    gpu_state *g = state_of(gpu);
    gpu_run run = {.g = g, .rule = rule, .in = *in, .out = *out, .on_device = call && call->device_arrays};
    carom_status status = batch_check(in, rule, out);
    if (status == CAROM_STATUS_OK && in->count > 0) {
        if (atomic_flag_test_and_set(&g->used))
            return CAROM_STATUS_DEVICE_BUSY;
        run.image = gpu_image_of(rule->law);
        status = solve_on_device(&run);
        atomic_flag_clear(&g->used);
        if (status && !run.on_device && call && call->or_cpu)
            status = solve_rest(&run);
    }
    if (report)
        *report = run.report;
    return status;
}
