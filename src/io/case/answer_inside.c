/* The part of an answer that tells what happened inside the impact. */
#include <stdio.h>
#include <stdlib.h>

#include "io/case/answer.h"

/* ---- the path of one contact ---- */

/* Null when memory ends. */
static json_t *speeds(const carom_case *c, const carom_state *at)
{
    double *qdot = malloc((size_t)c->mechanism.n * sizeof *qdot);
    if (!qdot)
        return NULL;
    patch_speeds(c, at->p, at->m, qdot);
    json_t *array = numbers(qdot, c->mechanism.n);
    free(qdot);
    return array;
}

static json_t *event(const carom_case *c, const carom_event *e)
{
    const carom_state *at = &e->at;
    json_t *object = json_object();
    set(object, "kind", json_string(carom_event_word(e->kind)));
    set_number(object, "p_n", at->p.n);
    set(object, "p", patch_vector(c, at->p, at->m));
    set(object, "u", patch_vector(c, at->u, at->w));
    set_number(object, "work_normal", at->work_normal);
    set_number(object, "work_friction", at->work_friction);
    if (patch_numbers(c) > 3)
        set_number(object, "work_spin", at->work_spin);
    if (c->rule.law->traits & CAROM_TRAIT_SPRINGS) {
        set(object, "stretch", contact_vector(c, at->stretch));
        set(object, "stored", contact_vector(c, at->stored));
    }
    if (c->source == CAROM_SOURCE_MECHANISM)
        set(object, "qdot", speeds(c, at));
    return object;
}

/* "slip:C", "stick:R": a mode and its half, C for compression and R for restitution. */
static json_t *modes(const carom_result *result)
{
    json_t *array = json_array();
    char word[32];
    for (int i = 0; i < result->mode_count; i++) {
        snprintf(word, sizeof word, "%s:%c", result->modes[i], result->compressing[i] ? 'C' : 'R');
        json_array_append_new(array, json_string(word));
    }
    return array;
}

static void add_path(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_phases *ph = &result->outcome.phases;
    set_number(answer, "phases", ph->phases);
    set_number(answer, "work_compression", ph->work_compression);
    set_number(answer, "work_decompression", ph->work_decompression);
    set_number(answer, "work_friction", result->energy.friction);
    if (patch_numbers(c) > 3)
        set_number(answer, "work_spin", result->outcome.turning.spin);
    if (ph->path)
        set(answer, "path", json_string(ph->path));
    if (c->rule.law->traits & CAROM_TRAIT_SPRINGS) {
        set_number(answer, "dissipated_normal", -result->energy.normal);
        set_number(answer, "dissipated_friction", -result->energy.friction);
        set(answer, "modes", modes(result));
    }
    json_t *events = json_array();
    for (int i = 0; i < result->event_count; i++)
        json_array_append_new(events, event(c, &result->events[i]));
    set(answer, "events", events);
}

/* ---- what contact-force laws add ---- */

static json_t *contact_modes(const carom_contact_force *f)
{
    json_t *array = json_array();
    for (int i = 0; i < f->mode_count && i < CAROM_CONTACT_MODES_KEPT; i++)
        json_array_append_new(array, json_string(carom_contact_mode_word((carom_contact_mode)f->modes[i])));
    if (f->mode_count > CAROM_CONTACT_MODES_KEPT)
        json_array_append_new(array, json_string("..."));
    json_array_append_new(array, json_string("end"));
    return array;
}

static void add_force(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_contact_force *f = &result->outcome.force;
    set_number(answer, "duration", f->duration);
    set_number(answer, "max_compression", f->max_compression);
    set_number(answer, "peak_force", f->peak_force);
    set(answer, "modes", contact_modes(f));
    set(answer, "contacts", json_integer(f->contacts));
    set_number(answer, "dissipated_normal", f->dissipated_normal);
    set_number(answer, "dissipated_friction", f->dissipated_friction);
    set_number(answer, "dissipated_tangential", f->dissipated_tangential);
    set_number(answer, "residual_tangential", f->residual_tangential);
    set_number(answer, "vibration_energy", f->vibration_energy);
    set_number(answer, "dissipated_vibration", f->dissipated_vibration);
    set(answer, "dead_impulse", contact_vector(c, f->dead_impulse));
    set_number(answer, "kinetic_loss", -result->energy.change);
}

