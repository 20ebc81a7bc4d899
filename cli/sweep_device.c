/* Points of a sweep whose impacts are rows of a batch on a GPU. Threads read the cases of many points; the device
 * solves their contacts; threads apply the impulses. Points that are no row of a batch are solved by the threads. */
#include <stdlib.h>
#include <string.h>

#include "carom/gpu.h"
#include "carom/parallel.h"
#include "sweep.h"

enum {
    IN = 9 + CAROM_COEFF_COUNT, /* columns of numbers that go in, ... */
    LEDGER = 0
#define CAROM_LEDGER(name, member, meaning) +1
#include "carom/ledger.def"
#undef CAROM_LEDGER
    ,
    OUT = 6 + LEDGER, /* ... and come out, */
    BYTES = 4         /* and columns of bytes */
};

enum { NO_ROW = -1 }; /* for a point that is refused, or solved without the device */

typedef struct device_point {
    carom_sweep_point point;
    bool prepared;
    long row;
} device_point;

struct sweep_device {
    const sweep *s;
    carom_gpu gpu;
    long first, count, room; /* points at hand */
    device_point *points;
    const carom_rule *rule; /* of the rows: law and options */
    double *numbers;        /* columns of room rows each */
    unsigned char *bytes;
};

/* ---- the batch ---- */

static void put_row(sweep_device *d, long row, const carom_case *c)
{
    const carom_csym *K = &c->problem.K;
    const carom_cvec *u = &c->problem.u;
    const double problem[9] = {K->t11, K->t12, K->t22, K->t1n, K->t2n, K->nn, u->t1, u->t2, u->n};
    for (int k = 0; k < IN; k++)
        d->numbers[k * d->room + row] = k < 9 ? problem[k] : carom_coeffs_get(&c->rule.coeffs, (carom_coeff)(k - 9));
}

static carom_batch_in batch_in(const sweep_device *d, long rows)
{
    const double *x = d->numbers;
    const long n = d->room;
    carom_batch_in in = {(size_t)rows, x,         x + n,     x + 2 * n, x + 3 * n, x + 4 * n,
                         x + 5 * n,    x + 6 * n, x + 7 * n, x + 8 * n, {0}};
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) in.coeffs.name = x + (9 + CAROM_COEFF_##name) * n;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return in;
}

static carom_batch_out batch_out(const sweep_device *d, long rows)
{
    double *x = d->numbers + IN * d->room, *ledger = x + 6 * d->room;
    unsigned char *bytes = d->bytes;
    const long n = d->room;
    carom_batch_out out = {(size_t)rows, x, x + n, x + 2 * n, x + 3 * n, x + 4 * n, x + 5 * n, bytes, {0}};
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    out.ledger.name = ledger;                                                                                          \
    ledger += n;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    out.ledger.flags = bytes + n;
    out.ledger.defined = bytes + 2 * n;
    out.ledger.mode = bytes + 3 * n;
    return out;
}

/* A number of a column as the type of its member. */
#define AS_TYPE_OF(member, number) _Generic((member), int : (int)(number), default : (number))

/* The outcome of carom_solve, without events: as much as a row of a table says. */
static carom_outcome outcome_at(const carom_batch_out *out, long i, const carom_law *law)
{
    carom_outcome o = {.status = (carom_status)out->status[i],
                       .flags = out->ledger.flags[i],
                       .mode = carom_batch_mode(law, out->ledger.mode[i]),
                       .p = {out->p_t1[i], out->p_t2[i], out->p_n[i]},
                       .u_after = {out->u_t1[i], out->u_t2[i], out->u_n[i]}};
#define CAROM_LEDGER(name, number, meaning) o.number = AS_TYPE_OF(o.number, out->ledger.name[i]);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    o.restitution.defined = out->ledger.defined[i];
    o.margins.normal = o.u_after.n;
    o.margins.energy = -o.energy.change;
    return o;
}

/* ---- points ---- */

static void prepare(void *context, int k)
{
    sweep_device *d = context;
    carom_case_error error;
    d->points[k].prepared = carom_sweep_prepare(&d->points[k].point, d->first + k, &error);
}

