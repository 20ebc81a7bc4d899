#include "engine/together_flat.h"

static bool has_spins(const carom_contacts *x, const carom_coeffs *c)
{
    for (int i = 0; i < x->count && x->dim > 3; i++)
        if (c[i].patch > 0 || c[i].rho > 0)
            return true;
    return false;
}

/* Are t2 of u, and the rows and columns t2 of K beside t1 and n, zero? */
static bool is_flat(const carom_contacts *x)
{
    const int d = x->dim;
    for (int i = 0; i < x->count; i++)
        if (x->u[d * i + 1] != 0)
            return false;
    for (int k = 0; k < x->row[x->count]; k++) {
        const double *K = x->K + d * d * k;
        if (K[1] != 0 || K[d] != 0 || K[d + 1] != 0 || K[d + 2] != 0 || K[2 * d + 1] != 0)
            return false;
    }
    return true;
}

flat_rows flat_rows_of(const carom_contacts *x, const carom_coeffs *coeffs)
{
    const flat_rows all = {x->dim, {0, 1, 2, 3, 4, 5}}, linear = {3, {0, 1, 2}}, planar = {2, {0, 2}};
    return x->dim == 2 || has_spins(x, coeffs) ? all : is_flat(x) ? planar : linear;
}

size_t flat_size(const carom_contacts *x, const flat_rows *rows)
{
    const size_t m = (size_t)x->count, r = (size_t)rows->count, d = (size_t)x->dim;
    return block_doubles(r * r * (size_t)x->row[x->count] + (4 * r + 2 * d + 2) * m);
}

flat_problem flat_cut(const carom_contacts *x, const flat_rows *rows, const carom_together_outcome *out,
                      const carom_together_tracer *tracer, block_memory *memory)
{
    const int m = x->count, blocks = x->row[m], r = rows->count, d = x->dim;
    const size_t size = (size_t)(r * m);
    flat_problem f = {.whole = x, .rows = *rows, .given = tracer, .out = *out};
    double *K = take_doubles(memory, (size_t)(r * r * blocks)), *u = take_doubles(memory, size);
    f.out.p = take_doubles(memory, size);
    f.out.u_after = take_doubles(memory, size);
    double *compression = take_doubles(memory, size);
    f.out.p_compression = out->p_compression ? compression : NULL;
    f.p = take_doubles(memory, (size_t)(d * m));
    f.u = take_doubles(memory, (size_t)(d * m));
    f.spring = take_doubles(memory, 2 * (size_t)m);
    for (int k = 0; k < r * r * blocks; k++)
        K[k] = x->K[d * d * (k / (r * r)) + d * rows->at[k % (r * r) / r] + rows->at[k % r]];
    for (int i = 0; i < r * m; i++)
        u[i] = x->u[d * (i / r) + rows->at[i % r]];
    f.cut = (carom_contacts){m, r, x->row, x->column, K, u};
    return f;
}

static void expand(const flat_problem *f, const double *cut, double *whole)
{
    const int r = f->rows.count, d = f->whole->dim;
    for (int i = 0; i < d * f->whole->count; i++)
        whole[i] = 0;
    for (int i = 0; i < r * f->whole->count; i++)
        whole[d * (i / r) + f->rows.at[i % r]] = cut[i];
}

static carom_together_state expand_state(const flat_problem *f, const carom_together_state *state)
{
    carom_together_state shown = *state;
    const int springs = f->rows.count - 1;
    if (state->p) {
        expand(f, state->p, f->p);
        shown.p = f->p;
    }
    if (state->u) {
        expand(f, state->u, f->u);
        shown.u = f->u;
    }
    for (int i = 0; state->spring && i < f->whole->count; i++) {
        f->spring[2 * i] = state->spring[springs * i];
        f->spring[2 * i + 1] = springs > 1 ? state->spring[springs * i + 1] : 0;
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
    expand(f, p, f->p);
    expand(f, u_after, f->u);
    if (f->given->solution)
        f->given->solution(f->given->context, f->p, f->u);
}

carom_together_tracer flat_tracer(flat_problem *f)
{
    carom_together_tracer tracer = {show_event, show_step, show_solution, f};
    return tracer;
}

/* Rows that were cut keep what they had, but for spins, which impulses turn along. */
static void expand_after(const flat_problem *f, carom_together_outcome *out)
{
    const int d = f->whole->dim;
    if (d > 3)
        carom_contacts_after(f->whole, out->p, f->u);
    expand(f, f->out.u_after, out->u_after);
    for (int i = 0; d > 3 && i < d * f->whole->count; i++)
        out->u_after[i] = i % d > 2 ? f->u[i] : out->u_after[i];
}

void flat_expand(const flat_problem *f, carom_together_outcome *out)
{
    carom_together_outcome whole = f->out;
    expand(f, f->out.p, out->p);
    expand_after(f, out);
    if (out->p_compression)
        expand(f, f->out.p_compression, out->p_compression);
    whole.p = out->p;
    whole.u_after = out->u_after;
    whole.p_compression = out->p_compression;
    *out = whole;
}