/* ---- contacts together ---- */

/* The contacts of all events, from 1: one after the other, or in arrays of those that act at the same time. */
static json_t *contacts_of(const carom_result *r, bool grouped)
{
    json_t *array = json_array(), *step = array;
    for (int i = 0; i < r->contact_event_count; i++) {
        if (grouped && (i == 0 || r->contact_events[i].time > r->contact_events[i - 1].time)) {
            step = json_array();
            json_array_append_new(array, step);
        }
        json_array_append_new(step, json_integer(r->contact_events[i].contact + 1));
    }
    return array;
}

/* "slip2": an event and its contact. */
static json_t *events_of(const carom_result *r)
{
    json_t *array = json_array();
    char word[32];
    for (int i = 0; i < r->contact_event_count; i++) {
        const carom_contact_event *e = &r->contact_events[i];
        snprintf(word, sizeof word, "%s%d", carom_together_event_word(e->kind), e->contact + 1);
        json_array_append_new(array, json_string(word));
    }
    return array;
}

static json_t *mode_of(const carom_case *c, const carom_result *result, int i)
{
    (void)c;
    return json_string(carom_together_mode_word(result->together.modes[i]));
}

static json_t *compression_of(const carom_case *c, const carom_result *result, int i)
{
    return numbers(result->together.p_compression + (ptrdiff_t)i * c->contacts.dim, c->contacts.dim);
}

/* The energy lost at a contact by restitution, and by friction. */
static json_t *normal_loss_of(const carom_case *c, const carom_result *result, int i)
{
    (void)c;
    return number(result->together.losses[2 * i]);
}

static json_t *friction_loss_of(const carom_case *c, const carom_result *result, int i)
{
    (void)c;
    return number(result->together.losses[2 * i + 1]);
}

/* What only some laws have. */
static void add_order(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_together_outcome *out = &result->together;
    const carom_together *law = c->together_rule.law;
    if (law->traits & CAROM_TRAIT_ONE_BY_ONE) {
        set(answer, "impacts", json_integer(out->iterations));
        set(answer, "sequence", contacts_of(result, false));
        set(answer, "endless", json_boolean(out->endless));
    } else if (law->traits & CAROM_TRAIT_REFLECTS) {
        set(answer, "iterations", json_integer(out->iterations));
        set(answer, "active", contacts_of(result, true));
    } else if (law->traits & CAROM_TRAIT_HAS_PATH) {
        set(answer, "steps", json_integer(out->iterations));
        set(answer, "events", events_of(result));
        if (law->uses & CAROM_USES(eta)) {
            set(answer, "dissipated_normal", by_contact(c, result, normal_loss_of));
            set(answer, "dissipated_friction", by_contact(c, result, friction_loss_of));
        }
    } else {
        const bool modes = law->traits & CAROM_TRAIT_CONTACT_MODES;
        set(answer, "residual", json_real(out->residual));
        set(answer, modes ? "modes" : "p_compression", by_contact(c, result, modes ? mode_of : compression_of));
    }
}

static void add_stroke(const carom_stroke_result *s, json_t *answer)
{
    json_t *object = json_object(), *slide = json_object();
    set_number(object, "squirt", s->squirt);
    set(object, "miscue", json_boolean(s->miscue));
    set_number(slide, "time", s->slide.time);
    set(slide, "end", numbers(&s->slide.x, 2));
    set(slide, "velocity", numbers(&s->slide.v_x, 2));
    set(object, "slide", slide);
    set(answer, "stroke", object);
}

/* ---- both ---- */

void answer_inside(const carom_case *c, const carom_result *result, json_t *answer)
{
    carom_stroke_result stroke;
    if (c->together) {
        set(answer, "examined", json_boolean(result->together.examined));
        add_order(c, result, answer);
    } else {
        if (carom_case_traits(c) & CAROM_TRAIT_HAS_PATH)
            add_path(c, result, answer);
        if (carom_case_traits(c) & CAROM_TRAIT_CONTACT_FORCE)
            add_force(c, result, answer);
    }
    if (carom_case_stroke(c, result, &stroke))
        add_stroke(&stroke, answer);
}