static void finish(void *context, int k)
{
    const sweep_device *d = context;
    device_point *x = &d->points[k];
    const carom_batch_out out = batch_out(d, d->room);
    carom_outcome outcome;
    carom_case_error error;
    if (x->row != NO_ROW)
        outcome = outcome_at(&out, x->row, d->rule->law);
    if (x->prepared)
        carom_sweep_finish(&x->point, x->row == NO_ROW ? NULL : &outcome, &error);
}

/* Points that become rows, with the law and the options of the sweep; how many. */
static long fill_rows(sweep_device *d)
{
    long rows = 0;
    for (long k = 0; k < d->count; k++) {
        device_point *x = &d->points[k];
        const carom_case *c = &x->point.c;
        const bool fits = x->prepared && carom_case_is_plain(c) && c->rule.law == d->rule->law &&
                          memcmp(&c->rule.options, &d->rule->options, sizeof c->rule.options) == 0;
        x->row = fits ? rows++ : NO_ROW;
        if (fits)
            put_row(d, x->row, c);
    }
    return rows;
}

bool sweep_device_solve(sweep_device *d, long first, long count)
{
    const int threads = (int)d->s->threads;
    carom_gpu_call call = {.or_cpu = d->s->or_cpu};
    d->first = first;
    d->count = count;
    carom_parallel(threads, (int)count, prepare, d);
    const long rows = fill_rows(d);
    const carom_batch_in in = batch_in(d, rows);
    const carom_batch_out out = batch_out(d, rows);
    if (carom_gpu_solve(&d->gpu, &in, d->rule, &out, &call, NULL) != CAROM_STATUS_OK) {
        complain("%s: %s", d->s->command, carom_gpu_problem(&d->gpu));
        return false;
    }
    carom_parallel(threads, (int)count, finish, d);
    return true;
}

const carom_sweep_point *sweep_device_point(const sweep_device *d, long i)
{
    return &d->points[i - d->first].point;
}

/* ---- opening and closing ---- */

/* Why this sweep is none for a device, or null. */
static const char *reason_against(sweep_device *d, const sweep *s)
{
    if (s->json)
        return "rows of JSON list events, which batches do not have; tables and --statistics can be computed on a GPU";
    if (s->of.c->together)
        return "contacts that are solved together do not run on a GPU";
    if (carom_gpu_open(&d->gpu, NULL) != CAROM_STATUS_OK || carom_gpu_load(&d->gpu, d->rule->law) != CAROM_STATUS_OK)
        return carom_gpu_problem(&d->gpu);
    return NULL;
}

static bool take_memory(sweep_device *d, sweep *s)
{
    bool fine = true;
    d->room = s->total < SWEEP_DEVICE_POINTS ? s->total : SWEEP_DEVICE_POINTS;
    d->points = must_have(calloc((size_t)d->room, sizeof *d->points));
    d->numbers = must_have(calloc((size_t)((IN + OUT) * d->room), sizeof *d->numbers));
    d->bytes = must_have(calloc((size_t)(BYTES * d->room), 1));
    for (long k = 0; k < d->room; k++)
        fine = sweep_open(&d->points[k].point, s) && fine;
    return fine;
}

bool sweep_device_open(sweep *s)
{
    sweep_device *d = must_have(calloc(1, sizeof *d));
    d->s = s;
    d->rule = &s->of.c->rule;
    const char *reason = reason_against(d, s);
    s->device = d;
    if (!reason)
        return take_memory(d, s);
    complain("%s: %s%s", s->command, reason, s->or_cpu ? "; the processors solve all points" : "");
    sweep_device_close(s);
    return s->or_cpu;
}

void sweep_device_close(sweep *s)
{
    sweep_device *d = s->device;
    if (!d)
        return;
    for (long k = 0; d->points && k < d->room; k++)
        sweep_close(s, &d->points[k].point);
    if (d->points && s->or_cpu && carom_gpu_problem(&d->gpu)[0])
        complain("%s: %s; the processors solved the points that were left", s->command, carom_gpu_problem(&d->gpu));
    carom_gpu_close(&d->gpu);
    free(d->points);
    free(d->numbers);
    free(d->bytes);
    free(d);
    s->device = NULL;
}
