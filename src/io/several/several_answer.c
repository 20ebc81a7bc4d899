/* The answer to a case with several contacts: arrays with one entry per contact, bodies by name. */
#include <stdio.h>

#include "carom/case.h"
#include "io/case/reader.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *numbers(int count, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i] + 0.0));
    return array;
}

/* One array per contact. */
static json_t *by_contact(const carom_case *c, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < c->several->problem.count; i++)
        json_array_append_new(array, numbers(c->dim, x + (ptrdiff_t)i * c->dim));
    return array;
}

static json_t *world(const carom_case *c, carom_vec3 v)
{
    double x[3] = {v.x, v.y, v.z};
    return numbers(c->dim, x);
}

static json_t *impulses(const carom_case *c, const double *p)
{
    json_t *array = json_array();
    for (int i = 0; i < c->several->problem.count; i++) {
        const double *own = p + (ptrdiff_t)i * c->dim;
        carom_cvec v = {own[0], c->dim == 3 ? own[1] : 0, own[c->dim - 1]};
        json_array_append_new(array, world(c, carom_frame_to_world(c->several->pairs[i].contact.frame, v)));
    }
    return array;
}

static json_t *motions(const carom_case *c, const carom_several_result *s)
{
    json_t *object = json_object();
    for (int i = 0; i < c->several->body_count; i++) {
        const carom_body *b = &s->bodies[i];
        json_t *motion = json_object();
        set(motion, "velocity", world(c, b->velocity));
        set(motion, "omega", c->dim == 3 ? world(c, b->omega) : json_real(b->omega.z + 0.0));
        set(object, c->several->names[i], motion);
    }
    return object;
}

