#include "engine/together_flat.h"

static const int kept[2] = {0, 2}; /* t1 and n of (t1, t2, n) */

bool flat_is_flat(const carom_contacts *x)
{
    if (x->dim != 3)
        return false;
    for (int i = 0; i < x->count; i++)
        if (x->u[3 * i + 1] != 0)
            return false;
    for (int k = 0; k < x->row[x->count]; k++) {
        const double *K = x->K + 9 * k;
        if (K[1] != 0 || K[3] != 0 || K[4] != 0 || K[5] != 0 || K[7] != 0)
            return false;
    }
    return true;
}

size_t flat_size(const carom_contacts *x)
{
    return block_doubles(4 * (size_t)x->row[x->count] + (4 * 2 + 2 * 3 + 2) * (size_t)x->count);
}

flat_problem flat_cut(const carom_contacts *x, const carom_together_outcome *out, const carom_together_tracer *tracer,
                      block_memory *memory)
{
    int m = x->count, blocks = x->row[m];
    size_t rows = 2 * (size_t)m;
    flat_problem f = {.given = tracer, .out = *out};
    double *K = take_doubles(memory, 4 * (size_t)blocks), *u = take_doubles(memory, rows);
    f.out.p = take_doubles(memory, rows);
    f.out.u_after = take_doubles(memory, rows);
    double *compression = take_doubles(memory, rows);
    f.out.p_compression = out->p_compression ? compression : NULL;
    f.p = take_doubles(memory, 3 * (size_t)m);
    f.u = take_doubles(memory, 3 * (size_t)m);
    f.spring = take_doubles(memory, rows);
    for (int k = 0; k < 4 * blocks; k++)
        K[k] = x->K[9 * (k / 4) + 3 * kept[k % 4 / 2] + kept[k % 2]];
    for (int i = 0; i < 2 * m; i++)
        u[i] = x->u[3 * (i / 2) + kept[i % 2]];
    const carom_contacts planar = {m, 2, x->row, x->column, K, u};
    f.planar = planar;
    return f;
}

static void expand(int m, const double *planar, double *spatial)
{
    for (int i = 0; i < m; i++) {
        spatial[3 * i] = planar[2 * i];
        spatial[3 * i + 1] = 0;
        spatial[3 * i + 2] = planar[2 * i + 1];
    }
}

static carom_together_state expand_state(const flat_problem *f, const carom_together_state *state)
{
    carom_together_state shown = *state;
    if (state->p) {
        expand(f->planar.count, state->p, f->p);
        shown.p = f->p;
    }
    if (state->u) {
        expand(f->planar.count, state->u, f->u);
        shown.u = f->u;
    }
    for (int i = 0; state->spring && i < f->planar.count; i++) {
        f->spring[2 * i] = state->spring[i];
        f->spring[2 * i + 1] = 0;
        shown.spring = f->spring;
    }
    return shown;
}

static void show_event(void *context, const carom_together_event *event)
{
    const flat_problem *f = context;
    carom_together_event shown = {event->kind, event->contact, expand_state(f, &event->at)};
    if (f->given->event)
        f->given->event(f->given->context, &shown);
}

static void show_step(void *context, const carom_together_state *state)
{
    const flat_problem *f = context;
    carom_together_state shown = expand_state(f, state);
    if (f->given->step)
        f->given->step(f->given->context, &shown);
}

static void show_solution(void *context, const double *p, const double *u_after)
{
    const flat_problem *f = context;
    expand(f->planar.count, p, f->p);
    expand(f->planar.count, u_after, f->u);
    if (f->given->solution)
        f->given->solution(f->given->context, f->p, f->u);
}

carom_together_tracer flat_tracer(flat_problem *f)
{
    carom_together_tracer tracer = {show_event, show_step, show_solution, f};
    return tracer;
}

void flat_expand(const flat_problem *f, carom_together_outcome *out)
{
    carom_together_outcome spatial = f->out;
    int m = f->planar.count;
    expand(m, f->out.p, out->p);
    expand(m, f->out.u_after, out->u_after);
    if (out->p_compression)
        expand(m, f->out.p_compression, out->p_compression);
    spatial.p = out->p;
    spatial.u_after = out->u_after;
    spatial.p_compression = out->p_compression;
    *out = spatial;
}
