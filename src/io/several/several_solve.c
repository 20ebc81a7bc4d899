/* Solve a case with several contacts, and keep what the tracer shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "io/case/reader.h"

/* Room for count elements, doubled when short; null and unchanged when memory ends. */
static void *grown(void *block, int *room, int count, size_t size)
{
    if (count <= *room)
        return block;
    int wanted = 2 * count + 32;
    void *larger = realloc(block, (size_t)wanted * size);
    if (larger)
        *room = wanted;
    return larger;
}

typedef struct keeper {
    carom_several_result *result;
    int n;
} keeper;

static void keep_event(void *context, const carom_together_event *event)
{
    carom_several_result *s = ((keeper *)context)->result;
    carom_several_event *events = grown(s->events, &s->event_room, s->event_count + 1, sizeof *events);
    if (!events)
        return;
    s->events = events;
    carom_several_event kept = {event->kind, event->contact, event->at.time};
    s->events[s->event_count++] = kept;
}

static void keep_solution(void *context, const double *p, const double *u_after)
{
    const keeper *k = context;
    carom_several_result *s = k->result;
    size_t size = (size_t)k->n * sizeof *p;
    double *all = grown(s->solutions, &s->solution_room, s->solution_count + 1, 2 * size);
    if (!all)
        return;
    s->solutions = all;
    double *here = all + (ptrdiff_t)2 * s->solution_count++ * k->n;
    memcpy(here, p, size);
    memcpy(here + k->n, u_after, size);
}

/* Room for the arrays of the outcome; false when memory ends. */
static bool allocate(const carom_case *c, carom_several_result *s)
{
    const carom_several *in = c->several;
    size_t n = (size_t)(in->problem.count * in->problem.dim), m = (size_t)in->problem.count;
    size_t bodies = (size_t)in->body_count * sizeof(carom_body), speeds = (size_t)in->mechanism.n * sizeof(double);
    size_t bytes = (3 * n + 2 * m) * sizeof(double) + bodies + speeds + m * sizeof(carom_together_mode);
    size_t work = carom_together_work(&in->problem, &in->rule);
    size_t energy = in->problem.count <= 256 ? carom_together_energy_work(&in->problem) : 0;
    work = work > energy ? work : energy;
    if (bytes > s->memory_room) {
        free(s->memory);
        s->memory = malloc(bytes);
        s->memory_room = s->memory ? bytes : 0;
    }
    if (work > s->work_room) {
        free(s->work);
        s->work = malloc(work);
        s->work_room = s->work ? work : 0;
    }
    if (!s->memory || !s->work)
        return false;
    memset(s->memory, 0, bytes);
    carom_together_outcome *out = &s->outcome;
    out->p = s->memory;
    out->u_after = out->p + n;
    out->p_compression = out->p + 2 * n;
    out->losses = out->p + 3 * n;
    s->bodies = (carom_body *)(void *)(out->losses + 2 * m);
    s->qdot_after = (double *)(void *)((char *)s->bodies + bodies);
    out->modes = (carom_together_mode *)(void *)((char *)s->qdot_after + speeds);
    return true;
}

static double body_energy(const carom_several *in, const carom_body *bodies)
{
    double sum = 0;
    for (int i = 0; i < in->body_count; i++)
        sum += carom_body_energy(&bodies[i]);
    return sum;
}

static double mechanism_energy(const carom_generalized_contacts *g)
{
    double sum = 0;
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->n; j++)
            sum += 0.5 * g->qdot[i] * g->M[i * g->n + j] * g->qdot[j];
    return sum;
}

static void apply(const carom_case *c, carom_result *result)
{
    const carom_several *in = c->several;
    carom_several_result *s = &result->several;
    carom_energy *energy = &result->energy;
    carom_bodies set = {in->body_count, in->bodies, in->problem.count, in->pairs, c->dim};
    *energy = s->outcome.energy;
    if (c->source == CAROM_SOURCE_BODIES) {
        carom_bodies_push(&set, s->outcome.p, s->bodies);
        energy->before = body_energy(in, in->bodies);
    } else if (c->source == CAROM_SOURCE_MECHANISM) {
        carom_generalized_contacts_apply(&in->mechanism, in->reduced, s->outcome.p, s->qdot_after);
        energy->before = mechanism_energy(&in->mechanism);
    } else if (in->problem.count <= 256)
        energy->before = carom_together_energy(&in->problem, s->work);
    energy->after = fmax(0, energy->before + energy->change);
}

carom_status several_solve(const carom_case *c, carom_result *result)
{
    static const carom_outcome nothing;
    carom_several_result *s = &result->several;
    keeper k = {s, c->several->problem.count * c->several->problem.dim};
    carom_together_tracer tracer = {keep_event, NULL, keep_solution, &k};
    s->event_count = s->solution_count = 0;
    result->outcome = nothing;
    result->event_count = result->mode_count = 0;
    if (!allocate(c, s))
        return result->outcome.status = CAROM_STATUS_BAD_SIZE;
    s->solution_room = 0; /* counted in solutions, whose size differs from case to case */
    free(s->solutions);
    s->solutions = NULL;
    carom_status status = carom_together_solve(&c->several->problem, &c->several->rule, &tracer, s->work, &s->outcome);
    result->outcome.status = status;
    result->outcome.flags = s->outcome.flags;
    result->outcome.solutions = s->outcome.solutions;
    result->outcome.energy = s->outcome.energy;
    apply(c, result);
    return status;
}

void several_result_free(carom_several_result *s)
{
    static const carom_several_result nothing;
    free(s->memory);
    free(s->work);
    free(s->events);
    free(s->solutions);
    *s = nothing;
}