static json_t *margins(const carom_case *c, const carom_together_outcome *out)
{
    json_t *array = json_array();
    int dim = c->dim;
    for (int i = 0; i < c->several->problem.count; i++) {
        const double *p = out->p + (ptrdiff_t)i * dim;
        carom_cvec v = {p[0], dim == 3 ? p[1] : 0, p[dim - 1]};
        json_t *object = json_object();
        set(object, "normal", json_real(out->u_after[(i + 1) * dim - 1] + 0.0));
        set(object, "cone", json_real(c->several->coeffs[i].mu * v.n - carom_cvec_slip(v) + 0.0));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *energy_of(const carom_energy *e)
{
    json_t *object = json_object();
    set(object, "before", json_real(e->before));
    set(object, "after", json_real(e->after));
    set(object, "change", json_real(e->change + 0.0));
    set(object, "normal", json_real(e->normal + 0.0));
    set(object, "friction", json_real(e->friction + 0.0));
    return object;
}

static json_t *flags_of(unsigned raised)
{
    json_t *array = json_array();
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (raised >> i & 1)
            json_array_append_new(array, json_string(carom_flag_word((carom_flag)i)));
    return array;
}

static json_t *modes_of(const carom_case *c, const carom_together_outcome *out)
{
    json_t *array = json_array();
    for (int i = 0; i < c->several->problem.count; i++)
        json_array_append_new(array, json_string(carom_together_mode_word(out->modes[i])));
    return array;
}

/* The contacts of all hits, from 1. */
static json_t *sequence_of(const carom_several_result *s)
{
    json_t *array = json_array();
    for (int i = 0; i < s->event_count; i++)
        json_array_append_new(array, json_integer(s->events[i].contact + 1));
    return array;
}

/* The contacts of every reflection, from 1. */
static json_t *active_of(const carom_several_result *s)
{
    json_t *array = json_array(), *step = NULL;
    for (int i = 0; i < s->event_count; i++) {
        if (i == 0 || s->events[i].time > s->events[i - 1].time) {
            step = json_array();
            json_array_append_new(array, step);
        }
        json_array_append_new(step, json_integer(s->events[i].contact + 1));
    }
    return array;
}

static json_t *events_of(const carom_several_result *s)
{
    json_t *array = json_array();
    char word[32];
    for (int i = 0; i < s->event_count; i++) {
        snprintf(word, sizeof word, "%s%d", carom_together_event_word(s->events[i].kind), s->events[i].contact + 1);
        json_array_append_new(array, json_string(word));
    }
    return array;
}

/* The energy lost at each contact: by restitution (0) or by friction (1). */
static json_t *losses_of(const carom_case *c, const carom_together_outcome *out, int kind)
{
    json_t *array = json_array();
    for (int i = 0; i < c->several->problem.count; i++)
        json_array_append_new(array, json_real(out->losses[2 * i + kind] + 0.0));
    return array;
}

static json_t *stroke_of(const carom_stroke_result *s)
{
    json_t *object = json_object(), *slide = json_object();
    set(object, "squirt", json_real(s->squirt + 0.0));
    set(object, "miscue", json_boolean(s->miscue));
    set(slide, "time", json_real(s->slide.time));
    set(slide, "end", numbers(2, &s->slide.x));
    set(slide, "velocity", numbers(2, &s->slide.v_x));
    set(object, "slide", slide);
    return object;
}

/* What only some laws have. */
static void add_own(const carom_case *c, const carom_several_result *s, json_t *answer)
{
    const carom_together_outcome *out = &s->outcome;
    const carom_together *law = c->several->rule.law;
    if (law->traits & CAROM_TRAIT_ONE_BY_ONE) {
        set(answer, "impacts", json_integer(out->iterations));
        set(answer, "sequence", sequence_of(s));
        set(answer, "endless", json_boolean(out->endless));
    } else if (law->traits & CAROM_TRAIT_REFLECTS) {
        set(answer, "iterations", json_integer(out->iterations));
        set(answer, "active", active_of(s));
    } else if (law->traits & CAROM_TRAIT_HAS_PATH) {
        set(answer, "steps", json_integer(out->iterations));
        set(answer, "events", events_of(s));
        if (law->uses & CAROM_USES(eta)) {
            set(answer, "dissipated_normal", losses_of(c, out, 0));
            set(answer, "dissipated_friction", losses_of(c, out, 1));
        }
    } else {
        bool modes = law->traits & CAROM_TRAIT_CONTACT_MODES;
        set(answer, "residual", json_real(out->residual));
        set(answer, modes ? "modes" : "p_compression", modes ? modes_of(c, out) : by_contact(c, out->p_compression));
    }
}

json_t *several_answer(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_several_result *s = &result->several;
    const carom_together_outcome *out = &s->outcome;
    set(answer, "p", by_contact(c, out->p));
    set(answer, "u_after", by_contact(c, out->u_after));
    if (c->source == CAROM_SOURCE_BODIES) {
        set(answer, "impulse", impulses(c, out->p));
        set(answer, "bodies", motions(c, s));
    }
    if (c->source == CAROM_SOURCE_MECHANISM)
        set(answer, "qdot_after", numbers(c->several->mechanism.n, s->qdot_after));
    set(answer, "energy", energy_of(&result->energy));
    set(answer, "margins", margins(c, out));
    set(answer, "flags", flags_of(out->flags));
    set(answer, "solutions", json_integer(out->solutions));
    set(answer, "examined", json_boolean(out->examined));
    add_own(c, s, answer);
    carom_stroke_result stroke;
    if (carom_case_stroke(c, result, &stroke))
        set(answer, "stroke", stroke_of(&stroke));
    return answer;
}

json_t *several_solutions(const carom_case *c, const carom_result *result)
{
    const carom_several_result *s = &result->several;
    int n = c->several->problem.count * c->dim, count = s->solution_count > 1 ? s->solution_count : 1;
    json_t *array = json_array();
    for (int k = 0; k < count; k++) {
        const double *p = s->solution_count > 1 ? s->solutions + (ptrdiff_t)2 * k * n : s->outcome.p;
        const double *after = s->solution_count > 1 ? p + n : s->outcome.u_after;
        double change = 0;
        for (int i = 0; i < n; i++)
            change += 0.5 * p[i] * (c->several->problem.u[i] + after[i]);
        json_t *object = json_object();
        set(object, "p", by_contact(c, p));
        set(object, "u_after", by_contact(c, after));
        set(object, "energy_change", json_real(change));
        json_array_append_new(array, object);
    }
    return array;
}
