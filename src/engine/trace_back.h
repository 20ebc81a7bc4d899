/* A tracer between a law and the caller: where the gate has changed units or axes, it gives states back in the units
 * and axes of the problem. */
#ifndef CAROM_ENGINE_TRACE_BACK_H
#define CAROM_ENGINE_TRACE_BACK_H

#include "contact/impact.h"

typedef struct trace_back {
    const gate *g;
    const carom_tracer *caller;
    carom_tracer tracer;
} trace_back;

/* A piece of the law, and the way back. */
typedef struct piece_back {
    const gate *g;
    const carom_piece *piece;
} piece_back;

/* Spring lengths are counted where k_t = 1: they go like u / sqrt(K). */
static carom_state state_back(const gate *g, const carom_state *at)
{
    double unit_p = g->unit_u / g->unit_K, unit_work = g->unit_u * unit_p;
    carom_state state = *at;
    state.p = gate_back(g, unit_p, at->p);
    state.u = gate_back(g, g->unit_u, at->u);
    state.work_normal = unit_work * at->work_normal;
    state.work_friction = unit_work * at->work_friction;
    state.stretch = gate_back(g, g->unit_u / sqrt(g->unit_K), at->stretch);
    state.stored = carom_cvec_scale(unit_work, at->stored);
    return state;
}

static void event_back(void *context, const carom_event *event)
{
    const trace_back *back = context;
    const carom_event seen = {event->kind, state_back(back->g, &event->at)};
    back->caller->event(back->caller->context, &seen);
}

static void point_back(const carom_piece *piece, double s, carom_state *state)
{
    const piece_back *data = piece->data;
    carom_state at;
    data->piece->at(data->piece, s, &at);
    *state = state_back(data->g, &at);
}

static void pieces_back(void *context, const carom_piece *piece)
{
    const trace_back *back = context;
    const piece_back data = {back->g, piece};
    const double unit_p = back->g->unit_u / back->g->unit_K;
    carom_piece seen = *piece;
    seen.p_n[0] *= unit_p;
    seen.p_n[1] *= unit_p;
    seen.at = point_back;
    seen.data = &data;
    back->caller->piece(back->caller->context, &seen);
}

/* The tracer for the law: the caller's where nothing changed. */
static const carom_tracer *trace_back_begin(trace_back *back, const gate *g, const carom_tracer *caller)
{
    if (!caller || !(g->x.spectrum || g->turned))
        return caller;
    back->g = g;
    back->caller = caller;
    back->tracer = (carom_tracer){caller->event ? event_back : NULL, caller->piece ? pieces_back : NULL, back};
    return &back->tracer;
}

#endif
